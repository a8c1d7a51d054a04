//! Nodes as Python sees them: a number and its document. Invariant: the number is one of the document's tree.

use crate::attribute::Attribute;
use crate::document::{Document, node, selected};
use crate::iterate::Nodes;
use crate::report::slice;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use tabulex::select::Query as _;
use tabulex::tree::{HtmlSerializer, NodeId, NodeKind, NodeRef, ShadowRootMode};

/// A node of a document. Two are equal if they are the same node of the same document.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Node {
    pub(crate) document: Py<Document>,
    pub(crate) id: NodeId,
}

/// The node of this number, for unpickling.
#[pyfunction(name = "_node_of")]
pub(crate) fn node_of(document: &Bound<'_, Document>, index: usize) -> PyResult<Node> {
    let found = document.get().parsed.tree.node_at(index);
    let found = found.ok_or_else(|| PyValueError::new_err("no such node"))?;
    Ok(node(document, found.id()))
}

impl Node {
    /// The node in the tree.
    pub(crate) fn at(&self) -> NodeRef<'_> {
        self.document.get().parsed.tree.node(self.id)
    }

    fn other(&self, py: Python<'_>, node: Option<NodeRef<'_>>) -> Option<Self> {
        Some(Self { document: self.document.clone_ref(py), id: node?.id() })
    }

    fn others<'a>(&self, py: Python<'_>, nodes: impl Iterator<Item = NodeRef<'a>>) -> Vec<Self> {
        nodes.filter_map(|node| self.other(py, Some(node))).collect()
    }

    fn serializer(&self) -> Option<HtmlSerializer<'static>> {
        let settings = &self.document.get().settings;
        let serializer = settings.dialect.serializer()?;
        Some(serializer.scripting(settings.scripting))
    }
}

/// What a node is, and its names.
#[pymethods]
impl Node {
    /// What the node is: ``"document"``, ``"fragment"``, ``"doctype"``, ``"element"``, ``"text"``, ``"comment"`` or
    /// ``"processing_instruction"``.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.at().kind() {
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
        self.at().is_element()
    }

    /// Whether the node is text.
    #[getter]
    fn is_text(&self) -> bool {
        self.at().is_text()
    }

    /// The local name of an element, such as ``"a"``; ``None`` of other nodes.
    #[getter]
    fn tag(&self) -> Option<&str> {
        self.at().local_name()
    }

    /// The name of an element as it is written, ``prefix:local`` or ``local``; of a document type its name.
    #[getter]
    fn name(&self) -> Option<String> {
        let node = self.at();
        let of_doctype = || node.doctype().map(|doctype| doctype.name.to_owned());
        node.name().map(|name| name.to_string()).or_else(of_doctype)
    }

    /// The name (a URI) of the namespace of an element; ``None`` if there is none.
    #[getter]
    fn namespace(&self) -> Option<&str> {
        let name = self.at().name()?.namespace_str();
        (!name.is_empty()).then_some(name)
    }

    /// The data of a text, comment or processing instruction.
    #[getter]
    fn data(&self) -> Option<&str> {
        self.at().data()
    }

    /// The target of a processing instruction.
    #[getter]
    fn target(&self) -> Option<&str> {
        self.at().target()
    }

    /// The public identifier of a document type, unless missing.
    #[getter]
    fn public_id(&self) -> Option<&str> {
        self.at().doctype()?.public_identifier
    }

    /// The system identifier of a document type, unless missing.
    #[getter]
    fn system_id(&self) -> Option<&str> {
        self.at().doctype()?.system_identifier
    }

    /// The document.
    #[getter]
    fn document(&self, py: Python<'_>) -> Py<Document> {
        self.document.clone_ref(py)
    }
}

/// Attributes.
#[pymethods]
impl Node {
    /// The attributes of an element: their names as they are written, and their values, in the order of the source. A new
    /// dictionary each time.
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = PyDict::new(py);
        for attribute in self.at().attributes() {
            let name = attribute.name();
            let value = attribute.value();
            if name.prefix().is_empty() {
                attributes.set_item(name.local(), value)?;
            } else {
                attributes.set_item(name.to_string(), value)?;
            }
        }
        Ok(attributes)
    }

    /// The attributes with their namespaces and places.
    #[getter]
    fn attributes(&self, py: Python<'_>) -> Vec<Attribute> {
        let count = self.at().attributes().len();
        let one = |index| Attribute { document: self.document.clone_ref(py), node: self.id, index };
        (0..count).map(one).collect()
    }

    /// The value of an attribute, or ``default``.
    #[pyo3(signature = (name, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.at().attribute(name) {
            Some(value) => Ok(Some(value.into_pyobject(py)?.into_any())),
            None => Ok(default),
        }
    }

    fn __getitem__(&self, name: &str) -> PyResult<&str> {
        self.at().attribute(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    fn __contains__(&self, name: &str) -> bool {
        self.at().attribute(name).is_some()
    }

    /// The attribute ``id``.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.at().id_attribute()
    }

    /// The classes, in the order of the source.
    #[getter]
    fn classes(&self) -> Vec<&str> {
        self.at().classes().collect()
    }
}

