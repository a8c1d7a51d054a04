//! Nodes: an id together with its document.

use crate::attribute::Attribute;
use crate::document::{Document, node};
use crate::iterate::Nodes;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};
use tabulex::WriteNode as _;
use tabulex::select::Query as _;
use tabulex::tree::{HtmlSerializer, NodeId, NodeKind, NodeRef, ShadowRootMode};

/// A node of a document. Nodes are equal if they are the same node of one document.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Node {
    pub(crate) document: Py<Document>,
    pub(crate) id: NodeId,
}

/// Recreates a node when it is unpickled.
#[pyfunction(name = "_node_of")]
pub(crate) fn node_of(document: &Bound<'_, Document>, index: usize) -> PyResult<Node> {
    let node_ref = document.get().parsed.tree.node_at(index);
    let node_ref = node_ref.ok_or_else(|| {
        PyValueError::new_err(format!("the document has no node with index {index}"))
    })?;
    Ok(node(document, node_ref.id()))
}

impl Node {
    /// Returns the node in the tree.
    pub(crate) fn node_ref(&self) -> NodeRef<'_> {
        self.document.get().parsed.tree.node(self.id)
    }

    fn wrap(&self, py: Python<'_>, node: Option<NodeRef<'_>>) -> Option<Self> {
        Some(Self { document: self.document.clone_ref(py), id: node?.id() })
    }

    fn wrap_all<'a>(&self, py: Python<'_>, nodes: impl Iterator<Item = NodeRef<'a>>) -> Vec<Self> {
        nodes.filter_map(|node| self.wrap(py, Some(node))).collect()
    }

    fn serializer(&self) -> Option<HtmlSerializer<'static>> {
        self.document.get().serializer()
    }
}

/// Methods for the kind and the names of a node.
#[pymethods]
impl Node {
    /// The kind of the node: ``"document"``, ``"fragment"``, ``"doctype"``, ``"element"``, ``"text"``, ``"comment"`` or
    /// ``"processing_instruction"``.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.node_ref().kind() {
            NodeKind::Document => "document",
            NodeKind::Fragment => "fragment",
            NodeKind::Doctype => "doctype",
            NodeKind::Text => "text",
            NodeKind::Comment => "comment",
            NodeKind::ProcessingInstruction => "processing_instruction",
            _ => "element",
        }
    }

    /// Whether the node is an element.
    #[getter]
    fn is_element(&self) -> bool {
        self.node_ref().is_element()
    }

    /// Whether the node is text.
    #[getter]
    fn is_text(&self) -> bool {
        self.node_ref().is_text()
    }

    /// The local name of an element, such as ``"a"``; ``None`` for other nodes.
    #[getter]
    fn tag(&self) -> Option<&str> {
        self.node_ref().local_name()
    }

    /// The name of an element as written, ``prefix:local`` or ``local``, or the name of a document type; ``None`` for
    /// other nodes.
    #[getter]
    fn name(&self) -> Option<String> {
        let node = self.node_ref();
        let doctype_name = || node.doctype().map(|doctype| doctype.name.to_owned());
        node.name().map(|name| name.to_string()).or_else(doctype_name)
    }

    /// The URI of an element's namespace, or ``None``.
    #[getter]
    fn namespace(&self) -> Option<&str> {
        let name = self.node_ref().name()?.namespace_str();
        (!name.is_empty()).then_some(name)
    }

    /// The data of a text, comment or processing instruction; ``None`` for other nodes.
    #[getter]
    fn data(&self) -> Option<&str> {
        self.node_ref().data()
    }

    /// The target of a processing instruction; ``None`` for other nodes.
    #[getter]
    fn target(&self) -> Option<&str> {
        self.node_ref().target()
    }

    /// The public identifier of a document type, or ``None``.
    #[getter]
    fn public_id(&self) -> Option<&str> {
        self.node_ref().doctype()?.public_identifier
    }

    /// The system identifier of a document type, or ``None``.
    #[getter]
    fn system_id(&self) -> Option<&str> {
        self.node_ref().doctype()?.system_identifier
    }

    /// The document that contains the node.
    #[getter]
    fn document(&self, py: Python<'_>) -> Py<Document> {
        self.document.clone_ref(py)
    }
}

