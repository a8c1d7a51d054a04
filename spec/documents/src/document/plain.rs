//! Splits text dumps and Markdown into blocks. In a dump, the text of each line alone determines its kind.

use super::blocks::{Block, BlockKind, collapse_white_space};
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
            Some(item) => (BlockKind::Item, item.trim_start().to_owned()),
            None => match text.split_once(". ") {
                Some((number, item)) if number.bytes().all(|digit| digit.is_ascii_digit()) => {
                    (BlockKind::Item, item.to_owned())
                }
                _ => (kind(&text), text),
            },
        };
        blocks.push(Block { kind, text, line: index + 1, depth });
    }
    blocks
}

/// Returns the kind of a line in a text dump.
fn kind(text: &str) -> BlockKind {
    if english::labels(text).is_some() {
        return BlockKind::Label;
    }
    if english::table_row(text).is_some() {
        return BlockKind::Cells;
    }
    let number =
        text.split(' ').next().filter(|word| word.ends_with(|end: char| end.is_ascii_digit()));
    if number.is_some_and(|word| word.chars().all(|part| part.is_ascii_digit() || part == '.')) {
        return BlockKind::Heading;
    }
    if english::read(&super::Reading::default(), text, &mut Antecedent::default()).is_some() {
        return BlockKind::Body;
    }
    let ends_like_sentence =
        text.ends_with(['.', ':', ',', ';', ')']) && !text.ends_with(") state");
    if !ends_like_sentence && text.len() < 64 { BlockKind::Heading } else { BlockKind::Body }
}

/// Returns the blocks of a Markdown text: headings, items, labels, lines of grammars, and paragraphs. A term of a
/// definition list or the first cell of a table's row is a label if it names inputs.
pub(super) fn markdown(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut follows_line = false;
    for (index, line) in text.lines().enumerate() {
        let is_code = line.starts_with("    ");
        let trimmed = without_links(&collapse_white_space(line));
        if trimmed.is_empty() {
            follows_line = false;
            continue;
        }
        let block = |kind, text: &str| Block {
            kind,
            text: text.trim().to_owned(),
            line: index + 1,
            depth: 0,
        };
        if let Some(row) = trimmed.strip_prefix('|').filter(|_| !is_code) {
            let cells = row.trim_end_matches('|').split_once('|');
            match cells.map(|(first, rest)| (first.trim(), rest.replace('|', " "))) {
                // A row of dashes marks the row before it as the header of the table, which states no requirement.
                Some((first, _)) if first.bytes().all(|one| matches!(one, b'-' | b':')) => {
                    if let Some(header) = blocks.last_mut().filter(|_| follows_line) {
                        header.kind = BlockKind::Note;
                    }
                }
                Some((first, rest)) if english::labels(first).is_some() => {
                    blocks.extend([block(BlockKind::Label, first), block(BlockKind::Body, &rest)]);
                }
                Some((first, rest)) => {
                    blocks.push(block(BlockKind::Cells, &format!("{first} {}", rest.trim())))
                }
                None => blocks.push(block(BlockKind::Body, row)),
            }
            follows_line = true;
            continue;
        }
        if let Some(definition) = trimmed.strip_prefix(": ").filter(|_| !is_code) {
            let term = blocks.last_mut().filter(|last| {
                last.kind == BlockKind::Body && english::labels(&last.text).is_some()
            });
            term.into_iter().for_each(|term| term.kind = BlockKind::Label);
            blocks.push(block(BlockKind::Body, definition));
            follows_line = true;
            continue;
        }
        let (kind, text) = if let Some(heading) = trimmed.strip_prefix('#') {
            (BlockKind::Heading, heading.trim_start_matches('#'))
        } else if is_code {
            (BlockKind::Code, &trimmed[..])
        } else if let Some(item) = item(&trimmed) {
            (BlockKind::Item, item)
        } else {
            (BlockKind::Body, &trimmed[..])
        };
        match blocks.last_mut() {
            Some(last)
                if follows_line && kind == BlockKind::Body && last.kind == BlockKind::Body =>
            {
                last.text = format!("{} {text}", last.text);
            }
            _ => blocks.push(block(kind, text)),
        }
        follows_line = true;
    }
    blocks
}

/// Returns the text of a list item without its marker, or `None` if the line begins no list item.
fn item(line: &str) -> Option<&str> {
    let (marker, text) = line.split_once(' ')?;
    let number = marker.strip_suffix('.');
    let is_number = number.is_some_and(|number| number.bytes().all(|one| one.is_ascii_digit()));
    (["+", "-", "*"].contains(&marker) || is_number).then_some(text)
}

/// Replaces links by their text, and removes marks of strong emphasis.
fn without_links(line: &str) -> String {
    let mut text = line.replace("**", "");
    while let Some(middle) = text.find("](") {
        let open_bracket = text[..middle].rfind('[');
        let target_length = text[middle..].find(')');
        let (Some(open_bracket), Some(target_length)) = (open_bracket, target_length) else {
            break;
        };
        text.replace_range(middle..=middle + target_length, "");
        text.remove(open_bracket);
    }
    text
}
