//! Queries and changes of a tree by steps that a table has in place of those that the runtime implements.

use super::patch::pseudo_attribute;
use super::words::Patching;
use super::{Namespace, NodeId, NodeRef, Tree};

/// A function compiled from steps that take one node: a popped element, which may be an option to mirror, or the node
/// in which to find a range. Returns the truth value that the steps return, if any.
pub type NodeSteps = fn(&mut StepsTree<'_>, NodeId) -> Option<bool>;

/// The kind of an instruction that marks a range.
#[derive(Clone, Copy, Debug)]
pub enum RangeMark {
    /// An instruction that marks an empty range.
    Place,
    /// An instruction that starts a range.
    Start,
    /// An instruction that ends a range.
    End,
}

/// A tree that compiled steps query and change. A change with a missing node has no effect; a query of one returns
/// `None` or `false`.
#[derive(Debug)]
pub struct StepsTree<'t> {
    tree: &'t mut Tree,
    /// Number of loop iterations left before the steps end.
    remaining_rounds: usize,
    /// The name of the range to find, and the names of its instructions; `None` for steps that mirror options.
    range: Option<(&'t str, &'t Patching)>,
    /// The parent, the start and the end of the range, each `None` until the steps have found it.
    pub(super) found_range: [Option<NodeId>; 3],
}

impl<'t> StepsTree<'t> {
    pub(super) fn new(tree: &'t mut Tree, range: Option<(&'t str, &'t Patching)>) -> Self {
        // The limit is quadratic, because steps may walk up the tree from each node of a select.
        let remaining_rounds = 10_000 + tree.node_count().saturating_mul(tree.node_count());
        Self { tree, remaining_rounds, range, found_range: [None; 3] }
    }

    /// Returns a reference to a node that may be missing.
    pub fn node_ref(&self, node: Option<NodeId>) -> Option<NodeRef<'_>> {
        node.map(|node| self.tree.node(node))
    }

    /// Counts an iteration of a loop; returns false once the limit is reached, so that all steps terminate.
    pub fn count_round(&mut self) -> bool {
        self.tree.steps += 1;
        self.remaining_rounds = self.remaining_rounds.saturating_sub(1);
        self.remaining_rounds > 0
    }

    /// Returns the document, which is never missing.
    pub fn document(&self) -> Option<NodeId> {
        Some(self.tree.document())
    }

    /// Returns the node that a query finds for a node, if it finds one.
    pub fn node_of(
        &self,
        node: Option<NodeId>,
        query: impl FnOnce(NodeRef<'_>) -> Option<NodeRef<'_>>,
    ) -> Option<NodeId> {
        self.node_ref(node).and_then(query).map(|node| node.id())
    }

    /// Returns the node after `node` in tree order inside `root`, or `None` if there is none.
    pub fn following(&self, node: Option<NodeId>, root: Option<NodeId>) -> Option<NodeId> {
        let (mut ancestor, root) = (node?, root?);
        if let Some(first) = self.node_of(node, |it| it.first_child()) {
            return Some(first);
        }
        while ancestor != root {
            if let Some(next) = self.node_of(Some(ancestor), |it| it.next_sibling()) {
                return Some(next);
            }
            ancestor = self.node_of(Some(ancestor), |it| it.parent())?;
        }
        None
    }

    /// Whether the node is an element with one of these names.
    pub fn is_one_of(&self, node: Option<NodeId>, names: &[(Namespace, &str)]) -> bool {
        let name = self.node_ref(node).and_then(|node| node.name());
        name.is_some_and(|name| names.contains(&(name.namespace(), name.local())))
    }

    /// Whether the node is an HTML element with this name.
    pub fn is_named(&self, node: Option<NodeId>, local: Option<String>) -> bool {
        self.is_one_of(node, &[(Namespace::HTML, &local.unwrap_or_default())])
    }

    /// Whether `ancestor` is `node` or contains it.
    pub fn is_ancestor(&self, ancestor: Option<NodeId>, node: Option<NodeId>) -> bool {
        let mut node = node;
        while node.is_some() && node != ancestor {
            node = self.node_of(node, |it| it.parent());
        }
        node.is_some()
    }

    /// Returns the value of the element's attribute as a number, by HTML's rules for parsing non-negative integers, or
    /// `None` if the attribute is missing or is not such a number. Too large a number is clamped.
    pub fn integer(&self, node: Option<NodeId>, name: &str) -> Option<u32> {
        parse_integer(self.node_ref(node)?.attribute(name)?)
    }

    /// Removes the node from its parent.
    pub fn detach(&mut self, node: Option<NodeId>) {
        if let Some(node) = node {
            self.tree.detach(node);
        }
    }

    /// Moves the node into `parent`: before the child `before` or, if `before` is not a child of `parent`, to the end.
    pub fn insert(&mut self, node: Option<NodeId>, parent: Option<NodeId>, before: Option<NodeId>) {
        let (Some(node), Some(parent)) = (node, parent) else { return };
        // A move that the tree rejects, such as that of a node into itself, has no effect.
        let _ = match before
            .filter(|&before| self.node_of(Some(before), |it| it.parent()) == Some(parent))
        {
            Some(before) => self.tree.insert_before(before, node),
            None => self.tree.append(parent, node),
        };
    }

    /// Moves the children of `from` to the end of `to`.
    pub fn append_children(&mut self, from: Option<NodeId>, to: Option<NodeId>) {
        if let (Some(from), Some(to)) = (from, to) {
            // A move that the tree rejects, such as that of children into one of them, has no effect.
            let _ = self.tree.move_children(from, to);
        }
    }

    /// Copies a node with its descendants and returns the copy, which has no parent; `None` if the node is missing.
    pub fn clone_with_subtree(&mut self, node: Option<NodeId>) -> Option<NodeId> {
        node.map(|node| self.tree.copy_subtree(node))
    }

    /// Returns the name of the range to find; empty for steps that mirror options.
    pub fn range_name(&self) -> Option<String> {
        Some(self.range.map_or("", |(name, _)| name).to_owned())
    }

    /// Whether the node is an instruction of this kind, and, if `name` is given, the instruction of the range called
    /// `name`.
    pub fn is_range_mark(
        &self,
        node: Option<NodeId>,
        mark: RangeMark,
        name: Option<Option<String>>,
    ) -> bool {
        let (Some((_, names)), Some(node)) = (self.range, self.node_ref(node)) else {
            return false;
        };
        let target = match mark {
            RangeMark::Place => names.marker,
            RangeMark::Start => names.start,
            RangeMark::End => names.end,
        };
        let range_name = || node.data().and_then(|data| pseudo_attribute(data, names.name));
        node.target() == Some(target)
            && name.is_none_or(|name| range_name().as_deref() == Some(&name.unwrap_or_default()))
    }

    /// Sets a part of the range that was found: the parent (0), the start (1) or the end (2).
    pub fn set_range(&mut self, part: usize, node: Option<NodeId>) {
        self.found_range[part] = node;
    }
}

/// Parses a number by HTML's rules for parsing non-negative integers; `None` for an error. Too large a number is
/// clamped.
pub(super) fn parse_integer(text: &str) -> Option<u32> {
    let text = text.trim_start_matches(['\t', '\n', '\x0C', '\r', ' ']);
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digit_count = digits.bytes().take_while(u8::is_ascii_digit).count();
    let mut digits = digits[..digit_count].bytes().map(|byte| u32::from(byte - b'0'));
    let first_digit = digits.next()?;
    let value =
        digits.fold(first_digit, |value, digit| value.saturating_mul(10).saturating_add(digit));
    Some(value).filter(|&value| value == 0 || !text.starts_with('-'))
}
