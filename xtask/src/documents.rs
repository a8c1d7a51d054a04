//! Documents of the dialects: their profiles and facts in spec/documents, and the documents themselves where somebody has
//! them. It reads and writes files and compares nothing. Invariant: no sentence of a document is written anywhere.

use crate::{Failure, root};
use std::fs;
use std::path::{Path, PathBuf};
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::{Profile, Reading, names, read};

/// The folder of profiles and facts.
fn folder() -> PathBuf {
    root::root().join("spec/documents")
}

/// The ids of the dialects whose documents have files that end so, sorted.
pub(crate) fn dialects(ending: &str) -> Result<Vec<String>, Failure> {
    let entries =
        fs::read_dir(folder()).map_err(|error| format!("cannot read spec/documents: {error}"))?;
    let names =
        entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let mut ids: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(ending)?.to_owned())).collect();
    ids.sort();
    Ok(ids)
}

/// The profile of a dialect.
pub(crate) fn profile(dialect: &str) -> Result<Profile, Failure> {
    let path = folder().join(format!("{dialect}.profile"));
    let text = fs::read_to_string(&path)
        .map_err(|error| format!("no document is known of {dialect}: {error}"))?;
    Profile::parse(&text).map_err(|message| format!("{}: {message}", root::shown(&path)))
}

/// Reads a document afresh.
pub(crate) fn reading(file: &Path, profile: &Profile) -> Result<Reading, Failure> {
    let text = fs::read_to_string(file)
        .map_err(|error| format!("cannot read {}: {error}", root::shown(file)))?;
    let mut reading = read(&text, profile);
    if let Some(name) = &profile.names {
        let list = file.with_file_name(name);
        let text = fs::read_to_string(&list)
            .map_err(|error| format!("cannot read {}: {error}", root::shown(&list)))?;
        reading.names = names(&text)?;
    }
    Ok(reading)
}

/// The facts of a dialect: those that are committed, or those of a document.
pub(crate) fn facts(dialect: &str, document: Option<&Path>) -> Result<Facts, Failure> {
    let text = match document {
        Some(file) => {
            let profile = profile(dialect)?;
            facts::write(&reading(file, &profile)?, &profile)
        }
        None => {
            let path = folder().join(format!("{dialect}.facts"));
            fs::read_to_string(&path)
                .map_err(|error| format!("cannot read {}: {error}", root::shown(&path)))?
        }
    };
    facts::parse(&text).map_err(|message| format!("the facts of {dialect}:\n{message}"))
}

/// Writes the facts of a dialect.
pub(crate) fn write(dialect: &str, text: &str) -> Result<(), Failure> {
    let path = folder().join(format!("{dialect}.facts"));
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", root::shown(&path)))
}

/// What is accepted of a dialect; empty if nothing is yet.
pub(crate) fn accepted(dialect: &str) -> String {
    fs::read_to_string(folder().join(format!("{dialect}.accepted"))).unwrap_or_default()
}

/// Accepts it.
pub(crate) fn accept(dialect: &str, text: &str) -> Result<(), Failure> {
    let path = folder().join(format!("{dialect}.accepted"));
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", root::shown(&path)))
}
