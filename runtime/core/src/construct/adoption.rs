//! The adoption agency algorithm of the HTML standard; the table supplies the scope, the category of furthest blocks
//! and the limits. A round visits the elements that it removes from the stack and a bounded number of other elements.

use super::open::{NONE, Opening, chain_of};
use super::place::InsertionLocation;
use super::{Builder, Construction, ElementSet, TokenView};
use crate::tree::{Name, TreeSink};

/// The elements that one round of the adoption agency's outer loop works on.
struct Round {
    /// Index of the formatting element in the list of active formatting elements.
    formatting_index: u32,
    /// Slot of the formatting element on the stack.
    slot: u32,
    /// Slot of the furthest block.
    block: u32,
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Runs the adoption agency algorithm for the token. The formatting element must be in `scope`, a furthest block
    /// must be in `special`, and errors are reported with `code`. Returns whether there is no formatting element, in
    /// which case the caller's alternative steps apply.
    #[inline]
    pub fn adoption_agency(
        &mut self,
        token: &TokenView<'_>,
        scope: usize,
        special: &ElementSet,
        code: C::Error,
    ) -> bool {
        if let Some(open) = self.open.last()
            && open.name == Name::new(C::ELEMENTS.namespace(), self.token_name)
        {
            // Fast path: the current node has the token's name, and either is the formatting element or is not in the
            // list of formatting elements. No element above it could be the furthest block, so popping it is enough.
            let (node, index) = (open.node, open.formatting);
            if index == NONE || self.formatting.remove_if_last_named(index, self.token_name.id()) {
                self.pop_open(token);
                self.released_element = Some(node);
                return false;
            }
        }
        self.run_adoption_agency(token, scope, special, code)
    }

    /// Slow path of `adoption_agency`: runs the algorithm.
    #[cold]
    #[inline(never)]
    fn run_adoption_agency(
        &mut self,
        token: &TokenView<'_>,
        scope: usize,
        special: &ElementSet,
        code: C::Error,
    ) -> bool {
        let subject = self.token_name;
        for round_index in 0..C::ADOPTION_ROUNDS {
            let Some(formatting_index) = self.formatting.last_named(subject.id()) else {
                return true;
            };
            let entry = self.formatting.get(formatting_index);
            let (slot, node) = (entry.slot, entry.node);
            // Formatting elements of later rounds were created by the algorithm itself, so only that of the first round
            // is recorded.
            let released_element = if round_index == 0 { node } else { self.released_element };
            let node_in_slot = self.open.get(slot).map(|open| Some(open.node));
            if node_in_slot != Some(node) {
                self.error(code, token);
                self.remove_formatting(formatting_index);
                self.released_element = released_element;
                return false;
            }
            if !self.open.is_in_scope(scope, slot) {
                self.error(code, token);
                return false;
            }
            if self.open.last_slot() != Some(slot) {
                self.error(code, token);
            }
            let Some(block) = self.furthest_block(slot, special) else {
                while self.open.last_slot().is_some_and(|last| last >= slot) {
                    self.pop_open(token);
                }
                self.remove_formatting(formatting_index);
                self.released_element = released_element;
                return false;
            };
            let round = Round { formatting_index, slot, block };
            let tag_bytes = self.recreated_tag_bytes(&round);
            if !self.charge_adoption(tag_bytes) {
                return false;
            }
            self.move_furthest_block(token, &round);
            self.released_element = released_element;
        }
        false
    }

    /// Returns the slot of the furthest block: the lowest element above `slot` that is in `special`; `None` if there is
    /// none.
    pub(super) fn furthest_block(&mut self, slot: u32, special: &ElementSet) -> Option<u32> {
        let mut candidate = slot;
        loop {
            self.steps += 1;
            candidate = self.open.next_above(candidate)?;
            if special.has(self.open.get(candidate)?.name, C::ELEMENTS.namespace()) {
                return Some(candidate);
            }
        }
    }

    /// Returns the total tag length, in bytes, of the formatting elements that the round recreates.
    fn recreated_tag_bytes(&mut self, round: &Round) -> u64 {
        let mut total = u64::from(self.formatting.get(round.formatting_index).length);
        let mut slot = round.block;
        for _ in 0..C::ADOPTION_ELEMENTS {
            let Some(lower) = self.open.next_below(slot).filter(|&lower| lower > round.slot) else {
                break;
            };
            slot = lower;
            let Some(open) = self.open.get(slot).filter(|open| open.formatting != NONE) else {
                continue;
            };
            total += u64::from(self.formatting.get(open.formatting).length);
        }
        total
    }

