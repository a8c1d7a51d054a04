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
        Markup::Start(tag, line, is_note) => reader.start_tag(tag, line, is_note),
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
    /// Whether the open label contains a definition, so that it is the heading of a state.
    defines: bool,
}

impl BlockReader {
    fn start_tag(&mut self, tag: &Tag, line: usize, is_note: bool) {
        let mut open_block =
            |kind| self.open_block(if is_note { BlockKind::Note } else { kind }, line);
        match &tag.name[..] {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.open_block(BlockKind::Heading, line),
            "dt" => open_block(BlockKind::Label),
            "dfn" => self.defines = true,
            "p" | "dd" | "div" => open_block(BlockKind::Body),
            "li" => open_block(BlockKind::Item),
            "tr" => open_block(BlockKind::Cells),
            "pre" => open_block(BlockKind::Note),
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
    }

    fn open_block(&mut self, kind: BlockKind, line: usize) {
        self.close_block();
        self.defines = false;
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
