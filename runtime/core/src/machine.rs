//! The [`Machine`] trait that generated code implements, and the registers shared by all machines. Rows run completely
//! or not at all, so a machine can pause at any byte and resume.

use crate::declarations::{Declarations, EntityList};
use crate::edits::InnerRegisters;
use crate::error::{Named, ParseError};
use crate::lexeme::Lexer;
use crate::references::{NO_REFERENCE, References};
use crate::registers::{
    DeclaredTokenRegisters, DoctypeRegister, FieldRegisters, INSERTED,
    ProcessingInstructionRegister, PushedStates, Replacement, ReplacementLimits, Replacements,
    SourceText, TagRegister, TextRegister, escape_as_references, original, slice_or_empty,
};
use crate::scan::{self, SearchableTable};
use crate::sink::{Control, Entry, MachineSink, Request, SwitchingTag};
use crate::span::Span;
use crate::surroundings::NameMatch;
use crate::token::{Comment, Doctype, ProcessingInstruction, ShortEndTag, Tag, Text, TokenForm};
use std::fmt::Debug;

/// A tokenizer compiled from a table.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a machine compiled from a table",
    label = "expected a machine",
    note = "`machine!` compiles a table to one of the table's name; dialects export theirs, such as `tabulex::html::Html`"
)]
pub trait Machine: Debug + Send + Sync + Sized + 'static {
    /// The states of the machine.
    type State: Named;
    /// The codes of the machine's parse errors.
    type Error: Named;
    /// The flags that the host sets.
    type HostFlag: Named;
    /// The fields of the tokens that the table declares.
    type Fields: FieldRegisters;

    /// The id of the dialect.
    const NAME: &'static str;
    /// The title of the document that the table follows.
    const DOCUMENT: &'static str;
    /// The dialect as a value; without trees unless the table constructs them.
    const DIALECT: crate::Dialect = crate::Dialect::of::<Self>();
    /// The start state.
    const START: Self::State;
    /// Whether CR LF and a lone CR reach the states as LF.
    const NEWLINES_NORMALIZED: bool;
    /// Sorted ranges of characters that are errors wherever they occur, with the codes of the errors.
    const INPUT_ERRORS: &'static [(char, char, Self::Error)];
    /// For each byte, whether no character in [`INPUT_ERRORS`](Self::INPUT_ERRORS) begins with it.
    const HARMLESS: &'static [bool; 256];
    /// Whether rows insert text into the input, or declare entities or attributes.
    const INSERTS: bool;
    /// The limits on the text that rows insert, unless the host sets others.
    const REPLACEMENT_LIMITS: ReplacementLimits;
    /// Whether the table drops a byte order mark at the start of the input, even after a decoder has removed one.
    const BYTE_ORDER_MARK_DROPPED: bool;
    /// The number of rows of the table.
    const ROWS: u16;
    /// Whether U+0000 reaches the states as U+FFFD.
    const NULLS_REPLACED: bool;
    /// The clues by which the character encoding of an input is detected.
    const CLUES: &'static crate::encoding::Clues = crate::encoding::NO_CLUES;
    /// Whether rows use the name of the last start tag.
    const USES_LAST_START_TAG: bool;
    /// The start tags after which tree construction switches the state of the machine.
    const SWITCHING_TAGS: &'static [SwitchingTag];
    /// The bytes that occur in no run of characters: the machine consumes each of them singly.
    const STOP_BYTES: &'static [u8];
    /// The number of bytes before the current position that the machine may inspect.
    const LOOK_BEHIND: usize;
    /// The sets of characters that are removed from the ends of an input before it is read into a record.
    const TRIMMED: &'static [crate::record::RemovedCharacters<Self::Error>];
    /// The sets of characters that are then removed wherever they occur.
    const REMOVED: &'static [crate::record::RemovedCharacters<Self::Error>];
    /// Whether rows go back to a remembered offset.
    const GOES_BACK: bool;
    /// The kinds of tokens that the table declares.
    const TOKENS: &'static [TokenForm];

    /// For each flag that the host sets, the names of its values in table order, and its index in [`Registers::flags`]
    /// if rows also set it; `None` for a flag that is queried from the sink.
    const FLAGS: &'static [(&'static [&'static str], Option<usize>)];

    /// Runs the machine from offset `from` until it needs more input, is paused by the sink, has inserted text, has
    /// emitted the end-of-file token, or refuses the input. `is_last` means that no input follows.
    fn run<K: MachineSink + ?Sized>(
        registers: &mut Registers<Self>,
        input: &str,
        from: usize,
        is_last: bool,
        sink: &mut K,
    ) -> Stop;
}

/// The reason and offset at which a machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The reason for the stop.
    pub reason: Reason,
    /// The number of bytes consumed of the input passed to [`Machine::run`].
    pub consumed: usize,
}

/// The reason why a machine stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The machine needs more input.
    Input,
    /// The sink requested a pause.
    Pause,
    /// A row inserted a text, which must be read before the rest of the input.
    Insert,
    /// The machine emitted the end-of-file token, or refused the input.
    End,
}

/// The `call_offset` while no procedure is active, and the `remembered_offset` after a row has gone back to it.
const NO_OFFSET: usize = usize::MAX;

