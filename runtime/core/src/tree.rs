//! Trees: an arena of nodes, interned names, and a shared buffer of text. Tree builders use the [`TreeSink`] trait.
//! Nothing here recurses, so depth is limited by memory alone.
//!
//! A [`Tree`] owns all of its nodes. A node is referred to by its [`NodeId`], an index, or by a [`NodeRef`], which also
//! borrows the tree:
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

mod attributes;
mod compare;
mod copy;
mod create;
mod in_order;
mod input;
mod iterate;
mod mutate;
mod node;
mod node_ref;
mod node_spans;
mod options;
mod patch;
mod selected;
pub(crate) mod serialize;
mod sink;
pub(crate) mod steps;
mod texts;
pub(crate) mod words;
pub(crate) mod xml_characters;

pub(crate) use input::{Chunk, LineEnds};
pub use iterate::{Ancestors, Children, Descendants, Edge, Siblings, Walk};
pub use mutate::{HierarchyError, InvalidName};
pub use node::{NodeId, NodeKind};
pub use node_ref::{AttributeRef, AttributeRefs, DoctypeRef, NodeRef, ShadowRootMode};
pub(crate) use options::SHORT_INPUT;
pub use options::{DocumentMode, Overflow, Positions, TreeOptions};
pub use serialize::{
    HtmlSerializer, SerializerNames, SerializerSteps, ShadowRootDeclaration, ShadowRootNames,
};
pub use sink::TreeSink;

pub use crate::names::{KnownNames, LocalName, Name, NameRef, Names, Namespace};
pub use crate::token::{AttributeNames, SinkAttribute};

use crate::encoding::Encoding;
use crate::span::Span;
use attributes::AttributeStore;
use in_order::{Labels, Moves};
use node::{DoctypeRecord, FarNames, InstructionRecord, Node};
use node_ref::ShadowRecord;
use node_spans::{NodeSpanList, RawSpan};
use options::Growth;
use patch::Marks;
use selected::SelectionIndex;
use std::collections::{HashMap, HashSet};
use texts::Texts;

/// A tree of nodes whose root is a document.
///
/// Two trees are equal if they have the same kinds of nodes in the same order, with equal names, attributes (in order),
/// texts and template contents, and the same [`DocumentMode`]. Positions are not compared. Cloning copies a small
/// number of vectors and maps.
#[derive(Clone)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The positions of the nodes; empty if positions are not kept.
    spans: NodeSpanList,
    texts: Texts,
    attributes: AttributeStore,
    names: Names,
    far_names: FarNames,
    doctypes: Vec<DoctypeRecord>,
    instructions: Vec<InstructionRecord>,
    /// The template contents or shadow root of each element that has one, by the element's index.
    contents: HashMap<u32, u32>,
    /// The properties of shadow roots, by the index of the host.
    shadows: HashMap<u32, ShadowRecord>,
    /// An index of the instructions that mark ranges for content that arrives later.
    marks: Marks,
    /// An index of the nodes on which the mirroring of selected options depends.
    selection: Option<Box<SelectionIndex>>,
    /// The moves of nodes since a list of nodes was first sorted in tree order.
    moves: Moves,
    /// Order labels of siblings, assigned on demand.
    labels: Labels,
    /// Number of iterations of loops, which is part of the work that a parse reports.
    pub(crate) steps: u64,
    /// Elements whose tags had duplicate attributes.
    had_duplicates: HashSet<u32>,
    /// Pairs of the id of an element and an exclusive end, in ascending order: the nodes whose ids are between the two
    /// are associated with the element.
    associations: Vec<(u32, u32)>,
    mode: DocumentMode,
    pub(crate) encoding: Encoding,
    positions: Positions,
    growth: Growth,
    /// The input offset of the first node dropped because of the node limit.
    pub(crate) first_dropped_at: usize,
    /// Maximum number of nodes. The node at this index replaces all nodes beyond the limit.
    node_limit: u32,
    /// Whether attribute names of HTML elements are compared and stored as written, rather than in lower case.
    is_xml: bool,
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

