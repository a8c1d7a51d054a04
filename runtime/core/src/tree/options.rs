//! The options of a tree, and its preparation for an input. Options do not change which nodes a tree has, except for
//! the node limit, which [`Overflow`] reports.

use super::Tree;
use super::attributes::AttributeStore;
use super::in_order::{Labels, Moves};
use super::input::Chunk;
use super::node::{DOCUMENT, FarNames, Node};
use super::node_spans::{NodeSpanList, RawSpan};
use super::patch::Marks;
use super::texts::Texts;
use crate::encoding::Encoding;
use crate::names::{KnownNames, Names};
use crate::setters::setters;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The mode of a document: no-quirks, limited-quirks or quirks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DocumentMode {
    /// No-quirks mode.
    #[default]
    NoQuirks,
    /// Limited-quirks mode.
    LimitedQuirks,
    /// Quirks mode.
    Quirks,
}

/// The positions in the input that a tree stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Positions {
    /// No positions.
    None,
    /// Positions of nodes and end tags, in 8 bytes per node.
    Nodes,
    /// Positions of nodes, end tags, and names and values of attributes. If the tree keeps the input, most attributes
    /// need no additional memory for their positions; others need 20 bytes each.
    #[default]
    All,
}

/// A limit of a tree that an input exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Overflow {
    /// The node limit was reached, and further nodes were dropped.
    Nodes,
    /// The input is longer than 4 GiB less two bytes; positions beyond that are clamped.
    Offsets,
}

/// Options of a [`Tree`].
///
/// ```
/// use tabulex::tree::{Positions, Tree, TreeOptions};
/// let tree = Tree::with_options(TreeOptions::new().positions(Positions::None).node_limit(1_000_000));
/// assert_eq!(tree.positions(), Positions::None);
/// ```
#[derive(Clone, Debug)]
pub struct TreeOptions {
    positions: Positions,
    known_names: Option<&'static KnownNames>,
    input_length: usize,
    node_limit: u32,
    is_xml: bool,
}

impl TreeOptions {
    /// Creates the default options: all positions, no known names, an input of unknown length, and the maximum number
    /// of nodes.
    pub const fn new() -> Self {
        let (positions, known_names) = (Positions::All, None);
        Self { positions, known_names, input_length: 0, node_limit: u32::MAX - 16, is_xml: false }
    }

    /// Sets the maximum number of nodes including the document, at least 1. Nodes beyond that are dropped, which
    /// [`Tree::overflow`] reports.
    pub const fn node_limit(mut self, limit: u32) -> Self {
        let max = u32::MAX - 16;
        self.node_limit = if limit == 0 {
            1
        } else if limit > max {
            max
        } else {
            limit
        };
        self
    }

    pub(super) fn build(self) -> Tree {
        let names = self.known_names.map_or_else(Names::default, Names::with_known);
        let input_length = self.input_length;
        let mut tree = self.build_without_nodes(names, Texts::default());
        tree.reserve_for_input(input_length);
        tree.add_document();
        tree
    }

    /// Creates a tree without nodes, even without a document.
    fn build_without_nodes(self, names: Names, texts: Texts) -> Tree {
        Tree {
            nodes: Vec::new(),
            spans: NodeSpanList::default(),
            texts,
            attributes: AttributeStore::default(),
            names,
            far_names: FarNames::default(),
            doctypes: Vec::new(),
            instructions: Vec::new(),
            contents: HashMap::new(),
            shadows: HashMap::new(),
            marks: Marks::default(),
            selection: None,
            moves: Moves::default(),
            labels: Labels::default(),
            steps: 0,
            had_duplicates: HashSet::new(),
            associations: Vec::new(),
            mode: DocumentMode::NoQuirks,
            encoding: Encoding::UTF_8,
            positions: self.positions,
            growth: Growth::default(),
            first_dropped_at: 0,
            node_limit: self.node_limit,
            is_xml: self.is_xml,
        }
    }
}

