//! What of a document is read: states, rows, sentences, shapes, and every sentence that is not read.
//!
//! usage: cargo xtask ledger FILE [--dialect D] [--shapes]
//!
//! The dialect is told by the name of the file; `--dialect` says another one. `--shapes` lists the shapes of sentences,
//! each with the number of sentences that it reads. The status is 1 if a sentence is unread or an erratum is stale.
//!
//! example: cargo xtask ledger ../shared/documents/html-2013.txt --shapes
//!
//! Invariant: asking sentences, remarks and unread ones together are all sentences.

use crate::{Outcome, documents, step};
use lexopt::Arg;
use std::path::PathBuf;
use tabulex_spec::document::{Ledger, Read};

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let (mut file, mut dialect, mut shapes) = (None, None, false);
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        match arg {
            Arg::Value(value) if file.is_none() => file = Some(PathBuf::from(value)),
            Arg::Long("dialect") => {
                let value = parser.value().map_err(|error| error.to_string())?;
                dialect = Some(value.to_string_lossy().into_owned());
            }
            Arg::Long("shapes") => shapes = true,
            other => return Err(other.unexpected().to_string()),
        }
    }
    let file = file.ok_or("a document is missing; see `cargo xtask ledger --help`")?;
    let dialect = match dialect {
        Some(dialect) => dialect,
        None => of_file(&file)?,
    };
    let profile = documents::profile(&dialect)?;
    let reading = documents::reading(&file, &profile)?;
    let ledger = Ledger::new(&reading, &profile);
    if shapes {
        step::say(&ledger.shapes());
    }
    for sentence in reading.sentences.iter().filter(|sentence| sentence.read == Read::Unread) {
        step::say(&format!(
            "unread: line {}, {}: {}\n",
            sentence.line, sentence.place, sentence.words
        ));
    }
    for (index, erratum) in profile.errata.iter().enumerate() {
        let stale = if reading.applied.contains(&index) { "" } else { " (stale)" };
        let words = format!("{:?} is read as {:?}", erratum.instead_of, erratum.read);
        step::say(&format!("erratum{stale}: {}: {words}: {}\n", erratum.place, erratum.why));
    }
    step::say(&format!("{dialect}: {}\n", ledger.summary()));
    Ok(ledger.is_whole())
}

/// The dialect whose document bears the name of the file.
fn of_file(file: &std::path::Path) -> Result<String, String> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    for dialect in documents::dialects(".profile")? {
        if documents::profile(&dialect)?.file == name {
            return Ok(dialect);
        }
    }
    Err(format!("no dialect has a document {name}; say one with --dialect"))
}
