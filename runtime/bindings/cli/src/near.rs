//! Suggestions for unknown names.

/// Maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// Returns `; did you mean …?` with the nearest names, or an empty string if none is near.
pub(crate) fn did_you_mean(unknown: &str, names: &[&str]) -> String {
    let normalized = normalize(unknown);
    let length = normalized.chars().count();
    let near_distance = |name: &str| {
        let (known, max) = (normalize(name), 1 + normalized.len().min(name.len()) / 4);
        // Names of very different length are not compared, as that takes memory proportional to both lengths.
        let is_comparable = length.abs_diff(known.chars().count()) <= max;
        let distance = is_comparable.then(|| strsim::damerau_levenshtein(&normalized, &known));
        distance.filter(|distance| *distance <= max)
    };
    let mut candidates: Vec<(usize, &str)> =
        names.iter().filter_map(|name| Some((near_distance(name)?, *name))).collect();
    candidates.sort();
    candidates.dedup();
    let suggestions: Vec<String> =
        candidates.iter().take(MAX_SUGGESTIONS).map(|(_, name)| format!("`{name}`")).collect();
    if suggestions.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", suggestions.join(" or "))
    }
}

/// Normalizes a name that a standard spells in its own way to the spelling of tables: `TagMode` and `tag state` become
/// `tag`.
pub(crate) fn normalize(name: &str) -> String {
    let mut normalized = String::new();
    let mut follows_lowercase = false;
    for character in name.trim().chars() {
        if character.is_alphanumeric() {
            if character.is_uppercase() && follows_lowercase {
                normalized.push('-');
            }
            normalized.extend(character.to_lowercase());
        } else if !normalized.is_empty() && !normalized.ends_with('-') {
            normalized.push('-');
        }
        follows_lowercase = character.is_lowercase();
    }
    let mut stem = normalized.trim_end_matches('-');
    for word in ["-state", "-mode", "-tokenization"] {
        stem = stem.strip_suffix(word).unwrap_or(stem);
    }
    stem.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizes_names_of_documents() {
        for (name, expected) in [
            ("RCDATA state", "rcdata"),
            ("TagMode", "tag"),
            ("Main tokenization mode", "main"),
            ("SingleQuoteAttributeValueMode", "single-quote-attribute-value"),
            ("Attribute value (double-quoted) state", "attribute-value-double-quoted"),
        ] {
            assert_eq!(normalize(name), expected);
        }
    }

    #[test]
    fn suggests_few_names() {
        let names = ["data", "rcdata", "rawtext", "plaintext"];
        assert_eq!(did_you_mean("RCDTA state", &names), "; did you mean `rcdata`?");
        assert_eq!(did_you_mean("something else", &names), "");
        assert_eq!(did_you_mean(&"data".repeat(1 << 20), &names), "");
    }
}
