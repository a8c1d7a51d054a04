//! Compares tables with their documents, and the differences with the accepted ones.

use super::inputs::{self, Witness};
use super::project::{Project, Text};
use super::report;
use crate::arguments::{Arguments, parse_number};
use crate::home::Home;
use crate::{Failure, Outcome};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use tabulex_documents::compare::accepted::{self, ChangedEntry, Entry};
use tabulex_documents::compare::{self, Comparison, Index, lists};
use tabulex_documents::document::facts::Facts;
use tabulex_documents::document::wording::{self, HashedSentence};
use tabulex_documents::document::{Profile, Read, Reading};
use tabulex_language::Source;
use tabulex_language::nearest;
use tabulex_language::syntax::{Item, Span, Table};

/// Time limit of the search for inputs that show undeclared differences.
const SEARCH: Duration = Duration::from_millis(300);

/// Time limit of the search for inputs that show all differences (`--inputs`).
const LONG_SEARCH: Duration = Duration::from_secs(20);

/// Arguments of the command `diff`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Dialects, files of tables, or lists.
    pub names: Vec<String>,
    /// The document to read.
    pub document: Option<PathBuf>,
    /// Whether to write the facts, and the profile if there is none.
    pub write: bool,
    /// Whether to record all current entries as accepted.
    pub accept: bool,
    /// Line of the document; its unread sentences become remarks.
    pub remark: Option<usize>,
    /// Line of the document, and the steps that its unread sentences stand for.
    pub gloss: Option<(usize, String)>,
    /// Whether to also show declared differences, and all consequences of each cause.
    pub all: bool,
    /// Whether to search for inputs that show declared differences, too.
    pub inputs: bool,
    /// The format of the report: `text` or `json`.
    pub format: &'static str,
}

/// A side of a comparison: a table, or a document's facts as a table.
#[derive(Debug)]
pub struct Side {
    pub(super) name: String,
    /// The text of the table.
    pub source: Source,
    /// The table.
    pub table: Table,
    pub(super) facts: Option<Facts>,
}

/// The result of a comparison, with both sides.
#[derive(Debug)]
pub struct Compared {
    pub(super) left: Side,
    pub(super) right: Side,
    pub(super) comparison: Comparison,
    /// For each difference, the shortest input that shows it, if one was found.
    pub(super) witnesses: Vec<Option<Witness>>,
    /// Number of entries that were compared with the accepted ones.
    pub(super) entries: usize,
    /// Entries that differ from their accepted form.
    pub(super) changed: Vec<ChangedEntry>,
    /// The file of the document that was read, if one was found.
    pub(super) text: Option<PathBuf>,
    /// Sentences of the document, by hash.
    pub(super) words: BTreeMap<u32, String>,
    /// Sentences of the document that are not in the committed facts.
    pub(super) added: Vec<HashedSentence>,
    /// Sentences of the committed facts that are not in the document.
    pub(super) removed: Vec<HashedSentence>,
    /// Sections whose markup differs from the committed facts.
    pub(super) laid_out: Vec<HashedSentence>,
    /// Sections that no reader reads, with a text that differs from the committed facts.
    pub(super) left_out: Vec<HashedSentence>,
    /// Whether the committed facts differ from the ones just read, although all sentences are equal.
    pub(super) facts_differ: bool,
    /// Numbers of sections that no reader reads but a note of the table cites, each after the note's span.
    pub(super) cited_unread: Vec<(Span, String)>,
}

impl Compared {
    fn new(left: Side, right: Side, comparison: Comparison) -> Self {
        Self {
            left,
            right,
            comparison,
            witnesses: Vec::new(),
            entries: 0,
            changed: Vec::new(),
            text: None,
            words: BTreeMap::new(),
            added: Vec::new(),
            removed: Vec::new(),
            laid_out: Vec::new(),
            left_out: Vec::new(),
            facts_differ: false,
            cited_unread: Vec::new(),
        }
    }

