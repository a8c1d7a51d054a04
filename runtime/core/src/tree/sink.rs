//! What builds trees speaks to a sink: the tree of this crate, or one of the caller's own. It decides nothing
//! about where nodes go. Invariant: the caller puts no node into itself and passes only nodes that the sink has made.

use super::Tree;
use super::attribute_spans::AttributeSpans;
use super::node::{NONE, Node, NodeId};
use super::options::{DocumentMode, Overflow, Positions, TreeOptions};
use super::shadow::ShadowRootMode;
use super::words::{Patching, SelectedContent};
use crate::attribute::{AttributeNames, SinkAttribute};
use crate::names::{Name, Names};
use crate::span::Span;
use crate::token::Tag;
use std::fmt::Debug;
use std::hash::Hash;

/// Makes a tree as its caller says. [`Tree`] is one; implement it to fill a tree of your own, and give it to a parser with
/// [`Parser::with_sink`](crate::Parser::with_sink).
///
/// A span is the range of what a node was made of, or `None` if nothing in the input stands for it. Where the input comes
/// in chunks, it may begin or end between a CR and its LF. Methods that a tree can do without have defaults, so that later
/// ones break no implementation.
///
/// A tree of strings, without comments and the like:
///
/// ```
/// use tabulex::tree::{Name, Names, SinkAttribute, TreeSink};
/// use tabulex::{Options, Span, html};
///
/// #[derive(Default)]
/// struct Nodes {
///     names: Names,
///     texts: Vec<String>,
///     children: Vec<Vec<usize>>,
/// }
///
/// impl Nodes {
///     fn make(&mut self, text: &str) -> usize {
///         self.texts.push(text.to_owned());
///         self.children.push(Vec::new());
///         self.texts.len() - 1
///     }
///
///     fn show(&self, node: usize) -> String {
///         let inside: Vec<String> = self.children[node].iter().map(|&child| self.show(child)).collect();
///         let text = &self.texts[node];
///         if inside.is_empty() { text.clone() } else { format!("{text}({})", inside.join(" ")) }
///     }
/// }
///
/// impl TreeSink for Nodes {
///     type Node = usize;
///
///     fn names(&mut self) -> &mut Names {
///         &mut self.names
///     }
///
///     fn document(&mut self) -> usize {
///         self.make("#")
///     }
///
///     fn make_element<'a, I>(&mut self, name: Name, _: I, _: Option<Span>) -> usize
///     where
///         I: Iterator<Item = SinkAttribute<'a>>,
///     {
///         let name = self.names.resolve(name).to_string();
///         self.make(&name)
///     }
///
///     fn make_comment(&mut self, _: &str, _: Span) -> usize {
///         self.make("!")
///     }
///
///     fn make_processing_instruction(&mut self, _: &str, _: &str, _: Span) -> usize {
///         self.make("?")
///     }
///
///     fn make_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>, _: Span) -> usize {
///         self.make("doctype")
///     }
///
///     fn append_node(&mut self, parent: usize, child: usize) {
///         self.remove_from_parent(child);
///         self.children[parent].push(child);
///     }
///
///     fn insert_node_before(&mut self, sibling: usize, child: usize) {
///         self.remove_from_parent(child);
///         for children in &mut self.children {
///             if let Some(at) = children.iter().position(|&other| other == sibling) {
///                 children.insert(at, child);
///             }
///         }
///     }
///
///     fn append_characters(&mut self, parent: usize, text: &str, _: Span) {
///         let text = self.make(text);
///         self.append_node(parent, text);
///     }
///
///     fn insert_characters_before(&mut self, sibling: usize, text: &str, _: Span) {
///         let text = self.make(text);
///         self.insert_node_before(sibling, text);
///     }
///
///     fn remove_from_parent(&mut self, node: usize) {
///         self.children.iter_mut().for_each(|children| children.retain(|&child| child != node));
///     }
///
///     fn reparent_children(&mut self, from: usize, to: usize) {
///         let children = std::mem::take(&mut self.children[from]);
///         self.children[to].extend(children);
///     }
///
///     fn add_missing_attributes<'a, I>(&mut self, _: usize, _: I)
///     where
///         I: Iterator<Item = SinkAttribute<'a>>,
///     {
///     }
/// }
///
/// let mut parser = html::Parser::with_sink(Nodes::default(), &Options::new());
/// parser.feed("<p>1<b>2<p>");
/// parser.feed("3");
/// let parsed = parser.finish_into();
/// assert_eq!(parsed.sink.show(0), "#(html(head body(p(1 b(2)) p(b(3)))))");
/// assert_eq!(parsed.errors[0].code, "expected-doctype");
/// ```
pub trait TreeSink {
    /// A node: a handle that stays valid until the parser is done. A number, as a rule.
    type Node: Copy + Eq + Hash + Debug;

