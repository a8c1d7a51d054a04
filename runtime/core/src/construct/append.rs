//! Primitives that append to the current node or the document, for tables without foster parenting, and primitives on
//! the fields of declared tokens, for all tables. Text of the document itself is buffered while its end may be trimmed.

use super::elements::Bindings;
use super::{Builder, Construction, Elements, TokenView, elements};
use crate::declared::DeclaredToken;
use crate::error::ParseError;
use crate::span::Span;
use crate::token::{Tag, Text};
use crate::tree::{AttributeNames, LocalName, Name, Names, Namespace, TreeSink};

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Creates an element for the token and appends it to the current node, without pushing it onto the stack.
    pub fn append_element(&mut self, token: &TokenView<'_>) {
        self.create_and_append(token, false);
    }

    /// Creates an element for the token, appends it to the current node, and pushes it onto the stack if `stays_open`.
    #[inline(never)]
    pub(super) fn create_and_append(&mut self, token: &TokenView<'_>, stays_open: bool) {
        let (TokenView::StartTag(tag, local) | TokenView::EndTag(tag, local)) = token else {
            return;
        };
        let Some(parent) = self.open.last().map(|open| open.node) else {
            return self.create_root(tag, *local, stays_open);
        };
        let parent = self.limit_depth(parent, Some(tag.span()));
        let names = self.sink.names();
        let (name, attribute_names) =
            resolve_names::<C>(tag, *local, names, &mut self.bindings, &mut self.attribute_names);
        let node = match self.sink.append_tag(parent, name, tag, attribute_names) {
            Some(node) => node,
            None => {
                let attributes = tag.attributes_with_names(attribute_names);
                self.sink.append_element(parent, name, attributes, Some(tag.span()))
            }
        };
        self.record_appended(parent, node);
        self.check_duplicates(tag);
        self.enter_created(node, *local, stays_open);
    }

    /// Creates an element for the tag and appends it to the document, when no element is open.
    #[cold]
    #[inline(never)]
    fn create_root(&mut self, tag: &Tag<'_>, local: LocalName, stays_open: bool) {
        let names = self.sink.names();
        let (name, attribute_names) =
            resolve_names::<C>(tag, local, names, &mut self.bindings, &mut self.attribute_names);
        let attributes = tag.attributes_with_names(attribute_names);
        let node = self.sink.make_element(name, attributes, Some(tag.span()));
        self.append(self.document, node, true);
        self.check_duplicates(tag);
        self.enter_created(node, local, stays_open);
    }

    /// Reports an error if attributes of the tag were dropped as duplicates.
    #[inline(always)]
    fn check_duplicates(&mut self, tag: &Tag<'_>) {
        if C::DUPLICATE_ATTRIBUTE.is_some() && self.bindings.has_duplicates {
            self.report_dropped_duplicates(tag);
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn report_dropped_duplicates(&mut self, tag: &Tag<'_>) {
        self.bindings.has_duplicates = false;
        if let Some(code) = C::DUPLICATE_ATTRIBUTE {
            self.report(ParseError::of(code, tag.span()));
        }
    }

    /// Pushes a newly created element, or closes it at once if it does not stay open.
    #[inline(always)]
    fn enter_created(&mut self, node: S::Node, local: LocalName, stays_open: bool) {
        if stays_open {
            self.push_element_inline(node, Name::new(C::ELEMENTS.namespace(), local), false);
        } else {
            self.leave_bindings();
            self.sink.popped(node);
        }
    }

    /// Undoes the prefix bindings of the last open element, which is being closed, in tables with prefixes.
    pub(super) fn leave_bindings(&mut self) {
        if C::ELEMENTS == Elements::Xml {
            self.bindings.leave();
        }
    }

    /// Appends a node to `parent`, and counts it if it becomes a child of the document.
    pub(super) fn append(&mut self, parent: S::Node, node: S::Node, is_element: bool) {
        if parent == self.document {
            self.flush_document_text();
            self.document_child_count += 1;
            self.has_single_element = self.document_child_count == 1 && is_element;
            self.document_has_element |= is_element;
        }
        self.link_last(parent, node);
    }

    /// Appends the characters of the token to the current node.
    #[inline(always)]
    pub fn append_text(&mut self, token: &TokenView<'_>) {
        let TokenView::Text(text) = token else { return };
        self.append_characters(text.text, text.span);
    }

    /// Appends characters to the current node, or to the document if no element is open.
    #[inline(always)]
    pub(super) fn append_characters(&mut self, text: &str, span: Span) {
        match self.open.last() {
            Some(open) if self.flattened_nodes.is_empty() => {
                self.sink.append_characters(open.node, text, span);
            }
            Some(open) => {
                let parent = self.parent_after_flattening(open.node);
                self.sink.append_characters(parent, text, span);
            }
            None => self.buffer_document_text(text, span),
        }
    }

    /// Buffers text that becomes a child of the document, and appends it at once if the table does not trim such text.
    #[cold]
    #[inline(never)]
    fn buffer_document_text(&mut self, text: &str, span: Span) {
        if self.document_text.is_empty() {
            self.document_text_span = span;
        }
        self.document_text.push_str(text);
        self.document_text_span.end = span.end;
        if !C::TRIMS_TEXT {
            self.flush_document_text();
        }
    }

    /// Appends the buffered text to the document. If it is the first child and the table trims text, its start is
    /// trimmed.
    pub(super) fn flush_document_text(&mut self) {
        if self.document_text.is_empty() {
            return;
        }
        let buffered = std::mem::take(&mut self.document_text);
        let is_first = self.document_child_count == 0;
        let text = if C::TRIMS_TEXT && is_first {
            buffered.trim_start_matches(C::is_trimmed)
        } else {
            &buffered
        };
        if text.is_empty() {
            return;
        }
        self.document_child_count += 1;
        self.has_single_element = false;
        self.sink.append_characters(self.document, text, self.document_text_span);
    }

    /// Appends a comment node for the token to `parent`.
    pub fn append_comment(&mut self, token: &TokenView<'_>, parent: S::Node) {
        if let TokenView::Comment(comment) = token {
            let node = self.sink.make_comment(comment.data, comment.span);
            let parent = self.parent_after_flattening(parent);
            self.append(parent, node, false);
        }
    }

    /// Appends a processing instruction node for the token to `parent`.
    pub fn append_processing_instruction(&mut self, token: &TokenView<'_>, parent: S::Node) {
        if let TokenView::ProcessingInstruction(target, data, span) = token {
            let node = self.sink.make_processing_instruction(target, data, *span);
            let parent = self.parent_after_flattening(parent);
            self.append(parent, node, false);
        }
    }

    /// Appends a DOCTYPE node for the token to the document.
    pub fn append_doctype(&mut self, token: &TokenView<'_>) {
        if let TokenView::Doctype(doctype) = token {
            let (public, system) = (doctype.public_identifier(), doctype.system_identifier());
            let node = self.sink.make_doctype(
                doctype.name().unwrap_or_default(),
                public,
                system,
                doctype.span(),
            );
            self.append(self.document, node, false);
            self.document_has_doctype = true;
        }
    }

    /// Appends the document's buffered text with its end trimmed, and also its start if it is the first child.
    pub fn trim_text(&mut self) {
        let length = self.document_text.trim_end_matches(C::is_trimmed).len();
        self.document_text.truncate(length);
        self.flush_document_text();
    }

    /// Moves the document's children into a new element with this name, unless the only child is an element.
    pub fn wrap_unless_single_element(&mut self, local: u32) {
        self.flush_document_text();
        if self.has_single_element {
            return;
        }
        let name = Name::new(Namespace::NONE, LocalName::known(local));
        let element = self.sink.make_element(name, std::iter::empty(), None);
        self.link_children(self.document, element);
        self.link_last(self.document, element);
    }
}

/// Returns the name of the element to create for the tag, and the names of its attributes.
#[inline(always)]
fn resolve_names<'a, C: Construction>(
    tag: &Tag<'_>,
    local: LocalName,
    names: &mut Names,
    bindings: &'a mut Bindings,
    attribute_names: &'a mut Vec<Option<Name>>,
) -> (Name, AttributeNames<'a>) {
    match C::ELEMENTS {
        Elements::Plain | Elements::Html => {
            elements::intern_attribute_names(
                tag,
                names,
                attribute_names,
                &mut bindings.has_duplicates,
            );
            (Name::new(C::ELEMENTS.namespace(), local), AttributeNames::Some(attribute_names))
        }
        Elements::Xml => bindings.enter(tag, local, names, attribute_names),
    }
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Runs the rows for a declared token, if rows take its kind and it is not inside another token or a text.
    pub(super) fn process_declared_token(&mut self, token: DeclaredToken<'_>) {
        if !token.is_inside() && C::TAKEN_TOKENS >> token.kind() & 1 == 1 {
            self.process_token(&TokenView::Declared(token));
        }
    }

    /// Whether the token is of the kind that has the field, and the text of the field is `expected`.
    pub fn field_is(&self, token: &TokenView<'_>, field: (usize, usize), expected: &str) -> bool {
        field_of(token, field).is_some_and(|(text, _)| text == expected)
    }

    /// Inserts the text of the field at the appropriate place; in tables without foster parenting, at the end of the
    /// current node.
    pub fn append_field(&mut self, token: &TokenView<'_>, field: (usize, usize)) {
        let Some((text, span)) = field_of(token, field) else { return };
        if text.is_empty() {
            return;
        }
        match C::ELEMENTS {
            Elements::Html => self.put_text(text, span),
            Elements::Plain | Elements::Xml => self.append_characters(text, span),
        }
    }

    /// Appends a text node with the text of the field to `parent`.
    pub fn append_text_node(
        &mut self,
        token: &TokenView<'_>,
        parent: S::Node,
        field: (usize, usize),
    ) {
        let Some((text, span)) = field_of(token, field) else { return };
        let parent = self.parent_after_flattening(parent);
        if parent == self.document {
            self.flush_document_text();
            self.document_child_count += 1;
            self.has_single_element = false;
        }
        self.sink.append_text_node(parent, text, span);
    }

    /// Inserts an element whose name is the text of the field, and pushes it onto the stack.
    pub fn insert_element_of_field(&mut self, token: &TokenView<'_>, field: (usize, usize)) {
        let Some((text, _)) = field_of(token, field) else { return };
        let (span, no_attributes) = (Some(token.span()), std::iter::empty());
        let local = self.sink.names().local(text);
        let name = Name::new(C::ELEMENTS.namespace(), local);
        if C::ELEMENTS == Elements::Html {
            let node = self.sink.make_element(name, no_attributes, span);
            let place = self.appropriate_place(None);
            self.put_element(place, node, span);
            return self.push_element(node, name, false);
        }
        let node = match self.open.last().map(|open| open.node) {
            Some(parent) => {
                let parent = self.limit_depth(parent, span);
                let node = self.sink.append_element(parent, name, no_attributes, span);
                self.record_appended(parent, node);
                node
            }
            None => {
                let node = self.sink.make_element(name, no_attributes, span);
                self.append(self.document, node, true);
                node
            }
        };
        self.push_element(node, name, false);
    }
}

/// Returns the text of the field as a text token, if the token is of the kind that has the field and the text is not
/// empty.
pub fn field_text<'a>(token: &TokenView<'a>, field: (usize, usize)) -> Option<TokenView<'a>> {
    let (text, span) = field_of(token, field).filter(|(text, _)| !text.is_empty())?;
    Some(TokenView::Text(Text::piece(text, span, false, false)))
}

/// Returns the text and the range of the field, if the token is of the kind that has the field.
pub fn field_of<'a>(
    token: &TokenView<'a>,
    (kind, field): (usize, usize),
) -> Option<(&'a str, Span)> {
    match token {
        TokenView::Declared(token) if token.kind() == kind => Some(token.field_at(field)),
        _ => None,
    }
}
