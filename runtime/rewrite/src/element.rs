//! The view of an element that handlers get: its start tag with the changes requested so far. Each handler gets the
//! changes of those before it; nothing is written here.

use crate::attributes::Attributes;
use crate::content::{Content, ContentContext, ContentStream, Contents, literal};
use crate::end_tag::EndTag;
use crate::error::{Outcome, RewriteError};
use crate::rules::OnEnd;
use std::borrow::Cow;
use std::collections::HashMap;
use tabulex_core::tree::Namespace;
use tabulex_core::{Adjacent, Attribute, Span, Tag};
use tabulex_edit::seam::{self, ContentKind};

/// The part of an element that stays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Remainder {
    #[default]
    All,
    /// Its contents, without its tags.
    Contents,
    Nothing,
}

/// The requested changes of an element.
#[derive(Default)]
pub(crate) struct Changes<'h> {
    /// Whether any change was requested.
    pub(crate) are_some: bool,
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
    /// Whether the page changes at the start tag or after it.
    pub(crate) fn changes_page(&self) -> bool {
        let places = [&self.before, &self.after, &self.prepended, &self.appended];
        self.remainder != Remainder::All
            || self.name.is_some()
            || self.inner.is_some()
            || !self.attributes.is_empty()
            || !self.replacement.is_empty()
            || places.iter().any(|contents| !contents.is_empty())
    }

    /// Whether something is put into the element.
    pub(crate) fn gives_contents(&self) -> bool {
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
        self.are_some = false;
    }
}

/// An element whose start tag has been read.
pub struct Element<'t, 'h> {
    pub(crate) tag: &'t Tag<'t>,
    pub(crate) namespace: Namespace,
    pub(crate) has_contents: bool,
    pub(crate) model: ContentModel,
    pub(crate) is_inserted: bool,
    pub(crate) context: ContentContext<'t>,
    pub(crate) kinds: &'t mut ContentKinds,
    pub(crate) changes: &'t mut Changes<'h>,
}

/// Cache of how the contents of elements are parsed, by element name.
pub(crate) type ContentKinds = HashMap<String, ContentKind>;

/// Parsing rules for the names and contents of an element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContentModel {
    /// Whether names are read in lower case.
    pub(crate) has_lower_names: bool,
    /// Whether the element is the dialect's own.
    pub(crate) is_own: bool,
    /// Whether the element holds text alone.
    pub(crate) is_text: bool,
    /// Whether this text is written literally.
    pub(crate) is_literal: bool,
    /// Whether a line end directly after the start tag is dropped.
    pub(crate) drops_line_end: bool,
}