/// The registers of a machine: its states, its positions in the input, and its current tokens.
#[derive(Clone, Debug)]
pub struct Registers<M: Machine> {
    /// The current state.
    pub state: M::State,
    /// The return state, in which the machine continues after a character reference.
    pub return_state: M::State,
    /// The state that called the active procedure.
    pub caller: M::State,
    /// The input offset of the current chunk, in bytes.
    pub base: usize,
    /// The input offset at which the range of the next token or text begins.
    pub mark: usize,
    /// The input offset at which the active procedure was called, or [`NO_OFFSET`].
    call_offset: usize,
    /// The input offset to which a row may go back, or [`NO_OFFSET`].
    remembered_offset: usize,
    /// The lowest input offset to which a row may still go back: one more than the last offset that a row went back to,
    /// so that rows go back to each offset at most once.
    min_backtrack: usize,
    /// The additional allowed character, an ASCII character; 0xFF if there is none.
    pub additional_allowed_character: u8,
    /// The character reference code: a number that rows read digit by digit, such as that of a numeric character
    /// reference.
    pub number: u32,
    /// The index of the last matched named character reference, or `NO_REFERENCE`.
    pub reference: u16,
    /// The result of the procedure that returned last.
    pub returned: Returned,
    /// The values of the flags that rows set, each as an index into the flag's values.
    pub flags: [u8; 8],
    /// The temporary buffer, in which rows collect text such as a character reference.
    pub temporary_buffer: TextRegister,
    /// The current tag token.
    pub tag: TagRegister,
    /// The data of the current comment token.
    pub comment: TextRegister,
    /// The current DOCTYPE token.
    pub doctype: DoctypeRegister,
    /// The current processing instruction token.
    pub processing_instruction: ProcessingInstructionRegister,
    /// The declarations of entities and attributes.
    pub declarations: Declarations,
    /// The current tokens of the kinds that the table declares.
    pub declared: DeclaredTokenRegisters<M::Fields>,
    /// The registers with which the machine runs on the texts of fields; `None` until a row runs it.
    pub inner: Option<Box<InnerRegisters<M>>>,
    /// The stack of states that rows have pushed, to return to them later.
    pub pushed: PushedStates<M::State>,
    /// The state most recently popped from `pushed`.
    pub popped_state: M::State,
    pub(crate) replacements: Replacements,
    /// The name of the last start tag, as emitted or as set by the host; unset before the first one.
    pub last_start_tag: TextRegister,
    pub(crate) name_match: NameMatch,
    /// The lexer, which reads the longest lexeme of a lexical mode.
    pub lexer: Lexer,
    /// The input offset up to which the input was searched for [`INPUT_ERRORS`](Machine::INPUT_ERRORS).
    pub(crate) searched: usize,
    /// A range of input offsets without any byte that the machine consumes singly.
    pub(crate) scanned: (usize, usize),
    /// Whether a byte order mark at the start of the input is kept as a character, unless the table drops it.
    pub(crate) keeps_bom: bool,
    /// Whether rows and inspected bytes are reported to the sink.
    pub(crate) reports_rows: bool,
    /// The offset of the input's first character, after a dropped byte order mark.
    pub(crate) input_start: usize,
}

impl<M: Machine> Registers<M> {
    /// Creates registers in the start state.
    pub fn new() -> Self {
        Self {
            state: M::START,
            return_state: M::START,
            caller: M::START,
            base: 0,
            mark: 0,
            call_offset: NO_OFFSET,
            remembered_offset: 0,
            min_backtrack: 0,
            additional_allowed_character: 0xFF,
            number: 0,
            reference: NO_REFERENCE,
            returned: Returned::Text(""),
            flags: [0; 8],
            temporary_buffer: TextRegister::default(),
            tag: TagRegister::default(),
            comment: TextRegister::default(),
            doctype: DoctypeRegister::default(),
            processing_instruction: ProcessingInstructionRegister::default(),
            declarations: Declarations::default(),
            declared: DeclaredTokenRegisters::new(),
            inner: None,
            pushed: PushedStates::default(),
            popped_state: M::START,
            replacements: Replacements::new(M::REPLACEMENT_LIMITS),
            last_start_tag: TextRegister::default(),
            name_match: NameMatch::default(),
            lexer: Lexer::default(),
            searched: 0,
            scanned: (0, 0),
            keeps_bom: false,
            reports_rows: false,
            input_start: 0,
        }
    }

    /// Resets the registers in place for another input. Keeps the capacity of texts, the limits, the inner registers,
    /// and the choice of whether a byte order mark is kept.
    pub(crate) fn reset(&mut self) {
        // The pattern names each register, so that a register that is added without being reset causes a compile error.
        let Self {
            state,
            return_state,
            caller,
            base,
            mark,
            call_offset,
            remembered_offset,
            min_backtrack,
            additional_allowed_character,
            number,
            reference,
            returned,
            flags,
            temporary_buffer,
            tag,
            comment,
            doctype,
            processing_instruction,
            declarations,
            declared,
            inner: _,
            pushed,
            popped_state,
            replacements,
            last_start_tag,
            name_match,
            lexer,
            searched,
            scanned,
            keeps_bom: _,
            reports_rows,
            input_start,
        } = self;
        (*state, *return_state, *caller, *popped_state) = (M::START, M::START, M::START, M::START);
        (*base, *mark, *searched, *scanned, *input_start) = (0, 0, 0, (0, 0), 0);
        (*call_offset, *remembered_offset, *min_backtrack) = (NO_OFFSET, 0, 0);
        (*additional_allowed_character, *number, *reference) = (0xFF, 0, NO_REFERENCE);
        (*returned, *flags, *reports_rows) = (Returned::Text(""), [0; 8], false);
        temporary_buffer.clear();
        tag.reset();
        comment.clear();
        doctype.create();
        processing_instruction.create();
        declared.clear(M::TOKENS.len());
        if M::INSERTS {
            *declarations = Declarations::default();
            *replacements = Replacements::new(replacements.limits);
        }
        pushed.clear();
        last_start_tag.clear();
        *name_match = NameMatch::default();
        lexer.reset();
    }

