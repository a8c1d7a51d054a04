//! What a run does, as text for people or as JSON. It runs nothing. Invariant: a line stands where what it says
//! happened, the errors among the rows; what is remembered is said when it changes.

use super::explained::shown_node;
use super::request::Request;
use super::shown;
use crate::table::Table;
use serde_json::{Map, Value, json};
use tabulex_language::model::tree::ModeId;
use tabulex_language::model::{ErrorId, Machine, Section};
use tabulex_oracle::interpreter::remembered::{changed, remembered, short};
use tabulex_oracle::interpreter::tree::TreeBuilder;
use tabulex_oracle::interpreter::tree::document::Observer;
use tabulex_oracle::interpreter::{Error, Span, Taken, Token};

/// What is written of a run.
pub(super) struct Trace<'t> {
    table: &'t Table,
    machine: &'t Machine,
    /// What was written.
    pub(super) out: String,
    /// All that happened, in its order, where it is kept and not written.
    kept: Option<Vec<Value>>,
    input: &'t str,
    is_trace: bool,
    is_tree: bool,
    is_json: bool,
    /// Text that was emitted and not yet written: emissions next to each other are one token.
    text: Option<Token>,
    /// What the machine remembered after the last row.
    before: Vec<(String, String)>,
    /// Errors of the row that is being taken: they are written below it.
    mistakes: Vec<Error>,
    /// Tokens of the row that is being taken, likewise, with what tree construction did.
    below: Vec<Value>,
    /// How many rows, errors and nodes the builder had.
    built: (usize, usize, usize),
    /// Mode, stack and list after the last token.
    surroundings: (Option<ModeId>, Vec<String>, Vec<String>),
}

impl<'t> Trace<'t> {
    pub(super) fn new(
        table: &'t Table,
        machine: &'t Machine,
        input: &'t str,
        request: &Request,
    ) -> Self {
        Self {
            table,
            machine,
            out: String::new(),
            kept: None,
            input,
            is_trace: request.is_trace,
            is_tree: request.is_tree,
            is_json: request.is_json,
            text: None,
            before: Vec::new(),
            mistakes: Vec::new(),
            below: Vec::new(),
            built: (0, 0, 1),
            surroundings: (None, Vec::new(), Vec::new()),
        }
    }

    /// A trace that writes nothing, and keeps all that happens.
    pub(super) fn keeping(
        table: &'t Table,
        machine: &'t Machine,
        input: &'t str,
        request: &Request,
    ) -> Self {
        let own = Self::new(table, machine, input, request);
        Self { kept: Some(Vec::new()), is_trace: true, ..own }
    }

    /// All that happened.
    pub(super) fn into_kept(mut self) -> Vec<Value> {
        self.flush();
        self.kept.unwrap_or_default()
    }

    /// A row of a state was taken: the row, then the errors and tokens that it made.
    pub(super) fn row(&mut self, taken: &Taken<'_>) {
        if self.is_trace {
            let (state, row) = (self.machine.state(taken.row.state), self.machine.row(taken.row));
            let after = remembered(self.machine, &(taken.configuration)());
            let changes = changed(&self.before, &after).into_iter();
            let value = |value: &String| json!(if value.is_empty() { "none" } else { value });
            let now: Map<String, Value> =
                changes.map(|(name, now)| (name.clone(), value(now))).collect();
            self.before = after;
            let value = json!({
                "at": self.line_column(taken.looked.start),
                "bytes": [taken.looked.start, taken.looked.end],
                "input": &self.input[taken.looked.start..taken.looked.end],
                "state": state.name,
                "section": section(state.section.as_ref()),
                "anchor": anchor(state.section.as_ref()),
                "row": one_line(&row.text),
                "place": self.table.place(row.span),
                "now": now,
            });
            self.write(&value);
        }
        for mistake in std::mem::take(&mut self.mistakes) {
            self.write_error(mistake.error, mistake.span);
        }
        for value in std::mem::take(&mut self.below) {
            self.write(&value);
        }
    }

    /// The tokenizer found an error.
    pub(super) fn mistake(&mut self, error: Error) {
        self.mistakes.push(error);
    }

