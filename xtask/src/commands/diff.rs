//! Table against document, or machine against machine, row by row.
//!
//! usage: cargo xtask diff [NAME...] [--document FILE] [--write] [--accept] [--all] [--inputs] [--format text|json|html]
//!        cargo xtask diff LEFT RIGHT [--all] [--format text|json|html]
//!        cargo xtask diff --ledger FILE [--dialect D] [--shapes] [--remarks] [--defects] [--within FILE]
//!        cargo xtask diff --history DIALECT [FILE...] [--all] [--inputs] [--format text|json]
//!
//!   NAME             a dialect with its states and modes, or a file of one: html, html.states, html.modes; without any,
//!                    all that have a document are compared with the facts that are committed
//!   --document FILE  reads the document afresh, and proposes rows that the table lacks in the table's language
//!   --write          commits what was read of it to spec/documents
//!   --accept         commits what is declared, and what a table says where its document says nothing, to
//!                    spec/documents/NAME.accepted; a later change of either side is reported, and any change of a
//!                    table of which no document is at hand
//!   --all            shows declared differences as well
//!   --inputs         searches inputs for them, too; for undeclared ones that is done anyway
//!   --ledger FILE    lists the sentences of a document and which are unread; --ledger --help says more
//!   --history        compares dated texts of a standard; --history --help says more
//!
//! With two names their machines are compared, and notes about documents are left out.
//!
//! The status is 0 if there is nothing to report: every difference is declared at its row and accepted, no declaration
//! is stale, no sentence unread, no erratum without use, and with --document no sentence worded and no section marked up
//! otherwise than the committed facts were read of. It is 1 if there is, between machines if they differ, and 2 if
//! the command cannot be run. JSON is one object: `version` (1), `isWell` (whether the status is 0), and `comparisons`,
//! each with its two names, counts, `differences` (those that are undeclared have an empty `declared`), `changed` (what
//! is not as it was accepted, with `before` and `now`), `stale`, `worded` and `gone` (sentences, by place and line),
//! `laidOut` (sections whose lists, labels, notes or links are others).
//!
//! example: cargo xtask diff html-2013
//!
//! Invariant: it changes nothing but, with `--write`, facts, and with `--accept` what is accepted.

pub(in crate::commands) mod inputs;
pub(in crate::commands) mod mutants;
mod page;
mod report;

use super::{history, ledger};
use crate::{Failure, Outcome, documents, root, step};
use lexopt::Arg;
use std::path::PathBuf;
use tabulex_documents::compare::accepted::{self, Changed};
use tabulex_documents::compare::{self, Comparison, Index};
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::wording::{self, Said};
use tabulex_language::Source;
use tabulex_language::nearest;
use tabulex_language::syntax::Table;
use tabulex_oracle::search::Differences;

/// What is asked for.
#[derive(Default)]
struct Asked {
    names: Vec<String>,
    document: Option<PathBuf>,
    write: bool,
    accept: bool,
    /// Whether declared differences are shown, too.
    all: bool,
    inputs: bool,
    format: String,
}

/// One side of a comparison.
pub(in crate::commands) struct Side {
    name: String,
    source: Source,
    pub(in crate::commands) table: Table,
    facts: Option<Facts>,
}

/// Two sides and what came of them.
struct Compared {
    left: Side,
    right: Side,
    comparison: Comparison,
    found: Option<Differences>,
    /// How many entries are accepted, and what is not as it was accepted.
    accepted: usize,
    changed: Vec<Changed>,
    /// Sentences of the document that the facts which are committed were not read of, and those that are gone since.
    worded: Vec<Said>,
    gone: Vec<Said>,
    /// Sections whose markup is not that of which these facts were read.
    laid_out: Vec<Said>,
}

impl Compared {
    /// What the sides are called beside what they give.
    fn names(&self) -> [String; 2] {
        match self.left.facts {
            Some(_) => ["document".to_owned(), "table".to_owned()],
            None => [self.left.name.clone(), self.right.name.clone()],
        }
    }

