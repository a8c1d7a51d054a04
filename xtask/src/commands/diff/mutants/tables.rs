//! Generates all single edits of a table, to test that the comparison reports each: those of `mutants`, and words from
//! similar positions, swapped steps, removed declarations, swapped states and modes, changed sections and titles, and
//! changes of each reference. An edit replaces one range of one file's text.

use crate::commands::mutants::changes::{
    Mutant, MutantCollector, is_string, items, mutants, other_literal, row_lists,
};
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::parse::lexer::{Token, TokenKind, code};
use tabulex_language::syntax::Table;

/// Returns all edits of a table's text, without duplicates.
pub(super) fn edits(text: &str, table: &Table) -> Vec<Mutant> {
    let all = code(text);
    let mut collector = MutantCollector { text, categories: Vec::new(), out: mutants(text, table) };
    let items = items(&all, text);
    let alternatives = alternatives(&all);
    for item in &items {
        let place = place(item);
        collector.add_removal(&place, item);
        for (at, word) in item.iter().enumerate() {
            let before = at.checked_sub(1).map(|index| item[index].text);
            let range = (word.start, word.end());
            if matches!(before, Some("fills" | "deviates")) {
                collector.add(&place, "reason emptied", range, "\"\"".to_owned());
                continue;
            }
            match (word.kind, before) {
                (TokenKind::Word, before) => {
                    let next = item.get(at + 1).map_or("", |next| next.text);
                    let key = (before.unwrap_or_default(), is_value(next));
                    if let Some(other) = next_alternative(&alternatives, key, word.text) {
                        collector.add(&place, "another word", range, other);
                    }
                }
                (TokenKind::Literal, Some("@")) => {
                    collector.add(&place, "section", range, other_literal(word))
                }
                (TokenKind::Literal, _) if at >= 2 && item[at - 2].text == "@" => {
                    collector.add(&place, "anchor", range, other_literal(word));
                }
                (TokenKind::Literal, Some("document" | "references" | "modes")) => {
                    collector.add(&place, "title or file", range, other_literal(word));
                }
                _ => {}
            }
        }
        collector.add_step_swaps(&place, item);
    }
    for two in items.windows(2) {
        collector.add_block_swap(&two[0], &two[1]);
    }
    for (place, rows) in row_lists(table) {
        rows.windows(2).for_each(|two| collector.add_row_swap(&place, two[0], two[1]));
    }
    let mut known = BTreeSet::new();
    collector.out.retain(|edit| known.insert((edit.range, edit.with.clone())));
    collector.out
}

/// Returns all edits of a list of references: each one removed, with another character, and with another name.
pub(super) fn edits_of_references(text: &str) -> Vec<Mutant> {
    let mut out = Vec::new();
    let mut at = 0;
    for (line, whole) in text.split_inclusive('\n').enumerate() {
        let begin = at;
        at += whole.len();
        let is_entry = !whole.starts_with(char::is_whitespace) && !whole.starts_with("//");
        let Some((name, codes)) = whole.trim_end().split_once([' ', '\t']).filter(|_| is_entry)
        else {
            continue;
        };
        let mut add = |class, range, with| {
            out.push(Mutant { place: name.to_owned(), line: line + 1, class, range, with });
        };
        add("reference removed", (begin, at), String::new());
        let last = codes.split_whitespace().next_back().unwrap_or_default();
        let end = begin + whole.trim_end().len();
        if let Ok(code) = u32::from_str_radix(last, 16) {
            let other = format!("{:04X}", code.wrapping_add(1));
            add("another character", (end - last.len(), end), other);
        }
        add("another name", (begin, begin + name.len()), format!("{name}q"));
    }
    out
}

/// Returns all edits of a list that is not a table: each word removed, and each text removed or changed.
pub(super) fn edits_of_list(text: &str) -> Vec<Mutant> {
    let mut collector = MutantCollector { text, categories: Vec::new(), out: Vec::new() };
    let mut place = String::new();
    for word in code(text) {
        let range = (word.start, word.end());
        match word.kind {
            TokenKind::Word => {
                word.text.clone_into(&mut place);
                collector.add(&place, "word removed", range, String::new());
            }
            TokenKind::Literal if is_string(&word) => {
                collector.add(&place, "text removed", range, String::new());
                collector.add(&place, "another text", range, other_literal(&word));
            }
            _ => {}
        }
    }
    collector.out
}

/// Beginnings of steps that take effect after all others, whatever their position in the row.
const TRANSFERS: [&str; 3] = ["switch ", "reconsume ", "reconsume;"];

/// Beginnings of steps of modes that commute with all others of the row, because their effect is visible only after it.
const COMMUTING_STEPS: [&str; 4] = ["ignore;", "set ", "tokenizer ", "acknowledge-self-closing;"];

