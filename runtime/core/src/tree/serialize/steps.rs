//! Serialization by steps that a table has in place of those that the runtime implements. Compiled steps query nodes
//! here. If the steps for a node write another node, that node's text is computed after these steps, so that nothing
//! recurses.

use super::HtmlSerializer;
use crate::names::Namespace;
use crate::tree::node_ref::{AttributeRef, NodeRef};

/// The function compiled from a table's serialization steps.
#[derive(Clone, Copy, Debug)]
pub struct SerializerSteps(pub StepsFunction);

/// A function that returns the text that steps write for a node. The last two arguments tell whether serializable
/// shadow roots are written, and whether the shadow roots that the serializer lists are.
type StepsFunction =
    for<'w, 't> fn(&mut StepsWriter<'w, 't>, WrittenNode<'t>, Option<bool>, bool) -> Pieces;

/// A node as the value of a variable in serialization steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenNode<'t> {
    /// A node of the tree.
    Node(NodeRef<'t>),
    /// A node outside the tree with this node as its only child, so that writing its contents writes this node.
    ParentOf(NodeRef<'t>),
}

/// A text with parts that may be computed later.
#[derive(Clone, Debug, Default)]
pub struct Pieces(Vec<Piece>);

/// A part of [`Pieces`].
#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    /// The index of a result that is computed later.
    Result(usize),
}

impl Pieces {
    /// Appends a text, if there is one.
    pub fn push(&mut self, text: Option<String>) {
        match (self.0.last_mut(), text) {
            (Some(Piece::Text(last)), Some(text)) => last.push_str(&text),
            (_, text) => self.0.extend(text.map(Piece::Text)),
        }
    }

    /// Appends a result that is computed later, given by its index, if there is one.
    pub fn push_result(&mut self, result: Option<usize>) {
        self.0.extend(result.map(Piece::Result));
    }
}

impl From<Option<String>> for Pieces {
    fn from(text: Option<String>) -> Self {
        Self(text.into_iter().map(Piece::Text).collect())
    }
}

/// The index of a result, and the arguments of the function that computes the result.
type PendingResult<'t> = (usize, WrittenNode<'t>, Option<bool>, bool);

/// The state of serialization by steps: the serializer, and the results that remain to be computed. A query returns
/// `None`, `false` or nothing if the node is missing, is not in the tree, or has no such property.
#[derive(Debug)]
pub struct StepsWriter<'w, 't> {
    serializer: &'w HtmlSerializer<'w>,
    is_scripting: bool,
    /// A node, and the local name of an HTML element: the contents of the node are written as contents of such an
    /// element. With `None`, there is no such node.
    within: Option<(NodeRef<'t>, &'w str)>,
    pending: Vec<PendingResult<'t>>,
    result_count: usize,
    /// Number of loop iterations left before the loops are stopped.
    remaining_rounds: usize,
}

impl HtmlSerializer<'_> {
    /// Returns the text that the steps write for the contents of a node.
    pub(super) fn write_by_steps(&self, steps: SerializerSteps, node: WrittenNode<'_>) -> String {
        let (WrittenNode::Node(root) | WrittenNode::ParentOf(root)) = node;
        let within = self.within.map(|name| (root, name));
        let pending = vec![(0, node, Some(self.writes_serializable_roots), true)];
        let mut writer = StepsWriter {
            serializer: self,
            is_scripting: self.is_scripting,
            within,
            pending,
            result_count: 1,
            remaining_rounds: 10_000 + 100 * root.tree().created_count(),
        };
        let mut results: Vec<Pieces> = Vec::new();
        while let Some((index, node, writes_serializable, writes_listed)) = writer.pending.pop() {
            let pieces = (steps.0)(&mut writer, node, writes_serializable, writes_listed);
            results.resize_with(writer.result_count.max(results.len()), Pieces::default);
            results[index] = pieces;
        }
        let mut text = String::new();
        let mut open_pieces = vec![std::mem::take(&mut results[0]).0.into_iter()];
        while let Some(pieces) = open_pieces.last_mut() {
            match pieces.next() {
                Some(Piece::Text(piece)) => text.push_str(&piece),
                Some(Piece::Result(index)) => {
                    open_pieces.push(std::mem::take(&mut results[index]).0.into_iter());
                }
                None => _ = open_pieces.pop(),
            }
        }
        text
    }
}

