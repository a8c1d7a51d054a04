//! What becomes of a tree at its limits, and how that is reported; `limits.rs` of the crate says how much is allowed, and
//! the interpreter of tables has no limits. Invariant: without limits nothing here changes a tree.

use super::open::Open;
use super::place::InsertionLocation;
use super::{Builder, Construction};
use crate::bounded_errors::BoundedErrors;
use crate::limits::Limits;
use crate::span::Span;
use crate::tree::{LocalName, Name, TreeSink};
use std::fmt;

/// Something that was done to keep within a limit of [`Limits`]; each is reported once, at the first place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Event {
    /// Elements are nested deeper than the limit: those beyond it became siblings. No text is lost, and all nodes stand in the
    /// order of the input.
    Flattened {
        /// The byte offset of the first such element's start tag, or where the last one before it began.
        offset: usize,
        /// How deep elements may be.
        limit: usize,
    },
    /// As many bytes are held as may be: the rest of the input is left out.
    OutOfMemory {
        /// The byte offset after what has been read.
        offset: usize,
        /// How many bytes may be held.
        limit: usize,
        /// How many were held.
        held: usize,
    },
    /// There are as many nodes as may be: those after them are left out.
    NodesLeftOut {
        /// The byte offset where the first begins that is left out. If it stands nowhere, where the last one before it begins
        /// that is no text; in a tree without places, how far the input had been read.
        offset: usize,
        /// How many there may be.
        limit: usize,
    },
    /// Places after 4 GiB of the input are given as that place.
    PlacesLeftOut {
        /// The last place that is given.
        offset: usize,
    },
    /// A tag has more attributes than are allowed: the others are left out.
    AttributesLeftOut {
        /// The byte offset of the first of them.
        offset: usize,
        /// How many a tag may have.
        limit: usize,
        /// How many were left out in all tags.
        count: u64,
    },
    /// A token is longer than allowed: it is left out, and so is the rest of the input.
    TokenTooLong {
        /// The byte offset where it begins.
        offset: usize,
        /// How many bytes it may be long.
        limit: usize,
        /// How many bytes it was long by then.
        length: usize,
    },
    /// There are more errors than are kept: the others are counted.
    ErrorsLeftOut {
        /// The byte offset of the first that is not kept.
        offset: usize,
        /// How many are kept.
        limit: usize,
        /// How many are not kept.
        count: u64,
    },
    /// As many formatting elements were made again as may be: the list of active formatting elements was cleared up to
    /// its last marker, and so it is each time. No text is lost.
    FormattingLeftOut {
        /// The byte offset of the tag, or after the last tag before it.
        offset: usize,
        /// How many could be made again up to there.
        limit: u64,
    },
    /// Replacement text of entities or declared attributes is more than is allowed: some of it is left out.
    ReplacementLeftOut {
        /// A byte offset within the first reference concerned, where its name was known; or after the tag.
        offset: usize,
        /// How many replacements were left out.
        count: u64,
    },
}

impl Event {
    /// Where in the input it was, in bytes.
    pub const fn offset(&self) -> usize {
        match self {
            Self::Flattened { offset, .. }
            | Self::OutOfMemory { offset, .. }
            | Self::NodesLeftOut { offset, .. }
            | Self::PlacesLeftOut { offset }
            | Self::AttributesLeftOut { offset, .. }
            | Self::TokenTooLong { offset, .. }
            | Self::ErrorsLeftOut { offset, .. }
            | Self::FormattingLeftOut { offset, .. }
            | Self::ReplacementLeftOut { offset, .. } => *offset,
        }
    }

