//! Dialects outside of markup, written as users would, which show what the language can express. Each has a table,
//! cases with trees or values, errors and ranges, and is run by the interpreter and the compiled machine, which agree
//! however the input is chunked.

mod calls;
mod css;
mod json;
mod nulls;
mod of_compiler;
mod places;
mod settings;
mod small;
mod templates;
