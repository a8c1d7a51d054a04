//! What builds trees speaks to a sink: the tree of this crate, or one of the caller's own. It decides nothing
//! about where nodes go. Invariant: the caller puts no node into itself and passes only nodes that the sink has made.

use super::Tree;
use super::attribute_spans::AttributeSpans;
use super::node::{NONE, Node, NodeId};
use super::options::{DocumentMode, Overflow, Positions};
use super::shadow::ShadowRootMode;
use super::words::{Patching, SelectedContent};
use crate::attribute::{AttributeNames, SinkAttribute};
use crate::names::{Name, Names};
use crate::span::Span;
use crate::token::Tag;

/// Makes a tree as its caller says. [`Tree`] is one; implement it to fill a tree of your own.
///
/// A span is the range of what a node was made of, or `None` if nothing in the input stands for it. Methods that a tree
/// can do without have defaults, so that later ones break no implementation.
pub trait TreeSink {
    /// A node: a handle that stays valid until the parser is done.
    type Node: Copy + Eq;

    /// Whether [`has_equal_attributes`](Self::has_equal_attributes) looks at the attributes of any two elements: then
    /// nothing else need be remembered of them.
    const COMPARES_ATTRIBUTES: bool = false;

    /// The names of elements and attributes. What builds the tree makes its names with these.
    fn names(&mut self) -> &mut Names;

    /// The document.
    fn document(&mut self) -> Self::Node;

    /// A new element with its attributes, not yet in the tree.
    fn make_element<'a, I>(&mut self, name: Name, attributes: I, span: Option<Span>) -> Self::Node
    where
        I: Iterator<Item = SinkAttribute<'a>>;

