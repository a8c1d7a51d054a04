//! Proposes the document's rows and declarations for the table. Inserting one of them causes no new error in the table.

use super::comparison::{Compared, Side};
use super::project::Project;
use std::collections::BTreeSet;
use std::ops::Range;
use tabulex_documents::compare::{Difference, Index};
use tabulex_language::model::ErrorCode;
use tabulex_language::syntax::{Item, Span};
use tabulex_language::{Severity, Source};

/// Maximum number of rows to try.
const MAX_PROPOSALS: usize = 10;

/// Returns the document's rows and declarations for some of the differences, given as indices, each after the
/// declarations that it needs. Lines that cause new errors in the table are omitted.
pub(super) fn proposals(
    project: &Project,
    compared: &Compared,
    differences: &[usize],
) -> Vec<String> {
    let indexes = [&compared.left.table, &compared.right.table].map(Index::new);
    let text = &compared.right.source.text;
    let errors_before = errors(project, compared, text);
    let adds_no_error = |at: Range<usize>, line: &str, needed: &str| {
        let closing_brace = text.rfind('}').unwrap_or(text.len());
        let rest = [&text[at.end..closing_brace], needed, &text[closing_brace..]].concat();
        let edited = format!("{}{line}\n{rest}", &text[..at.start]);
        errors(project, compared, &edited).iter().all(|error| errors_before.contains(error))
    };
    let mut lines: Vec<String> = Vec::new();
    let mut tried_rows: BTreeSet<String> = BTreeSet::new();
    for &at in differences {
        let one = &compared.comparison.differences[at];
        let Some((line, replaced)) = line(compared, &indexes, one) else { continue };
        if tried_rows.len() == MAX_PROPOSALS || !tried_rows.insert(format!("{} {line}", one.state))
        {
            continue;
        }
        let needed = needed_declarations(compared, &line);
        // A proposed row may replace the table's row or precede it.
        let is_row = one.right_row.is_some();
        let preceding = replaced.start..replaced.start;
        if adds_no_error(replaced, &line, &needed)
            || is_row && adds_no_error(preceding, &line, &needed)
        {
            lines.extend(needed.lines().map(str::to_owned));
            lines.push(if is_row { format!("{line} // {}", one.state) } else { line });
        }
    }
    lines
}

/// Returns the document's row or declaration with the table's names, and the range of the table's counterpart; `None` if
/// a side has none.
fn line(
    compared: &Compared,
    indexes: &[Index<'_>; 2],
    one: &Difference,
) -> Option<(String, Range<usize>)> {
    let Compared { left, right, .. } = compared;
    let declaration = |side: &Side, place: Span| {
        let at = place.start as usize;
        let mut ranges = side.table.items.iter().map(|item| item.span.range());
        ranges.find(|range| range.contains(&at))
    };
    let place = one.span?;
    let (written, replaced) = match (one.left_row, one.right_row) {
        (Some(row), Some(_)) => (left.text(indexes[0].row_span(row)), place.range()),
        (None, None) if one.state.is_empty() => {
            (&left.source.text[declaration(left, one.left_place?)?], declaration(right, place)?)
        }
        _ => return None,
    };
    let without_mark = |line: &str| line.split(" //@ ").next().unwrap_or(line).trim().to_owned();
    let mut line = without_mark(written);
    // The table's row has the code of an error that the document does not name.
    let code =
        right.text(place).split("error ").nth(1).and_then(|rest| rest.split([';', ' ']).next());
    line = code.map_or(line.clone(), |code| line.replace(ErrorCode::UNNAMED, code));
    for (name, _) in left.table.items.iter().filter_map(set_name) {
        let equal = indexes[1].equal_set(&indexes[0], name).filter(|_| !has_set(right, name));
        line = equal.map_or(line.clone(), |equal| replace_word(&line, name, equal));
    }
    Some((line, replaced))
}

/// Returns the name of the set of element names that an item declares, with its span.
fn set_name(item: &Item) -> Option<(&str, Span)> {
    (item.kind == "names").then_some((&item.name.value[..], item.name.span))
}

fn has_set(side: &Side, name: &str) -> bool {
    side.table.items.iter().filter_map(set_name).any(|(other, _)| other == name)
}

/// Splits a text before and after each word.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word_character = |one: char| one.is_alphanumeric() || one == '-';
    text.split_inclusive(move |one| !is_word_character(one)).flat_map(move |piece| {
        let (word, rest) =
            piece.split_at(piece.trim_end_matches(|one| !is_word_character(one)).len());
        [word, rest]
    })
}

fn replace_word(text: &str, word: &str, with: &str) -> String {
    words(text).map(|one| if one == word { with } else { one }).collect()
}

/// Returns the declarations of sets of element names that a line uses and only the document has.
fn needed_declarations(compared: &Compared, line: &str) -> String {
    let used: BTreeSet<&str> = words(line).collect();
    let sets = compared.left.table.items.iter().filter_map(set_name);
    let needed = sets.filter(|(name, _)| used.contains(name) && !has_set(&compared.right, name));
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
    let file = path.rsplit('/').next().unwrap_or(path);
    // A file of modes is checked as part of the table that includes it.
    let table_file = file.strip_suffix(".modes").map(|stem| format!("{stem}.states"));
    let table_file = table_file.unwrap_or_else(|| file.to_owned());
    let read_file =
        |name: &str| if name == file { Some(text.to_owned()) } else { project.read_table(name) };
    let Some(table_text) = read_file(&table_file) else { return Vec::new() };
    let loaded = tabulex_language::load(&Source::new(table_file, table_text), &read_file);
    let errors = loaded.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    errors.map(|one| format!("{}: {}", one.check, one.message)).collect()
}
