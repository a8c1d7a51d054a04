//! Plans: a description of the columns to extract from a column of pages, which can be pickled.

use crate::column::column_of;
use crate::settings::Settings;
use arrow_pyarrow::ToPyArrow as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyMapping};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use tabulex_arrow::{BatchError, Errors, Pages, Plan as Inner, Text};

/// Options of `parse` that apply to all pages. The others concern a single page, or results that a plan does not keep.
const PLAN_OPTIONS: &[&str] = &[
    "dialect",
    "encoding",
    "parent_encoding",
    "likely_encoding",
    "fallback_encoding",
    "autodetect",
    "locale",
    "scripting",
    "limits",
];

/// A description of the columns to extract from pages. It can be pickled and used for any number of columns.
///
/// ``select`` maps column names to their contents: ``"h2"`` for the texts of all elements that match a selector,
/// ``"a[href]@href"`` for the values of an attribute, ``"a[href]@href::url"`` for the resolved URLs in it,
/// ``"pre::html"`` for markup, ``"pre::span"`` for the ranges of start tags in bytes, and ``"a@{href, ::text}"`` for
/// structs of these. After ``:first`` at the end of the selector, a column has the value of the first element, or null,
/// instead of a list. ``contains=True`` allows ``:contains()`` in selectors, as in ``Selector``.
///
/// ``text=True`` adds a column of rendered text, as browsers show it, and ``text="all"`` one of all text except that of
/// scripts and styles. ``markdown``, ``links`` (resolved URLs) and ``tables`` (rows of the texts of cells) add a column
/// each, and so does ``errors``: ``True`` for each error, ``"counts"`` for their number by code. ``row_limit`` is the
/// maximum number of bytes of one page in one column. The other options are those of ``parse`` that apply to all pages.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Plan {
    inner: Inner,
    select: Py<PyDict>,
    /// The keyword arguments, as given.
    arguments: Py<PyDict>,
}

/// Copies the selection from any mapping to a new dictionary.
fn copy_selection<'py>(
    py: Python<'py>,
    select: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let copy = PyDict::new(py);
    let Some(select) = select else { return Ok(copy) };
    let Ok(select) = select.cast::<PyMapping>() else {
        let type_name = select.get_type().name()?;
        let message =
            format!("`select` must be a mapping of column names to outputs, not `{type_name}`");
        return Err(PyTypeError::new_err(message));
    };
    copy.update(select)?;
    Ok(copy)
}

/// Parses the argument `errors`: `False`, `True`, or "counts".
fn errors_argument(errors: &Bound<'_, PyAny>) -> PyResult<Errors> {
    if let Ok(is_enabled) = errors.extract::<bool>() {
        return Ok(if is_enabled { Errors::Each } else { Errors::No });
    }
    match errors.extract::<String>().as_deref() {
        Ok("counts") => Ok(Errors::Counts),
        _ => Err(PyValueError::new_err("`errors` must be `True`, `False` or `\"counts\"`")),
    }
}

/// Parses the argument `text`: `True`, `False`, or "all".
fn text_argument(text: &Bound<'_, PyAny>) -> PyResult<Text> {
    if let Ok(is_enabled) = text.extract::<bool>() {
        return Ok(if is_enabled { Text::Rendered } else { Text::No });
    }
    match text.extract::<String>().as_deref() {
        Ok("all") => Ok(Text::All),
        _ => Err(PyValueError::new_err("`text` must be `True`, `False` or `\"all\"`")),
    }
}

