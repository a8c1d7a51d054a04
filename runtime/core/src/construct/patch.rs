//! Templates that patch other contents: their children are inserted into a range elsewhere, which the sink finds.

use super::insert::InsertionLocation;
use super::{Builder, Construction, NodeValue};
use crate::tree::TreeSink;
use crate::tree::words::Patching;

/// An open template with a range elsewhere into which its children are inserted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch<N> {
    template: N,
    /// The slot in which the template is open.
    slot: u32,
    parts: PatchParts<N>,
}

/// The node that the children of a template are inserted into, and the nodes that mark the start and the end of the
/// range. Steps can unset each; a range may also have no node that marks its end.
type PatchParts<N> = [Option<N>; 3];

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Finds the range called `name` inside `scope`, removes its contents, and records it as the patch of the template
    /// in this slot. Returns `None` if there is no such range, or the sink fills no tree.
    pub(super) fn begin_patch(
        &mut self,
        (scope, name): (S::Node, &str),
        names: &Patching,
        (template, slot): (S::Node, u32),
    ) -> Option<()> {
        let scope = self.sink.node_ref(scope)?.id();
        let range = self.sink.filled_tree_mut()?.open_range(scope, name, names)?;
        let parts = range.map(|node| self.sink.node_with(node?));
        self.drop_closed_patches();
        self.patches.push(Patch { template, slot, parts });
        Some(())
    }

    /// Removes a part of the template's patch, given by its index. Takes constant time for the topmost open template
    /// that has a patch.
    pub fn unset_patch(&mut self, template: Option<NodeValue<S::Node>>, part: usize) {
        let node = template.map(NodeValue::node);
        let mut patches = self.patches.iter_mut().rev();
        if let Some(patch) = patches.find(|patch| Some(patch.template) == node) {
            patch.parts[part] = None;
        }
    }

    /// Drops the patches above the topmost one whose template is open.
    fn drop_closed_patches(&mut self) {
        while let Some(patch) = self.patches.last()
            && !self.open.holds(patch.template, patch.slot)
        {
            self.steps += 1;
            self.patches.pop();
        }
    }

    /// Returns the patch of a template, if that patch is the topmost one.
    pub(super) fn patch_of(&mut self, template: S::Node) -> Option<PatchParts<S::Node>> {
        self.drop_closed_patches();
        // Only the topmost template gets children, so the patches of lower templates need not be searched.
        let patch = self.patches.last().filter(|patch| patch.template == template);
        patch.map(|patch| patch.parts)
    }

    /// Returns the place for children of a template, if it has a patch: before the node that marks the end of the
    /// range, or at the end of the target if that does not contain such a node.
    pub(super) fn place_in_patch(
        &mut self,
        template: S::Node,
    ) -> Option<InsertionLocation<S::Node>> {
        let [target, _, end] = self.patch_of(template)?;
        let target = target?;
        Some(match end {
            Some(end) if self.sink.parent_of(end) == Some(target) => InsertionLocation::Before(end),
            _ => InsertionLocation::LastIn(target),
        })
    }
}
