//! The trait for receivers of a machine's tokens, and the instructions that they return to the machine.

use crate::error::{Named as _, ParseError};
use crate::machine::Machine;
use crate::registers::name_bit;
use crate::token::{
    Comment, DeclaredToken, Doctype, ProcessingInstruction, ShortEndTag, Tag, Text,
};
use std::borrow::Cow;

/// A receiver of tokens and errors in input order. Every method has a default that ignores its arguments.
#[expect(unused_variables, reason = "default methods ignore their arguments")]
pub trait Sink {
    /// Whether text may be passed as written, with line ends, U+0000 and the like not replaced, which is faster.
    /// Queried only if errors are not wanted.
    #[inline(always)]
    fn text_as_written(&self) -> bool {
        false
    }

    /// Whether the data read so far of an incomplete token can be dropped. The token, a comment if `is_comment` and a
    /// processing instruction otherwise, begins at `start`. Called at the end of each chunk within such a token.
    /// Dropped data does not count toward the limit on token length; the token is received with the remaining data.
    #[inline(always)]
    fn drops_data(&mut self, start: usize, is_comment: bool) -> bool {
        false
    }

    /// Receives a piece of text. Adjacent character tokens arrive together, in the longest pieces that the machine can
    /// form without copying.
    fn text(&mut self, text: Text<'_>) -> Control {
        Control::Continue
    }

    /// Receives a start tag.
    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        Control::Continue
    }

    /// Receives an end tag, which may have attributes and a self-closing flag; both are errors.
    fn end_tag(&mut self, tag: Tag<'_>) -> Control {
        Control::Continue
    }

    /// Receives a comment.
    fn comment(&mut self, comment: Comment<'_>) -> Control {
        Control::Continue
    }

    /// Receives a DOCTYPE.
    fn doctype(&mut self, doctype: Doctype<'_>) -> Control {
        Control::Continue
    }

    /// Receives a short end tag, which has no name and closes the current element.
    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control {
        Control::Continue
    }

    /// Receives a processing instruction.
    fn processing_instruction(&mut self, instruction: ProcessingInstruction<&str>) -> Control {
        Control::Continue
    }

    /// Receives a token of a kind that the table declares.
    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
        Control::Continue
    }

    /// Receives the end-of-file token at the byte offset where the machine ends.
    fn end_of_file(&mut self, offset: usize) {}

    /// Whether errors must be reported. Queried before each error, unless the machine is compiled
    /// [without errors](MachineSink::ERRORS).
    #[inline(always)]
    fn wants_errors(&self) -> bool {
        true
    }

    /// Receives a parse error, unless the machine is compiled [without errors](MachineSink::ERRORS).
    fn error(&mut self, error: ParseError) {}

    /// Returns the index of the value of the flag called `flag`, which the table declares `by host`; the default is 0.
    /// Not called for a flag that rows also set, which [`Tokenizer::set_flag`](crate::Tokenizer::set_flag) sets.
    fn flag(&mut self, flag: &'static str) -> u8 {
        0
    }

    /// Applies the host's function called `function` to a text; returns `None` if that fails or does not exist. Must
    /// depend on its arguments alone, because the result for the last text may be reused, even after a reset.
    fn convert<'t>(&mut self, function: &str, text: &'t str) -> Option<Cow<'t, str>> {
        None
    }

    /// Whether [`row`](Self::row) and [`inspected`](Self::inspected) are called. Queried whenever the machine starts,
    /// if it is compiled [with rows](MachineSink::ROWS).
    fn wants_rows(&self) -> bool {
        false
    }

    /// Receives the index of a row that was taken; rows are counted from 0 through the whole table. A run of characters
    /// taken by one row is reported once.
    fn row(&mut self, row: u16) {}

    /// Receives the number of bytes inspected by a row, or searched for the next byte that the machine consumes singly.
    /// Rows and bytes together measure the machine's work.
    fn inspected(&mut self, bytes: usize) {}
}

/// A sink for which a machine is instantiated, so that calls of the sink can be inlined; the build takes longer. The
/// machine for `dyn Sink`, which accepts any sink, is compiled with the dialect.
#[diagnostic::on_unimplemented(
    message = "no machine is compiled for `{Self}`",
    label = "expected a `MachineSink`",
    note = "pass `&mut sink as &mut dyn Sink`, or implement `MachineSink` for `{Self}`"
)]
pub trait MachineSink: Sink {
    /// Whether errors are reported. If not, the machine is compiled without the code that reports them.
    const ERRORS: bool = true;
    /// Whether rows can be reported. If not, the machine is compiled without the code that reports them.
    const ROWS: bool = false;
}

impl MachineSink for dyn Sink + '_ {
    const ROWS: bool = true;
}

/// A sink's instruction to the machine after a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Control {
    /// Continue in the current state.
    Continue,
    /// Continue in this state, as when tree construction switches the tokenizer, or with this value of a flag that the
    /// table declares `by host and rows`. The entry must come from the machine's dialect, because it holds indices into
    /// the dialect's table.
    Enter(Entry),
    /// Pause; the rest of the input is kept until the next call.
    Pause,
}

