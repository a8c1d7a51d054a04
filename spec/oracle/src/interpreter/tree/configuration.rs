//! The configuration of a tree builder for searches over inputs: the parts on which most rows depend, with elements
//! represented by their names, so that the number of configurations does not grow with the tree.

use super::{NodeId, TreeBuilder};
use tabulex_language::model::tree::{DocumentMode, ModeId};

/// The state of a tree builder, restricted to the innermost open elements and the last active formatting elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeConfiguration {
    /// Current insertion mode.
    pub mode: ModeId,
    /// Original insertion mode, if it is set.
    pub original_mode: Option<ModeId>,
    /// Current template insertion mode, if any.
    pub template_mode: Option<ModeId>,
    /// Name of the context element of a fragment, with the last segment of its namespace; `None` for a document.
    pub context: Option<String>,
    /// Names of the innermost open elements, each with the last segment of its namespace: at most [`NEAR`], starting
    /// with the current node.
    pub open: Vec<String>,
    /// Names of the last active formatting elements, each with the last segment of its namespace: at most [`NEAR`],
    /// last first. An empty string stands for a marker.
    pub formatting: Vec<String>,
    /// For each pointer that the table declares, whether it is set.
    pub pointers: Vec<bool>,
    /// Values of the flags of tree construction.
    pub flags: Vec<u8>,
    /// Document mode: quirks, limited quirks or no quirks.
    pub document_mode: DocumentMode,
}

/// Maximum number of open elements, and of active formatting elements, in a configuration.
pub const NEAR: usize = 3;

impl TreeConfiguration {
    /// Reduces the configuration to at most `near` open elements and `near - 1` active formatting elements; if `near`
    /// is less than 2, also omits the context and the document mode.
    pub fn cut(&mut self, near: usize) {
        self.open.truncate(near);
        self.formatting.truncate(near.saturating_sub(1));
        if near < 2 {
            self.context = None;
            self.document_mode = DocumentMode::NoQuirks;
        }
    }
}

impl TreeBuilder<'_> {
    /// Returns the current insertion mode, in which the next token is processed unless the table dispatches it
    /// elsewhere.
    pub fn mode(&self) -> ModeId {
        self.mode
    }

    /// Returns the names of all open elements, each with the last segment of its namespace, outermost first.
    pub fn open_elements(&self) -> Vec<String> {
        self.open.iter().map(|&node| self.element_label(node)).collect()
    }

    /// Returns the labels of all active formatting elements (name and last segment of the namespace), oldest first; an
    /// empty string stands for a marker.
    pub fn formatting_elements(&self) -> Vec<String> {
        let entries = self.formatting.iter();
        entries
            .map(|entry| entry.node().map_or(String::new(), |node| self.element_label(node)))
            .collect()
    }

    /// Returns the current configuration.
    pub fn configuration(&self) -> TreeConfiguration {
        let formatting = self.formatting.iter().rev().take(NEAR);
        TreeConfiguration {
            mode: self.mode,
            original_mode: self.original_mode,
            template_mode: self.template_modes.last().copied(),
            context: self.context.map(|node| self.element_label(node)),
            open: self.open.iter().rev().take(NEAR).map(|&node| self.element_label(node)).collect(),
            formatting: formatting
                .map(|entry| entry.node().map_or(String::new(), |node| self.element_label(node)))
                .collect(),
            pointers: self.pointers.iter().map(Option::is_some).collect(),
            flags: self.flags.clone(),
            document_mode: self.document_mode,
        }
    }

    /// Returns the name of an element and the last segment of its namespace; empty for other nodes.
    fn element_label(&self, node: NodeId) -> String {
        let Some(name) = self.tree.name(node) else { return String::new() };
        let namespace = name.namespace.rsplit('/').next().unwrap_or_default();
        format!("{} {namespace}", name.qualified)
    }
}
