//! Dialects that are not markup standards, written as users write theirs: they prove what the language can say. Each has a table,
//! cases with trees or values, errors and ranges, and runs by the interpreter and the compiled machine. Invariant: both agree on
//! every input, however it is cut.

mod calls;
mod css;
mod json;
mod of_compiler;
mod settings;
mod small;
mod templates;
