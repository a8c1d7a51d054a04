//! A host that records the tokens, errors and rows of a run.

use std::fmt::Write as _;
use tabulex_language::model::{FlagId, Machine, RowId};
use tabulex_oracle::interpreter::{Control, Error, Host, Span, Token};

/// A host that records the tokens, errors and rows of a run, and gives prepared answers.
pub(crate) struct Recorder<'m> {
    machine: &'m Machine,
    pub(crate) flags: Vec<u8>,
    /// Requests with which the host answers start tags, by tag name.
    pub(crate) answers: Vec<(String, Control)>,
    /// Tokens and errors, one per line.
    pub(crate) dump: String,
    /// Rows, separated by spaces.
    pub(crate) path: String,
    pub(crate) tokens: Vec<Token>,
    pub(crate) errors: Vec<(String, Span)>,
    pub(crate) rows: Vec<RowId>,
}

impl<'m> Recorder<'m> {
    pub(crate) fn new(machine: &'m Machine) -> Self {
        Self {
            machine,
            flags: vec![0; machine.flags.len()],
            answers: Vec::new(),
            dump: String::new(),
            path: String::new(),
            tokens: Vec::new(),
            errors: Vec::new(),
            rows: Vec::new(),
        }
    }
}

impl Host for Recorder<'_> {
    fn token(&mut self, token: Token) -> Control {
        let _ = writeln!(self.dump, "  {token}");
        let answer = match &token {
            Token::StartTag(tag) => self.answers.iter().find(|(name, _)| *name == tag.name),
            _ => None,
        };
        self.tokens.push(token);
        answer.map_or(Control::Continue, |(_, control)| *control)
    }

    fn error(&mut self, error: Error) {
        let name = self.machine.errors[usize::from(error.error.0)].name.clone();
        let _ = writeln!(self.dump, "  error {} {name}", error.span);
        self.errors.push((name, error.span));
    }

    fn flag(&mut self, flag: FlagId) -> Option<u8> {
        let declaration = &self.machine.flags[usize::from(flag.0)];
        let is_queried = declaration.is_queried_from_host();
        assert!(
            is_queried,
            "the host was asked for the flag `{}`, which rows also set",
            declaration.name
        );
        Some(self.flags[usize::from(flag.0)])
    }

    fn before_row(&mut self, row: RowId) {
        let _ = write!(self.path, " {}/{}", self.machine.state(row.state).name, row.row);
        self.rows.push(row);
    }
}
