//! Reading of inputs into records of the declared tokens that the machine emits. Characters that the table removes are
//! dropped before the machine reads the input; ranges are those of the original input.

use crate::byte_tables::CharacterSet;
use crate::declared::DeclaredToken;
use crate::error::ParseError;
use crate::machine::Machine;
use crate::sink::{Control, MachineSink, Sink};
use crate::span::Span;
use crate::tokenizer::Tokenizer;
use std::any::Any;
use std::borrow::Cow;
use std::cell::Cell;

/// A set of characters that a table removes from the input.
#[derive(Clone, Copy, Debug)]
pub struct RemovedCharacters<E> {
    /// The characters that are removed.
    pub set: CharacterSet,
    /// The code of the error that reports a removal.
    pub error: E,
    /// Whether only characters at the beginning and end of the input are removed.
    pub is_at_ends: bool,
}

/// A dialect, as a value, in which inputs are read into records instead of trees.
#[derive(Clone, Copy, Debug)]
pub struct RecordDialect {
    /// The id of the dialect.
    pub id: &'static str,
    /// The function that reads an input into a record; its second argument is the base to which the input is relative,
    /// if any.
    pub read: fn(&str, Option<&str>, &ReadOptions) -> Record,
}

/// Options for reading a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The number of bytes that are fed at a time, which does not change the result; with `None`, the whole input is
    /// fed at once.
    pub chunk: Option<usize>,
}

impl ReadOptions {
    /// Creates the default options: the input is fed in one piece.
    pub const fn new() -> Self {
        Self { chunk: None }
    }

    /// Sets the length of the chunks in which the input is fed, in bytes; each ends at the next character boundary.
    #[must_use]
    pub const fn chunk(mut self, bytes: Option<usize>) -> Self {
        self.chunk = bytes;
        self
    }
}

/// The result of reading an input: its fields, or a refusal, and its errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The names and texts of the fields, or `None` if the input was refused.
    pub fields: Option<Vec<(&'static str, String)>>,
    /// The errors in input order.
    pub errors: Vec<ParseError>,
}

impl Record {
    /// Creates a record from its fields, or `None` for a refused input, and its errors.
    pub const fn new(fields: Option<Vec<(&'static str, String)>>, errors: Vec<ParseError>) -> Self {
        Self { fields, errors }
    }
}

/// The texts of the fields of a declared token in table order; a field may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    /// The texts of all fields, concatenated.
    text: String,
    /// The range of each field in `text`; both offsets are `usize::MAX` for a missing field.
    ranges: Vec<(usize, usize)>,
}

impl Fields {
    /// Returns the text of the field at `index`, or `None` if the field is missing or does not exist.
    pub fn get(&self, index: usize) -> Option<&str> {
        let &(start, end) = self.ranges.get(index)?;
        self.text.get(start..end)
    }

    /// Returns the texts of the fields; `None` for a missing field.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<&str>> {
        self.ranges.iter().map(|&(start, end)| self.text.get(start..end))
    }

    /// Copies the texts. They are iterated twice, so that the copy is allocated at its full length.
    pub(crate) fn copy<'t>(texts: impl Iterator<Item = Option<&'t str>> + Clone) -> Self {
        let mut text = String::with_capacity(texts.clone().flatten().map(str::len).sum());
        let ranges = texts.map(|field| {
            let start = text.len();
            field.map_or((usize::MAX, usize::MAX), |field| {
                text.push_str(field);
                (start, text.len())
            })
        });
        let ranges = ranges.collect();
        Self { text, ranges }
    }
}

impl<'t> FromIterator<Option<&'t str>> for Fields {
    fn from_iter<T: IntoIterator<Item = Option<&'t str>>>(texts: T) -> Self {
        Self::copy(texts.into_iter().collect::<Vec<_>>().into_iter())
    }
}

/// A function that applies the host's function of the given name to a text; returns `None` if that fails or does not
/// exist.
pub type Convert = fn(&str, &str) -> Option<String>;

/// The declared tokens and the errors of one input.
#[derive(Debug)]
pub struct MachineOutput {
    /// For each declared kind with an emitted token, the name of the kind and the fields of the first such token.
    pub tokens: Vec<(&'static str, Fields)>,
    /// The errors in input order.
    pub errors: Vec<ParseError>,
}

impl MachineOutput {
    /// Removes and returns the fields of the token of the kind called `kind`, if there is one.
    pub fn take(&mut self, kind: &str) -> Option<Fields> {
        let index = self.tokens.iter().position(|(name, _)| *name == kind)?;
        Some(self.tokens.swap_remove(index).1)
    }
}

/// The tokens and the state with which a run begins.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a, S> {
    /// The kinds and the fields of the tokens that are created before the run.
    pub tokens: &'a [(&'a str, &'a Fields)],
    /// The state to begin in instead of the start state. The ends of the input are then not trimmed.
    pub state: Option<S>,
}

