//! Formats steps of tree construction in the table language. A step that the language cannot express becomes a
//! placeholder, which no table contains.

use super::super::statement::placeholder;
use super::english::{ModeCondition, ModeStep, join_conditions};
use std::collections::BTreeMap;

/// The sets of element names that steps use, by generated name.
#[derive(Debug, Default)]
pub(super) struct Sets(pub(super) BTreeMap<String, String>);

impl Sets {
    /// Returns the text with each set in angle brackets replaced by its generated name.
    pub(super) fn name_sets(&mut self, text: &str) -> String {
        let mut result = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('⟨') {
            let (names, after) = after.split_once('⟩').unwrap_or((after, ""));
            result += before;
            result += &self.set_name(names);
            rest = after;
        }
        result + rest
    }

    /// Returns a single member unchanged; for several members, records the set under a name made of theirs, and returns
    /// that name.
    fn set_name(&mut self, names: &str) -> String {
        let words: Vec<&str> = names.split(" | ").map(|name| name.trim_matches('"')).collect();
        if words.len() == 1 {
            return names.to_owned();
        }
        let mut name = words.join("-");
        if words.len() > 6 {
            let hash = names
                .bytes()
                .fold(0_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte)));
            name = format!("{}-to-{}-{:04x}", words[0], words[words.len() - 1], hash & 0xFFFF);
        }
        let name = format!("names-{name}");
        self.0.insert(name.clone(), names.to_owned());
        name
    }
}

/// Formats steps in the table language.
pub(super) fn steps(steps: &[ModeStep], sets: &mut Sets) -> String {
    let mut parts = Vec::new();
    for step in steps {
        parts.push(match step {
            ModeStep::Act(action) => format!("{};", sets.name_sets(action)),
            ModeStep::When(ask, then, otherwise) => when_block(ask, then, otherwise, sets),
            other => format!("{};", placeholder(&other)),
        });
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

fn when_block(
    ask: &ModeCondition,
    then: &[ModeStep],
    otherwise: &[ModeStep],
    sets: &mut Sets,
) -> String {
    let ask = push_negations_down(ask, false);
    if let Some(text) = simple_condition(&ask, sets) {
        let mut block = format!("when {text} {{ {} }}", steps(then, sets));
        if !otherwise.is_empty() {
            block += &format!(" otherwise {{ {} }}", steps(otherwise, sets));
        }
        return block;
    }
    match ask {
        ModeCondition::Always => steps(then, sets),
        ModeCondition::All(asks) => {
            let (first, rest) = split_expressible(asks, ModeCondition::All);
            let inner = [ModeStep::When(rest, then.to_vec(), otherwise.to_vec())];
            when_block(&first, &inner, otherwise, sets)
        }
        ModeCondition::Any(asks) => {
            let (first, rest) = split_expressible(asks, ModeCondition::Any);
            let inner = [ModeStep::When(rest, then.to_vec(), otherwise.to_vec())];
            when_block(&first, then, &inner, sets)
        }
        other => format!("{};", placeholder(&other)),
    }
}

/// Splits conditions into those that one `when` can express and the remaining ones, each joined to one condition.
fn split_expressible(
    conditions: Vec<ModeCondition>,
    many: fn(Vec<ModeCondition>) -> ModeCondition,
) -> (ModeCondition, ModeCondition) {
    let (mut alone, mut mixed): (Vec<ModeCondition>, Vec<ModeCondition>) = conditions
        .into_iter()
        .partition(|ask| matches!(ask, ModeCondition::Is(_) | ModeCondition::Not(_)));
    let first = if alone.is_empty() {
        mixed.remove(0)
    } else {
        join_conditions(std::mem::take(&mut alone), many)
    };
    (first, join_conditions(mixed, many))
}

/// Rewrites a condition, negated if `not`, so that only single conditions are negated, by De Morgan's laws.
fn push_negations_down(ask: &ModeCondition, not: bool) -> ModeCondition {
    let map_all =
        |asks: &[ModeCondition]| asks.iter().map(|ask| push_negations_down(ask, not)).collect();
    match ask {
        ModeCondition::Not(ask) => push_negations_down(ask, !not),
        ModeCondition::All(asks) if not => ModeCondition::Any(map_all(asks)),
        ModeCondition::Any(asks) if not => ModeCondition::All(map_all(asks)),
        ModeCondition::All(asks) => ModeCondition::All(map_all(asks)),
        ModeCondition::Any(asks) => ModeCondition::Any(map_all(asks)),
        other if not => ModeCondition::Not(Box::new(other.clone())),
        other => other.clone(),
    }
}

/// Formats a condition, if one `when` can express it.
fn simple_condition(ask: &ModeCondition, sets: &mut Sets) -> Option<String> {
    let mut joined = |asks: &[ModeCondition], between: &str| -> Option<String> {
        let texts: Option<Vec<String>> = asks
            .iter()
            .map(|ask| match ask {
                ModeCondition::Is(_) | ModeCondition::Not(_) => simple_condition(ask, sets),
                _ => None,
            })
            .collect();
        Some(texts?.join(between))
    };
    match ask {
        ModeCondition::All(asks) => joined(asks, " and "),
        ModeCondition::Any(asks) => joined(asks, " or "),
        ModeCondition::Is(text) => Some(sets.name_sets(text)),
        ModeCondition::Not(inner) => match &**inner {
            ModeCondition::Is(text) => Some(format!("not {}", sets.name_sets(text))),
            _ => None,
        },
        _ => None,
    }
}

/// Formats a condition as the guard of a row.
pub(super) fn guard(ask: &ModeCondition, sets: &mut Sets) -> String {
    simple_condition(&push_negations_down(ask, false), sets).unwrap_or_else(|| placeholder(ask))
}
