//! Proposes rows of the document for the table. Inserting one of them causes no new error in the table.

use super::comparison::Compared;
use super::project::Project;
use std::collections::BTreeSet;
use tabulex_documents::compare::Index;
use tabulex_language::syntax::{Item, Span};
use tabulex_language::{Severity, Source};

/// Maximum number of rows to try.
const MAX_PROPOSALS: usize = 10;

/// Returns the document's rows for undeclared differences, each after the declarations that it needs. Rows that cause
/// new errors in the table are omitted.
pub(super) fn proposals(project: &Project, compared: &Compared) -> Vec<String> {
    let index = Index::new(&compared.left.table);
    let errors_before = errors(project, compared, &compared.right.source.text);
    let mut rows: Vec<String> = Vec::new();
    let mut tried_rows: BTreeSet<String> = BTreeSet::new();
    for one in compared.comparison.undeclared().filter(|one| !one.state.is_empty()) {
        let (Some(row), Some(place)) = (one.left_row, one.span) else { continue };
        let row = span_text(&compared.left.source.text, index.row_span(row));
        let row = row.split(" //@ ").next().unwrap_or(&row).trim().to_owned();
        if tried_rows.len() == MAX_PROPOSALS || !tried_rows.insert(format!("{} {row}", one.state)) {
            continue;
        }
        let table_row = span_text(&compared.right.source.text, place);
        // An error without a name in the document is `unnamed` in its row; the table's row has the code.
        let code = table_row.split("error ").nth(1).and_then(|rest| rest.split([';', ' ']).next());
        let row = code.map_or(row.clone(), |code| row.replace("unnamed", code));
        let needed = needed_declarations(compared, &row);
        let text = &compared.right.source.text;
        let (begin, end) = (place.start as usize, place.end as usize);
        let adds_no_error = |begin: usize, end: usize| {
            let closing_brace = text.rfind('}').unwrap_or(text.len());
            let pieces = [
                &text[..begin],
                &row,
                "\n",
                &text[end..closing_brace],
                &needed,
                &text[closing_brace..],
            ];
            errors(project, compared, &pieces.concat())
                .iter()
                .all(|error| errors_before.contains(error))
        };
        // The proposed row may replace the table's row or precede it.
        if one.right_row.is_some() && (adds_no_error(begin, end) || adds_no_error(begin, begin)) {
            rows.extend(needed.lines().map(str::to_owned));
            rows.push(format!("{row} // {}", one.state));
        }
    }
    rows
}

fn span_text(text: &str, span: Span) -> String {
    text.get(span.start as usize..span.end as usize).unwrap_or_default().to_owned()
}

/// Returns the declarations of sets of element names that a row uses and only the document has.
fn needed_declarations(compared: &Compared, row: &str) -> String {
    let name_of = |item: &Item| match item {
        Item::Names(set) => Some((set.name.value.clone(), set.name.span)),
        _ => None,
    };
    let is_in_table = |name: &str| {
        let mut items = compared.right.table.items.iter().filter_map(name_of);
        items.any(|(other, _)| other == name)
    };
    let is_word_character = |one: char| one.is_alphanumeric() || one == '-';
    let words: BTreeSet<&str> = row.split(|one| !is_word_character(one)).collect();
    let sets = compared.left.table.items.iter().filter_map(name_of);
    let needed = sets.filter(|(name, _)| words.contains(&name[..]) && !is_in_table(name));
    let lines = needed.map(|(_, span)| {
        let text = &compared.left.source.text;
        let begin = text[..span.start as usize].rfind('\n').map_or(0, |offset| offset + 1);
        let line = text[begin..].lines().next().unwrap_or_default();
        format!("{}\n", line.split(" //@ ").next().unwrap_or(line).trim())
    });
    lines.collect()
}

/// Returns the errors that the table would have with this text.
fn errors(project: &Project, compared: &Compared, text: &str) -> Vec<String> {
    let path = &compared.right.source.path;
    let file = path.rsplit('/').next().unwrap_or(path).to_owned();
    let table_file = including_table(&file);
    let read_file =
        |name: &str| if name == file { Some(text.to_owned()) } else { project.read_table(name) };
    let Some(table_text) = read_file(&table_file) else { return Vec::new() };
    let loaded = tabulex_language::load(&Source::new(table_file, table_text), &read_file);
    let errors = loaded.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    errors.map(|one| format!("{}: {}", one.check, one.message)).collect()
}

/// Returns the file name of the table that includes a file of modes. Other file names are returned unchanged.
fn including_table(file: &str) -> String {
    file.strip_suffix(".modes").map_or_else(|| file.to_owned(), |stem| format!("{stem}.states"))
}
