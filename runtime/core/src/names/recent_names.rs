//! A cache of recently interned names, indexed by a cheap hash of their keys. It stores keys and ids but no strings, so
//! the caller compares long names. Inserting reports the evicted name.

use super::name_key::NameKey;

/// A cache entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecentName {
    ends: NameKey,
    number: u32,
    /// For a secondary entry, whether an eviction from it was recorded.
    has_lost: bool,
}

impl RecentName {
    /// An unused entry.
    const NONE: Self = Self { ends: NameKey::NONE, number: 0, has_lost: false };

    const fn is_none(&self) -> bool {
        self.ends.is_none()
    }
}

/// The number of primary entries that a list of known names fills in advance.
pub(super) const READY: usize = 256;

/// Returns the primary entries for a list of names whose ids are their indices. On a collision the first name is kept.
pub(super) const fn ready(list: &[&str]) -> [RecentName; READY] {
    let mut places = [RecentName::NONE; READY];
    let mut index = 0;
    while index < list.len() {
        let ends = NameKey::of(list[index].as_bytes());
        let place = &mut places[place::<READY>(ends)];
        if place.is_none() {
            *place = RecentName { ends, number: index as u32, has_lost: false };
        }
        index += 1;
    }
    places
}

/// Returns the index among `PLACES` primary entries for a key.
#[inline(always)]
const fn place<const PLACES: usize>(ends: NameKey) -> usize {
    const { assert!(PLACES.is_power_of_two() && PLACES > 1) };
    let mixed = (ends.head ^ ends.tail.rotate_left(32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> (u64::BITS - PLACES.ilog2())) as usize
}

/// The number of primary entries that share a secondary one.
const SHARING: usize = 4;

/// A two-level cache: the last name inserted is in the primary entry of its key; the name it displaced is in the
/// secondary entry, until another is displaced there.
#[derive(Clone)]
pub(super) struct RecentNames<const PLACES: usize> {
    first: Box<[RecentName; PLACES]>,
    second: Box<[RecentName]>,
}

impl<const PLACES: usize> RecentNames<PLACES> {
    /// Creates a cache, filled with the entries of a known list if that has `PLACES` entries, otherwise empty.
    pub(super) fn new(ready: &[RecentName; READY]) -> Self {
        let second = vec![RecentName::NONE; PLACES.div_ceil(SHARING)].into();
        let mut recent = Self { first: empty_entries(), second };
        recent.take(ready);
        recent
    }

    pub(super) fn clear(&mut self) {
        self.first.fill(RecentName::NONE);
        self.second.fill(RecentName::NONE);
    }

    /// Fills an empty cache with the entries of a known list if that has `PLACES` entries.
    pub(super) fn take(&mut self, ready: &[RecentName; READY]) {
        if PLACES == READY {
            self.first.copy_from_slice(ready);
        }
    }

    /// Returns the id in the primary entry if it has this key.
    #[inline(always)]
    pub(super) fn get_primary(&self, ends: NameKey) -> Option<u32> {
        let recent = &self.first[place::<PLACES>(ends)];
        (recent.ends == ends).then_some(recent.number)
    }

    /// Returns the id in the secondary entry if it has this key.
    pub(super) fn get_secondary(&self, ends: NameKey) -> Option<u32> {
        let recent = &self.second[place::<PLACES>(ends) / SHARING];
        (recent.ends == ends).then_some(recent.number)
    }

    /// Swaps the names in the primary and secondary entries of this key.
    pub(super) fn exchange(&mut self, ends: NameKey) {
        let (first, second) = self.both(ends);
        std::mem::swap(&mut first.ends, &mut second.ends);
        std::mem::swap(&mut first.number, &mut second.number);
    }

    /// Whether a name with this key may have been evicted.
    pub(super) fn has_lost(&self, ends: NameKey) -> bool {
        self.second[place::<PLACES>(ends) / SHARING].has_lost
    }

    /// Records an eviction from the secondary entry of this key.
    pub(super) fn note_loss(&mut self, ends: NameKey) {
        self.both(ends).1.has_lost = true;
    }

    /// Inserts a name that is in neither of its entries, and returns the id of the evicted name, if any.
    pub(super) fn put(&mut self, ends: NameKey, number: u32) -> Option<u32> {
        let (first, second) = self.both(ends);
        let (before, lost) = (*first, *second);
        *first = RecentName { ends, number, has_lost: false };
        if before.is_none() {
            return None;
        }
        (second.ends, second.number) = (before.ends, before.number);
        (!lost.is_none()).then_some(lost.number)
    }

    /// Returns the heap memory in bytes.
    pub(super) fn heap_size(&self) -> usize {
        size_of_val(&*self.first) + size_of_val(&*self.second)
    }

    fn both(&mut self, ends: NameKey) -> (&mut RecentName, &mut RecentName) {
        let place = place::<PLACES>(ends);
        (&mut self.first[place], &mut self.second[place / SHARING])
    }
}

/// Allocates empty entries directly on the heap.
fn empty_entries<const PLACES: usize>() -> Box<[RecentName; PLACES]> {
    vec![RecentName::NONE; PLACES]
        .try_into()
        .unwrap_or_else(|_| Box::new([RecentName::NONE; PLACES]))
}

#[cfg(test)]
mod tests {
    use super::*;

    static LIST: [&str; 3] = ["a", "section", "title"];
    static NONE_READY: [RecentName; READY] = ready(&[]);

    fn ends(name: &str) -> NameKey {
        NameKey::of(name.as_bytes())
    }

    #[test]
    fn a_list_that_was_made_ready_is_found_at_once() {
        let recent = RecentNames::<READY>::new(&ready(&LIST));
        let found = |name| recent.get_primary(ends(name));
        assert_eq!(LIST.map(found), [Some(0), Some(1), Some(2)]);
        assert_eq!((found("b"), recent.get_secondary(ends("a"))), (None, None));
        let alike: Vec<String> = (0..=READY).map(|number| number.to_string()).collect();
        let alike: Vec<&str> = alike.iter().map(String::as_str).collect();
        let many = RecentNames::<READY>::new(&ready(&alike));
        let first = |index: &usize| {
            let place = |index: usize| place::<READY>(ends(alike[index]));
            (0..*index).all(|before| place(before) != place(*index))
        };
        let (those, others): (Vec<_>, Vec<_>) = (0..alike.len()).partition(first);
        assert!(!others.is_empty(), "there are more strings than places");
        assert!(
            those.iter().all(|&index| many.get_primary(ends(alike[index])) == Some(index as u32))
        );
        assert!(others.iter().all(|&index| many.get_primary(ends(alike[index])).is_none()));
        let few = RecentNames::<2>::new(&ready(&LIST));
        assert!(LIST.iter().all(|name| few.get_primary(ends(name)).is_none()));
    }

    #[test]
    fn the_string_before_has_the_second_place() {
        // Of five strings for two entries, at least three share one.
        let mut names = ["a", "b", "c", "d", "e"];
        names.sort_by_key(|name| place::<2>(ends(name)));
        let middle = place::<2>(ends(names[2]));
        let mut same = names.into_iter().filter(|name| place::<2>(ends(name)) == middle);
        let [one, two, three] = std::array::from_fn(|_| same.next().expect("three at least"));
        let mut recent = RecentNames::<2>::new(&NONE_READY);
        let found = |recent: &RecentNames<2>| {
            [one, two, three]
                .map(|name| (recent.get_primary(ends(name)), recent.get_secondary(ends(name))))
        };
        assert_eq!((recent.put(ends(one), 1), recent.put(ends(two), 2)), (None, None));
        assert_eq!(found(&recent), [(None, Some(1)), (Some(2), None), (None, None)]);
        recent.exchange(ends(one));
        assert_eq!(found(&recent), [(Some(1), None), (None, Some(2)), (None, None)]);
        assert_eq!(recent.put(ends(three), 3), Some(2));
        assert_eq!(found(&recent), [(None, Some(1)), (None, None), (Some(3), None)]);
        assert!(!recent.has_lost(ends(two)));
        recent.note_loss(ends(two));
        recent.exchange(ends(one));
        assert!(recent.has_lost(ends(two)) && recent.has_lost(ends(one)));
        recent.clear();
        assert_eq!(found(&recent), [(None, None); 3]);
        assert!(!recent.has_lost(ends(two)));
    }
}