setters! {
    TreeOptions: Default = new;

    /// Sets which positions the tree keeps; by default, all.
    positions(positions: Positions) => positions = positions;

    /// Sets the local names that have fixed ids.
    known_names(known: &'static KnownNames) => known_names = Some(known);

    /// Sets the length of the input in bytes, from which the initial capacity is estimated.
    input_length(length: usize) => input_length = length;

    /// Sets whether the document is XML, so that attribute names of HTML elements are compared and stored as written.
    /// In other documents they are converted to lowercase, as in the DOM.
    xml(is_xml: bool) => is_xml = is_xml;
}

/// A chunk of the input that a tree keeps.
pub(crate) struct KeptChunk {
    /// The segment of the kept input that ends with the chunk.
    pub(crate) segment: Arc<String>,
    /// Offset in the segment of the first byte of the input that is still needed.
    pub(crate) start: usize,
    /// Whether the chunk contains one of the bytes that [`Tree::keep_chunk`] searches for.
    pub(crate) has_special: bool,
}

impl Tree {
    /// Lowers the node limit to `limit`, unless the tree already has more nodes.
    pub(crate) fn limit_nodes(&mut self, limit: u32) {
        let limit = limit.min(self.node_limit).max(1);
        if self.nodes.len() as u64 <= u64::from(limit) {
            self.node_limit = limit;
        }
    }

    /// Whether the node limit allows this many more nodes.
    pub(crate) fn fits_nodes(&self, nodes: usize) -> bool {
        self.nodes.len().saturating_add(nodes) <= self.node_limit as usize
    }

    /// Reserves capacity for an input of this length in bytes. A long input is assumed to be mostly text; lists grow
    /// later if necessary.
    pub(crate) fn reserve_for_input(&mut self, input_length: usize) {
        let input_length = input_length.min(Self::MAX_OFFSET);
        let bytes_per_node = if input_length <= SHORT_INPUT { MIN_BYTES_PER_NODE } else { 80 };
        let nodes = input_length / bytes_per_node + 1;
        self.reserve_compact(input_length, nodes, nodes / 2);
    }

    /// Reserves capacity for an input of this length with the estimated numbers of nodes and attributes.
    fn reserve_compact(&mut self, input_length: usize, nodes: usize, attributes: usize) {
        self.growth = Growth { input_length, reached_offset: 0 };
        let nodes = nodes.min(self.node_limit as usize);
        reserve_compact(&mut self.nodes, nodes);
        reserve_compact(&mut self.attributes.records, attributes);
        if self.positions != Positions::None {
            self.spans.reserve(nodes);
        }
    }

    /// The last offset that a tree can store.
    pub(crate) const MAX_OFFSET: usize = RawSpan::LAST;

    /// Keeps a chunk together with the input before it that is still needed; returns `None` if the input is too long.
    /// Text that is part of the returned segment is not copied when nodes are created. [`KeptChunk::has_special`] tells
    /// whether the chunk contains one of the bytes `specials`.
    pub(crate) fn keep_chunk(
        &mut self,
        chunk: &Chunk<'_>,
        specials: impl Iterator<Item = u8> + Clone,
    ) -> Option<KeptChunk> {
        let (mut estimate, mut has_special) = (SizeEstimate::default(), false);
        let is_first = self.texts.input.is_empty();
        let (segment, start) = self.texts.input.keep_chunk(chunk, |piece| {
            if is_first {
                estimate.add_piece(piece);
            }
            has_special |= specials.clone().any(|byte| memchr::memchr(byte, piece).is_some());
        })?;
        if is_first {
            let (nodes, attributes) = estimate.nodes_and_attributes(segment.len());
            self.reserve_compact(segment.len(), nodes, attributes);
        }
        Some(KeptChunk { segment, start, has_special })
    }

    /// Records the line ends of the next chunk, which is not kept, so that no range begins or ends inside a line end.
    /// Returns the chunk's text if the line ends are normalized.
    pub(crate) fn record_line_ends(&mut self, chunk: &Chunk<'_>) -> Option<String> {
        self.texts.input.record_line_ends(chunk)
    }

    /// Returns the latest segment of the kept input, and the input offset `start` as an offset in that segment.
    pub(crate) fn retained_tail(&self, start: usize) -> (Arc<String>, usize) {
        self.texts.input.latest(start)
    }

    /// Creates the document node of a tree without nodes.
    fn add_document(&mut self) {
        if self.positions != Positions::None {
            self.spans.push(None, &self.growth);
        }
        self.nodes.push(Node::other(DOCUMENT, 0));
    }

    /// Returns an empty tree with the options of this one and these known names, which reuses the capacity of its long
    /// lists.
    pub(crate) fn into_empty(mut self, known: &'static KnownNames) -> Self {
        let options = TreeOptions::new().positions(self.positions).node_limit(self.node_limit);
        self.names.reset(known);
        self.texts.clear();
        let mut tree = options.xml(self.is_xml).build_without_nodes(self.names, self.texts);
        self.nodes.clear();
        self.doctypes.clear();
        (tree.nodes, tree.doctypes, tree.spans) =
            (self.nodes, self.doctypes, self.spans.into_empty());
        tree.attributes = self.attributes.into_empty();
        tree.add_document();
        tree
    }
}

// Capacity estimates for a tree's lists. A list grows by at least a constant factor, so filling it is linear.

/// Minimum length of a list that may grow by more than a factor of three at once, so that it is seldom reallocated.
const LARGE_LIST: usize = 1 << 14;

/// Maximum length in bytes of an input for which capacity for the densest markup is reserved at once.
pub(crate) const SHORT_INPUT: usize = 4096;

/// Minimum number of bytes per node in estimates: if `<` is more frequent, most occurrences do not begin tags.
const MIN_BYTES_PER_NODE: usize = 16;

/// Minimum number of bytes per node in an estimate from sampled pieces.
const MIN_SAMPLED_BYTES_PER_NODE: usize = 12;

/// Length in bytes of the stripes into which a piece is divided to count its tags.
const STRIPE: usize = 2048;

/// Number of bytes at the start of each stripe that are searched for tags, as a sample.
const STRIPE_SAMPLE: usize = STRIPE / 4;

/// Interval between sampled pieces: of this many consecutive pieces, the last one is sampled.
const SAMPLE_INTERVAL: usize = 16;

/// Minimum number of tags in sampled pieces for an estimate from these pieces.
const MIN_SAMPLED_TAGS: usize = 512;

/// An estimate of the number of nodes and attributes that an input creates, computed piece by piece.
#[derive(Clone, Copy, Debug, Default)]
struct SizeEstimate {
    piece_count: usize,
    /// Number of `<`, counted in the first piece and extrapolated in later pieces.
    tags: usize,
    /// Number of `<` in the sampled pieces.
    sampled_tags: usize,
    /// Estimated number of nodes in the sampled pieces.
    sampled_nodes: usize,
    /// Estimated number of attributes in the sampled pieces.
    sampled_attributes: usize,
}

impl SizeEstimate {
    /// Counts tags in the next piece of the input, and samples some pieces more closely.
    fn add_piece(&mut self, piece: &[u8]) {
        let count_tags = |part: &[u8]| memchr::memchr_iter(b'<', part).count();
        self.tags += match self.piece_count {
            0 => count_tags(piece),
            // In later pieces, counting only the start of each stripe is accurate enough.
            _ => {
                let stripes = piece.chunks(STRIPE);
                let counted =
                    stripes.map(|stripe| count_tags(&stripe[..stripe.len().min(STRIPE_SAMPLE)]));
                counted.sum::<usize>() * (STRIPE / STRIPE_SAMPLE)
            }
        };
        self.piece_count += 1;
        // The first piece is not sampled, because most inputs have no other piece, and later pieces differ from it.
        if self.piece_count.is_multiple_of(SAMPLE_INTERVAL) {
            self.sample(piece);
        }
    }

    /// Estimates the number of nodes and attributes in a piece: each tag that is not an end tag creates an element, and
    /// each `<` that does not follow a `>` ends a text.
    #[inline(never)]
    fn sample(&mut self, piece: &[u8]) {
        for offset in memchr::memchr_iter(b'<', piece) {
            let is_end = piece.get(offset + 1) == Some(&b'/');
            let is_after_text = offset.checked_sub(1).is_some_and(|before| piece[before] != b'>');
            self.sampled_tags += 1;
            self.sampled_nodes += usize::from(!is_end) + usize::from(is_after_text);
        }
        let is_quote = |offset| matches!(piece.get(offset + 1), Some(b'"' | b'\''));
        let attributes = memchr::memchr_iter(b'=', piece).filter(|&offset| is_quote(offset));
        self.sampled_attributes += attributes.count();
    }

    /// Returns the numbers of nodes and attributes to reserve for an input of this length in bytes.
    fn nodes_and_attributes(self, length: usize) -> (usize, usize) {
        if self.sampled_tags < MIN_SAMPLED_TAGS {
            // Web pages have 1.2 nodes per `<`, seldom more than 1.4, and one attribute per two nodes. The factor of
            // 1.45 allows for extrapolated counts that are too low.
            let nodes = (self.tags + self.tags * 9 / 20).min(length / MIN_BYTES_PER_NODE);
            return (nodes, nodes / 2);
        }
        let scaled = |count: usize| {
            let expected = count as u128 * self.tags as u128 / self.sampled_tags as u128;
            usize::try_from(expected + expected / 32)
                .unwrap_or(usize::MAX)
                .min(length / MIN_SAMPLED_BYTES_PER_NODE)
        };
        (scaled(self.sampled_nodes), scaled(self.sampled_attributes))
    }
}

/// Reserves capacity for `count` more items in a list with few items. If memory is insufficient, nothing is reserved,
/// because the number is an estimate. Items move to a new allocation, as reallocation would copy the whole old block of
/// a list that was once long.
pub(super) fn reserve_compact<T>(list: &mut Vec<T>, count: usize) {
    if list.capacity() - list.len() < count {
        let mut new_list = Vec::new();
        let _ = new_list.try_reserve_exact(list.len().saturating_add(count));
        new_list.append(list);
        *list = new_list;
    }
}

/// The progress through the input, from which the growth of a tree's lists is predicted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    /// The length of the input in bytes; 0 if unknown.
    pub(super) input_length: usize,
    /// The input offset up to which nodes have been created.
    pub(super) reached_offset: usize,
}

