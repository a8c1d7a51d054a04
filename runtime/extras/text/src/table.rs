//! Layout of tables in rows and columns (HTML, 4.9.12 "Processing model").
//!
//! Spanning cells are bounded for the whole page: beyond its first slot, the cells of all tables share a budget of a
//! million slots (or the number of nodes, if larger), in which slots of cells with long text weigh more.

use crate::kinds::{ElementKind, KindTable};
use crate::rendered::TextReader;
use std::collections::HashMap;
use tabulex_core::tree::{Edge, NodeId, NodeRef, Tree};

/// Maximum number of slots that the cells of a page may take in addition to their first ones, unless the page has more
/// nodes.
const MAX_EXTRA_SLOTS: usize = 1_000_000;
/// Bytes of text for which each slot of a cell weighs one more, because callers read the text once per slot.
const BYTES_PER_WEIGHT: usize = 64;
/// Bytes of text charged for a node other than text: the line breaks and tabs it produces.
const BYTES_PER_NODE: usize = 2;

/// A table laid out in rows and columns.
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
    /// The table element.
    pub element: NodeRef<'a>,
    /// The slots of each row, those of footers last. A spanning cell stands in every slot that it covers; a slot that
    /// no cell covers is `None`.
    pub rows: Vec<Vec<Option<NodeRef<'a>>>>,
    /// Whether a cell covers fewer slots than it spans, because the tables of the page have used up their budget: a
    /// million slots (or the number of nodes, if larger) in addition to the first slot of each cell, with slots of
    /// cells with long text weighing more. No cell is dropped.
    pub is_cut: bool,
}

/// Returns the tables among the descendants of a node, nested ones included.
pub fn tables<'a>(node: NodeRef<'a>) -> impl Iterator<Item = Table<'a>> {
    let kinds = KindTable::of(node.tree());
    let mut descendants = node.descendants();
    let (mut slots_left, mut text_lengths) = (extra_slots(node.tree()), None);
    std::iter::from_fn(move || {
        let element = descendants.find(|node| kinds.kind(*node).is_any_of(ElementKind::TABLE))?;
        // The text of a nested table counts in every cell around it, so computing the lengths cell by cell would take
        // quadratic time; one walk computes them all.
        let weigh = |cell: NodeRef<'a>| {
            let text_lengths = text_lengths.get_or_insert_with(|| cell_text_lengths(node, &kinds));
            1 + text_lengths.get(&cell.id()).copied().unwrap_or_default() / BYTES_PER_WEIGHT
        };
        let Layout { rows, is_cut, .. } =
            lay_out(element, &kinds, |_| true, weigh, &mut slots_left);
        Some(Table { element, rows, is_cut })
    })
}

/// Returns the number of slots that the cells of a page may take in addition to their first ones.
pub(crate) fn extra_slots(tree: &Tree) -> usize {
    MAX_EXTRA_SLOTS.max(tree.node_count())
}

/// Returns the approximate text length of each cell among the descendants of a node, in bytes.
fn cell_text_lengths(root: NodeRef<'_>, kinds: &KindTable) -> HashMap<NodeId, usize> {
    let (mut lengths, mut open_cell_starts, mut total_length) = (HashMap::new(), Vec::new(), 0);
    for edge in root.walk() {
        match edge {
            Edge::Open(node) => {
                let text = node.data().filter(|_| node.is_text());
                total_length += text.map_or(BYTES_PER_NODE, str::len);
                if kinds.kind(node).is_any_of(ElementKind::CELL) {
                    open_cell_starts.push(total_length);
                }
            }
            Edge::Close(node) if kinds.kind(node).is_any_of(ElementKind::CELL) => {
                let start = open_cell_starts.pop().unwrap_or_default();
                lengths.insert(node.id(), total_length - start);
            }
            _ => {}
        }
    }
    lengths
}

impl Table<'_> {
    /// Returns the rendered text of each slot, row by row. The text of a spanning cell is repeated.
    pub fn texts(&self) -> Vec<Vec<String>> {
        let kinds = KindTable::of(self.element.tree());
        // The text of a spanning cell is repeated in each of its slots, so it is computed only once.
        let mut cache: HashMap<NodeId, String> = HashMap::new();
        let mut text = |cell: &Option<NodeRef<'_>>| {
            let Some(cell) = *cell else { return String::new() };
            if let Some(text) = cache.get(&cell.id()) {
                return text.clone();
            }
            let text = TextReader::new().read(cell, &kinds);
            if spans(cell) != (1, 1) {
                cache.insert(cell.id(), text.clone());
            }
            text
        };
        self.rows.iter().map(|row| row.iter().map(&mut text).collect()).collect()
    }
}

/// A cell with its first column, the columns and rows that it still covers, and its weight.
struct SpanningCell<'a> {
    cell: NodeRef<'a>,
    column: usize,
    width: usize,
    /// Number of remaining rows; 0 for all of its row group.
    rows: usize,
    /// Weight of each slot of the cell.
    weight: usize,
}

impl<'a> SpanningCell<'a> {
    /// Creates a cell that begins in the column `column`.
    fn new(cell: NodeRef<'a>, column: usize, mut weigh: impl FnMut(NodeRef<'a>) -> usize) -> Self {
        let (width, rows) = spans(cell);
        let weight = if width == 1 && rows == 1 { 1 } else { weigh(cell) };
        Self { cell, column, width, rows, weight }
    }
}

/// Returns the number of columns and rows that a cell spans; 0 rows stand for all of its row group.
fn spans(cell: NodeRef<'_>) -> (usize, usize) {
    let parse = |name: &str| cell.attribute(name).and_then(leading_number);
    (parse("colspan").unwrap_or(1).clamp(1, 1000), parse("rowspan").unwrap_or(1).min(65534))
}

