//! The registers of a machine: texts that grow, the current tag, attribute, comment and DOCTYPE. They know no state and
//! no row. Invariant: a text is a range of the current chunk as long as it is that, byte for byte; only when something
//! else is appended, or the chunk goes away, is it copied.

use crate::lexeme::{Replaced, seen};
use crate::replacement::original;
use crate::span::Span;
use std::borrow::Cow;
use std::collections::HashSet;

/// The chunk that the machine works on.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The text of the chunk.
    pub text: &'a str,
    /// The offset of its first byte in the whole input.
    pub base: usize,
}

impl<'a> Source<'a> {
    /// The text of a range of the whole input; the range must lie in this chunk or be empty.
    #[inline]
    fn slice(self, span: Span) -> &'a str {
        self.text
            .get(span.start.wrapping_sub(self.base)..span.end.wrapping_sub(self.base))
            .unwrap_or_default()
    }
}

/// The offset of a text to which nothing was appended yet.
const UNSET: usize = usize::MAX;

/// A text that grows.
#[derive(Clone, Debug)]
pub struct TextRegister {
    /// The range of the input from which the text was made; `UNSET` as start while it is unset.
    span: Span,
    /// The text, if it is not simply the range.
    owned: Option<String>,
    /// A buffer to be used again.
    spare: String,
}

impl Default for TextRegister {
    fn default() -> Self {
        Self { span: Span::new(UNSET, UNSET), owned: None, spare: String::new() }
    }
}

impl TextRegister {
    /// Empties the text; its range is unset.
    #[inline]
    pub fn clear(&mut self) {
        self.span = Span::new(UNSET, UNSET);
        if self.owned.is_some() {
            self.recycle();
        }
    }

    #[cold]
    fn recycle(&mut self) {
        if let Some(mut text) = self.owned.take() {
            text.clear();
            self.spare = text;
        }
    }

    /// The text.
    #[inline]
    pub fn text<'a>(&'a self, source: Source<'a>) -> &'a str {
        match &self.owned {
            Some(text) => text,
            None if self.span.start == UNSET => "",
            None => source.slice(self.span),
        }
    }

    /// The range from which the text was made, or the empty one at the offset.
    #[inline]
    pub(crate) fn span_or(&self, offset: usize) -> Span {
        if self.span.start == UNSET { Span::new(offset, offset) } else { self.span }
    }

    /// The range from which the text was made, unless it is unset.
    #[inline]
    fn span_if_set(&self) -> Option<Span> {
        (self.span.start != UNSET).then_some(self.span)
    }

    /// Gives an unset text the empty range at this offset of the chunk.
    #[inline]
    pub fn open(&mut self, base: usize, at: usize) {
        if self.span.start == UNSET {
            self.span = Span::new(base + at, base + at);
        }
    }

    /// Appends the bytes of the chunk from `from` to `to`.
    #[inline]
    pub fn append_run(&mut self, source: Source<'_>, from: usize, to: usize) {
        let (start, end) = (source.base + from, source.base + to);
        if self.owned.is_none() && self.span.end == start {
            self.span.end = end;
        } else if self.span.start == UNSET {
            self.span = Span::new(start, end);
        } else {
            self.append_text(source, &source.text[from..to], from, to);
        }
    }

    /// Appends what stands in the chunk in the range, as the states see it.
    #[inline]
    pub fn append_part(
        &mut self,
        source: Source<'_>,
        range: std::ops::Range<usize>,
        replaced: Replaced,
    ) {
        match seen(&source.text[range.clone()], replaced) {
            Cow::Borrowed(_) => self.append_run(source, range.start, range.end),
            Cow::Owned(text) => self.append_text(source, &text, range.start, range.end),
        }
    }

    /// Appends a text that is not a range of the input; `from..to` is where it comes from.
    #[cold]
    #[inline(never)]
    pub fn append_text(&mut self, source: Source<'_>, text: &str, from: usize, to: usize) {
        self.own(source).push_str(text);
        if self.span.start == UNSET {
            self.span.start = source.base + from;
        }
        self.span.end = source.base + to;
    }

    /// Appends one character that stands for the bytes from `from` to `to`.
    #[cold]
    #[inline(never)]
    pub fn append_character(
        &mut self,
        source: Source<'_>,
        character: char,
        from: usize,
        to: usize,
    ) {
        self.append_text(source, character.encode_utf8(&mut [0; 4]), from, to);
    }

