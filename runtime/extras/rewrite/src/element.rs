//! The view of an element passed to handlers: its start tag with the changes requested so far, including those of
//! earlier handlers. Nothing is written here.

use crate::content::{Content, ContentContext, ContentStream, Contents, literal_content};
use crate::end_tag::EndTag;
use crate::error::{Outcome, RewriteError};
use crate::open::ElementTraits;
use crate::rules::OnEnd;
use std::borrow::Cow;
use std::collections::HashMap;
use tabulex_core::tree::Namespace;
use tabulex_core::{Adjacent, Attribute, Span, Tag};
use tabulex_edit::seam::{self, ContentKind};

/// The part of an element that is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Remainder {
    #[default]
    All,
    /// The contents, without the element's tags.
    Contents,
    Nothing,
}

/// The requested changes of an element.
#[derive(Default)]
pub(crate) struct Changes<'h> {
    /// Whether any change was requested.
    pub(crate) has_any: bool,
    /// Names of attributes with their new values; `None` removes the attribute.
    pub(crate) attributes: Vec<(String, Option<String>)>,
    pub(crate) name: Option<String>,
    pub(crate) before: Contents<'h>,
    pub(crate) after: Contents<'h>,
    pub(crate) prepended: Contents<'h>,
    pub(crate) appended: Contents<'h>,
    pub(crate) inner: Option<String>,
    pub(crate) replacement: String,
    pub(crate) remainder: Remainder,
    pub(crate) on_end: Vec<OnEnd<'h>>,
}

impl Changes<'_> {
    /// Whether the page changes, not counting changes by handlers of the element's end.
    pub(crate) fn changes_page(&self) -> bool {
        let insertions = [&self.before, &self.after, &self.prepended, &self.appended];
        self.remainder != Remainder::All
            || self.name.is_some()
            || self.inner.is_some()
            || !self.attributes.is_empty()
            || !self.replacement.is_empty()
            || insertions.iter().any(|contents| !contents.is_empty())
    }

    /// Whether content is inserted into the element or replaces its contents.
    pub(crate) fn adds_contents(&self) -> bool {
        self.inner.is_some() || !self.prepended.is_empty() || !self.appended.is_empty()
    }

    /// Discards all changes; lists keep their capacity.
    pub(crate) fn clear(&mut self) {
        self.attributes.clear();
        self.on_end.clear();
        self.replacement.clear();
        for contents in [&mut self.before, &mut self.after, &mut self.prepended, &mut self.appended]
        {
            contents.clear();
        }
        (self.name, self.inner, self.remainder) = (None, None, Remainder::All);
        self.has_any = false;
    }
}

/// An element whose start tag has been read.
pub struct Element<'t, 'h> {
    pub(crate) tag: &'t Tag<'t>,
    pub(crate) traits: &'t ElementTraits,
    /// Whether element and attribute names are converted to lower case, as in HTML.
    pub(crate) lowercases_names: bool,
    pub(crate) is_inserted: bool,
    pub(crate) context: ContentContext<'t>,
    pub(crate) content_kinds: &'t mut ContentKinds,
    pub(crate) changes: &'t mut Changes<'h>,
}

/// Cache of how the contents of elements are parsed, by element name.
pub(crate) type ContentKinds = HashMap<String, ContentKind>;

