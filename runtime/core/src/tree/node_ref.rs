//! References to nodes, for reading and walking a tree. A reference by an id that the tree does not have refers to an
//! empty fragment.

use super::Tree;
use super::attributes::AttributeRecord;
use super::iterate::{Ancestors, Children, Descendants, Siblings, Walk, follow};
use super::node::{NONE, Node, NodeId, NodeKind};
use super::node_spans::RawSpan;
use super::options::Positions;
use crate::names::{Name, NameRef, Namespace};
use crate::reads::{count_bytes, count_reads};
use crate::span::Span;
use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A reference to a node of a tree. References are equal if they refer to the same node of the same tree.
#[derive(Clone, Copy)]
pub struct NodeRef<'a> {
    tree: &'a Tree,
    id: u32,
}

impl PartialEq for NodeRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.id == other.id
    }
}

impl Eq for NodeRef<'_> {}

impl Hash for NodeRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.tree).hash(state);
        self.id.hash(state);
    }
}

impl<'a> NodeRef<'a> {
    #[inline]
    pub(super) fn new(tree: &'a Tree, id: u32) -> Self {
        Self { tree, id }
    }

    /// Returns a reference to another node of the tree, or `None` for [`NONE`].
    #[inline]
    pub(super) fn at(self, id: u32) -> Option<Self> {
        (id != NONE).then_some(Self { id, ..self })
    }

