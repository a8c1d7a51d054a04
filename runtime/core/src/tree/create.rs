//! Creation of nodes, and links between them. All nodes beyond the node limit are replaced by one node, which is never
//! linked.

use super::Tree;
use super::attributes::{AttributeRange, AttributeRecord, OWNED_LIST};
use super::input::KeptInput;
use super::node::{
    COMMENT, DOCTYPE, DoctypeRecord, FRAGMENT, FarNames, INSTRUCTION, InstructionRecord, NONE,
    Node, NodeId, PackedName, TEXT,
};
use super::node_ref::NodeRef;
use super::node_spans::{AttributeSpans, PackedSpans, RawSpan};
use super::options::{Growth, Positions};
use super::texts::{TextSlot, Texts};
use crate::names::{Name, NameLookup, Names, Namespace};
use crate::registers::{self, SourceText};
use crate::span::Span;
use crate::token::{AttributeNames, SinkAttribute, Tag};
use std::hint::select_unpredictable;

/// Creation of nodes. A new node belongs to the tree, but has no parent until it is inserted.
impl Tree {
    /// Creates an element without a prefix.
    pub fn create_element(&mut self, namespace: Namespace, local_name: &str) -> NodeId {
        let name = self.names.name(namespace, "", local_name);
        self.create_named_element(name)
    }

    /// Creates an element with a name interned in this tree's [`names`](Self::names).
    pub fn create_named_element(&mut self, name: Name) -> NodeId {
        let name = self.far_names.pack(name);
        self.add(Node::element(name, AttributeRange::default()), None)
    }

    /// Creates a text node.
    pub fn create_text(&mut self, text: &str) -> NodeId {
        self.add_text(text, None)
    }

    /// Creates a comment.
    pub fn create_comment(&mut self, data: &str) -> NodeId {
        self.add_comment(data, None)
    }

    /// Creates a processing instruction.
    pub fn create_processing_instruction(&mut self, target: &str, data: &str) -> NodeId {
        self.add_instruction(target, data, None)
    }

    /// Creates a document type; each identifier may be missing.
    pub fn create_doctype(
        &mut self,
        name: &str,
        public_identifier: Option<&str>,
        system_identifier: Option<&str>,
    ) -> NodeId {
        self.add_doctype(name, public_identifier, system_identifier, None)
    }

    /// Creates a document fragment.
    pub fn create_fragment(&mut self) -> NodeId {
        self.add(Node::other(FRAGMENT, u32::MAX), None)
    }

    /// Returns the template contents of an element, creating the fragment if there is none. If the node is not an
    /// element, returns the node itself.
    #[inline(never)]
    pub fn create_template_contents(&mut self, element: NodeId) -> NodeId {
        if let Some(&contents) = self.contents.get(&element.0) {
            return NodeId(contents);
        }
        if !self.node(element).is_element() {
            return element;
        }
        let contents = self.add(Node::other(FRAGMENT, element.0), None);
        if !self.is_overflow_node(contents.0) {
            self.contents.insert(element.0, contents.0);
        }
        contents
    }

    pub(super) fn add_text(&mut self, text: &str, span: Option<Span>) -> NodeId {
        let slot = self.texts.add(text, &self.growth);
        self.add(Node::text(TEXT, slot), span)
    }

    pub(super) fn add_comment(&mut self, data: &str, span: Option<Span>) -> NodeId {
        let slot = self.texts.add(data, &self.growth);
        self.add(Node::text(COMMENT, slot), span)
    }

    pub(super) fn add_instruction(
        &mut self,
        target: &str,
        data: &str,
        span: Option<Span>,
    ) -> NodeId {
        let target = self.texts.add(target, &self.growth);
        let data = self.texts.add(data, &self.growth);
        let index = self.instructions.len() as u32;
        self.instructions.push(InstructionRecord { target, data });
        self.add(Node::other(INSTRUCTION, index), span)
    }

