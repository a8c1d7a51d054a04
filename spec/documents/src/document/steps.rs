//! Translates the lists of steps and choices in algorithms to steps, nested like the lists, by a grammar and the profile's
//! glosses. Each text is listed once, with the result of reading it.

use super::outline::{ListEntry, ListKind, Node, Text};
use super::rules::{Rules, parse_steps, resolve_notes};
use super::sentence::{self, Read};
use super::{DocumentStep, Reading, append_steps, with_origin};

impl Reading {
    /// Translates a sentence or label of an algorithm to steps, and keeps the declarations in its meaning in
    /// `gloss_declarations`. If the last step is an empty block, the list that follows fills it. Returns `None` if no rule
    /// of the category matches.
    pub(super) fn translate(
        &mut self,
        rules: &Rules,
        category: &str,
        words: &str,
        line: usize,
    ) -> Option<Vec<DocumentStep>> {
        let meaning = resolve_notes(&self.meaning_of(rules, category, words)?)?;
        let (items, steps) = split_declarations(parse_steps(&meaning));
        self.gloss_declarations.extend(items.iter().map(|item| format!("{};", item.words)));
        let mut steps = with_origin(merge_constants(steps), line, words);
        steps.iter_mut().for_each(|step| self.resolve_pronouns(step));
        Some(steps)
    }

    /// Reads a list: steps in sequence, or choices under labels. Steps that are the target of a jump get a label.
    pub(super) fn steps_of(
        &mut self,
        rules: &Rules,
        kind: ListKind,
        entries: &[ListEntry],
    ) -> Vec<DocumentStep> {
        let mut of_entries: Vec<Vec<DocumentStep>> = Vec::new();
        for entry in entries {
            let steps = self.steps_in(rules, &entry.nodes);
            of_entries.push(self.read_choice(rules, &entry.labels, steps));
        }
        if kind == ListKind::Steps {
            label_targets(&mut of_entries);
        }
        of_entries.concat()
    }

    /// Reads the labels of a choice, and returns a block with the steps under their disjunction. Without a label that is
    /// read, returns the steps.
    fn read_choice(
        &mut self,
        rules: &Rules,
        labels: &[Text],
        steps: Vec<DocumentStep>,
    ) -> Vec<DocumentStep> {
        let mut conditions: Vec<String> = Vec::new();
        for label in labels {
            let condition = self.translate(rules, "label", &label.words, label.line);
            self.note_in(label, &label.words, condition.is_some());
            conditions.extend(condition.into_iter().flatten().map(|step| step.words));
        }
        if conditions.is_empty() {
            return steps;
        }
        let words = conditions.join(" or ").replace(" or when ", " or ");
        let origin = labels.first().map(|label| (label.line, sentence::hash(&label.words)));
        vec![DocumentStep { origin, ..DocumentStep::block(words, steps) }]
    }

    /// Reads paragraphs and the lists that belong to them, and returns their steps. Algorithms in the lists are recorded.
    fn steps_in(&mut self, rules: &Rules, nodes: &[Node]) -> Vec<DocumentStep> {
        let mut lines: Vec<DocumentStep> = Vec::new();
        for node in nodes {
            match node {
                Node::Paragraph(text) => self.read_sentences(rules, text, &mut lines),
                Node::List(ListKind::Items, entries) => {
                    let items = self.read_items(entries, rules, "item");
                    let Some(last) = lines.last_mut() else { continue };
                    last.words = match &last.words[..] {
                        "when all" => format!("when {}", join_conditions(items, " and ")),
                        "when any" => format!("when {}", join_conditions(items, " or ")),
                        words => format!("{words} {}", items.join(" and ")),
                    };
                }
                Node::List(kind, entries) => {
                    let inner = self.steps_of(rules, *kind, entries);
                    append_steps(&mut lines, inner);
                    let is_algorithm = |line: &DocumentStep| line.words.starts_with("algorithm ");
                    if let Some(at) = lines.iter().position(is_algorithm) {
                        let algorithm = lines.remove(at);
                        let name = algorithm.words.trim_start_matches("algorithm ").to_owned();
                        let line = algorithm.origin.map_or(0, |(line, _)| line);
                        self.record_steps((name, self.section(), line), algorithm.inner);
                    }
                }
            }
        }
        lines
    }

    /// Reads the sentences of a paragraph into `lines`.
    fn read_sentences(&mut self, rules: &Rules, text: &Text, lines: &mut Vec<DocumentStep>) {
        for words in sentence::divide(&text.words) {
            if self.is_remark_in(text, &words) {
                self.note(&words, text.line, Read::Remark);
                continue;
            }
            let steps = self.translate(rules, "sentence", &words, text.line);
            self.note_in(text, &words, steps.is_some());
            for step in steps.into_iter().flatten() {
                add_step(step, lines);
            }
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

/// Separates the declarations in a meaning, without `declare`, from its steps.
pub(super) fn split_declarations(
    steps: Vec<DocumentStep>,
) -> (Vec<DocumentStep>, Vec<DocumentStep>) {
    const WORD: &str = "declare ";
    let (mut items, steps): (Vec<_>, Vec<_>) =
        steps.into_iter().partition(|step| step.words.starts_with(WORD));
    items.iter_mut().for_each(|item| item.words.replace_range(..WORD.len(), ""));
    (items, steps)
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

/// Adds a step to `lines`, unless it only completes a preceding step: `give` and `then`.
fn add_step(step: DocumentStep, lines: &mut Vec<DocumentStep>) {
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

/// Labels the steps to which others jump, and names the labels in jumps by relative position.
fn label_targets(of_entries: &mut [Vec<DocumentStep>]) {
    let number = |at: usize| format!("step-{}", at + 1);
    for at in 0..of_entries.len() {
        for (jump, back) in [("go again", 0), ("go previous", 1)] {
            let Some(to) = at.checked_sub(back) else { continue };
            let label = of_entries[to].first().and_then(|step| step.words.strip_prefix("at "));
            let place = format!("go {}", label.map_or_else(|| number(to), str::to_owned));
            of_entries[at].iter_mut().for_each(|step| replace_jump(step, jump, &place));
        }
    }
    for at in 0..of_entries.len() {
        let has = |verb: &str| {
            let wanted = format!("{verb} {}", number(at));
            of_entries.iter().flatten().any(|step| step.contains(&|words| words == wanted))
        };
        if has("go") && !has("at") {
            of_entries[at].insert(0, DocumentStep::step(format!("at {}", number(at))));
        }
    }
}

fn replace_jump(step: &mut DocumentStep, jump: &str, place: &str) {
    if step.words == jump {
        place.clone_into(&mut step.words);
    }
    step.inner.iter_mut().for_each(|inner| replace_jump(inner, jump, place));
}
