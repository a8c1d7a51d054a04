//! Splits text dumps and Markdown into blocks. In a dump, the text of each line alone determines its kind.

use super::blocks::{Block, Kind, collapse_white_space};
use super::english::{self, Antecedent};

/// Returns the blocks of a text dump: one for each line that is not empty.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let depth = line.len() - line.trim_start().len();
        let text = collapse_white_space(line);
        if text.is_empty() {
            continue;
        }
        let (kind, text) = match text.strip_prefix('•') {
            Some(item) => (Kind::Item, item.trim_start().to_owned()),
            None => match text.split_once(". ") {
                Some((number, item)) if number.bytes().all(|digit| digit.is_ascii_digit()) => {
                    (Kind::Item, item.to_owned())
                }
                _ => (kind(&text), text),
            },
        };
        blocks.push(Block { kind, text, line: index + 1, depth });
    }
    blocks
}

/// Returns the kind of a line in a text dump.
fn kind(text: &str) -> Kind {
    if english::labels(text).is_some() {
        return Kind::Label;
    }
    if super::sentence::table_row(text).is_some() {
        return Kind::Cells;
    }
    let number =
        text.split(' ').next().filter(|word| word.ends_with(|end: char| end.is_ascii_digit()));
    if number.is_some_and(|word| word.chars().all(|part| part.is_ascii_digit() || part == '.')) {
        return Kind::Heading;
    }
    if english::read(&super::Reading::default(), text, &mut Antecedent::default()).is_some() {
        return Kind::Body;
    }
    let ends_like_sentence =
        text.ends_with(['.', ':', ',', ';', ')']) && !text.ends_with(") state");
    if !ends_like_sentence && text.len() < 64 { Kind::Heading } else { Kind::Body }
}

/// Returns the blocks of a Markdown text: headings, items, lines of grammars, and paragraphs.
pub(super) fn markdown(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut follows_line = false;
    for (index, line) in text.lines().enumerate() {
        let trimmed = collapse_white_space(line);
        let (kind, text) = if trimmed.is_empty() {
            follows_line = false;
            continue;
        } else if let Some(heading) = trimmed.strip_prefix('#') {
            (Kind::Heading, heading.trim_start_matches('#').trim().to_owned())
        } else if line.starts_with("    ") {
            (Kind::Code, trimmed)
        } else if let Some(item) = trimmed.strip_prefix("+ ") {
            (Kind::Item, item.to_owned())
        } else {
            (Kind::Body, trimmed)
        };
        match blocks.last_mut() {
            Some(last) if follows_line && kind == Kind::Body && last.kind == Kind::Body => {
                last.text = format!("{} {text}", last.text);
            }
            _ => blocks.push(Block { kind, text, line: index + 1, depth: 0 }),
        }
        follows_line = true;
    }
    blocks
}
