//! Elements made for tags. What a tag holds of an attribute goes straight to the tree: its ranges, and the name looked up
//! where it stands. It parses nothing. Invariant: the same attributes as if each had been handed over with its texts.

use super::Tree;
use super::attributes::{AttributeRange, AttributeRecord, OWNED};
use super::growth::Growth;
use super::input::Input;
use super::names::{LocalName, Name, Names, Namespace};
use super::node::{Node, NodeId};
use super::options::Positions;
use super::texts::{TextSlot, Texts};
use crate::registers::{self, Source};
use crate::span::Span;
use crate::token::Tag;

impl Tree {
    /// A new element for a tag, the last child of another node. Without names for the attributes, they are called as they
    /// are written.
    #[inline(always)]
    pub(super) fn add_last_tag(
        &mut self,
        parent: NodeId,
        name: Name,
        tag: &Tag<'_>,
        names: Option<&[Option<Name>]>,
    ) -> NodeId {
        let span = tag.span();
        self.note(span.end);
        let range = match names {
            _ if tag.attribute_count() == 0 => AttributeRange::default(),
            None => self.add_written(tag),
            Some(names) => self.add_named(tag, names),
        };
        let name = self.far_names.pack(name);
        self.add_last(parent.0, Node::element(name, range), Some(span))
    }

    /// The attributes of a tag, called as they are written.
    #[inline(always)]
    fn add_written(&mut self, tag: &Tag<'_>) -> AttributeRange {
        match Literal::of(tag, &self.texts.input) {
            Some(literal) if tag.is_literal() => self.add_each(
                literal.records,
                |names, record| {
                    Some(Name::new(Namespace::NONE, literal.source.local_name(record.name, names)))
                },
                |_, _, record| literal.slot(record.value),
            ),
            _ => self.add_copies(tag, None),
        }
    }

    /// The attributes of a tag with these names.
    #[inline(never)]
    fn add_named(&mut self, tag: &Tag<'_>, names: &[Option<Name>]) -> AttributeRange {
        let start = self.attributes.records.len();
        match Literal::of(tag, &self.texts.input) {
            Some(literal) if tag.is_literal() && self.add_all_literal(literal, names) => {
                let count = self.attributes.records.len() - start;
                AttributeRange { start: start as u32, count: count as u16 }
            }
            _ => self.add_rare(tag, names, start),
        }
    }

    /// The attributes of a tag some of which are left out, or stand aside; those behind `start` are no good.
    #[cold]
    #[inline(never)]
    fn add_rare(&mut self, tag: &Tag<'_>, names: &[Option<Name>], start: usize) -> AttributeRange {
        self.attributes.records.truncate(start);
        self.attributes.spans.truncate(start);
        self.add_copies(tag, Some(names))
    }

    /// The attributes, if all of them have names, and places that fit. If not, what was added is no good.
    #[inline(always)]
    fn add_all_literal(&mut self, literal: Literal<'_>, names: &[Option<Name>]) -> bool {
        if names.len() != literal.records.len() {
            return false;
        }
        let (store, growth) = (&mut self.attributes, &self.growth);
        if self.positions == Positions::All {
            let spans = literal.records.iter().map(|record| (record.name, record.value));
            if !store.spans.extend_fitting(spans, growth) {
                return false;
            }
        }
        let mut have_names = true;
        let records = literal.records.iter().zip(names).map(|(record, name)| {
            let name = name.unwrap_or_else(|| {
                have_names = false;
                Name::new(Namespace::NONE, LocalName::known(0))
            });
            AttributeRecord { name, value: literal.slot(record.value) }
        });
        growth.extend(&mut store.records, records);
        have_names
    }

    /// The attributes that have names, each with its value.
    #[inline(always)]
    fn add_each(
        &mut self,
        records: &[registers::AttributeRecord],
        mut name: impl FnMut(&mut Names, &registers::AttributeRecord) -> Option<Name>,
        value: impl Fn(&mut Texts, &Growth, &registers::AttributeRecord) -> TextSlot,
    ) -> AttributeRange {
        let (store, growth) = (&mut self.attributes, &self.growth);
        let has_spans = self.positions == Positions::All;
        let start = store.records.len();
        for record in records {
            let Some(name) = name(&mut self.names, record) else { continue };
            if has_spans {
                store.spans.push_known(record.name, record.value, growth);
            }
            let value = value(&mut self.texts, growth, record);
            growth.push(&mut store.records, AttributeRecord { name, value });
        }
        AttributeRange { start: start as u32, count: (store.records.len() - start) as u16 }
    }

