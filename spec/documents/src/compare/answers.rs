//! Consistent answers to the conditions of rows: about the single name of a subject, about the elements in a list, and
//! independent ones. A question is not asked if earlier answers imply its answer.

use std::collections::{BTreeMap, BTreeSet};

/// A set of element names, or of a flag's values.
pub(super) type Names = BTreeSet<String>;

/// A condition for which a comparison tries both answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether the subject has one of these names; the last set holds all names that it can have, if they are known.
    One(String, Names, Option<Names>),
    /// Whether the list contains an element with one of these names.
    Some(String, Names),
    /// A question independent of all others.
    Plain(String),
}

/// The answers given so far to questions.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    /// For each subject, the names that it can still have, if they are known, and the names that it does not have.
    subjects: BTreeMap<String, (Option<Names>, Names)>,
    /// For each list, sets of names and whether the list contains one of them.
    lists: BTreeMap<String, Vec<(Names, bool)>>,
    independent: BTreeMap<String, bool>,
    /// The answers in the table language, in the order of the questions.
    stated: Vec<String>,
}

impl Answers {
    /// Returns the answer to a question, if earlier answers imply it.
    pub(super) fn implied(&self, question: &Question) -> Option<bool> {
        match question {
            Question::Plain(what) => self.independent.get(what).copied(),
            Question::One(what, names, all) => {
                let (possible, excluded) = self.subjects.get(what).cloned().unwrap_or_default();
                let possible = possible.or_else(|| all.clone());
                let remaining =
                    |names: &Names| -> Names { names.difference(&excluded).cloned().collect() };
                match possible.as_ref().map(remaining) {
                    Some(possible) if possible.is_subset(names) => Some(true),
                    Some(possible) if possible.is_disjoint(names) => Some(false),
                    _ if remaining(names).is_empty() => Some(false),
                    _ => None,
                }
            }
            Question::Some(what, names) => {
                let known = self.lists.get(what)?;
                let absent: Names = known
                    .iter()
                    .filter(|(_, held)| !held)
                    .flat_map(|(names, _)| names.clone())
                    .collect();
                let implies_presence = |(found, held): &(Names, bool)| {
                    *held && found.difference(&absent).all(|name| names.contains(name))
                };
                if known.iter().any(implies_presence) {
                    return Some(true);
                }
                names.is_subset(&absent).then_some(false)
            }
        }
    }

    /// Returns a copy of these answers with the answer to one more question.
    pub(super) fn extended(&self, question: &Question, held: bool) -> Self {
        let mut answers = self.clone();
        answers.stated.push(format!("{}{}", if held { "" } else { "not " }, question.text()));
        match question {
            Question::Plain(what) => {
                answers.independent.insert(what.clone(), held);
            }
            Question::One(what, names, all) => {
                let (possible, excluded) = answers.subjects.entry(what.clone()).or_default();
                match (held, possible.clone().or_else(|| all.clone())) {
                    (true, Some(before)) => {
                        *possible = Some(before.intersection(names).cloned().collect());
                    }
                    (true, None) => *possible = Some(names.clone()),
                    (false, _) => excluded.extend(names.iter().cloned()),
                }
            }
            Question::Some(what, names) => {
                answers.lists.entry(what.clone()).or_default().push((names.clone(), held));
            }
        }
        answers
    }

    /// Returns the answers in the table language.
    pub(super) fn text(&self) -> String {
        self.stated.join(" and ")
    }
}

impl Question {
    fn text(&self) -> String {
        // A question may end with the actions after which it is asked. They are omitted, because a condition of the
        // table language cannot express them.
        let without_actions =
            |what: &str| what.split(" after ").next().unwrap_or_default().to_owned();
        match self {
            Self::Plain(what) => without_actions(what),
            Self::One(what, names, _) => {
                format!("{} is {}", without_actions(what), set_text(names))
            }
            Self::Some(what, names) => format!("{} {}", without_actions(what), set_text(names)),
        }
    }
}

/// Formats a set of names in the table language.
pub(super) fn set_text(names: &Names) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(" | ")
}
