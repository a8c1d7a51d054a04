//! Trees of plain nodes, as tests compare them. Nothing is built here. Invariant: the document is the first node.

use crate::interpreter::{Doctype, Span};

/// Index of a node in [`Tree::nodes`]; 0 is the document.
pub type NodeId = usize;

/// A tree of plain nodes.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All nodes, detached ones included.
    pub nodes: Vec<Node>,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its children.
    pub children: Vec<NodeId>,
    /// The source range from which it was made; of an element, that of its start tag.
    pub span: Span,
    /// Of an element, the source range of its end tag, unless implied.
    pub end_span: Option<Span>,
    /// The node whose child it is.
    pub parent: Option<NodeId>,
    /// Of a template element, the fragment that holds its contents; it has no parent.
    pub contents: Option<NodeId>,
    /// The shadow root, if there is one; it has no parent.
    pub shadow_root: Option<NodeId>,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// The document.
    Document,
    /// What holds the contents of a template or what is parsed of a fragment, or a shadow root.
    Fragment(Option<ShadowRoot>),
    /// An element.
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

/// What is known of a shadow root besides its nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShadowRoot {
    /// `open` or `closed`.
    pub mode: String,
    /// Whether it delegates focus.
    pub delegates_focus: bool,
    /// Whether it is written with its host.
    pub is_serializable: bool,
    /// How slots are assigned: `named` or `manual`.
    pub slot_assignment: String,
    /// Whether it is cloned with its host.
    pub is_clonable: bool,
    /// Whether markup declared it.
    pub is_declarative: bool,
}

/// A name with its namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name {
    /// The name as written.
    pub qualified: String,
    /// What is before the first colon, if names have prefixes.
    pub prefix: String,
    /// The rest.
    pub local: String,
    /// The namespace; empty if none.
    pub namespace: String,
}