    pub(crate) fn set_last_start_tag(&mut self, name: &str) {
        self.last_start_tag.set_copy(name);
        self.name_match.reset();
    }

    /// Returns the heap memory in bytes of the temporary buffer, the current tokens, the declarations, the inner
    /// registers and the pushed states.
    pub(crate) fn memory_usage(&self) -> usize {
        self.temporary_buffer.memory_usage()
            + self.tag.memory_usage()
            + self.comment.memory_usage()
            + self.doctype.memory_usage()
            + self.processing_instruction.memory_usage()
            + self.declarations.memory_usage()
            + self.declared.memory_usage()
            + self.inner.as_ref().map_or(0, |inner| inner.memory_usage())
            + self.pushed.memory_usage()
    }

    /// Sets the limits on text that rows insert.
    pub(crate) fn set_replacement_limits(&mut self, limits: ReplacementLimits) {
        self.replacements.limits = limits;
    }

    /// Drops the input before `offset`, which becomes the offset of the first character.
    pub(crate) fn skip_to(&mut self, offset: usize) {
        self.mark = offset;
        self.searched = offset;
        self.remembered_offset = offset;
        self.input_start = offset;
    }

    /// Releases the consumed part of the chunk, except for the last bytes, which the machine may inspect, after the
    /// caller has settled the registers. Returns the number of bytes that are no longer needed.
    pub(crate) fn release_consumed(&mut self, input: &str, consumed: usize) -> usize {
        // The machine may return to the offset at which a procedure was called, so the input from that offset is kept.
        let mut released_len = consumed.min(self.call_offset.wrapping_sub(self.base));
        if M::GOES_BACK {
            released_len = released_len.min(self.remembered_offset.wrapping_sub(self.base));
        }
        released_len = input.floor_char_boundary(released_len.saturating_sub(M::LOOK_BEHIND));
        self.base += released_len;
        released_len
    }

    /// Drops the data of an incomplete comment or processing instruction if the sink does not need it; returns whether
    /// data was dropped.
    pub(crate) fn drop_data<K: MachineSink + ?Sized>(&mut self, sink: &mut K) -> bool {
        let mark = self.mark;
        let texts = [(&mut self.comment, true), (&mut self.processing_instruction.data, false)];
        texts.into_iter().any(|(text, is_comment)| {
            // A text that begins before the mark belongs to an earlier token.
            let is_current = text.is_set() && text.span_or(0).start >= mark;
            let is_dropped = is_current && sink.drops_data(mark, is_comment);
            if is_dropped {
                text.drop_text();
            }
            is_dropped
        })
    }

    /// Returns the chunk offset at which to start searching for bytes that the machine consumes singly: `from`, or the
    /// end of the last search if that covered `from`.
    #[inline]
    pub fn search_start(&self, length: usize, from: usize) -> usize {
        let (first, last) = self.scanned;
        let is_known = (first..=last).contains(&(self.base + from));
        if is_known { (last - self.base).min(length) } else { from }
    }

    /// Records that no byte that the machine consumes singly lies between the two offsets of the chunk.
    #[inline]
    pub fn record_searched(&mut self, from: usize, to: usize) {
        let (first, last) = self.scanned;
        let from = self.base + from;
        let is_known = (first..=last).contains(&from);
        self.scanned = (if is_known { first } else { from }, self.base + to);
    }

