//! Runs an input on a table, and prints its tokens or its tree.
//!
//! usage: cargo xtask run DIALECT|FILE [INPUT|-] [OPTION...]
//!
//! INPUT is the text itself; `-`, or no INPUT, reads standard input, which can contain U+0000: `printf 'a\0' | …`.
//! Invalid UTF-8 is replaced by U+FFFD.
//!
//!   --file FILE            reads the input from a file
//!   --tree                 prints the tree instead of the tokens
//!   --trace                prints the rows that led to each token, with their position, the text that they matched and
//!                          changes of the machine's state; with --tree also the rows of modes, the stack of open
//!                          elements and the list of active formatting elements
//!   --steps                like --trace --tree, with the steps of algorithms below the rows that run them
//!   --explain PLACE        explains a byte offset, or LINE:COLUMN from 1:1: the token, attribute, nodes and errors there,
//!                          with the rows that produced them; includes tree construction if the table has modes, unless
//!                          --state or --last-start-tag is given
//!   --state STATE          the start state, by its name in the table or in the document
//!   --last-start-tag NAME  the name of the last start tag
//!   --fragment CONTEXT     parses a fragment in the element NAME, `svg NAME` or `math NAME`; implies --tree
//!   --flag NAME=VALUE      sets a flag of the host to a named value
//!   --scripting            short for --flag scripting=enabled, if the table has that flag
//!   --format text|json     text, or one JSON value per line: a row, an error, a token, finally the tree
//!
//! The table is read from the disk and run by the interpreter that compiled machines are tested against; nothing is
//! built. Exits with status 1 if the table has errors, which are printed.
//!
//! example: cargo xtask run html 'a&notit;' --trace

mod explain;
mod request;
mod trace;

use crate::home::Home;
use crate::table::Table;
use crate::{Failure, Outcome};
use request::Request;
pub(super) use request::find_state;
use serde_json::{Value, json};
use std::ffi::OsString;
use tabulex_language::model::Machine;
use tabulex_oracle::formats::dat;
use tabulex_oracle::interpreter::tree::document::{self, ParseOptions, Parsed};
use tabulex_oracle::interpreter::{Interpreter, Options, Stuck};
use trace::{Trace, line};

/// Runs the input on the table, and prints the result. Returns whether the table is free of errors.
pub(super) fn run(home: &Home, arguments: Vec<OsString>) -> Outcome {
    let request = request::read(home, arguments)?;
    if let Some(position) = request.explained_position.clone() {
        return explain::explain(home, request, &position);
    }
    let table = home.table(&request.table)?;
    table.messages().iter().for_each(|message| home.print(message));
    let Some(machine) = &table.machine else { return Ok(false) };
    home.print(&(home.page_text)(&run_request(&table, machine, &request)?));
    Ok(true)
}

/// Runs the input of a request, and returns the formatted result.
fn run_request(table: &Table, machine: &Machine, request: &Request) -> Result<String, Failure> {
    let mut out = String::new();
    let parsed =
        record(table, machine, &request.input()?, request, &mut |event| match request.is_json {
            true => out += &format!("{event}\n"),
            false => out += &line(&event, request.is_trace),
        })?;
    let Some((parsed, options)) = parsed else { return Ok(out) };
    let tree = dat::tree(&parsed.tree, &options);
    match request.is_json {
        true => out += &format!("{}\n", json!({ "tree": tree })),
        false if tree.ends_with('\n') => out += &tree,
        false => out += &format!("{tree}\n"),
    }
    Ok(out)
}

/// Runs the input of a request, and passes each event to `write`. Returns the result and the options of parsing, if the
/// request is for a tree.
fn record(
    table: &Table,
    machine: &Machine,
    input: &str,
    request: &Request,
    write: &mut dyn FnMut(Value),
) -> Result<Option<(Parsed, ParseOptions)>, Failure> {
    let interpreter = Interpreter::new(machine);
    let mut trace = Trace::new(table, machine, input, request, write);
    if request.is_tree {
        let options = tree_options(machine, request)?;
        let parsed = document::parse_observed(&interpreter, input, &options, &mut trace)
            .map_err(|it| stuck_message(machine, it))?;
        trace.flush();
        if !request.is_trace && !request.is_json {
            parsed.errors.iter().for_each(|&(error, span)| trace.write_error(error, span));
        }
        return Ok(Some((parsed, options)));
    }
    let mut options =
        Options { last_start_tag: request.last_start_tag.clone(), ..Options::default() };
    if let Some(name) = &request.state {
        options.state = Some(find_state(machine, name)?);
    }
    options.flags = interpreter.flag_ids(&request.flag_values(machine)?);
    interpreter.run(input, &options, &mut trace).map_err(|it| stuck_message(machine, it))?;
    trace.flush();
    Ok(None)
}

/// Returns the message for a machine that got stuck, which the checks of the table should have prevented.
fn stuck_message(machine: &Machine, stuck: Stuck) -> Failure {
    format!("`{}` got stuck: {stuck}; the checks should have rejected the table", machine.name)
}

fn tree_options(machine: &Machine, request: &Request) -> Result<ParseOptions, Failure> {
    let Some(construction) = &machine.construction else {
        return Err(format!(
            "`{}` builds no trees, since it has no modes; leave out `--tree`, `--steps` and `--fragment`",
            machine.name
        ));
    };
    let context = request.context(construction)?;
    Ok(ParseOptions { flags: request.flag_values(machine)?, context })
}
