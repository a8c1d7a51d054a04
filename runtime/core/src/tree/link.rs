//! Links between nodes. It asks no questions: what may be linked is decided elsewhere. Invariant: after each call every
//! link has its counterpart.

use super::Tree;
use super::node::{NONE, Node, NodeId, TEXT};
use super::options::Positions;
use super::raw_span::RawSpan;
use crate::span::Span;
use std::hint::select_unpredictable;

impl Tree {
    /// Makes a node the last child of another one; it leaves its old place.
    #[inline]
    pub(super) fn link_last(&mut self, parent: u32, child: u32) {
        if self.is_spill(parent) || self.is_spill(child) {
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

    /// Makes a new node, the last child of another one. How far the input has been read is known.
    #[inline(always)]
    pub(super) fn add_last(&mut self, parent: u32, mut node: Node, span: Option<Span>) -> NodeId {
        let id = self.nodes.len() as u32;
        // Once there is a node for those that do not fit, there are too many; it alone is never linked.
        if id >= self.node_limit {
            return self.add(node, span);
        }
        let last = std::mem::replace(&mut self.nodes[parent as usize].last_child, id);
        // Nobody can foretell whether it is the first child: so there is no jump.
        let is_first = last == NONE;
        let beside = select_unpredictable(is_first, parent, last);
        *self.nodes[beside as usize].link_to_next(is_first) = id;
        (node.parent, node.previous_sibling) = (parent, last);
        self.push_node(node, span)
    }

    /// Puts a node before another one that has a parent; it leaves its old place.
    pub(super) fn link_before(&mut self, sibling: u32, child: u32) {
        if self.is_spill(sibling) || self.is_spill(child) || sibling == child {
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

    /// Takes a node, with what is in it, out of its place.
    #[inline]
    pub(super) fn unlink(&mut self, child: u32) {
        let node = &mut self.nodes[child as usize];
        let (parent, previous, next) = (node.parent, node.previous_sibling, node.next_sibling);
        if parent == NONE {
            return;
        }
        (node.parent, node.previous_sibling, node.next_sibling) = (NONE, NONE, NONE);
        self.labels.forget(child);
        match previous {
            NONE => self.nodes[parent as usize].first_child = next,
            previous => self.nodes[previous as usize].next_sibling = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last_child = previous,
            next => self.nodes[next as usize].previous_sibling = previous,
        }
    }

    /// Moves the children of a node after those of another one.
    pub(super) fn link_children(&mut self, from: u32, to: u32) {
        if from == to || self.is_spill(from) || self.is_spill(to) {
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
            self.labels.forget(child);
            self.nodes[child as usize].parent = to;
            child = self.nodes[child as usize].next_sibling;
        }
        let end = std::mem::replace(&mut self.nodes[to as usize].last_child, last);
        self.nodes[first as usize].previous_sibling = end;
        match end {
            NONE => self.nodes[to as usize].first_child = first,
            end => self.nodes[end as usize].next_sibling = first,
        }
    }
}

/// Text that joins the text before it.
impl Tree {
    /// Adds text that was read, as [`text_last`](Self::text_last) does.
    #[inline(always)]
    pub(super) fn text_read_last(&mut self, parent: u32, text: &str, span: Span) {
        let added = match self.positions {
            Positions::None => self.add_part_last::<false>(parent, text, span),
            Positions::Nodes | Positions::All => self.add_part_last::<true>(parent, text, span),
        };
        if added.is_none() {
            self.text_read_slowly(parent, text, span);
        }
    }

    /// Adds a part of the input after something else than text, as usual, if lists have free capacity. What is asked is
    /// asked before anything changes: so nothing need be kept for what else may have to be done.
    #[inline(always)]
    fn add_part_last<const HAS_SPANS: bool>(
        &mut self,
        parent: u32,
        text: &str,
        span: Span,
    ) -> Option<()> {
        let id = self.nodes.len();
        // How far the input has been read is asked where lists grow, and nowhere else.
        if id == self.nodes.capacity()
            || HAS_SPANS && self.spans.is_full()
            || id as u32 >= self.node_limit
            || !RawSpan::fits(span)
        {
            return None;
        }
        let slot = self.texts.part(text)?;
        let last = self.nodes.get(parent as usize)?.last_child;
        let beside = if last == NONE { parent } else { last };
        let node = self.nodes.get_mut(beside as usize)?;
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

    /// Does whatever else there is to be done.
    #[inline(never)]
    fn text_read_slowly(&mut self, parent: u32, text: &str, span: Span) {
        if self.extend_part(parent, text, span).is_none() {
            self.text_last(parent, text, Some(span));
        }
    }

    /// Adds to the text before it what follows that in the input, as most texts do that come in several parts.
    #[inline(always)]
    fn extend_part(&mut self, parent: u32, text: &str, span: Span) -> Option<()> {
        let last = self.nodes.get(parent as usize)?.last_child;
        let node = self.nodes.get_mut(last as usize).filter(|node| node.is_text())?;
        let start = self.texts.input.offset_of_read(text, span.start)?;
        if !node.slot_mut().extend(start, text.len()) {
            return None;
        }
        self.spans.extend(last as usize, span);
        Some(())
    }

    /// Adds text at the end of a node.
    #[inline]
    pub(super) fn text_last(&mut self, parent: u32, text: &str, span: Option<Span>) {
        let last = self.nodes[parent as usize].last_child;
        if last != NONE && self.nodes[last as usize].is_text() {
            self.extend_text(last, text, span);
        } else {
            if let Some(span) = span {
                self.note(span.end);
            }
            let slot = self.texts.add_read(text, here(span), &self.growth);
            self.add_last(parent, Node::text(TEXT, slot), span);
        }
    }

    pub(super) fn text_before(&mut self, sibling: u32, text: &str, span: Option<Span>) {
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

    #[inline]
    pub(super) fn extend_text(&mut self, node: u32, text: &str, span: Option<Span>) {
        if let Some(span) = span {
            self.note(span.end);
            self.spans.extend(node as usize, span);
        }
        let slot = self.nodes[node as usize].slot_mut();
        self.texts.append(slot, text, here(span), &self.growth);
    }
}

/// The offset of the input at which a text was read; an offset where nothing stands, if none is known.
#[inline(always)]
fn here(span: Option<Span>) -> usize {
    span.map_or(usize::MAX, |span| span.start)
}
