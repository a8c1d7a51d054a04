//! Limits of depth and memory. What is beyond them is reported, never fatal. Invariant: without limits nothing here
//! changes a tree.

use super::open::Open;
use super::place::InsertionLocation;
use super::{Builder, Construction};
use crate::span::Span;
use crate::tree::{LocalName, Name, TreeSink};
use std::fmt;

/// Something that was done to keep within a limit; each is reported once, at the first place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Event {
    /// Elements are nested deeper than the limit: those beyond it became siblings, no text is lost.
    Flattened {
        /// The byte offset of the first such element's start tag, or where the last one before it began.
        offset: usize,
    },
    /// The tree takes as much memory as is allowed: the rest of the input is left out.
    OutOfMemory {
        /// The byte offset after what has been read.
        offset: usize,
    },
    /// Replacement text of entities or declared attributes is more than is allowed: some of it is left out.
    ReplacementLeftOut {
        /// The byte offset of the first reference or tag concerned.
        offset: usize,
        /// How many replacements were left out.
        count: u64,
    },
}

impl Event {
    /// Maps the byte offset.
    pub(super) fn map_offset(&mut self, map: impl Fn(usize) -> usize) {
        let (Self::Flattened { offset }
        | Self::OutOfMemory { offset }
        | Self::ReplacementLeftOut { offset, .. }) = self;
        *offset = map(*offset);
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flattened { offset } => {
                write!(formatter, "nesting was flattened from byte {offset} on")
            }
            Self::OutOfMemory { offset } => {
                write!(formatter, "the memory limit was reached at byte {offset}")
            }
            Self::ReplacementLeftOut { offset, count } => {
                write!(
                    formatter,
                    "replacement text was left out {count} times, from byte {offset} on"
                )
            }
        }
    }
}

impl std::error::Error for Event {}

/// The limits, and what has come of them.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    depth: usize,
    /// The number of open elements from which on depth is checked: the limit, as long as the stack shows how deep the
    /// tree is.
    depth_check_from: usize,
    memory: usize,
    /// Whether each token is checked before it is processed: the memory is limited, or tree construction has stopped.
    checks_each_token: bool,
    pub(super) events: Vec<Event>,
    is_flattened: bool,
    /// Where the last start tag began.
    reached: usize,
    /// Bytes of text and tokens until memory is checked again.
    countdown: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self::new(usize::MAX, usize::MAX)
    }
}

impl Limits {
    /// Limits of the depth of elements and of the tree's bytes.
    pub(super) fn new(depth: usize, memory: usize) -> Self {
        Self {
            depth,
            depth_check_from: depth,
            memory,
            checks_each_token: memory != usize::MAX,
            events: Vec::new(),
            is_flattened: false,
            reached: 0,
            countdown: 0,
        }
    }

    /// An element is about to leave the middle of a stack of `open`: those above it are a level deeper than the stack
    /// shows. If some of them were flattened, it shows nothing any more.
    #[inline]
    pub(super) fn leave_middle(&mut self, open: usize) {
        if self.depth != usize::MAX {
            self.depth_check_from =
                if open > self.depth { 0 } else { self.depth_check_from.saturating_sub(1) };
        }
    }

    /// Elements are about to change places on a stack of `open`.
    #[inline]
    pub(super) fn change_places(&mut self, open: usize) {
        if open > self.depth {
            self.depth_check_from = 0;
        }
    }

    /// The most that may be around an element's parent, the parent included.
    pub(super) fn most(&self) -> usize {
        self.depth - 1
    }

    /// The number of open elements from which on depth is checked.
    #[inline]
    pub(super) fn depth_check_from(&self) -> usize {
        self.depth_check_from
    }

    /// Whether each token is to be checked before it is processed, as in few inputs.
    #[inline]
    pub(super) fn checks_each_token(&self) -> bool {
        self.checks_each_token
    }

    /// Tree construction has stopped.
    pub(super) fn stop(&mut self) {
        self.checks_each_token = true;
    }

    /// Whether the stack shows how deep the tree is.
    #[inline]
    fn is_told_by_stack(&self) -> bool {
        self.depth_check_from == self.depth
    }
}

