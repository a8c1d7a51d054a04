//! Trees: an arena of nodes, names as numbers, one buffer of text. It parses nothing, and knows no dialect; what builds
//! trees speaks to a [`TreeSink`]. Invariant: every child is linked with its parent and siblings in both directions, no
//! node is inside itself, and nothing here recurses.
//!
//! A [`Tree`] owns all of its nodes. A node is a [`NodeId`], a number, or a [`NodeRef`], the number and its tree:
//!
//! ```
//! use tabulex::tree::{Namespace, Tree};
//!
//! let mut tree = Tree::new();
//! let list = tree.create_element(Namespace::HTML, "ul");
//! tree.append(tree.document(), list)?;
//! for word in ["one", "two"] {
//!     let item = tree.create_element(Namespace::HTML, "li");
//!     tree.set_attribute(item, "class", word).unwrap();
//!     tree.append_text(item, word);
//!     tree.append(list, item)?;
//! }
//!
//! let list = tree.root().first_child().unwrap();
//! let words: Vec<String> = list.children().map(|item| item.text()).collect();
//! assert_eq!(words, ["one", "two"]);
//! let two = list.descendants().find(|node| node.attribute("class") == Some("two")).unwrap();
//! assert_eq!(two.local_name(), Some("li"));
//! # Ok::<(), tabulex::tree::HierarchyError>(())
//! ```

mod attribute_spans;
mod attributes;
mod compare;
mod copy;
mod create;
mod elements;
mod growth;
mod in_order;
mod input;
mod iterate;
mod link;
mod mutate;
mod node;
mod node_ref;
mod node_spans;
mod options;
mod order;
mod patch;
mod pieces;
mod place;
mod pseudo_attributes;
mod raw_span;
mod selected;
pub(crate) mod serialize;
mod shadow;
mod sink;
mod tag;
mod texts;
pub(crate) mod words;

pub use iterate::{Ancestors, Children, Descendants, Edge, Siblings, Walk};
pub use mutate::{HierarchyError, InvalidName};
pub use node::{NodeId, NodeKind};
pub use node_ref::{AttributeRef, AttributeRefs, DoctypeRef, NodeRef};
pub use options::{DocumentMode, Overflow, Positions, TreeOptions};
pub use serialize::{HtmlSerializer, SerializerNames, ShadowRootDeclaration, ShadowRootNames};
pub use shadow::ShadowRootMode;
pub use sink::TreeSink;

pub use crate::attribute::{AttributeNames, SinkAttribute};
pub use crate::names::{KnownNames, LocalName, Name, NameRef, Names, Namespace};

use crate::span::Span;
use attributes::AttributeStore;
use growth::Growth;
use in_order::{Labels, Moves};
use node::{DoctypeRecord, FarNames, InstructionRecord, Node};
use node_spans::NodeSpanList;
use patch::Marks;
use raw_span::RawSpan;
use selected::Choices;
use shadow::ShadowRecord;
use std::collections::{HashMap, HashSet};
use texts::Texts;

/// A tree of nodes, with its document as root.
///
/// Two trees are equal if their documents are: the same kinds of nodes in the same order, with equal names, attributes
/// (in order), texts and template contents, and the same [`DocumentMode`]. Positions do not count. Cloning copies a few
/// lists; dropping frees them.
#[derive(Clone)]
pub struct Tree {
    nodes: Vec<Node>,
    /// As long as `nodes`, or empty if positions are not kept.
    spans: NodeSpanList,
    texts: Texts,
    attributes: AttributeStore,
    names: Names,
    far_names: FarNames,
    doctypes: Vec<DoctypeRecord>,
    instructions: Vec<InstructionRecord>,
    /// Template contents by element, shadow roots by host.
    contents: HashMap<u32, u32>,
    /// What else is known of shadow roots, by host.
    shadows: HashMap<u32, ShadowRecord>,
    /// Marks of places for content that comes later.
    marks: Marks,
    /// What is known of the elements that show chosen options.
    choices: Choices,
    /// Which nodes changed places, once it matters.
    moves: Moves,
    /// In which order siblings stand, once it matters.
    labels: Labels,
    /// What loops have looked at.
    steps: u64,
    /// Elements whose tags had an attribute twice.
    duplicates: HashSet<u32>,
    mode: DocumentMode,
    positions: Positions,
    growth: Growth,
    /// How far the input had been read when the first node was left out.
    pub(crate) spilled_at: usize,
    /// How many nodes there may be; the node of this number is the one that stands for all that there may not be.
    node_limit: u32,
    /// Whether names of attributes of HTML elements are compared and kept as written.
    is_xml: bool,
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl Tree {
    /// A tree that holds an empty document.
    pub fn new() -> Self {
        Self::with_options(TreeOptions::new())
    }

    /// An empty tree with capacity for what an input of this length is likely to need. It grows step by step, by
    /// what the part already read has needed.
    pub fn with_capacity_for(input_length: usize) -> Self {
        Self::with_options(TreeOptions::new().input_length(input_length))
    }

    /// An empty tree.
    pub fn with_options(options: TreeOptions) -> Self {
        options.build()
    }

    /// The document.
    pub const fn document(&self) -> NodeId {
        NodeId(0)
    }

    /// The document, to be walked from.
    #[doc(alias = "document")]
    #[doc(alias = "root_element")]
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef::new(self, 0)
    }

