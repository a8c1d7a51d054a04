//! What a run does, as text for people or as JSON. It runs nothing. Invariant: a line stands where what it says
//! happened, the errors among the rows; what is remembered is said when it changes.

use super::request::Request;
use super::shown;
use crate::table::Table;
use serde_json::{Value, json};
use tabulex_language::model::tree::ModeId;
use tabulex_language::model::{ErrorId, Machine, Section};
use tabulex_oracle::interpreter::tree::TreeBuilder;
use tabulex_oracle::interpreter::tree::document::Observer;
use tabulex_oracle::interpreter::{Configuration, Error, Span, Taken, Token};

/// What is written of a run.
pub(super) struct Trace<'t> {
    table: &'t Table,
    machine: &'t Machine,
    /// What was written.
    pub(super) out: String,
    input: &'t str,
    is_trace: bool,
    is_tree: bool,
    is_json: bool,
    /// Text that was emitted and not yet written: emissions next to each other are one token.
    text: Option<Token>,
    /// What the machine remembered after the last row.
    before: Option<Configuration>,
    /// Errors of the row that is being taken: they are written below it.
    mistakes: Vec<Error>,
    /// Tokens of the row that is being taken, likewise, with what tree construction did.
    below: Vec<Value>,
    /// How many rows and errors the builder had.
    built: (usize, usize),
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
            input,
            is_trace: request.is_trace,
            is_tree: request.is_tree,
            is_json: request.is_json,
            text: None,
            before: None,
            mistakes: Vec::new(),
            below: Vec::new(),
            built: (0, 0),
            surroundings: (None, Vec::new(), Vec::new()),
        }
    }

    /// A row of a state was taken: the row, then the errors and tokens that it made.
    pub(super) fn row(&mut self, taken: &Taken<'_>) {
        if self.is_trace {
            let (state, row) = (self.machine.state(taken.row.state), self.machine.row(taken.row));
            let after = (taken.configuration)();
            let changes = changes(self.machine, self.before.as_ref(), &after);
            self.before = Some(after);
            let value = json!({
                "at": self.line_column(taken.looked.start),
                "bytes": [taken.looked.start, taken.looked.end],
                "input": &self.input[taken.looked.start..taken.looked.end],
                "state": state.name,
                "section": section(state.section.as_ref()),
                "row": one_line(&row.text),
                "place": self.table.place(row.span),
                "now": changes,
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

    fn token_value(&self, token: &Token) -> Option<Value> {
        let text = shown(token)?;
        let span = token.span();
        let token: Value = serde_json::from_str(&text).ok()?;
        Some(json!({ "token": token, "bytes": [span.start, span.end] }))
    }

    /// Line and column, both from 1, the column in characters.
    fn line_column(&self, offset: usize) -> String {
        let before = &self.input[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        format!("{line}:{column}")
    }

    fn write(&mut self, value: &Value) {
        if self.is_json {
            self.out += &format!("{value}\n");
            return;
        }
        let text = |name: &str| value[name].as_str().unwrap_or_default();
        self.out += &if !value["row"].is_null() {
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
            let indent = if self.is_trace { "       " } else { "" };
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
            let indent = if self.is_trace { "       token " } else { "" };
            format!("{indent}{}\n", value["token"])
        };
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
        let (rows, errors) =
            std::mem::replace(&mut self.built, (builder.rows.len(), builder.errors.len()));
        for &id in &builder.rows[rows..] {
            let mode = construction.mode(id.mode);
            let row = &mode.rows[usize::from(id.row)];
            self.below.push(json!({
                "mode": mode.name,
                "section": section(mode.section.as_ref()),
                "mode_row": one_line(&row.text),
                "place": self.table.place(row.span),
                "now": {},
            }));
        }
        let new = (
            Some(builder.mode()),
            names(builder.open_elements()),
            names(builder.formatting_elements()),
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
        for &(error, span) in &builder.errors[errors..] {
            let code = &self.machine.errors[usize::from(error.0)].name;
            self.below.push(json!({ "error": code, "at": self.line_column(span.start), "bytes": [span.start, span.end] }));
        }
    }
}

/// The names without the namespace that most have; a marker is a bar.
fn names(names: Vec<String>) -> Vec<String> {
    let short = |name: String| match name.split_once(' ') {
        Some((name, "xhtml" | "")) => name.to_owned(),
        Some((name, namespace)) => format!("{namespace}:{name}"),
        None => "|".to_owned(),
    };
    names.into_iter().map(short).collect()
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

/// What the machine remembers and did not before.
fn changes(machine: &Machine, before: Option<&Configuration>, after: &Configuration) -> Value {
    let mut now = serde_json::Map::new();
    let list = remembered(machine, after);
    let old = before.map(|before| remembered(machine, before)).unwrap_or_default();
    for (name, value) in list {
        let was = old.iter().find(|(other, _)| *other == name).map(|(_, value)| value);
        if was.map_or(!value.is_empty(), |was| *was != value) {
            now.insert(name, json!(if value.is_empty() { "none" } else { &value }));
        }
    }
    Value::Object(now)
}

/// What a machine remembers, by name; empty where it is as in the beginning.
fn remembered(machine: &Machine, of: &Configuration) -> Vec<(String, String)> {
    let quoted = |text: &str| if text.is_empty() { String::new() } else { format!("{text:?}") };
    let state = |state| machine.state(state).name.clone();
    let mut list = vec![
        ("temporary-buffer".to_owned(), quoted(&of.temporary_buffer)),
        ("return-state".to_owned(), of.return_state.map(state).unwrap_or_default()),
        ("caller".to_owned(), of.caller.map(state).unwrap_or_default()),
        (
            "additional-allowed-character".to_owned(),
            of.additional_allowed_character.map(|it| format!("{it:?}")).unwrap_or_default(),
        ),
        (
            "character-reference-code".to_owned(),
            if of.number == 0 { String::new() } else { format!("0x{:X}", of.number) },
        ),
        ("last-start-tag".to_owned(), of.last_start_tag.as_deref().map(quoted).unwrap_or_default()),
    ];
    let tag = of.tag.as_ref().map(|(is_end_tag, name)| {
        let attributes =
            of.pending.attributes.0.iter().map(|(name, value)| format!(" {name}={value:?}"));
        let slash = if *is_end_tag { "/" } else { "" };
        format!(
            "<{slash}{name}{}{}",
            attributes.collect::<String>(),
            if of.pending.self_closing { "/" } else { "" }
        )
    });
    list.push(("tag".to_owned(), tag.unwrap_or_default()));
    list.push((
        "comment".to_owned(),
        of.pending.comment.as_deref().map(|it| format!("{it:?}")).unwrap_or_default(),
    ));
    let doctype = of.pending.doctype.as_ref().map(|(texts, force)| {
        format!(
            "{}{}",
            texts
                .iter()
                .map(|it| it.as_deref().map_or("-".to_owned(), |it| format!("{it:?}")))
                .collect::<Vec<_>>()
                .join(" "),
            if *force { " force-quirks" } else { "" }
        )
    });
    list.push(("doctype".to_owned(), doctype.unwrap_or_default()));
    let instruction = of.pending.processing_instruction.as_ref();
    list.push((
        "processing-instruction".to_owned(),
        instruction.map(|(target, data)| format!("{target:?} {data:?}")).unwrap_or_default(),
    ));
    let pushed = of.pushed.states.iter().map(|&state| machine.state(state).name.clone());
    list.push(("pushed states".to_owned(), pushed.collect::<Vec<_>>().join(" ")));
    for (token, texts) in machine.tokens.iter().zip(&of.pending.declared) {
        let shown = texts.as_ref().map(|texts| format!("{texts:?}"));
        list.push((token.name.clone(), shown.unwrap_or_default()));
    }
    for (flag, value) in machine.flags.iter().zip(&of.flags) {
        list.push((
            flag.name.clone(),
            if *value == 0 { String::new() } else { flag.values[usize::from(*value)].clone() },
        ));
    }
    list
}
