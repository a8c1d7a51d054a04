//! Decides which tables are written as Markdown tables.
//!
//! A table qualifies only if all its visible contents are where the table writer expects them, so that no text is lost,
//! and if no table is nested in it. Nested tables are not descended into, so that each node is visited for one table
//! only.

use super::{MarkdownOutput, is_omitted};
use crate::kinds::ElementKind;
use std::cell::Cell;
use tabulex_core::tree::NodeRef;

impl MarkdownOutput<'_> {
    /// Whether the visible contents of a table are only cells without tables, and lines before the rows.
    pub(super) fn is_simple(&self, table: NodeRef<'_>) -> bool {
        let has_rows = Cell::new(false);
        let is_simple_row = |row: NodeRef<'_>| {
            has_rows.set(true);
            self.has_only(row, ElementKind::CELL, |cell| {
                let is_table =
                    |node: NodeRef<'_>| self.kinds.kind(node).is_any_of(ElementKind::TABLE);
                !cell.descendants().any(is_table)
            })
        };
        let is_simple = table.children().all(|child| {
            let kind = self.kinds.kind(child);
            if !child.is_element() || is_omitted(child, kind) {
                !self.has_output(child)
            } else if kind.is_any_of(ElementKind::ROW) {
                is_simple_row(child)
            } else if kind.is_any_of(ElementKind::ROW_GROUP) {
                self.has_only(child, ElementKind::ROW, is_simple_row)
            } else {
                // Contents outside the rows are written before the rows, so they must not follow one.
                let follows_row = has_rows.get() && self.has_output(child);
                !(follows_row || kind.is_any_of(ElementKind::IMAGE) || self.has_blocks(child))
            }
        });
        is_simple && has_rows.get()
    }

    /// Whether all children of `parent` that may produce output are elements of a kind for which `is_simple` holds.
    fn has_only(
        &self,
        parent: NodeRef<'_>,
        kind: ElementKind,
        is_simple: impl Fn(NodeRef<'_>) -> bool,
    ) -> bool {
        parent.children().all(|child| {
            let child_kind = self.kinds.kind(child);
            match child_kind.is_any_of(kind) && !is_omitted(child, child_kind) {
                true => is_simple(child),
                false => !self.has_output(child),
            }
        })
    }

    /// Whether a node may produce output. A nested table counts even if it is empty.
    fn has_output(&self, node: NodeRef<'_>) -> bool {
        let output_kinds = ElementKind::IMAGE.or(ElementKind::RULE).or(ElementKind::TABLE);
        let mut nodes = std::iter::once(node).chain(node.descendants());
        let has_output = |node: NodeRef<'_>| match node.is_element() {
            true => self.kinds.kind(node).is_any_of(output_kinds),
            false => !is_blank(node),
        };
        !is_omitted(node, self.kinds.kind(node)) && nodes.any(has_output)
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
