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

use crate::{Failure, Outcome, documents, files, root, step};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tabulex_documents::document;
use tabulex_documents::document::facts;
use tabulex_workshop::arguments::Arguments;
use tabulex_workshop::documents::{Side, changes};

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
        let options = (arguments.has("all"), arguments.has("inputs"));
        for (before, after) in texts.iter().zip(texts.iter().skip(1)) {
            step::say(&changes(&documents::project(), &dialect, [before, after], options));
        }
        is_read &= texts.iter().all(Side::is_read);
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
fn read_text(file: &Path, dialect: &str, listed: &[ListedText]) -> Result<Option<Side>, Failure> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let project = documents::project();
    let dialects_of_file = project.dialects_of(file)?;
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
    let facts = facts::parse(&facts::write(&reading))?;
    if reading.states.is_empty() && reading.modes.is_empty() {
        return Ok(None);
    }
    let listed = listed.iter().find(|(_, file)| *file == name);
    let date = listed.map_or(name, |(date, _)| date.clone());
    Ok(Some(Side::of_text(date, facts)))
}
