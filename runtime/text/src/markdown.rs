//! A page as Markdown: CommonMark with the tables and struck text of GitHub. What is shown is what `rendered` shows.
//! Invariant: nothing recurses, and what is read of the Markdown is the text of the page, in its order.

use crate::kinds::{Kind, Kinds, Undisclosed, is_hidden, is_hidden_by_attribute};
use crate::rendered::Reader;
use crate::table::{form, most_places};
use inline::{Mark, Piece, Place, line};
use tabulex_core::tree::{Edge, Namespace, NodeRef};

mod inline;
mod simple;

/// How deep quotes and lists are nested in Markdown; what is deeper is written at this depth.
const DEEPEST: usize = 24;
/// How many bytes of URLs are written in one block after the other that is in the same link. Whoever needs more has long
/// URLs around many blocks: what is left of them is written without the link.
const REPEATED: usize = 1 << 20;

/// A node as Markdown: headings, lists, quotes, code, tables, links, images, emphasis. Text that looks like Markdown is
/// escaped, so that it means what it meant. A table with blocks in its cells or its caption, or with text elsewhere (as in tables
/// nested deeper than the parser nests elements), is written as these blocks, and of a page that nests quotes and lists very
/// deep the depth is not kept. Cells that span others stand in their columns as long as there is [room](crate::Table::is_cut)
/// in the page, and at the ends of their rows then. A link around several blocks is written in each of them,
/// until its URL, written so often, is longer than 1 MiB.
///
/// ```
/// use tabulex::text::markdown;
///
/// let page = "<h1>A *star*</h1><p>One <b>two </b><a href=/3>three</a><ul><li>4<li>5</ul>";
/// let tree = tabulex::html::parse(page, Default::default()).tree;
/// let expected = "# A \\*star\\*\n\nOne **two** [three](/3)\n\n- 4\n- 5\n";
/// assert_eq!(markdown(tree.root()), expected);
/// ```
pub fn markdown(node: NodeRef<'_>) -> String {
    let kinds = Kinds::of(node.tree());
    let mut page = Page::new(&kinds);
    page.places = most_places(node.tree());
    page.read(node, false);
    page.flush();
    page.out
}

/// What is around blocks.
enum Container {
    /// A quote, and whether something of it is written.
    Quote(bool),
    /// An item: what marks it, until that is written, and how wide that is.
    Item(Option<String>, usize),
}

/// A list that is open.
struct List {
    /// The number of the next item of an ordered one.
    number: Option<u64>,
    /// What marks its items, or follows their numbers.
    sign: char,
    has_items: bool,
}

/// What is written so far.
struct Page<'k> {
    kinds: &'k Kinds,
    out: String,
    containers: Vec<Container>,
    /// How many quotes and items are open that are too deep.
    too_deep: usize,
    lists: Vec<List>,
    /// How deep the list was that the last block ended, and its sign: the next list there must not join it.
    ended: Option<(usize, char)>,
    /// Whether the last block ended with its item.
    has_left_item: bool,
    /// Whether what comes next needs no blank line before it.
    is_tight: bool,
    /// The level of the heading that is open; 0 of none.
    heading: usize,
    /// The line so far.
    pieces: Vec<Piece>,
    /// The marks that are open, and for each element with a mark whether it is among them.
    marks: Vec<Mark>,
    opened: Vec<bool>,
    /// How many bytes of URLs may still be repeated.
    repeated: usize,
    /// How many elements of code are open that have blocks in them, and so become no code.
    codes: usize,
    /// How many places the cells of tables may still have beyond their first ones.
    places: usize,
    undisclosed: Undisclosed,
}

impl<'k> Page<'k> {
    fn new(kinds: &'k Kinds) -> Self {
        Self {
            kinds,
            out: String::new(),
            containers: Vec::new(),
            too_deep: 0,
            lists: Vec::new(),
            ended: None,
            has_left_item: false,
            is_tight: false,
            heading: 0,
            pieces: Vec::new(),
            marks: Vec::new(),
            opened: Vec::new(),
            repeated: REPEATED,
            codes: 0,
            places: 0,
            undisclosed: Undisclosed::default(),
        }
    }