    /// Returns the node's record, and counts it as read.
    #[inline]
    pub(super) fn raw(&self) -> &'a Node {
        count_reads(1);
        self.tree.nodes.get(self.id as usize).unwrap_or(&Node::EMPTY_FRAGMENT)
    }

    #[inline]
    pub(crate) fn raw_name(&self) -> Option<Name> {
        self.tree.far_names.name(self.raw())
    }

    /// Returns the id of the node.
    #[inline]
    pub fn id(&self) -> NodeId {
        NodeId(self.id)
    }

    /// Returns the tree that the node belongs to.
    pub fn tree(&self) -> &'a Tree {
        self.tree
    }

    /// Returns the kind of the node.
    #[inline]
    pub fn kind(&self) -> NodeKind {
        self.raw().kind()
    }

    /// Whether the node is an element.
    #[inline]
    pub fn is_element(&self) -> bool {
        self.raw().is_element()
    }

    /// Whether the node is a text node.
    #[inline]
    pub fn is_text(&self) -> bool {
        self.raw().is_text()
    }

    /// Returns the name of an element, or `None` for any other node.
    #[inline]
    pub fn name(&self) -> Option<NameRef<'a>> {
        self.raw_name().map(|name| self.tree.names.resolve(name))
    }

    /// Returns the local name of an element, or `None` for any other node.
    #[doc(alias = "tag_name")]
    #[doc(alias = "tag")]
    #[inline]
    pub fn local_name(&self) -> Option<&'a str> {
        self.raw_name().map(|name| self.tree.names.local_str(name.local()))
    }

    /// Returns the namespace of an element, or `None` for any other node.
    #[inline]
    pub fn namespace(&self) -> Option<Namespace> {
        self.raw_name().map(|name| self.tree.names.namespace_of(name))
    }

    /// Returns the value of an attribute by its qualified name, `prefix:local` or `local`; `None` if the node does not
    /// have it. For an HTML element, the name is first converted to lowercase, unless the document is XML.
    #[doc(alias = "attr")]
    #[doc(alias = "get_attribute")]
    #[doc(alias = "has_attribute")]
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attribute_ref(name).map(|attribute| attribute.value())
    }

    /// Returns the name of the attribute that `name` refers to (DOM, "get an attribute by name"): for an HTML element,
    /// `name` in lowercase, unless the document is XML.
    pub fn attribute_name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        let has_upper = name.bytes().any(|byte| byte.is_ascii_uppercase());
        if has_upper && self.namespace() == Some(Namespace::HTML) && !self.tree.is_xml {
            return Cow::Owned(name.to_ascii_lowercase());
        }
        Cow::Borrowed(name)
    }

    /// Returns the value of an attribute by its namespace and local name, whatever its prefix; `None` if the node does
    /// not have it.
    pub fn attribute_in(&self, namespace: Namespace, local_name: &str) -> Option<&'a str> {
        let matches = |attribute: &AttributeRef<'_>| {
            attribute.name().namespace() == namespace && attribute.name().local() == local_name
        };
        self.attributes().find(matches).map(|attribute| attribute.value())
    }

    /// Returns the value of an attribute by its interned name; `None` if the node does not have it.
    #[inline]
    pub fn named_attribute(&self, name: Name) -> Option<&'a str> {
        let range = self.raw().attributes();
        let index = self.tree.attributes.find(range, name)?;
        let value = self.tree.texts.get(self.tree.attributes.records(range)[index].value);
        count_bytes(value);
        Some(value)
    }

    /// Whether the node is an element that has attributes.
    #[inline]
    pub fn has_attributes(&self) -> bool {
        self.raw().attributes().count != 0
    }

    /// Returns the attributes of an element, in the order of the input.
    #[doc(alias = "attrs")]
    #[inline]
    pub fn attributes(&self) -> AttributeRefs<'a> {
        let records = self.tree.attributes.records(self.raw().attributes());
        AttributeRefs { node: *self, records: records.iter().enumerate() }
    }

    /// Returns the data of a text, comment or processing instruction, or `None` for any other node.
    #[inline]
    pub fn data(&self) -> Option<&'a str> {
        let data = match self.is_text() {
            true => Some(self.tree.texts.get(self.raw().slot())),
            false => self.data_slow(),
        };
        count_bytes(data.unwrap_or_default());
        data
    }

    /// Returns the data of a text node as bytes.
    #[inline]
    pub(super) fn text_bytes(&self) -> &'a [u8] {
        self.tree.texts.bytes(self.raw().slot())
    }

    /// Slow path of `data`, for nodes that are not texts.
    fn data_slow(&self) -> Option<&'a str> {
        let slot = match self.kind() {
            NodeKind::Text | NodeKind::Comment => self.raw().slot(),
            NodeKind::ProcessingInstruction => {
                self.tree.instructions[self.raw().index() as usize].data
            }
            _ => return None,
        };
        Some(self.tree.texts.get(slot))
    }

    /// Returns the target of a processing instruction, or `None` for any other node.
    pub fn target(&self) -> Option<&'a str> {
        let is_instruction = self.kind() == NodeKind::ProcessingInstruction;
        let record = is_instruction.then(|| self.tree.instructions[self.raw().index() as usize])?;
        Some(self.tree.texts.get(record.target))
    }

    /// Returns the name and identifiers of a document type, or `None` for any other node.
    pub fn doctype(&self) -> Option<DoctypeRef<'a>> {
        let is_doctype = self.kind() == NodeKind::Doctype;
        let record = is_doctype.then(|| self.tree.doctypes[self.raw().index() as usize])?;
        let text_of = |slot| self.tree.texts.get(slot);
        Some(DoctypeRef {
            name: text_of(record.name),
            public_identifier: record.public_identifier.map(text_of),
            system_identifier: record.system_identifier.map(text_of),
        })
    }

    /// Returns the concatenated text of the descendants, or the data of a text node; comments, processing instructions
    /// and template contents are omitted. For elements, fragments and texts, this is the DOM's `textContent`; the
    /// module `text` returns the text that browsers render.
    #[doc(alias = "text_content")]
    #[doc(alias = "inner_text")]
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_text(&mut text);
        text
    }

    /// Writes the text that [`text`](Self::text) returns.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` does.
    pub fn write_text(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        if self.is_text() {
            return out.write_str(self.data().unwrap_or_default());
        }
        let mut texts = self.descendants().filter(NodeRef::is_text);
        texts.try_for_each(|text| out.write_str(text.data().unwrap_or_default()))
    }

    /// Returns the range of the node in the input: the start tag of an element, or the first to the last piece of a
    /// text. `None` if the node is not in the input, or the tree keeps no [`Positions`](super::Positions).
    #[doc(alias = "position")]
    #[doc(alias = "sourcepos")]
    pub fn span(&self) -> Option<Span> {
        self.stored_span().map(|span| self.tree.original_span(span))
    }

    /// Returns the range of the node, if known, as stored, before it is mapped to the original input.
    pub(super) fn stored_span(self) -> Option<Span> {
        let (spans, index) = (&self.tree.spans, self.id as usize);
        if self.is_element() { spans.start_tag(index) } else { spans.get(index) }
    }

    /// Returns the range of an element's end tag; `None` if the end tag is implied, the start tag is self-closing
    /// (`<a/>`), the tree keeps no [`Positions`](super::Positions), or the node is not an element.
    pub fn end_tag_span(&self) -> Option<Span> {
        let end_tag =
            if self.is_element() { self.tree.spans.end_tag(self.id as usize) } else { None };
        end_tag.map(|span| self.tree.original_span(span))
    }

    /// Returns the parent of the node, if it has one.
    #[inline]
    pub fn parent(&self) -> Option<Self> {
        self.at(self.raw().parent)
    }

    /// Returns the first child of the node, if it has one.
    #[inline]
    pub fn first_child(&self) -> Option<Self> {
        self.at(self.raw().first_child)
    }

    /// Returns the last child of the node, if it has one.
    #[inline]
    pub fn last_child(&self) -> Option<Self> {
        self.at(self.raw().last_child)
    }

    /// Returns the previous sibling of the node, if it has one.
    #[inline]
    pub fn previous_sibling(&self) -> Option<Self> {
        self.at(self.raw().previous_sibling)
    }

    /// Returns the next sibling of the node, if it has one.
    #[inline]
    pub fn next_sibling(&self) -> Option<Self> {
        self.at(self.raw().next_sibling)
    }

    /// Returns the fragment with the contents of a template, or `None` for any other node.
    pub fn template_contents(&self) -> Option<Self> {
        self.contents().filter(|_| !self.tree.shadows.contains_key(&self.id))
    }

    /// Returns the contents of a template or the shadow root of a host, or `None` for any other node.
    pub(super) fn contents(&self) -> Option<Self> {
        let contents = &self.tree.contents;
        if contents.is_empty() { None } else { self.at(*contents.get(&self.id)?) }
    }

    /// Whether an attribute of the element's tag was dropped because an earlier attribute has the same name.
    pub fn had_duplicate_attributes(&self) -> bool {
        self.tree.had_duplicates.contains(&self.id)
    }

    /// Returns the element, if any, that a pointer of the table was set to when the parser created this node. In HTML,
    /// that is the form that owns a control, even if the form does not contain the control. Controls in templates or
    /// with the attribute `form` do not belong to it.
    pub fn associated(&self) -> Option<Self> {
        let index = self.tree.associations.partition_point(|(element, _)| *element < self.id);
        let (element, end) = *self.tree.associations[..index].last()?;
        (self.id < end).then(|| self.at(element))?
    }

    /// Returns the template whose contents this fragment is, or the element whose shadow root it is; `None` for any
    /// other node.
    pub fn host(&self) -> Option<Self> {
        (self.kind() == NodeKind::Fragment).then(|| self.at(self.raw().index()))?
    }

    /// Returns a double-ended iterator over the children of the node.
    pub fn children(&self) -> Children<'a> {
        Children::new(*self)
    }

    /// Returns an iterator over the child elements.
    pub fn child_elements(&self) -> impl DoubleEndedIterator<Item = NodeRef<'a>> + use<'a> {
        self.children().filter(NodeRef::is_element)
    }

    /// Returns an iterator over the descendants in tree order. Template contents and shadow roots, which are separate
    /// trees, are not included.
    #[doc(alias = "traverse")]
    #[doc(alias = "iter")]
    pub fn descendants(&self) -> Descendants<'a> {
        Descendants::new(*self, false)
    }

    /// Returns an iterator over the descendants in tree order, including template contents and shadow roots: each such
    /// fragment and its descendants precede the children of its host.
    ///
    /// ```
    /// let tree = tabulex::html::parse_fragment("<template><b>1</b></template>2", "div", Default::default()).tree;
    /// let root = tree.document_element().unwrap();
    /// let names = root.descendants_with_contents().map(|node| node.local_name().unwrap_or("-"));
    /// assert_eq!(names.collect::<Vec<_>>(), ["template", "-", "b", "-", "-"]);
    /// assert_eq!(root.descendants().count(), 2);
    /// ```
    pub fn descendants_with_contents(&self) -> Descendants<'a> {
        Descendants::new(*self, true)
    }

    /// Returns an iterator over the ancestors, starting with the parent.
    pub fn ancestors(&self) -> Ancestors<'a> {
        follow(*self, Self::parent)
    }

    /// Returns an iterator over the following siblings, nearest first.
    pub fn next_siblings(&self) -> Siblings<'a> {
        follow(*self, Self::next_sibling)
    }

    /// Returns an iterator over the preceding siblings, nearest first.
    pub fn previous_siblings(&self) -> Siblings<'a> {
        follow(*self, Self::previous_sibling)
    }

    /// Returns an iterator that opens and closes this node and each descendant in turn. Template contents and shadow
    /// roots are not included.
    pub fn walk(&self) -> Walk<'a> {
        Walk::new(*self, false)
    }

    /// Returns an iterator like [`walk`](Self::walk) that visits template contents and shadow roots before the children
    /// of their hosts.
    pub fn walk_with_contents(&self) -> Walk<'a> {
        Walk::new(*self, true)
    }
}

