//! Reads the list of named character references that a standard publishes next to its text: a JSON object of names,
//! each with its code points.

use crate::compare::{describe_name, hash_of_name};
use std::collections::BTreeMap;

/// Returns descriptions of the references in a list, by hash.
///
/// # Errors
///
/// Returns a message with the first malformed entry.
pub fn names(text: &str) -> Result<BTreeMap<u32, String>, String> {
    let (mut names, mut next_line) = (BTreeMap::new(), 1);
    for (index, entry) in text.split("\"&").enumerate() {
        let line = next_line;
        next_line += entry.matches('\n').count();
        let malformed = || {
            let line = entry.lines().next().unwrap_or_default();
            format!(
                "malformed character reference `\"&{line}`; expected `\"&NAME\": {{ \"codepoints\": [NUMBER] }}`"
            )
        };
        // The value `"&"` of a reference looks like the start of an entry with an empty name, so it is skipped.
        if index == 0 || entry.starts_with('"') {
            continue;
        }
        let (name, rest) = entry.split_once('"').ok_or_else(malformed)?;
        let (_, rest) = rest.split_once("\"codepoints\"").ok_or_else(malformed)?;
        let (_, rest) = rest.split_once('[').ok_or_else(malformed)?;
        let (codes, _) = rest.split_once(']').ok_or_else(malformed)?;
        let characters: Option<String> =
            codes.split(',').map(|code| char::from_u32(code.trim().parse().ok()?)).collect();
        let characters = characters.ok_or_else(malformed)?;
        names.insert(hash_of_name(name, &characters), describe_name(name, &characters, line));
    }
    Ok(names)
}
