//! Tokens as passed to a sink: views into the input and the machine's registers, which copy nothing. Texts are
//! normalized as the dialect requires; spans are ranges of the original input.

use crate::names::{LocalName, Name, NameLookup, Names, equal_bytes};
use crate::registers::{DoctypeRegister, SourceText, TagAttribute, TagRegister, TextRegister};
use crate::span::Span;
use std::fmt;

/// A piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text<'a> {
    /// The characters of the text.
    pub text: &'a str,
    /// The input range of the text; for a decoded character reference, that of the reference.
    pub span: Span,
    /// Whether byte `i` of the text comes from byte `i` of the range, so that each part of the text has its own part of
    /// the range.
    pub(crate) is_verbatim: bool,
    /// Whether the machine consumed this text in one step; it then equals its input range, unless it is inserted.
    pub(crate) is_bulk: bool,
    /// Whether the token is part of inserted text, or begins or ends in it. Inserted text, such as the value of an XML
    /// entity, is not in the input, which has only a reference: the span is that of the reference, or begins or ends
    /// with it.
    pub is_inserted: bool,
}

impl<'a> Text<'a> {
    /// Creates a text with the range `span`. If text and range are equally long, byte `i` of the text is assumed to
    /// come from byte `i` of the range.
    #[inline]
    pub fn new(text: &'a str, span: Span) -> Self {
        let is_verbatim = text.len() == span.end - span.start;
        Text { text, span, is_verbatim, is_bulk: false, is_inserted: false }
    }

    /// Creates a piece for tree construction, which does not distinguish inserted text.
    #[inline(always)]
    pub(crate) fn piece(text: &'a str, span: Span, is_verbatim: bool, is_bulk: bool) -> Self {
        Text { text, span, is_verbatim, is_bulk, is_inserted: false }
    }

    /// Returns the part between two byte offsets. Only the range of a verbatim text is narrowed to the part.
    #[inline]
    pub(crate) fn part(&self, from: usize, to: usize) -> Self {
        let start = self.span.start;
        let span = if self.is_verbatim { Span::new(start + from, start + to) } else { self.span };
        Text { text: &self.text[from..to], span, ..*self }
    }
}

/// A comment token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comment<'a> {
    /// The data of the comment, without delimiters.
    pub data: &'a str,
    /// The range of the comment, including delimiters.
    pub span: Span,
    /// Whether the token comes from inserted text; see [`Text::is_inserted`].
    pub is_inserted: bool,
}

/// A processing instruction token. Its texts are `&str` if the token is lent, and `Cow<str>` if it is owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessingInstruction<T> {
    /// The target of the processing instruction.
    pub target: T,
    /// The data of the processing instruction.
    pub data: T,
    /// The range of the processing instruction, including delimiters.
    pub span: Span,
    /// Whether the token comes from inserted text; see [`Text::is_inserted`].
    pub is_inserted: bool,
}

/// A short end tag, which has no name and closes the current element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShortEndTag {
    /// The range of the tag, including delimiters.
    pub span: Span,
    /// Whether the token comes from inserted text; see [`Text::is_inserted`].
    pub is_inserted: bool,
}

/// A start tag or an end tag.
#[derive(Clone, Copy)]
pub struct Tag<'a> {
    pub(crate) tag: &'a TagRegister,
    pub(crate) source: SourceText<'a>,
    pub(crate) span: Span,
}

