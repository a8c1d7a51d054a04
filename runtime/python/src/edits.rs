//! Edits of a document's source. Each method checks its edit before it is collected, and returns `self` for chaining.

use crate::document::Document;
use crate::node::Node;
use crate::report::slice;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tabulex::Adjacent;
use tabulex::edit;
use tabulex::tree::NodeId;

create_exception!(pytabulex, EditError, PyValueError, "A page cannot be edited so.");

/// Edits of a document's source. Everything that no edit touches stays byte for byte.
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

/// The outcome of applying edits.
enum ApplyOutcome {
    Text(String),
    Refused(Box<edit::RefusedEdit>),
    Some(edit::Applied),
}

/// Which edits must apply, and whether the outcome is checked.
#[derive(Clone, Copy)]
enum ApplyMode {
    All,
    Possible,
    Unchecked,
}

impl Edits {
    pub(crate) fn new(document: Py<Document>) -> Self {
        Self { document, steps: Mutex::default() }
    }

    fn steps(&self) -> MutexGuard<'_, Vec<(NodeId, Step)>> {
        // Nothing panics while the lock is held.
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks an edit by itself and collects it.
    fn add<'py>(slf: Bound<'py, Self>, node: &Node, step: Step) -> PyResult<Bound<'py, Self>> {
        let edits = slf.get();
        if !edits.document.is(&node.document) {
            return Err(EditError::new_err("a node of another document"));
        }
        let document = edits.document.get();
        let text = document.source.cached_text(slf.py(), document.parsed.encoding.encoding)?;
        let tree = &document.parsed.tree;
        let mut alone = edit::Edits::new(tree, text);
        step.take(&mut alone, tree.node(node.id)).map_err(failed)?;
        edits.steps().push((node.id, step));
        Ok(slf)
    }

    fn write(&self, py: Python<'_>, way: ApplyMode) -> PyResult<ApplyOutcome> {
        let document = self.document.get();
        let text = document.source.cached_text(py, document.parsed.encoding.encoding)?;
        let steps = self.steps().clone();
        let written = py.detach(|| {
            let tree = &document.parsed.tree;
            let mut edits = edit::Edits::new(tree, text);
            for (node, step) in &steps {
                step.take(&mut edits, tree.node(*node))?;
            }
            let settings = &document.settings;
            let (dialect, options) = (settings.dialect, &settings.options);
            let text = match way {
                ApplyMode::Possible => {
                    return Ok(ApplyOutcome::Some(edits.apply_possible_in(dialect, options)));
                }
                ApplyMode::All => edits.apply_in(dialect, options),
                ApplyMode::Unchecked => edits.apply_unchecked_in(dialect, options),
            };
            Ok(text.map_or_else(
                |refused| ApplyOutcome::Refused(Box::new(refused)),
                ApplyOutcome::Text,
            ))
        });
        written.map_err(failed)
    }

    fn text(&self, py: Python<'_>, way: ApplyMode) -> PyResult<String> {
        match self.write(py, way)? {
            ApplyOutcome::Text(text) => Ok(text),
            ApplyOutcome::Some(applied) => Ok(applied.text),
            ApplyOutcome::Refused(refused) => Err(self.error(py, &refused)?),
        }
    }

    /// Creates the exception for a refused edit, with its position in Python's indices.
    fn error(&self, py: Python<'_>, refused: &edit::RefusedEdit) -> PyResult<PyErr> {
        let document = self.document.get();
        let method = match self.steps().get(refused.edit) {
            Some((_, Step::Insert(Adjacent::BeforeBegin, _))) => "before",
            Some((_, Step::Insert(Adjacent::AfterBegin, _))) => "prepend",
            Some((_, Step::Insert(Adjacent::BeforeEnd, _))) => "append",
            Some((_, Step::Insert(Adjacent::AfterEnd, _))) => "after",
            _ => refused.method,
        };
        let name = refused.name.as_ref().map_or("a node".to_owned(), |name| format!("<{name}>"));
        let range = refused.span.map(|span| document.range(py, span)).transpose()?;
        let place = range.map_or(String::new(), |(start, end)| format!(" at {start}:{end}"));
        let (edit, reason) = (refused.edit, &refused.reason);
        let error = EditError::new_err(format!("edit {edit}, {method} of {name}{place}: {reason}"));
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
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::SetAttribute(name, value))
    }

    /// Removes an attribute and the white space before it.
    fn remove_attribute<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        name: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::RemoveAttribute(name))
    }

    /// Removes a node and its contents.
    fn remove<'py>(slf: Bound<'py, Self>, node: &Node) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Remove)
    }

    /// Replaces a node and its contents by markup.
    fn replace<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Replace(markup))
    }

    /// Replaces the contents of an element by markup.
    fn set_inner<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::SetInner(markup))
    }

    /// Replaces the contents of an element by text.
    fn set_text<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        text: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::SetText(text))
    }

    /// Inserts markup before an element.
    fn before<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Insert(Adjacent::BeforeBegin, markup))
    }

    /// Inserts markup after an element.
    fn after<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Insert(Adjacent::AfterEnd, markup))
    }

    /// Inserts markup at the start of an element's contents.
    fn prepend<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Insert(Adjacent::AfterBegin, markup))
    }

    /// Inserts markup at the end of an element's contents.
    fn append<'py>(
        slf: Bound<'py, Self>,
        node: &Node,
        markup: String,
    ) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Insert(Adjacent::BeforeEnd, markup))
    }

    /// Renames an HTML element.
    fn rename<'py>(slf: Bound<'py, Self>, node: &Node, name: String) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Rename(name))
    }

    /// Wraps a node in a new HTML element.
    fn wrap<'py>(slf: Bound<'py, Self>, node: &Node, name: String) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Wrap(name))
    }

    /// Removes an element's tags and keeps its contents.
    fn unwrap<'py>(slf: Bound<'py, Self>, node: &Node) -> PyResult<Bound<'py, Self>> {
        Self::add(slf, node, Step::Unwrap)
    }

    /// Returns the edited text, after parsing it and comparing the result with the edited tree. Raises ``EditError``
    /// for the first edit that cannot be made, with its number, method, node and position.
    fn apply(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, ApplyMode::All)
    }

    /// Returns the text with all possible edits, and an ``EditError`` for each of the others.
    fn apply_possible(&self, py: Python<'_>) -> PyResult<(String, Vec<PyErr>)> {
        match self.write(py, ApplyMode::Possible)? {
            ApplyOutcome::Some(applied) => {
                let refused = applied.refused.iter().map(|refused| self.error(py, refused));
                Ok((applied.text, refused.collect::<PyResult<_>>()?))
            }
            ApplyOutcome::Text(text) => Ok((text, Vec::new())),
            ApplyOutcome::Refused(refused) => Err(self.error(py, &refused)?),
        }
    }

    /// Returns the edited text without parsing and comparing it.
    fn apply_unchecked(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py, ApplyMode::Unchecked)
    }

    fn __len__(&self) -> usize {
        self.steps().len()
    }

    fn __repr__(&self) -> String {
        format!("<Edits: {}>", self.steps().len())
    }
}