    /// A new element with its attributes, the last child of another node.
    fn append_element<'a, I>(
        &mut self,
        parent: Self::Node,
        name: Name,
        attributes: I,
        span: Option<Span>,
    ) -> Self::Node
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        let element = self.make_element(name, attributes, span);
        self.append_node(parent, element);
        element
    }

    /// A new element for a tag, the last child of another node. A sink that reads a tag by itself spares its attributes
    /// a walk; to one that makes no element here, [`append_element`](Self::append_element) gives them with names.
    fn append_tag(
        &mut self,
        parent: Self::Node,
        name: Name,
        tag: &Tag<'_>,
        names: AttributeNames<'_>,
    ) -> Option<Self::Node> {
        let _ = (parent, name, tag, names);
        None
    }

    /// A new element with name and attributes of another one, not yet in the tree.
    fn make_element_like(&mut self, element: Self::Node, span: Option<Span>) -> Self::Node;

    /// A new comment, not yet in the tree.
    fn make_comment(&mut self, data: &str, span: Span) -> Self::Node;

    /// A new processing instruction, not yet in the tree.
    fn make_processing_instruction(&mut self, target: &str, data: &str, span: Span) -> Self::Node;

    /// A new document type, not yet in the tree.
    fn make_doctype(
        &mut self,
        name: &str,
        public_identifier: Option<&str>,
        system_identifier: Option<&str>,
        span: Span,
    ) -> Self::Node;

    /// Makes a node the last child of another one; it leaves its old place.
    fn append_node(&mut self, parent: Self::Node, child: Self::Node);

    /// Puts a node before another one that has a parent; it leaves its old place.
    fn insert_node_before(&mut self, sibling: Self::Node, child: Self::Node);

    /// Adds text at the end of a node: to the text that is there, or as a new one.
    fn append_characters(&mut self, parent: Self::Node, text: &str, span: Span);

    /// Adds text before a node that has a parent: to the text that stands right before it, or as a new one.
    fn insert_characters_before(&mut self, sibling: Self::Node, text: &str, span: Span);

    /// Takes a node, with what is in it, out of its parent.
    fn remove_from_parent(&mut self, node: Self::Node);

    /// Moves all children of a node after those of another one.
    fn reparent_children(&mut self, from: Self::Node, to: Self::Node);

    /// The parent of a node.
    fn parent_of(&self, node: Self::Node) -> Option<Self::Node>;

    /// Adds those attributes to an element whose names it does not have yet.
    fn add_missing_attributes<'a, I>(&mut self, element: Self::Node, attributes: I)
    where
        I: Iterator<Item = SinkAttribute<'a>>;

    /// Where the children of a template go. A tree without template contents has them in the element.
    fn template_contents(&mut self, element: Self::Node) -> Self::Node {
        element
    }

    /// Whether two elements have equal names and attributes, in whatever order. Asked only about elements of which it is
    /// as good as certain, unless the sink [compares](Self::COMPARES_ATTRIBUTES) attributes.
    fn has_equal_attributes(&self, one: Self::Node, other: Self::Node) -> bool {
        let _ = (one, other);
        true
    }

    /// The tag of the element had an attribute twice; the second one was left out.
    fn had_duplicate_attributes(&mut self, element: Self::Node) {
        let _ = element;
    }

    /// Makes the contents of a template, which is in no tree, the shadow root of an element. Whether that was possible:
    /// an element that has a shadow root gets no other one.
    fn attach_shadow_root(
        &mut self,
        host: Self::Node,
        template: Self::Node,
        mode: ShadowRootMode,
    ) -> bool {
        let _ = (host, template, mode);
        false
    }

    /// The place inside of a node that has this name: the node that it is in, the mark where it begins, the one where it
    /// ends, if any. What was there is taken out. A tree that knows no such places has none.
    #[allow(clippy::type_complexity, reason = "three nodes need no name of their own")]
    fn begin_patch(
        &mut self,
        scope: Self::Node,
        name: &str,
        words: &Patching,
    ) -> Option<(Self::Node, Self::Node, Option<Self::Node>)> {
        let _ = (scope, name, words);
        None
    }

    /// An element that can be chosen is complete: where its choice is shown, its children are copied to. `content` is
    /// the only element of the tree that shows choices; none, if there are several.
    fn show_option(
        &mut self,
        option: Self::Node,
        content: Option<Self::Node>,
        words: &SelectedContent,
    ) {
        let _ = (option, content, words);
    }

    /// A node is about to be moved to the end of one that is around it, no more than this many levels above; or, if none
    /// is given, to elsewhere. What is in it goes with it. A tree that need not know has nothing to do here.
    fn about_to_move(&mut self, node: Self::Node, into: Option<Self::Node>, levels: usize) {
        let _ = (node, into, levels);
    }

    /// Sets whether the document is in quirks mode.
    fn set_document_mode(&mut self, mode: DocumentMode) {
        let _ = mode;
    }

    /// This is the end tag that closed an element.
    fn end_tag(&mut self, element: Self::Node, span: Span) {
        let _ = (element, span);
    }

    /// An element left the stack of open elements: its children are complete, unless something is moved into it later.
    fn popped(&mut self, element: Self::Node) {
        let _ = element;
    }

    /// A row of the table calls the host, by a word of the table's, about the current node.
    fn call_host(&mut self, word: &str, node: Self::Node) {
        let _ = (word, node);
    }

    /// What did not fit, if anything: a reason to stop.
    fn overflow(&self) -> Option<Overflow> {
        None
    }

    /// How many nodes and attributes loops of the sink have looked at so far; what one call does in a bounded number of
    /// steps need not count.
    fn steps(&self) -> u64 {
        0
    }

    /// About how many bytes the tree takes, to be held against a limit.
    fn memory(&self) -> usize {
        0
    }
}

impl TreeSink for Tree {
    type Node = NodeId;

    const COMPARES_ATTRIBUTES: bool = true;

    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn document(&mut self) -> NodeId {
        NodeId(0)
    }

