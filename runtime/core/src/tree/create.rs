//! Creation of nodes. All nodes beyond the node limit are replaced by one node, which is never linked.

use super::Tree;
use super::attribute_spans::AttributeSpans;
use super::attributes::AttributeRange;
use super::node::{
    COMMENT, DOCTYPE, DoctypeRecord, FRAGMENT, INSTRUCTION, InstructionRecord, Node, NodeId, TEXT,
};
use super::node_ref::NodeRef;
use super::options::Positions;
use crate::attribute::SinkAttribute;
use crate::names::{Name, Namespace};
use crate::span::Span;

/// Creation of nodes. A new node belongs to the tree, but has no parent until it is inserted.
impl Tree {
    /// Creates an element without a prefix.
    pub fn create_element(&mut self, namespace: Namespace, local_name: &str) -> NodeId {
        let name = self.names.name(namespace, "", local_name);
        self.create_named_element(name)
    }

    /// Creates an element with a name interned in this tree's [`names`](Self::names).
    pub fn create_named_element(&mut self, name: Name) -> NodeId {
        let name = self.far_names.pack(name);
        self.add(Node::element(name, AttributeRange::default()), None)
    }

    /// Creates a text node.
    pub fn create_text(&mut self, text: &str) -> NodeId {
        self.add_text(text, None)
    }

    /// Creates a comment.
    pub fn create_comment(&mut self, data: &str) -> NodeId {
        self.add_comment(data, None)
    }

    /// Creates a processing instruction.
    pub fn create_processing_instruction(&mut self, target: &str, data: &str) -> NodeId {
        self.add_instruction(target, data, None)
    }

    /// Creates a document type; each identifier may be missing.
    pub fn create_doctype(
        &mut self,
        name: &str,
        public_identifier: Option<&str>,
        system_identifier: Option<&str>,
    ) -> NodeId {
        self.add_doctype(name, public_identifier, system_identifier, None)
    }

    /// Creates a document fragment.
    pub fn create_fragment(&mut self) -> NodeId {
        self.add(Node::other(FRAGMENT, u32::MAX), None)
    }

    /// Returns the template contents of an element, creating the fragment if there is none. If the node is not an
    /// element, returns the node itself.
    #[inline(never)]
    pub fn create_template_contents(&mut self, element: NodeId) -> NodeId {
        if let Some(&contents) = self.contents.get(&element.0) {
            return NodeId(contents);
        }
        if !self.node(element).is_element() {
            return element;
        }
        let contents = self.add(Node::other(FRAGMENT, element.0), None);
        if !self.is_overflow_node(contents.0) {
            self.contents.insert(element.0, contents.0);
        }
        contents
    }

