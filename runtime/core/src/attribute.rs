//! Attributes passed from tokens to a tree sink, and the names under which they are stored.

use crate::names::Name;
use crate::span::Span;

/// An attribute passed to a tree sink, for a new element or for an element that lacks the attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinkAttribute<'a> {
    /// The name, interned in the names of the tree being built.
    pub name: Name,
    /// The attribute's value.
    pub value: &'a str,
    /// The range of the name in the input: the empty range at the end of the tag for a default attribute that the
    /// document declares, `None` for an attribute that tree construction adds or copies.
    pub name_span: Option<Span>,
    /// The range of the value in the input, without quotes; equal to `name_span` for an attribute that does not occur
    /// in the input.
    pub value_span: Option<Span>,
}

impl<'a> SinkAttribute<'a> {
    /// Creates an attribute without ranges in the input, such as one that tree construction adds.
    pub const fn implied(name: Name, value: &'a str) -> Self {
        Self { name, value, name_span: None, value_span: None }
    }
}

/// The names under which a tag's attributes are stored in the tree.
#[derive(Clone, Copy, Debug)]
pub enum AttributeNames<'a> {
    /// The names as written, in no namespace.
    Written,
    /// The names, by attribute index; attributes past the end of the slice are dropped.
    All(&'a [Name]),
    /// The names, by attribute index; attributes with the entry `None`, or past the end of the slice, are dropped.
    Some(&'a [Option<Name>]),
}

impl AttributeNames<'_> {
    /// Returns the name of the attribute at `index`, or `None` if the attribute is dropped. For
    /// [`Written`](Self::Written), always returns `None`: the caller interns the names from the tag.
    #[inline]
    pub fn get(self, index: usize) -> Option<Name> {
        match self {
            Self::Written => None,
            Self::All(names) => names.get(index).copied(),
            Self::Some(names) => names.get(index).copied().flatten(),
        }
    }
}
