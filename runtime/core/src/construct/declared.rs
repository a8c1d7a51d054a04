//! Tokens of declared kinds in rows of modes: which tokens reach the rows, and what rows do with their fields.

use super::{Builder, Construction, Elements, TokenView};
use crate::declared::DeclaredToken;
use crate::span::Span;
use crate::token::Text;
use crate::tree::{Name, TreeSink};

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Processes the token if rows take its kind and it is not nested in another token.
    pub(super) fn declared_token(&mut self, token: DeclaredToken<'_>) {
        if !token.is_inside() && C::TAKEN_TOKENS >> token.kind() & 1 == 1 {
            self.token(&TokenView::Declared(token));
        }
    }

    /// Whether the token has the kind and the field of `field`, and the field's text is `expected`.
    pub fn field_is(&self, token: &TokenView<'_>, field: (usize, usize), expected: &str) -> bool {
        field_of(token, field).is_some_and(|(text, _)| text == expected)
    }

    /// Inserts the text of the field at the appropriate place, or appends it to the current node if the table has none.
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
            self.children += 1;
            self.has_single_element = false;
        }
        self.sink.append_text_node(parent, text, span);
    }

    /// Inserts an element whose name is the text of the field, and pushes it.
    pub fn insert_element_of_field(&mut self, token: &TokenView<'_>, field: (usize, usize)) {
        let Some((text, _)) = field_of(token, field) else { return };
        let (span, none) = (Some(token.span()), std::iter::empty());
        let local = self.sink.names().local(text);
        let name = Name::new(C::ELEMENTS.namespace(), local);
        if C::ELEMENTS == Elements::Html {
            let node = self.sink.make_element(name, none, span);
            let place = self.appropriate_place(None);
            self.put_element(place, node, span);
            return self.push_element(node, name, false);
        }
        let node = match self.open.last().map(|open| open.node) {
            Some(parent) => {
                let parent = self.limit_depth(parent, span);
                let node = self.sink.append_element(parent, name, none, span);
                self.record_appended(parent, node);
                node
            }
            None => {
                let node = self.sink.make_element(name, none, span);
                self.append(self.document, node, true);
                node
            }
        };
        self.push_element(node, name, false);
    }
}

/// Returns the text of the field as a token, if the token is of its kind and the text is not empty.
pub fn field_text<'a>(token: &TokenView<'a>, field: (usize, usize)) -> Option<TokenView<'a>> {
    let (text, span) = field_of(token, field).filter(|(text, _)| !text.is_empty())?;
    Some(TokenView::Text(Text::piece(text, span, false, false)))
}

/// Returns the field's text and range, if the token is of its kind.
pub fn field_of<'a>(
    token: &TokenView<'a>,
    (kind, field): (usize, usize),
) -> Option<(&'a str, Span)> {
    match token {
        TokenView::Declared(token) if token.kind() == kind => Some(token.at(field)),
        _ => None,
    }
}
