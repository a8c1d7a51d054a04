//! Templates whose children are inserted at a place elsewhere, which the sink finds.

use super::open::NONE;
use super::place::InsertionLocation;
use super::{Builder, Construction, ElementSet, NodeValue, TokenView};
use crate::tree::words::Patching;
use crate::tree::{Name, TreeSink};

/// An open template whose children are inserted elsewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch<N> {
    template: N,
    /// The slot in which the template is open.
    slot: u32,
    /// The node that the children are inserted into.
    pub(super) target: N,
    pub(super) start: Option<N>,
    pub(super) end: Option<N>,
}

/// A part of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchPart {
    /// The node that the children are inserted into.
    Target,
    /// The start of the range.
    Start,
    /// The end of the range.
    End,
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Creates a template for the token and pushes it. Its children go to the place that the token names, if there is
    /// one; otherwise the template is inserted.
    pub fn patch_content(&mut self, token: &TokenView<'_>, names: &Patching) {
        let Some(tag) = token.tag() else { return };
        let name = Name::new(C::ELEMENTS.namespace(), self.token_name);
        let template = self.make(tag, name);
        let place = self.appropriate_place(None);
        let body = self.open.topmost(names.body).and_then(|slot| self.open.get(slot));
        let body = body.map(|open| open.node);
        let root = self.root();
        let scope = match place {
            InsertionLocation::LastIn(parent) => Some(parent),
            InsertionLocation::Before(sibling) => self.parent_of(sibling),
        };
        let scope = scope.map(|scope| {
            // A fragment belongs to no document, so a body in it is not a document's.
            let is_in_document = !self.is_fragment() && self.parent_of(scope) == Some(root);
            let is_body = Some(scope) == body && is_in_document;
            if is_body { root } else { scope }
        });
        let attribute_value = tag.attribute(names.attribute).unwrap_or_default();
        let scope = scope.filter(|_| !attribute_value.is_empty() || names.steps.is_some());
        self.forget_landmark(None);
        let patch = scope.and_then(|scope| self.sink.begin_patch(scope, attribute_value, names));
        if patch.is_none() {
            // Inserted before it is pushed, because the depth limit depends on the open elements around it.
            self.put_element(place, template, Some(tag.span()));
        }
        self.push_element(template, name, false);
        if let Some(patch) = patch {
            let slot = self.open.last_slot().unwrap_or(NONE);
            self.record_patch(template, slot, patch);
        }
    }

    /// Records what the template in this slot patches: a parent, and the marks at the start and at the end.
    pub(super) fn record_patch(
        &mut self,
        template: S::Node,
        slot: u32,
        (target, start, end): (S::Node, S::Node, Option<S::Node>),
    ) {
        self.forget_patches();
        self.patches.push(Patch { template, slot, target, start: Some(start), end });
    }

    /// Ends the patch by the topmost of these elements, and removes the nodes that mark its place.
    pub fn finish_patching(&mut self, set: &ElementSet) {
        let slot = self.topmost_of(set);
        let Some(node) = slot.and_then(|slot| self.open.get(slot)).map(|open| open.node) else {
            return;
        };
        self.forget_patches();
        let Some(patch) = self.patches.pop_if(|patch| patch.template == node) else { return };
        for mark in [patch.start, patch.end].into_iter().flatten() {
            self.unlink(mark);
        }
    }

    /// Removes the part of the patch by this template. Without a target there is no patch.
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

    /// Drops the patches whose templates are no longer open.
    fn forget_patches(&mut self) {
        while let Some(patch) = self.patches.last()
            && !self.open.holds(patch.template, patch.slot)
        {
            self.steps += 1;
            self.patches.pop();
        }
    }

    pub(super) fn patch_of(&mut self, template: S::Node) -> Option<Patch<S::Node>> {
        // Only the topmost template receives content.
        self.forget_patches();
        self.patches.last().copied().filter(|patch| patch.template == template)
    }

    pub(super) fn patch_place(&mut self, template: S::Node) -> Option<InsertionLocation<S::Node>> {
        let patch = self.patch_of(template)?;
        Some(match patch.end {
            Some(end) if self.parent_of(end) == Some(patch.target) => {
                InsertionLocation::Before(end)
            }
            _ => InsertionLocation::LastIn(patch.target),
        })
    }
}
