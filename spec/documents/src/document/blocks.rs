//! Blocks of text, independent of a document's markup, from which sentences are read.

/// Kind of a block, which decides how its text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// A heading.
    Heading,
    /// A label that begins a row.
    Label,
    /// A paragraph outside lists and tables.
    Body,
    /// An item of a list.
    Item,
    /// A row of a table.
    Cells,
    /// A line of a grammar.
    Code,
    /// A note or an example, which has no normative content.
    Note,
}

/// A block of a document: a heading, a paragraph, a list item or the like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Kind of the block.
    pub kind: BlockKind,
    /// Text with white space collapsed.
    pub text: String,
    /// Line where the block begins, from 1.
    pub line: usize,
    /// Nesting depth in lists; for text dumps, the indentation.
    pub depth: usize,
}

/// Collapses each run of white space, including line ends, to one space.
pub(super) fn collapse_white_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
