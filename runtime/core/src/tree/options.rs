//! What can be chosen for a tree and asked of it. It builds the empty tree and nothing else. Invariant: an option never
//! changes which nodes a tree has, except a limit, which then shows in [`Overflow`].

use super::Tree;
use super::attributes::AttributeStore;
use super::growth::{Growth, SizeEstimate, make_room};
use super::in_order::{Labels, Moves};
use super::input::Input;
use super::node::{DOCUMENT, FarNames, Node};
use super::node_spans::NodeSpanList;
use super::patch::Marks;
use super::raw_span::RawSpan;
use super::selected::Choices;
use super::texts::Texts;
use crate::names::KnownNames;
use crate::names::Names;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// Whether a document is in quirks mode.
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

/// Which places in the input a tree keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Positions {
    /// None.
    None,
    /// Those of nodes and end tags: 8 bytes a node.
    Nodes,
    /// Those of names and values of attributes as well: no more memory for most attributes of an input that comes
    /// whole, 8 to 12 bytes for each other one.
    #[default]
    All,
}

/// What did not fit into a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Overflow {
    /// There were more nodes than the limit allows; what came then was left out.
    Nodes,
    /// The input is longer than 4 GiB less two bytes; places after that are reported as that place.
    Offsets,
}

impl fmt::Display for Overflow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Nodes => "the tree has more nodes than its limit allows",
            Self::Offsets => "the input is too long for a tree, whose places end at 4 GiB",
        })
    }
}

impl std::error::Error for Overflow {}

/// How a [`Tree`] is to be made.
///
/// ```
/// use tabulex::tree::{Positions, Tree, TreeOptions};
/// let tree = Tree::with_options(TreeOptions::new().positions(Positions::None).node_limit(1_000_000));
/// assert_eq!(tree.positions(), Positions::None);
/// ```
#[derive(Clone, Debug)]
pub struct TreeOptions {
    positions: Positions,
    known: Option<&'static KnownNames>,
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
    /// All positions, no known names, an input of unknown length, as many nodes as can be counted.
    pub const fn new() -> Self {
        let (positions, known) = (Positions::All, None);
        Self { positions, known, input_length: 0, node_limit: u32::MAX - 16, is_xml: false }
    }

    /// Which positions are kept.
    pub const fn positions(mut self, positions: Positions) -> Self {
        self.positions = positions;
        self
    }

    /// The local names whose numbers are fixed.
    pub const fn known_names(mut self, known: &'static KnownNames) -> Self {
        self.known = Some(known);
        self
    }

    /// The length of the input in bytes, from which capacity is reserved.
    pub const fn input_length(mut self, length: usize) -> Self {
        self.input_length = length;
        self
    }

    /// How many nodes there may be, the document included (at least that one). Nodes beyond are left out, and
    /// [`Tree::overflow`] reports it.
    pub const fn node_limit(mut self, limit: u32) -> Self {
        let most = u32::MAX - 16;
        self.node_limit = if limit == 0 {
            1
        } else if limit > most {
            most
        } else {
            limit
        };
        self
    }

    /// Whether the document is one of XML: names of attributes of HTML elements are then compared and kept as written.
    /// In other documents they are converted to lower case, as the DOM does.
    pub const fn xml(mut self, is_xml: bool) -> Self {
        self.is_xml = is_xml;
        self
    }

    pub(super) fn build(self) -> Tree {
        let names = self.known.map_or_else(Names::default, Names::with_known);
        self.build_with(names)
    }

    fn build_with(self, names: Names) -> Tree {
        let mut tree = Tree {
            nodes: Vec::new(),
            spans: NodeSpanList::default(),
            texts: Texts::default(),
            attributes: AttributeStore::default(),
            names,
            far_names: FarNames::default(),
            doctypes: Vec::new(),
            instructions: Vec::new(),
            contents: HashMap::new(),
            shadows: HashMap::new(),
            marks: Marks::default(),
            choices: Choices::default(),
            moves: Moves::default(),
            labels: Labels::default(),
            steps: 0,
            duplicates: HashSet::new(),
            mode: DocumentMode::NoQuirks,
            positions: self.positions,
            growth: Growth::default(),
            spilled_at: 0,
            node_limit: self.node_limit,
            is_xml: self.is_xml,
        };
        tree.foresee(self.input_length);
        tree.begin();
        tree
    }
}

