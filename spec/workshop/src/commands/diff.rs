//! Compares a table with the document that it was written from, or two tables.
//!
//! usage: cargo xtask diff TABLE --document FILE [--write] [--remark LINE] [--gloss LINE STEPS] [--here] [--accept]
//!                     [--all] [--inputs] [--format text|json]
//!        cargo xtask diff LEFT RIGHT [--seconds N] [--format text|json]
//!
//!   TABLE, LEFT, RIGHT    dialects or files
//!   --document FILE       the document: HTML, Bikeshed, Markdown or text. TABLE.profile beside the table says how it is
//!                         read, and which sentences are remarks
//!   --write               writes the profile, if there is none, and the facts that were read, to TABLE.facts
//!   --remark LINE         adds the unread sentences of a line of the document to the profile, as remarks
//!   --gloss LINE STEPS    adds the unread sentence of a line, or its only one, as standing for these steps:
//!                         --gloss 12 "append current to temporary-buffer;". For --remark and --gloss, LINE:NUMBER
//!                         chooses one of several sentences of the line
//!   --here                limits remarks and glosses to the section of their line, for a sentence that means something
//!                         else in another
//!   --accept              writes declared differences, and what the document is silent on, to TABLE.accepted; later
//!                         changes of either side are reported
//!   --all                 shows everything: declared differences, and folded ones
//!   --inputs              also searches inputs for declared differences, not only for undeclared ones
//!   --seconds N           time limit of the search for inputs of two tables (2)
//!
//! Two tables are compared by the meaning of their rows: positions, comments and the order of declarations make no
//! difference. Each input shown was run on both sides. Exits with status 1 if there is something to report: a row that
//! differs, is not declared or not accepted, or a sentence that is not read. `impact` shows the effect of an edit.
//!
//! example: cargo xtask diff html-2013 html

use super::impact::{ImpactOptions, compare_with_old, report};
use crate::Outcome;
use crate::arguments::Arguments;
use crate::home::Home;
use std::ffi::OsString;

/// Compares a table with a document, or two tables. Returns whether there is nothing to report.
pub(super) fn run(home: &Home, arguments: Vec<OsString>) -> Outcome {
    if arguments.iter().any(|argument| argument == "--document") {
        return with_document(home, arguments);
    }
    let arguments = Arguments::parse(arguments, &["seconds N", "format F"], 2)?;
    let is_json = arguments.format(&["text", "json"])? == "json";
    let [left, right] = &arguments.values[..] else {
        let program = home.program;
        let example = format!("{program} diff html-2013 html");
        return Err(format!(
            "expected two tables, or a table and `--document FILE`; for example: `{example}`"
        ));
    };
    // The first table is read before the comparison, which would take a name without a table for a git revision.
    home.read(left)?;
    let mut options = ImpactOptions::default();
    (options.against, options.seconds) =
        (Some(left.clone()), Some(arguments.number("seconds")?.unwrap_or(2.0)));
    let Some(effect) = compare_with_old(home, right, &options)? else { return Ok(false) };
    home.print(&if is_json { report::json(&effect) } else { report::text(&effect) });
    Ok(effect.changes.is_empty())
}

/// Compares a table with the document that `--document` names.
#[cfg(feature = "documents")]
fn with_document(home: &Home, arguments: Vec<OsString>) -> Outcome {
    use crate::documents::{Options, Project, run};
    let mut options = Options::parse(arguments)?;
    let [table] = &options.names[..] else {
        let found = options.names.join("` and `");
        return Err(format!(
            "`--document` needs exactly one table, found `{found}`; `--gloss LINE STEPS` takes all steps as one argument"
        ));
    };
    let (path, _) = home.read(table)?;
    if !path.is_file() {
        return Err(format!(
            "`{table}` is a built-in table; `--document` needs a file, with its profile beside it"
        ));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    options.names = vec![name];
    let document = options.document.as_deref().ok_or("`--document` needs a file")?;
    run(home, &Project::for_files(home, &path, document), &options)
}

/// Reports that this build cannot read documents.
#[cfg(not(feature = "documents"))]
fn with_document(_: &Home, _: Vec<OsString>) -> Outcome {
    Err("this build cannot read documents; enable the feature `documents`".to_owned())
}
