//! Runs single inputs, and records rows, tokens, errors, and the configuration at the end of the input. Configurations
//! are reduced to what affects further rows, so that a search visits few of them.

use super::liveness::Liveness;
use super::pieces::number_boundaries;
use crate::interpreter::{
    Configuration, Control, Error, Host, Interpreter, Options, Pending, Span, Stuck, Token,
};
use std::collections::BTreeSet;
use tabulex_language::model::{Condition, FlagId, Machine, Pattern, Register, RowId, StateId};

/// The initial state of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Start {
    /// Name of the state.
    pub state: String,
    /// Name of the start tag that counts as the last one before the input, if any.
    pub last_start_tag: Option<String>,
    /// Flags that differ from their initial values: name and value.
    pub flags: Vec<(String, String)>,
    /// Tokens that the host creates before the run, as in [`Options::given`].
    pub given: Vec<(String, Vec<Option<String>>)>,
}

/// The output of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Tokens, with adjacent texts joined.
    pub tokens: Vec<Token>,
    /// Codes of errors, with the ranges of the errors.
    pub errors: Vec<(String, Span)>,
}

/// The recorded events and results of a run.
#[derive(Debug, Default)]
pub struct Record {
    /// Output of the run.
    pub outcome: Outcome,
    /// Rows that ran.
    pub rows: Vec<RowId>,
    /// Rows that ran over the texts of fields.
    pub inner_rows: Vec<RowId>,
    /// State of the run when it first reached the end of the input; `None` if it never did.
    pub(super) end: Option<InputEnd>,
    /// The reason why the run got stuck, if it did.
    pub stuck: Option<Stuck>,
}

/// State of a run at the end of the input, before the row for `EOF`.
#[derive(Debug)]
pub(super) struct InputEnd {
    pub(super) configuration: Configuration,
    /// Last row run, if further input could have led to the choice of another row.
    pub(super) undecided_row: Option<RowId>,
    /// Number of rows run so far.
    pub(super) rows: usize,
    /// Contents of tokens under construction, on which the choice of rows does not depend.
    pub(super) pending: Pending,
    /// Output so far.
    pub(super) outcome: Outcome,
}

/// A machine prepared for many runs.
#[derive(Debug)]
pub(super) struct Probe<'m> {
    pub(super) machine: &'m Machine,
    interpreter: Interpreter<'m>,
    /// Texts that conditions compare with names and buffers.
    pub(super) compared_texts: Vec<String>,
    /// For each text in `compared_texts`, the indices of the distinct sets of compared texts that contain it.
    groups: Vec<Vec<usize>>,
    liveness: Liveness,
    /// Lower bounds of the classes of numbers that rows distinguish, in ascending order.
    numbers: BTreeSet<u32>,
}

/// A host that records a run.
struct Recorder<'m> {
    machine: &'m Machine,
    record: Record,
}

impl Host for Recorder<'_> {
    fn token(&mut self, token: Token) -> Control {
        let tokens = &mut self.record.outcome.tokens;
        match (token, tokens.last_mut()) {
            (Token::Text { text, .. }, _) if text.is_empty() => {}
            (Token::Text { text, span }, Some(Token::Text { text: before, span: range })) => {
                before.push_str(&text);
                range.end = span.end;
            }
            (token, _) => tokens.push(token),
        }
        Control::Continue
    }

    fn error(&mut self, error: Error) {
        let name = self.machine.errors[usize::from(error.error.0)].name.clone();
        self.record.outcome.errors.push((name, error.span));
    }

    fn before_row(&mut self, row: RowId) {
        self.record.rows.push(row);
    }

    fn before_inner_row(&mut self, row: RowId) {
        self.record.inner_rows.push(row);
    }

    fn end_of_input(&mut self, configuration: &dyn Fn() -> Configuration) {
        if self.record.end.is_none() {
            let mut configuration = configuration();
            let pending = std::mem::take(&mut configuration.pending);
            let outcome = self.record.outcome.clone();
            let (rows, undecided_row) = (self.record.rows.len(), self.record.rows.last().copied());
            self.record.end =
                Some(InputEnd { configuration, undecided_row, rows, pending, outcome });
        }
    }
}

/// Runs an input on the states of a machine. Returns `None` if the machine lacks the initial state, a flag or a flag's
/// value.
pub fn run(interpreter: &Interpreter<'_>, start: &Start, input: &str) -> Option<Record> {
    let machine = interpreter.machine();
    let index = machine.states.iter().position(|state| state.name == start.state)?;
    let mut flags = Vec::new();
    for (name, value) in &start.flags {
        let flag = machine.flags.iter().position(|flag| flag.name == *name)?;
        let value = machine.flags[flag].values.iter().position(|other| other == value)?;
        flags.push((FlagId(flag as u8), value as u8));
    }
    let options = Options {
        state: Some(StateId(index as u16)),
        last_start_tag: start.last_start_tag.clone(),
        flags,
        given: start.given.clone(),
        ..Options::default()
    };
    let mut recorder = Recorder { machine, record: Record::default() };
    recorder.record.stuck = interpreter.run(input, &options, &mut recorder).err();
    Some(recorder.record)
}

