//! Parsing options, as given by keyword arguments. They can be written out and read again for pickling.

use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::mem::take;
use std::sync::Arc;
use tabulex::encoding::{Encoding, Hints};
use tabulex::tree::Positions;
use tabulex::{AnyParser, Dialect, FragmentContext, Limits, Options};

/// Names of the keyword arguments.
const NAMES: &[&str] = &[
    "dialect",
    "encoding",
    "content_type",
    "parent_encoding",
    "likely_encoding",
    "fallback_encoding",
    "autodetect",
    "locale",
    "scripting",
    "iframe_srcdoc",
    "declarative_shadow_roots",
    "keep_byte_order_mark",
    "positions",
    "errors",
    "limits",
];

/// Names of the encoding hints among the keyword arguments.
pub(crate) const ENCODING_NAMES: &[&str] = NAMES.split_at(1).1.split_at(7).0;

/// Parsing options, read from keyword arguments.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) dialect: &'static Dialect,
    pub(crate) options: Options,
    /// Encoding hints among the options, for callers that choose an encoding themselves.
    pub(crate) hints: Hints,
    pub(crate) limits: Limits,
    pub(crate) scripting: bool,
    pub(crate) keeps_bom: bool,
    /// A copy of the keyword arguments as given; `None` if there were none.
    arguments: Option<Arc<Py<PyDict>>>,
}

impl Settings {
    /// Reads keyword arguments.
    pub(crate) fn read(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut settings = Self {
            dialect: tabulex::dialects()[0],
            options: Options::new(),
            hints: Hints::new(),
            limits: Limits::new(),
            scripting: false,
            keeps_bom: false,
            arguments: None,
        };
        let Some(arguments) = arguments.filter(|arguments| !arguments.is_empty()) else {
            return Ok(settings);
        };
        for (name, value) in arguments {
            let name = name.cast::<PyString>()?.to_str()?.to_owned();
            settings
                .set(&name, &value)
                .map_err(|error| with_argument_name(arguments.py(), error, &name))?;
        }
        settings.options =
            settings.options.encoding(settings.hints.clone()).limits(settings.limits);
        // The arguments are copied, because the caller may change the dictionaries later.
        let copy = arguments.copy()?;
        if let Some(limits) = copy.get_item("limits")?
            && let Ok(limits) = limits.cast::<PyDict>()
        {
            copy.set_item("limits", limits.copy()?)?;
        }
        settings.arguments = Some(Arc::new(copy.unbind()));
        Ok(settings)
    }

