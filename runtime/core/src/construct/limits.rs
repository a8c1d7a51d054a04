//! Limits in tree construction, and the events that report where they took effect.

use super::insert::InsertionLocation;
use super::open::Open;
use super::{Builder, Construction};
use crate::error::BoundedErrors;
use crate::limits::Limits;
use crate::span::Span;
use crate::tree::{LocalName, Name, TreeSink};
use std::fmt;

/// A limit that took effect: one of [`Limits`], or the range of offsets that can be stored. Each is reported once, with
/// the offset at which it first took effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Event {
    /// Elements nested deeper than the limit became siblings of their parents. Nodes keep the order of the input, except
    /// those that a parser moves: text and elements in misnested formatting elements or misplaced in tables may be in
    /// another order than without the limit.
    Flattened {
        /// Byte offset of the first such element's start tag; if it has none, of the last tag before it.
        offset: usize,
        /// Maximum nesting depth of elements.
        limit: usize,
    },
    /// The memory limit was exceeded: the rest of the input is dropped.
    OutOfMemory {
        /// Byte offset up to which the input was read.
        offset: usize,
        /// Maximum number of bytes held.
        limit: usize,
        /// Number of bytes that were held.
        used: usize,
    },
    /// The node limit was reached: further nodes are dropped.
    NodesDropped {
        /// Byte offset of the first dropped node. If the node is not in the input, the offset of the last node before
        /// it that is not text; in a tree without positions, the offset up to which the input was read.
        offset: usize,
        /// Maximum number of nodes.
        limit: usize,
    },
    /// The input is longer than 4 GiB: positions beyond that are recorded as the last one that can be represented.
    PositionsClamped {
        /// The last byte offset that can be represented.
        offset: usize,
    },
    /// A tag has more attributes than the limit: the excess is dropped.
    AttributesDropped {
        /// Byte offset of the first dropped attribute.
        offset: usize,
        /// Maximum number of attributes per tag.
        limit: usize,
        /// Number of attributes dropped in all tags.
        count: u64,
    },
    /// A token is longer than the limit: it is dropped with the rest of the input.
    TokenTooLong {
        /// Byte offset of the token's start.
        offset: usize,
        /// Maximum token length in bytes.
        limit: usize,
        /// Length of the token in bytes when it was dropped.
        length: usize,
    },
    /// There are more errors than the limit: the excess is dropped, and only counted.
    ErrorsDropped {
        /// Byte offset of the first dropped error.
        offset: usize,
        /// Maximum number of errors kept.
        limit: usize,
        /// Number of dropped errors.
        count: u64,
    },
    /// The limit on reconstructed formatting elements was exceeded: whenever that happens, the list of active
    /// formatting elements is cleared up to its last marker. No text is lost.
    FormattingDropped {
        /// Byte offset of the last tag at or before the token that required the reconstruction.
        offset: usize,
        /// Number of reconstructions allowed up to that offset.
        limit: u64,
    },
    /// The replacement text of entities or declared attributes exceeded a limit: some of it is dropped.
    ReplacementDropped {
        /// Byte offset at which the name of the first affected reference was complete; for attributes, of the end of
        /// the tag.
        offset: usize,
        /// Number of replacements dropped.
        count: u64,
    },
}

impl Event {
    /// Returns the byte offset in the input at which the limit took effect.
    pub const fn offset(&self) -> usize {
        let mut copy = *self;
        *copy.offset_mut()
    }

    /// Returns a mutable reference to the event's byte offset.
    pub(super) const fn offset_mut(&mut self) -> &mut usize {
        match self {
            Self::Flattened { offset, .. }
            | Self::OutOfMemory { offset, .. }
            | Self::NodesDropped { offset, .. }
            | Self::PositionsClamped { offset }
            | Self::AttributesDropped { offset, .. }
            | Self::TokenTooLong { offset, .. }
            | Self::ErrorsDropped { offset, .. }
            | Self::FormattingDropped { offset, .. }
            | Self::ReplacementDropped { offset, .. } => offset,
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flattened { offset, limit } => {
                write!(formatter, "nesting was flattened at depth {limit} from byte {offset} on")
            }
            Self::OutOfMemory { offset, limit, used } => write!(
                formatter,
                "the memory limit of {limit} bytes was reached at byte {offset} with {used} bytes; \
                 the rest of the input is dropped"
            ),
            Self::NodesDropped { offset, limit } => {
                write!(
                    formatter,
                    "nodes after the first {limit} are dropped, from byte {offset} on"
                )
            }
            Self::PositionsClamped { offset } => {
                write!(formatter, "positions after byte {offset} are reported as byte {offset}")
            }
            Self::AttributesDropped { offset, limit, count } => write!(
                formatter,
                "attributes after the first {limit} of each tag are dropped, {count} in all, from byte {offset} on"
            ),
            Self::TokenTooLong { offset, limit, length } => write!(
                formatter,
                "the token at byte {offset} is longer than {limit} bytes ({length} so far); \
                 it is dropped with the rest of the input"
            ),
            Self::ErrorsDropped { offset, limit, count } => write!(
                formatter,
                "errors after the first {limit} are dropped, {count} in all, from byte {offset} on"
            ),
            Self::FormattingDropped { offset, limit } => write!(
                formatter,
                "formatting is dropped from byte {offset} on, after {limit} reconstructed elements"
            ),
            Self::ReplacementDropped { offset, count } => write!(
                formatter,
                "replacement text was dropped {count} times, from byte {offset} on"
            ),
        }
    }
}

