//! Reading of inputs into records of the declared tokens that the machine emits. Characters that the table removes are
//! dropped before the machine reads the input; ranges are those of the original input.

use crate::error::ParseError;
use crate::machine::Machine;
use crate::scan::CharacterSet;
use crate::sink::{Control, MachineSink, Sink};
use crate::span::Span;
use crate::token::DeclaredToken;
use crate::tokenizer::Tokenizer;
use std::any::Any;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

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
    /// The function that reads an input into a record. The second argument is the base to which the input is relative,
    /// if any; the third is the length of the chunks in which the input is fed, which does not change the result, or
    /// `None` to feed the whole input at once.
    pub read: fn(&str, Option<&str>, Option<usize>) -> Record,
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

/// The texts of the fields of declared tokens: one token after the other, each with its fields in table order. A field
/// may be missing.
#[derive(Clone, Default)]
pub struct Fields {
    /// A text that contains those of all fields, which may overlap.
    text: String,
    /// The range of each field in `text`, or [`MISSING`].
    ranges: Vec<(usize, usize)>,
}

/// The range of a missing field.
const MISSING: (usize, usize) = (usize::MAX, usize::MAX);

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

    /// Returns the range of each field in the text; `None` for a missing field.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Option<(usize, usize)>> {
        self.ranges.iter().map(|range| (*range != MISSING).then_some(*range))
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ranges.clear();
    }
}

impl<'t> FromIterator<Option<&'t str>> for Fields {
    fn from_iter<T: IntoIterator<Item = Option<&'t str>>>(texts: T) -> Self {
        let (mut text, texts) = (String::new(), texts.into_iter());
        let ranges = texts.map(|field| field.map_or(MISSING, |it| append_copy(&mut text, it, 0)));
        let ranges = ranges.collect();
        Self { text, ranges }
    }
}

/// Appends a copy of `field` to `text`, which follows a text of `offset` bytes; returns the range of the copy.
#[cold]
#[inline(never)]
fn append_copy(text: &mut String, field: &str, offset: usize) -> (usize, usize) {
    let start = offset + text.len();
    text.push_str(field);
    (start, start + field.len())
}

impl PartialEq for Fields {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Fields {}

impl fmt::Debug for Fields {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

/// A function that applies the host's function of the given name to a text; returns `None` if that fails or does not
/// exist. Records of one machine must be read with one function, as its results may be kept for later records.
pub type Convert = for<'t> fn(&str, &'t str) -> Option<Cow<'t, str>>;

/// The declared tokens and the errors of one input.
#[derive(Debug)]
pub struct MachineOutput {
    /// The fields of the first token of each declared kind, in the order in which these tokens were emitted; `None` if
    /// no token was emitted.
    pub fields: Option<Fields>,
    /// The errors in input order.
    pub errors: Vec<ParseError>,
}

/// The tokens and the state with which a run begins.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a, S> {
    /// The kinds and the fields of the tokens that are created before the run. Fields beyond those of a kind are ignored.
    pub tokens: &'a [(&'a str, &'a Fields)],
    /// The state to begin in, or `None` for the start state. If a state is given, the ends of the input are not
    /// trimmed.
    pub state: Option<S>,
}

