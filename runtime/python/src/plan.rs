//! Plans as Python sees them: what is wanted of a column of pages, a value that pickles. What a plan means and how it runs is the
//! package `tabulex-arrow`'s business. Invariant: two plans of the same arguments give the same columns.

use crate::settings::Settings;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3_arrow::input::AnyArray;
use pyo3_arrow::{PyArray, PyRecordBatch, PySchema};
use std::num::NonZeroUsize;
use std::sync::Arc;
use tabulex_arrow::{BatchError, Errors, Pages, Plan as Inner};

/// What is wanted of a column of pages. It is read once, pickles, and runs over any number of columns.
#[pyclass(frozen, module = "tabulex")]
pub(crate) struct Plan {
    inner: Inner,
    select: Py<PyDict>,
    text: bool,
    errors: Py<PyAny>,
    row_limit: usize,
    options: Py<PyDict>,
}

/// What is wanted of errors: `False`, `True`, or "counts".
fn wanted(errors: &Bound<'_, PyAny>) -> PyResult<Errors> {
    if let Ok(each) = errors.extract::<bool>() {
        return Ok(if each { Errors::Each } else { Errors::No });
    }
    match errors.extract::<String>().as_deref() {
        Ok("counts") => Ok(Errors::Counts),
        _ => Err(PyValueError::new_err("errors is True, False or \"counts\"")),
    }
}

#[pymethods]
impl Plan {
    /// ``select`` maps names of columns to what they hold, such as ``"a[href]@href"``; ``text`` and ``errors`` say whether
    /// there are such columns. The options are those of ``parse`` that are about all pages.
    #[new]
    #[pyo3(signature = (select=None, *, text=true, errors=None, row_limit=Inner::ROW_LIMIT, **options), text_signature = "(select=None, *, text=True, errors=False, row_limit=67108864, dialect='html', encoding=None, likely_encoding=None, fallback_encoding=None, locale=None, scripting=False, limits=None)")]
    fn new(
        select: Option<&Bound<'_, PyDict>>,
        text: bool,
        errors: Option<Bound<'_, PyAny>>,
        row_limit: usize,
        options: Option<&Bound<'_, PyDict>>,
        py: Python<'_>,
    ) -> PyResult<Self> {
        let settings = Settings::read(options)?;
        let failed = |error: tabulex_arrow::PlanError| PyValueError::new_err(error.to_string());
        let errors = errors
            .unwrap_or_else(|| false.into_pyobject(py).expect("a bool").to_owned().into_any());
        let mut inner = Inner::new()
            .text(text)
            .errors(wanted(&errors)?)
            .limits(settings.limits)
            .row_limit(row_limit)
            .scripting(settings.scripting)
            .encoding(settings.hints.clone())
            .dialect(settings.dialect.id())
            .map_err(failed)?;
        let select = select.map_or_else(|| Ok(PyDict::new(py)), |select| select.copy())?;
        for (name, written) in &select {
            let (name, written): (String, String) = (name.extract()?, written.extract()?);
            inner = inner.select(&name, &written).map_err(failed)?;
        }
        let options = options.map_or_else(|| Ok(PyDict::new(py)), |options| options.copy())?;
        let (select, errors, options) = (select.unbind(), errors.unbind(), options.unbind());
        Ok(Self { inner, select, text, errors, row_limit, options })
    }

    /// A row for each page of a column: a ``pyarrow.RecordBatch``. The column is an Arrow array of text or bytes, of any library
    /// that has Arrow's interface, or a list of ``str`` or ``bytes``. ``content_type`` is a column of what the transport layer said
    /// of each page, ``url`` one that is returned as it is, ``threads`` how many threads there are to be: 0 is one for each
    /// processor.
    ///
    /// What goes wrong with a page is in its row, in the column ``error``; there is no exception because of a page.
    #[pyo3(signature = (column, content_type=None, url=None, *, threads=1))]
    fn batch<'py>(
        &self,
        py: Python<'py>,
        column: &Bound<'py, PyAny>,
        content_type: Option<&Bound<'py, PyAny>>,
        url: Option<&Bound<'py, PyAny>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let column = array(column)?;
        let content_type = content_type.map(array).transpose()?;
        let url = url.map(array).transpose()?;
        let batch = py.detach(|| {
            let threads = NonZeroUsize::new(threads).unwrap_or_else(tabulex::many::all_cores);
            let mut pages = Pages::new(column.array().as_ref()).threads(threads);
            if let Some(content_type) = &content_type {
                pages = pages.content_types(content_type.array().as_ref());
            }
            if let Some(url) = &url {
                pages = pages.urls(url.array());
            }
            self.inner.batch(&pages)
        });
        let batch = batch.map_err(|error| match error {
            BatchError::Type { .. } => PyTypeError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        })?;
        PyRecordBatch::new(batch).into_pyarrow(py)
    }

    /// The columns of every batch, without the one of URLs: a ``pyarrow.Schema``.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PySchema::new(self.inner.schema()).into_pyarrow(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Plan({})", self.select.bind(py).repr()?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let made = py.import("tabulex._tabulex")?.getattr("_plan_of")?;
        let arguments = (
            self.select.bind(py),
            self.text,
            self.errors.bind(py),
            self.row_limit,
            self.options.bind(py),
        );
        (made, arguments).into_pyobject(py)
    }
}

/// The plan of these arguments, for unpickling.
#[pyfunction(name = "_plan_of")]
pub(crate) fn plan_of(
    select: &Bound<'_, PyDict>,
    text: bool,
    errors: Bound<'_, PyAny>,
    row_limit: usize,
    options: &Bound<'_, PyDict>,
) -> PyResult<Plan> {
    Plan::new(Some(select), text, Some(errors), row_limit, Some(options), select.py())
}

/// An Arrow array; of a list one that pyarrow makes of it, and of several chunks one that holds them all.
fn array(given: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let py = given.py();
    let is_arrow = ["__arrow_c_array__", "__arrow_c_stream__"]
        .iter()
        .any(|name| given.hasattr(name).unwrap_or(false));
    let made;
    let given = match is_arrow {
        true => given,
        false => {
            made = py.import("pyarrow")?.call_method1("array", (given,))?;
            &made
        }
    };
    match given.extract::<AnyArray>()? {
        AnyArray::Array(array) => Ok(array),
        AnyArray::Stream(stream) => {
            let (chunks, field) = stream.into_chunked_array()?.into_inner();
            let chunk = match &chunks[..] {
                [one] => Arc::clone(one),
                [] => arrow_array::new_empty_array(field.data_type()),
                several => {
                    let several: Vec<_> = several.iter().map(|chunk| &**chunk).collect();
                    let joined = arrow_select::concat::concat(&several);
                    joined.map_err(|error| PyValueError::new_err(error.to_string()))?
                }
            };
            Ok(PyArray::new(chunk, field))
        }
    }
}
