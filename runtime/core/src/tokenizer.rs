//! The streaming tokenizer, which feeds chunks of text to a machine. Tokens, errors and spans do not depend on how the
//! input is cut into chunks.

use crate::construct::Event;
use crate::limits::Limits;
use crate::machine::{Machine, Reason, Registers, drive};
use crate::reads::count_bytes;
use crate::sink::{Entry, MachineSink};

/// A streaming tokenizer of the dialect `M`.
///
/// ```
/// use tabulex::html::Html;
/// use tabulex::{Control, MachineSink, Sink, Tag, Tokenizer};
///
/// #[derive(Default)]
/// struct Names(Vec<String>);
/// impl MachineSink for Names {}
/// impl Sink for Names {
///     fn start_tag(&mut self, tag: Tag<'_>) -> Control {
///         self.0.push(tag.name().to_owned());
///         Control::Continue
///     }
/// }
///
/// let mut names = Names::default();
/// let mut tokenizer = Tokenizer::<Html>::new();
/// tokenizer.feed("<p><e", &mut names);
/// tokenizer.feed("m>", &mut names);
/// tokenizer.finish(&mut names);
/// assert_eq!(names.0, ["p", "em"]);
/// ```
#[derive(Clone, Debug)]
pub struct Tokenizer<M: Machine> {
    pub(crate) registers: Registers<M>,
    /// Buffered input: the last consumed bytes, which the machine may inspect, then an incomplete token or the input
    /// after a pause.
    pub(crate) carry: String,
    /// The number of consumed bytes at the start of the kept input: `carry`, or the input that the caller retains.
    consumed: usize,
    pub(crate) is_finished: bool,
    pub(crate) has_ended: bool,
    /// Maximum token length in bytes.
    max_token_len: usize,
    /// Input offset of the next length check.
    next_length_check: usize,
    /// The input offset up to which the data of the current token was dropped, because the sink does not need it.
    dropped_to: usize,
    /// The offset of the token that exceeded the length limit, and its length when that was detected; `None` if no
    /// token did.
    too_long_token: Option<(usize, usize)>,
}

/// The outcome of feeding input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "after a pause, the rest of the input waits for `resume`"]
#[non_exhaustive]
pub enum Progress {
    /// All input was consumed, except for an incomplete token, which is kept.
    Ready,
    /// The sink requested a pause; the rest of the input waits for [`Tokenizer::resume`].
    Paused,
    /// The machine has ended: the end-of-file token was emitted, or the input was refused. Further input is ignored.
    Ended,
}

