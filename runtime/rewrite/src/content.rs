//! Content that is put into a page.

use crate::error::{Outcome, RewriteError};
use crate::markup::Parser;
use crate::output::Output;
use std::borrow::Cow;
use std::fmt;
use tabulex_core::__private::escape;
use tabulex_edit::seam;

/// Content that is put into a page: markup as it is, or text, which is escaped.
///
/// In elements whose text is written literally, such as `script` and `style`, nothing is escaped: there both are written as they
/// are, and content that would end the element is [`RewriteError::BadText`](crate::RewriteError::BadText).
///
/// ```
/// use tabulex::rewrite::Content;
///
/// let both = [Content::Markup("<br>"), Content::Text("1 < 2")];
/// assert_ne!(both[0], both[1]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content<'c> {
    /// Markup. No handler sees it.
    Markup(&'c str),
    /// Text: it shows as it is here.
    Text(&'c str),
}

impl<'c> Content<'c> {
    /// As it is written between tags.
    pub(crate) fn written(self) -> Cow<'c, str> {
        match self {
            Self::Markup(markup) => markup.into(),
            Self::Text(text) => escape(text, false),
        }
    }
}

/// Text that is put into an element of this name in which text is written literally.
///
/// # Errors
///
/// If the text would end the element or change how what follows in it is read, or has characters that the encoding does not
/// have. `is_followed` says whether text of the page may follow.
pub(crate) fn literal<'c>(
    content: Content<'c>,
    name: &str,
    is_followed: bool,
    context: ContentContext<'_>,
) -> Result<Cow<'c, str>, RewriteError> {
    let (Content::Markup(text) | Content::Text(text)) = content;
    if !context.output.has(text) {
        return Err(RewriteError::NotInEncoding(text.to_owned()));
    }
    let is_open = is_followed && seam::is_open_text(name, text);
    if is_open || !seam::is_contained(name, text, &|markup| context.parser.parse(markup)) {
        return Err(RewriteError::BadText(text.to_owned()));
    }
    Ok(text.into())
}

/// The context that content is written in: the parser of the dialect and the encoding of the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContentContext<'p> {
    pub(crate) parser: Parser,
    pub(crate) output: &'p Output,
}

/// Takes content that is written piece by piece, without being held as a whole; see
/// [`Element::stream`](crate::Element::stream).
pub struct ContentStream<'s> {
    /// Text that is not written yet, because a tag or a reference in it may still be incomplete.
    held: String,
    /// Whether nothing is escaped where it is written.
    is_literal: bool,
    write: &'s mut dyn FnMut(&str) -> Result<(), RewriteError>,
}

impl<'s> ContentStream<'s> {
    /// Number of bytes that are written at once.
    const LONG: usize = 4096;

    pub(crate) fn new(
        is_literal: bool,
        write: &'s mut dyn FnMut(&str) -> Result<(), RewriteError>,
    ) -> Self {
        Self { held: String::new(), is_literal, write }
    }

    /// Writes the next piece.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn write(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        match content {
            Content::Text(text) if self.is_literal => self.held += text,
            content => self.held += &content.written(),
        }
        if self.held.len() < Self::LONG { Ok(()) } else { self.flush() }
    }

    pub(crate) fn flush(&mut self) -> Result<(), RewriteError> {
        (self.write)(&self.held)?;
        self.held.clear();
        Ok(())
    }
}

impl fmt::Debug for ContentStream<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ContentStream").field("held", &self.held).finish_non_exhaustive()
    }
}

/// Writes content when its place in the page is reached.
pub(crate) type OnStream<'h> = Box<dyn FnOnce(&mut ContentStream<'_>) -> Outcome + Send + 'h>;

/// The content at one place: text, and streams at offsets of it.
#[derive(Default)]
pub(crate) struct Contents<'h> {
    pub(crate) text: String,
    pub(crate) streams: Vec<(usize, OnStream<'h>)>,
}

impl<'h> Contents<'h> {
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.streams.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.streams.clear();
    }

    /// Puts a text before what was put there before.
    pub(crate) fn put_first(&mut self, text: &str) {
        self.text.insert_str(0, text);
        self.streams.iter_mut().for_each(|(offset, _)| *offset += text.len());
    }

    /// Puts a stream before or after what was put there before.
    pub(crate) fn stream(&mut self, is_first: bool, stream: OnStream<'h>) {
        let (index, offset) = if is_first { (0, 0) } else { (self.streams.len(), self.text.len()) };
        self.streams.insert(index, (offset, stream));
    }

    /// Approximate heap memory in bytes; the size of what streams have captured is unknown.
    pub(crate) fn memory_usage(&self) -> usize {
        self.text.len() + 64 * self.streams.len()
    }
}
