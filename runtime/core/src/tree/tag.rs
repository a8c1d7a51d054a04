//! Creation of elements directly from tags. Attributes are stored as ranges of the input, without first creating
//! strings; the result is the same as with strings.

use super::Tree;
use super::attribute_spans::PackedSpans;
use super::attributes::{AttributeRange, AttributeRecord, OWNED_LIST};
use super::growth::Growth;
use super::input::KeptInput;
use super::node::{FarNames, Node, NodeId, PackedName};
use super::options::Positions;
use super::texts::{TextSlot, Texts};
use crate::attribute::AttributeNames;
use crate::names::NameLookup;
use crate::names::{Name, Names, Namespace};
use crate::registers::{self, SourceText};
use crate::span::Span;
use crate::token::Tag;

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