/// Interval between two checks for signals.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` on another thread, without the GIL, while this thread handles signals. If a signal handler raises an
/// exception, such as that of Ctrl-C, the flag passed to `work` is set, and the exception is returned.
fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> T + Send,
) -> PyResult<T> {
    let cancelled = &AtomicBool::new(false);
    py.detach(|| {
        thread::scope(|scope| {
            let (done_sender, done_receiver) = mpsc::channel();
            let worker = scope.spawn(move || {
                let result = work(cancelled);
                // The receiver outlives this thread, so sending cannot fail.
                let _ = done_sender.send(());
                result
            });
            let mut signal_result = Ok(());
            while done_receiver.recv_timeout(SIGNAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                signal_result = Python::attach(|py| py.check_signals());
                if signal_result.is_err() {
                    cancelled.store(true, Ordering::Relaxed);
                    break;
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            signal_result.map(|()| result)
        })
    })
}

#[pymethods]
impl Plan {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword argument in Python")]
    #[pyo3(signature = (select=None, *, contains=false, text=None, markdown=false, links=false, tables=false, errors=None, row_limit=Inner::ROW_LIMIT, **options), text_signature = "(select=None, *, contains=False, text=True, markdown=False, links=False, tables=False, errors=False, row_limit=67108864, dialect='html', encoding=None, parent_encoding=None, likely_encoding=None, fallback_encoding=None, autodetect=True, locale=None, scripting=False, limits=None)")]
    fn new(
        select: Option<&Bound<'_, PyAny>>,
        contains: bool,
        text: Option<Bound<'_, PyAny>>,
        markdown: bool,
        links: bool,
        tables: bool,
        errors: Option<Bound<'_, PyAny>>,
        row_limit: usize,
        options: Option<&Bound<'_, PyDict>>,
        py: Python<'_>,
    ) -> PyResult<Self> {
        Settings::reject_unknown(options, PLAN_OPTIONS)?;
        let settings = Settings::read(options)?;
        let to_error = |error: tabulex_arrow::PlanError| PyValueError::new_err(error.to_string());
        let python_bool = |value: bool| PyBool::new(py, value).to_owned().into_any();
        let (text, errors) = (
            text.unwrap_or_else(|| python_bool(true)),
            errors.unwrap_or_else(|| python_bool(false)),
        );
        let mut inner = Inner::new()
            .contains(contains)
            .text(text_argument(&text)?)
            .markdown(markdown)
            .links(links)
            .tables(tables)
            .errors(errors_argument(&errors)?)
            .limits(settings.limits)
            .row_limit(row_limit)
            .scripting(settings.scripting)
            .encoding(settings.hints.clone())
            .dialect(settings.dialect.id())
            .map_err(to_error)?;
        let select = copy_selection(py, select)?;
        for (name, output) in &select {
            let (name, output): (String, String) = (name.extract()?, output.extract()?);
            inner = inner.select(&name, &output).map_err(to_error)?;
        }
        let arguments = settings.arguments(py)?;
        for (name, is_enabled) in
            [("contains", contains), ("markdown", markdown), ("links", links), ("tables", tables)]
        {
            arguments.set_item(name, is_enabled)?;
        }
        arguments.set_item("text", text)?;
        arguments.set_item("errors", errors)?;
        arguments.set_item("row_limit", row_limit)?;
        Ok(Self { inner, select: select.unbind(), arguments: arguments.unbind() })
    }

    /// Returns a ``pyarrow.RecordBatch`` with a row for each page of ``column``: an Arrow array of text or bytes from
    /// any library with Arrow's C interface, or a list of ``str`` or ``bytes``. ``content_type`` is a column with the
    /// content type that the transport layer declared for each page; ``url`` is a column with the
    /// URL of each page, which is copied to the result and against which links are resolved. ``threads`` is the number
    /// of threads, or 0 for one per processor.
    ///
    /// A failure of a page is reported in its row, in the column ``error``; it raises no exception. Ctrl-C ends the call
    /// once the pages in work are finished.
    #[pyo3(signature = (column, content_type=None, url=None, *, threads=1))]
    fn batch<'py>(
        &self,
        py: Python<'py>,
        column: &Bound<'py, PyAny>,
        content_type: Option<&Bound<'py, PyAny>>,
        url: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let column = column_of(column)?;
        let content_type = content_type.map(column_of).transpose()?;
        let url = url.map(column_of).transpose()?;
        let threads = NonZeroUsize::new(threads).unwrap_or_else(tabulex::many::all_cores);
        let batch = interruptible(py, |cancelled| {
            let pages = Pages::new(&*column).threads(threads);
            let mut pages = pages.cancelled(cancelled);
            if let Some(content_type) = &content_type {
                pages = pages.content_types(&**content_type);
            }
            if let Some(url) = &url {
                pages = pages.urls(url);
            }
            self.inner.batch(&pages)
        })?;
        let batch = batch.map_err(|error| match error {
            BatchError::Type { .. } => PyTypeError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        })?;
        batch.to_pyarrow(py)
    }

    /// The ``pyarrow.Schema`` of every batch, without the column of URLs.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.inner.schema().to_pyarrow(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Plan({})", self.select.bind(py).repr()?))
    }

    /// Returns the arguments with which unpickling calls the constructor.
    fn __getnewargs_ex__(&self, py: Python<'_>) -> ((Py<PyDict>,), Py<PyDict>) {
        ((self.select.clone_ref(py),), self.arguments.clone_ref(py))
    }
}
