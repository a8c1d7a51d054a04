//! The stack of open elements. It makes no nodes. Invariant: for each name the topmost open element that bears it is
//! known, and for each kind of elements at which the same scopes end the topmost one, so that no question about the stack
//! walks it.
//!
//! An element has a slot, which it keeps as long as it is open. One that is removed from the middle leaves its slot
//! empty; who walks over empty slots leaves the way shorter than it was.

use crate::tree::{LocalName, Name, Namespace};

/// No slot.
pub(super) const NONE: u32 = u32::MAX;

/// What is known of an element that is to be open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opening<N> {
    pub(super) node: N,
    pub(super) name: Name,
    /// The local name in lower case: that by which an element of a foreign namespace is asked for.
    pub(super) lower: LocalName,
    /// Of which kind it is, which tells the scopes that end at it; 0 if none does.
    pub(super) kind: u8,
    /// Whether it is an integration point.
    pub(super) is_integration_point: bool,
    /// Its place in the list of active formatting elements.
    pub(super) formatting: u32,
}

/// An open element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open<N> {
    pub(super) node: N,
    pub(super) name: Name,
    /// The list of elements that are asked for by the same name; [`NONE`] if the slot is empty.
    chain: u32,
    /// The next lower element in that list; of an empty slot, a lower one to go on with.
    below: u32,
    /// The next higher element in that list, if there is one; of an empty slot, a higher one to go on with.
    above: u32,
    /// The topmost element of the table's own namespace, this one included.
    own: u32,
    pub(super) formatting: u32,
    kind: u8,
    pub(super) is_integration_point: bool,
    /// Whether an end tag has ended it, though it is still open.
    pub(super) is_ended: bool,
}

impl<N> Open<N> {
    /// The id of the local name, of a foreign element in lower case.
    #[inline]
    pub(super) fn asked_name(&self) -> u32 {
        self.chain >> 1
    }
}

/// Elements of one name.
#[derive(Clone, Copy, Debug)]
struct Chain {
    topmost: u32,
    count: u32,
}

/// The stack of open elements.
#[derive(Clone, Debug)]
pub(super) struct OpenElements<N> {
    slots: Vec<Open<N>>,
    /// The number of empty slots.
    empty: usize,
    /// By number, which is twice the local name, plus one for elements that are not of the table's own namespace.
    chains: Vec<Chain>,
    /// How many local names the table mentions: most elements bear one of these.
    known: usize,
    /// For each kind of elements at which scopes end, their slots.
    ends: Vec<Vec<u32>>,
    /// For each scope, the kinds of elements at which it ends.
    scopes: &'static [&'static [u8]],
    own: Namespace,
    /// Steps taken over empty slots.
    pub(super) steps: u64,
}

