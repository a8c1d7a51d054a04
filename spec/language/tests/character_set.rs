//! Operations on character sets, compared with enumerated sets. Ranges must be sorted, must not touch, and must not end
//! in a surrogate.

use tabulex_language::model::CharacterSet;

fn set(ranges: &[(char, char)]) -> CharacterSet {
    let mut set = CharacterSet::default();
    ranges.iter().for_each(|&(first, last)| set.insert(first, last));
    set
}

/// Returns the sets to combine: empty, single, at either end, around the surrogates, everything.
fn examples() -> Vec<CharacterSet> {
    vec![
        set(&[]),
        set(&[('a', 'a')]),
        set(&[('a', 'z')]),
        set(&[('b', 'd'), ('f', 'f'), ('h', 'k')]),
        set(&[('\0', 'c'), ('y', char::MAX)]),
        set(&[('c', 'b'), ('e', 'i')]),
        set(&[('\u{D7FE}', '\u{E001}')]),
        set(&[('\u{D7FF}', '\u{D7FF}')]),
        set(&[('\u{E000}', '\u{E000}')]),
        set(&[('\0', char::MAX)]),
    ]
}

/// Returns the characters at and next to every end of a range in the examples.
fn probes() -> Vec<char> {
    let mut probes: Vec<char> = ('`'..='{').collect();
    probes.extend(['\0', '\u{1}', 'A', '\u{10FFFE}', char::MAX]);
    probes.extend('\u{D7FD}'..='\u{E002}');
    probes
}

fn assert_well_formed(set: &CharacterSet) {
    assert!(set.ranges().iter().all(|(first, last)| first <= last), "{set:?}");
    let are_apart =
        |pair: &[(char, char)]| (pair[0].1..).nth(1).is_some_and(|next| next <= pair[1].0);
    assert!(set.ranges().windows(2).all(are_apart), "{set:?}");
}

#[test]
fn merges_ranges_in_any_order() {
    let merged = set(&[('x', 'z'), ('a', 'c'), ('d', 'f'), ('b', 'e')]);
    assert_eq!(merged.ranges(), [('a', 'f'), ('x', 'z')]);
    assert_eq!(set(&[('b', 'a')]).ranges(), []);
    assert!(set(&[]).is_empty() && !merged.is_empty());
}

#[test]
fn merges_ranges_across_surrogates() {
    let merged = set(&[('\u{D000}', '\u{D7FF}'), ('\u{E000}', '\u{E010}')]);
    assert!(merged.contains('\u{D7FF}') && merged.contains('\u{E000}'));
    assert!(merged.difference(&CharacterSet::range('\u{D000}', '\u{E010}')).is_empty());
}

#[test]
fn computes_intersection_and_difference() {
    for one in examples() {
        for other in examples() {
            let (intersection, difference) = (one.intersection(&other), one.difference(&other));
            assert_well_formed(&intersection);
            assert_well_formed(&difference);
            for probe in probes() {
                let (a, b) = (one.contains(probe), other.contains(probe));
                assert_eq!(intersection.contains(probe), a && b, "{one:?} {other:?} {probe:?}");
                assert_eq!(difference.contains(probe), a && !b, "{one:?} {other:?} {probe:?}");
            }
        }
    }
}

#[test]
fn difference_and_intersection_partition_a_set() {
    for one in examples() {
        for other in examples() {
            let mut union = one.intersection(&other);
            union.insert_all(&one.difference(&other));
            assert!(union.difference(&one).is_empty(), "{one:?} {other:?}");
            assert!(one.difference(&union).is_empty(), "{one:?} {other:?}");
        }
    }
}
