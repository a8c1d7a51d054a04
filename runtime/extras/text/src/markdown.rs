//! Conversion of trees to Markdown: CommonMark, with the tables and strikethrough of GitHub Flavored Markdown.
//!
//! Elements are hidden as in rendered text (module `rendered`). The text that a Markdown reader sees is the rendered
//! text of the page, in order. Nothing here recurses on the depth of the tree.

use crate::kinds::{
    ElementKind, KindTable, SvgText, Undisclosed, is_checkbox, is_hidden, is_hidden_by_attribute,
};
use crate::rendered::TextReader;
use crate::table::{extra_slots, lay_out, leading_number};
use inline::{LineContext, Mark, Piece, destination, format_line};
use tabulex_core::__private::setters;
use tabulex_core::tree::{Edge, Namespace, NodeRef};

mod inline;
mod simple;

/// Maximum nesting depth of quotes and lists; deeper ones are written at this depth.
const MAX_NESTING: usize = 24;
/// Maximum total bytes of URLs repeated because a link spans several blocks. Beyond it the link is dropped and its text
/// kept, so that a long URL around many blocks does not make the output quadratic.
const MAX_REPEATED_URL_BYTES: usize = 1 << 20;

/// Returns a node as Markdown: headings, lists, quotes, code, tables, links, images and emphasis.
///
/// Text that looks like Markdown is escaped. Blocks in a cell of a table become lines of the cell. A table that holds
/// another table, or has blocks in its caption or text outside its cells, is written as those blocks; a subscript or
/// superscript as HTML. Quotes and lists are nested at most 24 deep. Cells after a spanning cell keep their columns
/// until the page has [too many of them](crate::Table::is_cut); then they move to the ends of their rows. A link around
/// several blocks is repeated in each of them, up to 1 MiB of repeated URLs for the page.
///
/// ```
/// use tabulex::text::markdown;
///
/// let page = "<h1>A *star*</h1><p>One <b>two </b><a href=/3>three</a><ul><li>4<li>5</ul>";
/// let tree = tabulex::html::parse(page, Default::default()).tree;
/// let expected = "# A \\*star\\*\n\nOne **two** [three](/3)\n\n- 4\n- 5\n";
/// assert_eq!(markdown(tree.root()), expected);
/// ```
pub fn markdown(node: NodeRef<'_>) -> String {
    MarkdownWriter::new().write(node)
}

/// Options for converting nodes to Markdown. [`markdown`] uses the defaults.
///
/// ```
/// use tabulex::text::MarkdownWriter;
///
/// let page = "<a href=x>1</a> <img src=y alt=2><details>3<summary>4</summary></details><table><tr><td>5</table>";
/// let tree = tabulex::html::parse(page, Default::default()).tree;
/// let base = "https://example.com/".parse().unwrap();
/// let writer = MarkdownWriter::new().base(&base).images(false).closed_details(true).first_row_as_header(true);
/// let expected = "[1](https://example.com/x) 2\n\n3\n\n4\n\n| 5 |\n| --- |\n";
/// assert_eq!(writer.write(tree.root()), expected);
/// ```
#[derive(Clone, Debug)]
pub struct MarkdownWriter {
    keeps_images: bool,
    opens_details: bool,
    uses_first_row_as_header: bool,
    keeps_sub_and_sup: bool,
    /// URL of the document; while a page is written, the base URL of the page. `None` leaves URLs unresolved.
    #[cfg(feature = "url")]
    base: Option<url::Url>,
}

impl MarkdownWriter {
    /// Creates a writer with the default options.
    pub const fn new() -> Self {
        Self {
            keeps_images: true,
            opens_details: false,
            uses_first_row_as_header: false,
            keeps_sub_and_sup: true,
            #[cfg(feature = "url")]
            base: None,
        }
    }

