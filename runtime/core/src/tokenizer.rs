//! Feeds a machine: chunks in, tokens out to a sink. It decodes no bytes (`decode` does). Invariant: the tokens, errors
//! and spans are the same however the input is cut.

use crate::construct::Event;
use crate::drive::drive;
use crate::limits::Limits;
use crate::machine::{Machine, Reason, Registers};
use crate::named::Named;
use crate::replacement::ReplacementLimits;
use crate::sink::Sink;

/// A tokenizer of the dialect `M` that is fed chunk by chunk.
///
/// ```
/// use tabulex::html::Html;
/// use tabulex::{Control, Sink, Tag, Tokenizer, html};
///
/// #[derive(Default)]
/// struct Names(Vec<String>);
/// impl Sink<Html> for Names {
///     fn start_tag(&mut self, tag: Tag<'_>) -> Control<html::State> {
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
    core: Registers<M>,
    /// Input that was fed and is still needed: a piece that was not decided yet, or what follows a pause.
    carry: String,
    /// The bytes of `carry` that have been consumed and may be given back.
    consumed: usize,
    is_finished: bool,
    has_ended: bool,
    /// How many bytes a token may be long.
    longest_token: usize,
    /// Where in the input it is looked at that next.
    looks_at: usize,
    /// Where a token began that was longer, and how long it was by then.
    too_long: Option<(usize, usize)>,
}

/// What became of the input that was fed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "after a pause, the rest of the input waits for `resume`"]
#[non_exhaustive]
pub enum Progress {
    /// All of it was taken; what is not decided yet is kept.
    Ready,
    /// The sink asked for a pause; the rest waits for [`Tokenizer::resume`].
    Paused,
    /// The machine has ended: the end-of-file token was emitted, or the input is refused. More input changes nothing.
    Ended,
}

impl<M: Machine> Tokenizer<M> {
    /// A tokenizer in the start state.
    pub fn new() -> Self {
        Self {
            core: Registers::new(),
            carry: String::new(),
            consumed: 0,
            is_finished: false,
            has_ended: false,
            longest_token: Limits::new().token,
            looks_at: stride(Limits::new().token),
            too_long: None,
        }
    }

    /// Limits the text that the input may put into itself; what is more is reported as an error.
    #[must_use]
    pub fn with_replacement_limits(mut self, limits: ReplacementLimits) -> Self {
        self.core.set_replacement_limits(limits);
        self
    }