    /// Returns the chunk together with its input offset.
    #[inline(always)]
    pub fn source<'a>(&self, input: &'a str) -> SourceText<'a> {
        SourceText { text: input, base: self.base }
    }

    /// Returns the range from the mark to the chunk offset `here`, and moves the mark to `here`.
    #[inline(always)]
    pub fn take_span(&mut self, here: usize) -> Span {
        let end = self.base + here;
        let span = Span::new(self.mark.min(end), end);
        self.mark = end;
        self.original(span)
    }

    /// Records that the state `caller` calls a procedure at `offset` in the chunk.
    #[inline]
    pub fn call(&mut self, caller: M::State, offset: usize) {
        self.caller = caller;
        // A machine that inserts text never returns to the call's offset, so only the start of the reference is
        // recorded.
        if M::INSERTS {
            self.replacements.reference_start = (self.base + offset).saturating_sub(1);
        } else {
            self.call_offset = self.base + offset;
        }
    }

    /// Ends the active procedure without a result and returns the chunk offset of its call, from which the machine
    /// continues; returns `here` if the host entered the procedure without a call.
    #[inline]
    pub fn return_nothing(&mut self, here: usize) -> usize {
        match std::mem::replace(&mut self.call_offset, NO_OFFSET) {
            NO_OFFSET => here,
            call => call - self.base,
        }
    }

    /// Remembers a chunk offset to go back to.
    #[inline]
    pub fn remember_offset(&mut self, here: usize) {
        self.remembered_offset = self.base + here;
    }

    /// Clears the remembered offset and returns it as a chunk offset. Returns `here` if there is none, or if a row has
    /// already gone back to it or to a later offset.
    #[inline]
    pub fn go_back(&mut self, here: usize) -> usize {
        match std::mem::replace(&mut self.remembered_offset, NO_OFFSET) {
            offset if offset == NO_OFFSET || offset < self.min_backtrack => here,
            offset => {
                self.min_backtrack = offset + 1;
                offset - self.base
            }
        }
    }

    /// Ends the active procedure with the result `returned`.
    #[inline]
    pub fn return_text(&mut self, returned: Returned) {
        self.call_offset = NO_OFFSET;
        self.returned = returned;
    }

    /// Whether the current tag is an end tag with the last start tag's name.
    #[inline]
    pub fn is_appropriate_end_tag(&self, input: &str) -> bool {
        let source = self.source(input);
        self.tag.is_end
            && self.last_start_tag.text_if_set(source) == Some(self.tag.name.text(source))
    }

    /// Multiplies the character reference code by `base` and adds the ASCII digit.
    #[inline]
    pub fn add_digit(&mut self, base: u32, digit: u8) {
        let digit = char::from(digit).to_digit(base).unwrap_or(0);
        self.number = self.number.saturating_mul(base).saturating_add(digit);
    }

    /// Returns the character with the character reference code, or U+FFFD if there is none.
    #[inline]
    pub fn number_character(&self) -> char {
        char::from_u32(self.number).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Returns the text of the last matched named character reference; empty if none was matched.
    #[inline]
    pub fn reference_text(&self, references: &'static References) -> &'static str {
        references.text(self.reference)
    }

    /// Emits a text with the range from the mark to `here`.
    #[inline]
    pub fn emit_text<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        text: &str,
        here: usize,
    ) -> Request<M::State> {
        if text.is_empty() {
            return Request::Continue;
        }
        let span = self.take_span(here);
        let is_verbatim = Self::is_verbatim_character(text, span);
        let control = sink.text(self.text(text, span, is_verbatim));
        self.apply_control(control)
    }

    /// Whether the text is a single character with the length of its range. Longer texts do not qualify even if they
    /// are as long as their range: they may differ from the input or have replaced line ends.
    #[inline]
    pub(crate) fn is_verbatim_character(text: &str, span: Span) -> bool {
        let width = text.bytes().next().map_or(0, scan::width);
        text.len() == width && span.end - span.start == width
    }

    /// Emits as text the bytes of the chunk from `from` to `to`, which the machine consumed in one step.
    #[inline]
    pub fn emit_run<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        from: usize,
        to: usize,
    ) -> Request<M::State> {
        let span = Span::new(self.base + from, self.base + to);
        self.mark = span.end;
        let (text, span) = (slice_or_empty(input, from, to), self.original(span));
        let is_inserted = self.is_replacing();
        self.apply_control(sink.text(Text {
            text,
            span,
            is_verbatim: !is_inserted || Self::is_verbatim_character(text, span),
            is_bulk: true,
            is_inserted,
        }))
    }

    /// Emits the text of a register.
    #[inline(never)]
    pub fn emit_register<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        here: usize,
        register: impl Fn(&Self) -> &TextRegister,
    ) -> Request<M::State> {
        if register(self).is_empty() {
            return Request::Continue;
        }
        let span = self.take_span(here);
        let text = register(self).text(self.source(input));
        let control = sink.text(self.text(text, span, Self::is_verbatim_character(text, span)));
        self.apply_control(control)
    }

    /// Emits the result of the last procedure as text.
    #[inline(never)]
    pub fn emit_returned<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        here: usize,
    ) -> Request<M::State> {
        match self.returned {
            Returned::Text("") => Request::Continue,
            Returned::TemporaryBuffer => {
                self.emit_register(sink, input, here, |registers| &registers.temporary_buffer)
            }
            Returned::Text(text) => self.emit_text(sink, text, here),
            Returned::Character(character) => {
                self.emit_text(sink, character.encode_utf8(&mut [0; 4]), here)
            }
        }
    }

    /// Adds the current attribute to the current tag token, which can then be emitted.
    #[inline(always)]
    pub fn finish_tag(&mut self) {
        self.tag.finish_attribute();
    }

    /// Out-of-line [`finish_tag`](Self::finish_tag), for rows at which tags rarely end, so that those rows stay small.
    #[inline(never)]
    pub fn finish_tag_cold(&mut self) {
        self.finish_tag();
    }

    /// Whether the current tag, which must have been finished, is of the given kind (an end tag if `is_end`, else a
    /// start tag) and has attributes.
    #[inline]
    pub fn tag_has_attributes(&self, is_end: bool) -> bool {
        self.tag.is_end == is_end && self.tag.has_attributes()
    }

    /// Whether the current tag is of the given kind (an end tag if `is_end`, else a start tag) and has its self-closing
    /// flag set.
    #[inline]
    pub fn tag_is_self_closing(&self, is_end: bool) -> bool {
        self.tag.is_end == is_end && self.tag.self_closing
    }

    /// Out-of-line [`emit_tag`](Self::emit_tag), for rows at which tags rarely end, so that those rows stay small.
    #[inline(never)]
    pub fn emit_tag_cold<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        here: usize,
    ) -> Request<M::State> {
        self.emit_tag(sink, input, here)
    }

    /// Emits the current tag token, which must have been finished.
    #[inline(always)]
    pub fn emit_tag<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        here: usize,
    ) -> Request<M::State> {
        let span = self.take_span(here);
        if self.is_replacing() {
            self.settle(input);
        }
        let source = self.source(input);
        let tag = Tag { tag: &self.tag, source, span };
        if self.tag.is_end {
            let control = sink.end_tag(tag);
            return self.apply_control(control);
        }
        if M::USES_LAST_START_TAG {
            self.last_start_tag.copy_from(&self.tag.name);
            self.name_match.reset();
        }
        let control = sink.start_tag(tag);
        self.apply_control(control)
    }

    /// Emits the current comment token.
    #[inline(never)]
    pub fn emit_comment<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        here: usize,
    ) -> Request<M::State> {
        let span = self.take_span(here);
        let source = self.source(input);
        let (data, is_inserted) = (self.comment.text(source), self.is_inserted(span));
        let control = sink.comment(Comment { data, span, is_inserted });
        self.apply_control(control)
    }

    /// Emits the current DOCTYPE token.
    #[inline(never)]
    pub fn emit_doctype<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        here: usize,
    ) -> Request<M::State> {
        let span = self.take_span(here);
        let source = self.source_of(input, span);
        let control = sink.doctype(Doctype { doctype: &self.doctype, source, span });
        self.apply_control(control)
    }

    /// Emits the end-of-file token at the offset where the machine stops: the end of the input, unless a row stops
    /// earlier.
    #[inline]
    pub fn emit_end_of_file<K: MachineSink + ?Sized>(&mut self, sink: &mut K, here: usize) {
        let here = self.base + here;
        sink.end_of_file(self.original(Span::new(here, here)).end);
    }
}

