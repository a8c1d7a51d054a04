//! Splits HTML documents into blocks by the few tags that standards use: headings, definition lists, paragraphs, lists,
//! tables. It builds no tree; text outside these elements is dropped.

use super::blocks::{Block, Kind, collapse_white_space};
use super::tags::{self, Lines};
use tabulex_oracle::interpreter::{Control, Host, Tag, Token};

/// Returns the blocks of an HTML document; empty if it could not be tokenized completely.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut reader = BlockReader { lines: Lines::new(text), ..BlockReader::default() };
    let is_whole = tags::read(text, &mut reader);
    reader.close();
    if is_whole { reader.blocks } else { Vec::new() }
}

#[derive(Default)]
struct BlockReader {
    lines: Lines,
    blocks: Vec<Block>,
    /// The block being collected.
    open: Option<Block>,
    /// Number of open lists.
    depth: usize,
    /// The element of the open note, and the number of open elements of that name.
    note: Option<(String, usize)>,
    /// The element whose contents are being skipped.
    skipped: Option<String>,
    /// Whether the open label contains a definition, which makes it the heading of a state.
    defines: bool,
}

impl Host for BlockReader {
    fn token(&mut self, token: Token) -> Control {
        match token {
            Token::Text { text, .. } if self.skipped.is_none() => {
                if let Some(open) = &mut self.open {
                    open.text.push_str(&text);
                }
            }
            Token::StartTag(tag) => self.start(&tag),
            Token::EndTag(tag) => self.end(&tag.name),
            _ => {}
        }
        Control::Continue
    }
}

impl BlockReader {
    fn start(&mut self, tag: &Tag) {
        let name = &tag.name[..];
        if tags::is_skipped(name) && self.skipped.is_none() {
            self.skipped = Some(name.to_owned());
        }
        let is_note = tags::is_note(tag);
        match &mut self.note {
            Some((other, count)) if other == name => *count += 1,
            None if is_note => self.note = Some((name.to_owned(), 1)),
            _ => {}
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.open_block(Kind::Heading, tag),
            "dt" => self.open_block(Kind::Label, tag),
            "dfn" => self.defines = true,
            "p" | "dd" | "div" => self.open_block(Kind::Body, tag),
            "li" => self.open_block(Kind::Item, tag),
            "tr" => self.open_block(Kind::Cells, tag),
            "pre" => self.open_block(Kind::Note, tag),
            "td" | "th" | "br" => {
                if let Some(open) = &mut self.open {
                    open.text.push(' ');
                }
            }
            "dl" | "ul" | "ol" => {
                self.close();
                self.depth += 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if self.skipped.as_deref() == Some(name) {
            self.skipped = None;
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dt" | "dd" | "p" | "li" | "tr" | "pre"
            | "div" | "table" => self.close(),
            "dl" | "ul" | "ol" => {
                self.close();
                self.depth = self.depth.saturating_sub(1);
            }
            _ => {}
        }
        if let Some((_, count)) = self.note.as_mut().filter(|(other, _)| other == name) {
            *count -= 1;
            if *count == 0 {
                self.note = None;
            }
        } else if name == "dl" || name == "dd" {
            // The end tag of a paragraph may be omitted.
            self.note = self.note.take().filter(|(other, _)| other != "p");
        }
    }

    fn open_block(&mut self, kind: Kind, tag: &Tag) {
        let ends_note = self.note.as_ref().is_some_and(|(name, _)| name == "p" && tag.name != "p");
        self.close();
        if ends_note {
            self.note = None;
        }
        let line = self.lines.line(tag);
        self.defines = false;
        let kind = if self.note.is_some() && kind != Kind::Heading { Kind::Note } else { kind };
        self.open = Some(Block { kind, text: String::new(), line, depth: self.depth });
    }

    fn close(&mut self) {
        let Some(mut block) = self.open.take() else { return };
        block.text = collapse_white_space(&block.text);
        if block.kind == Kind::Label && self.defines {
            block.kind = Kind::Heading;
        }
        if !block.text.is_empty() {
            self.blocks.push(block);
        }
    }
}
