//! Formats the parts of declarations of tree construction.

use super::super::text::{element, elements, row, words};
use super::{Index, Need, Pieces};
use tabulex_language::syntax::{
    AlgorithmStep, ElementSet, Note, NoteKind, ParsedAdjustment, ParsedElementRow,
    ParsedIntegrationPoint, StepChange, StepEffect, Word,
};

impl<'t> Pieces<'t> {
    /// Adds a set of element names: its lines as written, and its elements as members.
    pub(super) fn add_element_set(
        &mut self,
        key: &str,
        name: &Word,
        set: &ElementSet,
        notes: &'t [Note],
        index: &Index<'t>,
    ) {
        let ElementSet { members, except } = set;
        let except = except.iter().map(|name| format!("except {}", element(name)));
        let lines: Vec<String> = members.iter().map(element).chain(except).collect();
        let elements = index.element_sets.get(&name.value[..]).cloned().unwrap_or_default();
        self.add_set(key, name.span, lines, Need::None, &[]);
        self.add_members(key, name.span, elements, Need::Shared, notes);
    }

    pub(super) fn add_rows(&mut self, key: &str, rows: &[ParsedElementRow]) {
        for one in rows {
            self.piece_mut(key, one.span).compared.push(row(one, elements));
        }
    }
}

pub(super) fn integration_point(point: &ParsedIntegrationPoint) -> String {
    let ParsedIntegrationPoint { name, attribute } = point;
    let attribute = attribute.as_ref();
    let attribute_text =
        attribute.map_or(String::new(), |(name, value)| format!(" with {name:?} = {value:?}"));
    format!("{}{attribute_text}", element(name))
}

pub(super) fn adjustment(entry: &ParsedAdjustment) -> String {
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
pub(super) fn add_steps(steps: &[AlgorithmStep], depth: usize, out: &mut Vec<String>) {
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
