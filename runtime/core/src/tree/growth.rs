//! How much capacity a tree's lists get. It holds no list itself. Invariant: a list grows by a constant factor at
//! least, so that filling it is linear.

/// Lists with this number of items or more are moved as seldom as possible.
const LONG: usize = 1 << 14;

/// Bytes per node at least: where `<` is denser, most of what looks like a tag is none.
const DENSEST: usize = 16;

/// Bytes per node at least, for sampled estimates.
const DENSEST_SAMPLED: usize = 12;

/// The length of a stripe, of which only the first bytes are searched for tags: the rest is mostly like them.
const STRIPE: usize = 2048;
const STRIPE_COUNTED: usize = STRIPE / 4;

/// The pieces of an input of which one is looked at closely.
const SAMPLED: usize = 16;

/// The number of sampled tags from which an estimate is made.
const ENOUGH: usize = 512;

/// An estimate of the nodes and attributes that a whole input makes. It is shown the input piece by piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SizeEstimate {
    pieces: usize,
    /// What looks like a tag: in the first piece, and estimated from parts in the others.
    tags: usize,
    /// What does in the pieces that are looked at closely, and what is there of nodes and attributes.
    sampled_tags: usize,
    sampled_nodes: usize,
    sampled_attributes: usize,
}

impl SizeEstimate {
    /// Takes notice of the next piece.
    pub(super) fn look_at(&mut self, piece: &[u8]) {
        let tags = |part: &[u8]| memchr::memchr_iter(b'<', part).count();
        self.tags += match self.pieces {
            0 => tags(piece),
            // An input that is no longer short is known well enough by a part of it.
            _ => {
                let stripes = piece.chunks(STRIPE);
                let counted =
                    stripes.map(|stripe| tags(&stripe[..stripe.len().min(STRIPE_COUNTED)]));
                counted.sum::<usize>() * (STRIPE / STRIPE_COUNTED)
            }
        };
        self.pieces += 1;
        // The first piece, and the only one of most pages, is like no other.
        if self.pieces.is_multiple_of(SAMPLED) {
            self.sample(piece);
        }
    }

    /// Counts what makes a node: a tag that is no end tag, and a text, which ends where something is before a tag
    /// that is no tag.
    #[inline(never)]
    fn sample(&mut self, piece: &[u8]) {
        for at in memchr::memchr_iter(b'<', piece) {
            let is_end = piece.get(at + 1) == Some(&b'/');
            let is_after_text = at.checked_sub(1).is_some_and(|before| piece[before] != b'>');
            self.sampled_tags += 1;
            self.sampled_nodes += usize::from(!is_end) + usize::from(is_after_text);
        }
        let is_quote = |at| matches!(piece.get(at + 1), Some(b'"' | b'\''));
        let attributes = memchr::memchr_iter(b'=', piece).filter(|&at| is_quote(at));
        self.sampled_attributes += attributes.count();
    }

    /// The most nodes and attributes that an input of this length is expected to have.
    pub(super) fn nodes_and_attributes(self, length: usize) -> (usize, usize) {
        if self.sampled_tags < ENOUGH {
            // Pages have 1.2 nodes for each `<`, hardly any has more than 1.4, and one attribute for two nodes.
            // Estimates from parts are seldom a tenth too low.
            let nodes = (self.tags + self.tags * 9 / 20).min(length / DENSEST);
            return (nodes, nodes / 2);
        }
        let scaled = |count: usize| {
            let likely = count as u128 * self.tags as u128 / self.sampled_tags as u128;
            usize::try_from(likely + likely / 32)
                .unwrap_or(usize::MAX)
                .min(length / DENSEST_SAMPLED)
        };
        (scaled(self.sampled_nodes), scaled(self.sampled_attributes))
    }
}

/// Reserves capacity for `more` items in a list that has a few, unless there is not so much memory: what is foreseen may
/// never be needed. If it must move, what else its block held is not moved
/// with them, as it would be with a list that once was long.
pub(super) fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        let mut few = Vec::new();
        few.append(list);
        *list = Vec::new();
        let _ = list.try_reserve_exact(few.len().saturating_add(more));
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
    /// stretched to what the rest of the input will need if it is like the part after.
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
            self.grow(list, 1);
        }
        list.push(item);
    }

    /// Adds items after reserving capacity for all of them.
    #[inline(always)]
    pub(super) fn extend<T>(&self, list: &mut Vec<T>, items: impl ExactSizeIterator<Item = T>) {
        if list.capacity() - list.len() < items.len() {
            self.grow(list, items.len());
        }
        list.extend(items);
    }

    /// Reserves capacity for more items. Apart, as lists seldom grow.
    #[cold]
    #[inline(never)]
    fn grow<T>(self, list: &mut Vec<T>, count: usize) {
        let length = list.len();
        list.reserve_exact(self.capacity(length, length + count) - length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_tell_how_many_nodes_there_will_be() {
        let nodes_and_attributes = |input: &str, piece: usize| {
            let mut estimate = SizeEstimate::default();
            input.as_bytes().chunks(piece).for_each(|piece| estimate.look_at(piece));
            estimate.nodes_and_attributes(input.len())
        };
        assert_eq!(nodes_and_attributes("", 9), (0, 0));
        assert_eq!(nodes_and_attributes("no tag", 9), (0, 0));
        // An element, its text and the text after it; the same, counted whole and in parts.
        let paragraphs =
            "<p>some text, and more of it</p> after it, and more, and more\n".repeat(1000);
        for (piece, wanted) in [(usize::MAX, 2900..2901), (8192, 2700..3100), (4096, 2700..3100)] {
            let (nodes, attributes) = nodes_and_attributes(&paragraphs, piece);
            assert!(wanted.contains(&nodes), "{nodes} by pieces of {piece}");
            assert_eq!(attributes, nodes / 2);
        }
        assert_eq!(nodes_and_attributes(&"<".repeat(16_000), 4096), (1000, 500));
    }

    #[test]
    fn a_long_input_is_foretold_by_a_part_of_it() {
        let mut estimate = SizeEstimate::default();
        let input = "<p a=\"some value\" b='another value'/>\n".repeat(20_000);
        input.as_bytes().chunks(4096).for_each(|piece| estimate.look_at(piece));
        let (nodes, attributes) = estimate.nodes_and_attributes(input.len());
        assert!((40_000..42_000).contains(&nodes), "{nodes}");
        assert!((40_000..42_000).contains(&attributes), "{attributes}");
    }
}
