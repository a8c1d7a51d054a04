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
        match self.takes {
            ClauseArguments::Text(_) | ClauseArguments::Pair(_) => true,
            ClauseArguments::Texts(_) | ClauseArguments::Pairs(_) | ClauseArguments::Words(..) => {
                false
            }
        }
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
            (
                ClauseArguments::Text(_)
                | ClauseArguments::Texts(_)
                | ClauseArguments::Pair(_)
                | ClauseArguments::Pairs(_)
                | ClauseArguments::Words(..),
                ..,
            ) => {
                return false;
            }
        }
        true
    }
}

/// Sources of the encoding of bytes.
const SOURCES: &[&str] =
    &["byte-order-mark", "override", "transport", "prescan", "parent", "likely", "detected"];

/// Words for the confidence in an encoding.
const CONFIDENCES: &[&str] = &["tentative", "certain"];

/// The clauses of `encodings`.
pub const ENCODINGS: &[Clause<Encodings>] = &[
    Clause {
        word: "element",
        takes: ClauseArguments::Text(|encodings, name| encodings.element = Some(name)),
        meaning: "The element that declares the encoding.",
    },
    Clause {
        word: "label",
        takes: ClauseArguments::Text(|encodings, name| encodings.label = Some(name)),
        meaning: "The attribute of the element that contains the label.",
    },
    Clause {
        word: "content",
        takes: ClauseArguments::Pair(|encodings, name, word| {
            encodings.content = Some((name, word))
        }),
        meaning: "The attribute whose text contains the label, and the word that precedes the label.",
    },
    Clause {
        word: "pragma",
        takes: ClauseArguments::Pair(|encodings, name, value| {
            encodings.pragma = Some((name, value))
        }),
        meaning: "The attribute that the text of `content` requires, and its required value.",
    },
    Clause {
        word: "xml-declaration",
        takes: ClauseArguments::Pair(|encodings, target, name| {
            encodings.xml_declaration = Some((target, name));
        }),
        meaning: "The target of an XML declaration, and its pseudo-attribute with the label. If a blank ends the target, \
            white space must follow it.",
    },
    Clause {
        word: "read-as",
        takes: ClauseArguments::Pairs(|encodings, label, other| {
            encodings.read_as.push((label, other))
        }),
        meaning: "Encodings that are replaced if a document declares them, each with its replacement.",
    },
    Clause {
        word: "sniff",
        takes: ClauseArguments::Words([SOURCES, CONFIDENCES], |encodings, source, confidence| {
            encodings.sources.push((source, confidence))
        }),
        meaning: "Sources of the encoding, in the order in which they are tried, and the confidence in it, `tentative` or \
            `certain`: `byte-order-mark`, `override` by the user, `transport` layer, `prescan` of the first bytes, \
            `parent` document, `likely` one, `detected` UTF-8. If none has an encoding, the default is tentative. Without \
            this clause, all are tried in this order, the first three with certainty.",
    },
    Clause {
        word: "not-inherited",
        takes: ClauseArguments::Texts(|encodings, label| encodings.not_inherited.push(label)),
        meaning: "An encoding that a document does not inherit from the one that embeds it.",
    },
    Clause {
        word: "not-changed",
        takes: ClauseArguments::Texts(|encodings, label| encodings.not_changed.push(label)),
        meaning: "An encoding that no declaration in the document changes.",
    },
    Clause {
        word: "locale",
        takes: ClauseArguments::Pairs(|encodings, tag, label| encodings.locales.push((tag, label))),
        meaning: "Languages, and the likely encoding of their pages.",
    },
    Clause {
        word: "only",
        takes: ClauseArguments::Text(|encodings, label| encodings.only = Some(label)),
        meaning: "The encoding of all inputs, regardless of byte order marks and the transport layer.",
    },
    Clause {
        word: "default",
        takes: ClauseArguments::Text(|encodings, label| encodings.otherwise = label),
        meaning: "The default encoding; required.",
    },
];

/// The clauses of `selected-content`.
pub const SELECTED_CONTENT: &[Clause<SelectedContent>] = &[
    Clause {
        word: "option",
        takes: ClauseArguments::Text(|content, name| content.option = name),
        meaning: "The element of an option.",
    },
    Clause {
        word: "select",
        takes: ClauseArguments::Text(|content, name| content.select = name),
        meaning: "The element in which options are selected.",
    },
    Clause {
        word: "content",
        takes: ClauseArguments::Text(|content, name| content.content = name),
        meaning: "The element that shows the selected option.",
    },
    Clause {
        word: "group",
        takes: ClauseArguments::Text(|content, name| content.group = name),
        meaning: "The element that groups options.",
    },
    Clause {
        word: "stop",
        takes: ClauseArguments::Texts(|content, name| content.stops.push(name)),
        meaning: "An ancestor of an option, or of the element that shows it, at which the search for its `select` ends.",
    },
    Clause {
        word: "multiple",
        takes: ClauseArguments::Text(|content, name| content.multiple = name),
        meaning: "The attribute that allows several selected options.",
    },
    Clause {
        word: "selected",
        takes: ClauseArguments::Text(|content, name| content.selected = name),
        meaning: "The attribute that selects an option.",
    },
    Clause {
        word: "disabled",
        takes: ClauseArguments::Text(|content, name| content.disabled = name),
        meaning: "The attribute that disables an option or a group.",
    },
    Clause {
        word: "size",
        takes: ClauseArguments::Text(|content, name| content.size = name),
        meaning: "The attribute with the number of visible options.",
    },
];