    /// The tokenizer emitted a token. Texts are joined where no rows stand between them.
    pub(super) fn tokenized(&mut self, token: Token) {
        if self.is_trace {
            self.below.extend(self.token_value(&token));
            return;
        }
        match (&mut self.text, token) {
            (Some(Token::Text { text, span }), Token::Text { text: more, span: range }) => {
                text.push_str(&more);
                span.end = range.end;
            }
            (_, token) => {
                self.flush();
                if matches!(token, Token::Text { .. }) {
                    self.text = Some(token);
                } else if let Some(value) = self.token_value(&token) {
                    self.below.push(value);
                }
            }
        }
    }

    /// Writes what waits.
    pub(super) fn flush(&mut self) {
        if let Some(value) = self.text.take().and_then(|text| self.token_value(&text)) {
            self.below.push(value);
        }
        for mistake in std::mem::take(&mut self.mistakes) {
            self.write_error(mistake.error, mistake.span);
        }
        for value in std::mem::take(&mut self.below) {
            self.write(&value);
        }
    }

    /// Writes all errors of a tree that is not traced.
    pub(super) fn list_errors(&mut self, errors: &[(ErrorId, Span)]) {
        for &(error, span) in errors {
            self.write_error(error, span);
        }
    }

    fn write_error(&mut self, error: ErrorId, span: Span) {
        let code = &self.machine.errors[usize::from(error.0)].name;
        let value = json!({ "error": code, "at": self.line_column(span.start), "bytes": [span.start, span.end] });
        self.write(&value);
    }

    fn token_value(&self, whole: &Token) -> Option<Value> {
        let span = whole.span();
        let token: Value = match whole {
            // In tests it goes without saying.
            Token::EndOfFile { .. } if self.kept.is_some() => json!(["EndOfFile"]),
            _ => serde_json::from_str(&shown(whole)?).ok()?,
        };
        let mut value = json!({ "token": token, "bytes": [span.start, span.end] });
        if self.kept.is_some() {
            value["parts"] = parts(whole);
        }
        Some(value)
    }

    /// Line and column, as [`line_column`] counts them.
    pub(super) fn line_column(&self, offset: usize) -> String {
        line_column(self.input, offset)
    }

    fn write(&mut self, value: &Value) {
        match &mut self.kept {
            Some(kept) => kept.push(value.clone()),
            None if self.is_json => self.out += &format!("{value}\n"),
            None => self.out += &line(value, self.is_trace),
        }
    }
}

/// The offsets where lines begin: LF, CR LF and a lone CR each end one.
pub(super) fn line_starts(input: &str) -> Vec<usize> {
    let bytes = input.as_bytes();
    let is_end = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    std::iter::once(0).chain((0..bytes.len()).filter(is_end).map(|at| at + 1)).collect()
}

/// Line and column of an offset, both from 1, the column in characters. A line end is one column.
pub(super) fn line_column(input: &str, offset: usize) -> String {
    let is_within = input[..offset].ends_with('\r') && input[offset..].starts_with('\n');
    let offset = offset - usize::from(is_within);
    let starts = line_starts(input);
    let line = starts.partition_point(|&start| start <= offset);
    let column = input[starts[line - 1]..offset].chars().count() + 1;
    format!("{line}:{column}")
}

/// What happened, as a line for people.
pub(super) fn line(value: &Value, is_trace: bool) -> String {
    let text = |name: &str| value[name].as_str().unwrap_or_default();
    if !value["row"].is_null() {
        let looked = format!("{:?}", text("input"));
        let state = format!("{} {}", text("state"), text("section"));
        let head = format!(
            "{:<6} {looked:<8} {:<44} {:<22} {}",
            text("at"),
            state.trim_end(),
            text("place"),
            text("row")
        );
        head.trim_end().to_owned() + "\n" + &said(&value["now"])
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
        head + "\n" + &said(&value["now"])
    } else {
        let indent = if is_trace { "       token " } else { "" };
        format!("{indent}{}\n", value["token"])
    }
}