impl<N: Copy + Eq> OpenElements<N> {
    /// No open elements, of a table whose elements are in this namespace, and which has these scopes, each with the kinds
    /// of elements at which it ends, and so many names.
    pub(super) fn new(own: Namespace, scopes: &'static [&'static [u8]], known: usize) -> Self {
        let kinds = scopes.iter().copied().flatten().max().map_or(0, |&last| usize::from(last) + 1);
        Self {
            slots: Vec::new(),
            empty: 0,
            chains: Vec::new(),
            known,
            ends: vec![Vec::new(); kinds],
            scopes,
            own,
            steps: 0,
        }
    }

    /// No open elements, with the room of these.
    pub(super) fn emptied(mut self) -> Self {
        self.slots.clear();
        self.chains.clear();
        self.ends.iter_mut().for_each(Vec::clear);
        Self { empty: 0, steps: 0, ..self }
    }

    /// The number of open elements.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.slots.len() - self.empty
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The current node.
    #[inline]
    pub(super) fn last(&self) -> Option<&Open<N>> {
        self.slots.last()
    }

    /// The slot of the current node.
    #[inline]
    pub(super) fn last_slot(&self) -> Option<u32> {
        (self.slots.len() as u32).checked_sub(1)
    }

    /// The open element in the slot.
    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<&Open<N>> {
        self.slots.get(slot as usize).filter(|open| open.chain != NONE)
    }

    pub(super) fn mark_ended(&mut self, slot: u32) {
        if let Some(open) = self.slots.get_mut(slot as usize) {
            open.is_ended = true;
        }
    }

    /// The slot of the topmost element below this place at which the scope ends.
    pub(super) fn end_below(&self, scope: usize, slot: u32) -> Option<u32> {
        let below = |&kind: &u8| {
            let ends = &self.ends[usize::from(kind)];
            let count = ends.partition_point(|&end| end < slot);
            ends[..count].last().copied()
        };
        self.scopes[scope].iter().filter_map(below).max()
    }

    pub(super) fn set_formatting(&mut self, slot: u32, formatting: u32) {
        if let Some(open) = self.slots.get_mut(slot as usize) {
            open.formatting = formatting;
        }
    }

    /// The slot of the next open element below this place.
    pub(super) fn next_below(&mut self, slot: u32) -> Option<u32> {
        let mut at = slot.checked_sub(1)?;
        while self.slots[at as usize].chain == NONE {
            self.steps += 1;
            let next = self.slots[at as usize].below;
            if next == NONE {
                return None;
            }
            at = next;
        }
        let mut passed = slot - 1;
        while passed > at {
            passed = std::mem::replace(&mut self.slots[passed as usize].below, at);
        }
        Some(at)
    }

    /// The slot of the next open element above this one.
    pub(super) fn next_above(&mut self, slot: u32) -> Option<u32> {
        let mut at = slot + 1;
        while self.slots.get(at as usize)?.chain == NONE {
            self.steps += 1;
            at = self.slots[at as usize].above;
        }
        let mut passed = slot + 1;
        while passed < at {
            passed = std::mem::replace(&mut self.slots[passed as usize].above, at);
        }
        Some(at)
    }

    /// The slot of the first open element.
    pub(super) fn first(&mut self) -> Option<u32> {
        match self.slots.first() {
            Some(open) if open.chain != NONE => Some(0),
            Some(_) => self.next_above(0),
            None => None,
        }
    }

    #[inline]
    fn chain_of(&mut self, name: Name, lower: LocalName) -> u32 {
        let chain = if name.is_in(self.own) { lower.id() * 2 } else { lower.id() * 2 + 1 };
        if chain as usize >= self.chains.len() {
            self.more_chains(chain as usize);
        }
        chain
    }

    #[cold]
    #[inline(never)]
    fn more_chains(&mut self, chain: usize) {
        let length = (chain + 1).max(self.known * 2);
        self.chains.resize(length, Chain { topmost: NONE, count: 0 });
    }

    /// The list of this number.
    #[inline(always)]
    fn chain(&mut self, chain: u32) -> &mut Chain {
        &mut self.chains[chain as usize]
    }

    #[inline(always)]
    pub(super) fn push(&mut self, opening: Opening<N>) {
        let slot = self.slots.len() as u32;
        let chain = self.chain_of(opening.name, opening.lower);
        let list = self.chain(chain);
        let below = std::mem::replace(&mut list.topmost, slot);
        list.count += 1;
        let is_own = opening.name.is_in(self.own);
        let own = if is_own { slot } else { self.slots.last().map_or(NONE, |open| open.own) };
        if opening.kind != 0 {
            self.ends[usize::from(opening.kind)].push(slot);
        }
        self.slots.push(opened(&opening, chain, below, own));
        // What the topmost element of a list tells of the one above it is never read: where there is no lower one, it is
        // told of itself, which takes no jump.
        let lower = if below == NONE { slot } else { below };
        self.slots[lower as usize].above = slot;
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Open<N>> {
        let open = self.slots.pop()?;
        let list = self.chain(open.chain);
        list.topmost = open.below;
        list.count -= 1;
        if open.kind != 0 {
            self.ends[usize::from(open.kind)].pop();
        }
        if self.empty != 0 {
            self.drop_empty();
        }
        Some(open)
    }

    /// What is known of an open element that is to be open in another slot.
    pub(super) fn reopening(&self, open: &Open<N>) -> Opening<N> {
        Opening {
            node: open.node,
            name: open.name,
            lower: LocalName::known(open.asked_name()),
            kind: open.kind,
            is_integration_point: open.is_integration_point,
            formatting: open.formatting,
        }
    }

    /// The topmost slot is never empty.
    #[cold]
    #[inline(never)]
    fn drop_empty(&mut self) {
        while self.slots.last().is_some_and(|open| open.chain == NONE) {
            self.steps += 1;
            self.slots.pop();
            self.empty -= 1;
        }
    }

    /// Removes an open element from wherever it is.
    pub(super) fn remove(&mut self, slot: u32) {
        if Some(slot) == self.last_slot() {
            self.pop();
        } else {
            self.rearrange(slot, slot, &[]);
        }
    }

    /// Puts these elements, the lowest first, in the place of those from `first` to `last`, which are open. There may not be
    /// more of them, and their names must be among those before. They get the highest of the slots in which elements were
    /// open, so that ways over empty slots stay right; tells these slots.
    pub(super) fn rearrange(&mut self, first: u32, last: u32, elements: &[Opening<N>]) -> Vec<u32> {
        // For each name, the next higher element with it.
        let mut higher: Vec<(u32, u32)> = Vec::new();
        let mut ends: Vec<(u8, usize, usize)> = Vec::new();
        let mut places = Vec::new();
        let mut next = Some(last);
        while let Some(slot) = next.filter(|&slot| slot >= first) {
            self.steps += 1;
            next = self.next_below(slot);
            let open = self.slots[slot as usize];
            if !higher.iter().any(|&(chain, _)| chain == open.chain) {
                higher.push((open.chain, self.higher(slot)));
            }
            self.leave_chain(slot);
            self.note_end(open.kind, slot, &mut ends);
            self.empty += 1;
            let empty = &mut self.slots[slot as usize];
            (empty.chain, empty.below, empty.above, empty.kind) = (NONE, NONE, slot + 1, 0);
            empty.below = slot.checked_sub(1).unwrap_or(NONE);
            if places.len() < elements.len() {
                places.push(slot);
            }
        }
        for (&slot, opening) in places.iter().zip(elements.iter().rev()) {
            self.enter(slot, opening, &mut higher);
        }
        places.reverse();
        for (kind, start, count) in ends {
            let placed = places.iter().zip(elements).filter(|(_, opening)| opening.kind == kind);
            let placed: Vec<u32> = placed.map(|(&slot, _)| slot).collect();
            self.ends[usize::from(kind)].splice(start..start + count, placed);
        }
        self.mend_own(places.first().copied().unwrap_or(last));
        self.drop_empty();
        places
    }

    /// The next higher element with the name of the one in the slot.
    fn higher(&self, slot: u32) -> u32 {
        let open = &self.slots[slot as usize];
        if self.chains[open.chain as usize].topmost == slot { NONE } else { open.above }
    }

    fn leave_chain(&mut self, slot: u32) {
        let open = self.slots[slot as usize];
        let above = self.higher(slot);
        let list = self.chain(open.chain);
        list.count -= 1;
        match above {
            NONE => list.topmost = open.below,
            above => self.slots[above as usize].below = open.below,
        }
        if open.below != NONE {
            self.slots[open.below as usize].above = above;
        }
    }

    /// Remembers which part of the list of the kind is replaced: where it starts, how many there are.
    fn note_end(&self, kind: u8, slot: u32, ends: &mut Vec<(u8, usize, usize)>) {
        if kind == 0 {
            return;
        }
        let Ok(at) = self.ends[usize::from(kind)].binary_search(&slot) else { return };
        match ends.iter_mut().find(|(other, ..)| *other == kind) {
            Some((_, start, count)) => (*start, *count) = (at, *count + 1),
            None => ends.push((kind, at, 1)),
        }
    }

    fn enter(&mut self, slot: u32, opening: &Opening<N>, higher: &mut Vec<(u32, u32)>) {
        let chain = self.chain_of(opening.name, opening.lower);
        let known = higher.iter_mut().find(|(other, _)| *other == chain);
        let above = known.as_ref().map_or(NONE, |(_, above)| *above);
        let below = match above {
            NONE => std::mem::replace(&mut self.chain(chain).topmost, slot),
            above => std::mem::replace(&mut self.slots[above as usize].below, slot),
        };
        if below != NONE {
            self.slots[below as usize].above = slot;
        }
        match known {
            Some((_, above)) => *above = slot,
            None => higher.push((chain, slot)),
        }
        self.chain(chain).count += 1;
        self.slots[slot as usize] = Open { above, ..opened(opening, chain, below, NONE) };
        self.empty -= 1;
    }

    /// Tells the elements from the slot on anew which element of the table's own namespace is next below them.
    fn mend_own(&mut self, first: u32) {
        let below = self.next_below(first);
        let mut own = below.map_or(NONE, |slot| self.slots[slot as usize].own);
        let is_open = self.get(first).is_some();
        let mut next = if is_open { Some(first) } else { self.next_above(first) };
        while let Some(slot) = next {
            self.steps += 1;
            let open = &mut self.slots[slot as usize];
            if open.name.is_in(self.own) {
                if open.own == slot {
                    break;
                }
                own = slot;
            }
            open.own = own;
            next = self.next_above(slot);
        }
    }
}

