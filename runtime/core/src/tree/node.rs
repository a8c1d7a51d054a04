//! What an arena of nodes is made of. It links nothing by itself. Invariant: a node is plain data of 32 bytes, half a
//! cache line, and its places in the input are kept beside it, so that they cost nothing where they are not wanted.

use super::attributes::AttributeRange;
use super::texts::TextSlot;
use crate::names::Name;

/// A node of a [`Tree`](super::Tree): a number that stays valid as long as the tree, also when the node is taken out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The number; nodes are counted from 0, the document, in the order in which they are made.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NodeKind {
    /// The document, root of the tree.
    Document,
    /// A document fragment, such as the contents of a template.
    Fragment,
    /// A document type.
    Doctype,
    /// An element.
    Element,
    /// Text.
    Text,
    /// A comment.
    Comment,
    /// A processing instruction.
    ProcessingInstruction,
}

/// No node.
pub(super) const NONE: u32 = u32::MAX;

// Kinds other than elements, written where elements have their qualifier.
pub(super) const DOCUMENT: u16 = u16::MAX;
pub(super) const FRAGMENT: u16 = u16::MAX - 1;
pub(super) const DOCTYPE: u16 = u16::MAX - 2;
pub(super) const TEXT: u16 = u16::MAX - 3;
pub(super) const COMMENT: u16 = u16::MAX - 4;
pub(super) const INSTRUCTION: u16 = u16::MAX - 5;
/// The qualifier of elements and attributes whose own is this or higher: their names are kept aside.
const FAR: u16 = u16::MAX - 6;

/// The name of an element as its node has it, or of an attribute as its record has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedName {
    pub(super) qualifier: u16,
    pub(super) local: u32,
}

impl PackedName {
    /// A name whose qualifier fits.
    #[inline(always)]
    pub(super) fn near(name: Name) -> Self {
        Self { qualifier: name.qualifier as u16, local: name.local().id() }
    }
}

/// Names whose qualifiers do not fit there; hardly any tree needs them. They stay as long as the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct FarNames(Vec<Name>);

impl FarNames {
    /// Whether a name with this qualifier fits.
    #[inline(always)]
    pub(super) fn is_near(qualifier: u32) -> bool {
        qualifier < u32::from(FAR)
    }

    /// A name to be put into a node or record.
    #[inline(always)]
    pub(super) fn pack(&mut self, name: Name) -> PackedName {
        if Self::is_near(name.qualifier) { PackedName::near(name) } else { self.set_aside(name) }
    }

    /// Keeps a name aside that does not fit. Apart, as nearly all names fit.
    #[cold]
    #[inline(never)]
    fn set_aside(&mut self, name: Name) -> PackedName {
        self.0.push(name);
        PackedName { qualifier: FAR, local: self.0.len() as u32 - 1 }
    }

    /// The name that was put there.
    #[inline]
    pub(super) fn unpack(&self, name: PackedName) -> Name {
        match name.qualifier {
            FAR => self.0[name.local as usize],
            near => Name::from_parts(u32::from(near), name.local),
        }
    }

    /// The name of an element.
    #[inline]
    pub(super) fn name(&self, node: &Node) -> Option<Name> {
        let name = PackedName { qualifier: node.qualifier, local: node.content.length };
        node.is_element().then(|| self.unpack(name))
    }

    pub(super) fn heap_size(&self) -> usize {
        self.0.capacity() * size_of::<Name>()
    }
}

/// A node: its links and what it consists of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) first_child: u32,
    pub(super) last_child: u32,
    pub(super) previous_sibling: u32,
    pub(super) next_sibling: u32,
    /// The qualifier of an element's name, or the kind.
    qualifier: u16,
    /// How many attributes an element has.
    attributes: u16,
    /// The text of text and comment. Of an element the beginning of its attributes, and its local name in place of the
    /// length. The index of a document type or processing instruction in its list; the host of a fragment.
    content: TextSlot,
}

const _: () = assert!(size_of::<Node>() == 32);

impl Node {
    /// What ids of other trees read as.
    pub(super) const NOTHING: Self = Self::other(FRAGMENT, NONE);

    /// Its link to the node after it, or to the first one in it if it is the parent.
    #[inline(always)]
    pub(super) fn link_to_next(&mut self, is_parent: bool) -> &mut u32 {
        if is_parent { &mut self.first_child } else { &mut self.next_sibling }
    }

    pub(super) const fn element(name: PackedName, attributes: AttributeRange) -> Self {
        let content = TextSlot { start: attributes.start, length: name.local };
        Self::new(name.qualifier, attributes.count, content)
    }

    pub(super) const fn text(kind: u16, text: TextSlot) -> Self {
        Self::new(kind, 0, text)
    }

    /// A node of another kind, with an index or another node.
    pub(super) const fn other(kind: u16, index: u32) -> Self {
        Self::new(kind, 0, TextSlot { start: index, length: 0 })
    }

    const fn new(qualifier: u16, attributes: u16, content: TextSlot) -> Self {
        Self {
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            previous_sibling: NONE,
            next_sibling: NONE,
            qualifier,
            attributes,
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

    /// Whether nodes can be put into it.
    #[inline]
    pub(super) fn is_parent(&self) -> bool {
        self.is_element() || self.qualifier >= FRAGMENT
    }

    /// Whether it is the root of a tree: of a document, or of a fragment.
    pub(super) fn is_root(&self) -> bool {
        self.qualifier >= FRAGMENT
    }

    /// Whether this is an element with the name of another one of another tree: if both are the same numbers, and the local
    /// one is below `known`, which mean the same in both trees, as all qualifiers do that stand for a namespace alone.
    #[inline]
    pub(super) fn has_known_name_of(&self, other: &Self, known: u32) -> bool {
        let is_same =
            self.qualifier == other.qualifier && self.content.length == other.content.length;
        is_same && Name::is_known(self.qualifier, self.content.length, known)
    }

    pub(super) fn set_name(&mut self, name: PackedName) {
        (self.qualifier, self.content.length) = (name.qualifier, name.local);
    }

    /// The attributes of an element; none of any other node.
    #[inline]
    pub(super) fn attributes(&self) -> AttributeRange {
        match self.is_element() {
            true => AttributeRange { start: self.content.start, count: self.attributes },
            false => AttributeRange::default(),
        }
    }

    pub(super) fn set_attributes(&mut self, range: AttributeRange) {
        (self.content.start, self.attributes) = (range.start, range.count);
    }

    /// The text of text and comment.
    #[inline]
    pub(super) fn slot(&self) -> TextSlot {
        self.content
    }

    /// The slot of the node's text, to be changed.
    #[inline]
    pub(super) fn slot_mut(&mut self) -> &mut TextSlot {
        &mut self.content
    }

    /// The index, or the other node.
    pub(super) fn index(&self) -> u32 {
        self.content.start
    }
}

/// A document type.
#[derive(Clone, Copy, Debug)]
pub(super) struct DoctypeRecord {
    pub(super) name: TextSlot,
    pub(super) public_identifier: Option<TextSlot>,
    pub(super) system_identifier: Option<TextSlot>,
}

/// A processing instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct InstructionRecord {
    pub(super) target: TextSlot,
    pub(super) data: TextSlot,
}
