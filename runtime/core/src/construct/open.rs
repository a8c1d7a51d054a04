//! The stack of open elements. It records the topmost element of each name and of each kind, so that lookups do not
//! walk the stack. Here the current node is at the top; the standard's stack grows downward.
//!
//! An element keeps its slot as long as it is open. One that is removed from the middle leaves its slot empty; walks
//! over empty slots compress the path.

use super::parser::take_capacity;
use crate::tree::{LocalName, Name};

/// Index that stands for no slot or entry.
pub(super) const NONE: u32 = u32::MAX;

/// Index, in `below` and `above` of an element, of its links to elements with the same lookup name.
const BY_NAME: usize = 0;
/// Index, in `below` and `above` of an element, of its links to elements of the same kind.
const BY_KIND: usize = 1;

/// An open element, or an empty slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open<N> {
    pub(super) node: N,
    pub(super) name: Name,
    /// Number of the chain of elements with the same lookup name; [`NONE`] if the slot is empty.
    chain: u32,
    /// Slots of the next lower element in the name's list and in the kind's list. In an empty slot, the first is the
    /// lower slot at which walks continue.
    below: [u32; 2],
    /// Slots of the next higher element in the name's list and in the kind's list, if recorded. In an empty slot, the
    /// first is the higher slot at which walks continue.
    above: [u32; 2],
    /// Slot of the nearest element of the table's own namespace at or below this one.
    nearest_in_own_namespace: u32,
    /// Index in the list of active formatting elements, or [`NONE`].
    pub(super) formatting: u32,
    /// The kind, which determines the scopes that end at the element, and whether it is plain.
    pub(super) kind: u8,
    pub(super) is_integration_point: bool,
    /// Whether an end tag has closed the element, though it is still on the stack.
    pub(super) is_ended: bool,
    /// Whether the next lower elements in the element's lists link to it; if so, this holds for all lower slots.
    is_linked_from_below: bool,
}

impl<N> Open<N> {
    /// Creates an element to push onto the stack, which is neither an integration point nor in the list of active
    /// formatting elements. The lookup name is in lower case for foreign elements.
    #[inline(always)]
    pub(super) fn new(node: N, name: Name, lookup_name: (LocalName, bool), kind: u8) -> Self {
        Self {
            node,
            name,
            chain: chain_number(lookup_name),
            below: [NONE; 2],
            above: [NONE; 2],
            nearest_in_own_namespace: NONE,
            formatting: NONE,
            kind,
            is_integration_point: false,
            is_ended: false,
            is_linked_from_below: false,
        }
    }

    /// Whether the element is in the table's own namespace.
    #[inline]
    fn is_in_own_namespace(&self) -> bool {
        self.chain & 1 == 0
    }

    /// Returns the id of the lookup name: the local name, in lower case for foreign elements.
    #[inline]
    pub(super) fn lookup_name(&self) -> u32 {
        self.chain >> 1
    }

    /// Returns the number of one of the element's lists: its chain, or its kind.
    fn list_number(&self, list: usize) -> u32 {
        if list == BY_NAME { self.chain } else { u32::from(self.kind) }
    }
}

/// Returns the number of the chain of elements: twice the id of the lookup name, and 1 more for foreign elements.
#[inline(always)]
fn chain_number((lookup_name, is_in_own_namespace): (LocalName, bool)) -> u32 {
    lookup_name.id() * 2 + u32::from(!is_in_own_namespace)
}

/// The open elements with one lookup name.
#[derive(Clone, Copy, Debug)]
struct Chain {
    topmost: u32,
    count: u32,
}

/// Number of kinds of elements.
const KIND_COUNT: usize = 1 << u8::BITS;

/// Number of slots reserved for a new stack, a depth that most documents do not exceed.
const INITIAL_CAPACITY: usize = 32;

/// The length of the list of chains is a multiple of this number.
const CHAINS_STEP: usize = 512;

#[derive(Clone, Debug)]
pub(super) struct OpenElements<N> {
    slots: Vec<Open<N>>,
    empty_slot_count: usize,
    /// The chains by number.
    chains: Vec<Chain>,
    topmost_of_kind: [u32; KIND_COUNT],
    /// For each scope, the kinds of elements that end it.
    scopes: &'static [&'static [u8]],
    /// Number of loop iterations so far.
    pub(super) steps: u64,
}

