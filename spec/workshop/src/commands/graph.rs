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

use super::run::find_state;
use super::{failure, format, missing, text};
use crate::home::Home;
use crate::picture::{StateGraph, dot, mermaid};
use crate::{Failure, Outcome};
use lexopt::{Arg, ValueExt as _};
use std::path::PathBuf;
use tabulex_oracle::search::Bound;

/// Formats a graph.
type Write = fn(&StateGraph) -> String;

struct GraphOptions {
    table: String,
    around: Option<String>,
    write: Write,
    has_witnesses: bool,
    out: Option<PathBuf>,
}

/// Runs the command.
pub(super) fn run(home: &Home, parser: lexopt::Parser) -> Outcome {
    let options = options(home, parser)?;
    let table = home.table(&options.table)?;
    let Some(machine) = &table.machine else {
        table.messages().iter().for_each(|message| home.print(message));
        return Ok(false);
    };
    if machine.states.is_empty() {
        return Err(format!("`{}` has only modes, so there is no graph of states", machine.name));
    }
    let center = options.around.as_deref().map(|name| find_state(machine, name)).transpose()?;
    let mut picture = StateGraph::new(&table, machine, center);
    if options.has_witnesses {
        picture.find_witnesses(machine, Bound::default());
    }
    let written = (options.write)(&picture);
    match options.out {
        None => home.print(&written),
        Some(path) => std::fs::write(&path, written)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?,
    }
    Ok(true)
}

fn options(home: &Home, mut parser: lexopt::Parser) -> Result<GraphOptions, Failure> {
    let (mut table, mut around, mut out) = (None, None, None);
    let (mut write, mut has_witnesses) = (dot::write as Write, false);
    while let Some(arg) = parser.next().map_err(failure)? {
        match arg {
            Arg::Long("around") => around = Some(text(&mut parser)?),
            Arg::Long("witness") => has_witnesses = true,
            Arg::Long("out") => out = Some(PathBuf::from(parser.value().map_err(failure)?)),
            Arg::Long("format") => {
                let is_dot = format(&mut parser, &["dot", "mermaid"])? == "dot";
                write = if is_dot { dot::write } else { mermaid::write };
            }
            Arg::Value(value) if table.is_none() => {
                table = Some(value.string().map_err(failure)?);
            }
            other => return Err(other.unexpected().to_string()),
        }
    }
    let table = table.ok_or_else(|| missing(home, "a dialect or a table", "graph sky"))?;
    Ok(GraphOptions { table, around, write, has_witnesses, out })
}