    /// Sets the limits of tokens: the number of attributes, the length, and replacement text. The others are those of
    /// trees. What was left out is in [`events`](Self::events).
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::{Event, Limits, Sink, Tokenizer};
    ///
    /// struct Nothing;
    /// impl Sink<Html> for Nothing {}
    ///
    /// let mut tokenizer = Tokenizer::<Html>::new().with_limits(Limits::new().attributes(2));
    /// let _ = tokenizer.finish_with("<a b c d e>", &mut Nothing);
    /// let events: Vec<Event> = tokenizer.events().collect();
    /// assert_eq!(events, [Event::AttributesLeftOut { offset: 7, limit: 2, count: 2 }]);
    /// ```
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.set_limits(&limits);
        self
    }

    /// Sets the limits of tokens.
    pub(crate) fn set_limits(&mut self, limits: &Limits) {
        self.core.set_replacement_limits(limits.replacement);
        self.core.tag.set_most(limits.attributes_of_a_tag());
        self.longest_token = limits.token;
        self.looks_at = stride(limits.token);
    }

    /// What was left out so far because of limits.
    pub fn events(&self) -> impl Iterator<Item = Event> + use<M> {
        let limit = self.longest_token;
        let too_long =
            self.too_long.map(|(offset, length)| Event::TokenTooLong { offset, limit, length });
        self.core.events().chain(too_long)
    }

    /// Whether more input changes nothing: the machine has ended, or the rest of the input is left out.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// The bytes on the heap: what is kept of the input, and of tokens and declarations.
    pub(crate) fn held(&self) -> usize {
        self.carry.capacity() + self.core.held()
    }

    /// Keeps what follows a pause.
    pub(crate) fn hold(&mut self, chunk: &str) {
        self.carry.push_str(chunk);
    }

    /// Takes away what follows a pause; [`hold`](Self::hold) gives it back.
    pub(crate) fn set_aside(&mut self) -> String {
        // What is known of the bytes that follow is not true of those that come instead.
        self.core.scanned = (0, 0);
        self.carry.split_off(self.consumed)
    }

    /// Leaves out the rest of the input, and what is kept of it.
    pub(crate) fn end(&mut self) {
        self.reset();
        self.has_ended = true;
    }

    /// Takes a byte order mark at the beginning of the input, U+FEFF, for a character. Without it the mark is left out,
    /// as decoding would do; what has been decoded may begin with another one.
    pub fn keep_byte_order_mark(&mut self) {
        self.core.keeps_mark = true;
    }

    /// Whether a byte order mark is a character.
    pub(crate) fn set_mark_kept(&mut self, is_kept: bool) {
        self.core.keeps_mark = is_kept;
    }

    /// Goes back to the beginning of another input, as if it were new, and keeps the capacity of its buffers. Limits of
    /// replacement text stay, and so does whether a byte order mark is kept.
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::{Sink, Text, Tokenizer};
    ///
    /// struct Length(usize);
    /// impl Sink<Html> for Length {
    ///     fn text(&mut self, text: Text<'_>) -> tabulex::Control<tabulex::html::State> {
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
        self.core.reset();
        self.carry.clear();
        (self.consumed, self.is_finished, self.has_ended) = (0, false, false);
        (self.looks_at, self.too_long) = (stride(self.longest_token), None);
    }

    /// The state that the next character will be consumed in.
    pub fn state(&self) -> M::State {
        self.core.state
    }

    /// Switches to the state, as tree construction does.
    pub fn set_state(&mut self, state: M::State) {
        self.core.state = state;
    }

    /// Sets a flag that the table declares `by host and rows` to one of its values, by index, as tree construction does.
    /// Other flags are asked of the sink, and setting them changes nothing.
    pub fn set_flag(&mut self, flag: M::HostFlag, value: u8) {
        self.core.set_flag(flag, value);
    }

    /// Makes this the name of the last start tag, as for a fragment: an end tag is appropriate if it has this name.
    pub fn set_last_start_tag(&mut self, name: &str) {
        self.core.set_last_start_tag(name);
    }

    /// The number of bytes that have been fed and fully consumed.
    pub fn offset(&self) -> usize {
        self.core.base + self.consumed
    }

    /// Tokenizes the next chunk.
    pub fn feed<K: Sink<M>>(&mut self, chunk: &str, sink: &mut K) -> Progress {
        if self.has_ended {
            return Progress::Ended;
        }
        if self.carry.is_empty() {
            self.run(chunk, sink)
        } else {
            self.carry.push_str(chunk);
            self.run_carry(sink)
        }
    }

    /// Leaves out a token that is too long, and what comes after it.
    #[cold]
    fn leave_token(&mut self, length: usize) -> Progress {
        let too_long = Some((self.core.mark, length));
        let refused = self.core.replacements.refused;
        let left_out = self.core.tag.left_out;
        self.end();
        (self.too_long, self.core.replacements.refused) = (too_long, refused);
        self.core.tag.left_out = left_out;
        Progress::Ended
    }

    /// Goes on after a pause.
    pub fn resume<K: Sink<M>>(&mut self, sink: &mut K) -> Progress {
        self.run_carry(sink)
    }

    /// Tokenizes what is left; nothing can be fed after it. After [`Progress::Paused`], call it again.
    pub fn finish<K: Sink<M>>(&mut self, sink: &mut K) -> Progress {
        self.is_finished = true;
        self.run_carry(sink)
    }

    /// Tokenizes the last chunk, or the only one, without a copy of what is left at its end; nothing can be fed after
    /// it. After [`Progress::Paused`], call [`finish`](Self::finish).
    pub fn finish_with<K: Sink<M>>(&mut self, chunk: &str, sink: &mut K) -> Progress {
        self.is_finished = true;
        self.feed(chunk, sink)
    }

    /// Tokenizes the last chunk, or the only one, which the caller keeps, up to the next pause. How many of its bytes
    /// are no longer needed; the others are to be given again, as long as it pauses.
    pub(crate) fn finish_kept<K: Sink<M>>(
        &mut self,
        input: &str,
        sink: &mut K,
    ) -> (Progress, usize) {
        self.is_finished = true;
        self.step(input, true, sink)
    }

    /// Notes that the input of this length, which is about to begin, has no byte that the machine treats by itself.
    pub(crate) fn begin_plain(&mut self, length: usize) {
        self.core.keep_searched(0, length);
    }

    fn run_carry<K: Sink<M>>(&mut self, sink: &mut K) -> Progress {
        if self.has_ended {
            return Progress::Ended;
        }
        let mut carry = std::mem::take(&mut self.carry);
        let (progress, released) = self.step(&carry, true, sink);
        carry.drain(..released);
        self.carry = carry;
        progress
    }

    fn run<K: Sink<M>>(&mut self, chunk: &str, sink: &mut K) -> Progress {
        let (progress, released) = self.step(chunk, false, sink);
        self.carry.push_str(&chunk[released..]);
        progress
    }

    /// Runs the machine over the input, and returns how many bytes of it are no longer needed.
    fn step<K: Sink<M>>(&mut self, input: &str, is_kept: bool, sink: &mut K) -> (Progress, usize) {
        let mut released = 0;
        // At places that do not depend on the chunks it is looked at how long the token is that is not complete.
        while self.looks_at <= self.core.base + (input.len() - released) {
            let rest = &input[released..];
            let part =
                &rest[..rest.ceil_char_boundary(self.looks_at.saturating_sub(self.core.base))];
            let is_finished = std::mem::take(&mut self.is_finished);
            let (progress, more) = self.run_part(part, is_kept, sink);
            (released, self.is_finished) = (released + more, is_finished);
            if progress != Progress::Ready {
                return (progress, released);
            }
            let length = self.offset().saturating_sub(self.core.mark);
            if length > self.longest_token {
                return (self.leave_token(length), input.len());
            }
            let end = self.core.base + part.len() - more;
            self.looks_at = end.saturating_add(stride(self.longest_token));
        }
        let (progress, more) = self.run_part(&input[released..], is_kept, sink);
        (progress, released + more)
    }

    /// The same, up to where it is looked at the token. An input that is kept need not be left at every pause: what
    /// follows would be moved each time.
    fn run_part<K: Sink<M>>(
        &mut self,
        input: &str,
        is_kept: bool,
        sink: &mut K,
    ) -> (Progress, usize) {
        let stop = drive(&mut self.core, input, self.consumed, self.is_finished, sink);
        if K::ERRORS {
            self.core.search_input(sink, input, stop.consumed);
        }
        if is_kept && stop.reason == Reason::Pause && stop.consumed < input.len() / 2 {
            self.consumed = stop.consumed;
            return (Progress::Paused, 0);
        }
        let released = self.core.leave_chunk(input, stop.consumed);
        self.consumed = stop.consumed - released;
        self.has_ended = stop.reason == Reason::End;
        let progress = match stop.reason {
            Reason::Input | Reason::Insert => Progress::Ready,
            Reason::Pause => Progress::Paused,
            Reason::End => Progress::Ended,
        };
        (progress, released)
    }
}

