//! Parsing of conditions in steps: alternatives of parts that must all hold. A part without a verb has the subject of
//! the previous part.

use super::Word;

/// Verbs, which separate the subject from the predicate.
const VERBS: &[&str] = &["is", "has", "at-most", "contains", "serializes-as-void"];

/// Returns the alternatives, each with parts that must all hold.
pub(super) fn alternatives(words: &[Word]) -> Vec<Vec<Vec<Word>>> {
    let mut all: Vec<Vec<Vec<Word>>> = Vec::new();
    let mut about: Vec<Word> = Vec::new();
    for alternative in words.split(|word| word.is("or")) {
        let mut parts: Vec<Vec<Word>> = Vec::new();
        for part in alternative.split(|word| word.is("and")) {
            let verb = part.iter().position(|word| VERBS.iter().any(|verb| word.is(verb)));
            match verb {
                Some(at) => {
                    let is_not = part.get(at + 1).is_some_and(|word| word.is("not"));
                    about = part[..=at + usize::from(is_not)].to_vec();
                    parts.push(part.to_vec());
                }
                None => parts.push([about.clone(), part.to_vec()].concat()),
            }
        }
        // "is not a or b" means neither.
        let is_list = all.last().is_some() && about.last().is_some_and(|word| word.is("not"));
        match all.last_mut().filter(|_| is_list) {
            Some(last) => last.append(&mut parts),
            None => all.push(parts),
        }
    }
    all
}
