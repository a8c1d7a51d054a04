//! The dialect of the functions that exist only for HTML: escaping, its inverse, and rewriting.

use pyo3::prelude::*;
use tabulex::html;

pub(crate) use tabulex::html::Html;

/// Escapes text for use between tags, or in a quoted attribute value, exactly as the standard's serializer does.
#[pyfunction]
#[pyo3(signature = (text, *, attribute=false))]
pub(crate) fn escape(text: &str, attribute: bool) -> String {
    if attribute { html::escape_attribute(text) } else { html::escape_text(text) }.into_owned()
}

/// Replaces the character references of a text as the tokenizer does between tags.
#[pyfunction]
pub(crate) fn unescape(text: &str) -> String {
    html::unescape(text).into_owned()
}
