//! Shows the effect of an edit: the changed rows, and for each the shortest input with different results, and both
//! results.
//!
//! usage: cargo xtask impact [DIALECT|FILE] [--against REVISION|DIALECT|FILE] [OPTION...]
//!
//! Compares the table on disk with the committed one, or with the one that --against names. A file that is unknown to
//! git is compared with the built-in table that it extends. If no table is named, compares all built-in tables with
//! rows or declarations that differ from the committed ones.
//!
//!   --corpus FOLDER   also reports for how many files of the folder trees, tokens or errors change, with examples
//!   --cases FOLDER    folder of cases that are also run: NAME.test, trees-NAME.dat and trees-NAME.json
//!   --seconds N       time limit of the search for inputs (0.15), and of running the corpus (8)
//!   --format text|json
//!
//! Each input shown has been run on both tables. If the search reaches its time limit, the report says so and shows the
//! shortest inputs found so far.
//!
//! example: cargo xtask impact html --against HEAD~1

pub(super) mod report;

use crate::arguments::Arguments;
use crate::changes::changes;
use crate::home::Home;
use crate::impact::corpus::{self, Corpus};
use crate::impact::{Impact, impact};
use crate::table::Table;
use crate::{Failure, Outcome, cases, revision};
use std::ffi::OsString;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tabulex_language::extend;

/// Arguments of the command `impact`.
#[derive(Default)]
pub(super) struct ImpactOptions {
    pub(super) table: Option<String>,
    pub(super) against: Option<String>,
    pub(super) corpus: Option<PathBuf>,
    pub(super) cases: Option<PathBuf>,
    pub(super) seconds: Option<f64>,
}

/// Effect of an edit on a table, with the new version of the table.
pub(super) struct EditEffect {
    pub(super) name: String,
    pub(super) against: String,
    pub(super) new: Table,
    pub(super) changes: crate::changes::Changes,
    pub(super) impact: Impact,
    pub(super) corpus: Option<Corpus>,
    pub(super) search_time: Duration,
}

/// Parses the arguments, and prints the effect for each table. Returns whether all tables are free of errors.
pub(super) fn run(home: &Home, arguments: Vec<OsString>) -> Outcome {
    let options = ["against TABLE", "corpus FOLDER", "cases FOLDER", "seconds N", "format F"];
    let arguments = Arguments::parse(arguments, &options, 1)?;
    let options = ImpactOptions {
        table: arguments.values.first().cloned(),
        against: arguments.text("against"),
        corpus: arguments.path("corpus"),
        cases: arguments.path("cases"),
        seconds: arguments.number("seconds")?,
    };
    let format =
        if arguments.format(&["text", "json"])? == "json" { report::json } else { report::text };
    let is_named = options.table.is_some();
    let (mut is_clean, mut is_changed) = (true, is_named);
    for name in tables(home, &options)? {
        match compare_with_old(home, &name, &options)? {
            Some(effect) if is_named || !effect.changes.is_empty() => {
                home.print(&format(&effect));
                is_changed = true;
            }
            Some(_) => {}
            None => is_clean = false,
        }
    }
    if is_clean && !is_changed {
        let against = options.against.as_deref().unwrap_or("HEAD");
        home.print(&format!("no row or declaration of a built-in table differs from {against}\n"));
    }
    Ok(is_clean)
}

/// Returns the names of the tables to compare: the given one, or all built-in tables whose own text or included files
/// have changed.
fn tables(home: &Home, options: &ImpactOptions) -> Result<Vec<String>, Failure> {
    if let Some(name) = &options.table {
        return Ok(vec![name.clone()]);
    }
    let against = options.against.as_deref().unwrap_or("HEAD");
    let mut changed_names = Vec::new();
    for name in home.dialects() {
        let (path, _) = home.read(&name)?;
        let table = home.table(&name)?;
        let differs =
            |path: &PathBuf| std::fs::read_to_string(path).ok() != revision::text(against, path);
        if home.built_in_path("").is_some() && (differs(&path) || table.read.iter().any(differs)) {
            changed_names.push(name);
        }
    }
    Ok(changed_names)
}