    #[inline]
    fn make_element<'a, I>(&mut self, name: Name, attributes: I, span: Option<Span>) -> NodeId
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        self.add_element(name, attributes, span)
    }

    #[inline]
    fn append_element<'a, I>(
        &mut self,
        parent: NodeId,
        name: Name,
        attributes: I,
        span: Option<Span>,
    ) -> NodeId
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        self.add_last_element(parent, name, attributes, span)
    }

    #[inline(always)]
    fn append_tag(
        &mut self,
        parent: NodeId,
        name: Name,
        tag: &Tag<'_>,
        names: AttributeNames<'_>,
    ) -> Option<NodeId> {
        Some(self.add_last_tag(parent, name, tag, names))
    }

    fn make_element_like(&mut self, element: NodeId, span: Option<Span>) -> NodeId {
        self.add_like(element, span)
    }

    fn make_comment(&mut self, data: &str, span: Span) -> NodeId {
        self.add_comment(data, Some(span))
    }

    fn make_processing_instruction(&mut self, target: &str, data: &str, span: Span) -> NodeId {
        self.add_instruction(target, data, Some(span))
    }

    fn make_doctype(
        &mut self,
        name: &str,
        public_identifier: Option<&str>,
        system_identifier: Option<&str>,
        span: Span,
    ) -> NodeId {
        self.add_doctype(name, public_identifier, system_identifier, Some(span))
    }

    #[inline]
    fn append_node(&mut self, parent: NodeId, child: NodeId) {
        self.link_last(parent.0, child.0);
    }

    fn insert_node_before(&mut self, sibling: NodeId, child: NodeId) {
        self.link_before(sibling.0, child.0);
    }

    #[inline(always)]
    fn append_characters(&mut self, parent: NodeId, text: &str, span: Span) {
        self.text_read_last(parent.0, text, span);
    }

    fn insert_characters_before(&mut self, sibling: NodeId, text: &str, span: Span) {
        self.text_before(sibling.0, text, Some(span));
    }

    fn remove_from_parent(&mut self, node: NodeId) {
        self.unlink(node.0);
    }

    fn reparent_children(&mut self, from: NodeId, to: NodeId) {
        self.link_children(from.0, to.0);
    }

    #[inline]
    fn parent_of(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes[node.index()].parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    fn add_missing_attributes<'a, I>(&mut self, element: NodeId, attributes: I)
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        let node = self.nodes[element.index()];
        if !node.is_element() {
            return;
        }
        let mut range = node.attributes();
        for attribute in attributes {
            if self.attributes.find_quickly(&mut range, attribute.name, &mut self.texts).is_none() {
                let kept = self.positions == Positions::All;
                let spans = if kept { attribute.spans() } else { AttributeSpans::UNKNOWN };
                self.attributes.set(
                    &mut range,
                    attribute.name,
                    attribute.value,
                    spans,
                    &mut self.texts,
                );
            }
        }
        self.nodes[element.index()].set_attributes(range);
    }

    fn template_contents(&mut self, element: NodeId) -> NodeId {
        self.create_template_contents(element)
    }

    fn has_equal_attributes(&self, one: NodeId, other: NodeId) -> bool {
        let (one, other) = (&self.nodes[one.index()], &self.nodes[other.index()]);
        self.far_names.name(one) == self.far_names.name(other)
            && self.attributes.are_equal(one.attributes(), other.attributes(), &self.texts)
    }

    fn had_duplicate_attributes(&mut self, element: NodeId) {
        self.duplicates.insert(element.0);
    }

    fn attach_shadow_root(&mut self, host: NodeId, template: NodeId, mode: ShadowRootMode) -> bool {
        self.add_shadow_root(host, template, mode)
    }

    fn begin_patch(
        &mut self,
        scope: NodeId,
        name: &str,
        words: &Patching,
    ) -> Option<(NodeId, NodeId, Option<NodeId>)> {
        self.open_place(scope, name, words)
    }

    fn show_option(&mut self, option: NodeId, content: Option<NodeId>, words: &SelectedContent) {
        self.show_chosen(option, content, words);
    }

    fn about_to_move(&mut self, node: NodeId, into: Option<NodeId>, levels: usize) {
        self.move_outward(node.0, into.map(|into| into.0), levels);
    }

    fn set_document_mode(&mut self, mode: DocumentMode) {
        self.mode = mode;
    }

    #[inline]
    fn end_tag(&mut self, element: NodeId, span: Span) {
        if self.nodes.get(element.index()).is_some_and(Node::is_element) {
            self.spans.set_end_tag(element.index(), span);
        }
    }

    fn overflow(&self) -> Option<Overflow> {
        Self::overflow(self)
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn memory(&self) -> usize {
        self.heap_size()
    }
}
