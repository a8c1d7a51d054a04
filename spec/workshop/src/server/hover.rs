//! Hover texts: section and incoming rows of a state, section and number of rows of a mode, meaning of an action or
//! condition, or declaration of another name.

use super::names::{FormUse, Name, NameKind};
use super::project::ServedFile;
use super::text::range;
use crate::picture::{Edge, StateGraph};
use crate::table::Table;
use serde_json::{Value, json};
use std::path::Path;
use tabulex_language::counted;
use tabulex_language::model::{Machine, Section, Transfer};

/// Maximum number of rows listed for a state.
const MAX_ROWS: usize = 12;

/// Returns the hover text at an offset, as the protocol represents it; null if there is none.
pub(super) fn hover(project: &ServedFile, path: &Path, offset: usize) -> Value {
    let Some((text, names)) = project.files.get(path) else { return Value::Null };
    let touches =
        |it: &&FormUse| it.span.start as usize <= offset && offset <= it.span.end as usize;
    let (described, span) = match (project.name(path, offset), names.uses.iter().find(touches)) {
        (Some(name), _) => (describe_name(project, name), name.span),
        (None, Some(form)) => (meaning(form), form.span),
        (None, None) => return Value::Null,
    };
    let contents = json!({ "kind": "markdown", "value": described });
    json!({ "contents": contents, "range": range(text, span) })
}

fn meaning(form: &FormUse) -> String {
    let mut text = format!("`{}`\n\n{}", form.syntax, form.meaning);
    for wording in form.wordings {
        text += &format!("\n\n> {wording}");
    }
    text
}

fn describe_name(project: &ServedFile, name: &Name) -> String {
    let machines = || project.tables.iter().filter_map(|it| Some((it, it.machine.as_ref()?)));
    match name.kind {
        NameKind::State => machines().find_map(|(table, it)| state(table, it, &name.text)),
        NameKind::Mode => machines().find_map(|(_, machine)| mode(machine, &name.text)),
        _ => None,
    }
    .or_else(|| declaration(project, name))
    .unwrap_or_else(|| format!("`{}`", name.text))
}

/// Describes a state by its section and by the rows of other states that lead to it; `None` if the machine lacks the
/// state.
fn state(table: &Table, machine: &Machine, name: &str) -> Option<String> {
    let id = machine.find_state(name)?;
    let mut text = format!("**{name}**{}", section(machine, machine.state(id).section.as_ref()));
    let graph = StateGraph::new(table, machine, Some(id));
    let leads_here = |it: &&Edge| it.to == Transfer::To(id) && it.from != id;
    let mut rows: Vec<String> = graph
        .edges
        .iter()
        .filter(leads_here)
        .map(|it| format!("- {}: `{}`", machine.state(it.from).name, it.row))
        .collect();
    rows.dedup();
    text += &match rows.len() {
        1 => "\n\n1 row leads here".to_owned(),
        count => format!("\n\n{count} rows lead here"),
    };
    for row in rows.iter().take(MAX_ROWS) {
        text += &format!("\n{row}");
    }
    if rows.len() > MAX_ROWS {
        text += &format!("\n- and {} more", rows.len() - MAX_ROWS);
    }
    Some(text)
}

fn mode(machine: &Machine, name: &str) -> Option<String> {
    let construction = machine.construction.as_ref()?;
    let mode = construction.mode(construction.find_mode(name)?);
    Some(format!(
        "**{name}**{}\n\n{}",
        section(machine, mode.section.as_ref()),
        counted(mode.rows.len(), "row")
    ))
}

fn section(machine: &Machine, section: Option<&Section>) -> String {
    let Some(section) = section else { return String::new() };
    let number = &section.number;
    match (machine.link(section), &section.anchor) {
        (Some(link), _) => format!(", [section {number}]({link})"),
        (None, Some(anchor)) => format!(", section {number}, `#{anchor}`"),
        (None, None) => format!(", section {number}"),
    }
}

/// Returns the source line that declares a name, in a code block; `None` if no file declares the name.
fn declaration(project: &ServedFile, name: &Name) -> Option<String> {
    for (text, names) in project.files.values() {
        let is_declaration =
            |it: &&Name| it.is_declaration && (it.kind, &it.text) == (name.kind, &name.text);
        let Some(declared) = names.names.iter().find(is_declaration) else { continue };
        let offset = declared.span.start as usize;
        let start = text[..offset].rfind('\n').map_or(0, |it| it + 1);
        let end = text[offset..].find(['\n']).map_or(text.len(), |it| offset + it);
        return Some(format!("```\n{}\n```", text[start..end].trim()));
    }
    None
}
