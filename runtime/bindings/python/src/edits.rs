//! Edits of a document's source. Each method checks its edit before it is collected, and returns `self` for chaining.

use crate::document::Document;
use crate::lock;
use crate::node::Node;
use crate::report::slice;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Mutex;
use tabulex::edit::{self, EditKind, EditList};
use tabulex::{Adjacent, Dialect, Options};

create_exception!(
    pytabulex,
    EditError,
    PyValueError,
    "An edit that cannot be applied to the page."
);

/// Edits of a document's source. Everything that no edit touches stays byte for byte.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Edits {
    document: Py<Document>,
    list: Mutex<EditList>,
}

/// The return type of methods: the edits themselves, so that calls can be chained.
type ChainedEdits<'py> = PyResult<Bound<'py, Edits>>;

impl Edits {
    pub(crate) fn new(document: Py<Document>) -> Self {
        Self { document, list: Mutex::default() }
    }

    /// Checks an edit by itself and collects it.
    fn add<'py>(slf: Bound<'py, Self>, node: &Node, kind: EditKind) -> ChainedEdits<'py> {
        let edits = slf.get();
        if !edits.document.is(&node.document) {
            return Err(EditError::new_err("the node belongs to another document"));
        }
        let document = edits.document.get();
        let text = document.source.cached_text(slf.py())?;
        let tree = &document.parsed.tree;
        let mut list = lock(&edits.list);
        let mut continued = edit::Edits::with_list(tree, text, std::mem::take(&mut list));
        let result = continued.add(tree.node(node.id), kind);
        *list = continued.into_list();
        drop(list);
        result.map_err(|error| EditError::new_err(error.to_string()))?;
        Ok(slf)
    }

    /// Passes the collected edits, the dialect and the options of the document to `apply`.
    fn apply_with<T: Send>(
        &self,
        py: Python<'_>,
        apply: impl FnOnce(&edit::Edits<'_>, &Dialect, &Options) -> T + Send,
    ) -> PyResult<T> {
        let document = self.document.get();
        let text = document.source.cached_text(py)?;
        let edits = edit::Edits::with_list(&document.parsed.tree, text, lock(&self.list).clone());
        let settings = &document.settings;
        Ok(py.detach(|| apply(&edits, settings.dialect, &settings.options)))
    }

    /// Creates the exception for a refused edit, with its position in Python's indices.
    fn to_exception(&self, py: Python<'_>, refused: &edit::RefusedEdit) -> PyResult<PyErr> {
        let document = self.document.get();
        let method = match lock(&self.list).kinds().nth(refused.edit) {
            Some(EditKind::Insert(Adjacent::BeforeBegin, _)) => "before",
            Some(EditKind::Insert(Adjacent::AfterBegin, _)) => "prepend",
            Some(EditKind::Insert(Adjacent::BeforeEnd, _)) => "append",
            Some(EditKind::Insert(Adjacent::AfterEnd, _)) => "after",
            _ => refused.method,
        };
        let name = refused.name.as_ref().map_or("a node".to_owned(), |name| format!("<{name}>"));
        let range = refused.span.map(|span| document.source.range(py, span)).transpose()?;
        let location = range.map_or(String::new(), |(start, end)| format!(" at {start}:{end}"));
        let (edit, reason) = (refused.edit, &refused.reason);
        let error =
            EditError::new_err(format!("edit {edit}, {method} of {name}{location}: {reason}"));
        let node = Node { document: self.document.clone_ref(py), id: refused.node };
        let value = error.value(py);
        value.setattr("edit", edit)?;
        value.setattr("method", method)?;
        value.setattr("node", node)?;
        value.setattr("span", range.map(|range| slice(py, range)).transpose()?)?;
        value.setattr("reason", reason.to_string())?;
        Ok(error)
    }
}

#[pymethods]
impl Edits {
    /// Sets an attribute of an element, adding it if it is missing.
    fn set_attribute<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        name: String,
        value: String,
    ) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Attribute(name, Some(value)))
    }

    /// Removes an attribute and the white space before it.
    fn remove_attribute<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        name: String,
    ) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Attribute(name, None))
    }

    /// Removes a node and its contents.
    fn remove<'py>(slf: Bound<'py, Self>, node: &Node) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Remove)
    }

    /// Replaces a node and its contents with markup.
    fn replace<'py>(slf: Bound<'py, Self>, node: &Node, markup: String) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Replace(markup))
    }

    /// Replaces the contents of an element with markup.
    fn set_inner<'py>(slf: Bound<'py, Self>, node: &Node, markup: String) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::SetInner(markup))
    }

    /// Replaces the contents of an element with text.
    fn set_text<'py>(slf: Bound<'py, Self>, node: &Node, text: String) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::SetText(text))
    }

    /// Inserts markup before an element.
    fn before<'py>(slf: Bound<'py, Self>, node: &Node, markup: String) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Insert(Adjacent::BeforeBegin, markup))
    }

    /// Inserts markup after an element.
    fn after<'py>(slf: Bound<'py, Self>, node: &Node, markup: String) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Insert(Adjacent::AfterEnd, markup))
    }

    /// Inserts markup at the start of an element's contents.
    fn prepend<'py>(slf: Bound<'py, Self>, node: &Node, markup: String) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Insert(Adjacent::AfterBegin, markup))
    }

    /// Inserts markup at the end of an element's contents.
    fn append<'py>(slf: Bound<'py, Self>, node: &Node, markup: String) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Insert(Adjacent::BeforeEnd, markup))
    }

    /// Renames an HTML element.
    fn rename<'py>(slf: Bound<'py, Self>, node: &Node, name: String) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Rename(name))
    }

    /// Wraps a node in a new HTML element.
    fn wrap<'py>(slf: Bound<'py, Self>, node: &Node, name: String) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Wrap(name))
    }

    /// Removes an element's tags and keeps its contents.
    fn unwrap<'py>(slf: Bound<'py, Self>, node: &Node) -> ChainedEdits<'py> {
        Self::add(slf, node, EditKind::Unwrap)
    }

    /// Returns the edited text, after parsing it and comparing the result with the edited tree. Raises ``EditError``
    /// for the first edit that cannot be made, with its number, method, node and position.
    fn apply(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.apply_with(py, |edits, dialect, options| edits.apply(dialect, options))?;
        text.or_else(|refused| Err(self.to_exception(py, &refused)?))
    }

    /// Returns the text with all possible edits, and an ``EditError`` for each of the others.
    fn apply_possible(&self, py: Python<'_>) -> PyResult<(String, Vec<PyErr>)> {
        let applied =
            self.apply_with(py, |edits, dialect, options| edits.apply_possible(dialect, options))?;
        let exceptions = applied.refused.iter().map(|refused| self.to_exception(py, refused));
        Ok((applied.text, exceptions.collect::<PyResult<_>>()?))
    }

    fn __len__(&self) -> usize {
        lock(&self.list).kinds().len()
    }

    fn __repr__(&self) -> String {
        format!("<Edits: {}>", lock(&self.list).kinds().len())
    }
}
