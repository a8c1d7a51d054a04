//! What is put into a page. It is put where its user says, and is not read again. Invariant: a text is escaped.

use std::borrow::Cow;
use tabulex_core::__private::escape;

/// What is put into a page: markup as it is, or text, which is escaped.
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

    /// As it is written inside of an element whose text is written literally.
    pub(crate) fn literal(self) -> Cow<'c, str> {
        match self {
            Self::Markup(text) | Self::Text(text) => text.into(),
        }
    }
}

/// Puts a text before those that were put there before.
pub(crate) fn put_first(into: &mut String, text: &str) {
    into.insert_str(0, text);
}
