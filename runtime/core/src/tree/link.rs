//! Links between nodes. Callers check whether nodes may be linked.

use super::Tree;
use super::node::{NONE, Node, NodeId, TEXT};
use super::options::Positions;
use super::raw_span::RawSpan;
use crate::span::Span;
use std::hint::select_unpredictable;

impl Tree {
    /// Unlinks a node, and makes it the last child of another one.
    #[inline]
    pub(super) fn link_last(&mut self, parent: u32, child: u32) {
        if self.is_overflow_node(parent) || self.is_overflow_node(child) {
            return;
        }
        self.unlink(child);
        let last = std::mem::replace(&mut self.nodes[parent as usize].last_child, child);
        let node = &mut self.nodes[child as usize];
        (node.parent, node.previous_sibling) = (parent, last);
        match last {
            NONE => self.nodes[parent as usize].first_child = child,
            last => self.nodes[last as usize].next_sibling = child,
        }
    }

    /// Creates a node as the last child of another one. The caller has recorded the input offset reached.
    #[inline(always)]
    pub(super) fn add_last(&mut self, parent: u32, mut node: Node, span: Option<Span>) -> NodeId {
        let id = self.nodes.len() as u32;
        // At the limit, `add` returns the node that replaces all nodes beyond the limit, which is never linked.
        if id >= self.node_limit {
            return self.add(node, span);
        }
        let last = std::mem::replace(&mut self.nodes[parent as usize].last_child, id);
        // The branch predictor cannot predict whether a node is a first child, so a select replaces the branch.
        let is_first = last == NONE;
        let predecessor = select_unpredictable(is_first, parent, last);
        *self.nodes[predecessor as usize].link_to_next(is_first) = id;
        (node.parent, node.previous_sibling) = (parent, last);
        self.push_node(node, span)
    }

    /// Unlinks a node, and inserts it before another one that has a parent.
    pub(super) fn link_before(&mut self, sibling: u32, child: u32) {
        if self.is_overflow_node(sibling) || self.is_overflow_node(child) || sibling == child {
            return;
        }
        self.unlink(child);
        let parent = self.nodes[sibling as usize].parent;
        if parent == NONE {
            return;
        }
        let previous = std::mem::replace(&mut self.nodes[sibling as usize].previous_sibling, child);
        let node = &mut self.nodes[child as usize];
        (node.parent, node.previous_sibling, node.next_sibling) = (parent, previous, sibling);
        match previous {
            NONE => self.nodes[parent as usize].first_child = child,
            previous => self.nodes[previous as usize].next_sibling = child,
        }
    }

    /// Unlinks a node and its descendants from its parent and siblings.
    #[inline]
    pub(super) fn unlink(&mut self, child: u32) {
        let node = &mut self.nodes[child as usize];
        let (parent, previous, next) = (node.parent, node.previous_sibling, node.next_sibling);
        if parent == NONE {
            return;
        }
        (node.parent, node.previous_sibling, node.next_sibling) = (NONE, NONE, NONE);
        self.labels.clear(child);
        match previous {
            NONE => self.nodes[parent as usize].first_child = next,
            previous => self.nodes[previous as usize].next_sibling = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last_child = previous,
            next => self.nodes[next as usize].previous_sibling = previous,
        }
    }

    /// Moves the children of a node to the end of another one.
    pub(super) fn link_children(&mut self, from: u32, to: u32) {
        if from == to || self.is_overflow_node(from) || self.is_overflow_node(to) {
            return;
        }
        let node = &mut self.nodes[from as usize];
        let (first, last) = (node.first_child, node.last_child);
        (node.first_child, node.last_child) = (NONE, NONE);
        if first == NONE {
            return;
        }
        let mut child = first;
        while child != NONE {
            self.steps += 1;
            self.labels.clear(child);
            self.nodes[child as usize].parent = to;
            child = self.nodes[child as usize].next_sibling;
        }
        let old_last = std::mem::replace(&mut self.nodes[to as usize].last_child, last);
        self.nodes[first as usize].previous_sibling = old_last;
        match old_last {
            NONE => self.nodes[to as usize].first_child = first,
            old_last => self.nodes[old_last as usize].next_sibling = first,
        }
    }
}

