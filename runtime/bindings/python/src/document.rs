//! Documents, and the functions that parse them. A document is immutable, so threads may share it.

use crate::edits::Edits;
use crate::iterate::Nodes;
use crate::node::Node;
use crate::report::Event;
use crate::settings::Settings;
use crate::source::{Input, Source};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::sync::OnceLock;
use tabulex::encoding::Confidence;
use tabulex::select::{Forms, Index, Query as _, Selector};
use tabulex::tree::{DocumentMode, HtmlSerializer, NodeId, NodeRef};
use tabulex::{FragmentContext, Parsed};

/// A parsed document. It is immutable; ``edit()`` produces a new text.
#[pyclass(frozen, module = "pytabulex", weakref)]
pub(crate) struct Document {
    pub(crate) parsed: Parsed,
    pub(crate) settings: Settings,
    pub(crate) source: Source,
    /// The name of the context element, as passed to ``parse_fragment``; `None` for a whole document.
    fragment: Option<String>,
    errors: PyOnceLock<Py<PyTuple>>,
    forms: OnceLock<Forms>,
    /// The elements below the root, indexed by the first query.
    index: OnceLock<Index>,
}

/// Returns the ids of the dialects in this build.
#[pyfunction]
pub(crate) fn dialects() -> Vec<&'static str> {
    tabulex::dialects().iter().map(|dialect| dialect.id()).collect()
}

/// Parses a document from text or bytes. Malformed markup raises no exception; ``errors`` lists its parse errors.
///
/// ``dialect`` is one of ``dialects()``. For bytes, ``encoding`` is the label of an encoding that only a byte order
/// mark overrides; ``content_type`` the header of the response; ``parent_encoding`` the encoding of the document that
/// embeds this one; ``likely_encoding`` a guess that a declaration in the page overrides; ``fallback_encoding`` the one
/// of pages that declare none and are not UTF-8, by default that of ``locale``, a language such as ``"ru"``.
/// ``autodetect=False`` uses the fallback even for valid UTF-8. ``keep_byte_order_mark`` keeps the mark of a ``str`` as
/// text.
///
/// ``scripting`` is whether the contents of ``noscript`` are text, as in browsers; ``iframe_srcdoc`` whether the page
/// is the value of this attribute; ``declarative_shadow_roots`` whether templates may declare shadow roots.
///
/// ``positions`` is ``"all"``, ``"nodes"`` (none of attributes) or ``"none"``; ``errors=False`` does not collect parse
/// errors; ``limits`` is a dictionary of limits, whose units and defaults ``help(pytabulex.Limits)`` lists.
#[pyfunction]
#[pyo3(signature = (html, **options), text_signature = "(html, *, dialect='html', encoding=None, content_type=None, parent_encoding=None, likely_encoding=None, fallback_encoding=None, autodetect=True, locale=None, scripting=False, iframe_srcdoc=False, declarative_shadow_roots=False, keep_byte_order_mark=False, positions='all', errors=True, limits=None)")]
pub(crate) fn parse(
    html: &Bound<'_, PyAny>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Document> {
    Document::read(html, None, options)
}