    /// The attributes of a tag, of which some have texts to be copied.
    #[inline(never)]
    fn add_copies(&mut self, tag: &Tag<'_>, named: Option<&[Option<Name>]>) -> AttributeRange {
        let mut given = named.unwrap_or_default().iter();
        if let Some(literal) = Literal::of(tag, &self.texts.input) {
            // Most of them stand in the input nevertheless.
            let name = |names: &mut Names, record: &registers::AttributeRecord| match named {
                None => {
                    Some(Name::new(Namespace::NONE, names.local_of(tag.written_name_of(record))))
                }
                Some(_) => given.next().copied().flatten(),
            };
            return self.add_each(literal.records, name, |texts, growth, record| {
                match record.is_literal() {
                    true => literal.slot(record.value),
                    false => texts.add(tag.value_of(record), growth),
                }
            });
        }
        let names = &mut self.names;
        let named = tag.written_attribute_names().map(|written| match named {
            None => Some(Name::new(Namespace::NONE, names.local_of(written))),
            Some(_) => given.next().copied().flatten(),
        });
        let attributes = tag.named_attributes(named);
        let has_spans = self.positions == Positions::All;
        self.attributes.add(attributes, has_spans, &mut self.texts, &self.growth)
    }
}

/// The attributes of a tag that stands in the tree's input. Texts that are not simply their ranges stand elsewhere.
#[derive(Clone, Copy)]
struct Literal<'a> {
    records: &'a [registers::AttributeRecord],
    /// What they are ranges of.
    source: Source<'a>,
    /// What is to be added to an offset of the tag's to have one of the tree's input.
    shift: u32,
}

impl<'a> Literal<'a> {
    #[inline(always)]
    fn of(tag: &Tag<'a>, input: &Input) -> Option<Self> {
        let (records, source) = tag.attribute_records();
        let start = input.offset_of(source.text)?;
        let is_counted = records.len() < usize::from(OWNED);
        let shift = start.wrapping_sub(source.base as u32);
        is_counted.then_some(Self { records, source, shift })
    }

    /// The place of a value in the tree's input.
    #[inline(always)]
    fn slot(&self, value: Span) -> TextSlot {
        let start = (value.start as u32).wrapping_add(self.shift);
        TextSlot { start, length: (value.end - value.start) as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registers::TagRegister;

    const MARKUP: &str = "<p a=1 b=2 c=3><q d=4>";

    /// The attributes that stand in the markup there, each a letter and a digit, as a machine reads them.
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

    #[test]
    fn attributes_without_a_name_are_left_out() {
        let all = "x=1 y=2 z=3 x=4";
        for (count, wanted) in [(0, ""), (2, "x=1 y=2 x=4"), (3, all), (4, all)] {
            let mut tree = Tree::new();
            let (kept, _) = tree.keep_input(MARKUP, true, std::iter::empty());
            let names = ["x", "y", "z", "more"]
                .map(|name| Some(tree.names_mut().name(Namespace::NONE, "", name)));
            for (register, span) in [(tag(&[3, 7, 11]), 0..15), (tag(&[18]), 15..22)] {
                let source = Source { text: &kept, base: 0 };
                let tag = Tag { tag: &register, source, span: Span::new(span.start, span.end) };
                let name = tree.names_mut().name(Namespace::NONE, "", "p");
                tree.add_last_tag(tree.document(), name, &tag, Some(&names[..count]));
            }
            let attributes = tree.root().children().flat_map(|element| element.attributes());
            let shown = attributes.map(|found| {
                let span = found.value_span().expect("a place");
                assert_eq!(&MARKUP[span.start..span.end], found.value());
                format!("{}={}", found.name().local(), found.value())
            });
            assert_eq!(shown.collect::<Vec<_>>().join(" "), wanted, "{count} names");
        }
    }
}
