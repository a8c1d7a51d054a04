//! Kinds of the values of algorithms. It makes no value. Invariant: a value is of one kind.

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A node of the tree, or none.
    Node,
    /// An entry of the list of active formatting elements.
    Entry,
    /// A place in the list of active formatting elements.
    Bookmark,
    /// An insertion location, or none.
    Location,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A token.
    Token,
    /// True or false.
    Truth,
    /// A list of element types.
    Names,
    /// A scripting mode.
    Scripting,
    /// A list of nodes.
    Nodes,
    /// An attribute: of an element, or as the prescan finds it.
    Attribute,
    /// A byte.
    Byte,
    /// A place in the bytes, or none.
    Position,
    /// An encoding, failure, or none.
    Encoding,
    /// A list of strings.
    List,
}

impl Kind {
    /// What messages call it.
    pub fn told(self) -> &'static str {
        match self {
            Self::Node => "a node",
            Self::Entry => "an entry of the list of active formatting elements",
            Self::Bookmark => "a place in the list of active formatting elements",
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
            Self::Position => "a place in the bytes",
            Self::Encoding => "an encoding",
            Self::List => "a list of strings",
        }
    }
}
