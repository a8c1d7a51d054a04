//! What is to be done with a page: handlers, and what they are called for. It reads no page. Invariant: a handler is
//! called in the order in which it was added.

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

/// A handler, by the kind of content that it is called for.
pub(crate) enum Handler<'h> {
    Element(OnElement<'h>),
    Text(OnText<'h>),
    Comment(OnComment<'h>),
    Instruction(OnInstruction<'h>),
}

/// A handler, and the elements that it is for; all of the page, if it is for none.
pub(crate) struct Rule<'h> {
    pub(crate) selector: Option<Selector>,
    pub(crate) handler: Handler<'h>,
}

/// What is to be done with a page, and how it is read.
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
    pub(crate) doctypes: Vec<OnDoctype<'h>>,
    pub(crate) ends: Vec<OnPageEnd<'h>>,
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
    /// Nothing is done. Scripting is enabled, as in the browsers that read the page; 64 MiB may be held.
    pub fn new() -> Self {
        Self {
            rules: Vec::new(),
            doctypes: Vec::new(),
            ends: Vec::new(),
            scripting: true,
            memory: 0x400_0000,
            hints: Hints::new(),
        }
    }

    fn rule(mut self, selector: Option<&str>, handler: Handler<'h>) -> Result<Self, RewriteError> {
        let selector = selector.map(str::parse).transpose()?;
        self.rules.push(Rule { selector, handler });
        Ok(self)
    }

    /// Calls a handler for each element that matches, at its start tag.
    ///
    /// # Errors
    ///
    /// If the text is no list of selectors.
    pub fn element(
        self,
        selector: &str,
        handler: impl FnMut(&mut Element<'_, 'h>) -> Outcome + Send + 'h,
    ) -> Result<Self, RewriteError> {
        self.rule(Some(selector), Handler::Element(Box::new(handler)))
    }

    /// Calls a handler for each text inside of the elements that match: all that stands between two other tokens. It is
    /// held until its end.
    ///
    /// # Errors
    ///
    /// If `selector` is no list of selectors.
    pub fn text(
        self,
        selector: &str,
        handler: impl FnMut(&mut Text<'_>) -> Outcome + Send + 'h,
    ) -> Result<Self, RewriteError> {
        self.rule(Some(selector), Handler::Text(Box::new(handler)))
    }

    /// Calls a handler for each comment inside of the elements that match.
    ///
    /// # Errors
    ///
    /// If the text is no list of selectors.
    pub fn comment(
        self,
        selector: &str,
        handler: impl FnMut(&mut Comment<'_>) -> Outcome + Send + 'h,
    ) -> Result<Self, RewriteError> {
        self.rule(Some(selector), Handler::Comment(Box::new(handler)))
    }

    /// Calls a handler for each processing instruction inside of the elements that match.
    ///
    /// # Errors
    ///
    /// If the text is no list of selectors.
    pub fn instruction(
        self,
        selector: &str,
        handler: impl FnMut(&mut Instruction<'_>) -> Outcome + Send + 'h,
    ) -> Result<Self, RewriteError> {
        self.rule(Some(selector), Handler::Instruction(Box::new(handler)))
    }

    /// Calls a handler for each text of the page, wherever it is.
    #[must_use]
    pub fn all_text(mut self, handler: impl FnMut(&mut Text<'_>) -> Outcome + Send + 'h) -> Self {
        self.rules.push(Rule { selector: None, handler: Handler::Text(Box::new(handler)) });
        self
    }

    /// Calls a handler for each comment of the page, wherever it is.
    #[must_use]
    pub fn all_comments(
        mut self,
        handler: impl FnMut(&mut Comment<'_>) -> Outcome + Send + 'h,
    ) -> Self {
        self.rules.push(Rule { selector: None, handler: Handler::Comment(Box::new(handler)) });
        self
    }

    /// Calls a handler for each processing instruction of the page, wherever it is. Whoever removes comments may want to remove
    /// these as well: browsers take them for comments, or did.
    #[must_use]
    pub fn all_instructions(
        mut self,
        handler: impl FnMut(&mut Instruction<'_>) -> Outcome + Send + 'h,
    ) -> Self {
        let handler = Handler::Instruction(Box::new(handler));
        self.rules.push(Rule { selector: None, handler });
        self
    }

    /// Calls a handler for each DOCTYPE.
    #[must_use]
    pub fn doctype(mut self, handler: impl FnMut(&mut Doctype<'_>) -> Outcome + Send + 'h) -> Self {
        self.doctypes.push(Box::new(handler));
        self
    }

    /// Calls a handler at the end of the page; the markup that it returns is written there.
    #[must_use]
    pub fn end(mut self, handler: impl FnOnce() -> String + Send + 'h) -> Self {
        self.ends.push(Box::new(handler));
        self
    }

    /// Whether scripting is enabled for whoever reads the page, as it is by default: what is in `noscript` is text then.
    #[must_use]
    pub fn scripting(mut self, scripting: bool) -> Self {
        self.scripting = scripting;
        self
    }

    /// Sets the approximate maximum number of bytes held, beside the chunk that is written. A tag or a DOCTYPE is held until
    /// its end, even if no handler asks for it; so is a processing instruction if something is put at the end of the page.
    #[must_use]
    pub fn memory_limit(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// What is known of the encoding of bytes. Without it a byte order mark counts, what the first 1,024 bytes declare, and
    /// otherwise whether the first character beyond ASCII is one of UTF-8.
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
