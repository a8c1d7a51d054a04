//! Contents of documents and nodes as text, Markdown, tables and links.

use crate::document::{Document, node, read_url};
use crate::node::Node;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabulex::text;
use tabulex::tree::{HtmlSerializer, NodeRef};

/// A link: the element, the name of its attribute, and the URL.
pub(crate) type Link = (Node, &'static str, String);

/// Texts of a table's cells, by rows.
type Table = Vec<Vec<String>>;

fn rendered(root: NodeRef<'_>, document: &Document) -> String {
    text::Reader::new().scripting(document.settings.scripting).text(root)
}

fn pretty(root: NodeRef<'_>, serializer: Option<HtmlSerializer<'static>>) -> PyResult<String> {
    let serializer = serializer.ok_or_else(|| PyValueError::new_err("only HTML is indented"))?;
    Ok(text::pretty(root, &serializer))
}

fn tables(root: NodeRef<'_>) -> Vec<Table> {
    text::tables(root).map(|table| table.texts()).collect()
}

fn writer(
    url: Option<&str>,
    images: bool,
    closed_details: bool,
    first_row_as_header: bool,
    sub_and_sup: bool,
) -> PyResult<text::MarkdownWriter> {
    let writer = text::MarkdownWriter::new()
        .images(images)
        .closed_details(closed_details)
        .first_row_as_header(first_row_as_header)
        .sub_and_sup(sub_and_sup);
    Ok(match url {
        Some(url) => writer.base(&read_url(url)?),
        None => writer,
    })
}

#[pymethods]
impl Document {
    /// Returns the text of the document as browsers render it; see ``Node.rendered_text``.
    fn rendered_text(slf: &Bound<'_, Self>) -> String {
        let document = slf.get();
        slf.py().detach(|| rendered(document.top(), document))
    }

    /// Returns the words of ``rendered_text()``, split at white space.
    fn words(slf: &Bound<'_, Self>) -> Vec<String> {
        words(&Self::rendered_text(slf))
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
        let writer = writer(url, images, closed_details, first_row_as_header, sub_and_sup)?;
        let document = slf.get();
        Ok(slf.py().detach(|| writer.write(document.top())))
    }

    /// Returns the document as HTML, indented by two spaces per level where white space is not rendered.
    fn pretty(slf: &Bound<'_, Self>) -> PyResult<String> {
        let document = slf.get();
        slf.py().detach(|| pretty(document.top(), document.serializer()))
    }

    /// Returns the tables of the document; see ``Node.tables``.
    fn tables(slf: &Bound<'_, Self>) -> Vec<Table> {
        let document = slf.get();
        slf.py().detach(|| tables(document.top()))
    }

    /// Returns the URLs that elements link to or embed, such as ``href`` of ``a``, ``src`` of ``img``, each candidate
    /// of ``srcset``, and the target of a refresh. Each is a tuple of the element, the name of its attribute, and the
    /// URL, resolved as in browsers. ``url`` is the address of the document. Invalid URLs are skipped.
    fn links(slf: &Bound<'_, Self>, url: &str) -> PyResult<Vec<Link>> {
        let url = read_url(url)?;
        let links = text::links(slf.get().top(), &url);
        Ok(links.map(|it| (node(slf, it.element.id()), it.attribute, it.url.into())).collect())
    }
}

#[pymethods]
impl Node {
    /// Returns the text of the node as browsers render it (``innerText`` without styles of the page): line breaks
    /// between blocks, tabs between cells, and no hidden contents such as scripts.
    fn rendered_text(&self, py: Python<'_>) -> String {
        let document = self.document.get();
        py.detach(|| rendered(self.at(), document))
    }

    /// Returns the words of ``rendered_text()``, split at white space.
    fn words(&self, py: Python<'_>) -> Vec<String> {
        words(&self.rendered_text(py))
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
        let writer = writer(url, images, closed_details, first_row_as_header, sub_and_sup)?;
        Ok(py.detach(|| writer.write(self.at())))
    }

    /// Returns the node as HTML, indented by two spaces per level where white space is not rendered. Raises
    /// ``ValueError`` for dialects other than HTML.
    fn pretty(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| pretty(self.at(), self.document.get().serializer()))
    }

    /// Returns the tables in the node, including nested ones, each as a list of rows of cell texts. The text of a
    /// spanning cell is repeated in each slot.
    fn tables(&self, py: Python<'_>) -> Vec<Table> {
        py.detach(|| tables(self.at()))
    }

    /// Returns the URLs in attributes of the node and its descendants; see ``Document.links``.
    fn links(&self, py: Python<'_>, url: &str) -> PyResult<Vec<Link>> {
        let (url, document) = (read_url(url)?, self.document.bind(py));
        let own = text::links_of(self.at(), &url);
        let links = own.into_iter().chain(text::links(self.at(), &url));
        Ok(links.map(|it| (node(document, it.element.id()), it.attribute, it.url.into())).collect())
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}