/// How many bytes of text, or tokens as that many, go by between two checks of the memory.
const LOOK_EVERY: usize = 4096;
/// How many levels above a node whose depth is asked for the depth of another one is kept.
const FAR: usize = 32;
/// As how much a token counts.
const TOKEN: usize = 64;

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// The parent that an element gets if it is put into this one: one further out, if it is as deep as allowed.
    #[inline]
    pub(super) fn not_too_deep(&mut self, parent: S::Node, span: Option<Span>) -> S::Node {
        if self.open.len() < self.limits.depth_check_from {
            return parent;
        }
        self.flatten(parent, span)
    }

    /// Finds the parent of an element that would be too deep. Apart, as few trees are that deep.
    #[cold]
    fn flatten(&mut self, parent: S::Node, span: Option<Span>) -> S::Node {
        if let Some(span) = span {
            self.limits.reached = span.start;
        }
        if self.limits.is_told_by_stack() {
            self.report_flattened();
            return self.outer(parent).unwrap_or(parent);
        }
        self.no_deeper(parent, self.limits.most())
    }

    fn report_flattened(&mut self) {
        if !self.limits.is_flattened {
            self.limits.is_flattened = true;
            self.limits.events.push(Event::Flattened { offset: self.limits.reached });
        }
    }

    /// How deep a node is in the tree, if the stack does not show that it is not too deep.
    pub(super) fn checked_depth(&mut self, node: S::Node) -> Option<usize> {
        let is_told =
            self.limits.is_told_by_stack() || self.open.len() < self.limits.depth_check_from;
        (!is_told).then(|| self.depth_of(node))
    }

    /// The number of nodes around a node; the contents of a template are in none.
    pub(super) fn depth_of(&mut self, node: S::Node) -> usize {
        let (mut depth, mut at, mut far) = (0, node, None);
        let whole = loop {
            if let Some((landmark, known)) = self.landmark
                && landmark == at
            {
                break depth + known;
            }
            let Some(outer) = self.sink.parent_of(at) else { break depth };
            self.steps += 1;
            (depth, at) = (depth + 1, outer);
            if depth == FAR {
                far = Some(at);
            }
        };
        // Most walks begin near to where the last one has begun.
        if let Some(far) = far {
            self.landmark = Some((far, whole - FAR));
        }
        whole
    }

    /// What is in a node that was so deep, if that is known, is about to have another depth; and the node itself.
    pub(super) fn forget_landmark(&mut self, depth: Option<usize>) {
        let is_outside = |&(_, known): &(S::Node, usize)| depth.is_some_and(|depth| known < depth);
        self.landmark = self.landmark.filter(is_outside);
    }

    /// This node, or the nearest one around it that is no deeper than this.
    pub(super) fn no_deeper(&mut self, node: S::Node, most: usize) -> S::Node {
        let excess = self.depth_of(node).saturating_sub(most.max(1));
        if excess == 0 {
            return node;
        }
        self.report_flattened();
        self.steps += excess as u64;
        let mut place = node;
        for _ in 0..excess {
            place = self.sink.parent_of(place).unwrap_or(place);
        }
        place
    }

    /// The place in the common ancestor for a block that was so deep before the adoption agency moves it with `kept`
    /// elements around it, so that nothing in it gets deeper, and one more element fits into it.
    pub(super) fn place_for_adopted(
        &mut self,
        place: InsertionLocation<S::Node>,
        kept: usize,
        before: usize,
    ) -> InsertionLocation<S::Node> {
        let most = self.limits.most().min(before).saturating_sub(kept + 1);
        let parent = match place {
            InsertionLocation::LastIn(parent) => parent,
            InsertionLocation::Before(sibling) => self.sink.parent_of(sibling).unwrap_or(sibling),
        };
        let near = self.no_deeper(parent, most);
        if near == parent { place } else { InsertionLocation::LastIn(near) }
    }

    /// The parent of a node. The contents of the current node, a template in a template, have the parent of that node.
    fn outer(&mut self, node: S::Node) -> Option<S::Node> {
        let parent = self.sink.parent_of(node);
        if parent.is_some() || node == self.document {
            return parent;
        }
        let template = C::TEMPLATE.filter(|&id| self.open.count(id) > 1)?;
        let &Open { node, name, .. } = self.open.last()?;
        let is_template = name == Name::new(C::ELEMENTS.own(), LocalName::known(template));
        if is_template { self.sink.parent_of(node) } else { None }
    }

    /// Stops if the tree has become too large.
    #[inline]
    pub(super) fn check_memory(&mut self, text: usize, offset: usize) {
        if self.limits.memory == usize::MAX {
            return;
        }
        match self.limits.countdown.checked_sub(text + TOKEN) {
            Some(left) => self.limits.countdown = left,
            None => self.measure(offset),
        }
    }

    /// Compares the memory with its limit. Apart, as it is done once for many tokens.
    #[cold]
    fn measure(&mut self, offset: usize) {
        self.limits.countdown = LOOK_EVERY;
        if self.sink.memory() > self.limits.memory && !self.has_stopped {
            self.stop();
            self.limits.events.push(Event::OutOfMemory { offset });
        }
    }
}
