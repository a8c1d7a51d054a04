//! Finds the shortest input that shows each difference, by the search of `impact`. A document is run as the machine of
//! its facts, and modes within the table that uses them.

use super::Project;
use crate::cases;
use crate::changes::AnyRow;
use crate::impact::{diff_lines, shortest};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use tabulex_documents::compare::{Difference, Index, RowAt};
use tabulex_language::Source;
use tabulex_language::model::tree::ModeRowId;
use tabulex_language::model::{Machine, RowId};
use tabulex_language::parse::lexer::code;
use tabulex_language::syntax::{Item, Span, Table, TreeItem};

/// An input on which two machines differ.
#[derive(Clone, Debug)]
pub struct Witness {
    /// The input.
    pub input: String,
    /// Description of the run's options; empty for a document from the start state.
    pub start: String,
    /// Difference of both results, in the format of a line diff.
    pub gives: Vec<String>,
}

/// Searches for the shortest input that shows each wanted difference, until the time limit. Returns the inputs by the
/// indices of the differences.
pub fn inputs(
    project: &Project,
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
    let folder = project.home.cases.as_ref();
    let known = folder.map_or_else(Vec::new, |folder| cases::read_folder(folder, machines[1]));
    for (number, shown) in
        numbers.into_iter().zip(shortest(machines, &rows, &known, Instant::now() + time))
    {
        witnesses[number] = shown.map(|shown| {
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

/// Builds the machine that a table of a dialect describes. Modes are embedded in the dialect's table of states.
pub fn machine(project: &Project, dialect: &str, text: &str, table: &Table) -> Option<Machine> {
    match project.profile(dialect).ok().and_then(|profile| profile.table) {
        Some(file) => EnclosingTable::new(project, file)?.machine(text),
        None => tabulex_language::resolve::resolve(table, &|name| project.read_table(name)).0,
    }
}

/// Returns the machine of a document with the preprocessing of the table, which documents specify in other sections.
pub(super) fn with_preprocessing_of(mut document: Machine, table: &Machine) -> Machine {
    document.newlines_normalized = table.newlines_normalized;
    document.nulls_replaced = table.nulls_replaced;
    document.input_errors.clone_from(&table.input_errors);
    document
}

/// The table that uses a file of modes, in which the modes can be replaced.
struct EnclosingTable<'p> {
    project: &'p Project,
    /// The file with the table.
    top: Source,
    /// Name of the file of modes.
    file: String,
    /// Text of the declarations in the file of modes that documents do not have.
    own_declarations: String,
}

impl<'p> EnclosingTable<'p> {
    fn new(project: &'p Project, file: String) -> Option<Self> {
        let top = format!("{}.states", file.strip_suffix(".modes")?);
        let own_declarations = selected_declarations(
            &project.read_table(&file)?,
            &must_come_from_table,
            &BTreeSet::new(),
        )?;
        let top = Source::new(top.clone(), project.read_table(&top)?);
        Some(Self { project, top, file, own_declarations })
    }

    /// Builds the machine with the modes in a text. If a mode lacks rows for some tokens, these are ignored.
    fn machine(&self, text: &str) -> Option<Machine> {
        let load = |without_else: &BTreeSet<String>| {
            let modes = selected_declarations(text, &may_come_from_document, without_else)?;
            let modes = format!("machine! {{\n{modes}\n{}\n}}\n", self.own_declarations);
            let within = |name: &str| {
                if name == self.file { Some(modes.clone()) } else { self.project.read_table(name) }
            };
            Some((tabulex_language::load(&self.top, &within), modes))
        };
        let (loaded, modes) = load(&BTreeSet::new())?;
        let missing = loaded.diagnostics.iter().filter(|one| one.check == "missing-else");
        let place = |span: Span| modes.get(span.start as usize..span.end as usize);
        let without_else: BTreeSet<String> =
            missing.filter_map(|one| Some(place(one.span)?.to_owned())).collect();
        if without_else.is_empty() { loaded.machine } else { load(&without_else)?.0.machine }
    }
}

/// Returns the text of the wanted declarations. The modes named in `without_else` get a row that ignores all other
/// tokens.
fn selected_declarations(
    text: &str,
    is_wanted: &dyn Fn(&Item) -> bool,
    without_else: &BTreeSet<String>,
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
            Item::Mode(mode) if without_else.contains(&mode.name.value) => {
                all += text[begin..end].strip_suffix('}')?;
                all += "else => ignore; }";
            }
            _ => all += &text[begin..end],
        }
        all.push('\n');
    }
    Some(all)
}

/// Whether the machine of a document has this declaration from the document: all but algorithms and what belongs to
/// them.
fn may_come_from_document(item: &Item) -> bool {
    !must_come_from_table(item) || matches!(item, Item::Errors(_))
}

/// Whether the machine of a document has this declaration from the table: algorithms, what belongs to them, and errors.
fn must_come_from_table(item: &Item) -> bool {
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

/// Returns the byte range of each declaration of a table.
pub fn declarations(text: &str) -> Vec<(usize, usize)> {
    let all = code(text);
    let begin = all.iter().position(|token| token.is("{")).map_or(0, |index| index + 1);
    let (mut found, mut first, mut depth) = (Vec::new(), begin, 0i32);
    for (at, token) in all.iter().enumerate().skip(begin) {
        depth += i32::from(token.is("{")) - i32::from(token.is("}"));
        if depth < 0 {
            break;
        }
        // A block ends its declaration, except in a lexeme, in which braces enclose captures.
        let ends = token.is(";") || token.is("}") && !all[first].is("lexeme");
        if depth == 0 && ends {
            found.push((all[first].start, token.start + token.text.len()));
            first = at + 1;
        }
    }
    found
}
