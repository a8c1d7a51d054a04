//! Single edits of a document, for testing the comparison: each sentence removed, negated or moved to another's end,
//! each number, quoted letter and word changed, each pair of parentheses removed, and a list of steps added after each
//! paragraph. An edit replaces one range of the text, outside tags.

use crate::commands::mutants::changes::Mutant;
use std::collections::BTreeMap;

/// Markup of a document.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    /// HTML, whose tags and entities are not words.
    Html,
    /// Plain text, of which each line is a paragraph.
    Lines,
}

/// A list of steps that nothing refers to, in both kinds of markup.
const LIST: [(Markup, &str); 2] = [
    (Markup::Html, "<ol><li><p>Pop the current node.</p></li><li><p>Stop parsing.</p></li></ol>"),
    (Markup::Lines, "\n1. Emit the current token.\n2. Switch to the data state.\n"),
];

/// Words that `not` can follow.
const AUXILIARIES: [&str; 7] = ["is", "are", "must", "does", "should", "will", "has"];

/// A word or a number of the text.
#[derive(Clone, Copy)]
struct TextPiece<'a> {
    text: &'a str,
    at: usize,
}

impl TextPiece<'_> {
    fn range(&self) -> (usize, usize) {
        (self.at, self.at + self.text.len())
    }
}

/// Returns all edits within these lines, both included.
pub(super) fn edits(text: &str, lines: (usize, usize), markup: Markup) -> Vec<Mutant> {
    let starts: Vec<usize> =
        [0].into_iter().chain(text.match_indices('\n').map(|(offset, _)| offset + 1)).collect();
    let from = starts.get(lines.0.saturating_sub(1)).copied().unwrap_or_default();
    let to = starts.get(lines.1).copied().unwrap_or(text.len());
    let mut finder = DocumentEdits { text, starts, out: Vec::new() };
    let sentences = sentences(text, (from, to), markup);
    let vocabulary = vocabulary(&sentences);
    for (number, sentence) in sentences.iter().enumerate() {
        let (Some(first), Some(last)) = (sentence.first(), sentence.last()) else { continue };
        let end = finder.end(last.range().1);
        let whole = (first.at, end);
        finder.add("sentence left out", whole, String::new());
        finder.add_negation(sentence, whole);
        let other = &sentences[(number * 7 + 3) % sentences.len()];
        if let (Some(begin), Some(end)) = (other.first(), other.last()) {
            let inserted = format!(" {}.", without_tags(&text[begin.at..end.range().1], markup));
            finder.add("sentence put in", (end_offset(whole), end_offset(whole)), inserted);
        }
        for (at, piece) in sentence.iter().enumerate() {
            finder.add_replacement(piece, number + at, &vocabulary);
        }
        finder.add_bracket_removals(whole, markup);
    }
    finder.add_lists((from, to), markup);
    finder.out
}

fn end_offset((_, end): (usize, usize)) -> usize {
    end
}

fn without_tags(text: &str, markup: Markup) -> String {
    if markup == Markup::Lines {
        return text.replace('\n', " ");
    }
    let mut out = String::new();
    let mut depth = 0;
    for one in text.chars() {
        match one {
            '<' => depth = 1,
            '>' if depth == 1 => depth = 0,
            _ if depth == 0 => out.push(one),
            _ => {}
        }
    }
    out
}

/// Returns the words of each sentence, which ends at a full stop, a colon, or the end of a paragraph.
fn sentences(text: &str, (from, to): (usize, usize), markup: Markup) -> Vec<Vec<TextPiece<'_>>> {
    let (mut all, mut one) = (Vec::new(), Vec::new());
    let mut offset = from;
    let is_part = |one: char| one.is_ascii_alphanumeric() || matches!(one, '+' | '-' | '\'');
    while offset < to {
        let rest = &text[offset..to];
        let first = rest.chars().next().unwrap_or_default();
        if markup == Markup::Html && first == '<' {
            // Comments are skipped, as they are not part of the text.
            let end = if rest.starts_with("<!--") { "-->" } else { ">" };
            let length = rest.find(end).map_or(rest.len(), |offset| offset + end.len());
            let name = rest[1..].trim_start_matches('/');
            let ends = ["p", "li", "dd", "dt", "h", "ol", "ul", "dl", "td", "tr", "div"];
            let ends = ends.iter().any(|tag| {
                let after = name.strip_prefix(tag).and_then(|rest| rest.chars().next());
                after.is_some_and(|after| !after.is_ascii_alphabetic())
            });
            if ends && !one.is_empty() {
                all.push(std::mem::take(&mut one));
            }
            offset += length;
        } else if markup == Markup::Html && first == '&' {
            offset += rest.find(';').map_or(1, |end| end + 1);
        } else if is_part(first) {
            let length = rest.find(|other: char| !is_part(other)).unwrap_or(rest.len());
            one.push(TextPiece { text: &rest[..length], at: offset });
            offset += length;
        } else {
            let next = rest.chars().nth(1);
            let is_end = matches!(first, '.' | ':') && next.is_none_or(char::is_whitespace)
                || markup == Markup::Lines && first == '\n';
            if is_end && !one.is_empty() {
                all.push(std::mem::take(&mut one));
            }
            offset += first.len_utf8();
        }
    }
    all.push(one);
    all.retain(|sentence| sentence.len() > 1);
    all
}