    pub(super) fn add_doctype(
        &mut self,
        name: &str,
        public_identifier: Option<&str>,
        system_identifier: Option<&str>,
        span: Option<Span>,
    ) -> NodeId {
        let record = DoctypeRecord {
            name: self.texts.add(name, &self.growth),
            public_identifier: public_identifier.map(|text| self.texts.add(text, &self.growth)),
            system_identifier: system_identifier.map(|text| self.texts.add(text, &self.growth)),
        };
        let index = self.doctypes.len() as u32;
        self.doctypes.push(record);
        self.add(Node::other(DOCTYPE, index), span)
    }

    /// Creates an element with the name and attributes of `element`, and with the position `span`; returns `element`
    /// itself if it is not an element.
    pub(super) fn add_like(&mut self, element: NodeId, span: Option<Span>) -> NodeId {
        let node = self.nodes[element.index()];
        let Some(name) = self.far_names.name(&node) else { return element };
        let range = self.attributes.share(node.attributes());
        let name = self.far_names.pack(name);
        self.add(Node::element(name, range), span)
    }

    /// Adds a node to the arena, without a parent. Beyond the node limit, returns the node that replaces all further
    /// nodes.
    #[inline(always)]
    pub(super) fn add(&mut self, node: Node, span: Option<Span>) -> NodeId {
        if let Some(span) = span {
            self.record_offset(span.end);
        }
        if self.nodes.len() as u32 >= self.node_limit {
            return self.overflow_node(span);
        }
        self.push_node(node, span)
    }

    /// Adds a node to the arena. The caller has checked the node limit and recorded the input offset reached.
    #[inline(always)]
    fn push_node(&mut self, node: Node, span: Option<Span>) -> NodeId {
        let id = self.nodes.len() as u32;
        self.growth.push(&mut self.nodes, node);
        if self.positions != Positions::None {
            if node.is_element() {
                self.spans.push_element(span, &self.growth);
            } else {
                self.spans.push(span, &self.growth);
            }
        }
        NodeId(id)
    }

    /// Returns the node that replaces all nodes beyond the limit. The first call records the offset of the node that it
    /// drops.
    #[cold]
    fn overflow_node(&mut self, span: Option<Span>) -> NodeId {
        if !self.is_overflow_node(self.nodes.len() as u32 - 1) {
            self.first_dropped_at = span.map_or_else(|| self.last_node_start(), |span| span.start);
            self.nodes.push(Node::other(FRAGMENT, u32::MAX));
            if self.positions != Positions::None {
                self.spans.push(None, &self.growth);
            }
        }
        NodeId(self.node_limit)
    }

    /// Returns the start of the last node with a position, ignoring texts, whose positions depend on the chunks of the
    /// input; 0 if there is none. In a tree without positions, returns the input offset reached.
    fn last_node_start(&self) -> usize {
        let nodes = (0..self.nodes.len() as u32).rev().map(|id| self.node(NodeId(id)));
        let mut spans = nodes.filter(|node| !node.is_text()).filter_map(NodeRef::stored_span);
        match self.positions {
            Positions::None => self.growth.reached_offset,
            _ => spans.next().map_or(0, |span| span.start),
        }
    }

    /// Whether the id belongs to the node that replaces all nodes beyond the limit.
    #[inline]
    pub(super) fn is_overflow_node(&self, node: u32) -> bool {
        node == self.node_limit
    }

    /// Records that the input was read up to the offset `end` at least.
    #[inline(always)]
    pub(super) fn record_offset(&mut self, end: usize) {
        self.growth.reached_offset = self.growth.reached_offset.max(end);
    }
}

impl SinkAttribute<'_> {
    /// Returns the source ranges of the name and of the value.
    pub(super) fn spans(&self) -> AttributeSpans {
        AttributeSpans::of(self.name_span, self.value_span)
    }
}

// Links between nodes. Callers check whether nodes may be linked.

impl Tree {
    /// Unlinks a node, and makes it the last child of another one.
    #[inline]
    pub(super) fn link_last(&mut self, parent: u32, child: u32) {
        if self.is_overflow_node(parent) || self.is_overflow_node(child) {
            return;
        }
        self.unlink(child);
        let last = std::mem::replace(&mut self.nodes[parent as usize].last_child, child);
        let node = &mut self.nodes[child as usize];
        (node.parent, node.previous_sibling) = (parent, last);
        match last {
            NONE => self.nodes[parent as usize].first_child = child,
            last => self.nodes[last as usize].next_sibling = child,
        }
    }

