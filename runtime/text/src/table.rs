//! Tables as rows of cells: HTML, 4.9.12 "Processing model" of tables, in the order of the page. It reads no text of them.
//! Invariant: what is made of a table is no longer than its cells and a million places.

use crate::kinds::{Kind, Kinds};
use crate::rendered::Reader;
use tabulex_core::tree::NodeRef;

/// How many places cells may have beyond their first ones.
const MOST_PLACES: usize = 1_000_000;

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
        Some(form(table, &kinds))
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
    cell: NodeRef<'a>,
    column: usize,
    width: usize,
    free: usize,
    left: &mut usize,
) -> bool {
    let end = column + width;
    let more = end.saturating_sub(places.len());
    let cost = (width.saturating_sub(free)).max(more.saturating_sub(free));
    if cost > *left {
        return false;
    }
    *left -= cost;
    places.resize(places.len().max(end), None);
    for place in &mut places[column..end] {
        place.get_or_insert(cell);
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
}

pub(crate) fn form<'a>(element: NodeRef<'a>, kinds: &Kinds) -> Table<'a> {
    let mut table = Table { element, rows: Vec::new() };
    let mut left = MOST_PLACES;
    let mut growing = Vec::new();
    for part in element.child_elements() {
        let kind = kinds.kind(part);
        if kind.is(Kind::ROW) {
            table.rows.push(row(part, kinds, &mut growing, &mut left));
        } else if kind.is(Kind::ROW_GROUP) {
            // Cells end with their group.
            growing.clear();
            for inner in part.child_elements().filter(|row| kinds.kind(*row).is(Kind::ROW)) {
                table.rows.push(row(inner, kinds, &mut growing, &mut left));
            }
            growing.clear();
        }
    }
    table
}

fn row<'a>(
    row: NodeRef<'a>,
    kinds: &Kinds,
    growing: &mut Vec<Growing<'a>>,
    left: &mut usize,
) -> Vec<Option<NodeRef<'a>>> {
    let mut places: Vec<Option<NodeRef<'a>>> = Vec::new();
    growing.retain_mut(|it| {
        let is_put = put(&mut places, it.cell, it.column, it.width, 0, left);
        it.rows = it.rows.wrapping_sub(1);
        is_put && it.rows > 0
    });
    let mut column = 0;
    let mut new = Vec::new();
    for cell in row.child_elements().filter(|cell| kinds.kind(*cell).is(Kind::CELL)) {
        while places.get(column).is_some_and(Option::is_some) {
            column += 1;
        }
        let number = |name: &str| {
            let digits = cell.attribute(name)?.trim_ascii_start();
            let end = digits.bytes().position(|byte| !byte.is_ascii_digit());
            digits[..end.unwrap_or(digits.len())].parse::<usize>().ok()
        };
        let width = number("colspan").filter(|width| (1..=1000).contains(width)).unwrap_or(1);
        let height = number("rowspan").map_or(1, |height| height.min(65534));
        let is_put = put(&mut places, cell, column, width, 1, left);
        let (column_of_it, width) = if is_put { (column, width) } else { (places.len(), 1) };
        if !is_put {
            places.push(Some(cell));
        }
        column = column_of_it;
        if height != 1 {
            new.push(Growing { cell, column, width, rows: height.wrapping_sub(1) });
        }
        column += width;
    }
    growing.append(&mut new);
    places
}