    /// Whether there is nothing to report.
    fn is_well(&self) -> bool {
        let facts = self.left.facts.as_ref();
        self.comparison.undeclared().next().is_none()
            && self.comparison.stale.is_empty()
            && self.changed.is_empty()
            && self.worded.is_empty()
            && self.gone.is_empty()
            && self.laid_out.is_empty()
            && facts.is_none_or(|facts| facts.unread.is_empty() && facts.stale_errata.is_empty())
    }
}

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let mut words: Vec<_> = parser.raw_args().map_err(|error| error.to_string())?.collect();
    type Other = (&'static str, fn(lexopt::Parser) -> Outcome, &'static str);
    let others: [Other; 2] = [
        ("--ledger", ledger::run, include_str!("ledger.rs")),
        ("--history", history::run, include_str!("history.rs")),
    ];
    for (option, run, file) in others {
        if let Some(at) = words.iter().position(|word| word == option) {
            words.remove(at);
            if words.iter().any(|word| word == "--help") {
                step::say(&xtask_tables::first_comment(file));
                return Ok(true);
            }
            return run(lexopt::Parser::from_args(words));
        }
    }
    let asked = arguments(lexopt::Parser::from_args(words))?;
    let parts = parts(&asked.names)?;
    let mut all = Vec::new();
    if let [left, right] = &asked.names[..] {
        all.push(machines(left, right)?);
    } else {
        for dialect in &parts {
            all.push(document(dialect, &asked)?);
        }
    }
    step::say(&match &asked.format[..] {
        "json" => report::json(&all)?,
        "html" => page::html(&all),
        _ => all.iter().map(|one| report::text(one, asked.all)).collect(),
    });
    Ok(all.iter().all(Compared::is_well))
}

/// The names of the facts that are meant: those of states and of modes have files of their own.
fn parts(names: &[String]) -> Result<Vec<String>, Failure> {
    let mut known = documents::dialects(".facts")?;
    // Tables of which no document is at hand are held as they are.
    let pinned = documents::dialects(".accepted")?;
    known.extend(pinned.into_iter().filter(|name| !known.contains(name)).collect::<Vec<_>>());
    let mut parts = Vec::new();
    for name in names {
        let modes = format!("{name}-modes");
        match name.rsplit_once('.') {
            Some((stem, "states")) => parts.push(stem.to_owned()),
            Some((stem, "modes")) => parts.push(format!("{stem}-modes")),
            _ => {
                parts.push(name.clone());
                parts.extend(known.contains(&modes).then_some(modes));
            }
        }
    }
    Ok(if names.is_empty() { known } else { parts })
}

fn arguments(mut parser: lexopt::Parser) -> Result<Asked, Failure> {
    let mut asked = Asked { format: "text".to_owned(), ..Asked::default() };
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        match arg {
            Arg::Value(name) if asked.names.len() < 2 => {
                asked.names.push(name.to_string_lossy().into_owned())
            }
            Arg::Long("document") => {
                asked.document =
                    Some(PathBuf::from(parser.value().map_err(|error| error.to_string())?));
            }
            Arg::Long("format") => {
                asked.format = parser
                    .value()
                    .map_err(|error| error.to_string())?
                    .to_string_lossy()
                    .into_owned();
                if !matches!(&asked.format[..], "text" | "json" | "html") {
                    return Err(format!(
                        "no format: {}; there are text, json and html",
                        asked.format
                    ));
                }
            }
            Arg::Long("write") => asked.write = true,
            Arg::Long("accept") => asked.accept = true,
            Arg::Long("all") => asked.all = true,
            Arg::Long("inputs") => asked.inputs = true,
            other => return Err(other.unexpected().to_string()),
        }
    }
    if asked.document.is_some() && asked.names.len() != 1 {
        return Err("--document belongs to one dialect".to_owned());
    }
    Ok(asked)
}

/// Compares the table of a dialect with its document.
fn document(dialect: &str, asked: &Asked) -> Result<Compared, Failure> {
    if asked.write {
        let file = asked.document.as_ref().ok_or("--write needs --document FILE")?;
        let profile = documents::profile(dialect)?;
        documents::write(dialect, &facts::write(&documents::reading(file, &profile)?, &profile))?;
    }
    if asked.document.is_none() && documents::profile(dialect).is_err() {
        return pinned(dialect, asked.accept);
    }
    let read = documents::facts(dialect, asked.document.as_deref())?;
    let left = Side {
        name: format!("{dialect}, the document"),
        source: Source::new(format!("spec/documents/{dialect}.facts"), read.text.clone()),
        table: read.table.clone(),
        facts: Some(read),
    };
    let mut compared = Compared::new(left, machine(dialect)?);
    if let Some(facts) = &compared.left.facts {
        let differences = compare::compare_names(&facts.names, &compared.right.table, &beside);
        compared.comparison.differences.extend(differences);
    }
    hold(dialect, asked.accept, &mut compared)?;
    if let (Some(_), Some(facts)) = (&asked.document, &compared.left.facts) {
        let committed = documents::facts(dialect, None)?;
        let (gone, worded) = wording::apart(&committed.wording, &facts.wording);
        (compared.gone, compared.worded) = (owned(&gone), owned(&worded));
        compared.laid_out = owned(&wording::apart(&committed.layout, &facts.layout).1);
    }
    if asked.inputs || compared.comparison.undeclared().next().is_some() {
        compared.found = inputs::beside_document(&compared, asked.inputs);
    }
    Ok(compared)
}

