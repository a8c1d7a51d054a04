//! Finds the shortest input for each difference, by the search of `impact`. A document is run as the machine of its
//! facts; modes are run within the table that uses them.

use super::mutants::declarations;
use crate::{documents, root};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tabulex_documents::compare::{Difference, Index, RowAt};
use tabulex_language::Source;
use tabulex_language::model::tree::ModeRowId;
use tabulex_language::model::{Machine, RowId};
use tabulex_language::syntax::{Item, Span, Table, TreeItem};
use tabulex_workshop::cases;
use tabulex_workshop::changes::AnyRow;
use tabulex_workshop::impact::{compared, shortest};

/// An input on which two machines differ.
#[derive(Clone, Debug)]
pub(in crate::commands) struct Witness {
    pub(in crate::commands) input: String,
    /// Description of the run's start; empty for a whole document.
    pub(in crate::commands) how: String,
    /// Results of both: lines of either side after `-` and `+`, with context.
    pub(in crate::commands) gives: Vec<String>,
}

/// Searches the shortest input for each wanted difference, within the time limit.
pub(in crate::commands) fn inputs(
    machines: [&Machine; 2],
    indexes: [&Index<'_>; 2],
    differences: &[Difference],
    is_wanted: &dyn Fn(&Difference) -> bool,
    time: Duration,
) -> Vec<Option<Witness>> {
    let row = |side: usize, row: Option<RowAt>| {
        let (name, is_mode, at) = indexes[side].row(row?)?;
        row_of(machines[side], name, is_mode, at)
    };
    let mut rows = Vec::new();
    let mut numbers = Vec::new();
    for (number, one) in differences.iter().enumerate().filter(|(_, one)| is_wanted(one)) {
        let both = [row(0, one.left_row), row(1, one.right_row)];
        if both.iter().any(Option::is_some) {
            rows.push(both);
            numbers.push(number);
        }
    }
    let mut witnesses = vec![None; differences.len()];
    if rows.is_empty() {
        return witnesses;
    }
    let folder = root::home().cases;
    let known = folder.map_or_else(Vec::new, |folder| cases::of_folder(&folder, machines[1]));
    for (number, shown) in
        numbers.into_iter().zip(shortest(machines, &rows, &known, Instant::now() + time))
    {
        witnesses[number] = shown.map(|shown| {
            let text = shown.input.text.clone();
            let [one, other] = shown.results.each_ref().map(|result| result.words(&text));
            let how = shown.input.describe_start(machines[1]);
            Witness { input: text, how, gives: compared(&one, &other) }
        });
    }
    witnesses
}

fn row_of(machine: &Machine, name: &str, is_mode: bool, at: usize) -> Option<AnyRow> {
    if !is_mode {
        return Some(AnyRow::State(RowId { state: machine.find_state(name)?, row: at as u16 }));
    }
    let mode = machine.construction.as_ref()?.find_mode(name)?;
    Some(AnyRow::Mode(ModeRowId { mode, row: at as u16 }))
}

/// Returns the machine of the dialect described by this table; modes are embedded in the table that uses them.
pub(in crate::commands) fn machine(dialect: &str, text: &str, table: &Table) -> Option<Machine> {
    match documents::profile(dialect).ok().and_then(|profile| profile.table) {
        Some(file) => Surroundings::new(file)?.machine(text),
        None => tabulex_language::resolve::resolve(table, &beside).0,
    }
}

/// Returns the machine of a document with the table's preprocessing, which is declared separately.
pub(super) fn beside_document(mut document: Machine, table: &Machine) -> Machine {
    document.newlines_normalized = table.newlines_normalized;
    document.nulls_replaced = table.nulls_replaced;
    document.input_errors.clone_from(&table.input_errors);
    document
}

/// Reads a file in the folder of tables.
pub(in crate::commands) fn beside(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}

/// The table that uses a file of modes.
struct Surroundings {
    top: Source,
    /// The file of modes, and those of its declarations that documents do not have.
    file: String,
    kept: String,
}

impl Surroundings {
    fn new(file: String) -> Option<Self> {
        let top = format!("{}.states", file.strip_suffix(".modes")?);
        let kept = written(&beside(&file)?, &is_of_table, &BTreeSet::new())?;
        Some(Self { top: Source::new(top.clone(), beside(&top)?), file, kept })
    }

    /// Returns the machine with the modes that a text describes. Tokens without a row are ignored.
    fn machine(&self, text: &str) -> Option<Machine> {
        let with = |silent: &BTreeSet<String>| {
            let modes = written(text, &is_of_document, silent)?;
            let modes = format!("machine! {{\n{modes}\n{}\n}}\n", self.kept);
            let within = |name: &str| {
                if name == self.file { Some(modes.clone()) } else { beside(name) }
            };
            Some((tabulex_language::load(&self.top, &within), modes))
        };
        let (loaded, modes) = with(&BTreeSet::new())?;
        let missing = loaded.diagnostics.iter().filter(|one| one.check == "missing-else");
        let place = |span: Span| modes.get(span.start as usize..span.end as usize);
        let silent: BTreeSet<String> =
            missing.filter_map(|one| Some(place(one.span)?.to_owned())).collect();
        if silent.is_empty() { loaded.machine } else { with(&silent)?.0.machine }
    }
}

/// Returns selected declarations of a text; the modes in `silent` get a row for all other tokens.
fn written(
    text: &str,
    is_wanted: &dyn Fn(&Item) -> bool,
    silent: &BTreeSet<String>,
) -> Option<String> {
    let table = tabulex_language::parse::file(text).0?;
    let ranges = declarations(text);
    if ranges.len() != table.items.len() {
        return None;
    }
    let mut all = String::new();
    for (&(begin, end), item) in ranges.iter().zip(&table.items) {
        match item {
            _ if !is_wanted(item) => continue,
            Item::Mode(mode) if silent.contains(&mode.name.value) => {
                all += text[begin..end].strip_suffix('}')?;
                all += "else => ignore; }";
            }
            _ => all += &text[begin..end],
        }
        all.push('\n');
    }
    Some(all)
}

/// Whether a document can have the declaration, apart from algorithms.
fn is_of_document(item: &Item) -> bool {
    !is_of_table(item) || matches!(item, Item::Errors(_))
}

/// Whether the declaration is an algorithm, belongs to one, or names errors.
fn is_of_table(item: &Item) -> bool {
    matches!(
        item,
        Item::Errors(_)
            | Item::Tree(
                TreeItem::Algorithm { .. }
                    | TreeItem::SelectedContent(..)
                    | TreeItem::Unacknowledged { .. }
            )
    )
}
