//! Conversion of Python columns to Arrow arrays: arrays of any Arrow library are used without copying, lists are
//! converted by pyarrow.

use crate::source::repair_surrogates;
use arrow_array::{Array, ArrayRef};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMemoryView, PyString};
use pyo3_arrow::PyArray;
use pyo3_arrow::input::AnyArray;
use std::sync::Arc;

/// Converts a column to an Arrow array. Lists are converted by pyarrow, chunks are concatenated, and dictionaries
/// decoded.
pub(crate) fn column_of(given: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let is_arrow = ["__arrow_c_array__", "__arrow_c_stream__"]
        .iter()
        .any(|name| given.hasattr(name).unwrap_or(false));
    let converted;
    let given = match is_arrow && !holds_objects(given)? {
        true => given,
        false => {
            converted = of_list(given)?;
            &converted
        }
    };
    match given.extract::<AnyArray>()? {
        AnyArray::Array(array) => Ok(PyArray::from_array_ref(plain(array.array())?)),
        AnyArray::Stream(stream) => {
            let (chunks, field) = stream.into_chunked_array()?.into_inner();
            let chunks: Vec<_> = chunks.iter().map(plain).collect::<PyResult<_>>()?;
            let chunk = match &chunks[..] {
                [one] => Arc::clone(one),
                [] => plain(&arrow_array::new_empty_array(field.data_type()))?,
                several => joined(several)?,
            };
            Ok(PyArray::from_array_ref(chunk))
        }
    }
}

/// Whether `given` is a numpy array or pandas series of objects. These are read as lists, since pyarrow would convert a
/// mixture of text and bytes to bytes.
fn holds_objects(given: &Bound<'_, PyAny>) -> PyResult<bool> {
    match given.getattr_opt("dtype")? {
        Some(kind) => Ok(kind.str()? == "object"),
        None => Ok(false),
    }
}

fn failed(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Decodes an array in dictionary or run-end encoding.
fn plain(array: &ArrayRef) -> PyResult<ArrayRef> {
    match array.data_type() {
        DataType::Dictionary(_, values) => cast(array, values).map_err(failed),
        DataType::RunEndEncoded(_, values) => cast(array, values.data_type()).map_err(failed),
        _ => Ok(Arc::clone(array)),
    }
}

/// Concatenates arrays of one type, with 64-bit offsets if 32 bits are too few.
fn joined(arrays: &[ArrayRef]) -> PyResult<ArrayRef> {
    let size: usize = arrays.iter().map(|array| array.get_buffer_memory_size()).sum();
    let large = match arrays[0].data_type() {
        DataType::Utf8 if i32::try_from(size).is_err() => Some(DataType::LargeUtf8),
        DataType::Binary if i32::try_from(size).is_err() => Some(DataType::LargeBinary),
        _ => None,
    };
    let wide = |array: &ArrayRef| match &large {
        Some(large) => cast(array, large),
        None => Ok(Arc::clone(array)),
    };
    let arrays = arrays.iter().map(wide).collect::<Result<Vec<_>, _>>().map_err(failed)?;
    concat(&arrays.iter().map(|array| &**array).collect::<Vec<_>>()).map_err(failed)
}

/// Converts a list, or another object that pyarrow accepts as one.
fn of_list<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = given.py();
    if given.is_instance_of::<PyString>()
        || given.is_instance_of::<PyBytes>()
        || given.is_instance_of::<PyDict>()
    {
        let kind = given.get_type().name()?;
        let message = format!("a column must be a list or an Arrow array of pages, not a {kind}");
        return Err(PyTypeError::new_err(message));
    }
    let array = py.import("pyarrow")?.getattr("array")?;
    let is_objects = holds_objects(given)?;
    if given.hasattr("__array__")? && !is_objects {
        return array.call1((given,));
    }
    let converted;
    let list = match given.cast::<PyList>() {
        Ok(list) => list,
        Err(_) => {
            converted = py.get_type::<PyList>().call1((given,))?.cast_into::<PyList>()?;
            &converted
        }
    };
    let mut has = [false; 2];
    for page in list {
        has[0] |= page.is_instance_of::<PyString>();
        has[1] |= page.is_instance_of::<PyBytes>()
            || page.is_instance_of::<PyByteArray>()
            || page.is_instance_of::<PyMemoryView>();
    }
    if has == [true; 2] {
        // pyarrow would convert text to bytes, for which another encoding might then be detected.
        let message = "a list must hold either str or bytes: encodings are detected only for bytes";
        return Err(PyTypeError::new_err(message));
    }
    // Null values of pandas, such as NaN, become null.
    let options = PyDict::new(py);
    options.set_item("from_pandas", is_objects)?;
    array.call((list,), Some(&options)).or_else(|error| {
        if !error.is_instance_of::<PyUnicodeEncodeError>(py) {
            return Err(error);
        }
        // Unpaired surrogates cannot be stored in Arrow arrays.
        let whole = list.iter().map(|page| match page.cast::<PyString>() {
            Ok(text) => Ok(PyString::new(py, &repair_surrogates(text)?).into_any()),
            Err(_) => Ok(page),
        });
        array.call((PyList::new(py, whole.collect::<PyResult<Vec<_>>>()?)?,), Some(&options))
    })
}
