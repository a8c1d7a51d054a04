//! Statements: the meanings of sentences before these become rows, independent of English wordings. Also prints their
//! steps and conditions in the table language.

use super::DocumentStep;
pub(super) use super::rules::{character, range, text as string};
use super::stated::StatedRows;

/// Meaning of one sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statement {
    /// Unconditional actions in order.
    Acts(Vec<RowStep>),
    /// Actions under a condition.
    If(Vec<RowCondition>, Vec<RowStep>),
    /// Actions under a condition, if the preceding conditions did not hold.
    OtherwiseIf(Vec<RowCondition>, Vec<RowStep>),
    /// Actions if the preceding conditions did not hold.
    Otherwise(Vec<RowStep>),
    /// Actions that run after all branches of the preceding conditions.
    Regardless(Vec<RowStep>),
    /// One of the conditions in the list that the preceding sentence introduces.
    Case(Vec<RowCondition>),
    /// Actions if one of the conditions in the preceding list holds.
    Then(Vec<RowStep>),
    /// The state consumes a character.
    ConsumeNext,
    /// The rows match the current character, which is not yet consumed.
    CurrentIs,
    /// The state calls the named procedure. The optional step belongs to the rows that switch to the state.
    Call(String, Option<String>),
    /// Actions on leaving the state.
    Leaves(Vec<RowStep>),
    /// The start of a branch that spans several paragraphs.
    BranchIf(Vec<RowCondition>),
    /// "Otherwise:", which ends one branch and starts the next.
    Branch,
    /// A sentence whose meaning is part of what another sentence's gloss states.
    Covered,
    /// A declaration of the document.
    Declares(Declaration),
    /// Steps of the named algorithm.
    Describes(String, Vec<DocumentStep>),
    /// The document breaks off after the sentence.
    Gap,
    /// A sentence without normative content.
    Remark,
    /// A sentence or label that is not understood. Rows that contain it are not compared.
    Unread,
}

impl Statement {
    /// Returns the conditions and the steps of the statement.
    pub(super) fn parts(&self) -> (&[RowCondition], &[RowStep]) {
        match self {
            Self::If(asks, steps) | Self::OtherwiseIf(asks, steps) => (asks, steps),
            Self::Case(asks) | Self::BranchIf(asks) => (asks, &[]),
            Self::Acts(steps)
            | Self::Otherwise(steps)
            | Self::Regardless(steps)
            | Self::Then(steps)
            | Self::Leaves(steps)
            | Self::Declares(Declaration::AtEnd(steps) | Declaration::Enters(_, steps)) => {
                (&[], steps)
            }
            _ => (&[], &[]),
        }
    }

    /// Returns the names of the classes that the conditions on the current character use.
    pub(super) fn class_names(&self) -> Vec<&str> {
        let (asks, steps) = self.parts();
        let texts = asks.iter().chain(RowStep::conditions(steps)).flat_map(|ask| match ask {
            RowCondition::Plain(text) => std::slice::from_ref(text),
            RowCondition::Any(texts) => &texts[..],
            _ => &[],
        });
        let patterns = texts.filter_map(|text| character_patterns(text));
        let patterns = patterns.flat_map(|patterns| patterns.split(" | "));
        patterns.filter(|it| it.starts_with(char::is_alphabetic) && *it != "EOF").collect()
    }
}

/// Returns the patterns of a condition on the current character; `None` for any other condition, also on the current
/// node of a tree.
pub(super) fn character_patterns(condition: &str) -> Option<&str> {
    let patterns = condition.trim_start_matches("not ").strip_prefix("current ")?;
    Some(patterns).filter(|it| !it.starts_with("is "))
}

/// A declaration in an introduction.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Declaration {
    /// The start state.
    Start(String),
    /// The steps that end the machine in every state, at the end of the input.
    AtEnd(Vec<RowStep>),
    /// The first mode of tree construction.
    TreeStart(String),
    /// An item of the table, or several with `declare` between them.
    Item(String),
    /// Rows of states and modes.
    Rows(StatedRows),
    /// Steps on entering the named state.
    Enters(String, Vec<RowStep>),
    /// A step to be inserted after the first step of the named action.
    AppendToAction(String, String),
}

