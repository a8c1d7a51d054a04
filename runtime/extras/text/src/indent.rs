//! Indentation of trees of HTML.
//!
//! White space is changed only where both neighbours are edges of boxes (HTML, 15.3), where it is not rendered. Text,
//! and everything within elements that preserve white space, stays as it is.

use crate::kinds::{ElementKind, KindTable};
use tabulex_core::tree::{Edge, HtmlSerializer, Namespace, NodeId, NodeRef, Tree};

/// Maximum indentation level, so that the output stays linear in the size of the tree.
const MAX_LEVEL: usize = 32;

/// Kinds of elements that begin and end a line.
const BOXES: ElementKind = ElementKind::BLOCK
    .or(ElementKind::TABLE)
    .or(ElementKind::ROW_GROUP)
    .or(ElementKind::ROW)
    .or(ElementKind::CELL);

/// Indents a subtree in place: boxes such as paragraphs, lists and table rows get lines of their own, indented by
/// `step` for each level. Returns the number of nodes removed or added.
///
/// Only white space that the standard's default styles do not render is changed. A page whose own styles make `div`
/// inline or preserve white space may look different afterwards.
///
/// ```
/// use tabulex::{html, text};
///
/// let mut tree = html::parse_fragment("<ul><li>a <b>b</b><li><p>c<pre>\n\n d</pre></ul>e", "div", Default::default()).tree;
/// let root = tree.document_element().unwrap().id();
/// text::indent(&mut tree, root, "  ");
/// let expected = "<ul>\n  <li>a <b>b</b></li>\n  <li>\n    <p>c</p>\n    <pre>\n d</pre>\n  </li>\n</ul>e";
/// assert_eq!(html::serializer().inner(tree.node(root)), expected);
/// ```
pub fn indent(tree: &mut Tree, node: NodeId, step: &str) -> usize {
    let mut plan = IndentPlan::default();
    plan.scan(tree.node(node));
    let count = plan.removed_spaces.len() + plan.breaks.len();
    plan.removed_spaces.into_iter().for_each(|space| tree.detach(space));
    for LineBreak { parent, next_sibling, level } in plan.breaks {
        let text = format!("\n{}", step.repeat(level.min(MAX_LEVEL)));
        match next_sibling {
            Some(sibling) => tree.insert_text_before(sibling, &text),
            None => tree.append_text(parent, &text),
        }
    }
    count
}

/// Returns a node as HTML indented by two spaces per level, as [`indent`] does; the tree is not changed. The children
/// of a document up to its element get lines of their own.
///
/// ```
/// use tabulex::{html, text};
///
/// let tree = html::parse("<!DOCTYPE html><title>T</title><h1>Hi</h1><p>a<br>b", Default::default()).tree;
/// assert_eq!(
///     text::pretty(tree.root(), &html::serializer()),
///     "<!DOCTYPE html>\n<html>\n  <head>\n    <title>T</title>\n  </head>\n  <body>\n    <h1>Hi</h1>\n    <p>a<br>b</p>\n  </body></html>"
/// );
/// ```
pub fn pretty(node: NodeRef<'_>, serializer: &HtmlSerializer<'_>) -> String {
    let mut tree = Tree::new();
    let mut serialize_indented = |node| {
        let copy = tree.import(node);
        indent(&mut tree, copy, "  ");
        serializer.outer(tree.node(copy))
    };
    if node.parent().is_some() || node.is_element() || node.is_text() {
        return serialize_indented(node);
    }
    let mut text = String::new();
    let mut is_before_element = true;
    for child in node.children() {
        // White space after the document element would become part of it when parsed.
        is_before_element &= !child.is_element();
        text += &serialize_indented(child);
        text += if is_before_element { "\n" } else { "" };
    }
    text
}

/// A line break to insert before `next_sibling`, or at the end of `parent` if that is `None`.
struct LineBreak {
    parent: NodeId,
    next_sibling: Option<NodeId>,
    level: usize,
}

/// White space to remove, and line breaks to insert.
#[derive(Default)]
struct IndentPlan {
    removed_spaces: Vec<NodeId>,
    breaks: Vec<LineBreak>,
}

