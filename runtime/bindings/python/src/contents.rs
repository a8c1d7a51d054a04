//! Contents of documents and nodes as text, Markdown, tables and links.

use crate::document::{Document, node, read_url};
use crate::node::Node;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::borrow::Cow;
use tabulex::Span;
use tabulex::text;
use tabulex::tree::NodeId;

/// A URL in an attribute of an element.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Link {
    document: Py<Document>,
    element: NodeId,
    /// The name of the attribute.
    #[pyo3(get)]
    attribute: &'static str,
    /// The URL, resolved as in browsers.
    #[pyo3(get)]
    url: String,
    span: Option<Span>,
}

#[pymethods]
impl Link {
    /// The element that has the attribute.
    #[getter]
    fn element(&self, py: Python<'_>) -> Node {
        node(self.document.bind(py), self.element)
    }

    /// The position of the URL, as a slice of the source, without surrounding white space; that of the whole value if
    /// it contains character references. ``None`` if positions of attributes were not kept.
    #[getter]
    fn span<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.span.map(|span| self.document.get().source.slice(py, span)).transpose()
    }

    fn __repr__(&self) -> String {
        format!("<Link {} {:?}>", self.attribute, self.url)
    }
}

/// The texts of a table's cells, as a list for each row.
type Table = Vec<Vec<String>>;

#[pymethods]
impl Document {
    /// Returns the text of the document as browsers render it; see ``Node.rendered_text``.
    fn rendered_text(slf: &Bound<'_, Self>) -> String {
        Self::root(slf).rendered_text(slf.py())
    }

    /// Returns the words of ``rendered_text()``, split at white space.
    fn words(slf: &Bound<'_, Self>) -> Vec<String> {
        Self::root(slf).words(slf.py())
    }

    /// Returns the document as Markdown; see ``Node.markdown``.
    #[pyo3(signature = (*, url=None, images=true, closed_details=false, first_row_as_header=false, sub_and_sup=true))]
    fn markdown(
        slf: &Bound<'_, Self>,
        url: Option<&str>,
        images: bool,
        closed_details: bool,
        first_row_as_header: bool,
        sub_and_sup: bool,
    ) -> PyResult<String> {
        let (py, root) = (slf.py(), Self::root(slf));
        root.markdown(py, url, images, closed_details, first_row_as_header, sub_and_sup)
    }

    /// Returns the document as HTML; see ``Node.pretty``.
    fn pretty(slf: &Bound<'_, Self>) -> PyResult<String> {
        Self::root(slf).pretty(slf.py())
    }

    /// Returns the tables of the document; see ``Node.tables``.
    fn tables(slf: &Bound<'_, Self>) -> Vec<Table> {
        Self::root(slf).tables(slf.py())
    }

    /// Returns the URLs that elements of the document link to or embed; see ``Node.links``. ``url`` is the address of
    /// the document.
    fn links(slf: &Bound<'_, Self>, url: &str) -> PyResult<Vec<Link>> {
        Self::root(slf).links(slf.py(), url)
    }
}

#[pymethods]
impl Node {
    /// Returns the text of the node as browsers render it (``innerText`` without styles of the page): line breaks
    /// between blocks, tabs between cells, and no hidden contents such as scripts.
    fn rendered_text(&self, py: Python<'_>) -> String {
        let scripting = self.document.get().settings.scripting;
        py.detach(|| text::TextReader::new().scripting(scripting).text(self.node_ref()))
    }

    /// Returns the words of ``rendered_text()``, split at white space.
    fn words(&self, py: Python<'_>) -> Vec<String> {
        let text = self.rendered_text(py);
        py.detach(|| text.split_whitespace().map(str::to_owned).collect())
    }

    /// Returns the node as Markdown: CommonMark, with the tables and strikethrough of GitHub. If ``url``, the address
    /// of the document, is given, links and images are resolved. ``images=False`` writes alternative texts in place of
    /// images; ``closed_details=True`` writes the contents of a closed ``details``; ``first_row_as_header=True`` makes
    /// the first row of a table without header cells its header; ``sub_and_sup=False`` writes subscripts and
    /// superscripts as plain text.
    #[pyo3(signature = (*, url=None, images=true, closed_details=false, first_row_as_header=false, sub_and_sup=true))]
    fn markdown(
        &self,
        py: Python<'_>,
        url: Option<&str>,
        images: bool,
        closed_details: bool,
        first_row_as_header: bool,
        sub_and_sup: bool,
    ) -> PyResult<String> {
        let mut writer = text::MarkdownWriter::new()
            .images(images)
            .closed_details(closed_details)
            .first_row_as_header(first_row_as_header)
            .sub_and_sup(sub_and_sup);
        if let Some(url) = url {
            writer = writer.base(&read_url(url)?);
        }
        Ok(py.detach(|| writer.write(self.node_ref())))
    }

    /// Returns the node as HTML, indented by two spaces per level where white space is not rendered. Raises
    /// ``ValueError`` for dialects other than HTML.
    fn pretty(&self, py: Python<'_>) -> PyResult<String> {
        let serializer = self.document.get().serializer();
        let serializer =
            serializer.ok_or_else(|| PyValueError::new_err("only HTML can be indented"))?;
        Ok(py.detach(|| text::pretty(self.node_ref(), &serializer)))
    }

    /// The form that a control belongs to: the one that its attribute ``form`` names, or else the nearest ancestor that
    /// is a form; ``None`` if there is none.
    #[getter]
    fn form(&self, py: Python<'_>) -> Option<Self> {
        let form = self.document.get().forms().owner(self.node_ref())?;
        Some(node(self.document.bind(py), form.id()))
    }

    /// Returns the names and values that a form submits if its user changes nothing, without files and buttons.
    fn fields(&self, py: Python<'_>) -> Vec<(&str, Cow<'_, str>)> {
        py.detach(|| self.document.get().forms().fields(self.node_ref()))
    }

    /// Returns the tables in the node, including nested ones, each as a list of rows of cell texts. The text of a
    /// spanning cell is repeated in each slot.
    fn tables(&self, py: Python<'_>) -> Vec<Table> {
        py.detach(|| text::tables(self.node_ref()).map(|table| table.texts()).collect())
    }

    /// Returns the URLs that the node and its descendants link to or embed, such as ``href`` of ``a``, ``src`` of
    /// ``img``, each candidate of ``srcset``, and the target of a refresh, with their elements, attributes and
    /// positions. ``url`` is the address of the document. Invalid URLs are skipped. Each call searches the whole
    /// document for ``base``; ``Document.base_url`` returns it.
    fn links(&self, py: Python<'_>, url: &str) -> PyResult<Vec<Link>> {
        let (url, document) = (read_url(url)?, self.document.bind(py));
        let links: Vec<_> = py.detach(|| {
            let node_links = text::links_of(self.node_ref(), &url);
            let links = node_links.into_iter().chain(text::links(self.node_ref(), &url));
            let fields = links
                .map(|link| (link.element.id(), link.attribute, String::from(link.url), link.span));
            fields.collect()
        });
        let python_link = |(element, attribute, url, span)| Link {
            document: document.clone().unbind(),
            element,
            attribute,
            url,
            span,
        };
        Ok(links.into_iter().map(python_link).collect())
    }
}
