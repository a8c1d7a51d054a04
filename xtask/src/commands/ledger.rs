//! Summarizes how much of a document is read, and lists every sentence that is not.
//!
//! usage: cargo xtask diff --ledger FILE [--dialect D] [--glosses] [--rules] [--remarks] [--defects]
//!
//! The dialect follows from the name of the file unless `--dialect` sets it. `--glosses` lists the sentences that
//! glosses stand for, `--rules` those that rules read, `--remarks` those without normative content, and `--defects` the document's own defects
//! (see spec/documents/DEFECTS.md for all of them, with the table's resolution). Exits with
//! status 1 if a sentence is unread, if an erratum is stale, or if the document has no section that the dialect's
//! profile names.
//!
//! example: cargo xtask diff --ledger ../shared/documents/html-2013.txt --glosses

use crate::{Outcome, documents, step};
use lexopt::Arg;
use std::path::PathBuf;
use tabulex_documents::document::{Defect, Ledger, Read, defects};

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let (mut file, mut dialect) = (None, None);
    let (mut glosses, mut rules, mut remarks, mut is_about_defects) = (false, false, false, false);
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        match arg {
            Arg::Value(value) if file.is_none() => file = Some(PathBuf::from(value)),
            Arg::Long("dialect") => {
                let value = parser.value().map_err(|error| error.to_string())?;
                dialect = Some(value.to_string_lossy().into_owned());
            }
            Arg::Long("glosses") => glosses = true,
            Arg::Long("rules") => rules = true,
            Arg::Long("remarks") => remarks = true,
            Arg::Long("defects") => is_about_defects = true,
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
    if is_about_defects {
        let all = defects(&reading, &profile);
        for Defect { place, message: what, line } in &all {
            let line = if *line == 0 { String::new() } else { format!("line {line}, ") };
            step::say(&format!("{line}{place}: {what}\n"));
        }
        step::say(&format!("{dialect}: {} defects\n", all.len()));
    }
    for sentence in &reading.sentences {
        let word = match (sentence.read, profile.has_gloss(sentence)) {
            (Read::Remark, _) if remarks => "remark",
            (Read::Asks, true) if glosses => "gloss",
            (Read::Asks, false) if rules => "rule",
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

/// Returns the dialect whose document has the name of the file.
fn dialect_of(file: &std::path::Path) -> Result<String, String> {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    for dialect in documents::project().dialects(".profile")? {
        if documents::project().profile(&dialect)?.file == name {
            return Ok(dialect);
        }
    }
    Err(format!("no dialect has the document `{name}`; name the dialect with `--dialect`"))
}
