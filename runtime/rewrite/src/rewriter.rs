//! Chunks in, rewritten chunks out.

use crate::error::RewriteError;
use crate::input::Input;
use crate::output::Output;
use crate::pass::Pass;
use crate::rules::Rules;
use crate::state::State;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use tabulex_core::__private::count_bytes;
use tabulex_core::encoding::{Choice, Encoding, PRESCAN_LENGTH};
use tabulex_core::{Construction, Event, Limits, Progress, Tokenizer};

/// Parts of the input of at least so many bytes are not gathered with others before they are written.
const LONG: usize = 4096;

/// Rewrites a page of the dialect `D` that arrives in chunks, and writes it to `W` as soon as it is known.
///
/// ```
/// use std::io::Write;
/// use tabulex::html::Html;
/// use tabulex::rewrite::{Rewriter, Rules};
///
/// let rules = Rules::new().element("img", |image| {
///     image.set_attribute("loading", "lazy")?;
///     Ok(())
/// })?;
/// let mut rewriter = Rewriter::<Html, _>::new(rules, Vec::new())?;
/// rewriter.write(b"<p>Caf\xC3")?;
/// rewriter.write(b"\xA9 <img sr")?;
/// rewriter.write(b"c=a.png>")?;
/// let page = rewriter.finish()?;
/// assert_eq!(page, "<p>Café <img src=a.png loading=\"lazy\">".as_bytes());
/// # Ok::<(), tabulex::rewrite::RewriteError>(())
/// ```
pub struct Rewriter<'h, D: Construction, W> {
    tokenizer: Tokenizer<D>,
    state: State<'h>,
    /// The handlers of DOCTYPEs and of the end.
    rules: Rules<'h>,
    writer: W,
    input: Option<Input>,
    /// The first bytes, until the encoding is known; after that the first of a character that may be the first beyond ASCII.
    first: Vec<u8>,
    /// The encoding in which it goes on if the first character beyond ASCII is no UTF-8.
    otherwise: Option<Encoding>,
    /// The text since the last token, and where it begins.
    carry: String,
    base: usize,
    /// Whether the dialect reads no more; the rest is passed on.
    has_ended: bool,
}

impl<'h, D: Construction, W: io::Write> Rewriter<'h, D, W> {
    /// A rewriter that has read nothing yet.
    ///
    /// # Errors
    ///
    /// If a selector asks for what comes after the beginning of an element.
    pub fn new(mut rules: Rules<'h>, writer: W) -> Result<Self, RewriteError> {
        let rest = Rules {
            rules: Vec::new(),
            doctypes: std::mem::take(&mut rules.doctypes),
            ends: std::mem::take(&mut rules.ends),
            hints: rules.hints.clone(),
            ..rules
        };
        let limits = Limits::new().token(rules.memory);
        Ok(Self {
            tokenizer: Tokenizer::new().with_limits(limits),
            state: State::new::<D>(rules, Output::new(Encoding::UTF_8))?,
            rules: rest,
            writer,
            input: None,
            first: Vec::new(),
            otherwise: None,
            carry: String::new(),
            base: 0,
            has_ended: false,
        })
    }

    /// Rewrites the next chunk of bytes.
    ///
    /// # Errors
    ///
    /// If a handler or the output fails, more would have to be held than is allowed, or the encoding is one in which
    /// nothing can be put into a page. The rewriter is of no use then.
    pub fn write(&mut self, chunk: &[u8]) -> Result<(), RewriteError> {
        if self.input.is_some() && self.first.is_empty() {
            return self.detect(chunk, false);
        }
        if self.input.is_some() {
            let mut joined = std::mem::take(&mut self.first);
            joined.extend_from_slice(chunk);
            return self.detect(&joined, false);
        }
        let hints = &self.rules.hints;
        let is_asked = hints.override_with.is_some() || hints.transport.is_some();
        // The longest byte order mark has three bytes.
        let needed = if is_asked { 3 } else { PRESCAN_LENGTH };
        if self.first.is_empty() && chunk.len() >= needed {
            return self.decide(chunk, false);
        }
        self.first.extend_from_slice(chunk);
        if self.first.len() < needed {
            return Ok(());
        }
        let first = std::mem::take(&mut self.first);
        self.decide(&first, false)
    }

