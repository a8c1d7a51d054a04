//! An adapter from markup5ever's `TreeSink` to tabulex's.
//!
//! The parser refers to nodes by number; the adapter maps numbers to the sink's handles, and records
//! parents, which these sinks do not return.

use crate::lines::LineEnds;
use crate::names::Atoms;
use crate::parents::Parents;
use html5ever::interface::create_element;
use html5ever::interface::tree_builder::create_element_with_flags;
use html5ever::tendril::StrTendril;
use html5ever::tree_builder::{NodeOrText, QuirksMode, TreeSink};
use html5ever::{Attribute, local_name, ns};
use std::collections::HashMap;
use tabulex_core::__private::SelectedContent;
use tabulex_core::Span;
use tabulex_core::tree::{
    AttributeNames, DocumentMode, Name, Names, ShadowRootMode, SinkAttribute,
};

/// An adapter that lets a parser of tabulex fill a tree written for `html5ever`.
///
/// ```
/// use html5ever::tree_builder::TreeSink;
/// use markup5ever_rcdom::RcDom;
/// use tabulex_core::{Options, Parser};
/// use tabulex_html::Html;
/// use tabulex_markup5ever::Bridge;
///
/// let mut parser = Parser::<Html, _>::with_sink(Bridge::new(RcDom::default()), &Options::new());
/// parser.feed_bytes(b"\xEF\xBB\xBF<p>One");
/// let parsed = parser.finish();
/// assert_eq!(parsed.encoding.encoding.name(), "UTF-8");
/// let dom = parsed.tree.into_sink().finish();
/// assert_eq!(dom.document.children.borrow().len(), 1);
/// ```
#[derive(Debug)]
pub struct Bridge<S: TreeSink> {
    sink: S,
    handles: Vec<S::Handle>,
    parents: Parents,
    atoms: Atoms,
    lines: LineEnds,
    drops_doctype: bool,
    /// Number of the node that stands for the last DOCTYPE, if there was one; appending this node has no effect.
    doctype: Option<u32>,
    /// The contents of templates, by the template's number.
    contents: HashMap<u32, u32>,
    /// The last template with its attributes, needed if it becomes a shadow root.
    template: Option<(u32, Vec<Attribute>)>,
    /// Estimated bytes of the text and the attributes passed to the sink.
    text_bytes: usize,
}

/// Estimated heap bytes per node of the sink, which does not report its memory.
const NODE_SIZE: usize = 128;

/// Estimated heap bytes per attribute of the sink, without the value.
const ATTRIBUTE_SIZE: usize = 48;

impl<S: TreeSink> Bridge<S> {
    /// Creates an adapter to an empty tree.
    pub fn new(sink: S) -> Self {
        let document = sink.get_document();
        let (atoms, lines) = (Atoms::default(), LineEnds::new());
        let mut bridge = Self {
            sink,
            handles: Vec::new(),
            parents: Parents::default(),
            atoms,
            lines,
            drops_doctype: false,
            doctype: None,
            contents: HashMap::new(),
            template: None,
            text_bytes: 0,
        };
        bridge.add_handle(document);
        bridge
    }

    /// Sets whether the DOCTYPE is dropped.
    #[must_use]
    pub fn drop_doctype(mut self, is_dropped: bool) -> Self {
        self.drops_doctype = is_dropped;
        self
    }

    /// Returns the wrapped sink. [`finish`](TreeSink::finish) turns it into its output.
    pub fn into_sink(self) -> S {
        self.sink
    }

    /// Returns the wrapped sink by reference.
    pub fn as_sink(&self) -> &S {
        &self.sink
    }

    /// Records the line ends of the next chunk, so that the sink's `set_current_line` is called.
    pub(crate) fn record_lines(&mut self, chunk: &str) {
        self.lines.record(chunk);
    }

    fn handle(&self, node: u32) -> &S::Handle {
        &self.handles[node as usize]
    }

