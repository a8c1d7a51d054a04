//! A machine in place of a rejected table: it has the names that the table declares, but no rows. Its code compiles, so
//! that only the table's errors are reported, and is never run.

use tabulex_language::model::tree::{Construction, Mode};
use tabulex_language::model::{ErrorCode, Flag, Machine, State, Subject};
use tabulex_language::parse::Outline;
use tabulex_language::syntax::Span;

/// Returns the machine with the names in the outline. It has a state, a mode and a name even if the outline has none.
pub(crate) fn machine(outline: &Outline) -> Machine {
    let (unknown, span, doc) = ("unknown".to_owned(), Span::default(), String::new());
    let states = match &outline.states[..] {
        [] => std::slice::from_ref(&unknown),
        states => states,
    };
    let states = states.iter().map(|name| State {
        name: name.clone(),
        span,
        doc: doc.clone(),
        section: None,
        procedure: None,
        subject: Subject::Always,
        enter: Vec::new(),
        leave: Vec::new(),
        rows: Vec::new(),
    });
    let errors = outline.errors.iter().cloned();
    let errors = errors.map(|name| ErrorCode { name, span, by_host: false });
    let flags = outline.host_flags.iter().cloned().map(|name| Flag {
        name,
        span,
        values: Vec::new(),
        by_host: true,
        by_rows: false,
        counter: None,
    });
    let mode =
        Mode { name: unknown.clone(), span, doc: doc.clone(), section: None, rows: Vec::new() };
    Machine {
        name: outline.name.clone().unwrap_or_else(|| unknown.clone()),
        states: states.collect(),
        errors: errors.collect(),
        flags: flags.collect(),
        construction: Some(Construction { modes: vec![mode], ..Construction::default() }),
        ..Machine::default()
    }
}
