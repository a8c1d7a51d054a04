//! Reads sections: definitions become declarations, and lists of labels modes (`rows`). Each sentence of a section is
//! listed once, with the result of reading it.

use super::english::{self, Definition, ModeStep, ParsedSentence, TreeStatement};
use super::fold::fold;
use super::rows::table_form;
use super::written;
use super::written::Sets;
use crate::document::outline::{ListEntry, ListKind, Node, OutlineSection, Text};
use crate::document::rules::parse_steps;
use crate::document::sentence::{self, Read};
use crate::document::{DocumentStep, Profile, Reading};
use tabulex_language::model::kebab_case;

/// Reads the sections.
pub(super) fn read(parts: &[OutlineSection], profile: &Profile, reading: &mut Reading) {
    let mut reader = TreeReader {
        reading,
        sets: Sets::default(),
        beside: None,
        given: Vec::new(),
        beside_steps: Vec::new(),
        algorithms_beside_rows: &profile.beside,
        place: String::new(),
        paragraph: 0,
        hashes: Vec::new(),
    };
    for part in parts {
        reader.part(part);
    }
    let TreeReader { reading, sets, .. } = reader;
    for (name, names) in sets.0 {
        reading.declarations.push((0, format!("names {name} = {names};")));
    }
}

/// State of reading the sections.
pub(super) struct TreeReader<'r> {
    pub(super) reading: &'r mut Reading,
    pub(super) sets: Sets,
    /// The algorithm beside the current row, if there is one.
    pub(super) beside: Option<String>,
    /// Parameters of the algorithm whose head was read last.
    pub(super) given: Vec<DocumentStep>,
    /// Declarations that glosses give beside the steps of the current algorithm.
    pub(super) beside_steps: Vec<String>,
    /// Names of all algorithms beside rows.
    pub(super) algorithms_beside_rows: &'r [String],
    pub(super) place: String,
    pub(super) paragraph: usize,
    /// Hashes of the sentences of the current row.
    pub(super) hashes: Vec<u32>,
}

