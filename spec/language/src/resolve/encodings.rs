//! Resolves the declaration of encodings, clause by clause. Clauses of `selected-content` are resolved likewise.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, DUPLICATE_DECLARATION, Diagnostic, MISSING_DECLARATION};
use crate::model::Encodings;
use crate::syntax::{Item, Table, Word};
use crate::vocabulary::{CONFIDENCES, Clause, ENCODING_SOURCES, ENCODINGS};

impl Resolver {
    /// Resolves the declaration of encodings.
    pub(super) fn encodings(&mut self, table: &Table) -> Option<Encodings> {
        let mut found: Option<Encodings> = None;
        for item in &table.items {
            let Item::Encodings { section, clues } = item else { continue };
            let mut encodings = Encodings { section: section.clone(), ..Encodings::default() };
            for (index, clue) in clues.iter().enumerate() {
                let before = clues[..index].iter().map(|other| &other.word);
                let texts = clue.texts.iter().map(|text| text.value.clone()).collect();
                let meaning = clue.meaning.as_ref().map(|word| word.value.clone());
                let clauses = ("encodings", ENCODINGS);
                self.clause(clauses, &mut encodings, &clue.word, before, (texts, meaning));
                if clue.word.value == "sniff" {
                    for source in &clue.texts {
                        let what = "a source of encodings";
                        self.word_of(ENCODING_SOURCES, &source.value, source.span, what);
                    }
                    if let Some(word) = &clue.meaning {
                        self.word_of(CONFIDENCES, &word.value, word.span, "a confidence");
                    }
                }
            }
            if found.is_some() || encodings.otherwise.is_empty() {
                let span = clues.first().map(|clue| clue.word.span).unwrap_or_default();
                let message = "there must be one `encodings`, and it must give the default";
                let missing = Diagnostic::new(MISSING_DECLARATION, span, message);
                self.report(missing.help("write `default \"LABEL\";`"));
            }
            found = Some(encodings);
        }
        found
    }

    /// Applies a clause to the model; takes its word, the words of preceding clauses, its texts and their meaning.
    pub(super) fn clause<'w, M>(
        &mut self,
        (of, clauses): (&str, &[Clause<M>]),
        into: &mut M,
        word: &Word,
        mut before: impl Iterator<Item = &'w Word>,
        (texts, meaning): (Vec<String>, Option<String>),
    ) {
        let words: Vec<_> = clauses.iter().map(|clause| (clause.word, clause)).collect();
        let what = format!("a clause of `{of}`");
        let Some(clause) = self.word_of(&words, &word.value, word.span, &what) else { return };
        if let Some(first) = before.find(|other| clause.is_single() && other.value == word.value) {
            let message = format!("`{}` occurs twice", word.value);
            self.report(
                Diagnostic::new(DUPLICATE_DECLARATION, word.span, message)
                    .and(first.span, "the first one")
                    .help("remove one of them"),
            );
        }
        if !clause.fill(into, texts, meaning) {
            let message = format!("wrong arguments for the clause `{}`", word.value);
            let help = format!("write `{};`", clause.syntax());
            self.report(Diagnostic::new(BAD_PATTERN, word.span, message).help(help));
        }
    }
}
