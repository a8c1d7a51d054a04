//! Tests that the comparison reports every single edit of tables and of documents.
//!
//! usage: cargo xtask campaign mutants [NAME...] [--documents FOLDER] [--sample N] [--seed N]
//!
//!   NAME                 a dialect with its states and modes, or a file of one; all if there is none
//!   --documents FOLDER   edits the documents in the folder instead of the tables
//!   --sample N           number of edits of each file (0, which means all)
//!   --seed N             selects the sample (1)
//!
//! An edit counts only if the edited text is a table. tests/mutants.json lists edits that are not reported, each with
//! the reason. Exits with status 1 if an edit is neither reported nor listed, or if a listed one is reported.
//!
//! example: cargo xtask campaign mutants html-2013 --sample 100

mod documents;
mod edited;
pub(super) mod edits;
pub(super) mod runner;

use crate::documents::project;
use crate::{Failure, Outcome, step};
use documents::Markup;
use edited::{EditedFile, read_table};
use edits::Edit;
use runner::{EditOptions, EditOutcome, try_edits};
use std::ffi::OsString;
use std::path::Path;
use tabulex_documents::compare::accepted::{changed_entries, reports};
use tabulex_documents::compare::{Comparison, FileReader, Index, compare, lists};
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::wording::HashedSentence;
use tabulex_documents::document::{Form, Profile, read};
use tabulex_language::syntax::Table;
use tabulex_workshop::documents::{empty_table, parts};

/// Name of the detector that compares the meanings of rows and declarations.
const MEANING: &str = "meaning";
/// Name of the detector that compares only hashes of sentences and markup.
const HASHES: &str = "hashes alone";

/// Tries the edits of the named tables, lists or documents, or of all.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let options = EditOptions::parse(arguments)?;
    let mut is_clean = true;
    for dialect in parts(&project(), &options.names)? {
        is_clean &= match &options.documents {
            None if project().lists()?.contains(&dialect) => edit_list(&dialect, &options)?,
            None => edit_table(&dialect, &options)?,
            Some(folder) if has_document(&dialect)? => edit_document(&dialect, folder, &options)?,
            Some(_) => {
                step::say(&format!("{dialect}: skipped, because it has no document\n"));
                true
            }
        };
    }
    Ok(is_clean)
}

/// Whether `spec/documents` has the facts of a document of the dialect.
fn has_document(dialect: &str) -> Result<bool, Failure> {
    Ok(project().dialects(".facts")?.iter().any(|name| name == dialect))
}

/// A document, with the table that it is compared with.
struct DocumentSubject<'s> {
    text: &'s str,
    profile: &'s Profile,
    facts: Facts,
    table_index: Index<'s>,
    accepted: &'s str,
}

impl DocumentSubject<'_> {
    /// Whether facts are incomplete or stale, or their comparison with the table reports any difference.
    fn reports(&self, facts: &Facts) -> bool {
        let (left, right) = (Index::new(&facts.table), &self.table_index);
        !facts.unread.is_empty()
            || !facts.stale_errata.is_empty()
            || reports(&left, right, &compare(&left, right), self.accepted, &read_table)
    }

    /// Returns, for each section that is read, its first and last line with a sentence.
    fn line_ranges(&self) -> Vec<(usize, usize)> {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        let mut last_place = "";
        for HashedSentence { place, line, hash: _ } in &self.facts.wording {
            let begins_section =
                place != last_place && self.profile.headings().contains(&&place[..]);
            match ranges.last_mut().filter(|_| !begins_section) {
                Some((_, end)) => *end = *line,
                None => ranges.push((*line, *line)),
            }
            last_place = place;
        }
        ranges
    }

    /// Reads the edited document, and returns which detector notices the edit, if any.
    fn outcome(&self, edit: &Edit) -> EditOutcome {
        let Ok(facts) = read_facts(&edit.apply(self.text), self.profile) else {
            return EditOutcome::noticed_if(true, MEANING);
        };
        if self.reports(&facts) {
            return EditOutcome::noticed_if(true, MEANING);
        }
        let hashes = |facts: &Facts| {
            let sentences_and_layout = facts.wording.iter().chain(&facts.layout);
            sentences_and_layout.map(|one| one.hash).collect::<Vec<_>>()
        };
        EditOutcome::noticed_if(hashes(&facts) != hashes(&self.facts), HASHES)
    }
}

fn read_facts(text: &str, profile: &Profile) -> Result<Facts, Failure> {
    facts::parse(&facts::write(&read(text, profile)))
}

/// Tries the edits of a dialect's document. The edited document's facts are compared with the table, and its sentences
/// with those of the original.
fn edit_document(dialect: &str, folder: &Path, options: &EditOptions) -> Outcome {
    let (profile, side) = (project().profile(dialect)?, project().machine(dialect)?);
    let path = folder.join(&profile.file);
    let Ok(text) = std::fs::read_to_string(&path) else {
        let (file, title) = (&profile.file, &profile.title);
        step::say(&format!(
            "{file}: skipped; to test it, save the document “{title}” with this name\n"
        ));
        return Ok(true);
    };
    let markup = if profile.form == Form::Html { Markup::Html } else { Markup::Lines };
    let accepted = project().accepted(dialect);
    let (facts, table_index) = (read_facts(&text, &profile)?, Index::new(&side.table));
    let subject =
        DocumentSubject { text: &text, profile: &profile, facts, table_index, accepted: &accepted };
    if subject.reports(&subject.facts) {
        return Err(format!("`{}` differs from its table before any edit", profile.file));
    }
    let ranges = subject.line_ranges().into_iter();
    let edits: Vec<Edit> =
        ranges.flat_map(|lines| documents::edits(&text, lines, markup)).collect();
    try_edits((&profile.file, &text), &edits, options, |edit| subject.outcome(edit))
}

