//! Tables as rows of cells: HTML, 4.9.12 "Processing model" of tables, in the order of the page. It reads no text to form them.
//! Invariant: what is made of all tables of a page is no longer than their cells and a million places (in a page of more nodes
//! than that, one for each), of which those of a cell with a long text count for more.

use crate::kinds::{Kind, Kinds};
use crate::rendered::Reader;
use std::collections::HashMap;
use tabulex_core::tree::{Edge, NodeId, NodeRef, Tree};

/// How many places the cells of a page may have beyond their first ones.
const MOST_PLACES: usize = 1_000_000;
/// A place of a cell counts once more for each so many bytes of its text, as whoever reads places reads it in each.
const BYTES_OF_ONE: usize = 64;
/// What is not text counts as so many bytes of it: the lines and tabs that it makes of the text.
const BYTES_OF_NODE: usize = 2;

/// A table: for each row the cells that are in its columns, from the first one on.
///
/// ```
/// use tabulex::text::{Table, tables};
///
/// let page = "<table><tr><th colspan=2>A<th>B<tr><td>1<td>2<td rowspan=2>3<tr><td>4<td>5</table>";
/// let tree = tabulex::html::parse(page, Default::default()).tree;
/// let table = tables(tree.root()).next().unwrap();
/// assert_eq!(table.texts(), [["A", "A", "B"], ["1", "2", "3"], ["4", "5", "3"]]);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Table<'a> {
    /// The element.
    pub element: NodeRef<'a>,
    /// For each row its places; a cell that spans several is in each of them, and a place that no cell covers has none.
    pub rows: Vec<Vec<Option<NodeRef<'a>>>>,
    /// Whether a cell is in fewer places than it spans, because the tables of the page have as many as they may: a million
    /// beyond the first ones of the cells, of which those of a cell with a long text count for more. No cell is left out.
    pub is_cut: bool,
}

/// The tables inside of a node, those in tables as well.
pub fn tables<'a>(node: NodeRef<'a>) -> impl Iterator<Item = Table<'a>> {
    let kinds = Kinds::of(node.tree());
    let mut all = node.descendants();
    let (mut left, mut lengths) = (most_places(node.tree()), None);
    std::iter::from_fn(move || {
        let element = all.find(|node| kinds.kind(*node).is(Kind::TABLE))?;
        // Of tables in tables the same text is asked for again and again.
        let weigh = |cell: NodeRef<'a>| {
            let lengths = lengths.get_or_insert_with(|| lengths_of_cells(node, &kinds));
            1 + lengths.get(&cell.id()).copied().unwrap_or_default() / BYTES_OF_ONE
        };
        let Formed { rows, is_cut, .. } = form(element, &kinds, |_| true, weigh, &mut left);
        Some(Table { element, rows, is_cut })
    })
}

/// How many places the cells of a page may have beyond their first ones.
pub(crate) fn most_places(tree: &Tree) -> usize {
    MOST_PLACES.max(tree.node_count())
}

/// How long the texts of all cells in a node are, about.
fn lengths_of_cells(root: NodeRef<'_>, kinds: &Kinds) -> HashMap<NodeId, usize> {
    let (mut lengths, mut open, mut length) = (HashMap::new(), Vec::new(), 0);
    for edge in root.walk() {
        match edge {
            Edge::Open(node) => {
                let text = node.data().filter(|_| node.is_text());
                length += text.map_or(BYTES_OF_NODE, str::len);
                if kinds.kind(node).is(Kind::CELL) {
                    open.push(length);
                }
            }
            Edge::Close(node) if kinds.kind(node).is(Kind::CELL) => {
                let before = open.pop().unwrap_or_default();
                lengths.insert(node.id(), length - before);
            }
            _ => {}
        }
    }
    lengths
}

impl Table<'_> {
    /// The texts of the cells, row by row.
    pub fn texts(&self) -> Vec<Vec<String>> {
        let kinds = Kinds::of(self.element.tree());
        // Each cell is read once.
        let mut known: HashMap<NodeId, String> = HashMap::new();
        let mut text = |cell: &Option<NodeRef<'_>>| {
            let Some(cell) = *cell else { return String::new() };
            if let Some(text) = known.get(&cell.id()) {
                return text.clone();
            }
            let text = Reader::new().read(cell, &kinds);
            if spans(cell) != (1, 1) {
                known.insert(cell.id(), text.clone());
            }
            text
        };
        self.rows.iter().map(|row| row.iter().map(&mut text).collect()).collect()
    }
}

/// A cell that grows into the next rows.
struct Growing<'a> {
    cell: NodeRef<'a>,
    column: usize,
    width: usize,
    /// How many more rows it has; 0 for all of its group.
    rows: usize,
    /// As how many one of its places counts.
    weight: usize,
}