/// After how many bytes it is looked at a token that may be so many bytes long.
fn stride(longest: usize) -> usize {
    (longest / 8).max(1)
}

impl<M: Machine> Registers<M> {
    /// What was left out so far of tags and replacement texts.
    pub(crate) fn events(&self) -> impl Iterator<Item = Event> + use<M> {
        let replaced = self.replacements.refused;
        let replaced = replaced.map(|(offset, count)| Event::ReplacementLeftOut { offset, count });
        let limit = self.tag.most();
        let attributes = self.tag.left_out;
        let attributes =
            attributes.map(|(offset, count)| Event::AttributesLeftOut { offset, limit, count });
        [replaced, attributes].into_iter().flatten()
    }

    /// Goes back to the beginning of another input. Texts keep their capacity; limits of replacement text stay, and
    /// whether a byte order mark is kept.
    fn reset(&mut self) {
        let mut fresh = Self::new();
        fresh.set_replacement_limits(self.replacements.limits);
        fresh.keeps_mark = self.keeps_mark;
        let most = self.tag.most();
        let mut old = std::mem::replace(self, fresh);
        old.tag.create(false);
        let texts = [&mut old.tag.attribute_name, &mut old.tag.attribute_value];
        for text in texts.into_iter().chain([&mut old.temporary_buffer, &mut old.comment]) {
            text.clear();
        }
        (self.temporary_buffer, self.tag, self.comment) =
            (old.temporary_buffer, old.tag, old.comment);
        self.tag.set_most(most);
        self.tag.left_out = None;
        (self.tag.inserted_from, self.tag.inserted_before) = (None, None);
    }
}