    /// Whether the comparison has nothing to report.
    pub fn is_clean(&self) -> bool {
        let facts = self.left.facts.as_ref();
        let others = [&self.added, &self.removed, &self.laid_out, &self.left_out];
        self.comparison.undeclared().next().is_none()
            && self.comparison.not_compared.is_empty()
            && self.comparison.stale.is_empty()
            && self.changed.is_empty()
            && self.cited_unread.is_empty()
            && others.iter().all(|all| all.is_empty())
            && !self.facts_differ
            && facts.is_none_or(|facts| facts.unread.is_empty() && facts.stale_errata.is_empty())
    }
}

/// Compares tables with their documents and prints a report. Returns whether all comparisons are clean.
///
/// # Errors
///
/// Returns a message if a file cannot be read or written.
pub fn run(home: &Home, project: &Project, options: &Options) -> Outcome {
    let parts = parts(project, &options.names)?;
    if options.remark.is_some() || options.gloss.is_some() {
        let explain =
            |done, dialect: &String| Ok(record_sentences(home, project, dialect, options)? || done);
        if !parts.iter().any(|dialect| project.has_profile(dialect)) {
            let names = parts.join("`, `");
            return Err(format!(
                "`{names}` has no profile yet; `--document FILE --write` writes one"
            ));
        }
        return parts.iter().try_fold(false, explain);
    }
    let all: Result<Vec<Compared>, Failure> =
        parts.iter().map(|dialect| compare_document(home, project, dialect, options)).collect();
    let all = all?;
    home.print(&match options.format {
        "json" => report::json(&all)?,
        _ => all.iter().map(|one| report::text(project, one, options.all)).collect(),
    });
    Ok(all.iter().all(Compared::is_clean))
}

