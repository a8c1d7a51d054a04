//! Splits the declarations of tree construction into pieces.

use super::super::text::{conditions, element, row, words};
use super::{Index, Need, Piece, Pieces};
use tabulex_language::syntax::{
    AlgorithmStep, ElementSet, Note, NoteKind, ParsedAdjustment, ParsedElementRow,
    ParsedIntegrationPoint, Span, StepChange, StepEffect, TreeItem, Word,
};

impl<'t> Pieces<'t> {
    pub(super) fn add_tree_item(&mut self, item: &'t TreeItem, index: &Index<'t>) {
        match item {
            TreeItem::Dispatch { mode, condition } => {
                let line = format!("{} when {}", mode.value, conditions(condition));
                self.add_set("tree dispatch", mode.span, [line], Need::Modes, &[]);
            }
            TreeItem::Scope(members) => self.add_element_set("scope", members, index),
            TreeItem::Pointers(names) => self.add_words("pointers", names),
            TreeItem::IntegrationPoints(points) => {
                let span = points.first().map_or(Span::default(), |point| point.name.span);
                let lines = points.iter().map(integration_point);
                self.add_set("integration-points", span, lines, Need::Modes, &[]);
            }
            TreeItem::Adjustments { name, entries } => {
                let (key, lines) =
                    (format!("adjust {}", name.value), entries.iter().map(adjustment));
                self.add_set(&key, name.span, lines, Need::Modes, &[]);
            }
            TreeItem::Doctypes { name, ignoring_case, tests, notes } => {
                let test = |test: &Vec<_>| {
                    let mut parts: Vec<String> = test.iter().map(words).collect();
                    parts.sort();
                    parts.join(" and ")
                };
                let case_line = ignoring_case.then(|| "ignoring case".to_owned());
                let lines = tests.iter().map(test).chain(case_line);
                let key = format!("doctypes {}", name.value);
                self.add_set(&key, name.span, lines, Need::Set, notes);
            }
            TreeItem::Unacknowledged { part, error, notes } => {
                // Documents report the error for `self-closing` in a step of an algorithm, so it is compared with that
                // step.
                let is_step = part.value == "self-closing";
                let need = if is_step { Need::None } else { Need::Modes };
                let line = format!("{} => {}", part.value, error.value);
                self.add_set("unacknowledged", part.span, [line], need, notes);
            }
            TreeItem::Reset { section, rows } => {
                let span = rows.first().map_or(Span::default(), |row| row.span);
                self.add_section("reset", section.as_ref(), span);
                self.add_rows("reset", rows);
            }
            TreeItem::Fragment { root, section, rows } => {
                self.add_section("fragment", section.as_ref(), root.span);
                self.add_word("fragment root", root, Need::None, &[]);
                self.add_rows("fragment", rows);
            }
            TreeItem::SelectedContent(pairs, notes) => {
                let span = pairs.first().map_or(Span::default(), |(word, _)| word.span);
                let line = |(word, text): &(Word, Word)| format!("{} {:?}", word.value, text.value);
                self.add_set("selected-content", span, pairs.iter().map(line), Need::Set, notes);
            }
            TreeItem::Fostering { names, beside } => {
                self.add_set("foster", beside.span, names.iter().map(element), Need::None, &[]);
                self.add_members("foster", beside.span, index.elements(names), Need::Modes, &[]);
                self.add_word("foster beside", beside, Need::Modes, &[]);
            }
            TreeItem::Algorithm { name, section, steps } => {
                let key = format!("algorithm {}", name.value);
                self.add_section(&key, section.as_ref(), name.span);
                let mut lines = Vec::new();
                add_steps(steps, 0, &mut lines);
                self.add_list(&key, name.span, lines);
            }
            TreeItem::Feedback { word, action, notes: _ } => {
                let line = format!("{} => {}", word.value, words(action));
                self.add_set("tokenizer", word.span, [line], Need::None, &[]);
            }
            TreeItem::Answer { flag, value, condition } => {
                let condition = conditions(condition);
                let line = format!("{} {} when {condition}", flag.value, value.value);
                self.add_list("tell", flag.span, vec![line]);
            }
        }
    }

    /// Adds a set of element names: its lines as written, and its elements as members.
    pub(super) fn add_element_set(
        &mut self,
        word: &str,
        members: &'t ElementSet,
        index: &Index<'t>,
    ) {
        let ElementSet { name, members, except, notes } = members;
        let except = except.iter().map(|name| format!("except {}", element(name)));
        let lines: Vec<String> = members.iter().map(element).chain(except).collect();
        let elements = index.element_sets.get(&name.value[..]).cloned().unwrap_or_default();
        let key = format!("{word} {}", name.value);
        self.add_set(&key, name.span, lines, Need::None, &[]);
        self.add_members(&key, name.span, elements, Need::Shared, notes);
    }

    fn add_rows(&mut self, key: &str, rows: &[ParsedElementRow]) {
        for ParsedElementRow { patterns, bindings: _, guard, steps, span, text: _ } in rows {
            let names: Vec<String> = patterns.iter().map(element).collect();
            let names = if names.is_empty() { "else".to_owned() } else { names.join(" | ") };
            let Piece { compared, .. } = self.piece_mut(key, *span);
            compared.push(row(&names, guard.as_ref(), steps));
        }
    }
}

fn integration_point(point: &ParsedIntegrationPoint) -> String {
    let ParsedIntegrationPoint { name, attribute } = point;
    let attribute = attribute.as_ref();
    let attribute_text =
        attribute.map_or(String::new(), |(name, value)| format!(" with {name:?} = {value:?}"));
    format!("{}{attribute_text}", element(name))
}

fn adjustment(entry: &ParsedAdjustment) -> String {
    let ParsedAdjustment { from, namespace, to } = entry;
    let namespace = namespace.as_ref().map_or(String::new(), |name| format!("{name} "));
    format!("{:?} => {namespace}{:?}", from.value, to.value)
}

/// Formats a change of an algorithm's steps as lines.
pub(super) fn step_change(change: &StepChange) -> Vec<String> {
    let StepChange { effect, words: of, steps } = change;
    let effect = match effect {
        StepEffect::Replaced => "replace",
        StepEffect::Preceded => "add before",
        StepEffect::Followed => "add after",
    };
    let mut lines = vec![format!("{effect} {}", words(of))];
    add_steps(steps, 1, &mut lines);
    lines
}

/// Appends the steps that the table runs as lines, without those that only the document has.
fn add_steps(steps: &[AlgorithmStep], depth: usize, out: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    for step in steps {
        match step {
            AlgorithmStep::Step { words: stated, inner } => {
                out.push(format!("{indent}{}", words(stated)));
                add_steps(inner, depth + 1, out);
            }
            AlgorithmStep::Noted { note: Note { kind, reason: _, span: _ }, inner } => {
                let mut noted_lines = Vec::new();
                add_steps(inner, depth, &mut noted_lines);
                match kind {
                    NoteKind::Fills => out.extend(noted_lines),
                    // The steps under `deviates` are those of the document, which the table repeats only to say that it
                    // omits them.
                    NoteKind::Deviates => {}
                }
            }
        }
    }
}
