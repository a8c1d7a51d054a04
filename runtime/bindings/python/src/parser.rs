//! A parser that takes a document in chunks.

use crate::document::Document;
use crate::lock;
use crate::settings::Settings;
use crate::source::{Input, Source};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use std::sync::Mutex;
use tabulex::{AnyParser, FragmentContext};

/// A parser that takes a document in chunks, all of them ``str`` or all ``bytes``. Each chunk is parsed when it is fed.
/// With ``context`` the chunks are the contents of an element, as for ``parse_fragment``. The options are those of
/// ``parse``.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Parser {
    settings: Settings,
    fragment: Option<String>,
    state: Mutex<ParserState>,
}

/// The parser and the chunks so far. The parser is `None` while it parses a chunk, and after the end.
struct ParserState {
    parser: Option<Box<dyn AnyParser>>,
    chunks: Py<PyList>,
    is_text: Option<bool>,
    has_ended: bool,
}

impl Parser {
    fn take_parser(&self) -> PyResult<Box<dyn AnyParser>> {
        let parser = lock(&self.state).parser.take();
        parser.ok_or_else(|| PyValueError::new_err("the parser has finished or is in use"))
    }
}

#[pymethods]
impl Parser {
    #[new]
    #[pyo3(signature = (context=None, **options), text_signature = "(context=None, *, dialect='html', encoding=None, content_type=None, parent_encoding=None, likely_encoding=None, fallback_encoding=None, autodetect=True, locale=None, scripting=False, iframe_srcdoc=False, declarative_shadow_roots=False, keep_byte_order_mark=False, positions='all', errors=True, limits=None)")]
    fn new(
        py: Python<'_>,
        context: Option<String>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let settings = Settings::read(options)?;
        let parser = settings.parser(context.as_deref().map(FragmentContext::from).as_ref())?;
        let state = ParserState {
            parser: Some(parser),
            chunks: PyList::empty(py).unbind(),
            is_text: None,
            has_ended: false,
        };
        Ok(Self { settings, fragment: context, state: Mutex::new(state) })
    }

    /// Parses the next chunk. Chunks after ``has_ended`` are ignored.
    fn feed(&self, chunk: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = chunk.py();
        let source = Source::new(chunk)?;
        let input = source.input(py)?;
        let is_text = matches!(input, Input::Text(_));
        if lock(&self.state).is_text.is_some_and(|expected| expected != is_text) {
            return Err(PyTypeError::new_err("chunks must be either all `str` or all bytes-like"));
        }
        let mut parser = self.take_parser()?;
        if !parser.has_ended() {
            py.detach(|| match input {
                Input::Text(text) => parser.feed(text),
                Input::Bytes(bytes) => parser.feed_bytes(bytes),
            });
            let chunks = lock(&self.state).chunks.clone_ref(py);
            chunks.bind(py).append(source.object(py))?;
        }
        let mut state = lock(&self.state);
        (state.is_text, state.has_ended) = (Some(is_text), parser.has_ended());
        state.parser = Some(parser);
        Ok(())
    }

    /// Whether parsing has ended early because of a limit.
    #[getter]
    fn has_ended(&self) -> bool {
        lock(&self.state).has_ended
    }

    /// Parses the end of the input and returns the document. Its ``source`` is the chunks joined.
    fn finish(&self, py: Python<'_>) -> PyResult<Document> {
        let mut parser = self.take_parser()?;
        let parsed = py.detach(|| parser.finish_and_reset());
        let (chunks, is_bytes) = {
            let state = lock(&self.state);
            (state.chunks.clone_ref(py), state.is_text == Some(false))
        };
        let separator = match is_bytes {
            true => PyBytes::new(py, b"").into_any(),
            false => PyString::new(py, "").into_any(),
        };
        let source = Source::new(&separator.call_method1("join", (chunks,))?)?;
        Ok(Document::new(parsed, self.settings.clone(), source, self.fragment.clone()))
    }
}