    /// Creates a node as the last child of another one. The caller has recorded the input offset reached.
    #[inline(always)]
    fn add_last(&mut self, parent: u32, mut node: Node, span: Option<Span>) -> NodeId {
        let id = self.nodes.len() as u32;
        // At the limit, `add` returns the node that replaces all nodes beyond the limit, which is never linked.
        if id >= self.node_limit {
            return self.add(node, span);
        }
        let last = std::mem::replace(&mut self.nodes[parent as usize].last_child, id);
        // The branch predictor cannot predict whether a node is a first child, so a select replaces the branch.
        let is_first = last == NONE;
        let predecessor = select_unpredictable(is_first, parent, last);
        *self.nodes[predecessor as usize].link_to_next(is_first) = id;
        (node.parent, node.previous_sibling) = (parent, last);
        self.push_node(node, span)
    }

    /// Unlinks a node, and inserts it before another one that has a parent.
    pub(super) fn link_before(&mut self, sibling: u32, child: u32) {
        if self.is_overflow_node(sibling) || self.is_overflow_node(child) || sibling == child {
            return;
        }
        self.unlink(child);
        let parent = self.nodes[sibling as usize].parent;
        if parent == NONE {
            return;
        }
        let previous = std::mem::replace(&mut self.nodes[sibling as usize].previous_sibling, child);
        let node = &mut self.nodes[child as usize];
        (node.parent, node.previous_sibling, node.next_sibling) = (parent, previous, sibling);
        match previous {
            NONE => self.nodes[parent as usize].first_child = child,
            previous => self.nodes[previous as usize].next_sibling = child,
        }
    }

    /// Unlinks a node and its descendants from its parent and siblings.
    #[inline]
    pub(super) fn unlink(&mut self, child: u32) {
        let node = &mut self.nodes[child as usize];
        let (parent, previous, next) = (node.parent, node.previous_sibling, node.next_sibling);
        if parent == NONE {
            return;
        }
        (node.parent, node.previous_sibling, node.next_sibling) = (NONE, NONE, NONE);
        self.labels.clear(child);
        match previous {
            NONE => self.nodes[parent as usize].first_child = next,
            previous => self.nodes[previous as usize].next_sibling = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last_child = previous,
            next => self.nodes[next as usize].previous_sibling = previous,
        }
    }

    /// Moves the children of a node to the end of another one.
    pub(super) fn link_children(&mut self, from: u32, to: u32) {
        if from == to || self.is_overflow_node(from) || self.is_overflow_node(to) {
            return;
        }
        let node = &mut self.nodes[from as usize];
        let (first, last) = (node.first_child, node.last_child);
        (node.first_child, node.last_child) = (NONE, NONE);
        if first == NONE {
            return;
        }
        let mut child = first;
        while child != NONE {
            self.steps += 1;
            self.labels.clear(child);
            self.nodes[child as usize].parent = to;
            child = self.nodes[child as usize].next_sibling;
        }
        let old_last = std::mem::replace(&mut self.nodes[to as usize].last_child, last);
        self.nodes[first as usize].previous_sibling = old_last;
        match old_last {
            NONE => self.nodes[to as usize].first_child = first,
            old_last => self.nodes[old_last as usize].next_sibling = first,
        }
    }
}

/// Insertion of text, which extends an adjacent text node if there is one.
impl Tree {
    /// Appends text that was read from the input; see [`append_text_unchecked`](Self::append_text_unchecked).
    #[inline(always)]
    pub(super) fn append_read_text(&mut self, parent: u32, text: &str, span: Span) {
        let appended = match self.positions {
            Positions::None => self.append_read_text_fast::<false>(parent, text, span),
            Positions::Nodes | Positions::All => {
                self.append_read_text_fast::<true>(parent, text, span)
            }
        };
        if appended.is_none() {
            self.append_read_text_slow(parent, text, span);
        }
    }

