//! Why a page is not edited. Invariant: nothing is written where one of these is returned.

use std::fmt;
use tabulex_core::tree::HierarchyError;

/// Why an edit is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The node is not written in the text: it is implied, or stands in the text of an entity, or the tree has no positions,
    /// or is that of another text.
    NotWritten,
    /// The node is no element.
    NotAnElement,
    /// The element can have no contents there: its start tag is also its end.
    NoContents,
    /// This is no name of an attribute, or of an element.
    BadName,
    /// Two edits change the same bytes, this one the first of them.
    Overlap {
        /// The offset in bytes.
        at: usize,
    },
    /// The tree cannot be changed so.
    Hierarchy(HierarchyError),
    /// The text would parse to another tree than the edited one, because of what is around the change.
    ReadsOtherwise,
}

impl fmt::Display for EditError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWritten => formatter.write_str("the node is not written in the text"),
            Self::NotAnElement => formatter.write_str("the node is no element"),
            Self::NoContents => formatter.write_str("the element has no place for contents"),
            Self::BadName => formatter.write_str("this is no name for it"),
            Self::Overlap { at } => write!(formatter, "two edits change byte {at}"),
            Self::Hierarchy(error) => error.fmt(formatter),
            Self::ReadsOtherwise => {
                formatter.write_str("the edited text would be read as another tree")
            }
        }
    }
}

impl std::error::Error for EditError {}

impl From<HierarchyError> for EditError {
    fn from(error: HierarchyError) -> Self {
        Self::Hierarchy(error)
    }
}