/// Methods for the attributes of an element.
#[pymethods]
impl Node {
    /// The attributes of an element as a new read-only dictionary from names, as written, to values, in source order.
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let class = CLASS.get_or_try_init(py, || -> PyResult<Py<PyAny>> {
            Ok(py.import("pytabulex._types")?.getattr("Attributes")?.unbind())
        })?;
        let attributes = PyDict::new(py);
        for attribute in self.node_ref().attributes() {
            let name = attribute.name();
            let value = attribute.value();
            if name.prefix().is_empty() {
                attributes.set_item(name.local(), value)?;
            } else {
                attributes.set_item(name.to_string(), value)?;
            }
        }
        class.bind(py).call1((attributes,))
    }

    /// The attributes with their namespaces and positions.
    #[getter]
    fn attributes(&self, py: Python<'_>) -> Vec<Attribute> {
        let count = self.node_ref().attributes().len();
        let new_attribute =
            |index| Attribute { document: self.document.clone_ref(py), node: self.id, index };
        (0..count).map(new_attribute).collect()
    }

    /// Returns the value of an attribute, or ``default``.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.node_ref().attribute(name) {
            Some(value) => Ok(Some(value.into_pyobject(py)?.into_any())),
            None => Ok(default),
        }
    }

    fn __getitem__(&self, name: &str) -> PyResult<&str> {
        self.node_ref().attribute(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    /// Whether the node has an attribute called ``item``, or the node ``item`` as a child.
    fn __contains__(&self, item: &Bound<'_, PyAny>) -> bool {
        if let Ok(name) = item.extract::<&str>() {
            return self.node_ref().attribute(name).is_some();
        }
        let Ok(child) = item.cast::<Self>() else { return false };
        let child = child.get();
        self.document.is(&child.document) && child.node_ref().parent() == Some(self.node_ref())
    }

    /// Returns the node as markup, like ``html``.
    fn __str__(&self, py: Python<'_>) -> String {
        self.html(py)
    }

    /// The value of the attribute ``id``, or ``None``.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.node_ref().id_attribute()
    }

    /// The classes of an element, in source order.
    #[getter]
    fn classes(&self) -> Vec<&str> {
        self.node_ref().classes().collect()
    }
}

/// Declares getters of single related nodes, which the library's methods of the same names return.
macro_rules! related_nodes {
    ($($(#[$doc:meta])* $name:ident)*) => {
        #[pymethods]
        impl Node {
            $($(#[$doc])*
            #[getter]
            fn $name(&self, py: Python<'_>) -> Option<Self> {
                self.wrap(py, self.node_ref().$name())
            })*
        }
    };
}

related_nodes! {
    /// The parent; ``None`` for the document, and for the fragment of a template's contents or a shadow root.
    parent
    /// The first child; ``None`` if there is none.
    first_child
    /// The last child; ``None`` if there is none.
    last_child
    /// The next sibling; ``None`` if there is none.
    next_sibling
    /// The previous sibling; ``None`` if there is none.
    previous_sibling
    /// The next sibling that is an element; ``None`` if there is none.
    next_element
    /// The previous sibling that is an element; ``None`` if there is none.
    previous_element
    /// The contents of a template: a fragment that is not among the children; ``None`` for other nodes.
    template_contents
    /// The declarative shadow root of an element: a fragment that is not among the children; ``None`` if there is none.
    shadow_root
}

/// Methods that return several related nodes, and the mode of a shadow root.
#[pymethods]
impl Node {
    /// The ancestors, starting with the parent.
    #[getter]
    fn ancestors(&self, py: Python<'_>) -> Vec<Self> {
        self.wrap_all(py, self.node_ref().ancestors())
    }

    /// The children, in document order.
    #[getter]
    fn children(&self, py: Python<'_>) -> Vec<Self> {
        self.wrap_all(py, self.node_ref().children())
    }

    /// The children that are elements, in document order.
    #[getter]
    fn elements(&self, py: Python<'_>) -> Vec<Self> {
        self.wrap_all(py, self.node_ref().child_elements())
    }

    /// The mode of the element's shadow root, ``"open"`` or ``"closed"``, or ``None``.
    #[getter]
    fn shadow_root_mode(&self) -> Option<&'static str> {
        self.node_ref().shadow_root_mode().map(ShadowRootMode::as_str)
    }

    /// Returns an iterator over the descendants in document order. Template contents are separate trees and not
    /// included.
    fn descendants(&self, py: Python<'_>) -> Nodes {
        Nodes::below(self.document.bind(py), self.id)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.children(py))?.try_iter()?.into_any())
    }
}