/// Parses markup as the contents of an element. ``context`` is the element's name, prefixed with ``svg `` or ``math ``
/// for SVG or MathML. The options are those of ``parse``.
#[pyfunction]
#[pyo3(signature = (html, context="div", **options), text_signature = "(html, context='div', *, dialect='html', encoding=None, content_type=None, parent_encoding=None, likely_encoding=None, fallback_encoding=None, autodetect=True, locale=None, scripting=False, iframe_srcdoc=False, declarative_shadow_roots=False, keep_byte_order_mark=False, positions='all', errors=True, limits=None)")]
pub(crate) fn parse_fragment(
    html: &Bound<'_, PyAny>,
    context: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Document> {
    Document::read(html, Some(context.to_owned()), options)
}

impl Document {
    fn read(
        html: &Bound<'_, PyAny>,
        fragment: Option<String>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let py = html.py();
        let settings = Settings::read(options)?;
        let source = Source::new(html)?;
        let context = fragment.as_deref().map(FragmentContext::from);
        let mut parser = settings.parser(context.as_ref())?;
        let input = source.input(py)?;
        let parsed = py.detach(|| match input {
            Input::Text(text) => parser.parse(text),
            Input::Bytes(bytes) => parser.parse_bytes(bytes),
        });
        Ok(Self::new(parsed, settings, source, fragment))
    }

    /// Creates a document from the result of parsing `source`.
    pub(crate) fn new(
        parsed: Parsed,
        settings: Settings,
        source: Source,
        fragment: Option<String>,
    ) -> Self {
        let source = source.with_encoding(parsed.encoding.encoding);
        Self {
            parsed,
            settings,
            source,
            fragment,
            errors: PyOnceLock::new(),
            forms: OnceLock::new(),
            index: OnceLock::new(),
        }
    }

    /// Returns the root for Python: the document, or the element that contains a fragment.
    pub(crate) fn python_root(&self) -> NodeRef<'_> {
        let root = self.parsed.tree.root();
        let element = self.fragment.as_ref().and_then(|_| self.parsed.tree.document_element());
        element.unwrap_or(root)
    }

    pub(crate) fn serializer(&self) -> Option<HtmlSerializer<'static>> {
        let serializer = self.settings.dialect.serializer()?;
        Some(serializer.scripting(self.settings.scripting))
    }

    /// Returns the forms of the document, which are collected once.
    pub(crate) fn forms(&self) -> &Forms {
        self.forms.get_or_init(|| Forms::of(&self.parsed.tree))
    }

    /// Returns the ids of the descendants of a node that match a selector.
    pub(crate) fn select(&self, node: NodeRef<'_>, selector: &Selector) -> Vec<NodeId> {
        if node != self.python_root() {
            return node.select(selector).map(|node| node.id()).collect();
        }
        let index = self.index.get_or_init(|| Index::new(node));
        index.select(node.tree(), selector).map(|node| node.id()).collect()
    }

    fn first_html<'a>(&'a self, name: &str) -> Option<NodeRef<'a>> {
        let element = self.parsed.tree.document_element()?;
        element.children().find(|child| child.is_html(name))
    }
}

/// Parses a URL, or raises `ValueError`.
pub(crate) fn read_url(url: &str) -> PyResult<url::Url> {
    url::Url::parse(url)
        .map_err(|error| PyValueError::new_err(format!("invalid URL `{url}`: {error}")))
}

/// Returns the Python object for the node with this id.
pub(crate) fn node(document: &Bound<'_, Document>, id: NodeId) -> Node {
    Node { document: document.clone().unbind(), id }
}

#[pymethods]
impl Document {
    /// The root of all nodes: the document itself, or the element whose children are the parsed fragment.
    #[getter]
    pub(crate) fn root(slf: &Bound<'_, Self>) -> Node {
        node(slf, slf.get().python_root().id())
    }

    /// The root element, ``<html>`` in HTML, or ``None``.
    #[getter]
    fn document_element(slf: &Bound<'_, Self>) -> Option<Node> {
        Some(node(slf, slf.get().parsed.tree.document_element()?.id()))
    }

    /// The ``<head>`` element of an HTML document, or ``None``.
    #[getter]
    fn head(slf: &Bound<'_, Self>) -> Option<Node> {
        Some(node(slf, slf.get().first_html("head")?.id()))
    }

    /// The ``<body>`` element of an HTML document, or ``None``.
    #[getter]
    fn body(slf: &Bound<'_, Self>) -> Option<Node> {
        Some(node(slf, slf.get().first_html("body")?.id()))
    }