impl Tree {
    /// Creates a tree that consists of an empty document.
    pub fn new() -> Self {
        Self::with_options(TreeOptions::new())
    }

    /// Creates an empty tree with options.
    pub fn with_options(options: TreeOptions) -> Self {
        options.build()
    }

    /// Returns the id of the document.
    pub const fn document(&self) -> NodeId {
        NodeId(0)
    }

    /// Returns the document.
    #[doc(alias = "document")]
    #[doc(alias = "root_element")]
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef::new(self, 0)
    }

    /// Returns the document element, if there is one.
    #[doc(alias = "html")]
    pub fn document_element(&self) -> Option<NodeRef<'_>> {
        self.root().children().find(NodeRef::is_element)
    }

    /// Returns the node with this id. An id of another tree that is out of range here gives an empty fragment; see
    /// [`has_node`](Self::has_node).
    pub fn node(&self, id: NodeId) -> NodeRef<'_> {
        NodeRef::new(self, id.0)
    }

    /// Whether this tree has a node with this id. Ids are indices, so an id of another tree may also be valid here.
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

    /// Returns the node at an index, if there is one; see [`NodeId::index`].
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

    /// Returns the number of nodes ever created, including the document and detached nodes.
    #[doc(alias = "len")]
    pub fn node_count(&self) -> usize {
        self.nodes.len().min(self.node_limit as usize)
    }

    /// Returns the approximate number of nodes and attributes created so far.
    pub(crate) fn created_count(&self) -> usize {
        self.node_count() + self.attributes.created_count()
    }

    /// Returns the interner of the names of elements and attributes.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the interner of names, to intern new ones.
    pub fn names_mut(&mut self) -> &mut Names {
        &mut self.names
    }

    /// Returns the document mode: no-quirks, limited-quirks or quirks.
    pub fn mode(&self) -> DocumentMode {
        self.mode
    }

    /// Returns the encoding of the document's bytes, in which queries of its URLs are encoded; UTF-8 if text was parsed.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Returns which positions are kept.
    pub fn positions(&self) -> Positions {
        self.positions
    }

    /// Returns the limit of the tree that the input exceeded, if any.
    pub fn overflow(&self) -> Option<Overflow> {
        // The list exceeds the limit only by the node that replaces all nodes beyond the limit.
        if self.nodes.len() > self.node_limit as usize {
            Some(Overflow::Nodes)
        } else {
            (self.growth.reached_offset > RawSpan::LAST).then_some(Overflow::Offsets)
        }
    }

    /// Maps a range reported by a machine to the input before line ends were normalized.
    pub(crate) fn original_span(&self, span: Span) -> Span {
        self.texts.input.original(span)
    }

    /// Shrinks the capacity of the tree's buffers to their length.
    pub fn shrink_to_fit(&mut self) {
        self.nodes.shrink_to_fit();
        self.spans.shrink();
        self.texts.shrink();
        self.attributes.shrink();
        self.doctypes.shrink_to_fit();
        self.instructions.shrink_to_fit();
        self.contents.shrink_to_fit();
    }

    /// Returns the approximate heap memory of the tree in bytes, including unused capacity.
    pub fn heap_size(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.spans.heap_size()
            + self.texts.heap_size()
            + self.attributes.heap_size()
            + self.names.heap_size()
            + self.far_names.heap_size()
            + self.doctypes.capacity() * size_of::<DoctypeRecord>()
            + self.instructions.capacity() * size_of::<InstructionRecord>()
            // A hash map keeps an eighth of its slots free and has a control byte per slot.
            + self.contents.capacity() * (size_of::<(u32, u32)>() + 1) * 8 / 7
            + self.shadows.capacity() * (size_of::<(u32, ShadowRecord)>() + 1) * 8 / 7
            + self.associations.capacity() * size_of::<(u32, u32)>()
            + self.labels.heap_size()
            + self.had_duplicates.capacity() * (size_of::<u32>() + 1) * 8 / 7
    }
}
