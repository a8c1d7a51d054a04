//! The steps of a run, as shown by the page: a row of a state with the matched text, changed registers, and the
//! resulting tokens, errors and rows of modes. Nodes, tokens and errors belong to the step that created them.

use crate::offsets::Offsets;
use serde_json::{Map, Value, json};
use tabulex_language::model::{ErrorId, Machine};
use tabulex_oracle::formats::html5lib;
use tabulex_oracle::interpreter::trace::{changed_registers, registers, short_names};
use tabulex_oracle::interpreter::tree::TreeBuilder;
use tabulex_oracle::interpreter::{CompletedRow, Control, Error, Host, Span, Token};

/// A collector of the steps of a run.
pub(crate) struct Steps<'m> {
    machine: &'m Machine,
    offsets: Offsets,
    input: &'m str,
    /// The completed steps.
    pub(crate) list: Vec<Value>,
    /// All tokens, with adjacent text merged.
    pub(crate) tokens: Vec<Token>,
    /// All errors of the tokenizer.
    pub(crate) errors: Vec<Value>,
    /// Output of the current step.
    output: StepOutput,
    /// The registers after the last completed step.
    registers: Vec<(String, String)>,
    /// Numbers of the builder's rows and errors that are already in the output of a step.
    reported_counts: (usize, usize),
    /// For each node, the index of the step that created it.
    creating_steps: Vec<usize>,
}

/// Output of a step: tokens, errors, rows of modes, and the mode and lists of the tree builder.
#[derive(Default)]
struct StepOutput {
    tokens: Vec<Value>,
    errors: Vec<Value>,
    modes: Vec<Value>,
    tree_state: Option<Value>,
}

impl<'m> Steps<'m> {
    pub(crate) fn new(machine: &'m Machine, input: &'m str) -> Self {
        Self {
            machine,
            offsets: Offsets::new(input),
            input,
            list: Vec::new(),
            tokens: Vec::new(),
            errors: Vec::new(),
            output: Default::default(),
            registers: Default::default(),
            reported_counts: Default::default(),
            creating_steps: Default::default(),
        }
    }

    /// Returns an error as JSON: its code, line and column, and range.
    pub(crate) fn error_json(&self, error: ErrorId, span: Span) -> Value {
        let range = self.offsets.range(span.start, span.end);
        let code = self.machine.errors[usize::from(error.0)].name.clone();
        let position = html5lib::places(self.input, &[(code, span)]).next();
        json!(position.map(|(code, line, column)| {
            json!({ "code": code, "line": line, "column": column, "at": range })
        }))
    }

    /// Returns the index of the step that created a node, or `None` if the node was not created in a step.
    pub(crate) fn creating_step(&self, node: usize) -> Option<usize> {
        self.creating_steps.get(node).copied()
    }
}

impl Host for Steps<'_> {
    /// Adds a step for the completed row, with the output since the previous step.
    fn after_row(&mut self, completed: &CompletedRow<'_>) {
        let output = std::mem::take(&mut self.output);
        let registers_after = registers(self.machine, &(completed.configuration)());
        let mut step = json!({
            "state": completed.row.state.0,
            "row": completed.row.row,
            "at": self.offsets.range(completed.matched.start, completed.matched.end),
        });
        let changes = changed_registers(&self.registers, &registers_after).into_iter();
        let changed: Map<String, Value> =
            changes.map(|(name, value)| (name.clone(), json!(value))).collect();
        self.registers = registers_after;
        let lists = [("tokens", output.tokens), ("errors", output.errors), ("modes", output.modes)];
        for (name, list) in lists {
            if !list.is_empty() {
                step[name] = Value::Array(list);
            }
        }
        if !changed.is_empty() {
            step["now"] = Value::Object(changed);
        }
        if let Some(tree_state) = output.tree_state {
            step["tree"] = tree_state;
        }
        self.list.push(step);
    }

    fn error(&mut self, error: Error) {
        let value = self.error_json(error.error, error.span);
        self.errors.push(value.clone());
        self.output.errors.push(value);
    }

    fn token(&mut self, token: Token) -> Control {
        if let Value::Array(list) = html5lib::tokens(std::slice::from_ref(&token)) {
            self.output.tokens.extend(list);
        }
        match (token, self.tokens.last_mut()) {
            (Token::Text { text: more, span: range }, Some(Token::Text { text, span })) => {
                text.push_str(&more);
                span.end = range.end;
            }
            (token, _) => self.tokens.push(token),
        }
        Control::Continue
    }

    fn after_token(&mut self, builder: &TreeBuilder<'_>) {
        // New nodes belong to the current step, which `after_row` will append to `list`, so its index is the current
        // length.
        self.creating_steps.resize(builder.tree.nodes.len(), self.list.len());
        let counts = (builder.rows.len(), builder.errors.len());
        let (rows, errors) = std::mem::replace(&mut self.reported_counts, counts);
        let mode_rows = builder.rows[rows..].iter().map(|row| json!([row.mode.0, row.row]));
        self.output.modes.extend(mode_rows);
        for &(error, span) in &builder.errors[errors..] {
            let value = self.error_json(error, span);
            self.output.errors.push(value);
        }
        self.output.tree_state = Some(json!({
            "mode": builder.mode().0,
            "open": short_names(builder.open_elements()),
            "formatting": short_names(builder.formatting_elements()),
        }));
    }
}
