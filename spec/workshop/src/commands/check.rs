//! Checks all built-in tables, or the given ones. Tables are read from the disk, without a build.
//!
//! usage: cargo xtask check [DIALECT|FILE...]
//!
//! Each message has its position, related positions, and a fix. A table may extend a built-in one. The build rejects no
//! table that passes, except for algorithms that cannot be compiled. Exits with status 1 if there is an error. Output is
//! colored on a terminal unless NO_COLOR is set.
//!
//! example: cargo xtask check html-2013

use crate::Outcome;
use crate::arguments::Arguments;
use crate::home::Home;
use std::collections::BTreeSet;
use std::ffi::OsString;
use tabulex_language::Severity;
use tabulex_language::counted;

/// Prints the diagnostics of the tables. Returns whether there is no error.
pub(super) fn run(home: &Home, arguments: Vec<OsString>) -> Outcome {
    let mut names = Arguments::parse(arguments, &[], usize::MAX)?.values;
    if names.is_empty() {
        names = home.dialects();
    }
    let (mut states, mut rows, mut errors, mut warnings) = (0, 0, 0, 0);
    let mut reported = BTreeSet::new();
    for name in &names {
        let table = home.table(name)?;
        for (diagnostic, message) in table.diagnostics.iter().zip(table.messages()) {
            let path = table.source(diagnostic.span).map(|source| source.path.clone());
            // Tables that include the same file share its diagnostics, which are printed once.
            if !reported.insert((path, diagnostic.span.start, diagnostic.message.clone())) {
                continue;
            }
            home.print(&message);
            match diagnostic.severity {
                Severity::Error => errors += 1,
                Severity::Warning => warnings += 1,
            }
        }
        if let Some(machine) = &table.machine {
            states += machine.states.len();
            rows += machine.states.iter().map(|state| state.rows.len()).sum::<usize>();
        } else {
            let (more_states, more_rows) = written_counts(&table.source.text);
            (states, rows) = (states + more_states, rows + more_rows);
        }
    }
    home.print(&format!(
        "{}, {}, {}: {}, {}\n",
        counted(names.len(), "table"),
        counted(states, "state"),
        counted(rows, "row"),
        counted(errors, "error"),
        counted(warnings, "warning"),
    ));
    Ok(errors == 0)
}

/// Returns the numbers of states and rows of a rejected table, as far as the table can be parsed.
fn written_counts(text: &str) -> (usize, usize) {
    use tabulex_language::syntax::{Item, ParsedState};
    let (table, _) = tabulex_language::parse::file(text);
    let items = table.map(|table| table.items).unwrap_or_default();
    let states: Vec<&ParsedState> = items.iter().flat_map(Item::states).collect();
    (states.len(), states.iter().map(|state| state.rows.len()).sum())
}