    /// Fast path of `append_read_text`: appends a range of the input after a node that is not a text, if the lists have
    /// free capacity. Returns `None` without any change if that is impossible.
    #[inline(always)]
    fn append_read_text_fast<const HAS_SPANS: bool>(
        &mut self,
        parent: u32,
        text: &str,
        span: Span,
    ) -> Option<()> {
        let id = self.nodes.len();
        // This path does not record the input offset reached, which the growth of lists depends on, so it is not taken
        // if a list must grow.
        if id == self.nodes.capacity()
            || HAS_SPANS && self.spans.is_full()
            || id as u32 >= self.node_limit
            || !RawSpan::fits(span)
        {
            return None;
        }
        let slot = self.texts.slot_in_input(text)?;
        let last = self.nodes.get(parent as usize)?.last_child;
        let predecessor = if last == NONE { parent } else { last };
        let node = self.nodes.get_mut(predecessor as usize)?;
        if node.is_text() {
            return None;
        }
        if HAS_SPANS {
            self.spans.push(Some(span), &self.growth);
        }
        *node.link_to_next(last == NONE) = id as u32;
        self.nodes[parent as usize].last_child = id as u32;
        let mut node = Node::text(TEXT, slot);
        (node.parent, node.previous_sibling) = (parent, last);
        self.nodes.push(node);
        Some(())
    }

    /// Slow path of `append_read_text`: extends the last child if that is a text, or creates a text node.
    #[inline(never)]
    fn append_read_text_slow(&mut self, parent: u32, text: &str, span: Span) {
        if self.extend_contiguous(parent, text, span).is_none() {
            self.append_text_unchecked(parent, text, Some(span));
        }
    }

    /// Extends the last child if that is a text that the new text directly follows in the input, as in most texts that
    /// arrive in several pieces. Otherwise, returns `None` without any change.
    #[inline(always)]
    fn extend_contiguous(&mut self, parent: u32, text: &str, span: Span) -> Option<()> {
        let last = self.nodes.get(parent as usize)?.last_child;
        let node = self.nodes.get_mut(last as usize).filter(|node| node.is_text())?;
        let start = self.texts.input.offset_of_read(text, span.start)?;
        if !self.texts.extend(node.slot_mut(), start, text.len()) {
            return None;
        }
        self.spans.extend(last as usize, span);
        Some(())
    }

    /// Appends text at the end of a node: to the last child if that is a text, or as a new node.
    #[inline]
    pub(super) fn append_text_unchecked(&mut self, parent: u32, text: &str, span: Option<Span>) {
        let last = self.nodes[parent as usize].last_child;
        if last != NONE && self.nodes[last as usize].is_text() {
            self.extend_text(last, text, span);
        } else {
            if let Some(span) = span {
                self.record_offset(span.end);
            }
            let slot = self.texts.add_read(text, read_offset(span), &self.growth);
            self.add_last(parent, Node::text(TEXT, slot), span);
        }
    }

    /// Inserts text before a node: at the end of the previous sibling if that is a text, or as a new node.
    pub(super) fn insert_text_before_unchecked(
        &mut self,
        sibling: u32,
        text: &str,
        span: Option<Span>,
    ) {
        let node = self.nodes[sibling as usize];
        if node.parent == NONE {
            return;
        }
        let previous = node.previous_sibling;
        if previous != NONE && self.nodes[previous as usize].is_text() {
            self.extend_text(previous, text, span);
        } else {
            let node = self.add_text(text, span);
            self.link_before(sibling, node.0);
        }
    }

    /// Appends text to a text node.
    #[inline]
    pub(crate) fn extend_text(&mut self, node: u32, text: &str, span: Option<Span>) {
        if let Some(span) = span {
            self.record_offset(span.end);
            self.spans.extend(node as usize, span);
        }
        let slot = self.nodes[node as usize].slot_mut();
        self.texts.append(slot, text, read_offset(span), &self.growth);
    }
}

/// Returns the input offset at which a text was read, or `usize::MAX` if it is unknown.
#[inline(always)]
fn read_offset(span: Option<Span>) -> usize {
    span.map_or(usize::MAX, |span| span.start)
}

// Creation of elements directly from tags. Attributes are stored as ranges of the input, without first creating
// strings; the result is the same as with strings.

