//! Content that is put into a page.

use crate::error::RewriteError;
use crate::markup::Parser;
use crate::output::Output;
use std::borrow::Cow;
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

/// Puts a text before those that were put there before.
pub(crate) fn put_first(into: &mut String, text: &str) {
    into.insert_str(0, text);
}
