//! Reads sections on tree construction: definitions become declarations, and lists with labels become modes (`rows`).
//! Each sentence of a section is listed once, with the result of reading it.

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

/// Reads the sections, and adds their modes, algorithms and declarations to `reading`.
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

/// Reader of the sections, with the state that spans several sentences.
pub(super) struct TreeReader<'r> {
    pub(super) reading: &'r mut Reading,
    pub(super) sets: Sets,
    /// Name of the algorithm that takes the sentences that the current row cannot express, if there is one.
    pub(super) beside: Option<String>,
    /// Parameters of the most recently introduced algorithm.
    pub(super) given: Vec<DocumentStep>,
    /// Declarations in glosses of the current algorithm's sentences.
    pub(super) beside_steps: Vec<String>,
    /// Names of all algorithms beside rows.
    pub(super) algorithms_beside_rows: &'r [String],
    pub(super) place: String,
    pub(super) paragraph: usize,
    /// Hashes of the sentences of the current row.
    pub(super) hashes: Vec<u32>,
}

impl TreeReader<'_> {
    /// Whether a sentence is a remark: part of a note, or listed as a remark in the profile.
    pub(super) fn is_remark(&self, words: &str, text: &Text) -> bool {
        text.is_note || self.reading.is_remark(&self.place, words)
    }

    /// Records how a sentence was read, and adds its hash to those of the current row.
    pub(super) fn note(&mut self, words: &str, line: usize, read: Read) {
        self.hashes.push(sentence::hash(words));
        self.reading.add_sentence(&self.place, line, words, read);
    }

    /// Records a label that no rule reads as a remark or as unread. Returns whether the label is a remark.
    pub(super) fn unread_label(&mut self, label: &Text) -> bool {
        let is_remark = self.is_remark(&label.words, label);
        let read = if is_remark { Read::Remark } else { Read::Unread };
        self.note(&label.words, label.line, read);
        is_remark
    }

    /// Records a sentence as excluded from comparison, with the reason.
    pub(super) fn list_uncompared(&mut self, words: &str, line: usize, reason: &str) {
        self.note(words, line, Read::NotCompared);
        if let Some(sentence) = self.reading.sentences.last_mut() {
            sentence.reason = reason.to_owned();
        }
    }

    /// Records all sentences of the nodes as `read`, for a reason; remarks remain remarks.
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

    /// Parses the sentences of a paragraph, and records how each was read.
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
                self.reading.record_steps((name, self.section(), text.line), steps);
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
                // Rows cannot express the sentence, so it becomes part of the algorithm beside the row.
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

    /// Parses a sentence by its gloss or by rules, and adds the declarations of the gloss.
    fn sentence(&mut self, words: &str, line: usize) -> Option<ParsedSentence> {
        if let Some(gloss) = self.reading.gloss(words, str::is_empty) {
            let (items, steps) = split_declarations(parse_steps(&gloss.meaning));
            items.into_iter().for_each(|item| self.declare(line, item));
            return english::parsed_sentence(&steps, words.ends_with(':'));
        }
        english::sentence(self.reading, words)
    }

    /// Reads a section: its definitions, and its mode if the heading names one.
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

    /// Reads the definitions in a paragraph. A sentence with actions outside rows is marked as unread.
    fn definitions(&mut self, text: &Text, definition: &mut Option<(Definition, usize)>) {
        let from = self.reading.sentences.len();
        let parsed = self.sentences(text);
        for one in parsed {
            match one.statement {
                TreeStatement::Defines(Definition::Names(name, names)) => {
                    self.declare(text.line, format!("names {name} = {};", names.join(" | ")));
                    if name == "implied" {
                        // The sentence also says that these elements are popped, which the name alone does not.
                        let pops = DocumentStep::block(
                            "repeat while current is implied",
                            vec![DocumentStep::step("pop")],
                        );
                        let place = ("generate-end-tags".to_owned(), self.section(), text.line);
                        self.reading.record_steps(place, vec![pops]);
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

    /// Returns the number of the current section, or its title if it has no number.
    pub(super) fn section(&self) -> String {
        heading(&self.place).0
    }

    /// Adds a declaration. `doctypes ignoring-case` instead changes the lists of DOCTYPEs declared so far.
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

    /// Reads a list as the content of the definition before it.
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
                // The language has no complement of a set. Tables declare the special elements instead, which are not
                // compared.
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

    /// Reads each item of a list by `read`, and records it as unread if the result is `None`.
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

    /// Declares the adjustments of names in the rows of a table, of which the first is the heading.
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

    /// Declares the steps `raw-text` and `rcdata`, which differ only in the tokenizer state.
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

/// Formats a table row of two or four cells as an adjustment of a name.
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

/// Returns a section's number, or its title if it has none, and the mode that the section describes, if any.
pub(super) fn heading(words: &str) -> (String, Option<String>) {
    let is_number = |word: &str| word.split('.').all(|part| part.parse::<u32>().is_ok());
    match words.split_once(' ').filter(|(number, _)| is_number(number)) {
        Some((number, title)) => (number.to_owned(), english::mode(title)),
        None => (words.to_owned(), None),
    }
}

/// Separates the declarations in a gloss from its steps.
pub(super) fn split_declarations(steps: Vec<DocumentStep>) -> (Vec<String>, Vec<DocumentStep>) {
    let (items, steps): (Vec<_>, Vec<_>) =
        steps.into_iter().partition(|step| step.words.starts_with("declare "));
    let items = items.iter().filter_map(|step| step.words.strip_prefix("declare "));
    (items.map(|item| format!("{item};")).collect(), steps)
}
