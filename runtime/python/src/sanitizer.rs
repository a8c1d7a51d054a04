//! Sanitizers as Python sees them: a configuration that is read once, and markup in, markup out. What is unsafe is the package
//! `tabulex-sanitize`'s business. Invariant: two sanitizers of the same arguments clean alike, so that they can be pickled.

use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};
use tabulex::sanitize;
use tabulex::tree::Positions;
use tabulex::{FragmentContext, Options};

create_exception!(
    pytabulex,
    UnstableError,
    PyValueError,
    "Sanitized markup does not read as the sanitized tree, however often it is read and written."
);

/// The Sanitizer API of the HTML standard: removes what its configuration does not allow, and by default all that runs scripts.
/// It is read once, pickles, and may be used by any thread.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Sanitizer {
    inner: sanitize::Sanitizer,
    given: Py<PyDict>,
}

/// The names in an argument: an iterable of strings. A single string is none: its letters would be names.
fn names(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_instance_of::<PyString>() {
        let message = format!("a list of names is wanted, not {}", value.repr()?);
        return Err(PyTypeError::new_err(message));
    }
    value.try_iter()?.map(|name| name?.extract()).collect()
}

/// An argument as it is kept: with lists that nobody else has, of names that are read once.
fn kept<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    if value.is_instance_of::<PyBool>() {
        return Ok(value.clone());
    }
    let Ok(attributes) = value.cast::<PyDict>() else {
        return Ok(PyList::new(py, names(value)?)?.into_any());
    };
    let copy = PyDict::new(py);
    for (element, own) in attributes {
        copy.set_item(element, names(&own)?)?;
    }
    Ok(copy.into_any())
}

/// The sanitizer with what one argument says.
fn with(
    mut inner: sanitize::Sanitizer,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<sanitize::Sanitizer> {
    match name {
        "allow_elements" => {
            if let Ok(attributes) = value.cast::<PyDict>() {
                for (element, own) in attributes {
                    let own = names(&own)?;
                    let own: Vec<&str> = own.iter().map(String::as_str).collect();
                    inner = inner.allow_element_with(&element.extract::<String>()?, &own);
                }
                return Ok(inner);
            }
            Ok(names(value)?.iter().fold(inner, |inner, name| inner.allow_element(name)))
        }
        "remove_elements" => {
            Ok(names(value)?.iter().fold(inner, |inner, name| inner.remove_element(name)))
        }
        "replace_elements" => names(value)?.iter().try_fold(inner, |inner, name| {
            inner.replace_element(name).map_err(|error| PyValueError::new_err(error.to_string()))
        }),
        "allow_attributes" => {
            Ok(names(value)?.iter().fold(inner, |inner, name| inner.allow_attribute(name)))
        }
        "remove_attributes" => {
            Ok(names(value)?.iter().fold(inner, |inner, name| inner.remove_attribute(name)))
        }
        "comments" => Ok(inner.comments(value.extract()?)),
        "data_attributes" => Ok(inner.data_attributes(value.extract()?)),
        _ => Err(PyTypeError::new_err(format!("unknown argument {name:?}"))),
    }
}

#[pymethods]
impl Sanitizer {
    /// The standard's safe default, changed by the arguments in their order; ``permissive`` begins with a configuration that
    /// allows all but what runs scripts. ``allow_elements`` may map elements to attributes that only they may have.
    #[new]
    #[pyo3(signature = (*, permissive=false, **changes), text_signature = "(*, permissive=False, allow_elements=(), remove_elements=(), replace_elements=(), allow_attributes=(), remove_attributes=(), comments=None, data_attributes=None)")]
    fn new(
        py: Python<'_>,
        permissive: bool,
        changes: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut inner = match permissive {
            true => sanitize::Sanitizer::permissive(),
            false => sanitize::Sanitizer::new(),
        };
        let given = PyDict::new(py);
        for (name, value) in changes.into_iter().flatten() {
            let value = kept(&value)?;
            inner = with(inner, &name.extract::<String>()?, &value)?;
            given.set_item(name, value)?;
        }
        given.set_item("permissive", permissive)?;
        Ok(Self { inner, given: given.unbind() })
    }

    /// Sanitized markup of the contents of an element ``context``. It is read again, and sanitized and written until it reads as
    /// what it was written from; where that never happens, there is an ``UnstableError``.
    #[pyo3(signature = (markup, context="div"))]
    fn clean(&self, py: Python<'_>, markup: &str, context: &str) -> PyResult<String> {
        // Sanitizers are of the first dialect, as all functions are unless another one is named.
        let (dialect, context) = (tabulex::dialects()[0], FragmentContext::from(context));
        let options = Options::new().errors(false).positions(Positions::None);
        let clean = py.detach(|| {
            let mut parser = dialect.fragment_parser(&context, &options)?;
            let parse = |markup: &str| parser.parse(markup).tree;
            Some(self.inner.clean_by(markup, parse, &dialect.serializer()?))
        });
        let clean = clean.ok_or_else(|| PyValueError::new_err("this build writes no markup"))?;
        clean.map_err(|error| UnstableError::new_err(error.to_string()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Sanitizer(**{})", self.given.bind(py).repr()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let made = py.import("pytabulex._tabulex")?.getattr("_sanitizer_of")?;
        (made, (self.given.bind(py),)).into_pyobject(py)
    }
}

/// The sanitizer of these arguments, for unpickling.
#[pyfunction(name = "_sanitizer_of")]
pub(crate) fn sanitizer_of(given: &Bound<'_, PyDict>) -> PyResult<Sanitizer> {
    let permissive = given.get_item("permissive")?.map_or(Ok(false), |value| value.extract())?;
    let changes = given.copy()?;
    changes.del_item("permissive")?;
    Sanitizer::new(given.py(), permissive, Some(&changes))
}
