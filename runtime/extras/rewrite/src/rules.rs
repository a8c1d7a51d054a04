//! The rules of a rewriter: handlers, each with its selector, and options for reading the page. Handlers are
//! called in the order in which they were added.

use crate::element::Element;
use crate::end_tag::EndTag;
use crate::error::{Outcome, RewriteError};
use crate::pieces::{Comment, Doctype, Instruction, Text};
use std::fmt;
use tabulex_core::encoding::Hints;
use tabulex_select::Selector;

type OnElement<'h> = Box<dyn FnMut(&mut Element<'_, 'h>) -> Outcome + Send + 'h>;
type OnText<'h> = Box<dyn FnMut(&mut Text<'_>) -> Outcome + Send + 'h>;
type OnComment<'h> = Box<dyn FnMut(&mut Comment<'_>) -> Outcome + Send + 'h>;
type OnInstruction<'h> = Box<dyn FnMut(&mut Instruction<'_>) -> Outcome + Send + 'h>;
type OnDoctype<'h> = Box<dyn FnMut(&mut Doctype<'_>) -> Outcome + Send + 'h>;
pub(crate) type OnEnd<'h> = Box<dyn FnOnce(&mut EndTag<'_>) -> Outcome + Send + 'h>;
type OnPageEnd<'h> = Box<dyn FnOnce() -> String + Send + 'h>;

