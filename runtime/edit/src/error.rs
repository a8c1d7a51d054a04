//! Errors of edits.

use std::fmt;
use tabulex_core::Span;
use tabulex_core::tree::{HierarchyError, NodeId};

/// Why an edit is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The node is not written in the text: it is implied, or stands in the text of an entity, or the tree has no positions,
    /// or is that of another text.
    NotWritten,
    /// The node is no element.
    NotAnElement,
    /// The element can have no contents: its start tag is also its end, or has none by its name.
    NoContents,
    /// This is no name of an attribute, or of an element.
    BadName,
    /// The text would end its element, in which nothing is escaped, or change how what follows in it is read.
    BadText,
    /// Another edit changes the same bytes.
    Overlap {
        /// The first of these bytes, as an offset.
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
            Self::NoContents => formatter.write_str("the element can have no contents"),
            Self::BadName => formatter.write_str("this is no name for it"),
            Self::BadText => formatter.write_str("the text would end its element"),
            Self::Overlap { at } => write!(formatter, "another edit changes byte {at}"),
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

/// An edit that [`Edits::apply`](crate::Edits::apply) refuses, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedEdit {
    /// The number of the edit in the order of the calls, from 0.
    pub edit: usize,
    /// The method that was called, such as `remove`.
    pub method: &'static str,
    /// The node that was to be edited.
    pub node: NodeId,
    /// The name of the node, if it is an element.
    pub name: Option<String>,
    /// Where the node is written, in bytes of the text that was given to [`Edits::new`](crate::Edits::new); `None` if it is
    /// implied.
    pub span: Option<Span>,
    /// Why the edit is refused.
    pub reason: EditError,
}

impl fmt::Display for RefusedEdit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { edit, method, name, span, reason, .. } = self;
        write!(formatter, "edit {edit}, `{method}` of ")?;
        match name {
            Some(name) => write!(formatter, "`<{name}>`")?,
            None => formatter.write_str("a node")?,
        }
        if let Some(span) = span {
            write!(formatter, " at {}..{}", span.start, span.end)?;
        }
        write!(formatter, ": {reason}")
    }
}

impl std::error::Error for RefusedEdit {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.reason)
    }
}

/// What [`Edits::apply_possible`](crate::Edits::apply_possible) returns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// The edited text.
    pub text: String,
    /// The edits that were left out, in the order of the calls.
    pub refused: Vec<RefusedEdit>,
}
