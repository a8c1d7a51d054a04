//! Compares tables with their documents, and the differences with the accepted ones.

use super::inputs::{self, Witness};
use super::project::{Project, Text};
use super::report;
use crate::arguments::{Arguments, parse_number};
use crate::home::Home;
use crate::{Failure, Outcome};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use tabulex_documents::compare::accepted::{self, ChangedEntry, Entry};
use tabulex_documents::compare::{self, Comparison, Index, lists};
use tabulex_documents::document::facts::Facts;
use tabulex_documents::document::wording::{self, HashedSentence};
use tabulex_documents::document::{
    Profile, Read, Reading, Sentence, disagreements, mistake_in_gloss, unmatched_in_gloss,
};
use tabulex_language::Source;
use tabulex_language::counted;
use tabulex_language::nearest;
use tabulex_language::syntax::{Item, ItemBody, Span, Table};

/// Time limit of the search for inputs that show undeclared differences.
const SEARCH_TIME: Duration = Duration::from_secs(2);

/// Time limit of the search for inputs that show all differences (`--inputs`).
const LONG_SEARCH_TIME: Duration = Duration::from_secs(20);

/// Time limit of the search for inputs on which two texts of a document differ.
const HISTORY_SEARCH_TIME: Duration = Duration::from_secs(60);

/// Arguments of the command `diff`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of what to compare: dialects, files of tables, or lists. If empty, all are compared.
    pub names: Vec<String>,
    /// The document to read; if `None`, the one that the profile names.
    pub document: Option<PathBuf>,
    /// Whether to write the facts, and the profile if there is none.
    pub write: bool,
    /// Whether to record all current entries as accepted.
    pub accept: bool,
    /// Sentences of the document to record, each as standing for these steps or, without steps, as a remark.
    pub records: Vec<(SentencePlace, Option<String>)>,
    /// Whether remarks and glosses apply only in the section of their line.
    pub here: bool,
    /// Whether to also show declared differences, and all consequences of each cause.
    pub all: bool,
    /// Whether to also search for inputs that show declared differences.
    pub inputs: bool,
    /// The format of the report: `text` or `json`.
    pub format: &'static str,
}

/// The place of one or more sentences in a document: `LINE`, or `LINE:NUMBER` for one of several sentences of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentencePlace {
    line: usize,
    /// Number of the sentence among those of the line, from 1.
    number: Option<usize>,
}

impl SentencePlace {
    fn parse(option: &str, text: &str) -> Result<Self, Failure> {
        let (line, number) = match text.split_once(':') {
            Some((line, number)) => (line, Some(parse_number(option, number)?)),
            None => (text, None),
        };
        Ok(Self { line: parse_number(option, line)?, number })
    }

    /// Returns the sentences of the place. Without a number, these are the line's unread sentences or, for a gloss, its
    /// only sentence.
    fn sentences(self, reading: &Reading, is_gloss: bool) -> Result<Vec<Sentence>, Failure> {
        let line = self.line;
        let of_line = reading.sentences.iter().filter(|one| one.line == line);
        let mut all: Vec<Sentence> = of_line.cloned().collect();
        all.dedup_by_key(|one| one.hash);
        let unread = || all.iter().filter(|one| one.read == Read::Unread).cloned();
        let chosen: Vec<Sentence> = match self.number {
            Some(number) => all.get(number.wrapping_sub(1)).into_iter().cloned().collect(),
            None if is_gloss && all.len() == 1 => all.clone(),
            None if !is_gloss || unread().count() == 1 => unread().collect(),
            None => Vec::new(),
        };
        let may_be_empty = all.is_empty() || self.number.is_none() && !is_gloss;
        if !chosen.is_empty() || may_be_empty {
            return Ok(chosen);
        }
        let description = |(at, one): (usize, &Sentence)| {
            let unread = if one.read == Read::Unread { " (unread)" } else { "" };
            format!("\n  {line}:{}{unread} “{}”", at + 1, one.words)
        };
        let sentences: String = all.iter().enumerate().map(description).collect();
        let option = if is_gloss { "gloss" } else { "remark" };
        Err(format!(
            "line {line} has {}; `--{option} {line}:NUMBER` chooses one:{sentences}",
            counted(all.len(), "sentence")
        ))
    }
}