/// Whether an edit swaps two steps of a mode that commute.
pub(super) fn commutes(edit: &Mutant, text: &str) -> bool {
    let replaced = &text[edit.range.0..edit.range.1];
    edit.class == SWAPPED_STEPS
        && COMMUTING_STEPS.iter().any(|set| replaced.starts_with(set) || edit.with.starts_with(set))
}

/// Keywords of declarations of which the order is that of the document's sections.
const ORDERED_DECLARATIONS: [&str; 3] = ["state", "lexical-mode", "mode"];

/// Class of the edits that swap two steps, or two values of a flag.
const SWAPPED_STEPS: &str = "steps or values in the other order";

/// Whether a token is a word or a literal, so that the phrase continues.
fn is_value(next: &str) -> bool {
    next.starts_with(|first: char| first.is_ascii_alphanumeric() || matches!(first, '"' | '\''))
}

/// Returns the words that occur after each token, separately for those with and without a word or literal after them.
fn alternatives<'a>(all: &[Token<'a>]) -> BTreeMap<(&'a str, bool), Vec<&'a str>> {
    let mut by_context: BTreeMap<(&str, bool), Vec<&str>> = BTreeMap::new();
    for (at, word) in all.iter().enumerate().filter(|(_, word)| word.kind == TokenKind::Word) {
        let before = at.checked_sub(1).map_or("", |index| all[index].text);
        let next = all.get(at + 1).map_or("", |next| next.text);
        let words = by_context.entry((before, is_value(next))).or_default();
        if !words.contains(&word.text) {
            words.push(word.text);
        }
    }
    by_context
}

/// Returns the next alternative for a word in the same context, or `None` if there is no other word.
fn next_alternative(
    alternatives: &BTreeMap<(&str, bool), Vec<&str>>,
    key: (&str, bool),
    word: &str,
) -> Option<String> {
    let words = alternatives.get(&key)?;
    let index = words.iter().position(|other| *other == word)?;
    Some(words[(index + 1) % words.len()].to_owned()).filter(|other| other != word)
}

fn place(item: &[Token<'_>]) -> String {
    let named = item.iter().take(3).take_while(|word| word.kind == TokenKind::Word);
    named.map(|word| word.text).collect::<Vec<_>>().join(" ")
}

impl MutantCollector<'_> {
    /// Adds the removal of a declaration.
    fn add_removal(&mut self, place: &str, item: &[Token<'_>]) {
        if let [first, .., last] = item {
            let range = (first.start, last.end());
            self.add(place, "declaration removed", range, String::new());
        }
    }

    /// Adds the change that swaps two adjacent states or two adjacent modes.
    fn add_block_swap(&mut self, one: &[Token<'_>], other: &[Token<'_>]) {
        let is_ordered = |item: &[Token<'_>]| ORDERED_DECLARATIONS.contains(&item[0].text);
        if let ([first, .., end], [next, .., last]) = (one, other)
            && is_ordered(one)
            && first.text == next.text
        {
            let text = |from: usize, to: usize| &self.text[from..to];
            let with = [
                text(next.start, last.end()),
                text(end.end(), next.start),
                text(first.start, end.end()),
            ];
            let with = with.concat();
            self.add(&place(one), "in each other's place", (first.start, last.end()), with);
        }
    }

    /// Adds the changes that swap two adjacent steps, or two adjacent values of a flag.
    fn add_step_swaps(&mut self, place: &str, item: &[Token<'_>]) {
        let is_flag = item.iter().take(2).any(|word| word.text == "flag");
        let separator = if is_flag { "|" } else { ";" };
        let mut parts: Vec<(usize, usize)> = Vec::new();
        let mut begin = None;
        // Notes are not swapped, because their position among the steps has no meaning.
        let is_note = |word: &&Token<'_>| matches!(word.text, "fills" | "deviates");
        let noted: Vec<usize> = item.iter().filter(is_note).map(|word| word.start).collect();
        for word in item {
            let is_end = word.text == separator || is_flag && matches!(word.text, ";" | "by");
            match word.text {
                _ if is_end => {
                    let end = if separator == ";" { word.end() } else { word.start };
                    parts.extend(begin.take().map(|from| (from, end)));
                }
                "{" | "}" | "=>" | "=" | "otherwise" => {
                    begin = None;
                    parts.clear();
                }
                _ if begin.is_none() => begin = Some(word.start),
                _ => {}
            }
            if let [.., (from, to), (next, end)] = parts[..]
                && is_end
                && !noted.contains(&from)
                && !noted.contains(&next)
                && ![from, next]
                    .iter()
                    .any(|offset| TRANSFERS.iter().any(|go| self.text[*offset..].starts_with(go)))
                && self.text[from..to].trim_end() != self.text[next..end].trim_end()
            {
                let with = [
                    self.text[next..end].trim_end(),
                    if is_flag { " " } else { "" },
                    &self.text[to..next],
                    self.text[from..to].trim_end(),
                    if is_flag { " " } else { "" },
                ];
                self.add(place, SWAPPED_STEPS, (from, end), with.concat());
            }
        }
    }
}
