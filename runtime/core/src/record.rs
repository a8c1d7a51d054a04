//! Reading of inputs into records of the declared tokens that the machine emits. Characters that the table removes are
//! dropped before the machine reads the input; ranges are those of the original input.

use crate::error::{Named, ParseError};
use crate::machine::Machine;
use crate::registers::UNSET_SPAN;
use crate::scan::CharacterSet;
use crate::sink::{Control, MachineSink, Sink};
use crate::span::Span;
use crate::token::{DeclaredToken, TokenForm};
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

/// The texts of `N` fields of declared tokens: one token after the other, each with its fields in table order. A field may
/// be missing.
#[derive(Clone)]
pub struct Fields<const N: usize> {
    /// A text that contains those of all fields, which may overlap.
    text: String,
    /// The range of each field in `text`, or [`UNSET_SPAN`].
    ranges: [Span; N],
}

/// The maximum length in bytes of a text that is kept although most of it is in no field.
const MAX_LEN_TO_KEEP: usize = 0x100;

impl<const N: usize> Fields<N> {
    /// Returns the text of the field at `index`, or `None` if the field is missing or does not exist.
    pub fn get(&self, index: usize) -> Option<&str> {
        let &Span { start, end } = self.ranges.get(index)?;
        self.text.get(start..end)
    }

    /// Returns the texts of the fields; `None` for a missing field.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<&str>> {
        self.ranges.iter().map(|&Span { start, end }| self.text.get(start..end))
    }

    /// Borrows the fields for a token that is created before a run.
    pub const fn as_given(&self) -> GivenFields<'_> {
        GivenFields { text: self.text.as_str(), ranges: &self.ranges }
    }

    /// Copies the fields if they are less than half of the text, so that they do not keep it. Out of line, as 4 % of links
    /// are so long.
    #[cold]
    #[inline(never)]
    fn drop_unused_text(&mut self) {
        // A missing field has a range of length 0.
        let used_len: usize = self.ranges.iter().map(|Span { start, end }| end - start).sum();
        if self.text.len() > 2 * used_len {
            *self = Self::from(std::array::from_fn(|index| self.get(index)));
        }
    }
}

/// Fields that are all missing.
impl<const N: usize> Default for Fields<N> {
    fn default() -> Self {
        Self { text: String::new(), ranges: [UNSET_SPAN; N] }
    }
}

impl<const N: usize> From<[Option<&str>; N]> for Fields<N> {
    fn from(texts: [Option<&str>; N]) -> Self {
        let mut text = String::new();
        let ranges =
            texts.map(|field| field.map_or(UNSET_SPAN, |it| append_copy(&mut text, it, 0)));
        Self { text, ranges }
    }
}

/// Appends a copy of `field` to `text`, which follows a text of `offset` bytes; returns the range of the copy.
#[cold]
#[inline(never)]
fn append_copy(text: &mut String, field: &str, offset: usize) -> Span {
    let start = offset + text.len();
    text.push_str(field);
    Span::new(start, start + field.len())
}

impl<const N: usize> PartialEq for Fields<N> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<const N: usize> Eq for Fields<N> {}

impl<const N: usize> fmt::Debug for Fields<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

/// A function that applies the host's function of the given name to a text; returns `None` if that fails or does not
/// exist. Records of one machine must be read with one function, as its results may be kept for later records.
pub type Convert = for<'t> fn(&str, &'t str) -> Option<Cow<'t, str>>;

/// The declared tokens and the errors of one input.
#[derive(Debug)]
pub struct MachineOutput<const N: usize> {
    /// The fields of the first token of each declared kind, in the order in which these tokens were emitted, followed by
    /// missing ones; `None` if no token was emitted.
    pub fields: Option<Fields<N>>,
    /// The errors in input order.
    pub errors: Vec<ParseError>,
}

/// The fields of a token that is created before a run.
#[derive(Clone, Copy, Debug)]
pub struct GivenFields<'a> {
    text: &'a str,
    ranges: &'a [Span],
}

/// The tokens and the state with which a run begins.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a, S> {
    /// The forms and the fields of the tokens that are created before the run. Fields beyond those of a form are ignored.
    pub tokens: &'a [(&'static TokenForm, GivenFields<'a>)],
    /// The state to begin in, or `None` for the start state. If a state is given, the ends of the input are not
    /// trimmed.
    pub state: Option<S>,
}

