//! Effects and conditions that only algorithms for serialization use.

use super::algorithm::{Expression, VariableId};
use super::{AttributeNamespace, Namespace, TreeFlagId};

/// A change to a string.
#[derive(Clone, Debug, PartialEq)]
pub enum WritingEffect {
    /// Appends the value to the string variable.
    Append(VariableId, Expression),
    /// Replaces each occurrence of the first value in the string variable by the second.
    Replace(VariableId, Expression, Expression),
}

/// A condition on serialized nodes and attributes.
#[derive(Clone, Debug, PartialEq)]
pub enum WritingQuestion {
    /// The node is of this kind.
    IsKind(Expression, WrittenKind),
    /// The element is in one of these namespaces.
    IsInNamespace(Expression, &'static [Namespace]),
    /// The attribute is in this namespace; with `None`, in no namespace.
    HasNamespace(Expression, Option<AttributeNamespace>),
    /// The list contains the node.
    Contains(Expression, Expression),
    /// The host has set the flag, and the node is not in template contents, where scripting is disabled.
    ScriptingIsEnabled(TreeFlagId, Expression),
}

/// A kind of node that only algorithms for serialization distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenKind {
    /// A comment.
    Comment,
    /// A processing instruction.
    ProcessingInstruction,
    /// A document type.
    DocumentType,
}

/// A property of a shadow root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShadowPart {
    /// The mode of the shadow root.
    Mode,
    /// The slot assignment of the shadow root.
    SlotAssignment,
    /// Whether the shadow root delegates focus.
    DelegatesFocus,
    /// Whether the shadow root is serializable.
    IsSerializable,
    /// Whether the shadow root is clonable.
    IsClonable,
}

/// The members of a node over which steps iterate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// The children of a node.
    Children,
    /// The attributes of an element.
    Attributes,
}