/// Returns the number at the start of a value, at most `usize::MAX`, or `None` if the value begins with none (HTML,
/// 2.3.4.2 "Non-negative integers").
pub(crate) fn leading_number(value: &str) -> Option<usize> {
    let value = value.trim_ascii_start();
    let value = value.strip_prefix('+').unwrap_or(value);
    let end = value.bytes().position(|byte| !byte.is_ascii_digit());
    let digits = &value[..end.unwrap_or(value.len())];
    (!digits.is_empty()).then(|| digits.parse().unwrap_or(usize::MAX))
}

/// The layout of a table.
#[derive(Default)]
pub(crate) struct Layout<'a> {
    /// The slots of each row.
    pub(crate) rows: Vec<Vec<Option<NodeRef<'a>>>>,
    /// For each row, the cells that begin in it with their first columns.
    pub(crate) first_slots: Vec<Vec<(usize, NodeRef<'a>)>>,
    /// Whether a cell covers fewer slots than it spans.
    pub(crate) is_cut: bool,
}

/// Lays out those row groups, rows and cells of a table for which `includes` returns true. `weigh` returns the weight
/// of one slot of a cell; `slots_left` is the remaining budget of slots.
pub(crate) fn lay_out<'a>(
    element: NodeRef<'a>,
    kinds: &KindTable,
    includes: impl Fn(NodeRef<'a>) -> bool,
    weigh: impl FnMut(NodeRef<'a>) -> usize,
    slots_left: &mut usize,
) -> Layout<'a> {
    let mut builder =
        LayoutBuilder { layout: Layout::default(), spanning_cells: Vec::new(), weigh, slots_left };
    let includes = &includes;
    let children_of_kind = |node: NodeRef<'a>, kind| {
        let children = node.child_elements();
        children.filter(move |child| kinds.kind(*child).is_any_of(kind) && includes(*child))
    };
    let rows_and_groups = || children_of_kind(element, ElementKind::ROW.or(ElementKind::ROW_GROUP));
    let is_footer =
        |row_or_group: &NodeRef<'_>| kinds.kind(*row_or_group).is_any_of(ElementKind::FOOTER);
    for row_or_group in rows_and_groups()
        .filter(|row_or_group| !is_footer(row_or_group))
        .chain(rows_and_groups().filter(is_footer))
    {
        let kind = kinds.kind(row_or_group);
        if kind.is_any_of(ElementKind::ROW) {
            builder.add_row(children_of_kind(row_or_group, ElementKind::CELL));
        } else {
            // Cells span neither into a row group nor out of it.
            builder.spanning_cells.clear();
            for row in children_of_kind(row_or_group, ElementKind::ROW) {
                builder.add_row(children_of_kind(row, ElementKind::CELL));
            }
            builder.spanning_cells.clear();
        }
    }
    builder.layout
}

/// A table layout under construction.
struct LayoutBuilder<'a, 'b, W> {
    layout: Layout<'a>,
    spanning_cells: Vec<SpanningCell<'a>>,
    /// Returns the weight of one slot of a cell.
    weigh: W,
    /// Remaining budget of slots.
    slots_left: &'b mut usize,
}

impl<'a, W: FnMut(NodeRef<'a>) -> usize> LayoutBuilder<'a, '_, W> {
    fn add_row(&mut self, cells: impl Iterator<Item = NodeRef<'a>>) {
        let mut slots: Vec<Option<NodeRef<'a>>> = Vec::new();
        let mut spanning_cells = std::mem::take(&mut self.spanning_cells);
        spanning_cells.retain_mut(|spanning_cell| {
            let is_placed = self.place_cell(&mut slots, spanning_cell, 0);
            spanning_cell.rows = spanning_cell.rows.wrapping_sub(1);
            is_placed && spanning_cell.rows > 0
        });
        let (mut column, mut first_slots) = (0, Vec::new());
        for cell in cells {
            while slots.get(column).is_some_and(Option::is_some) {
                column += 1;
            }
            let mut spanning_cell = SpanningCell::new(cell, column, &mut self.weigh);
            if !self.place_cell(&mut slots, &spanning_cell, 1) {
                (spanning_cell.column, spanning_cell.width) = (slots.len(), 1);
                slots.push(Some(cell));
            }
            first_slots.push((spanning_cell.column, cell));
            column = spanning_cell.column + spanning_cell.width;
            if spanning_cell.rows != 1 {
                spanning_cell.rows = spanning_cell.rows.wrapping_sub(1);
                spanning_cells.push(spanning_cell);
            }
        }
        self.spanning_cells = spanning_cells;
        self.layout.rows.push(slots);
        self.layout.first_slots.push(first_slots);
    }

    /// Places a cell in its slots, `free_slots` of which cost nothing. Returns whether the budget sufficed; if not, the
    /// cell is not placed.
    fn place_cell(
        &mut self,
        slots: &mut Vec<Option<NodeRef<'a>>>,
        cell: &SpanningCell<'a>,
        free_slots: usize,
    ) -> bool {
        let end = cell.column + cell.width;
        let new_slots = end.saturating_sub(slots.len());
        let cost = cell.width.max(new_slots).saturating_sub(free_slots).saturating_mul(cell.weight);
        if cost > *self.slots_left {
            self.layout.is_cut = true;
            return false;
        }
        *self.slots_left -= cost;
        slots.resize(slots.len().max(end), None);
        for slot in &mut slots[cell.column..end] {
            slot.get_or_insert(cell.cell);
        }
        true
    }
}
