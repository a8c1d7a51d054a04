//! Generates all single edits of a table, to test that the comparison reports each: those in `changes`, and words from
//! similar positions, swapped steps, removed declarations, swapped states and modes, changed sections and titles, and
//! changes of each reference. An edit replaces one range of one file's text.

use super::changes::{
    Mutant, MutantCollector, is_string, items, mutants, other_literal, row_lists,
};
use std::collections::{BTreeMap, BTreeSet};
use tabulex_language::parse::lexer::{LexicalKind, Token, code};
use tabulex_language::syntax::Table;

/// Returns all edits of a table's text, without duplicates.
pub(super) fn edits(text: &str, table: &Table) -> Vec<Mutant> {
    let tokens = code(text);
    let mut collector = MutantCollector { text, categories: Vec::new(), out: mutants(text, table) };
    let items = items(&tokens, table);
    let alternatives = alternatives(&tokens);
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
                (LexicalKind::Word, before) => {
                    let next_text = item.get(at + 1).map_or("", |next| next.text);
                    let context = (before.unwrap_or_default(), is_value(next_text));
                    if let Some(other) = next_alternative(&alternatives, context, word.text) {
                        collector.add(&place, "another word", range, other);
                    }
                }
                (LexicalKind::Literal, Some("@")) => {
                    collector.add(&place, "section", range, other_literal(word))
                }
                (LexicalKind::Literal, _) if at >= 2 && item[at - 2].text == "@" => {
                    collector.add(&place, "anchor", range, other_literal(word));
                }
                (LexicalKind::Literal, Some("document" | "references" | "modes")) => {
                    collector.add(&place, "title or file", range, other_literal(word));
                }
                _ => {}
            }
        }
        collector.add_step_swaps(&place, item);
    }
    for pair in items.windows(2) {
        collector.add_block_swap(&pair[0], &pair[1]);
    }
    for (place, rows) in row_lists(table) {
        rows.windows(2).for_each(|pair| collector.add_row_swap(&place, pair[0], pair[1]));
    }
    let mut visited_edits = BTreeSet::new();
    collector.out.retain(|edit| visited_edits.insert((edit.range, edit.with.clone())));
    collector.out
}

/// Returns all edits of a list of references: each reference removed, with another character, and with another name.
pub(super) fn edits_of_references(text: &str) -> Vec<Mutant> {
    let mut out = Vec::new();
    let mut offset = 0;
    for (line, line_text) in text.split_inclusive('\n').enumerate() {
        let line_start = offset;
        offset += line_text.len();
        let is_entry = !line_text.starts_with(char::is_whitespace) && !line_text.starts_with("//");
        let Some((name, codes)) = line_text.trim_end().split_once([' ', '\t']).filter(|_| is_entry)
        else {
            continue;
        };
        let mut add_edit = |class, range, with| {
            out.push(Mutant { place: name.to_owned(), line: line + 1, class, range, with });
        };
        add_edit("reference removed", (line_start, offset), String::new());
        let last_code = codes.split_whitespace().next_back().unwrap_or_default();
        let end = line_start + line_text.trim_end().len();
        if let Ok(code) = u32::from_str_radix(last_code, 16) {
            let other = format!("{:04X}", code.wrapping_add(1));
            add_edit("another character", (end - last_code.len(), end), other);
        }
        add_edit("another name", (line_start, line_start + name.len()), format!("{name}q"));
    }
    out
}