    /// Returns keyword arguments from which [`read`](Self::read) creates these settings.
    pub(crate) fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.arguments
            .as_ref()
            .map_or_else(|| Ok(PyDict::new(py)), |arguments| arguments.bind(py).copy())
    }

    /// Creates a parser of documents, or of the contents of the element `context`.
    pub(crate) fn parser(&self, context: Option<&FragmentContext>) -> PyResult<Box<dyn AnyParser>> {
        let parser = match context {
            None => self.dialect.parser(&self.options),
            Some(context) => self.dialect.fragment_parser(context, &self.options),
        };
        let message = || {
            let id = self.dialect.id();
            format!("the dialect `{id}` builds no trees; read its tokens with `tokens`")
        };
        parser.ok_or_else(|| PyValueError::new_err(message()))
    }

    /// Rejects options that are not in `known`.
    pub(crate) fn reject_unknown(
        options: Option<&Bound<'_, PyDict>>,
        known: &[&str],
    ) -> PyResult<()> {
        for name in options.into_iter().flat_map(|options| options.keys()) {
            let name: String = name.extract()?;
            if !known.contains(&&name[..]) {
                let message =
                    format!("unknown argument `{name}`, expected one of {}", known.join(", "));
                return Err(PyTypeError::new_err(message));
            }
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let parse_encoding = || -> PyResult<Option<Encoding>> {
            let label: Option<String> = value.extract()?;
            let encoding = label.map(|label| Encoding::for_label(&label)).transpose();
            encoding.map_err(|error| PyLookupError::new_err(error.to_string()))
        };
        let options = take(&mut self.options);
        let hints = &mut self.hints;
        self.options = match name {
            "scripting" => {
                self.scripting = value.extract()?;
                options.scripting(self.scripting)
            }
            "keep_byte_order_mark" => {
                self.keeps_bom = value.extract()?;
                options.keep_byte_order_mark(self.keeps_bom)
            }
            "iframe_srcdoc" => options.iframe_srcdoc(value.extract()?),
            "declarative_shadow_roots" => options.declarative_shadow_roots(value.extract()?),
            "errors" => options.errors(value.extract()?),
            "positions" => options.positions(positions(&value.extract::<String>()?)?),
            _ => {
                match name {
                    "dialect" => self.dialect = dialect(&value.extract::<String>()?)?,
                    "limits" => self.limits = limits(value)?,
                    "encoding" => hints.override_with = parse_encoding()?,
                    "parent_encoding" => hints.parent = parse_encoding()?,
                    "likely_encoding" => hints.likely = parse_encoding()?,
                    "fallback_encoding" => hints.fallback = parse_encoding()?,
                    "autodetect" => hints.autodetect = value.extract()?,
                    "locale" => hints.locale = value.extract()?,
                    "content_type" => {
                        if let Some(header) = value.extract::<Option<String>>()? {
                            *hints = take(hints).content_type(&header);
                        }
                    }
                    _ => {
                        let names = NAMES.join(", ");
                        let message = format!("unknown argument, expected one of {names}");
                        return Err(PyTypeError::new_err(message));
                    }
                }
                options
            }
        };
        Ok(())
    }
}

/// Prefixes the message of an exception with the name of the argument.
fn with_argument_name(py: Python<'_>, error: PyErr, name: &str) -> PyErr {
    let message = format!("{name}: {}", error.value(py));
    if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(message)
    } else if error.is_instance_of::<PyLookupError>(py) {
        PyLookupError::new_err(message)
    } else if error.is_instance_of::<PyValueError>(py) {
        PyValueError::new_err(message)
    } else {
        error
    }
}

/// Returns the dialect with this id.
pub(crate) fn dialect(id: &str) -> PyResult<&'static Dialect> {
    let dialect = tabulex::dialects().iter().find(|dialect| dialect.id() == id);
    dialect.copied().ok_or_else(|| {
        let ids: Vec<_> = tabulex::dialects().iter().map(|dialect| dialect.id()).collect();
        let hint = match cfg!(feature = "all-dialects") {
            true => "",
            false => "; a build with `MATURIN_PEP517_ARGS=\"--features all-dialects\"` has all",
        };
        PyValueError::new_err(format!(
            "unknown dialect `{id}`, expected one of {}{hint}",
            ids.join(", ")
        ))
    })
}

fn positions(name: &str) -> PyResult<Positions> {
    match name {
        "all" => Ok(Positions::All),
        "nodes" => Ok(Positions::Nodes),
        "none" => Ok(Positions::None),
        _ => Err(PyValueError::new_err(format!(
            "expected \"all\", \"nodes\" or \"none\", not {name:?}"
        ))),
    }
}

/// Parses a mapping of limit names to numbers. `None` as a number lifts the limit.
pub(crate) fn limits(argument: &Bound<'_, PyAny>) -> PyResult<Limits> {
    let mut limits = Limits::new();
    if argument.is_none() {
        return Ok(limits);
    }
    for (name, number) in argument.cast::<PyDict>()? {
        let name: String = name.extract()?;
        let number: Option<u64> = number.extract()?;
        limits = limits.set(&name, number.unwrap_or(u64::MAX)).ok_or_else(|| {
            let known = Limits::NAMES.join(", ");
            PyValueError::new_err(format!("unknown limit `{name}`, expected one of {known}"))
        })?;
    }
    Ok(limits)
}
