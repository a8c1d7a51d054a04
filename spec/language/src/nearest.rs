//! Suggestions for misspelled names.

use std::cmp::Reverse;
use strsim::osa_distance;

/// Returns "did you mean …?" with the nearest candidate, if its edit distance is at most a third of the name's length,
/// rounded up.
pub fn nearest(name: &str, candidates: &[&str]) -> Option<String> {
    let limit = name.chars().count().div_ceil(3);
    let closest =
        candidates.iter().map(|candidate| (osa_distance(name, candidate), *candidate)).min()?;
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