    /// Creates an element with attributes, but without a parent.
    pub(super) fn add_element<'a>(
        &mut self,
        name: Name,
        attributes: impl Iterator<Item = SinkAttribute<'a>>,
        span: Option<Span>,
    ) -> NodeId {
        let range = self.add_attributes(attributes, span);
        let name = self.far_names.pack(name);
        self.add(Node::element(name, range), span)
    }

    /// Creates an element as the last child of `parent`.
    #[inline(always)]
    pub(super) fn add_last_element<'a>(
        &mut self,
        parent: NodeId,
        name: Name,
        attributes: impl Iterator<Item = SinkAttribute<'a>>,
        span: Option<Span>,
    ) -> NodeId {
        let range = self.add_attributes(attributes, span);
        let name = self.far_names.pack(name);
        self.add_last(parent.0, Node::element(name, range), span)
    }

    /// Stores the attributes of an element created from the input range `span`.
    #[inline(always)]
    fn add_attributes<'a>(
        &mut self,
        attributes: impl Iterator<Item = SinkAttribute<'a>>,
        span: Option<Span>,
    ) -> AttributeRange {
        if let Some(span) = span {
            self.record_offset(span.end);
        }
        let has_spans = self.positions == Positions::All;
        self.attributes.add(attributes, has_spans, &mut self.texts, &self.growth)
    }

    pub(super) fn add_text(&mut self, text: &str, span: Option<Span>) -> NodeId {
        let slot = self.texts.add(text, &self.growth);
        self.add(Node::text(TEXT, slot), span)
    }

    pub(super) fn add_comment(&mut self, data: &str, span: Option<Span>) -> NodeId {
        let slot = self.texts.add(data, &self.growth);
        self.add(Node::text(COMMENT, slot), span)
    }

    pub(super) fn add_instruction(
        &mut self,
        target: &str,
        data: &str,
        span: Option<Span>,
    ) -> NodeId {
        let target = self.texts.add(target, &self.growth);
        let data = self.texts.add(data, &self.growth);
        let index = self.instructions.len() as u32;
        self.instructions.push(InstructionRecord { target, data });
        self.add(Node::other(INSTRUCTION, index), span)
    }

    pub(super) fn add_doctype(
        &mut self,
        name: &str,
        public_identifier: Option<&str>,
        system_identifier: Option<&str>,
        span: Option<Span>,
    ) -> NodeId {
        let record = DoctypeRecord {
            name: self.texts.add(name, &self.growth),
            public_identifier: public_identifier.map(|text| self.texts.add(text, &self.growth)),
            system_identifier: system_identifier.map(|text| self.texts.add(text, &self.growth)),
        };
        let index = self.doctypes.len() as u32;
        self.doctypes.push(record);
        self.add(Node::other(DOCTYPE, index), span)
    }

    /// Creates an element with the name and attributes of `element`, and with the position `span`; returns `element`
    /// itself if it is not an element.
    pub(super) fn add_like(&mut self, element: NodeId, span: Option<Span>) -> NodeId {
        let node = self.nodes[element.index()];
        let Some(name) = self.far_names.name(&node) else { return element };
        let range = self.attributes.share(node.attributes());
        let name = self.far_names.pack(name);
        self.add(Node::element(name, range), span)
    }

    /// Adds a node to the arena, without a parent. Beyond the node limit, returns the node that replaces all further
    /// nodes.
    #[inline(always)]
    pub(super) fn add(&mut self, node: Node, span: Option<Span>) -> NodeId {
        if let Some(span) = span {
            self.record_offset(span.end);
        }
        if self.nodes.len() as u32 >= self.node_limit {
            return self.overflow_node(span);
        }
        self.push_node(node, span)
    }

    /// Adds a node to the arena. The caller has checked the node limit and recorded the input offset reached.
    #[inline(always)]
    pub(super) fn push_node(&mut self, node: Node, span: Option<Span>) -> NodeId {
        let id = self.nodes.len() as u32;
        self.growth.push(&mut self.nodes, node);
        if self.positions != Positions::None {
            if node.is_element() {
                self.spans.push_element(span, &self.growth);
            } else {
                self.spans.push(span, &self.growth);
            }
        }
        NodeId(id)
    }

    /// Returns the node that replaces all nodes beyond the limit. The first call records the offset of the node that it
    /// drops.
    #[cold]
    fn overflow_node(&mut self, span: Option<Span>) -> NodeId {
        if !self.is_overflow_node(self.nodes.len() as u32 - 1) {
            self.first_dropped_at = span.map_or_else(|| self.last_node_start(), |span| span.start);
            self.nodes.push(Node::other(FRAGMENT, u32::MAX));
            if self.positions != Positions::None {
                self.spans.push(None, &self.growth);
            }
        }
        NodeId(self.node_limit)
    }

    /// Returns the start of the last node with a position, ignoring texts, whose positions depend on the chunks of the
    /// input; 0 if there is none. In a tree without positions, returns the input offset reached.
    fn last_node_start(&self) -> usize {
        let nodes = (0..self.nodes.len() as u32).rev().map(|id| self.node(NodeId(id)));
        let mut spans = nodes.filter(|node| !node.is_text()).filter_map(NodeRef::stored_span);
        match self.positions {
            Positions::None => self.growth.reached_offset,
            _ => spans.next().map_or(0, |span| span.start),
        }
    }

    /// Whether the id belongs to the node that replaces all nodes beyond the limit.
    #[inline]
    pub(super) fn is_overflow_node(&self, node: u32) -> bool {
        node == self.node_limit
    }

    /// Records that the input was read up to the offset `end` at least.
    #[inline(always)]
    pub(super) fn record_offset(&mut self, end: usize) {
        self.growth.reached_offset = self.growth.reached_offset.max(end);
    }
}

impl SinkAttribute<'_> {
    /// Returns the source ranges of the name and of the value.
    pub(super) fn spans(&self) -> AttributeSpans {
        AttributeSpans::of(self.name_span, self.value_span)
    }
}