/// Returns the names of the facts and lists that `names` request, or all. A dialect includes its modes and lists.
pub fn parts(project: &Project, names: &[String]) -> Result<Vec<String>, Failure> {
    let mut known = project.dialects(".facts")?;
    // Tables and lists without a document have no facts; they are compared only with their accepted form.
    for name in project.dialects(".accepted")?.into_iter().chain(project.lists()?) {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let mut requested = Vec::new();
    for name in names {
        match name.rsplit_once('.') {
            Some((stem, "states")) => requested.push(stem.to_owned()),
            Some((stem, "modes")) => requested.push(format!("{stem}-modes")),
            _ => {
                requested.push(name.clone());
                let (modes, lists) = (format!("{name}-modes"), format!("{name}."));
                let more = known.iter().filter(|one| **one == modes || one.starts_with(&lists));
                requested.extend(more.cloned());
            }
        }
    }
    Ok(if names.is_empty() { known } else { requested })
}

impl Options {
    /// Parses the arguments of the command.
    ///
    /// # Errors
    ///
    /// Returns a message if an argument is invalid.
    pub fn parse(arguments: Vec<OsString>) -> Result<Self, Failure> {
        let options = [
            "document FILE",
            "write",
            "accept",
            "remark LINE",
            "gloss LINE STEPS",
            "all",
            "inputs",
            "format F",
        ];
        let arguments = Arguments::parse(arguments, &options, usize::MAX)?;
        let gloss: Vec<String> = arguments.all("gloss").collect();
        let gloss = match &gloss[..] {
            [line, steps] => Some((parse_number("gloss", line)?, steps.clone())),
            _ => None,
        };
        Ok(Self {
            document: arguments.path("document"),
            write: arguments.has("write"),
            accept: arguments.has("accept"),
            remark: arguments.number("remark")?,
            gloss,
            all: arguments.has("all"),
            inputs: arguments.has("inputs"),
            format: arguments.format(&["text", "json"])?,
            names: arguments.values,
        })
    }
}

/// Compares the table of a dialect with its document, and a list or a table without a document with its accepted form.
fn compare_document(
    home: &Home,
    project: &Project,
    dialect: &str,
    options: &Options,
) -> Result<Compared, Failure> {
    if project.lists()?.iter().any(|name| name == dialect) {
        return compare_list(project, dialect, options.accept);
    }
    let profile = match &options.document {
        _ if project.has_profile(dialect) => project.profile(dialect)?,
        None => return compare_accepted(project, dialect, options.accept),
        Some(file) => draft_profile(home, project, dialect, file, options.write)?,
    };
    let text = options.document.clone().or_else(|| project.find_document(&profile));
    if options.write {
        let file = text.as_ref().ok_or("`--write` needs the document: add `--document FILE`")?;
        project.write_facts(dialect, &project.text(dialect, file, &profile)?.facts.text)?;
    }
    let committed = project.facts(dialect);
    let (facts, words) = match &text {
        Some(file) => {
            let Text { facts, words } = project.text(dialect, file, &profile)?;
            (facts, words)
        }
        None => (project.facts(dialect)?, BTreeMap::new()),
    };
    let left = Side {
        name: format!("{dialect}, the document"),
        source: Source::new(format!("spec/documents/{dialect}.facts"), facts.text.clone()),
        table: facts.table.clone(),
        facts: None,
    };
    let right = project.machine(dialect)?;
    let beside = |name: &str| project.read_table(name);
    let [one, other] = [&left.table, &right.table].map(Index::new);
    let mut comparison = compare::compare(&one, &other);
    comparison.exclude_unread(&|difference| facts.is_unread(&one, difference));
    comparison.differences.extend(compare::compare_names(&facts.names, &right.table, &beside));
    let mut witnesses = Vec::new();
    if options.inputs || comparison.undeclared().any(|one| !one.state.is_empty()) {
        let is_wanted = |one: &compare::Difference| options.inputs || one.notes.is_empty();
        let time = if options.inputs { LONG_SEARCH } else { SEARCH };
        let completed = facts.completed(&right.table);
        let machines = [(&facts.text, &completed), (&right.source.text, &right.table)]
            .map(|(text, table)| inputs::machine(project, dialect, text, table));
        if let [Some(mine), Some(yours)] = machines {
            let machines = [inputs::with_preprocessing_of(mine, &yours), yours];
            let all = &comparison.differences;
            let machines = machines.each_ref();
            witnesses = inputs::inputs(project, machines, [&one, &other], all, &is_wanted, time);
        }
    }
    let entries = accepted::entries(&one, &other, &comparison, &beside);
    let cited_unread = facts.cited_unread_sections(&right.source.text).into_iter();
    let cited_unread = cited_unread.map(|(at, number)| {
        (Span { start: at as u32, end: at as u32, ..Span::default() }, number.to_owned())
    });
    let cited_unread = cited_unread.collect();
    let mut compared = Compared::new(left, right, comparison);
    (compared.witnesses, compared.words, compared.cited_unread) = (witnesses, words, cited_unread);
    compared.check_accepted(project, dialect, options.accept, &entries)?;
    if let (Some(_), Ok(committed)) = (&text, committed) {
        let (removed, added) = wording::difference(&committed.wording, &facts.wording);
        (compared.removed, compared.added) = (clone_sentences(&removed), clone_sentences(&added));
        compared.laid_out =
            clone_sentences(&wording::difference(&committed.layout, &facts.layout).1);
        compared.left_out =
            clone_sentences(&wording::difference(&committed.left_out, &facts.left_out).1);
        let others = [&compared.removed, &compared.added, &compared.laid_out, &compared.left_out];
        compared.facts_differ =
            others.iter().all(|all| all.is_empty()) && committed.text != facts.text;
    }
    compared.text = text;
    compared.left.facts = Some(facts);
    Ok(compared)
}

/// Creates the first profile of a document, with its name, title and form. Writes it if `write`, else prints the next
/// steps for the user.
fn draft_profile(
    home: &Home,
    project: &Project,
    dialect: &str,
    file: &std::path::Path,
    write: bool,
) -> Result<Profile, Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let machine = project.machine(dialect)?;
    let title = machine.table.items.iter().find_map(|item| match item {
        Item::Document(title, _) => Some(&title.value[..]),
        _ => None,
    });
    let title = title.unwrap_or(&name);
    let form = match file.extension().and_then(|extension| extension.to_str()) {
        Some("html" | "htm") => "html",
        Some("md") => "markdown",
        _ => "text",
    };
    let granted = used_declarations(&machine);
    let granted: String = granted.iter().map(|one| format!("granted: {one}\n")).collect();
    let text = format!("dialect: {dialect}\ntitle: {title}\nfile: {name}\nform: {form}\n{granted}");
    let draft = Profile::parse(&text)?;
    if write {
        project.write_profile(dialect, &text)?;
    } else {
        let profile = home.display_path(&project.folder.join(format!("{dialect}.profile")));
        let next = [
            format!("{profile} does not exist: the whole document is read, as {form}"),
            "`--write` writes the profile, and the facts of the document".to_owned(),
            format!("in the profile, {}", bounds_of_states(&project.read_document(file, &draft)?)),
            "`--remark LINE`: the unread sentences of the line have no effect on the machine"
                .to_owned(),
            "`--gloss LINE \"STEPS\"`: the unread sentences of the line stand for these steps"
                .to_owned(),
            "`--accept` records the declared differences".to_owned(),
        ];
        home.print(&next.map(|line| format!("next: {line}\n")).concat());
    }
    Ok(draft)
}

