//! Tokens as a sink sees them: views into the input and into the machine's registers. They own nothing and copy
//! nothing. Invariant: a view's text is normalised as its dialect says; its spans are ranges of the original input.

use crate::attribute::{AttributeNames, SinkAttribute};
use crate::names::{LocalName, Name, NameLookup, Names};
use crate::registers::{AttributeRecord, DoctypeRegister, Source, TagRegister};
use crate::span::Span;
use std::fmt;

/// A piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    /// The characters.
    pub text: &'a str,
    /// Where they come from; a decoded character reference has the range of the reference.
    pub span: Span,
    /// Whether each byte of the text is at its own place in the range.
    pub(crate) is_verbatim: bool,
    /// Whether there is no character in it that is taken one by one, as in what the machine takes together.
    pub(crate) is_run: bool,
    pub(crate) is_inserted: bool,
}

impl<'a> Text<'a> {
    /// A text that comes from the range. If both are of one length, each byte of the text has its own place there.
    #[inline]
    pub fn new(text: &'a str, span: Span) -> Self {
        let is_verbatim = text.len() == span.end - span.start;
        Text { text, span, is_verbatim, is_run: false, is_inserted: false }
    }

    /// A piece for modes, which do not ask whether it was inserted.
    #[inline(always)]
    pub(crate) fn piece(text: &'a str, span: Span, is_verbatim: bool, is_run: bool) -> Self {
        Text { text, span, is_verbatim, is_run, is_inserted: false }
    }

    /// Whether it comes from a text that a row has inserted, as that of an entity of XML, for which the input has a
    /// reference alone: the range is that of the reference, or has it at an end. So for all tokens, one that is a part of
    /// such a text or begins or ends in one.
    #[inline]
    pub fn is_inserted(&self) -> bool {
        self.is_inserted
    }

    /// The part from one byte offset to another, with its range if its bytes have their own.
    #[inline]
    pub(crate) fn part(&self, from: usize, to: usize) -> Self {
        let start = self.span.start;
        let span = if self.is_verbatim { Span::new(start + from, start + to) } else { self.span };
        Text { text: &self.text[from..to], span, ..*self }
    }
}

/// A comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comment<'a> {
    /// Its data.
    pub data: &'a str,
    /// The range of the comment, delimiters included.
    pub span: Span,
    pub(crate) is_inserted: bool,
}

impl Comment<'_> {
    /// Whether it comes from a text that a row has inserted, see [`Text::is_inserted`].
    pub fn is_inserted(&self) -> bool {
        self.is_inserted
    }
}

/// A processing instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessingInstruction<'a> {
    /// Its target.
    pub target: &'a str,
    /// Its data.
    pub data: &'a str,
    /// The range of the processing instruction, delimiters included.
    pub span: Span,
    pub(crate) is_inserted: bool,
}

impl ProcessingInstruction<'_> {
    /// Whether it comes from a text that a row has inserted, see [`Text::is_inserted`].
    pub fn is_inserted(&self) -> bool {
        self.is_inserted
    }
}

/// A short end tag, which has no name and ends whatever is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShortEndTag {
    /// The range of the tag, delimiters included.
    pub span: Span,
    pub(crate) is_inserted: bool,
}

impl ShortEndTag {
    /// Whether it comes from a text that a row has inserted, see [`Text::is_inserted`].
    pub fn is_inserted(&self) -> bool {
        self.is_inserted
    }
}

/// A start tag or an end tag.
#[derive(Clone, Copy)]
pub struct Tag<'a> {
    pub(crate) tag: &'a TagRegister,
    pub(crate) source: Source<'a>,
    pub(crate) span: Span,
}

