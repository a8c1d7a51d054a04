//! Resolves the declaration of encodings, clause by clause. Clauses of `selected-content` are resolved likewise.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, DUPLICATE_DECLARATION, Diagnostic, MISSING_DECLARATION};
use crate::model::Encodings;
use crate::syntax::{ItemBody, Table, Word};
use crate::vocabulary::{Clause, ENCODINGS};

impl Resolver {
    /// Resolves the declaration of encodings; `None` if the table has none.
    pub(super) fn resolve_encodings(&mut self, table: &Table) -> Option<Encodings> {
        let mut resolved: Option<Encodings> = None;
        for item in &table.items {
            let ItemBody::Encodings(clues) = &item.body else { continue };
            let section = item.section.clone();
            let mut encodings = Encodings { section, ..Encodings::default() };
            for (index, clue) in clues.iter().enumerate() {
                let preceding = clues[..index].iter().map(|other| &other.word);
                let arguments = (&clue.texts[..], clue.meaning.as_ref());
                let clauses = ("encodings", ENCODINGS);
                self.apply_clause(clauses, &mut encodings, &clue.word, preceding, arguments);
            }
            if resolved.is_some() || encodings.otherwise.is_empty() {
                let span = clues.first().map(|clue| clue.word.span).unwrap_or_default();
                let message = "a table has exactly one `encodings` declaration, with a default";
                let diagnostic = Diagnostic::new(MISSING_DECLARATION, span, message);
                self.report(diagnostic.help("write `default \"LABEL\";`"));
            }
            resolved = Some(encodings);
        }
        resolved
    }

    /// Applies a clause, given by its word, its texts and their meaning, to the model. `preceding` are the words of the
    /// preceding clauses, for reporting duplicates.
    pub(super) fn apply_clause<'w, M>(
        &mut self,
        (keyword, clauses): (&str, &[Clause<M>]),
        model: &mut M,
        word: &Word,
        mut preceding: impl Iterator<Item = &'w Word>,
        (texts, meaning): (&[Word], Option<&Word>),
    ) {
        let words: Vec<_> = clauses.iter().map(|clause| (clause.word, clause)).collect();
        let what = format!("a clause of `{keyword}`");
        let Some(clause) = self.word_of(&words, &word.value, word.span, &what) else { return };
        if let Some(first) = preceding.find(|other| clause.is_single() && other.value == word.value)
        {
            let message = format!("the clause `{}` occurs more than once", word.value);
            self.report(
                Diagnostic::new(DUPLICATE_DECLARATION, word.span, message)
                    .and(first.span, "first used here")
                    .help("remove one of them"),
            );
        }
        if let Some([words, meanings]) = clause.words() {
            for text in texts {
                self.check_argument(clause.word, words, text);
            }
            meaning.into_iter().for_each(|text| self.check_argument(clause.word, meanings, text));
        }
        let value = |text: &Word| text.value.clone();
        if !clause.fill(model, texts.iter().map(value).collect(), meaning.map(value)) {
            let message = format!("wrong arguments for the clause `{}`", word.value);
            let help = format!("write `{};`", clause.syntax());
            self.report(Diagnostic::new(BAD_PATTERN, word.span, message).help(help));
        }
    }

    /// Reports an argument of a clause if it is not one of the allowed words.
    fn check_argument(&mut self, clause: &str, words: &[&str], text: &Word) {
        let words: Vec<_> = words.iter().map(|word| (*word, ())).collect();
        self.word_of(&words, &text.value, text.span, &format!("an argument of `{clause}`"));
    }
}
