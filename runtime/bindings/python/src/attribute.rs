//! Attributes with their namespaces and positions. For names and values alone, `Node.attrs` is cheaper.

use crate::document::Document;
use crate::node::Node;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tabulex::tree::{AttributeRef, NodeId};

/// An attribute of an element, with its position in the source.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Attribute {
    pub(crate) document: Py<Document>,
    pub(crate) node: NodeId,
    pub(crate) index: usize,
}

/// Recreates an attribute when it is unpickled.
#[pyfunction(name = "_attribute_of")]
pub(crate) fn attribute_of(py: Python<'_>, node: &Node, index: usize) -> PyResult<Attribute> {
    if node.node_ref().attributes().nth(index).is_none() {
        return Err(PyValueError::new_err(format!("the node has no attribute with index {index}")));
    }
    Ok(Attribute { document: node.document.clone_ref(py), node: node.id, index })
}

impl Attribute {
    /// Calls `read` with the attribute in the tree, which exists because documents are immutable.
    fn with<T>(&self, read: impl FnOnce(&AttributeRef<'_>) -> T) -> T {
        let node = self.document.get().parsed.tree.node(self.node);
        let attribute = node.attributes().nth(self.index);
        read(&attribute.expect("the node has the attribute"))
    }
}

#[pymethods]
impl Attribute {
    /// The name as written, ``prefix:local`` or ``local``.
    #[getter]
    fn name(&self) -> String {
        self.with(|attribute| attribute.name().to_string())
    }

    /// The name without its prefix.
    #[getter]
    fn local_name(&self) -> String {
        self.with(|attribute| attribute.name().local().to_owned())
    }

    /// The prefix of the name, or an empty string.
    #[getter]
    fn prefix(&self) -> String {
        self.with(|attribute| attribute.name().prefix().to_owned())
    }

    /// The URI of the namespace, or ``None``.
    #[getter]
    fn namespace(&self) -> Option<String> {
        let name = self.with(|attribute| attribute.name().namespace_str().to_owned());
        (!name.is_empty()).then_some(name)
    }

    /// The value of the attribute.
    #[getter]
    fn value(&self) -> String {
        self.with(|attribute| attribute.value().to_owned())
    }

    /// The position of the name, as a slice of the source; ``None`` if the positions of attributes were not kept.
    #[getter]
    fn name_span<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let span = self.with(|attribute| attribute.name_span());
        span.map(|span| self.document.get().source.slice(py, span)).transpose()
    }

    /// The position of the value without quotes, as a slice of the source; ``None`` if it was not kept.
    #[getter]
    fn value_span<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let span = self.with(|attribute| attribute.value_span());
        span.map(|span| self.document.get().source.slice(py, span)).transpose()
    }

    fn __repr__(&self) -> String {
        self.with(|attribute| format!("<Attribute {attribute:?}>"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let constructor = py.import("pytabulex._tabulex")?.getattr("_attribute_of")?;
        let node = Node { document: self.document.clone_ref(py), id: self.node };
        (constructor, (node, self.index)).into_pyobject(py)
    }
}
