//! Parses sentences on lexical modes: what lexical tokens do, their data, and constraints on the tree. A sentence is
//! parsed completely or not at all.

use crate::document::rules::Rules;
use std::sync::OnceLock;

/// Meaning of a sentence on lexical modes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LexicalStatement {
    /// The reaction to any of these lexical tokens.
    Row(Vec<String>, Handling),
    /// The data of lexical tokens.
    Data(Vec<String>, Data),
    /// An abstract token, and the noun for its data, if it has any.
    Abstract(String, Option<String>),
    /// Matching tags have equal names.
    SameName,
    /// The output is one element.
    SingleElement,
    /// The attributes of an element have distinct names.
    DistinctNames,
}

/// Data of a lexical token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Data {
    /// The text that this lexical token has matched.
    Text(String),
    Number,
    Character,
}

/// The reaction of a mode to a lexical token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Handling {
    /// The default, followed by a switch to the mode, if one is given.
    Default(Option<String>),
    /// Emits this abstract token for a valid name; the flag is whether the document demands one for each character of
    /// any other name.
    Named(String, bool),
    /// Emits this abstract token for a number up to the limit; the flag is whether the document demands one for each
    /// character of a greater number.
    Numbered(String, u32, bool),
    Acts(Vec<Act>),
}

/// A single action of a lexical mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Emit(String),
    Switch(String),
}

/// Returns the grammar in `lexical.rules`.
fn grammar() -> &'static Rules {
    static RULES: OnceLock<Rules> = OnceLock::new();
    RULES.get_or_init(|| Rules::parse(include_str!("lexical.rules")))
}

/// Parses a sentence on lexical modes.
pub(super) fn read(text: &str) -> Option<LexicalStatement> {
    let meaning = grammar().read("sentence", text)?;
    let (subject, rest) = meaning.split_once(':').unwrap_or((&meaning, ""));
    let (kind, subject) = subject.split_once(' ').unwrap_or((subject, ""));
    let lexemes = || subject.split(' ').map(str::to_owned).collect();
    let rest = rest.trim_start();
    Some(match kind {
        "row" => LexicalStatement::Row(lexemes(), handling(rest)?),
        "text" => LexicalStatement::Data(lexemes(), Data::Text(rest.to_owned())),
        "number" => LexicalStatement::Data(lexemes(), Data::Number),
        "character" => LexicalStatement::Data(lexemes(), Data::Character),
        "abstract" => {
            let data = Some(rest.to_owned()).filter(|noun| !noun.is_empty());
            LexicalStatement::Abstract(subject.to_owned(), data)
        }
        "same-name" => LexicalStatement::SameName,
        "single-element" => LexicalStatement::SingleElement,
        "distinct-names" => LexicalStatement::DistinctNames,
        _ => return None,
    })
}

fn handling(meaning: &str) -> Option<Handling> {
    let words: Vec<&str> = meaning.split(' ').collect();
    let emits_each = words.last() == Some(&"each");
    Some(match words[..] {
        ["default"] => Handling::Default(None),
        ["default", ..] => Handling::Default(mode_name(meaning.strip_prefix("default ")?)),
        ["named", token, ..] => Handling::Named(token.to_owned(), emits_each),
        ["numbered", token, limit, ..] => {
            Handling::Numbered(token.to_owned(), limit.parse().ok()?, emits_each)
        }
        ["acts"] => Handling::Acts(Vec::new()),
        _ => {
            let parse_act = |act: &str| match act.split_once(' ')? {
                ("switch", mode) => Some(Act::Switch(mode_name(mode)?)),
                (_, token) => Some(Act::Emit(token.to_owned())),
            };
            let acts = meaning.strip_prefix("acts ")?.split("; ");
            Handling::Acts(acts.map(parse_act).collect::<Option<_>>()?)
        }
    })
}

/// Returns the mode's name in kebab case, from words such as "StartAttributeValue tokenization mode" or "TagMode";
/// `None` if they name no mode.
pub(super) fn mode_name(words: &str) -> Option<String> {
    let bare_name = words.strip_suffix("Mode").or_else(|| words.strip_suffix(" mode"))?;
    let bare_name = bare_name.strip_suffix(" tokenization").unwrap_or(bare_name);
    let mut name = String::new();
    for (index, one) in bare_name.char_indices() {
        if one.is_ascii_uppercase() && index > 0 {
            name.push('-');
        }
        name.push(one.to_ascii_lowercase());
    }
    Some(name).filter(|name| !name.is_empty() && !name.contains(' '))
}
