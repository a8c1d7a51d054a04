//! Writes and parses facts: the reading of a document as a table in the table language, which can be run and compared.
//! After each row come the document's line and the hashes of its sentences; the sentences themselves are not included.

use super::sentence::{Read, Sentence};
use super::wording::{self, HashedSentence};
use super::{DocumentAlgorithm, DocumentRow, DocumentState, DocumentStep, Ledger, Reading};
use crate::compare::{Difference, Index};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use tabulex_language::syntax::{Item, ParsedState, Table};

/// Facts parsed from a file.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Text of the facts file.
    pub text: String,
    /// The facts as a table.
    pub table: Table,
    /// Summary of the ledger, as written in the file.
    pub summary: String,
    /// Unread sentences.
    pub unread: Vec<HashedSentence>,
    /// Names of classes that sentences use, but the profile does not grant.
    pub missing_classes: Vec<String>,
    /// Errata and glosses of the profile that matched no sentence.
    pub stale_errata: Vec<String>,
    /// Every sentence of the sections read.
    pub wording: Vec<HashedSentence>,
    /// Each section read, with the hash of its markup.
    pub layout: Vec<HashedSentence>,
    /// Sections without a reader, each with the hash of its text.
    pub left_out: Vec<HashedSentence>,
    /// Hash of the document's whole text, in hexadecimal.
    pub digest: String,
    /// Named character references: hashes of name and characters, with descriptions, which facts do not include.
    pub names: BTreeMap<u32, String>,
}

/// Prefix of information for the comparison, which the table language sees as a comment.
const MARK: &str = "//@ ";

/// Formats the header: the summary of the ledger, unread sentences, stale errata, glosses and remarks.
fn header(reading: &Reading) -> String {
    let (ledger, profile) = (Ledger::new(reading), &reading.profile);
    let mut text = format!(
        "// Facts of {1}, written by `cargo xtask diff {0} --document FILE --write`. Each row is followed by its line in the\n\
         // document and the hashes of its sentences; errors without a name are `unnamed`.\n{MARK}ledger {2}\n{MARK}text {3:08x}\n",
        profile.dialect, profile.file, ledger.summary, reading.text,
    );
    for line in wording::format_lines(&ledger.unread) {
        let _ = writeln!(text, "{MARK}unread {line}");
    }
    for name in &reading.missing_classes {
        let _ = writeln!(text, "{MARK}not granted {name}");
    }
    for &index in &ledger.stale_errata {
        let erratum = &profile.errata[index];
        let _ = writeln!(text, "{MARK}stale erratum {}: {}", erratum.place, erratum.instead_of);
    }
    if !ledger.stale_hashes.is_empty() {
        let hashes: Vec<String> =
            ledger.stale_hashes.iter().map(|hash| format!("{hash:08x}")).collect();
        let _ = writeln!(
            text,
            "{MARK}stale erratum glosses and remarks of no sentence: {}",
            hashes.join(" ")
        );
    }
    text
}

/// Formats a reading as facts.
pub fn write(reading: &Reading) -> String {
    let (mut text, profile) = (header(reading), &reading.profile);
    let unread = UnreadSentences::new(reading);
    let start = reading
        .start
        .as_deref()
        .or(reading.states.first().map(|state| &state.name[..]))
        .unwrap_or_default();
    let _ = writeln!(
        text,
        "machine! {{\n    name {};\n    document {:?};",
        profile.dialect, profile.title
    );
    if !start.is_empty() {
        let _ = writeln!(text, "    start {start};");
    }
    for item in &profile.granted {
        let _ = writeln!(text, "    {item}");
    }
    for (line, item) in &reading.declarations {
        let _ = writeln!(text, "    {item} {MARK}{line}");
    }
    if !reading.encodings.is_empty() {
        let _ = writeln!(text, "    encodings {{ {} }}", reading.encodings.join(" "));
    }
    let used_codes = codes(reading);
    let by_host: Vec<&str> =
        reading.declarations.iter().filter_map(|(_, item)| host_error_code(item)).collect();
    let listed_codes = reading.listed_codes.iter().map(|code| &code[..]);
    let errors: BTreeSet<&str> =
        used_codes.into_iter().chain(listed_codes).filter(|code| !by_host.contains(code)).collect();
    if !errors.is_empty() {
        let _ = writeln!(text, "    errors {};", errors.into_iter().collect::<Vec<_>>().join(", "));
    }
    for states in reading.states.chunk_by(|one, next| one.procedure == next.procedure) {
        let DocumentState { procedure, section, .. } = &states[0];
        if let Some(name) = procedure {
            let _ = writeln!(text, "\n    procedure {name} @ {section:?} {{");
        }
        for state in states {
            let kind = if state.otherwise.is_some() { "lexical-mode" } else { "state" };
            write_state(&mut text, kind, state, &unread);
        }
        text.push_str(if procedure.is_some() { "    }\n" } else { "" });
    }
    for mode in &reading.modes {
        write_state(&mut text, "mode", mode, &unread);
    }
    for DocumentAlgorithm { name, section, line, steps } in &reading.algorithms {
        let mark = if unread.has_any(section, *line, &[]) { UNREAD_SUFFIX } else { "" };
        let _ = writeln!(text, "\n    algorithm {name} @ {section:?} {{ {MARK}{line}{mark}");
        write_steps(&mut text, steps, 2);
        text.push_str("    }\n");
    }
    text.push_str("}\n");
    write_hashes(&mut text, reading);
    text
}

