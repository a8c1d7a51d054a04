//! Runs of the compiled machines through each API of the runtime.

use crate::recording::Recording;
use crate::setup::{HostChoice, Setup};
use tabulex::{AnyTokenizer, Control, Dialect, Entry, MachineSink, OwnedTag, Progress, Sink};
use tabulex_oracle::interpreter::{Attribute, DeclaredField, Doctype, Span, Tag, Token};

/// Returns the dialect with this id.
///
/// # Panics
/// If the runtime has none.
pub fn dialect(id: &str) -> &'static Dialect {
    let found = tabulex::dialects().iter().copied().find(|dialect| dialect.id() == id);
    found.unwrap_or_else(|| panic!("the runtime has no dialect `{id}`"))
}

/// Runs the machine on a whole input with a sink.
pub fn tokenize(dialect: &Dialect, setup: &Setup, input: &str) -> Recording {
    let mut recorder = SinkRecorder::new(dialect, setup, Pauses::Never);
    let progress = tokenizer(dialect, setup).finish_with(input, &mut recorder);
    assert_ne!(progress, Progress::Paused, "{input:?}");
    recorder.recording.finished()
}

/// Runs the machine on a whole input as an iterator.
pub fn iterate(dialect: &Dialect, setup: &Setup, input: &str) -> Recording {
    let mut tokens =
        if setup.follows_modes { dialect.tokens(input) } else { dialect.raw_tokens(input) };
    if setup.switches {
        tokens.stop_after_each();
    }
    for entry in first_entries(dialect, setup) {
        tokens.enter(entry);
    }
    if let Some(name) = &setup.last_start_tag {
        tokens.set_last_start_tag(name);
    }
    let mut recording = Recording::default();
    while let Some(token) = tokens.next() {
        if let tabulex::Token::StartTag(tag) = &token
            && let Some(entry) = requested_entry_after(dialect, setup, &tag.name)
        {
            tokens.enter(entry);
        }
        recording.token(convert_token(token));
    }
    for error in tokens.take_errors() {
        recording.error(error.code, convert_span(error.span));
    }
    if tokens.is_at_end() {
        recording.token(Token::EndOfFile { span: Span::at(input.len()) });
    }
    recording.finished()
}

/// Feeds chunks to the machine, with a sink that never pauses.
pub fn feed(dialect: &Dialect, setup: &Setup, chunks: &[&str]) -> Recording {
    drive(dialect, setup, chunks, Pauses::Never)
}

/// Feeds chunks to the machine, with a sink that pauses at each token; the host switches states during the pauses.
pub fn feed_pausing(dialect: &Dialect, setup: &Setup, chunks: &[&str]) -> Recording {
    drive(dialect, setup, chunks, Pauses::AtEveryToken)
}

fn drive(dialect: &Dialect, setup: &Setup, chunks: &[&str], pauses: Pauses) -> Recording {
    let mut recorder = SinkRecorder::new(dialect, setup, pauses);
    let mut tokenizer = tokenizer(dialect, setup);
    for chunk in chunks {
        let progress = tokenizer.feed(chunk, &mut recorder);
        recorder.resume(&mut *tokenizer, progress);
    }
    let progress = tokenizer.finish(&mut recorder);
    recorder.resume(&mut *tokenizer, progress);
    recorder.recording.finished()
}

/// Runs the machine on a whole input and reports the index of each row taken.
pub fn rows(dialect: &Dialect, setup: &Setup, input: &str, on_row: &mut dyn FnMut(usize)) {
    let mut sink = RowSink { recorder: SinkRecorder::new(dialect, setup, Pauses::Never), on_row };
    let progress = tokenizer(dialect, setup).finish_with(input, &mut sink);
    assert_ne!(progress, Progress::Paused, "{input:?}");
}

/// Feeds the input one character at a time, and lists the state, the offset and the sink's calls after each.
pub fn steps(dialect: &Dialect, setup: &Setup, input: &str) -> String {
    let mut recorder = SinkRecorder::new(dialect, setup, Pauses::AtEveryToken);
    let mut tokenizer = tokenizer(dialect, setup);
    let mut text = String::new();
    let mut note = |label: &str, tokenizer: &dyn AnyTokenizer, recorder: &mut SinkRecorder<'_>| {
        let recording = std::mem::take(&mut recorder.recording);
        let (state, offset) = (tokenizer.state_name(), tokenizer.offset());
        text += &format!("{label:<10} {offset:>3} {state}\n");
        for line in crate::recording::lines(&recording) {
            text += &format!("               {line}\n");
        }
    };
    for (start, character) in input.char_indices() {
        let chunk = &input[start..start + character.len_utf8()];
        let mut progress = tokenizer.feed(chunk, &mut recorder);
        note(&format!("{chunk:?}"), &*tokenizer, &mut recorder);
        while progress == Progress::Paused {
            recorder.switch(&mut *tokenizer);
            progress = tokenizer.resume(&mut recorder);
            note("  resume", &*tokenizer, &mut recorder);
        }
    }
    let mut progress = tokenizer.finish(&mut recorder);
    note("finish", &*tokenizer, &mut recorder);
    while progress == Progress::Paused {
        recorder.switch(&mut *tokenizer);
        progress = tokenizer.finish(&mut recorder);
        note("  finish", &*tokenizer, &mut recorder);
    }
    text
}

