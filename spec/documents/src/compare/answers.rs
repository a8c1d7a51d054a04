//! Consistent answers to the conditions of mode rows: questions about the one name of a node, about the elements in a
//! list, and independent questions. A question whose answer is implied by earlier ones is not asked.

use std::collections::{BTreeMap, BTreeSet};

/// A set of element names, or of a flag's values.
pub(super) type Names = BTreeSet<String>;

/// A condition to be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Whether the subject has one of the names, with all names that it can have, if they are known.
    One(String, Names, Option<Names>),
    /// Whether one of these names occurs in the list.
    Some(String, Names),
    /// A question independent of all others.
    Plain(String),
}

/// The answers given so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Answers {
    /// Names that the subject can still have, if they are known, and names that it is known not to have.
    one: BTreeMap<String, (Option<Names>, Names)>,
    conditional: BTreeMap<String, Vec<(Names, bool)>>,
    plain: BTreeMap<String, bool>,
    /// The answers in the table language, in order.
    stated: Vec<String>,
}

impl Answers {
    /// Returns the answer, if it is implied by those already given.
    pub(super) fn implied(&self, question: &Question) -> Option<bool> {
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
                let known = self.conditional.get(what)?;
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

    /// Returns these answers, extended by one.
    pub(super) fn extended(&self, question: &Question, held: bool) -> Self {
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
                answers.conditional.entry(what.clone()).or_default().push((names.clone(), held));
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
        // The actions before the question are not part of its text.
        let bare = |what: &str| what.split(" after ").next().unwrap_or_default().to_owned();
        match self {
            Self::Plain(what) => bare(what),
            Self::One(what, names, _) => format!("{} is {}", bare(what), set_text(names)),
            Self::Some(what, names) => format!("{} {}", bare(what), set_text(names)),
        }
    }
}

/// Returns a set of names as one text.
pub(super) fn set_text(names: &Names) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(" | ")
}
