//! Reads algorithms of tree construction: numbered steps, choices and loops become the steps of an `algorithm` of the
//! table language, by the grammar `algorithms.rules` and the profile's glosses. Each sentence is listed once, with the
//! result of reading it.

use super::english::{Definition, ParsedSentence, TreeStatement};
use super::modes::TreeReader;
use crate::document::outline::{ListEntry, ListKind};
use crate::document::rules::{Rules, parse_steps};
use crate::document::sentence::Read;
use crate::document::{DocumentAlgorithm, DocumentStep, with_origin};
use std::sync::LazyLock;

/// The grammar in `algorithms.rules`.
pub(super) static GRAMMAR: LazyLock<Rules> =
    LazyLock::new(|| Rules::parse(include_str!("algorithms.rules")));

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
        let Some(steps) = self.reading.translate(&GRAMMAR, "sentence", words, line) else {
            return self.reading.note(words, line, Read::Unread);
        };
        let is_definition = |step: &DocumentStep| !step.is_block && step.words.starts_with("let ");
        let is_read = self.algorithm_beside_row.is_some() || steps.iter().all(is_definition);
        self.reading.note(words, line, if is_read { Read::Asks } else { Read::Unread });
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
        let steps = self.reading.steps_of(&GRAMMAR, ListKind::Steps, entries);
        for item in std::mem::take(&mut self.reading.gloss_declarations) {
            self.declare(line, item);
        }
        let section = self.reading.section();
        let steps = [parameters, steps].concat();
        self.reading.algorithms.push(DocumentAlgorithm { name, section, line, steps });
    }
}
