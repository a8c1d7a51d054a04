//! Compares dated texts of a standard, each with the one before.
//!
//! usage: cargo xtask diff --history DIALECT [FILE...] [--all] [--inputs]
//!
//!   FILE      texts, oldest first; without any, those that spec/documents/DIALECT.history lists with their dates, as far
//!             as they are present in ../shared/documents
//!   --all     also lists sentences that were reworded without a change of facts
//!   --inputs  searches, for each change, for the shortest input on which the machines of both texts differ
//!
//! A change is a row, a declaration or an algorithm that differs in the later text; rows with an unread sentence are
//! not compared. Each change is listed with its line in both texts. A text is read by the profile that names its file,
//! else by that of DIALECT. States and modes are compared separately.
//!
//! Exits with status 0 if all sentences of all texts are read, 1 if one is unread, so that a change may be missing, or
//! 2 if the command cannot be run.
//!
//! example: cargo xtask diff --history html

mod report;

use crate::{Failure, Outcome, documents, files, root, step};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tabulex_documents::compare::{Difference, Index, compare};
use tabulex_documents::document;
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::wording::{self, HashedSentence};
use tabulex_language::model::Machine;
use tabulex_workshop::arguments::Arguments;
use tabulex_workshop::documents::{Witness, inputs, machine};

/// Time limit of the search for inputs on which two versions of the document differ.
const SEARCH_LIMIT: Duration = Duration::from_secs(60);

/// A dated text with its facts.
struct DatedText {
    /// Date of the text, or the name of its file if that is not listed with a date.
    date: String,
    facts: Facts,
}

/// The differences between two texts.
struct TextDifferences<'t> {
    dialect: &'t str,
    texts: [&'t DatedText; 2],
    changes: Vec<Change>,
    /// Number of differences that are excluded because a sentence of the row is unread.
    not_compared: usize,
    /// New and reworded sentences of the later text that belong to no change.
    reworded: Vec<&'t HashedSentence>,
}

/// A change between two texts.
struct Change {
    difference: Difference,
    /// Line of the change in each text, if the text has the row or declaration.
    lines: [Option<usize>; 2],
    /// The shortest input that reveals the change, if one was searched for and found.
    witness: Option<Witness>,
}

/// Runs `cargo xtask diff --history`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let arguments = Arguments::parse(arguments, &["all", "inputs"], usize::MAX)?;
    let [dialect, files @ ..] = &arguments.values[..] else {
        return Err("a dialect is missing; see `cargo xtask diff --history --help`".to_owned());
    };
    let listed = listed_texts(dialect)?;
    let files = match files {
        [] => present_texts(&listed),
        files => files.iter().map(PathBuf::from).collect(),
    };
    if files.len() < 2 {
        return Err(
            "at least two texts are needed; see `cargo xtask diff --history --help`".to_owned()
        );
    }
    let mut is_read = true;
    for dialect in [dialect.clone(), format!("{dialect}-modes")] {
        if documents::project().profile(&dialect).is_err() {
            continue;
        }
        let mut texts = Vec::new();
        for file in &files {
            texts.extend(read_text(file, &dialect, &listed)?);
        }
        for (before, after) in texts.iter().zip(texts.iter().skip(1)) {
            let between = differences_between(&dialect, [before, after], arguments.has("inputs"));
            step::say(&report::text(&between, arguments.has("all")));
        }
        is_read &= texts.iter().all(|text| text.facts.unread.is_empty());
    }
    Ok(is_read)
}

/// The date of a text, and the name of its file.
type ListedText = (String, String);

/// Reads the list of a dialect's texts, oldest first: lines `DATE FILE`. A missing list is empty.
fn listed_texts(dialect: &str) -> Result<Vec<ListedText>, Failure> {
    let path = root::root().join(format!("spec/documents/{dialect}.history"));
    let list = std::fs::read_to_string(path).unwrap_or_default();
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with("//"));
    let text = |line: &str| {
        let text = line.split_once(' ').map(|(date, file)| (date.to_owned(), file.to_owned()));
        text.ok_or_else(|| format!("invalid line in a history: `{line}`; expected `DATE FILE`"))
    };
    lines.map(text).collect()
}