/// Methods that take CSS selectors.
#[pymethods]
impl Node {
    /// Returns all descendants that match a CSS selector, in document order. ``:scope`` matches this node.
    pub(crate) fn css<'py>(
        &self,
        py: Python<'py>,
        selector: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let selector = crate::selector::selector(selector)?;
        let ids = py.detach(|| self.document.get().select(self.node_ref(), &selector));
        PyList::new(py, ids.iter().map(|&id| node(self.document.bind(py), id)))
    }

    /// Returns the first descendant that matches a CSS selector, or ``default``.
    #[pyo3(signature = (selector, default=None))]
    pub(crate) fn css_first<'py>(
        &self,
        py: Python<'py>,
        selector: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let selector = crate::selector::selector(selector)?;
        let id = py.detach(|| self.node_ref().select_first(&selector).map(|node| node.id()));
        let Some(id) = id else { return Ok(default) };
        let node = Self { document: self.document.clone_ref(py), id };
        Ok(Some(node.into_pyobject(py)?.into_any()))
    }

    /// Returns whether this node is an element that matches a CSS selector. Each call that tests the position among
    /// siblings, as ``:nth-child()`` does, takes time linear in their number; ``css`` tests all elements in linear time.
    fn matches(&self, selector: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.node_ref().matches(&crate::selector::selector(selector)?))
    }

    /// Returns the nearest element that matches a CSS selector among this node and its ancestors, or ``None``.
    /// The cost of each test is that of ``matches``.
    fn closest(&self, py: Python<'_>, selector: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        Ok(self.wrap(py, self.node_ref().closest(&crate::selector::selector(selector)?)))
    }
}

/// Methods that return text or markup.
#[pymethods]
impl Node {
    /// Returns the concatenated text of the descendants, or the node's own text. ``separator`` is inserted between
    /// texts; ``strip`` trims each text and drops empty ones. Comments and template contents are omitted; scripts and
    /// styles are not.
    #[pyo3(signature = (separator="", *, strip=false))]
    pub(crate) fn text(&self, py: Python<'_>, separator: &str, strip: bool) -> String {
        py.detach(|| join_texts(self.node_ref(), separator, strip))
    }