/// Returns all edits of a list such as `html.text`: each word removed, and each text removed or changed.
pub(super) fn edits_of_list(text: &str) -> Vec<Mutant> {
    let mut collector = MutantCollector { text, categories: Vec::new(), out: Vec::new() };
    let mut place = String::new();
    for word in code(text) {
        let range = (word.start, word.end());
        match word.kind {
            LexicalKind::Word => {
                word.text.clone_into(&mut place);
                collector.add(&place, "word removed", range, String::new());
            }
            LexicalKind::Literal if is_string(&word) => {
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

/// Whether an edit swaps two steps of a mode, one of which commutes with all others.
pub(super) fn commutes(edit: &Mutant, text: &str) -> bool {
    let replaced = &text[edit.range.0..edit.range.1];
    edit.class == SWAPPED_STEPS
        && COMMUTING_STEPS
            .iter()
            .any(|step| replaced.starts_with(step) || edit.with.starts_with(step))
}

/// Keywords of the declarations whose order is that of the document's sections.
const ORDERED_DECLARATIONS: [&str; 3] = ["state", "lexical-mode", "mode"];

/// Class of the edits that swap two steps, or two values of a flag.
const SWAPPED_STEPS: &str = "steps or values in the other order";

/// Whether the text of a token is a word, a number or a literal, so that the phrase continues.
fn is_value(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric() || matches!(first, '"' | '\''))
}

/// Returns the words by context: the text of the token before, and whether a word, number or literal comes after.
fn alternatives<'a>(tokens: &[Token<'a>]) -> BTreeMap<(&'a str, bool), Vec<&'a str>> {
    let mut by_context: BTreeMap<(&str, bool), Vec<&str>> = BTreeMap::new();
    for (at, word) in tokens.iter().enumerate().filter(|(_, word)| word.kind == LexicalKind::Word) {
        let text_before = at.checked_sub(1).map_or("", |index| tokens[index].text);
        let next_text = tokens.get(at + 1).map_or("", |token| token.text);
        let words = by_context.entry((text_before, is_value(next_text))).or_default();
        if !words.contains(&word.text) {
            words.push(word.text);
        }
    }
    by_context
}

/// Returns the next alternative for a word in the same context, or `None` if there is no other word.
fn next_alternative(
    alternatives: &BTreeMap<(&str, bool), Vec<&str>>,
    context: (&str, bool),
    word: &str,
) -> Option<String> {
    let words = alternatives.get(&context)?;
    let index = words.iter().position(|other| *other == word)?;
    Some(words[(index + 1) % words.len()].to_owned()).filter(|other| other != word)
}

fn place(item: &[Token<'_>]) -> String {
    let words = item.iter().take(3).take_while(|word| word.kind == LexicalKind::Word);
    words.map(|word| word.text).collect::<Vec<_>>().join(" ")
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
        if let ([one_first, .., one_last], [other_first, .., other_last]) = (one, other)
            && is_ordered(one)
            && one_first.text == other_first.text
        {
            let text = |from: usize, to: usize| &self.text[from..to];
            let replacement = [
                text(other_first.start, other_last.end()),
                text(one_last.end(), other_first.start),
                text(one_first.start, one_last.end()),
            ];
            let replacement = replacement.concat();
            let range = (one_first.start, other_last.end());
            self.add(&place(one), "in each other's place", range, replacement);
        }
    }

    /// Adds the changes that swap two adjacent steps, or two adjacent values of a flag.
    fn add_step_swaps(&mut self, place: &str, item: &[Token<'_>]) {
        let is_flag = item.iter().take(2).any(|word| word.text == "flag");
        let separator = if is_flag { "|" } else { ";" };
        let mut steps: Vec<(usize, usize)> = Vec::new();
        let mut step_start = None;
        // Notes are not swapped, because their position among the steps has no meaning.
        let is_note = |word: &&Token<'_>| matches!(word.text, "fills" | "deviates");
        let note_starts: Vec<usize> = item.iter().filter(is_note).map(|word| word.start).collect();
        for word in item {
            let is_end = word.text == separator || is_flag && matches!(word.text, ";" | "by");
            match word.text {
                _ if is_end => {
                    let end = if separator == ";" { word.end() } else { word.start };
                    steps.extend(step_start.take().map(|from| (from, end)));
                }
                "{" | "}" | "=>" | "=" | "otherwise" => {
                    step_start = None;
                    steps.clear();
                }
                _ if step_start.is_none() => step_start = Some(word.start),
                _ => {}
            }
            if let [.., (from, to), (next, end)] = steps[..]
                && is_end
                && !note_starts.contains(&from)
                && !note_starts.contains(&next)
                && ![from, next]
                    .iter()
                    .any(|offset| TRANSFERS.iter().any(|it| self.text[*offset..].starts_with(it)))
                && self.text[from..to].trim_end() != self.text[next..end].trim_end()
            {
                let replacement = [
                    self.text[next..end].trim_end(),
                    if is_flag { " " } else { "" },
                    &self.text[to..next],
                    self.text[from..to].trim_end(),
                    if is_flag { " " } else { "" },
                ];
                self.add(place, SWAPPED_STEPS, (from, end), replacement.concat());
            }
        }
    }
}