    fn add_handle(&mut self, handle: S::Handle) -> u32 {
        self.handles.push(handle);
        self.parents.add();
        (self.handles.len() - 1) as u32
    }

    #[inline]
    fn advance_line(&mut self, span: Option<Span>) {
        if let Some(line) = span.and_then(|span| self.lines.advance(span.start)) {
            self.sink.set_current_line(line);
        }
    }

    fn convert_attributes<'a>(
        &mut self,
        attributes: impl Iterator<Item = SinkAttribute<'a>>,
    ) -> Vec<Attribute> {
        let (atoms, text_bytes) = (&mut self.atoms, &mut self.text_bytes);
        let attributes = attributes.map(|attribute| {
            *text_bytes += ATTRIBUTE_SIZE + attribute.value.len();
            Attribute { name: atoms.qualified(attribute.name), value: attribute.value.into() }
        });
        attributes.collect()
    }

    /// Creates an element for a tag.
    fn create_element(
        &mut self,
        name: Name,
        tag: &tabulex_core::Tag<'_>,
        names: AttributeNames<'_>,
    ) -> u32 {
        self.advance_line(Some(tag.span()));
        let tag_attributes = tag.attributes();
        let mut attributes = Vec::with_capacity(tag_attributes.len());
        for (index, attribute) in tag_attributes.enumerate() {
            let name = match names {
                AttributeNames::Written => Some(self.atoms.unprefixed(attribute.name)),
                AttributeNames::All(_) | AttributeNames::Some(_) => {
                    names.get(index).map(|name| self.atoms.qualified(name))
                }
            };
            self.text_bytes += ATTRIBUTE_SIZE + attribute.value.len();
            attributes.extend(name.map(|name| Attribute { name, value: attribute.value.into() }));
        }
        let name = self.atoms.qualified(name);
        let is_template = name.ns == ns!(html) && name.local == local_name!("template");
        let template_attributes = is_template.then(|| attributes.clone());
        let had_duplicates = tag.had_duplicate_attributes();
        let handle = create_element_with_flags(&self.sink, name, attributes, had_duplicates);
        let node = self.add_handle(handle);
        if let Some(attributes) = template_attributes {
            self.template = Some((node, attributes));
        }
        node
    }
}

impl<S: TreeSink> tabulex_core::tree::TreeSink for Bridge<S> {
    type Node = u32;

    fn names(&mut self) -> &mut Names {
        &mut self.atoms.names
    }

    fn document(&mut self) -> u32 {
        0
    }