    /// Determines the encoding and rewrites the first bytes.
    fn decide(&mut self, first: &[u8], is_last: bool) -> Result<(), RewriteError> {
        let (choice, otherwise) = Choice::sniff_first(first, D::CLUES, &self.rules.hints);
        let encoding = choice.encoding;
        self.otherwise = otherwise;
        let input = Input::new(encoding).ok_or(RewriteError::Encoding(encoding.name()))?;
        self.input = Some(input);
        self.state.output = Output::new(encoding);
        self.detect(first, is_last)
    }

    /// Rewrites the next bytes. Where the encoding is not declared, the first character beyond ASCII decides whether it is UTF-8:
    /// what was written before it cannot be taken back.
    fn detect(&mut self, chunk: &[u8], is_last: bool) -> Result<(), RewriteError> {
        let Some(otherwise) = self.otherwise else { return self.decoded(chunk, is_last) };
        let Some(at) = chunk.iter().position(|byte| !byte.is_ascii()) else {
            return self.decoded(chunk, is_last);
        };
        let (ascii, rest) = chunk.split_at(at);
        if at > 0 {
            self.decoded(ascii, false)?;
        }
        let first = std::str::from_utf8(&rest[..rest.len().min(4)]);
        let error = first.err().filter(|error| error.valid_up_to() == 0);
        if error.is_some_and(|error| error.error_len().is_none()) && !is_last {
            self.first = rest.to_owned();
            return Ok(());
        }
        self.otherwise = None;
        if error.is_some()
            && let Some(input) = &mut self.input
        {
            input.switch(otherwise).ok_or(RewriteError::Encoding(otherwise.name()))?;
            self.state.output.set_encoding(otherwise);
        }
        self.decoded(rest, is_last)
    }

    fn decoded(&mut self, chunk: &[u8], is_last: bool) -> Result<(), RewriteError> {
        let Some(input) = &mut self.input else { return Ok(()) };
        match input.borrowed(chunk) {
            Some(text) => self.text(text, is_last),
            None => {
                let text = input.decode(chunk, is_last, &mut self.state.output);
                self.text(&text, is_last)
            }
        }
    }

    /// Rewrites a text.
    fn text(&mut self, chunk: &str, is_last: bool) -> Result<(), RewriteError> {
        let mut carry = std::mem::take(&mut self.carry);
        let is_joined = !carry.is_empty();
        if is_joined {
            carry.push_str(chunk);
        }
        let source = if is_joined { &*carry } else { chunk };
        if !self.has_ended {
            let mut pass = Pass::<D> {
                state: &mut self.state,
                source,
                base: self.base,
                doctypes: &mut self.rules,
                writer: &mut self.writer,
                dialect: PhantomData,
            };
            let progress = match is_last {
                true => self.tokenizer.finish_with(chunk, &mut pass),
                false => self.tokenizer.feed(chunk, &mut pass),
            };
            let is_too_long = |event| matches!(event, Event::TokenTooLong { .. });
            if self.tokenizer.events().any(is_too_long) {
                self.state.fail(RewriteError::Memory { limit: self.state.memory });
            }
            self.has_ended = progress == Progress::Ended;
        }
        if let Some(error) = self.state.failed.take() {
            return Err(error);
        }
        let end = self.base + source.len();
        let state = &mut self.state;
        state.passed.take_if(|passed| passed.start < state.done);
        let is_known = self.has_ended || state.passed.is_some();
        let mut known = if is_known { end } else { state.text_start.unwrap_or(state.done) };
        let mut rest = "";
        if known > state.copied && state.hidden.is_none() {
            let part = |state: &State<'_>, known: usize| {
                source.get(state.copied - self.base..known - self.base).unwrap_or_default()
            };
            known -= if self.has_ended { 0 } else { state.held_back(part(state, known)) };
            while known > state.copied {
                let part = part(state, known);
                let skipped = state.begin_part(part, true);
                if skipped > 0 {
                    state.copied += skipped;
                    continue;
                }
                // A long part is written from where it lies.
                if part.len() >= LONG && state.output.is_as_read() && state.escapes.is_none() {
                    rest = part;
                } else {
                    state.source(part, state.copied);
                }
                state.copied = known;
            }
        }
        if self.has_ended {
            state.flush_tail("");
        }
        state.copied = state.copied.max(known);
        self.writer.write_all(&state.output.bytes)?;
        state.output.bytes.clear();
        self.writer.write_all(rest.as_bytes())?;
        // What was not written is kept; nothing is moved as long as one token goes on.
        let written = state.copied - self.base;
        if is_joined {
            carry.drain(..written);
            count_bytes(if written > 0 { &carry } else { "" });
        } else {
            carry.push_str(&chunk[written..]);
        }
        self.carry = carry;
        self.base = state.copied;
        state.check_memory(self.carry.len());
        state.failed.take().map_or(Ok(()), Err)
    }

    /// The writer, of which what was written so far can be taken while a page is rewritten.
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::rewrite::{Rewriter, Rules};
    ///
    /// let rules = Rules::new().encoding(tabulex::encoding::Hints::new().override_with(tabulex::encoding::Encoding::UTF_8));
    /// let mut rewriter = Rewriter::<Html, _>::new(rules, Vec::new())?;
    /// rewriter.write(b"<p>one<p>two<p")?;
    /// assert_eq!(std::mem::take(rewriter.writer_mut()), b"<p>one<p>two");
    /// assert_eq!(rewriter.finish()?, b"<p");
    /// # Ok::<(), tabulex::rewrite::RewriteError>(())
    /// ```
    pub fn writer_mut(&mut self) -> &mut W {
        &mut self.writer
    }

    /// Rewrites the rest of the page and returns the writer.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn finish(mut self) -> Result<W, RewriteError> {
        let first = std::mem::take(&mut self.first);
        self.finish_with(&first)?;
        Ok(self.writer)
    }

    /// Rewrites the last chunk.
    fn finish_with(&mut self, chunk: &[u8]) -> Result<(), RewriteError> {
        match self.input {
            Some(_) => self.detect(chunk, true)?,
            None => self.decide(chunk, true)?,
        }
        for handler in std::mem::take(&mut self.rules.ends) {
            self.state.output.new_text(&handler());
        }
        self.writer.write_all(&self.state.output.bytes)?;
        self.writer.flush()?;
        Ok(())
    }
}