/// Returns the declarations of kinds of tokens, flags and counters, which a document uses without declaring them.
pub(super) fn used_declarations(side: &Side) -> Vec<String> {
    let declared = |item: &Item| {
        let (Item::Token { name, .. } | Item::Flag { name, .. } | Item::Counter { name, .. }) =
            item
        else {
            return None;
        };
        let text = &side.source.text;
        let begin = text[..name.span.start as usize].rfind(['\n', ';', '{', '}'])? + 1;
        let length = text[begin..].find([';', '}'])? + 1;
        let words: Vec<&str> = text[begin..begin + length].split_whitespace().collect();
        Some(words.join(" "))
    };
    side.table.items.iter().filter_map(declared).collect()
}

/// Says which lines of a profile limit the reading to the sections from the first to the last state.
fn bounds_of_states(reading: &Reading) -> String {
    let heading_at = |line: usize| reading.wording.iter().position(|one| one.line == line);
    let place = |at: usize| reading.wording.get(at).map(|one| &one.place[..]);
    let [first, last] = [reading.states.first(), reading.states.last()]
        .map(|state| heading_at(state.map_or(0, |state| state.line)));
    let (Some(first), Some(last)) = (first, last) else {
        return "`from:` and `to:` name the headings between which the states are".to_owned();
    };
    let after = reading.wording[last..].iter().find(|one| Some(&one.place[..]) != place(last));
    let from = place(first).unwrap_or_default();
    match after {
        Some(after) => {
            format!("`from: {from}` and `to: {}` limit the reading to the states", after.place)
        }
        None => format!("`from: {from}` limits the reading to the states"),
    }
}

/// Adds the unread sentences of a line to the profile as remarks or glosses, and writes the facts. Returns whether the
/// line has unread sentences.
fn record_sentences(home: &Home, project: &Project, dialect: &str, options: &Options) -> Outcome {
    if !project.has_profile(dialect) {
        return Ok(false);
    }
    let profile = project.profile(dialect)?;
    let text = options.document.clone().or_else(|| project.find_document(&profile));
    let file = text.ok_or("the document was not found: add `--document FILE`")?;
    let Reading { sentences, .. } = project.read_document(&file, &profile)?;
    let line = options.remark.or(options.gloss.as_ref().map(|(line, _)| *line));
    let mut unread = sentences
        .iter()
        .filter(|one| one.read == Read::Unread && Some(one.line) == line)
        .peekable();
    if unread.peek().is_none() {
        let line = line.unwrap_or_default();
        home.print(&format!("{dialect}: line {line} has no unread sentence\n"));
        return Ok(false);
    }
    for one in unread {
        let word = match &options.gloss {
            Some((_, steps)) => {
                project.gloss(dialect, one.hash, steps)?;
                "gloss"
            }
            None => {
                project.remark(dialect, one.hash)?;
                "remarks"
            }
        };
        home.print(&format!("{dialect}: {word}: {:08x}: {}\n", one.hash, one.words));
    }
    let profile = project.profile(dialect)?;
    project.write_facts(dialect, &project.text(dialect, &file, &profile)?.facts.text)?;
    Ok(true)
}

