//! The end of an element as handlers see it. Nothing is written here. Invariant: where no end tag is written, there is none
//! to be changed.

use crate::content::{Content, ContentContext, literal};
use crate::element::check_name;
use crate::error::RewriteError;

/// What is to be done at the end of an element.
#[derive(Debug, Default)]
pub(crate) struct EndChanges {
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) name: Option<String>,
    pub(crate) is_removed: bool,
}

impl EndChanges {
    /// Whether the end tag is another one than the start tag that is read.
    pub(crate) fn changes_tag(&self) -> bool {
        self.is_removed || self.name.is_some()
    }
}

/// The end of an element.
#[derive(Debug)]
pub struct EndTag<'t> {
    pub(crate) name: &'t str,
    pub(crate) is_written: bool,
    pub(crate) is_literal: bool,
    pub(crate) context: ContentContext<'t>,
    pub(crate) changes: &'t mut EndChanges,
}

impl EndTag<'_> {
    /// The name of the element.
    pub fn name(&self) -> &str {
        self.changes.name.as_deref().unwrap_or(self.name)
    }

    /// Whether the page has the end tag; if not, an element around it ends here, or the page.
    pub fn is_written(&self) -> bool {
        self.is_written
    }

    /// Inserts content before the end of the element, after content inserted there earlier.
    ///
    /// # Errors
    ///
    /// If nothing is escaped in the element, and the content would end it.
    pub fn before(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        self.changes.before += &match self.is_literal {
            true => literal(content, self.name, false, self.context)?,
            false => content.written(),
        };
        Ok(())
    }

    /// Inserts content after the element, before content inserted there earlier.
    pub fn after(&mut self, content: Content<'_>) {
        self.changes.after.insert_str(0, &content.written());
    }

    /// Removes the end tag, if it is written.
    pub fn remove(&mut self) {
        self.changes.is_removed = true;
    }

    /// Gives the end tag another name, if it is written.
    ///
    /// # Errors
    ///
    /// If no element can have the name.
    pub fn set_name(&mut self, name: &str) -> Result<(), RewriteError> {
        check_name(name, self.context)?;
        self.changes.name = Some(name.to_owned());
        Ok(())
    }
}