/// The name and identifiers of a document type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DoctypeRef<'a> {
    /// The name of the document type; empty if missing.
    pub name: &'a str,
    /// The public identifier, unless missing.
    pub public_identifier: Option<&'a str>,
    /// The system identifier, unless missing.
    pub system_identifier: Option<&'a str>,
}

/// An attribute of an element.
#[derive(Clone, Copy)]
pub struct AttributeRef<'a> {
    node: NodeRef<'a>,
    record: &'a AttributeRecord,
    index: usize,
}

impl<'a> AttributeRef<'a> {
    /// Returns the name of the attribute.
    #[inline]
    pub fn name(&self) -> NameRef<'a> {
        self.node.tree.names.resolve(self.node.tree.attributes.name(self.record))
    }

    /// Returns the value of the attribute.
    #[inline]
    pub fn value(&self) -> &'a str {
        self.node.tree.texts.get(self.record.value)
    }

    /// Returns the range of the attribute's name in the input, or `None` if the tree does not keep it.
    pub fn name_span(&self) -> Option<Span> {
        self.original(self.spans().0)
    }

    /// Returns the range of the attribute's value in the input, without quotes, or `None` if the tree does not keep it.
    pub fn value_span(&self) -> Option<Span> {
        self.original(self.spans().1)
    }

    /// Maps a stored range to the original input; returns `None` for [`RawSpan::NONE`].
    fn original(&self, span: RawSpan) -> Option<Span> {
        span.get().map(|span| self.node.tree.original_span(span))
    }

    /// Returns the stored ranges of the name and of the value.
    fn spans(&self) -> (RawSpan, RawSpan) {
        let tree = self.node.tree;
        if tree.positions != Positions::All {
            return (RawSpan::NONE, RawSpan::NONE);
        }
        let spans = tree.attributes.spans(self.node.raw().attributes(), self.index);
        (spans.name, spans.value)
    }
}