/// Appends the hashes of remarks, character references and sentences, of the markup of the sections read, and of the
/// text of sections without a reader.
fn write_hashes(text: &mut String, reading: &Reading) {
    let remarks = reading.sentences.iter().filter(|sentence| sentence.read == Read::Remark);
    let hashes: Vec<String> = remarks.map(|sentence| format!("{:08x}", sentence.hash)).collect();
    for line in hashes.chunks(12) {
        let _ = writeln!(text, "{MARK}remarks {}", line.join(" "));
    }
    let names: Vec<String> = reading.names.keys().map(|hash| format!("{hash:08x}")).collect();
    for line in names.chunks(16) {
        let _ = writeln!(text, "{MARK}names {}", line.join(" "));
    }
    for line in wording::format_lines(&reading.wording) {
        let _ = writeln!(text, "{MARK}words {line}");
    }
    for line in wording::format_lines(&reading.layout) {
        let _ = writeln!(text, "{MARK}layout {line}");
    }
    for line in wording::format_lines(&reading.left_out) {
        let _ = writeln!(text, "{MARK}left out {line}");
    }
}

fn write_steps(text: &mut String, steps: &[DocumentStep], depth: usize) {
    let indent = "    ".repeat(depth);
    for step in steps {
        let line_end = if step.is_block { " {" } else { ";" };
        let origin = step.origin.map(|(line, hash)| format!(" {MARK}{line} {hash:08x}"));
        let _ = writeln!(text, "{indent}{}{line_end}{}", step.words, origin.unwrap_or_default());
        write_steps(text, &step.inner, depth + 1);
        if step.is_block {
            let _ = writeln!(text, "{indent}}}");
        }
    }
}

/// Returns the code in a declaration of an error that the host reports, or `None` for any other declaration.
fn host_error_code(item: &str) -> Option<&str> {
    item.strip_prefix("errors ")?.strip_suffix(" by host;")
}

/// Returns the error codes that rows, states and declarations report.
pub(super) fn codes(reading: &Reading) -> BTreeSet<&str> {
    let rows = reading.states_and_modes().flat_map(|block| &block.rows).map(|row| &row.steps[..]);
    let states = reading.states.iter().flat_map(|state| [&state.enter[..], &state.leave]);
    let items = reading.declarations.iter().map(|(_, item)| &item[..]);
    let texts = rows.chain(states).chain(items);
    let mut codes = BTreeSet::new();
    for text in texts {
        for before in ["error ", "drop-duplicate-attribute "] {
            codes.extend(
                text.match_indices(before)
                    .filter_map(|(at, _)| text[at + before.len()..].split([';', ' ']).next()),
            );
        }
    }
    codes
}

fn write_state(text: &mut String, kind: &str, state: &DocumentState, unread: &UnreadSentences<'_>) {
    let subject = state.subject.as_ref().map_or(String::new(), |subject| format!(" on {subject}"));
    let otherwise = state.otherwise.as_ref();
    let otherwise = otherwise.map_or(String::new(), |it| format!(" (longest, else {it})"));
    let _ = writeln!(
        text,
        "\n    {kind} {} @ {:?}{subject}{otherwise} {{ {MARK}{}",
        state.name, state.section, state.line
    );
    for (word, steps) in [("enter", &state.enter), ("leave", &state.leave)] {
        if !steps.is_empty() {
            let _ = writeln!(text, "        {word} => {steps}");
        }
    }
    for row in &state.rows {
        write_row(text, &state.section, row, unread);
    }
    text.push_str("    }\n");
}

