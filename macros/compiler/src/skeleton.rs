//! A machine in place of a rejected table: it has the names that the table declares, but no rows. Its code compiles, so
//! that only the table's errors are reported, and is never run.

use tabulex_language::model::tree::{Construction, Mode};
use tabulex_language::model::{ErrorCode, Flag, Machine, State, Subject};
use tabulex_language::parse::Outline;

/// Returns the machine with the names in the outline. It has a state, a mode and a name even if the outline has none.
pub(crate) fn machine(outline: &Outline) -> Machine {
    let unknown = "unknown".to_owned();
    let states = match &outline.states[..] {
        [] => std::slice::from_ref(&unknown),
        states => states,
    };
    let states = states.iter().cloned();
    let states = states.map(|name| State { name, subject: Subject::Always, ..State::default() });
    let errors = outline.errors.iter().cloned();
    let errors = errors.map(|name| ErrorCode { name, ..ErrorCode::default() });
    let flags = outline.host_flags.iter().cloned();
    let flags = flags.map(|name| Flag { name, by_host: true, ..Flag::default() });
    let mode = Mode { name: unknown.clone(), ..Mode::default() };
    Machine {
        name: outline.name.clone().unwrap_or_else(|| unknown.clone()),
        states: states.collect(),
        errors: errors.collect(),
        flags: flags.collect(),
        construction: Some(Construction { modes: vec![mode], ..Construction::default() }),
        ..Machine::default()
    }
}