impl<M: Machine> Default for Registers<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Machine> Registers<M> {
    /// Sets a flag to the value at index `value`, if rows also set that flag.
    pub(crate) fn set_flag(&mut self, flag: M::HostFlag, value: u8) {
        let mut flags = M::HostFlag::ALL.iter().zip(M::FLAGS);
        if let Some((_, (_, Some(index)))) = flags.find(|(other, _)| **other == flag) {
            self.flags[*index] = value;
        }
    }

    /// Switches to the state, or sets the flag to the value, that `entry` names. `entry` must come from the same
    /// dialect, because it holds indices into the dialect's table.
    pub(crate) fn enter(&mut self, entry: Entry) {
        if let Request::Switch(state) = self.apply_entry(entry) {
            self.state = state;
        }
    }

    /// Sets the flag that the sink asks for; returns any other instruction for the emitting row to carry out.
    #[inline(always)]
    pub(crate) fn apply_control(&mut self, control: Control) -> Request<M::State> {
        match control {
            Control::Continue => Request::Continue,
            Control::Pause => Request::Pause,
            Control::Enter(entry) => self.apply_entry(entry),
        }
    }

    /// Sets the flag that `entry` names, or returns the request to switch to the state that it names.
    #[cold]
    #[inline(never)]
    fn apply_entry(&mut self, entry: Entry) -> Request<M::State> {
        match entry {
            Entry::State(index) => {
                let state = M::State::ALL.get(usize::from(index)).copied();
                return state.map_or(Request::Continue, Request::Switch);
            }
            Entry::Flag(index, value) => {
                if let Some(&flag) = M::HostFlag::ALL.get(usize::from(index)) {
                    self.set_flag(flag, value);
                }
            }
        }
        Request::Continue
    }

    /// Creates a token of the kind at index `kind`, beginning at `offset` in the chunk.
    #[inline]
    pub fn create_declared(&mut self, kind: usize, offset: usize) {
        self.declared.create(kind, &M::TOKENS[kind], self.base + offset);
    }

    /// Emits the current token of the kind at index `KIND`, a constant so that sinks know the number of fields. If
    /// `is_inside`, the range of the enclosing token or text continues.
    #[inline(never)]
    pub fn emit_declared<const KIND: usize, K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        (here, is_inside): (usize, bool),
    ) -> Request<M::State> {
        let end = self.base + here;
        let span = Span::new(self.declared.start(KIND).min(end), end);
        let span = self.original(span);
        if !is_inside {
            self.mark = end;
        }
        let source = self.source_of(input, span);
        let kind_and_form = (KIND, const { &M::TOKENS[KIND] });
        let token = self.declared.token(kind_and_form, source, span, is_inside);
        let control = sink.declared_token(token);
        self.apply_control(control)
    }

    /// Emits a short end tag token.
    #[inline(never)]
    pub fn emit_short_end_tag<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        here: usize,
    ) -> Request<M::State> {
        let span = self.take_span(here);
        let is_inserted = self.is_inserted(span);
        let control = sink.short_end_tag(ShortEndTag { span, is_inserted });
        self.apply_control(control)
    }

    /// Emits the current processing instruction token.
    #[inline(never)]
    pub fn emit_processing_instruction<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        here: usize,
    ) -> Request<M::State> {
        let span = self.take_span(here);
        let (source, instruction) = (self.source(input), &self.processing_instruction);
        let (target, data) = (instruction.target.text(source), instruction.data.text(source));
        let is_inserted = self.is_inserted(span);
        let instruction = ProcessingInstruction { target, data, span, is_inserted };
        let control = sink.processing_instruction(instruction);
        self.apply_control(control)
    }

    /// Pops a state from `pushed` into `popped_state`, which becomes the start state if the stack is empty.
    #[inline]
    pub fn pop_state(&mut self) {
        self.popped_state = self.pushed.pop().unwrap_or(M::START);
    }

    /// Replaces a surrogate pair in the two halves of the character reference code with the code point that the pair
    /// encodes; leaves any other code unchanged.
    pub fn join_surrogates(&mut self) {
        let units = [(self.number >> 16) as u16, self.number as u16];
        if let (0xD800..=0xDBFF, Some(Ok(character))) = (units[0], char::decode_utf16(units).next())
        {
            self.number = u32::from(character);
        }
    }
}