/// Holds the table of a dialect of which no document is at hand against what was accepted of it.
fn pinned(dialect: &str, accept: bool) -> Result<Compared, Failure> {
    let (text, table) = nothing(dialect)?;
    let name = format!("{dialect}, of which no document is at hand");
    let left = Side { name, source: Source::new(String::new(), text), table, facts: None };
    let mut compared = Compared::new(left, machine(dialect)?);
    compared.comparison = Comparison::default();
    hold(dialect, accept, &mut compared)?;
    Ok(compared)
}

/// A table of this name that says nothing else: what stands in the place of a document that is not at hand.
fn nothing(dialect: &str) -> Result<(String, Table), Failure> {
    let text = format!("machine! {{ name {dialect}; }}");
    let table = tabulex_language::parse::file(&text).0.ok_or("no table is no table")?;
    Ok((text, table))
}

fn owned(sentences: &[&Said]) -> Vec<Said> {
    sentences.iter().map(|&said| said.clone()).collect()
}

/// Compares two machines.
fn machines(left: &str, right: &str) -> Result<Compared, Failure> {
    let mut compared = Compared::new(machine(left)?, machine(right)?);
    // Notes speak of documents.
    compared.comparison.stale.clear();
    compared.comparison.differences.iter_mut().for_each(|one| one.notes.clear());
    compared.found = inputs::between_machines(&compared);
    Ok(compared)
}

/// The text of a file beside the tables.
fn beside(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}

/// Holds what both sides do not both say against what was accepted, or accepts it.
fn hold(dialect: &str, accept: bool, compared: &mut Compared) -> Result<(), Failure> {
    let [left, right] = [&compared.left, &compared.right].map(|side| Index::new(&side.table));
    let entries = accepted::entries(&left, &right, &compared.comparison, &beside);
    if accept {
        documents::accept(dialect, &accepted::write(dialect, &entries))?;
    }
    compared.accepted = entries.len();
    compared.changed = accepted::changed(&documents::accepted(dialect), &entries);
    Ok(())
}

/// The table of a dialect.
pub(in crate::commands) fn machine(name: &str) -> Result<Side, Failure> {
    let dialect = &match name.rsplit_once('.') {
        Some((stem, "modes")) => format!("{stem}-modes"),
        Some((stem, "states")) => stem.to_owned(),
        _ => name.to_owned(),
    };
    let own = documents::profile(dialect).ok().and_then(|profile| profile.table);
    let file = own.unwrap_or_else(|| format!("{dialect}.states"));
    let path = root::root().join("spec/tables").join(file);
    let text = std::fs::read_to_string(&path).map_err(|error| {
        let dialects = root::home().dialects();
        let names: Vec<&str> = dialects.iter().map(String::as_str).collect();
        let near = nearest(dialect, &names).unwrap_or_default();
        format!("no table of {dialect} ({error}): {near} dialects: {}", names.join(", "))
    })?;
    let (table, _) = tabulex_language::parse::file(&text);
    let source = Source::new(root::shown(&path), text);
    let table =
        table.ok_or_else(|| format!("{} is no table; see `cargo xtask check`", source.path))?;
    Ok(Side { name: dialect.clone(), source, table, facts: None })
}

impl Compared {
    fn new(left: Side, right: Side) -> Self {
        let comparison = compare::compare(&Index::new(&left.table), &Index::new(&right.table));
        let (changed, worded, gone, laid_out) = Default::default();
        Self { left, right, comparison, found: None, accepted: 0, changed, worded, gone, laid_out }
    }
}
