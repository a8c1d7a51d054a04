//! Runs of the compiled machines, every way there is to run one. All are behind plain functions, so that the machines are
//! compiled once for all suites. Invariant: every way gives the same recording, or a test fails.

use crate::recording::Recording;
use crate::setup::{Setup, Wanted, Wish};
use tabulex::owned;
use tabulex::{Control, Machine, Named, Progress, Sink, Tokenizer, Tokens};
use tabulex_spec::interpreter::{Attribute, Doctype, Span, Tag, Token};

/// A dialect whose machine the runtime has.
#[derive(Debug)]
pub struct Dialect {
    /// Its id.
    pub name: &'static str,
    /// Runs the machine over a whole input, into a sink.
    pub tokenize: fn(&Setup, &str) -> Recording,
    /// Runs the machine over a whole input, as an iterator.
    pub iterate: fn(&Setup, &str) -> Recording,
    /// Feeds the machine with the chunks.
    pub feed: fn(&Setup, &[&str]) -> Recording,
    /// Feeds the machine with the chunks; the sink pauses at each token, and the host switches while it pauses.
    pub feed_pausing: fn(&Setup, &[&str]) -> Recording,
    /// Runs the machine over a whole input, and tells the number of each row that is taken.
    pub rows: fn(&Setup, &str, &mut dyn FnMut(usize)),
    /// For every character of the input, fed alone: state and offset behind it, and what the sink was given.
    pub steps: fn(&Setup, &str) -> String,
}

/// All dialects of the runtime.
pub static DIALECTS: &[Dialect] = &[
    Dialect::of::<tabulex::html::Html>(),
    Dialect::of::<tabulex::html_2013::Html2013>(),
    Dialect::of::<tabulex::html_2007::Html2007>(),
    Dialect::of::<tabulex::sky::Sky>(),
    Dialect::of::<tabulex::microxml::Microxml>(),
    Dialect::of::<tabulex::microxml_2012_12::Microxml201212>(),
    Dialect::of::<tabulex::xml_er::XmlEr>(),
];

/// The dialect of this id.
///
/// # Panics
/// If the runtime has none.
pub fn dialect(name: &str) -> &'static Dialect {
    let found = DIALECTS.iter().find(|dialect| dialect.name == name);
    found.unwrap_or_else(|| panic!("the runtime has no dialect {name}"))
}

impl Dialect {
    const fn of<M: Machine>() -> Self {
        Self {
            name: M::NAME,
            tokenize: tokenize::<M>,
            iterate: iterate::<M>,
            feed: feed::<M>,
            feed_pausing: feed_pausing::<M>,
            rows: rows::<M>,
            steps: steps::<M>,
        }
    }
}

fn tokenize<M: Machine>(setup: &Setup, input: &str) -> Recording {
    let mut recorder = Recorder::<M>::new(setup, Pauses::Never);
    let state = first_state::<M>(setup);
    tabulex::tokenize_from::<M, _>(input, state, setup.last_start_tag.as_deref(), &mut recorder);
    recorder.recording.finished()
}

fn iterate<M: Machine>(setup: &Setup, input: &str) -> Recording {
    let mut tokens = Tokens::<M>::new(input);
    tokens.set_state(first_state::<M>(setup));
    if let Some(name) = &setup.last_start_tag {
        tokens.set_last_start_tag(name);
    }
    for &flag in M::HostFlag::ALL {
        tokens.set_flag(flag, first_value::<M>(setup, flag));
    }
    let mut recording = Recording::default();
    while let Some(token) = tokens.next() {
        if let owned::Token::StartTag(tag) = &token {
            match wish_after::<M>(setup, &tag.name) {
                None => {}
                Some(Wish::State(state)) => tokens.set_state(state),
                Some(Wish::Flag(flag, value)) => tokens.set_flag(flag, value),
            }
        }
        recording.token(own_token(token));
    }
    for error in tokens.take_errors() {
        recording.error(error.code.name(), own_span(error.span));
    }
    if tokens.is_at_end() {
        recording.token(Token::EndOfFile { span: Span::at(input.len()) });
    }
    recording.finished()
}

