//! Reads the algorithms that reset the insertion mode and that prepare a fragment parser. Their steps on elements
//! become rows of a declaration. A step is either read completely or not at all.

use super::algorithms::GRAMMAR;
use super::english::{self, ModeStep, TreeStatement};
use super::modes::TreeReader;
use crate::document::outline::{self, ListEntry, Node};
use crate::document::rules::parse_steps;
use crate::document::sentence;
use crate::document::{DocumentStep, with_origin};

/// The declaration `fragment` and the algorithm `parse-fragment`, as far as they have been read.
#[derive(Default)]
struct FragmentDraft {
    root: String,
    rows: Vec<String>,
    steps: Vec<DocumentStep>,
}

impl TreeReader<'_> {
    /// Reads the algorithm that resets the insertion mode, and adds the declaration `reset`.
    pub(super) fn read_reset(&mut self, entries: &[ListEntry], line: usize) {
        let mut rows = Vec::new();
        let mut steps = Vec::new();
        self.read_reset_rows(entries, None, &mut rows, &mut steps);
        let section = self.reading.section();
        self.reading
            .record_steps(("reset-insertion-mode".to_owned(), section.clone(), line), steps);
        self.declare(line, format!("reset @ {section:?} {{ {} }}", rows.join(" ")));
    }

    fn read_reset_rows(
        &mut self,
        entries: &[ListEntry],
        below: Option<&str>,
        rows: &mut Vec<String>,
        steps: &mut Vec<DocumentStep>,
    ) {
        let mut element = None;
        for node in entries.iter().flat_map(|entry| &entry.nodes) {
            let text = match node {
                Node::Paragraph(text) => text,
                Node::List(_, entries) => {
                    let name = element.take();
                    self.read_reset_rows(entries, name.as_deref(), rows, steps);
                    continue;
                }
            };
            for words in sentence::divide(&text.words) {
                let meaning = english::meaning_of(self.reading, "reset", &words);
                self.reading.note_in(text, &words, meaning.is_some());
                let meaning = meaning.unwrap_or_default();
                if let Some(row) = meaning.strip_prefix("row ") {
                    // One step of the algorithm stands for all rows, so it is added with the first row.
                    if rows.is_empty() {
                        steps.push(DocumentStep::step("take row of reset for node and last"));
                    }
                    rows.push(format!("{};", row.replace("below", below.unwrap_or_default())));
                } else if let Some(names) = meaning.strip_prefix("below ") {
                    element = Some(names.to_owned());
                } else {
                    steps.extend(with_origin(parse_steps(&meaning), text.line, &words));
                }
            }
        }
    }

    /// Reads the algorithm that prepares a fragment parser, and adds the declaration `fragment`.
    pub(super) fn read_fragment(&mut self, entries: &[ListEntry], line: usize) {
        let steps = std::mem::take(&mut self.parameters);
        let mut draft = FragmentDraft { steps, ..FragmentDraft::default() };
        for (entry, text, words) in outline::sentences(entries) {
            let is_read = !self.reading.is_remark_in(text, &words)
                && (self.read_tokenizer_row(&words, entry, &mut draft)
                    || self.read_fragment_step(&words, text.line, &mut draft));
            self.reading.note_in(text, &words, is_read);
        }
        let FragmentDraft { root, rows, steps } = draft;
        let section = self.reading.section();
        self.declare(line, format!("fragment {root} @ {section:?} {{ {} }}", rows.join(" ")));
        if !steps.is_empty() {
            self.reading.record_steps(("parse-fragment".to_owned(), section, line), steps);
        }
    }

    /// Reads a sentence that chooses the tokenizer's initial state for the elements in the entry's labels. Returns
    /// whether the sentence makes such a choice.
    fn read_tokenizer_row(
        &self,
        words: &str,
        entry: &ListEntry,
        draft: &mut FragmentDraft,
    ) -> bool {
        let parsed = english::sentence(self.reading, words);
        let (guard, acts) = match parsed.map(|parsed| parsed.statement) {
            Some(TreeStatement::Do(acts)) => (String::new(), acts),
            Some(TreeStatement::If(ask, acts)) if !ask.is_empty() => (format!(" when {ask}"), acts),
            _ => return false,
        };
        let [ModeStep::Act(action)] = &acts[..] else { return false };
        let is_choice = action.starts_with("tokenizer ");
        if is_choice {
            let labels: Vec<String> =
                entry.labels.iter().map(|label| format!("{:?}", label.words)).collect();
            draft.rows.push(format!("{}{guard} => {action};", labels.join(" | ")));
        }
        is_choice
    }

    /// Reads a step of the algorithm, which may also declare rows or name the root element. Returns whether a rule
    /// matches.
    fn read_fragment_step(&mut self, words: &str, line: usize, draft: &mut FragmentDraft) -> bool {
        let Some(mut steps) = self.reading.translate(&GRAMMAR, "sentence", words, line) else {
            return false;
        };
        for row in std::mem::take(&mut self.reading.gloss_declarations) {
            draft.rows.push(row);
            // If no steps precede the rows, the document is an older one that does not state the whole algorithm, so
            // only the rows are read.
            if draft.steps.is_empty() {
                steps.clear();
            }
        }
        for step in &steps {
            let root_element = step.words.strip_prefix("let root element document ");
            if let Some(name) = root_element.and_then(|rest| rest.split(' ').next()) {
                name.clone_into(&mut draft.root);
            }
        }
        draft.steps.extend(steps);
        true
    }
}