impl std::error::Error for Event {}

/// The limits of a builder, and how much of them is used up.
#[derive(Clone, Debug)]
pub(super) struct LimitState {
    max: Limits,
    /// Minimum number of open elements at which depth is checked. Equals the depth limit as long as the depth of the
    /// tree follows from the depth of the stack.
    pub(super) depth_check_from: usize,
    /// Charge for the formatting elements reconstructed so far.
    reconstruction_charge: u64,
    is_formatting_dropped: bool,
    /// Whether the memory limit was exceeded.
    pub(super) is_out_of_memory: bool,
    pub(super) events: Vec<Event>,
    is_flattened: bool,
    /// Byte offset that events report: that of the last tag or, if an element was checked against the depth limit
    /// since, that of its start tag.
    pub(super) last_tag_offset: usize,
}

impl LimitState {
    /// Creates the state in which nothing of these limits is used up.
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            max: *limits,
            depth_check_from: limits.depth,
            reconstruction_charge: 0,
            is_formatting_dropped: false,
            is_out_of_memory: false,
            events: Vec::new(),
            is_flattened: false,
            last_tag_offset: 0,
        }
    }

    /// Records that an element is about to be removed from the middle of a stack of `open_count` elements. The elements
    /// above are then one level deeper in the tree than on the stack; if some of them were flattened, no depth follows
    /// from the stack any more.
    #[inline]
    pub(super) fn record_middle_removal(&mut self, open_count: usize) {
        if self.max.depth != usize::MAX {
            self.depth_check_from = if open_count > self.max.depth {
                0
            } else {
                self.depth_check_from.saturating_sub(1)
            };
        }
    }

    /// Records that elements of a stack of `open_count` elements are about to be reordered.
    #[inline]
    pub(super) fn record_reordering(&mut self, open_count: usize) {
        if open_count > self.max.depth {
            self.depth_check_from = 0;
        }
    }

    /// Returns the maximum depth of a node that elements are inserted into.
    pub(super) fn max_parent_depth(&self) -> usize {
        self.max.depth - 1
    }

    /// Whether the depth of the tree follows from the depth of the stack.
    #[inline]
    fn depth_follows_from_stack(&self) -> bool {
        self.depth_check_from == self.max.depth
    }
}

/// A node for which a child was too deep. That child was inserted elsewhere, and later children of the node are
/// inserted after it, so that nodes keep the order of the input.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlattenedParent<N> {
    parent: N,
    /// The node that the child was inserted into instead of `parent`.
    target: N,
    /// The node that was the current node when the child was moved.
    current: N,
    /// Slot of `current` on the stack.
    slot: u32,
}

/// Number of tag bytes that are charged like one reconstruction, because serialized output repeats the attributes of
/// reconstructed elements.
const BYTES_PER_CHARGE: u64 = 64;