/// Unread sentences, and the lines that delimit rows.
struct UnreadSentences<'r> {
    sentences: Vec<&'r Sentence>,
    /// Sorted lines at which rows, states, modes and algorithms begin.
    row_starts: Vec<usize>,
}

impl<'r> UnreadSentences<'r> {
    fn new(reading: &'r Reading) -> Self {
        let sentences = reading.sentences.iter().filter(|one| one.read == Read::Unread).collect();
        let rows = reading
            .states_and_modes()
            .flat_map(|block| block.rows.iter().map(|row| row.line).chain([block.line]));
        let algorithms = reading.algorithms.iter().map(|one| one.line);
        let unlabelled = reading.unlabelled_rows.iter().copied();
        let mut row_starts: Vec<usize> = rows.chain(algorithms).chain(unlabelled).collect();
        row_starts.sort_unstable();
        Self { sentences, row_starts }
    }

    /// Whether the section, given by number or heading, has an unread sentence that is one of `hashes`, or is between the
    /// row or algorithm at this line and the next.
    fn has_any(&self, section: &str, line: usize, hashes: &[u32]) -> bool {
        let next = self.row_starts.iter().find(|&&start| start > line).copied();
        self.sentences.iter().any(|one| {
            (one.place == section || has_number(&one.place, section))
                && (hashes.contains(&one.hash)
                    || (line..next.unwrap_or(usize::MAX)).contains(&one.line))
        })
    }
}

/// Whether a heading begins with this number.
fn has_number(heading: &str, number: &str) -> bool {
    heading.split(' ').next() == Some(number)
}

/// Suffix of the hashes of a row with an unread sentence.
const UNREAD_SUFFIX: &str = " unread";

fn write_row(text: &mut String, section: &str, row: &DocumentRow, unread: &UnreadSentences<'_>) {
    let guard = row.guard.as_ref().map_or(String::new(), |guard| format!(" when {guard}"));
    let gap = if row.is_gap { "fills \"The document breaks off.\"; " } else { "" };
    let hashes: Vec<String> = row.hashes.iter().take(8).map(|hash| format!("{hash:08x}")).collect();
    let _ = writeln!(
        text,
        "        {}{guard} => {gap}{} {MARK}{} {}{}",
        row.patterns,
        row.steps,
        row.line,
        hashes.join(" "),
        if unread.has_any(section, row.line, &row.hashes) { UNREAD_SUFFIX } else { "" },
    );
}

/// Parses the text of a facts file.
///
/// # Errors
///
/// Returns the rendered diagnostics if the text is not a valid table.
pub fn parse(text: &str) -> Result<Facts, String> {
    let (table, diagnostics) = tabulex_language::parse::file(text);
    let source = tabulex_language::Source::new("facts", text);
    let table = table.ok_or_else(|| {
        diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(&source))
            .collect::<Vec<_>>()
            .join("\n")
    })?;
    let marked_lines = |word: &str| {
        let prefix = format!("{MARK}{word} ");
        text.lines()
            .filter_map(move |line| line.strip_prefix(&prefix).map(str::to_owned))
            .collect::<Vec<_>>()
    };
    Ok(Facts {
        text: text.to_owned(),
        table,
        summary: marked_lines("ledger").concat(),
        unread: wording::parse_lines(&marked_lines("unread")),
        missing_classes: marked_lines("not granted"),
        stale_errata: marked_lines("stale erratum"),
        wording: wording::parse_lines(&marked_lines("words")),
        layout: wording::parse_lines(&marked_lines("layout")),
        left_out: wording::parse_lines(&marked_lines("left out")),
        digest: marked_lines("text").concat(),
        names: marked_lines("names")
            .iter()
            .flat_map(|line| line.split(' '))
            .filter_map(|hash| Some((u32::from_str_radix(hash, 16).ok()?, String::new())))
            .collect(),
    })
}