/// Questions.
impl<N: Copy + Eq> OpenElements<N> {
    /// The slot of the topmost element of the table's own namespace with this name.
    #[inline]
    pub(super) fn topmost(&self, own: u32) -> Option<u32> {
        let list = self.chains.get(own as usize * 2);
        list.map(|list| list.topmost).filter(|&slot| slot != NONE)
    }

    /// The number of open elements of the table's own namespace with this name.
    pub(super) fn count(&self, own: u32) -> usize {
        self.chains.get(own as usize * 2).map_or(0, |list| list.count as usize)
    }

    /// The slot of the topmost foreign element whose name in lower case is this.
    pub(super) fn topmost_foreign(&self, lower: u32) -> Option<u32> {
        let list = self.chains.get(lower as usize * 2 + 1)?;
        Some(list.topmost).filter(|&slot| slot != NONE)
    }

    /// The slot of the topmost element of the table's own namespace.
    pub(super) fn topmost_own(&self) -> Option<u32> {
        self.slots.last().map(|open| open.own).filter(|&slot| slot != NONE)
    }

    /// The slot of the node, which bears this name.
    pub(super) fn find(&mut self, node: N, own: u32) -> Option<u32> {
        let mut at = self.topmost(own)?;
        loop {
            let open = &self.slots[at as usize];
            if open.node == node {
                return Some(at);
            }
            self.steps += 1;
            if open.below == NONE {
                return None;
            }
            at = open.below;
        }
    }

