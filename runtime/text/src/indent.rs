//! Trees set out on lines, for people to read: HTML, 15.3, says which elements are boxes, between which white space is not
//! shown. No text is changed, nor anything in an element that keeps its white space. Invariant: only white space goes or
//! comes, where both sides of it are the edges of boxes.

use crate::kinds::{Kind, Kinds};
use tabulex_core::tree::{Edge, HtmlSerializer, Namespace, NodeId, NodeRef, Tree};

/// Levels that are shown; of deeper ones the indentation would be the square of the page.
const LEVELS: usize = 32;

/// Elements that begin and end lines.
const BOXES: Kind =
    Kind::BLOCK.and(Kind::TABLE).and(Kind::ROW_GROUP).and(Kind::ROW).and(Kind::CELL);

/// Changes the white space of a tree so that its boxes stand on lines of their own when it is written: paragraphs, lists,
/// tables and their rows, with what is inside of them indented by `step` for each level. Only white space that nobody sees
/// is changed, by the standard's own styles: a page can make `div` inline, or show white space. How many nodes were removed
/// or added.
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
    let mut plan = Plan::default();
    plan.read(tree.node(node));
    let count = plan.removed.len() + plan.breaks.len();
    plan.removed.into_iter().for_each(|space| tree.detach(space));
    for Break { parent, before, level } in plan.breaks {
        let text = format!("\n{}", step.repeat(level.min(LEVELS)));
        match before {
            Some(sibling) => tree.insert_text_before(sibling, &text),
            None => tree.append_text(parent, &text),
        }
    }
    count
}

/// A node as HTML, its boxes on lines of their own, two spaces a level: what [`indent`] makes of a copy. A document's
/// children up to its element each begin a line as well.
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
    let mut written = |node| {
        let copy = tree.import(node);
        indent(&mut tree, copy, "  ");
        serializer.outer(tree.node(copy))
    };
    if node.parent().is_some() || node.is_element() || node.is_text() {
        return written(node);
    }
    let mut text = String::new();
    let mut is_before = true;
    for child in node.children() {
        // What follows the document's element is moved into it when it is read.
        is_before &= !child.is_element();
        text += &written(child);
        text += if is_before { "\n" } else { "" };
    }
    text
}

/// A line break before a node, or at the end of its parent.
struct Break {
    parent: NodeId,
    before: Option<NodeId>,
    level: usize,
}

/// What is changed.
#[derive(Default)]
struct Plan {
    removed: Vec<NodeId>,
    breaks: Vec<Break>,
}

impl Plan {
    fn read(&mut self, root: NodeRef<'_>) {
        let kinds = Kinds::of(root.tree());
        if root.ancestors().any(|node| keeps_space(node, &kinds)) {
            return;
        }
        // How many boxes are open.
        let mut level = 0;
        let mut walk = root.walk();
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(node) if node.is_element() => {
                    if keeps_space(node, &kinds) {
                        walk.skip_past(node);
                        continue;
                    }
                    let is_deeper = is_box(node, &kinds) && !is_around(node, root);
                    level += usize::from(is_deeper);
                    self.lines(node, level, is_deeper, &kinds);
                }
                Edge::Close(node) if node.is_element() => {
                    level -= usize::from(is_box(node, &kinds) && !is_around(node, root));
                }
                _ => {}
            }
        }
    }

    /// The gaps between an element's children. Whether its first child may begin a line is said.
    fn lines(&mut self, parent: NodeRef<'_>, level: usize, begins: bool, kinds: &Kinds) {
        let mut gap = Gap::new(parent, level, begins);
        for child in parent.children() {
            if child.is_text() {
                let text = child.data().unwrap_or_default();
                if text.bytes().all(|byte| byte.is_ascii_whitespace()) {
                    gap.spaces.push(child.id());
                } else {
                    gap.end(false, None, self);
                }
            } else if !child.is_element() || is_unseen(child, kinds) {
                gap.members.push(child.id());
            } else {
                gap.end(is_box(child, kinds), Some(child.id()), self);
            }
        }
        // What follows a body is moved into it when it is read.
        let ends = is_box(parent, kinds) && !kinds.kind(parent).is(Kind::DOCUMENT);
        if ends && gap.begins && (gap.has_any || !gap.members.is_empty()) {
            gap.close(None, level.saturating_sub(1), self);
        }
    }
}

/// What stands between two nodes that are seen, or one and an edge of its parent.
struct Gap<'a> {
    parent: NodeRef<'a>,
    level: usize,
    /// Whether a box begins or ends where the gap begins.
    begins: bool,
    spaces: Vec<NodeId>,
    /// Comments and what else is not seen.
    members: Vec<NodeId>,
    /// Whether there was anything but white space so far.
    has_any: bool,
}

impl<'a> Gap<'a> {
    fn new(parent: NodeRef<'a>, level: usize, begins: bool) -> Self {
        let (spaces, members) = (Vec::new(), Vec::new());
        Self { parent, level, begins, spaces, members, has_any: false }
    }

    /// The gap ends before a node, a box or not; the next one begins.
    fn end(&mut self, is_box: bool, before: Option<NodeId>, plan: &mut Plan) {
        self.has_any = true;
        if self.begins && is_box {
            self.close(before, self.level, plan);
        }
        self.begins = is_box;
        // What was not seen next to a text stays as it is.
        self.spaces.clear();
        self.members.clear();
    }

    fn close(&mut self, before: Option<NodeId>, level: usize, plan: &mut Plan) {
        plan.removed.append(&mut self.spaces);
        let parent = self.parent.id();
        for member in self.members.drain(..) {
            plan.breaks.push(Break { parent, before: Some(member), level: self.level });
        }
        plan.breaks.push(Break { parent, before, level });
    }
}

/// Whether the children of this element begin no deeper than itself: it is only there to hold what is written.
fn is_around(node: NodeRef<'_>, root: NodeRef<'_>) -> bool {
    node == root && node.parent().is_some_and(|parent| !parent.is_element())
}

/// Whether it begins and ends lines.
fn is_box(node: NodeRef<'_>, kinds: &Kinds) -> bool {
    kinds.kind(node).is(BOXES.and(Kind::WITHOUT_TEXT))
}

/// Whether nothing of it is seen, nor that it is there.
fn is_unseen(node: NodeRef<'_>, kinds: &Kinds) -> bool {
    let kind = kinds.kind(node);
    kind.is(Kind::HIDDEN) && !kind.is(Kind::WITHOUT_TEXT)
}

/// Whether white space in it is seen, or is not for this module to judge.
fn keeps_space(node: NodeRef<'_>, kinds: &Kinds) -> bool {
    let kind = kinds.kind(node);
    node.is_element()
        && (kind.is(Kind::PRESERVED.and(Kind::REPLACED))
            || is_unseen(node, kinds)
            || node.namespace() != Some(Namespace::HTML))
}
