//! The interpreter's trees, with nodes in a list, so that tests can compare them.

use crate::interpreter::{Doctype, Span};

/// Index of a node in [`Tree::nodes`]; 0 is the document.
pub type NodeId = usize;

/// A tree of nodes; the document is the first node.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All nodes, including detached ones.
    pub nodes: Vec<Node>,
}

/// A node of a tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// Kind and contents of the node.
    pub kind: NodeKind,
    /// Children of the node.
    pub children: Vec<NodeId>,
    /// Source range of the node; for an element, that of its start tag.
    pub span: Span,
    /// Source range of an element's end tag; `None` if the end is implied.
    pub end_span: Option<Span>,
    /// Parent of the node; `None` for the document, fragments and detached nodes.
    pub parent: Option<NodeId>,
    /// Contents of a template element: a fragment, which has no parent.
    pub contents: Option<NodeId>,
    /// Shadow root of an element: a fragment, which has no parent.
    pub shadow_root: Option<NodeId>,
}

/// The kind and contents of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The document.
    Document,
    /// A fragment: template contents, a parsed fragment, or a shadow root with its properties.
    Fragment(Option<ShadowRoot>),
    /// An element: name and attributes.
    Element(Name, Vec<(Name, String)>),
    /// Text.
    Text(String),
    /// A comment.
    Comment(String),
    /// A processing instruction: target and data.
    ProcessingInstruction(String, String),
    /// A DOCTYPE.
    Doctype(Doctype),
}

/// The properties of a shadow root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShadowRoot {
    /// Mode, which says whether scripts can access the shadow root: `open` or `closed`.
    pub mode: String,
    /// Whether the shadow root delegates focus.
    pub delegates_focus: bool,
    /// Whether the shadow root is serialized with its host.
    pub is_serializable: bool,
    /// Slot assignment: `named` or `manual`.
    pub slot_assignment: String,
    /// Whether the shadow root is cloned with its host.
    pub is_clonable: bool,
    /// Whether the shadow root is declarative: declared by a `template` element in the markup.
    pub is_declarative: bool,
}

/// A qualified name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name {
    /// The whole name as written, with any prefix.
    pub qualified: String,
    /// Prefix before the first colon; empty if there is none or names have no prefixes.
    pub prefix: String,
    /// Local part of the name.
    pub local: String,
    /// URL of the namespace; empty if there is none.
    pub namespace: String,
}