impl<'a> Tag<'a> {
    /// Returns the tag name.
    #[inline]
    pub fn name(&self) -> &'a str {
        self.tag.name.text(self.source)
    }

    /// Returns the range of the tag name.
    #[inline]
    pub fn name_span(&self) -> Span {
        self.tag.name.span_or(self.span.start)
    }

    #[inline]
    pub(crate) fn attribute_count(&self) -> usize {
        self.tag.attributes().len()
    }

    #[inline(always)]
    pub(crate) fn local_name(&self, names: &mut Names) -> LocalName {
        self.tag.name.local_name(self.source, names)
    }

    #[inline]
    pub(crate) fn attribute_name_lookups(&self) -> impl Iterator<Item = NameLookup<'a>> + use<'a> {
        let (tag, source) = (self.tag, self.source);
        tag.attributes().iter().map(move |record| tag.name_lookup_of(record, source))
    }

    /// Returns the attributes under the given names, which must not be [`AttributeNames::Written`].
    #[inline]
    pub(crate) fn attributes_with_names(
        &self,
        names: AttributeNames<'_>,
    ) -> impl Iterator<Item = SinkAttribute<'a>> {
        let count = self.attribute_count();
        debug_assert!(count == 0 || !matches!(names, AttributeNames::Written));
        self.named_attributes((0..count).map(move |index| names.get(index)))
    }

    /// Returns the attributes under the given names; those with the name `None` are dropped.
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

    /// Returns the attribute records and the source of their ranges.
    #[inline]
    pub(crate) fn attribute_records(&self) -> (&'a [TagAttribute], SourceText<'a>) {
        (self.tag.attributes(), self.source)
    }

    /// Whether every attribute name and value is known to equal its range of the input.
    #[inline]
    pub(crate) fn is_verbatim(&self) -> bool {
        self.tag.is_verbatim()
    }

    #[inline]
    pub(crate) fn name_lookup_of(&self, record: &TagAttribute) -> NameLookup<'a> {
        self.tag.name_lookup_of(record, self.source)
    }

    #[inline]
    pub(crate) fn value_of(&self, record: &TagAttribute) -> &'a str {
        self.tag.value_of(record, self.source)
    }

    /// Returns the range of the tag, including delimiters.
    #[inline]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether the token comes from inserted text; see [`Text::is_inserted`]. A reference within an attribute value
    /// does not count.
    #[inline]
    pub fn is_inserted(&self) -> bool {
        let TagRegister { last_reference_start: last, earlier_reference_start: earlier, .. } =
            self.tag;
        let start = Some(self.span.start);
        self.source.is_inserted() || last.is_some() && (*last == start || *earlier == start)
    }

    /// Whether the tag is self-closing.
    #[inline]
    pub fn self_closing(&self) -> bool {
        self.tag.self_closing
    }

    /// Returns the attributes in input order, without duplicates.
    #[inline]
    pub fn attributes(
        &self,
    ) -> impl ExactSizeIterator<Item = Attribute<&'a str>> + Clone + use<'a> {
        let (tag, source) = (self.tag, self.source);
        tag.attributes().iter().map(move |record| {
            let (name, value) = tag.texts_of(record, source);
            Attribute { name, value, name_span: record.name, value_span: record.value }
        })
    }

    /// Returns the value of the attribute called `name`, or `None` if the tag has no such attribute.
    pub fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes().find(|attribute| attribute.name == name).map(|attribute| attribute.value)
    }

    /// Whether an attribute was dropped because an earlier attribute has the same name.
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

/// An attribute of a tag. Its texts are `&str` if the tag is lent, and `Cow<str>` if it is owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute<T> {
    /// The name of the attribute.
    pub name: T,
    /// The value of the attribute; empty if none was written.
    pub value: T,
    /// The range of the name; for a default attribute that the document declares, the empty range at the end of the
    /// tag.
    pub name_span: Span,
    /// The range of the value without quotes; the empty range after the name if no value was written.
    pub value_span: Span,
}

/// A DOCTYPE token.
#[derive(Clone, Copy)]
pub struct Doctype<'a> {
    pub(crate) doctype: &'a DoctypeRegister,
    pub(crate) source: SourceText<'a>,
    pub(crate) span: Span,
}

impl<'a> Doctype<'a> {
    /// Returns the name, or `None` if it is missing.
    pub fn name(&self) -> Option<&'a str> {
        self.doctype.name.text_if_set(self.source)
    }

    /// Returns the public identifier, or `None` if it is missing.
    pub fn public_identifier(&self) -> Option<&'a str> {
        self.doctype.public_identifier.text_if_set(self.source)
    }

    /// Returns the system identifier, or `None` if it is missing.
    pub fn system_identifier(&self) -> Option<&'a str> {
        self.doctype.system_identifier.text_if_set(self.source)
    }

    /// Whether the token comes from inserted text; see [`Text::is_inserted`].
    pub fn is_inserted(&self) -> bool {
        self.source.is_inserted()
    }

    /// Whether the force-quirks flag is on.
    pub fn force_quirks(&self) -> bool {
        self.doctype.force_quirks
    }

    /// Returns the range of the DOCTYPE, including delimiters.
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

/// An attribute passed to a tree sink, for a new element or for an element that lacks the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinkAttribute<'a> {
    /// The name, interned in the names of the tree being built.
    pub name: Name,
    /// The attribute's value.
    pub value: &'a str,
    /// The range of the name in the input: the empty range at the end of the tag for a default attribute that the
    /// document declares, `None` for an attribute that tree construction adds or copies.
    pub name_span: Option<Span>,
    /// The range of the value in the input, without quotes; equal to `name_span` for an attribute that does not occur
    /// in the input.
    pub value_span: Option<Span>,
}

impl<'a> SinkAttribute<'a> {
    /// Creates an attribute without ranges in the input, such as one that tree construction adds.
    pub const fn implied(name: Name, value: &'a str) -> Self {
        Self { name, value, name_span: None, value_span: None }
    }
}