/// Compares a table without a document with its accepted form.
fn compare_accepted(project: &Project, dialect: &str, accept: bool) -> Result<Compared, Failure> {
    let text = format!("machine! {{ name {dialect}; }}");
    let (left, right) = (empty_side(dialect, text)?, project.machine(dialect)?);
    let beside = |name: &str| project.read_table(name);
    let [one, other] = [&left.table, &right.table].map(Index::new);
    let entries = accepted::entries(&one, &other, &Comparison::default(), &beside);
    let mut compared = Compared::new(left, right, Comparison::default());
    compared.check_accepted(project, dialect, accept, &entries)?;
    Ok(compared)
}

/// Compares a list that is not a table with its accepted form.
fn compare_list(project: &Project, name: &str, accept: bool) -> Result<Compared, Failure> {
    let path = project.home.display_path(&project.tables.join(name));
    let text = project.read_table(name).ok_or_else(|| format!("cannot read `{path}`"))?;
    let entries = lists::entries(&text).map_err(|message| format!("{path}: {message}"))?;
    let empty = "machine! { }";
    let mut right = empty_side(name, empty.to_owned())?;
    (right.name, right.source) = (name.to_owned(), Source::new(path, text));
    let mut compared =
        Compared::new(empty_side(name, empty.to_owned())?, right, Comparison::default());
    compared.check_accepted(project, name, accept, &entries)?;
    Ok(compared)
}

/// Parses the side that stands for a missing document: a table without states.
pub fn empty_side(name: &str, text: String) -> Result<Side, Failure> {
    let table = tabulex_language::parse::file(&text).0.ok_or("the empty table is not a table")?;
    let source = Source::new(String::new(), text);
    let name = format!("the accepted form of {name}");
    Ok(Side { name, source, table, facts: None })
}

fn clone_sentences(sentences: &[&HashedSentence]) -> Vec<HashedSentence> {
    sentences.iter().map(|&sentence| sentence.clone()).collect()
}

impl Compared {
    /// Compares the entries with the accepted ones, after recording them as accepted if `accept`.
    fn check_accepted(
        &mut self,
        project: &Project,
        dialect: &str,
        accept: bool,
        entries: &[Entry],
    ) -> Result<(), Failure> {
        if accept {
            project.accept(dialect, &accepted::write(dialect, entries))?;
        }
        self.entries = entries.len();
        self.changed = accepted::changed_entries(&project.accepted(dialect), entries);
        Ok(())
    }
}

impl Project {
    /// Returns the table of a dialect, or of a file of states or modes.
    ///
    /// # Errors
    ///
    /// Returns a message if there is no such table.
    pub fn machine(&self, name: &str) -> Result<Side, Failure> {
        let dialect = &match name.rsplit_once('.') {
            Some((stem, "modes")) => format!("{stem}-modes"),
            Some((stem, "states")) => stem.to_owned(),
            _ => name.to_owned(),
        };
        let named = self.profile(dialect).ok().and_then(|profile| profile.table);
        let file = named.unwrap_or_else(|| format!("{dialect}.states"));
        let path = self.tables.join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let dialects = self.home.dialects();
            let names: Vec<&str> = dialects.iter().map(String::as_str).collect();
            let near = nearest(dialect, &names).unwrap_or_default();
            format!("no table of `{dialect}` ({error}): {near} dialects: {}", names.join(", "))
        })?;
        let (table, _) = tabulex_language::parse::file(&text);
        let source = Source::new(self.home.display_path(&path), text);
        let program = self.home.program;
        let table = table
            .ok_or_else(|| format!("`{}` is not a table; see `{program} check`", source.path))?;
        Ok(Side { name: dialect.clone(), source, table, facts: None })
    }
}
