//! What an edit changes: rows, and for each the shortest input that behaves differently now, with both results.
//!
//! usage: cargo xtask impact [DIALECT|FILE] [--against REVISION|DIALECT|FILE] [OPTION...]
//!
//! The table as it lies on the disk is compared with the committed one, or with the one that --against names; one that git
//! does not know, with the built-in one that it extends. Without a table all built-in ones are compared that differ from
//! the committed ones.
//!
//!   --corpus FOLDER   also the share of the files in it whose trees, tokens or errors change, with examples
//!   --cases FOLDER    the cases whose inputs are tried first: NAME.test, trees-NAME.dat and trees-NAME.json
//!   --seconds N       how long is searched for inputs (0.15), and how long files of the corpus are run (8)
//!   --format text|json
//!
//! A search that has not come to its end in its time says so; what it shows is the shortest input so far. Which rows a
//! file of the corpus takes is kept, so that the next time only the files are run that an edit may concern.
//!
//! example: cargo xtask impact html --against HEAD~1
//!
//! Invariant: every input that is shown was run on both tables.

pub(super) mod report;

use super::{failure, number, text};
use crate::changes::changes;
use crate::home::Home;
use crate::impact::corpus::{self, Corpus};
use crate::impact::{Impact, impact};
use crate::table::Table;
use crate::{Failure, Outcome, cases, revision};
use lexopt::{Arg, ValueExt as _};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tabulex_language::extend;

/// What is asked for.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) table: Option<String>,
    pub(super) against: Option<String>,
    corpus: Option<PathBuf>,
    cases: Option<PathBuf>,
    pub(super) seconds: Option<f64>,
    is_json: bool,
}

/// All that is known of an edit.
pub(super) struct Found {
    pub(super) name: String,
    pub(super) against: String,
    pub(super) new: Table,
    pub(super) changes: crate::changes::Changes,
    pub(super) impact: Impact,
    pub(super) corpus: Option<Corpus>,
    pub(super) searched: Duration,
}

/// Runs the command.
pub(super) fn run(home: &Home, mut parser: lexopt::Parser) -> Outcome {
    let mut asked = Asked::default();
    while let Some(arg) = parser.next().map_err(failure)? {
        match arg {
            Arg::Long("against") => asked.against = Some(text(&mut parser)?),
            Arg::Long("corpus") => asked.corpus = Some(text(&mut parser)?.into()),
            Arg::Long("cases") => asked.cases = Some(text(&mut parser)?.into()),
            Arg::Long("seconds") => asked.seconds = Some(number(&mut parser, "seconds")?),
            Arg::Long("format") => {
                asked.is_json = match &text(&mut parser)?[..] {
                    "json" => true,
                    "text" => false,
                    other => return Err(format!("--format {other}: there are text and json")),
                }
            }
            Arg::Value(name) if asked.table.is_none() => {
                asked.table = Some(name.string().map_err(failure)?);
            }
            other => return Err(other.unexpected().to_string()),
        }
    }
    let mut is_well = true;
    for name in tables(home, &asked)? {
        let Some(found) = find(home, &name, &asked)? else {
            is_well = false;
            continue;
        };
        home.say(&if asked.is_json { report::json(&found) } else { report::text(&found) });
    }
    Ok(is_well)
}

/// The tables that are asked for.
fn tables(home: &Home, asked: &Asked) -> Result<Vec<String>, Failure> {
    if let Some(name) = &asked.table {
        return Ok(vec![name.clone()]);
    }
    let against = asked.against.as_deref().unwrap_or("HEAD");
    let mut changed = Vec::new();
    for name in home.dialects() {
        let (path, _) = home.read(&name)?;
        let table = home.table(&name)?;
        let differs =
            |path: &PathBuf| std::fs::read_to_string(path).ok() != revision::text(against, path);
        if home.built_in_path("").is_some() && (differs(&path) || table.read.iter().any(differs)) {
            changed.push(name);
        }
    }
    if changed.is_empty() {
        home.say(&format!("no built-in table differs from {against}\n"));
    }
    Ok(changed)
}

