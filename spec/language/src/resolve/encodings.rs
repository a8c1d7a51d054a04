//! The encoding of bytes: from words to the model. It knows no label. Invariant: every clue is
//! taken over or reported.

use super::Resolver;
use crate::diagnostic::{
    BAD_PATTERN, DUPLICATE_DECLARATION, Diagnostic, MISSING_DECLARATION, UNKNOWN_NAME,
};
use crate::model::Encodings;
use crate::syntax::{EncodingClue, Item, Table, Word};

/// The clues that are one string.
const SINGLE: &[&str] = &["element", "label", "default"];
/// The clues that are one string and what it means.
const PAIRS: &[&str] = &["content", "pragma", "xml-declaration"];
/// The clues of which there can be many.
const LISTS: &[&str] = &["read-as", "locale"];

impl Resolver {
    /// What the table says of encodings.
    pub(super) fn encodings(&mut self, table: &Table) -> Option<Encodings> {
        let mut found: Option<Encodings> = None;
        for item in &table.items {
            let Item::Encodings { section, clues } = item else { continue };
            let mut encodings = Encodings { section: section.clone(), ..Encodings::default() };
            for (index, clue) in clues.iter().enumerate() {
                let word = &clue.word.value[..];
                let before = clues[..index].iter().find(|other| other.word.value == word);
                if let (Some(before), false) = (before, LISTS.contains(&word)) {
                    self.told_twice(&clue.word, before);
                }
                self.clue(&mut encodings, clue);
            }
            if found.is_some() || encodings.otherwise.is_empty() {
                let span = clues.first().map(|clue| clue.word.span).unwrap_or_default();
                let message = "`encodings` stands once, and says the default";
                let missing = Diagnostic::new(MISSING_DECLARATION, span, message);
                self.report(missing.help("write `default \"LABEL\";`"));
            }
            found = Some(encodings);
        }
        found
    }

    fn told_twice(&mut self, word: &Word, before: &EncodingClue) {
        let message = format!("`{}` stands twice", word.value);
        self.report(
            Diagnostic::new(DUPLICATE_DECLARATION, word.span, message)
                .and(before.word.span, "the first one stands")
                .help("leave one of them out"),
        );
    }

    fn clue(&mut self, encodings: &mut Encodings, clue: &EncodingClue) {
        let word = &clue.word.value[..];
        let texts: Vec<String> = clue.texts.iter().map(|text| text.value.clone()).collect();
        let known = SINGLE.contains(&word) || PAIRS.contains(&word) || LISTS.contains(&word);
        if !known {
            let all: Vec<&str> = [SINGLE, PAIRS, LISTS].concat();
            let help = format!("a clue is one of {}", all.join(", "));
            let message = format!("`{word}` names no encoding");
            self.report(Diagnostic::new(UNKNOWN_NAME, clue.word.span, message).help(help));
            return;
        }
        let is_list = LISTS.contains(&word);
        let fits =
            clue.meaning.is_some() != SINGLE.contains(&word) && (is_list || texts.len() == 1);
        if !fits {
            let message = format!("`{word}` does not have this form");
            let help = match word {
                _ if SINGLE.contains(&word) => format!("write `{word} \"…\";`"),
                _ if is_list => format!("write `{word} \"…\" | \"…\" => \"…\";`"),
                _ => format!("write `{word} \"…\" => \"…\";`"),
            };
            self.report(Diagnostic::new(BAD_PATTERN, clue.word.span, message).help(help));
            return;
        }
        let first = texts[0].clone();
        let meaning = clue.meaning.as_ref().map(|word| word.value.clone()).unwrap_or_default();
        let pairs = texts.into_iter().map(|text| (text, meaning.clone()));
        match word {
            "element" => encodings.element = Some(first),
            "label" => encodings.label = Some(first),
            "default" => encodings.otherwise = first,
            "content" => encodings.content = Some((first, meaning)),
            "pragma" => encodings.pragma = Some((first, meaning)),
            "xml-declaration" => encodings.xml_declaration = Some((first, meaning)),
            "read-as" => encodings.read_as.extend(pairs),
            _ => encodings.locales.extend(pairs),
        }
    }
}