/// The names under which a tag's attributes are stored in the tree.
#[derive(Clone, Copy, Debug)]
pub enum AttributeNames<'a> {
    /// The names as written, in no namespace.
    Written,
    /// The names, by attribute index; attributes past the end of the slice are dropped.
    All(&'a [Name]),
    /// The names, by attribute index; attributes with the entry `None`, or past the end of the slice, are dropped.
    Some(&'a [Option<Name>]),
}

impl AttributeNames<'_> {
    /// Returns the name of the attribute at `index`, or `None` if the attribute is dropped. For
    /// [`Written`](Self::Written), always returns `None`: the caller interns the names from the tag.
    #[inline]
    pub fn get(self, index: usize) -> Option<Name> {
        match self {
            Self::Written => None,
            Self::All(names) => names.get(index).copied(),
            Self::Some(names) => names.get(index).copied().flatten(),
        }
    }
}

/// A kind of token that a table declares with `token`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenForm {
    /// The name of the kind of token.
    pub name: &'static str,
    /// The names of a token's fields.
    pub fields: &'static [&'static str],
    /// The index of the kind's first field in the list of the fields of all kinds.
    pub first: usize,
    /// For each field, whether it has a range; a field to which rows append the text of another field has none.
    pub has_ranges: &'static [bool],
}

impl TokenForm {
    /// Returns the form of the kind called `name`; for constants, in which an unknown name is an error of compilation.
    ///
    /// # Panics
    /// If there is no such kind.
    pub const fn find(forms: &'static [Self], name: &str) -> &'static Self {
        let mut index = 0;
        while !equal_bytes(forms[index].name.as_bytes(), name.as_bytes()) {
            index += 1;
        }
        &forms[index]
    }

    /// Returns the index of the field called `name` among the fields of the kind; for constants, as [`find`](Self::find).
    ///
    /// # Panics
    /// If there is no such field.
    pub const fn field_index(&self, name: &str) -> usize {
        let mut index = 0;
        while !equal_bytes(self.fields[index].as_bytes(), name.as_bytes()) {
            index += 1;
        }
        index
    }
}

/// A token of a kind that a table declares.
#[derive(Clone, Copy)]
pub struct DeclaredToken<'a> {
    pub(crate) form: &'static TokenForm,
    pub(crate) fields: &'a [TextRegister],
    pub(crate) source: SourceText<'a>,
    pub(crate) span: Span,
    pub(crate) kind: usize,
    pub(crate) is_inside: bool,
}

impl<'a> DeclaredToken<'a> {
    /// Returns the name of the token's kind.
    pub fn name(&self) -> &'static str {
        self.form.name
    }

    /// Returns the range of the token: from the start of the row that created it to the end of the row that emitted it.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether the token is inside another token or a text. Such tokens are not passed to the rows of modes.
    pub fn is_inside(&self) -> bool {
        self.is_inside
    }

    /// Whether the token comes from inserted text; see [`Text::is_inserted`](crate::Text::is_inserted).
    pub fn is_inserted(&self) -> bool {
        self.source.is_inserted()
    }

    /// Returns the index of the token's kind in the table's order of declaration.
    pub fn kind(&self) -> usize {
        self.kind
    }

    /// Returns the text and range of the field at index `index`, both empty if there is no such field.
    pub(crate) fn field_at(&self, index: usize) -> (&'a str, Span) {
        let start = Span::new(self.span.start, self.span.start);
        self.fields().nth(index).map_or(("", start), |field| (field.text, field.span))
    }

    /// Returns the fields of the token in table order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = DeclaredField<&'a str>> + use<'a> {
        let (source, start) = (self.source, self.span.start);
        let forms = self.form.fields.iter().zip(self.form.has_ranges);
        forms.zip(self.fields).map(move |((name, &has_range), field)| DeclaredField {
            name,
            text: field.text(source),
            span: if has_range { field.span_or(start) } else { Span::new(start, start) },
            is_missing: !field.is_set(),
        })
    }

    /// Returns the text of the field called `name`, empty if the field is missing, or `None` if the kind has no such
    /// field.
    pub fn field(&self, name: &str) -> Option<&'a str> {
        self.fields().find(|field| field.name == name).map(|field| field.text)
    }
}

impl fmt::Debug for DeclaredToken<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DeclaredToken")
            .field("name", &self.name())
            .field("fields", &self.fields().collect::<Vec<_>>())
            .field("span", &self.span)
            .finish()
    }
}

/// A field of a declared token. Its text is a `&str` if the token is lent, and a `Cow<str>` if it is owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredField<T> {
    /// The name of the field.
    pub name: &'static str,
    /// The text of the field; empty if the field is missing.
    pub text: T,
    /// The input range of the text; the empty range at the start of the token if the field is missing or has no range.
    pub span: Span,
    /// Whether nothing was set or appended to the field.
    pub is_missing: bool,
}