    /// Maps the byte offset.
    pub(super) fn map_offset(&mut self, map: impl Fn(usize) -> usize) {
        match self {
            Self::Flattened { offset, .. }
            | Self::OutOfMemory { offset, .. }
            | Self::NodesLeftOut { offset, .. }
            | Self::PlacesLeftOut { offset }
            | Self::AttributesLeftOut { offset, .. }
            | Self::TokenTooLong { offset, .. }
            | Self::ErrorsLeftOut { offset, .. }
            | Self::FormattingLeftOut { offset, .. }
            | Self::ReplacementLeftOut { offset, .. } => *offset = map(*offset),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flattened { offset, limit } => {
                write!(formatter, "nesting was flattened at depth {limit} from byte {offset} on")
            }
            Self::OutOfMemory { offset, limit, held } => write!(
                formatter,
                "the memory limit of {limit} bytes was reached at byte {offset} with {held} bytes; the rest is left out"
            ),
            Self::NodesLeftOut { offset, limit } => {
                write!(
                    formatter,
                    "nodes after the first {limit} are left out, from byte {offset} on"
                )
            }
            Self::PlacesLeftOut { offset } => {
                write!(formatter, "places after byte {offset} are given as that byte")
            }
            Self::AttributesLeftOut { offset, limit, count } => write!(
                formatter,
                "{count} attributes of tags with more than {limit} are left out, from byte {offset} on"
            ),
            Self::TokenTooLong { offset, limit, length } => write!(
                formatter,
                "the token at byte {offset} is longer than {limit} bytes ({length} by now); the rest is left out"
            ),
            Self::ErrorsLeftOut { offset, limit, count } => write!(
                formatter,
                "{count} errors after the first {limit} are left out, from byte {offset} on"
            ),
            Self::FormattingLeftOut { offset, limit } => write!(
                formatter,
                "formatting is left out from byte {offset} on, after {limit} elements that were made again"
            ),
            Self::ReplacementLeftOut { offset, count } => write!(
                formatter,
                "replacement text was left out {count} times, from byte {offset} on"
            ),
        }
    }
}

impl std::error::Error for Event {}

/// The limits of a builder, and what has come of them.
#[derive(Clone, Debug)]
pub(super) struct Bounds {
    depth: usize,
    /// The number of open elements from which on depth is checked: the limit, as long as the stack shows how deep the
    /// tree is.
    depth_check_from: usize,
    bytes: usize,
    reconstructed: u64,
    bytes_per_reconstructed: u64,
    /// How many formatting elements were made again.
    made_again: u64,
    is_formatting_left_out: bool,
    /// Whether as many bytes were held as may be.
    pub(super) is_full: bool,
    /// Whether tree construction has stopped.
    checks_each_token: bool,
    pub(super) events: Vec<Event>,
    is_flattened: bool,
    /// Where the last tag began, or the last start tag that was flattened.
    pub(super) reached: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::new(&Limits::none())
    }
}

impl Bounds {
    /// With these limits.
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            depth: limits.depth,
            depth_check_from: limits.depth,
            bytes: limits.bytes,
            reconstructed: limits.reconstructed,
            bytes_per_reconstructed: limits.bytes_per_reconstructed,
            made_again: 0,
            is_formatting_left_out: false,
            is_full: false,
            checks_each_token: false,
            events: Vec::new(),
            is_flattened: false,
            reached: 0,
        }
    }

    /// How many formatting elements may be made again up to here.
    fn may_be_made_again(&self) -> u64 {
        self.reconstructed.saturating_add(self.reached as u64 / self.bytes_per_reconstructed)
    }

    /// What has come of the limits.
    pub(super) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
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

    /// Whether tree construction has stopped, as in few inputs.
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
    fn depth_follows_from_stack(&self) -> bool {
        self.depth_check_from == self.depth
    }
}

/// A node out of which an element was flattened. What is inserted into it later comes after that element, so that the order of
/// nodes stays that of the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flattened<N> {
    parent: N,
    /// The node into which the element was inserted instead.
    target: N,
    /// The current node at that time, and its slot.
    current: N,
    slot: u32,
}

