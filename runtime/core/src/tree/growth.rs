//! Capacity estimates for a tree's lists. A list grows by at least a constant factor, so filling it is linear.

/// Lists of at least this many items are reallocated rarely.
const LARGE_LIST: usize = 1 << 14;

/// Length of an input in bytes up to which capacity for the densest markup is reserved at once.
pub(crate) const SHORT_INPUT: usize = 4096;

/// Minimum bytes per node: where `<` is denser, most of them do not begin tags.
pub(super) const MIN_BYTES_PER_NODE: usize = 16;

/// Minimum bytes per node for sampled estimates.
const MIN_SAMPLED_BYTES_PER_NODE: usize = 12;

/// Length of a stripe in bytes, of which only the first part is searched for tags, as a sample.
const STRIPE: usize = 2048;
const STRIPE_SAMPLE: usize = STRIPE / 4;

/// One of this many pieces of an input is sampled.
const SAMPLE_INTERVAL: usize = 16;

/// The number of sampled tags required for a sampled estimate.
const MIN_SAMPLED_TAGS: usize = 512;

/// An estimate of the nodes and attributes of a whole input, which is fed piece by piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SizeEstimate {
    pieces: usize,
    /// The number of `<`, counted in the first piece and extrapolated in the others.
    tags: usize,
    /// The number of `<` in the sampled pieces, and the nodes and attributes there.
    sampled_tags: usize,
    sampled_nodes: usize,
    sampled_attributes: usize,
}

impl SizeEstimate {
    /// Feeds the next piece.
    pub(super) fn add_piece(&mut self, piece: &[u8]) {
        let tags = |part: &[u8]| memchr::memchr_iter(b'<', part).count();
        self.tags += match self.pieces {
            0 => tags(piece),
            // A sample of each later piece is accurate enough.
            _ => {
                let stripes = piece.chunks(STRIPE);
                let counted =
                    stripes.map(|stripe| tags(&stripe[..stripe.len().min(STRIPE_SAMPLE)]));
                counted.sum::<usize>() * (STRIPE / STRIPE_SAMPLE)
            }
        };
        self.pieces += 1;
        // The first piece is sampled as well: most pages consist of it alone, and it differs from later pieces.
        if self.pieces.is_multiple_of(SAMPLE_INTERVAL) {
            self.sample(piece);
        }
    }

    /// Counts nodes and attributes in a piece: a tag that is not an end tag makes an element, and a `<` that does not
    /// follow a `>` ends a text.
    #[inline(never)]
    fn sample(&mut self, piece: &[u8]) {
        for offset in memchr::memchr_iter(b'<', piece) {
            let is_end = piece.get(offset + 1) == Some(&b'/');
            let is_after_text = offset.checked_sub(1).is_some_and(|before| piece[before] != b'>');
            self.sampled_tags += 1;
            self.sampled_nodes += usize::from(!is_end) + usize::from(is_after_text);
        }
        let is_quote = |offset| matches!(piece.get(offset + 1), Some(b'"' | b'\''));
        let attributes = memchr::memchr_iter(b'=', piece).filter(|&offset| is_quote(offset));
        self.sampled_attributes += attributes.count();
    }

    /// Returns the number of nodes and attributes to reserve for an input of this length in bytes.
    pub(super) fn nodes_and_attributes(self, length: usize) -> (usize, usize) {
        if self.sampled_tags < MIN_SAMPLED_TAGS {
            // Pages have 1.2 nodes per `<`, hardly any has more than 1.4, and one attribute per two nodes. Extrapolated
            // counts are seldom a tenth too low.
            let nodes = (self.tags + self.tags * 9 / 20).min(length / MIN_BYTES_PER_NODE);
            return (nodes, nodes / 2);
        }
        let scaled = |count: usize| {
            let likely = count as u128 * self.tags as u128 / self.sampled_tags as u128;
            usize::try_from(likely + likely / 32)
                .unwrap_or(usize::MAX)
                .min(length / MIN_SAMPLED_BYTES_PER_NODE)
        };
        (scaled(self.sampled_nodes), scaled(self.sampled_attributes))
    }
}