fn feed<M: Machine>(setup: &Setup, chunks: &[&str]) -> Recording {
    drive(setup, chunks, Recorder::<M>::new(setup, Pauses::Never))
}

fn feed_pausing<M: Machine>(setup: &Setup, chunks: &[&str]) -> Recording {
    drive(setup, chunks, Recorder::<M>::new(setup, Pauses::AtEveryToken))
}

fn drive<M: Machine>(setup: &Setup, chunks: &[&str], mut recorder: Recorder<'_, M>) -> Recording {
    let mut tokenizer = tokenizer::<M>(setup);
    for chunk in chunks {
        let progress = tokenizer.feed(chunk, &mut recorder);
        recorder.resume(&mut tokenizer, progress);
    }
    let progress = tokenizer.finish(&mut recorder);
    recorder.resume(&mut tokenizer, progress);
    recorder.recording.finished()
}

fn rows<M: Machine>(setup: &Setup, input: &str, on_row: &mut dyn FnMut(usize)) {
    let mut sink = RowSink { recorder: Recorder::<M>::new(setup, Pauses::Never), on_row };
    let state = first_state::<M>(setup);
    tabulex::tokenize_from::<M, _>(input, state, setup.last_start_tag.as_deref(), &mut sink);
}

fn steps<M: Machine>(setup: &Setup, input: &str) -> String {
    let mut recorder = Recorder::<M>::new(setup, Pauses::AtEveryToken);
    let mut tokenizer = tokenizer::<M>(setup);
    let mut text = String::new();
    let mut note = |what: &str, tokenizer: &Tokenizer<M>, recorder: &mut Recorder<'_, M>| {
        let recording = std::mem::take(&mut recorder.recording);
        let (state, offset) = (tokenizer.state().name(), tokenizer.offset());
        text += &format!("{what:<10} {offset:>3} {state}\n");
        for line in crate::recording::lines(&recording) {
            text += &format!("               {line}\n");
        }
    };
    for (start, character) in input.char_indices() {
        let chunk = &input[start..start + character.len_utf8()];
        let mut progress = tokenizer.feed(chunk, &mut recorder);
        note(&format!("{chunk:?}"), &tokenizer, &mut recorder);
        while progress == Progress::Paused {
            recorder.switch(&mut tokenizer);
            progress = tokenizer.resume(&mut recorder);
            note("  resume", &tokenizer, &mut recorder);
        }
    }
    let mut progress = tokenizer.finish(&mut recorder);
    note("finish", &tokenizer, &mut recorder);
    while progress == Progress::Paused {
        recorder.switch(&mut tokenizer);
        progress = tokenizer.finish(&mut recorder);
        note("  finish", &tokenizer, &mut recorder);
    }
    text
}

fn tokenizer<M: Machine>(setup: &Setup) -> Tokenizer<M> {
    let mut tokenizer = Tokenizer::new();
    tokenizer.set_state(first_state::<M>(setup));
    for &flag in M::HostFlag::ALL {
        tokenizer.set_flag(flag, first_value::<M>(setup, flag));
    }
    if let Some(name) = &setup.last_start_tag {
        tokenizer.set_last_start_tag(name);
    }
    tokenizer
}

fn first_state<M: Machine>(setup: &Setup) -> M::State {
    match setup.state.as_deref().map(wish_named::<M>) {
        Some(Wish::State(state)) => state,
        Some(Wish::Flag(..)) | None => M::START,
    }
}

/// The first value of the flag.
fn first_value<M: Machine>(setup: &Setup, flag: M::HostFlag) -> u8 {
    match setup.state.as_deref().map(wish_named::<M>) {
        Some(Wish::Flag(other, value)) if other == flag => value,
        _ => setup.flag(flag.name()),
    }
}

