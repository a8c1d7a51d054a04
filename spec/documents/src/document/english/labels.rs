//! Parses headings, which name the state that a section describes, and labels, which name the inputs that a row
//! matches. A label is parsed completely or not at all.

use super::GRAMMAR;
use crate::document::Reading;
use crate::document::rules::{literal, text};
use crate::document::sections::split_number;
use tabulex_language::model::kebab_case;

/// A label of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::document) enum Label {
    /// A pattern in the table language.
    Pattern(String),
    /// The characters in these ranges that no other row of the state names.
    OtherIn(Vec<(char, char)>),
}

/// Parses a line of labels, or returns `None` if it contains anything else.
pub(in crate::document) fn labels(line: &str) -> Option<Vec<Label>> {
    GRAMMAR.read("labels", line.trim_end_matches(':'))?.split("; ").map(label).collect()
}

/// Parses the labels of a state's row by the gloss of the line, as the name of a granted class, or as [`labels`] does.
pub(in crate::document) fn row_labels(reading: &Reading, line: &str) -> Option<Vec<Label>> {
    match reading.gloss(line, |place| place == "label") {
        Some(gloss) => Some(vec![Label::Pattern(gloss.meaning.clone())]),
        None => class(reading, line).map(|class| vec![class]).or_else(|| labels(line)),
    }
}

/// Parses a label that names a granted class, such as "A name character".
fn class(reading: &Reading, line: &str) -> Option<Label> {
    let words = line.trim_end_matches(':').to_lowercase();
    let words =
        ["a ", "an ", "any "].iter().find_map(|it| words.strip_prefix(it)).unwrap_or(&words);
    let name = kebab_case(words);
    reading.profile.classes.contains_key(&name).then_some(Label::Pattern(name))
}

/// Parses the labels before a colon in a list item. Returns the labels and the text after the colon, or `None` if no
/// labels end at a colon.
pub(in crate::document) fn item_labels(text: &str) -> Option<(Vec<Label>, &str)> {
    let mut colons = text.match_indices(':').map(|(at, _)| at);
    colons.find_map(|at| Some((labels(&text[..at])?, text[at + 1..].trim_start())))
}

/// Returns the name in the heading of a state, or `None` if the text is not such a heading.
pub(in crate::document) fn heading(text: &str) -> Option<&str> {
    let (_, name) = split_number(text);
    let is_name_character = |one: char| one.is_ascii_alphanumeric() || " -():".contains(one);
    let is_name = name.len() > " state".len() && name.ends_with(" state");
    let is_name = is_name && name.chars().all(is_name_character);
    is_name.then_some(name)
}

/// Returns the title of the state that a paragraph describes as a case of an algorithm, such as "If |token state| is the
/// name state:"; `None` for any other paragraph.
pub(in crate::document) fn case_of_state(paragraph: &str) -> Option<String> {
    let (case, _) = paragraph.split_once(':')?;
    Some(GRAMMAR.read("case-of-state", case)?.replace('-', " ") + " state")
}

/// Parses the labels of a mode's row as patterns in the table language, or returns `None` if the text is no such label.
pub(in crate::document) fn token_labels(reading: &Reading, text: &str) -> Option<Vec<String>> {
    let gloss = reading.gloss(text, |place| place == "label").map(|gloss| gloss.meaning.clone());
    if let Some(kind) = gloss.or_else(|| GRAMMAR.read("token-item", text)) {
        return Some(vec![kind]);
    }
    let pattern = |label: Label| match label {
        Label::Pattern(pattern) => Some(pattern),
        _ => None,
    };
    labels(text)?.into_iter().map(pattern).collect()
}

fn label(words: &str) -> Option<Label> {
    Some(match words.split_once(' ').unwrap_or((words, "")) {
        ("other-in", ranges) => {
            let range = |range: &str| {
                let (first, last) = range.split_once("..=")?;
                Some((literal(first)?.chars().next()?, literal(last)?.chars().next()?))
            };
            Label::OtherIn(ranges.split(" | ").map(range).collect::<Option<_>>()?)
        }
        ("twice", one) => Label::Pattern(text(&literal(one)?.repeat(2))),
        _ => Label::Pattern(words.to_owned()),
    })
}

/// Parses a row of a table that maps a number to a code point, such as "0x80 U+20AC EURO SIGN"; returns `None` for any
/// other text.
pub(in crate::document) fn table_row(text: &str) -> Option<(u32, u32)> {
    let mut words = text.split_whitespace();
    let number = words.next()?.strip_prefix("0x")?;
    let target = words.next()?;
    let target = target.strip_prefix("U+").or_else(|| target.strip_prefix("0x"))?;
    let hexadecimal = |digits| u32::from_str_radix(digits, 16).ok();
    Some((hexadecimal(number)?, hexadecimal(target)?))
}