impl IndentPlan {
    fn scan(&mut self, root: NodeRef<'_>) {
        let kinds = KindTable::of(root.tree());
        if root.ancestors().any(|node| keeps_space(node, &kinds)) {
            return;
        }
        // The number of open boxes, without the root of a fragment.
        let mut level = 0;
        let mut walk = root.walk();
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(node) if node.is_element() => {
                    if keeps_space(node, &kinds) {
                        walk.skip_past(node);
                        continue;
                    }
                    let is_deeper = is_box(node, &kinds) && !is_fragment_root(node, root);
                    level += usize::from(is_deeper);
                    self.plan_lines(node, level, is_deeper, &kinds);
                }
                Edge::Close(node) if node.is_element() => {
                    level -= usize::from(is_box(node, &kinds) && !is_fragment_root(node, root));
                }
                _ => {}
            }
        }
    }

    /// Plans the line breaks between the children of an element; `can_begin_line` tells whether its first child may
    /// begin a line.
    fn plan_lines(
        &mut self,
        parent: NodeRef<'_>,
        level: usize,
        can_begin_line: bool,
        kinds: &KindTable,
    ) {
        let mut gap = Gap::new(parent, level, can_begin_line);
        for child in parent.children() {
            if child.is_text() {
                let text = child.data().unwrap_or_default();
                if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
                    gap.spaces.push(child.id());
                } else {
                    gap.end(false, None, self);
                }
            } else if !child.is_element() || is_invisible(child, kinds) {
                gap.invisible_nodes.push(child.id());
            } else {
                gap.end(is_box(child, kinds), Some(child.id()), self);
            }
        }
        // White space between `</body>` and `</html>` would become part of the body when parsed.
        let can_end_line =
            is_box(parent, kinds) && !kinds.kind(parent).is_any_of(ElementKind::DOCUMENT);
        if can_end_line
            && gap.can_begin_line
            && (gap.has_visible_node || !gap.invisible_nodes.is_empty())
        {
            gap.close(None, level.saturating_sub(1), self);
        }
    }
}

/// The invisible nodes between two visible siblings, or between a visible node and an edge of its parent.
struct Gap<'a> {
    parent: NodeRef<'a>,
    level: usize,
    /// Whether the gap begins at the edge of a box.
    can_begin_line: bool,
    spaces: Vec<NodeId>,
    /// Comments and other invisible nodes that are not white space.
    invisible_nodes: Vec<NodeId>,
    /// Whether a visible node precedes the gap.
    has_visible_node: bool,
}

impl<'a> Gap<'a> {
    fn new(parent: NodeRef<'a>, level: usize, can_begin_line: bool) -> Self {
        let (spaces, invisible_nodes) = (Vec::new(), Vec::new());
        Self { parent, level, can_begin_line, spaces, invisible_nodes, has_visible_node: false }
    }

    /// Ends the gap before a visible node and begins the next gap.
    fn end(&mut self, is_box: bool, next_sibling: Option<NodeId>, plan: &mut IndentPlan) {
        self.has_visible_node = true;
        if self.can_begin_line && is_box {
            self.close(next_sibling, self.level, plan);
        }
        self.can_begin_line = is_box;
        // White space that is not between two boxes may be rendered, so it is kept.
        self.spaces.clear();
        self.invisible_nodes.clear();
    }

    fn close(&mut self, next_sibling: Option<NodeId>, level: usize, plan: &mut IndentPlan) {
        plan.removed_spaces.append(&mut self.spaces);
        let parent = self.parent.id();
        for node in self.invisible_nodes.drain(..) {
            plan.breaks.push(LineBreak { parent, next_sibling: Some(node), level: self.level });
        }
        plan.breaks.push(LineBreak { parent, next_sibling, level });
    }
}

/// Whether `node` is the root of the indented subtree and a child of a document or fragment. Its children are not
/// indented below it.
fn is_fragment_root(node: NodeRef<'_>, root: NodeRef<'_>) -> bool {
    node == root && node.parent().is_some_and(|parent| !parent.is_element())
}

/// Whether an element begins and ends a line.
fn is_box(node: NodeRef<'_>, kinds: &KindTable) -> bool {
    kinds.kind(node).is_any_of(BOXES.or(ElementKind::WITHOUT_TEXT))
}

/// Whether an element has no effect on what is rendered.
fn is_invisible(node: NodeRef<'_>, kinds: &KindTable) -> bool {
    let kind = kinds.kind(node);
    kind.is_any_of(ElementKind::HIDDEN) && !kind.is_any_of(ElementKind::WITHOUT_TEXT)
}

/// Whether white space within an element must be kept.
fn keeps_space(node: NodeRef<'_>, kinds: &KindTable) -> bool {
    let kind = kinds.kind(node);
    node.is_element()
        && (kind.is_any_of(ElementKind::PRESERVED.or(ElementKind::REPLACED))
            || is_invisible(node, kinds)
            || node.namespace() != Some(Namespace::HTML))
}
