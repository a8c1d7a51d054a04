//! Attributes as Python sees them, with their namespaces and places. Those who ask for values alone take `Node.attrs`.
//! Invariant: an attribute is one of its node's.

use crate::document::Document;
use crate::node::Node;
use crate::report::slice;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabulex::Span;
use tabulex::tree::{AttributeRef, NodeId};

/// An attribute of an element, with its places in the source.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Attribute {
    pub(crate) document: Py<Document>,
    pub(crate) node: NodeId,
    pub(crate) index: usize,
}

/// The attribute of this number, for unpickling.
#[pyfunction(name = "_attribute_of")]
pub(crate) fn attribute_of(py: Python<'_>, node: &Node, index: usize) -> PyResult<Attribute> {
    if node.at().attributes().nth(index).is_none() {
        return Err(PyValueError::new_err("no such attribute"));
    }
    Ok(Attribute { document: node.document.clone_ref(py), node: node.id, index })
}

impl Attribute {
    /// The attribute in the tree. It is there, as documents do not change.
    fn with<T>(&self, ask: impl FnOnce(&AttributeRef<'_>) -> T) -> T {
        let node = self.document.get().parsed.tree.node(self.node);
        let found = node.attributes().nth(self.index);
        ask(&found.expect("an attribute of the node"))
    }

    fn slice<'py>(
        &self,
        py: Python<'py>,
        span: Option<Span>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(span) = span else { return Ok(None) };
        Ok(Some(slice(py, self.document.get().range(py, span)?)?))
    }
}

#[pymethods]
impl Attribute {
    /// The name as it is written, ``prefix:local`` or ``local``.
    #[getter]
    fn name(&self) -> String {
        self.with(|attribute| attribute.name().to_string())
    }

    /// The name without its prefix.
    #[getter]
    fn local_name(&self) -> String {
        self.with(|attribute| attribute.name().local().to_owned())
    }

    /// The prefix, empty if there is none.
    #[getter]
    fn prefix(&self) -> String {
        self.with(|attribute| attribute.name().prefix().to_owned())
    }

    /// The name (a URI) of the namespace; ``None`` if there is none.
    #[getter]
    fn namespace(&self) -> Option<String> {
        let name = self.with(|attribute| attribute.name().namespace_str().to_owned());
        (!name.is_empty()).then_some(name)
    }

    /// The value.
    #[getter]
    fn value(&self) -> String {
        self.with(|attribute| attribute.value().to_owned())
    }

    /// Where the name was written, as a slice of the source; ``None`` if positions of attributes were not kept.
    #[getter]
    fn name_span<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.slice(py, self.with(|attribute| attribute.name_span()))
    }

    /// Where the value was written, quotes left out, as a slice of the source.
    #[getter]
    fn value_span<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.slice(py, self.with(|attribute| attribute.value_span()))
    }

    fn __repr__(&self) -> String {
        self.with(|attribute| format!("<Attribute {attribute:?}>"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let made = py.import("pytabulex._tabulex")?.getattr("_attribute_of")?;
        let node = Node { document: self.document.clone_ref(py), id: self.node };
        (made, (node, self.index)).into_pyobject(py)
    }
}
