//! The records of a tree's arena. A node is plain data of 32 bytes, half a cache line. Positions are stored separately,
//! so that a tree without positions needs no memory for them.

use super::attributes::AttributeRange;
use super::texts::TextSlot;
use crate::names::Name;

/// The id of a node in a [`Tree`](super::Tree): an index that is valid as long as the tree, even if the node is
/// detached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// Returns the index of the node. Nodes are numbered in order of creation, from 0 for the document.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NodeKind {
    /// The document, which is the root of the tree.
    Document,
    /// A document fragment, such as the contents of a template.
    Fragment,
    /// A document type.
    Doctype,
    /// An element.
    Element,
    /// A text node.
    Text,
    /// A comment.
    Comment,
    /// A processing instruction.
    ProcessingInstruction,
}

/// Id that stands for no node.
pub(super) const NONE: u32 = u32::MAX;

// Kinds of nodes other than elements; `Node::qualifier` holds them in place of the qualifier of an element's name.
pub(super) const DOCUMENT: u16 = u16::MAX;
pub(super) const FRAGMENT: u16 = u16::MAX - 1;
pub(super) const DOCTYPE: u16 = u16::MAX - 2;
pub(super) const TEXT: u16 = u16::MAX - 3;
pub(super) const COMMENT: u16 = u16::MAX - 4;
pub(super) const INSTRUCTION: u16 = u16::MAX - 5;
/// The qualifier that marks a record whose name is stored in [`FarNames`], because the name's own qualifier is this
/// value or higher.
const FAR: u16 = u16::MAX - 6;

/// The name of an element or attribute, as stored in its record.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedName {
    pub(super) qualifier: u16,
    pub(super) local: u32,
}

impl PackedName {
    /// Packs a name whose qualifier fits into 16 bits and is not reserved.
    #[inline(always)]
    pub(super) fn near(name: Name) -> Self {
        Self { qualifier: name.qualifier as u16, local: name.local().id() }
    }
}

/// Names with qualifiers that do not fit into 16 bits. Few trees have such names, which are never removed.
#[derive(Clone, Debug, Default)]
pub(super) struct FarNames(Vec<Name>);

impl FarNames {
    /// Whether a qualifier fits into 16 bits and is not reserved.
    #[inline(always)]
    pub(super) fn is_near(qualifier: u32) -> bool {
        qualifier < u32::from(FAR)
    }

    /// Packs a name for storage in a node or record.
    #[inline(always)]
    pub(super) fn pack(&mut self, name: Name) -> PackedName {
        if Self::is_near(name.qualifier) { PackedName::near(name) } else { self.push_far(name) }
    }

    /// Slow path of `pack`: stores a name whose qualifier does not fit.
    #[cold]
    #[inline(never)]
    fn push_far(&mut self, name: Name) -> PackedName {
        self.0.push(name);
        PackedName { qualifier: FAR, local: self.0.len() as u32 - 1 }
    }

    /// Unpacks a name that a node or record stores.
    #[inline]
    pub(super) fn unpack(&self, name: PackedName) -> Name {
        match name.qualifier {
            FAR => self.0[name.local as usize],
            near => Name::from_parts(u32::from(near), name.local),
        }
    }

    /// Returns the name of an element, or `None` for any other node.
    #[inline]
    pub(super) fn name(&self, node: &Node) -> Option<Name> {
        let name = PackedName { qualifier: node.qualifier, local: node.content.length };
        node.is_element().then(|| self.unpack(name))
    }

    pub(super) fn heap_size(&self) -> usize {
        self.0.capacity() * size_of::<Name>()
    }
}

/// A node: its links and its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) first_child: u32,
    pub(super) last_child: u32,
    pub(super) previous_sibling: u32,
    pub(super) next_sibling: u32,
    /// The qualifier of an element's name, or the kind of any other node.
    qualifier: u16,
    /// The `count` of an element's [`AttributeRange`].
    attribute_count: u16,
    /// The data of a text or comment. For an element, the start of its attributes, with its local name as the length.
    /// For a document type or processing instruction, the index of its record; for a fragment, its host.
    content: TextSlot,
}

const _: () = assert!(size_of::<Node>() == 32);