/// The input to tokenize next.
#[derive(Clone, Copy)]
pub(crate) enum PendingInput<'a> {
    /// The next chunk.
    Chunk(&'a str),
    /// All input that is still needed, which the caller keeps.
    Retained(&'a str),
    /// The buffered input.
    Buffered,
}

impl<M: Machine> Tokenizer<M> {
    /// Creates a tokenizer in the start state.
    pub fn new() -> Self {
        Self {
            registers: Registers::new(),
            carry: String::new(),
            consumed: 0,
            is_finished: false,
            has_ended: false,
            max_token_len: Limits::new().token,
            next_length_check: check_interval(Limits::new().token),
            dropped_to: 0,
            too_long_token: None,
        }
    }

    /// Sets the limits on tokens: number of attributes, length, and replacement text. The other limits apply to trees.
    /// Limits reached are reported by [`events`](Self::events).
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::{Event, Limits, MachineSink, Sink, Tokenizer};
    ///
    /// struct Nothing;
    /// impl MachineSink for Nothing {}
    /// impl Sink for Nothing {}
    ///
    /// let mut tokenizer = Tokenizer::<Html>::new().with_limits(Limits::new().attributes(2));
    /// let _ = tokenizer.finish_with("<a b c d e>", &mut Nothing);
    /// let events: Vec<Event> = tokenizer.events().collect();
    /// assert_eq!(events, [Event::AttributesDropped { offset: 7, limit: 2, count: 2 }]);
    /// ```
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.set_limits(&limits);
        self
    }

    pub(crate) fn set_limits(&mut self, limits: &Limits) {
        self.registers.set_replacement_limits(limits.replacement);
        self.registers.tag.set_attribute_limit(limits.attributes_of_a_tag());
        self.max_token_len = limits.token;
        self.next_length_check = check_interval(limits.token);
    }

    /// Returns an event for each limit reached so far.
    pub fn events(&self) -> impl Iterator<Item = Event> + use<M> {
        let limit = self.max_token_len;
        let too_long_event = self.too_long_token.map(|(offset, length)| Event::TokenTooLong {
            offset,
            limit,
            length,
        });
        self.registers.events().chain(too_long_event)
    }

    /// Returns the heap memory in bytes of kept input, tokens and declarations.
    pub(crate) fn memory_usage(&self) -> usize {
        self.carry.capacity() + self.registers.memory_usage()
    }

    /// Removes and returns the buffered input that follows a pause; appending it to `carry` restores it.
    pub(crate) fn take_unconsumed(&mut self) -> String {
        // The searched range may include the removed bytes. Other input will precede them, which changes their offsets,
        // so the range is reset.
        self.registers.scanned = (0, 0);
        // Fields may be ranges of the removed bytes.
        let mut carry = std::mem::take(&mut self.carry);
        self.registers.settle(&carry);
        let unconsumed = carry.split_off(self.consumed);
        self.carry = carry;
        unconsumed
    }

    /// Ends tokenization: drops the buffered input and ignores further input.
    pub(crate) fn end(&mut self) {
        self.reset();
        self.has_ended = true;
    }

    /// Keeps a byte order mark (U+FEFF) at the start of the input as a character, unless the table drops it. By default
    /// it is dropped, as a decoder would do; call this for decoded text, in which a further mark is a character.
    pub fn keep_byte_order_mark(&mut self) {
        self.registers.keeps_bom = true;
    }

    /// Resets the tokenizer for another input and keeps the capacity of its buffers, the limits, and whether a byte
    /// order mark is kept.
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::{MachineSink, Sink, Text, Tokenizer};
    ///
    /// struct Length(usize);
    /// impl MachineSink for Length {}
    /// impl Sink for Length {
    ///     fn text(&mut self, text: Text<'_>) -> tabulex::Control {
    ///         self.0 += text.text.len();
    ///         tabulex::Control::Continue
    ///     }
    /// }
    ///
    /// let mut tokenizer = Tokenizer::<Html>::new();
    /// for (page, length) in [("<p>one", 3), ("<p>three</p", 5)] {
    ///     let mut sink = Length(0);
    ///     let _ = tokenizer.finish_with(page, &mut sink);
    ///     tokenizer.reset();
    ///     assert_eq!(sink.0, length);
    /// }
    /// ```
    pub fn reset(&mut self) {
        self.registers.reset();
        self.carry.clear();
        (self.consumed, self.is_finished, self.has_ended) = (0, false, false);
        (self.next_length_check, self.dropped_to) = (check_interval(self.max_token_len), 0);
        self.too_long_token = None;
    }

    /// Returns the state that will consume the next character.
    pub fn state(&self) -> M::State {
        self.registers.state
    }

    /// Switches to a state, as tree construction does.
    pub fn set_state(&mut self, state: M::State) {
        self.registers.state = state;
    }

    /// Sets a flag that the table declares `by host and rows` to the value with index `value`, as tree construction
    /// does. Other flags are queried from the sink, and setting them has no effect.
    pub fn set_flag(&mut self, flag: M::HostFlag, value: u8) {
        self.registers.set_flag(flag, value);
    }

    /// Switches to the state, or sets the flag to the value, that `entry` names. `entry` must come from the same
    /// dialect, because it holds indices into the dialect's table.
    pub fn enter(&mut self, entry: Entry) {
        self.registers.enter(entry);
    }

    /// Sets the name of the last start tag, as for a fragment: an end tag with this name is appropriate.
    pub fn set_last_start_tag(&mut self, name: &str) {
        self.registers.set_last_start_tag(name);
    }

    /// Makes the input begin after the texts of given tokens, which are the first `length` bytes to be fed.
    pub(crate) fn skip_given(&mut self, length: usize) {
        self.registers.skip_to(length);
        self.consumed = length;
        self.next_length_check = length.saturating_add(check_interval(self.max_token_len));
    }

    /// Returns the number of bytes fed and fully consumed.
    pub fn offset(&self) -> usize {
        self.registers.base + self.consumed
    }

    /// Tokenizes the next chunk.
    pub fn feed<K: MachineSink + ?Sized>(&mut self, chunk: &str, sink: &mut K) -> Progress {
        if self.has_ended {
            return Progress::Ended;
        }
        if self.carry.is_empty() {
            let (progress, released_len) = self.step(chunk, false, sink);
            self.carry.push_str(&chunk[released_len..]);
            progress
        } else {
            self.carry.push_str(chunk);
            self.resume(sink)
        }
    }

    /// Drops the current token, which exceeds the length limit, and the rest of the input. Keeps the records of limits
    /// reached.
    #[cold]
    fn abort_at_token(&mut self, length: usize) -> Progress {
        let too_long_token = Some((self.registers.mark, length));
        let refused_replacements = self.registers.replacements.refused;
        let dropped_attributes = self.registers.tag.dropped;
        self.end();
        self.too_long_token = too_long_token;
        self.registers.replacements.refused = refused_replacements;
        self.registers.tag.dropped = dropped_attributes;
        Progress::Ended
    }

    /// Continues after a pause with the input that was kept.
    pub fn resume<K: MachineSink + ?Sized>(&mut self, sink: &mut K) -> Progress {
        if self.has_ended {
            return Progress::Ended;
        }
        let mut carry = std::mem::take(&mut self.carry);
        let (progress, released_len) = self.step(&carry, true, sink);
        carry.drain(..released_len);
        count_bytes(if released_len > 0 { &carry } else { "" });
        self.carry = carry;
        progress
    }

    /// Tokenizes the rest of the input; nothing can be fed afterwards. After [`Progress::Paused`], call it again.
    pub fn finish<K: MachineSink + ?Sized>(&mut self, sink: &mut K) -> Progress {
        self.is_finished = true;
        self.resume(sink)
    }

    /// Tokenizes the last or only chunk without copying its unconsumed end; nothing can be fed afterwards. After
    /// [`Progress::Paused`], call [`finish`](Self::finish).
    pub fn finish_with<K: MachineSink + ?Sized>(&mut self, chunk: &str, sink: &mut K) -> Progress {
        self.is_finished = true;
        self.feed(chunk, sink)
    }

    /// Tokenizes the rest of the input for a sink that never pauses, directly if all of it is at hand and too short for a
    /// length check.
    #[inline]
    pub(crate) fn run_rest<K: MachineSink + ?Sized>(&mut self, rest: &str, sink: &mut K) {
        let is_whole = self.registers.base == 0 && self.carry.is_empty() && !self.has_ended;
        if is_whole && rest.len() < self.next_length_check {
            self.registers.run_to_end(rest, self.consumed, sink);
        } else {
            let _ = self.finish_with(rest, sink);
        }
    }

    /// Tokenizes the input up to the next pause.
    pub(crate) fn run_input<K: MachineSink + ?Sized>(
        &mut self,
        input: PendingInput<'_>,
        sink: &mut K,
    ) -> Progress {
        match input {
            _ if self.has_ended => Progress::Ended,
            PendingInput::Chunk(chunk) => self.feed(chunk, sink),
            PendingInput::Retained(input) => self.step(input, false, sink).0,
            PendingInput::Buffered => self.resume(sink),
        }
    }

    /// Runs the machine over the input; returns the progress and how many bytes of the input are no longer needed.
    fn step<K: MachineSink + ?Sized>(
        &mut self,
        input: &str,
        is_buffered: bool,
        sink: &mut K,
    ) -> (Progress, usize) {
        let mut released_len = 0;
        // The length of an incomplete token is checked at offsets that do not depend on the chunks, so that the chunks
        // do not affect which tokens exceed the limit.
        while self.next_length_check <= self.registers.base + (input.len() - released_len) {
            let rest = &input[released_len..];
            let part = &rest[..rest
                .ceil_char_boundary(self.next_length_check.saturating_sub(self.registers.base))];
            let is_finished = std::mem::take(&mut self.is_finished);
            let (progress, part_released_len) = self.run_part(part, is_buffered, sink);
            (released_len, self.is_finished) = (released_len + part_released_len, is_finished);
            if progress != Progress::Ready {
                return (progress, released_len);
            }
            let length = self.offset().saturating_sub(self.registers.mark.max(self.dropped_to));
            if length > self.max_token_len {
                return (self.abort_at_token(length), input.len());
            }
            let end = self.registers.base + part.len() - part_released_len;
            self.next_length_check = end.saturating_add(check_interval(self.max_token_len));
        }
        let (progress, part_released_len) =
            self.run_part(&input[released_len..], is_buffered, sink);
        (progress, released_len + part_released_len)
    }

    /// Runs the machine over input that ends at the next length check or before; returns the progress and how many
    /// bytes are no longer needed. At a pause in buffered input, no bytes are released until they are half of the
    /// buffer, because the other bytes are moved each time.
    fn run_part<K: MachineSink + ?Sized>(
        &mut self,
        input: &str,
        is_buffered: bool,
        sink: &mut K,
    ) -> (Progress, usize) {
        let stop = drive(&mut self.registers, input, self.consumed, self.is_finished, sink);
        if K::ERRORS {
            self.registers.search_input(sink, input, stop.consumed);
        }
        if is_buffered && stop.reason == Reason::Pause && stop.consumed < input.len() / 2 {
            self.consumed = stop.consumed;
            return (Progress::Paused, 0);
        }
        self.has_ended = stop.reason == Reason::End;
        if !self.has_ended {
            if self.registers.drop_data(sink) {
                self.dropped_to = self.registers.base + stop.consumed;
            }
            self.registers.settle(input);
        }
        let released_len = self.registers.release_consumed(input, stop.consumed);
        self.consumed = stop.consumed - released_len;
        let progress = match stop.reason {
            Reason::Input | Reason::Insert => Progress::Ready,
            Reason::Pause => Progress::Paused,
            Reason::End => Progress::Ended,
        };
        (progress, released_len)
    }
}

