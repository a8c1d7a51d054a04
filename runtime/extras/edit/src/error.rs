//! Errors of edits.

use std::fmt;
use tabulex_core::Span;
use tabulex_core::tree::{HierarchyError, NodeId};

/// The reason why an edit is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The node has no markup of its own in the text: the node is implied or comes from an entity, or the tree has no
    /// positions or was parsed from another text.
    NotWritten,
    /// The node is not an element.
    NotAnElement,
    /// The element is not an HTML element, so it cannot be renamed.
    NotHtml,
    /// The element cannot have contents: its tag is self-closing, or it is void.
    NoContents,
    /// The name is not valid for an element or an attribute.
    BadName,
    /// The text would end the raw text element that it is put into, or change how later text in it is parsed.
    BadText,
    /// The page ends in text that no end tag can end, such as that of `plaintext`, so that nothing can follow it.
    UnclosedText,
    /// Another edit changes the same bytes.
    Overlap {
        /// Byte offset of the first byte that both edits change.
        at: usize,
    },
    /// The tree's hierarchy does not allow the change.
    Hierarchy(HierarchyError),
    /// The edited text would parse to a tree other than the edited one, because of the markup around the change.
    ParsesDifferently,
}

impl fmt::Display for EditError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWritten => {
                formatter.write_str("the node has no markup of its own in the text")
            }
            Self::NotAnElement => formatter.write_str("the node is not an element"),
            Self::NotHtml => formatter.write_str("only HTML elements can be renamed"),
            Self::NoContents => formatter.write_str("the element cannot have contents"),
            Self::BadName => formatter.write_str("invalid element or attribute name"),
            Self::BadText => {
                formatter.write_str("the text would end the element that it is put into")
            }
            Self::UnclosedText => formatter.write_str(
                "the page ends in text that no end tag can end, so the edit must replace its element",
            ),
            Self::Overlap { at } => write!(formatter, "another edit changes byte {at}"),
            Self::Hierarchy(error) => error.fmt(formatter),
            Self::ParsesDifferently => {
                formatter.write_str("the edited text would parse to a different tree")
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

/// An edit refused by one of the `apply` methods of [`Edits`](crate::Edits), with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedEdit {
    /// Index of the edit in call order, from 0.
    pub edit: usize,
    /// Name of the method that was called, such as `remove`.
    pub method: &'static str,
    /// The node to edit.
    pub node: NodeId,
    /// The name of the node, if it is an element.
    pub name: Option<String>,
    /// Byte range of the node in the text given to [`Edits::new`](crate::Edits::new); `None` if the node is implied or
    /// the tree has no positions.
    pub span: Option<Span>,
    /// The reason for the refusal.
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

/// The result of [`Edits::apply_possible`](crate::Edits::apply_possible).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// The edited text.
    pub text: String,
    /// The edits that were not applied, in call order.
    pub refused: Vec<RefusedEdit>,
}
