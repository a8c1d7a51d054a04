//! One run of one input: the rows, the tokens, the errors, and what is remembered at the end of the input. It chooses no
//! input. Invariant: texts in a configuration that no row asks for are cut, so that there are few configurations.

use super::living::{Kept, Living};
use crate::interpreter::{Configuration, Control, Error, Host, Interpreter, Options, Token};
use crate::model::{Condition, FlagId, Machine, Pattern, RowId, StateId, Step};

/// How a run begins.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    /// The state, by name.
    pub state: String,
    /// The name of the last start tag.
    pub last_start_tag: Option<String>,
    /// The flags that are not at their first value: name and value.
    pub flags: Vec<(String, String)>,
}

/// What a run gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The tokens, adjacent texts joined.
    pub tokens: Vec<Token>,
    /// Codes of errors and their ranges.
    pub errors: Vec<(String, crate::interpreter::Span)>,
}

/// What is seen of a run.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) outcome: Outcome,
    pub(super) rows: Vec<RowId>,
    /// At the end of the input, the first time.
    pub(super) configuration: Option<Configuration>,
}

/// A machine made ready to be run on many inputs.
#[derive(Debug)]
pub(super) struct Probe<'m> {
    pub(super) machine: &'m Machine,
    interpreter: Interpreter<'m>,
    /// Texts that conditions compare names and buffers with.
    pub(super) asked: Vec<String>,
    living: Living,
    /// Numbers with which another row begins to count.
    numbers: Vec<u32>,
}

struct Recorder<'r, 'm> {
    machine: &'m Machine,
    flags: &'r [(FlagId, u8)],
    seen: Seen,
}

impl Host for Recorder<'_, '_> {
    fn token(&mut self, token: Token) -> Control {
        let tokens = &mut self.seen.outcome.tokens;
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
        self.seen.outcome.errors.push((name, error.span));
    }

    fn flag(&mut self, flag: FlagId) -> u8 {
        self.flags.iter().find(|(other, _)| *other == flag).map_or(0, |&(_, value)| value)
    }

    fn row(&mut self, row: RowId) {
        self.seen.rows.push(row);
    }

    fn end_of_input(&mut self, configuration: &dyn Fn() -> Configuration) {
        if self.seen.configuration.is_none() {
            self.seen.configuration = Some(configuration());
        }
    }
}

impl<'m> Probe<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        let mut asked = Vec::new();
        for row in machine.states.iter().flat_map(|state| &state.rows) {
            row.guard.iter().for_each(|guard| asked_by(&guard.value, &mut asked));
            asked_in(&row.steps, &mut asked);
        }
        asked.sort();
        asked.dedup();
        let rows = machine.states.iter().flat_map(|state| &state.rows);
        let ranges = rows.flat_map(|row| &row.patterns).filter_map(|pattern| match pattern.value {
            Pattern::Numbers(first, last) => Some([first, last.saturating_add(1)]),
            _ => None,
        });
        let mut numbers: Vec<u32> = ranges.flatten().chain([1]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Self {
            machine,
            interpreter: Interpreter::new(machine),
            asked,
            living: Living::new(machine),
            numbers,
        }
    }

    /// Runs the input. A start whose state or flag the machine does not have gives nothing.
    pub(super) fn run(&self, start: &Start, input: &str) -> Option<Seen> {
        let index = self.machine.states.iter().position(|state| state.name == start.state)?;
        let mut flags = Vec::new();
        for (name, value) in &start.flags {
            let flag = self.machine.flags.iter().position(|flag| flag.name == *name)?;
            let values = &self.machine.flags[flag].values;
            let value = values.iter().position(|other| other == value)?;
            flags.push((FlagId(flag as u8), value as u8));
        }
        let options = Options {
            state: Some(StateId(index as u16)),
            last_start_tag: start.last_start_tag.clone(),
            flags: flags.clone(),
            ..Options::default()
        };
        let mut recorder = Recorder { machine: self.machine, flags: &flags, seen: Seen::default() };
        self.interpreter.run(input, &options, &mut recorder).ok()?;
        if let Some(configuration) = &mut recorder.seen.configuration {
            self.cut(configuration);
        }
        Some(recorder.seen)
    }

    /// Cuts what makes no difference for the rows to come, or only by its kind.
    fn cut(&self, configuration: &mut Configuration) {
        self.forget(configuration);
        let Configuration { temporary_buffer, tag, number, last_start_tag, .. } = configuration;
        let last = last_start_tag.clone();
        self.cut_text(temporary_buffer, None);
        if let Some((is_end_tag, name)) = tag {
            self.cut_text(name, last.as_deref().filter(|_| *is_end_tag));
        }
        if let Some(last) = last_start_tag
            && !self.asked.contains(last)
        {
            last.clear();
        }
        *number = self.numbers.iter().filter(|&&first| first <= *number).count() as u32;
        configuration.since_call = configuration.since_call.min(3);
    }

    /// Forgets what no row will ask for.
    fn forget(&self, configuration: &mut Configuration) {
        let lives = |register| self.living.lives(configuration.state, register);
        if !lives(Kept::Number) {
            configuration.number = 0;
        }
        if !lives(Kept::AdditionalAllowedCharacter) {
            configuration.additional_allowed_character = None;
        }
        if !lives(Kept::TemporaryBuffer) {
            configuration.temporary_buffer.clear();
        }
        if !lives(Kept::ReturnState) {
            configuration.return_state = None;
        }
        if !lives(Kept::Tag) {
            configuration.tag = None;
        }
    }

    /// A text that can still become one that is asked for stays; of the name of the last start tag, only what is missing
    /// counts.
    fn cut_text(&self, text: &mut String, last_start_tag: Option<&str>) {
        if text.is_empty() || self.asked.iter().any(|asked| asked.starts_with(&**text)) {
            return;
        }
        let missing = last_start_tag.and_then(|last| last.strip_prefix(&**text)).map(str::len);
        *text = missing.map_or("…".to_owned(), |missing| format!("…{missing}"));
    }
}

fn asked_in(steps: &[Step], asked: &mut Vec<String>) {
    for step in steps {
        if let Step::When { condition, then, otherwise } = step {
            asked_by(&condition.value, asked);
            asked_in(then, asked);
            asked_in(otherwise, asked);
        }
    }
}

fn asked_by(condition: &Condition, asked: &mut Vec<String>) {
    match condition {
        Condition::Not(other) => asked_by(other, asked),
        Condition::All(parts) => parts.iter().for_each(|part| asked_by(part, asked)),
        Condition::TemporaryBufferIs(text) | Condition::TagNameIs(text) => asked.push(text.clone()),
        Condition::TagNameIn(names) => asked.extend(names.iter().cloned()),
        _ => {}
    }
}
