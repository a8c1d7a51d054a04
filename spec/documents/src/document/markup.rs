//! Splits HTML documents into blocks by the few tags that standards use: headings, definition lists, paragraphs, lists
//! and tables. Builds no tree, and drops text outside these elements.

use super::blocks::{Block, BlockKind, collapse_white_space};
use super::tags::{self, Markup};
use tabulex_oracle::interpreter::Tag;

/// Returns the blocks of an HTML document; empty if it could not be tokenized completely.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut reader = BlockReader::default();
    let is_complete = tags::read(text, |markup| match markup {
        Markup::Text(text) => {
            if let Some(open) = &mut reader.open {
                open.text.push_str(text);
            }
        }
        Markup::Start(tag, line) => reader.start_tag(tag, line),
        Markup::End(name) => reader.end_tag(name),
    });
    reader.close_block();
    if is_complete { reader.blocks } else { Vec::new() }
}

#[derive(Default)]
struct BlockReader {
    blocks: Vec<Block>,
    /// The block that text is currently added to, if one is open.
    open: Option<Block>,
    /// Number of open lists.
    depth: usize,
    /// If a note is open, its tag name and the number of elements of that name that are open since its start.
    note: Option<(String, usize)>,
    /// Whether the open label contains a definition, so that it is the heading of a state.
    defines: bool,
}

impl BlockReader {
    fn start_tag(&mut self, tag: &Tag, line: usize) {
        let name = &tag.name[..];
        let is_note = tags::is_note(tag);
        match &mut self.note {
            Some((other, count)) if other == name => *count += 1,
            None if is_note => self.note = Some((name.to_owned(), 1)),
            _ => {}
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.open_block(BlockKind::Heading, name, line)
            }
            "dt" => self.open_block(BlockKind::Label, name, line),
            "dfn" => self.defines = true,
            "p" | "dd" | "div" => self.open_block(BlockKind::Body, name, line),
            "li" => self.open_block(BlockKind::Item, name, line),
            "tr" => self.open_block(BlockKind::Cells, name, line),
            "pre" => self.open_block(BlockKind::Note, name, line),
            "td" | "th" | "br" => {
                if let Some(open) = &mut self.open {
                    open.text.push(' ');
                }
            }
            "dl" | "ul" | "ol" => {
                self.close_block();
                self.depth += 1;
            }
            _ => {}
        }
    }

    fn end_tag(&mut self, name: &str) {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dt" | "dd" | "p" | "li" | "tr" | "pre"
            | "div" | "table" => self.close_block(),
            "dl" | "ul" | "ol" => {
                self.close_block();
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
            // These end tags also end a paragraph without an end tag, and with it the note that the paragraph began.
            self.note = self.note.take().filter(|(other, _)| other != "p");
        }
    }

    fn open_block(&mut self, kind: BlockKind, name: &str, line: usize) {
        let ends_note = self.note.as_ref().is_some_and(|(other, _)| other == "p" && name != "p");
        self.close_block();
        if ends_note {
            self.note = None;
        }
        self.defines = false;
        let kind =
            if self.note.is_some() && kind != BlockKind::Heading { BlockKind::Note } else { kind };
        self.open = Some(Block { kind, text: String::new(), line, depth: self.depth });
    }

    fn close_block(&mut self) {
        let Some(mut block) = self.open.take() else { return };
        block.text = collapse_white_space(&block.text);
        if block.kind == BlockKind::Label && self.defines {
            block.kind = BlockKind::Heading;
        }
        if !block.text.is_empty() {
            self.blocks.push(block);
        }
    }
}
