//! The steps of a run, as shown by the page: a row of a state with the matched text, changes of the machine's state,
//! and the resulting tokens, errors and rows of modes. Nodes, tokens and errors belong to the step in which they were
//! created.

use crate::offsets::Offsets;
use serde_json::{Map, Value, json};
use tabulex_language::model::{ErrorId, Machine};
use tabulex_oracle::formats::html5lib;
use tabulex_oracle::interpreter::trace::{changed_registers, registers, short_names};
use tabulex_oracle::interpreter::tree::TreeBuilder;
use tabulex_oracle::interpreter::tree::document::Observer;
use tabulex_oracle::interpreter::{CompletedRow, Error, Span, Token};

/// Collects the steps of a run.
pub(crate) struct Steps<'m> {
    machine: &'m Machine,
    pub(crate) offsets: Offsets,
    input: &'m str,
    is_kept: bool,
    list: Vec<Value>,
    /// All tokens, with adjacent text merged.
    pub(crate) tokens: Vec<Token>,
    /// Output of the current step.
    output: StepOutput,
    before: Vec<(String, String)>,
    /// Number of rows and of errors of the builder so far.
    built: (usize, usize),
    /// For each node, the step that created it.
    creating_steps: Vec<usize>,
}

/// Output of a step: tokens, errors, rows of modes, and the state of the tree builder.
#[derive(Default)]
struct StepOutput {
    tokens: Vec<Value>,
    errors: Vec<Value>,
    modes: Vec<Value>,
    surroundings: Option<Value>,
}

impl<'m> Steps<'m> {
    pub(crate) fn new(machine: &'m Machine, input: &'m str, is_kept: bool) -> Self {
        Self {
            machine,
            offsets: Offsets::new(input),
            input,
            is_kept,
            list: Vec::new(),
            tokens: Vec::new(),
            output: StepOutput::default(),
            before: Vec::new(),
            built: (0, 0),
            creating_steps: Vec::new(),
        }
    }

    /// Returns an error with its code, line and column, and range.
    pub(crate) fn shown_error(&self, error: ErrorId, span: Span) -> Value {
        let at = self.offsets.range(span.start, span.end);
        let code = self.machine.errors[usize::from(error.0)].name.clone();
        let mut places = html5lib::places(self.input, std::iter::once((code, span)));
        let place = places.next();
        json!(place.map(|(code, line, column)| {
            json!({ "code": code, "line": line, "column": column, "at": at })
        }))
    }

    /// Returns the step that created a node.
    pub(crate) fn creating_step(&self, node: usize) -> Option<usize> {
        self.creating_steps.get(node).copied()
    }

    pub(crate) fn record_token(&mut self, token: &Token) {
        if self.is_kept {
            let shown = html5lib::tokens(std::slice::from_ref(token));
            let range = self.offsets.range(token.span().start, token.span().end);
            self.output.tokens.extend(
                shown.as_array().and_then(|list| list.first()).map(|token| json!([token, range])),
            );
        }
        match (self.tokens.last_mut(), token) {
            (Some(Token::Text { text, span }), Token::Text { text: more, span: range }) => {
                text.push_str(more);
                span.end = range.end;
            }
            _ => self.tokens.push(token.clone()),
        }
    }

    pub(crate) fn record_error(&mut self, error: Error) {
        let value = self.shown_error(error.error, error.span);
        self.output.errors.push(value);
    }

    /// Records the row that was taken, and completes the step.
    pub(crate) fn record_row(&mut self, completed: &CompletedRow<'_>) {
        let below = std::mem::take(&mut self.output);
        if !self.is_kept {
            return;
        }
        let after = registers(self.machine, &(completed.configuration)());
        let mut step = json!({
            "state": completed.row.state.0,
            "row": completed.row.row,
            "at": self.offsets.range(completed.matched.start, completed.matched.end),
        });
        let changes = changed_registers(&self.before, &after).into_iter();
        let now: Map<String, Value> =
            changes.map(|(name, value)| (name.clone(), json!(value))).collect();
        self.before = after;
        let lists = [("tokens", below.tokens), ("errors", below.errors), ("modes", below.modes)];
        for (name, list) in lists {
            if !list.is_empty() {
                step[name] = Value::Array(list);
            }
        }
        if !now.is_empty() {
            step["now"] = Value::Object(now);
        }
        if let Some(surroundings) = below.surroundings {
            step["tree"] = surroundings;
        }
        self.list.push(step);
    }

    /// Returns all steps.
    pub(crate) fn finish(self) -> Vec<Value> {
        self.list
    }
}

impl Observer for Steps<'_> {
    fn after_row(&mut self, completed: &CompletedRow<'_>) {
        self.record_row(completed);
    }

    fn error(&mut self, error: Error) {
        self.record_error(error);
    }

    fn token(&mut self, token: &Token) {
        self.record_token(token);
    }

    fn after_token(&mut self, builder: &TreeBuilder<'_>) {
        // The step of this token is not in the list yet.
        self.creating_steps.resize(builder.tree.nodes.len(), self.list.len());
        let counts = (builder.rows.len(), builder.errors.len());
        let (rows, errors) = std::mem::replace(&mut self.built, counts);
        if !self.is_kept {
            return;
        }
        let completed = builder.rows[rows..].iter().map(|row| json!([row.mode.0, row.row]));
        self.output.modes.extend(completed);
        for &(error, span) in &builder.errors[errors..] {
            let value = self.shown_error(error, span);
            self.output.errors.push(value);
        }
        self.output.surroundings = Some(json!({
            "mode": builder.mode().0,
            "open": short_names(builder.open_elements()),
            "formatting": short_names(builder.formatting_elements()),
        }));
    }
}
