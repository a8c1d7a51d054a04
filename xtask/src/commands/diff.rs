//! Compares tables with their documents, or two machines, row by row.
//!
//! usage: cargo xtask diff [NAME...] [--document FILE] [--write] [--accept] [--all] [--inputs] [--format text|json]
//!        cargo xtask diff LEFT RIGHT [--seconds N] [--format text|json]
//!        cargo xtask diff NAME [--remark LINE] [--gloss LINE STEPS] [--here]
//!        cargo xtask diff --ledger FILE [--dialect D] [--glosses] [--rules] [--remarks] [--defects]
//!        cargo xtask diff --history DIALECT [FILE...] [--all] [--inputs]
//!
//!   NAME             a dialect with its states, modes and lists, or one of its files: html, html.states, html.modes,
//!                    html.text; without any, all are compared. With --document also the file of another table, whose
//!                    profile, facts and accepted differences are beside it
//!   --document FILE  reads this text; without it the document's text in ../shared/documents, if it is there
//!                    (TABULEX_SHARED names another folder), else its committed facts
//!   --write          writes the facts read from the text to spec/documents
//!   --accept         writes declared differences, and statements of a table on which its document is silent, to
//!                    spec/documents/NAME.accepted; later changes of either side are reported, and any change of a
//!                    table or list without a document
//!   --remark LINE    adds the unread sentences of a line of the document to the remarks of its profile
//!   --gloss LINE STEPS
//!                    adds the unread sentence of a line, or its only one, as standing for these steps:
//!                    --gloss 12 "append current to temporary-buffer;". For --remark and --gloss, LINE:NUMBER
//!                    chooses one of several sentences of the line
//!   --here           limits remarks and glosses to the section of their line
//!   --all            shows everything: declared differences, and folded ones
//!   --inputs         also searches inputs for declared differences, not only for undeclared ones
//!   --ledger FILE    lists the sentences of a document, and which are unread; see --ledger --help
//!   --history        compares dated texts of a standard; see --history --help
//!
//! Two names are compared by the behavior of their machines, like `tabulex table diff`, ignoring notes.
//!
//! Exits with status 0 if there is nothing to report: every difference is declared at its row and accepted, no
//! declaration is stale, no sentence unread, no erratum unused, no note rests on a section without a reader, and the
//! committed facts are those read from the text, if it is present. Exits with status 1 otherwise, or 2 if the command
//! cannot be run. JSON is one object: `version` (1), `isWell` (whether the status is 0), and `comparisons`, each with
//! its two names, counts, `differences` (undeclared ones have an empty `declared`), `notCompared` (rows with an unread
//! sentence), `changed` (entries that differ from their accepted form, with `before` and `now`), `stale`, `restsOn`,
//! `worded` and `gone` (sentences, by heading and line), `laidOut` and `leftOut` (sections with changed markup, or with
//! changed text).
//!
//! example: cargo xtask diff html-2013

use super::{history, ledger};
use crate::documents::project;
use crate::{Outcome, root, step};
use std::ffi::OsString;
use std::path::Path;
use tabulex_workshop::documents::{self, Options};

/// Runs `cargo xtask diff`.
pub(crate) fn run(mut arguments: Vec<OsString>) -> Outcome {
    type Subcommand = (&'static str, fn(Vec<OsString>) -> Outcome, &'static str);
    let subcommands: [Subcommand; 2] = [
        ("--ledger", ledger::run, include_str!("ledger.rs")),
        ("--history", history::run, include_str!("history.rs")),
    ];
    for (option, run, file) in subcommands {
        if let Some(index) = arguments.iter().position(|argument| argument == option) {
            arguments.remove(index);
            if arguments.iter().any(|argument| argument == "--help") {
                step::say(&xtask_tables::first_comment(file));
                return Ok(true);
            }
            return run(arguments);
        }
    }
    if compares_machines(&arguments) || names_own_files(&arguments) {
        let command = tabulex_workshop::commands::find("diff").ok_or("the workshop has no diff")?;
        return command.run(&root::home(), arguments);
    }
    let options = Options::parse(arguments)?;
    if options.document.is_some() && options.names.len() != 1 {
        return Err(
            "`--document` needs exactly one dialect; see `cargo xtask diff --help`".to_owned()
        );
    }
    let home = root::home();
    let outcome = documents::run(&home, &project(), &options)?;
    home.take_write_error().map_or(Ok(outcome), Err)
}

/// Whether the arguments name a document and a table outside `spec/tables`, whose profile is in the table's folder.
fn names_own_files(arguments: &[OsString]) -> bool {
    let tables = root::root().join("spec/tables").canonicalize().ok();
    let is_own_table = |argument: &OsString| {
        let file = Path::new(argument).canonicalize().ok();
        let is_table =
            file.as_ref().is_some_and(|file| file.extension() == Some("states".as_ref()));
        is_table && file.as_deref().and_then(Path::parent) != tables.as_deref()
    };
    arguments.iter().any(|argument| argument == "--document") && arguments.iter().any(is_own_table)
}

/// Whether the arguments ask for the comparison of two machines: two names, and no option for documents.
fn compares_machines(arguments: &[OsString]) -> bool {
    let is_option = |argument: &OsString| argument.to_string_lossy().starts_with("--");
    let name_count = arguments.iter().take_while(|argument| !is_option(argument)).count();
    let is_given = |option: &&str| arguments.iter().any(|argument| argument == option);
    let document_options = ["--accept", "--all", "--inputs"];
    name_count == 2 && !document_options.iter().any(is_given)
}