impl<N: Copy + Eq> OpenElements<N> {
    /// Creates an empty stack, for a table with these scopes.
    pub(super) fn new(scopes: &'static [&'static [u8]]) -> Self {
        Self::with_lists(Vec::with_capacity(INITIAL_CAPACITY), Vec::new(), scopes)
    }

    fn with_lists(
        slots: Vec<Open<N>>,
        chains: Vec<Chain>,
        scopes: &'static [&'static [u8]],
    ) -> Self {
        let (empty_slot_count, topmost_of_kind, steps) = (0, [NONE; KIND_COUNT], 0);
        Self { slots, empty_slot_count, chains, topmost_of_kind, scopes, steps }
    }

    /// Moves the capacity of this stack into a new, empty stack.
    pub(super) fn take_capacity(&mut self) -> Self {
        let (slots, chains) = (take_capacity(&mut self.slots), take_capacity(&mut self.chains));
        Self::with_lists(slots, chains, self.scopes)
    }

    pub(super) fn memory_usage(&self) -> usize {
        self.slots.capacity() * size_of::<Open<N>>() + self.chains.capacity() * size_of::<Chain>()
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.empty_slot_count
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the open element that is the current node; `None` if no element is open.
    #[inline]
    pub(super) fn last(&self) -> Option<&Open<N>> {
        self.slots.last()
    }

    /// Returns the slot of the current node; `None` if no element is open.
    #[inline]
    pub(super) fn last_slot(&self) -> Option<u32> {
        (self.slots.len() as u32).checked_sub(1)
    }

    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<&Open<N>> {
        self.slots.get(slot as usize).filter(|open| open.chain != NONE)
    }

    #[inline(always)]
    pub(super) fn holds(&self, node: N, slot: u32) -> bool {
        let matches = |open: &Open<N>| open.node == node && open.chain != NONE;
        self.slots.get(slot as usize).is_some_and(matches)
    }

    pub(super) fn mark_ended(&mut self, slot: u32) {
        if let Some(open) = self.slots.get_mut(slot as usize) {
            open.is_ended = true;
        }
    }

    /// Returns the slot of the topmost element of each kind that ends the scope, or [`NONE`].
    pub(super) fn scope_ends(&self, scope: usize) -> Vec<u32> {
        let kinds = self.scopes[scope].iter();
        kinds.map(|&kind| self.topmost_of_kind[usize::from(kind)]).collect()
    }

    /// Returns the topmost slot in `ends`, and replaces it there with the slot of the next lower element of the same
    /// kind; `None` if no slot is left.
    pub(super) fn next_scope_end(&self, ends: &mut [u32]) -> Option<u32> {
        let end = ends.iter_mut().filter(|end| **end != NONE).max()?;
        let below = self.slots[*end as usize].below[BY_KIND];
        Some(std::mem::replace(end, below))
    }

    pub(super) fn set_formatting(&mut self, slot: u32, formatting: u32) {
        if let Some(open) = self.slots.get_mut(slot as usize) {
            open.formatting = formatting;
        }
    }

    /// Returns the nearest occupied slot below this one, or `None` if there is none. Compresses the path over empty
    /// slots.
    pub(super) fn next_below(&mut self, slot: u32) -> Option<u32> {
        let mut lower_slot = slot.checked_sub(1)?;
        while self.slots[lower_slot as usize].chain == NONE {
            self.steps += 1;
            let linked_slot = self.slots[lower_slot as usize].below[BY_NAME];
            if linked_slot == NONE {
                return None;
            }
            lower_slot = linked_slot;
        }
        let mut empty_slot = slot - 1;
        while empty_slot > lower_slot {
            empty_slot =
                std::mem::replace(&mut self.slots[empty_slot as usize].below[BY_NAME], lower_slot);
        }
        Some(lower_slot)
    }

    /// Returns the nearest occupied slot above this one, or `None` if there is none. Compresses the path over empty
    /// slots.
    pub(super) fn next_above(&mut self, slot: u32) -> Option<u32> {
        let mut higher_slot = slot + 1;
        while self.slots.get(higher_slot as usize)?.chain == NONE {
            self.steps += 1;
            higher_slot = self.slots[higher_slot as usize].above[BY_NAME];
        }
        let mut empty_slot = slot + 1;
        while empty_slot < higher_slot {
            empty_slot =
                std::mem::replace(&mut self.slots[empty_slot as usize].above[BY_NAME], higher_slot);
        }
        Some(higher_slot)
    }

    pub(super) fn first_slot(&mut self) -> Option<u32> {
        match self.slots.first() {
            Some(open) if open.chain != NONE => Some(0),
            Some(_) => self.next_above(0),
            None => None,
        }
    }

    /// Returns the chain with this number, and adds it if necessary.
    #[inline(always)]
    fn chain_mut(&mut self, chain: u32) -> &mut Chain {
        if chain as usize >= self.chains.len() {
            return self.add_chain(chain as usize);
        }
        &mut self.chains[chain as usize]
    }

    /// Extends the list of chains to include this number, and returns its chain.
    #[cold]
    #[inline(never)]
    fn add_chain(&mut self, chain: usize) -> &mut Chain {
        let length = (chain + 1).next_multiple_of(CHAINS_STEP);
        self.chains.resize(length, Chain { topmost: NONE, count: 0 });
        &mut self.chains[chain]
    }

    /// Pushes a new element, or one that was popped.
    #[inline(always)]
    pub(super) fn push(&mut self, mut open: Open<N>) {
        let slot = self.slots.len() as u32;
        let chain = self.chain_mut(open.chain);
        chain.count += 1;
        let below_by_name = std::mem::replace(&mut chain.topmost, slot);
        let topmost = &mut self.topmost_of_kind[usize::from(open.kind)];
        open.below = [below_by_name, std::mem::replace(topmost, slot)];
        (open.above, open.is_linked_from_below) = ([NONE; 2], false);
        open.nearest_in_own_namespace = match open.is_in_own_namespace() {
            true => slot,
            false => self.slots.last().map_or(NONE, |open| open.nearest_in_own_namespace),
        };
        self.slots.push(open);
    }

    pub(super) fn pop(&mut self) -> Option<Open<N>> {
        let open = *self.slots.last()?;
        self.pop_top(&open);
        if self.empty_slot_count != 0 {
            self.drop_trailing_empty();
        }
        Some(open)
    }

    /// Whether the stack has empty slots. The slot directly below the current node may then be empty.
    #[inline]
    pub(super) fn has_empty(&self) -> bool {
        self.empty_slot_count != 0
    }

    /// Pops the current node, which must be `open`; the slot below must not be empty.
    #[inline(always)]
    pub(super) fn pop_top(&mut self, open: &Open<N>) {
        self.slots.pop();
        let chain = &mut self.chains[open.chain as usize];
        chain.count -= 1;
        chain.topmost = open.below[BY_NAME];
        self.topmost_of_kind[usize::from(open.kind)] = open.below[BY_KIND];
    }

    /// Drops the empty slots at the top.
    #[cold]
    #[inline(never)]
    fn drop_trailing_empty(&mut self) {
        while self.slots.last().is_some_and(|open| open.chain == NONE) {
            self.steps += 1;
            self.slots.pop();
            self.empty_slot_count -= 1;
        }
    }

    /// Removes an open element from anywhere on the stack.
    pub(super) fn remove(&mut self, slot: u32) {
        if Some(slot) == self.last_slot() {
            self.pop();
        } else {
            self.rearrange(slot, slot, &[]);
        }
    }

    /// Pops the elements in slot `from` and above, in time linear in their number. Returns them, lowest first.
    pub(super) fn pop_from(&mut self, from: u32) -> Vec<Open<N>> {
        let mut popped = Vec::new();
        while self.last_slot().is_some_and(|last| last >= from) {
            self.steps += 1;
            popped.extend(self.pop());
        }
        popped.reverse();
        popped
    }

    /// Replaces the open elements from slot `first` to slot `last` with `elements`, given lowest first, and returns the
    /// slots of the new elements. There must not be more new elements than replaced ones, nor names that no replaced
    /// one has. New elements get the highest of the slots, so that links over empty slots stay valid.
    pub(super) fn rearrange(&mut self, first: u32, last: u32, elements: &[Open<N>]) -> Vec<u32> {
        self.link_upward();
        // `higher_slots` is searched linearly, so it omits the names that only replaced elements have, which can be
        // many.
        let has_new_element =
            |list: usize, number: u32| elements.iter().any(|open| open.list_number(list) == number);
        // For each name and each kind of the new elements, the next higher slot in its list.
        let mut higher_slots = [Vec::new(), Vec::new()];
        let mut slots = Vec::new();
        let mut next_slot = Some(last);
        while let Some(slot) = next_slot.filter(|&slot| slot >= first) {
            self.steps += 1;
            next_slot = self.next_below(slot);
            let open = self.slots[slot as usize];
            for list in [BY_NAME, BY_KIND] {
                let number = open.list_number(list);
                if has_new_element(list, number)
                    && !higher_slots[list].iter().any(|&(other, _)| other == number)
                {
                    higher_slots[list].push((number, self.next_higher(list, slot)));
                }
                self.unlink_from_list(list, slot);
            }
            self.chains[open.chain as usize].count -= 1;
            self.empty_slot_count += 1;
            let empty_slot = &mut self.slots[slot as usize];
            (empty_slot.chain, empty_slot.above[BY_NAME]) = (NONE, slot + 1);
            empty_slot.below[BY_NAME] = slot.checked_sub(1).unwrap_or(NONE);
            if slots.len() < elements.len() {
                slots.push(slot);
            }
        }
        for (&slot, &open) in slots.iter().zip(elements.iter().rev()) {
            self.fill_slot(slot, open, &mut higher_slots);
        }
        slots.reverse();
        self.recompute_nearest_in_own_namespace(slots.first().copied().unwrap_or(last));
        self.drop_trailing_empty();
        slots
    }

    /// Records the upward links to the elements that were pushed since the last call.
    fn link_upward(&mut self) {
        for slot in (0..self.slots.len() as u32).rev() {
            let open = &mut self.slots[slot as usize];
            if std::mem::replace(&mut open.is_linked_from_below, true) {
                return;
            }
            self.steps += 1;
            for (list, below) in open.below.into_iter().enumerate() {
                if below != NONE {
                    self.slots[below as usize].above[list] = slot;
                }
            }
        }
    }

    /// Returns a mutable reference to the topmost slot of the list with this number.
    fn topmost_in(&mut self, list: usize, number: u32) -> &mut u32 {
        match list {
            BY_NAME => &mut self.chains[number as usize].topmost,
            _ => &mut self.topmost_of_kind[number as usize],
        }
    }

    /// Returns the next higher slot in one of the element's lists, or [`NONE`].
    fn next_higher(&mut self, list: usize, slot: u32) -> u32 {
        let open = self.slots[slot as usize];
        let is_topmost = *self.topmost_in(list, open.list_number(list)) == slot;
        if is_topmost { NONE } else { open.above[list] }
    }

    fn unlink_from_list(&mut self, list: usize, slot: u32) {
        let (open, above) = (self.slots[slot as usize], self.next_higher(list, slot));
        let below = open.below[list];
        match above {
            NONE => *self.topmost_in(list, open.list_number(list)) = below,
            above => self.slots[above as usize].below[list] = below,
        }
        if below != NONE {
            self.slots[below as usize].above[list] = above;
        }
    }

    /// Puts an element into an empty slot. `higher_slots` has the next higher slot in each of the element's lists, and
    /// is updated.
    fn fill_slot(&mut self, slot: u32, mut open: Open<N>, higher_slots: &mut [Vec<(u32, u32)>; 2]) {
        self.chain_mut(open.chain).count += 1;
        (open.nearest_in_own_namespace, open.is_linked_from_below) = (NONE, true);
        for list in [BY_NAME, BY_KIND] {
            let number = open.list_number(list);
            let next_higher = higher_slots[list].iter_mut().find(|(other, _)| *other == number);
            let above = next_higher.as_ref().map_or(NONE, |(_, above)| *above);
            match next_higher {
                Some((_, above)) => *above = slot,
                None => higher_slots[list].push((number, slot)),
            }
            let below = match above {
                NONE => self.topmost_in(list, number),
                above => &mut self.slots[above as usize].below[list],
            };
            let below = std::mem::replace(below, slot);
            if below != NONE {
                self.slots[below as usize].above[list] = slot;
            }
            (open.below[list], open.above[list]) = (below, above);
        }
        self.slots[slot as usize] = open;
        self.empty_slot_count -= 1;
    }

    /// Recomputes `nearest_in_own_namespace` from this slot up to the next unaffected element.
    fn recompute_nearest_in_own_namespace(&mut self, first: u32) {
        let below = self.next_below(first);
        let mut nearest_in_own_namespace =
            below.map_or(NONE, |slot| self.slots[slot as usize].nearest_in_own_namespace);
        let is_open = self.get(first).is_some();
        let mut next_slot = if is_open { Some(first) } else { self.next_above(first) };
        while let Some(slot) = next_slot {
            self.steps += 1;
            let open = &mut self.slots[slot as usize];
            if open.is_in_own_namespace() {
                if open.nearest_in_own_namespace == slot {
                    break;
                }
                nearest_in_own_namespace = slot;
            }
            open.nearest_in_own_namespace = nearest_in_own_namespace;
            next_slot = self.next_above(slot);
        }
    }
}

