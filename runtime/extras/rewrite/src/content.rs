//! Content to insert into a page.

use crate::error::{Outcome, RewriteError};
use crate::markup::MarkupParser;
use crate::output::Output;
use std::borrow::Cow;
use std::fmt;
use tabulex_edit::seam;

/// Content to insert into a page: markup as it is, or text, which is escaped.
///
/// In elements whose text is written literally, such as `script` and `style`, nothing is escaped: there both are
/// written as they are, and content that would end the element is
/// [`RewriteError::BadText`](crate::RewriteError::BadText).
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
    /// Markup, inserted as it is and not passed to handlers.
    Markup(&'c str),
    /// Text, escaped so that it is displayed as given.
    Text(&'c str),
}

impl<'c> Content<'c> {
    /// Returns the content as markup to write between tags, escaping text.
    pub(crate) fn to_markup(self) -> Cow<'c, str> {
        match self {
            Self::Markup(markup) => markup.into(),
            Self::Text(text) => seam::escape_source(text, false),
        }
    }
}

/// Checks content for an element named `name` whose text is written literally, and returns it unescaped.
///
/// # Errors
///
/// If the text would end the element, could change how text after it is parsed (`is_followed`: text of the page may
/// follow), or has characters that the encoding lacks.
pub(crate) fn literal_content<'c>(
    content: Content<'c>,
    name: &str,
    is_followed: bool,
    context: ContentContext<'_>,
) -> Result<Cow<'c, str>, RewriteError> {
    let (Content::Markup(text) | Content::Text(text)) = content;
    context.output.check_encodable(text)?;
    let is_undecided = is_followed && seam::may_end_undecided(name, text);
    if is_undecided || !seam::is_contained(name, text, &|markup| context.parser.parse(markup)) {
        return Err(RewriteError::BadText(text.to_owned()));
    }
    Ok(text.into())
}

/// The context that content is written in: the parser of the dialect and the encoding of the output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContentContext<'p> {
    pub(crate) parser: MarkupParser,
    pub(crate) output: &'p Output,
}

/// A writer for content that is produced piece by piece; see [`Element::stream`](crate::Element::stream).
pub struct ContentStream<'s> {
    /// Whether text is written without escaping, because the text of the target element is literal.
    pub(crate) is_literal: bool,
    pub(crate) write: &'s mut dyn FnMut(&str) -> Result<(), RewriteError>,
}

impl ContentStream<'_> {
    /// Writes the next piece of the content.
    ///
    /// # Errors
    ///
    /// If the output fails.
    pub fn write(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        match content {
            Content::Text(text) if self.is_literal => (self.write)(text),
            content => (self.write)(&content.to_markup()),
        }
    }
}

impl fmt::Debug for ContentStream<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("ContentStream");
        debug.field("is_literal", &self.is_literal).finish_non_exhaustive()
    }
}

/// A callback that produces content when its position in the page is reached.
pub(crate) type StreamWriter<'h> = Box<dyn FnOnce(&mut ContentStream<'_>) -> Outcome + Send + 'h>;

/// The content inserted at one position: text, and streams at byte offsets within it.
#[derive(Default)]
pub(crate) struct Contents<'h> {
    pub(crate) text: String,
    pub(crate) streams: Vec<(usize, StreamWriter<'h>)>,
}

impl<'h> Contents<'h> {
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.streams.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.streams.clear();
    }

    /// Inserts text before the content inserted so far.
    pub(crate) fn prepend_text(&mut self, text: &str) {
        self.text.insert_str(0, text);
        self.streams.iter_mut().for_each(|(offset, _)| *offset += text.len());
    }

    /// Adds a stream before (`is_first`) or after the content inserted so far.
    pub(crate) fn add_stream(&mut self, is_first: bool, stream: StreamWriter<'h>) {
        let (index, offset) = if is_first { (0, 0) } else { (self.streams.len(), self.text.len()) };
        self.streams.insert(index, (offset, stream));
    }

    /// Returns the approximate heap memory in bytes; the sizes of captured variables of streams are unknown.
    pub(crate) fn memory_usage(&self) -> usize {
        self.text.len() + 64 * self.streams.len()
    }
}
