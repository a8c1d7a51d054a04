//! Compares tables with their documents, or two machines, row by row.
//!
//! usage: cargo xtask diff [NAME...] [--document FILE] [--write] [--accept] [--all] [--inputs] [--format
//! text|json|html]
//!        cargo xtask diff LEFT RIGHT [--seconds N] [--format text|json]
//!        cargo xtask diff NAME --remark LINE
//!        cargo xtask diff --ledger FILE [--dialect D] [--shapes] [--remarks] [--defects]
//!        cargo xtask diff --history DIALECT [FILE...] [--all] [--inputs] [--format text|json]
//!
//!   NAME             a dialect with its states, modes and lists, or one of its files: html, html.states, html.modes,
//!                    html.text; without any, all are compared
//!   --document FILE  reads this text; without it the document's text in ../shared/documents, if it is there
//!                    (TABULEX_SHARED names another folder), else its committed facts
//!   --write          writes the facts read from the text to spec/documents
//!   --accept         writes declared differences, and statements of a table on which its document is silent, to
//!                    spec/documents/NAME.accepted; later changes of either side are reported, and any change of a
//!                    table or list without a document
//!   --remark LINE    adds the unread sentences of a line of the document to the remarks of its profile
//!   --all            shows everything: declared differences, and folded ones
//!   --inputs         also searches inputs for declared differences, not only for undeclared ones
//!   --ledger FILE    lists the sentences of a document, and which are unread; see --ledger --help
//!   --history        compares dated texts of a standard; see --history --help
//!
//! Two names are compared by the behavior of their machines, like `cargo tabulex table diff`, ignoring notes.
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

pub(in crate::commands) mod inputs;
pub(in crate::commands) mod mutants;
mod page;
mod proposals;
mod report;

use super::{history, ledger};
use crate::{Failure, Outcome, documents, root, step};
use lexopt::Arg;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;
use tabulex_documents::compare::accepted::{self, Changed, Entry};
use tabulex_documents::compare::{self, Comparison, Index, lists};
use tabulex_documents::document::facts::Facts;
use tabulex_documents::document::wording::{self, HashedSentence};
use tabulex_documents::document::{Read, Reading};
use tabulex_language::Source;
use tabulex_language::nearest;
use tabulex_language::syntax::{Span, Table};

/// Time limit of the search for inputs on undeclared differences.
const SEARCH: Duration = Duration::from_millis(300);

/// Time limit of the search for inputs on all differences.
const LONG_SEARCH: Duration = Duration::from_secs(20);

/// Arguments of the command.
#[derive(Default)]
struct Options {
    names: Vec<String>,
    document: Option<PathBuf>,
    write: bool,
    accept: bool,
    /// The line of the document whose unread sentences become remarks.
    remark: Option<usize>,
    /// Whether to show declared and folded differences, too.
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

/// Two sides and their comparison.
struct Compared {
    left: Side,
    right: Side,
    comparison: Comparison,
    /// The shortest input for each difference.
    witnesses: Vec<Option<inputs::Witness>>,
    /// Number of accepted entries, and the entries that differ from their accepted form.
    accepted: usize,
    changed: Vec<Changed>,
    /// The text that was read, if it is present.
    text: Option<PathBuf>,
    /// Sentences of the text, by hash.
    words: BTreeMap<u32, String>,
    /// Sentences that only the text has, and those that only the committed facts have.
    worded: Vec<HashedSentence>,
    gone: Vec<HashedSentence>,
    /// Sections whose markup differs from the committed facts.
    laid_out: Vec<HashedSentence>,
    /// Sections without a reader whose text differs from the committed facts.
    left_out: Vec<HashedSentence>,
    /// Whether the committed facts differ from those read from the text, though its sentences are equal.
    facts_differ: bool,
    /// Sections without a reader that notes of the table cite, with the spans of the notes.
    rests_on: Vec<(Span, String)>,
}

impl Compared {
    fn new(left: Side, right: Side, comparison: Comparison) -> Self {
        let (witnesses, accepted, changed, text, words, worded) = Default::default();
        let (gone, laid_out, left_out, facts_differ, rests_on) = Default::default();
        Self {
            left,
            right,
            comparison,
            witnesses,
            accepted,
            changed,
            text,
            words,
            worded,
            gone,
            laid_out,
            left_out,
            facts_differ,
            rests_on,
        }
    }

