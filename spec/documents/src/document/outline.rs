//! Builds the outline of an HTML document: sections with their paragraphs and nested lists, in document order. Each
//! text occurs exactly once in the outline.

use super::blocks::collapse_white_space;
use super::sections::is_same_heading;
use super::sentence;
use super::tags::{self, Markup};

/// A paragraph, heading, label or cell of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    /// Text with white space collapsed.
    pub(super) words: String,
    /// Line where the text begins, counted from 1.
    pub(super) line: usize,
    /// Whether the text is a note or an example, and thus not normative.
    pub(super) is_note: bool,
}

/// Kind of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ListKind {
    /// A numbered list: consecutive steps.
    Steps,
    /// A bulleted list: unordered items.
    Items,
    /// A definition list: labels with their contents.
    Switch,
    /// A table: rows of cells.
    Rows,
}

/// An entry of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListEntry {
    /// Labels of an entry in a switch.
    pub(super) labels: Vec<Text>,
    /// Contents of the entry.
    pub(super) nodes: Vec<Node>,
}

impl ListEntry {
    /// Returns the texts directly in the entry: the item, or the cells of a table's row.
    pub(super) fn cells(&self) -> Vec<&Text> {
        let texts = self.nodes.iter().filter_map(|node| match node {
            Node::Paragraph(text) => Some(text),
            Node::List(..) => None,
        });
        texts.collect()
    }
}

/// Returns the sentences of entries, and of the lists in them, each with its entry and its text.
pub(super) fn sentences(entries: &[ListEntry]) -> Vec<(&ListEntry, &Text, String)> {
    let mut sentences = Vec::new();
    for entry in entries {
        for node in &entry.nodes {
            match node {
                Node::Paragraph(text) => {
                    let words = sentence::divide(&text.words).into_iter();
                    sentences.extend(words.map(|words| (entry, text, words)));
                }
                Node::List(_, entries) => sentences.extend(self::sentences(entries)),
            }
        }
    }
    sentences
}

/// A node under a heading or in an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Paragraph(Text),
    List(ListKind, Vec<ListEntry>),
}

/// A heading with its contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct OutlineSection {
    pub(super) heading: Text,
    /// Contents under the heading.
    pub(super) nodes: Vec<Node>,
}

/// Returns the sections of an HTML document from the first heading of each pair in `bounds` up to the second.
pub(super) fn sections_within(text: &str, bounds: &[(String, String)]) -> Vec<OutlineSection> {
    let mut inside: Option<&str> = None;
    let is_inside = |section: &OutlineSection| {
        let title = &section.heading.words;
        inside = inside.filter(|to| !is_same_heading(to, title));
        if let Some((_, to)) = bounds.iter().find(|(from, _)| is_same_heading(from, title)) {
            inside = Some(to);
        }
        inside.is_some()
    };
    let mut sections = sections(text);
    sections.retain(is_inside);
    sections
}

/// Divides an HTML document into sections. Returns none if the document cannot be tokenized completely.
fn sections(text: &str) -> Vec<OutlineSection> {
    let mut outliner = Outliner::default();
    let is_complete = tags::read(text, |markup| match markup {
        Markup::Text(text) => {
            if let Some((_, open)) = &mut outliner.open {
                open.words.push_str(text);
            }
        }
        Markup::Start(tag, line, is_note) => outliner.start_tag(&tag.name, line, is_note),
        Markup::End(name) => outliner.end_tag(name),
    });
    outliner.end_section();
    if is_complete { outliner.sections } else { Vec::new() }
}

/// The kind of an open text, which determines its place in the outline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenText {
    Heading,
    Label,
    Body,
}

/// A builder of the outline from tags and texts.
#[derive(Default)]
struct Outliner {
    sections: Vec<OutlineSection>,
    /// The open lists, outermost first, with their entries so far.
    lists: Vec<(ListKind, Vec<ListEntry>)>,
    open: Option<(OpenText, Text)>,
}

impl Outliner {
    fn start_tag(&mut self, name: &str, line: usize, is_note: bool) {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_section();
                self.open_text(OpenText::Heading, line, is_note);
            }
            "p" | "pre" => self.open_text(OpenText::Body, line, is_note || name == "pre"),
            "ol" => self.open_list(ListKind::Steps),
            "ul" => self.open_list(ListKind::Items),
            "dl" => self.open_list(ListKind::Switch),
            "table" => self.open_list(ListKind::Rows),
            "li" | "tr" => self.open_entry(line, is_note),
            "td" | "th" | "dd" => self.open_text(OpenText::Body, line, is_note),
            "dt" => self.open_label(line, is_note),
            "br" => {
                if let Some((_, open)) = &mut self.open {
                    open.words.push(' ');
                }
            }
            _ => {}
        }
    }

    fn end_tag(&mut self, name: &str) {
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "p" | "pre" | "li" | "dt" | "dd" | "td"
            | "th" | "tr" | "div" => self.close_text(),
            "ol" | "ul" | "dl" | "table" => self.end_list(),
            _ => {}
        }
    }

    fn open_text(&mut self, place: OpenText, line: usize, is_note: bool) {
        self.close_text();
        self.open = Some((place, Text { words: String::new(), line, is_note }));
    }

    fn open_list(&mut self, kind: ListKind) {
        self.close_text();
        self.lists.push((kind, Vec::new()));
    }

    fn open_entry(&mut self, line: usize, is_note: bool) {
        self.open_text(OpenText::Body, line, is_note);
        if let Some((_, entries)) = self.lists.last_mut() {
            entries.push(ListEntry::default());
        }
    }

    fn open_label(&mut self, line: usize, is_note: bool) {
        self.open_text(OpenText::Label, line, is_note);
        if let Some((_, entries)) = self.lists.last_mut()
            && entries.last().is_none_or(|entry| !entry.nodes.is_empty())
        {
            entries.push(ListEntry::default());
        }
    }

    fn close_text(&mut self) {
        let Some((place, mut text)) = self.open.take() else { return };
        text.words = collapse_white_space(&text.words);
        if text.words.is_empty() {
            return;
        }
        match place {
            OpenText::Heading => {
                self.sections.push(OutlineSection { heading: text, nodes: Vec::new() })
            }
            OpenText::Label => {
                if let Some(entry) =
                    self.lists.last_mut().and_then(|(_, entries)| entries.last_mut())
                {
                    entry.labels.push(text);
                }
            }
            OpenText::Body => self.add_node(Node::Paragraph(text)),
        }
    }

    fn add_node(&mut self, node: Node) {
        match self.lists.last_mut() {
            Some((_, entries)) => match entries.last_mut() {
                Some(entry) => entry.nodes.push(node),
                None => entries.push(ListEntry { labels: Vec::new(), nodes: vec![node] }),
            },
            None => {
                if let Some(section) = self.sections.last_mut() {
                    section.nodes.push(node);
                }
            }
        }
    }

    fn end_list(&mut self) {
        self.close_text();
        if let Some((kind, entries)) = self.lists.pop() {
            self.add_node(Node::List(kind, entries));
        }
    }

    fn end_section(&mut self) {
        self.close_text();
        while !self.lists.is_empty() {
            self.end_list();
        }
    }
}
