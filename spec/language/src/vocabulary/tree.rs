//! The closed vocabulary of tree construction: the syntax of each action and condition, its value in the model, its
//! meaning, and the wording of the documents.

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

/// Words for patterns that match all tokens of a kind, or any token (`else`).
pub const TOKEN_PATTERNS: &[(&str, TokenPattern)] = &[
    ("comment", TokenPattern::Comment),
    ("doctype", TokenPattern::Doctype),
    ("processing-instruction", TokenPattern::ProcessingInstruction),
    ("short-end", TokenPattern::ShortEndTag),
    ("EOF", TokenPattern::EndOfFile),
    ("else", TokenPattern::Else),
];

/// Words for limits of tree construction.
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

/// Words for elements by their position on the stack.
pub const STACK_PLACES: &[(&str, StackPlace)] =
    &[("root", StackPlace::Root), ("second", StackPlace::Second)];
