//! Generates all single edits of a document, to test that the comparison reports each: every sentence removed, negated
//! or followed by a copy of another one; every number, quoted letter and word changed; every pair of parentheses
//! removed; a list of steps added after every paragraph. An edit replaces one range of the text, outside tags.

use super::edits::Edit;
use std::collections::BTreeMap;

/// Kind of markup of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    /// HTML, whose tags and character references are not words.
    Html,
    /// Plain text, of which each line is a paragraph.
    Lines,
}

/// The list of steps to add, in both kinds of markup.
const ADDED_LIST: [(Markup, &str); 2] = [
    (Markup::Html, "<ol><li><p>Pop the current node.</p></li><li><p>Stop parsing.</p></li></ol>"),
    (Markup::Lines, "\n1. Emit the current token.\n2. Switch to the data state.\n"),
];

/// Verbs that "not" can follow.
const AUXILIARIES: [&str; 7] = ["is", "are", "must", "does", "should", "will", "has"];

/// A word or number of the text.
#[derive(Clone, Copy)]
struct WordInText<'a> {
    text: &'a str,
    /// Byte offset in the document.
    at: usize,
}

impl WordInText<'_> {
    fn range(&self) -> (usize, usize) {
        (self.at, self.at + self.text.len())
    }
}

/// Returns all edits of a document between two lines, inclusive.
pub(super) fn edits(text: &str, lines: (usize, usize), markup: Markup) -> Vec<Edit> {
    let line_starts: Vec<usize> =
        [0].into_iter().chain(text.match_indices('\n').map(|(offset, _)| offset + 1)).collect();
    let from = line_starts.get(lines.0.saturating_sub(1)).copied().unwrap_or_default();
    let to = line_starts.get(lines.1).copied().unwrap_or(text.len());
    let mut collector = DocumentEdits { text, line_starts, out: Vec::new() };
    let sentences = sentences(text, (from, to), markup);
    let vocabulary = vocabulary(&sentences);
    for (number, sentence) in sentences.iter().enumerate() {
        let (Some(first), Some(last)) = (sentence.first(), sentence.last()) else { continue };
        let end = collector.end_of_punctuation(last.range().1);
        let sentence_range = (first.at, end);
        collector.add("sentence removed", sentence_range, String::new());
        collector.add_negation(sentence, sentence_range);
        let other_sentence = &sentences[(number * 7 + 3) % sentences.len()];
        if let (Some(begin), Some(end)) = (other_sentence.first(), other_sentence.last()) {
            let sentence_copy =
                format!(" {}.", without_tags(&text[begin.at..end.range().1], markup));
            let sentence_end = sentence_range.1;
            collector.add("sentence added", (sentence_end, sentence_end), sentence_copy);
        }
        for (at, piece) in sentence.iter().enumerate() {
            collector.add_replacement(piece, number + at, &vocabulary);
        }
        collector.add_bracket_removals(sentence_range, markup);
    }
    collector.add_lists((from, to), markup);
    collector.out
}

fn without_tags(text: &str, markup: Markup) -> String {
    if markup == Markup::Lines {
        return text.replace('\n', " ");
    }
    let mut out = String::new();
    let mut is_in_tag = false;
    for character in text.chars() {
        match character {
            '<' => is_in_tag = true,
            '>' if is_in_tag => is_in_tag = false,
            _ if !is_in_tag => out.push(character),
            _ => {}
        }
    }
    out
}