impl Tree {
    /// Allows no more nodes than this, if there are no more yet.
    pub(crate) fn limit_nodes(&mut self, limit: u32) {
        let limit = limit.min(self.node_limit).max(1);
        if self.nodes.len() as u64 <= u64::from(limit) {
            self.node_limit = limit;
        }
    }

    /// Whether there may be so many more nodes.
    pub(crate) fn has_room(&self, nodes: usize) -> bool {
        self.nodes.len().saturating_add(nodes) <= self.node_limit as usize
    }

    /// Reserves capacity for what an input of this length needs if it is mostly text; growth follows the document.
    pub(crate) fn foresee(&mut self, input_length: usize) {
        // What comes after has no place.
        let input_length = input_length.min(Self::LAST_PLACE);
        let nodes = input_length / 80 + 1;
        self.make_room(input_length, nodes, nodes / 2);
    }

    /// Reserves capacity for an input of this length with the estimated numbers of nodes and attributes.
    fn make_room(&mut self, input_length: usize, nodes: usize, attributes: usize) {
        self.growth = Growth { expected: input_length, reached: 0 };
        let nodes = nodes.min(self.node_limit as usize);
        make_room(&mut self.nodes, nodes);
        make_room(&mut self.attributes.records, attributes);
        if self.positions != Positions::None {
            self.spans.reserve(nodes);
        }
    }

    /// The last place that a tree can have.
    pub(crate) const LAST_PLACE: usize = RawSpan::LAST;

    /// The longest input that can be kept, in bytes.
    pub(crate) const LONGEST_INPUT: usize = Input::LONGEST;

    /// Keeps the whole input of a tree that has no texts yet, with its newlines normalized if wanted. Texts that are
    /// parts of what is returned need no copy. Reports as well whether it holds any of the bytes that are searched.
    pub(crate) fn keep_input(
        &mut self,
        input: &str,
        normalizes: bool,
        wanted: impl Iterator<Item = u8> + Clone,
    ) -> (Arc<String>, bool) {
        let (mut estimate, mut is_found) = (SizeEstimate::default(), false);
        self.texts.keep_input(input, normalizes, |piece| {
            estimate.look_at(piece);
            is_found |= wanted.clone().any(|byte| memchr::memchr(byte, piece).is_some());
        });
        let kept = Arc::clone(&self.texts.input.text);
        let (nodes, attributes) = estimate.nodes_and_attributes(kept.len());
        self.make_room(kept.len(), nodes, attributes);
        (kept, is_found)
    }

    /// Takes notice of the line ends of the next chunk, or of an input that is kept with the newlines that it has: no
    /// range begins or ends within one.
    pub(crate) fn note_line_ends(&mut self, chunk: &str) {
        self.texts.input.note_line_ends(chunk);
    }

    /// Makes the document of a tree that has no node.
    fn begin(&mut self) {
        if self.positions != Positions::None {
            self.spans.push(None, &self.growth);
        }
        self.nodes.push(Node::other(DOCUMENT, 0));
    }

    /// An empty tree with the options of this one, except known names, and with the capacity of its long lists.
    pub(crate) fn emptied(mut self) -> Self {
        let options = TreeOptions::new().positions(self.positions).node_limit(self.node_limit);
        let options = options.xml(self.is_xml);
        let mut tree = options.build_with(self.names.emptied());
        self.nodes.clear();
        (tree.nodes, tree.spans) = (self.nodes, self.spans.emptied());
        (tree.texts, tree.attributes) = (self.texts.emptied(), self.attributes.emptied());
        tree.begin();
        tree
    }
}
