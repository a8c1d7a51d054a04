//! A table as shown by the page: its errors, and its states and modes with their rows, each with its position, which
//! names a file of the request and a range in its text.

use crate::offsets::Offsets;
use crate::request::known_flags;
use serde_json::{Value, json};
use tabulex_language::model::tree::{Construction, Mode};
use tabulex_language::model::{Machine, Section, Span, State, Step, Transfer};
use tabulex_language::{Diagnostic, Severity, Source};

/// The files of a table with their offsets, in the order of their file ids.
struct Files<'s> {
    list: Vec<(&'s Source, Offsets)>,
}

impl<'s> Files<'s> {
    fn new(table: &'s Source) -> Self {
        let sources = std::iter::once(table).chain(&table.files);
        Self { list: sources.map(|source| (source, Offsets::new(&source.text))).collect() }
    }

    fn position(&self, span: Span) -> Value {
        let Some((source, offsets)) = self.list.get(usize::from(span.file.0)) else {
            return Value::Null;
        };
        let (line, column) = source.line_column(span.start);
        let range = offsets.range(span.start as usize, span.end as usize);
        json!({ "file": source.path, "line": line, "column": column, "range": range })
    }
}

/// Loads the table of a request. Returns the machine, if the table has no errors, and the answer for the page.
pub(crate) fn open(request: &Value) -> Result<(Option<Machine>, Value), String> {
    let name = request["file"].as_str().ok_or("the request has no `file`")?;
    let text_of = |name: &str| request["files"][name].as_str().map(str::to_owned);
    let text = text_of(name).ok_or_else(|| format!("the request has no text for `{name}`"))?;
    let loaded = tabulex_language::load(&Source::new(name, text), &text_of);
    let files = Files::new(&loaded.source);
    let mistake = |diagnostic: &Diagnostic| {
        json!({
            "check": diagnostic.check,
            "isError": diagnostic.severity == Severity::Error,
            "message": diagnostic.message,
            "place": files.position(diagnostic.span),
            "help": diagnostic.help,
        })
    };
    let mistakes: Vec<Value> = loaded.diagnostics.iter().map(mistake).collect();
    let machine = loaded.machine.as_ref().map(|machine| machine_contents(machine, &files));
    let answer = json!({ "mistakes": mistakes, "machine": machine });
    Ok((loaded.machine, answer))
}

fn section(section: Option<&Section>) -> Value {
    json!(section.map(|section| json!([section.number, section.anchor])))
}

/// Returns the states, modes and flags of a machine as JSON.
fn machine_contents(machine: &Machine, files: &Files<'_>) -> Value {
    let state_contents = |state: &State| {
        let rows = state.rows.iter().map(|row| {
            json!({
                "text": row.text,
                "place": files.position(row.span),
                "to": targets(machine, &row.steps),
            })
        });
        json!({
            "name": state.name,
            "section": section(state.section.as_ref()),
            "place": files.position(state.span),
            "rows": rows.collect::<Vec<_>>(),
        })
    };
    let states: Vec<Value> = machine.states.iter().map(state_contents).collect();
    let flags: Vec<Value> =
        known_flags(machine).map(|flag| json!([flag.name, flag.values])).collect();
    json!({
        "name": machine.name,
        "start": machine.state(machine.start).name,
        "states": states,
        "modes": machine.construction.as_ref().map(|construction| modes(construction, files)),
        "hasFragments": machine.construction.as_ref().is_some_and(|it| it.fragment.is_some()),
        "flags": flags,
    })
}

fn modes(construction: &Construction, files: &Files<'_>) -> Vec<Value> {
    let mode_contents = |mode: &Mode| {
        let rows = mode.rows.iter();
        let rows = rows.map(|row| json!({ "text": row.text, "place": files.position(row.span) }));
        json!({
            "name": mode.name,
            "section": section(mode.section.as_ref()),
            "rows": rows.collect::<Vec<_>>(),
        })
    };
    construction.modes.iter().map(mode_contents).collect()
}

/// Returns the names of the states that the steps switch to, without repetitions.
fn targets(machine: &Machine, steps: &[Step]) -> Vec<String> {
    let mut names = Vec::new();
    for action in Step::actions(steps) {
        let Transfer::To(target) = action.transfer() else { continue };
        let name = machine.state(target).name.clone();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