/// Returns the words of each sentence. A sentence ends at a full stop, a colon, or the end of a paragraph.
fn sentences(text: &str, (from, to): (usize, usize), markup: Markup) -> Vec<Vec<WordInText<'_>>> {
    let (mut sentences, mut sentence) = (Vec::new(), Vec::new());
    let mut offset = from;
    let is_word_character =
        |one: char| one.is_ascii_alphanumeric() || matches!(one, '+' | '-' | '\'');
    while offset < to {
        let remaining = &text[offset..to];
        let character = remaining.chars().next().unwrap_or_default();
        if markup == Markup::Html && character == '<' {
            let end = if remaining.starts_with("<!--") { "-->" } else { ">" };
            let length = remaining.find(end).map_or(remaining.len(), |offset| offset + end.len());
            let name = remaining[1..].trim_start_matches('/');
            let block_tags = ["p", "li", "dd", "dt", "h", "ol", "ul", "dl", "td", "tr", "div"];
            let ends_sentence = block_tags.iter().any(|tag| {
                let next_character = name.strip_prefix(tag).and_then(|rest| rest.chars().next());
                next_character.is_some_and(|it| !it.is_ascii_alphabetic())
            });
            if ends_sentence && !sentence.is_empty() {
                sentences.push(std::mem::take(&mut sentence));
            }
            offset += length;
        } else if markup == Markup::Html && character == '&' {
            offset += remaining.find(';').map_or(1, |end| end + 1);
        } else if is_word_character(character) {
            let length =
                remaining.find(|other: char| !is_word_character(other)).unwrap_or(remaining.len());
            sentence.push(WordInText { text: &remaining[..length], at: offset });
            offset += length;
        } else {
            let next_character = remaining.chars().nth(1);
            let is_end = matches!(character, '.' | ':')
                && next_character.is_none_or(char::is_whitespace)
                || markup == Markup::Lines && character == '\n';
            if is_end && !sentence.is_empty() {
                sentences.push(std::mem::take(&mut sentence));
            }
            offset += character.len_utf8();
        }
    }
    sentences.push(sentence);
    sentences.retain(|sentence| sentence.len() > 1);
    sentences
}

/// Whether the first and the second letter of a word are in upper case. A word is replaced only by words of its case.
type LetterCase = [bool; 2];

/// Returns the letter case of a word, or `None` if the word is not replaced.
fn letter_case(word: &str) -> Option<LetterCase> {
    let letters = word.as_bytes().first_chunk::<2>()?;
    let has_digit = word.contains(|one: char| one.is_ascii_digit());
    (!has_digit).then(|| letters.map(|letter| letter.is_ascii_uppercase()))
}

/// Returns the distinct words of the sentences by letter case, most frequent first.
fn vocabulary<'a>(sentences: &[Vec<WordInText<'a>>]) -> BTreeMap<LetterCase, Vec<&'a str>> {
    let mut counts: BTreeMap<(LetterCase, &str), usize> = BTreeMap::new();
    for piece in sentences.iter().flatten() {
        if let Some(case) = letter_case(piece.text) {
            *counts.entry((case, piece.text)).or_default() += 1;
        }
    }
    let mut ranked: Vec<_> = counts.into_iter().collect();
    ranked.sort_by_key(|&((case, word), count)| (case, std::cmp::Reverse(count), word));
    let mut by_case: BTreeMap<LetterCase, Vec<&str>> = BTreeMap::new();
    for ((case, word), _) in ranked {
        by_case.entry(case).or_default().push(word);
    }
    by_case
}

/// A collector of the edits of a document.
struct DocumentEdits<'a> {
    text: &'a str,
    line_starts: Vec<usize>,
    out: Vec<Edit>,
}