/// Number of levels between a node whose depth was computed and the landmark above it.
const LANDMARK_DISTANCE: usize = 32;

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the parent for an element that belongs in `parent`: an ancestor of `parent`, if the element would be too
    /// deep in `parent`.
    #[inline]
    pub(super) fn limit_depth(&mut self, parent: S::Node, span: Option<Span>) -> S::Node {
        if self.open.len() < self.limits.depth_check_from {
            return parent;
        }
        self.limit_depth_slow(parent, span)
    }

    /// Slow path of `limit_depth`: returns the parent for an element that may be too deep in `parent`.
    #[cold]
    fn limit_depth_slow(&mut self, parent: S::Node, span: Option<Span>) -> S::Node {
        if let Some(span) = span {
            self.limits.last_tag_offset = span.start;
        }
        let target = if self.limits.depth_follows_from_stack() {
            self.report_flattened();
            self.parent_or_host_parent(parent).unwrap_or(parent)
        } else {
            self.ancestor_within(parent, self.limits.max_parent_depth())
        };
        if target != parent && self.flattening_target(parent).is_none() {
            let current =
                self.open.last_slot().and_then(|slot| Some((self.open.get(slot)?.node, slot)));
            if let Some((current, slot)) = current {
                self.flattened_nodes.push(FlattenedParent { parent, target, current, slot });
            }
        }
        target
    }

    /// Returns the parent for a node that belongs in `parent` and is no element: if children of `parent` were
    /// flattened, the node that received them; otherwise `parent`.
    #[inline]
    pub(super) fn parent_after_flattening(&mut self, parent: S::Node) -> S::Node {
        if self.flattened_nodes.is_empty() {
            parent
        } else {
            self.flattening_target(parent).unwrap_or(parent)
        }
    }

    /// Returns the node that received an element too deep to become a child of `parent`, if `parent` is the innermost
    /// open node with flattened children.
    #[cold]
    fn flattening_target(&mut self, parent: S::Node) -> Option<S::Node> {
        while let Some(last) = self.flattened_nodes.last()
            && !self.open.holds(last.current, last.slot)
        {
            self.steps += 1;
            self.flattened_nodes.pop();
        }
        self.flattened_nodes.last().filter(|last| last.parent == parent).map(|last| last.target)
    }

    pub(super) fn report_flattened(&mut self) {
        if !self.limits.is_flattened {
            self.limits.is_flattened = true;
            let (offset, limit) = (self.limits.last_tag_offset, self.limits.max.depth);
            self.limits.events.push(Event::Flattened { offset, limit });
        }
    }

    /// Whether the depth of a node must be computed, because it does not follow from the stack and may exceed the
    /// limit.
    pub(super) fn must_check_depth(&self) -> bool {
        !self.limits.depth_follows_from_stack() && self.open.len() >= self.limits.depth_check_from
    }

    /// Returns the number of ancestors of a node; template contents have none.
    pub(super) fn depth_of(&mut self, node: S::Node) -> usize {
        let (mut depth, mut ancestor, mut next_landmark) = (0, node, None);
        let node_depth = loop {
            if let Some((landmark, landmark_depth)) = self.landmark
                && landmark == ancestor
            {
                break depth + landmark_depth;
            }
            let Some(parent) = self.sink.parent_of(ancestor) else { break depth };
            self.steps += 1;
            (depth, ancestor) = (depth + 1, parent);
            if depth == LANDMARK_DISTANCE {
                next_landmark = Some(ancestor);
            }
        };
        // The next walk usually starts near this node, so it will soon end at this landmark.
        if let Some(landmark) = next_landmark {
            self.landmark = Some((landmark, node_depth - LANDMARK_DISTANCE));
        }
        node_depth
    }

    /// Clears the landmark before the depth of a node changes, unless the landmark is less deep than the node. `depth`
    /// is the node's depth, if known.
    pub(super) fn forget_landmark(&mut self, depth: Option<usize>) {
        let is_less_deep = |&(_, landmark_depth): &(S::Node, usize)| {
            depth.is_some_and(|depth| landmark_depth < depth)
        };
        self.landmark = self.landmark.filter(is_less_deep);
    }

    /// Returns `node`, or, if that is deeper than `max_depth`, its ancestor at that depth; a `max_depth` of 0 counts as
    /// 1.
    pub(super) fn ancestor_within(&mut self, node: S::Node, max_depth: usize) -> S::Node {
        let excess = self.depth_of(node).saturating_sub(max_depth.max(1));
        if excess == 0 {
            return node;
        }
        self.report_flattened();
        self.steps += excess as u64;
        let mut ancestor = node;
        for _ in 0..excess {
            ancestor = self.sink.parent_of(ancestor).unwrap_or(ancestor);
        }
        ancestor
    }

    /// Returns `place`, or one further out, for a block of depth `old_depth` that the adoption agency moves with
    /// `recreated_count` elements around it. No node of the block gets deeper there, and one more element fits into it.
    pub(super) fn place_for_adopted(
        &mut self,
        place: InsertionLocation<S::Node>,
        recreated_count: usize,
        old_depth: Option<usize>,
    ) -> InsertionLocation<S::Node> {
        let parent = match place {
            InsertionLocation::LastIn(parent) => parent,
            InsertionLocation::Before(sibling) => self.sink.parent_of(sibling).unwrap_or(sibling),
        };
        let ancestor = self.ancestor_for_adopted(parent, recreated_count, old_depth);
        if ancestor == parent { place } else { InsertionLocation::LastIn(ancestor) }
    }

    /// Returns `parent`, or its nearest ancestor in which a furthest block of the depth `old_depth` is no deeper with
    /// `recreated_count` elements around it. Without a depth, returns `parent`.
    pub(super) fn ancestor_for_adopted(
        &mut self,
        parent: S::Node,
        recreated_count: usize,
        old_depth: Option<usize>,
    ) -> S::Node {
        let Some(old_depth) = old_depth else { return parent };
        let max_depth =
            self.limits.max_parent_depth().min(old_depth).saturating_sub(recreated_count + 1);
        self.ancestor_within(parent, max_depth)
    }

    /// Returns the parent of a node. For template contents, which have none, returns the parent of the current node if
    /// that is a template inside another template.
    fn parent_or_host_parent(&mut self, node: S::Node) -> Option<S::Node> {
        let parent = self.sink.parent_of(node);
        if parent.is_some() || node == self.document {
            return parent;
        }
        let template = C::TEMPLATE.filter(|&id| self.open.count_named(id) > 1)?;
        let &Open { node, name, .. } = self.open.last()?;
        let is_template = name == Name::new(C::ELEMENTS.namespace(), LocalName::known(template));
        if is_template { self.sink.parent_of(node) } else { None }
    }

    /// Charges the reconstruction of a formatting element: 1, and 1 more for each [`BYTES_PER_CHARGE`] bytes of its
    /// tag. Returns whether the limit allows it; otherwise the list is cleared up to its last marker.
    pub(super) fn charge_reconstruction(&mut self, length: u32) -> bool {
        self.add_charge(1 + u64::from(length) / BYTES_PER_CHARGE)
    }

    /// Charges the formatting elements that a round of the adoption agency recreates, by the total length of their tags
    /// alone: an end tag recreates no more than a few, so short tags are free. Returns whether the limit allows it.
    pub(super) fn charge_adoption(&mut self, length: u64) -> bool {
        length < BYTES_PER_CHARGE || self.add_charge(length / BYTES_PER_CHARGE)
    }

    /// Adds to the charge for reconstructions. If that exceeds the limit, clears the list up to its last marker and
    /// returns false.
    fn add_charge(&mut self, charge: u64) -> bool {
        self.limits.reconstruction_charge += charge;
        let earned = self.limits.last_tag_offset as u64 / self.limits.max.bytes_per_reconstructed;
        let limit = self.limits.max.reconstructed.saturating_add(earned);
        if self.limits.reconstruction_charge <= limit {
            return true;
        }
        if !self.limits.is_formatting_dropped {
            self.limits.is_formatting_dropped = true;
            let offset = self.limits.last_tag_offset;
            self.limits.events.push(Event::FormattingDropped { offset, limit });
        }
        let has_marker = self.formatting.has_marker();
        self.clear_formatting();
        if has_marker {
            self.insert_marker();
        }
        false
    }

    /// Returns the heap size in bytes of the sink, the errors and the builder's lists.
    fn memory_usage(&self) -> usize {
        let error_bytes = self.errors.as_ref().map_or(0, BoundedErrors::memory_usage);
        // While a hash set grows, the old table and one twice as large exist at once, hence the factor of 3.
        let reported_error_bytes = 3 * self.reported_errors.capacity() * size_of::<(&str, Span)>();
        let text_bytes =
            self.text.capacity() + self.document_text.capacity() + self.pending.memory_usage();
        let list_bytes = self.open.memory_usage()
            + self.formatting.memory_usage()
            + self.bindings.memory_usage()
            + self.recorded_attributes.memory_usage();
        self.sink.memory() + error_bytes + reported_error_bytes + text_bytes + list_bytes
    }

    /// Stops tree construction if the builder's memory and `other_bytes` together exceed the limit. Returns whether it
    /// did.
    pub(super) fn check_memory(&mut self, other_bytes: usize, offset: usize) -> bool {
        let limit = self.limits.max.bytes;
        if limit == usize::MAX || self.has_stopped {
            return false;
        }
        let used = self.memory_usage() + other_bytes;
        if used > limit {
            self.stop();
            self.limits.is_out_of_memory = true;
            self.limits.events.push(Event::OutOfMemory { offset, limit, used });
        }
        used > limit
    }
}