/// Returns the paths of the texts in the list that are present, and prints a notice for each missing text.
fn present_texts(listed: &[ListedText]) -> Vec<PathBuf> {
    let folder = documents::project().texts;
    let mut files = Vec::new();
    for (date, file) in listed {
        let path = folder.join(file);
        match path.exists() {
            true => files.push(path),
            false => step::say(&format!(
                "{file}: skipped; to compare it, save the text of {date} with this name in {}\n",
                folder.display()
            )),
        }
    }
    files
}

/// Reads a text. Returns `None` if the text has no states or modes of the dialect.
fn read_text(
    file: &Path,
    dialect: &str,
    listed: &[ListedText],
) -> Result<Option<DatedText>, Failure> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let project = documents::project();
    let is_of_file =
        |other: &String| project.profile(other).is_ok_and(|profile| profile.file == name);
    let dialects_of_file: Vec<String> =
        project.dialects(".profile")?.into_iter().filter(is_of_file).collect();
    let is_modes = |dialect: &str| dialect.ends_with("-modes");
    let dialect_of_profile =
        dialects_of_file.iter().find(|other| is_modes(other) == is_modes(dialect));
    if dialect_of_profile.is_none() && !dialects_of_file.is_empty() {
        return Ok(None);
    }
    let profile = project.profile(dialect_of_profile.map_or(dialect, |name| name))?;
    let text = files::read(file)?;
    let mut reading = document::read(&text, &profile);
    // If the profile was written for another text, some of its errata might not match this text, so all of them count
    // as applied.
    if dialect_of_profile.is_none() {
        reading.applied = (0..profile.errata.len()).collect();
    }
    let facts = facts::parse(&facts::write(&reading, &profile))?;
    if reading.states.is_empty() && reading.modes.is_empty() {
        return Ok(None);
    }
    let listed = listed.iter().find(|(_, file)| *file == name);
    let date = listed.map_or(name, |(date, _)| date.clone());
    Ok(Some(DatedText { date, facts }))
}

/// Compares two texts of a dialect, the earlier one first.
fn differences_between<'t>(
    dialect: &'t str,
    texts: [&'t DatedText; 2],
    searches_inputs: bool,
) -> TextDifferences<'t> {
    let [before, after] = texts;
    let (left, right) = (Index::new(&before.facts.table), Index::new(&after.facts.table));
    let mut comparison = compare(&left, &right);
    // If the row contains an unread sentence in either text, it is not known whether the row changed.
    let is_unread = |difference: &Difference| {
        // `Facts::is_unread` examines the left row, so the sides are swapped for the later text.
        let swapped = Difference { left_row: difference.right_row, ..difference.clone() };
        before.facts.is_unread(&left, difference) || after.facts.is_unread(&right, &swapped)
    };
    comparison.exclude_unread(&is_unread);
    let differences: Vec<Difference> = comparison.differences;
    let mut witnesses = vec![None; differences.len()];
    if searches_inputs && let Some(machines) = machines(dialect, texts) {
        let machines = machines.each_ref();
        witnesses = inputs(
            &documents::project(),
            machines,
            [&left, &right],
            &differences,
            &|_| true,
            SEARCH_LIMIT,
        );
    }
    let mut reported: BTreeSet<u32> = BTreeSet::new();
    let mut changes = Vec::new();
    for (difference, witness) in differences.into_iter().zip(witnesses) {
        let old_place = difference.left_place.filter(|_| difference.left.is_some());
        let new_place = difference.span.filter(|_| difference.right.is_some());
        reported.extend(new_place.into_iter().flat_map(|span| after.facts.sentences(span)));
        let lines = [
            old_place.and_then(|span| before.facts.document_line(span)),
            new_place.and_then(|span| after.facts.document_line(span)),
        ];
        changes.push(Change { difference, lines, witness });
    }
    let (_, new_sentences) = wording::difference(&before.facts.wording, &after.facts.wording);
    let reworded = new_sentences.into_iter().filter(|one| !reported.contains(&one.hash)).collect();
    let not_compared = comparison.not_compared.len();
    TextDifferences { dialect, changes, not_compared, reworded, texts }
}

/// Returns the machines of both texts, or `None` if one of the texts does not describe a machine with states.
fn machines(dialect: &str, texts: [&DatedText; 2]) -> Option<[Machine; 2]> {
    let table = documents::project().machine(dialect).ok()?.table;
    let machine = |text: &DatedText| {
        machine(&documents::project(), dialect, &text.facts.text, &text.facts.completed(&table))
            .filter(|machine| !machine.states.is_empty())
    };
    Some([machine(texts[0])?, machine(texts[1])?])
}