impl Growth {
    /// Returns the new capacity for a full list. If the length of the input is known, the capacity is predicted from
    /// the part of the input already read, because doubling would leave up to half of a large list unused.
    pub(super) fn capacity(self, length: usize, needed: usize) -> usize {
        if self.reached_offset == 0 || self.reached_offset > self.input_length {
            return needed.max(length * 2).max(16);
        }
        let predicted = length as u128 * self.input_length as u128 / self.reached_offset as u128;
        // The slack grows with the remaining input, because the prediction is then less certain.
        let remaining = (self.input_length - self.reached_offset) as u128;
        let slack = predicted / 50 + predicted * remaining / (10 * self.input_length as u128);
        let predicted = usize::try_from(predicted + slack).unwrap_or(usize::MAX);
        // The start of an input predicts little about the whole, so the prediction is limited to a multiple of the
        // length. For a long list, which should not be reallocated often, the limit is higher.
        let is_reliable = length >= LARGE_LIST && self.reached_offset >= self.input_length / 16;
        let max_factor = if is_reliable { 16 } else { 3 };
        predicted
            .clamp(length + length / 8 + 16, length.saturating_mul(max_factor) + 64)
            .max(needed)
    }

    /// Appends an item, growing a full list to the predicted capacity.
    #[inline]
    pub(super) fn push<T>(&self, list: &mut Vec<T>, item: T) {
        if list.len() == list.capacity() {
            self.grow(list, 1);
        }
        list.push(item);
    }

