//! Rendered text (HTML, 3.2.7 "The innerText and outerText properties") under the default style sheet of section 15.3.

use crate::kinds::{ElementKind, KindTable, SvgText, Undisclosed, is_box_without_text, is_hidden};
use tabulex_core::tree::{Edge, NodeRef};

/// Options for reading rendered text.
///
/// ```
/// use tabulex::text::TextReader;
///
/// let output = "<p>One  two<br>three<p>four<noscript>five</noscript>";
/// let tree = tabulex::html::parse(output, Default::default()).tree;
/// assert_eq!(TextReader::new().text(tree.root()), "One two\nthree\n\nfourfive");
/// assert_eq!(TextReader::new().scripting(true).text(tree.root()), "One two\nthree\n\nfour");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TextReader {
    scripting: bool,
}

impl TextReader {
    /// Creates a reader with scripting disabled, so that elements such as `noscript` are rendered.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets whether scripting counts as enabled, which hides `noscript`.
    #[must_use]
    pub fn scripting(mut self, scripting: bool) -> Self {
        self.scripting = scripting;
        self
    }

    /// Returns the rendered text of a node. If the node itself is hidden, its contents are read as if it were not.
    pub fn text(self, node: NodeRef<'_>) -> String {
        self.read(node, &KindTable::of(node.tree()))
    }

    pub(crate) fn read(self, root: NodeRef<'_>, kinds: &KindTable) -> String {
        let (mut output, mut undisclosed) = (TextOutput::default(), Undisclosed::default());
        // Number of open elements that can be collapsed, such as `details`. While it is 0, only the root can be in a
        // collapsed element.
        let mut open_disclosures = 0_usize;
        let mut svg_text = SvgText::default();
        let mut walk = root.walk();
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(node) => {
                    let can_be_undisclosed = open_disclosures > 0 || node == root;
                    if node.is_text() {
                        let is_undisclosed =
                            can_be_undisclosed && undisclosed.contains(node, kinds);
                        if !is_undisclosed && !svg_text.hides(node) {
                            output.push_text(node.data().unwrap_or_default());
                        }
                    } else if node.is_element() {
                        let kind = kinds.kind(node);
                        let is_undisclosed =
                            can_be_undisclosed && undisclosed.contains(node, kinds);
                        let is_omitted = is_undisclosed || is_hidden(node, kind, self.scripting);
                        if is_omitted && node != root {
                            if !is_undisclosed && is_box_without_text(node, kind) {
                                output.open_inline_block();
                                output.close_inline_block();
                            }
                            walk.skip_past(node);
                        } else {
                            output.open(kind);
                            svg_text.open(kind);
                            open_disclosures +=
                                usize::from(kind.is_any_of(ElementKind::DISCLOSURE));
                        }
                    }
                }
                Edge::Close(node) if node.is_element() => {
                    let kind = kinds.kind(node);
                    output.close(kind);
                    svg_text.close(kind);
                    open_disclosures -= usize::from(kind.is_any_of(ElementKind::DISCLOSURE));
                }
                _ => {}
            }
        }
        output.out
    }
}

const BLOCKS: ElementKind = ElementKind::BLOCK.or(ElementKind::BLOCK_IN_SVG);
const INLINE_BLOCKS: ElementKind = ElementKind::INLINE_BLOCK.or(ElementKind::INLINE_BLOCK_IN_SVG);

/// The text so far, and the pending white space at its end.
#[derive(Default)]
struct TextOutput {
    out: String,
    /// Number of line breaks required before the next text.
    breaks: usize,
    /// Whether a space is required before the next text.
    has_space: bool,
    /// Whether the next text begins a line.
    is_line_start: bool,
    /// Whether the line so far ends with an element that is rendered in place of text, after which a space remains.
    follows_inline_block: bool,
    /// Number of open elements that preserve white space.
    preserving_depth: usize,
    /// For each open table, the number of rows that have begun.
    row_counts: Vec<usize>,
    /// For each open row, the number of cells that have begun.
    cell_counts: Vec<usize>,
}