/// The way to other nodes.
#[pymethods]
impl Node {
    /// The parent; ``None`` of the document.
    #[getter]
    fn parent(&self, py: Python<'_>) -> Option<Self> {
        self.other(py, self.at().parent())
    }

    /// The parent, its parent and so on.
    #[getter]
    fn ancestors(&self, py: Python<'_>) -> Vec<Self> {
        self.others(py, self.at().ancestors())
    }

    /// The children.
    #[getter]
    fn children(&self, py: Python<'_>) -> Vec<Self> {
        self.others(py, self.at().children())
    }

    /// The children that are elements.
    #[getter]
    fn elements(&self, py: Python<'_>) -> Vec<Self> {
        self.others(py, self.at().child_elements())
    }

    /// The first child.
    #[getter]
    fn first_child(&self, py: Python<'_>) -> Option<Self> {
        self.other(py, self.at().first_child())
    }

    /// The last child.
    #[getter]
    fn last_child(&self, py: Python<'_>) -> Option<Self> {
        self.other(py, self.at().last_child())
    }

    /// The sibling after this node.
    #[getter]
    fn next_sibling(&self, py: Python<'_>) -> Option<Self> {
        self.other(py, self.at().next_sibling())
    }

    /// The sibling before this node.
    #[getter]
    fn previous_sibling(&self, py: Python<'_>) -> Option<Self> {
        self.other(py, self.at().previous_sibling())
    }

    /// The nearest sibling after this node that is an element.
    #[getter]
    fn next_element(&self, py: Python<'_>) -> Option<Self> {
        self.other(py, self.at().next_element())
    }

    /// The nearest sibling before this node that is an element.
    #[getter]
    fn previous_element(&self, py: Python<'_>) -> Option<Self> {
        self.other(py, self.at().previous_element())
    }

    /// The contents of a template: a fragment, which no child leads to.
    #[getter]
    fn template_contents(&self, py: Python<'_>) -> Option<Self> {
        self.other(py, self.at().template_contents())
    }

    /// The declared shadow root of an element: a fragment, which no child leads to.
    #[getter]
    fn shadow_root(&self, py: Python<'_>) -> Option<Self> {
        self.other(py, self.at().shadow_root())
    }

    /// ``"open"`` or ``"closed"`` if the element has a shadow root.
    #[getter]
    fn shadow_root_mode(&self) -> Option<&'static str> {
        Some(match self.at().shadow_root_mode()? {
            ShadowRootMode::Open => "open",
            ShadowRootMode::Closed => "closed",
        })
    }

    /// All nodes below this one, in the order of the document. Contents of templates are trees of their own.
    fn descendants(&self, py: Python<'_>) -> Nodes {
        Nodes::below(self.document.bind(py), self.id)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.children(py))?.try_iter()?.into_any())
    }
}

/// Selectors.
#[pymethods]
impl Node {
    /// All elements below this node that match a CSS selector, in the order of the document. ``:scope`` is this node.
    pub(crate) fn css(&self, py: Python<'_>, selector: &Bound<'_, PyAny>) -> PyResult<Vec<Self>> {
        let found = selected(py, self.at(), selector)?.into_iter();
        Ok(found.map(|id| Self { document: self.document.clone_ref(py), id }).collect())
    }

    /// The first element below this node that matches a CSS selector, or ``default``.
    #[pyo3(signature = (selector, default=None))]
    pub(crate) fn css_first<'py>(
        &self,
        py: Python<'py>,
        selector: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let selector = crate::selector::selector(selector)?;
        let found = py.detach(|| self.at().select_first(&selector).map(|found| found.id()));
        let Some(id) = found else { return Ok(default) };
        let node = Self { document: self.document.clone_ref(py), id };
        Ok(Some(node.into_pyobject(py)?.into_any()))
    }

    /// Whether this node is an element that matches a CSS selector.
    fn matches(&self, selector: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.at().matches(&crate::selector::selector(selector)?))
    }

    /// The nearest of this element and those around it that matches a CSS selector.
    fn closest(&self, py: Python<'_>, selector: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        Ok(self.other(py, self.at().closest(&crate::selector::selector(selector)?)))
    }
}

