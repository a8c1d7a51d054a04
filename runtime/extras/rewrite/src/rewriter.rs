//! The rewriter: decodes and tokenizes chunks of a page, and writes them with the changes of the handlers.

use crate::error::RewriteError;
use crate::input::InputDecoder;
use crate::open::OpenElements;
use crate::pass::Pass;
use crate::rules::Rules;
use crate::state::State;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use tabulex_core::__private::count_bytes;
use tabulex_core::encoding::{Choice, Encoding, PRESCAN_LENGTH};
use tabulex_core::{
    Comment, Construction, Control, Event, Limits, Named, Progress, Sink, Tag, Tokenizer,
};
use tabulex_edit::seam;

/// A rewriter for a page of the dialect `D` that arrives in chunks; it writes to `W` as early as possible.
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
    /// The handlers of DOCTYPEs and of the end of the page, and the encoding hints.
    rules: Rules<'h>,
    writer: W,
    input: Option<InputDecoder>,
    /// Bytes not decoded yet: the first bytes of the page until the encoding is chosen, then an incomplete character
    /// that decides whether the page is UTF-8.
    undecided: Vec<u8>,
    /// The encoding to use if the first non-ASCII character is not valid UTF-8; `None` once the encoding is known.
    fallback: Option<Encoding>,
    /// Decoded text not written yet.
    carry: String,
    /// Offset of `carry` in the decoded input.
    base: usize,
    /// Whether the tokenizer ignores the rest of the input, which is then copied unchanged.
    has_ended: bool,
}

impl<'h, D: Construction, W: io::Write> Rewriter<'h, D, W> {
    /// Creates a rewriter that applies `rules` and writes to `writer`.
    ///
    /// # Errors
    ///
    /// If a selector depends on input after the start tag of an element, such as `:last-child`.
    pub fn new(mut rules: Rules<'h>, writer: W) -> Result<Self, RewriteError> {
        let limits = Limits::new().token(rules.memory);
        Ok(Self {
            tokenizer: Tokenizer::new().with_limits(limits),
            state: State::new::<D>(&mut rules)?,
            rules,
            writer,
            input: None,
            undecided: Vec::new(),
            fallback: None,
            carry: String::new(),
            base: 0,
            has_ended: false,
        })
    }

    /// Rewrites the next chunk of bytes.
    ///
    /// # Errors
    ///
    /// If a handler or the writer fails, the memory limit is exceeded, or the encoding is not supported (UTF-16,
    /// ISO-2022-JP). The rewriter cannot be used after an error.
    pub fn write(&mut self, chunk: &[u8]) -> Result<(), RewriteError> {
        self.feed(chunk, false)
    }

    /// Rewrites the next bytes. The first bytes are buffered until the encoding is chosen.
    fn feed(&mut self, chunk: &[u8], is_last: bool) -> Result<(), RewriteError> {
        let mut joined = std::mem::take(&mut self.undecided);
        let bytes = if joined.is_empty() {
            chunk
        } else {
            joined.extend_from_slice(chunk);
            &joined
        };
        if self.input.is_none() {
            let hints = &self.rules.hints;
            let is_hinted = hints.override_with.is_some() || hints.transport.is_some();
            // If a hint names the encoding, only a byte order mark is looked for, and the longest one has three bytes.
            let needed_len = if is_hinted { 3 } else { PRESCAN_LENGTH };
            if bytes.len() < needed_len && !is_last {
                self.undecided = bytes.to_owned();
                return Ok(());
            }
            let (choice, fallback) = Choice::sniff_first(bytes, D::CLUES, hints);
            self.fallback = fallback;
            self.set_encoding(choice.encoding)?;
        }
        self.rewrite_detecting(bytes, is_last)
    }

    /// Sets the encoding of the next bytes and of new text.
    fn set_encoding(&mut self, encoding: Encoding) -> Result<(), RewriteError> {
        let input = InputDecoder::new(encoding).ok_or(RewriteError::Encoding(encoding.name()))?;
        self.input = Some(input);
        self.state.output.set_encoding(encoding);
        Ok(())
    }

    /// Rewrites the next bytes. Without a declared encoding, the first non-ASCII character decides whether the page is
    /// UTF-8, because earlier output cannot be revised.
    fn rewrite_detecting(&mut self, chunk: &[u8], is_last: bool) -> Result<(), RewriteError> {
        let Some(fallback) = self.fallback else { return self.decode_and_rewrite(chunk, is_last) };
        let Some(offset) = chunk.iter().position(|byte| !byte.is_ascii()) else {
            return self.decode_and_rewrite(chunk, is_last);
        };
        let (ascii, non_ascii) = chunk.split_at(offset);
        if offset > 0 {
            self.decode_and_rewrite(ascii, false)?;
        }
        let first = std::str::from_utf8(&non_ascii[..non_ascii.len().min(4)]);
        let error = first.err().filter(|error| error.valid_up_to() == 0);
        if error.is_some_and(|error| error.error_len().is_none()) && !is_last {
            self.undecided = non_ascii.to_owned();
            return Ok(());
        }
        self.fallback = None;
        if error.is_some() {
            self.set_encoding(fallback)?;
        }
        self.decode_and_rewrite(non_ascii, is_last)
    }

    fn decode_and_rewrite(&mut self, chunk: &[u8], is_last: bool) -> Result<(), RewriteError> {
        let Some(input) = &mut self.input else { return Ok(()) };
        let offset = self.base + self.carry.len();
        let text = input.decode(chunk, is_last, offset, &mut self.state.output);
        self.rewrite_text(&text, is_last)
    }