/// A side of a comparison: a table, or a document's facts as a table.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// Name of the table or list, or date of one of several texts of a document; empty for a single text.
    pub(super) name: String,
    /// Text of the table, with its path.
    pub source: Source,
    /// The parsed table.
    pub table: Table,
    pub(super) facts: Option<Facts>,
}

/// The result of a comparison, with both sides.
#[derive(Debug, Default)]
pub(super) struct Compared {
    pub(super) left: Side,
    pub(super) right: Side,
    pub(super) comparison: Comparison,
    /// For each difference, the shortest input that shows it, if one was found.
    pub(super) witnesses: Vec<Option<Witness>>,
    /// Number of entries that were compared with the accepted ones.
    pub(super) entry_count: usize,
    /// Entries that differ from their accepted form.
    pub(super) changed_entries: Vec<ChangedEntry>,
    /// Path of the document that was read, or `None` if the document was not found.
    pub(super) document: Option<PathBuf>,
    /// Sentences of the document, by hash.
    pub(super) sentences: BTreeMap<u32, String>,
    /// Sentences of the document that are not in the committed facts.
    pub(super) added: Vec<HashedSentence>,
    /// Sentences of the committed facts that are not in the document.
    pub(super) removed: Vec<HashedSentence>,
    /// Sections whose markup differs from the committed facts.
    pub(super) changed_markup: Vec<HashedSentence>,
    /// Sections that no reader reads, and whose text differs from the committed facts.
    pub(super) changed_unread: Vec<HashedSentence>,
    /// Whether the committed facts differ from the ones just read.
    pub(super) facts_differ: bool,
    /// Numbers of sections that no reader reads but a note of the table cites, each after the note's span.
    pub(super) cited_unread: Vec<(Span, String)>,
}

impl Side {
    /// Creates a side from the facts of a text with this date.
    pub fn of_text(date: String, facts: Facts) -> Self {
        let source = Source::new(date.clone(), facts.text.clone());
        Self { name: date, source, table: facts.table.clone(), facts: Some(facts) }
    }

    /// Whether all sentences of the document are read.
    pub fn is_read(&self) -> bool {
        self.facts.as_ref().is_none_or(|facts| facts.unread.is_empty())
    }

    /// Returns the text of a span; empty if it is of another file.
    pub(super) fn text(&self, span: Span) -> &str {
        self.source.text.get(span.range()).unwrap_or_default()
    }
}

impl Compared {
    /// Whether nothing has been accepted yet, so that every entry is new.
    pub(super) fn is_first(&self) -> bool {
        self.changed_entries.len() == self.entry_count
            && self.changed_entries.iter().all(|one| one.before.is_empty())
    }

    /// Whether the comparison has nothing to report.
    pub(super) fn is_clean(&self) -> bool {
        let facts = self.left.facts.as_ref();
        self.comparison.undeclared().next().is_none()
            && self.comparison.not_compared.is_empty()
            && self.comparison.stale.is_empty()
            && self.changed_entries.is_empty()
            && self.cited_unread.is_empty()
            && !self.facts_differ
            && facts.is_none_or(|facts| facts.unread.is_empty() && facts.stale_errata.is_empty())
    }
}

/// Compares tables with their documents and prints a report. Returns whether all comparisons are clean. If the options
/// ask for it, instead records unread sentences in profiles, and returns whether all of the lines are read now.
///
/// # Errors
///
/// Returns a message if a file cannot be read or written.
pub fn run(home: &Home, project: &Project, options: &Options) -> Outcome {
    let names = parts(project, &options.names)?;
    let lines: BTreeSet<usize> = options.records.iter().map(|(place, _)| place.line).collect();
    if !lines.is_empty() {
        if !names.iter().any(|dialect| project.has_profile(dialect)) {
            let joined = names.join("`, `");
            return Err(format!(
                "`{joined}` has no profile yet; `--document FILE --write` writes one"
            ));
        }
        let (glosses, remarks): (Vec<_>, Vec<_>) =
            options.records.iter().partition(|(_, steps)| steps.is_some());
        let is_glossed = |(place, _): &&&(SentencePlace, Option<String>)| {
            glosses.iter().any(|(other, _)| other == place)
        };
        if let Some((place, _)) = remarks.iter().find(is_glossed) {
            return Err(format!("line {} has `--remark` and `--gloss`", place.line));
        }
        // A dialect and its modes have profiles of their own, each of which may lack some of the lines.
        let mut read_lines = BTreeSet::new();
        for dialect in names.iter().filter(|dialect| project.has_profile(dialect)) {
            read_lines.extend(record_sentences(home, project, dialect, options)?);
        }
        return Ok(read_lines == lines);
    }
    let comparisons: Result<Vec<Compared>, Failure> =
        names.iter().map(|dialect| compare_document(home, project, dialect, options)).collect();
    let comparisons = comparisons?;
    home.print(&match options.format {
        "json" => report::json(&comparisons)?,
        _ => report::text(project, &comparisons, options.all),
    });
    Ok(comparisons.iter().all(Compared::is_clean))
}

