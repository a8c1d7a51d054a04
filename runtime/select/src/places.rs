//! Where elements stand among their siblings, of all and of those of their type, counted from both ends. Children of one
//! parent are counted once, at the first question about one of them, however many are asked about and however many types
//! they have. Invariant: it holds as long as nobody changes the tree.

use selectors::parser::{NthSelectorData, NthType};
use std::collections::HashMap;
use tabulex_core::tree::{Name, NodeId, NodeRef};

/// Which places a compound asks for, as `:nth-child()` and its like do without `of`.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    is_of_type: bool,
    is_from_end: bool,
    /// `An+B`: the multiple, and what is added to it.
    step: i64,
    offset: i64,
}

impl Wanted {
    /// What a pseudo-class asks for; all of it must hold.
    pub(crate) fn of(nth: &NthSelectorData) -> impl Iterator<Item = Self> {
        let (is_of_type, first, last) = match nth.ty {
            NthType::Child => (false, true, false),
            NthType::LastChild => (false, false, true),
            NthType::OnlyChild => (false, true, true),
            NthType::OfType => (true, true, false),
            NthType::LastOfType => (true, false, true),
            NthType::OnlyOfType => (true, true, true),
        };
        // Of an only child both numbers are 1, whatever the pseudo-class has.
        let (step, offset) = match first && last {
            true => (0, 1),
            false => (nth.an_plus_b.0.into(), nth.an_plus_b.1.into()),
        };
        let ends = [(first, false), (last, true)].into_iter().filter(|(asked, _)| *asked);
        ends.map(move |(_, is_from_end)| Self { is_of_type, is_from_end, step, offset })
    }

    /// Whether it is the first child alone, or the last one alone, for which nothing needs to be counted.
    pub(crate) fn end(self) -> Option<End> {
        let is_one = (self.step, self.offset) == (0, 1) && !self.is_of_type;
        is_one.then_some(if self.is_from_end { End::Last } else { End::First })
    }

    /// Whether one of the numbers `An+B`, where `n` is at least 0, is this one.
    fn has(self, number: u32) -> bool {
        let distance = i64::from(number) - self.offset;
        match self.step {
            0 => distance == 0,
            step => distance % step == 0 && distance / step >= 0,
        }
    }
}

/// An end of a list of children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    First,
    Last,
}

/// A place among siblings, from 1.
#[derive(Clone, Copy)]
struct Place {
    among_all: u32,
    of_type: u32,
}

/// How many siblings there are.
type Number = Place;

/// The places of those that were asked about, and of their siblings.
#[derive(Default)]
pub(crate) struct Places {
    /// From the first child on; with it how many there are.
    places: HashMap<NodeId, (Place, Number)>,
}

impl Places {
    /// Whether an element is where it is wanted.
    pub(crate) fn are(&mut self, node: NodeRef<'_>, wanted: Wanted) -> bool {
        let (place, number) = match self.places.get(&node.id()) {
            Some(found) => *found,
            None => self.count(node),
        };
        let of = |place: Place| if wanted.is_of_type { place.of_type } else { place.among_all };
        let (place, number) = (of(place), of(number));
        wanted.has(if wanted.is_from_end { number + 1 - place } else { place })
    }

    /// Counts an element and its siblings.
    fn count(&mut self, node: NodeRef<'_>) -> (Place, Number) {
        let first = node.previous_siblings().last().unwrap_or(node);
        let siblings = || {
            let all = std::iter::once(first).chain(first.next_siblings());
            all.filter_map(|node| Some((node.id(), node.name()?.id())))
        };
        let mut among_all = 0;
        let mut of_types: HashMap<Name, u32> = HashMap::new();
        for (_, name) in siblings() {
            among_all += 1;
            *of_types.entry(name).or_default() += 1;
        }
        let mut seen: HashMap<Name, u32> = HashMap::with_capacity(of_types.len());
        for ((id, name), place) in siblings().zip(1..) {
            let of_type = seen.entry(name).or_default();
            *of_type += 1;
            let place = Place { among_all: place, of_type: *of_type };
            self.places.insert(id, (place, Number { among_all, of_type: of_types[&name] }));
        }
        self.places[&node.id()]
    }
}
