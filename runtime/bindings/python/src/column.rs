//! Conversion of Python columns to Arrow arrays: arrays of any Arrow library are used without copying, lists are
//! converted by pyarrow.

use crate::source::repair_surrogates;
use arrow_array::cast::AsArray as _;
use arrow_array::{
    Array as _, ArrayRef, LargeBinaryArray, LargeStringArray, UInt64Array, downcast_run_array,
    make_array, new_empty_array,
};
use arrow_data::ArrayData;
use arrow_pyarrow::FromPyArrow as _;
use arrow_schema::{ArrowError, DataType};
use arrow_select::concat::concat;
use arrow_select::take::take;
use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyMemoryView, PyString};
use std::sync::Arc;

/// Converts a column to an Arrow array. Lists are converted by pyarrow, chunks are concatenated, and dictionaries
/// decoded.
pub(crate) fn column_of(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let has_method = |name| object.hasattr(name).unwrap_or(false);
    let (is_array, is_stream) = (has_method("__arrow_c_array__"), has_method("__arrow_c_stream__"));
    if !(is_array || is_stream) || holds_objects(object)? {
        return expand_encoding(array_of(&array_of_list(object)?)?);
    }
    if is_array {
        return expand_encoding(array_of(object)?);
    }
    let column = object.py().import("pyarrow")?.call_method1("chunked_array", (object,))?;
    let chunks = column.getattr("chunks")?.try_iter()?;
    let chunks: Vec<_> =
        chunks.map(|chunk| expand_encoding(array_of(&chunk?)?)).collect::<PyResult<_>>()?;
    match &chunks[..] {
        [array] => Ok(Arc::clone(array)),
        [] => {
            let data_type = DataType::from_pyarrow_bound(&column.getattr("type")?)?;
            expand_encoding(new_empty_array(&data_type))
        }
        chunks => concatenate(chunks),
    }
}

/// Converts an object with Arrow's C interface for arrays.
fn array_of(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    Ok(make_array(ArrayData::from_pyarrow_bound(object)?))
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
fn expand_encoding(array: ArrayRef) -> PyResult<ArrayRef> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return take(dictionary.values(), dictionary.keys(), None).map_err(to_value_error);
    }
    let runs = &*array;
    downcast_run_array!(
        runs => {
            let indices = (0..runs.len()).map(|row| runs.get_physical_index(row) as u64);
            let indices = UInt64Array::from_iter_values(indices);
            take(runs.values(), &indices, None).map_err(to_value_error)
        },
        _ => Ok(array)
    )
}

/// Concatenates arrays of one type, with 64-bit offsets if 32 bits are too few.
fn concatenate(arrays: &[ArrayRef]) -> PyResult<ArrayRef> {
    let size: usize = arrays.iter().map(|array| array.get_buffer_memory_size()).sum();
    match arrays[0].data_type() {
        DataType::Utf8 if i32::try_from(size).is_err() => {
            let values = arrays.iter().flat_map(|array| array.as_string::<i32>());
            Ok(Arc::new(values.collect::<LargeStringArray>()))
        }
        DataType::Binary if i32::try_from(size).is_err() => {
            let values = arrays.iter().flat_map(|array| array.as_binary::<i32>());
            Ok(Arc::new(values.collect::<LargeBinaryArray>()))
        }
        _ => {
            concat(&arrays.iter().map(|array| &**array).collect::<Vec<_>>()).map_err(to_value_error)
        }
    }
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
