//! How much room a tree's lists get. It holds no list itself. Invariant: a list grows by a constant factor at least, so
//! that filling it is linear.

/// Lists of so many items are moved as seldom as can be.
const LONG: usize = 1 << 14;

/// Where there are more than one node for so many bytes, most of what looks like a tag is none.
const DENSEST: usize = 16;

/// How many nodes a whole input of so many bytes, so many of them `<`, is likely to have at most. Pages have 1.2 for each
/// `<`, hardly any has more than 1.4.
pub(super) fn likely_nodes(length: usize, tags: usize) -> usize {
    (tags + tags * 2 / 5).min(length / DENSEST)
}

/// Makes room for so many more items in a list that has a few. If it must move, what else its block held is not moved with
/// them, as it would be with a list that once was long.
pub(super) fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        let mut few = Vec::new();
        few.append(list);
        *list = Vec::new();
        list.reserve_exact(few.len() + more);
        list.append(&mut few);
    }
}

/// What is known of the input's length and of how far it has been read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    /// The length of the input in bytes; 0 if unknown.
    pub(super) expected: usize,
    /// The end of what a node has been made of.
    pub(super) reached: usize,
}

impl Growth {
    /// The capacity for a full list. Plain doubling would leave half of a large list unused; instead the list is
    /// stretched to what the rest of the input will need if it is like the part behind.
    pub(super) fn capacity(self, length: usize, needed: usize) -> usize {
        if self.reached == 0 || self.reached > self.expected {
            return needed.max(length * 2).max(16);
        }
        let predicted = length as u128 * self.expected as u128 / self.reached as u128;
        // The longer the rest, the less is known of it.
        let rest = (self.expected - self.reached) as u128;
        let slack = predicted / 50 + predicted * rest / (10 * self.expected as u128);
        let predicted = usize::try_from(predicted + slack).unwrap_or(usize::MAX);
        // The first pages of a document promise little about the whole. But it costs much to move a long list once more.
        let is_long = length >= LONG && self.reached >= self.expected / 16;
        let most = if is_long { 16 } else { 3 };
        predicted.clamp(length + length / 8 + 16, length.saturating_mul(most) + 64).max(needed)
    }

    /// Adds an item.
    #[inline]
    pub(super) fn push<T>(&self, list: &mut Vec<T>, item: T) {
        if list.len() == list.capacity() {
            self.grow(list);
        }
        list.push(item);
    }

    #[cold]
    fn grow<T>(self, list: &mut Vec<T>) {
        let length = list.len();
        list.reserve_exact(self.capacity(length, length + 1) - length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_tell_how_many_nodes_there_will_be() {
        assert_eq!(likely_nodes(0, 0), 0);
        assert_eq!(likely_nodes(9, 0), 0);
        // An element, its text and the text behind it.
        let nodes = likely_nodes(38_000, 2000);
        assert!((2000..3000).contains(&nodes), "{nodes}");
        assert_eq!(likely_nodes(16_000, 16_000), 1000);
    }
}