impl PartialEq for AttributeRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name() && self.value() == other.value()
    }
}

impl fmt::Debug for AttributeRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={:?}", self.name(), self.value())
    }
}

/// An iterator over the attributes of an element.
#[derive(Clone)]
pub struct AttributeRefs<'a> {
    node: NodeRef<'a>,
    records: std::iter::Enumerate<std::slice::Iter<'a, AttributeRecord>>,
}

impl<'a> Iterator for AttributeRefs<'a> {
    type Item = AttributeRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<AttributeRef<'a>> {
        self.nth(0)
    }

    #[inline]
    fn nth(&mut self, number: usize) -> Option<AttributeRef<'a>> {
        count_reads(1);
        let (index, record) = self.records.nth(number)?;
        Some(AttributeRef { node: self.node, record, index })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.records.size_hint()
    }
}

impl ExactSizeIterator for AttributeRefs<'_> {}

/// Common queries of elements. Ids and classes come from the attributes `id` and `class` in no namespace, and are
/// compared exactly.
impl<'a> NodeRef<'a> {
    /// Whether this is an element in the HTML namespace with this local name.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let tree = html::parse("<a href=/>1</a><svg><a/></svg>", Options::new()).tree;
    /// assert_eq!(tree.root().descendants().filter(|node| node.is_html("a")).count(), 1);
    /// ```
    pub fn is_html(&self, local_name: &str) -> bool {
        self.namespace() == Some(Namespace::HTML) && self.local_name() == Some(local_name)
    }

