//! Pseudo-attributes in the data of processing instructions, which DOM's "update attributes from data" parses: section
//! 3 of "Associating Style Sheets with XML documents" (second edition), with names, characters and references of XML
//! 1.0.

use super::xml_characters::{is_char, is_name, is_name_start};
use std::borrow::Cow;
use std::collections::HashSet;

/// White space of XML.
const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns the value of the pseudo-attribute called `wanted_name`, or `None` if the data has no such pseudo-attribute
/// or violates the production `PseudoAtts` anywhere.
pub(super) fn pseudo_attribute<'d>(data: &'d str, wanted_name: &str) -> Option<Cow<'d, str>> {
    let (mut rest, mut names, mut wanted_value) = (data, HashSet::new(), None);
    loop {
        let trimmed = rest.trim_start_matches(SPACE);
        if trimmed.is_empty() {
            return wanted_value;
        }
        let is_separated = names.is_empty() || trimmed.len() < rest.len();
        let name_end = trimmed.find(|character| !is_name(character)).unwrap_or(trimmed.len());
        let (name, following) = trimmed.split_at(name_end);
        if !is_separated || !name.starts_with(is_name_start) || !names.insert(name) {
            return None;
        }
        let following = following.trim_start_matches(SPACE).strip_prefix('=')?;
        let following = following.trim_start_matches(SPACE);
        let quote = following.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (raw, following) = following[1..].split_once(quote)?;
        let value = decode_value(raw)?;
        if name == wanted_name {
            wanted_value = Some(value);
        }
        rest = following;
    }
}

/// Replaces the references in a value; returns `None` if the value is not well-formed.
fn decode_value(raw: &str) -> Option<Cow<'_, str>> {
    if raw.contains(|character| character == '<' || !is_char(character)) {
        return None;
    }
    let mut parts = raw.split('&');
    let first = parts.next()?;
    if first.len() == raw.len() {
        return Some(Cow::Borrowed(raw));
    }
    let mut text = first.to_owned();
    for part in parts {
        let (reference, following) = part.split_once(';')?;
        text.push(resolve_reference(reference)?);
        text.push_str(following);
    }
    Some(Cow::Owned(text))
}

/// Returns the character that a reference to a predefined entity or to a character of XML stands for; `None` for any
/// other reference. `reference` is the text between `&` and `;`.
fn resolve_reference(reference: &str) -> Option<char> {
    let Some(number) = reference.strip_prefix('#') else {
        return Some(match reference {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            _ => return None,
        });
    };
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
    // `from_str_radix` would also accept a sign.
    let is_number = digits.chars().all(|digit| digit.is_digit(radix));
    let code = u32::from_str_radix(digits, radix).ok().filter(|_| is_number)?;
    char::from_u32(code).filter(|&character| is_char(character))
}
