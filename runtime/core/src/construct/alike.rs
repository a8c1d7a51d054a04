//! Numbers by which formatting elements are compared before their attributes are. They say only that two are not alike.
//! Invariant: elements with equal names and attributes have one number, and no input can aim at a number.

use crate::names::{LocalName, Name};
use std::hash::{BuildHasher, RandomState};

/// The bit that numbers of names and attributes have, and those of names alone have not.
const HAS_ATTRIBUTES: u32 = 1 << 31;

/// A number that elements share which have equal names and attributes, in whatever order. It takes a key, so that no
/// input can aim at one list by number.
pub(super) fn alike<'a>(
    key: &RandomState,
    local: LocalName,
    attributes: impl Iterator<Item = [&'a [u8]; 2]>,
) -> u32 {
    let sum = attributes.fold(0_u64, |sum, attribute| sum.wrapping_add(key.hash_one(attribute)));
    (key.hash_one((local.id(), sum)) >> 32) as u32 | HAS_ATTRIBUTES
}

/// The digest of an element of this name without its attributes.
pub(super) fn name_only_digest(name: Name) -> u32 {
    name.local().id() & !HAS_ATTRIBUTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_a_key_and_no_order() {
        let attributes: [[&[u8]; 2]; 2] = [[b"a", b"1"], [b"b", b"2"]];
        let number = |key: &RandomState, attributes: &[[&'static [u8]; 2]]| {
            alike(key, LocalName::known(1), attributes.iter().copied())
        };
        let key = RandomState::new();
        let [one, other] = attributes;
        assert_eq!(number(&key, &[one, other]), number(&key, &[other, one]));
        assert_ne!(number(&key, &[one, other]), number(&key, &[one, one]));
        // Of that many keys two give the same number by chance, but not all.
        let numbers = (0..8).map(|_| number(&RandomState::new(), &[one, other]));
        assert!(numbers.collect::<std::collections::HashSet<_>>().len() > 1);
    }
}
