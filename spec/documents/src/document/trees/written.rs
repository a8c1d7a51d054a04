//! Formats steps of tree construction in the table language. A step that the language cannot express becomes a
//! placeholder, which no table contains.

use super::super::statement::placeholder;
use super::english::ModeStep;
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

fn when_block(ask: &str, then: &[ModeStep], otherwise: &[ModeStep], sets: &mut Sets) -> String {
    if ask.is_empty() {
        return steps(then, sets);
    }
    if is_mixed(ask) {
        let (single, mut joined): (Vec<&str>, Vec<&str>) =
            ask.split(" or ").partition(|term| !term.contains(" and "));
        let first =
            if single.is_empty() { joined.remove(0).to_owned() } else { single.join(" or ") };
        let rest = ModeStep::When(joined.join(" or "), then.to_vec(), otherwise.to_vec());
        return when_block(&first, then, &[rest], sets);
    }
    let mut block = format!("when {} {{ {} }}", sets.name_sets(ask), steps(then, sets));
    if !otherwise.is_empty() {
        block += &format!(" otherwise {{ {} }}", steps(otherwise, sets));
    }
    block
}

/// Whether a condition has conjunctions in a disjunction, which one `when` cannot express without parentheses.
fn is_mixed(ask: &str) -> bool {
    ask.contains(" or ") && ask.contains(" and ")
}

/// Formats a condition as the guard of a row.
pub(super) fn guard(ask: &str, sets: &mut Sets) -> String {
    if ask.is_empty() || is_mixed(ask) { placeholder(&ask) } else { sets.name_sets(ask) }
}
