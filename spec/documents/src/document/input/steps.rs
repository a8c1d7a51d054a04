//! Translates lists of steps and choices in algorithms on bytes and strings to steps, nested like the lists. Each text
//! is listed once, with the result of reading it.

use super::{GRAMMAR, InputReader};
use crate::document::outline::{ListEntry, ListKind, Node, Text};
use crate::document::rules::{parse_steps, resolve_notes};
use crate::document::sentence::{self, Read};
use crate::document::{DocumentStep, append_steps, with_origin};

impl InputReader<'_> {
    /// Reads a list: steps in sequence, or choices under labels. Steps that are the target of a jump get a label.
    pub(super) fn steps_of(&mut self, kind: ListKind, entries: &[ListEntry]) -> Vec<DocumentStep> {
        let mut of_entries: Vec<Vec<DocumentStep>> = Vec::new();
        for entry in entries {
            let steps = self.steps_in(&entry.nodes);
            of_entries.push(match entry.labels.is_empty() {
                true => steps,
                false => self.read_choice(&entry.labels, steps),
            });
        }
        if kind == ListKind::Steps {
            add_labels(&mut of_entries);
        }
        of_entries.concat()
    }

    /// Reads the labels of a choice, and returns a block with the steps under their disjunction.
    fn read_choice(&mut self, labels: &[Text], steps: Vec<DocumentStep>) -> Vec<DocumentStep> {
        let mut conditions: Vec<String> = Vec::new();
        for label in labels {
            let condition = self.reading.meaning_of(&GRAMMAR, "label", &label.words);
            let condition = condition.and_then(|words| resolve_notes(&words));
            let outcome = if condition.is_some() { Read::Asks } else { Read::Unread };
            self.reading.note(&label.words, label.line, outcome);
            conditions.extend(condition);
        }
        let words = conditions.join(" or ").replace(" or when ", " or ");
        let mut block = DocumentStep::block(words, steps);
        block.origin = labels.first().map(|label| (label.line, sentence::hash(&label.words)));
        vec![block]
    }

    /// Reads paragraphs and the lists that belong to them, and returns their steps.
    fn steps_in(&mut self, nodes: &[Node]) -> Vec<DocumentStep> {
        let mut lines: Vec<DocumentStep> = Vec::new();
        for node in nodes {
            match node {
                Node::Paragraph(text) => self.read_sentences(text, &mut lines),
                Node::List(ListKind::Items, entries) => {
                    let items = self.reading.read_items(entries, &GRAMMAR, "item");
                    if let Some(last) = lines.last_mut().filter(|last| last.words == "when any") {
                        last.words = format!("when {}", items.join(" or "));
                    }
                }
                Node::List(ListKind::Rows, entries) => self.read_locales(entries),
                Node::List(kind, entries) => {
                    let inner = self.steps_of(*kind, entries);
                    append_steps(&mut lines, inner);
                    if let Some(at) =
                        lines.iter().position(|line| line.words.starts_with("algorithm "))
                    {
                        let algorithm = lines.remove(at);
                        let name = algorithm.words.trim_start_matches("algorithm ").to_owned();
                        let line = algorithm.origin.map_or(0, |(line, _)| line);
                        self.reading
                            .record_steps((name, self.reading.section(), line), algorithm.inner);
                    }
                }
            }
        }
        lines
    }

    /// Reads the sentences of a paragraph into `lines`.
    fn read_sentences(&mut self, text: &Text, lines: &mut Vec<DocumentStep>) {
        for words in sentence::divide(&text.words) {
            if self.reading.is_remark_in(text, &words) {
                self.reading.note(&words, text.line, Read::Remark);
                continue;
            }
            let meaning = self.reading.meaning_of(&GRAMMAR, "sentence", &words);
            let Some(meaning) = meaning.and_then(|meaning| resolve_notes(&meaning)) else {
                self.reading.note(&words, text.line, Read::Unread);
                continue;
            };
            self.reading.note(&words, text.line, Read::Asks);
            let mut steps = with_origin(merge_constants(parse_steps(&meaning)), text.line, &words);
            steps.iter_mut().for_each(|step| self.resolve_pronouns(step));
            for step in steps {
                self.add_step(step, lines);
            }
        }
    }

    /// Adds a step to `lines`, unless it only completes a preceding step: `give` and `then`.
    fn add_step(&mut self, step: DocumentStep, lines: &mut Vec<DocumentStep>) {
        if let Some(value) = step.words.strip_prefix("give ") {
            if let Some(valueless_exit) = lines.iter_mut().rev().find_map(valueless_exit) {
                valueless_exit.words = format!("return {value}");
            }
            return;
        }
        match lines.last_mut() {
            Some(last) if step.words == "then" && last.is_block => last.inner.extend(step.inner),
            _ => lines.push(step),
        }
    }

    /// Replaces "it" and "there is none" by the variables to which these refer.
    fn resolve_pronouns(&mut self, step: &mut DocumentStep) {
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
            self.resolve_pronouns(inner);
        }
    }
}

/// Merges consecutive steps that append constants into one step.
fn merge_constants(steps: Vec<DocumentStep>) -> Vec<DocumentStep> {
    let mut merged: Vec<DocumentStep> = Vec::new();
    for mut step in steps {
        step.inner = merge_constants(step.inner);
        let constants = merged.last().and_then(|last| Some((constant(last)?, constant(&step)?)));
        match (constants, merged.last_mut()) {
            (Some((first, second)), Some(last)) => {
                last.words = format!("append \"{first}{second}\"")
            }
            _ => merged.push(step),
        }
    }
    merged
}

/// Returns the constant that a step appends, escaped for double quotes, or `None` for any other step.
fn constant(step: &DocumentStep) -> Option<String> {
    let words = step.words.strip_prefix("append ").filter(|_| !step.is_block)?;
    let unquoted = |quote: char| words.strip_prefix(quote)?.strip_suffix(quote);
    match unquoted('"') {
        Some(text) => Some(text.to_owned()),
        None => Some(unquoted('\'')?.replace("\\'", "'").replace('"', "\\\"")),
    }
}

/// Returns the last one among a step and its inner steps that leaves an algorithm without a value, or `None` if none
/// does.
fn valueless_exit(step: &mut DocumentStep) -> Option<&mut DocumentStep> {
    if step.words == "leave" {
        return Some(step);
    }
    step.inner.iter_mut().rev().find_map(valueless_exit)
}

/// Adds labels to the steps to which others jump by relative position, and names the labels in the jumps.
fn add_labels(of_entries: &mut [Vec<DocumentStep>]) {
    let mut used_names: Vec<String> = Vec::new();
    for at in 0..of_entries.len() {
        for (word, back) in [("go again", 0), ("go previous", 1)] {
            let Some(to) = at.checked_sub(back) else { continue };
            if !of_entries[at].iter().any(|step| step.contains(&|words| words == word)) {
                continue;
            }
            let label = of_entries[to].first().and_then(|step| step.words.strip_prefix("at "));
            let name = label.map_or(format!("step-{}", to + 1), str::to_owned);
            if label.is_none() && !used_names.contains(&name) {
                of_entries[to].insert(0, DocumentStep::step(format!("at {name}")));
                used_names.push(name.clone());
            }
            of_entries[at].iter_mut().for_each(|step| replace_jump(step, word, &name));
        }
    }
}

fn replace_jump(step: &mut DocumentStep, words: &str, place: &str) {
    if step.words == words {
        step.words = format!("go {place}");
    }
    step.inner.iter_mut().for_each(|inner| replace_jump(inner, words, place));
}
