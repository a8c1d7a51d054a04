//! Reads sections on tree construction: definitions become declarations, and lists with labels become modes (`rows`).
//! Each sentence of a section is listed once, with the result of reading it.

use super::english::{self, Definition, GRAMMAR, ModeStep, ParsedSentence, TreeStatement};
use super::fold::fold;
use super::rows::table_form;
use super::written;
use super::written::Sets;
use crate::document::outline::{self, ListEntry, ListKind, Node, OutlineSection, Text};
use crate::document::sections::split_number;
use crate::document::sentence::{self, Read};
use crate::document::{DocumentStep, Reading};
use tabulex_language::model::kebab_case;

/// Reads the sections, and adds their modes, algorithms and declarations to `reading`.
pub(super) fn read(sections: &[OutlineSection], reading: &mut Reading) {
    let mut reader = TreeReader {
        reading,
        sets: Sets::default(),
        algorithm_beside_row: None,
        parameters: Vec::new(),
        paragraph: 0,
    };
    for section in sections {
        reader.read_section(section);
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
    pub(super) algorithm_beside_row: Option<String>,
    /// Parameters of the most recently introduced algorithm.
    pub(super) parameters: Vec<DocumentStep>,
    pub(super) paragraph: usize,
}

impl TreeReader<'_> {
    /// Records a label that no rule reads as a remark or as unread. Returns whether the label is a remark.
    pub(super) fn record_unread_label(&mut self, label: &Text) -> bool {
        self.reading.note_in(label, &label.words, false);
        self.reading.is_remark_in(label, &label.words)
    }

    /// Records all sentences of a list as remarks or as unread.
    pub(super) fn record_unread(&mut self, entries: &[ListEntry]) {
        for (_, text, words) in outline::sentences(entries) {
            self.reading.note_in(text, &words, false);
        }
    }

    /// Parses the sentences of a paragraph, and records how each was read.
    pub(super) fn read_sentences(&mut self, text: &Text) -> Vec<ParsedSentence> {
        self.paragraph += 1;
        let mut parsed: Vec<ParsedSentence> = Vec::new();
        for words in sentence::divide(&text.words) {
            if self.reading.is_remark_in(text, &words) {
                self.reading.note(&words, text.line, Read::Remark);
                continue;
            }
            if let Some(introduction) = self.read_introduction(&words, text.line) {
                parsed.extend(introduction);
                continue;
            }
            let algorithm_steps = self.reading.algorithm_steps(&words, text.line);
            let has_algorithm_steps = algorithm_steps.is_some();
            if let Some((name, steps)) = algorithm_steps {
                self.reading.record_steps((name, self.reading.section(), text.line), steps);
            }
            match self.parse_sentence(&words, text.line) {
                Some(one) => {
                    self.reading.note(&words, text.line, Read::Asks);
                    parsed.extend(
                        (one.statement != TreeStatement::Do(Vec::new()) || one.opens_list)
                            .then_some(one),
                    );
                }
                None if has_algorithm_steps => self.reading.note(&words, text.line, Read::Asks),
                // Rows cannot express the sentence, so it becomes part of the algorithm beside the row.
                None => self.read_beside_row(&words, text.line),
            }
        }
        parsed.iter_mut().for_each(|one| one.paragraph = self.paragraph);
        parsed
    }

    /// Parses a sentence by its gloss or by rules, and adds its declarations. Returns `None` if neither applies.
    fn parse_sentence(&mut self, words: &str, line: usize) -> Option<ParsedSentence> {
        let mut parsed = match self.reading.gloss(words, str::is_empty) {
            Some(gloss) => english::parsed_sentence(&gloss.meaning, words),
            None => english::sentence(self.reading, words),
        }?;
        for item in std::mem::take(&mut parsed.declarations) {
            match item.words.strip_prefix("algorithm ") {
                Some(name) => {
                    let algorithm = (name.to_owned(), self.reading.section(), line);
                    self.reading.record_steps(algorithm, item.inner);
                }
                None => self.declare(line, format!("{};", item.words)),
            }
        }
        Some(parsed)
    }

    /// Reads a section: its definitions, and its mode if the heading names one.
    fn read_section(&mut self, outline_section: &OutlineSection) {
        self.reading.current_section.clone_from(&outline_section.heading.words);
        let line = outline_section.heading.line;
        let mut definition = None;
        let mut name = match split_number(&outline_section.heading.words) {
            (Some(_), title) => GRAMMAR.read("heading", title),
            (None, _) => None,
        };
        for node in &outline_section.nodes {
            match node {
                Node::Paragraph(text) => self.read_definitions(text, &mut definition),
                Node::List(ListKind::Switch, entries) if name.is_some() && definition.is_none() => {
                    let name = name.take().unwrap_or_default();
                    self.read_mode(name, line, entries);
                }
                Node::List(kind, entries) => {
                    self.read_definition_list(*kind, entries, definition.take());
                }
            }
        }
    }

    /// Reads the definitions in a paragraph. A sentence with actions outside rows is marked as unread.
    fn read_definitions(&mut self, text: &Text, definition: &mut Option<(Definition, usize)>) {
        let first = self.reading.sentences.len();
        let parsed = self.read_sentences(text);
        for one in parsed {
            match one.statement {
                TreeStatement::Defines(other) => *definition = Some((other, text.line)),
                TreeStatement::Transfer | TreeStatement::Begins(_) => {}
                _ => {
                    let sentences_outside_rows = self.reading.sentences[first..]
                        .iter_mut()
                        .filter(|one| one.read == Read::Asks);
                    sentences_outside_rows.for_each(|one| one.read = Read::Unread);
                }
            }
        }
    }

    /// Adds a declaration, unless there is an equal one. `doctypes ignoring-case` instead changes the lists of DOCTYPEs
    /// declared so far.
    pub(super) fn declare(&mut self, line: usize, item: String) {
        if item != "doctypes ignoring-case;" {
            if self.reading.declarations.iter().all(|(_, other)| *other != item) {
                self.reading.declarations.push((line, item));
            }
            return;
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
    ) {
        let Some((definition, line)) = definition else {
            match kind {
                ListKind::Switch => self.read_undefined_choices(entries),
                _ => self.record_unread(entries),
            }
            return;
        };
        match definition {
            Definition::Steps(names) => {
                let sentences = self.read_entries(entries);
                self.declare_steps(&names, &fold(&sentences), line);
            }
            Definition::List(declaration) => {
                let items = self.reading.read_items(entries, &GRAMMAR, "element");
                self.declare(line, format!("{declaration} {};", items.join(" | ")));
            }
            Definition::Adjust(name) => self.declare_adjustments(&name, entries, line),
            Definition::Reset => self.read_reset(entries, line),
            Definition::Fragment => self.read_fragment(entries, line),
            Definition::Primitive(name) => {
                let parameters = std::mem::take(&mut self.parameters);
                self.read_algorithm(name, entries, line, parameters);
            }
        }
    }

    /// Reads labelled texts that belong to no definition, in which only remarks and definitions are known.
    fn read_undefined_choices(&mut self, entries: &[ListEntry]) {
        for entry in entries {
            for label in &entry.labels {
                self.record_unread_label(label);
            }
            for text in entry.cells() {
                self.read_definitions(text, &mut None);
            }
        }
    }

    /// Declares the adjustments of names in the rows of a table, except the first row, which is the heading.
    pub(super) fn declare_adjustments(&mut self, name: &str, entries: &[ListEntry], line: usize) {
        let mut rows = Vec::new();
        for entry in entries.iter().skip(1) {
            let cells = entry.cells();
            let words: Vec<&str> = cells.iter().map(|cell| &cell.words[..]).collect();
            let row = adjustment_row(&words);
            let outcome = if row.is_some() { Read::Asks } else { Read::Unread };
            self.reading.note(
                &words.join(" "),
                cells.first().map_or(line, |cell| cell.line),
                outcome,
            );
            rows.extend(row);
        }
        if !rows.is_empty() {
            self.declare(line, format!("adjust {name} = {};", rows.join(" | ")));
        }
    }

    /// Declares named steps. Of several names joined by `or`, each takes its alternative of the tokenizer's states.
    fn declare_steps(&mut self, names: &str, steps: &[ModeStep], line: usize) {
        for (which, name) in names.split(" or ").enumerate() {
            let with_state = |step: &ModeStep| match step {
                ModeStep::Act(action) => match action
                    .strip_prefix("tokenizer ")
                    .and_then(|states| states.split(" or ").nth(which))
                {
                    Some(state) => ModeStep::Act(format!("tokenizer {state}")),
                    None => step.clone(),
                },
                other => other.clone(),
            };
            let steps: Vec<ModeStep> = steps.iter().map(with_state).collect();
            let text = written::steps(&table_form(&steps), &mut self.sets);
            self.declare(line, format!("steps {name} {{ {text} }}"));
        }
    }
}

/// Formats a table row of two or four cells as an adjustment of a name; returns `None` for any other row.
fn adjustment_row(cells: &[&str]) -> Option<String> {
    match cells {
        [from, target] => Some(format!("{from:?} => {target:?}")),
        [from, prefix, local, namespace] => {
            let namespace = kebab_case(namespace.strip_suffix("namespace")?);
            let target =
                if *prefix == "(none)" { (*local).to_owned() } else { format!("{prefix}:{local}") };
            Some(format!("{from:?} => {namespace} {target:?}"))
        }
        _ => None,
    }
}
