//! Summarizes how much of a document is read, and lists every unread sentence.
//!
//! usage: cargo xtask diff --ledger FILE [--dialect D] [--glosses] [--rules] [--remarks] [--defects]
//!
//! The dialect follows from the name of the file unless `--dialect` sets it. `--glosses` lists the sentences with a
//! gloss, `--rules` those that rules read, `--remarks` those without normative content, and `--defects` the document's
//! own defects (spec/documents/DEFECTS.md lists all of them, with the table's resolution). Exits with status 1 if a
//! sentence is unread, if an erratum or a gloss matches nothing, or if the document lacks the sections that the
//! dialect's profile names.
//!
//! example: cargo xtask diff --ledger ../shared/documents/html-2013.txt --glosses

use crate::{Outcome, documents, step};
use lexopt::Arg;
use std::path::PathBuf;
use tabulex_documents::document::{Defect, Ledger, Read, defects};

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let (mut file, mut dialect) = (None, None);
    let (mut lists_glosses, mut lists_rules) = (false, false);
    let (mut lists_remarks, mut lists_defects) = (false, false);
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        match arg {
            Arg::Value(value) if file.is_none() => file = Some(PathBuf::from(value)),
            Arg::Long("dialect") => {
                let value = parser.value().map_err(|error| error.to_string())?;
                dialect = Some(value.to_string_lossy().into_owned());
            }
            Arg::Long("glosses") => lists_glosses = true,
            Arg::Long("rules") => lists_rules = true,
            Arg::Long("remarks") => lists_remarks = true,
            Arg::Long("defects") => lists_defects = true,
            other => return Err(other.unexpected().to_string()),
        }
    }
    let file = file.ok_or("a document is missing; see `cargo xtask diff --ledger --help`")?;
    let dialect = match dialect {
        Some(dialect) => dialect,
        None => dialect_of(&file)?,
    };
    let profile = documents::project().profile(&dialect)?;
    let reading = documents::project().read_document(&file, &profile)?;
    let ledger = Ledger::new(&reading, &profile);
    if lists_defects {
        let all = defects(&reading, &profile);
        for Defect { place, message: what, line } in &all {
            let line = if *line == 0 { String::new() } else { format!("line {line}, ") };
            step::say(&format!("{line}{place}: {what}\n"));
        }
        step::say(&format!("{dialect}: {} defects\n", all.len()));
    }
    for sentence in &reading.sentences {
        let word = match (sentence.read, profile.has_gloss(sentence)) {
            (Read::Remark, _) if lists_remarks => "remark",
            (Read::Asks, true) if lists_glosses => "gloss",
            (Read::Asks, false) if lists_rules => "rule",
            (Read::Unread, _) => "unread",
            _ => continue,
        };
        let (line, place, words) = (sentence.line, &sentence.place, &sentence.words);
        step::say(&format!("{word}: line {line}, {place}: {words}\n"));
    }
    for (index, erratum) in profile.errata.iter().enumerate() {
        let stale = if reading.applied.contains(&index) { "" } else { " (stale)" };
        let words = format!("{:?} is read as {:?}", erratum.instead_of, erratum.read);
        step::say(&format!("erratum{stale}: {}: {words}: {}\n", erratum.place, erratum.reason));
    }
    if ledger.is_empty() {
        let headings = profile.headings().join("\", \"");
        step::say(&format!("{dialect}: no row follows the headings \"{headings}\"\n"));
    }
    step::say(&format!("{dialect}: {}\n", ledger.summary()));
    Ok(ledger.is_whole())
}

/// Returns the dialect with a document of this file name.
fn dialect_of(file: &std::path::Path) -> Result<String, String> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    for dialect in documents::project().dialects(".profile")? {
        if documents::project().profile(&dialect)?.file == name {
            return Ok(dialect);
        }
    }
    Err(format!("no dialect has the document `{name}`; name the dialect with `--dialect`"))
}