    /// Appends a literal that usually is just what stands in the chunk before `at`: if it is, nothing is copied.
    #[inline]
    pub fn append_before(&mut self, source: Source<'_>, text: &str, at: usize, to: usize) {
        let start = at.checked_sub(text.len());
        let same = start.is_some_and(|start| source.text.as_bytes()[start..at] == *text.as_bytes());
        match start {
            Some(start) if same && self.owned.is_none() && self.span.end == source.base + start => {
                self.span.end = source.base + at;
            }
            Some(start) if same && self.span.start == UNSET => {
                self.span = Span::new(source.base + start, source.base + at);
            }
            _ => self.append_text(source, text, to, to),
        }
    }

    /// Appends the text of another register; if it is the range behind this one that ends at `to`, nothing is copied.
    #[inline]
    pub fn append_register(&mut self, source: Source<'_>, other: &Self, from: usize, to: usize) {
        let is_behind = self.owned.is_none()
            && other.owned.is_none()
            && self.span.end == other.span.start
            && other.span.end == source.base + to;
        if is_behind && self.span.start != UNSET {
            self.span.end = other.span.end;
        } else {
            self.append_text(source, other.text(source), from, to);
        }
    }

    /// Replaces the text; `to` is where it comes from.
    pub fn set(&mut self, source: Source<'_>, text: &str, to: usize) {
        self.clear();
        if text.is_empty() {
            self.open(source.base, to);
        } else {
            self.append_text(source, text, to, to);
        }
    }

    /// Copies the text out of the chunk, which is about to go away.
    #[inline]
    pub(crate) fn spill(&mut self, source: Source<'_>) {
        if self.owned.is_none() && self.span.start != UNSET {
            self.own(source);
        }
    }

    /// Copies the text out of the source, and gives its range its place in the input.
    pub(crate) fn settle(&mut self, source: Source<'_>, origin: Span) {
        if self.span.start != UNSET {
            self.spill(source);
            self.span = original(self.span, origin);
        }
    }

    fn own(&mut self, source: Source<'_>) -> &mut String {
        if self.owned.is_none() {
            let mut text = std::mem::take(&mut self.spare);
            if self.span.start != UNSET {
                text.push_str(source.slice(self.span));
            }
            self.owned = Some(text);
        }
        self.owned.get_or_insert_default()
    }

    /// Takes over the text of another register.
    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.span = other.span;
        if self.owned.is_some() || other.owned.is_some() {
            self.recycle();
            self.owned.clone_from(&other.owned);
        }
    }
}

/// A finished text of an attribute.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// The range of the input from which the text was made; for a value to which nothing was appended, [`UNSET`].
    pub(crate) span: Span,
    /// Where in the tag's `owned` the text stands; [`UNSET`] as start if it is simply the range.
    owned: Span,
}

impl Stored {
    #[inline]
    fn length(&self) -> usize {
        let of = if self.is_owned() { self.owned } else { self.span };
        of.end.wrapping_sub(of.start)
    }

    #[inline]
    fn is_owned(&self) -> bool {
        self.owned.start != UNSET
    }
}

/// A finished attribute.
#[derive(Clone, Debug)]
pub(crate) struct AttributeRecord {
    pub(crate) name: Stored,
    pub(crate) value: Stored,
}

/// The number of attributes from which on duplicates are looked up in a set.
const MANY_ATTRIBUTES: usize = 24;

/// The current tag token and its current attribute.
#[derive(Clone, Debug, Default)]
pub struct TagRegister {
    /// The tag name.
    pub name: TextRegister,
    /// Whether it is an end tag.
    pub is_end: bool,
    /// The self-closing flag.
    pub self_closing: bool,
    /// The name of the current attribute.
    pub attribute_name: TextRegister,
    /// The value of the current attribute.
    pub attribute_value: TextRegister,
    pub(crate) attributes: Vec<AttributeRecord>,
    pub(crate) had_duplicates: bool,
    /// Where the current attribute was started.
    attribute_start: Span,
    has_attribute: bool,
    is_dropped: bool,
    /// Whether it was asked if the current attribute's name is a duplicate.
    is_asked: bool,
    /// A bit for each attribute's name, which other names may have as well; all of them if that is not known.
    bits: u64,
    /// Texts of attributes that are no ranges of the input.
    owned: String,
    /// How many of the attributes no longer need the chunk.
    spilled: usize,
    /// The names of the attributes, once they are many.
    names: HashSet<Box<str>>,
}

impl TagRegister {
    /// Creates a new tag token.
    #[inline]
    pub fn create(&mut self, is_end: bool) {
        self.name.clear();
        self.is_end = is_end;
        self.self_closing = false;
        self.has_attribute = false;
        self.had_duplicates = false;
        self.bits = 0;
        if !self.attributes.is_empty() {
            self.clear_attributes();
        }
    }