impl Tree {
    /// Creates an element for a tag as the last child of `parent`.
    #[inline(always)]
    pub(super) fn add_last_tag(
        &mut self,
        parent: NodeId,
        name: Name,
        tag: &Tag<'_>,
        names: AttributeNames<'_>,
    ) -> NodeId {
        let span = tag.span();
        self.record_offset(span.end);
        let range = match names {
            _ if tag.attribute_count() == 0 => AttributeRange::default(),
            AttributeNames::Written => self.add_written(tag),
            AttributeNames::All(names) => self.add_named(tag, names),
            AttributeNames::Some(_) => self.add_copies(tag, names),
        };
        let name = self.far_names.pack(name);
        self.add_last(parent.0, Node::element(name, range), Some(span))
    }

    /// Stores the attributes of a tag with their names as written.
    #[inline(always)]
    fn add_written(&mut self, tag: &Tag<'_>) -> AttributeRange {
        match KeptTag::of(tag, &self.texts.input) {
            Some(kept_tag) if tag.is_verbatim() => self.add_each(
                kept_tag,
                |names, record| {
                    Some(Name::new(Namespace::NONE, kept_tag.source.local_name(record.name, names)))
                },
                |_, _, _| None,
            ),
            _ => self.add_copies(tag, AttributeNames::Written),
        }
    }

    /// Stores the attributes of a tag with these names. Together with the comparison of names by two words at a time,
    /// this path saves a tenth of the instructions for trees of XML with many attributes.
    #[inline(never)]
    fn add_named(&mut self, tag: &Tag<'_>, names: &[Name]) -> AttributeRange {
        let start = self.attributes.records.len();
        match KeptTag::of(tag, &self.texts.input) {
            Some(kept_tag) if tag.is_verbatim() && self.add_all_packed(kept_tag, names) => {
                let count = self.attributes.records.len() - start;
                AttributeRange { start: start as u32, count: count as u16 }
            }
            _ => self.add_named_slow(tag, names, start),
        }
    }

    /// Slow path of `add_named`, for attributes that the fast path cannot store. First removes the attributes from
    /// `start` on, which the fast path may have added.
    #[cold]
    #[inline(never)]
    fn add_named_slow(&mut self, tag: &Tag<'_>, names: &[Name], start: usize) -> AttributeRange {
        self.attributes.truncate(start);
        self.add_copies(tag, AttributeNames::All(names))
    }

    /// Fast path of `add_named`. Returns false if it does not apply or some ranges cannot be packed; the attributes
    /// added must then be removed.
    #[inline(always)]
    fn add_all_packed(&mut self, kept_tag: KeptTag<'_>, names: &[Name]) -> bool {
        if names.len() != kept_tag.records.len() || !kept_tag.has_kept_offsets() {
            return false;
        }
        let (store, growth) = (&mut self.attributes, &self.growth);
        let (mut all_bits, mut qualifiers) = (0, 0);
        let records = kept_tag.records.iter().zip(names).map(|(record, name)| {
            let (packed_spans, bits) = PackedSpans::pack_truncated(record.name, record.value);
            all_bits |= bits;
            // The bitwise or is at least as large as each qualifier, so one test covers all.
            qualifiers |= name.qualifier;
            AttributeRecord::new(PackedName::near(*name), TextSlot::at(record.value), packed_spans)
        });
        growth.extend(&mut store.records, records);
        all_bits <= PackedSpans::MAX_NUMBER && FarNames::is_near(qualifiers)
    }

    /// Stores the attributes for which `name` returns a name. The slot of a value is the one that `copy_value` returns,
    /// or else that of the value's range in the input.
    #[inline(always)]
    fn add_each(
        &mut self,
        kept_tag: KeptTag<'_>,
        mut name: impl FnMut(&mut Names, &registers::TagAttribute) -> Option<Name>,
        copy_value: impl Fn(&mut Texts, &Growth, &registers::TagAttribute) -> Option<TextSlot>,
    ) -> AttributeRange {
        let (store, growth) = (&mut self.attributes, &self.growth);
        let has_spans = self.positions == Positions::All;
        let has_kept_offsets = kept_tag.has_kept_offsets();
        let start = store.records.len();
        for record in kept_tag.records {
            let Some(name) = name(&mut self.names, record) else { continue };
            let copy = copy_value(&mut self.texts, growth, record);
            let packed_spans = match copy {
                None if has_kept_offsets => PackedSpans::of(record.name, record.value),
                _ => None,
            };
            if has_spans && packed_spans.is_none() {
                let (name, value) = (Some(record.name), Some(record.value));
                store.spans.push(store.records.len(), name, value, growth);
            }
            let value = copy.unwrap_or_else(|| kept_tag.slot(record.value));
            store.push(name, value, packed_spans, growth);
        }
        AttributeRange { start: start as u32, count: (store.records.len() - start) as u16 }
    }