    /// Moves the furthest block out of the formatting element, and the block's children into a copy of that element.
    fn move_furthest_block(&mut self, token: &TokenView<'_>, round: &Round) {
        self.limits.record_reordering(self.open.len());
        let ancestor = self.open.next_below(round.slot).and_then(|slot| self.open.get(slot));
        let ancestor = ancestor.map(|open| (open.node, open.name));
        let (Some(&formatting), Some(&block)) =
            (self.open.get(round.slot), self.open.get(round.block))
        else {
            return;
        };
        let depth = self.checked_depth(block.node);
        self.forget_landmark(depth);
        let expected_parent = self.expected_parent(ancestor, round, depth);
        self.sink.about_to_move(
            block.node,
            Some(expected_parent),
            (round.block - round.slot) as usize + 1,
        );
        let mut last_node = block.node;
        let mut bookmark = None;
        // The recreated elements, topmost first. They are collected, because the stack is rearranged in one step once
        // all of them are known.
        let mut recreated = Vec::new();
        let mut counter = 0;
        let mut slot = round.block;
        while let Some(lower) = self.open.next_below(slot).filter(|&lower| lower > round.slot) {
            slot = lower;
            counter += 1;
            self.steps += 1;
            let Some(&open) = self.open.get(slot) else { break };
            if counter > C::ADOPTION_ELEMENTS && open.formatting != NONE {
                self.remove_formatting(open.formatting);
            }
            if counter > C::ADOPTION_ELEMENTS || open.formatting == NONE {
                if let TokenView::EndTag(tag, _) = token {
                    self.record_end_tag(&open, tag);
                }
                self.sink.popped(open.node);
                continue;
            }
            let node = self.make_like(open.node, open.name);
            self.sink.popped(open.node);
            if last_node == block.node {
                bookmark = Some(open.formatting);
            }
            self.link_last(node, last_node);
            last_node = node;
            recreated.push((node, open.name, open.formatting));
        }
        self.insert_adopted(
            ancestor,
            (last_node, block.node, expected_parent),
            recreated.len(),
            depth,
        );
        let node = self.make_like(formatting.node, formatting.name);
        // In a flattened tree, wrapping must not make the children deeper than before, so they are wrapped only if the
        // block itself is less deep than before.
        let is_wrapped = depth.is_none_or(|depth| self.depth_of(block.node) < depth);
        if is_wrapped {
            self.link_children(block.node, node);
        }
        let parent = match depth {
            Some(_) => self.ancestor_within(block.node, self.limits.max_parent_depth()),
            None => block.node,
        };
        self.link_last(parent, node);
        if let TokenView::EndTag(tag, _) = token {
            self.record_end_tag(&formatting, tag);
        }
        self.sink.popped(formatting.node);
        self.update_list_and_stack(round, bookmark, &recreated, node);
    }

    /// Returns the node that `insert_adopted` is expected to insert into: the common ancestor, or its nearest ancestor
    /// that the depth limit allows. Computed before anything moves, so that the sink can move its record of document
    /// order along with the block.
    fn expected_parent(
        &mut self,
        ancestor: Option<(S::Node, Name)>,
        round: &Round,
        depth: Option<usize>,
    ) -> S::Node {
        let Some((parent, _)) = ancestor else { return self.document };
        let Some(depth) = depth else { return parent };
        let (mut recreated_count, mut slot) = (0, round.block);
        for _ in 0..C::ADOPTION_ELEMENTS {
            let Some(lower) = self.open.next_below(slot).filter(|&lower| lower > round.slot) else {
                break;
            };
            slot = lower;
            recreated_count +=
                usize::from(self.open.get(slot).is_some_and(|open| open.formatting != NONE));
        }
        let max_depth =
            self.limits.max_parent_depth().min(depth).saturating_sub(recreated_count + 1);
        self.ancestor_within(parent, max_depth)
    }

    /// Inserts `node`, which is or contains `block`, at the appropriate place in the common ancestor. `recreated_count`
    /// elements were recreated around the block, whose depth was `depth`; `expected_parent` is the result of the method
    /// of this name.
    fn insert_adopted(
        &mut self,
        ancestor: Option<(S::Node, Name)>,
        (node, block, expected_parent): (S::Node, S::Node, S::Node),
        recreated_count: usize,
        depth: Option<usize>,
    ) {
        self.unlink(node);
        let place = match ancestor {
            Some(ancestor) => self.appropriate_place(Some(ancestor)),
            None => InsertionLocation::LastIn(self.document),
        };
        let place = match depth {
            Some(depth) => self.place_for_adopted(place, recreated_count, depth),
            None => place,
        };
        if place != InsertionLocation::LastIn(expected_parent) {
            self.sink.about_to_move(block, None, 0);
        }
        match place {
            InsertionLocation::LastIn(parent) => self.link_last(parent, node),
            InsertionLocation::Before(sibling) => self.link_before(sibling, node),
        }
    }

    /// Puts the new formatting element `node` after the bookmark in the list, and directly above the block on the
    /// stack.
    fn update_list_and_stack(
        &mut self,
        round: &Round,
        bookmark: Option<u32>,
        recreated: &[(S::Node, Name, u32)],
        node: S::Node,
    ) {
        let (Some(&formatting), Some(&block)) =
            (self.open.get(round.slot), self.open.get(round.block))
        else {
            return;
        };
        let opening = |node, name, formatting| {
            let chain = chain_of(Name::local(name), name.is_in(C::ELEMENTS.namespace()));
            let (kind, is_integration_point) = (C::kind(name), false);
            Opening { node, name, chain, kind, is_integration_point, formatting }
        };
        let mut elements: Vec<_> =
            recreated.iter().rev().map(|&(node, name, index)| opening(node, name, index)).collect();
        elements.push(self.open.reopening(&block));
        elements.push(opening(node, formatting.name, round.formatting_index));
        let slots = self.open.rearrange(round.slot, round.block, &elements);
        for (slot, opening) in slots.into_iter().zip(&elements) {
            if opening.formatting != NONE {
                self.formatting.replace(opening.formatting, opening.node, slot);
            }
        }
        self.formatting.move_after(round.formatting_index, bookmark, &mut self.open);
        self.formatting.compact_if_sparse(&mut self.open);
    }
}
