//! The name that was probably meant. It only advises. Invariant: the same name and candidates give the same advice.

/// "did you mean …?" for the candidate with the fewest edits, if it is near enough.
pub fn nearest(name: &str, candidates: &[&str]) -> Option<String> {
    let limit = name.chars().count().div_ceil(3);
    let best = candidates.iter().map(|candidate| (distance(name, candidate), *candidate)).min()?;
    (best.0 <= limit).then(|| format!("did you mean `{}`?", best.1))
}

/// The nearest name as advice, or other advice if no candidate is near enough.
pub(super) fn nearest_or(name: &str, candidates: &[&str], advice: &str) -> String {
    nearest(name, candidates).unwrap_or_else(|| advice.to_owned())
}

/// The number of characters to insert, delete or replace to get from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, character) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, &other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(character != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}
