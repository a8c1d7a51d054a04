//! The form between a document's text and its sentences: blocks, each with its line. It knows no markup and no English.
//! Invariant: blocks are in the document's order.

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A heading.
    Heading,
    /// What a row is for.
    Label,
    /// A paragraph.
    Body,
    /// An item of a list.
    Item,
    /// A row of a table.
    Cells,
    /// A line of a grammar.
    Code,
    /// A note or an example, which asks for nothing.
    Note,
}

/// A block of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// Its text, blanks collapsed.
    pub text: String,
    /// The line where it begins, from 1.
    pub line: usize,
    /// How deep it lies in lists.
    pub depth: usize,
}

/// The text with every run of blanks and line ends as one blank.
pub(super) fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
