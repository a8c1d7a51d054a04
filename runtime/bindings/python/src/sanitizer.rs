//! Sanitizers: a configuration that is parsed once and applied to any number of texts.

use crate::settings::Settings;
use crate::source::utf_8;
use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyMapping, PyString, PyTuple};
use std::borrow::Cow;
use std::cell::RefCell;
use tabulex::sanitize::{self, Config, ConfigError, UnknownElements};
use tabulex::tree::Positions;
use tabulex::{FragmentContext, Options};

create_exception!(
    pytabulex,
    UnstableError,
    PyValueError,
    "Sanitized markup that does not parse back to the sanitized tree, however often it is sanitized again."
);

/// A sanitizer with the configuration of the HTML standard's Sanitizer API. It removes what the configuration does not
/// allow, by default everything that runs scripts. It can be pickled and shared by threads.
///
/// Starts from the standard's safe default, which the keyword arguments change. ``permissive`` starts from a
/// configuration that allows everything except scripts; ``config`` is the standard's configuration object, a dict or
/// JSON.
///
/// ``allow_elements`` and ``allow_attributes`` restrict: nothing else is allowed. ``add_elements`` and
/// ``add_attributes`` extend. Elements may be a mapping to attributes allowed on them alone. ``unknown`` chooses the
/// treatment of elements that are not allowed: ``"remove"`` them with their contents, ``"keep"`` the contents, or
/// ``"escape"`` the tags. Elements removed by name lose their contents. ``allow_classes`` may be a mapping from
/// elements, or ``"*"``, to classes. ``attribute_filter`` is called with element, attribute and value, and returns the
/// new value, or ``None`` to remove the attribute.
#[pyclass(frozen, module = "pytabulex")]
pub(crate) struct Sanitizer {
    inner: sanitize::Sanitizer,
    arguments: Py<PyDict>,
}

/// The keyword arguments in the order in which they are applied, whatever order they are given in: restrictions precede
/// additions, and removals come last.
const ARGUMENT_ORDER: [&str; 15] = [
    "allow_attributes",
    "allow_elements",
    "add_elements",
    "add_attributes",
    "replace_elements",
    "remove_elements",
    "remove_attributes",
    "comments",
    "data_attributes",
    "unknown",
    "url_schemes",
    "relative_urls",
    "link_rel",
    "allow_classes",
    "attribute_filter",
];

thread_local! {
    /// Exception raised by an attribute filter during the current call on this thread.
    static FILTER_EXCEPTION: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Extracts an iterable of names. A single string is rejected, as its letters would count as names.
fn extract_names(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_instance_of::<PyString>() {
        let message = format!("expected a list of names, found the string {}", value.repr()?);
        return Err(PyTypeError::new_err(message));
    }
    value.try_iter()?.map(|name| name?.extract()).collect()
}

/// Copies an argument, so that later changes of the caller's lists have no effect and iterators are read once.
fn copy_argument<'py>(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = value.py();
    let is_plain = value.is_instance_of::<PyBool>() || value.is_none();
    if is_plain || matches!(name, "unknown" | "link_rel" | "attribute_filter") {
        return Ok(value.clone());
    }
    let Ok(attributes) = value.cast::<PyMapping>() else {
        return Ok(PyList::new(py, extract_names(value)?)?.into_any());
    };
    let copy = PyDict::new(py);
    copy.update(attributes)?;
    for (element, list) in copy.copy()? {
        copy.set_item(element, extract_names(&list)?)?;
    }
    Ok(copy.into_any())
}

/// Extracts element names, with their own allowed attributes if the argument is a mapping.
fn extract_elements(value: &Bound<'_, PyAny>) -> PyResult<Vec<(String, Option<Vec<String>>)>> {
    let Ok(attributes) = value.cast::<PyDict>() else {
        return Ok(extract_names(value)?.into_iter().map(|name| (name, None)).collect());
    };
    attributes
        .iter()
        .map(|(element, list)| Ok((element.extract()?, Some(extract_names(&list)?))))
        .collect()
}

