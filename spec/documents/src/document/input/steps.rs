//! Translates lists of steps and choices in algorithms on bytes and strings to steps, nested as the lists are. Each
//! text of a list is listed once, with the result of reading it.

use super::{InputReader, grammar};
use crate::document::outline::{ListEntry, ListKind, Node, Text};
use crate::document::rules::{parse_steps, resolve_notes};
use crate::document::sentence::{self, Read};
use crate::document::{DocumentStep, with_origin};

impl InputReader<'_> {
    /// Returns the steps of a list.
    pub(super) fn steps_of(&mut self, kind: ListKind, entries: &[ListEntry]) -> Vec<DocumentStep> {
        let mut of_entries: Vec<Vec<DocumentStep>> = Vec::new();
        for entry in entries {
            let steps = self.steps_in(&entry.nodes);
            of_entries.push(match entry.labels.is_empty() {
                true => steps,
                false => self.choice(&entry.labels, steps),
            });
        }
        if kind == ListKind::Steps {
            add_labels(&mut of_entries);
        }
        of_entries.concat()
    }

    /// Reads an entry of a choice, under its labels.
    fn choice(&mut self, labels: &[Text], steps: Vec<DocumentStep>) -> Vec<DocumentStep> {
        let mut all: Vec<String> = Vec::new();
        for label in labels {
            let read = self.reading.meaning_of(grammar(), "label", &label.words);
            let read = read.and_then(|words| resolve_notes(&words));
            let how = if read.is_some() { Read::Asks } else { Read::Unread };
            self.note(&label.words, label.line, how);
            all.extend(read);
        }
        let words = all.join(" or ").replace(" or when ", " or ");
        let mut block = DocumentStep::block(words, steps);
        block.origin = labels.first().map(|label| (label.line, sentence::hash(&label.words)));
        vec![block]
    }

    /// Returns the steps of paragraphs, and of the lists that belong to them.
    fn steps_in(&mut self, nodes: &[Node]) -> Vec<DocumentStep> {
        let mut lines: Vec<DocumentStep> = Vec::new();
        for node in nodes {
            match node {
                Node::Paragraph(text) => self.sentences(text, &mut lines),
                Node::List(ListKind::Items, entries) => {
                    let items: Vec<String> = self.items(entries);
                    if let Some(last) = lines.last_mut().filter(|last| last.words == "when any") {
                        last.words = format!("when {}", items.join(" or "));
                    }
                }
                Node::List(ListKind::Rows, entries) => self.locales(entries),
                Node::List(kind, entries) => {
                    let inner = self.steps_of(*kind, entries);
                    let last =
                        lines.last_mut().filter(|last| last.is_block && last.inner.is_empty());
                    match last {
                        Some(last) => last.inner = inner,
                        None => lines.extend(inner),
                    }
                    if let Some(at) =
                        lines.iter().position(|line| line.words.starts_with("algorithm "))
                    {
                        let removed = lines.remove(at);
                        let name = removed.words.trim_start_matches("algorithm ").to_owned();
                        let line = removed.origin.map_or(0, |(line, _)| line);
                        self.reading.record((name, self.section.clone(), line), removed.inner);
                    }
                }
            }
        }
        lines
    }

    fn items(&mut self, entries: &[ListEntry]) -> Vec<String> {
        let mut items = Vec::new();
        for node in entries.iter().flat_map(|entry| &entry.nodes) {
            if let Node::Paragraph(text) = node {
                if self.is_remark(&text.words, text) {
                    self.note(&text.words, text.line, Read::Remark);
                    continue;
                }
                let item = self.reading.meaning_of(grammar(), "item", &text.words);
                let how = if item.is_some() { Read::Asks } else { Read::Unread };
                self.note(&text.words, text.line, how);
                items.extend(item);
            }
        }
        items
    }

    /// Appends the steps of a paragraph's sentences.
    fn sentences(&mut self, text: &Text, lines: &mut Vec<DocumentStep>) {
        for words in sentence::divide(&text.words) {
            if self.is_remark(&words, text) {
                self.note(&words, text.line, Read::Remark);
                continue;
            }
            let means = self.reading.meaning_of(grammar(), "sentence", &words);
            let Some(means) = means.and_then(|means| resolve_notes(&means)) else {
                self.note(&words, text.line, Read::Unread);
                continue;
            };
            self.note(&words, text.line, Read::Asks);
            let mut steps = with_origin(merge_constants(parse_steps(&means)), text.line, &words);
            steps.iter_mut().for_each(|step| self.pronouns(step));
            for step in steps {
                self.add_step(step, lines);
            }
        }
    }

    /// Adds a step, or applies it to the preceding ones.
    fn add_step(&mut self, step: DocumentStep, lines: &mut Vec<DocumentStep>) {
        if let Some(value) = step.words.strip_prefix("give ") {
            if let Some(valueless_exit) = lines.iter_mut().rev().find_map(valueless_exit) {
                valueless_exit.words = format!("return {value}");
            }
            return;
        }
        // This sentence closes a step that the preceding one left open.
        if let Some(left_open) = step.words.strip_prefix("end ") {
            let last = lines.last_mut().and_then(|last| {
                let words = last.words.strip_suffix(left_open)?.trim_end().to_owned();
                Some((last, words))
            });
            match last {
                Some((last, words)) => last.words = words,
                None => lines.push(step),
            }
            return;
        }
        match lines.last_mut() {
            Some(last) if step.words == "then" && last.is_block => last.inner.extend(step.inner),
            _ => lines.push(step),
        }
    }

    /// Resolves "it" and "there is none".
    fn pronouns(&mut self, step: &mut DocumentStep) {
        if let Some(rest) = step.words.strip_prefix("let ") {
            self.variable = rest.split(' ').next().unwrap_or_default().to_owned();
        }
        step.words = step.words.replace("there is none", &format!("{} is none", self.variable));
        let subject = step.words.split_once("when ").and_then(|(_, rest)| rest.split_once(" is "));
        let subject = subject.map(|(subject, _)| subject.to_owned());
        for inner in &mut step.inner {
            if let (Some(value), Some(subject)) = (inner.words.strip_prefix("let it "), &subject) {
                inner.words = format!("let {subject} {value}");
            }
            self.pronouns(inner);
        }
    }
}

