//! Texts, comments and DOCTYPEs as handlers see them. Nothing is written here. Invariant: what no handler changes stays as
//! it is written.

use crate::content::{Content, ContentContext, literal};
use crate::error::RewriteError;
use std::borrow::Cow;
use tabulex_core::Span;

/// What is to be done with a text or a comment.
#[derive(Debug, Default)]
pub(crate) struct Replaced {
    pub(crate) before: String,
    pub(crate) after: String,
    /// What stands there instead.
    pub(crate) by: Option<String>,
}

impl Replaced {
    pub(crate) fn is_nothing(&self) -> bool {
        self.before.is_empty() && self.after.is_empty() && self.by.is_none()
    }
}

/// A text: all that is between two other tokens.
#[derive(Debug)]
pub struct Text<'t> {
    pub(crate) text: &'t str,
    pub(crate) span: Span,
    /// The name of the element, if its text is written literally.
    pub(crate) literal_in: Option<&'t str>,
    pub(crate) context: ContentContext<'t>,
    pub(crate) changes: Replaced,
}

impl<'t> Text<'t> {
    /// The text, its character references replaced.
    pub fn as_str(&self) -> &'t str {
        self.text
    }

    /// Its range in the decoded input.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether it is that of a script, a style sheet or the like, which is not escaped.
    pub fn is_literal(&self) -> bool {
        self.literal_in.is_some()
    }

    /// Inserts content before it, after content inserted there earlier.
    ///
    /// # Errors
    ///
    /// If the text is [literal](Self::is_literal), and its element would end within the content.
    pub fn before(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        self.changes.before += &self.written(content)?;
        Ok(())
    }

    /// Inserts content after it, before content inserted there earlier.
    ///
    /// # Errors
    ///
    /// As [`before`](Self::before).
    pub fn after(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        let written = self.written(content)?;
        self.changes.after.insert_str(0, &written);
        Ok(())
    }

    /// Replaces it.
    ///
    /// # Errors
    ///
    /// As [`before`](Self::before).
    pub fn replace(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        self.changes.by = Some(self.written(content)?.into_owned());
        Ok(())
    }

    /// Removes it.
    pub fn remove(&mut self) {
        self.changes.by = Some(String::new());
    }

    fn written<'c>(&self, content: Content<'c>) -> Result<Cow<'c, str>, RewriteError> {
        match self.literal_in {
            Some(name) => literal(content, name, false, self.context),
            None => Ok(content.written()),
        }
    }
}

/// A comment.
#[derive(Debug)]
pub struct Comment<'t> {
    pub(crate) data: &'t str,
    pub(crate) span: Span,
    pub(crate) context: ContentContext<'t>,
    pub(crate) changes: Replaced,
}

impl<'t> Comment<'t> {
    /// What it says.
    pub fn data(&self) -> &'t str {
        self.data
    }

    /// Its range in the decoded input, delimiters included.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Makes it say something else.
    ///
    /// # Errors
    ///
    /// If the comment would end within the text, or could be read so, or the encoding does not have its characters.
    pub fn set_data(&mut self, data: &str) -> Result<(), RewriteError> {
        if !self.context.output.has(data) {
            return Err(RewriteError::NotInEncoding(data.to_owned()));
        }
        let is_bad = data.starts_with(['>', '-']) || data.ends_with('-') || data.contains("--");
        if is_bad || data.contains("<!-") {
            return Err(RewriteError::BadComment(data.to_owned()));
        }
        self.changes.by = Some(format!("<!--{data}-->"));
        Ok(())
    }

    /// Inserts content before it, after content inserted there earlier.
    pub fn before(&mut self, content: Content<'_>) {
        self.changes.before += &content.written();
    }

    /// Inserts content after it, before content inserted there earlier.
    pub fn after(&mut self, content: Content<'_>) {
        self.changes.after.insert_str(0, &content.written());
    }

    /// Replaces it.
    pub fn replace(&mut self, content: Content<'_>) {
        self.changes.by = Some(content.written().into_owned());
    }

    /// Removes it.
    pub fn remove(&mut self) {
        self.changes.by = Some(String::new());
    }
}

/// A processing instruction, such as `<?php … ?>`.
#[derive(Debug)]
pub struct Instruction<'t> {
    pub(crate) target: &'t str,
    pub(crate) data: &'t str,
    pub(crate) span: Span,
    pub(crate) changes: Replaced,
}

impl<'t> Instruction<'t> {
    /// Its target.
    pub fn target(&self) -> &'t str {
        self.target
    }

    /// What it says.
    pub fn data(&self) -> &'t str {
        self.data
    }

    /// Its range in the decoded input, delimiters included.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Inserts content before it, after content inserted there earlier.
    pub fn before(&mut self, content: Content<'_>) {
        self.changes.before += &content.written();
    }

    /// Inserts content after it, before content inserted there earlier.
    pub fn after(&mut self, content: Content<'_>) {
        self.changes.after.insert_str(0, &content.written());
    }

    /// Replaces it.
    pub fn replace(&mut self, content: Content<'_>) {
        self.changes.by = Some(content.written().into_owned());
    }

    /// Removes it.
    pub fn remove(&mut self) {
        self.changes.by = Some(String::new());
    }
}

/// A DOCTYPE.
#[derive(Debug)]
pub struct Doctype<'t> {
    pub(crate) doctype: tabulex_core::Doctype<'t>,
    pub(crate) is_removed: bool,
}

impl<'t> Doctype<'t> {
    /// Its name, unless missing.
    pub fn name(&self) -> Option<&'t str> {
        self.doctype.name()
    }

    /// Its public identifier, unless missing.
    pub fn public_identifier(&self) -> Option<&'t str> {
        self.doctype.public_identifier()
    }

    /// Its system identifier, unless missing.
    pub fn system_identifier(&self) -> Option<&'t str> {
        self.doctype.system_identifier()
    }

    /// Removes it.
    pub fn remove(&mut self) {
        self.is_removed = true;
    }
}
