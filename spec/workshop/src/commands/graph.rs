//! Prints the state graph of a table for Graphviz or Mermaid, with an edge for each outcome of a row.
//!
//! usage: cargo xtask graph DIALECT|FILE [OPTION...]
//!
//!   --around STATE         only this state with its incoming and outgoing edges
//!   --format dot|mermaid   output format (dot)
//!   --witness              labels each edge with the shortest input that takes its row
//!   --out FILE             writes to a file instead of standard output
//!
//! Edges of rows that report an error, or that match only the end of the input, are pale.
//!
//! example: cargo xtask graph html --around tag-open | dot -Tsvg > tag-open.svg

use super::missing;
use super::run::find_state;
use crate::Outcome;
use crate::arguments::Arguments;
use crate::home::Home;
use crate::picture::{StateGraph, dot, mermaid};
use std::ffi::OsString;
use tabulex_oracle::search::Bound;

/// Runs the command.
pub(super) fn run(home: &Home, arguments: Vec<OsString>) -> Outcome {
    let arguments =
        Arguments::parse(arguments, &["around STATE", "format F", "witness", "out FILE"], 1)?;
    let write = match arguments.format(&["dot", "mermaid"])? {
        "dot" => dot::write,
        _ => mermaid::write,
    };
    let name = arguments.values.first();
    let name = name.ok_or_else(|| missing(home, "a dialect or a table", "graph sky"))?;
    let table = home.table(name)?;
    let Some(machine) = &table.machine else {
        table.messages().iter().for_each(|message| home.print(message));
        return Ok(false);
    };
    if machine.states.is_empty() {
        return Err(format!("`{}` has only modes, so there is no graph of states", machine.name));
    }
    let center = arguments.text("around").map(|name| find_state(machine, &name)).transpose()?;
    let mut picture = StateGraph::new(&table, machine, center);
    if arguments.has("witness") {
        picture.find_witnesses(machine, Bound::default());
    }
    let written = write(&picture);
    match arguments.path("out") {
        None => home.print(&written),
        Some(path) => std::fs::write(&path, written)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?,
    }
    Ok(true)
}
