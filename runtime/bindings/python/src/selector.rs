//! CSS selectors, with a cache of parsed ones.

use crate::lock;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict, PyString};
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock};
use tabulex::select;

create_exception!(pytabulex, SelectorError, PyValueError, "A text that is not a CSS selector.");

/// Maximum number of cached selectors. A full cache is cleared before the next selector is added.
const CACHE_CAPACITY: usize = 512;

/// The positional and the keyword arguments of a constructor.
type NewArguments<'s, 'py> = ((&'s str, Bound<'py, PyDict>), Bound<'py, PyDict>);

/// A parsed list of CSS selectors. ``namespaces`` maps prefixes to namespace URIs. ``contains=True`` allows
/// ``:contains("text")``, which is not in the standard: it matches elements whose ``text()`` contains the argument,
/// compared case-sensitively. Methods also accept strings, of which the most recent are cached.
#[pyclass(frozen, module = "pytabulex", from_py_object)]
#[derive(Clone)]
pub(crate) struct Selector {
    text: String,
    namespaces: Vec<(String, String)>,
    contains: bool,
    pub(crate) inner: select::Selector,
}

#[pymethods]
impl Selector {
    #[new]
    #[pyo3(signature = (text, namespaces=None, *, contains=false))]
    fn new(text: String, namespaces: Option<&Bound<'_, PyDict>>, contains: bool) -> PyResult<Self> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for pair in namespaces.into_iter().flatten() {
            pairs.push((pair.0.extract()?, pair.1.extract()?));
        }
        let borrowed_pairs: Vec<_> =
            pairs.iter().map(|(prefix, name)| (prefix.as_str(), name.as_str())).collect();
        let syntax = select::Syntax::new().namespaces(&borrowed_pairs).contains(contains);
        let inner = select::Selector::parse_with(&text, &syntax).map_err(selector_error)?;
        Ok(Self { text, namespaces: pairs, contains, inner })
    }

    /// The source text of the selector.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Selector({:?})", self.text)
    }

    fn __eq__(&self, other: &Self) -> bool {
        (&self.text, &self.namespaces, self.contains)
            == (&other.text, &other.namespaces, other.contains)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.text.hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the arguments with which unpickling calls the constructor.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<NewArguments<'_, 'py>> {
        let namespaces = PyDict::new(py);
        for (prefix, name) in &self.namespaces {
            namespaces.set_item(prefix, name)?;
        }
        Ok(((self.text.as_str(), namespaces), [("contains", self.contains)].into_py_dict(py)?))
    }
}

fn selector_error(error: select::SelectorError) -> PyErr {
    SelectorError::new_err(error.to_string())
}

/// Converts an argument to a selector: a `Selector`, or a string, which is parsed or found in the cache.
pub(crate) fn selector(argument: &Bound<'_, PyAny>) -> PyResult<select::Selector> {
    if let Ok(selector) = argument.cast::<Selector>() {
        return Ok(selector.get().inner.clone());
    }
    let text = argument.cast::<PyString>()?.to_str()?;
    static CACHE: OnceLock<Mutex<HashMap<String, select::Selector>>> = OnceLock::new();
    let cache = CACHE.get_or_init(Mutex::default);
    if let Some(selector) = lock(cache).get(text) {
        return Ok(selector.clone());
    }
    let selector = select::Selector::parse(text).map_err(selector_error)?;
    let mut cache = lock(cache);
    if cache.len() >= CACHE_CAPACITY {
        cache.clear();
    }
    cache.insert(text.to_owned(), selector.clone());
    Ok(selector)
}
