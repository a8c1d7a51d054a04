//! The trait through which trees are built, and its implementation for [`Tree`]. The caller never inserts a node into
//! itself, and passes only nodes that the sink has created.

use super::Tree;
use super::node::{FRAGMENT, NONE, Node, NodeId};
use super::node_ref::{NodeRef, ShadowRecord, ShadowRootMode};
use super::node_spans::AttributeSpans;
use super::options::{DocumentMode, Positions, TreeOptions};
use super::words::SelectedContent;
use crate::names::{Name, Names};
use crate::span::Span;
use crate::token::{AttributeNames, SinkAttribute, Tag};
use std::fmt::Debug;
use std::hash::Hash;

/// A builder of a tree for a parser. [`Tree`] implements this trait; implement it for a type that builds a tree of your
/// own, and pass a value of that type to [`Parser::with_sink`](crate::Parser::with_sink).
///
/// A span is the input range that a node was made from, or `None` if it corresponds to nothing in the input. If the
/// input comes in chunks, a span may begin or end between a CR and its LF. Methods that a simple tree does not need
/// have defaults.
///
/// A tree of strings, without the contents of comments and the like:
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
///     fn parent_of(&self, node: usize) -> Option<usize> {
///         self.children.iter().position(|children| children.contains(&node))
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
/// let parsed = parser.finish();
/// assert_eq!(parsed.tree.show(0), "#(html(head body(p(1 b(2)) p(b(3)))))");
/// assert_eq!(parsed.errors[0].code, "expected-doctype");
/// ```
#[expect(unused_variables, reason = "default methods ignore their arguments")]
pub trait TreeSink {
    /// A node: a handle, usually an index, that stays valid until the parser is done.
    type Node: Copy + Eq + Hash + Debug;

    /// Whether the sink itself compares and copies elements, by [`has_equal_attributes`](Self::has_equal_attributes)
    /// and [`make_element_like`](Self::make_element_like). Otherwise, and if it [pauses at
    /// scripts](crate::Parser::pause_at_scripts), which may change elements, the parser stores the attributes of
    /// formatting elements, the only ones needed, and calls neither.
    const KEEPS_ATTRIBUTES: bool = false;

    /// Returns the interner for the names of elements and attributes, which the parser fills. That of a new sink must
    /// be empty.
    fn names(&mut self) -> &mut Names;

    /// Returns the document node.
    fn document(&mut self) -> Self::Node;

    /// Creates an element with its attributes, not yet inserted.
    fn make_element<'a, I>(&mut self, name: Name, attributes: I, span: Option<Span>) -> Self::Node
    where
        I: Iterator<Item = SinkAttribute<'a>>;

    /// Creates an element with its attributes as the last child of `parent`.
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

    /// Creates an element for a tag as the last child of `parent`, or not yet inserted if that is `None`. Implement it
    /// to read the tag directly, without a further pass over its attributes. If it returns `None`,
    /// [`append_element`](Self::append_element) or [`make_element`](Self::make_element) is called.
    fn append_tag(
        &mut self,
        parent: Option<Self::Node>,
        name: Name,
        tag: &Tag<'_>,
        names: AttributeNames<'_>,
    ) -> Option<Self::Node> {
        None
    }

    /// Creates an element with the name and attributes of another one, not yet inserted. Only called if the sink [keeps
    /// attributes](Self::KEEPS_ATTRIBUTES).
    fn make_element_like(&mut self, element: Self::Node, span: Option<Span>) -> Self::Node {
        element
    }

    /// Creates a comment, not yet inserted.
    fn make_comment(&mut self, data: &str, span: Span) -> Self::Node;

    /// Creates a processing instruction, not yet inserted.
    fn make_processing_instruction(&mut self, target: &str, data: &str, span: Span) -> Self::Node;

    /// Creates a document type, not yet inserted.
    fn make_doctype(
        &mut self,
        name: &str,
        public_identifier: Option<&str>,
        system_identifier: Option<&str>,
        span: Span,
    ) -> Self::Node;

    /// Moves a node to the end of `parent`.
    fn append_node(&mut self, parent: Self::Node, child: Self::Node);

    /// Moves a node before a sibling that has a parent.
    fn insert_node_before(&mut self, sibling: Self::Node, child: Self::Node);