/// Borrows strings as slices.
fn as_strs(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

fn add_elements(
    inner: sanitize::Sanitizer,
    elements: &[(String, Option<Vec<String>>)],
) -> sanitize::Sanitizer {
    elements.iter().fold(inner, |inner, (element, attributes)| match attributes {
        Some(attributes) => inner.allow_element_with(element, &as_strs(attributes)),
        None => inner.allow_element(element),
    })
}

/// Adds a filter that calls a Python function ``(element, attribute, value)``, which returns the new value or `None` to
/// remove the attribute.
fn set_filter(inner: sanitize::Sanitizer, function: Py<PyAny>) -> sanitize::Sanitizer {
    inner.filter_attributes(move |element, attribute| {
        let has_raised = FILTER_EXCEPTION.with_borrow(Option::is_some);
        let call_function = |py: Python<'_>| {
            let name = attribute.name().to_string();
            let value = function.call1(py, (element.local_name(), name, attribute.value()))?;
            value.extract::<Option<String>>(py)
        };
        if has_raised {
            return None;
        }
        let value = Python::attach(call_function);
        value.map(|value| value.map(Cow::Owned)).unwrap_or_else(|error| {
            FILTER_EXCEPTION.set(Some(error));
            None
        })
    })
}

/// Applies one keyword argument to a sanitizer.
fn apply_argument(
    inner: sanitize::Sanitizer,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<sanitize::Sanitizer> {
    let fold_names = |change: fn(sanitize::Sanitizer, &str) -> sanitize::Sanitizer| {
        Ok(extract_names(value)?.iter().fold(inner.clone(), |inner, name| change(inner, name)))
    };
    match name {
        "allow_elements" => {
            let elements = extract_elements(value)?;
            let names: Vec<&str> = elements.iter().map(|(name, _)| name.as_str()).collect();
            let mut inner = inner.only_elements(&names);
            if elements.iter().any(|(_, attributes)| attributes.is_some()) {
                inner = add_elements(inner, &elements);
            }
            Ok(inner)
        }
        "add_elements" => Ok(add_elements(inner, &extract_elements(value)?)),
        "remove_elements" => fold_names(|inner, name| inner.remove_element(name)),
        "replace_elements" => extract_names(value)?.iter().try_fold(inner, |inner, name| {
            inner.replace_element(name).map_err(|error| PyValueError::new_err(error.to_string()))
        }),
        "allow_attributes" => Ok(inner.only_attributes(&as_strs(&extract_names(value)?))),
        "add_attributes" => fold_names(|inner, name| inner.allow_attribute(name)),
        "remove_attributes" => fold_names(|inner, name| inner.remove_attribute(name)),
        "comments" => Ok(inner.comments(value.extract()?)),
        "data_attributes" => Ok(inner.data_attributes(value.extract()?)),
        "unknown" => {
            let unknown: String = value.extract()?;
            Ok(inner.unknown_elements(match &*unknown {
                "remove" => UnknownElements::Remove,
                "keep" => UnknownElements::KeepContents,
                "escape" => UnknownElements::Escape,
                _ => {
                    let message = "`unknown` must be `\"remove\"`, `\"keep\"` or `\"escape\"`";
                    return Err(PyValueError::new_err(message));
                }
            }))
        }
        "url_schemes" => Ok(inner.url_schemes(&as_strs(&extract_names(value)?))),
        "relative_urls" => Ok(inner.relative_urls(value.extract()?)),
        "link_rel" => Ok(match value.extract::<Option<String>>()? {
            Some(rel) => inner.link_rel(&rel),
            None => inner,
        }),
        "allow_classes" => {
            if let Ok(classes) = value.cast::<PyDict>() {
                return classes.iter().try_fold(inner, |inner, (element, classes)| {
                    let element: String = element.extract()?;
                    let element = Some(&*element).filter(|element| *element != "*");
                    Ok(inner.allow_classes(element, &as_strs(&extract_names(&classes)?)))
                });
            }
            Ok(inner.allow_classes(None, &as_strs(&extract_names(value)?)))
        }
        "attribute_filter" if value.is_callable() => Ok(set_filter(inner, value.clone().unbind())),
        "attribute_filter" if value.is_none() => Ok(inner),
        "attribute_filter" => {
            Err(PyTypeError::new_err("`attribute_filter` must be callable or `None`"))
        }
        _ => Err(PyTypeError::new_err(format!("unknown argument `{name}`"))),
    }
}

#[pymethods]
impl Sanitizer {
    #[new]
    #[pyo3(signature = (config=None, *, permissive=false, **changes), text_signature = "(config=None, *, permissive=False, allow_elements=..., add_elements=(), remove_elements=(), replace_elements=(), allow_attributes=..., add_attributes=(), remove_attributes=(), comments=..., data_attributes=..., unknown='remove', url_schemes=..., relative_urls=True, link_rel=None, allow_classes=..., attribute_filter=None)")]
    fn new(
        py: Python<'_>,
        config: Option<&Bound<'_, PyAny>>,
        permissive: bool,
        changes: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let arguments = PyDict::new(py);
        let mut inner = match (config, permissive) {
            (Some(_), true) => {
                let message = "`config` and `permissive` cannot be combined";
                return Err(PyTypeError::new_err(message));
            }
            (Some(config), false) => {
                let json: String = match config.is_instance_of::<PyString>() {
                    true => config.extract()?,
                    false => py.import("json")?.call_method1("dumps", (config,))?.extract()?,
                };
                let to_error = |error: ConfigError| PyValueError::new_err(error.to_string());
                let config = Config::from_json(&json).map_err(to_error)?;
                arguments.set_item("config", json)?;
                sanitize::Sanitizer::from_config(&config).map_err(to_error)?
            }
            (None, true) => sanitize::Sanitizer::permissive(),
            (None, false) => sanitize::Sanitizer::new(),
        };
        Settings::reject_unknown(changes, &ARGUMENT_ORDER)?;
        for (name, value) in changes.into_iter().flatten() {
            let name: String = name.extract()?;
            arguments.set_item(&name, copy_argument(&name, &value)?)?;
        }
        for name in ARGUMENT_ORDER {
            if let Some(value) = arguments.get_item(name)? {
                inner = apply_argument(inner, name, &value)?;
            }
        }
        arguments.set_item("permissive", permissive)?;
        Ok(Self { inner, arguments: arguments.unbind() })
    }

    /// The configuration as the standard's object, in canonical order. Options that the standard lacks, such as
    /// ``url_schemes``, are not included.
    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.inner.config().to_json(),))
    }

    /// Sanitizes markup as the contents of a ``context`` element. The output is parsed again and sanitized until it
    /// round-trips; if it never does, ``UnstableError`` is raised.
    #[pyo3(signature = (markup, context="div"))]
    fn clean(&self, markup: &Bound<'_, PyString>, context: &str) -> PyResult<String> {
        let (py, markup) = (markup.py(), utf_8(markup)?);
        // Sanitizers have no `dialect` argument, so they use the first dialect, the default of all functions.
        let (dialect, context) = (tabulex::dialects()[0], FragmentContext::from(context));
        let options = Options::new().errors(false).positions(Positions::None).scripting(true);
        let result = py.detach(|| {
            let mut parser = dialect.fragment_parser(&context, &options)?;
            let parse = |markup: &str| parser.parse(markup).tree;
            let serializer = dialect.serializer()?.scripting(true);
            Some(self.inner.clean_by(&markup, &context, parse, &serializer))
        });
        if let Some(error) = FILTER_EXCEPTION.take() {
            return Err(error);
        }
        let result =
            result.ok_or_else(|| PyValueError::new_err("this build has no dialect of HTML"))?;
        result.map_err(|error| UnstableError::new_err(error.to_string()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Sanitizer(**{})", self.arguments.bind(py).repr()?))
    }

    /// Returns the arguments with which unpickling calls the constructor.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyTuple>, Py<PyDict>) {
        (PyTuple::empty(py), self.arguments.clone_ref(py))
    }
}