/// Runs a machine over an input, and returns the first `N` fields of the declared tokens, and the errors.
pub fn read<M: Machine, const N: usize>(
    input: &str,
    given: Given<'_, M::State>,
    convert: Convert,
    chunk_len: Option<usize>,
) -> MachineOutput<N> {
    let (mut fields, mut errors) = (Fields::default(), Vec::new());
    let is_accepted =
        read_into::<M, N>(input, given, convert, chunk_len, &mut fields, Some(&mut errors));
    MachineOutput { fields: is_accepted.then_some(fields), errors }
}

/// Like [`read`], but stores the fields in `fields`, which are all missing, and the errors, if wanted, in `errors`, which is
/// empty; returns whether a token was emitted. Returning the fields by value takes about 8 % longer for short inputs.
#[inline]
pub fn read_into<M: Machine, const N: usize>(
    input: &str,
    given: Given<'_, M::State>,
    convert: Convert,
    chunk_len: Option<usize>,
    fields: &mut Fields<N>,
    mut errors: Option<&mut Vec<ParseError>>,
) -> bool {
    let mut reader = take_reader::<M>();
    let RecordReader { tokenizer, copies, source } = &mut *reader;
    let filtered = FilteredInput::new::<M>(input, given.state.is_none(), &mut errors);
    let removal_error_count = errors.as_ref().map_or(0, |errors| errors.len());
    let mut rest = &*filtered.text;
    let (mut given_len, mut skipped_len) = (0, 0);
    if !given.tokens.is_empty() {
        // The given texts precede the input, so that fields may be ranges of them.
        source.clear();
        for (form, GivenFields { text, ranges }) in given.tokens {
            tokenizer.registers.declared.preset_token(form, ranges, source.len());
            source.push_str(text);
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
    let input_text = rest;
    let mut convert = convert;
    let mut record_sink = RecordSink {
        ranges: &mut fields.ranges,
        field_count: 0,
        kinds: 0,
        keeps_one_token: false,
        copies,
        copies_start: input_text.len(),
        errors,
        convert: &mut convert,
    };
    if let Some(size) = chunk_len {
        while skipped_len < rest.len() {
            let piece_len = rest.ceil_char_boundary(skipped_len.saturating_add(size.max(1)));
            let (piece, after) = rest.split_at(piece_len);
            let _ = tokenizer.feed(piece, &mut record_sink);
            (rest, skipped_len) = (after, 0);
        }
    }
    tokenizer.run_rest(rest, &mut record_sink);
    let RecordSink { kinds, copies, errors, .. } = record_sink;
    if let Some(errors) = errors {
        for error in &mut errors[removal_error_count..] {
            let Span { start, end } = error.span;
            error.span = filtered.original(Span::new(start - given_len, end - given_len));
        }
    }
    if kinds != 0 {
        fields.text = String::with_capacity(input_text.len() + copies.len());
        fields.text.push_str(input_text);
        fields.text.push_str(copies);
        if fields.text.len() > MAX_LEN_TO_KEEP {
            fields.drop_unused_text();
        }
    }
    if input.len() + given_len <= MAX_LEN_FOR_REUSE {
        READER.set(Some(reader));
    }
    kinds != 0
}

thread_local! {
    /// The reader with which the thread read its last record. Most inputs are so short that creating one takes longer
    /// than running it.
    static READER: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

/// A tokenizer and buffers.
struct RecordReader<M: Machine> {
    tokenizer: Tokenizer<M>,
    /// The copied texts of fields.
    copies: String,
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
        reader.copies.clear();
        return reader;
    }
    new_reader()
}

#[cold]
#[inline(never)]
fn new_reader<M: Machine>() -> Box<RecordReader<M>> {
    let mut tokenizer = Tokenizer::new();
    tokenizer.keep_byte_order_mark();
    Box::new(RecordReader { tokenizer, copies: String::new(), source: String::new() })
}

/// A sink that keeps the fields of the first token of each kind, and the errors. Runs on the texts of fields use it as
/// well, so that the machine is instantiated once.
pub(crate) struct RecordSink<'r> {
    /// The ranges of the first fields in the given texts and the input, followed by the copied texts.
    pub(crate) ranges: &'r mut [Span],
    /// The number of fields in `ranges`.
    pub(crate) field_count: usize,
    /// The kinds of tokens that were kept, one bit each; a table declares at most 48 kinds.
    pub(crate) kinds: u64,
    /// Whether only the first token of all kinds is kept. It may be without fields.
    pub(crate) keeps_one_token: bool,
    /// The copied texts of fields.
    pub(crate) copies: &'r mut String,
    /// The length of the given texts and the input, which the copied texts follow.
    pub(crate) copies_start: usize,
    /// The errors; `None` if they are not wanted.
    pub(crate) errors: Option<&'r mut Vec<ParseError>>,
    pub(crate) convert: &'r mut dyn for<'t> FnMut(&str, &'t str) -> Option<Cow<'t, str>>,
}

impl MachineSink for RecordSink<'_> {}

impl Sink for RecordSink<'_> {
    #[inline(always)]
    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
        let kind = 1 << token.kind();
        let kept_kinds = if self.keeps_one_token { u64::MAX } else { kind };
        if self.kinds & kept_kinds == 0 {
            self.kinds |= kind;
            let ranges = self.ranges.get_mut(self.field_count..).unwrap_or_default();
            for (range, field) in ranges.iter_mut().zip(token.fields) {
                *range = match field.uncopied_span() {
                    Some(span) => span,
                    None => append_copy(self.copies, field.text(token.source), self.copies_start),
                };
            }
            self.field_count += token.fields.len();
        }
        Control::Continue
    }

    fn wants_errors(&self) -> bool {
        self.errors.is_some()
    }

    fn error(&mut self, error: ParseError) {
        if let Some(errors) = &mut self.errors {
            errors.push(error);
        }
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
    fn new<M: Machine>(
        input: &'i str,
        trims: bool,
        errors: &mut Option<&mut Vec<ParseError>>,
    ) -> Self {
        let (mut text, mut trimmed, mut removes) = (input, 0, false);
        for removal in M::TRIMMED.iter().filter(|_| trims) {
            // Few inputs have a character to trim, and a glance at their outer bytes tells.
            let may_be_member = |byte: Option<&u8>| {
                byte.is_some_and(|&it| !it.is_ascii() || !removal.set.begins_none[usize::from(it)])
            };
            let bytes = text.as_bytes();
            if !may_be_member(bytes.first()) && !may_be_member(bytes.last()) {
                continue;
            }
            (text, trimmed) = trim(input, text, trimmed, removal, errors);
        }
        for removal in M::REMOVED {
            if let Some(from) = removal.set.first_beginning(text.as_bytes())
                && let Some(offset) = removal.set.find_from(text, from)
            {
                removes = true;
                report(removal.error, input, trimmed + offset, errors);
            }
        }
        if !removes {
            return Self { text: Cow::Borrowed(text), trimmed, removed: Vec::new() };
        }
        let is_removed =
            |character: char| M::REMOVED.iter().any(|removal| (removal.set.is_member)(character));
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

/// Removes characters from the ends of `text`, which begins at offset `trimmed` of `input`; reports an error at the first
/// of them. Returns the rest and its offset. Out of line, so that the loop over the table's sets is unrolled.
#[cold]
#[inline(never)]
fn trim<'i, E: Named>(
    input: &str,
    text: &'i str,
    trimmed: usize,
    removal: &RemovedCharacters<E>,
    errors: &mut Option<&mut Vec<ParseError>>,
) -> (&'i str, usize) {
    let rest = text.trim_start_matches(removal.set.is_member);
    let inner = rest.trim_end_matches(removal.set.is_member);
    let begin = trimmed + (text.len() - rest.len());
    if inner.len() < text.len() {
        let first_removed = if begin > trimmed { trimmed } else { begin + inner.len() };
        report(removal.error, input, first_removed, errors);
    }
    (inner, begin)
}

/// Reports an error at the character at `offset` of the input, if errors are wanted.
#[cold]
fn report(code: impl Named, input: &str, offset: usize, errors: &mut Option<&mut Vec<ParseError>>) {
    if let Some(errors) = errors {
        let end = input.ceil_char_boundary(offset + 1);
        errors.push(ParseError::of(code, Span { start: offset, end }));
    }
}