/// Finds out what has changed in a table; nothing if one of the two has mistakes, which are shown.
pub(super) fn find(home: &Home, name: &str, asked: &Asked) -> Result<Option<Found>, Failure> {
    let old = begin_old(home, name, asked);
    let new = home.table(name)?;
    new.messages().iter().for_each(|message| home.say(message));
    find_in(home, new, old, asked)
}

/// The table that another one is compared with, and how that is called, while it is read.
pub(super) type Old = JoinHandle<Result<(String, Table), Failure>>;

/// Begins to read the table that the one of this name is compared with, beside it: both take as long.
pub(super) fn begin_old(home: &Home, name: &str, asked: &Asked) -> Old {
    let (home, name, against) = (home.clone(), name.to_owned(), asked.against.clone());
    std::thread::spawn(move || old(&home, &name, against.as_deref()))
}

/// Finds out what has changed in a table that was read.
pub(super) fn find_in(
    home: &Home,
    new: Table,
    old: Old,
    asked: &Asked,
) -> Result<Option<Found>, Failure> {
    let beginning = Instant::now();
    let (against, old) = old.join().unwrap_or_else(|panic| resume_unwind(panic))?;
    let (Some(was), Some(is)) = (&old.machine, &new.machine) else {
        if new.machine.is_some() {
            home.say(&format!("{against}: the table there has mistakes\n"));
        }
        return Ok(None);
    };
    let changes = changes((&old, was), (&new, is));
    let folder = asked.cases.as_ref().or(home.cases.as_ref());
    let cases = match folder {
        Some(folder) if !changes.is_empty() => cases::of_folder(folder, is),
        _ => Vec::new(),
    };
    let search = asked.seconds.map_or(Duration::from_millis(150), Duration::from_secs_f64);
    let impact = match changes.is_empty() {
        true => Impact { is_whole: true, ..Impact::default() },
        false => impact([was, is], &changes, &cases, Instant::now() + search),
    };
    let searched = beginning.elapsed();
    let corpus = asked.corpus.as_ref().map(|folder| {
        let texts: Vec<&str> = old.files.iter().map(|file| &file.text[..]).collect();
        let cache = home.cache.as_ref().map(|cache| cache.join(corpus::cache_name(&texts)));
        let until = Instant::now() + Duration::from_secs_f64(asked.seconds.unwrap_or(8.0));
        corpus::corpus([was, is], &changes, folder, cache.as_deref(), until)
    });
    let corpus = corpus.transpose()?;
    let name = is.name.clone();
    Ok(Some(Found { name, against, new, changes, impact, corpus, searched }))
}

/// The table that the new one is compared with, and how that is called: the committed one, or where git knows none the one
/// that it extends.
fn old(home: &Home, name: &str, against: Option<&str>) -> Result<(String, Table), Failure> {
    let (path, own) = home.read(name)?;
    let revision = against.unwrap_or("HEAD");
    let is_dialect = |name: &str| home.dialects().iter().any(|dialect| dialect == name);
    if is_dialect(revision) || Path::new(revision).is_file() {
        return Ok((revision.to_owned(), home.table(revision)?));
    }
    if let Some(text) = revision::text(revision, &path) {
        let then = |path: &Path| revision::text(revision, path);
        return Ok((revision.to_owned(), home.load(&path, text, &then)));
    }
    let (table, _) = tabulex_language::parse::file(&own);
    let base = table.and_then(|table| Some(extend::base_of(&table)?.value.clone()));
    if let Some(base) = base.filter(|base| against.is_none() && is_dialect(base)) {
        let table = home.table(&base)?;
        return Ok((base, table));
    }
    let why = match revision::is_known(revision, &path) {
        true => format!("{} is not in {revision}", home.shown(&path)),
        false => format!("{revision:?} is no revision that git knows here, no dialect and no file"),
    };
    Err(format!("{why}; --against names what to compare with"))
}