    /// Returns all elements that match a CSS selector, in document order.
    fn css<'py>(
        slf: &Bound<'py, Self>,
        selector: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        Self::root(slf).css(slf.py(), selector)
    }

    /// Returns the first element that matches a CSS selector, or ``default``.
    #[pyo3(signature = (selector, default=None))]
    fn css_first<'py>(
        slf: &Bound<'py, Self>,
        selector: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        Self::root(slf).css_first(slf.py(), selector, default)
    }

    /// Returns whether any element matches a CSS selector.
    fn css_matches(&self, py: Python<'_>, selector: &Bound<'_, PyAny>) -> PyResult<bool> {
        let selector = crate::selector::selector(selector)?;
        Ok(py.detach(|| self.python_root().select_first(&selector).is_some()))
    }

    /// Returns the first element with this ``id``, or ``None``.
    fn element_by_id(slf: &Bound<'_, Self>, id: &str) -> Option<Node> {
        let element = slf.get().python_root().element_by_id(id)?;
        Some(node(slf, element.id()))
    }

    /// Returns the base URL of the document: that of its first ``base`` element with a URL, or else ``url``, the
    /// address of the document.
    fn base_url(&self, url: &str) -> PyResult<String> {
        Ok(tabulex::text::base(self.parsed.tree.root(), &read_url(url)?).into())
    }

    /// Returns an iterator over all nodes below the root, in document order.
    fn descendants(slf: &Bound<'_, Self>) -> Nodes {
        Nodes::below(slf, slf.get().python_root().id())
    }

    /// Returns all text, including that of scripts and styles; see ``Node.text``.
    #[pyo3(signature = (separator="", *, strip=false))]
    fn text(slf: &Bound<'_, Self>, separator: &str, strip: bool) -> String {
        Self::root(slf).text(slf.py(), separator, strip)
    }

    /// The markup of the whole document.
    #[getter]
    fn html(slf: &Bound<'_, Self>) -> String {
        Self::root(slf).inner_html(slf.py())
    }

    /// Returns the tree in the format of the html5lib tests.
    fn dump(slf: &Bound<'_, Self>) -> String {
        Self::root(slf).dump(slf.py())
    }

    /// The parse errors, in order of position.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let errors = self.errors.get_or_try_init(py, || -> PyResult<Py<PyTuple>> {
            let errors = &self.parsed.errors;
            if errors.is_empty() {
                return Ok(PyTuple::empty(py).unbind());
            }
            let errors = self.source.report_errors(py, &self.source.text(py)?, errors)?;
            Ok(PyTuple::new(py, errors)?.unbind())
        })?;
        Ok(errors.bind(py).clone())
    }

    /// The actions taken to stay within limits.
    #[getter]
    fn events(&self, py: Python<'_>) -> PyResult<Vec<Event>> {
        self.source.report_events(py, &self.parsed.events)
    }

    /// The name of the encoding used to decode bytes; ``None`` if text was parsed.
    #[getter]
    fn encoding(&self) -> Option<&'static str> {
        let choice = self.parsed.encoding;
        (choice.confidence != Confidence::Irrelevant).then(|| choice.encoding.name())
    }

    /// The confidence of the encoding: ``"tentative"``, ``"certain"``, or ``"irrelevant"`` if text was parsed.
    #[getter]
    fn encoding_confidence(&self) -> &'static str {
        match self.parsed.encoding.confidence {
            Confidence::Tentative => "tentative",
            Confidence::Irrelevant => "irrelevant",
            _ => "certain",
        }
    }

    /// The quirks mode: ``"no-quirks"``, ``"limited-quirks"`` or ``"quirks"``.
    #[getter]
    fn mode(&self) -> &'static str {
        match self.parsed.tree.mode() {
            DocumentMode::LimitedQuirks => "limited-quirks",
            DocumentMode::Quirks => "quirks",
            _ => "no-quirks",
        }
    }

    /// The id of the dialect.
    #[getter]
    fn dialect(&self) -> &'static str {
        self.settings.dialect.id()
    }

    /// The object that was parsed. Positions are slices of it.
    #[getter]
    fn source<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.source.object(py)
    }

    /// Returns an object that collects edits of the source. If bytes were parsed, the decoded text is edited. Raises
    /// ``ValueError`` for a fragment.
    fn edit(slf: &Bound<'_, Self>) -> PyResult<Edits> {
        if slf.get().fragment.is_some() {
            return Err(PyValueError::new_err("fragments cannot be edited; parse a document"));
        }
        Ok(Edits::new(slf.clone().unbind()))
    }

    /// The number of nodes, including the document.
    #[getter]
    fn node_count(&self) -> usize {
        self.parsed.tree.node_count()
    }

    fn __sizeof__(&self) -> usize {
        size_of::<Self>()
            + self.parsed.tree.heap_size()
            + self.index.get().map_or(0, Index::heap_size)
            + self.parsed.errors.capacity() * size_of::<tabulex::ParseError>()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let length = self.source.object(py).len()?;
        let (nodes, errors) = (self.node_count(), self.parsed.errors.len());
        let description = match &self.fragment {
            None => self.dialect().to_owned(),
            Some(context) => format!("{} fragment of <{context}>", self.dialect()),
        };
        let unit = self.source.unit();
        let plural = if errors == 1 { "" } else { "s" };
        Ok(format!(
            "<Document {description}: {nodes} nodes, {errors} error{plural}, from {length} {unit}>"
        ))
    }

    /// Returns the document as markup, like ``html``.
    fn __str__(slf: &Bound<'_, Self>) -> String {
        Self::html(slf)
    }

    /// Pickles the source and the options; unpickling parses again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let package = py.import("pytabulex._tabulex")?;
        let options = self.settings.arguments(py)?;
        let constructor = package.getattr("_document_of")?;
        (constructor, (self.source.object(py), &self.fragment, options)).into_pyobject(py)
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }
}

/// Recreates a document when it is unpickled.
#[pyfunction(name = "_document_of")]
pub(crate) fn document_of(
    html: &Bound<'_, PyAny>,
    fragment: Option<String>,
    options: &Bound<'_, PyDict>,
) -> PyResult<Document> {
    Document::read(html, fragment, Some(options))
}
