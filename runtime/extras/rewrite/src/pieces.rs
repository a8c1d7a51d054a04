//! Views of texts, comments, processing instructions and DOCTYPEs passed to handlers. Nothing is written here.

use crate::content::{Content, ContentContext, literal_content};
use crate::error::RewriteError;
use std::borrow::Cow;
use tabulex_core::Span;

/// The requested changes of a text, a comment or a processing instruction.
#[derive(Debug, Default)]
pub(crate) struct PieceChanges {
    pub(crate) before: String,
    pub(crate) after: String,
    /// The markup that replaces the text, comment or instruction, empty if it is removed; `None` if it is kept.
    pub(crate) replacement: Option<String>,
}

impl PieceChanges {
    pub(crate) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty() && self.replacement.is_none()
    }
}

/// A text: all characters between two tokens of other kinds.
#[derive(Debug)]
pub struct Text<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Span,
    /// The name of the parent element, if its text is not escaped.
    pub(crate) literal_in: Option<&'t str>,
    pub(crate) context: ContentContext<'t>,
    pub(crate) changes: PieceChanges,
}

impl<'t> Text<'t> {
    /// Returns the text, with character references replaced, and without a line end that the parser drops after a start
    /// tag such as `<pre>`.
    pub fn as_str(&self) -> &'t str {
        self.text
    }

    /// Returns the byte range of the text in the decoded input, without a line end that the parser drops after a start
    /// tag.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether the text is in a script, a style sheet or similar, where nothing is escaped.
    pub fn is_literal(&self) -> bool {
        self.literal_in.is_some()
    }

    /// Inserts content before the text, after content inserted there earlier.
    ///
    /// # Errors
    ///
    /// If the text is [literal](Self::is_literal) and the content would end its element.
    pub fn before(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        self.changes.before += &self.to_inner_markup(content)?;
        Ok(())
    }

    /// Inserts content after the text, before content inserted there earlier.
    ///
    /// # Errors
    ///
    /// As [`before`](Self::before).
    pub fn after(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        let markup = self.to_inner_markup(content)?;
        self.changes.after.insert_str(0, &markup);
        Ok(())
    }

    /// Replaces the text with content.
    ///
    /// # Errors
    ///
    /// As [`before`](Self::before).
    pub fn replace(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        self.changes.replacement = Some(self.to_inner_markup(content)?.into_owned());
        Ok(())
    }

    /// Removes the text.
    pub fn remove(&mut self) {
        self.changes.replacement = Some(String::new());
    }

    fn to_inner_markup<'c>(&self, content: Content<'c>) -> Result<Cow<'c, str>, RewriteError> {
        match self.literal_in {
            Some(name) => literal_content(content, name, false, self.context),
            None => Ok(content.to_markup()),
        }
    }
}

/// A comment passed to a handler, which can change or remove it.
#[derive(Debug)]
pub struct Comment<'t> {
    pub(crate) data: &'t str,
    pub(crate) span: Span,
    pub(crate) context: ContentContext<'t>,
    pub(crate) changes: PieceChanges,
}

impl<'t> Comment<'t> {
    /// Returns the data of the comment.
    pub fn data(&self) -> &'t str {
        self.data
    }

    /// Returns the byte range of the comment in the decoded input, delimiters included.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Replaces the comment's data.
    ///
    /// # Errors
    ///
    /// If `data` would or could end the comment, or has characters that the encoding lacks.
    pub fn set_data(&mut self, data: &str) -> Result<(), RewriteError> {
        self.context.output.check_encodable(data)?;
        let is_forbidden =
            data.starts_with(['>', '-']) || data.ends_with('-') || data.contains("--");
        if is_forbidden || data.contains("<!-") {
            return Err(RewriteError::BadComment(data.to_owned()));
        }
        self.changes.replacement = Some(format!("<!--{data}-->"));
        Ok(())
    }
}

/// A processing instruction, such as `<?php … ?>`.
#[derive(Debug)]
pub struct Instruction<'t> {
    pub(crate) target: &'t str,
    pub(crate) data: &'t str,
    pub(crate) span: Span,
    pub(crate) changes: PieceChanges,
}

impl<'t> Instruction<'t> {
    /// Returns the target, such as `php`.
    pub fn target(&self) -> &'t str {
        self.target
    }

    /// Returns the data of the processing instruction.
    pub fn data(&self) -> &'t str {
        self.data
    }

    /// Returns the byte range of the processing instruction in the decoded input, delimiters included.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// Defines the methods that replace a comment or a processing instruction, or insert any content beside it.
macro_rules! define_changes {
    ($($piece:ident: $noun:literal,)*) => {$(
        impl $piece<'_> {
            #[doc = concat!("Inserts content before the ", $noun, ", after content inserted there earlier.")]
            pub fn before(&mut self, content: Content<'_>) {
                self.changes.before += &content.to_markup();
            }

            #[doc = concat!("Inserts content after the ", $noun, ", before content inserted there earlier.")]
            pub fn after(&mut self, content: Content<'_>) {
                self.changes.after.insert_str(0, &content.to_markup());
            }

            #[doc = concat!("Replaces the ", $noun, " with content.")]
            pub fn replace(&mut self, content: Content<'_>) {
                self.changes.replacement = Some(content.to_markup().into_owned());
            }

            #[doc = concat!("Removes the ", $noun, ".")]
            pub fn remove(&mut self) {
                self.changes.replacement = Some(String::new());
            }
        }
    )*};
}

define_changes! {
    Comment: "comment",
    Instruction: "processing instruction",
}

/// A DOCTYPE passed to a handler, which can remove it.
#[derive(Debug)]
pub struct Doctype<'t> {
    pub(crate) doctype: tabulex_core::Doctype<'t>,
    pub(crate) is_removed: bool,
}

impl<'t> Doctype<'t> {
    /// Returns the name, or `None` if missing.
    pub fn name(&self) -> Option<&'t str> {
        self.doctype.name()
    }

    /// Returns the public identifier, or `None` if missing.
    pub fn public_identifier(&self) -> Option<&'t str> {
        self.doctype.public_identifier()
    }

    /// Returns the system identifier, or `None` if missing.
    pub fn system_identifier(&self) -> Option<&'t str> {
        self.doctype.system_identifier()
    }

    /// Removes the DOCTYPE.
    pub fn remove(&mut self) {
        self.is_removed = true;
    }
}
