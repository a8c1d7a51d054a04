//! Shadow roots. Which elements can have one is decided elsewhere. Invariant: the fragment of a shadow root has the
//! element whose root it is as host, and an element has one at most.

use super::Tree;
use super::node::{FRAGMENT, Node, NodeId};
use super::node_ref::NodeRef;

/// Whether scripts can reach a shadow root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShadowRootMode {
    /// They can.
    Open,
    /// They cannot.
    Closed,
}

/// What is known of a shadow root besides its nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShadowRecord {
    pub(super) mode: ShadowRootMode,
    /// The element that declared it, whose attributes say more.
    pub(super) template: u32,
}

impl Tree {
    pub(super) fn add_shadow_root(
        &mut self,
        host: NodeId,
        template: NodeId,
        mode: ShadowRootMode,
    ) -> bool {
        if self.contents.contains_key(&host.0) {
            return false;
        }
        let contents = self.add(Node::other(FRAGMENT, host.0), None);
        if !self.is_spill(contents.0) {
            self.contents.insert(host.0, contents.0);
            self.contents.insert(template.0, contents.0);
            self.shadows.insert(host.0, ShadowRecord { mode, template: template.0 });
        }
        true
    }
}

/// Shadow roots.
impl<'a> NodeRef<'a> {
    /// The shadow root of an element: a fragment.
    pub fn shadow_root(&self) -> Option<Self> {
        self.shadow_record()?;
        self.contents()
    }

    /// Whether scripts can reach the element's shadow root.
    pub fn shadow_root_mode(&self) -> Option<ShadowRootMode> {
        self.shadow_record().map(|record| record.mode)
    }

    /// The template that declared the element's shadow root. It is in no tree; its attributes say more about the root.
    pub fn shadow_root_template(&self) -> Option<Self> {
        let record = self.shadow_record()?;
        Some(self.tree().node(NodeId(record.template)))
    }

    fn shadow_record(&self) -> Option<ShadowRecord> {
        let shadows = &self.tree().shadows;
        if shadows.is_empty() { None } else { shadows.get(&(self.id().index() as u32)).copied() }
    }
}