    /// Rewrites the next piece of decoded text.
    fn rewrite_text(&mut self, chunk: &str, is_last: bool) -> Result<(), RewriteError> {
        let mut carry = std::mem::take(&mut self.carry);
        let has_carry = !carry.is_empty();
        if has_carry {
            carry.push_str(chunk);
        }
        let source = if has_carry { &*carry } else { chunk };
        if !self.has_ended {
            let mut pass = Pass::<D> {
                state: &mut self.state,
                source,
                base: self.base,
                page_handlers: &mut self.rules,
                writer: &mut self.writer,
                dialect: PhantomData,
            };
            let mut progress = self.tokenizer.feed(chunk, &mut pass);
            if is_last && pass.state.failed.is_none() {
                pass.state.text_end = text_end(&self.tokenizer, &pass.state.open);
                progress = self.tokenizer.finish(&mut pass);
            }
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
        state.partial.take_if(|partial| partial.start < state.token_end);
        let is_all_settled = self.has_ended || state.partial.is_some();
        let mut settled_end = match state.text_start {
            _ if is_all_settled => end,
            // An end tag may have to be written here, before a comment that follows.
            _ if state.is_outside && state.hidden_element.is_none() => state.copied_to,
            text_start => text_start.unwrap_or(state.token_end),
        };
        if settled_end > state.copied_to && state.hidden_element.is_none() {
            let range = state.copied_to - self.base..settled_end - self.base;
            let part = source.get(range).unwrap_or_default();
            let tail_len = if self.has_ended { 0 } else { state.undecided_tail_len(part) };
            settled_end -= tail_len;
            state.copy_source(&part[..part.len() - tail_len], &mut self.writer);
        }
        if self.has_ended {
            state.flush_tail("");
        }
        state.copied_to = state.copied_to.max(settled_end);
        state.output.flush_to(&mut self.writer)?;
        // Unwritten text is carried over to the next chunk. If a chunk only extends an incomplete token that was
        // carried over, `written` is 0 and nothing is moved.
        let written = state.copied_to - self.base;
        if has_carry {
            carry.drain(..written);
            count_bytes(if written > 0 { &carry } else { "" });
        } else {
            carry.push_str(&chunk[written..]);
        }
        self.carry = carry;
        self.base = state.copied_to;
        state.check_memory(self.carry.len());
        state.failed.take().map_or(Ok(()), Err)
    }

    /// Returns the writer, so that output can be taken while the page is still being rewritten.
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
        self.feed(&[], true)?;
        self.end()?;
        Ok(self.writer)
    }

    /// Calls the handlers of the page's end that have not been called yet, and flushes the writer.
    fn end(&mut self) -> Result<(), RewriteError> {
        for handler in std::mem::take(&mut self.rules.end_handlers) {
            self.state.output.write_new(&handler());
        }
        self.state.output.flush_to(&mut self.writer)?;
        Ok(self.writer.flush()?)
    }
}

/// A sink that finds whether a start tag is recognized.
#[derive(Debug, Default)]
struct TagFinder {
    is_found: bool,
    /// Whether a token other than text and end tags precedes the tag.
    has_other: bool,
}

impl Sink for TagFinder {
    fn start_tag(&mut self, tag: Tag<'_>) -> Control {
        self.is_found |= tag.name() == seam::UNKNOWN_NAME && !self.has_other;
        self.has_other |= !self.is_found;
        Control::Continue
    }

    fn comment(&mut self, _comment: Comment<'_>) -> Control {
        self.has_other = true;
        Control::Continue
    }
}

/// Returns what ends the text in which a page ends, if tags are not recognized there: nothing, the end of a CDATA section,
/// or an end tag; `None` if nothing ends this text. If the page ends in a tag or comment, nothing is returned, too.
fn text_end<D: Construction>(tokenizer: &Tokenizer<D>, open: &OpenElements) -> Option<String> {
    if tokenizer.state().name() == D::START.name() || open.len() == 0 {
        return Some(String::new());
    }
    let mut is_in_text = true;
    let end_tag = format!("</{}>", open.last_name());
    let end = seam::end_of_text(&end_tag, |end| {
        let mut probe = Tokenizer::<D>::new();
        probe.set_state(tokenizer.state());
        probe.set_last_start_tag(open.last_name());
        let mut finder = TagFinder::default();
        let sink: &mut dyn Sink = &mut finder;
        let _ = probe.finish_with(&format!("{end}<{}>", seam::UNKNOWN_NAME), sink);
        is_in_text &= !finder.has_other;
        finder.is_found
    });
    end.or((!is_in_text).then_some("")).map(str::to_owned)
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

/// Rewrites a whole page given as text.
///
/// # Errors
///
/// As [`Rewriter::new`] and [`Rewriter::write`].
pub fn rewrite_str<D: Construction>(page: &str, rules: Rules<'_>) -> Result<String, RewriteError> {
    let mut rewriter = Rewriter::<D, _>::new(rules, output_buffer(page.len()))?;
    rewriter.rewrite_text(page, true)?;
    rewriter.end()?;
    // UTF-8 text with inserted UTF-8 text is valid UTF-8.
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
    let mut rewriter = Rewriter::<D, _>::new(rules, output_buffer(page.len()))?;
    rewriter.feed(page, true)?;
    rewriter.end()?;
    Ok(rewriter.writer)
}

/// Returns a buffer for the output of a page of `length` bytes, which insertions of up to an eighth do not reallocate.
fn output_buffer(length: usize) -> Vec<u8> {
    Vec::with_capacity(length + length / 8)
}
