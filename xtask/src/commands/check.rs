//! All analyses of all tables in spec/tables, or of the given files. It reads them from the disk, without a build.
//!
//! usage: cargo xtask check [FILE...]
//!
//! Every message has its place, the other place concerned, and the cure. The status is 1 if there is an error. Colours
//! are for terminals, and not with NO_COLOR.
//!
//! example: cargo xtask check spec/tables/html-2013.states
//!
//! Invariant: a table that this accepts is a table that the build accepts.

use crate::{Outcome, paint, root, step};
use lexopt::Arg;
use std::path::PathBuf;
use tabulex_language::Severity;

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let mut files = Vec::new();
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        match arg {
            Arg::Value(file) => files.push(PathBuf::from(file)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    if files.is_empty() {
        files = root::tables()?;
    }
    let (mut states, mut rows, mut errors, mut warnings) = (0, 0, 0, 0);
    let colours = paint::is_wanted();
    for file in &files {
        let (source, loaded) = root::load(file)?;
        for diagnostic in &loaded.diagnostics {
            let text = diagnostic.render(&loaded.source);
            step::say(&(if colours { paint::diagnostic(&text) } else { text } + "\n"));
            match diagnostic.severity {
                Severity::Error => errors += 1,
                Severity::Warning => warnings += 1,
            }
        }
        if let Some(machine) = &loaded.machine {
            states += machine.states.len();
            rows += machine.states.iter().map(|state| state.rows.len()).sum::<usize>();
        } else {
            let (more_states, more_rows) = as_written(&source.text);
            states += more_states;
            rows += more_rows;
        }
    }
    step::say(&format!(
        "{}, {}, {}: {}, {}\n",
        counted(files.len(), "table"),
        counted(states, "state"),
        counted(rows, "row"),
        counted(errors, "error"),
        counted(warnings, "warning"),
    ));
    Ok(errors == 0)
}

/// States and rows of a table that is refused, as far as it can be read.
fn as_written(text: &str) -> (usize, usize) {
    use tabulex_language::syntax::{Item, State};
    let (table, _) = tabulex_language::parse::file(text);
    let items = table.map(|table| table.items).unwrap_or_default();
    let states: Vec<&State> = items
        .iter()
        .flat_map(|item| match item {
            Item::State(state) => std::slice::from_ref(state),
            Item::Procedure { states, .. } => &states[..],
            _ => &[],
        })
        .collect();
    (states.len(), states.iter().map(|state| state.rows.len()).sum())
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
