//! Sets of characters, as used by rows and classes.

use std::collections::BTreeSet;

/// A set of characters: sorted ranges, both ends included, that neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CharacterSet {
    ranges: Vec<(char, char)>,
}

impl CharacterSet {
    /// Creates the set of the characters from `first` to `last`, both included.
    pub fn range(first: char, last: char) -> Self {
        let mut set = Self::default();
        set.insert(first, last);
        set
    }

    /// Creates the set of a character. If `ignoring_case`, an ASCII letter is in the set in both cases.
    pub fn character(character: char, ignoring_case: bool) -> Self {
        let mut set = Self::range(character, character);
        if ignoring_case {
            for other in [character.to_ascii_lowercase(), character.to_ascii_uppercase()] {
                set.insert(other, other);
            }
        }
        set
    }

    /// Adds the characters from `first` to `last`, both included; an empty range adds nothing.
    pub fn insert(&mut self, first: char, last: char) {
        if first > last {
            return;
        }
        self.ranges.push((first, last));
        self.ranges.sort_unstable();
        let mut merged: Vec<(char, char)> = Vec::with_capacity(self.ranges.len());
        for &(first, last) in &self.ranges {
            match merged.last_mut() {
                Some(before) if first as u32 <= before.1 as u32 + 1 => {
                    before.1 = before.1.max(last)
                }
                _ => merged.push((first, last)),
            }
        }
        self.ranges = merged;
    }

    /// Adds every member of another set.
    pub fn insert_all(&mut self, other: &Self) {
        for &(first, last) in &other.ranges {
            self.insert(first, last);
        }
    }

    /// Whether the character is a member.
    pub fn contains(&self, character: char) -> bool {
        self.ranges.iter().any(|&(first, last)| first <= character && character <= last)
    }

    /// Returns the sorted ranges, both ends included.
    pub fn ranges(&self) -> &[(char, char)] {
        &self.ranges
    }

    /// Whether the set has no member.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the characters in both sets.
    pub fn intersection(&self, other: &Self) -> Self {
        let mut set = Self::default();
        for &(a, b) in &self.ranges {
            for &(c, d) in &other.ranges {
                set.insert(a.max(c), b.min(d));
            }
        }
        set
    }

    /// Divides the members of the sets into classes that no set separates.
    pub fn classes(sets: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut classes: Vec<Self> = Vec::new();
        for mut unclassified in sets {
            let mut split_classes = Vec::new();
            for class in classes {
                split_classes
                    .extend([class.intersection(&unclassified), class.difference(&unclassified)]);
                unclassified = unclassified.difference(&class);
            }
            split_classes.push(unclassified);
            classes = split_classes.into_iter().filter(|class| !class.is_empty()).collect();
        }
        classes
    }

    /// Returns the characters of this set that are not in the other.
    pub fn difference(&self, other: &Self) -> Self {
        let starts = other.ranges.iter().map(|&(_, last)| next(last));
        let lasts = other.ranges.iter().map(|&(first, _)| previous(first));
        let gaps = [Some('\0')].into_iter().chain(starts).zip(lasts.chain([Some(char::MAX)]));
        let gaps = gaps.filter_map(|(first, last)| Some((first?, last?)));
        self.intersection(&Self { ranges: gaps.collect() })
    }
}

/// Divides all characters into ranges, each of which is entirely inside or entirely outside every given one. The ranges
/// and the result include both ends.
pub fn partition<'r>(ranges: impl IntoIterator<Item = &'r (char, char)>) -> Vec<(char, char)> {
    let starts = ranges.into_iter().flat_map(|&(first, last)| [Some(first), next(last)]);
    let starts: BTreeSet<char> = starts.flatten().chain(['\0']).collect();
    let lasts = starts.iter().skip(1).filter_map(|&start| previous(start)).chain([char::MAX]);
    starts.iter().copied().zip(lasts).collect()
}

/// Returns the preceding character, skipping surrogates; `None` for U+0000.
fn previous(character: char) -> Option<char> {
    match character {
        '\0' => None,
        '\u{E000}' => Some('\u{D7FF}'),
        other => char::from_u32(other as u32 - 1),
    }
}

/// Returns the following character, skipping surrogates; `None` for [`char::MAX`].
fn next(character: char) -> Option<char> {
    match character {
        '\u{D7FF}' => Some('\u{E000}'),
        other => char::from_u32(other as u32 + 1),
    }
}
