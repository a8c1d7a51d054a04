//! Decides which tables are written as Markdown tables.
//!
//! A table qualifies only if all its visible contents are where the table writer expects them, so that no text is lost,
//! and if no table is nested in it. Nested tables are not descended into, so that each node is visited for one table
//! only.

use super::{MarkdownOutput, is_omitted};
use crate::kinds::ElementKind;
use tabulex_core::tree::NodeRef;

impl MarkdownOutput<'_> {
    /// Whether the visible contents of a table are only cells without tables, and lines before the rows.
    pub(super) fn is_simple(&self, table: NodeRef<'_>) -> bool {
        let mut has_rows = false;
        for child in table.children() {
            let kind = self.kinds.kind(child);
            let is_simple = if !child.is_element() {
                is_blank(child)
            } else if is_omitted(child, kind) {
                true
            } else if kind.is_any_of(ElementKind::ROW) {
                has_rows = true;
                self.is_simple_row(child)
            } else if kind.is_any_of(ElementKind::ROW_GROUP) {
                self.is_simple_group(child, &mut has_rows)
            } else {
                // Contents outside the rows are written before the rows, so they must not follow one.
                let follows_row = has_rows && self.has_output(child);
                !(follows_row || kind.is_any_of(ElementKind::IMAGE) || self.has_blocks(child))
            };
            if !is_simple {
                return false;
            }
        }
        has_rows
    }

    fn is_simple_group(&self, group: NodeRef<'_>, has_rows: &mut bool) -> bool {
        group.children().all(|row| {
            let kind = self.kinds.kind(row);
            if !row.is_element() {
                is_blank(row)
            } else if kind.is_any_of(ElementKind::ROW) {
                is_omitted(row, kind) || {
                    *has_rows = true;
                    self.is_simple_row(row)
                }
            } else {
                !self.has_output(row)
            }
        })
    }

    fn is_simple_row(&self, row: NodeRef<'_>) -> bool {
        row.children().all(|cell| {
            let kind = self.kinds.kind(cell);
            if !cell.is_element() {
                is_blank(cell)
            } else if kind.is_any_of(ElementKind::CELL) {
                is_omitted(cell, kind)
                    || !cell
                        .descendants()
                        .any(|inner| self.kinds.kind(inner).is_any_of(ElementKind::TABLE))
            } else {
                !self.has_output(cell)
            }
        })
    }

    /// Whether an element may produce output. A nested table counts even if it is empty.
    fn has_output(&self, element: NodeRef<'_>) -> bool {
        let output_kinds = ElementKind::IMAGE.or(ElementKind::RULE).or(ElementKind::TABLE);
        let mut nodes = std::iter::once(element).chain(element.descendants());
        let has_output = |node: NodeRef<'_>| match node.is_element() {
            true => self.kinds.kind(node).is_any_of(output_kinds),
            false => !is_blank(node),
        };
        !is_omitted(element, self.kinds.kind(element)) && nodes.any(has_output)
    }

    /// Whether a child of a table is visible and neither a row nor a row group.
    pub(super) fn is_outside_rows(&self, child: NodeRef<'_>) -> bool {
        let kind = self.kinds.kind(child);
        !kind.is_any_of(ElementKind::ROW.or(ElementKind::ROW_GROUP)) && !is_omitted(child, kind)
    }
}

/// Whether a node that is not an element has no visible text.
fn is_blank(node: NodeRef<'_>) -> bool {
    !node.is_text() || node.data().unwrap_or_default().trim_ascii().is_empty()
}