    /// Stores the attributes of a tag, with copies of names and values that are not ranges of the kept input.
    #[inline(never)]
    fn add_copies(&mut self, tag: &Tag<'_>, attribute_names: AttributeNames<'_>) -> AttributeRange {
        let mut index = 0;
        let mut name = |names: &mut Names, written: NameLookup<'_>| {
            index += 1;
            match attribute_names {
                AttributeNames::Written => {
                    Some(Name::new(Namespace::NONE, names.local_from_lookup(written)))
                }
                AttributeNames::All(_) | AttributeNames::Some(_) => attribute_names.get(index - 1),
            }
        };
        if let Some(kept_tag) = KeptTag::of(tag, &self.texts.input) {
            // Most names and values are ranges of the input and need no copy.
            let name = |names: &mut Names, record: &registers::TagAttribute| {
                name(names, tag.name_lookup_of(record))
            };
            return self.add_each(kept_tag, name, |texts, growth, record| {
                (!record.is_verbatim()).then(|| texts.add(tag.value_of(record), growth))
            });
        }
        let names = &mut self.names;
        let named = tag.attribute_name_lookups().map(|written| name(names, written));
        let attributes = tag.named_attributes(named);
        let has_spans = self.positions == Positions::All;
        self.attributes.add(attributes, has_spans, &mut self.texts, &self.growth)
    }
}

/// The attributes of a tag that was read from the tree's kept input.
#[derive(Clone, Copy)]
struct KeptTag<'a> {
    records: &'a [registers::TagAttribute],
    /// The text that the ranges of the attributes refer to.
    source: SourceText<'a>,
    /// The number that must be added, modulo 2³², to an offset in the tag to get the offset in the tree's kept input.
    shift: u32,
}

impl<'a> KeptTag<'a> {
    /// Returns the attributes of a tag, or `None` if the tag was not read from the kept input or has too many
    /// attributes for a range.
    #[inline(always)]
    fn of(tag: &Tag<'a>, input: &KeptInput) -> Option<Self> {
        let (records, source) = tag.attribute_records();
        let start = input.offset_of(source.text)?;
        let fits_range = records.len() < usize::from(OWNED_LIST);
        let shift = start.wrapping_sub(source.base as u32);
        fits_range.then_some(Self { records, source, shift })
    }

    /// Whether offsets in the tag are offsets in the tree's kept input.
    #[inline(always)]
    fn has_kept_offsets(&self) -> bool {
        self.shift == 0
    }

    /// Returns the slot of a value in the tree's kept input.
    #[inline(always)]
    fn slot(&self, value: Span) -> TextSlot {
        let slot = TextSlot::at(value);
        TextSlot { start: slot.start.wrapping_add(self.shift), ..slot }
    }
}

#[cfg(test)]
mod tests {
    use super::super::input::{Chunk, LineEnds};
    use super::*;
    use crate::registers::TagRegister;
    use std::sync::Arc;

    const MARKUP: &str = "<p a=1 b=2 c=3><q d=4>";

    /// Returns a tag as a machine would read it, with an attribute of one letter and one digit at each of these
    /// offsets.
    fn tag(attributes: &[usize]) -> TagRegister {
        let mut tag = TagRegister::default();
        tag.create(false);
        for &at in attributes {
            tag.start_attribute();
            tag.attribute_name.begin_run(0, at, at + 1);
            tag.attribute_value.begin_run(0, at + 2, at + 3);
        }
        tag.finish_attribute();
        tag
    }

