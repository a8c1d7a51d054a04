//! The closed vocabulary of tree construction: its actions and conditions, how each is written, what that makes in the
//! model, what it means, and in which words the documents say it. It builds no tree. Invariant: as for the vocabulary of
//! states.

mod actions;
mod conditions;
mod doctypes;

pub use actions::TREE_ACTIONS;
pub use conditions::TREE_CONDITIONS;
pub use doctypes::DOCTYPE_TESTS;

use crate::model::tree::{
    AttributeNamespace, DocumentMode, InsertedNamespace, Namespace, StackPlace, TokenPattern,
    TreeLimit,
};

/// Words for tokens of which a row of a mode takes all.
pub const TOKEN_PATTERNS: &[(&str, TokenPattern)] = &[
    ("comment", TokenPattern::Comment),
    ("doctype", TokenPattern::Doctype),
    ("processing-instruction", TokenPattern::ProcessingInstruction),
    ("short-end", TokenPattern::ShortEndTag),
    ("EOF", TokenPattern::EndOfFile),
    ("else", TokenPattern::Else),
];

/// Words for what a table can limit about trees.
pub const TREE_LIMITS: &[(&str, TreeLimit)] = &[
    ("adoption-rounds", TreeLimit::AdoptionRounds),
    ("adoption-elements", TreeLimit::AdoptionElements),
    ("alike-formatting", TreeLimit::AlikeFormatting),
];

/// Words for the modes of a document.
pub const DOCUMENT_MODES: &[(&str, DocumentMode)] = &[
    ("no-quirks", DocumentMode::NoQuirks),
    ("limited-quirks", DocumentMode::LimitedQuirks),
    ("quirks", DocumentMode::Quirks),
];

/// Words for namespaces other than the table's own.
pub const NAMESPACES: &[(&str, Namespace)] = &[("svg", Namespace::Svg), ("math", Namespace::Math)];

/// Words for the namespaces of attributes.
pub const ATTRIBUTE_NAMESPACES: &[(&str, AttributeNamespace)] = &[
    ("xlink", AttributeNamespace::XLink),
    ("xml", AttributeNamespace::Xml),
    ("xmlns", AttributeNamespace::Xmlns),
];

/// Words for the namespaces of inserted elements.
pub const INSERTED_NAMESPACES: &[(&str, InsertedNamespace)] = &[
    ("svg", InsertedNamespace::Svg),
    ("math", InsertedNamespace::Math),
    ("adjusted-current", InsertedNamespace::AdjustedCurrent),
];

/// Words for elements by their place on the stack.
pub const STACK_PLACES: &[(&str, StackPlace)] =
    &[("root", StackPlace::Root), ("second", StackPlace::Second)];