impl<'a> Tag<'a> {
    /// The tag name.
    #[inline]
    pub fn name(&self) -> &'a str {
        self.tag.name.text(self.source)
    }

    /// The range of the tag name.
    #[inline]
    pub fn name_span(&self) -> Span {
        self.tag.name.span_or(self.span.start)
    }

    /// How many attributes there are.
    #[inline]
    pub(crate) fn attribute_count(&self) -> usize {
        self.tag.attributes().len()
    }

    /// The tag name among these.
    #[inline(always)]
    pub(crate) fn local_name(&self, names: &mut Names) -> LocalName {
        self.tag.name.local_name(self.source, names)
    }

    /// The names of the attributes, ready to be looked up.
    #[inline]
    pub(crate) fn written_attribute_names(&self) -> impl Iterator<Item = NameLookup<'a>> + use<'a> {
        let (tag, source) = (self.tag, self.source);
        tag.attributes().iter().map(move |record| tag.written_name_of(record, source))
    }

    /// The bytes of the names and values of the attributes.
    #[inline]
    pub(crate) fn attribute_bytes(&self) -> impl Iterator<Item = [&'a [u8]; 2]> + use<'a> {
        let (tag, source) = (self.tag, self.source);
        tag.attributes().iter().map(move |record| {
            [tag.name_bytes_of(record, source), tag.value_bytes_of(record, source)]
        })
    }

    /// The names of the attributes.
    #[inline]
    pub(crate) fn attribute_names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let (tag, source) = (self.tag, self.source);
        tag.attributes().iter().map(move |record| tag.name_of(record, source))
    }

    /// The attributes with names that are not those that they are written by.
    #[inline]
    pub(crate) fn attributes_called(
        &self,
        names: AttributeNames<'_>,
    ) -> impl Iterator<Item = SinkAttribute<'a>> {
        let count = self.attribute_count();
        debug_assert!(count == 0 || !matches!(names, AttributeNames::Written));
        self.named_attributes((0..count).map(move |index| names.get(index)))
    }

    /// The attributes with these names, none for what is left out.
    #[inline]
    pub(crate) fn named_attributes(
        &self,
        names: impl Iterator<Item = Option<Name>>,
    ) -> impl Iterator<Item = SinkAttribute<'a>> {
        let (tag, source) = (self.tag, self.source);
        tag.attributes().iter().zip(names).filter_map(move |(record, name)| {
            Some(SinkAttribute {
                name: name?,
                value: tag.value_of(record, source),
                name_span: Some(record.name),
                value_span: Some(record.value),
            })
        })
    }

    /// The attributes and what they are ranges of.
    #[inline]
    pub(crate) fn attribute_records(&self) -> (&'a [AttributeRecord], Source<'a>) {
        (self.tag.attributes(), self.source)
    }

    /// The attributes, unless one of their texts is not simply its range.
    #[inline]
    pub(crate) fn literal_attributes(&self) -> Option<(&'a [AttributeRecord], Source<'a>)> {
        self.is_verbatim().then(|| self.attribute_records())
    }

    /// Whether the texts of all attributes are simply their ranges.
    #[inline]
    pub(crate) fn is_verbatim(&self) -> bool {
        self.tag.is_verbatim()
    }

    /// The name of an attribute, ready to be looked up.
    #[inline]
    pub(crate) fn written_name_of(&self, record: &AttributeRecord) -> NameLookup<'a> {
        self.tag.written_name_of(record, self.source)
    }

    /// The value of an attribute.
    #[inline]
    pub(crate) fn value_of(&self, record: &AttributeRecord) -> &'a str {
        self.tag.value_of(record, self.source)
    }

    /// The value of the attribute at the index.
    pub(crate) fn attribute_value(&self, index: usize) -> &'a str {
        let record = self.tag.attributes().get(index);
        record.map_or("", |record| self.tag.value_of(record, self.source))
    }

    /// The range of the tag, delimiters included.
    #[inline]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether it comes from a text that a row has inserted, see [`Text::is_inserted`]. One that only has a reference in
    /// the value of an attribute does not.
    #[inline]
    pub fn is_inserted(&self) -> bool {
        let start = Some(self.span.start);
        self.source.is_inserted()
            || self.tag.inserted_from == start
            || self.tag.inserted_before == start
    }

    /// Whether the self-closing flag is set.
    #[inline]
    pub fn self_closing(&self) -> bool {
        self.tag.self_closing
    }

    /// The attributes in the order of the input, duplicates left out.
    #[inline]
    pub fn attributes(&self) -> Attributes<'a> {
        Attributes { records: self.tag.attributes().iter(), tag: self.tag, source: self.source }
    }

    /// The value of the attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes().find(|attribute| attribute.name == name).map(|attribute| attribute.value)
    }

    /// Whether an attribute was left out because an earlier one has its name.
    pub fn had_duplicate_attributes(&self) -> bool {
        self.tag.had_duplicates
    }
}

impl fmt::Debug for Tag<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let attributes: Vec<_> =
            self.attributes().map(|attribute| (attribute.name, attribute.value)).collect();
        formatter
            .debug_struct("Tag")
            .field("name", &self.name())
            .field("attributes", &attributes)
            .field("self_closing", &self.self_closing())
            .field("span", &self.span)
            .finish()
    }
}

/// An attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its value; empty if none was written.
    pub value: &'a str,
    /// The range of the name.
    pub name_span: Span,
    /// The range of the value, quotes left out; the empty range after the name if no value was written.
    pub value_span: Span,
}

/// The attributes of a tag.
#[derive(Clone)]
pub struct Attributes<'a> {
    records: std::slice::Iter<'a, AttributeRecord>,
    tag: &'a TagRegister,
    source: Source<'a>,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = Attribute<'a>;

    #[inline(always)]
    fn next(&mut self) -> Option<Attribute<'a>> {
        let record = self.records.next()?;
        let (name, value) = self.tag.texts_of(record, self.source);
        Some(Attribute { name, value, name_span: record.name, value_span: record.value })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.records.size_hint()
    }
}

impl ExactSizeIterator for Attributes<'_> {}

impl fmt::Debug for Attributes<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.clone()).finish()
    }
}

/// A DOCTYPE.
#[derive(Clone, Copy)]
pub struct Doctype<'a> {
    pub(crate) doctype: &'a DoctypeRegister,
    pub(crate) source: Source<'a>,
    pub(crate) span: Span,
}

impl<'a> Doctype<'a> {
    /// The name, unless missing.
    pub fn name(&self) -> Option<&'a str> {
        self.doctype.name.text(self.source)
    }

    /// The public identifier, unless missing.
    pub fn public_identifier(&self) -> Option<&'a str> {
        self.doctype.public_identifier.text(self.source)
    }

    /// The system identifier, unless missing.
    pub fn system_identifier(&self) -> Option<&'a str> {
        self.doctype.system_identifier.text(self.source)
    }

    /// Whether it comes from a text that a row has inserted, see [`Text::is_inserted`].
    pub fn is_inserted(&self) -> bool {
        self.source.is_inserted()
    }

    /// Whether the force-quirks flag is on.
    pub fn force_quirks(&self) -> bool {
        self.doctype.force_quirks
    }

    /// The range of the DOCTYPE, delimiters included.
    pub fn span(&self) -> Span {
        self.span
    }
}

impl fmt::Debug for Doctype<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Doctype")
            .field("name", &self.name())
            .field("public_identifier", &self.public_identifier())
            .field("system_identifier", &self.system_identifier())
            .field("force_quirks", &self.force_quirks())
            .field("span", &self.span)
            .finish()
    }
}
