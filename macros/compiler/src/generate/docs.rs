//! Documentation of the generated items. That of a state or mode has its section, its doc comment, and its rows as
//! written in the table.

use tabulex_language::model::tree::Mode;
use tabulex_language::model::{Machine, Section, State};

/// Returns the documentation of the machine: its table, document, and documented classes of characters.
pub(super) fn machine_doc(machine: &Machine) -> String {
    let document = match &machine.address {
        Some(address) => format!("[{}]({address})", machine.document),
        None => machine.document.clone(),
    };
    let mut doc = format!("The machine of the table `{}`: {document}.", machine.name);
    for class in machine.classes.iter().filter(|class| !class.doc.is_empty()) {
        // Continuation lines are indented, so that they belong to the list item.
        let class_doc = class.doc.replace('\n', "\n  ");
        doc += &format!("\n\n- class `{}`: {class_doc}", class.name);
    }
    doc
}

/// Returns the documentation of a state.
pub(super) fn state_doc(machine: &Machine, state: &State) -> String {
    let procedure = state.procedure.map(|procedure| &machine.procedures[usize::from(procedure.0)]);
    let section = state.section.as_ref();
    let section = section.or_else(|| procedure.and_then(|procedure| procedure.section.as_ref()));
    let rows = state.rows.iter().map(|row| (&row.text[..], &row.doc[..]));
    item_doc(machine, (&state.name, section, &state.doc), rows)
}

/// Returns the documentation of a mode.
pub(super) fn mode_doc(machine: &Machine, mode: &Mode) -> String {
    let rows = mode.rows.iter().map(|row| (&row.text[..], &row.doc[..]));
    item_doc(machine, (&mode.name, mode.section.as_ref(), &mode.doc), rows)
}

fn item_doc<'r>(
    machine: &Machine,
    (name, section, doc): (&str, Option<&Section>, &str),
    rows: impl Iterator<Item = (&'r str, &'r str)>,
) -> String {
    let mut comment = format!("`{name}`{}.\n", section_text(machine, section));
    if !doc.is_empty() {
        comment += &format!("\n{doc}\n");
    }
    comment += "\n```text\n";
    for (text, doc) in rows {
        doc.lines().for_each(|line| comment += &format!("// {line}\n"));
        for (index, line) in text.lines().enumerate() {
            let indent = if index == 0 { "" } else { "    " };
            comment += &format!("{indent}{}\n", line.trim());
        }
    }
    comment + "```"
}

/// Formats a section of the document, as a link if its address is known.
fn section_text(machine: &Machine, section: Option<&Section>) -> String {
    let Some(section) = section else { return String::new() };
    match machine.link(section) {
        Some(link) => format!(", [section {}]({link})", section.number),
        None => format!(", section {}", section.number),
    }
}
