//! Describes the events of a run as JSON and as lines of text, in the order in which they occur, with each change of the
//! machine's registers.

use super::explain::node_text;
use super::request::Request;
use crate::table::Table;
use serde_json::{Map, Value, json};
use tabulex_language::model::{ErrorId, Machine, Section};
use tabulex_oracle::formats::html5lib;
use tabulex_oracle::interpreter::trace::{changed_registers, registers, short_names};
use tabulex_oracle::interpreter::tree::{TracedStep, TreeBuilder};
use tabulex_oracle::interpreter::{CompletedRow, Control, Error, Host, Span, Token};

/// A host that describes the events of a run as JSON values.
pub(super) struct Trace<'t> {
    table: &'t Table,
    machine: &'t Machine,
    input: &'t str,
    request: &'t Request,
    /// Receives each event.
    write: &'t mut dyn FnMut(Value),
    /// Emitted text that is not yet written, because adjacent texts are joined to one token.
    pending_text: Option<Token>,
    /// Names and values of the registers after the last row.
    last_registers: Vec<(String, String)>,
    /// Errors of the current row, to be written below it.
    row_errors: Vec<Error>,
    /// Tokens of the current row with the rows of modes that processed them, to be written below it.
    row_tokens: Vec<Value>,
    /// Numbers of rows, errors, nodes and steps of the builder that have been recorded.
    recorded_counts: (usize, usize, usize, usize),
    /// Mode, open elements and formatting elements, as last recorded, each after its name.
    tree_registers: Vec<(String, String)>,
}

impl<'t> Trace<'t> {
    pub(super) fn new(
        table: &'t Table,
        machine: &'t Machine,
        input: &'t str,
        request: &'t Request,
        write: &'t mut dyn FnMut(Value),
    ) -> Self {
        Self {
            table,
            machine,
            input,
            request,
            write,
            pending_text: None,
            last_registers: Vec::new(),
            row_errors: Vec::new(),
            row_tokens: Vec::new(),
            recorded_counts: (0, 0, 1, 0),
            tree_registers: Vec::new(),
        }
    }

    /// Whether events of the tokenizer are recorded: always for tokens, but for a tree only in a trace.
    fn records_tokenizer(&self) -> bool {
        self.request.is_trace || !self.request.is_tree
    }

    /// Records that a row of a state was run, with the errors and tokens that it caused.
    fn record_row(&mut self, completed: &CompletedRow<'_>) {
        if self.request.is_trace {
            let (state, row) =
                (self.machine.state(completed.row.state), self.machine.row(completed.row));
            let new_registers = registers(self.machine, &(completed.configuration)());
            let changed_values = update(&mut self.last_registers, new_registers);
            let value = json!({
                "at": self.line_column(completed.matched.start),
                "bytes": [completed.matched.start, completed.matched.end],
                "input": &self.input[completed.matched.start..completed.matched.end],
                "state": state.name,
                "section": section(state.section.as_ref()),
                "anchor": anchor(state.section.as_ref()),
                "row": one_line(&row.text),
                "place": self.table.place(row.span),
                "now": changed_values,
            });
            (self.write)(value);
        }
        self.write_pending();
    }

    /// Records a step of an algorithm. Steps of standard algorithms, which have no position in a file, are skipped.
    fn record_step(&mut self, step: &TracedStep<'_>) {
        let Some(span) = step.algorithm.step_span(step.step) else { return };
        let source = self.table.source(span);
        let text = source.and_then(|it| it.text.get(span.range()));
        self.row_tokens.push(json!({
            "algorithm": step.algorithm.name,
            "section": section(step.algorithm.section.as_ref()),
            "anchor": anchor(step.algorithm.section.as_ref()),
            "step": one_line(text.unwrap_or_default()),
            "place": self.table.place(span),
        }));
    }

    /// Records a token. Without a trace, adjacent texts are joined.
    fn record_token(&mut self, token: &Token) {
        if self.request.is_trace {
            self.row_tokens.extend(self.token_value(token));
            return;
        }
        match (&mut self.pending_text, token) {
            (Some(Token::Text { text, span }), Token::Text { text: more, span: range }) => {
                text.push_str(more);
                span.end = range.end;
            }
            (_, token) => {
                self.flush();
                if matches!(token, Token::Text { .. }) {
                    self.pending_text = Some(token.clone());
                } else if let Some(value) = self.token_value(token) {
                    self.row_tokens.push(value);
                }
            }
        }
    }

    /// Writes pending text, errors and tokens.
    pub(super) fn flush(&mut self) {
        if let Some(value) = self.pending_text.take().and_then(|text| self.token_value(&text)) {
            self.row_tokens.push(value);
        }
        self.write_pending();
    }

