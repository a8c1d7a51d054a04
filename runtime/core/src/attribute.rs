//! Attributes on their way from a tag to a tree, and the names that they have there. They own nothing. Invariant: a name
//! that is given belongs to the names of the tree that is built.

use crate::names::Name;
use crate::span::Span;

/// An attribute of an element that is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SinkAttribute<'a> {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: &'a str,
    /// The range of the name in the input, if it is there.
    pub name_span: Option<Span>,
    /// The range of the value, quotes left out, if it is there.
    pub value_span: Option<Span>,
}

impl<'a> SinkAttribute<'a> {
    /// An attribute that does not stand in the input, such as one with a default value.
    pub const fn implied(name: Name, value: &'a str) -> Self {
        Self { name, value, name_span: None, value_span: None }
    }
}

/// What the attributes of a tag are called.
#[derive(Clone, Copy, Debug)]
pub enum AttributeNames<'a> {
    /// As they are written, in no namespace.
    Written,
    /// By these names, one for each; what lacks one is left out.
    All(&'a [Name]),
    /// By these names, one for each; an attribute that has none is left out.
    Some(&'a [Option<Name>]),
}

impl AttributeNames<'_> {
    /// The name that is given to the attribute with this index, if any is; for attributes called as they are written it
    /// is to be made of that.
    #[inline]
    pub fn get(self, index: usize) -> Option<Name> {
        match self {
            Self::Written => None,
            Self::All(names) => names.get(index).copied(),
            Self::Some(names) => names.get(index).copied().flatten(),
        }
    }
}