    /// Appends text at the end of a node: to the last child if that is a text, or as a new node.
    fn append_characters(&mut self, parent: Self::Node, text: &str, span: Span);

    /// Inserts text before a node that has a parent: at the end of the previous sibling if that is a text, or as a new
    /// node.
    fn insert_characters_before(&mut self, sibling: Self::Node, text: &str, span: Span);

    /// Removes a node and its descendants from its parent.
    fn remove_from_parent(&mut self, node: Self::Node);

    /// Moves all children of a node to the end of another one.
    fn reparent_children(&mut self, from: Self::Node, to: Self::Node);

    /// Returns the parent of a node, if it has one; contents of a template have none. Called at each step of walks up
    /// the tree, so it should take constant time.
    fn parent_of(&self, node: Self::Node) -> Option<Self::Node>;

    /// Returns a node of the [filled tree](Self::filled_tree), or `None` if nodes are not those of such a tree. Called
    /// for templates that declare shadow roots or patch contents, and for tables whose algorithms differ from those of
    /// the built-in tables.
    fn node_ref(&self, node: Self::Node) -> Option<NodeRef<'_>> {
        None
    }

    /// Returns the handle of a node of the filled tree: the reverse of [`node_ref`](Self::node_ref). A sink that
    /// implements one of the two must implement both.
    fn node_with(&self, id: NodeId) -> Option<Self::Node> {
        None
    }

    /// Creates a text node, not yet inserted. If it returns `None`, the text is appended to adjacent text instead.
    fn make_text(&mut self, text: &str, span: Span) -> Option<Self::Node> {
        None
    }

    /// Adds the attributes to an element, except those with a name that the element already has.
    fn add_missing_attributes<'a, I>(&mut self, element: Self::Node, attributes: I)
    where
        I: Iterator<Item = SinkAttribute<'a>>;

    /// Returns the node that receives the children of a template: its contents, or the element itself in a tree without
    /// template contents.
    fn template_contents(&mut self, element: Self::Node) -> Self::Node {
        element
    }

    /// Whether two elements have equal names and attributes, regardless of order. Only called if the sink [keeps
    /// attributes](Self::KEEPS_ATTRIBUTES).
    fn has_equal_attributes(&self, one: Self::Node, other: Self::Node) -> bool {
        false
    }

    /// Records that duplicate attributes of the element's tag were dropped.
    fn had_duplicate_attributes(&mut self, element: Self::Node) {}

    /// Makes the contents of a template, which is not inserted, the shadow root of an element. Returns whether that was
    /// possible: an element has at most one shadow root.
    fn attach_shadow_root(
        &mut self,
        host: Self::Node,
        template: Self::Node,
        mode: ShadowRootMode,
    ) -> bool {
        false
    }

    /// Called when an option is complete, so that its children can be copied to the element that mirrors the selected
    /// option. If the table has steps of its own for mirroring, the method is called for every popped element.
    fn show_option(&mut self, option: Self::Node, names: &SelectedContent) {}

    /// Called before a node and its descendants are moved: to the end of the ancestor `into`, at most `levels` above,
    /// or, if `into` is `None`, elsewhere. Needed only by a tree that tracks the order of nodes.
    fn about_to_move(&mut self, node: Self::Node, into: Option<Self::Node>, levels: usize) {}

    /// Sets the mode of the document.
    fn set_document_mode(&mut self, mode: DocumentMode) {}

    /// Records the end tag that closed an element.
    fn end_tag(&mut self, element: Self::Node, span: Span) {}

    /// Called when an element is popped off the stack of open elements: its children are complete, unless nodes are
    /// moved into it later.
    fn popped(&mut self, element: Self::Node) {}

    /// Called for each pointer of the table that rows both set and unset: with an element when the pointer is set to
    /// it, and with `None` when the pointer is unset. For HTML, that element is the form with which the controls
    /// created meanwhile are associated.
    fn associate(&mut self, element: Option<Self::Node>) {}

    /// Called by a row with a word of the table, and with the element that the current token popped last, or else the
    /// current node.
    fn call_host(&mut self, word: &str, node: Self::Node) {}

    /// Returns an empty sink like this one, or `None` if that is impossible. Called if bytes turn out to have another
    /// encoding than the one assumed: the input is then parsed again into the new sink, and this one is dropped. With
    /// `None`, the remaining bytes are decoded in the assumed encoding.
    fn restart(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the approximate memory of the tree in bytes, to compare with a limit.
    fn memory(&self) -> usize {
        0
    }

    /// Returns the [`Tree`] that the sink fills, if it forwards all calls to one. Unless a limit prevents it, the
    /// parser then keeps the input in that tree, so that most texts are not copied and no range begins or ends inside a
    /// CR LF; it also reports when that tree exceeds a limit. It must always be the same tree, or always `None`.
    fn filled_tree(&self) -> Option<&Tree> {
        None
    }

    /// Returns the tree of [`filled_tree`](Self::filled_tree) for modification, or `None` if that method does.
    fn filled_tree_mut(&mut self) -> Option<&mut Tree> {
        None
    }
}

