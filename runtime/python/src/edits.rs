//! Edits as Python sees them: collected by methods that return the same object, written by `apply`. What an edit is and when it
//! is possible is the package `tabulex-edit`'s business. Invariant: an edit that is refused is not collected.

use crate::document::Document;
use crate::node::Node;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tabulex::Adjacent;
use tabulex::edit;
use tabulex::tree::NodeId;

create_exception!(pytabulex, EditError, PyValueError, "A page cannot be edited so.");

/// Edits of a document's source. Every byte that no edit is about stays as it was.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Edits {
    document: Py<Document>,
    steps: Mutex<Vec<(NodeId, Step)>>,
}

/// One edit of a node.
#[derive(Clone)]
enum Step {
    SetAttribute(String, String),
    RemoveAttribute(String),
    Remove,
    Replace(String),
    SetInner(String),
    SetText(String),
    Insert(Adjacent, String),
    Rename(String),
    Wrap(String),
    Unwrap,
}

impl Step {
    fn take<'a>(
        &self,
        edits: &mut edit::Edits<'a>,
        node: tabulex::tree::NodeRef<'a>,
    ) -> Result<(), edit::EditError> {
        match self {
            Self::SetAttribute(name, value) => edits.set_attribute(node, name, value),
            Self::RemoveAttribute(name) => edits.remove_attribute(node, name),
            Self::Remove => edits.remove(node),
            Self::Replace(markup) => edits.replace(node, markup),
            Self::SetInner(markup) => edits.set_inner(node, markup),
            Self::SetText(text) => edits.set_text(node, text),
            Self::Insert(place, markup) => edits.insert(node, *place, markup),
            Self::Rename(name) => edits.rename(node, name),
            Self::Wrap(name) => edits.wrap(node, name),
            Self::Unwrap => edits.unwrap(node),
        }
    }
}

fn failed(error: edit::EditError) -> PyErr {
    EditError::new_err(error.to_string())
}

impl Edits {
    pub(crate) fn new(document: Py<Document>) -> Self {
        Self { document, steps: Mutex::default() }
    }

    fn steps(&self) -> MutexGuard<'_, Vec<(NodeId, Step)>> {
        // Nothing that could panic is done while it is locked.
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tries the edit alone, and collects it.
    fn add<'py>(slf: Bound<'py, Self>, node: &Node, step: Step) -> PyResult<Bound<'py, Self>> {
        let edits = slf.get();
        if !edits.document.is(&node.document) {
            return Err(EditError::new_err("a node of another document"));
        }
        let document = edits.document.get();
        let text = document.source.kept_text(slf.py(), document.parsed.encoding.encoding)?;
        let tree = &document.parsed.tree;
        let mut alone = edit::Edits::new(tree, text);
        step.take(&mut alone, tree.node(node.id)).map_err(failed)?;
        edits.steps().push((node.id, step));
        Ok(slf)
    }

    fn written(&self, py: Python<'_>, is_checked: bool) -> PyResult<String> {
        let document = self.document.get();
        let text = document.source.kept_text(py, document.parsed.encoding.encoding)?;
        let steps = self.steps().clone();
        let written = py.detach(|| {
            let tree = &document.parsed.tree;
            let mut edits = edit::Edits::new(tree, text);
            for (node, step) in &steps {
                step.take(&mut edits, tree.node(*node))?;
            }
            let settings = &document.settings;
            match is_checked {
                true => edits.apply_in(settings.dialect, &settings.options),
                false => edits.apply_unchecked(),
            }
        });
        written.map_err(failed)
    }
}

#[pymethods]
impl Edits {
    /// Gives an element an attribute, or the one of this name another value.
    fn set_attribute<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        name: String,
        value: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::SetAttribute(name, value))
    }

    /// Removes an attribute, with the white space before it.
    fn remove_attribute<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        name: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::RemoveAttribute(name))
    }

    /// Removes a node, with all that is in it.
    fn remove<'py>(slf: Bound<'py, Self>, node: &Node) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Remove)
    }

    /// Puts markup in the place of a node and all that is in it.
    fn replace<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Replace(markup))
    }

    /// Puts markup in the place of all that is in an element.
    fn set_inner<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::SetInner(markup))
    }

    /// Puts text in the place of all that is in an element.
    fn set_text<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        text: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::SetText(text))
    }

    /// Puts markup before an element.
    fn before<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Insert(Adjacent::BeforeBegin, markup))
    }

    /// Puts markup after an element.
    fn after<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Insert(Adjacent::AfterEnd, markup))
    }

    /// Puts markup into an element, before what is in it.
    fn prepend<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Insert(Adjacent::AfterBegin, markup))
    }

    /// Puts markup into an element, after what is in it.
    fn append<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Insert(Adjacent::BeforeEnd, markup))
    }

    /// Gives an HTML element another name.
    fn rename<'py>(slf: Bound<'py, Self>, node: &Node, name: String) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Rename(name))
    }

    /// Puts a new HTML element of this name around a node.
    fn wrap<'py>(slf: Bound<'py, Self>, node: &Node, name: String) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Wrap(name))
    }

    /// Removes an element's tags; what is in it stays.
    fn unwrap<'py>(slf: Bound<'py, Self>, node: &Node) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Unwrap)
    }

    /// The edited text. It is parsed again and compared with the edited tree: another page than the one that was asked for is
    /// never returned.
    fn apply(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, true)
    }

    /// The edited text, without the check of ``apply``.
    fn apply_unchecked(&self, py: Python<'_>) -> PyResult<String> {
        self.written(py, false)
    }

    fn __len__(&self) -> usize {
        self.steps().len()
    }

    fn __repr__(&self) -> String {
        format!("<Edits: {}>", self.steps().len())
    }
}
