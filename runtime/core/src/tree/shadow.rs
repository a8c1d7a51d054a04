//! Shadow roots of elements, each a fragment with the element as host. Tree construction decides which elements can
//! have a shadow root.

use super::Tree;
use super::node::{FRAGMENT, Node, NodeId};
use super::node_ref::NodeRef;

/// Whether scripts can access a shadow root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShadowRootMode {
    /// Scripts can access the shadow root.
    Open,
    /// Scripts cannot access the shadow root.
    Closed,
}

impl ShadowRootMode {
    /// Returns the mode's name in the DOM Standard, which markup also uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

/// The properties of a shadow root.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShadowRecord {
    pub(super) mode: ShadowRootMode,
    /// The template element that declared the shadow root, kept for its attributes.
    pub(super) template: u32,
}

impl Tree {
    /// Creates a shadow root of `host`, and makes it also the contents of `template`. Returns false if `host` already
    /// has a shadow root or template contents.
    pub(super) fn add_shadow_root(
        &mut self,
        host: NodeId,
        template: NodeId,
        mode: ShadowRootMode,
    ) -> bool {
        if self.contents.contains_key(&host.0) {
            return false;
        }
        let root = self.add(Node::other(FRAGMENT, host.0), None);
        if !self.is_overflow_node(root.0) {
            self.contents.insert(host.0, root.0);
            self.contents.insert(template.0, root.0);
            self.shadows.insert(host.0, ShadowRecord { mode, template: template.0 });
        }
        true
    }
}

impl<'a> NodeRef<'a> {
    /// Returns the shadow root of an element, a fragment; `None` if the element has none.
    pub fn shadow_root(&self) -> Option<Self> {
        self.shadow_record()?;
        self.contents()
    }

    /// Returns the mode of the element's shadow root; `None` if the element has no shadow root.
    pub fn shadow_root_mode(&self) -> Option<ShadowRootMode> {
        self.shadow_record().map(|record| record.mode)
    }

    /// Returns the template that declared the element's shadow root, or `None` if the element has no shadow root. The
    /// template is not part of the document; its attributes are further properties of the shadow root.
    pub fn shadow_root_template(&self) -> Option<Self> {
        let record = self.shadow_record()?;
        Some(self.tree().node(NodeId(record.template)))
    }

    fn shadow_record(&self) -> Option<ShadowRecord> {
        let shadows = &self.tree().shadows;
        if shadows.is_empty() { None } else { shadows.get(&(self.id().index() as u32)).copied() }
    }
}
