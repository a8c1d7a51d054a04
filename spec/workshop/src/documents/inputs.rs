//! Finds the shortest input that shows each difference, by the search of `impact`. A document is run as the machine of
//! its facts, and modes within the table that uses them.

use super::Project;
use crate::cases;
use crate::impact::{diff_lines, shortest};
use crate::trial::AnyRow;
use std::time::{Duration, Instant};
use tabulex_documents::compare::{Difference, Index, RowAt};
use tabulex_language::Severity;
use tabulex_language::extend::extended;
use tabulex_language::model::tree::ModeRowId;
use tabulex_language::model::{Machine, RowId};
use tabulex_language::resolve::resolve;
use tabulex_language::syntax::{
    Item, ItemBody, ParsedModeRow, ParsedPattern, ParsedTokenPattern, Spanned, Table,
};

/// An input on which two machines differ.
#[derive(Clone, Debug)]
pub(super) struct Witness {
    /// Text of the input.
    pub(super) input: String,
    /// Description of the run's initial state and options; empty if these are the default.
    pub(super) start: String,
    /// Line diff of the results of both machines.
    pub(super) gives: Vec<String>,
}

/// Searches for the shortest input that shows each wanted difference of two tables of a dialect, given with their texts,
/// for at most `time`, without running the rows of the other differences. Returns, for each difference, the input if one
/// was found; none if a table has errors or no states.
pub(super) fn inputs(
    project: &Project,
    dialect: &str,
    tables: [(&str, &Table); 2],
    indexes: [&Index<'_>; 2],
    differences: &[Difference],
    is_wanted: &dyn Fn(&Difference) -> bool,
    time: Duration,
) -> Vec<Option<Witness>> {
    let mut witnesses = vec![None; differences.len()];
    let machine = |(text, table)| {
        let machine = machine(project, dialect, text, table);
        machine.filter(|machine| !machine.states.is_empty())
    };
    let [Some(left), Some(right)] = tables.map(machine) else { return witnesses };
    let machines = [&with_preprocessing_of(left, &right), &right];
    let row_id = |side: usize, row: Option<RowAt>| {
        let (name, is_mode, at) = indexes[side].row(row?)?;
        row_of(machines[side], name, is_mode, at)
    };
    let rows =
        |difference: &Difference| [row_id(0, difference.left_row), row_id(1, difference.right_row)];
    let (mut pairs, mut excluded, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for (index, one) in differences.iter().enumerate() {
        if !is_wanted(one) {
            excluded.push(rows(one));
        } else if rows(one) != [None, None] {
            pairs.push(rows(one));
            indices.push(index);
        }
    }
    if pairs.is_empty() {
        return witnesses;
    }
    let folder = project.home.cases.as_ref();
    let known_cases =
        folder.map_or_else(Vec::new, |folder| cases::read_folder(folder, machines[1]));
    let until = Instant::now() + time;
    let inputs = shortest(machines, &pairs, &excluded, &known_cases, until);
    for (index, shown) in indices.into_iter().zip(inputs) {
        witnesses[index] = shown.map(|shown| {
            let text = shown.input.text.clone();
            let [one, other] = shown.results.each_ref().map(|result| result.words(&text));
            let start = shown.input.describe_start(machines[1]);
            Witness { input: text, start, gives: diff_lines(&one, &other) }
        });
    }
    witnesses
}

fn row_of(machine: &Machine, name: &str, is_mode: bool, index: usize) -> Option<AnyRow> {
    if !is_mode {
        return Some(AnyRow::State(RowId { state: machine.find_state(name)?, row: index as u16 }));
    }
    let mode = machine.construction.as_ref()?.find_mode(name)?;
    Some(AnyRow::Mode(ModeRowId { mode, row: index as u16 }))
}

/// Builds the machine that a table of a dialect describes; `None` if the table has errors. Modes are embedded in the
/// dialect's table of states.
fn machine(project: &Project, dialect: &str, text: &str, table: &Table) -> Option<Machine> {
    match project.profile(dialect).ok().and_then(|profile| profile.table) {
        Some(file) => machine_with_modes(project, &file, text),
        None => resolve(table, &|name| project.read_table(name)).0,
    }
}

/// Returns the machine of a document with the table's preprocessing where the document has none, since some documents
/// specify it elsewhere.
fn with_preprocessing_of(mut document: Machine, table: &Machine) -> Machine {
    document.newlines_normalized |= table.newlines_normalized;
    document.nulls_replaced |= table.nulls_replaced;
    if document.input_errors.is_empty() {
        // The two machines number their codes differently.
        let first = document.errors.len();
        document.errors.extend(table.errors.iter().cloned());
        document.input_errors.clone_from(&table.input_errors);
        document.input_errors.iter_mut().for_each(|one| one.error.0 += first as u16);
    }
    document
}

/// Builds the machine of the table that includes the file of modes `modes_file`, with the modes in `text` instead; `None`
/// if that fails. A mode without an `else` row ignores the tokens that it has no row for.
fn machine_with_modes(project: &Project, modes_file: &str, text: &str) -> Option<Machine> {
    let table_file = format!("{}.states", modes_file.strip_suffix(".modes")?);
    let of_table = selected_declarations(&project.read_table(modes_file)?, &must_come_from_table)?;
    let of_document = selected_declarations(text, &may_come_from_document)?;
    let modes = format!("machine! {{\n{of_document}\n{of_table}\n}}\n");
    let read_file = |name: &str| match name == modes_file {
        true => Some(modes.clone()),
        false => project.read_table(name),
    };
    let table = tabulex_language::parse::file(&read_file(&table_file)?).0?;
    let extended = extended(table, &read_file);
    let has_errors = extended.diagnostics.iter().any(|one| one.severity == Severity::Error);
    resolve(&extended.table, &read_file).0.filter(|_| !has_errors)
}

/// Returns the text of the wanted declarations. Each mode without an unconditional `else` row gets one that ignores the
/// token. `None` if the text cannot be parsed.
fn selected_declarations(text: &str, is_wanted: &dyn Fn(&Item) -> bool) -> Option<String> {
    let table = tabulex_language::parse::file(text).0?;
    let is_else = |pattern: &Spanned<ParsedTokenPattern>| {
        let ParsedTokenPattern { kind, pattern } = &pattern.value;
        kind.is_none() && *pattern == Some(ParsedPattern::Name("else".to_owned()))
    };
    let is_else_row = |row: &ParsedModeRow| row.guard.is_none() && row.patterns.iter().any(is_else);
    let mut selected = String::new();
    for item in &table.items {
        let written = &text[item.span.range()];
        match &item.body {
            _ if !is_wanted(item) => continue,
            ItemBody::Mode(rows) if !rows.iter().any(is_else_row) => {
                selected += written.strip_suffix('}')?;
                selected += "else => ignore; }";
            }
            _ => selected += written,
        }
        selected.push('\n');
    }
    Some(selected)
}

/// Whether a document's machine can take the declaration from the document, as it does for all but algorithms,
/// `selected-content` and `unacknowledged`.
fn may_come_from_document(item: &Item) -> bool {
    !must_come_from_table(item) || matches!(item.body, ItemBody::Errors(_))
}

/// Whether a document's machine takes the declaration from the table, as it does for errors, algorithms,
/// `selected-content` and `unacknowledged`.
fn must_come_from_table(item: &Item) -> bool {
    matches!(item.body, ItemBody::Errors(_))
        || ["algorithm", "selected-content", "unacknowledged"].contains(&&item.kind[..])
}
