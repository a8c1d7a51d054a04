//! Contents of documents and nodes as text, Markdown, tables and links.

use crate::document::{Document, node, read_url};
use crate::node::Node;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabulex::text;
use tabulex::tree::{HtmlSerializer, NodeRef};

/// A link: the element, the name of its attribute, and the URL.
pub(crate) type Link = (Node, &'static str, String);

/// Rows of the texts of cells.
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
    /// The text of the document as browsers render it: see ``Node.rendered_text``.
    fn rendered_text(slf: &Bound<'_, Self>) -> String {
        let document = slf.get();
        slf.py().detach(|| rendered(document.top(), document))
    }

    /// The words of ``rendered_text()``, split at white space.
    fn words(slf: &Bound<'_, Self>) -> Vec<String> {
        words(&Self::rendered_text(slf))
    }

    /// The document as Markdown: see ``Node.markdown``.
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

    /// The document as HTML that is indented by two spaces a level, where white space is not rendered.
    fn pretty(slf: &Bound<'_, Self>) -> PyResult<String> {
        let document = slf.get();
        slf.py().detach(|| pretty(document.top(), document.serializer()))
    }

    /// The tables of the document: see ``Node.tables``.
    fn tables(slf: &Bound<'_, Self>) -> Vec<Table> {
        let document = slf.get();
        slf.py().detach(|| tables(document.top()))
    }

    /// The URLs that elements link to or embed: ``href`` of ``a``, ``src`` of ``img``, each candidate of ``srcset``, the target of
    /// a refresh, and others. Each is a tuple of the element, the name of its attribute, and the URL, resolved as browsers do.
    /// ``url`` is the address of the document. Values that are not valid URLs are left out.
    fn links(slf: &Bound<'_, Self>, url: &str) -> PyResult<Vec<Link>> {
        let url = read_url(url)?;
        let links = text::links(slf.get().top(), &url);
        Ok(links.map(|it| (node(slf, it.element.id()), it.attribute, it.url.into())).collect())
    }
}

#[pymethods]
impl Node {
    /// The text of the node as browsers render it (``innerText`` without styles of the page): line breaks between blocks, tabs
    /// between cells, and nothing that is hidden, such as scripts.
    fn rendered_text(&self, py: Python<'_>) -> String {
        let document = self.document.get();
        py.detach(|| rendered(self.at(), document))
    }

    /// The words of ``rendered_text()``, split at white space.
    fn words(&self, py: Python<'_>) -> Vec<String> {
        words(&self.rendered_text(py))
    }

    /// The node as Markdown: CommonMark, with the tables and strikethrough of GitHub. Links and images are resolved if ``url``,
    /// the address of the document, is given. ``images=False`` writes alternative texts in place of images;
    /// ``closed_details=True`` writes the contents of a closed ``details``; ``first_row_as_header=True`` makes the first row of
    /// a table without header cells its header; ``sub_and_sup=False`` writes subscripts and superscripts as their text alone.
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

    /// The node as HTML that is indented by two spaces a level, where white space is not rendered. ``ValueError`` for dialects
    /// that are not of HTML.
    fn pretty(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| pretty(self.at(), self.document.get().serializer()))
    }

    /// The tables in the node, nested ones included: for each its rows, and for each row the texts of its cells. The text of a
    /// cell that spans rows or columns is in each of them.
    fn tables(&self, py: Python<'_>) -> Vec<Table> {
        py.detach(|| tables(self.at()))
    }

    /// The URLs in attributes of the node and of those in it: see ``Document.links``.
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