/// Runs a machine over an input, and returns the declared tokens and the errors.
pub fn read<M: Machine>(
    input: &str,
    given: Given<'_, M::State>,
    convert: Convert,
    options: &ReadOptions,
) -> MachineOutput {
    let mut record_sink = RecordSink { tokens: Vec::new(), errors: Vec::new(), convert };
    let filtered = FilteredInput::new::<M>(input, given.state.is_none(), &mut record_sink.errors);
    let removal_error_count = record_sink.errors.len();
    let mut tokenizer = take_tokenizer::<M>();
    tokenizer.keep_byte_order_mark();
    for (kind, fields) in given.tokens {
        tokenizer.preset_token(kind, fields);
    }
    if let Some(state) = given.state {
        tokenizer.set_state(state);
    }
    let mut rest = &*filtered.text;
    if let Some(size) = options.chunk {
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(rest.ceil_char_boundary(size.max(1)));
            let _ = tokenizer.feed(piece, &mut record_sink);
            rest = after;
        }
    }
    let _ = tokenizer.finish_with(rest, &mut record_sink);
    for error in &mut record_sink.errors[removal_error_count..] {
        error.span = filtered.original(error.span);
    }
    let given_len: usize = given.tokens.iter().map(|(_, fields)| fields.text.len()).sum();
    if input.len() + given_len <= MAX_LEN_FOR_REUSE {
        TOKENIZER.set(Some(tokenizer));
    }
    MachineOutput { tokens: record_sink.tokens, errors: record_sink.errors }
}

thread_local! {
    /// The tokenizer with which the thread read its last record. Most inputs are so short that creating one takes
    /// longer than running it.
    static TOKENIZER: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

/// The maximum length in bytes of an input, together with the given fields, after which the tokenizer is kept for the
/// next record.
const MAX_LEN_FOR_REUSE: usize = 0x1000;

/// Returns the tokenizer that was kept, if it is one of this machine, else a new one.
fn take_tokenizer<M: Machine>() -> Box<Tokenizer<M>> {
    let tokenizer = TOKENIZER.take().and_then(|tokenizer| tokenizer.downcast().ok());
    tokenizer.map_or_else(Box::default, |mut tokenizer: Box<Tokenizer<M>>| {
        tokenizer.reset();
        tokenizer
    })
}

struct RecordSink {
    tokens: Vec<(&'static str, Fields)>,
    errors: Vec<ParseError>,
    convert: Convert,
}

impl MachineSink for RecordSink {}

impl Sink for RecordSink {
    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
        if self.tokens.iter().all(|(name, _)| *name != token.name()) {
            self.tokens.push((token.name(), token.texts()));
        }
        Control::Continue
    }

    fn error(&mut self, error: ParseError) {
        self.errors.push(error);
    }

    fn convert(&mut self, function: &str, text: &str) -> Option<String> {
        (self.convert)(function, text)
    }
}

/// An input after removal of the characters that the table drops.
struct FilteredInput<'i> {
    text: Cow<'i, str>,
    /// The number of bytes trimmed from the start.
    trimmed: usize,
    /// For each removed character in order, the offset in `text` at which it would be, and its length in bytes.
    removed: Vec<(usize, usize)>,
}

impl<'i> FilteredInput<'i> {
    /// Removes the characters of the table's sets from `input`. For each set with characters in `input`, reports an
    /// error at the first of them. Sets that are removed only at the ends of the input are skipped unless `trims` is
    /// set.
    fn new<M: Machine>(input: &'i str, trims: bool, errors: &mut Vec<ParseError>) -> Self {
        let mut inner = 0..input.len();
        for removal in M::REMOVED.iter().filter(|removal| trims && removal.is_at_ends) {
            let rest = input[inner.clone()].trim_start_matches(removal.set.is_member);
            let begin = inner.end - rest.len();
            let end = begin + rest.trim_end_matches(removal.set.is_member).len();
            let first_removed = if begin > inner.start { inner.start } else { end };
            if (begin..end) != inner {
                errors.push(ParseError::of(removal.error, character_span(input, first_removed)));
            }
            inner = begin..end;
        }
        let inner_removals = || M::REMOVED.iter().filter(|removal| !removal.is_at_ends);
        let (text, trimmed, trim_error_count) = (&input[inner.clone()], inner.start, errors.len());
        for removal in inner_removals() {
            if let Some(offset) = removal.set.find(text) {
                errors.push(ParseError::of(removal.error, character_span(input, trimmed + offset)));
            }
        }
        if errors.len() == trim_error_count {
            return Self { text: Cow::Borrowed(text), trimmed, removed: Vec::new() };
        }
        let is_removed =
            |character: char| inner_removals().any(|removal| (removal.set.is_member)(character));
        let (mut filtered, mut removed) = (String::with_capacity(text.len()), Vec::new());
        for character in text.chars() {
            match is_removed(character) {
                true => removed.push((filtered.len(), character.len_utf8())),
                false => filtered.push(character),
            }
        }
        Self { text: Cow::Owned(filtered), trimmed, removed }
    }

    /// Maps a range of `text` to the input. Characters removed directly before or after the range are not part of it.
    fn original(&self, span: Span) -> Span {
        let removed_len =
            |count: usize| self.removed[..count].iter().map(|(_, length)| length).sum::<usize>();
        let removed_before =
            |end: usize| removed_len(self.removed.partition_point(|(at, _)| *at < end));
        let up_to = |end: usize| removed_len(self.removed.partition_point(|(at, _)| *at <= end));
        let end = self.trimmed + span.end + removed_before(span.end);
        let start = self.trimmed + span.start + up_to(span.start);
        Span { start: start.min(end), end }
    }
}

fn character_span(input: &str, offset: usize) -> Span {
    let length = input[offset..].chars().next().map_or(0, char::len_utf8);
    Span { start: offset, end: offset + length }
}