/// The result of a procedure: characters, or the temporary buffer.
#[derive(Clone, Copy, Debug)]
pub enum Returned {
    /// A text from the table.
    Text(&'static str),
    /// A single character.
    Character(char),
    /// The contents of the temporary buffer.
    TemporaryBuffer,
}

impl Returned {
    /// Returns the text of the result; `buffer` receives the bytes of a single character.
    pub fn text<'a>(
        &'a self,
        temporary_buffer: &'a TextRegister,
        source: SourceText<'a>,
        buffer: &'a mut [u8; 4],
    ) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Character(character) => character.encode_utf8(buffer),
            Self::TemporaryBuffer => temporary_buffer.text(source),
        }
    }
}

// Running of a machine over an input and over the replacement texts that rows insert. A replacement text is read to its
// end before the input after its reference, and everything in it has the range of the reference. When a text is entered
// or left, all registers are copied out of the previous one, so that none borrows from it.

impl<M: Machine> Registers<M> {
    /// Whether a replacement text is being read.
    #[inline]
    pub fn is_replacing(&self) -> bool {
        M::INSERTS && self.replacements.is_active()
    }

    /// Whether a token with the range `span` comes from a replacement text: one that is being read, or the last one
    /// read, if the token starts at that text's reference. One comparison suffices in a document without such texts.
    #[inline(always)]
    pub(crate) fn is_inserted(&self, span: Span) -> bool {
        let origin = self.replacements.origin;
        M::INSERTS
            && origin.end != 0
            && (self.is_replacing() || span.start == origin.start && origin.start < origin.end)
    }

