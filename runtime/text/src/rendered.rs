//! The text of a node as it is shown: HTML, 3.2.7 "The innerText and outerText properties", with the style sheet of the
//! standard's 15.3 and no other. It knows no style of the page. Invariant: nothing recurses, and each node is read once.

use crate::kinds::{Kind, Kinds, Undisclosed, is_hidden};
use tabulex_core::tree::{Edge, NodeRef};

/// How text is read.
///
/// ```
/// use tabulex::text::Reader;
///
/// let page = "<p>One  two<br>three<p>four<noscript>five</noscript>";
/// let tree = tabulex::html::parse(page, Default::default()).tree;
/// assert_eq!(Reader::new().text(tree.root()), "One two\nthree\n\nfourfive");
/// assert_eq!(Reader::new().scripting(true).text(tree.root()), "One two\nthree\n\nfour");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Reader {
    scripting: bool,
}

impl Reader {
    /// Scripting is disabled: what is for readers without it is shown.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether scripting is enabled for whoever reads the page.
    #[must_use]
    pub fn scripting(mut self, scripting: bool) -> Self {
        self.scripting = scripting;
        self
    }

    /// The text of a node as it is shown. If the node itself is not shown, what is inside of it is read all the same.
    pub fn text(self, node: NodeRef<'_>) -> String {
        self.read(node, &Kinds::of(node.tree()))
    }

    pub(crate) fn read(self, root: NodeRef<'_>, kinds: &Kinds) -> String {
        let (mut page, mut undisclosed) = (Page::default(), Undisclosed::default());
        // How many elements are open that need not be: where there is none, nothing is asked.
        let (mut disclosures, mut skipped) = (0_usize, None);
        let mut walk = root.walk();
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(node) => {
                    let is_asked = disclosures > 0 || node == root;
                    if node.is_text() {
                        if !(is_asked && undisclosed.has(node, kinds)) {
                            page.text(node.data().unwrap_or_default());
                        }
                    } else if node.is_element() {
                        let kind = kinds.kind(node);
                        let is_left_out = node != root
                            && (is_hidden(node, kind, self.scripting)
                                || is_asked && undisclosed.has(node, kinds));
                        if is_left_out {
                            skipped = Some(node);
                            walk.skip_inside(node);
                        } else {
                            page.open(kind);
                            disclosures += usize::from(kind.is(Kind::DISCLOSURE));
                        }
                    }
                }
                // The end of what was left out is left out as well.
                Edge::Close(node)
                    if node.is_element() && skipped.take_if(|it| *it == node).is_none() =>
                {
                    let kind = kinds.kind(node);
                    page.close(kind);
                    disclosures -= usize::from(kind.is(Kind::DISCLOSURE));
                }
                _ => {}
            }
        }
        page.out
    }
}

/// What is shown so far.
#[derive(Default)]
struct Page {
    out: String,
    /// How many line breaks are needed before what comes next.
    breaks: usize,
    /// Whether white space is needed.
    has_space: bool,
    /// Whether what comes next begins a line.
    is_line_start: bool,
    /// How many elements are open in which white space is preserved.
    preserved: usize,
    /// For each open table how many rows, for each open row how many cells have begun.
    tables: Vec<usize>,
    rows: Vec<usize>,
}

impl Page {
    fn open(&mut self, kind: Kind) {
        if kind == Kind::default() {
            return;
        }
        if kind.is(Kind::BLOCK) {
            self.need(if kind.is(Kind::PARAGRAPH) { 2 } else { 1 });
        }
        self.preserved += usize::from(kind.is(Kind::PRESERVED));
        if kind.is(Kind::LINE_BREAK) {
            self.mark('\n');
        } else if kind.is(Kind::TABLE) {
            self.tables.push(0);
        } else if kind.is(Kind::ROW) {
            self.rows.push(0);
            self.begin(true);
        } else if kind.is(Kind::CELL) {
            self.begin(false);
        }
    }

    fn close(&mut self, kind: Kind) {
        if kind == Kind::default() {
            return;
        }
        if kind.is(Kind::BLOCK) {
            self.need(if kind.is(Kind::PARAGRAPH) { 2 } else { 1 });
        }
        self.preserved -= usize::from(kind.is(Kind::PRESERVED));
        if kind.is(Kind::TABLE) {
            self.tables.pop();
        } else if kind.is(Kind::ROW) {
            self.rows.pop();
        }
    }

    /// A row or a cell begins; something is between it and the one before.
    fn begin(&mut self, is_row: bool) {
        let counts = if is_row { &mut self.tables } else { &mut self.rows };
        let Some(count) = counts.last_mut() else { return };
        *count += 1;
        if *count > 1 {
            self.mark(if is_row { '\n' } else { '\t' });
        }
    }

    fn need(&mut self, breaks: usize) {
        self.breaks = self.breaks.max(breaks);
    }

    /// Writes what is needed before something.
    fn settle(&mut self) {
        if self.breaks > 0 {
            if !self.out.is_empty() {
                self.out.extend(std::iter::repeat_n('\n', self.breaks));
            }
            self.breaks = 0;
        } else if self.has_space && !self.is_line_start && !self.out.is_empty() {
            self.out.push(' ');
        }
        (self.has_space, self.is_line_start) = (false, false);
    }

    /// A line break, or what is between two cells.
    fn mark(&mut self, mark: char) {
        self.has_space = false;
        self.settle();
        self.out.push(mark);
        self.is_line_start = true;
    }

    fn text(&mut self, text: &str) {
        if self.preserved > 0 {
            if !text.is_empty() {
                self.settle();
                self.out.push_str(text);
            }
            return;
        }
        let is_space = |character: char| character.is_ascii_whitespace();
        let mut rest = text;
        while !rest.is_empty() {
            let word = rest.trim_start_matches(is_space);
            self.has_space |= word.len() < rest.len();
            let end = word.find(is_space).unwrap_or(word.len());
            if end > 0 {
                self.settle();
                self.out.push_str(&word[..end]);
            }
            rest = &word[end..];
        }
    }
}