/// A tag as long counts as two where its element is made again: whoever writes the tree writes its attributes each time.
const BYTES_OF_ONE: u64 = 64;
/// How many levels above a node whose depth is asked for the depth of another one is kept.
const FAR: usize = 32;
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
        let target = if self.limits.depth_follows_from_stack() {
            self.report_flattened();
            self.outer(parent).unwrap_or(parent)
        } else {
            self.no_deeper(parent, self.limits.most())
        };
        if target != parent && self.flattened_into(parent).is_none() {
            let current =
                self.open.last_slot().and_then(|slot| Some((self.open.get(slot)?.node, slot)));
            if let Some((current, slot)) = current {
                self.flattened.push(Flattened { parent, target, current, slot });
            }
        }
        target
    }

    /// The parent that a node other than an element gets if it is put into this one.
    #[inline]
    pub(super) fn not_before_flattened(&mut self, parent: S::Node) -> S::Node {
        if self.flattened.is_empty() {
            parent
        } else {
            self.flattened_into(parent).unwrap_or(parent)
        }
    }

    /// The node that received an element too deep to become a child of `parent`, if `parent` is the innermost open node whose
    /// children were flattened.
    #[cold]
    fn flattened_into(&mut self, parent: S::Node) -> Option<S::Node> {
        while let Some(last) = self.flattened.last()
            && !self.open.holds(last.current, last.slot)
        {
            self.steps += 1;
            self.flattened.pop();
        }
        self.flattened.last().filter(|last| last.parent == parent).map(|last| last.target)
    }

    fn report_flattened(&mut self) {
        if !self.limits.is_flattened {
            self.limits.is_flattened = true;
            let (offset, limit) = (self.limits.reached, self.limits.depth);
            self.limits.events.push(Event::Flattened { offset, limit });
        }
    }

    /// How deep a node is in the tree, if the stack does not show that it is not too deep.
    pub(super) fn checked_depth(&mut self, node: S::Node) -> Option<usize> {
        self.is_near_limit().then(|| self.depth_of(node))
    }

    /// Whether the stack does not show that no node is too deep.
    pub(super) fn is_near_limit(&self) -> bool {
        !self.limits.depth_follows_from_stack() && self.open.len() >= self.limits.depth_check_from
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
            let Some(outer) = self.parent_of(at) else { break depth };
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
            place = self.parent_of(place).unwrap_or(place);
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
            InsertionLocation::Before(sibling) => self.parent_of(sibling).unwrap_or(sibling),
        };
        let near = self.no_deeper(parent, most);
        if near == parent { place } else { InsertionLocation::LastIn(near) }
    }

    /// The parent of a node. The contents of the current node, a template in a template, have the parent of that node.
    fn outer(&mut self, node: S::Node) -> Option<S::Node> {
        let parent = self.parent_of(node);
        if parent.is_some() || node == self.document {
            return parent;
        }
        let template = C::TEMPLATE.filter(|&id| self.open.count(id) > 1)?;
        let &Open { node, name, .. } = self.open.last()?;
        let is_template = name == Name::new(C::ELEMENTS.own(), LocalName::known(template));
        if is_template { self.parent_of(node) } else { None }
    }

    /// Counts a formatting element that is made again, once more for each [`BYTES_OF_ONE`] bytes of its tag. If
    /// there are too many, the list is cleared up to its last marker, and there is none.
    pub(super) fn may_make_again(&mut self, length: u32) -> bool {
        self.counts_again(1 + u64::from(length) / BYTES_OF_ONE)
    }

    /// The same for those that a round of the adoption agency makes again, by the length of their tags alone: there are
    /// no more than a few for each end tag, so that short ones are not counted.
    pub(super) fn may_adopt_again(&mut self, length: u64) -> bool {
        length < BYTES_OF_ONE || self.counts_again(length / BYTES_OF_ONE)
    }

    fn counts_again(&mut self, more: u64) -> bool {
        self.limits.made_again += more;
        let limit = self.limits.may_be_made_again();
        if self.limits.made_again <= limit {
            return true;
        }
        if !self.limits.is_formatting_left_out {
            self.limits.is_formatting_left_out = true;
            let offset = self.limits.reached;
            self.limits.events.push(Event::FormattingLeftOut { offset, limit });
        }
        let has_marker = self.formatting.has_marker();
        self.clear_formatting();
        if has_marker {
            self.insert_marker();
        }
        false
    }

    /// The bytes on the heap: what the sink counts, errors, and the lists of elements.
    fn memory_usage(&self) -> usize {
        let errors = self.errors.as_ref().map_or(0, BoundedErrors::memory_usage);
        // A set grows by moving to another one, twice as large, and both are held meanwhile.
        let reported = 3 * self.reported.capacity() * size_of::<(&str, Span)>();
        let texts = self.text.capacity() + self.held.capacity() + self.pending.memory_usage();
        let spared = self.parents.memory_usage()
            + self.remembered.memory_usage()
            + self.scripts.memory_usage();
        let lists = self.open.memory_usage()
            + self.formatting.memory_usage()
            + self.bindings.memory_usage()
            + spared;
        self.sink.memory() + errors + reported + texts + lists
    }

    /// Stops if more bytes are held than may be, `others` of them elsewhere. Whether it has.
    pub(super) fn check_memory(&mut self, others: usize, offset: usize) -> bool {
        let limit = self.limits.bytes;
        if limit == usize::MAX || self.has_stopped {
            return false;
        }
        let held = self.memory_usage() + others;
        if held > limit {
            self.stop();
            self.limits.is_full = true;
            self.limits.events.push(Event::OutOfMemory { offset, limit, held });
        }
        held > limit
    }
}