impl<'m> Probe<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        let mut sets: Vec<Vec<String>> = Vec::new();
        for row in machine.states.iter().flat_map(|state| &state.rows) {
            row.conditions().for_each(|it| add_compared_texts(it, &mut sets));
        }
        sets.sort();
        sets.dedup();
        let compared_texts: BTreeSet<&String> = sets.iter().flatten().collect();
        let group =
            |text: &&String| (0..sets.len()).filter(|&index| sets[index].contains(text)).collect();
        let groups = compared_texts.iter().map(group).collect();
        let compared_texts = compared_texts.iter().map(|text| (*text).clone()).collect();
        let mut numbers = number_boundaries(machine);
        numbers.insert(1);
        Self {
            machine,
            interpreter: Interpreter::new(machine),
            compared_texts,
            groups,
            liveness: Liveness::new(machine),
            numbers,
        }
    }

    /// Runs an input like the function [`run`], and reduces the configuration at the end of the input.
    pub(super) fn run(&self, start: &Start, input: &str) -> Option<Record> {
        let mut record = run(&self.interpreter, start, input)?;
        if let Some(end) = &mut record.end {
            end.undecided_row = end.undecided_row.filter(|&row| looks_ahead(self.machine, row));
            self.reduce(&mut end.configuration);
        }
        Some(record)
    }

    /// Removes from a configuration what does not affect further rows, and replaces texts and numbers by their classes.
    fn reduce(&self, configuration: &mut Configuration) {
        self.clear_dead_registers(configuration);
        let Configuration { temporary_buffer, tag, number, last_start_tag, .. } = configuration;
        let last_name = last_start_tag.clone();
        *temporary_buffer = self.text_class(temporary_buffer, None);
        if let Some((is_end_tag, name)) = tag {
            *name = self.text_class(name, last_name.as_deref().filter(|_| *is_end_tag));
        }
        if let Some(last_name) = last_start_tag {
            // The name of the last start tag is complete, so it only matters which of the compared texts it equals, if
            // any.
            let group = self.compared_texts.iter().position(|text| text == last_name);
            *last_name = group.map_or(String::new(), |index| format!("{:?}", self.groups[index]));
        }
        *number = self.numbers.iter().filter(|&&first| first <= *number).count() as u32;
        configuration.since_call = configuration.since_call.min(3);
    }

    /// Clears registers that no row will read.
    fn clear_dead_registers(&self, configuration: &mut Configuration) {
        let is_live = |register| self.liveness.is_live(configuration.state, register);
        if !is_live(Register::Number) {
            configuration.number = 0;
        }
        if !is_live(Register::AdditionalAllowedCharacter) {
            configuration.additional_allowed_character = None;
        }
        if !is_live(Register::TemporaryBuffer) {
            configuration.temporary_buffer.clear();
        }
        if !is_live(Register::ReturnState) {
            configuration.return_state = None;
        }
        if !is_live(Register::Tag) {
            configuration.tag = None;
        }
    }

    /// Returns the class of an incomplete text: the suffixes that would complete it to a compared text, each with the
    /// conditions that compare that text, and the suffix that would complete it to the name of the last start tag.
    fn text_class(&self, text: &str, last_start_tag: Option<&str>) -> String {
        if text.is_empty() {
            return String::new();
        }
        let compared_texts = self.compared_texts.iter().zip(&self.groups);
        let suffixes: Vec<(&str, &Vec<usize>)> = compared_texts
            .filter_map(|(compared, group)| Some((compared.strip_prefix(text)?, group)))
            .collect();
        let last_suffix = last_start_tag.and_then(|last| last.strip_prefix(text));
        format!("{suffixes:?} {last_suffix:?}")
    }
}

/// Whether the choice of a row may depend on input after the row's match.
fn looks_ahead(machine: &Machine, row: RowId) -> bool {
    let row = &machine.state(row.state).rows[usize::from(row.row)];
    row.has_pattern(&Pattern::Reference)
        || row.conditions().flat_map(Condition::parts).any(|part| {
            matches!(
                part,
                Condition::FollowedBy(_) | Condition::Ahead(_) | Condition::LastStartTagAhead(_)
            )
        })
}

/// Adds the texts with which each part of the condition compares a register.
fn add_compared_texts(condition: &Condition, sets: &mut Vec<Vec<String>>) {
    for part in condition.parts() {
        if let Condition::TemporaryBufferIs(text)
        | Condition::TemporaryBufferIsIgnoringCase(text)
        | Condition::FieldIs(_, text)
        | Condition::TagNameIs(text) = part
        {
            sets.push(vec![text.clone()]);
        } else if let Condition::TagNameIn(names) = part {
            sets.push(names.clone());
        }
    }
}