    /// Sets the URL of the document. Links and images are then resolved against the [base URL](crate::base) of the
    /// page. Without it, and where they are invalid, URLs are written unchanged.
    #[cfg(feature = "url")]
    #[must_use]
    pub fn base(mut self, document_url: &url::Url) -> Self {
        self.base = Some(document_url.clone());
        self
    }

    /// Returns a node as Markdown.
    pub fn write(&self, node: NodeRef<'_>) -> String {
        let kinds = KindTable::of(node.tree());
        #[cfg_attr(
            not(feature = "url"),
            expect(unused_mut, reason = "only the feature `url` changes the settings")
        )]
        let mut settings = self.clone();
        #[cfg(feature = "url")]
        if let Some(base) = &mut settings.base {
            *base = crate::base(node.tree().root(), base);
        }
        let mut output = MarkdownOutput::new(&kinds, &settings);
        output.extra_slots_left = extra_slots(node.tree());
        output.write_tree(node, false);
        output.flush();
        output.out
    }

    /// Returns a URL of the page, resolved if the document's own URL is known, and the title of its element, as the target
    /// of a Markdown link.
    fn link_target(&self, url: &str, element: NodeRef<'_>) -> String {
        let title: Vec<_> =
            element.attribute("title").unwrap_or_default().split_whitespace().collect();
        let title = title.join(" ");
        #[cfg(feature = "url")]
        if let Some(base) = &self.base
            && let Some(resolved) = crate::resolve(element.tree(), base, url)
        {
            return destination(resolved.as_str(), &title);
        }
        destination(url.trim_ascii(), &title)
    }
}

setters! {
    MarkdownWriter: Default = new;

    /// Sets whether images are written as images, which is the default, or as their alternative text.
    images(are_written: bool) => keeps_images = are_written;

    /// Sets whether the contents of a closed `details` are written. By default they are omitted, as browsers do not
    /// render them.
    closed_details(are_written: bool) => opens_details = are_written;

    /// Sets whether the first row of a table without header cells becomes its header. By default the header is empty.
    first_row_as_header(is_header: bool) => uses_first_row_as_header = is_header;

    /// Sets whether `sub` and `sup` are written as HTML elements, which is the default, or as plain text.
    sub_and_sup(are_elements: bool) => keeps_sub_and_sup = are_elements;
}

/// A block that contains other blocks.
enum Container {
    /// A block quote, and whether any of its lines has been written.
    Quote(bool),
    /// A list item: its marker until it is written, and the marker's width in characters.
    Item(Option<String>, usize),
}

/// An open list, with the format and state of its items.
struct List {
    /// Number of the next item, if the list is ordered.
    number: Option<usize>,
    /// The bullet, or the character after a number.
    delimiter: char,
    has_items: bool,
    /// Width of the last item's marker in characters.
    width: usize,
    /// Whether an item is open.
    is_in_item: bool,
    /// Whether the list is a child of another list, in which it continues the last item.
    continues_item: bool,
}

/// The output written so far, and the blocks and marks open at its end.
struct MarkdownOutput<'k> {
    kinds: &'k KindTable,
    settings: &'k MarkdownWriter,
    /// Whether the output is a table cell, in which blocks are written as lines.
    is_cell: bool,
    out: String,
    containers: Vec<Container>,
    /// Number of open quotes and items beyond `MAX_NESTING`.
    depth_overflow: usize,
    lists: Vec<List>,
    /// Depth and delimiter of the list that has just ended, if one has. A list that follows at this depth uses another
    /// delimiter, as Markdown would otherwise join the two.
    last_ended_list: Option<(usize, char)>,
    /// Whether a list item has ended since the last block.
    item_just_ended: bool,
    /// Whether the next block follows without a blank line.
    is_tight: bool,
    /// Level of the open heading, or 0.
    heading_level: usize,
    /// The pieces of the current line.
    pieces: Vec<Piece>,
    /// The open marks, outermost first.
    marks: Vec<Mark>,
    /// For each open element with a mark, whether it opened that mark.
    opened_marks: Vec<bool>,
    /// Bytes of URLs that may still be repeated.
    repeated_url_budget: usize,
    /// Number of open code elements that contain blocks, and are therefore not written as code.
    open_code_blocks: usize,
    /// Slots that spanning cells may still take in addition to their first ones.
    extra_slots_left: usize,
    undisclosed: Undisclosed,
    svg_text: SvgText,
}