fn tokenizer(dialect: &Dialect, setup: &Setup) -> Box<dyn AnyTokenizer> {
    let mut tokenizer = dialect.tokenizer();
    for entry in first_entries(dialect, setup) {
        tokenizer.enter(entry);
    }
    if let Some(name) = &setup.last_start_tag {
        tokenizer.set_last_start_tag(name);
    }
    if !setup.follows_modes {
        tokenizer.keep_byte_order_mark();
    }
    tokenizer
}

/// Returns the entry named by the setup, if any.
fn first_entry(dialect: &Dialect, setup: &Setup) -> Option<Entry> {
    let name = setup.state.as_deref()?;
    let entry = dialect.entry(name);
    Some(entry.unwrap_or_else(|| {
        panic!("the dialect `{}` has no state and no flag value named `{name}`", dialect.id())
    }))
}

/// Returns the initial values of all flags, and the initial state if the setup names one.
fn first_entries(dialect: &Dialect, setup: &Setup) -> Vec<Entry> {
    let names = dialect.flag_names();
    let flags = names.iter().zip(0..).map(|(name, flag)| Entry::Flag(flag, setup.flag(name)));
    flags.chain(first_entry(dialect, setup)).collect()
}

/// Returns the entry after a start tag called `tag_name`: the host's choice, or else that of the modes.
fn entry_after(dialect: &Dialect, setup: &Setup, tag_name: &str) -> Option<Entry> {
    let by_modes = || dialect.entry_after(tag_name, &[]).filter(|_| setup.follows_modes);
    requested_entry_after(dialect, setup, tag_name).or_else(by_modes)
}

/// Returns the host's choice of entry after a start tag called `tag_name`, if any.
fn requested_entry_after(dialect: &Dialect, setup: &Setup, tag_name: &str) -> Option<Entry> {
    setup.choices_after(tag_name).iter().find_map(|&choice| {
        match (choice, dialect.entry(choice.name())) {
            (HostChoice::State(_), Some(entry @ Entry::State(_)))
            | (HostChoice::Value(_), Some(entry @ Entry::Flag(..))) => Some(entry),
            _ => None,
        }
    })
}

/// A sink that ignores all tokens.
#[derive(Debug)]
pub struct IgnoringSink;

impl MachineSink for IgnoringSink {}

impl Sink for IgnoringSink {}

/// The tokens at which a sink pauses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pauses {
    Never,
    AtEveryToken,
}

/// A sink that records tokens and errors.
struct SinkRecorder<'a> {
    dialect: &'a Dialect,
    setup: &'a Setup,
    pauses: Pauses,
    recording: Recording,
    /// The entry to switch to after a pause.
    requested_entry: Option<Entry>,
}

impl<'a> SinkRecorder<'a> {
    fn new(dialect: &'a Dialect, setup: &'a Setup, pauses: Pauses) -> Self {
        Self { dialect, setup, pauses, recording: Recording::default(), requested_entry: None }
    }

    fn record(&mut self, token: Token) -> Control {
        let requested_entry = match &token {
            Token::StartTag(tag) => entry_after(self.dialect, self.setup, &tag.name),
            _ => None,
        };
        self.recording.token(token);
        match (self.pauses, requested_entry) {
            (Pauses::AtEveryToken, _) => {
                self.requested_entry = requested_entry.or(self.requested_entry);
                Control::Pause
            }
            (Pauses::Never, Some(entry)) => Control::Enter(entry),
            (Pauses::Never, None) => Control::Continue,
        }
    }

    /// Switches the paused machine to the requested entry, if there is one.
    fn switch(&mut self, tokenizer: &mut dyn AnyTokenizer) {
        if let Some(entry) = self.requested_entry.take() {
            tokenizer.enter(entry);
        }
    }

    fn resume(&mut self, tokenizer: &mut dyn AnyTokenizer, mut progress: Progress) {
        while progress == Progress::Paused {
            self.switch(tokenizer);
            progress = tokenizer.resume(self);
        }
    }
}