    /// Keeps a whole input in the tree.
    fn keep(tree: &mut Tree, markup: &str) -> Arc<String> {
        let chunk = Chunk::whole(markup, LineEnds::Normalized);
        tree.keep_chunk(&chunk, std::iter::empty()).expect("a short input can be kept").segment
    }

    /// Creates elements for two tags with these names of attributes, and lists the attributes.
    fn attribute_list(
        names_of: impl for<'a> Fn(&'a [Name], &'a [Option<Name>]) -> AttributeNames<'a>,
    ) -> String {
        let mut tree = Tree::new();
        let kept_text = keep(&mut tree, MARKUP);
        let names =
            ["x", "y", "z", "more"].map(|name| tree.names_mut().name(Namespace::NONE, "", name));
        let optional_names = [None, Some(names[1]), None];
        for (register, span) in [(tag(&[3, 7, 11]), 0..15), (tag(&[18]), 15..22)] {
            let source = SourceText { text: &kept_text, base: 0 };
            let tag = Tag { tag: &register, source, span: Span::new(span.start, span.end) };
            let name = tree.names_mut().name(Namespace::NONE, "", "p");
            tree.add_last_tag(tree.document(), name, &tag, names_of(&names, &optional_names));
        }
        let attributes = tree.root().children().flat_map(|element| element.attributes());
        let descriptions = attributes.map(|attribute| {
            let [name, value] = [attribute.name_span(), attribute.value_span()].map(|span| {
                let span = span.expect("the tree keeps all positions");
                &MARKUP[span.start..span.end]
            });
            assert_eq!(value, attribute.value());
            format!("{}({name})={value}", attribute.name().local())
        });
        descriptions.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn drops_attributes_without_a_name() {
        let all_attributes = "x(a)=1 y(b)=2 z(c)=3 x(d)=4";
        for (count, expected) in
            [(0, ""), (2, "x(a)=1 y(b)=2 x(d)=4"), (3, all_attributes), (4, all_attributes)]
        {
            let attributes = attribute_list(|names, _| AttributeNames::All(&names[..count]));
            assert_eq!(attributes, expected, "wrong attributes for {count} names");
        }
        assert_eq!(attribute_list(|_, some| AttributeNames::Some(some)), "y(b)=2");
        assert_eq!(attribute_list(|_, _| AttributeNames::Written), "a(a)=1 b(b)=2 c(c)=3 d(d)=4");
    }

    #[test]
    fn keeps_distant_names_and_large_offsets() {
        let long_name = "n".repeat(300);
        let markup = format!("<p a=1 {long_name}=2 c=3>");
        let mut tree = Tree::new();
        let kept_text = keep(&mut tree, &markup);
        let mut distant_names = Vec::new();
        for number in 0..70_000 {
            let namespace = tree.names_mut().namespace(&number.to_string());
            distant_names.push(tree.names_mut().name(namespace, "", "x"));
        }
        let mut register = TagRegister::default();
        register.create(false);
        let mut spans = Vec::new();
        for (start, end) in [(3, 4), (7, 307), (310, 311)] {
            register.start_attribute();
            register.attribute_name.begin_run(0, start, end);
            register.attribute_value.begin_run(0, end + 1, end + 2);
            spans.push((Some(Span::new(start, end)), Some(Span::new(end + 1, end + 2))));
        }
        register.finish_attribute();
        let source = SourceText { text: &kept_text, base: 0 };
        let tag = Tag { tag: &register, source, span: Span::new(0, markup.len()) };
        let names = [distant_names[1], distant_names[69_999], distant_names[2]];
        let name = distant_names[69_998];
        let element = tree.add_last_tag(tree.document(), name, &tag, AttributeNames::All(&names));
        let names_and_spans = tree.node(element).attributes().map(|attribute| {
            (attribute.name().id(), (attribute.name_span(), attribute.value_span()))
        });
        assert!(names_and_spans.eq(names.into_iter().zip(spans)));
        assert_eq!(tree.node(element).named_attribute(distant_names[69_999]), Some("2"));
        assert_eq!(tree.node(element).named_attribute(distant_names[69_997]), None);
    }
}