    #[inline]
    fn clear_attributes(&mut self) {
        self.attributes.clear();
        self.owned.clear();
        self.spilled = 0;
        if !self.names.is_empty() {
            self.names = HashSet::new();
        }
    }

    /// Starts a new attribute; the one before is finished.
    #[inline]
    pub fn start_attribute(&mut self, source: Source<'_>, at: usize) {
        self.finish_attribute();
        self.has_attribute = true;
        self.is_dropped = false;
        self.is_asked = false;
        self.attribute_name.clear();
        self.attribute_start = Span::new(source.base + at, source.base + at);
        self.attribute_value.clear();
    }

    /// Whether an earlier attribute bears the name of the current one; if so, the current one is left out of the tag.
    #[inline]
    pub fn drop_duplicate_attribute(&mut self, source: Source<'_>) -> bool {
        let name = self.attribute_name.text(source);
        let (bits, bit) = (self.bits, name_bit(name));
        (self.is_asked, self.bits) = (true, bits | bit);
        if bits & bit == 0 {
            return false;
        }
        let duplicate = if self.attributes.len() < MANY_ATTRIBUTES {
            // Most names differ in length, which is cheaper to ask.
            let same = |stored: &Stored| {
                stored.length() == name.len() && self.stored(stored, source) == name
            };
            self.attributes.iter().any(|record| same(&record.name))
        } else {
            self.is_among_many(source)
        };
        if duplicate {
            self.is_dropped = true;
            self.had_duplicates = true;
        }
        duplicate
    }

    #[cold]
    fn is_among_many(&mut self, source: Source<'_>) -> bool {
        self.collect_names(source);
        self.names.contains(self.attribute_name.text(source))
    }

    fn collect_names(&mut self, source: Source<'_>) {
        for index in self.names.len()..self.attributes.len() {
            let name = self.stored(&self.attributes[index].name, source).into();
            self.names.insert(name);
        }
    }

    /// Adds the current attribute, if there is one, to the tag.
    #[inline]
    pub(crate) fn finish_attribute(&mut self) {
        if !self.has_attribute || self.is_dropped {
            self.has_attribute = false;
            return;
        }
        self.has_attribute = false;
        if !self.is_asked {
            self.bits = u64::MAX;
        }
        let name_span = self.attribute_name.span_if_set().unwrap_or(self.attribute_start);
        let value_span = self.attribute_value.span;
        let name = Stored { span: name_span, owned: store(&mut self.owned, &self.attribute_name) };
        let value =
            Stored { span: value_span, owned: store(&mut self.owned, &self.attribute_value) };
        self.attributes.push(AttributeRecord { name, value });
    }

    /// The range of the attribute's value; where it was not written, the empty one behind the name.
    #[inline]
    pub(crate) fn value_span(record: &AttributeRecord) -> Span {
        let behind = record.name.span.end;
        if record.value.span.start == UNSET { Span::new(behind, behind) } else { record.value.span }
    }

    #[inline]
    pub(crate) fn stored<'a>(&'a self, stored: &Stored, source: Source<'a>) -> &'a str {
        if stored.is_owned() {
            return &self.owned[stored.owned.start..stored.owned.end];
        }
        source.slice(stored.span)
    }

    pub(crate) fn spill(&mut self, source: Source<'_>) {
        self.name.spill(source);
        if self.has_attribute {
            self.attribute_name.spill(source);
            self.attribute_value.spill(source);
        }
        for record in &mut self.attributes[self.spilled..] {
            for stored in [&mut record.name, &mut record.value] {
                if !stored.is_owned() {
                    let start = self.owned.len();
                    self.owned.push_str(source.slice(stored.span));
                    stored.owned = Span::new(start, self.owned.len());
                }
            }
        }
        self.spilled = self.attributes.len();
    }

    /// Adds an attribute that stands nowhere in the input, unless the tag, once finished, has one of its name.
    pub(crate) fn add_attribute(
        &mut self,
        source: Source<'_>,
        (name, value): (&str, &str),
        span: Span,
    ) {
        let is_there = if self.attributes.len() < MANY_ATTRIBUTES {
            self.attributes.iter().any(|record| self.stored(&record.name, source) == name)
        } else {
            self.collect_names(source);
            self.names.contains(name)
        };
        if is_there {
            return;
        }
        let mut stored = |text: &str| {
            let start = self.owned.len();
            self.owned.push_str(text);
            Stored { span, owned: Span::new(start, self.owned.len()) }
        };
        let (name, value) = (stored(name), stored(value));
        self.bits = u64::MAX;
        self.attributes.push(AttributeRecord { name, value });
    }

