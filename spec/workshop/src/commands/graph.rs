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
use crate::picture::StateGraph;
use std::ffi::OsString;
use tabulex_oracle::search::Bound;

/// Prints or writes the state graph of the table. Returns whether the table is free of errors.
pub(super) fn run(home: &Home, arguments: Vec<OsString>) -> Outcome {
    let arguments =
        Arguments::parse(arguments, &["around STATE", "format F", "witness", "out FILE"], 1)?;
    let format_graph = match arguments.format(&["dot", "mermaid"])? {
        "dot" => StateGraph::dot,
        _ => StateGraph::mermaid,
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
    let mut graph = StateGraph::new(&table, machine, center);
    if arguments.has("witness") {
        graph.find_witnesses(machine, Bound::default());
    }
    let text = format_graph(&graph);
    match arguments.path("out") {
        None => home.print(&text),
        Some(path) => std::fs::write(&path, text)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?,
    }
    Ok(true)
}
