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
use std::ffi::OsString;
use std::path::Path;
use tabulex_documents::document::{Defect, Ledger, Read, defects};
use tabulex_language::counted;
use tabulex_workshop::arguments::Arguments;

/// Runs `cargo xtask diff --ledger`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let options = ["dialect D", "glosses", "rules", "remarks", "defects"];
    let arguments = Arguments::parse(arguments, &options, 1)?;
    let file = arguments.values.first();
    let file = file.ok_or("a document is missing; see `cargo xtask diff --ledger --help`")?;
    let file = Path::new(file);
    let of_file = documents::project().dialects_of(file)?.into_iter().next();
    let dialect = arguments.text("dialect").or(of_file).ok_or_else(|| {
        let file = file.display();
        format!("no dialect has the document `{file}`; name the dialect with `--dialect`")
    })?;
    let profile = documents::project().profile(&dialect)?;
    let reading = documents::project().read_document(file, &profile)?;
    let ledger = Ledger::new(&reading);
    if arguments.has("defects") {
        let defects = defects(&reading);
        for Defect { place, message, line } in &defects {
            let line = if *line == 0 { String::new() } else { format!("line {line}, ") };
            step::say(&format!("{line}{place}: {message}\n"));
        }
        step::say(&format!("{dialect}: {}\n", counted(defects.len(), "defect")));
    }
    for sentence in &reading.sentences {
        let label = match (sentence.read, profile.has_gloss(sentence)) {
            (Read::Remark, _) if arguments.has("remarks") => "remark",
            (Read::Asks, true) if arguments.has("glosses") => "gloss",
            (Read::Asks, false) if arguments.has("rules") => "rule",
            (Read::Unread, _) => "unread",
            _ => continue,
        };
        let (line, place, words) = (sentence.line, &sentence.place, &sentence.words);
        step::say(&format!("{label}: line {line}, {place}: {words}\n"));
    }
    for (index, erratum) in profile.errata.iter().enumerate() {
        let stale = if reading.applied.contains(&index) { "" } else { " (stale)" };
        let replacement = format!("{:?} is read as {:?}", erratum.instead_of, erratum.read);
        step::say(&format!(
            "erratum{stale}: {}: {replacement}: {}\n",
            erratum.place, erratum.reason
        ));
    }
    if ledger.is_empty {
        let headings = profile.headings().join("\", \"");
        step::say(&format!("{dialect}: no row follows the headings \"{headings}\"\n"));
    }
    step::say(&format!("{dialect}: {}\n", ledger.summary));
    Ok(ledger.is_whole())
}