impl TreeSink for Tree {
    type Node = NodeId;

    const KEEPS_ATTRIBUTES: bool = true;

    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn document(&mut self) -> NodeId {
        NodeId(0)
    }

    fn make_element<'a, I>(&mut self, name: Name, attributes: I, span: Option<Span>) -> NodeId
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        if let Some(span) = span {
            self.record_offset(span.end);
        }
        let has_spans = self.positions == Positions::All;
        let range = self.attributes.add(attributes, has_spans, &mut self.texts, &self.growth);
        let name = self.far_names.pack(name);
        self.add(Node::element(name, range), span)
    }

    #[inline(always)]
    fn append_tag(
        &mut self,
        parent: Option<NodeId>,
        name: Name,
        tag: &Tag<'_>,
        names: AttributeNames<'_>,
    ) -> Option<NodeId> {
        Some(self.add_last_tag(parent?, name, tag, names))
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
        self.append_read_text(parent.0, text, span);
    }

    fn insert_characters_before(&mut self, sibling: NodeId, text: &str, span: Span) {
        self.insert_text_before_unchecked(sibling.0, text, Some(span));
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

    fn node_ref(&self, node: NodeId) -> Option<NodeRef<'_>> {
        Some(self.node(node))
    }

    fn node_with(&self, id: NodeId) -> Option<NodeId> {
        Some(id)
    }

    fn make_text(&mut self, text: &str, span: Span) -> Option<NodeId> {
        Some(self.add_text(text, Some(span)))
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
            if self.attributes.find_indexed(&mut range, attribute.name, &mut self.texts).is_none() {
                let keeps_spans = self.positions == Positions::All;
                let spans = if keeps_spans { attribute.spans() } else { AttributeSpans::UNKNOWN };
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
        self.had_duplicates.insert(element.0);
    }

    fn attach_shadow_root(&mut self, host: NodeId, template: NodeId, mode: ShadowRootMode) -> bool {
        if self.contents.contains_key(&host.0) {
            return false;
        }
        let root = self.add(Node::other(FRAGMENT, host.0), None);
        if !self.is_overflow_node(root.0) {
            self.contents.insert(host.0, root.0);
            self.contents.insert(template.0, root.0);
            self.shadows.insert(host.0, ShadowRecord { mode, template: template.0 });
        }
        true
    }

    fn show_option(&mut self, option: NodeId, names: &SelectedContent) {
        self.mirror_option(option, names);
    }

    fn about_to_move(&mut self, node: NodeId, into: Option<NodeId>, levels: usize) {
        self.record_move(node.0, into.map(|into| into.0), levels);
    }

    fn set_document_mode(&mut self, mode: DocumentMode) {
        self.mode = mode;
    }

    fn associate(&mut self, element: Option<NodeId>) {
        match (element, self.associations.last_mut()) {
            (Some(element), _) => self.associations.push((element.0, NONE)),
            (None, Some((_, end))) => *end = (*end).min(self.nodes.len() as u32),
            (None, None) => {}
        }
    }

    #[inline]
    fn end_tag(&mut self, element: NodeId, span: Span) {
        if self.nodes.get(element.index()).is_some_and(Node::is_element) {
            self.spans.set_end_tag(element.index(), span);
        }
    }

    fn restart(&self) -> Option<Self> {
        let limit = self.node_limit;
        Some(Self::with_options(TreeOptions::new().positions(self.positions).node_limit(limit)))
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
