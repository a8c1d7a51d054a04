//! Records, such as URLs, read by the interpreter or by a compiled machine, in a common form.

use crate::interpreted::Table;
use tabulex::record::{Convert, Fields, MachineOutput};
use tabulex_language::model::RowId;
use tabulex_oracle::interpreter::{Control, Error, Host, Options, Token};

/// The first token of each kind, and the errors with their ranges.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome<const N: usize> {
    /// The first `N` fields of the tokens, in the order in which these were emitted; `None` if there was no token.
    pub fields: Option<Fields<N>>,
    /// Code, start and end.
    pub errors: Vec<(String, usize, usize)>,
}

struct RecordReader<'t> {
    table: &'t Table,
    convert: Convert,
    on_row: &'t mut dyn FnMut(RowId),
    /// The name of the kind, and the fields of each token; `None` for a missing field.
    tokens: Vec<(String, Vec<Option<String>>)>,
    errors: Vec<(String, usize, usize)>,
}

impl Host for RecordReader<'_> {
    fn token(&mut self, token: Token) -> Control {
        if let Token::Declared { name, fields, .. } = token
            && self.tokens.iter().all(|(other, _)| *other != name)
        {
            let texts = fields.into_iter().map(|field| (!field.is_missing).then_some(field.text));
            self.tokens.push((name, texts.collect()));
        }
        Control::Continue
    }

    fn error(&mut self, error: Error) {
        let code = &self.table.machine().errors[usize::from(error.error.0)].name;
        self.errors.push((code.clone(), error.span.start, error.span.end));
    }

    fn convert(&mut self, function: &str, text: &str) -> Option<String> {
        (self.convert)(function, text).map(Into::into)
    }

    fn before_row(&mut self, row: RowId) {
        (self.on_row)(row);
    }

    fn before_inner_row(&mut self, row: RowId) {
        (self.on_row)(row);
    }
}

/// Reads an input with the interpreter, given the fields of tokens such as a base URL, from the start state or the one
/// called `state`.
///
/// # Panics
/// If the interpreter is stuck.
pub fn interpreted<const N: usize>(
    table: &Table,
    input: &str,
    given: &[(&str, Vec<Option<&str>>)],
    state: Option<&str>,
    convert: Convert,
) -> Outcome<N> {
    interpreted_with_rows(table, input, given, state, convert, &mut |_| ())
}

/// Like [`interpreted`], and reports each row taken, also in runs over the texts of fields.
///
/// # Panics
/// If the interpreter is stuck.
pub fn interpreted_with_rows<const N: usize>(
    table: &Table,
    input: &str,
    given: &[(&str, Vec<Option<&str>>)],
    state: Option<&str>,
    convert: Convert,
    on_row: &mut dyn FnMut(RowId),
) -> Outcome<N> {
    let owned =
        |fields: &Vec<Option<&str>>| fields.iter().map(|text| text.map(str::to_owned)).collect();
    let given = given.iter().map(|(name, fields)| ((*name).to_owned(), owned(fields))).collect();
    let state = state.map(|name| table.machine().find_state(name).expect(name));
    let options = Options { state, given, keeps_byte_order_mark: true, ..Options::default() };
    let (tokens, errors) = (Vec::new(), Vec::new());
    let mut reader = RecordReader { table, convert, on_row, tokens, errors };
    let result = table.interpreter().run(input, &options, &mut reader);
    assert!(result.is_ok(), "the interpreter is stuck on {input:?}: {result:?}");
    let mut texts = reader.tokens.iter().flat_map(|(_, fields)| fields).map(Option::as_deref);
    let fields = (!reader.tokens.is_empty())
        .then(|| Fields::from(std::array::from_fn(|_| texts.next().flatten())));
    Outcome { fields, errors: reader.errors }
}

/// Converts the result of a compiled machine.
pub fn compiled<const N: usize>(output: MachineOutput<N>) -> Outcome<N> {
    let errors = output.errors.into_iter();
    let errors =
        errors.map(|error| (error.code.to_owned(), error.span.start, error.span.end)).collect();
    Outcome { fields: output.fields, errors }
}