    fn write_pending(&mut self) {
        for mistake in std::mem::take(&mut self.row_errors) {
            self.write_error(mistake.error, mistake.span);
        }
        std::mem::take(&mut self.row_tokens).into_iter().for_each(&mut *self.write);
    }

    pub(super) fn write_error(&mut self, error: ErrorId, span: Span) {
        let value = self.error_value(error, span);
        (self.write)(value);
    }

    fn error_value(&self, error: ErrorId, span: Span) -> Value {
        let code = &self.machine.errors[usize::from(error.0)].name;
        json!({ "error": code, "at": self.line_column(span.start), "bytes": [span.start, span.end] })
    }

    fn token_value(&self, whole: &Token) -> Option<Value> {
        let span = whole.span();
        let token = match whole {
            // In the format of test suites, no token marks the end of the file.
            Token::EndOfFile { .. } if self.is_explained() => json!(["EndOfFile"]),
            _ => html5lib::tokens(std::slice::from_ref(whole)).get(0)?.clone(),
        };
        let mut value = json!({ "token": token, "bytes": [span.start, span.end] });
        if self.is_explained() {
            value["parts"] = parts(whole);
        }
        Some(value)
    }

    /// Whether the events are for an explanation, which also needs the parts of tokens and the created nodes.
    fn is_explained(&self) -> bool {
        self.request.explained_position.is_some()
    }

    /// Returns the line and column of a byte offset in the input; see [`line_column`].
    fn line_column(&self, offset: usize) -> String {
        line_column(self.input, offset)
    }
}

/// Returns the byte offsets of line starts; LF, CR LF and a lone CR each end a line.
pub(super) fn line_starts(input: &str) -> Vec<usize> {
    let bytes = input.as_bytes();
    let ends_line = |index: &usize| match bytes[*index] {
        b'\n' => true,
        b'\r' => bytes.get(index + 1) != Some(&b'\n'),
        _ => false,
    };
    std::iter::once(0).chain((0..bytes.len()).filter(ends_line).map(|index| index + 1)).collect()
}

/// Formats the line and column of a byte offset as `LINE:COLUMN`, counted from 1, the column in characters. CR LF
/// counts as one character.
pub(super) fn line_column(input: &str, offset: usize) -> String {
    let is_inside_crlf = input[..offset].ends_with('\r') && input[offset..].starts_with('\n');
    let offset = offset - usize::from(is_inside_crlf);
    let starts = line_starts(input);
    let line = starts.partition_point(|&start| start <= offset);
    let column = input[starts[line - 1]..offset].chars().count() + 1;
    format!("{line}:{column}")
}

/// Formats an event as a line of text.
pub(super) fn line(value: &Value, is_trace: bool) -> String {
    let text = |name: &str| value[name].as_str().unwrap_or_default();
    if !value["row"].is_null() {
        let matched = format!("{:?}", text("input"));
        let state = format!("{} {}", text("state"), text("section"));
        let head = format!(
            "{:<6} {matched:<8} {:<44} {:<22} {}",
            text("at"),
            state.trim_end(),
            text("place"),
            text("row")
        );
        head.trim_end().to_owned() + "\n" + &changes_text(&value["now"])
    } else if !value["error"].is_null() {
        let indent = if is_trace { "       " } else { "" };
        format!("{indent}error {} at {}\n", text("error"), text("at"))
    } else if !value["mode"].is_null() {
        let mode = format!("{} {}", text("mode"), text("section"));
        let head = format!(
            "           {:<48} {:<22} {}",
            mode.trim_end(),
            text("place"),
            text("mode_row")
        );
        head + "\n" + &changes_text(&value["now"])
    } else if !value["algorithm"].is_null() {
        let algorithm = format!("{} {}", text("algorithm"), text("section"));
        format!("               {algorithm:<44} {:<22} {}\n", text("place"), text("step"))
    } else {
        let indent = if is_trace { "       token " } else { "" };
        format!("{indent}{}\n", value["token"])
    }
}

/// Returns the attributes of a tag, each with the byte range from its name to its value, or the fields of a declared
/// token with their ranges.
fn parts(token: &Token) -> Value {
    match token {
        Token::StartTag(tag) | Token::EndTag(tag) => {
            let attributes = tag.attributes.iter().map(|it| {
                let end = it.value_span.end.max(it.name_span.end);
                json!({ "attribute": it.name, "value": it.value, "bytes": [it.name_span.start, end] })
            });
            attributes.collect()
        }
        Token::Declared { fields, .. } => {
            let fields = fields.iter().map(|it| {
                json!({ "field": it.name, "value": it.text, "bytes": [it.span.start, it.span.end] })
            });
            fields.collect()
        }
        Token::Text { .. }
        | Token::Comment { .. }
        | Token::Doctype(_)
        | Token::ProcessingInstruction { .. }
        | Token::ShortEndTag { .. }
        | Token::EndOfFile { .. } => json!([]),
    }
}