impl<D: Construction, W: io::Write> io::Write for Rewriter<'_, D, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Rewriter::write(self, bytes).map_err(|error| match error {
            RewriteError::Output(error) => error,
            error => io::Error::other(error),
        })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl<D: Construction, W> fmt::Debug for Rewriter<'_, D, W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Rewriter").field("base", &self.base).finish_non_exhaustive()
    }
}

/// Rewrites a whole page.
///
/// # Errors
///
/// As [`Rewriter::new`] and [`Rewriter::write`].
pub fn rewrite_str<D: Construction>(page: &str, rules: Rules<'_>) -> Result<String, RewriteError> {
    let mut rewriter = Rewriter::<D, _>::new(rules, Vec::with_capacity(page.len()))?;
    rewriter.text(page, true)?;
    for handler in std::mem::take(&mut rewriter.rules.ends) {
        rewriter.state.output.new_text(&handler());
    }
    rewriter.writer.append(&mut rewriter.state.output.bytes);
    // Text and what is put between parts of it is text.
    String::from_utf8(rewriter.writer).map_err(|error| io::Error::other(error).into())
}

/// Rewrites the bytes of a whole page, in their own encoding.
///
/// ```
/// use tabulex::html::Html;
/// use tabulex::rewrite::{Content, Rules, rewrite_bytes};
///
/// let page = b"<meta charset=windows-1251><p title=\xFF>\xDF</p>";
/// let rules = Rules::new().element("p", |p| { p.append(Content::Text("ж ☃"))?; Ok(()) })?;
/// let expected = b"<meta charset=windows-1251><p title=\xFF>\xDF\xE6 &#9731;</p>";
/// assert_eq!(rewrite_bytes::<Html>(page, rules)?, expected);
/// # Ok::<(), tabulex::rewrite::RewriteError>(())
/// ```
///
/// # Errors
///
/// As [`Rewriter::new`] and [`Rewriter::write`].
pub fn rewrite_bytes<D: Construction>(
    page: &[u8],
    rules: Rules<'_>,
) -> Result<Vec<u8>, RewriteError> {
    let mut rewriter = Rewriter::<D, _>::new(rules, Vec::with_capacity(page.len()))?;
    rewriter.finish_with(page)?;
    Ok(rewriter.writer)
}
