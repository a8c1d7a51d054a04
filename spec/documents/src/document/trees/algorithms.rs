//! Reads algorithms of tree construction: numbered steps, choices and loops become the steps of an `algorithm` of the
//! table language, by the grammar `algorithms.rules` and the profile's glosses. Each sentence is listed once, with the
//! result of reading it.

use super::english::{Definition, ParsedSentence, TreeStatement, split_declarations};
use super::modes::TreeReader;
use crate::document::outline::{ListEntry, ListKind, Node, Text};
use crate::document::rules::{Rules, parse_steps};
use crate::document::sentence::{self, Read};
use crate::document::{DocumentAlgorithm, DocumentStep, append_steps, with_origin};
use std::sync::LazyLock;

/// The grammar in `algorithms.rules`.
static GRAMMAR: LazyLock<Rules> = LazyLock::new(|| Rules::parse(include_str!("algorithms.rules")));

impl TreeReader<'_> {
    /// Reads a sentence that introduces an algorithm or its parameters, and keeps the parameters for the list that
    /// follows. Returns `None` if the sentence introduces neither, and `Some(None)` if it introduces parameters alone.
    pub(super) fn read_introduction(
        &mut self,
        words: &str,
        line: usize,
    ) -> Option<Option<ParsedSentence>> {
        let introduces_algorithm =
            |place: &str| place == "given" || place.starts_with("algorithm ");
        let gloss = self.reading.gloss(words, introduces_algorithm)?;
        let algorithm = gloss.place.strip_prefix("algorithm ").map(str::to_owned);
        let parameters = parse_steps(&gloss.meaning);
        self.reading.note(words, line, Read::Asks);
        let Some(name) = algorithm else {
            self.parameters.extend(parameters);
            return Some(None);
        };
        self.parameters = with_origin(parameters, line, words);
        let definition = match &name[..] {
            "parse-fragment" => Definition::Fragment,
            _ => Definition::Primitive(name),
        };
        Some(Some(ParsedSentence::new(TreeStatement::Defines(definition), words)))
    }

    /// Reads a sentence of the algorithm beside a row. Without such an algorithm, only definitions of variables count
    /// as read, as rows do not use variables.
    pub(super) fn read_beside_row(&mut self, words: &str, line: usize) {
        let Some(steps) = self.translate(words, line) else {
            return self.reading.note(words, line, Read::Unread);
        };
        let is_definition = |step: &DocumentStep| !step.is_block && step.words.starts_with("let ");
        let is_read = self.algorithm_beside_row.is_some() || steps.iter().all(is_definition);
        self.reading.note(words, line, if is_read { Read::Asks } else { Read::Unread });
        self.record_beside_row(line, steps);
    }

    /// Reads the list after a sentence of the algorithm beside the row.
    pub(super) fn read_list_beside_row(&mut self, kind: ListKind, entries: &[ListEntry]) {
        let steps = self.steps_of(kind, entries);
        self.record_beside_row(0, steps);
    }

    /// Appends steps to the algorithm beside the row, if there is one.
    fn record_beside_row(&mut self, line: usize, steps: Vec<DocumentStep>) {
        if let Some(name) = self.algorithm_beside_row.clone() {
            self.reading.record_steps((name, self.reading.section(), line), steps);
        }
    }

    /// Reads the steps of an algorithm, and adds it with the declarations in its glosses.
    pub(super) fn read_algorithm(
        &mut self,
        name: String,
        entries: &[ListEntry],
        line: usize,
        parameters: Vec<DocumentStep>,
    ) {
        let steps = self.steps_of(ListKind::Steps, entries);
        for item in std::mem::take(&mut self.gloss_declarations) {
            self.declare(line, item);
        }
        let section = self.reading.section();
        let steps = [parameters, steps].concat();
        self.reading.algorithms.push(DocumentAlgorithm { name, section, line, steps });
    }

    /// Translates a sentence or label of an algorithm to steps, and keeps the declarations of its gloss in
    /// `gloss_declarations`. If the last step is an empty block, the list that follows fills it. Returns `None` if no rule
    /// matches.
    pub(super) fn translate(&mut self, words: &str, line: usize) -> Option<Vec<DocumentStep>> {
        let meaning = self.reading.meaning_of(&GRAMMAR, "sentence", words)?;
        let (items, steps) = split_declarations(parse_steps(&meaning));
        self.gloss_declarations.extend(items.iter().map(|item| format!("{};", item.words)));
        Some(with_origin(steps, line, words))
    }

    /// Reads a list: steps in sequence, or choices under labels. Steps that are the target of a jump get a label.
    fn steps_of(&mut self, kind: ListKind, entries: &[ListEntry]) -> Vec<DocumentStep> {
        let mut of_entries = Vec::new();
        for entry in entries {
            let mut steps = self.steps_in(&entry.nodes);
            if let Some(label) = entry.labels.first() {
                match self.translate(&label.words, label.line) {
                    Some(mut block) if block.len() == 1 => {
                        block[0].inner = steps;
                        steps = block;
                    }
                    _ => self.reading.note(&label.words, label.line, Read::Unread),
                }
            }
            of_entries.push(steps);
        }
        if kind == ListKind::Steps {
            for at in 0..of_entries.len() {
                let jump = format!("go step-{}", at + 1);
                if of_entries.iter().flatten().any(|step| step.contains(&|words| words == jump)) {
                    of_entries[at].insert(0, DocumentStep::step(format!("at step-{}", at + 1)));
                }
            }
        }
        of_entries.concat()
    }

    /// Reads paragraphs and the lists that belong to them, and returns their steps.
    fn steps_in(&mut self, nodes: &[Node]) -> Vec<DocumentStep> {
        let mut lines: Vec<DocumentStep> = Vec::new();
        for node in nodes {
            match node {
                Node::Paragraph(text) => self.read_paragraph(text, &mut lines),
                Node::List(ListKind::Items, entries) => {
                    let items = self.reading.read_items(entries, &GRAMMAR, "item");
                    let Some(last) = lines.last_mut() else { continue };
                    last.words = match &last.words[..] {
                        "when all" => format!("when {}", join_conditions(items, " and ")),
                        "when any" => format!("when {}", join_conditions(items, " or ")),
                        words => format!("{words} {}", items.join(" and ")),
                    };
                }
                Node::List(kind, entries) => {
                    let inner = self.steps_of(*kind, entries);
                    append_steps(&mut lines, inner);
                }
            }
        }
        lines
    }

    /// Reads the sentences of a paragraph into `lines`.
    fn read_paragraph(&mut self, text: &Text, lines: &mut Vec<DocumentStep>) {
        for words in sentence::divide(&text.words) {
            if self.reading.is_remark_in(text, &words) {
                self.reading.note(&words, text.line, Read::Remark);
                continue;
            }
            let Some(steps) = self.translate(&words, text.line) else {
                self.reading.note(&words, text.line, Read::Unread);
                continue;
            };
            self.reading.note(&words, text.line, Read::Asks);
            match (&steps[..], lines.last_mut()) {
                ([then], Some(last)) if then.words == "then" => {
                    last.inner.extend(then.inner.iter().cloned());
                }
                _ => lines.extend(steps),
            }
        }
    }
}

/// Joins the conditions of a list by `joint`. A condition that contains the other operator gets the prefix `either` or
/// `both`.
fn join_conditions(items: Vec<String>, joint: &str) -> String {
    let (other, prefix) = if joint == " and " { (" or ", "either") } else { (" and ", "both") };
    let items = items.into_iter().map(|item| match item.contains(other) {
        true => format!("{prefix} {item}"),
        false => item,
    });
    items.collect::<Vec<_>>().join(joint)
}