impl<'h> Element<'_, 'h> {
    /// The element's name. In HTML documents it is in lower case, also in SVG.
    pub fn name(&self) -> &str {
        self.changes.name.as_deref().unwrap_or(self.tag.name())
    }

    /// The element's namespace.
    pub fn namespace(&self) -> Namespace {
        self.namespace
    }

    /// The range of its start tag in the decoded input.
    pub fn span(&self) -> Span {
        self.tag.span()
    }

    /// Whether its start tag stands in the text of an entity, of which the page has the reference alone. A change of it ends
    /// the rewriting with [`RewriteError::Inserted`]. Only in dialects with entities that a page declares.
    pub fn is_inserted(&self) -> bool {
        self.is_inserted
    }

    /// Whether it can have contents: it is no void element, and no foreign one whose tag closes itself.
    pub fn can_have_contents(&self) -> bool {
        self.has_contents
    }

    /// The value of an attribute, its character references replaced. In HTML the letter case of the name does not matter.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let name = &*self.attribute_name(name);
        match self.changes.attributes.iter().find(|(changed, _)| changed == name) {
            Some((_, value)) => value.as_deref(),
            None => self.tag.attribute(name),
        }
    }

    /// Names and values of its attributes, those that handlers have set last.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        let changes = &self.changes.attributes[..];
        Attributes { written: self.tag.attributes(), changes, set: changes.iter() }
    }

    /// The attributes as they are written, with the ranges of names and values in the decoded input.
    pub fn written_attributes(&self) -> impl Iterator<Item = Attribute<'_>> {
        // What a declaration gives has no place in the tag.
        self.tag.attributes().filter(|attribute| !attribute.name_span.is_empty())
    }

    /// The name of an attribute as tags have it.
    fn attribute_name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        if self.model.has_lower_names && name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            name.to_ascii_lowercase().into()
        } else {
            name.into()
        }
    }

    /// Sets an attribute: its value is escaped. Others stay as they are written.
    ///
    /// # Errors
    ///
    /// If no attribute can have the name, the encoding does not have its characters, and if the tag
    /// [is inserted](Self::is_inserted).
    pub fn set_attribute(&mut self, name: &str, value: &str) -> Result<(), RewriteError> {
        let is_bad = |byte: u8| {
            byte.is_ascii_whitespace()
                || byte == 0
                || matches!(byte, b'"' | b'\'' | b'>' | b'/' | b'=')
        };
        if name.is_empty() || name.bytes().any(is_bad) {
            return Err(RewriteError::BadName(name.to_owned()));
        }
        if !self.context.output.has(name) {
            return Err(RewriteError::NotInEncoding(name.to_owned()));
        }
        self.check_place()?;
        self.change(self.attribute_name(name).into_owned(), Some(value.to_owned()));
        Ok(())
    }

    /// Removes an attribute, if it is there. In HTML the letter case of the name does not matter.
    pub fn remove_attribute(&mut self, name: &str) {
        let name = self.attribute_name(name);
        if self.attribute(&name).is_some() {
            self.change(name.into_owned(), None);
        }
    }

    fn check_place(&self) -> Result<(), RewriteError> {
        let span = self.span();
        if self.is_inserted { Err(RewriteError::Inserted { span }) } else { Ok(()) }
    }

    /// Returns the changes, to which one is added.
    fn pending(&mut self) -> &mut Changes<'h> {
        self.changes.are_some = true;
        self.changes
    }

    fn change(&mut self, name: String, value: Option<String>) {
        let changes = &mut self.pending().attributes;
        match changes.iter_mut().find(|(changed, _)| *changed == name) {
            Some((_, other)) => *other = value,
            None => changes.push((name, value)),
        }
    }

    /// Gives it another name, in both tags. An element that can have no contents gets an end tag if others of the new name have
    /// one.
    ///
    /// # Errors
    ///
    /// If no element can have the name, its contents would be read otherwise than those of this one, the encoding does not have
    /// its characters, and if the tag [is inserted](Self::is_inserted).
    pub fn set_name(&mut self, name: &str) -> Result<(), RewriteError> {
        check_name(name, self.context)?;
        self.check_place()?;
        if self.model.is_own && self.model.has_lower_names {
            let (old, new) = (self.kind(self.tag.name()), self.kind(&name.to_ascii_lowercase()));
            if old != new && (old, new) != (ContentKind::None, ContentKind::Markup) {
                return Err(RewriteError::OtherContents(name.to_owned()));
            }
        }
        self.pending().name = Some(name.to_owned());
        Ok(())
    }

    /// Returns how the contents of elements of a name are parsed.
    fn kind(&mut self, name: &str) -> ContentKind {
        if let Some(kind) = self.kinds.get(name) {
            return *kind;
        }
        let parser = self.context.parser;
        let kind = seam::content_kind(name, &|markup| parser.parse(markup));
        self.kinds.insert(name.to_owned(), kind);
        kind
    }

    /// Inserts content before the element, after content inserted there earlier.
    pub fn before(&mut self, content: Content<'_>) {
        self.pending().before.text += &content.written();
    }

    /// Inserts content after the element, before content inserted there earlier.
    pub fn after(&mut self, content: Content<'_>) {
        self.pending().after.put_first(&content.written());
    }

    /// Inserts content at the start of the element's contents, before content inserted there earlier. Has no effect on an
    /// element that can have no contents.
    ///
    /// # Errors
    ///
    /// If the element holds text alone and would end within the content.
    pub fn prepend(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        let written = self.written(content, true)?;
        self.pending().prepended.put_first(&written);
        Ok(())
    }

    /// Inserts content at the end of the element's contents, after content inserted there earlier. Has no effect on an
    /// element that can have no contents.
    ///
    /// # Errors
    ///
    /// As [`prepend`](Self::prepend).
    pub fn append(&mut self, content: Content<'_>) -> Result<(), RewriteError> {
        let written = self.written(content, false)?;
        self.pending().appended.text += &written;
        Ok(())
    }

    /// Inserts content that is produced when its place in the page is reached, and written piece by piece. It stands where
    /// [`before`](Self::before), [`prepend`](Self::prepend), [`append`](Self::append) and [`after`](Self::after) insert content
    /// at this time.
    ///
    /// In an element that holds text alone the content is checked as a whole: there it is produced at once.
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
        if is_inside && self.model.is_text {
            return self.put_text(place, content);
        }
        let changes = self.pending();
        let (contents, is_first) = match place {
            Adjacent::BeforeBegin => (&mut changes.before, false),
            Adjacent::AfterBegin => (&mut changes.prepended, true),
            Adjacent::BeforeEnd => (&mut changes.appended, false),
            Adjacent::AfterEnd => (&mut changes.after, true),
        };
        contents.stream(is_first, Box::new(content));
        Ok(())
    }

    /// Puts content into an element that holds text alone.
    fn put_text(
        &mut self,
        place: Adjacent,
        content: impl FnOnce(&mut ContentStream<'_>) -> Outcome,
    ) -> Result<(), RewriteError> {
        let mut text = String::new();
        let mut write = |part: &str| {
            text += part;
            Ok(())
        };
        let mut stream = ContentStream::new(self.model.is_literal, &mut write);
        content(&mut stream).map_err(RewriteError::of_handler)?;
        stream.flush()?;
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
        let written = self.written(content, false)?.into_owned();
        let changes = self.pending();
        changes.prepended.clear();
        changes.appended.clear();
        changes.inner = Some(written);
        Ok(())
    }

    /// Replaces the element with its contents, for which no handler is called.
    pub fn replace(&mut self, content: Content<'_>) {
        let changes = self.pending();
        changes.replacement = content.written().into_owned();
        changes.remainder = Remainder::Nothing;
    }

    /// Removes the element with its contents, for which no handler is called.
    pub fn remove(&mut self) {
        let changes = self.pending();
        changes.replacement.clear();
        changes.remainder = Remainder::Nothing;
    }

    /// Removes the element's tags and keeps its contents.
    pub fn remove_tags(&mut self) {
        self.pending().remainder = Remainder::Contents;
    }

    /// Whether a handler has removed or replaced it.
    pub fn is_removed(&self) -> bool {
        self.changes.remainder == Remainder::Nothing
    }

    /// Calls a handler where the element ends: at its end tag, at the tag that ends an element around it, or at the end of
    /// the page. Not if it can have no contents.
    pub fn on_end(&mut self, handler: impl FnOnce(&mut EndTag<'_>) -> Outcome + Send + 'h) {
        self.pending().on_end.push(Box::new(handler));
    }

    /// Returns content in the form that it is written in inside of the element.
    fn written<'c>(
        &self,
        content: Content<'c>,
        is_followed: bool,
    ) -> Result<Cow<'c, str>, RewriteError> {
        let name = self.tag.name();
        match content {
            _ if self.model.is_literal => literal(content, name, is_followed, self.context),
            Content::Markup(text) if self.model.is_text => {
                let parser = self.context.parser;
                if seam::is_contained(name, text, &|markup| parser.parse(markup)) {
                    Ok(text.into())
                } else {
                    Err(RewriteError::BadText(text.to_owned()))
                }
            }
            content => Ok(content.written()),
        }
    }
}

/// Whether this can be the name of a tag.
pub(crate) fn check_name(name: &str, context: ContentContext<'_>) -> Result<(), RewriteError> {
    let is_bad =
        |byte: u8| byte.is_ascii_whitespace() || byte == 0 || matches!(byte, b'>' | b'/' | b'<');
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || name.bytes().any(is_bad) {
        return Err(RewriteError::BadName(name.to_owned()));
    }
    if !context.output.has(name) {
        return Err(RewriteError::NotInEncoding(name.to_owned()));
    }
    Ok(())
}