/// Lookups, which do not walk the whole stack unless their docs say so.
impl<N: Copy + Eq> OpenElements<N> {
    /// Returns the slot of the topmost element of the table's own namespace with this name; `None` if there is none.
    #[inline]
    pub(super) fn topmost(&self, name: u32) -> Option<u32> {
        Some(self.topmost_slot_or_none(name)).filter(|&slot| slot != NONE)
    }

    /// Returns the slot of the topmost element of the table's own namespace with this name, or [`NONE`].
    #[inline]
    pub(super) fn topmost_slot_or_none(&self, name: u32) -> u32 {
        self.chains.get(name as usize * 2).map_or(NONE, |chain| chain.topmost)
    }

    /// Returns the number of open elements of the table's own namespace with this name.
    pub(super) fn count_named(&self, name: u32) -> usize {
        self.chains.get(name as usize * 2).map_or(0, |chain| chain.count as usize)
    }

    /// Returns the slot of the topmost foreign element whose name in lower case is `lower`; `None` if there is none.
    pub(super) fn topmost_foreign(&self, lower: u32) -> Option<u32> {
        let chain = self.chains.get(lower as usize * 2 + 1)?;
        Some(chain.topmost).filter(|&slot| slot != NONE)
    }

    /// Returns the slot of the topmost element of the table's own namespace; `None` if there is none.
    pub(super) fn topmost_in_own_namespace(&self) -> Option<u32> {
        self.slots.last().map(|open| open.nearest_in_own_namespace).filter(|&slot| slot != NONE)
    }