impl Host for Trace<'_> {
    fn traces_steps(&self) -> bool {
        self.request.traces_steps
    }

    fn after_row(&mut self, completed: &CompletedRow<'_>) {
        if self.records_tokenizer() {
            self.record_row(completed);
        }
    }

    fn error(&mut self, error: Error) {
        if self.records_tokenizer() {
            self.row_errors.push(error);
        }
    }

    fn token(&mut self, token: Token) -> Control {
        if self.records_tokenizer() {
            self.record_token(&token);
        }
        Control::Continue
    }

    fn after_token(&mut self, builder: &TreeBuilder<'_>) {
        let is_tree_trace = self.request.is_trace && self.request.is_tree;
        let construction = self.machine.construction.as_ref();
        let Some(construction) = construction.filter(|_| is_tree_trace) else { return };
        let steps = builder.traced_steps.as_deref().unwrap_or_default();
        let counts =
            (builder.rows.len(), builder.errors.len(), builder.tree.nodes.len(), steps.len());
        let (rows, errors, nodes, from) = std::mem::replace(&mut self.recorded_counts, counts);
        let mut steps = steps[from..].iter().peekable();
        for (index, &id) in builder.rows.iter().enumerate().skip(rows) {
            while let Some(step) = steps.next_if(|step| step.rows <= index) {
                self.record_step(step);
            }
            let mode = construction.mode(id.mode);
            let row = &mode.rows[usize::from(id.row)];
            self.row_tokens.push(json!({
                "mode": mode.name,
                "section": section(mode.section.as_ref()),
                "anchor": anchor(mode.section.as_ref()),
                "mode_row": one_line(&row.text),
                "place": self.table.place(row.span),
                "now": {},
            }));
        }
        steps.for_each(|step| self.record_step(step));
        let last_row = self.row_tokens.iter_mut().rfind(|last| !last["mode"].is_null());
        if let Some(last) = last_row.filter(|_| counts.0 > rows) {
            let tree_registers = [
                ("mode", construction.mode(builder.mode()).name.clone()),
                ("open elements", short_names(builder.open_elements()).join(" ")),
                ("formatting", short_names(builder.formatting_elements()).join(" ")),
            ];
            let tree_registers = tree_registers.map(|(name, value)| (name.to_owned(), value));
            last["now"] = update(&mut self.tree_registers, tree_registers.into());
        }
        let created: Vec<_> =
            builder.tree.nodes[nodes..].iter().filter_map(|node| node_text(&node.kind)).collect();
        if self.is_explained() && !created.is_empty() {
            self.row_tokens.push(json!({ "nodes": created }));
        }
        for &(error, span) in &builder.errors[errors..] {
            self.row_tokens.push(self.error_value(error, span));
        }
    }
}

/// Replaces the values of registers, and returns those that change, by name; `none` stands for an empty value.
fn update(registers: &mut Vec<(String, String)>, new: Vec<(String, String)>) -> Value {
    let as_json = |value: &String| json!(if value.is_empty() { "none" } else { value });
    let changes = changed_registers(registers, &new).into_iter();
    let changes: Map<_, _> = changes.map(|(name, now)| (name.clone(), as_json(now))).collect();
    *registers = new;
    Value::Object(changes)
}

fn anchor(section: Option<&Section>) -> Option<&str> {
    section.and_then(|section| section.anchor.as_deref())
}

fn section(section: Option<&Section>) -> String {
    section.map(|section| section.number.clone()).unwrap_or_default()
}

/// Formats a row on one line, without its comments and notes.
fn one_line(text: &str) -> String {
    let mut line = crate::changes::one_line(text);
    for word in ["=> deviates \"", "=> fills \"", "=> extends \""] {
        let Some(start) = line.find(word) else { continue };
        let note = &line[start + word.len()..];
        if let Some(end) = note.find("\"; ") {
            line = format!("{}=> {}", &line[..start], &note[end + 3..]);
        }
    }
    line
}

/// Formats changed registers as an indented line, "→ name value, name value", or returns an empty string if nothing
/// changed.
fn changes_text(now: &Value) -> String {
    let Some(map) = now.as_object().filter(|map| !map.is_empty()) else { return String::new() };
    let list: Vec<String> = map
        .iter()
        .map(|(name, value)| {
            format!("{name} {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        })
        .collect();
    format!("         → {}\n", list.join(", "))
}