fn edit_table(dialect: &str, options: &EditOptions) -> Outcome {
    let has_document = has_document(dialect)?;
    let facts = match has_document {
        true => project().facts(dialect)?.table,
        false => empty_table(dialect)?,
    };
    let side = project().machine(dialect)?;
    let accepted = project().accepted(dialect);
    let file = side.source.path.rsplit('/').next().unwrap_or_default().to_owned();
    let edits = edits::edits(&side.source.text, &side.table);
    let left = Index::new(&facts);
    let is_reported = |table: &Table, read_file: FileReader<'_>| {
        let right = Index::new(table);
        let comparison = match has_document {
            true => compare(&left, &right),
            false => Comparison::default(),
        };
        reports(&left, &right, &comparison, &accepted, read_file)
    };
    let edited_file = EditedFile::new(&file)?;
    let declarations = Declarations { text: &side.source.text, table: &side.table };
    let outcome = |edit: &Edit| match declarations.with_edit(edit) {
        None => EditOutcome::Invalid,
        Some(table) if is_reported(&table, &read_table) => EditOutcome::noticed_if(true, MEANING),
        Some(_) => {
            let commutes = edits::commutes(edit, &side.source.text);
            outcome_of_unreported(&edited_file, &edit.apply(&side.source.text), commutes)
        }
    };
    let mut is_clean = try_edits((&file, &side.source.text), &edits, options, outcome)?;
    for list in references(&side.source.text) {
        let text = read_table(&list).ok_or_else(|| format!("cannot read `spec/tables/{list}`"))?;
        let edits = edits::edits_of_references(&text);
        let outcome = |edit: &Edit| {
            let changed = edit.apply(&text);
            if tabulex_language::references::read(&changed).is_err() {
                return EditOutcome::Invalid;
            }
            let read_file = |name: &str| {
                if name == list { Some(changed.clone()) } else { read_table(name) }
            };
            EditOutcome::noticed_if(is_reported(&side.table, &read_file), MEANING)
        };
        is_clean &= try_edits((&list, &text), &edits, options, outcome)?;
    }
    Ok(is_clean)
}

/// Tries the edits of a list such as `html.text`. The entries of the edited list are compared with the accepted ones.
fn edit_list(name: &str, options: &EditOptions) -> Outcome {
    let text = read_table(name).ok_or_else(|| format!("cannot read `spec/tables/{name}`"))?;
    let accepted = project().accepted(name);
    let edits = edits::edits_of_list(&text);
    let outcome = |edit: &Edit| match lists::entries(&edit.apply(&text)) {
        Err(_) => EditOutcome::Invalid,
        Ok(entries) => {
            let is_reported = !changed_entries(&accepted, &entries).is_empty();
            EditOutcome::noticed_if(is_reported, MEANING)
        }
    };
    try_edits((name, &text), &edits, options, outcome)
}

/// Returns the names of the lists of references that a table declares.
fn references(text: &str) -> Vec<String> {
    let quoted_names = text.lines().filter_map(|line| line.trim().strip_prefix("references \""));
    quoted_names.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

/// A table divided into declarations, so that only the edited ones are parsed again.
struct Declarations<'t> {
    text: &'t str,
    table: &'t Table,
}

impl Declarations<'_> {
    /// Returns the edited table, or `None` if it cannot be parsed. An edit may span two declarations.
    fn with_edit(&self, edit: &Edit) -> Option<Table> {
        let items = &self.table.items;
        let last = items.partition_point(|item| item.span.range().end < edit.range.1);
        let first = items.partition_point(|item| item.span.range().end <= edit.range.0).min(last);
        let begin = items.get(first)?.span.range().start;
        let end = items.get(last)?.span.range().end;
        let pieces = [&self.text[begin..edit.range.0], &edit.with, &self.text[edit.range.1..end]];
        let changed = format!("machine! {{ {} }}", pieces.concat());
        let new_items = tabulex_language::parse::file(&changed).0?.items;
        let parts = [&items[..first], &new_items, &items[last + 1..]];
        Some(Table { items: parts.concat() })
    }
}

/// Classifies as invalid, equivalent or unnoticed an edit that the comparison does not report.
fn outcome_of_unreported(file: &EditedFile, changed: &str, commutes: bool) -> EditOutcome {
    let loaded = file.load(changed);
    let Some(machine) = loaded.machine.filter(|_| loaded.diagnostics.is_empty()) else {
        return EditOutcome::Invalid;
    };
    // A file of modes has no input of its own, so its behavior cannot be compared.
    let is_equivalent = if file.is_table() { file.behaves_equally(&machine) } else { commutes };
    if is_equivalent { EditOutcome::Equivalent } else { EditOutcome::noticed_if(false, MEANING) }
}
