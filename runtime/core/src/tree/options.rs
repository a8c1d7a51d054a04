//! The options of a tree, and its preparation for an input. Options do not change which nodes a tree has, except for
//! the node limit, which [`Overflow`] reports.

use super::Tree;
use super::attributes::AttributeStore;
use super::growth::{Growth, MIN_BYTES_PER_NODE, SHORT_INPUT, SizeEstimate, reserve_compact};
use super::in_order::{Labels, Moves};
use super::input::Chunk;
use super::node::{DOCUMENT, FarNames, Node};
use super::node_spans::NodeSpanList;
use super::patch::Marks;
use super::raw_span::RawSpan;
use super::selected::SelectionIndex;
use super::texts::Texts;
use crate::names::KnownNames;
use crate::names::Names;
use std::collections::{HashMap, HashSet};
use std::fmt;
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
    /// need no additional memory for their positions; others need 8 to 12 bytes each.
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

impl fmt::Display for Overflow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Nodes => "the input needs more nodes than the node limit of the tree allows",
            Self::Offsets => "the input is too long: positions in a tree end at 4 GiB",
        })
    }
}

impl std::error::Error for Overflow {}

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

impl Default for TreeOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl TreeOptions {
    /// Creates the default options: all positions, no known names, an input of unknown length, and the maximum number
    /// of nodes.
    pub const fn new() -> Self {
        let (positions, known_names) = (Positions::All, None);
        Self { positions, known_names, input_length: 0, node_limit: u32::MAX - 16, is_xml: false }
    }

    /// Sets which positions the tree keeps; by default, all.
    pub const fn positions(mut self, positions: Positions) -> Self {
        self.positions = positions;
        self
    }

    /// Sets the local names that have fixed ids.
    pub const fn known_names(mut self, known: &'static KnownNames) -> Self {
        self.known_names = Some(known);
        self
    }

    /// Sets the length of the input in bytes, from which the initial capacity is estimated.
    pub const fn input_length(mut self, length: usize) -> Self {
        self.input_length = length;
        self
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

    /// Sets whether the document is XML, so that attribute names of HTML elements are compared and stored as written.
    /// In other documents they are converted to lowercase, as in the DOM.
    pub const fn xml(mut self, is_xml: bool) -> Self {
        self.is_xml = is_xml;
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
            selection: SelectionIndex::default(),
            moves: Moves::default(),
            labels: Labels::default(),
            steps: 0,
            had_duplicates: HashSet::new(),
            associations: Vec::new(),
            mode: DocumentMode::NoQuirks,
            positions: self.positions,
            growth: Growth::default(),
            first_dropped_at: 0,
            node_limit: self.node_limit,
            is_xml: self.is_xml,
        }
    }
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

    /// Returns the text of the next chunk with the line ends treated as in a kept chunk, and records them.
    pub(crate) fn normalize_chunk(&mut self, chunk: &Chunk<'_>) -> String {
        self.texts.input.normalize_chunk(chunk, chunk.start + chunk.carry.map_or(0, str::len))
    }

    /// Records the line ends of the next chunk, which is not kept, so that no range begins or ends inside a line end.
    pub(crate) fn record_line_ends(&mut self, chunk: &Chunk<'_>) {
        let offset = chunk.start + chunk.carry.map_or(0, str::len);
        self.texts.input.record_line_ends(chunk, offset);
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