    /// Returns the name of the node if it is open, in time linear in the depth of the stack.
    pub(super) fn name_of(&self, node: N) -> Option<Name> {
        let mut open = self.slots.iter().rev().filter(|open| open.chain != NONE);
        open.find(|open| open.node == node).map(|open| open.name)
    }

    /// Iterates over the open elements with this lookup name, which are in the table's own namespace or all foreign,
    /// and their slots, topmost first.
    pub(super) fn named(
        &self,
        lookup_name: (LocalName, bool),
    ) -> impl Iterator<Item = (u32, &Open<N>)> {
        let chain = self.chains.get(chain_number(lookup_name) as usize);
        let mut next_slot = chain.map_or(NONE, |chain| chain.topmost);
        std::iter::from_fn(move || {
            let open = self.slots.get(next_slot as usize)?;
            Some((std::mem::replace(&mut next_slot, open.below[BY_NAME]), open))
        })
    }

    /// Whether a walk down from the current node reaches the slot before it meets an element that ends the scope.
    #[inline]
    pub(super) fn is_in_scope(&self, scope: usize, slot: u32) -> bool {
        // The topmost slot is tested first, because `slot` is usually that of the current node.
        slot + 1 == self.slots.len() as u32 || self.has_no_end_above(scope, slot)
    }

    /// Whether no element above the slot ends the scope.
    #[inline(never)]
    fn has_no_end_above(&self, scope: usize, slot: u32) -> bool {
        let has_none_above = |&kind: &u8| {
            let topmost = self.topmost_of_kind[usize::from(kind)];
            topmost == NONE || topmost <= slot
        };
        self.scopes[scope].iter().all(has_none_above)
    }
}
