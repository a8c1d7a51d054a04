//! Steps of algorithms for tokens before rows match them, and for elements that are created for tokens without the
//! rules of HTML.

use super::algorithm::Expression;
use crate::model::ErrorId;
use crate::model::token_steps::DoctypePart;

/// A change to a token, or to the elements created for it.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenEffect {
    /// Drops each attribute of the token that has the name of an earlier one.
    KeepFirstAttributes,
    /// Drops all attributes of the token.
    DropAttributes,
    /// Joins adjacent characters into one text.
    JoinCharacters,
    /// Passes the token to the rows.
    Pass,
    /// Has tree construction process the token before the next one is emitted.
    Handle,
    /// Runs the row that matches the token.
    TakeRow(RowsOf),
    /// Stops ignoring the next line feed.
    KeepLineFeed,
    /// Reports a parse error at the token.
    Error(ErrorId),
    /// Records the token as the end tag of the element.
    End(Expression),
    /// Trims the characters given by the action from this end of the text node's data.
    Trim(Side, Expression),
    /// Adds an attribute, given by prefix, local name, namespace and value, to the element, unless the element has one
    /// with that name.
    AddAttribute(Box<[Expression; 5]>),
}

/// The rows that match a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsOf {
    /// Rows of the current mode.
    Mode,
    /// Rows of the mode to which `tree dispatch` directs the token.
    Dispatcher,
}

/// An end of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The start of the string.
    Start,
    /// The end of the string.
    End,
}

/// A condition on a token, or on elements created for it.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenQuestion {
    /// The token is a start tag.
    IsStartTag,
    /// The token is an end tag with a name.
    IsEndTag,
    /// The token is an end tag, with or without a name.
    IsAnyEndTag,
    /// The token is a text of adjacent characters.
    IsCharacters,
    /// The token is a line feed character.
    IsLineFeed,
    /// A line feed is ignored if it comes next.
    IgnoresLineFeed,
    /// `tree dispatch` directs the token to another mode.
    IsDispatched,
    /// The last row requested that the token be reprocessed.
    IsReprocessed,
    /// The token is a tag with its self-closing flag set.
    IsSelfClosing,
    /// A row has acknowledged the token's self-closing flag.
    IsAcknowledged,
    /// An attribute of the token was dropped because an earlier one has its name.
    IsShortened,
    /// The token or element has an attribute with this name as written.
    HasNamed(Expression, Expression),
    /// The element has an attribute with this local name in this namespace, and the namespace is not empty.
    HasInNamespace(Box<[Expression; 3]>),
    /// The element's local name, in lower case if it is foreign, is the token's name.
    HasTokenName(Expression),
    /// The element is not in the table's own namespace.
    IsForeign(Expression),
    /// The element is an integration point.
    IsIntegrationPoint(Expression),
    /// The node has a child that is a DOCTYPE.
    HasDoctypeChild(Expression),
}

/// A value that depends on a name as written in the input, or a part of such a name.
#[derive(Clone, Debug, PartialEq)]
pub enum NamedValue {
    /// The last element of the stack with this name, if any.
    LastOpen(Box<Expression>),
    /// The part of the name before its first colon; empty if there is none.
    Prefix(Box<Expression>),
    /// The part of the name after its prefix and the colon; the whole name if it has no prefix.
    LocalPart(Box<Expression>),
    /// The first string followed by the second.
    Joined(Box<Expression>, Box<Expression>),
    /// The value of the attribute with this name, of a token or an element; empty if it has none.
    Attribute(Box<Expression>, Box<Expression>),
    /// A part of the DOCTYPE token; the given string if it is missing.
    OfDoctype(DoctypePart, Box<Expression>),
}