impl<'h> Element<'_, 'h> {
    /// Returns the element's name, or the new one if a handler has renamed the element. In HTML documents the name in
    /// the page is given in lower case, even in SVG.
    pub fn name(&self) -> &str {
        self.changes.name.as_deref().unwrap_or(self.tag.name())
    }

    /// Returns the element's namespace.
    pub fn namespace(&self) -> Namespace {
        self.traits.namespace
    }

    /// Returns the byte range of the element's start tag in the decoded input.
    pub fn span(&self) -> Span {
        self.tag.span()
    }

    /// Whether the start tag comes from the replacement text of an entity, so that the page contains only the
    /// reference. Changing such an element fails with [`RewriteError::Inserted`]. This is possible only in dialects
    /// where a page can declare entities.
    pub fn is_inserted(&self) -> bool {
        self.is_inserted
    }

    /// Whether the element can have contents: it is neither void nor a foreign element with a self-closing tag.
    pub fn can_have_contents(&self) -> bool {
        self.traits.has_contents
    }

    /// Returns the value of an attribute, with character references replaced; `None` if the element does not have it.
    /// In HTML `name` is case-insensitive.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let name = &*self.attribute_name(name);
        match self.changes.attributes.iter().find(|(changed, _)| changed == name) {
            Some((_, value)) => value.as_deref(),
            None => self.tag.attribute(name),
        }
    }

    /// Returns the names and values of the attributes, each name once; those set by handlers come last.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        let changes = &self.changes.attributes[..];
        let is_changed = move |name: &str| changes.iter().any(|(changed, _)| changed == name);
        let written = self.tag.attributes().filter(move |attribute| !is_changed(attribute.name));
        let set = changes.iter().filter_map(|(name, value)| Some((&**name, value.as_deref()?)));
        written.map(|attribute| (attribute.name, attribute.value)).chain(set)
    }

    /// Returns the attributes in the tag as written, with the byte ranges of names and values in the decoded input.
    pub fn written_attributes(&self) -> impl Iterator<Item = Attribute<&str>> {
        // Attributes with default values from declarations have no position in the tag.
        self.tag.attributes().filter(|attribute| !attribute.name_span.is_empty())
    }

    /// Converts an attribute name to the case that tags use.
    fn attribute_name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.lowercases_names && name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            name.to_ascii_lowercase().into()
        } else {
            name.into()
        }
    }

    /// Sets an attribute, escaping its value; other attributes stay as written.
    ///
    /// # Errors
    ///
    /// If `name` is not a valid attribute name or has characters that the encoding lacks, or if the tag [is
    /// inserted](Self::is_inserted).
    pub fn set_attribute(&mut self, name: &str, value: &str) -> Result<(), RewriteError> {
        let is_forbidden = |byte: u8| {
            byte.is_ascii_whitespace()
                || byte == 0
                || matches!(byte, b'"' | b'\'' | b'>' | b'/' | b'=')
        };
        if name.is_empty() || name.bytes().any(is_forbidden) {
            return Err(RewriteError::BadName(name.to_owned()));
        }
        self.context.output.check_encodable(name)?;
        self.check_not_inserted()?;
        self.change_attribute(self.attribute_name(name).into_owned(), Some(value.to_owned()));
        Ok(())
    }

    /// Removes an attribute, if present. In HTML `name` is case-insensitive.
    pub fn remove_attribute(&mut self, name: &str) {
        let name = self.attribute_name(name);
        if self.attribute(&name).is_some() {
            self.change_attribute(name.into_owned(), None);
        }
    }

    fn check_not_inserted(&self) -> Result<(), RewriteError> {
        let span = self.span();
        if self.is_inserted { Err(RewriteError::Inserted { span }) } else { Ok(()) }
    }

    /// Returns the changes for modification, and marks them as non-empty.
    fn changes_mut(&mut self) -> &mut Changes<'h> {
        self.changes.has_any = true;
        self.changes
    }

    fn change_attribute(&mut self, name: String, value: Option<String>) {
        let changes = &mut self.changes_mut().attributes;
        match changes.iter_mut().find(|(changed, _)| *changed == name) {
            Some((_, earlier)) => *earlier = value,
            None => changes.push((name, value)),
        }
    }

    /// Renames the element in both tags. An element that cannot have contents gets an end tag if the new name requires
    /// one.
    ///
    /// # Errors
    ///
    /// If `name` is not a valid element name or has characters that the encoding lacks, if contents under the new name
    /// would be parsed differently, or if the tag [is inserted](Self::is_inserted). For elements in foreign content, where
    /// attributes count too, [`RewriteError::OtherContents`] is reported after the handlers of the element.
    pub fn set_name(&mut self, name: &str) -> Result<(), RewriteError> {
        check_name(name, self.context)?;
        self.check_not_inserted()?;
        if name == self.tag.name() {
            self.changes.name = None;
            return Ok(());
        }
        if self.lowercases_names && self.traits.namespace == Namespace::HTML {
            let (old, new) =
                (self.content_kind(self.tag.name()), self.content_kind(&name.to_ascii_lowercase()));
            if old != new && (old, new) != (ContentKind::None, ContentKind::Markup) {
                return Err(RewriteError::OtherContents(name.to_owned()));
            }
        }
        self.changes_mut().name = Some(name.to_owned());
        Ok(())
    }

    /// Returns how the contents of elements named `name` are parsed, from the cache if known.
    fn content_kind(&mut self, name: &str) -> ContentKind {
        if let Some(kind) = self.content_kinds.get(name) {
            return *kind;
        }
        let parser = self.context.parser;
        let kind = seam::content_kind(name, &|markup| parser.parse(markup));
        self.content_kinds.insert(name.to_owned(), kind);
        kind
    }

    /// Inserts content before the element, after content inserted there earlier.
    pub fn before(&mut self, content: Content<'_>) {
        self.changes_mut().before.text += &content.to_markup();
    }

    /// Inserts content after the element, before content inserted there earlier.
    pub fn after(&mut self, content: Content<'_>) {
        self.changes_mut().after.prepend_text(&content.to_markup());
    }

    /// Inserts content at the start of the element's contents, before content inserted there earlier. Has no effect on an
    /// element that can have no contents.
    ///
    /// The content follows the start tag, even one that a parser ignores because the element is already open: content
    /// prepended to `body` is inserted before `b` in `a<body>b`, and twice in `<body>a<body>b`.
    ///
    /// # Errors
    ///
    /// If the element contains only text and the content would end it.
    pub fn prepend(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        let markup = self.to_inner_markup(content, true)?;
        self.changes_mut().prepended.prepend_text(&markup);
        Ok(())
    }

    /// Inserts content at the end of the element's contents, after content inserted there earlier. Has no effect on an
    /// element that can have no contents.
    ///
    /// The content precedes the end tag, or the place where the element ends without one. Whatever a parser moves into
    /// the element from after its end tag follows the content: in `<body>a</body>b`, content appended to `body` is
    /// inserted between `a` and `b`. A formatting element that is still open there contains the content: in
    /// `<body><b>a</body>`, content appended to `body` is bold. Start tags that a parser ignores count as in
    /// [`prepend`](Self::prepend).
    ///
    /// # Errors
    ///
    /// As [`prepend`](Self::prepend).
    pub fn append(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        let markup = self.to_inner_markup(content, false)?;
        self.changes_mut().appended.text += &markup;
        Ok(())
    }

    /// Inserts content that is produced when its position in the page is reached, and written piece by piece. It is
    /// placed where [`before`](Self::before), [`prepend`](Self::prepend), [`append`](Self::append) and
    /// [`after`](Self::after) would insert content if called now.
    ///
    /// In an element that contains only text, the content is produced immediately, because it is checked as a whole.
    ///
    /// ```
    /// use tabulex::Adjacent;
    /// use tabulex::html::Html;
    /// use tabulex::rewrite::{Content, Rules, rewrite_str};
    ///
    /// let rules = Rules::new().element("ul", |list| {
    ///     list.stream(Adjacent::BeforeEnd, |content| {
    ///         for number in 1..=3 {
    ///             content.write(Content::Markup("<li>"))?;
    ///             content.write(Content::Text(&number.to_string()))?;
    ///         }
    ///         Ok(())
    ///     })?;
    ///     Ok(())
    /// })?;
    /// assert_eq!(rewrite_str::<Html>("<ul></ul>", rules)?, "<ul><li>1<li>2<li>3</ul>");
    /// # Ok::<(), tabulex::rewrite::RewriteError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`prepend`](Self::prepend), and, if `content` is called at once, those that it returns.
    pub fn stream(
        &mut self,
        place: Adjacent,
        content: impl FnOnce(&mut ContentStream<'_>) -> Outcome + Send + 'h,
    ) -> Result<(), RewriteError> {
        let is_inside = matches!(place, Adjacent::AfterBegin | Adjacent::BeforeEnd);
        if is_inside && self.traits.is_text() {
            return self.insert_text_content(place, content);
        }
        let changes = self.changes_mut();
        let (contents, is_first) = match place {
            Adjacent::BeforeBegin => (&mut changes.before, false),
            Adjacent::AfterBegin => (&mut changes.prepended, true),
            Adjacent::BeforeEnd => (&mut changes.appended, false),
            Adjacent::AfterEnd => (&mut changes.after, true),
        };
        contents.add_stream(is_first, Box::new(content));
        Ok(())
    }

    /// Produces streamed content immediately and inserts it into an element that contains only text.
    fn insert_text_content(
        &mut self,
        place: Adjacent,
        content: impl FnOnce(&mut ContentStream<'_>) -> Outcome,
    ) -> Result<(), RewriteError> {
        let mut text = String::new();
        let mut write = |part: &str| {
            text += part;
            Ok(())
        };
        let is_literal = self.traits.is_literal;
        content(&mut ContentStream { is_literal, write: &mut write })
            .map_err(RewriteError::of_handler)?;
        match place {
            Adjacent::AfterBegin => self.prepend(Content::Markup(&text)),
            _ => self.append(Content::Markup(&text)),
        }
    }

    /// Replaces the element's contents, including content that handlers have inserted. Has no effect on an element that
    /// can have no contents.
    ///
    /// # Errors
    ///
    /// As [`prepend`](Self::prepend).
    pub fn set_inner(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        let markup = self.to_inner_markup(content, false)?.into_owned();
        let changes = self.changes_mut();
        changes.prepended.clear();
        changes.appended.clear();
        changes.inner = Some(markup);
        Ok(())
    }

    /// Replaces the element and its contents; handlers are not called for those contents.
    pub fn replace(&mut self, content: Content<'_>) {
        let changes = self.changes_mut();
        changes.replacement = content.to_markup().into_owned();
        changes.remainder = Remainder::Nothing;
    }

    /// Removes the element and its contents; handlers are not called for those contents.
    pub fn remove(&mut self) {
        let changes = self.changes_mut();
        changes.replacement.clear();
        changes.remainder = Remainder::Nothing;
    }

    /// Removes the element's tags and keeps its contents.
    pub fn remove_tags(&mut self) {
        self.changes_mut().remainder = Remainder::Contents;
    }

    /// Whether a handler has removed or replaced the element.
    pub fn is_removed(&self) -> bool {
        self.changes.remainder == Remainder::Nothing
    }

    /// Registers a handler to call where the element ends: at its end tag, at a tag that implies its end, where an
    /// enclosing element ends, or at the end of the page. It is not called if the element cannot have contents.
    pub fn on_end(&mut self, handler: impl FnOnce(&mut EndTag<'_>) -> Outcome + Send + 'h) {
        self.changes_mut().on_end.push(Box::new(handler));
    }

    /// Converts content to the markup to write inside the element; `is_followed` tells whether text of the page may follow.
    fn to_inner_markup<'c>(
        &self,
        content: Content<'c>,
        is_followed: bool,
    ) -> Result<Cow<'c, str>, RewriteError> {
        let name = self.tag.name();
        match content {
            _ if self.traits.is_literal => {
                literal_content(content, name, is_followed, self.context)
            }
            Content::Markup(text) if self.traits.is_text() => {
                let parser = self.context.parser;
                if seam::is_contained(name, text, &|markup| parser.parse(markup)) {
                    Ok(text.into())
                } else {
                    Err(RewriteError::BadText(text.to_owned()))
                }
            }
            content => Ok(content.to_markup()),
        }
    }
}

/// Checks that `name` is a valid tag name that the output encoding can represent.
pub(crate) fn check_name(name: &str, context: ContentContext<'_>) -> Result<(), RewriteError> {
    let is_forbidden =
        |byte: u8| byte.is_ascii_whitespace() || byte == 0 || matches!(byte, b'>' | b'/' | b'<');
    if !name.starts_with(|first: char| first.is_ascii_alphabetic())
        || name.bytes().any(is_forbidden)
    {
        return Err(RewriteError::BadName(name.to_owned()));
    }
    context.output.check_encodable(name)
}