    /// The slots of foreign elements whose name in lower case is this, from the topmost one down.
    pub(super) fn foreign(&self, lower: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.topmost_foreign(lower), |&slot| {
            Some(self.slots[slot as usize].below).filter(|&below| below != NONE)
        })
    }

    /// Whether a walk from the current node comes to the slot before it comes to an end of the scope that is above it.
    #[inline]
    pub(super) fn is_in_scope(&self, scope: usize, slot: u32) -> bool {
        // Mostly it is that of the current node.
        slot + 1 == self.slots.len() as u32 || self.has_no_end_above(scope, slot)
    }

    #[inline(never)]
    fn has_no_end_above(&self, scope: usize, slot: u32) -> bool {
        let is_below =
            |&kind: &u8| self.ends[usize::from(kind)].last().is_none_or(|&end| end <= slot);
        self.scopes[scope].iter().all(is_below)
    }
}

#[inline(always)]
fn opened<N: Copy>(opening: &Opening<N>, chain: u32, below: u32, own: u32) -> Open<N> {
    Open {
        node: opening.node,
        name: opening.name,
        chain,
        below,
        above: NONE,
        own,
        formatting: opening.formatting,
        kind: opening.kind,
        is_integration_point: opening.is_integration_point,
        is_ended: false,
    }
}
