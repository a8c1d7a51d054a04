//! Tokens of kinds that a table declares, as a sink sees them: views into the input and into the machine's registers. They
//! own nothing. Invariant: a token has all fields of its kind, in the table's order.

use crate::registers::{Source, TextRegister};
use crate::span::Span;
use std::fmt;

/// A kind of token that a table declares with `token`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenForm {
    /// Its name.
    pub name: &'static str,
    /// The names of its fields.
    pub fields: &'static [&'static str],
    /// The number of its first field, counted from 0 through the fields of all kinds in the table's order.
    pub first: usize,
}

/// A token of a kind that a table declares.
#[derive(Clone, Copy)]
pub struct DeclaredToken<'a> {
    pub(crate) form: &'static TokenForm,
    pub(crate) fields: &'a [TextRegister],
    pub(crate) source: Source<'a>,
    pub(crate) span: Span,
    /// The number of the kind, and whether the token is inside another one.
    pub(crate) kind: usize,
    pub(crate) is_inside: bool,
}

impl<'a> DeclaredToken<'a> {
    /// The name of its kind.
    pub fn name(&self) -> &'static str {
        self.form.name
    }

    /// The range of the token, from what the row consumed that created it to what the row consumed that emitted it.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether the token is part of another one, or of a text. Rows of modes are not given it.
    pub fn is_inside(&self) -> bool {
        self.is_inside
    }

    /// Whether it comes from a text that a row has inserted, see [`Text::is_inserted`](crate::Text::is_inserted).
    pub fn is_inserted(&self) -> bool {
        self.source.is_inserted()
    }

    /// The number of its kind, counted from 0 in the order in which the table declares them.
    pub fn kind(&self) -> usize {
        self.kind
    }

    /// The text of the field of this number, and where it comes from; nothing where there is none.
    pub(crate) fn at(&self, field: usize) -> (&'a str, Span) {
        let start = self.span.start;
        let found = self.fields.get(field);
        found.map_or(("", Span::new(start, start)), |it| (it.text(self.source), it.span_or(start)))
    }

    /// The fields in the table's order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = DeclaredField<'a>> + use<'a> {
        let (source, start) = (self.source, self.span.start);
        self.form.fields.iter().zip(self.fields).map(move |(name, field)| DeclaredField {
            name,
            text: field.text(source),
            span: field.span_or(start),
        })
    }

    /// The text of the field of this name; none where the kind has no such field.
    pub fn field(&self, name: &str) -> Option<&'a str> {
        self.fields().find(|field| field.name == name).map(|field| field.text)
    }
}

impl fmt::Debug for DeclaredToken<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DeclaredToken")
            .field("name", &self.name())
            .field("fields", &self.fields().collect::<Vec<_>>())
            .field("span", &self.span)
            .finish()
    }
}

/// A field of such a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredField<'a> {
    /// Its name.
    pub name: &'static str,
    /// Its text.
    pub text: &'a str,
    /// The range that the text comes from; where nothing was added to it, the place at which the token begins.
    pub span: Span,
}
