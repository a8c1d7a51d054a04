//! Strings that were seen lately, found by a cheap hash of their ends. It holds no string, and distinguishes none that
//! is longer than its ends. Invariant: whoever puts in one that is in none of its places learns which one had to go; so
//! each is in one place at most.

use super::name_key::NameKey;

/// A string seen lately.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecentName {
    ends: NameKey,
    number: u32,
    /// Of a second place: whether it was noted that a string had to go.
    has_lost: bool,
}

impl RecentName {
    /// A place where no string has been yet.
    const NONE: Self = Self { ends: NameKey::NONE, number: 0, has_lost: false };

    const fn is_none(&self) -> bool {
        self.ends.is_none()
    }
}

/// How many places a list of known strings is made ready for.
pub(super) const READY: usize = 256;

/// The first places for the strings of a list, whose numbers are their indices. On a collision the first
/// one has it.
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

/// The place among `PLACES` for a string with these ends.
#[inline(always)]
const fn place<const PLACES: usize>(ends: NameKey) -> usize {
    const { assert!(PLACES.is_power_of_two() && PLACES > 1) };
    let mixed = (ends.head ^ ends.tail.rotate_left(32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> (u64::BITS - PLACES.ilog2())) as usize
}

/// The number of first places that share a second one.
const SHARING: usize = 4;

/// Places by a cheap hash. What was put in last is in a first place, where it is found at once; what stood there
/// before has the second place, until another string comes there.
#[derive(Clone)]
pub(super) struct RecentNames<const PLACES: usize> {
    first: Box<[RecentName; PLACES]>,
    second: Box<[RecentName]>,
}

impl<const PLACES: usize> RecentNames<PLACES> {
    /// The strings of a list that was made ready, if it was for `PLACES` places; else none.
    pub(super) fn new(ready: &[RecentName; READY]) -> Self {
        let second = vec![RecentName::NONE; PLACES.div_ceil(SHARING)].into();
        let mut seen = Self { first: nothing(), second };
        seen.take(ready);
        seen
    }

    /// No strings.
    pub(super) fn clear(&mut self) {
        self.first.fill(RecentName::NONE);
        self.second.fill(RecentName::NONE);
    }

    /// The strings of a list that was made ready, if it was for `PLACES` places, where no other strings are.
    pub(super) fn take(&mut self, ready: &[RecentName; READY]) {
        if PLACES == READY {
            self.first.copy_from_slice(ready);
        }
    }

    /// The string in the first place for these ends, if it has the same.
    #[inline(always)]
    pub(super) fn at_once(&self, ends: NameKey) -> Option<u32> {
        let seen = &self.first[place::<PLACES>(ends)];
        (seen.ends == ends).then_some(seen.number)
    }

    /// The string in the second place for these ends, if it has the same.
    pub(super) fn before(&self, ends: NameKey) -> Option<u32> {
        let seen = &self.second[place::<PLACES>(ends) / SHARING];
        (seen.ends == ends).then_some(seen.number)
    }

    /// The strings in the two places exchange them.
    pub(super) fn exchange(&mut self, ends: NameKey) {
        let (first, second) = self.both(ends);
        std::mem::swap(&mut first.ends, &mut second.ends);
        std::mem::swap(&mut first.number, &mut second.number);
    }

    /// Whether the loss of a string that may have had these ends was noted.
    pub(super) fn has_lost(&self, ends: NameKey) -> bool {
        self.second[place::<PLACES>(ends) / SHARING].has_lost
    }

    /// Notes it.
    pub(super) fn note_loss(&mut self, ends: NameKey) {
        self.both(ends).1.has_lost = true;
    }

    /// Puts a string that is in neither place into the first one. The string that has to go, if there is one.
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

    /// Bytes on the heap.
    pub(super) fn heap_size(&self) -> usize {
        size_of_val(&*self.first) + size_of_val(&*self.second)
    }

    fn both(&mut self, ends: NameKey) -> (&mut RecentName, &mut RecentName) {
        let place = place::<PLACES>(ends);
        (&mut self.first[place], &mut self.second[place / SHARING])
    }
}

/// No strings, made where they are to be.
fn nothing<const PLACES: usize>() -> Box<[RecentName; PLACES]> {
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
        let seen = RecentNames::<READY>::new(&ready(&LIST));
        let found = |name| seen.at_once(ends(name));
        assert_eq!(LIST.map(found), [Some(0), Some(1), Some(2)]);
        assert_eq!((found("b"), seen.before(ends("a"))), (None, None));
        let alike: Vec<String> = (0..=READY).map(|number| number.to_string()).collect();
        let alike: Vec<&str> = alike.iter().map(String::as_str).collect();
        let many = RecentNames::<READY>::new(&ready(&alike));
        let first = |index: &usize| {
            let place = |index: usize| place::<READY>(ends(alike[index]));
            (0..*index).all(|before| place(before) != place(*index))
        };
        let (those, others): (Vec<_>, Vec<_>) = (0..alike.len()).partition(first);
        assert!(!others.is_empty(), "there are more strings than places");
        assert!(those.iter().all(|&index| many.at_once(ends(alike[index])) == Some(index as u32)));
        assert!(others.iter().all(|&index| many.at_once(ends(alike[index])).is_none()));
        let few = RecentNames::<2>::new(&ready(&LIST));
        assert!(LIST.iter().all(|name| few.at_once(ends(name)).is_none()));
    }

    #[test]
    fn the_string_before_has_the_second_place() {
        // Of five strings for two places, three at least have the same one.
        let mut names = ["a", "b", "c", "d", "e"];
        names.sort_by_key(|name| place::<2>(ends(name)));
        let middle = place::<2>(ends(names[2]));
        let mut same = names.into_iter().filter(|name| place::<2>(ends(name)) == middle);
        let [one, two, three] = std::array::from_fn(|_| same.next().expect("three at least"));
        let mut seen = RecentNames::<2>::new(&NONE_READY);
        let found = |seen: &RecentNames<2>| {
            [one, two, three].map(|name| (seen.at_once(ends(name)), seen.before(ends(name))))
        };
        assert_eq!((seen.put(ends(one), 1), seen.put(ends(two), 2)), (None, None));
        assert_eq!(found(&seen), [(None, Some(1)), (Some(2), None), (None, None)]);
        seen.exchange(ends(one));
        assert_eq!(found(&seen), [(Some(1), None), (None, Some(2)), (None, None)]);
        assert_eq!(seen.put(ends(three), 3), Some(2));
        assert_eq!(found(&seen), [(None, Some(1)), (None, None), (Some(3), None)]);
        assert!(!seen.has_lost(ends(two)));
        seen.note_loss(ends(two));
        seen.exchange(ends(one));
        assert!(seen.has_lost(ends(two)) && seen.has_lost(ends(one)));
        seen.clear();
        assert_eq!(found(&seen), [(None, None); 3]);
        assert!(!seen.has_lost(ends(two)));
    }
}
