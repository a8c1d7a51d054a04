//! Runs inputs on a machine by means of the interpreter, and collects the results.

use serde_json::Value;
use tabulex_language::model::tree::ModeRowId;
use tabulex_language::model::{FlagId, Machine, RowId, StateId};
use tabulex_oracle::formats::{dat, html5lib};
use tabulex_oracle::interpreter::tree::document::{self, ParseOptions};
use tabulex_oracle::interpreter::{Control, Error, Host, Interpreter, Options, Span, Token};
use tabulex_oracle::search::Start;

/// An input, with its parse options.
#[derive(Clone, Debug)]
pub struct Input {
    /// Text of the input.
    pub text: String,
    /// Machine parts and options to run it with.
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

/// Result of running an input.
#[derive(Clone, Debug, Default)]
pub struct RunResult {
    /// Tokens in the format of html5lib's tests, or the lines of the tree.
    pub lines: Vec<String>,
    /// Errors by position: codes and byte ranges.
    pub errors: Vec<(String, Span)>,
    /// The rows of states that ran.
    pub rows: Vec<RowId>,
    /// The rows of modes that ran.
    pub mode_rows: Vec<ModeRowId>,
}

impl RunResult {
    /// Whether two results are equal, apart from the rows that ran.
    pub fn has_equal_output(&self, other: &Self) -> bool {
        self.lines == other.lines && self.errors == other.errors
    }

    /// Returns the result as text; `input` is the text that was run.
    pub fn words(&self, input: &str) -> Vec<String> {
        let errors = html5lib::places(input, self.errors.iter().cloned());
        let errors = errors.map(|(code, line, column)| format!("error {code} at {line}:{column}"));
        self.lines.iter().cloned().chain(errors).collect()
    }
}

impl Input {
    /// Runs the input; `None` if the machine cannot run it in this way.
    pub fn run(&self, interpreter: &Interpreter<'_>) -> Option<RunResult> {
        match &self.mode {
            RunMode::Tokens(start) => tokens(interpreter, start, &self.text),
            RunMode::Tree(options) => tree(interpreter, options, &self.text),
        }
    }

    /// Describes the start of the run, unless it is a document in the start state.
    pub fn describe_start(&self, machine: &Machine) -> String {
        let mut words = Vec::new();
        match &self.mode {
            RunMode::Tokens(start) => {
                if start.state != machine.state(machine.start).name {
                    words.push(format!("from {}", start.state));
                }
                words.extend(start.flags.iter().map(|(name, value)| format!("{name} {value}")));
            }
            RunMode::Tree(options) => {
                words.extend(dat::context_name(options).map(|name| format!("in {name}")));
                words.extend(options.flags.iter().map(|(name, value)| format!("{name} {value}")));
            }
        }
        if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
    }
}

fn error_name(machine: &Machine, error: tabulex_language::model::ErrorId) -> String {
    machine.errors[usize::from(error.0)].name.clone()
}

fn tree(interpreter: &Interpreter<'_>, options: &ParseOptions, input: &str) -> Option<RunResult> {
    let machine = interpreter.machine();
    let construction = machine.construction.as_ref()?;
    if options.context.is_some() && construction.fragment.is_none() {
        return None;
    }
    let parsed = document::parse(interpreter, input, options).ok()?;
    let errors = parsed.errors.iter().map(|&(error, span)| (error_name(machine, error), span));
    Some(RunResult {
        lines: dat::tree(&parsed.tree, options).lines().map(str::to_owned).collect(),
        errors: errors.collect(),
        rows: parsed.rows,
        mode_rows: parsed.mode_rows,
    })
}

fn tokens(interpreter: &Interpreter<'_>, start: &Start, input: &str) -> Option<RunResult> {
    let machine = interpreter.machine();
    let state = machine.states.iter().position(|state| state.name == start.state)?;
    let mut flags = Vec::new();
    for (name, value) in &start.flags {
        let flag = machine.flags.iter().position(|flag| flag.name == *name)?;
        let value = machine.flags[flag].values.iter().position(|other| other == value)?;
        flags.push((FlagId(flag as u8), value as u8));
    }
    let options = Options {
        state: Some(StateId(state as u16)),
        last_start_tag: start.last_start_tag.clone(),
        flags: flags.clone(),
        ..Options::default()
    };
    let mut recorder =
        Recorder { machine, flags, tokens: Vec::new(), result: RunResult::default() };
    interpreter.run(input, &options, &mut recorder).ok()?;
    let Value::Array(list) = html5lib::tokens(&recorder.tokens) else { return None };
    recorder.result.lines = list.iter().map(Value::to_string).collect();
    Some(recorder.result)
}

/// Collects the events of a run on states alone.
struct Recorder<'m> {
    machine: &'m Machine,
    flags: Vec<(FlagId, u8)>,
    tokens: Vec<Token>,
    result: RunResult,
}

impl Host for Recorder<'_> {
    fn token(&mut self, token: Token) -> Control {
        match (token, self.tokens.last_mut()) {
            (Token::Text { text, .. }, _) if text.is_empty() => {}
            (Token::Text { text, span }, Some(Token::Text { text: before, span: range })) => {
                before.push_str(&text);
                range.end = span.end;
            }
            (token, _) => self.tokens.push(token),
        }
        Control::Continue
    }

    fn error(&mut self, error: Error) {
        self.result.errors.push((error_name(self.machine, error.error), error.span));
    }

    fn flag(&mut self, flag: FlagId) -> u8 {
        self.flags.iter().find(|(other, _)| *other == flag).map_or(0, |&(_, value)| value)
    }

    fn before_row(&mut self, row: RowId) {
        self.result.rows.push(row);
    }
}