    /// The markup of the node: ``outerHTML`` for HTML, XML for other dialects.
    #[getter]
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| {
            let node = self.node_ref();
            self.serializer().map_or_else(|| node.to_xml(), |serializer| serializer.outer(node))
        })
    }

    /// The markup of the node's contents: ``innerHTML`` for HTML, XML for other dialects.
    #[getter]
    pub(crate) fn inner_html(&self, py: Python<'_>) -> String {
        py.detach(|| {
            let node = self.node_ref();
            let as_xml = || node.children().map(|child| child.to_xml()).collect();
            self.serializer().map_or_else(as_xml, |serializer| serializer.inner(node))
        })
    }

    /// Returns the node as XML.
    fn to_xml(&self, py: Python<'_>) -> String {
        py.detach(|| self.node_ref().to_xml())
    }

    /// Returns the node as JSON.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| self.node_ref().to_json())
    }

    /// Returns the node in the format of the html5lib tests; for the root of a fragment, its contents.
    pub(crate) fn dump(&self, py: Python<'_>) -> String {
        let document = self.document.get();
        py.detach(|| {
            let node = self.node_ref();
            let is_qualified = document.settings.dialect.elements() == Some(tabulex::Elements::Xml);
            let dump = |node: NodeRef<'_>| match is_qualified {
                true => node.to_qualified_dump(),
                false => node.to_dump(),
            };
            let is_fragment_root = node == document.python_root() && node.is_element();
            if is_fragment_root { node.children().map(dump).collect() } else { dump(node) }
        })
    }
}

/// Concatenates the texts below a node, or its own text. `strip` trims each text and drops empty ones.
fn join_texts(node: NodeRef<'_>, separator: &str, strip: bool) -> String {
    if separator.is_empty() && !strip {
        return node.text();
    }
    let mut output = String::new();
    let nodes = std::iter::once(node).chain(node.descendants());
    for text in nodes.filter(NodeRef::is_text).filter_map(|text| text.data()) {
        let text = if strip { text.trim() } else { text };
        if strip && text.is_empty() {
            continue;
        }
        if !output.is_empty() {
            output.push_str(separator);
        }
        output.push_str(text);
    }
    output
}

/// Methods for positions and for Python's protocols.
#[pymethods]
impl Node {
    /// The position of the node, as a slice of the source: an element's start tag, or the range from the first to the
    /// last piece of a text. ``None`` if the node is not in the source, or positions were not kept.
    #[getter]
    fn span<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let span = self.node_ref().span();
        span.map(|span| self.document.get().source.slice(py, span)).transpose()
    }

    /// The position of an element's end tag, as a slice of the source; ``None`` if it is implied, or positions were not
    /// kept.
    #[getter]
    fn end_span<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let span = self.node_ref().end_tag_span();
        span.map(|span| self.document.get().source.slice(py, span)).transpose()
    }

    /// The line and column of the node's start, counted from 1 in code points of the decoded text; ``None`` where
    /// ``span`` is.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<Option<(usize, usize)>> {
        let span = self.node_ref().span();
        span.map(|span| self.document.get().source.position(py, span.start)).transpose()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.id == other.id && self.document.is(&other.document)
    }

    fn __hash__(&self) -> u64 {
        (self.document.as_ptr() as u64).rotate_left(20) ^ self.id.index() as u64
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let node = self.node_ref();
        let description = match (node.data(), node.name()) {
            (Some(data), _) => format!("{} {:?}", self.kind(), truncate_for_repr(data)),
            (None, Some(name)) => {
                let attributes = node.attributes().take(3);
                let attributes = attributes.map(|attribute| {
                    format!(" {}={:?}", attribute.name(), truncate_for_repr(attribute.value()))
                });
                let ellipsis = if node.attributes().len() > 3 { " …" } else { "" };
                format!("{name}{}{ellipsis}", attributes.collect::<String>())
            }
            (None, None) => self.kind().to_owned(),
        };
        let Some(span) = node.span() else { return Ok(format!("<Node {description}>")) };
        let (start, end) = self.document.get().source.range(py, span)?;
        Ok(format!("<Node {description} [{start}:{end}]>"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let constructor = py.import("pytabulex._tabulex")?.getattr("_node_of")?;
        (constructor, (self.document.clone_ref(py), self.id.index())).into_pyobject(py)
    }
}

/// Returns a text for `repr`, cut after `MAX_REPR_LEN` characters.
fn truncate_for_repr(text: &str) -> String {
    const MAX_REPR_LEN: usize = 40;
    match text.char_indices().nth(MAX_REPR_LEN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
