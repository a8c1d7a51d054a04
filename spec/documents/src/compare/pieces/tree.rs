//! Pieces of the declarations of tree construction.

use super::super::text::{conditions, element, flag, row, words};
use super::{Piece, Pieces};
use tabulex_language::syntax::{
    Adjustment, AlgorithmStep, ElementRow, IntegrationPoint, Members, Note, NoteKind, Span,
    TreeItem, Word,
};

impl Pieces {
    pub(super) fn tree(&mut self, item: &TreeItem) {
        match item {
            TreeItem::Modes(file) => self.word("modes", file),
            TreeItem::Flag { name, values, by_host, by_rows } => {
                let text = flag(values, (*by_host, *by_rows));
                self.set(&format!("tree flag {}", name.value), name.span, [text]);
            }
            TreeItem::Condition { name, conditions: parts } => {
                self.set(&format!("tree condition {}", name.value), name.span, [conditions(parts)]);
            }
            TreeItem::Dispatch { mode, condition } => {
                let line = format!("{} when {}", mode.value, conditions(condition));
                self.list("tree dispatch", mode.span, vec![line]);
            }
            TreeItem::Scope(members) => self.members("scope", members),
            TreeItem::Pointers(names) => self.words("pointers", names),
            TreeItem::IntegrationPoints(points) => {
                let span = points.first().map_or(Span::default(), |point| point.name.span);
                self.set("integration-points", span, points.iter().map(integration_point));
            }
            TreeItem::Adjustments { name, entries } => {
                let key = format!("adjust {}", name.value);
                self.set(&key, name.span, entries.iter().map(adjustment));
            }
            TreeItem::Doctypes { name, ignoring_case, tests, notes: _ } => {
                let test = |test: &Vec<_>| {
                    let mut parts: Vec<String> = test.iter().map(words).collect();
                    parts.sort();
                    parts.join(" and ")
                };
                let case = ignoring_case.then(|| "ignoring case".to_owned());
                let lines: Vec<String> = tests.iter().map(test).chain(case).collect();
                self.set(&format!("doctypes {}", name.value), name.span, lines);
            }
            TreeItem::Unacknowledged { part, error, notes: _ } => {
                self.set(
                    "unacknowledged",
                    part.span,
                    [format!("{} => {}", part.value, error.value)],
                );
            }
            TreeItem::Reset { section, rows } => {
                let span = rows.first().map_or(Span::default(), |row| row.span);
                self.section("reset", section.as_ref(), span);
                self.rows("reset", rows);
            }
            TreeItem::Fragment { root, section, rows } => {
                self.section("fragment", section.as_ref(), root.span);
                self.set("fragment root", root.span, [root.value.clone()]);
                self.rows("fragment", rows);
            }
            TreeItem::SelectedContent(pairs, _) => {
                let span = pairs.first().map_or(Span::default(), |(word, _)| word.span);
                let line = |(word, text): &(Word, Word)| format!("{} {:?}", word.value, text.value);
                self.set("selected-content", span, pairs.iter().map(line));
            }
            TreeItem::Template(name) => self.word("template", name),
            TreeItem::Fostering { names, beside } => {
                let lines: Vec<String> = names.iter().map(element).collect();
                self.set("foster", beside.span, lines);
                self.set("foster beside", beside.span, [beside.value.clone()]);
            }
            TreeItem::TextNodes(word, _) => self.word("text-nodes", word),
            TreeItem::Algorithm { name, section, steps } => {
                let key = format!("algorithm {}", name.value);
                self.section(&key, section.as_ref(), name.span);
                let mut lines = Vec::new();
                algorithm(steps, 0, &mut lines);
                self.list(&key, name.span, lines);
            }
            TreeItem::Feedback { word, action, notes: _ } => {
                self.set("tokenizer", word.span, [format!("{} => {}", word.value, words(action))]);
            }
            TreeItem::Answer { flag, value, condition } => {
                let condition = conditions(condition);
                let line = format!("{} {} when {condition}", flag.value, value.value);
                self.list("tell", flag.span, vec![line]);
            }
        }
    }

    /// Adds a set of element names, in any order.
    pub(super) fn members(&mut self, word: &str, members: &Members) {
        let Members { name, members, except, notes: _ } = members;
        let except = except.iter().map(|name| format!("except {}", element(name)));
        let lines: Vec<String> = members.iter().map(element).chain(except).collect();
        self.set(&format!("{word} {}", name.value), name.span, lines);
    }

    fn rows(&mut self, key: &str, rows: &[ElementRow]) {
        for ElementRow { names, guard, steps, span, text: _ } in rows {
            let names: Vec<String> = names.iter().map(element).collect();
            let names = if names.is_empty() { "else".to_owned() } else { names.join(" | ") };
            let Piece { compared, .. } = self.at(key, *span);
            compared.push(row(&names, guard.as_ref(), steps));
        }
    }
}

fn integration_point(point: &IntegrationPoint) -> String {
    let IntegrationPoint { name, attribute } = point;
    let attribute = attribute.as_ref();
    let with =
        attribute.map_or(String::new(), |(name, value)| format!(" with {name:?} = {value:?}"));
    format!("{}{with}", element(name))
}

fn adjustment(entry: &Adjustment) -> String {
    let Adjustment { from, namespace, to } = entry;
    let namespace = namespace.as_ref().map_or(String::new(), |name| format!("{name} "));
    format!("{:?} => {namespace}{:?}", from.value, to.value)
}

/// Appends the table's own steps, without those that a note leaves out.
fn algorithm(steps: &[AlgorithmStep], depth: usize, out: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    for step in steps {
        match step {
            AlgorithmStep::Step { words: stated, inner } => {
                out.push(format!("{indent}{}", words(stated)));
                algorithm(inner, depth + 1, out);
            }
            AlgorithmStep::Apart { note: Note { kind, reason: _, span: _ }, inner } => {
                // Steps that are left out belong to the document alone.
                let mut apart = Vec::new();
                algorithm(inner, depth, &mut apart);
                match kind {
                    NoteKind::Fills => out.extend(apart),
                    NoteKind::Deviates => {}
                }
            }
        }
    }
}