/// Insertion of text, which extends an adjacent text node if there is one.
impl Tree {
    /// Appends text that was read from the input; see [`append_text_unchecked`](Self::append_text_unchecked).
    #[inline(always)]
    pub(super) fn append_read_text(&mut self, parent: u32, text: &str, span: Span) {
        let appended = match self.positions {
            Positions::None => self.append_read_text_fast::<false>(parent, text, span),
            Positions::Nodes | Positions::All => {
                self.append_read_text_fast::<true>(parent, text, span)
            }
        };
        if appended.is_none() {
            self.append_read_text_slow(parent, text, span);
        }
    }

    /// Fast path of `append_read_text`: appends a range of the input after a node that is not a text, if the lists have
    /// free capacity. Returns `None` without any change if that is impossible.
    #[inline(always)]
    fn append_read_text_fast<const HAS_SPANS: bool>(
        &mut self,
        parent: u32,
        text: &str,
        span: Span,
    ) -> Option<()> {
        let id = self.nodes.len();
        // This path does not record the input offset reached, which the growth of lists depends on, so it is not taken
        // if a list must grow.
        if id == self.nodes.capacity()
            || HAS_SPANS && self.spans.is_full()
            || id as u32 >= self.node_limit
            || !RawSpan::fits(span)
        {
            return None;
        }
        let slot = self.texts.slot_in_input(text)?;
        let last = self.nodes.get(parent as usize)?.last_child;
        let predecessor = if last == NONE { parent } else { last };
        let node = self.nodes.get_mut(predecessor as usize)?;
        if node.is_text() {
            return None;
        }
        if HAS_SPANS {
            self.spans.push(Some(span), &self.growth);
        }
        *node.link_to_next(last == NONE) = id as u32;
        self.nodes[parent as usize].last_child = id as u32;
        let mut node = Node::text(TEXT, slot);
        (node.parent, node.previous_sibling) = (parent, last);
        self.nodes.push(node);
        Some(())
    }

    /// Slow path of `append_read_text`: extends the last child if that is a text, or creates a text node.
    #[inline(never)]
    fn append_read_text_slow(&mut self, parent: u32, text: &str, span: Span) {
        if self.extend_contiguous(parent, text, span).is_none() {
            self.append_text_unchecked(parent, text, Some(span));
        }
    }

    /// Extends the last child if that is a text that the new text directly follows in the input, as in most texts that
    /// arrive in several pieces. Otherwise, returns `None` without any change.
    #[inline(always)]
    fn extend_contiguous(&mut self, parent: u32, text: &str, span: Span) -> Option<()> {
        let last = self.nodes.get(parent as usize)?.last_child;
        let node = self.nodes.get_mut(last as usize).filter(|node| node.is_text())?;
        let start = self.texts.input.offset_of_read(text, span.start)?;
        if !self.texts.extend(node.slot_mut(), start, text.len()) {
            return None;
        }
        self.spans.extend(last as usize, span);
        Some(())
    }

    /// Appends text at the end of a node: to the last child if that is a text, or as a new node.
    #[inline]
    pub(super) fn append_text_unchecked(&mut self, parent: u32, text: &str, span: Option<Span>) {
        let last = self.nodes[parent as usize].last_child;
        if last != NONE && self.nodes[last as usize].is_text() {
            self.extend_text(last, text, span);
        } else {
            if let Some(span) = span {
                self.record_offset(span.end);
            }
            let slot = self.texts.add_read(text, read_offset(span), &self.growth);
            self.add_last(parent, Node::text(TEXT, slot), span);
        }
    }

    /// Inserts text before a node: at the end of the previous sibling if that is a text, or as a new node.
    pub(super) fn insert_text_before_unchecked(
        &mut self,
        sibling: u32,
        text: &str,
        span: Option<Span>,
    ) {
        let node = self.nodes[sibling as usize];
        if node.parent == NONE {
            return;
        }
        let previous = node.previous_sibling;
        if previous != NONE && self.nodes[previous as usize].is_text() {
            self.extend_text(previous, text, span);
        } else {
            let node = self.add_text(text, span);
            self.link_before(sibling, node.0);
        }
    }

    /// Appends text to a text node.
    #[inline]
    pub(super) fn extend_text(&mut self, node: u32, text: &str, span: Option<Span>) {
        if let Some(span) = span {
            self.record_offset(span.end);
            self.spans.extend(node as usize, span);
        }
        let slot = self.nodes[node as usize].slot_mut();
        self.texts.append(slot, text, read_offset(span), &self.growth);
    }
}

/// Returns the input offset at which a text was read, or `usize::MAX` if it is unknown.
#[inline(always)]
fn read_offset(span: Option<Span>) -> usize {
    span.map_or(usize::MAX, |span| span.start)
}