/// Compares two texts of a dialect's document, the earlier one first, and formats the changes. With `all`, also lists
/// sentences that were reworded without a change of facts; with `searches_inputs`, shows inputs on which the texts differ.
pub fn changes(
    project: &Project,
    dialect: &str,
    [left, right]: [&Side; 2],
    (all, searches_inputs): (bool, bool),
) -> String {
    let (Some(before), Some(after)) = (&left.facts, &right.facts) else { return String::new() };
    let [one, other] = [left, right].map(|side| Index::new(&side.table));
    let mut comparison = compare::compare(&one, &other);
    // If the row contains an unread sentence in either text, it is not known whether the row changed.
    comparison.exclude_unread(&|difference| {
        // `Facts::is_unread` examines the left row, so the sides are swapped for the later text.
        let swapped = compare::Difference { left_row: difference.right_row, ..difference.clone() };
        before.is_unread(&one, difference) || after.is_unread(&other, &swapped)
    });
    let mut witnesses = Vec::new();
    if searches_inputs && let Ok(Side { table, .. }) = project.machine(dialect) {
        witnesses = inputs::inputs(
            project,
            dialect,
            [(&before.text, &before.completed(&table)), (&after.text, &after.completed(&table))],
            [&one, &other],
            &comparison.differences,
            &|_| true,
            HISTORY_SEARCH_TIME,
        );
    }
    let added = wording::difference(&before.wording, &after.wording).1;
    let (left, right) = (left.clone(), right.clone());
    let compared = Compared { left, right, comparison, witnesses, added, ..Compared::default() };
    format!("{dialect}: {}", report::changes(&compared, all))
}

/// Returns the names of the facts, tables and lists that `names` request, or of all if `names` is empty. A dialect
/// includes its modes and lists.
pub fn parts(project: &Project, names: &[String]) -> Result<Vec<String>, Failure> {
    let mut known_names = project.dialects(".facts")?;
    // Tables and lists without a document have no facts; they are compared only with their accepted form.
    for name in project.dialects(".accepted")?.into_iter().chain(project.lists()?) {
        if !known_names.contains(&name) {
            known_names.push(name);
        }
    }
    let mut requested_names = Vec::new();
    for name in names {
        match name.rsplit_once('.') {
            Some((stem, "states")) => requested_names.push(stem.to_owned()),
            Some((stem, "modes")) => requested_names.push(format!("{stem}-modes")),
            _ => {
                requested_names.push(name.clone());
                let (modes, lists) = (format!("{name}-modes"), format!("{name}."));
                let included_names =
                    known_names.iter().filter(|one| **one == modes || one.starts_with(&lists));
                requested_names.extend(included_names.cloned());
            }
        }
    }
    Ok(if names.is_empty() { known_names } else { requested_names })
}

