//! Answers to what rows of modes ask: one node that has one name, places where there may be many elements, and plain
//! questions. Only what is asked is answered, and never twice in different ways. Invariant: whatever the answers are,
//! some situation gives them, as far as one question decides another.

use std::collections::{BTreeMap, BTreeSet};

/// A set of names, or of a flag's values.
pub(super) type Names = BTreeSet<String>;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether the one thing has one of the names; all that it can have, if that is known.
    One(String, Names, Option<Names>),
    /// Whether one of these names is found there.
    Some(String, Names),
    /// A question that no other one has to do with.
    Plain(String),
}

/// What was answered.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    /// Names that the one thing can still have, or those that it has not.
    one: BTreeMap<String, (Option<Names>, Names)>,
    some: BTreeMap<String, Vec<(Names, bool)>>,
    plain: BTreeMap<String, bool>,
    /// The answers in the words of the table language, in their order.
    stated: Vec<String>,
}

impl Answers {
    /// The answer, if those that were given imply it.
    pub(super) fn to(&self, question: &Question) -> Option<bool> {
        match question {
            Question::Plain(what) => self.plain.get(what).copied(),
            Question::One(what, names, all) => {
                let (possible, excluded) = self.one.get(what).cloned().unwrap_or_default();
                let possible = possible.or_else(|| all.clone());
                let left =
                    |names: &Names| -> Names { names.difference(&excluded).cloned().collect() };
                match possible.as_ref().map(left) {
                    Some(possible) if possible.is_subset(names) => Some(true),
                    Some(possible) if possible.is_disjoint(names) => Some(false),
                    _ if left(names).is_empty() => Some(false),
                    _ => None,
                }
            }
            Question::Some(what, names) => {
                let known = self.some.get(what)?;
                let absent: Names = known
                    .iter()
                    .filter(|(_, held)| !held)
                    .flat_map(|(names, _)| names.clone())
                    .collect();
                let is_there = |(found, held): &(Names, bool)| {
                    *held && found.difference(&absent).all(|name| names.contains(name))
                };
                if known.iter().any(is_there) {
                    return Some(true);
                }
                names.is_subset(&absent).then_some(false)
            }
        }
    }

    /// These answers and one more.
    pub(super) fn with(&self, question: &Question, held: bool) -> Self {
        let mut answers = self.clone();
        answers.stated.push(format!("{}{}", if held { "" } else { "not " }, question.text()));
        match question {
            Question::Plain(what) => {
                answers.plain.insert(what.clone(), held);
            }
            Question::One(what, names, all) => {
                let (possible, excluded) = answers.one.entry(what.clone()).or_default();
                match (held, possible.clone().or_else(|| all.clone())) {
                    (true, Some(before)) => {
                        *possible = Some(before.intersection(names).cloned().collect());
                    }
                    (true, None) => *possible = Some(names.clone()),
                    (false, _) => excluded.extend(names.iter().cloned()),
                }
            }
            Question::Some(what, names) => {
                answers.some.entry(what.clone()).or_default().push((names.clone(), held));
            }
        }
        answers
    }

    /// In the words of the table language.
    pub(super) fn text(&self) -> String {
        self.stated.join(" and ")
    }
}

impl Question {
    fn text(&self) -> String {
        // What was done before the question is left out.
        let bare = |what: &str| what.split(" after ").next().unwrap_or_default().to_owned();
        match self {
            Self::Plain(what) => bare(what),
            Self::One(what, names, _) => format!("{} is {}", bare(what), listed(names)),
            Self::Some(what, names) => format!("{} {}", bare(what), listed(names)),
        }
    }
}

/// A set of names as one text.
pub(super) fn listed(names: &Names) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(" | ")
}