/// What the host wants of the machine after a start tag of this name.
fn wish_after<M: Machine>(setup: &Setup, tag_name: &str) -> Option<WishOf<M>> {
    setup.wanted_after(tag_name).iter().find_map(|&wanted| match wanted {
        Wanted::State(name) => M::State::find(name).map(Wish::State),
        Wanted::Value(name) => find_value::<M>(name),
    })
}

/// What a host wants of a machine.
type WishOf<M> = Wish<<M as Machine>::State, <M as Machine>::HostFlag>;

fn find_wish<M: Machine>(name: &str) -> Option<WishOf<M>> {
    M::State::find(name).map(Wish::State).or_else(|| find_value::<M>(name))
}

fn find_value<M: Machine>(name: &str) -> Option<WishOf<M>> {
    tabulex::find_flag_value::<M>(name).map(|(flag, value)| Wish::Flag(flag, value))
}

fn wish_named<M: Machine>(name: &str) -> WishOf<M> {
    let found = find_wish::<M>(name);
    found.unwrap_or_else(|| panic!("no state and no value of a flag is named {name}"))
}

/// When the sink pauses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pauses {
    Never,
    AtEveryToken,
}

/// A sink that writes down what it is given.
struct Recorder<'a, M: Machine> {
    setup: &'a Setup,
    pauses: Pauses,
    recording: Recording,
    /// What to set before the machine goes on.
    wanted: Option<WishOf<M>>,
}

impl<'a, M: Machine> Recorder<'a, M> {
    fn new(setup: &'a Setup, pauses: Pauses) -> Self {
        Self { setup, pauses, recording: Recording::default(), wanted: None }
    }

    fn take(&mut self, token: Token) -> Control<M::State> {
        let wanted = match &token {
            Token::StartTag(tag) => wish_after::<M>(self.setup, &tag.name),
            _ => None,
        };
        self.recording.token(token);
        match (self.pauses, wanted) {
            (Pauses::AtEveryToken, _) => {
                self.wanted = wanted.or(self.wanted);
                Control::Pause
            }
            (Pauses::Never, Some(Wish::State(state))) => Control::Switch(state),
            (Pauses::Never, Some(Wish::Flag(flag, value))) => Control::SetFlag(flag, value),
            (Pauses::Never, None) => Control::Continue,
        }
    }

    /// Does what the token wants at which the machine has paused.
    fn switch(&mut self, tokenizer: &mut Tokenizer<M>) {
        match self.wanted.take() {
            None => {}
            Some(Wish::State(state)) => tokenizer.set_state(state),
            Some(Wish::Flag(flag, value)) => tokenizer.set_flag(flag, value),
        }
    }

    fn resume(&mut self, tokenizer: &mut Tokenizer<M>, mut progress: Progress) {
        while progress == Progress::Paused {
            self.switch(tokenizer);
            progress = tokenizer.resume(self);
        }
    }
}

impl<M: Machine> Sink<M> for Recorder<'_, M> {
    fn text(&mut self, text: tabulex::Text<'_>) -> Control<M::State> {
        self.take(Token::Text { text: text.text.to_owned(), span: own_span(text.span) })
    }

    fn start_tag(&mut self, tag: tabulex::Tag<'_>) -> Control<M::State> {
        self.take(Token::StartTag(own_tag(&tag)))
    }

    fn end_tag(&mut self, tag: tabulex::Tag<'_>) -> Control<M::State> {
        self.take(Token::EndTag(own_tag(&tag)))
    }

    fn comment(&mut self, comment: tabulex::Comment<'_>) -> Control<M::State> {
        self.take(Token::Comment { data: comment.data.to_owned(), span: own_span(comment.span) })
    }

    fn doctype(&mut self, doctype: tabulex::Doctype<'_>) -> Control<M::State> {
        self.take(Token::Doctype(Doctype {
            name: doctype.name().map(str::to_owned),
            public_identifier: doctype.public_identifier().map(str::to_owned),
            system_identifier: doctype.system_identifier().map(str::to_owned),
            force_quirks: doctype.force_quirks(),
            span: own_span(doctype.span()),
        }))
    }

    fn short_end_tag(&mut self, span: tabulex::Span) -> Control<M::State> {
        self.take(Token::ShortEndTag { span: own_span(span) })
    }

    fn processing_instruction(
        &mut self,
        instruction: tabulex::ProcessingInstruction<'_>,
    ) -> Control<M::State> {
        let (target, data) = (instruction.target.to_owned(), instruction.data.to_owned());
        let span = own_span(instruction.span);
        self.take(Token::ProcessingInstruction { target, data, span })
    }

    fn end_of_file(&mut self, offset: usize) {
        self.recording.token(Token::EndOfFile { span: Span::at(offset) });
    }

    fn error(&mut self, error: tabulex::Error<M::Error>) {
        self.recording.error(error.code.name(), own_span(error.span));
    }

    fn flag(&mut self, flag: M::HostFlag) -> u8 {
        first_value::<M>(self.setup, flag)
    }
}

