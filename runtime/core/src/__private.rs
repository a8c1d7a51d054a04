//! The items that generated code and the other packages of this version need beyond the public interface. Not covered
//! by semantic versioning. Generated code names nothing of this crate outside this module.

pub use crate::__entry_points as entry_points;
pub use crate::__lists as lists;
pub use crate::__setters as setters;
pub use crate::construct::{
    AlgorithmArguments, Builder, Construction, DoctypeCondition, DoctypeSet, DoctypeTest,
    ElementSet, Elements, EntryValue, Frame, ImpliedEndTags, IntegrationPoint, ListKey, Location,
    NodeValue, TagSource, Target, TokenView, adjustments, field_text, first_byte, is_one_of,
    is_own, shift_entry, split_name,
};
pub use crate::declarations::EntityList;
pub use crate::dialect::{Dialect, steps_of};
pub use crate::encoding::{
    Bytes, Clues, Confidence, DEFAULT_SOURCES, Encoding, Ended, Source, encoding_in, encoding_of,
};
pub use crate::error::Named;
pub use crate::lexeme::{Automaton, Normalization};
pub use crate::machine::{Machine, Reason, Registers, Returned, Stop};
pub use crate::reads::{count_bytes, reads};
pub use crate::record::RemovedCharacters;
pub use crate::references::References;
pub use crate::registers::{ReplacementLimits, TextRegister, digits};
pub use crate::scan::{CharacterSet, CommonRanges, byte_classes, byte_set, cold};
pub use crate::sink::{Control, Entry, MachineSink, Request, SwitchingTag};
pub use crate::span::LineIndex;
pub use crate::surroundings::last_character;
pub use crate::token::TokenForm;
pub use crate::tree::serialize::{Pieces, SerializerSteps, StepsWriter, WrittenNode, escape};
pub use crate::tree::steps::{NodeSteps, RangeMark, StepsTree};
pub use crate::tree::words::{Patching, SelectedContent};
pub use crate::tree::{
    AttributeRef, DocumentMode, KnownNames, LocalName, Name, Namespace, NodeId, NodeKind,
    SerializerNames, ShadowRootDeclaration, TreeSink,
};

/// Operations on the texts of fields, called by generated rows.
pub mod edits {
    pub use crate::edits::{
        cut_from_last, escape, lowercase, replace_first, strip_and_collapse, unescape,
    };
}

/// Helpers for the text of lexical tokens.
pub mod lexeme {
    pub use crate::__lists as lists;
    pub use crate::lexeme::{normalize, number};
}

/// Byte searches used by generated code.
pub mod scan {
    pub use crate::scan::{
        Ahead, line_end, next_not_in, next_not_in_by_blocks, next_not_in_ranges, next_of,
        text_ahead, width,
    };
}

/// Character classes of XML.
pub mod xml_characters {
    pub use crate::tree::xml_characters::{is_char, is_name, is_name_start};
}
