//! Functions on strings: escaping and unescaping of HTML, and the parser of URLs.

use crate::report::ParseError;
use crate::source::Source;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use tabulex::html;

pub(crate) use tabulex::html::Html;

/// Escapes text for use between tags or, with ``attribute=True``, in a quoted attribute value, exactly as the
/// standard's serializer does.
#[pyfunction]
#[pyo3(signature = (text, *, attribute=false))]
pub(crate) fn escape(py: Python<'_>, text: &str, attribute: bool) -> String {
    py.detach(|| {
        let escaped =
            if attribute { html::escape_attribute(text) } else { html::escape_text(text) };
        escaped.into_owned()
    })
}

/// Replaces the character references of a text as the tokenizer does between tags.
#[pyfunction]
pub(crate) fn unescape(py: Python<'_>, text: &str) -> String {
    py.detach(|| html::unescape(text).into_owned())
}

/// Parses a URL as browsers do, relative to ``base`` if it is given. Returns the parts, named as in the URL API
/// (``href``, ``protocol``, ``hostname`` and others), and the validation errors. The parts are ``None`` if ``url`` or
/// ``base`` is not a valid URL. Raises ``ValueError`` in a build without the dialect ``url``.
#[pyfunction]
#[pyo3(signature = (url, base=None))]
pub(crate) fn parse_url<'py>(
    py: Python<'py>,
    url: &Bound<'py, PyString>,
    base: Option<&str>,
) -> PyResult<(Option<Bound<'py, PyDict>>, Vec<ParseError>)> {
    let dialect = tabulex::record_dialects().iter().find(|dialect| dialect.id == "url");
    let missing_dialect = || {
        PyValueError::new_err(
            "this build has no dialect `url`; a build with `MATURIN_PEP517_ARGS=\"--features all-dialects\"` has it",
        )
    };
    let dialect = dialect.ok_or_else(missing_dialect)?;
    let source = Source::new(url)?;
    let text = source.text(py)?;
    let record = py.detach(|| (dialect.read)(&text, base, None));
    let errors = source.report_errors(py, &text, &record.errors)?;
    let parts = record.fields.map(|fields| {
        let parts = PyDict::new(py);
        fields.into_iter().try_for_each(|(name, part)| parts.set_item(name, part))?;
        PyResult::Ok(parts)
    });
    Ok((parts.transpose()?, errors))
}
