//! Tokens of the kinds that a table declares: views into the input and the machine's registers.

use crate::registers::{SourceText, TextRegister};
use crate::span::Span;
use std::fmt;

/// A kind of token that a table declares with `token`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenForm {
    /// The name of the kind of token.
    pub name: &'static str,
    /// The names of a token's fields.
    pub fields: &'static [&'static str],
    /// The index of the kind's first field in the list of the fields of all kinds.
    pub first: usize,
}

/// A token of a kind that a table declares.
#[derive(Clone, Copy)]
pub struct DeclaredToken<'a> {
    pub(crate) form: &'static TokenForm,
    pub(crate) fields: &'a [TextRegister],
    pub(crate) source: SourceText<'a>,
    pub(crate) span: Span,
    pub(crate) kind: usize,
    pub(crate) is_inside: bool,
}

impl<'a> DeclaredToken<'a> {
    /// Returns the name of the token's kind.
    pub fn name(&self) -> &'static str {
        self.form.name
    }

    /// Returns the range of the token: from the start of the row that created it to the end of the row that emitted it.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether the token is inside another token or a text. Such tokens are not passed to the rows of modes.
    pub fn is_inside(&self) -> bool {
        self.is_inside
    }

    /// Whether the token comes from inserted text; see [`Text::is_inserted`](crate::Text::is_inserted).
    pub fn is_inserted(&self) -> bool {
        self.source.is_inserted()
    }

    /// Returns the index of the token's kind in the table's order of declaration.
    pub fn kind(&self) -> usize {
        self.kind
    }

    /// Returns the text and range of the field at index `index`, both empty if there is no such field.
    pub(crate) fn field_at(&self, index: usize) -> (&'a str, Span) {
        let start = self.span.start;
        match self.fields.get(index) {
            Some(register) => (register.text(self.source), register.span_or(start)),
            None => ("", Span::new(start, start)),
        }
    }

    /// Returns the fields of the token in table order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = DeclaredField<'a>> + use<'a> {
        let (source, start) = (self.source, self.span.start);
        self.form.fields.iter().zip(self.fields).map(move |(name, field)| DeclaredField {
            name,
            text: field.text(source),
            span: field.span_or(start),
            is_missing: !field.is_set(),
        })
    }

    /// Returns the texts of the fields; `None` for a missing field.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Option<&'a str>> {
        self.fields.iter().map(|field| field.is_set().then(|| field.text(self.source)))
    }

    /// Returns the text of the field called `name`, empty if the field is missing, or `None` if the kind has no such
    /// field.
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

/// A field of a [`DeclaredToken`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclaredField<'a> {
    /// The name of the field.
    pub name: &'static str,
    /// The text of the field.
    pub text: &'a str,
    /// The input range of the text; the empty range at the start of the token if the field is missing.
    pub span: Span,
    /// Whether nothing was set or appended to the field.
    pub is_missing: bool,
}
