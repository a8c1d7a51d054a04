//! Templates that patch other contents: their children are inserted into a range elsewhere, which the sink finds.

use super::insert::InsertionLocation;
use super::open::NONE;
use super::{Builder, Construction, ElementSet, NodeValue, TokenView};
use crate::tree::words::Patching;
use crate::tree::{Name, TreeSink};

/// An open template with a range elsewhere into which its children are inserted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch<N> {
    template: N,
    /// The slot in which the template is open.
    slot: u32,
    /// The node that the children are inserted into.
    pub(super) target: N,
    /// The node that marks the start of the range; `None` if steps have unset it.
    pub(super) start: Option<N>,
    /// The node that marks the end of the range; `None` if the range has no such node, or steps have unset it.
    pub(super) end: Option<N>,
}

/// A part of a template's patch, which steps can unset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchPart {
    /// The node that the children are inserted into.
    Target,
    /// The node that marks the start of the range.
    Start,
    /// The node that marks the end of the range.
    End,
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Creates a template for the token and pushes it onto the stack. If the range that the token names exists, the
    /// children of the template go there; otherwise the template is inserted.
    pub fn patch_content(&mut self, token: &TokenView<'_>, names: &Patching) {
        let Some(tag) = token.tag() else { return };
        let name = Name::new(C::ELEMENTS.namespace(), self.token_name);
        let template = self.create_element_for(tag, name);
        let place = self.appropriate_place(None);
        let body = self.open.topmost(names.body).and_then(|slot| self.open.get(slot));
        let body = body.map(|open| open.node);
        let root = self.root();
        let scope = match place {
            InsertionLocation::LastIn(parent) => Some(parent),
            InsertionLocation::Before(sibling) => self.sink.parent_of(sibling),
        };
        let scope = scope.map(|scope| {
            // A fragment belongs to no document, so a body in it is not the body of a document.
            let is_in_document = !self.is_fragment() && self.sink.parent_of(scope) == Some(root);
            let is_body = Some(scope) == body && is_in_document;
            if is_body { root } else { scope }
        });
        let attribute_value = tag.attribute(names.attribute).unwrap_or_default();
        let scope = scope.filter(|_| !attribute_value.is_empty() || names.steps.is_some());
        self.forget_landmark(None);
        let patch = scope.and_then(|scope| self.begin_patch(scope, attribute_value, names));
        if patch.is_none() {
            // The depth limit counts open elements, so the template is inserted before it is pushed.
            self.put_element(place, template, Some(tag.span()));
        }
        self.push_element(template, name, false);
        if let Some(patch) = patch {
            let slot = self.open.last_slot().unwrap_or(NONE);
            self.record_patch(template, slot, patch);
        }
    }

    /// Finds the range called `name` inside a node and removes its contents. Returns the parent, the mark at the start,
    /// and the mark at the end, if any; `None` if there is no such range, or the sink fills no tree.
    #[allow(clippy::type_complexity, reason = "three nodes need no name of their own")]
    pub(super) fn begin_patch(
        &mut self,
        scope: S::Node,
        name: &str,
        names: &Patching,
    ) -> Option<(S::Node, S::Node, Option<S::Node>)> {
        let scope = self.sink.node_ref(scope)?.id();
        let (parent, start, end) = self.sink.filled_tree_mut()?.open_range(scope, name, names)?;
        let node = |id| self.sink.node_with(id);
        Some((node(parent)?, node(start)?, end.and_then(node)))
    }

    /// Records the patch of the template in this slot: the node to insert into, and the nodes that mark the start and
    /// the end of the range.
    pub(super) fn record_patch(
        &mut self,
        template: S::Node,
        slot: u32,
        (target, start, end): (S::Node, S::Node, Option<S::Node>),
    ) {
        self.drop_closed_patches();
        self.patches.push(Patch { template, slot, target, start: Some(start), end });
    }

    /// Ends the patch of the topmost open element in `set`, a template, and removes the nodes that mark the range.
    pub fn finish_patching(&mut self, set: &ElementSet) {
        let slot = self.topmost_of(set);
        let Some(node) = slot.and_then(|slot| self.open.get(slot)).map(|open| open.node) else {
            return;
        };
        self.drop_closed_patches();
        let Some(patch) = self.patches.pop_if(|patch| patch.template == node) else { return };
        for mark in [patch.start, patch.end].into_iter().flatten() {
            self.sink.remove_from_parent(mark);
        }
    }

    /// Removes a part of the template's patch; if that is the target, the whole patch.
    pub fn unset_patch(&mut self, template: Option<NodeValue<S::Node>>, part: PatchPart) {
        let Some(node) = template.map(NodeValue::node) else { return };
        let Some(index) = self.patches.iter().position(|patch| patch.template == node) else {
            return;
        };
        match part {
            PatchPart::Target => _ = self.patches.remove(index),
            PatchPart::Start => self.patches[index].start = None,
            PatchPart::End => self.patches[index].end = None,
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
    pub(super) fn patch_of(&mut self, template: S::Node) -> Option<Patch<S::Node>> {
        self.drop_closed_patches();
        // Only the topmost template gets children, so the patches of lower templates need not be searched.
        self.patches.last().copied().filter(|patch| patch.template == template)
    }

    /// Returns the place for children of a template, if it has a patch: before the node that marks the end of the
    /// range, or at the end of the target if that does not contain such a node.
    pub(super) fn place_in_patch(
        &mut self,
        template: S::Node,
    ) -> Option<InsertionLocation<S::Node>> {
        let patch = self.patch_of(template)?;
        Some(match patch.end {
            Some(end) if self.sink.parent_of(end) == Some(patch.target) => {
                InsertionLocation::Before(end)
            }
            _ => InsertionLocation::LastIn(patch.target),
        })
    }
}
