//! Phrases for diagnostics: characters, numbers, registers, patterns. Literals are written as in a table.

use crate::model::{Action, CharacterSet, Machine, Pattern, Register, Text};
use crate::vocabulary::{TEXTS, word};
use std::borrow::Cow;

/// Maximum number of ranges that a message lists.
const MAX_RANGES: usize = 4;

/// Describes the characters of a set in one phrase.
pub(super) fn characters(set: &CharacterSet) -> String {
    list(&ranges(set))
}

/// Describes the first few ranges of a set, followed by the number of others, if any.
pub(super) fn ranges(set: &CharacterSet) -> Vec<String> {
    let ranges = set.ranges();
    let mut words: Vec<String> =
        ranges.iter().take(MAX_RANGES).map(|&(first, last)| range(first, last)).collect();
    if ranges.len() > MAX_RANGES {
        words.push(format!("{} more", ranges.len() - MAX_RANGES));
    }
    words
}

fn range(first: char, last: char) -> String {
    match (first, last) {
        _ if first == last => format!("`{}`", literal(first)),
        ('\0', char::MAX) => "every character".to_owned(),
        _ => format!("`{}..={}`", literal(first), literal(last)),
    }
}

/// Returns a character literal, as in a table.
pub(super) fn literal(character: char) -> String {
    match character {
        '\0' => "'\\0'".to_owned(),
        '"' => "'\"'".to_owned(),
        ' '..='~' | '\t' | '\n' | '\r' => format!("'{}'", character.escape_default()),
        other => format!("'{}'", other.escape_unicode()),
    }
}

/// Joins phrases: "a, b and c".
pub(super) fn list(words: &[String]) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
    }
}

/// Describes the pattern: the word or literal of the table in backquotes, where there is one.
pub(super) fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Characters(set) => characters(set),
        Pattern::AdditionalAllowedCharacter => "`additional-allowed-character`".to_owned(),
        Pattern::Text { text, .. } => format!("`{text:?}`"),
        Pattern::Reference => "`reference`".to_owned(),
        Pattern::Lexeme(_) => "this lexeme".to_owned(),
        Pattern::EndOfFile => "`EOF`".to_owned(),
        Pattern::Else => "`else`".to_owned(),
        Pattern::Nothing => "`nothing`".to_owned(),
        Pattern::Returned => "`returned`".to_owned(),
        Pattern::Numbers(first, last) if first == last => format!("`{first:#X}`"),
        Pattern::Numbers(first, last) => format!("`{first:#X}..={last:#X}`"),
        Pattern::Always => "`always`".to_owned(),
    }
}

/// Returns the register's name for messages, and the action or row that creates the register.
pub(super) fn register(machine: &Machine, register: Register) -> [Cow<'static, str>; 2] {
    let words = match register {
        Register::Tag => ["tag", "`create start-tag` or `create end-tag`"],
        Register::Attribute => ["attribute", "`start-attribute`"],
        Register::Comment => ["comment", "`create comment`"],
        Register::Doctype => ["DOCTYPE", "`create doctype`"],
        Register::TemporaryBuffer => ["temporary buffer", "`set temporary-buffer \"\"`"],
        Register::ReturnState => ["return state", "`set return-state STATE`"],
        Register::AdditionalAllowedCharacter => {
            ["additional allowed character", "`set additional-allowed-character`"]
        }
        Register::Number => ["character reference code", "`set character-reference-code 0`"],
        Register::Reference => ["named character reference", "a row with the pattern `reference`"],
        Register::Returned => ["result of a procedure", "a `returned` row"],
        Register::ProcessingInstruction => {
            ["processing instruction", "`create processing-instruction`"]
        }
        Register::Entity => ["entity", "`create entity`"],
        Register::AttributeList => ["list of declared attributes", "`create attribute-list`"],
        Register::Declaration => ["attribute declaration", "`start-declaration`"],
        Register::Declared(token) => {
            let name = &machine.token(token).name;
            return [format!("`{name}`").into(), format!("`create {name}`").into()];
        }
    };
    words.map(Cow::Borrowed)
}

/// Returns the word with which an action uses the consumed character, string or lexeme; `None` if it uses none of them.
pub(super) fn current_character_word(action: &Action) -> Option<&'static str> {
    if let Action::AddDigit(_) = action {
        return Some("add-digit");
    }
    let uses_consumed =
        |text: &&Text| matches!(text, Text::Current | Text::Lower | Text::Lexeme | Text::Matched);
    action.effects().text.filter(uses_consumed).map(|text| word(TEXTS, text))
}