/// Reserves capacity for `more` items in a list that has few, if memory allows: the estimate may be too high. Items are
/// moved to a new allocation, as reallocating would copy the whole old block of a list that was once long.
pub(super) fn reserve_compact<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        let mut long = Vec::new();
        let _ = long.try_reserve_exact(list.len().saturating_add(more));
        long.append(list);
        *list = long;
    }
}

/// The input's length, and the offset reached so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    /// The length of the input in bytes; 0 if unknown.
    pub(super) expected: usize,
    /// The input offset up to which nodes have been created.
    pub(super) reached: usize,
}

impl Growth {
    /// Returns the new capacity for a full list: what the whole input needs if the rest of it resembles the part
    /// already read. Plain doubling would leave up to half of a large list unused.
    pub(super) fn capacity(self, length: usize, needed: usize) -> usize {
        if self.reached == 0 || self.reached > self.expected {
            return needed.max(length * 2).max(16);
        }
        let predicted = length as u128 * self.expected as u128 / self.reached as u128;
        // The longer the rest of the input, the less certain the prediction.
        let rest = (self.expected - self.reached) as u128;
        let slack = predicted / 50 + predicted * rest / (10 * self.expected as u128);
        let predicted = usize::try_from(predicted + slack).unwrap_or(usize::MAX);
        // The first pages of a document predict little about the whole, but reallocating a long list again is
        // expensive.
        let is_long = length >= LARGE_LIST && self.reached >= self.expected / 16;
        let max = if is_long { 16 } else { 3 };
        predicted.clamp(length + length / 8 + 16, length.saturating_mul(max) + 64).max(needed)
    }

    #[inline]
    pub(super) fn push<T>(&self, list: &mut Vec<T>, item: T) {
        if list.len() == list.capacity() {
            self.grow(list, 1);
        }
        list.push(item);
    }

    /// Appends items after reserving capacity for all of them.
    #[inline(always)]
    pub(super) fn extend<T>(&self, list: &mut Vec<T>, items: impl ExactSizeIterator<Item = T>) {
        if list.capacity() - list.len() < items.len() {
            self.grow(list, items.len());
        }
        list.extend(items);
    }

    /// Reserves capacity for more items. Kept out of line, as lists seldom grow.
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
    fn predicts_the_number_of_nodes_from_tags() {
        let nodes_and_attributes = |input: &str, piece: usize| {
            let mut estimate = SizeEstimate::default();
            input.as_bytes().chunks(piece).for_each(|piece| estimate.add_piece(piece));
            estimate.nodes_and_attributes(input.len())
        };
        assert_eq!(nodes_and_attributes("", 9), (0, 0));
        assert_eq!(nodes_and_attributes("no tag", 9), (0, 0));
        // An element, its text and the text after it, counted whole and in samples.
        let paragraphs =
            "<p>some text, and more of it</p> after it, and more, and more\n".repeat(1000);
        for (piece, expected) in [(usize::MAX, 2900..2901), (8192, 2700..3100), (4096, 2700..3100)]
        {
            let (nodes, attributes) = nodes_and_attributes(&paragraphs, piece);
            assert!(expected.contains(&nodes), "{nodes} by pieces of {piece}");
            assert_eq!(attributes, nodes / 2);
        }
        assert_eq!(nodes_and_attributes(&"<".repeat(16_000), 4096), (1000, 500));
    }

    #[test]
    fn predicts_from_a_part_of_long_input() {
        let mut estimate = SizeEstimate::default();
        let input = "<p a=\"some value\" b='another value'/>\n".repeat(20_000);
        input.as_bytes().chunks(4096).for_each(|piece| estimate.add_piece(piece));
        let (nodes, attributes) = estimate.nodes_and_attributes(input.len());
        assert!((40_000..42_000).contains(&nodes), "{nodes}");
        assert!((40_000..42_000).contains(&attributes), "{attributes}");
    }
}