impl<M: Machine> Default for Tokenizer<M> {
    fn default() -> Self {
        Self::new()
    }
}

/// Tokenizes a whole input. A byte order mark at its beginning is left out; a [`Tokenizer`] can keep it.
pub fn tokenize<M: Machine, K: Sink<M>>(input: &str, sink: &mut K) {
    tokenize_from::<M, K>(input, M::START, None, sink);
}

/// Tokenizes a whole input from a state, with the name of a last start tag, as for a fragment. Pauses are passed over.
pub fn tokenize_from<M: Machine, K: Sink<M>>(
    input: &str,
    state: M::State,
    last_start_tag: Option<&str>,
    sink: &mut K,
) {
    tokenize_marked::<M, K>(input, state, last_start_tag, false, sink);
}

/// The same, with a byte order mark as a character if it is kept.
pub(crate) fn tokenize_marked<M: Machine, K: Sink<M>>(
    input: &str,
    state: M::State,
    last_start_tag: Option<&str>,
    keeps_mark: bool,
    sink: &mut K,
) {
    let mut core = Registers::<M>::new();
    (core.state, core.keeps_mark) = (state, keeps_mark);
    if let Some(name) = last_start_tag {
        core.set_last_start_tag(name);
    }
    core.ask_flags(sink);
    run_whole(core, input, sink);
}

fn run_whole<M: Machine, K: Sink<M>>(mut core: Registers<M>, input: &str, sink: &mut K) {
    let mut from = 0;
    loop {
        let stop = drive(&mut core, input, from, true, sink);
        from = stop.consumed;
        if stop.reason != Reason::Pause {
            break;
        }
    }
    if K::ERRORS {
        core.search_input(sink, input, from);
    }
}

/// The state that the document calls by this name: "RCDATA state" is `rcdata`, "TagMode" and "Tag tokenization mode" are
/// `tag`.
pub fn find_state<S: Named>(document_name: &str) -> Option<S> {
    let name = kebab_case(document_name);
    let mode = || name.strip_suffix("-mode");
    let lexical = || mode()?.strip_suffix("-tokenization");
    S::find(&name).or_else(|| S::find(mode()?)).or_else(|| S::find(lexical()?))
}

/// The flag, one that the table declares `by host and rows`, and the index of its value that the document calls by this
/// name: "RCDATA" is `rcdata`.
pub fn find_flag_value<M: Machine>(document_name: &str) -> Option<(M::HostFlag, u8)> {
    let name = kebab_case(document_name);
    let all = M::HostFlag::ALL.iter().copied();
    let index = |flag| M::flag_values(flag).iter().position(|value| *value == name);
    all.filter(|&flag| M::stored_flag(flag).is_some())
        .find_map(|flag| Some((flag, u8::try_from(index(flag)?).ok()?)))
}

/// The document's name as tables write it.
fn kebab_case(document_name: &str) -> String {
    // A word also begins with a capital letter after a small one.
    let (mut spaced, mut was_small) = (String::new(), false);
    for character in document_name.trim().chars() {
        if was_small && character.is_uppercase() {
            spaced.push(' ');
        }
        was_small = character.is_lowercase();
        spaced.extend(character.to_lowercase());
    }
    let name = spaced.strip_suffix(" state").unwrap_or(&spaced);
    let words: Vec<&str> =
        name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}