impl<'t> StepsWriter<'_, 't> {
    /// Schedules writing the contents of a node; returns the index of the result, or `None` if the node is missing. The
    /// other arguments tell which shadow roots are written.
    pub fn write_later(
        &mut self,
        node: Option<WrittenNode<'t>>,
        writes_serializable: Option<bool>,
        writes_listed: bool,
    ) -> Option<usize> {
        let index = self.result_count;
        self.pending.push((index, node?, writes_serializable, writes_listed));
        self.result_count += 1;
        Some(index)
    }

    /// Counts an iteration of a loop; returns false once the limit is reached, so that all steps terminate.
    pub fn count_round(&mut self) -> bool {
        self.remaining_rounds = self.remaining_rounds.saturating_sub(1);
        self.remaining_rounds > 0
    }

    /// Whether the node is a shadow root that the serializer lists, so that it is written even if it is not
    /// serializable.
    pub fn is_given_root(&self, node: Option<WrittenNode<'t>>) -> bool {
        self.node_ref(node).is_some_and(|node| self.serializer.shadow_roots.contains(&node.id()))
    }

    /// Returns the node if it is in the tree.
    pub fn node_ref(&self, node: Option<WrittenNode<'t>>) -> Option<NodeRef<'t>> {
        if let Some(WrittenNode::Node(node)) = node { Some(node) } else { None }
    }

    /// Returns the node that a query finds for a node, if it finds one.
    pub fn node_of(
        &self,
        node: Option<WrittenNode<'t>>,
        query: impl FnOnce(NodeRef<'t>) -> Option<NodeRef<'t>>,
    ) -> Option<WrittenNode<'t>> {
        self.node_ref(node).and_then(query).map(WrittenNode::Node)
    }

    /// Returns the child that a query finds for a node, if it finds one.
    pub fn child_of(
        &self,
        node: Option<WrittenNode<'t>>,
        query: impl FnOnce(NodeRef<'t>) -> Option<NodeRef<'t>>,
    ) -> Option<WrittenNode<'t>> {
        match node? {
            WrittenNode::Node(node) => query(node).map(WrittenNode::Node),
            WrittenNode::ParentOf(node) => Some(WrittenNode::Node(node)),
        }
    }

    /// Returns the children of a node.
    pub fn children(&self, node: Option<WrittenNode<'t>>) -> Vec<WrittenNode<'t>> {
        match node {
            Some(WrittenNode::Node(node)) => node.children().map(WrittenNode::Node).collect(),
            Some(WrittenNode::ParentOf(node)) => vec![WrittenNode::Node(node)],
            None => Vec::new(),
        }
    }

    /// Returns the attributes of an element.
    pub fn attributes(&self, node: Option<WrittenNode<'t>>) -> Vec<AttributeRef<'t>> {
        self.node_ref(node).map_or_else(Vec::new, |node| node.attributes().collect())
    }

    /// Whether the node is, or is written as, an element with one of these names.
    pub fn is_one_of(&self, node: Option<WrittenNode<'t>>, names: &[(Namespace, &str)]) -> bool {
        let Some(node) = self.node_ref(node) else { return false };
        let name = match self.within {
            Some((root, name)) if root == node => Some((Namespace::HTML, name)),
            _ => node.name().map(|name| (name.namespace(), name.local())),
        };
        name.is_some_and(|name| names.contains(&name))
    }

    /// Whether scripting is enabled for the node; never inside template contents.
    pub fn is_scripting(&self, node: Option<WrittenNode<'t>>) -> bool {
        self.is_scripting
            && self.node_ref(node).is_some_and(|node| !super::html::is_in_template(node))
    }

    /// Whether the template that declared the shadow root has the attribute, with the value `expected` if that is
    /// given.
    pub fn is_declared_with(
        &self,
        root: Option<WrittenNode<'t>>,
        name: &str,
        expected: Option<&str>,
    ) -> bool {
        let host = self.node_ref(root).and_then(|root| root.host());
        let template = host.and_then(|host| host.shadow_root_template());
        let value = template.and_then(|template| template.attribute(name));
        value.is_some_and(|value| {
            expected.is_none_or(|expected| expected.eq_ignore_ascii_case(value))
        })
    }
}