/// Returns the letter case of a word; a word is replaced only by words of its case.
fn kind(word: &str) -> Option<&'static str> {
    let is = |test: fn(&char) -> bool| word.chars().all(|one| test(&one));
    match word.chars().next() {
        _ if word.len() < 2 => None,
        _ if is(|one| one.is_ascii_uppercase() || *one == '-') => Some("UPPER"),
        Some(first) if first.is_ascii_lowercase() && is(|one| !one.is_ascii_digit()) => {
            Some("lower")
        }
        Some(first) if first.is_ascii_uppercase() && is(|one| !one.is_ascii_digit()) => {
            Some("Begin")
        }
        _ => None,
    }
}

/// Returns the words of the document by kind, most frequent first.
fn vocabulary<'a>(sentences: &[Vec<TextPiece<'a>>]) -> BTreeMap<&'static str, Vec<&'a str>> {
    let mut counts: BTreeMap<(&'static str, &str), usize> = BTreeMap::new();
    for piece in sentences.iter().flatten() {
        if let Some(kind) = kind(piece.text) {
            *counts.entry((kind, piece.text)).or_default() += 1;
        }
    }
    let mut all: Vec<((&'static str, &str), usize)> = counts.into_iter().collect();
    all.sort_by_key(|&((kind, word), count)| (kind, std::cmp::Reverse(count), word));
    let mut by_kind: BTreeMap<&'static str, Vec<&str>> = BTreeMap::new();
    for ((kind, word), _) in all {
        by_kind.entry(kind).or_default().push(word);
    }
    by_kind
}

/// Edits of a document that are tried.
struct DocumentEdits<'a> {
    text: &'a str,
    starts: Vec<usize>,
    out: Vec<Mutant>,
}

impl DocumentEdits<'_> {
    fn add(&mut self, class: &'static str, range: (usize, usize), with: String) {
        let line = self.starts.partition_point(|&start| start <= range.0);
        let place = format!("line {line}");
        self.out.push(Mutant { place, line, class, range, with });
    }

    /// Returns the offset after the punctuation that ends the sentence.
    fn end(&self, after: usize) -> usize {
        let signs = |one: char| matches!(one, '.' | ':' | ')' | '"' | '”');
        after
            + self.text[after..]
                .chars()
                .take_while(|&one| signs(one))
                .map(char::len_utf8)
                .sum::<usize>()
    }

    fn add_negation(&mut self, sentence: &[TextPiece<'_>], whole: (usize, usize)) {
        let class = "negated";
        if let Some(not) = sentence.iter().find(|piece| piece.text == "not") {
            let (begin, end) = not.range();
            return self.add(class, (begin, (end + 1).min(whole.1)), String::new());
        }
        if let Some(is) = sentence.iter().find(|piece| AUXILIARIES.contains(&piece.text)) {
            let end = is.range().1;
            return self.add(class, (end, end), " not".to_owned());
        }
        let Some(first) = sentence.first() else { return };
        let with = format!("Do not {}", first.text.to_lowercase());
        self.add(class, first.range(), with);
    }

    /// Adds an edit to another number, or to another word of equal case.
    fn add_replacement(
        &mut self,
        piece: &TextPiece<'_>,
        number: usize,
        words: &BTreeMap<&str, Vec<&str>>,
    ) {
        let digits = piece.text.trim_start_matches(|one: char| !one.is_ascii_digit());
        let is_code = piece.text.starts_with("U+") || piece.text.starts_with("0x");
        if is_code || !digits.is_empty() && digits.len() == piece.text.len() {
            let last = piece.text.chars().next_back().unwrap_or_default();
            let other = match last {
                '0'..='8' | 'A'..='E' | 'a'..='e' => char::from(last as u8 + 1),
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
        let Some(list) = kind(piece.text).and_then(|kind| words.get(kind)) else { return };
        // More frequent words give a valid sentence more often.
        let usual = list.len().min(40);
        let mut index = (number * 31 + 7) % usual;
        if list[index] == piece.text {
            index = (index + 1) % usual;
        }
        if list[index] != piece.text {
            self.add("another word", piece.range(), list[index].to_owned());
        }
    }

    /// Adds the removal of each pair of parentheses.
    fn add_bracket_removals(&mut self, (begin, end): (usize, usize), markup: Markup) {
        let within = &self.text[begin..end];
        let is_tag = |offset: usize| {
            let before = &within[..offset];
            markup == Markup::Html && before.rfind('<') > before.rfind('>')
        };
        let opened =
            within.match_indices('(').map(|(offset, _)| offset).filter(|&offset| !is_tag(offset));
        let pairs: Vec<(usize, usize)> =
            opened.filter_map(|open| Some((open, open + within[open..].find(')')? + 1))).collect();
        for (open, close) in pairs {
            self.add("bracket left out", (begin + open, begin + close), String::new());
        }
    }

    /// Adds steps after each paragraph.
    fn add_lists(&mut self, (from, to): (usize, usize), markup: Markup) {
        let ends = if markup == Markup::Html { "</p>" } else { ".\n" };
        let list = LIST.iter().find(|(other, _)| *other == markup).map_or("", |(_, list)| list);
        let places: Vec<usize> =
            self.text[from..to].match_indices(ends).map(|(offset, _)| offset).collect();
        for at in places {
            let offset = from + at + ends.len();
            self.add("list put in", (offset, offset), list.to_owned());
        }
    }
}
