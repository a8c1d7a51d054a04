//! Digests of formatting elements, compared before their attributes. Elements with equal names and attributes have
//! equal digests. The key is random, so that no input can aim at a digest.

use crate::names::{LocalName, Name};
use std::hash::{BuildHasher, RandomState};

/// Set in digests of a name with attributes, clear in digests of a name alone.
const HAS_ATTRIBUTES: u32 = 1 << 31;

/// Returns the digest of a name and its attributes, which does not depend on their order. It is keyed, so that no input
/// can aim at one list.
pub(super) fn digest<'a>(
    key: &RandomState,
    local: LocalName,
    attributes: impl Iterator<Item = [&'a [u8]; 2]>,
) -> u32 {
    let sum = attributes.fold(0_u64, |sum, attribute| sum.wrapping_add(key.hash_one(attribute)));
    (key.hash_one((local.id(), sum)) >> 32) as u32 | HAS_ATTRIBUTES
}

/// Returns the digest of a name alone, for elements whose attributes are not hashed yet.
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
            digest(key, LocalName::known(1), attributes.iter().copied())
        };
        let key = RandomState::new();
        let [one, other] = attributes;
        assert_eq!(number(&key, &[one, other]), number(&key, &[other, one]));
        assert_ne!(number(&key, &[one, other]), number(&key, &[one, one]));
        // Two of the eight digests may be equal by chance, but not all.
        let numbers = (0..8).map(|_| number(&RandomState::new(), &[one, other]));
        assert!(numbers.collect::<std::collections::HashSet<_>>().len() > 1);
    }
}