    /// The document's element, if it has one.
    #[doc(alias = "html")]
    pub fn document_element(&self) -> Option<NodeRef<'_>> {
        self.root().children().find(NodeRef::is_element)
    }

    /// A node to be walked from. Of an id that is of another tree, and of no node here, a fragment without anything in it:
    /// see [`has_node`](Self::has_node).
    pub fn node(&self, id: NodeId) -> NodeRef<'_> {
        NodeRef::new(self, id.0)
    }

    /// Whether this tree has made a node of this id. An id of another tree can be that of a node here: it is a number.
    ///
    /// ```
    /// use tabulex::tree::{HierarchyError, Namespace, Tree};
    ///
    /// let (mut tree, mut other) = (Tree::new(), Tree::new());
    /// let foreign = other.create_element(Namespace::HTML, "p");
    /// assert!(!tree.has_node(foreign) && tree.node(foreign).first_child().is_none());
    /// assert_eq!(tree.append(tree.document(), foreign), Err(HierarchyError::UnknownNode));
    /// ```
    pub fn has_node(&self, id: NodeId) -> bool {
        id.index() < self.nodes.len()
    }

    /// The node of this number, if there is one: see [`NodeId::index`].
    ///
    /// ```
    /// use tabulex::tree::Tree;
    ///
    /// let tree = Tree::new();
    /// assert_eq!(tree.node_at(tree.document().index()), Some(tree.root()));
    /// assert_eq!(tree.node_at(1), None);
    /// ```
    pub fn node_at(&self, index: usize) -> Option<NodeRef<'_>> {
        let id = u32::try_from(index).ok().filter(|_| index < self.node_count())?;
        Some(NodeRef::new(self, id))
    }

    /// The number of nodes ever made, the document and those taken out included.
    #[doc(alias = "len")]
    pub fn node_count(&self) -> usize {
        self.nodes.len().min(self.node_limit as usize)
    }

    /// The number of nodes and attributes ever made.
    pub(crate) fn made(&self) -> usize {
        self.node_count() + self.attributes.made()
    }

    /// The names of elements and attributes.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The names, to make new ones.
    pub fn names_mut(&mut self) -> &mut Names {
        &mut self.names
    }

    /// Whether the document is in quirks mode.
    pub fn mode(&self) -> DocumentMode {
        self.mode
    }

    /// Sets whether the document is in quirks mode.
    pub fn set_mode(&mut self, mode: DocumentMode) {
        self.mode = mode;
    }

    /// Which positions are kept.
    pub fn positions(&self) -> Positions {
        self.positions
    }

    /// What of the input did not fit into the tree, if anything.
    pub fn overflow(&self) -> Option<Overflow> {
        // The node that stands for those that do not fit is the only one beyond the limit.
        if self.nodes.len() > self.node_limit as usize {
            Some(Overflow::Nodes)
        } else {
            (self.growth.reached > RawSpan::LAST).then_some(Overflow::Offsets)
        }
    }

    /// The range in the input of a range that a machine has reported.
    pub(crate) fn original_span(&self, span: Span) -> Span {
        self.texts.input.original(span)
    }

    /// Gives back capacity that is not used.
    pub fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
        self.spans.shrink();
        self.texts.shrink();
        self.attributes.shrink();
        self.doctypes.shrink_to_fit();
        self.instructions.shrink_to_fit();
        self.contents.shrink_to_fit();
    }

    /// Bytes on the heap, capacity included.
    pub fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.spans.heap_size()
            + self.texts.heap_size()
            + self.attributes.heap_size()
            + self.names.heap_size()
            + self.far_names.heap_size()
            + self.doctypes.capacity() * size_of::<DoctypeRecord>()
            + self.instructions.capacity() * size_of::<InstructionRecord>()
            // A map keeps an eighth free and a byte of its own per slot.
            + self.contents.capacity() * (size_of::<(u32, u32)>() + 1) * 8 / 7
            + self.shadows.capacity() * (size_of::<(u32, ShadowRecord)>() + 1) * 8 / 7
            + self.labels.heap_size()
            + self.duplicates.capacity() * (size_of::<u32>() + 1) * 8 / 7
    }
}
