//! Templates whose children are inserted at a place elsewhere, which the sink finds.

use super::place::InsertionLocation;
use super::{Builder, Construction, Held};
use crate::tree::TreeSink;

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
    /// Notes what the template in this slot patches: a parent, and the marks at the start and at the end.
    pub(super) fn note_patch(
        &mut self,
        template: S::Node,
        slot: u32,
        (target, start, end): (S::Node, S::Node, Option<S::Node>),
    ) {
        self.forget_patches();
        self.patches.push(Patch { template, slot, target, start: Some(start), end });
    }

    /// Removes the part of the patch by this template. Without a target there is no patch.
    pub fn unset_patch(&mut self, template: Option<Held<S::Node>>, part: PatchPart) {
        let Some(node) = template.map(Held::node) else { return };
        let Some(at) = self.patches.iter().position(|patch| patch.template == node) else { return };
        match part {
            PatchPart::Target => _ = self.patches.remove(at),
            PatchPart::Start => self.patches[at].start = None,
            PatchPart::End => self.patches[at].end = None,
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

    /// Returns the patch of the template, if it patches.
    pub(super) fn patch_of(&mut self, template: S::Node) -> Option<Patch<S::Node>> {
        // Only the topmost template receives content.
        self.forget_patches();
        self.patches.last().copied().filter(|patch| patch.template == template)
    }

    /// Returns the place for the children of the template, if it patches.
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