/// A condition in a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RowCondition {
    /// A condition in the table language.
    Plain(String),
    /// A disjunction of conditions.
    Any(Vec<String>),
    /// The input continues with a string, from the current character on or after that character.
    Ahead { text: String, ignoring_case: bool, from_current: bool },
    /// The procedure has returned nothing.
    Nothing,
    /// The token is of this kind.
    Token(String),
    /// The token, or the element that it closes, has this name.
    Name(String),
    /// The token is text that consists of these characters.
    OnlyOf(Vec<String>),
}

/// A step of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RowStep {
    /// An action in the table language.
    Act(String),
    /// Consumes the current character.
    Consume,
    /// Reconsumes the character in the next state.
    Reconsume,
    /// Emits the collected text without its last character.
    AllButLast,
    /// Passes text through the emitting operation.
    Operation(String),
    /// Mark before the steps that run after all branches of the preceding conditions, also those that ignore the token.
    Regardless,
    /// Begins a reference: the state that reads it, the return state, whether its characters are emitted, and the
    /// additional allowed character.
    Setup { state: String, back: String, emits: bool, additional: Option<char> },
    /// A conjunction of conditions, the steps if it holds, and the steps if it does not.
    When(Vec<RowCondition>, Vec<RowStep>, Vec<RowStep>),
}

impl RowStep {
    pub(super) fn act(text: impl Into<String>) -> Self {
        Self::Act(text.into())
    }

    /// Returns the steps in their order, also those in branches.
    pub(super) fn all(steps: &[Self]) -> Vec<&Self> {
        let mut all = Vec::new();
        for step in steps {
            all.push(step);
            if let Self::When(_, then, otherwise) = step {
                all.extend(Self::all(then));
                all.extend(Self::all(otherwise));
            }
        }
        all
    }

    /// Iterates over the conditions of the steps, also of those in branches.
    fn conditions(steps: &[Self]) -> impl Iterator<Item = &RowCondition> {
        Self::all(steps).into_iter().flat_map(|step| match step {
            Self::When(asks, ..) => &asks[..],
            _ => &[],
        })
    }
}

/// Formats steps in the table language.
pub(super) fn steps_text(steps: &[RowStep]) -> String {
    let mut text = String::new();
    for step in steps {
        if !text.is_empty() {
            text.push(' ');
        }
        match step {
            RowStep::Act(action) => text += &format!("{action};"),
            RowStep::Reconsume => text += "reconsume;",
            // The language has no parentheses, so each disjunction in a conjunction becomes a `when` of its own.
            RowStep::When(asks, then, otherwise)
                if asks.len() > 1 && asks.iter().any(|ask| matches!(ask, RowCondition::Any(_))) =>
            {
                let (any, rest): (Vec<RowCondition>, Vec<RowCondition>) =
                    asks.iter().cloned().partition(|ask| matches!(ask, RowCondition::Any(_)));
                let mut inner = vec![RowStep::When(rest, then.clone(), otherwise.clone())];
                inner.retain(|step| !matches!(step, RowStep::When(asks, ..) if asks.is_empty()));
                let inner = if inner.is_empty() { then.clone() } else { inner };
                let nested = any.into_iter().rev().fold(inner, |inner, ask| {
                    vec![RowStep::When(vec![ask], inner, otherwise.clone())]
                });
                text += &steps_text(&nested);
            }
            RowStep::When(asks, then, otherwise) => {
                text += &format!("when {} {{ {} }}", conditions_text(asks), steps_text(then));
                if !otherwise.is_empty() {
                    text += &format!(" otherwise {{ {} }}", steps_text(otherwise));
                }
            }
            other => text += &format!("{};", placeholder(other)),
        }
    }
    text
}

