//! Removes the characters from the input that a table declares as trimmed or removed. Each such declaration is reported
//! at most once, at the first character; the ranges of other errors are mapped to the original input.

use super::Host;
use super::token::{Error, Span};
use tabulex_language::model::{InputError, Machine};

/// The remaining input, with the original range of each character.
pub(super) struct FilteredInput {
    pub(super) text: String,
    /// For each character, its end in `text` and its range in the original input.
    characters: Vec<(usize, Span)>,
    /// Start of the remaining input in the original input.
    begin: usize,
}

/// Returns the input without the characters that the machine removes and, if `trims`, without those that it trims.
/// Reports the first such character of each declaration.
pub(super) fn remove(
    machine: &Machine,
    input: &str,
    trims: bool,
    host: &mut dyn Host,
) -> FilteredInput {
    let all_characters: Vec<(char, Span)> = input
        .char_indices()
        .map(|(start, character)| (character, Span { start, end: start + character.len_utf8() }))
        .collect();
    let mut remaining = &all_characters[..];
    for InputError { characters, error } in machine.trimmed.iter().filter(|_| trims) {
        let is_kept = |(character, _): &(char, Span)| !characters.contains(*character);
        let start = remaining.iter().position(is_kept).unwrap_or(remaining.len());
        let end = remaining.iter().rposition(is_kept).map_or(start, |end| end + 1);
        let first_trimmed = remaining[..start].first().or(remaining[end..].first());
        if let Some((_, span)) = first_trimmed {
            host.error(Error { error: *error, span: *span });
        }
        remaining = &remaining[start..end];
    }
    for InputError { characters, error } in &machine.removed {
        if let Some((_, span)) =
            remaining.iter().find(|(character, _)| characters.contains(*character))
        {
            host.error(Error { error: *error, span: *span });
        }
    }
    let is_removed = |character| machine.removed.iter().any(|it| it.characters.contains(character));
    let begin = remaining.first().map_or(input.len(), |(_, span)| span.start);
    let mut filtered = FilteredInput { text: String::new(), characters: Vec::new(), begin };
    for (character, span) in remaining.iter().filter(|(character, _)| !is_removed(*character)) {
        filtered.text.push(*character);
        filtered.characters.push((filtered.text.len(), *span));
    }
    filtered
}

impl FilteredInput {
    /// Maps a range of `text` to the original input. Characters removed directly before or after it are not included.
    pub(super) fn original(&self, span: Span) -> Span {
        let before = self.characters.iter().take_while(|(end, _)| *end <= span.end).last();
        let end = before.map_or(self.begin, |(_, original)| original.end);
        let after = self.characters.iter().find(|(end, _)| *end > span.start);
        let start = after.map_or(end, |(_, original)| original.start.min(end));
        Span { start, end }
    }
}