    fn make_element<'a, I>(&mut self, name: Name, attributes: I, span: Option<Span>) -> u32
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        self.advance_line(span);
        let attributes = self.convert_attributes(attributes);
        let name = self.atoms.qualified(name);
        let handle = create_element(&self.sink, name, attributes);
        self.add_handle(handle)
    }

    fn append_tag(
        &mut self,
        parent: Option<u32>,
        name: Name,
        tag: &tabulex_core::Tag<'_>,
        names: AttributeNames<'_>,
    ) -> Option<u32> {
        let node = self.create_element(name, tag, names);
        if let Some(parent) = parent {
            self.append_node(parent, node);
        }
        Some(node)
    }

    fn make_comment(&mut self, data: &str, span: Span) -> u32 {
        self.advance_line(Some(span));
        self.text_bytes += data.len();
        let handle = self.sink.create_comment(data.into());
        self.add_handle(handle)
    }

    fn make_processing_instruction(&mut self, target: &str, data: &str, span: Span) -> u32 {
        self.advance_line(Some(span));
        self.text_bytes += target.len() + data.len();
        let handle = self.sink.create_pi(target.into(), data.into());
        self.add_handle(handle)
    }

    /// Appends a DOCTYPE to the document immediately, unless DOCTYPEs are dropped, since markup5ever has no node for
    /// it.
    fn make_doctype(
        &mut self,
        name: &str,
        public_identifier: Option<&str>,
        system_identifier: Option<&str>,
        span: Span,
    ) -> u32 {
        self.advance_line(Some(span));
        if !self.drops_doctype {
            let [public, system] = [public_identifier, system_identifier]
                .map(|identifier| StrTendril::from(identifier.unwrap_or_default()));
            self.sink.append_doctype_to_document(name.into(), public, system);
        }
        let node = self.add_handle(self.handle(0).clone());
        self.doctype = Some(node);
        node
    }

    fn append_node(&mut self, parent: u32, child: u32) {
        if self.doctype == Some(child) {
            return;
        }
        if self.parents.parent_of(child).is_some() {
            // The method `append` of a sink is not required to detach the node from its old parent.
            self.sink.remove_from_parent(self.handle(child));
        }
        self.parents.link(parent, child);
        let node = NodeOrText::AppendNode(self.handle(child).clone());
        self.sink.append(self.handle(parent), node);
    }

    fn insert_node_before(&mut self, sibling: u32, child: u32) {
        if let Some(parent) = self.parents.parent_of(sibling) {
            self.parents.link(parent, child);
        }
        let node = NodeOrText::AppendNode(self.handle(child).clone());
        self.sink.append_before_sibling(self.handle(sibling), node);
    }

    fn append_characters(&mut self, parent: u32, text: &str, span: Span) {
        self.advance_line(Some(span));
        self.text_bytes += text.len();
        self.sink.append(self.handle(parent), NodeOrText::AppendText(text.into()));
    }

    fn insert_characters_before(&mut self, sibling: u32, text: &str, span: Span) {
        self.advance_line(Some(span));
        self.text_bytes += text.len();
        self.sink.append_before_sibling(self.handle(sibling), NodeOrText::AppendText(text.into()));
    }

    fn remove_from_parent(&mut self, node: u32) {
        self.parents.unlink(node);
        self.sink.remove_from_parent(self.handle(node));
    }

    fn parent_of(&self, node: u32) -> Option<u32> {
        self.parents.parent_of(node)
    }

    fn reparent_children(&mut self, from: u32, to: u32) {
        self.parents.link_children(from, to);
        self.sink.reparent_children(self.handle(from), self.handle(to));
    }

    fn add_missing_attributes<'a, I>(&mut self, element: u32, attributes: I)
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        let attributes = self.convert_attributes(attributes);
        self.sink.add_attrs_if_missing(self.handle(element), attributes);
    }

    fn template_contents(&mut self, element: u32) -> u32 {
        if let Some(&contents) = self.contents.get(&element) {
            return contents;
        }
        let contents = self.add_handle(self.sink.get_template_contents(self.handle(element)));
        self.contents.insert(element, contents);
        contents
    }

    fn attach_shadow_root(&mut self, host: u32, template: u32, _: ShadowRootMode) -> bool {
        let Some((node, attributes)) = self.template.take() else { return false };
        let (host, handle) = (self.handle(host), self.handle(template));
        node == template
            && self.sink.allow_declarative_shadow_roots(host)
            && self.sink.attach_declarative_shadow(host, handle, &attributes)
    }

    fn show_option(&mut self, option: u32, _: &SelectedContent) {
        self.sink.maybe_clone_an_option_into_selectedcontent(self.handle(option));
    }

    fn set_document_mode(&mut self, mode: DocumentMode) {
        self.sink.set_quirks_mode(match mode {
            DocumentMode::LimitedQuirks => QuirksMode::LimitedQuirks,
            DocumentMode::Quirks => QuirksMode::Quirks,
            _ => QuirksMode::NoQuirks,
        });
    }

    fn popped(&mut self, element: u32) {
        self.sink.pop(self.handle(element));
    }

    /// Returns the heap bytes of the adapter plus an estimate for the sink, from the nodes and text it was given.
    fn memory(&self) -> usize {
        self.handles.capacity() * size_of::<S::Handle>()
            + self.handles.len() * NODE_SIZE
            + self.parents.heap_size()
            + self.text_bytes
            + self.atoms.names.heap_size()
            + self.lines.heap_size()
    }
}