/// Returns a placeholder for what the table language cannot express. No table contains it, so it is always reported as
/// a difference.
pub(super) fn placeholder(what: &impl std::fmt::Debug) -> String {
    format!("unwritten {:?}", format!("{what:?}"))
}

/// Placeholder for the steps of an "otherwise" to which no condition belongs.
pub(super) const ORPHANED: &str = "unwritten \"an otherwise without a condition\"";

/// Placeholder for a character that a row's pattern matches, but its sentences do not consume.
pub(super) const EXCESSIVE: &str = "unwritten \"one character less\"";

/// Formats a conjunction of conditions in the table language, which has none on the current character.
pub(super) fn conditions_text(asks: &[RowCondition]) -> String {
    let plain_text = |text: &String| match character_patterns(text) {
        Some(_) => placeholder(text),
        None => text.clone(),
    };
    let condition_text = |ask: &RowCondition| match ask {
        RowCondition::Plain(text) => plain_text(text),
        RowCondition::Any(texts) => texts.iter().map(plain_text).collect::<Vec<_>>().join(" or "),
        other => placeholder(other),
    };
    asks.iter().map(condition_text).collect::<Vec<_>>().join(" and ")
}

/// Returns the first condition for which `is_wanted` holds, also from branches.
pub(super) fn find_condition(
    steps: &[RowStep],
    is_wanted: fn(&RowCondition) -> bool,
) -> Option<RowCondition> {
    RowStep::conditions(steps).find(|ask| is_wanted(ask)).cloned()
}

/// Moves the steps after a condition with a branch in which the action `end` ends the row into its other branches, up to
/// those that are run in any case.
pub(super) fn end_at(end: &str, mut steps: Vec<RowStep>) -> Vec<RowStep> {
    let ends = |steps: &[RowStep]| steps.contains(&RowStep::act(end));
    let may_end = |step: &RowStep| match step {
        RowStep::When(_, then, otherwise) => RowStep::all(then)
            .into_iter()
            .chain(RowStep::all(otherwise))
            .any(|it| *it == RowStep::act(end)),
        _ => false,
    };
    if let Some(at) = steps.iter().position(|step| *step == RowStep::Regardless) {
        let following = steps.split_off(at + 1);
        steps.truncate(at);
        return [end_at(end, steps), end_at(end, following)].concat();
    }
    let Some(at) = steps.iter().position(may_end) else { return steps };
    let (before, rest) = (steps[..at].to_vec(), &steps[at + 1..]);
    let RowStep::When(asks, then, otherwise) = &steps[at] else { return steps };
    let with_rest = |branch: &[RowStep]| match ends(branch) {
        true => branch.to_vec(),
        false => end_at(end, [branch, rest].concat()),
    };
    let step = RowStep::When(asks.clone(), with_rest(then), with_rest(otherwise));
    [before, vec![step]].concat()
}

/// Returns the steps that remain if a condition is known to hold or not to hold. Of several conditions on the token, one
/// at most holds.
pub(super) fn assume(steps: &[RowStep], ask: &RowCondition, holds: bool) -> Vec<RowStep> {
    let is_about_token =
        |ask: &RowCondition| matches!(ask, RowCondition::Name(_) | RowCondition::OnlyOf(_));
    let is_excluded =
        |one: &RowCondition| holds && one != ask && is_about_token(one) && is_about_token(ask);
    let mut remaining = Vec::new();
    for step in steps {
        let RowStep::When(asks, then, otherwise) = step else {
            remaining.push(step.clone());
            continue;
        };
        let (then, otherwise) = (assume(then, ask, holds), assume(otherwise, ask, holds));
        let other_asks: Vec<RowCondition> =
            asks.iter().filter(|other| *other != ask).cloned().collect();
        if asks.iter().any(is_excluded) || !holds && asks.contains(ask) {
            remaining.extend(otherwise);
        } else if other_asks.is_empty() {
            remaining.extend(then);
        } else {
            remaining.push(RowStep::When(other_asks, then, otherwise));
        }
    }
    remaining
}