/// A handler for one kind of token.
pub(crate) enum Handler<'h> {
    Element(OnElement<'h>),
    Text(OnText<'h>),
    Comment(OnComment<'h>),
    Instruction(OnInstruction<'h>),
}

/// A handler with its selector; `None` applies it to the whole page.
pub(crate) struct Rule<'h> {
    pub(crate) selector: Option<Selector>,
    pub(crate) handler: Handler<'h>,
}

/// Handlers to call while a page is rewritten, and options for reading it.
///
/// ```
/// use tabulex::html::Html;
/// use tabulex::rewrite::{Content, Rules, rewrite_str};
///
/// let rules = Rules::new()
///     .element("a[href^='http:']", |link| {
///         let secure = link.attribute("href").map(|url| url.replacen("http:", "https:", 1));
///         link.set_attribute("href", &secure.unwrap_or_default())?;
///         Ok(())
///     })?
///     .element("script", |script| { script.remove(); Ok(()) })?
///     .text("h1", |text| { Ok(text.replace(Content::Text(&text.as_str().to_uppercase()))?) })?;
/// let page = "<h1>Caf&eacute;</h1><script>x()</script><A  href=http://a.example >b</A>";
/// assert_eq!(
///     rewrite_str::<Html>(page, rules)?,
///     "<h1>CAFÉ</h1><A  href=\"https://a.example\" >b</A>"
/// );
/// # Ok::<(), tabulex::rewrite::RewriteError>(())
/// ```
pub struct Rules<'h> {
    pub(crate) rules: Vec<Rule<'h>>,
    pub(crate) doctype_handlers: Vec<OnDoctype<'h>>,
    pub(crate) end_handlers: Vec<OnPageEnd<'h>>,
    pub(crate) scripting: bool,
    pub(crate) memory: usize,
    pub(crate) hints: Hints,
}

impl Default for Rules<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'h> Rules<'h> {
    /// Creates rules without handlers, with scripting enabled and a memory limit of 64 MiB.
    pub fn new() -> Self {
        Self {
            rules: Vec::new(),
            doctype_handlers: Vec::new(),
            end_handlers: Vec::new(),
            scripting: true,
            memory: 0x400_0000,
            hints: Hints::new(),
        }
    }

    fn add(mut self, selector: Option<Selector>, handler: Handler<'h>) -> Self {
        self.rules.push(Rule { selector, handler });
        self
    }

    /// Adds a handler to call at the start tag of each element that matches `selector`.
    ///
    /// # Errors
    ///
    /// If `selector` is not a valid selector list.
    pub fn element(
        self,
        selector: &str,
        handler: impl FnMut(&mut Element<'_, 'h>) -> Outcome + Send + 'h,
    ) -> Result<Self, RewriteError> {
        Ok(self.add(Some(selector.parse()?), Handler::Element(Box::new(handler))))
    }

    /// Adds a handler to call for each text inside the elements that match `selector`: all characters between two other
    /// tokens. The text is buffered until its end.
    ///
    /// # Errors
    ///
    /// If `selector` is not a valid selector list.
    pub fn text(
        self,
        selector: &str,
        handler: impl FnMut(&mut Text<'_>) -> Outcome + Send + 'h,
    ) -> Result<Self, RewriteError> {
        Ok(self.add(Some(selector.parse()?), Handler::Text(Box::new(handler))))
    }

    /// Adds a handler to call for each comment inside the elements that match `selector`.
    ///
    /// # Errors
    ///
    /// If `selector` is not a valid selector list.
    pub fn comment(
        self,
        selector: &str,
        handler: impl FnMut(&mut Comment<'_>) -> Outcome + Send + 'h,
    ) -> Result<Self, RewriteError> {
        Ok(self.add(Some(selector.parse()?), Handler::Comment(Box::new(handler))))
    }

    /// Adds a handler to call for each processing instruction inside the elements that match `selector`.
    ///
    /// # Errors
    ///
    /// If `selector` is not a valid selector list.
    pub fn instruction(
        self,
        selector: &str,
        handler: impl FnMut(&mut Instruction<'_>) -> Outcome + Send + 'h,
    ) -> Result<Self, RewriteError> {
        Ok(self.add(Some(selector.parse()?), Handler::Instruction(Box::new(handler))))
    }

    /// Adds a handler to call for each text of the page.
    #[must_use]
    pub fn all_text(self, handler: impl FnMut(&mut Text<'_>) -> Outcome + Send + 'h) -> Self {
        self.add(None, Handler::Text(Box::new(handler)))
    }

    /// Adds a handler to call for each comment of the page.
    #[must_use]
    pub fn all_comments(
        self,
        handler: impl FnMut(&mut Comment<'_>) -> Outcome + Send + 'h,
    ) -> Self {
        self.add(None, Handler::Comment(Box::new(handler)))
    }

    /// Adds a handler to call for each processing instruction of the page. When removing comments, consider removing
    /// these too: browsers treat or have treated them as comments.
    #[must_use]
    pub fn all_instructions(
        self,
        handler: impl FnMut(&mut Instruction<'_>) -> Outcome + Send + 'h,
    ) -> Self {
        self.add(None, Handler::Instruction(Box::new(handler)))
    }

    /// Adds a handler to call for each DOCTYPE.
    #[must_use]
    pub fn doctype(mut self, handler: impl FnMut(&mut Doctype<'_>) -> Outcome + Send + 'h) -> Self {
        self.doctype_handlers.push(Box::new(handler));
        self
    }

    /// Adds a handler to call at the end of the page; the markup that it returns is written there. It is inside the
    /// elements that the page leaves open, except that an element containing only text is ended before.
    #[must_use]
    pub fn end(mut self, handler: impl FnOnce() -> String + Send + 'h) -> Self {
        self.end_handlers.push(Box::new(handler));
        self
    }

    /// Sets whether scripting is enabled (the default), in which case the contents of `noscript` are text.
    #[must_use]
    pub fn scripting(mut self, scripting: bool) -> Self {
        self.scripting = scripting;
        self
    }

    /// Sets the approximate memory limit in bytes, not counting the chunk being written. A tag or a DOCTYPE is buffered
    /// until its end even without a handler for it, and so is a processing instruction if content is inserted at the
    /// end of the page.
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets hints for the encoding of the page. Without hints, a byte order mark decides, then a declaration in the
    /// first 1,024 bytes, then whether the first non-ASCII character is valid UTF-8.
    #[must_use]
    pub fn encoding(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }
}

impl fmt::Debug for Rules<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let selectors: Vec<_> = self.rules.iter().map(|rule| &rule.selector).collect();
        formatter.debug_struct("Rules").field("selectors", &selectors).finish_non_exhaustive()
    }
}