    /// Returns the chunk as the source of the texts of a token with the range `span`. If part of the token was
    /// inserted, copies the texts of all registers first.
    #[inline(always)]
    pub(crate) fn source_of<'a>(&mut self, input: &'a str, span: Span) -> SourceText<'a> {
        let source = self.source(input);
        if self.is_inserted(span) {
            self.settle(input);
            return SourceText { base: INSERTED, ..source };
        }
        source
    }

    /// Creates a text token that was not passed in bulk.
    #[inline(always)]
    pub(crate) fn text<'a>(&self, text: &'a str, span: Span, is_verbatim: bool) -> Text<'a> {
        Text { text, span, is_verbatim, is_bulk: false, is_inserted: self.is_inserted(span) }
    }

    /// Maps a range to the input: offsets in a replacement text become those of its reference.
    #[inline(always)]
    pub(crate) fn original(&self, span: Span) -> Span {
        // Outside of replacement texts every offset is an input offset.
        if self.is_replacing() { original(span, self.replacements.origin) } else { span }
    }

    /// Returns the entity name in the temporary buffer: the buffer's text after the first character.
    fn entity_name<'a>(&'a self, source: SourceText<'a>) -> &'a str {
        let mut characters = self.temporary_buffer.text(source).chars();
        characters.next();
        characters.as_str()
    }

    /// Whether the list has the entity named in the temporary buffer.
    #[inline(never)]
    pub fn is_declared(&self, list: EntityList, source: SourceText<'_>) -> bool {
        self.declarations.entity(list, self.entity_name(source)).is_some()
    }

    /// Whether the limits allow the value of the entity named in the temporary buffer to be inserted at `offset` of the
    /// chunk; if not, counts a refused text.
    #[inline(never)]
    pub fn is_insertable(
        &mut self,
        list: EntityList,
        source: SourceText<'_>,
        offset: usize,
    ) -> bool {
        let length =
            self.declarations.entity(list, self.entity_name(source)).map_or(0, |v| v.len());
        let offset = self.base + offset;
        let consumed = self.original(Span::new(offset, offset)).start;
        let is_allowed =
            self.replacements.allows_nesting() && self.replacements.allows_bytes(length, consumed);
        if !is_allowed {
            self.replacements.refuse(consumed);
        }
        is_allowed
    }

    /// Schedules the value of the entity named in the temporary buffer to be read next, with the characters in `escape`
    /// written as numeric character references. `from` is the chunk offset at which the reference begins; `None` means
    /// one byte before the call of the active procedure.
    #[inline(never)]
    pub fn insert(
        &mut self,
        (list, escape): (EntityList, &str),
        source: SourceText<'_>,
        from: Option<usize>,
        here: usize,
    ) {
        let Some(value) = self.declarations.entity(list, self.entity_name(source)) else { return };
        let text = escape_as_references(value, escape);
        let start = from.map_or(self.replacements.reference_start, |from| self.base + from);
        if !self.replacements.is_active() {
            self.replacements.origin = Span::new(start, self.base + here);
            // If the open tag began in an earlier replacement text, it may continue in this one, so the start of the
            // earlier reference is kept, too.
            if self.tag.last_reference_start == Some(self.mark) {
                self.tag.earlier_reference_start = self.tag.last_reference_start;
            }
            self.tag.last_reference_start = Some(start);
            self.replacements.reported_codes.clear();
        }
        self.replacements.inserted_bytes += text.len() as u64;
        self.replacements.pending = Some(text);
    }

    /// Whether a replacement text is scheduled to be read next.
    #[inline]
    pub fn has_insertion(&self) -> bool {
        self.replacements.pending.is_some()
    }

    /// Collapses spaces in the current tag's values as declared, and adds the declared attributes that the tag lacks,
    /// if it is a start tag. Returns `false` if the limits do not allow these attributes.
    #[inline]
    pub fn complete_tag(&mut self, source: SourceText<'_>, here: usize) -> bool {
        if self.tag.is_end {
            return true;
        }
        match self.declarations.declared_bytes(&self.tag, source) {
            None => true,
            Some(bytes) => self.add_declared_attributes(source, here, bytes),
        }
    }

    /// Slow path of [`complete_tag`](Self::complete_tag), for a tag name that may have declared attributes.
    #[cold]
    fn add_declared_attributes(
        &mut self,
        source: SourceText<'_>,
        here: usize,
        bytes: usize,
    ) -> bool {
        let offset = self.base + here;
        let offset = self.original(Span::new(offset, offset)).end;
        self.declarations.collapse_values(&mut self.tag, source);
        let is_allowed = self.replacements.allows_bytes(bytes, offset);
        if is_allowed {
            self.replacements.inserted_bytes += bytes as u64;
            self.declarations.add_defaults(&mut self.tag, source, offset);
        } else {
            self.replacements.refuse(offset);
        }
        is_allowed
    }

    /// Copies the texts of all registers out of `text`, so that it can be dropped, and maps their ranges to the input.
    #[cold]
    pub(crate) fn settle(&mut self, text: &str) {
        let (source, origin) = (self.source(text), self.replacements.origin);
        self.tag.settle(source, origin);
        let texts = [&mut self.temporary_buffer, &mut self.comment];
        let doctype = &mut self.doctype;
        let doctype_texts =
            [&mut doctype.name, &mut doctype.public_identifier, &mut doctype.system_identifier];
        let instruction_texts =
            [&mut self.processing_instruction.target, &mut self.processing_instruction.data];
        for text in texts.into_iter().chain(doctype_texts).chain(instruction_texts) {
            text.settle(source, origin);
        }
        self.declarations.settle(source, origin);
        self.declared.settle(source, origin, M::TOKENS.len());
        self.last_start_tag.detach_from_chunk(source);
        self.mark = original(Span::new(self.mark, self.mark), origin).start;
        let start = self.replacements.reference_start;
        self.replacements.reference_start = original(Span::new(start, start), origin).start;
    }
}

/// Runs the machine over the input and over the replacement texts that rows insert.
#[inline]
pub(crate) fn drive<M: Machine, K: MachineSink + ?Sized>(
    registers: &mut Registers<M>,
    input: &str,
    from: usize,
    is_last: bool,
    sink: &mut K,
) -> Stop {
    let mut from = from;
    if K::ROWS {
        registers.reports_rows = sink.wants_rows();
    }
    let drops_bom = M::BYTE_ORDER_MARK_DROPPED || !registers.keeps_bom;
    if registers.base + from == 0 && drops_bom {
        if input.starts_with('\u{FEFF}') {
            from = '\u{FEFF}'.len_utf8();
            registers.skip_to(from);
        } else if input.is_empty() && !is_last {
            // The machine must not start before it is known whether the input begins with a byte order mark.
            return Stop { reason: Reason::Input, consumed: from };
        }
    }
    let stop = if M::INSERTS {
        drive_with_replacements(registers, input, from, is_last, sink)
    } else {
        M::run(registers, input, from, is_last, sink)
    };
    if K::ROWS && registers.reports_rows {
        sink.inspected(std::mem::take(&mut registers.lexer.inspected));
    }
    stop
}

fn drive_with_replacements<M: Machine, K: MachineSink + ?Sized>(
    registers: &mut Registers<M>,
    input: &str,
    mut from: usize,
    is_last: bool,
    sink: &mut K,
) -> Stop {
    let base = registers.base;
    loop {
        if let Some(text) = registers.replacements.pending.take() {
            registers.replacements.texts.push(Replacement { text, consumed: 0, scanned: (0, 0) });
        }
        let replacement = registers.replacements.texts.last().cloned();
        let (text, at, is_last) = match &replacement {
            Some(replacement) => (&*replacement.text, replacement.consumed, false),
            None => (input, from, is_last),
        };
        let scanned_before = registers.scanned;
        if let Some(replacement) = &replacement {
            (registers.base, registers.scanned) = (INSERTED, replacement.scanned);
        }
        let stop = M::run(registers, text, at, is_last, sink);
        let scanned_after = registers.scanned;
        if replacement.is_some() {
            registers.settle(text);
            registers.scanned = scanned_before;
        } else {
            from = stop.consumed;
            if stop.reason == Reason::Insert {
                if K::ERRORS {
                    registers.search_input(sink, input, from);
                }
                registers.settle(text);
            }
        }
        registers.base = base;
        match (stop.reason, registers.replacements.texts.last_mut()) {
            (Reason::Insert | Reason::Pause, Some(replacement)) => {
                (replacement.consumed, replacement.scanned) = (stop.consumed, scanned_after);
            }
            (Reason::Input, Some(_)) => drop(registers.replacements.texts.pop()),
            _ => {}
        }
        let continues =
            stop.reason == Reason::Insert || stop.reason == Reason::Input && replacement.is_some();
        if !continues {
            return Stop { reason: stop.reason, consumed: from };
        }
    }
}