impl TextOutput {
    fn open(&mut self, kind: ElementKind) {
        if kind == ElementKind::default() {
            return;
        }
        if kind.is_any_of(BLOCKS) {
            self.require_breaks(if kind.is_any_of(ElementKind::PARAGRAPH) { 2 } else { 1 });
        } else if kind.is_any_of(INLINE_BLOCKS) {
            self.open_inline_block();
        }
        self.preserving_depth += usize::from(kind.is_any_of(ElementKind::PRESERVED));
        if kind.is_any_of(ElementKind::LINE_BREAK) {
            self.push_separator('\n');
        } else if kind.is_any_of(ElementKind::TABLE) {
            self.row_counts.push(0);
        } else if kind.is_any_of(ElementKind::ROW) {
            self.cell_counts.push(0);
            self.begin_row_or_cell(true);
        } else if kind.is_any_of(ElementKind::CELL) {
            self.begin_row_or_cell(false);
        }
    }

    fn close(&mut self, kind: ElementKind) {
        if kind == ElementKind::default() {
            return;
        }
        if kind.is_any_of(BLOCKS) {
            self.require_breaks(if kind.is_any_of(ElementKind::PARAGRAPH) { 2 } else { 1 });
        } else if kind.is_any_of(INLINE_BLOCKS) {
            self.close_inline_block();
        }
        self.preserving_depth -= usize::from(kind.is_any_of(ElementKind::PRESERVED));
        if kind.is_any_of(ElementKind::TABLE) {
            self.row_counts.pop();
        } else if kind.is_any_of(ElementKind::ROW) {
            self.cell_counts.pop();
        }
    }

    /// Begins a row or cell, with a separator if it is not the first.
    fn begin_row_or_cell(&mut self, is_row: bool) {
        let counts = if is_row { &mut self.row_counts } else { &mut self.cell_counts };
        let Some(count) = counts.last_mut() else { return };
        *count += 1;
        if *count > 1 {
            self.push_separator(if is_row { '\n' } else { '\t' });
        }
    }

    fn require_breaks(&mut self, breaks: usize) {
        self.breaks = self.breaks.max(breaks);
        (self.has_space, self.follows_inline_block) = (false, false);
    }

    /// Writes the space before an element whose contents are laid out on their own, so that white space in it is not
    /// collapsed with that space.
    fn open_inline_block(&mut self) {
        if self.has_space && (self.breaks == 0 || self.follows_inline_block) {
            self.write_pending_space();
        }
        (self.has_space, self.is_line_start, self.follows_inline_block) = (false, true, false);
    }

    fn close_inline_block(&mut self) {
        (self.has_space, self.is_line_start, self.follows_inline_block) = (false, false, true);
    }

    /// Writes the pending line breaks or space.
    fn write_pending_space(&mut self) {
        if !self.out.is_empty() {
            self.out.extend(std::iter::repeat_n('\n', self.breaks));
        }
        let follows_text = self.breaks == 0 && !self.is_line_start && !self.out.is_empty();
        if self.has_space && (follows_text || self.follows_inline_block) {
            self.out.push(' ');
        }
        self.breaks = 0;
        (self.has_space, self.is_line_start, self.follows_inline_block) = (false, false, false);
    }

    /// Writes a line break or a separator of cells.
    fn push_separator(&mut self, separator: char) {
        self.has_space = false;
        self.write_pending_space();
        self.out.push(separator);
        self.is_line_start = true;
    }

    fn push_text(&mut self, text: &str) {
        if self.preserving_depth > 0 {
            if !text.is_empty() {
                self.write_pending_space();
                self.out.push_str(text);
            }
            return;
        }
        // A form feed is not white space in CSS (CSS Text 3, 4.1).
        let is_space = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r');
        let mut remaining = text;
        while !remaining.is_empty() {
            let trimmed = remaining.trim_start_matches(is_space);
            self.has_space |= trimmed.len() < remaining.len();
            let word_end = trimmed.find(is_space).unwrap_or(trimmed.len());
            if word_end > 0 {
                self.write_pending_space();
                self.out.push_str(&trimmed[..word_end]);
            }
            remaining = &trimmed[word_end..];
        }
    }
}
