//! Records, such as URLs, read by the interpreter or by a compiled machine, in a common form.

use crate::interpreted::Table;
use tabulex::record::{Convert, Fields, MachineOutput};
use tabulex_oracle::interpreter::{Control, Error, Host, Options, Token};

/// The first token of each kind, by name, and the errors with their ranges.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Name of each token, and its fields in table order, `None` for a missing one.
    pub tokens: Vec<(String, Fields)>,
    /// Code, start and end.
    pub errors: Vec<(String, usize, usize)>,
}

impl Outcome {
    /// Returns the token of the kind with this name.
    pub fn token(&self, name: &str) -> Option<&Fields> {
        self.tokens.iter().find(|(other, _)| other == name).map(|(_, fields)| fields)
    }
}

struct RecordReader<'t> {
    table: &'t Table,
    convert: Convert,
    outcome: Outcome,
}

impl Host for RecordReader<'_> {
    fn token(&mut self, token: Token) -> Control {
        if let Token::Declared { name, fields, .. } = token
            && self.outcome.token(&name).is_none()
        {
            let texts = fields.iter().map(|field| (!field.is_missing).then_some(&*field.text));
            self.outcome.tokens.push((name, texts.collect()));
        }
        Control::Continue
    }

    fn error(&mut self, error: Error) {
        let code = &self.table.machine().errors[usize::from(error.error.0)].name;
        self.outcome.errors.push((code.clone(), error.span.start, error.span.end));
    }

    fn convert(&mut self, function: &str, text: &str) -> Option<String> {
        (self.convert)(function, text)
    }
}

/// Reads an input with the interpreter, given the fields of tokens such as a base URL, from the start state or the one
/// called `state`.
///
/// # Panics
/// If the interpreter is stuck.
pub fn interpreted(
    table: &Table,
    input: &str,
    given: &[(&str, &Fields)],
    state: Option<&str>,
    convert: Convert,
) -> Outcome {
    let owned = |fields: &Fields| fields.iter().map(|text| text.map(str::to_owned)).collect();
    let given = given.iter().map(|(name, fields)| ((*name).to_owned(), owned(fields))).collect();
    let state = state.map(|name| table.machine().find_state(name).expect(name));
    let options = Options { state, given, keeps_byte_order_mark: true, ..Options::default() };
    let mut reader = RecordReader { table, convert, outcome: Outcome::default() };
    let result = table.interpreter().run(input, &options, &mut reader);
    assert!(result.is_ok(), "the interpreter is stuck on {input:?}: {result:?}");
    reader.outcome.tokens.sort_by(|(one, _), (other, _)| one.cmp(other));
    reader.outcome
}

/// Converts the result of a compiled machine.
pub fn compiled(output: MachineOutput) -> Outcome {
    let errors = output.errors.into_iter();
    let errors =
        errors.map(|error| (error.code.to_owned(), error.span.start, error.span.end)).collect();
    let tokens = output.tokens.into_iter().map(|(name, fields)| (name.to_owned(), fields));
    let mut tokens: Vec<_> = tokens.collect();
    tokens.sort_by(|(one, _), (other, _)| one.cmp(other));
    Outcome { tokens, errors }
}