/// Runs a machine over an input, and returns the declared tokens and the errors.
pub fn read<M: Machine>(
    input: &str,
    given: Given<'_, M::State>,
    convert: Convert,
    chunk_len: Option<usize>,
) -> MachineOutput {
    let mut reader = take_reader::<M>();
    let RecordReader { tokenizer, fields, source } = &mut *reader;
    let mut errors = Vec::new();
    let filtered = FilteredInput::new::<M>(input, given.state.is_none(), &mut errors);
    let removal_error_count = errors.len();
    let mut rest = &*filtered.text;
    let (mut given_len, mut skipped_len) = (0, 0);
    if !given.tokens.is_empty() {
        // The given texts precede the input, so that fields may be ranges of them.
        source.clear();
        for (kind, fields) in given.tokens {
            tokenizer.preset_token(kind, fields, source.len());
            source.push_str(&fields.text);
        }
        given_len = source.len();
        source.push_str(rest);
        rest = source;
        let drops_mark = M::BYTE_ORDER_MARK_DROPPED && filtered.text.starts_with('\u{FEFF}');
        skipped_len = given_len + if drops_mark { '\u{FEFF}'.len_utf8() } else { 0 };
        tokenizer.skip_given(skipped_len);
    }
    if let Some(state) = given.state {
        tokenizer.set_state(state);
    }
    let input_offsets = (given_len, rest.len());
    let mut record_sink = RecordSink { fields, kinds: 0, input_offsets, errors, convert };
    if let Some(size) = chunk_len {
        while skipped_len < rest.len() {
            let piece_len = rest.ceil_char_boundary(skipped_len.saturating_add(size.max(1)));
            let (piece, after) = rest.split_at(piece_len);
            let _ = tokenizer.feed(piece, &mut record_sink);
            (rest, skipped_len) = (after, 0);
        }
    }
    let _ = tokenizer.finish_with(rest, &mut record_sink);
    let RecordSink { fields, kinds, mut errors, .. } = record_sink;
    for error in &mut errors[removal_error_count..] {
        let Span { start, end } = error.span;
        error.span = filtered.original(Span::new(start - given_len, end - given_len));
    }
    let fields = (kinds != 0).then(|| {
        let mut text = String::with_capacity(filtered.text.len() + fields.text.len());
        text.push_str(&filtered.text);
        text.push_str(&fields.text);
        let all = Fields { text, ranges: fields.ranges.clone() };
        let used_len: usize = all.iter().flatten().map(str::len).sum();
        // Short fields of a long input are copied, so that they do not keep the input.
        if all.text.len() > 2 * used_len + 64 { all.iter().collect() } else { all }
    });
    if input.len() + given_len <= MAX_LEN_FOR_REUSE {
        READER.set(Some(reader));
    }
    MachineOutput { fields, errors }
}

thread_local! {
    /// The reader with which the thread read its last record. Most inputs are so short that creating one takes longer
    /// than running it.
    static READER: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

/// A tokenizer, and buffers for the tokens that it emits.
struct RecordReader<M: Machine> {
    tokenizer: Tokenizer<M>,
    /// The copied texts of fields, and the ranges of all fields in the input followed by these texts.
    fields: Fields,
    /// The given texts, followed by the input.
    source: String,
}

/// The maximum length in bytes of an input, together with the given fields, after which the reader is kept for the next
/// record.
const MAX_LEN_FOR_REUSE: usize = 0x1000;

/// Returns the reader that was kept, if it is one of this machine, else a new one.
fn take_reader<M: Machine>() -> Box<RecordReader<M>> {
    let kept = READER.take().and_then(|reader| reader.downcast::<RecordReader<M>>().ok());
    if let Some(mut reader) = kept {
        reader.tokenizer.reset();
        reader.fields.clear();
        return reader;
    }
    let mut tokenizer = Tokenizer::new();
    tokenizer.keep_byte_order_mark();
    Box::new(RecordReader { tokenizer, fields: Fields::default(), source: String::new() })
}

struct RecordSink<'r> {
    fields: &'r mut Fields,
    /// The kinds of tokens with fields in `fields`, one bit each; a table declares at most 48 kinds.
    kinds: u64,
    /// The offsets at which the input begins and ends, after the given texts.
    input_offsets: (usize, usize),
    errors: Vec<ParseError>,
    convert: Convert,
}

impl MachineSink for RecordSink<'_> {}

impl Sink for RecordSink<'_> {
    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
        let kind = 1 << token.kind();
        if self.kinds & kind == 0 {
            self.kinds |= kind;
            let (start, end) = self.input_offsets;
            let Fields { text, ranges } = &mut *self.fields;
            ranges.extend(token.fields.iter().map(|field| match field.verbatim() {
                Some(span) if start <= span.start => (span.start - start, span.end - start),
                _ if !field.is_set() => MISSING,
                _ => append_copy(text, field.text(token.source), end - start),
            }));
        }
        Control::Continue
    }

    fn error(&mut self, error: ParseError) {
        self.errors.push(error);
    }

    fn convert<'t>(&mut self, function: &str, text: &'t str) -> Option<Cow<'t, str>> {
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
            // Few inputs have a character to trim, and a glance at their outer bytes tells.
            let bytes = &input.as_bytes()[inner.clone()];
            let may_be_member =
                |byte: &u8| !byte.is_ascii() || !removal.set.begins_none[usize::from(*byte)];
            if ![bytes.first(), bytes.last()].into_iter().flatten().any(may_be_member) {
                continue;
            }
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