    /// Whether there is nothing to report.
    fn is_clean(&self) -> bool {
        let facts = self.left.facts.as_ref();
        let others = [&self.worded, &self.gone, &self.laid_out, &self.left_out];
        self.comparison.undeclared().next().is_none()
            && self.comparison.not_compared.is_empty()
            && self.comparison.stale.is_empty()
            && self.changed.is_empty()
            && self.rests_on.is_empty()
            && others.iter().all(|all| all.is_empty())
            && !self.facts_differ
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
    if let Some(machines) = machines(&words) {
        let command = tabulex_workshop::commands::find("diff").ok_or("the workshop has no diff")?;
        return command.run(&root::home(), machines);
    }
    let options = arguments(lexopt::Parser::from_args(words))?;
    let parts = parts(&options.names)?;
    if let Some(line) = options.remark {
        return parts
            .iter()
            .try_fold(false, |done, dialect| Ok(remark(dialect, &options, line)? || done));
    }
    let all: Result<Vec<Compared>, Failure> =
        parts.iter().map(|dialect| document(dialect, &options)).collect();
    let all = all?;
    step::say(&match &options.format[..] {
        "json" => report::json(&all)?,
        "html" => page::html(&all),
        _ => all.iter().map(|one| report::text(one, options.all)).collect(),
    });
    Ok(all.iter().all(Compared::is_clean))
}

/// Returns the arguments of the workshop's command, if two machines are to be compared.
fn machines(all: &[std::ffi::OsString]) -> Option<Vec<std::ffi::OsString>> {
    let is_option = |argument: &std::ffi::OsString| argument.to_string_lossy().starts_with("--");
    let names = all.iter().take_while(|argument| !is_option(argument)).count();
    let is_of_documents = |option: &&str| all.iter().any(|argument| argument == option);
    let switches = ["--accept", "--all", "--inputs", "html"];
    (names == 2 && !switches.iter().any(is_of_documents)).then(|| all.to_vec())
}

/// Returns the names of the requested facts and lists; states and modes have separate files.
fn parts(names: &[String]) -> Result<Vec<String>, Failure> {
    let mut known = documents::dialects(".facts")?;
    // Tables and lists without a document are compared with their accepted form.
    for name in documents::dialects(".accepted")?.into_iter().chain(documents::lists()?) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let mut parts = Vec::new();
    for name in names {
        match name.rsplit_once('.') {
            Some((stem, "states")) => parts.push(stem.to_owned()),
            Some((stem, "modes")) => parts.push(format!("{stem}-modes")),
            _ => {
                parts.push(name.clone());
                let (modes, lists) = (format!("{name}-modes"), format!("{name}."));
                let more = known.iter().filter(|one| **one == modes || one.starts_with(&lists));
                parts.extend(more.cloned());
            }
        }
    }
    Ok(if names.is_empty() { known } else { parts })
}

fn arguments(mut parser: lexopt::Parser) -> Result<Options, Failure> {
    let mut options = Options { format: "text".to_owned(), ..Options::default() };
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        match arg {
            Arg::Value(name) if options.names.len() < 2 => {
                options.names.push(name.to_string_lossy().into_owned())
            }
            Arg::Long("document") => {
                options.document =
                    Some(PathBuf::from(parser.value().map_err(|error| error.to_string())?));
            }
            Arg::Long("format") => {
                options.format = parser
                    .value()
                    .map_err(|error| error.to_string())?
                    .to_string_lossy()
                    .into_owned();
                if !matches!(&options.format[..], "text" | "json" | "html") {
                    return Err(format!(
                        "no format: {}; there are text, json and html",
                        options.format
                    ));
                }
            }
            Arg::Long("write") => options.write = true,
            Arg::Long("remark") => options.remark = Some(step::number(&mut parser, "remark")?),
            Arg::Long("accept") => options.accept = true,
            Arg::Long("all") => options.all = true,
            Arg::Long("inputs") => options.inputs = true,
            other => return Err(other.unexpected().to_string()),
        }
    }
    if options.document.is_some() && options.names.len() != 1 {
        return Err("--document belongs to one dialect".to_owned());
    }
    Ok(options)
}

/// Compares the table of a dialect with its document, or a list with its accepted form.
fn document(dialect: &str, options: &Options) -> Result<Compared, Failure> {
    if documents::lists()?.iter().any(|name| name == dialect) {
        return list(dialect, options.accept);
    }
    let Ok(profile) = documents::profile(dialect) else { return pinned(dialect, options.accept) };
    let text = options.document.clone().or_else(|| documents::at_hand(&profile));
    if options.write {
        let file = text.as_ref().ok_or("--write needs the document: --document FILE")?;
        documents::write(dialect, &documents::text(dialect, file, &profile)?.facts.text)?;
    }
    let committed = documents::facts(dialect)?;
    let (facts, words) = match &text {
        Some(file) => {
            let documents::Text { facts, words } = documents::text(dialect, file, &profile)?;
            (facts, words)
        }
        None => (documents::facts(dialect)?, BTreeMap::new()),
    };
    let left = Side {
        name: format!("{dialect}, the document"),
        source: Source::new(format!("spec/documents/{dialect}.facts"), facts.text.clone()),
        table: facts.table.clone(),
        facts: None,
    };
    let right = machine(dialect)?;
    let [one, other] = [&left.table, &right.table].map(Index::new);
    let mut comparison = compare::compare(&one, &other);
    comparison.set_aside(&|difference| facts.is_unread(&one, difference));
    comparison.differences.extend(compare::compare_names(&facts.names, &right.table, &beside));
    let mut witnesses = Vec::new();
    if options.inputs || comparison.undeclared().any(|one| !one.state.is_empty()) {
        let is_wanted = |one: &compare::Difference| options.inputs || one.notes.is_empty();
        let time = if options.inputs { LONG_SEARCH } else { SEARCH };
        let completed = facts.completed(&right.table);
        let machines = [(&facts.text, &completed), (&right.source.text, &right.table)]
            .map(|(text, table)| inputs::machine(dialect, text, table));
        if let [Some(mine), Some(yours)] = machines {
            let machines = [inputs::beside_document(mine, &yours), yours];
            let all = &comparison.differences;
            witnesses = inputs::inputs(machines.each_ref(), [&one, &other], all, &is_wanted, time);
        }
    }
    let entries = accepted::entries(&one, &other, &comparison, &beside);
    let rests_on = facts.rests_on(&right.source.text).into_iter();
    let rests_on = rests_on.map(|(at, number)| {
        (Span { start: at as u32, end: at as u32, ..Span::default() }, number.to_owned())
    });
    let rests_on = rests_on.collect();
    let mut compared = Compared::new(left, right, comparison);
    (compared.witnesses, compared.words, compared.rests_on) = (witnesses, words, rests_on);
    compared.hold(dialect, options.accept, &entries)?;
    if text.is_some() {
        let (gone, worded) = wording::difference(&committed.wording, &facts.wording);
        (compared.gone, compared.worded) = (owned(&gone), owned(&worded));
        compared.laid_out = owned(&wording::difference(&committed.layout, &facts.layout).1);
        compared.left_out = owned(&wording::difference(&committed.left_out, &facts.left_out).1);
        let others = [&compared.gone, &compared.worded, &compared.laid_out, &compared.left_out];
        compared.facts_differ =
            others.iter().all(|all| all.is_empty()) && committed.text != facts.text;
    }
    compared.text = text;
    compared.left.facts = Some(facts);
    Ok(compared)
}

/// Adds the unread sentences of a line to the remarks. Returns whether there are any.
fn remark(dialect: &str, options: &Options, line: usize) -> Outcome {
    let Ok(profile) = documents::profile(dialect) else { return Ok(false) };
    let text = options.document.clone().or_else(|| documents::at_hand(&profile));
    let file = text.ok_or("--remark needs the document: --document FILE")?;
    let Reading { sentences, .. } = documents::reading(&file, &profile)?;
    let mut unread =
        sentences.iter().filter(|one| one.read == Read::Unread && one.line == line).peekable();
    if unread.peek().is_none() {
        step::say(&format!("{dialect}: no sentence of line {line} is unread\n"));
        return Ok(false);
    }
    for one in unread {
        documents::remark(dialect, one.hash)?;
        step::say(&format!("{dialect}: remarks: {:08x}: {}\n", one.hash, one.words));
    }
    Ok(true)
}

/// Compares the table of a dialect without a document with its accepted form.
fn pinned(dialect: &str, accept: bool) -> Result<Compared, Failure> {
    let text = format!("machine! {{ name {dialect}; }}");
    let (left, right) = (nothing(dialect, text)?, machine(dialect)?);
    let [one, other] = [&left.table, &right.table].map(Index::new);
    let entries = accepted::entries(&one, &other, &Comparison::default(), &beside);
    let mut compared = Compared::new(left, right, Comparison::default());
    compared.hold(dialect, accept, &entries)?;
    Ok(compared)
}

/// Compares a list that is not a table with its accepted form.
fn list(name: &str, accept: bool) -> Result<Compared, Failure> {
    let path = format!("spec/tables/{name}");
    let text = beside(name).ok_or_else(|| format!("cannot read {path}"))?;
    let entries = lists::entries(&text).map_err(|message| format!("{path}: {message}"))?;
    let empty = "machine! { }";
    let mut right = nothing(name, empty.to_owned())?;
    (right.name, right.source) = (name.to_owned(), Source::new(path, text));
    let mut compared =
        Compared::new(nothing(name, empty.to_owned())?, right, Comparison::default());
    compared.hold(name, accept, &entries)?;
    Ok(compared)
}

/// Returns a side that consists of this text, in place of a missing document.
fn nothing(name: &str, text: String) -> Result<Side, Failure> {
    let table = tabulex_language::parse::file(&text).0.ok_or("the empty table is not a table")?;
    let source = Source::new(String::new(), text);
    let name = format!("{name}, whose document is not present");
    Ok(Side { name, source, table, facts: None })
}

fn owned(sentences: &[&HashedSentence]) -> Vec<HashedSentence> {
    sentences.iter().map(|&said| said.clone()).collect()
}

/// Reads a file in the folder of tables.
fn beside(name: &str) -> Option<String> {
    std::fs::read_to_string(root::root().join("spec/tables").join(name)).ok()
}

impl Compared {
    /// Compares the entries with the accepted ones, or accepts them.
    fn hold(&mut self, dialect: &str, accept: bool, entries: &[Entry]) -> Result<(), Failure> {
        if accept {
            documents::accept(dialect, &accepted::write(dialect, entries))?;
        }
        self.accepted = entries.len();
        self.changed = accepted::changed(&documents::accepted(dialect), entries);
        Ok(())
    }
}

/// Returns the table of a dialect.
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
        table.ok_or_else(|| format!("{} is not a table; see `cargo xtask check`", source.path))?;
    Ok(Side { name: dialect.clone(), source, table, facts: None })
}
