//! The sink between a tokenizer and the printers of tokens: joins pieces of text, collects errors, and keeps the first
//! error of printing. Printers receive the same calls regardless of chunks.

use crate::request::HostFlags;
use std::io;
use tabulex::{
    BoundedErrors, Comment, Control, DeclaredToken, Dialect, Doctype, Event, Limits, ParseError,
    ProcessingInstruction, ShortEndTag, Sink, Span, Tag, Text,
};

/// A printer of tokens in one format.
pub(crate) trait Printer {
    /// Receives a piece of the input, before the tokens that end in it.
    fn read(&mut self, _piece: &str) {}
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
    ProcessingInstruction(ProcessingInstruction<'a>),
    Declared(DeclaredToken<'a>),
}

/// A sink that passes tokens to a printer.
pub(crate) struct Recorder<'a> {
    printer: &'a mut dyn Printer,
    text: String,
    text_span: Span,
    /// The errors so far, if they are collected.
    errors: Option<BoundedErrors>,
    /// The given flags of the host, each with the index of its value.
    flags: HostFlags,
    result: io::Result<()>,
    /// The dialect whose modes switch the tokenizer after start tags, if any.
    mode_dialect: Option<&'static Dialect>,
}

impl<'a> Recorder<'a> {
    /// Creates a recorder. If `collects_errors`, it collects errors up to their limit.
    pub(crate) fn new(
        printer: &'a mut dyn Printer,
        collects_errors: bool,
        limits: &Limits,
    ) -> Self {
        let (text, text_span) = (String::new(), Span::default());
        let errors = collects_errors.then(|| BoundedErrors::new(limits));
        let (flags, result) = (HostFlags::new(), Ok(()));
        Self { printer, text, text_span, errors, flags, result, mode_dialect: None }
    }

    /// Sets the flags of the host.
    pub(crate) fn flags(mut self, flags: &HostFlags) -> Self {
        self.flags.clone_from(flags);
        self
    }

    /// Sets the dialect whose modes switch the tokenizer after start tags.
    pub(crate) fn with_modes(mut self, mode_dialect: Option<&'static Dialect>) -> Self {
        self.mode_dialect = mode_dialect;
        self
    }

    /// Passes a piece of the input to the printer, before the tokenizer consumes it.
    pub(crate) fn read(&mut self, piece: &str) {
        self.printer.read(piece);
    }

    /// Returns the error of printing, if one occurred since the last call.
    pub(crate) fn check(&mut self) -> io::Result<()> {
        std::mem::replace(&mut self.result, Ok(()))
    }

    /// Returns the errors, sorted, and the event for those beyond the limit.
    pub(crate) fn into_errors(self) -> (Vec<ParseError>, Option<Event>) {
        self.errors.map(BoundedErrors::finish).unwrap_or_default()
    }

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

    fn processing_instruction(&mut self, instruction: ProcessingInstruction<'_>) -> Control {
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