impl DocumentEdits<'_> {
    fn add(&mut self, class: &'static str, range: (usize, usize), with: String) {
        let line = self.line_starts.partition_point(|&start| start <= range.0);
        let place = format!("line {line}");
        self.out.push(Edit { place, line, class, range, with });
    }

    /// Returns the offset after the punctuation, if any, at the offset `after`.
    fn end_of_punctuation(&self, after: usize) -> usize {
        let is_punctuation = |one: char| matches!(one, '.' | ':' | ')' | '"' | '”');
        after
            + self.text[after..]
                .chars()
                .take_while(|&one| is_punctuation(one))
                .map(char::len_utf8)
                .sum::<usize>()
    }

    fn add_negation(&mut self, sentence: &[WordInText<'_>], sentence_range: (usize, usize)) {
        let class = "negated";
        if let Some(not) = sentence.iter().find(|piece| piece.text == "not") {
            let (begin, end) = not.range();
            return self.add(class, (begin, (end + 1).min(sentence_range.1)), String::new());
        }
        if let Some(is) = sentence.iter().find(|piece| AUXILIARIES.contains(&piece.text)) {
            let end = is.range().1;
            return self.add(class, (end, end), " not".to_owned());
        }
        let Some(first) = sentence.first() else { return };
        let replacement = format!("Do not {}", first.text.to_lowercase());
        self.add(class, first.range(), replacement);
    }

    /// Adds the replacement of a number or a quoted letter by another one, or of a word by another one of its case. The
    /// seed selects the other word.
    fn add_replacement(
        &mut self,
        piece: &WordInText<'_>,
        seed: usize,
        vocabulary: &BTreeMap<LetterCase, Vec<&str>>,
    ) {
        let digits = piece.text.trim_start_matches(|one: char| !one.is_ascii_digit());
        let is_code_point = piece.text.starts_with("U+") || piece.text.starts_with("0x");
        if is_code_point || !digits.is_empty() && digits.len() == piece.text.len() {
            let last_character = piece.text.chars().next_back().unwrap_or_default();
            let other = match last_character {
                '0'..='8' | 'A'..='E' | 'a'..='e' => char::from(last_character as u8 + 1),
                _ => '0',
            };
            let (_, end) = piece.range();
            return self.add("another number", (end - 1, end), other.to_string()[..].into());
        }
        let is_quoted = self.text[..piece.at].ends_with(['"', '\u{201C}', '>']);
        if piece.text.len() == 1 && is_quoted && piece.text.is_ascii() {
            let other = if piece.text.eq_ignore_ascii_case("q") { "z" } else { "q" };
            return self.add("another character", piece.range(), other.to_owned());
        }
        let Some(candidates) = letter_case(piece.text).and_then(|case| vocabulary.get(&case))
        else {
            return;
        };
        // Only the 40 most frequent words are used: with these, the reader is more likely to understand the edited
        // sentence.
        let count = candidates.len().min(40);
        let mut index = (seed * 31 + 7) % count;
        if candidates[index] == piece.text {
            index = (index + 1) % count;
        }
        if candidates[index] != piece.text {
            self.add("another word", piece.range(), candidates[index].to_owned());
        }
    }

    /// Adds the removal of each pair of parentheses.
    fn add_bracket_removals(&mut self, (begin, end): (usize, usize), markup: Markup) {
        let sentence = &self.text[begin..end];
        let is_in_tag = |offset: usize| {
            let text_before = &sentence[..offset];
            markup == Markup::Html && text_before.rfind('<') > text_before.rfind('>')
        };
        let openings = sentence
            .match_indices('(')
            .map(|(offset, _)| offset)
            .filter(|&offset| !is_in_tag(offset));
        let pairs: Vec<(usize, usize)> = openings
            .filter_map(|open| Some((open, open + sentence[open..].find(')')? + 1)))
            .collect();
        for (open, close) in pairs {
            self.add("parentheses removed", (begin + open, begin + close), String::new());
        }
    }

    /// Adds the insertion of a list of steps after each paragraph.
    fn add_lists(&mut self, (from, to): (usize, usize), markup: Markup) {
        let paragraph_end = if markup == Markup::Html { "</p>" } else { ".\n" };
        let added_list =
            ADDED_LIST.iter().find(|(other, _)| *other == markup).map_or("", |(_, list)| list);
        let offsets: Vec<usize> =
            self.text[from..to].match_indices(paragraph_end).map(|(offset, _)| offset).collect();
        for paragraph_offset in offsets {
            let offset = from + paragraph_offset + paragraph_end.len();
            self.add("list added", (offset, offset), added_list.to_owned());
        }
    }
}