impl Options {
    /// Parses the arguments of the command `diff`.
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
            "here",
            "all",
            "inputs",
            "format F",
        ];
        let arguments = Arguments::parse(arguments, &options, usize::MAX)?;
        let remarks = arguments.all("remark");
        let remarks = remarks.map(|place| Ok((SentencePlace::parse("remark", &place)?, None)));
        let glosses: Vec<String> = arguments.all("gloss").collect();
        let glosses = glosses
            .chunks_exact(2)
            .map(|pair| Ok((SentencePlace::parse("gloss", &pair[0])?, Some(pair[1].clone()))));
        Ok(Self {
            document: arguments.path("document"),
            write: arguments.has("write"),
            accept: arguments.has("accept"),
            records: remarks.chain(glosses).collect::<Result<_, Failure>>()?,
            here: arguments.has("here"),
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
    let document = options.document.clone().or_else(|| project.find_document(&profile));
    if options.write {
        let file =
            document.as_ref().ok_or("`--write` needs the document: add `--document FILE`")?;
        project.write(dialect, "facts", &project.text(dialect, file, &profile)?.facts.text)?;
    }
    let committed_facts = project.facts(dialect);
    let (facts, sentences) = match &document {
        Some(file) => {
            let Text { facts, words } = project.text(dialect, file, &profile)?;
            (facts, words)
        }
        None => (project.facts(dialect)?, BTreeMap::new()),
    };
    let facts_path = home.display_path(&project.folder.join(format!("{dialect}.facts")));
    let left = Side {
        source: Source::new(facts_path, facts.text.clone()),
        table: facts.table.clone(),
        ..Side::default()
    };
    let right = project.machine(dialect)?;
    let read_table = |name: &str| project.read_table(name);
    let [one, other] = facts.prepared(&right.table);
    let mut comparison = compare::compare(&one, &other);
    comparison.exclude_unread(&|difference| facts.is_unread(&one, difference));
    comparison.differences.extend(compare::compare_names(&facts.names, &right.table, &read_table));
    let mut witnesses = Vec::new();
    if options.inputs || comparison.undeclared().any(|one| !one.state.is_empty()) {
        let is_wanted = |one: &compare::Difference| options.inputs || one.notes.is_empty();
        let time_limit = if options.inputs { LONG_SEARCH_TIME } else { SEARCH_TIME };
        witnesses = inputs::inputs(
            project,
            dialect,
            [(&facts.text, &facts.completed(&right.table)), (&right.source.text, &right.table)],
            [&one, &other],
            &comparison.differences,
            &is_wanted,
            time_limit,
        );
    }
    let entries = accepted::entries(&one, &other, &comparison, &read_table);
    let cited_unread = facts.cited_unread_sections(&right.source.text).into_iter();
    let cited_unread = cited_unread.map(|(at, number)| {
        (Span { start: at as u32, end: at as u32, ..Span::default() }, number.to_owned())
    });
    let cited_unread = cited_unread.collect();
    let mut compared = Compared {
        left,
        right,
        comparison,
        witnesses,
        sentences,
        cited_unread,
        ..Compared::default()
    };
    compared.check_accepted(project, dialect, options.accept, &entries)?;
    if let (Some(_), Ok(committed)) = (&document, committed_facts) {
        (compared.removed, compared.added) =
            wording::difference(&committed.wording, &facts.wording);
        compared.changed_markup = wording::difference(&committed.layout, &facts.layout).1;
        compared.changed_unread = wording::difference(&committed.left_out, &facts.left_out).1;
        compared.facts_differ = committed.text != facts.text;
    }
    compared.document = document;
    compared.left.facts = Some(facts);
    Ok(compared)
}

/// Creates the first profile of a document, with the document's name, title and form. Writes the profile if `write`,
/// else prints the next steps for the user.
fn draft_profile(
    home: &Home,
    project: &Project,
    dialect: &str,
    file: &std::path::Path,
    write: bool,
) -> Result<Profile, Failure> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let side = project.machine(dialect)?;
    let title = side.table.items.iter().find_map(|item| match &item.body {
        ItemBody::Document(title, _) => Some(&title.value[..]),
        _ => None,
    });
    let title = title.unwrap_or(&name);
    let form = match file.extension().and_then(|extension| extension.to_str()) {
        // Bikeshed's sources are HTML with abbreviations.
        Some("html" | "htm" | "bs") => "html",
        Some("md") => "markdown",
        _ => "text",
    };
    let granted_declarations = used_declarations(&side);
    let granted: String =
        granted_declarations.iter().map(|one| format!("granted: {one}\n")).collect();
    let text = format!("dialect: {dialect}\ntitle: {title}\nfile: {name}\nform: {form}\n{granted}");
    let draft = Profile::parse(&text)?;
    if write {
        project.write(dialect, "profile", &text)?;
    } else {
        let profile_path = home.display_path(&project.folder.join(format!("{dialect}.profile")));
        let next_steps = [
            format!("`{profile_path}` does not exist: the whole document is read, as {form}"),
            "`--write` writes the profile, and the facts of the document".to_owned(),
            format!("in the profile, {}", bounds_of_states(&project.read_document(file, &draft)?)),
            "in the profile, `granted: DECLARATION` adds what the document takes for granted, such as \
             `granted: class letter = 'a'..='z';`"
                .to_owned(),
            "`--remark LINE`: the unread sentences of the line have no effect on the machine"
                .to_owned(),
            "`--gloss LINE \"STEPS\"`: the unread sentence of the line stands for these steps"
                .to_owned(),
            "`--accept` records the declared differences".to_owned(),
        ];
        home.print(&next_steps.map(|line| format!("next: {line}\n")).concat());
    }
    Ok(draft)
}

