//! Limits of depth and memory. What is beyond them is told, never fatal. Invariant: without limits nothing here changes a
//! tree.

use super::{Builder, Construction};
use crate::span::Span;
use crate::tree::TreeSink;
use std::fmt;

/// Something that was done to keep within a limit; each is told once, at the first place.
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
        /// The byte offset behind what has been read.
        offset: usize,
    },
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
        }
    }
}

impl std::error::Error for Event {}

/// The limits, and what has come of them.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) depth: usize,
    pub(super) memory: usize,
    pub(super) events: Vec<Event>,
    is_flattened: bool,
    /// Where the last start tag began.
    reached: usize,
    /// Bytes of text and tokens until memory is looked at again.
    countdown: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let (depth, memory) = (usize::MAX, usize::MAX);
        Self { depth, memory, events: Vec::new(), is_flattened: false, reached: 0, countdown: 0 }
    }
}

/// How many bytes of text, or tokens as so many bytes, go by between two looks at the memory.
const LOOK_EVERY: usize = 4096;
/// As how much a token counts.
const TOKEN: usize = 64;

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// The parent that an element gets if it is put into this one: the parent of that, if it is as deep as allowed.
    #[inline]
    pub(super) fn not_too_deep(&mut self, parent: S::Node, span: Option<Span>) -> S::Node {
        if self.open.len() < self.limits.depth {
            return parent;
        }
        self.flatten(parent, span)
    }

    #[cold]
    fn flatten(&mut self, parent: S::Node, span: Option<Span>) -> S::Node {
        if let Some(span) = span {
            self.limits.reached = span.start;
        }
        if !self.limits.is_flattened {
            self.limits.is_flattened = true;
            self.limits.events.push(Event::Flattened { offset: self.limits.reached });
        }
        self.sink.parent_of(parent).unwrap_or(parent)
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

    #[cold]
    fn measure(&mut self, offset: usize) {
        self.limits.countdown = LOOK_EVERY;
        if self.sink.memory() > self.limits.memory && !self.has_stopped {
            self.stop();
            self.limits.events.push(Event::OutOfMemory { offset });
        }
    }
}
