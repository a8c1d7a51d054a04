//! The list of named character references that standards publish beside their text: an object of names, each with code
//! points. It reads nothing else of JSON. Invariant: a list that is not written so has no names at all.

use crate::compare::hash_of_name;

/// The hashes of the names of a list, sorted, each with what it stands for.
///
/// # Errors
///
/// The first entry that is not written as all are.
pub fn names(text: &str) -> Result<Vec<u32>, String> {
    let mut hashes = Vec::new();
    for entry in text.split("\"&").skip(1) {
        let wrong =
            || format!("no entry of references: {}", entry.lines().next().unwrap_or_default());
        let (name, rest) = entry.split_once('"').ok_or_else(wrong)?;
        // The ampersand itself as a character.
        if name.is_empty() {
            continue;
        }
        let (_, rest) = rest.split_once("\"codepoints\"").ok_or_else(wrong)?;
        let (_, rest) = rest.split_once('[').ok_or_else(wrong)?;
        let (codes, _) = rest.split_once(']').ok_or_else(wrong)?;
        let characters: Option<String> =
            codes.split(',').map(|code| char::from_u32(code.trim().parse().ok()?)).collect();
        hashes.push(hash_of_name(name, &characters.ok_or_else(wrong)?));
    }
    hashes.sort_unstable();
    Ok(hashes)
}