/// Returns the number of bytes between two length checks of an incomplete token.
fn check_interval(max_token_len: usize) -> usize {
    (max_token_len / 8).max(1)
}

impl<M: Machine> Registers<M> {
    /// Runs the machine over a whole input from offset `from`; pauses are ignored.
    #[inline]
    pub(crate) fn run_to_end<K: MachineSink + ?Sized>(
        &mut self,
        input: &str,
        from: usize,
        sink: &mut K,
    ) {
        let mut consumed = from;
        loop {
            // The constant `true` lets the compiler drop the code that waits for more input.
            let stop = drive(self, input, consumed, true, sink);
            consumed = stop.consumed;
            if stop.reason != Reason::Pause {
                break;
            }
        }
        if K::ERRORS {
            self.search_input(sink, input, consumed);
        }
    }

    /// Returns an event for each limit on attributes and replacement texts reached so far.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event> + use<M> {
        let replacement_event = self
            .replacements
            .refused
            .map(|(offset, count)| Event::ReplacementDropped { offset, count });
        let limit = self.tag.attribute_limit();
        let attribute_event = self.tag.dropped.map(|(offset, count)| Event::AttributesDropped {
            offset,
            limit,
            count,
        });
        [replacement_event, attribute_event].into_iter().flatten()
    }
}

impl<M: Machine> Default for Tokenizer<M> {
    fn default() -> Self {
        Self::new()
    }
}

/// Tokenizes a whole input from the start state. Pauses are ignored, the length of tokens is not limited, and a byte
/// order mark at the start is dropped; a [`Tokenizer`] has options for these.
pub fn tokenize<M: Machine, K: MachineSink + ?Sized>(input: &str, sink: &mut K) {
    Registers::<M>::new().run_to_end(input, 0, sink);
}