/// What is in a node.
#[pymethods]
impl Node {
    /// All text in the node, or its own if it is text, in one string. ``separator`` is put between the texts; ``strip`` takes
    /// white space off each and leaves out those of which nothing remains. Comments and template contents are left out, scripts
    /// and styles are not.
    #[pyo3(signature = (separator="", *, strip=false))]
    pub(crate) fn text(&self, separator: &str, strip: bool) -> String {
        let node = self.at();
        if separator.is_empty() && !strip {
            return node.text();
        }
        let mut joined = String::new();
        let own = std::iter::once(node).chain(node.descendants());
        for text in own.filter(NodeRef::is_text).filter_map(|text| text.data()) {
            let text = if strip { text.trim() } else { text };
            if strip && text.is_empty() {
                continue;
            }
            if !joined.is_empty() {
                joined.push_str(separator);
            }
            joined.push_str(text);
        }
        joined
    }

    /// The node and what is in it, as markup: of HTML as ``outerHTML`` has it, of other dialects as XML.
    #[getter]
    fn html(&self) -> String {
        let node = self.at();
        self.serializer().map_or_else(|| node.to_xml(), |serializer| serializer.outer(node))
    }

    /// What is in the node, as markup: of HTML as ``innerHTML`` has it.
    #[getter]
    pub(crate) fn inner_html(&self) -> String {
        let node = self.at();
        let as_xml = || node.children().map(|child| child.to_xml()).collect();
        self.serializer().map_or_else(as_xml, |serializer| serializer.inner(node))
    }

    /// The node and what is in it, as XML.
    fn to_xml(&self) -> String {
        self.at().to_xml()
    }

    /// The node and what is in it, as JSON.
    fn to_json(&self) -> String {
        self.at().to_json()
    }

    /// The node and what is in it, in the form of the html5lib tests; of the root of a fragment what is in it.
    pub(crate) fn dump(&self) -> String {
        let (node, document) = (self.at(), self.document.get());
        let is_qualified = document.settings.dialect.elements() == Some(tabulex::Elements::Xml);
        let dump = |node: NodeRef<'_>| match is_qualified {
            true => node.to_qualified_dump(),
            false => node.to_dump(),
        };
        let is_top = node == document.top() && node.is_element();
        if is_top { node.children().map(dump).collect() } else { dump(node) }
    }
}

/// Places, and what objects of Python can do.
#[pymethods]
impl Node {
    /// Where the node was written, as a slice of the source: an element's start tag, a text from its first to its last piece.
    /// ``None`` if it is not in the source, or positions were not kept.
    #[getter]
    fn span<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(span) = self.at().span() else { return Ok(None) };
        Ok(Some(slice(py, self.document.get().range(py, span)?)?))
    }

    /// Where the end tag of an element was written, as a slice of the source; ``None`` also if it is implied.
    #[getter]
    fn end_span<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(span) = self.at().end_tag_span() else { return Ok(None) };
        Ok(Some(slice(py, self.document.get().range(py, span)?)?))
    }

    /// Line and column where the node begins, both from 1, in code points of the decoded text; ``None`` where ``span`` is.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<Option<(usize, usize)>> {
        let span = self.at().span();
        span.map(|span| self.document.get().position(py, span.start)).transpose()
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
        let node = self.at();
        let what = match (node.data(), node.name()) {
            (Some(data), _) => format!("{} {:?}", self.kind(), shortened(data)),
            (None, Some(name)) => {
                let attributes = node.attributes().take(3);
                let attributes =
                    attributes.map(|one| format!(" {}={:?}", one.name(), shortened(one.value())));
                let more = if node.attributes().len() > 3 { " …" } else { "" };
                format!("{name}{}{more}", attributes.collect::<String>())
            }
            (None, None) => self.kind().to_owned(),
        };
        let Some(span) = node.span() else { return Ok(format!("<Node {what}>")) };
        let (start, end) = self.document.get().range(py, span)?;
        Ok(format!("<Node {what} [{start}:{end}]>"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let made = py.import("pytabulex._tabulex")?.getattr("_node_of")?;
        (made, (self.document.clone_ref(py), self.id.index())).into_pyobject(py)
    }
}

/// The first characters of a text.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