// Reports of errors, rows and inspected bytes to sinks. The errors of rows, and those of characters that are errors
// wherever they occur, are reported in input order; the input is searched for such characters only if errors are
// wanted. Each report is a single call in generated code, because a machine's compile time grows with the square of
// its size; for sinks that do not want rows, the call compiles to nothing.

/// The search table, as an associated constant, of the bytes with which no character of
/// [`INPUT_ERRORS`](Machine::INPUT_ERRORS) begins.
struct InputErrorSearch<M>(M);

impl<M: Machine> InputErrorSearch<M> {
    const HARMLESS: SearchableTable = SearchableTable::new(M::HARMLESS);
}

impl<M: Machine> Registers<M> {
    /// Reports an error at the range `from..to` of the chunk, if errors are wanted; errors of earlier characters are
    /// reported first.
    #[inline(always)]
    pub fn error<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        code: M::Error,
        from: usize,
        to: usize,
    ) {
        if K::ERRORS && sink.wants_errors() {
            self.report(sink, input, code, from, to);
        }
    }

    /// Slow path of [`error`](Self::error), out of line so that the hot loop of a machine stays small.
    #[cold]
    #[inline(never)]
    fn report<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        code: M::Error,
        from: usize,
        to: usize,
    ) {
        self.report_as(sink, input, ParseError::of(code, Span::default()), (from, to));
    }

    /// Reports an error at the range `from..to` of the chunk in place of its own range.
    #[inline]
    pub(crate) fn report_as<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        mut error: ParseError,
        (from, to): (usize, usize),
    ) {
        let span = Span::new(self.base + from, self.base + to);
        // In a replacement text there is nothing to search, because the input up to the reference was searched before
        // the text was entered.
        if !self.is_replacing() {
            self.search_input(sink, input, to);
        } else if !self.replacements.record_error(error.code) {
            return;
        }
        error.span = self.original(span);
        sink.error(error);
    }

    /// Reports the characters before offset `to` of the chunk that are errors wherever they occur, unless already
    /// reported.
    pub(crate) fn search_input<K: MachineSink + ?Sized>(
        &mut self,
        sink: &mut K,
        input: &str,
        to: usize,
    ) {
        let mut offset = self.searched.saturating_sub(self.base);
        if M::INPUT_ERRORS.is_empty() || offset >= to {
            return;
        }
        self.searched = self.base + to;
        let bytes = &input.as_bytes()[..to];
        loop {
            offset = InputErrorSearch::<M>::HARMLESS.next_not_in(bytes, offset);
            let Some(character) = input.get(offset..to).and_then(|rest| rest.chars().next()) else {
                return;
            };
            let index = M::INPUT_ERRORS.partition_point(|&(_, last, _)| last < character);
            let end = offset + character.len_utf8();
            if let Some(&(first, _, code)) = M::INPUT_ERRORS.get(index)
                && first <= character
            {
                sink.error(ParseError::of(code, Span::new(self.base + offset, self.base + end)));
            }
            offset = end;
        }
    }

    /// Reports a row that consumes `length` bytes at offset `from`, and returns the offset after those bytes.
    #[inline(always)]
    pub fn row<K: MachineSink + ?Sized>(
        &self,
        sink: &mut K,
        row: u16,
        from: usize,
        length: usize,
    ) -> usize {
        if K::ROWS && self.reports_rows {
            sink.row(row);
        }
        from + length
    }

    /// Reports a row that consumes the run of characters `from..to` of the chunk, and the length of the run.
    #[inline(always)]
    pub fn run<K: MachineSink + ?Sized>(&self, sink: &mut K, row: u16, from: usize, to: usize) {
        if K::ROWS && self.reports_rows {
            sink.row(row);
            sink.inspected(to - from);
        }
    }

    /// Reports that `from..to` of the chunk was inspected; 0 bytes if `to` is less than `from`.
    #[inline(always)]
    pub fn inspected<K: MachineSink + ?Sized>(&self, sink: &mut K, from: usize, to: usize) {
        if K::ROWS && self.reports_rows {
            sink.inspected(to.saturating_sub(from));
        }
    }

    /// Returns the input up to the next of the `needles` at or after `from`, or up to the end of the search window;
    /// reports the bytes searched.
    #[inline(always)]
    pub fn window_of<'i, K: MachineSink + ?Sized, const N: usize>(
        &self,
        sink: &mut K,
        input: &'i str,
        from: usize,
        needles: [u8; N],
    ) -> &'i [u8] {
        let end = scan::window_of(needles, input, from);
        self.inspected(sink, from, end);
        &input.as_bytes()[..end]
    }
}
