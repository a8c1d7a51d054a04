//! Runs inputs on a machine in the interpreter, and collects the results.

use serde_json::Value;
use tabulex_language::model::tree::ModeRowId;
use tabulex_language::model::{Machine, RowId};
use tabulex_oracle::formats::{dat, html5lib};
use tabulex_oracle::interpreter::tree::document::{self, ParseOptions};
use tabulex_oracle::interpreter::{Interpreter, Span};
use tabulex_oracle::search::{Record, Start, run};

/// An input, with the machine parts and options to run it with.
#[derive(Clone, Debug)]
pub struct Input {
    /// Text of the input.
    pub text: String,
    /// Machine parts and options to run the input with.
    pub mode: RunMode,
}

/// Machine parts and options to run an input with.
#[derive(Clone, Debug)]
pub enum RunMode {
    /// Runs the states alone.
    Tokens(Start),
    /// Runs states and modes.
    Tree(ParseOptions),
}

/// A row of a state or of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AnyRow {
    /// A row of a state.
    State(RowId),
    /// A row of a mode.
    Mode(ModeRowId),
}

impl AnyRow {
    /// Returns the name of the state or mode that the row belongs to.
    pub fn block_name(self, machine: &Machine) -> &str {
        match self {
            Self::State(row) => &machine.state(row.state).name,
            Self::Mode(row) => {
                machine.construction.as_ref().map_or("", |it| &it.mode(row.mode).name)
            }
        }
    }
}

/// Result of running an input.
#[derive(Clone, Debug, Default)]
pub struct RunResult {
    /// Tokens in the format of html5lib's tests, or the lines of the tree.
    pub lines: Vec<String>,
    /// Errors in the order of their reports: codes and byte ranges.
    pub errors: Vec<(String, Span)>,
    /// The rows that ran: those of states, then those of modes.
    pub rows: Vec<AnyRow>,
}

impl RunResult {
    /// Whether two results have equal tokens or trees, and equal errors.
    pub fn has_equal_output(&self, other: &Self) -> bool {
        self.lines == other.lines && self.errors == other.errors
    }

    /// Returns the tokens or the tree, and the errors, as lines; `input` is the text that was run.
    pub fn words(&self, input: &str) -> Vec<String> {
        let errors = html5lib::places(input, &self.errors);
        let errors = errors.map(|(code, line, column)| format!("error {code} at {line}:{column}"));
        self.lines.iter().cloned().chain(errors).collect()
    }
}

impl Input {
    /// Runs the input; `None` if the machine lacks a part that the run mode needs, or gets stuck.
    pub fn run(&self, interpreter: &Interpreter<'_>) -> Option<RunResult> {
        match &self.mode {
            RunMode::Tokens(start) => tokens(interpreter, start, &self.text),
            RunMode::Tree(options) => tree(interpreter, options, &self.text),
        }
    }

    /// Describes the initial state or context element, and the flags, in parentheses; empty if all are the default.
    pub fn describe_start(&self, machine: &Machine) -> String {
        let mut words = Vec::new();
        match &self.mode {
            RunMode::Tokens(start) => {
                if start.state != machine.state(machine.start).name {
                    words.push(format!("from {}", start.state));
                }
                words.extend(start.flags.iter().map(|(name, value)| format!("{name} {value}")));
                words.extend(start.given.iter().map(|(name, fields)| format!("{name} {fields:?}")));
            }
            RunMode::Tree(options) => {
                words.extend(dat::context_name(options).map(|name| format!("in {name}")));
                words.extend(options.flags.iter().map(|(name, value)| format!("{name} {value}")));
            }
        }
        if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
    }
}

fn tree(interpreter: &Interpreter<'_>, options: &ParseOptions, input: &str) -> Option<RunResult> {
    let machine = interpreter.machine();
    let construction = machine.construction.as_ref()?;
    if options.context.is_some() && construction.fragment.is_none() {
        return None;
    }
    let parsed = document::parse(interpreter, input, options).ok()?;
    let errors = parsed.error_codes(machine);
    let rows = parsed.rows.into_iter().map(AnyRow::State);
    Some(RunResult {
        lines: dat::tree(&parsed.tree, options).lines().map(str::to_owned).collect(),
        errors,
        rows: rows.chain(parsed.mode_rows.into_iter().map(AnyRow::Mode)).collect(),
    })
}

fn tokens(interpreter: &Interpreter<'_>, start: &Start, input: &str) -> Option<RunResult> {
    let Record { outcome, rows, inner_rows, stuck: None, .. } = run(interpreter, start, input)?
    else {
        return None;
    };
    let Value::Array(list) = html5lib::tokens(&outcome.tokens) else { return None };
    Some(RunResult {
        lines: list.iter().map(Value::to_string).collect(),
        errors: outcome.errors,
        rows: rows.into_iter().chain(inner_rows).map(AnyRow::State).collect(),
    })
}
