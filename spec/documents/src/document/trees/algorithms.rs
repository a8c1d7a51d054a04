//! Reads algorithms that the runtime supplies: numbered steps, choices and loops become the steps of an `algorithm` of
//! the table language. Each sentence is listed once, with the result of reading it.

mod sentences;

pub(in crate::document) use sentences::shape;
pub(super) use sentences::{AlgorithmSentence, Declarations, sentence as translate_sentence};

use super::english::{Definition, Say};
use super::modes::Reader;
use crate::document::outline::{Entry, ListKind, Node, Text};
use crate::document::sentence::{self, Read};
use crate::document::{AlgorithmRead, StepRead};

/// Returns a sentence outside an algorithm that describes a part of one: the algorithm's name, and the steps.
pub(in crate::document) fn stated(words: &str, line: usize) -> Option<(String, Vec<StepRead>)> {
    let (name, mut steps) = sentences::stated(words)?;
    steps.first_mut()?.origin = Some((line, sentence::hash(words)));
    Some((name.to_owned(), steps))
}

impl Reader<'_> {
    /// Reads the head of an algorithm, or its return type. The sentence is listed, and its steps are kept for the list
    /// that follows.
    pub(super) fn head(
        &mut self,
        words: &str,
        line: usize,
    ) -> Option<Option<super::english::ParsedSentence>> {
        if let Some(steps) = sentences::returned(words) {
            self.note(words, line, Read::Asks);
            self.given.extend(steps);
            return Some(None);
        }
        let (name, mut given, is_whole) = sentences::head(words)?;
        self.note(words, line, Read::Asks);
        if let Some(first) = given.first_mut() {
            first.origin = Some((line, sentence::hash(words)));
        }
        if is_whole {
            let section = self.section();
            self.reading.record((name.to_owned(), section, line), given);
            return Some(None);
        }
        self.given = given;
        let definition = match name {
            "parse-fragment" => Definition::Fragment,
            _ => Definition::Primitive(name),
        };
        let say = Say::Defines(definition);
        Some(Some(super::english::ParsedSentence { say, opens: words.ends_with(':'), label: None }))
    }

    /// Reads a sentence on scripts in a mode, as part of an algorithm of its own.
    pub(super) fn script(&mut self, words: &str, line: usize) {
        let translated = sentences::sentence(words, &mut Declarations::default());
        let mut steps = match translated {
            Some(AlgorithmSentence::Steps(steps)) => steps,
            Some(AlgorithmSentence::NotCompared(reason)) => {
                return self.left_out(words, line, reason);
            }
            _ => return self.note(words, line, Read::Unread),
        };
        self.note(words, line, Read::Asks);
        if let Some(first) = steps.first_mut() {
            first.origin = Some((line, sentence::hash(words)));
        }
        self.record_script(line, steps);
    }

    /// Reads the list after such a sentence.
    pub(super) fn script_list(&mut self, kind: ListKind, entries: &[Entry]) {
        let steps = self.steps_of(kind, entries, &mut Declarations::default());
        self.record_script(0, steps);
    }

    /// Reads the steps of an algorithm, and the declarations that follow from them.
    pub(super) fn algorithm(
        &mut self,
        name: &str,
        entries: &[Entry],
        (section, line): (String, usize),
        given: Vec<StepRead>,
    ) {
        let mut found = Declarations::default();
        let steps = self.steps_of(ListKind::Steps, entries, &mut found);
        for (limit, number) in &found.limits {
            self.declare(line, format!("limit {limit} {number};"));
        }
        self.fostered(&found, line);
        let name = name.to_owned();
        let steps = [given, steps].concat();
        self.reading.algorithms.push(AlgorithmRead { name, section, line, steps });
    }

    /// Declares the template element and the foster parent, which conditions of the algorithm name.
    fn fostered(&mut self, found: &Declarations, line: usize) {
        let Some(fostered) = found.asked.iter().find(|names| names.len() > 1) else { return };
        let last: Vec<&String> = found.last.iter().flat_map(|(_, names)| names).collect();
        let is_asked =
            |name: &&&String| found.asked.iter().any(|asked| asked[..] == [(**name).clone()]);
        let of = |variable: &str| {
            let found = found.last.iter().find(|(name, _)| name == variable);
            found.and_then(|(_, names)| names.first())
        };
        let template = of("last-template").or(last.iter().find(is_asked).copied());
        let Some(template) = template else { return };
        self.declare(line, format!("template {template:?};"));
        if let Some(beside) = last.iter().find(|name| **name != template) {
            let names: Vec<String> = fostered.iter().map(|name| format!("{name:?}")).collect();
            self.declare(line, format!("foster {} beside {beside:?};", names.join(" | ")));
        }
    }

    /// Returns the steps of a list.
    fn steps_of(
        &mut self,
        kind: ListKind,
        entries: &[Entry],
        found: &mut Declarations,
    ) -> Vec<StepRead> {
        let mut of_entries = Vec::new();
        for entry in entries {
            let mut steps = self.steps_in(&entry.nodes, found);
            if let Some(label) = entry.labels.first() {
                match sentences::label(&label.words, found) {
                    Some(words) => {
                        let mut block = StepRead::block(words, steps);
                        block.origin = Some((label.line, sentence::hash(&label.words)));
                        steps = vec![block];
                    }
                    None => self.note(&label.words, label.line, Read::Unread),
                }
            }
            of_entries.push(steps);
        }
        if kind == ListKind::Steps {
            for at in 0..of_entries.len() {
                let goes = format!("go step-{}", at + 1);
                if of_entries.iter().any(|steps| has(steps, &goes)) {
                    of_entries[at].insert(0, StepRead::step(format!("at step-{}", at + 1)));
                }
            }
        }
        of_entries.concat()
    }

    /// Returns the steps of paragraphs, and of the lists that belong to them.
    fn steps_in(&mut self, nodes: &[Node], found: &mut Declarations) -> Vec<StepRead> {
        let mut lines: Vec<StepRead> = Vec::new();
        let mut is_left_out = false;
        for node in nodes {
            match node {
                Node::Paragraph(text) => is_left_out = self.paragraph(text, &mut lines, found),
                Node::List(ListKind::Items, entries) => {
                    let joint = lines.last().and_then(|last| match &last.words[..] {
                        "when all" => Some(" and "),
                        "when any" => Some(" or "),
                        _ => None,
                    });
                    if let (Some(joint), Some(at)) = (joint, lines.len().checked_sub(1)) {
                        let items = self.items(entries, sentences::condition);
                        let items: Vec<String> =
                            items.into_iter().map(|item| joined(item, joint)).collect();
                        lines[at].words = format!("when {}", items.join(joint));
                        continue;
                    }
                    let items = self.items(entries, sentences::item);
                    if let Some(last) = lines.last_mut() {
                        last.words = format!("{} {}", last.words, items.join(" and "));
                    }
                }
                Node::List(kind, entries) => {
                    let inner = self.steps_of(*kind, entries, found);
                    let last = lines.last_mut().filter(|last| last.is_block);
                    match last.filter(|last| last.inner.is_empty()) {
                        _ if is_left_out => {}
                        Some(last) => last.inner = inner,
                        None => lines.extend(inner),
                    }
                }
            }
        }
        lines
    }

    /// Reads the sentences of a paragraph. Returns whether the last one is left out, together with the list after it.
    fn paragraph(
        &mut self,
        text: &Text,
        lines: &mut Vec<StepRead>,
        found: &mut Declarations,
    ) -> bool {
        let mut is_left_out = false;
        for words in sentence::divide(&text.words) {
            if self.is_remark(&words, text) {
                self.note(&words, text.line, Read::Remark);
                continue;
            }
            let translated = sentences::sentence(&words, found);
            is_left_out = matches!(translated, Some(AlgorithmSentence::NotCompared(_)));
            match translated {
                Some(AlgorithmSentence::Steps(mut steps)) => {
                    self.note(&words, text.line, Read::Asks);
                    if let Some(first) = steps.first_mut() {
                        first.origin = Some((text.line, sentence::hash(&words)));
                    }
                    lines.extend(steps);
                }
                Some(AlgorithmSentence::Then(steps)) => {
                    self.note(&words, text.line, Read::Asks);
                    if let Some(last) = lines.last_mut() {
                        last.inner.extend(steps);
                    }
                }
                Some(AlgorithmSentence::NotCompared(reason)) => {
                    self.left_out(&words, text.line, reason);
                }
                None => self.note(&words, text.line, Read::Unread),
            }
        }
        is_left_out
    }
}

/// Returns an item of a list of conditions, prefixed if its own operator differs from the list's.
fn joined(item: String, joint: &str) -> String {
    match joint {
        " and " if item.contains(" or ") => format!("either {item}"),
        " or " if item.contains(" and ") => format!("both {item}"),
        _ => item,
    }
}

fn has(steps: &[StepRead], words: &str) -> bool {
    steps.iter().any(|step| step.words == words || has(&step.inner, words))
}