    /// Reads a node and what is in it, or only what is in it.
    fn read(&mut self, root: NodeRef<'_>, only_inside: bool) {
        let mut walk = root.walk();
        let mut skipped = None;
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(node) if node.is_text() && !self.undisclosed.has(node, self.kinds) => {
                    self.text(node.data().unwrap_or_default());
                }
                Edge::Open(node) if node.is_element() && !(only_inside && node == root) => {
                    let kind = self.kinds.kind(node);
                    let is_hidden = match kind.is(Kind::IMAGE) {
                        true => is_hidden_by_attribute(node),
                        false => is_hidden(node, kind, false),
                    };
                    let is_shown =
                        node == root || !is_hidden && !self.undisclosed.has(node, self.kinds);
                    if !is_shown || self.whole(node, kind) {
                        skipped = Some(node);
                        walk.skip_inside(node);
                    } else {
                        self.open(node, kind);
                    }
                }
                // The end of what was left out is left out as well.
                Edge::Close(node)
                    if node.is_element()
                        && !(only_inside && node == root)
                        && skipped.take_if(|it| *it == node).is_none() =>
                {
                    self.close(self.kinds.kind(node));
                }
                _ => {}
            }
        }
    }

    /// Writes an element that is written at once, with what is in it. Whether it is one.
    fn whole(&mut self, node: NodeRef<'_>, kind: Kind) -> bool {
        if kind.is(Kind::IMAGE) {
            let words = node.attribute("alt").unwrap_or_default();
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            let url = node.attribute("src").unwrap_or_default().trim_ascii();
            if !(words.is_empty() && url.is_empty()) {
                self.pieces.push(Piece::Image(words, url.to_owned()));
            }
        } else if kind.is(Kind::PRESERVED) {
            self.flush();
            self.preserved(node);
        } else if kind.is(Kind::CODE) && self.codes == 0 && !self.has_blocks(node) {
            self.code(node);
        } else if kind.is(Kind::RULE) {
            self.flush();
            self.block("___");
        } else if kind.is(Kind::TABLE) {
            let is_simple = self.is_simple(node);
            if is_simple {
                self.flush();
                self.table(node);
            }
            return is_simple;
        } else {
            return false;
        }
        true
    }

    fn open(&mut self, node: NodeRef<'_>, kind: Kind) {
        if kind.is(Kind::LINE_BREAK) {
            self.pieces.push(Piece::Break);
        } else if kind.is(Kind::MARKED) {
            let is_new = |mark: &Mark| !self.marks.iter().any(|it| same_kind(it, mark));
            let mark = mark(node, kind).filter(is_new);
            self.opened.push(mark.is_some());
            if let Some(mark) = mark {
                self.pieces.push(Piece::Open(mark.clone()));
                self.marks.push(mark);
            }
        } else if kind.is(Kind::CODE) {
            self.codes += 1;
        } else if kind.is(Kind::AROUND) {
            self.flush();
            if kind.is(Kind::HEADING) {
                let level = node.local_name().and_then(|name| name[1..].parse().ok());
                self.heading = level.unwrap_or(1);
            } else if kind.is(Kind::QUOTE) {
                self.enter(Container::Quote(false));
            } else if kind.is(Kind::LIST) {
                self.open_list(node, kind.is(Kind::ORDERED));
            } else if kind.is(Kind::ITEM) {
                self.open_item();
            }
        }
    }

    fn close(&mut self, kind: Kind) {
        if kind.is(Kind::MARKED) {
            if self.opened.pop() == Some(true)
                && let Some(mark) = self.marks.pop()
            {
                self.pieces.push(Piece::Close(mark));
            }
        } else if kind.is(Kind::CODE) {
            self.codes -= 1;
        } else if kind.is(Kind::AROUND) {
            self.flush();
            if kind.is(Kind::HEADING) {
                self.heading = 0;
            } else if kind.is(Kind::QUOTE) {
                self.leave();
            } else if kind.is(Kind::LIST) {
                let list = self.lists.pop();
                self.ended = list.map(|list| (self.containers.len(), list.sign));
            } else if kind.is(Kind::ITEM) && !self.lists.is_empty() {
                if let Some(Container::Item(Some(_), _)) = self.containers.last() {
                    self.block("");
                }
                self.leave();
                self.has_left_item = true;
            }
        }
    }

    fn enter(&mut self, container: Container) {
        if self.containers.len() < DEEPEST {
            self.containers.push(container);
        } else {
            self.too_deep += 1;
        }
    }

    fn leave(&mut self) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
        } else {
            self.containers.pop();
        }
    }

    fn open_list(&mut self, node: NodeRef<'_>, is_ordered: bool) {
        let signs = if is_ordered { ['.', ')'] } else { ['-', '*'] };
        let joins = self.ended == Some((self.containers.len(), signs[0]));
        let start = node.attribute("start").and_then(|start| start.trim_ascii().parse().ok());
        let start = start.filter(|start| *start < 1_000_000_000).unwrap_or(1);
        self.lists.push(List {
            number: is_ordered.then_some(start),
            sign: signs[usize::from(joins)],
            has_items: false,
        });
    }

    fn open_item(&mut self) {
        let Some(list) = self.lists.last_mut() else { return };
        let marker = match &mut list.number {
            Some(number) => {
                let marker = format!("{number}{} ", list.sign);
                *number = (*number + 1).min(999_999_999);
                marker
            }
            None => {
                // Three of a sign with nothing after them would be read as a rule.
                let is_same = |it: &Container| matches!(it, Container::Item(Some(marker), _) if marker.starts_with(list.sign));
                let mut sign = list.sign;
                if let [.., one, two] = &self.containers[..]
                    && is_same(one)
                    && is_same(two)
                {
                    sign = if sign == '-' { '*' } else { '-' };
                }
                // Items of one list have one sign, but where they are in each other.
                if !list.has_items {
                    list.sign = sign;
                }
                format!("{sign} ")
            }
        };
        // Text between two items would take the second one for its own.
        self.is_tight = std::mem::replace(&mut list.has_items, true) && self.has_left_item;
        let width = marker.len();
        self.enter(Container::Item(Some(marker), width));
    }

    /// Writes the line so far as a block. The marks that are open go on in the next one.
    fn flush(&mut self) {
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.extend(self.marks.iter().rev().cloned().map(Piece::Close));
        let place = if self.heading > 0 { Place::Heading } else { Place::Paragraph };
        let written = line(&pieces, place);
        if !written.is_empty() && self.heading > 0 {
            self.block(&format!("{} {written}", "#".repeat(self.heading)));
        } else if !written.is_empty() {
            self.block(&written);
        }
        if !written.is_empty() {
            self.give_up_links();
        }
        self.pieces.extend(self.marks.iter().cloned().map(Piece::Open));
    }

    /// Ends links that would be written too often.
    fn give_up_links(&mut self) {
        for index in (0..self.marks.len()).rev() {
            let Mark::Link(url) = &self.marks[index] else { continue };
            match self.repeated.checked_sub(url.len()) {
                Some(left) => self.repeated = left,
                None => {
                    self.marks.remove(index);
                    // Its element ends no mark any more.
                    let mut opened = self.opened.iter_mut().filter(|opened| **opened);
                    opened.nth(index).into_iter().for_each(|opened| *opened = false);
                }
            }
        }
    }

    /// Writes a block of lines, within what is around it.
    fn block(&mut self, lines: &str) {
        (self.ended, self.has_left_item) = (None, false);
        if !self.out.is_empty() && !std::mem::take(&mut self.is_tight) {
            let is_old = |it: &&Container| {
                !matches!(it, Container::Quote(false) | Container::Item(Some(_), _))
            };
            let blank: String = self.containers.iter().take_while(is_old).map(prefix).collect();
            self.out.push_str(blank.trim_end());
            self.out.push('\n');
        }
        self.is_tight = false;
        for line in lines.split('\n') {
            let start = self.out.len();
            for container in &mut self.containers {
                self.out.push_str(&prefix(container));
                match container {
                    Container::Quote(has_begun) => *has_begun = true,
                    Container::Item(marker, _) => *marker = None,
                }
            }
            self.out.push_str(line);
            if line.is_empty() {
                self.out.truncate(start + self.out[start..].trim_end().len());
            }
            self.out.push('\n');
        }
    }

    fn text(&mut self, text: &str) {
        let mut collapsed = String::with_capacity(text.len());
        for character in text.chars() {
            match character.is_ascii_whitespace() {
                true if collapsed.ends_with(' ') => {}
                true => collapsed.push(' '),
                false => collapsed.push(character),
            }
        }
        self.pieces.push(Piece::Text(collapsed));
    }

    fn code(&mut self, node: NodeRef<'_>) {
        let text = Reader::new().read(node, self.kinds);
        let words = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        // White space at the ends is none of the code.
        let written = node.text();
        let ends = |by: fn(&str) -> bool| by(&text) || by(&written);
        let space = |is_there: bool| is_there.then(|| Piece::Text(" ".to_owned()));
        self.pieces.extend(space(ends(|it| it.starts_with(char::is_whitespace))));
        if !words.is_empty() {
            self.pieces.push(Piece::Code(words));
        }
        self.pieces.extend(space(ends(|it| it.ends_with(char::is_whitespace))));
    }

    /// Writes text whose white space is kept, as a block of code between fences.
    fn preserved(&mut self, node: NodeRef<'_>) {
        let text = Reader::new().read(node, self.kinds).replace("\r\n", "\n").replace('\r', "\n");
        let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let language = node
            .descendants()
            .chain([node])
            .find_map(|inner| inner.classes().find_map(|class| class.strip_prefix("language-")));
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "+-#.".contains(it);
        let language = language.filter(|language| language.chars().all(is_plain));
        let text = text.strip_suffix('\n').unwrap_or(&text);
        self.block(&format!("{fence}{}\n{text}\n{fence}", language.unwrap_or_default()));
    }

    fn has_blocks(&self, node: NodeRef<'_>) -> bool {
        node.descendants().any(|inner| self.kinds.kind(inner).is(Kind::AROUND))
    }

    /// Writes a table of lines: what is beside its rows, then each cell in the first of its places. Columns in which no
    /// cell begins are left out.
    fn table(&mut self, element: NodeRef<'_>) {
        let parts = element.child_elements().filter(|part| self.is_beside_rows(*part));
        for part in parts.collect::<Vec<_>>() {
            let mut inner = Self::new(self.kinds);
            inner.read(part, true);
            let written = line(&inner.pieces, Place::Paragraph);
            if !written.is_empty() {
                self.block(&written);
            }
        }
        let is_shown = |part| !is_hidden(part, self.kinds.kind(part), false);
        // Each text is written once, whatever its cell spans.
        let table = form(element, self.kinds, is_shown, |_| 1, &mut self.places);
        let rows = table.firsts;
        let mut columns: Vec<usize> = rows.iter().flatten().map(|(column, _)| *column).collect();
        let cells = columns.len();
        columns.sort_unstable();
        columns.dedup();
        if columns.is_empty() {
            return;
        }
        let is_header = |cell: &Option<NodeRef<'_>>| {
            cell.is_some_and(|cell| self.kinds.kind(cell).is(Kind::HEADER_CELL))
        };
        let mut lines = Vec::new();
        if !table.rows[0].iter().all(is_header) {
            lines.push("| ".repeat(columns.len()) + "|");
        }
        // Readers add the cells that are missing at the end of any row but the first one; where they are many, they are left
        // to them.
        let is_full = rows.len() * columns.len() <= 4 * cells + 16;
        for row in &rows {
            let least = if is_full || lines.is_empty() { columns.len() } else { 1 };
            lines.push(self.row(row, &columns, least));
        }
        lines.insert(1, "| --- ".repeat(columns.len()) + "|");
        self.block(&lines.join("\n"));
    }

    /// A row of these cells, each with its column, in these columns; it has at least so many places.
    fn row(&self, cells: &[(usize, NodeRef<'_>)], columns: &[usize], least: usize) -> String {
        let mut out = String::from("|");
        let mut places = 0;
        for (column, cell) in cells {
            let place = columns.partition_point(|it| it < column);
            out += &" |".repeat(place - places);
            let mut inner = Self::new(self.kinds);
            inner.read(*cell, true);
            let written = line(&inner.pieces, Place::Cell);
            if !written.is_empty() {
                out.extend([" ", &written]);
            }
            out.push_str(" |");
            places = place + 1;
        }
        out + &" |".repeat(least.saturating_sub(places))
    }
}

/// Whether an element is not shown, nor what is inside. Of an image there is more to write than to read.
fn is_unwritten(node: NodeRef<'_>, kind: Kind) -> bool {
    match kind.is(Kind::IMAGE) {
        true => is_hidden_by_attribute(node),
        false => is_hidden(node, kind, false),
    }
}

/// What a line within a container begins with.
fn prefix(container: &Container) -> String {
    match container {
        Container::Quote(_) => "> ".to_owned(),
        Container::Item(Some(marker), _) => marker.clone(),
        Container::Item(None, width) => " ".repeat(*width),
    }
}

/// The mark that an element is in Markdown; none of an `a` that is no link.
fn mark(node: NodeRef<'_>, kind: Kind) -> Option<Mark> {
    let url = || node.attribute_in(Namespace::NONE, "href").filter(|_| kind.is(Kind::LINK));
    let found = [
        (Kind::EMPHASIS, Mark::Emphasis),
        (Kind::STRONG, Mark::Strong),
        (Kind::STRUCK, Mark::Struck),
    ];
    let found = found.into_iter().find(|(it, _)| kind.is(*it)).map(|(_, mark)| mark);
    found.or_else(|| url().map(|url| Mark::Link(url.trim_ascii().into())))
}

fn same_kind(one: &Mark, other: &Mark) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}