/// An entry point of a tokenizer: a state, or a value of a flag that both the host and rows set, as indices into the
/// dialect's table. [`Dialect::entry`](crate::Dialect::entry) finds one by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Entry {
    /// The index of the state.
    State(u16),
    /// The index of the flag, and the index of its value.
    Flag(u8, u8),
}

impl Entry {
    /// Returns the entry of a state. Takes time linear in the number of states.
    ///
    /// ```
    /// use tabulex::html::{Html, State};
    /// use tabulex::{Control, Entry, control_after};
    ///
    /// let script = Control::Enter(Entry::state::<Html>(State::ScriptData));
    /// assert_eq!(control_after::<Html>("script", &[]), script);
    /// ```
    pub fn state<M: Machine>(state: M::State) -> Self {
        let index = M::State::ALL.iter().position(|&other| other == state);
        Self::State(index.and_then(|index| u16::try_from(index).ok()).unwrap_or(u16::MAX))
    }
}

/// A [`Control`] with the state as the machine's own type; any flag has already been set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request<S> {
    /// Continue in the current state.
    Continue,
    /// Continue in this state.
    Switch(S),
    /// Stop until the next call.
    Pause,
}

impl<S> Request<S> {
    /// Combines the requests for two tokens of one row. A pause wins, then the later request other than `Continue`.
    #[must_use]
    pub fn and_then(self, later: Self) -> Self {
        match (self, later) {
            (Self::Pause, _) | (_, Self::Pause) => Self::Pause,
            (switch, Self::Continue) => switch,
            (_, switch) => switch,
        }
    }

    /// Replaces a switch with `Continue`, for a row that sets the next state itself after emitting the token.
    #[must_use]
    pub fn without_switch(self) -> Self {
        match self {
            Self::Switch(_) => Self::Continue,
            other => other,
        }
    }
}

// State switches of the tokenizer that depend only on the name of a start tag and on flags, so that they can be applied
// without a tree.

/// A start tag after which tree construction switches the tokenizer.
#[derive(Clone, Copy, Debug)]
pub struct SwitchingTag {
    /// The tag name.
    pub name: &'static str,
    /// A flag of tree construction, and the index of the value that it must have for the switch; `None` if the switch
    /// depends on the name alone.
    pub flag: Option<(&'static str, u8)>,
    /// The state or flag value to which the tokenizer switches after the tag.
    pub entry: Entry,
}

/// A function that returns the state or flag value to which a machine switches after a start tag, if there is a switch. Its
/// arguments are the tag's name, and the names of flags of tree construction, each with the index of the flag's value;
/// flags not listed have their first value.
pub(crate) type EntryAfter = fn(&str, &[(&'static str, u8)]) -> Option<Entry>;

/// The switches of a machine's state that tree construction makes after start tags.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SwitchingTags {
    /// A Bloom filter of the tags' names, with one bit per name.
    bits: u64,
    /// Instantiated for the machine, so that names are compared with constants.
    pub(crate) after: EntryAfter,
}

impl SwitchingTags {
    pub(crate) const fn of<M: Machine>() -> Self {
        let (mut bits, mut index) = (0, 0);
        while index < M::SWITCHING_TAGS.len() {
            bits |= name_bit(M::SWITCHING_TAGS[index].name.as_bytes());
            index += 1;
        }
        Self { bits, after: entry_after::<M> }
    }

    /// Whether the machine may switch after a start tag called `name`.
    #[inline(always)]
    pub(crate) fn may_switch_after(&self, name: &[u8]) -> bool {
        name_bit(name) & self.bits != 0
    }
}

/// Returns the switch of the tokenizer after a start tag called `name`; see [`SwitchingTags::after`].
pub(crate) fn entry_after<M: Machine>(name: &str, flags: &[(&'static str, u8)]) -> Option<Entry> {
    let value = |flag: &str| flags.iter().find(|(other, _)| *other == flag).map_or(0, |&(_, v)| v);
    let applies =
        |tag: &&SwitchingTag| tag.name == name && tag.flag.is_none_or(|(flag, v)| value(flag) == v);
    M::SWITCHING_TAGS.iter().find(applies).map(|tag| tag.entry)
}

/// Returns the instruction with which a sink without a tree should answer a start tag called `name`, so that the
/// machine follows the table's modes. `flags` lists names of flags of tree construction, each with the index of the
/// flag's value; flags not listed have their first value.
///
/// ```
/// use tabulex::html::{Html, State};
/// use tabulex::{Control, Entry, control_after};
///
/// let raw_text = Control::Enter(Entry::state::<Html>(State::Rawtext));
/// assert_eq!(control_after::<Html>("noscript", &[("scripting", 1)]), raw_text);
/// assert_eq!(control_after::<Html>("noscript", &[]), Control::Continue);
/// ```
pub fn control_after<M: Machine>(name: &str, flags: &[(&'static str, u8)]) -> Control {
    entry_after::<M>(name, flags).map_or(Control::Continue, Control::Enter)
}
