//! What steps of algorithms ask and change about tokens before rows see them, and about elements that are made of them without
//! the rules of HTML. Invariant: what is asked changes nothing.

use super::algorithm::Expression;
use crate::model::ErrorId;
use crate::model::token_steps::DoctypePart;

/// What a step changes about a token, or about what is made of it.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenEffect {
    /// Of the token's attributes with the same name the first one stays.
    KeepFirstAttributes,
    /// The token has no attributes any more.
    DropAttributes,
    /// Characters that follow each other become one text.
    JoinCharacters,
    /// Rows see the token.
    Pass,
    /// Tree construction handles the token, before the next one is made.
    Handle,
    /// The row that takes the token is taken.
    TakeRow(RowsOf),
    /// A line feed that comes next is a token as others are.
    KeepLineFeed,
    /// A parse error at the token.
    Error(ErrorId),
    /// The end tag ends the element.
    End(Expression),
    /// The characters that the action names are removed from this end of the text node's data.
    Trim(Side, Expression),
    /// The element has the attribute: its prefix, local name, namespace and value, and the element.
    AddAttribute(Box<[Expression; 5]>),
}

/// Whose rows are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsOf {
    /// Those of the mode.
    Mode,
    /// Those of the mode to which `tree dispatch` leads the token.
    Dispatcher,
}

/// An end of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its first characters.
    Start,
    /// Its last characters.
    End,
}

/// What a step asks about a token, or about what is made of it.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenQuestion {
    /// It is a start tag.
    IsStartTag,
    /// It is an end tag.
    IsEndTag,
    /// It is an end tag, with a name or without.
    IsAnyEndTag,
    /// It is characters that follow each other.
    IsCharacters,
    /// It is a line feed character.
    IsLineFeed,
    /// A line feed that comes next is to be ignored.
    IgnoresLineFeed,
    /// `tree dispatch` leads it to another mode.
    IsDispatched,
    /// The row that was taken last says that the token is processed again.
    IsReprocessed,
    /// It is a tag whose self-closing flag is set.
    IsSelfClosing,
    /// A row has acknowledged the self-closing flag.
    IsAcknowledged,
    /// Attributes of it were removed because an earlier one has their name.
    IsShortened,
    /// The token, or the element, has an attribute of this name, as it was written.
    HasNamed(Expression, Expression),
    /// The element has an attribute of this local name in this namespace, which is one.
    HasInNamespace(Box<[Expression; 3]>),
    /// The local name of the element, in lower case, is the name of the token.
    HasTokenName(Expression),
    /// The element is in another namespace than the table's own.
    IsForeign(Expression),
    /// The element is an integration point.
    IsIntegrationPoint(Expression),
    /// The node has a DOCTYPE as a child.
    HasDoctypeChild(Expression),
}

/// A value by a name as it was written, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub enum NamedValue {
    /// The last element of the stack of this name, or none.
    LastOpen(Box<Expression>),
    /// What is before the first colon of the name; empty if nothing is.
    Prefix(Box<Expression>),
    /// The name without its prefix.
    LocalPart(Box<Expression>),
    /// The first string, and then the second.
    Joined(Box<Expression>, Box<Expression>),
    /// The value of the attribute of this name, of a token or an element; empty if it has none.
    Attribute(Box<Expression>, Box<Expression>),
    /// The part of the DOCTYPE token; the string where it is missing.
    OfDoctype(DoctypePart, Box<Expression>),
}