impl<'k> MarkdownOutput<'k> {
    fn new(kinds: &'k KindTable, settings: &'k MarkdownWriter) -> Self {
        Self {
            kinds,
            settings,
            is_cell: false,
            out: String::new(),
            containers: Vec::new(),
            depth_overflow: 0,
            lists: Vec::new(),
            last_ended_list: None,
            item_just_ended: false,
            is_tight: false,
            heading_level: 0,
            pieces: Vec::new(),
            marks: Vec::new(),
            opened_marks: Vec::new(),
            repeated_url_budget: MAX_REPEATED_URL_BYTES,
            open_code_blocks: 0,
            extra_slots_left: 0,
            undisclosed: Undisclosed::default(),
            svg_text: SvgText::default(),
        }
    }

    /// Writes a subtree, without its root if `skips_root`.
    fn write_tree(&mut self, root: NodeRef<'_>, skips_root: bool) {
        let mut walk = root.walk();
        while let Some(edge) = walk.next() {
            match edge {
                Edge::Open(node)
                    if node.is_text()
                        && !self.svg_text.hides(node)
                        && !self.is_undisclosed(node) =>
                {
                    self.push_text(node.data().unwrap_or_default());
                }
                Edge::Open(node) if node.is_element() && !(skips_root && node == root) => {
                    let kind = self.kinds.kind(node);
                    if is_checkbox(node, kind) && !is_hidden_by_attribute(node) {
                        self.write_checkbox(node);
                    }
                    let is_skipped =
                        node != root && (is_omitted(node, kind) || self.is_undisclosed(node));
                    if is_skipped || self.write_unit(node, kind) {
                        walk.skip_past(node);
                    } else {
                        self.svg_text.open(kind);
                        self.open(node, kind);
                    }
                }
                Edge::Close(node) if node.is_element() && !(skips_root && node == root) => {
                    self.svg_text.close(self.kinds.kind(node));
                    self.close(self.kinds.kind(node));
                }
                _ => {}
            }
        }
    }

    fn is_undisclosed(&mut self, node: NodeRef<'_>) -> bool {
        !self.settings.opens_details && self.undisclosed.contains(node, self.kinds)
    }

    /// Writes an element that is converted together with its descendants, such as an image or a simple table. Returns
    /// whether it was written.
    fn write_unit(&mut self, node: NodeRef<'_>, kind: ElementKind) -> bool {
        if kind.is_any_of(ElementKind::IMAGE) {
            let alt_text = node.attribute("alt").unwrap_or_default();
            let alt_text = alt_text.split_whitespace().collect::<Vec<_>>().join(" ");
            let url = node.attribute("src").unwrap_or_default().trim_ascii();
            if !self.settings.keeps_images {
                self.push_text(&alt_text);
            } else if !(alt_text.is_empty() && url.is_empty()) {
                self.pieces.push(Piece::Image(alt_text, self.settings.link_target(url, node)));
            }
        } else if kind.is_any_of(ElementKind::PRESERVED) {
            self.flush();
            self.write_preformatted(node);
        } else if kind.is_any_of(ElementKind::CODE)
            && self.open_code_blocks == 0
            && !self.has_blocks(node)
        {
            self.write_code(node);
        } else if kind.is_any_of(ElementKind::RULE) {
            self.flush();
            if !self.is_cell {
                self.write_block("___");
            }
        } else if kind.is_any_of(ElementKind::TABLE) {
            let is_simple = self.is_simple(node);
            if is_simple {
                self.flush();
                self.write_table(node);
            }
            return is_simple;
        } else {
            return false;
        }
        true
    }