impl Sink for SinkRecorder<'_> {
    fn text(&mut self, text: tabulex::Text<'_>) -> Control {
        self.record(Token::Text { text: text.text.to_owned(), span: convert_span(text.span) })
    }

    fn start_tag(&mut self, tag: tabulex::Tag<'_>) -> Control {
        self.record(Token::StartTag(convert_tag(&tag)))
    }

    fn end_tag(&mut self, tag: tabulex::Tag<'_>) -> Control {
        self.record(Token::EndTag(convert_tag(&tag)))
    }

    fn comment(&mut self, comment: tabulex::Comment<'_>) -> Control {
        self.record(Token::Comment {
            data: comment.data.to_owned(),
            span: convert_span(comment.span),
        })
    }

    fn doctype(&mut self, doctype: tabulex::Doctype<'_>) -> Control {
        self.record(Token::Doctype(Doctype {
            name: doctype.name().map(str::to_owned),
            public_identifier: doctype.public_identifier().map(str::to_owned),
            system_identifier: doctype.system_identifier().map(str::to_owned),
            force_quirks: doctype.force_quirks(),
            span: convert_span(doctype.span()),
        }))
    }

    fn short_end_tag(&mut self, tag: tabulex::ShortEndTag) -> Control {
        self.record(Token::ShortEndTag { span: convert_span(tag.span) })
    }

    fn processing_instruction(
        &mut self,
        instruction: tabulex::ProcessingInstruction<&str>,
    ) -> Control {
        let (target, data) = (instruction.target.to_owned(), instruction.data.to_owned());
        let span = convert_span(instruction.span);
        self.record(Token::ProcessingInstruction { target, data, span })
    }

    fn declared_token(&mut self, token: tabulex::DeclaredToken<'_>) -> Control {
        let (name, span) = (token.name().to_owned(), convert_span(token.span()));
        let (fields, is_inside) = (token.fields().map(convert_field).collect(), token.is_inside());
        self.record(Token::Declared { name, fields, span, is_inside })
    }

    fn end_of_file(&mut self, offset: usize) {
        self.recording.token(Token::EndOfFile { span: Span::at(offset) });
    }

    fn error(&mut self, error: tabulex::ParseError) {
        self.recording.error(error.code, convert_span(error.span));
    }

    fn flag(&mut self, flag: &'static str) -> u8 {
        self.setup.flag(flag)
    }
}

/// A sink that reports the index of each row that the machine takes.
struct RowSink<'a, 'b> {
    recorder: SinkRecorder<'a>,
    on_row: &'b mut dyn FnMut(usize),
}

impl Sink for RowSink<'_, '_> {
    fn start_tag(&mut self, tag: tabulex::Tag<'_>) -> Control {
        self.recorder.start_tag(tag)
    }

    fn flag(&mut self, flag: &'static str) -> u8 {
        self.recorder.flag(flag)
    }

    fn wants_rows(&self) -> bool {
        true
    }

    fn row(&mut self, row: u16) {
        (self.on_row)(usize::from(row));
    }
}

fn convert_span(span: tabulex::Span) -> Span {
    Span { start: span.start, end: span.end }
}

fn convert_attribute(attribute: tabulex::Attribute<impl Into<String>>) -> Attribute {
    Attribute {
        name: attribute.name.into(),
        value: attribute.value.into(),
        name_span: convert_span(attribute.name_span),
        value_span: convert_span(attribute.value_span),
    }
}

fn convert_field(field: tabulex::DeclaredField<impl Into<String>>) -> DeclaredField {
    DeclaredField {
        name: field.name.to_owned(),
        text: field.text.into(),
        span: convert_span(field.span),
        is_missing: field.is_missing,
    }
}

fn convert_tag(tag: &tabulex::Tag<'_>) -> Tag {
    Tag {
        name: tag.name().to_owned(),
        name_span: convert_span(tag.name_span()),
        attributes: tag.attributes().map(convert_attribute).collect(),
        self_closing: tag.self_closing(),
        span: convert_span(tag.span()),
    }
}

fn convert_token(token: tabulex::Token<'_>) -> Token {
    match token {
        tabulex::Token::Text(text, span) => {
            Token::Text { text: text.into_owned(), span: convert_span(span) }
        }
        tabulex::Token::StartTag(tag) => Token::StartTag(convert_owned_tag(tag)),
        tabulex::Token::EndTag(tag) => Token::EndTag(convert_owned_tag(tag)),
        tabulex::Token::Comment(data, span) => {
            Token::Comment { data: data.into_owned(), span: convert_span(span) }
        }
        tabulex::Token::Doctype(doctype) => Token::Doctype(Doctype {
            name: doctype.name.map(Into::into),
            public_identifier: doctype.public_identifier.map(Into::into),
            system_identifier: doctype.system_identifier.map(Into::into),
            force_quirks: doctype.force_quirks,
            span: convert_span(doctype.span),
        }),
        tabulex::Token::ShortEndTag(span) => Token::ShortEndTag { span: convert_span(span) },
        tabulex::Token::ProcessingInstruction(instruction) => Token::ProcessingInstruction {
            target: instruction.target.into_owned(),
            data: instruction.data.into_owned(),
            span: convert_span(instruction.span),
        },
        tabulex::Token::Declared(token) => Token::Declared {
            name: token.name.to_owned(),
            fields: token.fields.into_iter().map(convert_field).collect(),
            span: convert_span(token.span),
            is_inside: token.is_inside,
        },
        other => panic!("unknown kind of token: {other:?}"),
    }
}

fn convert_owned_tag(tag: OwnedTag<'_>) -> Tag {
    Tag {
        name: tag.name.into_owned(),
        name_span: convert_span(tag.name_span),
        attributes: tag.attributes.into_iter().map(convert_attribute).collect(),
        self_closing: tag.self_closing,
        span: convert_span(tag.span),
    }
}