impl TreeReader<'_> {
    /// Whether a sentence is a remark: it stands in a note, or the profile lists it.
    pub(super) fn is_remark(&self, words: &str, text: &Text) -> bool {
        text.is_note || self.reading.is_remark(&self.place, words)
    }

    /// Records how a sentence was read.
    pub(super) fn note(&mut self, words: &str, line: usize, read: Read) {
        self.hashes.push(sentence::hash(words));
        self.reading.list(&self.place, line, words, read);
    }

    /// Lists a label that no rule reads: as a remark, or as unread. Returns whether it is a remark.
    pub(super) fn unread_label(&mut self, label: &Text) -> bool {
        let is_remark = self.is_remark(&label.words, label);
        let read = if is_remark { Read::Remark } else { Read::Unread };
        self.note(&label.words, label.line, read);
        is_remark
    }

    /// Lists a sentence that is compared with no table.
    pub(super) fn list_uncompared(&mut self, words: &str, line: usize, reason: &str) {
        self.note(words, line, Read::NotCompared);
        if let Some(sentence) = self.reading.sentences.last_mut() {
            sentence.reason = reason.to_owned();
        }
    }

    /// Lists all sentences of the nodes with one outcome, and a reason.
    fn list_all(&mut self, nodes: &[Node], read: Read, reason: &str) {
        for node in nodes {
            match node {
                Node::Paragraph(text) => {
                    for words in sentence::divide(&text.words) {
                        let read = if self.is_remark(&words, text) { Read::Remark } else { read };
                        self.note(&words, text.line, read);
                        if let Some(sentence) = self.reading.sentences.last_mut() {
                            sentence.reason = reason.to_owned();
                        }
                    }
                }
                Node::List(_, entries) => {
                    entries.iter().for_each(|entry| self.list_all(&entry.nodes, read, reason))
                }
            }
        }
    }

    /// Parses and lists the sentences of a paragraph.
    pub(super) fn sentences(&mut self, text: &Text) -> Vec<english::ParsedSentence> {
        self.paragraph += 1;
        let mut parsed = Vec::new();
        for words in sentence::divide(&text.words) {
            if self.is_remark(&words, text) {
                self.note(&words, text.line, Read::Remark);
                continue;
            }
            if let Some(head) = self.head(&words, text.line) {
                parsed.extend(head);
                continue;
            }
            let stated = self.reading.algorithm_steps(&words, text.line);
            let is_stated = stated.is_some();
            if let Some((name, steps)) = stated {
                self.reading.record((name, self.section(), text.line), steps);
            }
            match self.sentence(&words, text.line) {
                Some(one) if one.statement == TreeStatement::BesideRow => {
                    self.beside_row(&words, text.line);
                    parsed.push(one);
                }
                Some(one) => {
                    self.note(&words, text.line, Read::Asks);
                    parsed.extend(
                        (one.statement != TreeStatement::Do(Vec::new()) || one.opens)
                            .then_some(one),
                    );
                }
                None if is_stated => self.note(&words, text.line, Read::Asks),
                // What rows cannot contain belongs to the algorithm beside the row.
                None => {
                    self.beside_row(&words, text.line);
                    if self.reading.sentences.last().is_some_and(|one| one.read != Read::Unread) {
                        let opens = words.ends_with(':');
                        parsed.push(ParsedSentence {
                            statement: TreeStatement::BesideRow,
                            opens,
                            label: None,
                        });
                    }
                }
            }
        }
        parsed
    }

    /// Reads a sentence, and declares the items that its meaning contains.
    fn sentence(&mut self, words: &str, line: usize) -> Option<ParsedSentence> {
        if let Some(gloss) = self.reading.gloss(words, str::is_empty) {
            let (items, steps) = split_declarations(parse_steps(&gloss.meaning));
            items.into_iter().for_each(|item| self.declare(line, item));
            return english::parsed_sentence(&steps, words.ends_with(':'));
        }
        english::sentence(self.reading, words)
    }

    /// Reads a section.
    fn part(&mut self, part: &OutlineSection) {
        self.place = part.heading.words.clone();
        let (section, name) = heading(&part.heading.words);
        let mut definition = None;
        let mut name = name;
        for node in &part.nodes {
            match node {
                Node::Paragraph(text) => self.definitions(text, &mut definition),
                Node::List(ListKind::Switch, entries) if name.is_some() && definition.is_none() => {
                    let name = name.take().unwrap_or_default();
                    self.mode(name, &section, part.heading.line, entries);
                }
                Node::List(kind, entries) => {
                    self.read_definition_list(*kind, entries, definition.take(), part)
                }
            }
        }
    }

    /// Reads sentences with definitions. A sentence that only acts belongs to no row, and counts as unread.
    fn definitions(&mut self, text: &Text, definition: &mut Option<(Definition, usize)>) {
        let from = self.reading.sentences.len();
        let parsed = self.sentences(text);
        for one in parsed {
            match one.statement {
                TreeStatement::Defines(Definition::Names(name, names)) => {
                    self.declare(text.line, format!("names {name} = {};", names.join(" | ")));
                    if name == "implied" {
                        // The sentence also states what is done with them, as another one does for all of them.
                        let pops = DocumentStep::block(
                            "repeat while current is implied",
                            vec![DocumentStep::step("pop")],
                        );
                        let place = ("generate-end-tags".to_owned(), self.section(), text.line);
                        self.reading.record(place, vec![pops]);
                    }
                    if name == "special" {
                        self.declare(text.line, "scope special-element = special;".to_owned());
                    }
                }
                TreeStatement::Defines(Definition::Adjust(name, Some(row))) => {
                    self.declare(text.line, format!("adjust {name} = {row};"));
                }
                TreeStatement::Defines(other) => *definition = Some((other, text.line)),
                TreeStatement::BesideRow | TreeStatement::Begins(_) => {
                    definition.get_or_insert((Definition::Primitive(String::new()), text.line));
                }
                TreeStatement::Transfer => *definition = definition.take().filter(
                    |(other, _)| !matches!(other, Definition::Primitive(name) if name.is_empty()),
                ),
                _ => {
                    let unused = self.reading.sentences[from..]
                        .iter_mut()
                        .filter(|one| one.read == Read::Asks);
                    unused.for_each(|one| one.read = Read::Unread);
                }
            }
        }
    }

    /// Returns the number of the section.
    pub(super) fn section(&self) -> String {
        heading(&self.place).0
    }

    /// Declares an item, or compares the lists of DOCTYPEs so far without regard to case.
    pub(super) fn declare(&mut self, line: usize, item: String) {
        if item != "doctypes ignoring-case;" {
            return self.reading.declarations.push((line, item));
        }
        let is_list = |item: &&mut String| {
            item.starts_with("doctypes ") && !item.starts_with("doctypes nonconforming ")
        };
        let items = self.reading.declarations.iter_mut().map(|(_, item)| item);
        items.filter(is_list).for_each(|item| *item = item.replacen(" = ", " ignoring-case = ", 1));
    }

    /// Reads the list after a sentence with a definition.
    fn read_definition_list(
        &mut self,
        kind: ListKind,
        entries: &[ListEntry],
        definition: Option<(Definition, usize)>,
        part: &OutlineSection,
    ) {
        let (definition, line) =
            definition.unwrap_or((Definition::Primitive(String::new()), part.heading.line));
        match definition {
            Definition::Steps(name) => {
                self.hashes.clear();
                let stated = self.entries(entries);
                self.steps(&name, &fold(&stated), line);
            }
            Definition::RawText => {
                let stated = self.entries(entries);
                self.raw_text(&fold(&stated), line);
            }
            Definition::Scope(name, is_all_but) => {
                // The language cannot express a complement, so tables use the special elements here. They are not compared.
                if is_all_but {
                    let reason = "no table has a scope of all elements but some";
                    entries
                        .iter()
                        .for_each(|entry| self.list_all(&entry.nodes, Read::NotCompared, reason));
                    self.declare(line, format!("scope {name} = special;"));
                    return;
                }
                let items = self.items(entries, |reading, words| {
                    english::meaning_of(reading, "element", words)
                });
                self.declare(line, format!("scope {name} = {};", items.join(" | ")));
            }
            Definition::Points(is_text) => {
                let items = self
                    .items(entries, |reading, words| english::meaning_of(reading, "element", words))
                    .join(" | ");
                let word = if is_text {
                    "names mathml-text-integration-point ="
                } else {
                    "integration-points"
                };
                self.declare(line, format!("{word} {items};"));
            }
            Definition::Adjust(name, _) => self.adjustments(&name, entries, line),
            Definition::Reset => self.reset(entries, &heading(&part.heading.words).0, line),
            Definition::Fragment => self.fragment(entries, &heading(&part.heading.words).0, line),
            Definition::Primitive(name) if name.is_empty() && kind == ListKind::Switch => {
                for entry in entries {
                    for label in &entry.labels {
                        self.unread_label(label);
                    }
                    for node in &entry.nodes {
                        if let Node::Paragraph(text) = node {
                            self.definitions(text, &mut None);
                        }
                    }
                }
            }
            Definition::Primitive(name) if name.is_empty() => {
                entries.iter().for_each(|entry| self.list_all(&entry.nodes, Read::Unread, ""));
            }
            Definition::Primitive(name) => {
                let given = std::mem::take(&mut self.given);
                self.algorithm(&name, entries, (heading(&part.heading.words).0, line), given);
            }
            Definition::Names(..) => {}
        }
    }

    /// Reads the items of a list, each by itself.
    pub(super) fn items(
        &mut self,
        entries: &[ListEntry],
        read: fn(&Reading, &str) -> Option<String>,
    ) -> Vec<String> {
        let mut items = Vec::new();
        for node in entries.iter().flat_map(|entry| &entry.nodes) {
            if let Node::Paragraph(text) = node {
                let item = read(self.reading, &text.words);
                self.note(
                    &text.words,
                    text.line,
                    if item.is_some() { Read::Asks } else { Read::Unread },
                );
                items.extend(item);
            }
        }
        items
    }

    /// Reads the rows of a table of names, without its heading.
    pub(super) fn adjustments(&mut self, name: &str, entries: &[ListEntry], line: usize) {
        let mut rows = Vec::new();
        for entry in entries.iter().skip(1) {
            let cells = entry.cells();
            let words: Vec<&str> = cells.iter().map(|cell| &cell.words[..]).collect();
            let row = adjustment_row(&words);
            let read = if row.is_some() { Read::Asks } else { Read::Unread };
            self.note(&words.join(" "), cells.first().map_or(line, |cell| cell.line), read);
            rows.extend(row);
        }
        if !rows.is_empty() {
            self.declare(line, format!("adjust {name} = {};", rows.join(" | ")));
        }
    }

    /// Declares named steps.
    fn steps(&mut self, name: &str, steps: &[ModeStep], line: usize) {
        let text = written::steps(&table_form(steps), &mut self.sets);
        self.declare(line, format!("steps {name} {{ {text} }}"));
    }

    /// Declares the two algorithms for text elements, which differ in the tokenizer state.
    fn raw_text(&mut self, steps: &[ModeStep], line: usize) {
        for (name, which) in [("raw-text", 0), ("rcdata", 1)] {
            let one = |step: &ModeStep| match step {
                ModeStep::Act(action) => match action
                    .strip_prefix("tokenizer ")
                    .and_then(|states| states.split(" or ").nth(which))
                {
                    Some(state) => ModeStep::Act(format!("tokenizer {state}")),
                    None => step.clone(),
                },
                other => other.clone(),
            };
            let steps: Vec<ModeStep> = steps.iter().map(one).collect();
            self.steps(name, &steps, line);
        }
    }
}

