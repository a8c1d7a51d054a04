//! Reads the list of named character references that a standard publishes next to its text: a JSON object of names,
//! each with its code points.

use crate::compare::hash_of_name;

/// Returns the hashes of the references in a list, sorted.
///
/// # Errors
///
/// Returns a message with the first malformed entry.
pub fn names(text: &str) -> Result<Vec<u32>, String> {
    let mut hashes = Vec::new();
    for entry in text.split("\"&").skip(1) {
        let malformed = || {
            let line = entry.lines().next().unwrap_or_default();
            format!(
                "malformed character reference `\"&{line}`; expected `\"&NAME\": {{ \"codepoints\": [NUMBER] }}`"
            )
        };
        let (name, rest) = entry.split_once('"').ok_or_else(malformed)?;
        // The value `"&"` of a reference looks like the start of an entry with an empty name, so it is skipped.
        if name.is_empty() {
            continue;
        }
        let (_, rest) = rest.split_once("\"codepoints\"").ok_or_else(malformed)?;
        let (_, rest) = rest.split_once('[').ok_or_else(malformed)?;
        let (codes, _) = rest.split_once(']').ok_or_else(malformed)?;
        let characters: Option<String> =
            codes.split(',').map(|code| char::from_u32(code.trim().parse().ok()?)).collect();
        hashes.push(hash_of_name(name, &characters.ok_or_else(malformed)?));
    }
    hashes.sort_unstable();
    Ok(hashes)
}