    /// Copies all texts out of the source, and gives their ranges their places in the input.
    pub(crate) fn settle(&mut self, source: Source<'_>, origin: Span) {
        let from = self.spilled;
        self.spill(source);
        for record in &mut self.attributes[from..] {
            record.name.span = original(record.name.span, origin);
            if record.value.span.start != UNSET {
                record.value.span = original(record.value.span, origin);
            }
        }
        self.attribute_start = original(self.attribute_start, origin);
        for text in [&mut self.name, &mut self.attribute_name, &mut self.attribute_value] {
            text.settle(source, origin);
        }
    }

    /// Whether the tag, once finished, has attributes.
    #[inline]
    pub(crate) fn has_attributes(&self) -> bool {
        !self.attributes.is_empty()
    }
}

/// The bit for a name: of few names, most have different ones.
#[inline]
fn name_bit(name: &str) -> u64 {
    let (Some(&first), Some(&last)) = (name.as_bytes().first(), name.as_bytes().last()) else {
        return 1;
    };
    let mixed = u32::from(first) * 5 + u32::from(last) * 11 + name.len() as u32;
    1 << (mixed % 64)
}

/// Copies an owned text behind the others and tells where it stands there.
#[inline]
fn store(owned: &mut String, register: &TextRegister) -> Span {
    let Some(text) = register.owned.as_deref() else { return Span::new(UNSET, UNSET) };
    let start = owned.len();
    owned.push_str(text);
    Span::new(start, owned.len())
}

/// A text that can be missing.
#[derive(Clone, Debug, Default)]
pub struct OptionalText {
    /// The text.
    pub text: TextRegister,
    /// Whether it is there.
    pub is_present: bool,
}

impl OptionalText {
    /// The text, unless missing.
    pub(crate) fn text<'a>(&'a self, source: Source<'a>) -> Option<&'a str> {
        self.is_present.then(|| self.text.text(source))
    }

    /// The text, which is no longer missing.
    #[inline]
    pub fn present(&mut self) -> &mut TextRegister {
        self.is_present = true;
        &mut self.text
    }

    fn clear(&mut self) {
        self.is_present = false;
        self.text.clear();
    }
}

/// The current DOCTYPE token.
#[derive(Clone, Debug, Default)]
pub struct DoctypeRegister {
    /// The name.
    pub name: OptionalText,
    /// The public identifier.
    pub public_identifier: OptionalText,
    /// The system identifier.
    pub system_identifier: OptionalText,
    /// The force-quirks flag.
    pub force_quirks: bool,
}

impl DoctypeRegister {
    /// Creates a new DOCTYPE token: everything is missing, force-quirks is off.
    pub fn create(&mut self) {
        self.name.clear();
        self.public_identifier.clear();
        self.system_identifier.clear();
        self.force_quirks = false;
    }

    pub(crate) fn spill(&mut self, source: Source<'_>) {
        for text in [&mut self.name, &mut self.public_identifier, &mut self.system_identifier] {
            text.text.spill(source);
        }
    }
}

/// The current processing instruction token.
#[derive(Clone, Debug, Default)]
pub struct ProcessingInstructionRegister {
    /// The target.
    pub target: TextRegister,
    /// The data.
    pub data: TextRegister,
}

impl ProcessingInstructionRegister {
    /// Creates a new processing instruction token.
    pub fn create(&mut self) {
        self.target.clear();
        self.data.clear();
    }
}

/// The name of the last start tag that was emitted.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastStartTag {
    name: TextRegister,
    is_set: bool,
}

impl LastStartTag {
    #[inline]
    pub(crate) fn remember(&mut self, tag: &TagRegister) {
        self.name.copy_from(&tag.name);
        self.is_set = true;
    }

    pub(crate) fn set(&mut self, name: &str) {
        self.name.recycle();
        self.name.owned = Some(name.to_owned());
        self.is_set = true;
    }

    /// The name, if there is one.
    pub(crate) fn name<'a>(&'a self, source: Source<'a>) -> Option<&'a str> {
        self.is_set.then(|| self.name.text(source))
    }

    /// Whether the tag is an end tag with the name of the last start tag.
    pub(crate) fn is_appropriate(&self, tag: &TagRegister, source: Source<'_>) -> bool {
        self.is_set && tag.is_end && self.name.text(source) == tag.name.text(source)
    }

    pub(crate) fn spill(&mut self, source: Source<'_>) {
        self.name.spill(source);
    }
}