/// The attributes of a tag, each with the range from its name to its value; the fields of a token of a declared kind.
fn parts(token: &Token) -> Value {
    match token {
        Token::StartTag(tag) | Token::EndTag(tag) => {
            let ranged = tag.attributes.iter().map(|it| {
                let end = it.value_span.end.max(it.name_span.end);
                json!({ "attribute": it.name, "value": it.value, "bytes": [it.name_span.start, end] })
            });
            ranged.collect()
        }
        Token::Declared { fields, .. } => {
            let ranged = fields.iter().map(|it| {
                json!({ "field": it.name, "value": it.text, "bytes": [it.span.start, it.span.end] })
            });
            ranged.collect()
        }
        Token::Text { .. }
        | Token::Comment { .. }
        | Token::Doctype(_)
        | Token::ProcessingInstruction { .. }
        | Token::ShortEndTag { .. }
        | Token::EndOfFile { .. } => json!([]),
    }
}

impl Observer for Trace<'_> {
    fn taken(&mut self, taken: &Taken<'_>) {
        if self.is_trace {
            self.row(taken);
        }
    }

    fn error(&mut self, error: Error) {
        if self.is_trace {
            self.mistakes.push(error);
        }
    }

    fn token(&mut self, token: &Token) {
        if self.is_trace {
            self.below.extend(self.token_value(token));
        }
    }

    fn built(&mut self, builder: &TreeBuilder<'_>) {
        let Some(construction) =
            self.machine.construction.as_ref().filter(|_| self.is_trace && self.is_tree)
        else {
            return;
        };
        let counts = (builder.rows.len(), builder.errors.len(), builder.tree.nodes.len());
        let (rows, errors, nodes) = std::mem::replace(&mut self.built, counts);
        for &id in &builder.rows[rows..] {
            let mode = construction.mode(id.mode);
            let row = &mode.rows[usize::from(id.row)];
            self.below.push(json!({
                "mode": mode.name,
                "section": section(mode.section.as_ref()),
                "anchor": anchor(mode.section.as_ref()),
                "mode_row": one_line(&row.text),
                "place": self.table.place(row.span),
                "now": {},
            }));
        }
        let new = (
            Some(builder.mode()),
            short(builder.open_elements()),
            short(builder.formatting_elements()),
        );
        let mut now = serde_json::Map::new();
        if new.0 != self.surroundings.0 {
            now.insert("mode".into(), json!(construction.mode(builder.mode()).name));
        }
        let list =
            |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(" ") };
        if new.1 != self.surroundings.1 {
            now.insert("open elements".into(), json!(list(&new.1)));
        }
        if new.2 != self.surroundings.2 {
            now.insert("formatting".into(), json!(list(&new.2)));
        }
        if let Some(last) = self.below.last_mut().filter(|last| !last["mode"].is_null()) {
            last["now"] = Value::Object(now);
            self.surroundings = new;
        }
        let made: Vec<_> =
            builder.tree.nodes[nodes..].iter().filter_map(|node| shown_node(&node.kind)).collect();
        if self.kept.is_some() && !made.is_empty() {
            self.below.push(json!({ "nodes": made }));
        }
        for &(error, span) in &builder.errors[errors..] {
            let code = &self.machine.errors[usize::from(error.0)].name;
            self.below.push(json!({ "error": code, "at": self.line_column(span.start), "bytes": [span.start, span.end] }));
        }
    }
}

fn anchor(section: Option<&Section>) -> Option<&str> {
    section.and_then(|section| section.anchor.as_deref())
}

fn section(section: Option<&Section>) -> String {
    section.map(|section| section.number.clone()).unwrap_or_default()
}

/// A row on one line, without its notes: they say why, not what.
fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in ["=> deviates \"", "=> fills \"", "=> extends \""] {
        let Some(start) = line.find(word) else { continue };
        let note = &line[start + word.len()..];
        if let Some(end) = note.find("\"; ") {
            line = format!("{}=> {}", &line[..start], &note[end + 3..]);
        }
    }
    line
}

/// What has changed, as `name value, name value`.
fn said(now: &Value) -> String {
    let Some(map) = now.as_object().filter(|map| !map.is_empty()) else { return String::new() };
    let list: Vec<String> = map
        .iter()
        .map(|(name, value)| {
            format!("{name} {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        })
        .collect();
    format!("         → {}\n", list.join(", "))
}