/// Returns the source texts of a table's declarations of tokens, flags and counters, which a document uses without
/// declaring them.
pub(super) fn used_declarations(side: &Side) -> Vec<String> {
    let source_text = |item: &Item| {
        let words: Vec<&str> = side.source.text[item.span.range()].split_whitespace().collect();
        words.join(" ")
    };
    let items = side.table.items.iter();
    let used = items.filter(|item| ["token", "flag", "counter"].contains(&&item.kind[..]));
    used.map(source_text).collect()
}

/// Returns advice on which lines of a profile limit the reading to the sections from the first to the last state.
fn bounds_of_states(reading: &Reading) -> String {
    let index_of_line = |line: usize| reading.wording.iter().position(|one| one.line == line);
    let place_of = |at: usize| reading.wording.get(at).map(|one| &one.place[..]);
    let [first, last] = [reading.states.first(), reading.states.last()]
        .map(|state| index_of_line(state.map_or(0, |state| state.line)));
    let (Some(first), Some(last)) = (first, last) else {
        return "`from: HEADING` and `to: HEADING` limit the reading to the sections on states"
            .to_owned();
    };
    let next_section =
        reading.wording[last..].iter().find(|one| Some(&one.place[..]) != place_of(last));
    let from = place_of(first).unwrap_or_default();
    match next_section {
        Some(next) => {
            format!(
                "`from: {from}` and `to: {}` limit the reading to the sections on states",
                next.place
            )
        }
        None => format!("`from: {from}` limits the reading to the sections on states"),
    }
}

/// Adds sentences to the profile as remarks or glosses, and writes the facts. Returns the lines of those that are read
/// now.
fn record_sentences(
    home: &Home,
    project: &Project,
    dialect: &str,
    options: &Options,
) -> Result<BTreeSet<usize>, Failure> {
    let profile = project.profile(dialect)?;
    let document = options.document.clone().or_else(|| project.find_document(&profile));
    let file = document.ok_or("the document was not found: add `--document FILE`")?;
    let reading = project.read_document(&file, &profile)?;
    let table = project.machine(dialect)?.table;
    let names_of = |kinds: &'static [&str]| {
        let items = table.items.iter().filter(|item| kinds.contains(&&item.kind[..]));
        items.map(|item| &item.name.value[..])
    };
    let actions: Vec<&str> = names_of(&["steps", "action"]).collect();
    let states = names_of(&["state", "lexical-mode", "mode"]);
    let states: Vec<&str> = states.chain(reading.states.iter().map(|it| &it.name[..])).collect();
    let mut records: Vec<(Sentence, Option<&String>)> = Vec::new();
    for (place, steps) in &options.records {
        let sentences = place.sentences(&reading, steps.is_some())?;
        if sentences.is_empty() {
            home.print(&format!("{dialect}: line {} has no unread sentence\n", place.line));
        }
        records.extend(sentences.into_iter().map(|sentence| (sentence, steps.as_ref())));
    }
    for (sentence, steps) in &records {
        // Glosses of algorithms are not limited to the actions of the table, so only those of states are checked.
        let is_in_state = reading.states.iter().any(|state| {
            let is_number = sentence.place.split(' ').next() == Some(&state.section);
            is_number || sentence.place == state.section
        });
        let is_checked = |steps: &&String| is_in_state || steps.trim().is_empty();
        let mistake_in_state =
            || steps.filter(is_checked).and_then(|it| mistake_in_gloss(it, &actions, &states));
        let mistake = steps.and_then(|it| unmatched_in_gloss(it)).or_else(mistake_in_state);
        if let Some(mistake) = mistake {
            return Err(format!("the gloss of line {}: {mistake}", sentence.line));
        }
    }
    let mut lines: BTreeSet<usize> = records.iter().map(|(one, _)| one.line).collect();
    for (one, steps) in &records {
        let hash = if options.here { one.hash_in_section() } else { one.hash };
        project.record(dialect, hash, steps.map(|steps| &steps[..]))?;
        let key = if steps.is_some() { "gloss" } else { "remarks" };
        home.print(&format!("{dialect}: {key}: {hash:08x}: {}\n", one.words));
    }
    if records.is_empty() {
        return Ok(lines);
    }
    let profile = project.profile(dialect)?;
    project.write(dialect, "facts", &project.text(dialect, &file, &profile)?.facts.text)?;
    let reading = project.read_document(&file, &profile)?;
    let is_unread = |one: &&Sentence| {
        let is_recorded =
            |(other, _): &(Sentence, _)| (other.line, other.hash) == (one.line, one.hash);
        one.read == Read::Unread && records.iter().any(is_recorded)
    };
    for Sentence { line, words, .. } in reading.sentences.iter().filter(is_unread) {
        let mistakes = disagreements(words).join(", ");
        let cause = match &mistakes[..] {
            "" => {
                "its gloss refers to a token that no sentence creates, to a class that is not granted, or has steps \
                outside the states; `state NAME { ROWS }`, `declare`, `start`, `at-end` and `enters` have a meaning there"
            }
            mistakes => mistakes,
        };
        home.print(&format!("{dialect}: line {line} is still unread: {cause}\n"));
        lines.remove(line);
    }
    Ok(lines)
}