/// A sink that wants to know the rows.
struct RowSink<'a, 'b, M: Machine> {
    recorder: Recorder<'a, M>,
    on_row: &'b mut dyn FnMut(usize),
}

impl<M: Machine> Sink<M> for RowSink<'_, '_, M> {
    const ERRORS: bool = false;
    const ROWS: bool = true;

    fn start_tag(&mut self, tag: tabulex::Tag<'_>) -> Control<M::State> {
        self.recorder.start_tag(tag)
    }

    fn flag(&mut self, flag: M::HostFlag) -> u8 {
        self.recorder.flag(flag)
    }

    fn row(&mut self, row: u16) {
        (self.on_row)(usize::from(row));
    }
}

fn own_span(span: tabulex::Span) -> Span {
    Span { start: span.start, end: span.end }
}

fn own_tag(tag: &tabulex::Tag<'_>) -> Tag {
    let attribute = |attribute: tabulex::Attribute<'_>| Attribute {
        name: attribute.name.to_owned(),
        value: attribute.value.to_owned(),
        name_span: own_span(attribute.name_span),
        value_span: own_span(attribute.value_span),
    };
    Tag {
        name: tag.name().to_owned(),
        name_span: own_span(tag.name_span()),
        attributes: tag.attributes().map(attribute).collect(),
        self_closing: tag.self_closing(),
        span: own_span(tag.span()),
    }
}

fn own_token(token: owned::Token<'_>) -> Token {
    match token {
        owned::Token::Text(text, span) => {
            Token::Text { text: text.into_owned(), span: own_span(span) }
        }
        owned::Token::StartTag(tag) => Token::StartTag(own_owned_tag(tag)),
        owned::Token::EndTag(tag) => Token::EndTag(own_owned_tag(tag)),
        owned::Token::Comment(data, span) => {
            Token::Comment { data: data.into_owned(), span: own_span(span) }
        }
        owned::Token::Doctype(doctype) => Token::Doctype(Doctype {
            name: doctype.name.map(Into::into),
            public_identifier: doctype.public_identifier.map(Into::into),
            system_identifier: doctype.system_identifier.map(Into::into),
            force_quirks: doctype.force_quirks,
            span: own_span(doctype.span),
        }),
        owned::Token::ShortEndTag(span) => Token::ShortEndTag { span: own_span(span) },
        owned::Token::ProcessingInstruction(instruction) => Token::ProcessingInstruction {
            target: instruction.target.into_owned(),
            data: instruction.data.into_owned(),
            span: own_span(instruction.span),
        },
        other => panic!("a new kind of token: {other:?}"),
    }
}

fn own_owned_tag(tag: owned::Tag<'_>) -> Tag {
    let attribute = |attribute: owned::Attribute<'_>| Attribute {
        name: attribute.name.into_owned(),
        value: attribute.value.into_owned(),
        name_span: own_span(attribute.name_span),
        value_span: own_span(attribute.value_span),
    };
    Tag {
        name: tag.name.into_owned(),
        name_span: own_span(tag.name_span),
        attributes: tag.attributes.into_iter().map(attribute).collect(),
        self_closing: tag.self_closing,
        span: own_span(tag.span),
    }
}