    /// Writes a checkbox at the start of a list item, where Markdown has a notation for it.
    fn write_checkbox(&mut self, node: NodeRef<'_>) {
        let is_space = |piece: &Piece| matches!(piece, Piece::Text(text) if text.trim().is_empty());
        let begins_item = matches!(self.containers.last(), Some(Container::Item(Some(_), _)))
            && self.depth_overflow == 0
            && self.heading_level == 0
            && self.pieces.iter().all(is_space);
        if begins_item {
            self.pieces.push(Piece::Checkbox(node.attribute("checked").is_some()));
            self.pieces.push(Piece::Text(" ".to_owned()));
        }
    }

    fn open(&mut self, node: NodeRef<'_>, kind: ElementKind) {
        if kind.is_any_of(ElementKind::LINE_BREAK) {
            self.pieces.push(Piece::Break);
        } else if kind.is_any_of(ElementKind::INLINE_MARKS) {
            let is_new = |mark: &Mark| !self.marks.iter().any(|open| is_same_kind(open, mark));
            let mark = self.mark(node, kind).filter(is_new);
            self.opened_marks.push(mark.is_some());
            if let Some(mark) = mark {
                self.pieces.push(Piece::Open(mark.clone()));
                self.marks.push(mark);
            }
        } else if kind.is_any_of(ElementKind::CODE) {
            self.open_code_blocks += 1;
        } else if kind.is_any_of(ElementKind::BLOCK_CONTAINERS) {
            self.flush();
            if self.is_cell {
                // Blocks in a table cell are written as plain lines.
            } else if kind.is_any_of(ElementKind::HEADING) {
                let level = node.local_name().and_then(|name| name[1..].parse().ok());
                self.heading_level = level.unwrap_or(1);
            } else if kind.is_any_of(ElementKind::QUOTE) {
                self.enter(Container::Quote(false));
            } else if kind.is_any_of(ElementKind::LIST) {
                self.open_list(node, kind.is_any_of(ElementKind::ORDERED));
            } else if kind.is_any_of(ElementKind::ITEM) {
                self.open_item();
            }
        }
    }

    fn close(&mut self, kind: ElementKind) {
        if kind.is_any_of(ElementKind::INLINE_MARKS) {
            if self.opened_marks.pop() == Some(true)
                && let Some(mark) = self.marks.pop()
            {
                self.pieces.push(Piece::Close(mark));
            }
        } else if kind.is_any_of(ElementKind::CODE) {
            self.open_code_blocks -= 1;
        } else if kind.is_any_of(ElementKind::BLOCK_CONTAINERS) {
            self.flush();
            if self.is_cell {
                // Blocks in a table cell open no container.
            } else if kind.is_any_of(ElementKind::HEADING) {
                self.heading_level = 0;
            } else if kind.is_any_of(ElementKind::QUOTE) {
                self.leave();
            } else if kind.is_any_of(ElementKind::LIST) {
                let list = self.lists.pop();
                self.last_ended_list =
                    list.as_ref().map(|list| (self.containers.len(), list.delimiter));
                if list.is_some_and(|list| list.continues_item) {
                    self.leave();
                }
            } else if kind.is_any_of(ElementKind::ITEM) && !self.lists.is_empty() {
                if let Some(Container::Item(Some(_), _)) = self.containers.last() {
                    self.write_block("");
                }
                self.leave();
                self.item_just_ended = true;
                if let Some(list) = self.lists.last_mut() {
                    list.is_in_item = false;
                }
            }
        }
    }

    fn enter(&mut self, container: Container) {
        if self.containers.len() < MAX_NESTING {
            self.containers.push(container);
        } else {
            self.depth_overflow += 1;
        }
    }

    fn leave(&mut self) {
        if self.depth_overflow > 0 {
            self.depth_overflow -= 1;
        } else {
            self.containers.pop();
        }
    }