/// Compares a table with its old version. Returns `None`, after printing a message, if either version has errors.
pub(super) fn compare_with_old(
    home: &Home,
    name: &str,
    options: &ImpactOptions,
) -> Result<Option<EditEffect>, Failure> {
    let old = load_old(home, name, options);
    let new = home.table(name)?;
    new.messages().iter().for_each(|message| home.print(message));
    compare_loaded(home, new, old, options)
}

/// A handle to the thread that loads the old version of a table. The result is the name of the version, and its table.
pub(super) type OldTable = JoinHandle<Result<(String, Table), Failure>>;

/// Starts loading the old version of a table, in parallel with the new one.
pub(super) fn load_old(home: &Home, name: &str, options: &ImpactOptions) -> OldTable {
    let (home, name, against) = (home.clone(), name.to_owned(), options.against.clone());
    std::thread::spawn(move || committed_or_base(&home, &name, against.as_deref()))
}

/// Compares a loaded table with its old version. Returns `None` if either version has errors.
pub(super) fn compare_loaded(
    home: &Home,
    new: Table,
    old: OldTable,
    options: &ImpactOptions,
) -> Result<Option<EditEffect>, Failure> {
    let start = Instant::now();
    let (against, old) = old.join().unwrap_or_else(|panic| resume_unwind(panic))?;
    let (Some(was), Some(is)) = (&old.machine, &new.machine) else {
        if new.machine.is_some() {
            home.print(&format!("the table to compare with, `{against}`, has errors\n"));
        }
        return Ok(None);
    };
    let changes = changes((&old, was), (&new, is));
    let cases_folder = options.cases.as_ref().or(home.cases.as_ref());
    let cases = match cases_folder {
        Some(folder) if !changes.is_empty() => {
            // A table without cases, such as one that extends another, is run on the cases of the old table.
            let cases = cases::read_folder(folder, is);
            if cases.is_empty() { cases::read_folder(folder, was) } else { cases }
        }
        _ => Vec::new(),
    };
    let search_limit = options.seconds.map_or(Duration::from_millis(150), Duration::from_secs_f64);
    let impact = match changes.is_empty() {
        true => Impact { is_exhaustive: true, ..Impact::default() },
        false => impact([was, is], &changes, &cases, Instant::now() + search_limit),
    };
    let search_time = start.elapsed();
    let corpus = options.corpus.as_ref().map(|folder| {
        let until = Instant::now() + Duration::from_secs_f64(options.seconds.unwrap_or(8.0));
        corpus::corpus([was, is], &changes, folder, until)
    });
    let corpus = corpus.transpose()?;
    let name = is.name.clone();
    Ok(Some(EditEffect { name, against, new, changes, impact, corpus, search_time }))
}

/// Returns the name and the old version of a table: the one that `against` names, or the committed one, or, for a file
/// that is unknown to git, the built-in table that it extends.
fn committed_or_base(
    home: &Home,
    name: &str,
    against: Option<&str>,
) -> Result<(String, Table), Failure> {
    let (path, text) = home.read(name)?;
    let revision = against.unwrap_or("HEAD");
    let is_dialect = |name: &str| home.dialects().iter().any(|dialect| dialect == name);
    if is_dialect(revision) || Path::new(revision).is_file() {
        return Ok((revision.to_owned(), home.table(revision)?));
    }
    if let Some(text) = revision::text(revision, &path) {
        let read_committed = |path: &Path| revision::text(revision, path);
        return Ok((revision.to_owned(), home.load(&path, text, &read_committed)));
    }
    let (table, _) = tabulex_language::parse::file(&text);
    let base = table.and_then(|table| Some(extend::base_of(&table)?.value.clone()));
    if let Some(base) = base.filter(|base| against.is_none() && is_dialect(base)) {
        let table = home.table(&base)?;
        return Ok((base, table));
    }
    let reason = match revision::is_known(revision, &path) {
        true => format!("`{}` is not in the revision `{revision}`", home.display_path(&path)),
        false => format!("`{revision}` is not a git revision, a dialect or a file"),
    };
    Err(format!("{reason}; `--against` names the version to compare with"))
}
