//! What steps of algorithms ask and change where a tree is written as text. They ask about nodes as other steps do; what is here
//! is asked by them alone. Invariant: what is asked changes nothing.

use super::algorithm::{Expression, VariableId};
use super::{AttributeNamespace, Namespace, TreeFlagId};

/// What a step changes about a string.
#[derive(Clone, Debug, PartialEq)]
pub enum WritingEffect {
    /// The second is appended to the string.
    Append(VariableId, Expression),
    /// In the string each of the second is replaced by the third.
    Replace(VariableId, Expression, Expression),
}

/// What a step asks about nodes and attributes that are written.
#[derive(Clone, Debug, PartialEq)]
pub enum WritingQuestion {
    /// The node is of this kind.
    IsKind(Expression, WrittenKind),
    /// The element is in one of these namespaces.
    IsInNamespace(Expression, &'static [Namespace]),
    /// The attribute is in this namespace, or in none.
    HasNamespace(Expression, Option<AttributeNamespace>),
    /// The list has the node.
    Contains(Expression, Expression),
    /// The host has set the flag, and the node is in no template contents, for which scripting is disabled.
    ScriptingIsEnabled(TreeFlagId, Expression),
}

/// A kind of nodes of which no other step asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenKind {
    /// A comment.
    Comment,
    /// A processing instruction.
    ProcessingInstruction,
    /// A document type.
    DocumentType,
}

/// What is written of nodes and attributes.
#[derive(Clone, Debug, PartialEq)]
pub enum WritingValue {
    /// The local name of the element or the attribute.
    LocalName(Expression),
    /// The name of the element or the attribute with its prefix.
    QualifiedName(Expression),
    /// The value of the attribute.
    ValueOf(Expression),
    /// The name of the document type.
    DoctypeName(Expression),
    /// The target of the processing instruction.
    Target(Expression),
    /// This of the shadow root.
    OfShadow(ShadowPart, Expression),
    /// The node as text: whether shadow roots that are serializable are written, and which others.
    Serialized([Expression; 3]),
}

/// A part of what is known of a shadow root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShadowPart {
    /// Its mode.
    Mode,
    /// How slots are assigned.
    SlotAssignment,
    /// Whether it delegates focus.
    DelegatesFocus,
    /// Whether it is serializable.
    IsSerializable,
    /// Whether it is clonable.
    IsClonable,
}

/// What steps are taken for, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// The children of a node.
    Children,
    /// The attributes of an element.
    Attributes,
}