impl Node {
    /// The empty fragment that stands for nodes with unknown ids.
    pub(super) const EMPTY_FRAGMENT: Self = Self::other(FRAGMENT, NONE);

    /// Returns the link to the next sibling, or, if `is_parent`, the link to the first child.
    #[inline(always)]
    pub(super) fn link_to_next(&mut self, is_parent: bool) -> &mut u32 {
        if is_parent { &mut self.first_child } else { &mut self.next_sibling }
    }

    /// Creates an element.
    pub(super) const fn element(name: PackedName, attributes: AttributeRange) -> Self {
        let content = TextSlot { start: attributes.start, length: name.local };
        Self::new(name.qualifier, attributes.count, content)
    }

    /// Creates a text or comment.
    pub(super) const fn text(kind: u16, text: TextSlot) -> Self {
        Self::new(kind, 0, text)
    }

    /// Creates a node that is neither an element, a text nor a comment, with the index of its record or its host.
    pub(super) const fn other(kind: u16, index: u32) -> Self {
        Self::new(kind, 0, TextSlot { start: index, length: 0 })
    }

    const fn new(qualifier: u16, attribute_count: u16, content: TextSlot) -> Self {
        Self {
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            previous_sibling: NONE,
            next_sibling: NONE,
            qualifier,
            attribute_count,
            content,
        }
    }

    #[inline]
    pub(super) fn kind(&self) -> NodeKind {
        match self.qualifier {
            DOCUMENT => NodeKind::Document,
            FRAGMENT => NodeKind::Fragment,
            DOCTYPE => NodeKind::Doctype,
            TEXT => NodeKind::Text,
            COMMENT => NodeKind::Comment,
            INSTRUCTION => NodeKind::ProcessingInstruction,
            _ => NodeKind::Element,
        }
    }

    #[inline]
    pub(super) fn is_text(&self) -> bool {
        self.qualifier == TEXT
    }

    #[inline]
    pub(super) fn is_element(&self) -> bool {
        self.qualifier < INSTRUCTION
    }

    /// Whether the node can have children.
    #[inline]
    pub(super) fn is_parent(&self) -> bool {
        self.is_element() || self.qualifier >= FRAGMENT
    }

    /// Whether the node is the root of a tree: a document or a fragment.
    pub(super) fn is_root(&self) -> bool {
        self.qualifier >= FRAGMENT
    }

    /// Whether this is an element with a name that is known to equal the name of a node of another tree: both have the
    /// same ids, the local name is below `known_count`, the number of names that the trees share, and the namespace is
    /// a constant.
    #[inline]
    pub(super) fn has_known_name_of(&self, other: &Self, known_count: u32) -> bool {
        let has_equal_ids =
            self.qualifier == other.qualifier && self.content.length == other.content.length;
        has_equal_ids && Name::is_known(self.qualifier, self.content.length, known_count)
    }

    pub(super) fn set_name(&mut self, name: PackedName) {
        (self.qualifier, self.content.length) = (name.qualifier, name.local);
    }

    /// Returns the attributes of an element; empty for any other node.
    #[inline]
    pub(super) fn attributes(&self) -> AttributeRange {
        match self.is_element() {
            true => AttributeRange { start: self.content.start, count: self.attribute_count },
            false => AttributeRange::default(),
        }
    }

    pub(super) fn set_attributes(&mut self, range: AttributeRange) {
        (self.content.start, self.attribute_count) = (range.start, range.count);
    }

    /// Returns the slot with the data of a text or comment.
    #[inline]
    pub(super) fn slot(&self) -> TextSlot {
        self.content
    }

    /// Returns the slot with the data of a text or comment for modification.
    #[inline]
    pub(super) fn slot_mut(&mut self) -> &mut TextSlot {
        &mut self.content
    }

    /// Returns the index of the record of a document type or processing instruction, or the host of a fragment.
    pub(super) fn index(&self) -> u32 {
        self.content.start
    }
}

/// The name and identifiers of a document type.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoctypeRecord {
    pub(super) name: TextSlot,
    pub(super) public_identifier: Option<TextSlot>,
    pub(super) system_identifier: Option<TextSlot>,
}

/// The target and data of a processing instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct InstructionRecord {
    pub(super) target: TextSlot,
    pub(super) data: TextSlot,
}
