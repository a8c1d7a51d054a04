//! The sink between a tokenizer and the printers of tokens: joins pieces of text, collects errors, and keeps the first
//! error of printing. Printers receive the same calls regardless of chunks.

use crate::request::HostFlags;
use std::io;
use tabulex::encoding::{Decoder, Encoding};
use tabulex::{
    AnyTokenizer, BoundedErrors, Comment, Control, DeclaredToken, Dialect, Doctype, Event, Limits,
    ParseError, ProcessingInstruction, ShortEndTag, Sink, Span, Tag, Text,
};

/// A printer of tokens in one format.
pub(crate) trait Printer {
    fn print(&mut self, token: Token<'_>) -> io::Result<()>;
}

/// A token to print.
pub(crate) enum Token<'a> {
    /// A text, complete up to the next token of another kind.
    Text(Text<'a>),
    StartTag(Tag<'a>),
    EndTag(Tag<'a>),
    Comment(Comment<'a>),
    Doctype(Doctype<'a>),
    /// The range of a short end tag, which has no name.
    ShortEndTag(Span),
    ProcessingInstruction(ProcessingInstruction<&'a str>),
    Declared(DeclaredToken<'a>),
}

/// A request to tokenize.
pub(crate) struct TokenRequest {
    pub(crate) tokenizer: Box<dyn AnyTokenizer>,
    pub(crate) flags: HostFlags,
    /// The dialect whose modes switch the tokenizer after start tags, if any.
    pub(crate) mode_dialect: Option<&'static Dialect>,
    /// Whether to collect errors.
    pub(crate) errors: bool,
    pub(crate) limits: Limits,
}

/// A sink that passes tokens to a printer.
struct Recorder<'a> {
    printer: &'a mut dyn Printer,
    text: String,
    text_span: Span,
    /// The errors so far, if they are collected.
    errors: Option<BoundedErrors>,
    flags: HostFlags,
    result: io::Result<()>,
    /// The dialect whose modes switch the tokenizer after start tags, if any.
    mode_dialect: Option<&'static Dialect>,
}

impl TokenRequest {
    /// Passes the tokens of the input to a printer, and returns the errors, sorted, and the events of limits. If the
    /// input is fed in chunks of `chunk_size` bytes, the result is equal.
    pub(crate) fn print(
        mut self,
        input: &str,
        chunk_size: Option<usize>,
        printer: &mut dyn Printer,
    ) -> io::Result<(Vec<ParseError>, Vec<Event>)> {
        let mut recorder = Recorder {
            printer,
            text: String::new(),
            text_span: Span::default(),
            errors: self.errors.then(|| BoundedErrors::new(&self.limits)),
            flags: self.flags,
            result: Ok(()),
            mode_dialect: self.mode_dialect,
        };
        feed(input, chunk_size, |piece| {
            // A recorder never pauses the tokenizer, so the returned progress is not needed.
            let _ = self.tokenizer.feed(piece, &mut recorder);
        });
        let _ = self.tokenizer.finish(&mut recorder);
        recorder.result?;
        let (errors, limit_event) = recorder.errors.map(BoundedErrors::finish).unwrap_or_default();
        let mut events = self.tokenizer.events();
        events.extend(limit_event);
        Ok((errors, events))
    }
}

/// Passes the input to `consume`, whole or in chunks of `chunk_size` bytes.
pub(crate) fn feed(input: &str, chunk_size: Option<usize>, mut consume: impl FnMut(&str)) {
    let Some(chunk_size) = chunk_size else { return consume(input) };
    // The text is already decoded, so a byte order mark in it is a character.
    let mut decoder = Decoder::new(Encoding::UTF_8);
    input.as_bytes().chunks(chunk_size).for_each(|chunk| decoder.decode(chunk, &mut consume));
}

impl Recorder<'_> {
    /// Prints the joined text, then the token after it, if any.
    fn print(&mut self, token: Option<Token<'_>>) {
        let text = Text::new(&self.text, self.text_span);
        let text = (!text.text.is_empty()).then_some(Token::Text(text));
        for token in text.into_iter().chain(token) {
            if self.result.is_ok() {
                self.result = self.printer.print(token);
            }
        }
        self.text.clear();
    }
}

impl Sink for Recorder<'_> {
    fn text(&mut self, text: Text<'_>) -> Control {
        if self.text.is_empty() {
            self.text_span = text.span;
        }
        self.text.push_str(text.text);
        self.text_span.end = text.span.end;
        Control::Continue
    }

    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        let entry = self.mode_dialect.and_then(|dialect| dialect.entry_after(tag.name(), &[]));
        self.print(Some(Token::StartTag(tag)));
        entry.map_or(Control::Continue, Control::Enter)
    }

    fn end_tag(&mut self, tag: Tag<'_>) -> Control {
        self.print(Some(Token::EndTag(tag)));
        Control::Continue
    }

    fn comment(&mut self, comment: Comment<'_>) -> Control {
        self.print(Some(Token::Comment(comment)));
        Control::Continue
    }

    fn doctype(&mut self, doctype: Doctype<'_>) -> Control {
        self.print(Some(Token::Doctype(doctype)));
        Control::Continue
    }

    fn short_end_tag(&mut self, tag: ShortEndTag) -> Control {
        self.print(Some(Token::ShortEndTag(tag.span)));
        Control::Continue
    }

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<&str>) -> Control {
        self.print(Some(Token::ProcessingInstruction(instruction)));
        Control::Continue
    }

    fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
        self.print(Some(Token::Declared(token)));
        Control::Continue
    }

    fn end_of_file(&mut self, _offset: usize) {
        self.print(None);
    }

    fn flag(&mut self, flag: &'static str) -> u8 {
        self.flags.iter().find(|(name, _)| *name == flag).map_or(0, |(_, value)| *value)
    }

    fn error(&mut self, error: ParseError) {
        if let Some(errors) = &mut self.errors {
            errors.push(error);
        }
    }
}
