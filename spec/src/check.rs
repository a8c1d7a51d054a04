//! All checks.
use crate::diagnostic::Diagnostic;
use crate::model::Machine;
use crate::syntax::Table;

/// Checks the machine.
pub fn check(_machine: &Machine, _table: &Table) -> Vec<Diagnostic> {
    Vec::new()
}
