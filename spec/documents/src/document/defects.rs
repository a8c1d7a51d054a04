//! Finds defects of a document from its reading alone: misprints, wrong character names, undefined names, use before
//! definition, contradictory or unreachable rows and steps, and places where the text breaks off.

mod algorithms;
mod rows;

use super::Reading;
use super::characters::disagreements;
use std::collections::BTreeSet;

/// A defect of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Defect {
    /// Heading, or name of the state, mode or algorithm.
    pub place: String,
    /// Description of the defect.
    pub message: String,
    /// Line of the document, or 0 if the defect has no line.
    pub line: usize,
}

/// Returns the defects of a document without duplicates, sorted by line.
pub fn defects(reading: &Reading) -> Vec<Defect> {
    let (mut defects, profile) = (Vec::new(), &reading.profile);
    for erratum in reading.applied.iter().map(|&index| &profile.errata[index]) {
        let message = format!("misprint: {}", erratum.reason);
        defects.push(Defect { place: erratum.place.clone(), message, line: 0 });
    }
    for granted in &profile.granted {
        if let Some(lexeme) =
            granted.strip_prefix("lexeme ").and_then(|rest| rest.split(' ').next())
        {
            let message = format!("undefined: `{lexeme}` is used, but defined nowhere");
            defects.push(Defect { place: profile.title.clone(), message, line: 0 });
        }
    }
    for sentence in &reading.sentences {
        let mut report = |message: String| {
            defects.push(Defect { place: sentence.place.clone(), message, line: sentence.line });
        };
        for wrong in disagreements(&sentence.words) {
            report(format!("wrong name: {wrong}"));
        }
        if let Some(word) = repeated_word(&sentence.words) {
            report(format!("misprint: doubled word in `{word}`"));
        }
    }
    rows::defects(reading, &mut defects);
    algorithms::defects(reading, &mut defects);
    add_unused_codes(reading, &mut defects);
    let mut reported = BTreeSet::new();
    defects.retain(|defect| reported.insert((defect.place.clone(), defect.message.clone())));
    defects.sort_by_key(|defect| defect.line);
    defects
}

/// Returns two consecutive words that are equal or both articles, if there are any.
fn repeated_word(words: &str) -> Option<String> {
    let all_words: Vec<&str> = words.split(' ').collect();
    let is_word =
        |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_article = |word: &str| matches!(word, "a" | "an" | "the");
    // A repetition is intended if the second word is a variable ("element element"), begins the name of a state, or is
    // grammatical ("that that").
    let is_name = |first: usize| {
        matches!(
            all_words[first],
            "bytes" | "element" | "encoding" | "token" | "node" | "that" | "had"
        ) || all_words.get(first + 2).is_some_and(|next| next.starts_with("state"))
    };
    let first = (0..all_words.len().saturating_sub(1)).find(|&first| {
        let is_same = all_words[first] == all_words[first + 1]
            && is_word(all_words[first])
            && !is_name(first);
        // In "the a", the second word is the name of the element `a`.
        is_same
            || is_article(all_words[first])
                && is_article(all_words[first + 1])
                && all_words[first + 1] != "a"
    })?;
    Some(all_words[first..first + 2].join(" "))
}

/// Adds a defect for each listed error code that no rule, declaration or algorithm uses.
fn add_unused_codes(reading: &Reading, defects: &mut Vec<Defect>) {
    let used_codes = super::facts::codes(reading);
    let is_in_text = |code: &str| {
        let has_code = |words: &str| words.split(' ').any(|word| word == code);
        let mut steps = reading.algorithms.iter().flat_map(|one| &one.steps);
        reading.declarations.iter().any(|(_, item)| item.contains(code))
            || steps.any(|step| step.contains(&has_code))
    };
    for code in reading
        .listed_codes
        .iter()
        .filter(|code| !used_codes.contains(&code[..]) && !is_in_text(code))
    {
        let message = format!("unused: no rule reports `{code}`");
        defects.push(Defect { place: "Parse errors".to_owned(), message, line: 0 });
    }
}
