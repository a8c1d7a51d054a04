//! Suggestions for misspelled names.

use std::cmp::Reverse;

/// Returns "did you mean …?" with the nearest candidate, if its edit distance is at most a third of the name's length,
/// rounded up.
pub fn nearest(name: &str, candidates: &[&str]) -> Option<String> {
    let limit = name.chars().count().div_ceil(3);
    let closest =
        candidates.iter().map(|candidate| (distance(name, candidate), *candidate)).min()?;
    (closest.0 <= limit).then(|| format!("did you mean `{}`?", closest.1))
}

/// Suggests the nearest candidate, or returns `advice` if none is similar enough.
pub(crate) fn nearest_or(name: &str, candidates: &[&str], advice: &str) -> String {
    nearest(name, candidates).unwrap_or_else(|| advice.to_owned())
}

/// Returns "write … or …" with up to four forms similar to `words`, those that share most words with it first.
pub(crate) fn similar_forms(words: &str, forms: &[&'static str]) -> String {
    const MAX_FORMS: usize = 4;
    let shared_words = |form: &str| {
        form.split(' ').filter(|part| words.split(' ').any(|word| word == *part)).count()
    };
    let mut nearest_forms = forms.to_vec();
    nearest_forms.sort_by_key(|form| Reverse(shared_words(form)));
    let nearest_forms = nearest_forms.iter().take(MAX_FORMS);
    let nearest_forms: Vec<String> = nearest_forms.map(|form| format!("`{form}`")).collect();
    format!("write {}", nearest_forms.join(" or "))
}

/// Returns the edit distance between two words: the minimum number of insertions, deletions, replacements and exchanges
/// of adjacent characters.
pub(crate) fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for (line, &character) in from.iter().enumerate() {
        let mut row = vec![line + 1];
        for (column, &other) in to.iter().enumerate() {
            let replacement_cost = rows[line][column] + usize::from(character != other);
            let mut cost = replacement_cost.min(rows[line][column + 1] + 1).min(row[column] + 1);
            let is_exchange =
                line > 0 && column > 0 && character == to[column - 1] && from[line - 1] == other;
            if is_exchange {
                cost = cost.min(rows[line - 1][column - 1] + 1);
            }
            row.push(cost);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}
