//! Tables as rows of cells: HTML, 4.9.12 "Processing model" of tables, in the order of the page. It reads no text of them.
//! Invariant: what is made of a table is no longer than its cells and a million places, of which those of a cell with a
//! long text count for more.

use crate::kinds::{Kind, Kinds};
use crate::rendered::Reader;
use tabulex_core::tree::NodeRef;

/// How many places cells may have beyond their first ones.
const MOST_PLACES: usize = 1_000_000;
/// A place of a cell counts once more for each so many bytes of its text, as whoever reads places reads it in each.
const BYTES_OF_ONE: usize = 64;

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
pub struct Table<'a> {
    /// The element.
    pub element: NodeRef<'a>,
    /// For each row its places; a cell that spans several is in each of them, and a place that no cell covers has none.
    pub rows: Vec<Vec<Option<NodeRef<'a>>>>,
}

/// The tables inside of a node, those in tables as well.
pub fn tables<'a>(node: NodeRef<'a>) -> impl Iterator<Item = Table<'a>> {
    let kinds = Kinds::of(node.tree());
    let mut all = node.descendants();
    std::iter::from_fn(move || {
        let table = all.find(|node| kinds.kind(*node).is(Kind::TABLE))?;
        Some(form(table, &kinds, |_| true))
    })
}

impl Table<'_> {
    /// The texts of the cells, row by row.
    pub fn texts(&self) -> Vec<Vec<String>> {
        let kinds = Kinds::of(self.element.tree());
        let text = |cell: &Option<NodeRef<'_>>| {
            cell.map(|cell| Reader::new().read(cell, &kinds)).unwrap_or_default()
        };
        self.rows.iter().map(|row| row.iter().map(text).collect()).collect()
    }
}

/// Puts a cell into its places, unless these are more than are left, `free` of them not counted.
fn put<'a>(
    places: &mut Vec<Option<NodeRef<'a>>>,
    it: &Growing<'a>,
    free: usize,
    left: &mut usize,
) -> bool {
    let end = it.column + it.width;
    let more = end.saturating_sub(places.len());
    let cost = it.width.max(more).saturating_sub(free).saturating_mul(it.weight);
    if cost > *left {
        return false;
    }
    *left -= cost;
    places.resize(places.len().max(end), None);
    for place in &mut places[it.column..end] {
        place.get_or_insert(it.cell);
    }
    true
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
    fn new(cell: NodeRef<'a>, column: usize) -> Self {
        let number = |name: &str| {
            let digits = cell.attribute(name)?.trim_ascii_start();
            let end = digits.bytes().position(|byte| !byte.is_ascii_digit());
            digits[..end.unwrap_or(digits.len())].parse::<usize>().ok()
        };
        let width = number("colspan").filter(|width| (1..=1000).contains(width)).unwrap_or(1);
        let rows = number("rowspan").map_or(1, |height| height.min(65534));
        let weight = if width == 1 && rows == 1 { 1 } else { weight(cell) };
        Self { cell, column, width, rows, weight }
    }
}

/// As how many places one of a cell counts that has several.
fn weight(cell: NodeRef<'_>) -> usize {
    let texts = cell.descendants().filter_map(|node| node.data().filter(|_| node.is_text()));
    1 + texts.map(str::len).sum::<usize>() / BYTES_OF_ONE
}

/// Forms a table of those of its row groups, rows and cells that are wanted.
pub(crate) fn form<'a>(
    element: NodeRef<'a>,
    kinds: &Kinds,
    is_wanted: impl Fn(NodeRef<'a>) -> bool,
) -> Table<'a> {
    let mut table = Table { element, rows: Vec::new() };
    let mut left = MOST_PLACES;
    let mut growing = Vec::new();
    let is_wanted = &is_wanted;
    let inside = |node: NodeRef<'a>, kind| {
        let children = node.child_elements();
        children.filter(move |child| kinds.kind(*child).is(kind) && is_wanted(*child))
    };
    for part in inside(element, Kind::ROW.and(Kind::ROW_GROUP)) {
        let kind = kinds.kind(part);
        if kind.is(Kind::ROW) {
            table.rows.push(row(inside(part, Kind::CELL), &mut growing, &mut left));
        } else {
            // Cells end with their group.
            growing.clear();
            for inner in inside(part, Kind::ROW) {
                table.rows.push(row(inside(inner, Kind::CELL), &mut growing, &mut left));
            }
            growing.clear();
        }
    }
    table
}

fn row<'a>(
    cells: impl Iterator<Item = NodeRef<'a>>,
    growing: &mut Vec<Growing<'a>>,
    left: &mut usize,
) -> Vec<Option<NodeRef<'a>>> {
    let mut places: Vec<Option<NodeRef<'a>>> = Vec::new();
    growing.retain_mut(|it| {
        let is_put = put(&mut places, it, 0, left);
        it.rows = it.rows.wrapping_sub(1);
        is_put && it.rows > 0
    });
    let mut column = 0;
    let mut new = Vec::new();
    for cell in cells {
        while places.get(column).is_some_and(Option::is_some) {
            column += 1;
        }
        let mut it = Growing::new(cell, column);
        if !put(&mut places, &it, 1, left) {
            (it.column, it.width) = (places.len(), 1);
            places.push(Some(cell));
        }
        column = it.column + it.width;
        if it.rows != 1 {
            it.rows = it.rows.wrapping_sub(1);
            new.push(it);
        }
    }
    growing.append(&mut new);
    places
}