impl Facts {
    /// Prepares the facts and a table for comparison. A state with an unread sentence may read any register.
    pub fn prepared<'t>(&'t self, table: &'t Table) -> [Index<'t>; 2] {
        let states = self.table.items.iter().flat_map(Item::states);
        let is_unread = |state: &&ParsedState| {
            let number = state.section.as_ref().map_or("", |section| &section.number);
            self.unread.iter().any(|one| one.place == number || has_number(&one.place, number))
        };
        let unread: BTreeSet<&str> =
            states.filter(is_unread).map(|state| &state.name.value[..]).collect();
        let indices = [&self.table, table].map(Index::new);
        indices.map(|index| index.with_readers(&|block| unread.contains(block)))
    }

    /// Returns a table that can be run: the facts, with the list of references of `beside` if they have none.
    pub fn completed(&self, beside: &Table) -> Table {
        let is_list = |item: &&Item| item.setting("references").is_some();
        let mut table = self.table.clone();
        if !table.items.iter().any(|item| is_list(&item)) {
            table.items.extend(beside.items.iter().filter(is_list).cloned());
        }
        table
    }

    /// Returns the marks in a span or, if it has none, those on the rest of its last line. A mark consists of a line
    /// number of the document and hashes of sentences.
    fn marks<'f>(&'f self, span: tabulex_language::syntax::Span) -> Vec<&'f str> {
        let text = self.text.get(span.range()).unwrap_or_default();
        let line_end = self.text.get(span.end as usize..).and_then(|rest| rest.lines().next());
        let marks = |lines: &mut dyn Iterator<Item = &'f str>| -> Vec<&'f str> {
            lines.filter_map(|line| Some(line.split_once(MARK)?.1)).collect()
        };
        let within = marks(&mut text.lines());
        if within.is_empty() { marks(&mut line_end.into_iter()) } else { within }
    }

    /// Returns the hashes of the sentences from which a span of the facts was read: those of its marks, or, as
    /// declarations have a line only, all sentences of that line.
    pub fn sentences(&self, span: tabulex_language::syntax::Span) -> Vec<u32> {
        let words = self.marks(span).into_iter().flat_map(|mark| mark.split(' ').skip(1));
        let hashes: Vec<u32> =
            words.filter_map(|word| u32::from_str_radix(word, 16).ok()).collect();
        match self.document_line(span).filter(|_| hashes.is_empty()) {
            Some(line) => {
                let of_line = self.wording.iter().filter(|sentence| sentence.line == line);
                of_line.map(|sentence| sentence.hash).collect()
            }
            None => hashes,
        }
    }

    /// Returns the heading above the line from which a span of the facts was read.
    pub fn heading(&self, span: tabulex_language::syntax::Span) -> Option<&str> {
        let line = self.document_line(span)?;
        let above = self.wording.iter().filter(|sentence| sentence.line <= line);
        above.max_by_key(|sentence| sentence.line).map(|sentence| &sentence.place[..])
    }

    /// Whether a difference is in a row or algorithm with an unread sentence, and thus inconclusive. `index` is that of
    /// the facts, the left side of the comparison.
    pub fn is_unread(&self, index: &Index<'_>, difference: &Difference) -> bool {
        let mark = match (difference.left_row, difference.input.strip_prefix("algorithm ")) {
            (Some(row), _) => self.marks(index.row_span(row)).pop(),
            (None, Some(name)) => {
                let heading = format!("\n    algorithm {name} @ ");
                let algorithm = self.text.find(&heading).map(|at| &self.text[at + 1..]);
                algorithm.and_then(|rest| Some(rest.lines().next()?.split_once(MARK)?.1))
            }
            _ => None,
        };
        mark.is_some_and(|mark| mark.ends_with(UNREAD_SUFFIX))
    }

    /// Returns the numbers of the unread sections that a table's notes cite, each after the byte offset of the note.
    pub fn cited_unread_sections<'t>(&self, table: &'t str) -> Vec<(usize, &'t str)> {
        let is_left_out =
            |number: &str| self.left_out.iter().any(|one| has_number(&one.place, number));
        let notes = ["fills \"", "deviates \""].into_iter().flat_map(|word| {
            table.match_indices(word).filter_map(move |(at, _)| {
                let reason = &table[at + word.len()..];
                Some((at, &reason[..reason.find('"')?]))
            })
        });
        let sections = notes.flat_map(|(at, reason)| {
            reason.split("ection ").skip(1).map(move |rest| {
                let is_number = |one: char| one.is_ascii_digit() || one == '.';
                let end = rest.find(|one| !is_number(one)).unwrap_or(rest.len());
                (at, rest[..end].trim_end_matches('.'))
            })
        });
        sections.filter(|(_, number)| is_left_out(number)).collect()
    }

    /// Returns the line of the document from which a span of the facts was read, or `None` if the span's first line has
    /// no mark, or the document does not state it.
    pub fn document_line(&self, span: tabulex_language::syntax::Span) -> Option<usize> {
        let rest = self.text.get(span.start as usize..)?;
        let line = rest.lines().next()?;
        let (_, mark) = line.split_once(MARK)?;
        mark.split(' ').next()?.parse().ok().filter(|line| *line > 0)
    }
}