    /// Appends items after reserving capacity for all of them.
    #[inline(always)]
    pub(super) fn extend<T>(&self, list: &mut Vec<T>, items: impl ExactSizeIterator<Item = T>) {
        if list.capacity() - list.len() < items.len() {
            self.grow(list, items.len());
        }
        list.extend(items);
    }

    /// Grows a list to the predicted capacity, at least by `count` items. Out of line, as lists seldom grow.
    #[cold]
    #[inline(never)]
    fn grow<T>(self, list: &mut Vec<T>, count: usize) {
        let length = list.len();
        list.reserve_exact(self.capacity(length, length + count) - length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_input_is_estimated_from_its_tags() {
        let nodes_and_attributes = |input: &str, piece: usize| {
            let mut estimate = SizeEstimate::default();
            input.as_bytes().chunks(piece).for_each(|piece| estimate.add_piece(piece));
            estimate.nodes_and_attributes(input.len())
        };
        assert_eq!(nodes_and_attributes("", 9), (0, 0));
        assert_eq!(nodes_and_attributes("no tag", 9), (0, 0));
        // Each line creates three nodes: an element, its text and the text after it. Their number is estimated from the
        // whole input and from pieces of it.
        let paragraphs =
            "<p>some text, and more of it</p> after it, and more, and more\n".repeat(1000);
        for (piece, expected) in [(usize::MAX, 2900..2901), (8192, 2700..3100), (4096, 2700..3100)]
        {
            let (nodes, attributes) = nodes_and_attributes(&paragraphs, piece);
            assert!(
                expected.contains(&nodes),
                "estimated {nodes} nodes from pieces of {piece} bytes"
            );
            assert_eq!(attributes, nodes / 2);
        }
        assert_eq!(nodes_and_attributes(&"<".repeat(16_000), 4096), (1000, 500));
    }

    #[test]
    fn long_input_is_estimated_from_sampled_pieces() {
        let mut estimate = SizeEstimate::default();
        let input = "<p a=\"some value\" b='another value'/>\n".repeat(20_000);
        input.as_bytes().chunks(4096).for_each(|piece| estimate.add_piece(piece));
        let (nodes, attributes) = estimate.nodes_and_attributes(input.len());
        assert!((40_000..42_000).contains(&nodes), "estimated {nodes} nodes");
        assert!((40_000..42_000).contains(&attributes), "estimated {attributes} attributes");
    }
}
