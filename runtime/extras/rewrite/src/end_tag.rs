//! The view of an element's end passed to handlers. Changes to an end tag that the page omits have no effect
//! (`changes_only_written_end_tags`).

use crate::content::{Content, ContentContext, literal_content};
use crate::element::check_name;
use crate::error::RewriteError;

/// The requested changes at the end of an element.
#[derive(Debug, Default)]
pub(crate) struct EndChanges {
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) name: Option<String>,
    pub(crate) is_removed: bool,
}

impl EndChanges {
    /// Whether the end tag is removed or renamed.
    pub(crate) fn changes_tag(&self) -> bool {
        self.is_removed || self.name.is_some()
    }
}

/// The end of an element, with or without an end tag in the page.
#[derive(Debug)]
pub struct EndTag<'t> {
    pub(crate) name: &'t str,
    pub(crate) is_written: bool,
    pub(crate) is_literal: bool,
    pub(crate) context: ContentContext<'t>,
    pub(crate) changes: &'t mut EndChanges,
}

impl EndTag<'_> {
    /// Returns the name of the element, or the new one if a handler has renamed the end tag.
    pub fn name(&self) -> &str {
        self.changes.name.as_deref().unwrap_or(self.name)
    }

    /// Whether the page contains the end tag; otherwise the element ends with an enclosing one, at a tag that implies
    /// its end, or with the page.
    pub fn is_written(&self) -> bool {
        self.is_written
    }

    /// Inserts content before the end of the element, after content inserted there earlier.
    ///
    /// # Errors
    ///
    /// If the element's text is not escaped, and the content would end the element.
    pub fn before(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        self.changes.before += &match self.is_literal {
            true => literal_content(content, self.name, false, self.context)?,
            false => content.to_markup(),
        };
        Ok(())
    }

    /// Inserts content after the element, before content inserted there earlier.
    pub fn after(&mut self, content: Content<'_>) {
        self.changes.after.insert_str(0, &content.to_markup());
    }

    /// Removes the end tag, if the page contains it.
    pub fn remove(&mut self) {
        self.changes.is_removed = true;
    }

    /// Renames the end tag, if the page contains it.
    ///
    /// # Errors
    ///
    /// If `name` is not a valid element name or has characters that the encoding lacks.
    pub fn set_name(&mut self, name: &str) -> Result<(), RewriteError> {
        check_name(name, self.context)?;
        self.changes.name = Some(name.to_owned());
        Ok(())
    }
}
