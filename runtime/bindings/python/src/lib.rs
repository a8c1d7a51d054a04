//! The extension module `pytabulex._tabulex`: bindings to the package `tabulex`. The Python package, with its
//! documentation and types, is in `python/pytabulex`. Every class is immutable or locks its mutable state, so that the
//! module works without the GIL, which is released while markup is parsed.

mod attribute;
mod column;
mod contents;
mod document;
mod edits;
mod iterate;
mod markup;
mod node;
mod parser;
mod plan;
mod report;
mod rewrite;
mod sanitizer;
mod selector;
mod settings;
mod source;
mod tokens;

use pyo3::prelude::*;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex. Poisoning is ignored, as every update of the state under a lock is complete or harmless.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymodule(gil_used = false)]
mod _tabulex {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use crate::attribute::{Attribute, attribute_of};
    #[pymodule_export]
    use crate::contents::Link;
    #[pymodule_export]
    use crate::document::{Document, dialects, document_of, parse, parse_fragment};
    #[pymodule_export]
    use crate::edits::{EditError, Edits};
    #[pymodule_export]
    use crate::iterate::Nodes;
    #[pymodule_export]
    use crate::markup::{escape, parse_url, unescape};
    #[pymodule_export]
    use crate::node::{Node, node_of};
    #[pymodule_export]
    use crate::parser::Parser;
    #[pymodule_export]
    use crate::plan::Plan;
    #[pymodule_export]
    use crate::report::{Event, ParseError};
    #[pymodule_export]
    use crate::rewrite::{Piece, RewriteError, Rewriter, Rules, rewrite};
    #[pymodule_export]
    use crate::sanitizer::{Sanitizer, UnstableError};
    #[pymodule_export]
    use crate::selector::{Selector, SelectorError};
    #[pymodule_export]
    use crate::tokens::{Token, Tokens, token_of, tokens};
}
