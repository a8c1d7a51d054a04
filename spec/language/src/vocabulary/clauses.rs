//! Clauses of the declarations `encodings { … }` and `selected-content …;`: a word followed by texts, with a function
//! that stores them in the model.

use crate::model::Encodings;
use crate::model::tree::SelectedContent;

/// The declaration of a clause. `M` is the model of the declaration that it belongs to.
#[derive(Debug)]
pub struct Clause<M: 'static> {
    /// First word of the clause.
    pub word: &'static str,
    /// Arguments of the clause, and the function that stores them.
    pub takes: ClauseArguments<M>,
    /// Meaning of the clause, for the manual.
    pub meaning: &'static str,
}

/// The arguments of a clause, and the function that stores them.
#[derive(Clone, Copy, Debug)]
pub enum ClauseArguments<M> {
    /// One text. The clause can be given once.
    Text(fn(&mut M, String)),
    /// One text. The clause can be repeated.
    Texts(fn(&mut M, String)),
    /// One text and its meaning. The clause can be given once.
    Pair(fn(&mut M, String, String)),
    /// Texts with a common meaning. The clause can be repeated.
    Pairs(fn(&mut M, String, String)),
    /// Words from the first list, with a word from the second as their common meaning. The clause can be repeated.
    Words([&'static [&'static str]; 2], fn(&mut M, String, String)),
}

impl<M> Clause<M> {
    /// Returns the syntax of the clause.
    pub fn syntax(&self) -> String {
        let word = self.word;
        match self.takes {
            ClauseArguments::Text(_) | ClauseArguments::Texts(_) => format!("{word} \"…\""),
            ClauseArguments::Pair(_) => format!("{word} \"…\" => \"…\""),
            ClauseArguments::Pairs(_) | ClauseArguments::Words(..) => {
                format!("{word} \"…\" | … => \"…\"")
            }
        }
    }

    /// Whether there can be at most one such clause.
    pub fn is_single(&self) -> bool {
        matches!(self.takes, ClauseArguments::Text(_) | ClauseArguments::Pair(_))
    }

    /// Returns the words among which the texts and their meaning must be, if the clause has such lists.
    pub fn words(&self) -> Option<[&'static [&'static str]; 2]> {
        if let ClauseArguments::Words(words, _) = self.takes { Some(words) } else { None }
    }

    /// Stores the clause's arguments in the model; returns false if their number or form is wrong.
    pub fn fill(&self, into: &mut M, texts: Vec<String>, meaning: Option<String>) -> bool {
        match (&self.takes, &texts[..], meaning) {
            (ClauseArguments::Text(fill) | ClauseArguments::Texts(fill), [text], None) => {
                fill(into, text.clone())
            }
            (ClauseArguments::Pair(fill), [text], Some(meaning)) => {
                fill(into, text.clone(), meaning)
            }
            (
                ClauseArguments::Pairs(fill) | ClauseArguments::Words(_, fill),
                [_, ..],
                Some(meaning),
            ) => {
                texts.into_iter().for_each(|text| fill(into, text, meaning.clone()));
            }
            _ => return false,
        }
        true
    }
}

/// Sources of the encoding of bytes.
const SOURCES: &[&str] =
    &["byte-order-mark", "override", "transport", "prescan", "parent", "likely", "detected"];

/// Words for the confidence in an encoding.
const CONFIDENCES: &[&str] = &["tentative", "certain"];

/// Declares the clauses of one declaration: the word of each, its arguments, and its meaning.
macro_rules! clauses {
    (
        $(#[$doc:meta])* $list:ident: $model:ty;
        $($word:literal $kind:ident($($takes:expr),+), $meaning:literal;)*
    ) => {
        $(#[$doc])*
        pub const $list: &[Clause<$model>] = &[$(Clause {
            word: $word,
            takes: ClauseArguments::$kind($($takes),+),
            meaning: $meaning,
        }),*];
    };
}

clauses! {
    /// The clauses of `encodings`.
    ENCODINGS: Encodings;
    "element" Text(|it, name| it.element = Some(name)), "The element that declares the encoding.";
    "label" Text(|it, name| it.label = Some(name)), "The attribute of the element that contains the label.";
    "content" Pair(|it, name, word| it.content = Some((name, word))),
        "The attribute whose text contains the label, and the word that precedes the label.";
    "pragma" Pair(|it, name, value| it.pragma = Some((name, value))),
        "The attribute that the text of `content` requires, and its required value.";
    "xml-declaration" Pair(|it, target, name| it.xml_declaration = Some((target, name))),
        "The target of an XML declaration, and its pseudo-attribute with the label. If a blank ends the target, \
            white space must follow it.";
    "read-as" Pairs(|it, label, other| it.read_as.push((label, other))),
        "Encodings that are replaced if a document declares them, each with its replacement.";
    "sniff" Words([SOURCES, CONFIDENCES], |it, source, confidence| it.sources.push((source, confidence))),
        "Sources of the encoding, in the order in which they are tried, and the confidence in it, `tentative` or \
            `certain`: `byte-order-mark`, `override` by the user, `transport` layer, `prescan` of the first bytes, \
            `parent` document, `likely` one, `detected` UTF-8. If none has an encoding, the default is tentative. Without \
            this clause, all are tried in this order, the first three with certainty.";
    "not-inherited" Texts(|it, label| it.not_inherited.push(label)),
        "An encoding that a document does not inherit from the one that embeds it.";
    "not-changed" Texts(|it, label| it.not_changed.push(label)),
        "An encoding that no declaration in the document changes.";
    "locale" Pairs(|it, tag, label| it.locales.push((tag, label))),
        "Languages, and the likely encoding of their pages.";
    "only" Text(|it, label| it.only = Some(label)),
        "The encoding of all inputs, regardless of byte order marks and the transport layer.";
    "default" Text(|it, label| it.otherwise = label), "The default encoding; required.";
}

clauses! {
    /// The clauses of `selected-content`.
    SELECTED_CONTENT: SelectedContent;
    "option" Text(|it, name| it.option = name), "The element of an option.";
    "select" Text(|it, name| it.select = name), "The element in which options are selected.";
    "content" Text(|it, name| it.content = name), "The element that shows the selected option.";
    "group" Text(|it, name| it.group = name), "The element that groups options.";
    "stop" Texts(|it, name| it.stops.push(name)),
        "An ancestor of an option, or of the element that shows it, at which the search for its `select` ends.";
    "multiple" Text(|it, name| it.multiple = name), "The attribute that allows several selected options.";
    "selected" Text(|it, name| it.selected = name), "The attribute that selects an option.";
    "disabled" Text(|it, name| it.disabled = name), "The attribute that disables an option or a group.";
    "size" Text(|it, name| it.size = name), "The attribute with the number of visible options.";
}