    /// Returns an attribute by its qualified name, `prefix:local` or `local`; `None` if the node does not have it. For
    /// an HTML element, the name is first converted to lowercase, unless the document is XML.
    pub fn attribute_ref(&self, name: &str) -> Option<AttributeRef<'a>> {
        let name = self.attribute_name(name);
        self.attributes().find(|attribute| attribute.name().is(&name))
    }

    /// Returns the value of the element's attribute `id`, or `None` if there is no such attribute.
    #[doc(alias = "id")]
    pub fn id_attribute(&self) -> Option<&'a str> {
        self.attribute_in(Namespace::NONE, "id")
    }

    /// Returns the classes of an element, the words of the attribute `class`, in order of occurrence and with
    /// duplicates.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let tree = html::parse("<p class=' new  wide '>", Options::new()).tree;
    /// let p = tree.root().descendants().find(|node| node.is_html("p")).unwrap();
    /// assert_eq!(p.classes().collect::<Vec<_>>(), ["new", "wide"]);
    /// assert!(p.has_class("wide") && !p.has_class("Wide"));
    /// ```
    #[doc(alias = "class_list")]
    pub fn classes(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.attribute_in(Namespace::NONE, "class").unwrap_or("").split_ascii_whitespace()
    }

    /// Whether the element has this class.
    pub fn has_class(&self, class: &str) -> bool {
        self.classes().any(|other| other == class)
    }

    /// Returns the nearest following sibling that is an element, if there is one.
    pub fn next_element(&self) -> Option<Self> {
        self.next_siblings().find(Self::is_element)
    }

    /// Returns the nearest preceding sibling that is an element, if there is one.
    pub fn previous_element(&self) -> Option<Self> {
        self.previous_siblings().find(Self::is_element)
    }

    /// Returns the first descendant, in tree order, with this id, or `None` if there is none. The search is linear.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let tree = html::parse("<p id=a>1<p id=b>2<p id=b>3", Options::new()).tree;
    /// assert_eq!(tree.root().element_by_id("b").unwrap().text(), "2");
    /// assert_eq!(tree.element_by_id("c"), None);
    /// ```
    #[doc(alias = "get_element_by_id")]
    pub fn element_by_id(&self, id: &str) -> Option<Self> {
        self.descendants().find(|node| node.id_attribute() == Some(id))
    }
}

impl Tree {
    /// Returns the first element of the document, in tree order, with this id, or `None` if there is none. The search
    /// is linear.
    pub fn element_by_id(&self, id: &str) -> Option<NodeRef<'_>> {
        self.root().element_by_id(id)
    }
}

// Shadow roots of elements, each a fragment with the element as host. Tree construction decides which elements can
// have a shadow root.

/// Whether scripts can access a shadow root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShadowRootMode {
    /// Scripts can access the shadow root.
    Open,
    /// Scripts cannot access the shadow root.
    Closed,
}

impl ShadowRootMode {
    /// Returns the mode's name in the DOM Standard, which markup also uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

/// The properties of a shadow root.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShadowRecord {
    pub(super) mode: ShadowRootMode,
    /// The template element that declared the shadow root, kept for its attributes.
    pub(super) template: u32,
}

impl<'a> NodeRef<'a> {
    /// Returns the shadow root of an element, a fragment; `None` if the element has none.
    pub fn shadow_root(&self) -> Option<Self> {
        self.shadow_record()?;
        self.contents()
    }

    /// Returns the mode of the element's shadow root; `None` if the element has no shadow root.
    pub fn shadow_root_mode(&self) -> Option<ShadowRootMode> {
        self.shadow_record().map(|record| record.mode)
    }

    /// Returns the template that declared the element's shadow root, or `None` if the element has no shadow root. The
    /// template is not part of the document; its attributes are further properties of the shadow root.
    pub fn shadow_root_template(&self) -> Option<Self> {
        let record = self.shadow_record()?;
        Some(self.tree().node(NodeId(record.template)))
    }

    fn shadow_record(&self) -> Option<ShadowRecord> {
        let shadows = &self.tree().shadows;
        if shadows.is_empty() { None } else { shadows.get(&(self.id().index() as u32)).copied() }
    }
}
