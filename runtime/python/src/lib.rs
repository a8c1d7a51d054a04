//! The module `pytabulex._tabulex`: the parsers of the package `tabulex` as Python sees them. The package around it, with its
//! documentation and types, is in `python/pytabulex`. Nothing is parsed here. Invariant: every class is immutable or guards
//! what it changes, so that the module needs no global lock; the lock is released wherever markup is read.

mod attribute;
mod column;
mod document;
mod edits;
mod iterate;
mod node;
mod places;
mod plan;
mod report;
mod sanitizer;
mod selector;
mod settings;
mod source;
mod tokens;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _tabulex {
    #[pymodule_export]
    use crate::attribute::{Attribute, attribute_of};
    #[pymodule_export]
    use crate::document::{Document, again, dialects, parse, parse_fragment};
    #[pymodule_export]
    use crate::edits::{EditError, Edits};
    #[pymodule_export]
    use crate::iterate::Nodes;
    #[pymodule_export]
    use crate::node::{Node, node_of};
    #[pymodule_export]
    use crate::plan::{Plan, plan_of};
    #[pymodule_export]
    use crate::report::{Event, ParseError};
    #[pymodule_export]
    use crate::sanitizer::{Sanitizer, UnstableError, sanitizer_of};
    #[pymodule_export]
    use crate::selector::{Selector, SelectorError};
    #[pymodule_export]
    use crate::tokens::{Token, Tokens, token_of, tokens};
}
