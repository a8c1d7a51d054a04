//! Splitting and merging of adjacent text nodes, which leaves the text of their parent unchanged.

use super::Tree;
use super::node::NodeId;
use crate::span::Span;

impl Tree {
    /// Splits a text at a byte offset: the text from there on becomes the next sibling. Returns `None` if the node is
    /// not a text or the offset is not on a character boundary.
    ///
    /// Each part has its own position if the text is in the input byte for byte. Otherwise, because of a reference or
    /// line end in the text, or a text fed in several chunks, offsets in the text do not determine positions, and both
    /// parts have that of the whole text.
    ///
    /// ```
    /// use tabulex::tree::{Namespace, Tree};
    /// let mut tree = Tree::new();
    /// let p = tree.create_element(Namespace::HTML, "p");
    /// tree.append_text(p, "one two");
    /// let text = tree.node(p).first_child().unwrap().id();
    /// let after = tree.split_text(text, 3).unwrap();
    /// assert_eq!((tree.node(text).text(), tree.node(after).text()), ("one".into(), " two".into()));
    /// tree.merge_texts(p);
    /// assert_eq!(tree.node(p).children().count(), 1);
    /// assert_eq!(tree.node(p).text(), "one two");
    /// ```
    pub fn split_text(&mut self, text: NodeId, offset: usize) -> Option<NodeId> {
        let node = self.node(text);
        let data = node.is_text().then(|| self.texts.get(self.nodes[text.index()].slot()));
        let length = data.filter(|data| data.is_char_boundary(offset))?.len();
        let span_len = node.span().map(|span| span.end - span.start);
        let (span, next, parent) = (node.stored_span(), node.next_sibling(), node.parent());
        let (next, parent) = (next.map(|next| next.id()), parent.map(|parent| parent.id()));
        let is_part = self.texts.is_part(self.nodes[text.index()].slot());
        // A part of the input contains no references, and one as long as its range contains no CR LF.
        let is_verbatim = is_part && span_len == Some(length);
        let split_at = span.filter(|_| is_verbatim).map(|span| span.start + offset);
        let end_at = |cut: usize| span.map(|span| Span::new(span.start, cut));
        let begin_at = |cut: usize| span.map(|span| Span::new(cut, span.end));
        let after = self.texts.split(self.nodes[text.index()].slot_mut(), offset);
        let new = self.add_text_slot(after, split_at.map_or(span, begin_at));
        match (next, parent) {
            (Some(next), _) => self.link_before(next.0, new.0),
            (None, Some(parent)) => self.link_last(parent.0, new.0),
            (None, None) => {}
        }
        self.spans.set(text.index(), split_at.map_or(span, end_at));
        Some(new)
    }

    /// Merges adjacent texts anywhere inside a node and removes empty ones, as the DOM's `normalize` does.
    pub fn merge_texts(&mut self, node: NodeId) {
        let texts = self.node(node).descendants().filter(|node| node.is_text());
        let texts: Vec<NodeId> = texts.map(|text| text.id()).collect();
        let mut last: Option<NodeId> = None;
        for text in texts {
            let it = self.node(text);
            let (data, span) = (it.data().unwrap_or_default().to_owned(), it.stored_span());
            let before = it.previous_sibling().map(|sibling| sibling.id());
            if data.is_empty() {
                self.unlink(text.0);
            } else if let Some(last) = last.filter(|&last| before == Some(last)) {
                self.unlink(text.0);
                self.extend_text(last.0, &data, span);
            } else {
                last = Some(text);
            }
        }
    }
}
