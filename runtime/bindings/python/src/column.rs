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
pub(crate) fn column_of(object: &Bound<'_, PyAny>) -> PyResult<PyArray> {
    let is_arrow = ["__arrow_c_array__", "__arrow_c_stream__"]
        .iter()
        .any(|name| object.hasattr(name).unwrap_or(false));
    let array_of_objects;
    let column = match is_arrow && !holds_objects(object)? {
        true => object,
        false => {
            array_of_objects = array_of_list(object)?;
            &array_of_objects
        }
    };
    match column.extract::<AnyArray>()? {
        AnyArray::Array(array) => Ok(PyArray::from_array_ref(expand_encoding(array.array())?)),
        AnyArray::Stream(stream) => {
            let (chunks, field) = stream.into_chunked_array()?.into_inner();
            let chunks: Vec<_> = chunks.iter().map(expand_encoding).collect::<PyResult<_>>()?;
            let array = match &chunks[..] {
                [array] => Arc::clone(array),
                [] => expand_encoding(&arrow_array::new_empty_array(field.data_type()))?,
                chunks => concatenate(chunks)?,
            };
            Ok(PyArray::from_array_ref(array))
        }
    }
}

/// Whether `object` is a numpy array or pandas series of objects. These are read as lists, since pyarrow would convert
/// a mixture of text and bytes to bytes.
fn holds_objects(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    match object.getattr_opt("dtype")? {
        Some(dtype) => Ok(dtype.str()? == "object"),
        None => Ok(false),
    }
}

fn to_value_error(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Expands an array in dictionary or run-end encoding. Other arrays are returned unchanged.
fn expand_encoding(array: &ArrayRef) -> PyResult<ArrayRef> {
    match array.data_type() {
        DataType::Dictionary(_, values) => cast(array, values).map_err(to_value_error),
        DataType::RunEndEncoded(_, values) => {
            cast(array, values.data_type()).map_err(to_value_error)
        }
        _ => Ok(Arc::clone(array)),
    }
}

/// Concatenates arrays of one type, with 64-bit offsets if 32 bits are too few.
fn concatenate(arrays: &[ArrayRef]) -> PyResult<ArrayRef> {
    let size: usize = arrays.iter().map(|array| array.get_buffer_memory_size()).sum();
    let large_type = match arrays[0].data_type() {
        DataType::Utf8 if i32::try_from(size).is_err() => Some(DataType::LargeUtf8),
        DataType::Binary if i32::try_from(size).is_err() => Some(DataType::LargeBinary),
        _ => None,
    };
    let widen = |array: &ArrayRef| match &large_type {
        Some(large_type) => cast(array, large_type),
        None => Ok(Arc::clone(array)),
    };
    let arrays = arrays.iter().map(widen).collect::<Result<Vec<_>, _>>().map_err(to_value_error)?;
    concat(&arrays.iter().map(|array| &**array).collect::<Vec<_>>()).map_err(to_value_error)
}

/// Converts a list, or another object that pyarrow accepts as one.
fn array_of_list<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    if object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyDict>()
    {
        let type_name = object.get_type().name()?;
        let message =
            format!("a column must be a list or an Arrow array of pages, not `{type_name}`");
        return Err(PyTypeError::new_err(message));
    }
    let make_array = py.import("pyarrow")?.getattr("array")?;
    let has_objects = holds_objects(object)?;
    if object.hasattr("__array__")? && !has_objects {
        return make_array.call1((object,));
    }
    let new_list;
    let list = match object.cast::<PyList>() {
        Ok(list) => list,
        Err(_) => {
            new_list = py.get_type::<PyList>().call1((object,))?.cast_into::<PyList>()?;
            &new_list
        }
    };
    let (mut has_text, mut has_bytes) = (false, false);
    for page in list {
        has_text |= page.is_instance_of::<PyString>();
        has_bytes |= page.is_instance_of::<PyBytes>()
            || page.is_instance_of::<PyByteArray>()
            || page.is_instance_of::<PyMemoryView>();
    }
    if has_text && has_bytes {
        // pyarrow would convert text to bytes, for which another encoding might then be detected.
        let message = "a list must hold either str or bytes: encodings are detected only for bytes";
        return Err(PyTypeError::new_err(message));
    }
    // In arrays of objects, pandas represents nulls by values such as NaN, which become null.
    let options = PyDict::new(py);
    options.set_item("from_pandas", has_objects)?;
    make_array.call((list,), Some(&options)).or_else(|error| {
        if !error.is_instance_of::<PyUnicodeEncodeError>(py) {
            return Err(error);
        }
        // Unpaired surrogates cannot be stored in Arrow arrays, so they are replaced.
        let repaired_pages = list.iter().map(|page| match page.cast::<PyString>() {
            Ok(text) => Ok(PyString::new(py, &repair_surrogates(text)?).into_any()),
            Err(_) => Ok(page),
        });
        make_array.call(
            (PyList::new(py, repaired_pages.collect::<PyResult<Vec<_>>>()?)?,),
            Some(&options),
        )
    })
}
