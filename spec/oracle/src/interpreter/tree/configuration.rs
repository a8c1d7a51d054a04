//! What a tree builder remembers, cut to what most rows ask for, for those who search inputs. It decides nothing.
//! Invariant: it names elements, never nodes, so that trees of any size have few of them.

use super::{NodeId, TreeBuilder};
use tabulex_language::model::tree::{DocumentMode, ModeId};

/// What a tree builder remembers, the parts of the stack that are far away left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeConfiguration {
    /// The mode.
    pub mode: ModeId,
    /// The mode to come back to.
    pub original_mode: Option<ModeId>,
    /// The last template insertion mode.
    pub template_mode: Option<ModeId>,
    /// The context of a fragment.
    pub context: Option<String>,
    /// The names of the last open elements, the current node first.
    pub open: Vec<String>,
    /// The names of the last active formatting elements; empty for a marker.
    pub formatting: Vec<String>,
    /// For each pointer whether it points to an element.
    pub pointers: Vec<bool>,
    /// The values of the flags.
    pub flags: Vec<u8>,
    /// How the document is rendered.
    pub document_mode: DocumentMode,
}

/// How many open elements and active formatting elements are distinguished at most.
pub const NEAR: usize = 3;

impl TreeConfiguration {
    /// What is near: this number of open elements, one less of formatting elements, and the context only from two on.
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
    /// The mode that the next token is processed in, unless the table sends it elsewhere.
    pub fn mode(&self) -> ModeId {
        self.mode
    }

    /// The names of all open elements, the outermost first.
    pub fn open_elements(&self) -> Vec<String> {
        self.open.iter().map(|&node| self.name_told(node)).collect()
    }

    /// The names of all active formatting elements, the oldest first; empty for a marker.
    pub fn formatting_elements(&self) -> Vec<String> {
        let names = self.formatting.iter();
        names.map(|entry| entry.node().map_or(String::new(), |node| self.name_told(node))).collect()
    }

    /// What is remembered now.
    pub fn configuration(&self) -> TreeConfiguration {
        let formatting = self.formatting.iter().rev().take(NEAR);
        TreeConfiguration {
            mode: self.mode,
            original_mode: self.original_mode,
            template_mode: self.template_modes.last().copied(),
            context: self.context.map(|node| self.name_told(node)),
            open: self.open.iter().rev().take(NEAR).map(|&node| self.name_told(node)).collect(),
            formatting: formatting
                .map(|entry| entry.node().map_or(String::new(), |node| self.name_told(node)))
                .collect(),
            pointers: self.pointers.iter().map(Option::is_some).collect(),
            flags: self.flags.clone(),
            document_mode: self.document_mode,
        }
    }

    /// The name of an element and the end of its namespace.
    fn name_told(&self, node: NodeId) -> String {
        let Some(name) = self.tree.name(node) else { return String::new() };
        let namespace = name.namespace.rsplit('/').next().unwrap_or_default();
        format!("{} {namespace}", name.qualified)
    }
}
