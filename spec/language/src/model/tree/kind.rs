//! Kinds of the values of algorithms.

/// The kind of a value in an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// A node of the tree, possibly missing.
    Node,
    /// An entry of the list of active formatting elements.
    Entry,
    /// A position in the list of active formatting elements.
    Bookmark,
    /// An insertion location, possibly missing.
    Location,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A token.
    Token,
    /// A truth value.
    Truth,
    /// A list of element types.
    Names,
    /// A scripting mode.
    Scripting,
    /// A list of nodes.
    Nodes,
    /// An attribute, of an element or read by the prescan.
    Attribute,
    /// A byte.
    Byte,
    /// A position in the bytes, possibly missing.
    Position,
    /// An encoding, failure, or no value.
    Encoding,
    /// A list of strings.
    List,
}

impl ValueKind {
    /// Returns the kind's name in messages.
    pub fn description(self) -> &'static str {
        match self {
            Self::Node => "a node",
            Self::Entry => "an entry of the list of active formatting elements",
            Self::Bookmark => "a position in the list of active formatting elements",
            Self::Location => "an insertion location",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::Token => "a token",
            Self::Truth => "true or false",
            Self::Names => "a list of element types",
            Self::Scripting => "a scripting mode",
            Self::Nodes => "a list of nodes",
            Self::Attribute => "an attribute",
            Self::Byte => "a byte",
            Self::Position => "a position in the bytes",
            Self::Encoding => "an encoding",
            Self::List => "a list of strings",
        }
    }
}