/// Merges consecutive constants that are appended into one text.
fn merge_constants(steps: Vec<DocumentStep>) -> Vec<DocumentStep> {
    let mut all: Vec<DocumentStep> = Vec::new();
    for mut step in steps {
        step.inner = merge_constants(step.inner);
        let both = all.last().and_then(|last| Some((constant(last)?, constant(&step)?)));
        match (both, all.last_mut()) {
            (Some((first, second)), Some(last)) => {
                last.words = format!("append \"{first}{second}\"")
            }
            _ => all.push(step),
        }
    }
    all
}

/// Returns the constant that a step appends, as it stands between quotation marks.
fn constant(step: &DocumentStep) -> Option<String> {
    let words = step.words.strip_prefix("append ").filter(|_| !step.is_block)?;
    let inside = |quote: char| words.strip_prefix(quote)?.strip_suffix(quote);
    match inside('"') {
        Some(text) => Some(text.to_owned()),
        None => Some(inside('\'')?.replace("\\'", "'").replace('"', "\\\"")),
    }
}

/// Returns a step that leaves an algorithm without a value so far.
fn valueless_exit(step: &mut DocumentStep) -> Option<&mut DocumentStep> {
    if step.words == "leave" {
        return Some(step);
    }
    step.inner.iter_mut().rev().find_map(valueless_exit)
}

/// Labels the steps that others jump to by position.
fn add_labels(of_entries: &mut [Vec<DocumentStep>]) {
    let mut named: Vec<String> = Vec::new();
    for at in 0..of_entries.len() {
        for (word, back) in [("go again", 0), ("go previous", 1)] {
            let Some(to) = at.checked_sub(back) else { continue };
            if !of_entries[at].iter().any(|step| has(step, word)) {
                continue;
            }
            let label = of_entries[to].first().and_then(|step| step.words.strip_prefix("at "));
            let name = label.map_or(format!("step-{}", to + 1), str::to_owned);
            if label.is_none() && !named.contains(&name) {
                of_entries[to].insert(0, DocumentStep::step(format!("at {name}")));
                named.push(name.clone());
            }
            of_entries[at].iter_mut().for_each(|step| replace_jump(step, word, &name));
        }
    }
}

fn has(step: &DocumentStep, words: &str) -> bool {
    step.words == words || step.inner.iter().any(|step| has(step, words))
}

fn replace_jump(step: &mut DocumentStep, words: &str, place: &str) {
    if step.words == words {
        step.words = format!("go {place}");
    }
    step.inner.iter_mut().for_each(|inner| replace_jump(inner, words, place));
}