    fn open_list(&mut self, node: NodeRef<'_>, is_ordered: bool) {
        let outer_list = self.lists.last().filter(|list| list.has_items && !list.is_in_item);
        let width = outer_list.map(|list| list.width);
        if let Some(width) = width {
            self.enter(Container::Item(None, width));
        }
        let delimiters = if is_ordered { ['.', ')'] } else { ['-', '*'] };
        let would_join = self.last_ended_list == Some((self.containers.len(), delimiters[0]));
        let start = node.attribute("start").and_then(leading_number);
        let start = start.filter(|start| *start < 1_000_000_000).unwrap_or(1);
        self.lists.push(List {
            number: is_ordered.then_some(start),
            delimiter: delimiters[usize::from(would_join)],
            has_items: false,
            width: 0,
            is_in_item: false,
            continues_item: width.is_some(),
        });
    }

    fn open_item(&mut self) {
        let Some(list) = self.lists.last_mut() else { return };
        let marker = match &mut list.number {
            Some(number) => {
                let marker = format!("{number}{} ", list.delimiter);
                *number = (*number + 1).min(999_999_999);
                marker
            }
            None => {
                // Three equal bullets on a line would be a thematic break, so the third gets the other bullet.
                let has_same_bullet = |outer: &Container| matches!(outer, Container::Item(Some(marker), _) if marker.starts_with(list.delimiter));
                let mut delimiter = list.delimiter;
                if let [.., outer, inner] = &self.containers[..]
                    && has_same_bullet(outer)
                    && has_same_bullet(inner)
                {
                    delimiter = if delimiter == '-' { '*' } else { '-' };
                }
                // Only the first item may change the bullet, as a change within a list would begin another list.
                if !list.has_items {
                    list.delimiter = delimiter;
                }
                format!("{delimiter} ")
            }
        };
        // An item that follows text between items needs a blank line, or it would continue that text.
        self.is_tight = std::mem::replace(&mut list.has_items, true) && self.item_just_ended;
        let width = marker.len();
        (list.width, list.is_in_item) = (width, true);
        self.enter(Container::Item(Some(marker), width));
    }

    /// Writes the current line as a block, and reopens the open marks for the next one. In a table cell, only ends the
    /// line.
    fn flush(&mut self) {
        if self.is_cell {
            if !matches!(self.pieces.last(), None | Some(Piece::Break)) {
                self.pieces.push(Piece::Break);
            }
            return;
        }
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.extend(self.marks.iter().rev().cloned().map(Piece::Close));
        let context =
            if self.heading_level > 0 { LineContext::Heading } else { LineContext::Paragraph };
        let text = format_line(&pieces, context);
        if !text.is_empty() {
            match self.heading_level {
                0 => self.write_block(&text),
                level => self.write_block(&format!("{} {text}", "#".repeat(level))),
            }
            self.drop_costly_links();
        }
        self.pieces.extend(self.marks.iter().cloned().map(Piece::Open));
    }

    /// Charges the URLs of open links to the budget for repetition, and drops links whose URLs exceed what is left.
    fn drop_costly_links(&mut self) {
        for index in (0..self.marks.len()).rev() {
            let Mark::Link(url) = &self.marks[index] else { continue };
            match self.repeated_url_budget.checked_sub(url.len()) {
                Some(remaining) => self.repeated_url_budget = remaining,
                None => {
                    self.marks.remove(index);
                    // The end of the link's element must not close another mark.
                    let mut flags = self.opened_marks.iter_mut().filter(|flag| **flag);
                    flags.nth(index).into_iter().for_each(|flag| *flag = false);
                }
            }
        }
    }

