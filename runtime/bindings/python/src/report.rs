//! Reports of parse errors and events. Reports hold plain values, so that they outlive their document and pickle cheaply.

use pyo3::prelude::*;
use pyo3::types::{PySlice, PyTuple};
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// Creates a Python slice from a range of the source.
pub(crate) fn slice(py: Python<'_>, (start, end): (usize, usize)) -> PyResult<Bound<'_, PyAny>> {
    py.get_type::<PySlice>().call1((start, end))
}

/// A parse error with the standard's code. Reported, never raised.
#[pyclass(frozen, eq, hash, module = "pytabulex")]
#[derive(Clone)]
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
    explanation: Explanation,
}

/// The message and URL of an error: the library's, or those that were unpickled.
#[derive(Clone)]
enum Explanation {
    Library(tabulex::ParseError),
    Pickled(String, Option<String>),
}

impl ParseError {
    /// Creates a report of the library's error, at a range and a position of the source.
    pub(crate) fn of(
        error: &tabulex::ParseError,
        (start, end): (usize, usize),
        (line, column): (usize, usize),
    ) -> Self {
        let (code, explanation) = (error.code.to_owned(), Explanation::Library(*error));
        Self { code, range: (start, end), line, column, explanation }
    }

    fn key(&self) -> (&str, (usize, usize), usize, usize) {
        (&self.code, self.range, self.line, self.column)
    }
}

impl PartialEq for ParseError {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ParseError {}

impl Hash for ParseError {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
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
        let explanation = Explanation::Pickled(message.to_owned(), url);
        Self { code, range: (start, end), line, column, explanation }
    }

    /// A description of the error, in one or two sentences.
    #[getter]
    fn message(&self) -> Cow<'_, str> {
        match &self.explanation {
            Explanation::Library(error) => error.message(),
            Explanation::Pickled(message, _) => message.into(),
        }
    }

    /// The address of the standard's explanation of the code; ``None`` if the dialect's document has none.
    #[getter]
    fn url(&self) -> Option<String> {
        match &self.explanation {
            Explanation::Library(error) => error.url(),
            Explanation::Pickled(_, url) => url.clone(),
        }
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
        let arguments = (&self.code, start, end, line, column, self.message(), self.url());
        (py.get_type::<Self>(), arguments).into_pyobject(py)
    }
}

/// An action taken to stay within a limit. Reported, never raised.
#[pyclass(frozen, eq, hash, module = "pytabulex")]
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

#[pymethods]
impl Event {
    #[new]
    pub(crate) fn new(kind: String, offset: usize, message: String) -> Self {
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
