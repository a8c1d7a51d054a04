//! Resolves the declaration of encodings, and the clauses of this declaration and of `selected-content`.

use super::Resolver;
use crate::diagnostic::{BAD_PATTERN, DUPLICATE_DECLARATION, Diagnostic, MISSING_DECLARATION};
use crate::model::Encodings;
use crate::syntax::{ItemBody, ParsedClause, Table, Word};
use crate::vocabulary::{Clause, ENCODINGS};

impl Resolver {
    /// Resolves the declaration of encodings; `None` if the table has none.
    pub(super) fn resolve_encodings(&mut self, table: &Table) -> Option<Encodings> {
        let mut resolved: Option<Encodings> = None;
        for item in &table.items {
            let ItemBody::Encodings(clauses) = &item.body else { continue };
            let encodings = self.resolve_clauses("encodings", ENCODINGS, clauses);
            if resolved.is_some() || encodings.otherwise.is_empty() {
                let span = clauses.first().map(|clause| clause.word.span).unwrap_or_default();
                let message = "a table has exactly one `encodings` declaration, with a default";
                let diagnostic = Diagnostic::new(MISSING_DECLARATION, span, message);
                self.report(diagnostic.help("write `default \"LABEL\";`"));
            }
            resolved = Some(encodings);
        }
        resolved
    }

    /// Returns the model of a declaration that begins with `keyword` and consists of these clauses, after a report for
    /// each invalid one. `forms` are those that it can have.
    pub(super) fn resolve_clauses<M: Default>(
        &mut self,
        keyword: &str,
        forms: &[Clause<M>],
        clauses: &[ParsedClause],
    ) -> M {
        let forms: Vec<_> = forms.iter().map(|form| (form.word, form)).collect();
        let (mut model, what) = (M::default(), format!("a clause of `{keyword}`"));
        for (index, ParsedClause { word, texts, meaning, .. }) in clauses.iter().enumerate() {
            let Some(form) = self.word_of(&forms, &word.value, word.span, &what) else { continue };
            let mut preceding = clauses[..index].iter().map(|other| &other.word);
            let first = preceding.find(|other| form.is_single() && other.value == word.value);
            if let Some(first) = first {
                let message = format!("the clause `{}` occurs more than once", word.value);
                self.report(
                    Diagnostic::new(DUPLICATE_DECLARATION, word.span, message)
                        .and(first.span, "first used here")
                        .help("remove one of them"),
                );
            }
            if let Some([words, meanings]) = form.words() {
                texts.iter().for_each(|text| self.check_argument(form.word, words, text));
                meaning.iter().for_each(|text| self.check_argument(form.word, meanings, text));
            }
            let value = |text: &Word| text.value.clone();
            let texts = texts.iter().map(value).collect();
            if !form.fill(&mut model, texts, meaning.as_ref().map(value)) {
                let message = format!("wrong arguments for the clause `{}`", word.value);
                let help = format!("write `{};`", form.syntax());
                self.report(Diagnostic::new(BAD_PATTERN, word.span, message).help(help));
            }
        }
        model
    }

    /// Reports an argument of a clause if it is not one of the allowed words.
    fn check_argument(&mut self, clause: &str, words: &[&str], text: &Word) {
        let words: Vec<_> = words.iter().map(|word| (*word, ())).collect();
        self.word_of(&words, &text.value, text.span, &format!("an argument of `{clause}`"));
    }
}