    /// Whether the sink compares and copies elements itself. Then [`has_equal_attributes`](Self::has_equal_attributes)
    /// and [`make_element_like`](Self::make_element_like) are called; otherwise the parser remembers the attributes of
    /// formatting elements, which are all that it asks for, and calls neither.
    const KEEPS_ATTRIBUTES: bool = false;

    /// Whether the sink knows the parents of its nodes. Then [`parent_of`](Self::parent_of) is called; otherwise the
    /// parser remembers parents, which takes time and memory.
    const KEEPS_PARENTS: bool = false;

    /// The names of elements and attributes. What builds the tree makes its names with these; there must be none when it
    /// begins.
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

    /// A new element for a tag, not yet in the tree; otherwise as [`append_tag`](Self::append_tag) and
    /// [`make_element`](Self::make_element).
    fn make_tag(
        &mut self,
        name: Name,
        tag: &Tag<'_>,
        names: AttributeNames<'_>,
    ) -> Option<Self::Node> {
        let _ = (name, tag, names);
        None
    }

    /// A new element with name and attributes of another one, not yet in the tree. Only called if the sink
    /// [keeps attributes](Self::KEEPS_ATTRIBUTES). A parser that [pauses at scripts](crate::Parser::pause_at_scripts) keeps
    /// one of each formatting element out of the tree, which no script changes.
    fn make_element_like(&mut self, element: Self::Node, span: Option<Span>) -> Self::Node {
        let _ = span;
        element
    }

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

    /// The parent of a node. Only called if the sink [keeps parents](Self::KEEPS_PARENTS).
    fn parent_of(&self, node: Self::Node) -> Option<Self::Node> {
        let _ = node;
        None
    }

    /// Adds those attributes to an element whose names it does not have yet.
    fn add_missing_attributes<'a, I>(&mut self, element: Self::Node, attributes: I)
    where
        I: Iterator<Item = SinkAttribute<'a>>;

    /// Where the children of a template go. A tree without template contents has them in the element.
    fn template_contents(&mut self, element: Self::Node) -> Self::Node {
        element
    }

    /// Whether two elements have equal names and attributes, in whatever order. Only called if the sink
    /// [keeps attributes](Self::KEEPS_ATTRIBUTES).
    fn has_equal_attributes(&self, one: Self::Node, other: Self::Node) -> bool {
        let _ = (one, other);
        false
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

    /// Another sink like this one, in which nothing is yet: where the input is bytes and declares late another encoding
    /// than was taken for likely, it is parsed again, and this sink is dropped. If there is none, what remains is decoded
    /// in the likely encoding as well.
    fn begin_again(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
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

    /// The tree of this crate that the sink fills, if it hands all that it is told on to one. Then the parser keeps an
    /// input that comes whole in that tree, whose texts need no copies, and no range begins or ends within a CR LF.
    /// Always the same tree, or always none.
    fn filled_tree(&self) -> Option<&Tree> {
        None
    }

    /// The same tree as [`filled_tree`](Self::filled_tree), to be changed.
    fn filled_tree_mut(&mut self) -> Option<&mut Tree> {
        None
    }
}

impl TreeSink for Tree {
    type Node = NodeId;

    const KEEPS_ATTRIBUTES: bool = true;
    const KEEPS_PARENTS: bool = true;

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

    fn begin_again(&self) -> Option<Self> {
        let limit = self.node_limit;
        Some(Self::with_options(TreeOptions::new().positions(self.positions).node_limit(limit)))
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

    #[inline]
    fn filled_tree(&self) -> Option<&Tree> {
        Some(self)
    }

    #[inline]
    fn filled_tree_mut(&mut self) -> Option<&mut Tree> {
        Some(self)
    }
}