/// Returns a row of a table of names.
fn adjustment_row(cells: &[&str]) -> Option<String> {
    match cells {
        [from, to] => Some(format!("{from:?} => {to:?}")),
        [from, prefix, local, space] => {
            let space = kebab_case(space.strip_suffix("namespace")?);
            let to =
                if *prefix == "(none)" { (*local).to_owned() } else { format!("{prefix}:{local}") };
            Some(format!("{from:?} => {space} {to:?}"))
        }
        _ => None,
    }
}

/// Returns the number of a section, and the mode that it describes.
pub(super) fn heading(words: &str) -> (String, Option<String>) {
    let is_number = |word: &str| word.split('.').all(|part| part.parse::<u32>().is_ok());
    match words.split_once(' ').filter(|(number, _)| is_number(number)) {
        Some((number, title)) => (number.to_owned(), english::mode(title)),
        None => (words.to_owned(), None),
    }
}

/// Separates the declarations in a meaning from its steps.
pub(super) fn split_declarations(steps: Vec<DocumentStep>) -> (Vec<String>, Vec<DocumentStep>) {
    let (items, steps): (Vec<_>, Vec<_>) =
        steps.into_iter().partition(|step| step.words.starts_with("declare "));
    let items = items.iter().filter_map(|step| step.words.strip_prefix("declare "));
    (items.map(|item| format!("{item};")).collect(), steps)
}