/// Compares a table without a document with its accepted form.
fn compare_accepted(project: &Project, dialect: &str, accept: bool) -> Result<Compared, Failure> {
    let (left, right) = (empty_table(dialect)?, project.machine(dialect)?);
    let read_table = |name: &str| project.read_table(name);
    let [one, other] = [&left, &right.table].map(Index::new);
    let entries = accepted::entries(&one, &other, &Comparison::default(), &read_table);
    let mut compared = Compared { right, ..Compared::default() };
    compared.check_accepted(project, dialect, accept, &entries)?;
    Ok(compared)
}

/// Compares a list that is not a table with its accepted form.
fn compare_list(project: &Project, name: &str, accept: bool) -> Result<Compared, Failure> {
    let path = project.home.display_path(&project.tables.join(name));
    let text = project.read_table(name).ok_or_else(|| format!("cannot read `{path}`"))?;
    let entries = lists::entries(&text).map_err(|message| format!("{path}: {message}"))?;
    let source = Source::new(path, text);
    let right = Side { name: name.to_owned(), source, ..Side::default() };
    let mut compared = Compared { right, ..Compared::default() };
    compared.check_accepted(project, name, accept, &entries)?;
    Ok(compared)
}

/// Returns the table that stands for a missing document: one without states.
pub fn empty_table(dialect: &str) -> Result<Table, Failure> {
    let text = format!("machine! {{ name {dialect}; }}");
    let table = tabulex_language::parse::file(&text).0;
    Ok(table.ok_or("cannot parse the table without states")?)
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
            project.write(dialect, "accepted", &accepted::write(dialect, entries))?;
        }
        self.entry_count = entries.len();
        self.changed_entries = accepted::changed_entries(&project.accepted(dialect), entries);
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
        let modes_file = self.profile(dialect).ok().and_then(|profile| profile.table);
        let file = modes_file.unwrap_or_else(|| format!("{dialect}.states"));
        let path = self.tables.join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let dialects = self.home.dialects();
            let names: Vec<&str> = dialects.iter().map(String::as_str).collect();
            let suggestion =
                nearest(dialect, &names).map_or(String::new(), |advice| format!(" {advice}"));
            format!(
                "`{dialect}` has no table ({error});{suggestion} dialects: `{}`",
                names.join("`, `")
            )
        })?;
        let (table, mistakes) = tabulex_language::parse::file(&text);
        let source = Source::new(self.home.display_path(&path), text);
        let table = table.ok_or_else(|| {
            let messages: Vec<String> = mistakes.iter().map(|one| one.render(&source)).collect();
            format!("`{}` is not a table\n{}", source.path, messages.join("\n").trim_end())
        })?;
        Ok(Side { name: dialect.clone(), source, table, facts: None })
    }
}