impl<'a> Growing<'a> {
    /// A cell that begins in a column.
    fn new(cell: NodeRef<'a>, column: usize, mut weight: impl FnMut(NodeRef<'a>) -> usize) -> Self {
        let (width, rows) = spans(cell);
        let weight = if width == 1 && rows == 1 { 1 } else { weight(cell) };
        Self { cell, column, width, rows, weight }
    }
}

/// How many columns and rows a cell spans; 0 rows are all of its group.
fn spans(cell: NodeRef<'_>) -> (usize, usize) {
    let number = |name: &str| {
        let digits = cell.attribute(name)?.trim_ascii_start();
        let end = digits.bytes().position(|byte| !byte.is_ascii_digit());
        digits[..end.unwrap_or(digits.len())].parse::<usize>().ok()
    };
    let width = number("colspan").filter(|width| (1..=1000).contains(width)).unwrap_or(1);
    (width, number("rowspan").map_or(1, |height| height.min(65534)))
}

/// What a table is.
#[derive(Default)]
pub(crate) struct Formed<'a> {
    /// For each row its places.
    pub(crate) rows: Vec<Vec<Option<NodeRef<'a>>>>,
    /// For each row the cells that begin in it, each with its first column.
    pub(crate) firsts: Vec<Vec<(usize, NodeRef<'a>)>>,
    /// Whether a cell has fewer places than it spans.
    pub(crate) is_cut: bool,
}

/// Forms a table of those of its row groups, rows and cells that are wanted. `weigh` says as how many one of a cell's places
/// counts, and `left` how many the cells may have beyond their first ones.
pub(crate) fn form<'a>(
    element: NodeRef<'a>,
    kinds: &Kinds,
    is_wanted: impl Fn(NodeRef<'a>) -> bool,
    weigh: impl FnMut(NodeRef<'a>) -> usize,
    left: &mut usize,
) -> Formed<'a> {
    let mut forming = Forming { formed: Formed::default(), growing: Vec::new(), weigh, left };
    let is_wanted = &is_wanted;
    let inside = |node: NodeRef<'a>, kind| {
        let children = node.child_elements();
        children.filter(move |child| kinds.kind(*child).is(kind) && is_wanted(*child))
    };
    for part in inside(element, Kind::ROW.and(Kind::ROW_GROUP)) {
        let kind = kinds.kind(part);
        if kind.is(Kind::ROW) {
            forming.row(inside(part, Kind::CELL));
        } else {
            // Cells end with their group.
            forming.growing.clear();
            for inner in inside(part, Kind::ROW) {
                forming.row(inside(inner, Kind::CELL));
            }
            forming.growing.clear();
        }
    }
    forming.formed
}

/// A table that is being formed.
struct Forming<'a, 'b, W> {
    formed: Formed<'a>,
    growing: Vec<Growing<'a>>,
    /// As how many one of a cell's places counts.
    weigh: W,
    /// How many places there may be beyond the first ones of the cells.
    left: &'b mut usize,
}

impl<'a, W: FnMut(NodeRef<'a>) -> usize> Forming<'a, '_, W> {
    fn row(&mut self, cells: impl Iterator<Item = NodeRef<'a>>) {
        let mut places: Vec<Option<NodeRef<'a>>> = Vec::new();
        let mut growing = std::mem::take(&mut self.growing);
        growing.retain_mut(|it| {
            let is_put = self.put(&mut places, it, 0);
            it.rows = it.rows.wrapping_sub(1);
            is_put && it.rows > 0
        });
        let (mut column, mut firsts) = (0, Vec::new());
        for cell in cells {
            while places.get(column).is_some_and(Option::is_some) {
                column += 1;
            }
            let mut it = Growing::new(cell, column, &mut self.weigh);
            if !self.put(&mut places, &it, 1) {
                (it.column, it.width) = (places.len(), 1);
                places.push(Some(cell));
            }
            firsts.push((it.column, cell));
            column = it.column + it.width;
            if it.rows != 1 {
                it.rows = it.rows.wrapping_sub(1);
                growing.push(it);
            }
        }
        self.growing = growing;
        self.formed.rows.push(places);
        self.formed.firsts.push(firsts);
    }

    /// Puts a cell into its places, unless these are more than are left, `free` of them not counted.
    fn put(
        &mut self,
        places: &mut Vec<Option<NodeRef<'a>>>,
        it: &Growing<'a>,
        free: usize,
    ) -> bool {
        let end = it.column + it.width;
        let more = end.saturating_sub(places.len());
        let cost = it.width.max(more).saturating_sub(free).saturating_mul(it.weight);
        if cost > *self.left {
            self.formed.is_cut = true;
            return false;
        }
        *self.left -= cost;
        places.resize(places.len().max(end), None);
        for place in &mut places[it.column..end] {
            place.get_or_insert(it.cell);
        }
        true
    }
}
