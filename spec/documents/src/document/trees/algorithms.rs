//! Algorithms that the runtime supplies, as the document describes them: numbered steps, choices and loops become the steps of
//! an `algorithm` of the table language. It reads no words (`sentences` does) and compares nothing. Invariant: every
//! sentence is listed once, with how it was read.

mod sentences;

pub(in crate::document) use sentences::shape;

use super::modes::Reader;
use crate::document::outline::{Entry, ListKind, Node, Text};
use crate::document::sentence::{self, Read};
use crate::document::{AlgorithmRead, StepRead};
use sentences::{Found, Heard};

/// A sentence that describes an algorithm beside rows over tokens: the algorithm, and its steps.
pub(in crate::document) fn stated(words: &str, line: usize) -> Option<(String, Vec<StepRead>)> {
    let (name, mut steps) = sentences::stated(words)?;
    steps.first_mut()?.origin = Some((line, sentence::hash(words)));
    Some((name.to_owned(), steps))
}

impl Reader<'_> {
    /// A sentence on what scripts do in a mode: part of an algorithm of its own.
    pub(super) fn script(&mut self, words: &str, line: usize) {
        let heard = sentences::sentence(words, &mut Found::default());
        let Some(Heard::Steps(mut steps)) = heard else {
            return self.note(words, line, Read::Unread);
        };
        self.note(words, line, Read::Asks);
        if let Some(first) = steps.first_mut() {
            first.origin = Some((line, sentence::hash(words)));
        }
        self.record_script(line, steps);
    }

    /// The list after such a sentence.
    pub(super) fn script_list(&mut self, kind: ListKind, entries: &[Entry]) {
        let steps = self.steps_of(kind, entries, &mut Found::default());
        self.record_script(0, steps);
    }

    /// The steps after a sentence that begins to describe an algorithm, and what is declared beside them.
    pub(super) fn algorithm(
        &mut self,
        name: &str,
        entries: &[Entry],
        section: String,
        line: usize,
    ) {
        let mut found = Found::default();
        let steps = self.steps_of(ListKind::Steps, entries, &mut found);
        for (limit, number) in &found.limits {
            self.declare(line, format!("limit {limit} {number};"));
        }
        if !found.elements.is_empty() {
            let last = |what: &str| found.last.iter().find(|(name, _)| name == what);
            if let Some((_, template)) = last("last-template") {
                self.declare(line, format!("template {template:?};"));
            }
            if let Some((_, beside)) = last("last-table") {
                let names = found.elements.join(" | ");
                self.declare(line, format!("foster {names} beside {beside:?};"));
            }
        }
        let name = name.to_owned();
        self.reading.algorithms.push(AlgorithmRead { name, section, line, steps });
    }

    /// The steps of a list.
    fn steps_of(&mut self, kind: ListKind, entries: &[Entry], found: &mut Found) -> Vec<StepRead> {
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

    /// The steps of paragraphs, and of the lists that belong to them.
    fn steps_in(&mut self, nodes: &[Node], found: &mut Found) -> Vec<StepRead> {
        let mut lines: Vec<StepRead> = Vec::new();
        let mut is_left_out = false;
        for node in nodes {
            match node {
                Node::Paragraph(text) => is_left_out = self.paragraph(text, &mut lines, found),
                Node::List(ListKind::Items, entries) => {
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

    /// The sentences of a paragraph. Whether what follows belongs to one that is left out.
    fn paragraph(&mut self, text: &Text, lines: &mut Vec<StepRead>, found: &mut Found) -> bool {
        let mut is_left_out = false;
        for words in sentence::divide(&text.words) {
            if text.is_note {
                self.note(&words, text.line, Read::Remark);
                continue;
            }
            let heard = sentences::sentence(&words, found);
            is_left_out = matches!(heard, Some(Heard::NotCompared(_)));
            match heard {
                Some(Heard::Steps(mut steps)) => {
                    self.note(&words, text.line, Read::Asks);
                    if let Some(first) = steps.first_mut() {
                        first.origin = Some((text.line, sentence::hash(&words)));
                    }
                    lines.extend(steps);
                }
                Some(Heard::Remark) => self.note(&words, text.line, Read::Remark),
                Some(Heard::NotCompared(reason)) => {
                    self.left_out(&words, text.line, reason);
                }
                None => self.note(&words, text.line, Read::Unread),
            }
        }
        is_left_out
    }
}

fn has(steps: &[StepRead], words: &str) -> bool {
    steps.iter().any(|step| step.words == words || has(&step.inner, words))
}