    /// Writes a block, each line with the prefixes of its containers.
    fn write_block(&mut self, lines: &str) {
        (self.last_ended_list, self.item_just_ended) = (None, false);
        if !self.out.is_empty() && !std::mem::take(&mut self.is_tight) {
            let has_begun = |it: &&Container| {
                !matches!(it, Container::Quote(false) | Container::Item(Some(_), _))
            };
            let blank_line_prefix: String =
                self.containers.iter().take_while(has_begun).map(prefix).collect();
            self.out.push_str(blank_line_prefix.trim_end());
            self.out.push('\n');
        }
        self.is_tight = false;
        for line in lines.split('\n') {
            let line_start = self.out.len();
            for container in &mut self.containers {
                self.out.push_str(&prefix(container));
                match container {
                    Container::Quote(has_lines) => *has_lines = true,
                    Container::Item(marker, _) => *marker = None,
                }
            }
            self.out.push_str(line);
            if line.is_empty() {
                self.out.truncate(line_start + self.out[line_start..].trim_end().len());
            }
            self.out.push('\n');
        }
    }

    fn push_text(&mut self, text: &str) {
        let mut collapsed = String::with_capacity(text.len());
        for character in text.chars() {
            match character.is_ascii_whitespace() {
                true if collapsed.ends_with(' ') => {}
                true => collapsed.push(' '),
                false => collapsed.push(character),
            }
        }
        self.pieces.push(Piece::Text(collapsed));
    }

    fn write_code(&mut self, node: NodeRef<'_>) {
        let text = TextReader::new().read(node, self.kinds);
        let words = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        // White space at either end is written outside the code span.
        let source = node.text();
        let has_space = |test: fn(&str) -> bool| test(&text) || test(&source);
        let space_if = |exists: bool| exists.then(|| Piece::Text(" ".to_owned()));
        self.pieces.extend(space_if(has_space(|it| it.starts_with(char::is_whitespace))));
        if !words.is_empty() {
            self.pieces.push(Piece::Code(words));
        }
        self.pieces.extend(space_if(has_space(|it| it.ends_with(char::is_whitespace))));
    }

    /// Writes preformatted text as a fenced code block, or in a table cell as one code span per line.
    fn write_preformatted(&mut self, node: NodeRef<'_>) {
        let text =
            TextReader::new().read(node, self.kinds).replace("\r\n", "\n").replace('\r', "\n");
        let longest_run = text.split(|other| other != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest_run.max(2) + 1);
        let language = node
            .descendants()
            .chain([node])
            .find_map(|inner| inner.classes().find_map(|class| class.strip_prefix("language-")));
        let is_plain = |it: char| it.is_ascii_alphanumeric() || "+-#.".contains(it);
        let language = language.filter(|language| language.chars().all(is_plain));
        let text = text.strip_suffix('\n').unwrap_or(&text);
        if self.is_cell {
            for line in text.lines() {
                self.flush();
                let code = line.trim_ascii();
                self.pieces.extend((!code.is_empty()).then(|| Piece::Code(code.to_owned())));
            }
            return self.flush();
        }
        self.write_block(&format!("{fence}{}\n{text}\n{fence}", language.unwrap_or_default()));
    }

    fn has_blocks(&self, node: NodeRef<'_>) -> bool {
        node.descendants()
            .any(|inner| self.kinds.kind(inner).is_any_of(ElementKind::BLOCK_CONTAINERS))
    }

    /// Returns the mark of an element of [`ElementKind::INLINE_MARKS`], or `None` if it is written without one, such as an
    /// `a` without `href`.
    fn mark(&self, node: NodeRef<'_>, kind: ElementKind) -> Option<Mark> {
        if kind.is_any_of(ElementKind::EMPHASIS) {
            Some(Mark::Emphasis)
        } else if kind.is_any_of(ElementKind::STRONG) {
            Some(Mark::Strong)
        } else if kind.is_any_of(ElementKind::STRUCK) {
            Some(Mark::Struck)
        } else if kind.is_any_of(ElementKind::SCRIPT) {
            let name = node.local_name().filter(|_| self.settings.keeps_sub_and_sup);
            name.map(|name| Mark::Script(name.into()))
        } else {
            let url = node.attribute_in(Namespace::NONE, "href");
            url.map(|url| Mark::Link(self.settings.link_target(url, node).into()))
        }
    }

