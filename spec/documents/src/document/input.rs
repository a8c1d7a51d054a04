//! Reads the sections of a standard on parse errors, the input stream and serialization, by means of the grammar
//! `input.rules`. Sentences become declarations or algorithms, are known as remarks, or are listed as unread.

mod lists;

use super::outline::{self, ListEntry, ListKind, Node, OutlineSection, Text};
use super::rules::{Rules, parse_steps};
use super::sentence;
use super::{Reading, with_origin};
use std::sync::LazyLock;

/// The grammar in `input.rules`.
static GRAMMAR: LazyLock<Rules> = LazyLock::new(|| Rules::parse(include_str!("input/input.rules")));

/// Reads the sections on input that the profile names.
pub(super) fn read(text: &str, reading: &mut Reading) {
    let sections = outline::sections_within(text, &reading.profile.input);
    let mut reader = InputReader { reading, algorithm: None, are_descriptions_remarks: false };
    for section in &sections {
        reader.read_section(section);
    }
    reader.report_unlisted_codes();
    reader.add_encoding_clauses();
}

struct InputReader<'r> {
    reading: &'r mut Reading,
    /// Name and line of the algorithm introduced last in the section, if there is one.
    algorithm: Option<(String, usize)>,
    /// Whether the document declares the descriptions of codes non-normative.
    are_descriptions_remarks: bool,
}

impl InputReader<'_> {
    fn read_section(&mut self, section: &OutlineSection) {
        self.reading.current_section.clone_from(&section.heading.words);
        self.algorithm = None;
        for node in &section.nodes {
            match node {
                Node::Paragraph(text) => self.read_paragraph(text),
                Node::List(ListKind::Rows, entries) => self.read_codes(entries),
                Node::List(kind, entries) => match self.algorithm.clone() {
                    Some((name, line)) => {
                        let steps = self.reading.steps_of(&GRAMMAR, *kind, entries);
                        self.reading.record_steps((name, self.reading.section(), line), steps);
                    }
                    None => self.read_other_list(entries),
                },
            }
        }
    }

    /// Reads a paragraph outside lists, and records for each sentence whether it was read.
    fn read_paragraph(&mut self, text: &Text) {
        for words in sentence::divide(&text.words) {
            let is_read =
                !self.reading.is_remark_in(text, &words) && self.read_sentence(&words, text.line);
            self.reading.note_in(text, &words, is_read);
        }
    }

    /// Reads a sentence outside lists: the introduction of an algorithm, its parameters, a step, or a declaration.
    /// Returns whether it was read.
    fn read_sentence(&mut self, words: &str, line: usize) -> bool {
        let is_head = |place: &str| place.starts_with("algorithm ");
        if let Some(head) = self.reading.gloss(words, is_head) {
            let name = head.place.trim_start_matches("algorithm ").to_owned();
            self.algorithm = Some((name, line));
            return true;
        }
        let parameters = self.reading.gloss(words, |place| place == "given");
        if let (Some((name, head)), Some(parameters)) = (self.algorithm.clone(), parameters) {
            let steps = with_origin(parse_steps(&parameters.meaning), line, words);
            self.reading.record_steps((name, self.reading.section(), head), steps);
            return true;
        }
        if let Some((name, steps)) = self.reading.algorithm_steps(words, line) {
            self.reading.record_steps((name, self.reading.section(), line), steps);
            return true;
        }
        let read_by_rule = |category| GRAMMAR.read(category, words);
        if let Some(items) = read_by_rule("declared") {
            let items = items.split_inclusive(';').map(|item| (line, item.trim().to_owned()));
            self.reading.declarations.extend(items);
            return true;
        }
        if read_by_rule("restates").is_some() {
            self.are_descriptions_remarks = true;
            return true;
        }
        false
    }

    /// Reads a list that belongs to no algorithm: paragraphs like those outside lists, and tables as tables of default
    /// encodings.
    fn read_other_list(&mut self, entries: &[ListEntry]) {
        for node in entries.iter().flat_map(|entry| &entry.nodes) {
            match node {
                Node::Paragraph(text) => self.read_paragraph(text),
                Node::List(ListKind::Rows, entries) => self.read_locales(entries),
                Node::List(_, entries) => self.read_other_list(entries),
            }
        }
    }

    /// Puts the clauses in glosses for the place `encodings` in front of those from the table of default encodings.
    fn add_encoding_clauses(&mut self) {
        let algorithms = &mut self.reading.algorithms;
        let Some(at) = algorithms.iter().position(|one| one.name == "encodings") else { return };
        let mut clauses: Vec<String> = Vec::new();
        for step in algorithms.remove(at).steps {
            let clause = format!("{};", step.words);
            if !clauses.contains(&clause) {
                clauses.push(clause);
            }
        }
        clauses.append(&mut self.reading.encodings);
        self.reading.encodings = clauses;
    }
}
