//! Reports of parse errors and events. Reports hold plain values, so that they outlive their document and pickle cheaply.

use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use tabulex::Position;

/// Creates a Python slice from a range of the source.
pub(crate) fn slice(py: Python<'_>, (start, end): (usize, usize)) -> PyResult<Bound<'_, PyAny>> {
    py.get_type::<PySlice>().call1((start, end))
}

/// A parse error with the standard's code. Reported, never raised.
#[pyclass(frozen, eq, hash, skip_from_py_object, module = "pytabulex")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct ParseError {
    /// The code in kebab case, such as ``"eof-in-tag"``.
    #[pyo3(get)]
    code: String,
    range: (usize, usize),
    /// The line, counted from 1.
    #[pyo3(get)]
    line: usize,
    /// The column, counted from 1 in code points.
    #[pyo3(get)]
    column: usize,
    /// A description of the error, in one or two sentences.
    #[pyo3(get)]
    message: String,
    /// The address of the standard's explanation of the code; ``None`` if the dialect's document has none.
    #[pyo3(get)]
    url: Option<String>,
}

impl ParseError {
    /// Creates a report of the library's error, at a range and a position of the source.
    pub(crate) fn of(
        error: &tabulex::ParseError,
        range: (usize, usize),
        Position { line, column }: Position,
    ) -> Self {
        let (code, message) = (error.code.to_owned(), error.message().into_owned());
        Self { code, range, line, column, message, url: error.url() }
    }
}

#[pymethods]
impl ParseError {
    #[new]
    #[pyo3(signature = (code, start, end, line, column, message="", url=None))]
    fn new(
        code: String,
        start: usize,
        end: usize,
        line: usize,
        column: usize,
        message: &str,
        url: Option<String>,
    ) -> Self {
        Self { code, range: (start, end), line, column, message: message.to_owned(), url }
    }

    /// The position of the error, as a slice of the source.
    #[getter]
    fn span<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        slice(py, self.range)
    }

    fn __str__(&self) -> String {
        format!("{}:{}: {}", self.line, self.column, self.code)
    }

    fn __repr__(&self) -> String {
        let (start, end) = self.range;
        format!("<ParseError {} at {}:{} [{start}:{end}]>", self.code, self.line, self.column)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (start, end) = self.range;
        let (line, column) = (self.line, self.column);
        let arguments = (&self.code, start, end, line, column, &self.message, &self.url);
        (py.get_type::<Self>(), arguments).into_pyobject(py)
    }
}

/// An action taken to stay within a limit. Reported, never raised.
#[pyclass(frozen, eq, hash, skip_from_py_object, module = "pytabulex")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Event {
    /// The kind of action, such as ``"flattened"``.
    #[pyo3(get)]
    kind: String,
    /// The index in the source at which the limit was reached.
    #[pyo3(get)]
    offset: usize,
    /// A description of the action. Its offsets are bytes of the decoded text.
    #[pyo3(get)]
    message: String,
}

impl Event {
    /// Creates a report of the library's event, at an index in the source. Its kind is the name of the variant in kebab
    /// case.
    pub(crate) fn of(event: &tabulex::Event, offset: usize) -> Self {
        let name = format!("{event:?}");
        let mut kind = String::new();
        for letter in name.split(' ').next().unwrap_or_default().chars() {
            if letter.is_ascii_uppercase() && !kind.is_empty() {
                kind.push('-');
            }
            kind.push(letter.to_ascii_lowercase());
        }
        Self { kind, offset, message: event.to_string() }
    }
}

#[pymethods]
impl Event {
    #[new]
    fn new(kind: String, offset: usize, message: String) -> Self {
        Self { kind, offset, message }
    }

    fn __str__(&self) -> &str {
        &self.message
    }

    fn __repr__(&self) -> String {
        format!("<Event {} at {}: {}>", self.kind, self.offset, self.message)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let arguments = (&self.kind, self.offset, &self.message);
        (py.get_type::<Self>(), arguments).into_pyobject(py)
    }
}