    /// Writes a Markdown table: first the contents outside its rows, then each cell in its first column. Columns in
    /// which no cell begins are dropped.
    fn write_table(&mut self, element: NodeRef<'_>) {
        let children_outside_rows =
            element.child_elements().filter(|child| self.is_outside_rows(*child));
        for child in children_outside_rows.collect::<Vec<_>>() {
            let mut child_output = Self::new(self.kinds, self.settings);
            child_output.write_tree(child, true);
            let text = format_line(&child_output.pieces, LineContext::Paragraph);
            if !text.is_empty() {
                self.write_block(&text);
            }
        }
        let is_rendered = |node| !is_hidden(node, self.kinds.kind(node), false);
        // The text of a cell is written once, however many slots the cell spans, so each slot weighs 1.
        let layout = lay_out(element, self.kinds, is_rendered, |_| 1, &mut self.extra_slots_left);
        let rows = layout.first_slots;
        let mut columns: Vec<usize> = rows.iter().flatten().map(|(column, _)| *column).collect();
        let cell_count = columns.len();
        columns.sort_unstable();
        columns.dedup();
        if columns.is_empty() {
            return;
        }
        let is_header = |cell: &Option<NodeRef<'_>>| {
            cell.is_some_and(|cell| self.kinds.kind(cell).is_any_of(ElementKind::HEADER_CELL))
        };
        let mut lines = Vec::new();
        let is_in_header_group = |cell: &(usize, NodeRef<'_>)| {
            let group = cell.1.parent().and_then(|row| row.parent());
            group.is_some_and(|it| self.kinds.kind(it).is_any_of(ElementKind::HEADER_GROUP))
        };
        if !self.settings.uses_first_row_as_header
            && !layout.rows[0].iter().all(is_header)
            && !rows[0].iter().any(is_in_header_group)
        {
            lines.push("| ".repeat(columns.len()) + "|");
        }
        // Markdown readers complete short rows after the first one, so rows of sparse tables are not padded, which
        // keeps the size of the output linear.
        let pads_rows = rows.len() * columns.len() <= 4 * cell_count + 16;
        for row in &rows {
            let min_columns = if pads_rows || lines.is_empty() { columns.len() } else { 1 };
            lines.push(self.format_row(row, &columns, min_columns));
        }
        lines.insert(1, "| --- ".repeat(columns.len()) + "|");
        self.write_block(&lines.join("\n"));
    }

    /// Formats a row: each cell in its column of `columns`, padded with empty cells to `min_columns`.
    fn format_row(
        &self,
        cells: &[(usize, NodeRef<'_>)],
        columns: &[usize],
        min_columns: usize,
    ) -> String {
        let mut out = String::from("|");
        let mut written_columns = 0;
        for (column, cell) in cells {
            let column_index = columns.partition_point(|other| other < column);
            out += &" |".repeat(column_index - written_columns);
            let mut cell_output = Self::new(self.kinds, self.settings);
            cell_output.is_cell = true;
            cell_output.write_tree(*cell, true);
            let text = format_line(&cell_output.pieces, LineContext::Cell);
            if !text.is_empty() {
                out.extend([" ", &text]);
            }
            out.push_str(" |");
            written_columns = column_index + 1;
        }
        out + &" |".repeat(min_columns.saturating_sub(written_columns))
    }
}

/// Whether an element and its descendants are not written. An image is written although it has no rendered text.
fn is_omitted(node: NodeRef<'_>, kind: ElementKind) -> bool {
    match kind.is_any_of(ElementKind::IMAGE) {
        true => is_hidden_by_attribute(node),
        false => is_hidden(node, kind, false),
    }
}

/// Returns the prefix of a line within a container.
fn prefix(container: &Container) -> String {
    match container {
        Container::Quote(_) => "> ".to_owned(),
        Container::Item(Some(marker), _) => marker.clone(),
        Container::Item(None, width) => " ".repeat(*width),
    }
}

fn is_same_kind(one: &Mark, other: &Mark) -> bool {
    std::mem::discriminant(one) == std::mem::discriminant(other)
}
