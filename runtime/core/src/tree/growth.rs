//! Capacity estimates for a tree's lists. A list grows by at least a constant factor, so filling it is linear.

/// Minimum length of a list that may grow by more than a factor of three at once, so that it is seldom reallocated.
const LARGE_LIST: usize = 1 << 14;

/// Maximum length in bytes of an input for which capacity for the densest markup is reserved at once.
pub(crate) const SHORT_INPUT: usize = 4096;

/// Minimum number of bytes per node in estimates: if `<` is more frequent, most occurrences do not begin tags.
pub(super) const MIN_BYTES_PER_NODE: usize = 16;

/// Minimum number of bytes per node in an estimate from sampled pieces.
const MIN_SAMPLED_BYTES_PER_NODE: usize = 12;

/// Length in bytes of the stripes into which a piece is divided to count its tags.
const STRIPE: usize = 2048;

/// Number of bytes at the start of each stripe that are searched for tags, as a sample.
const STRIPE_SAMPLE: usize = STRIPE / 4;

/// Interval between sampled pieces: of this many consecutive pieces, the last one is sampled.
const SAMPLE_INTERVAL: usize = 16;

/// Minimum number of tags in sampled pieces for an estimate from these pieces.
const MIN_SAMPLED_TAGS: usize = 512;

/// An estimate of the number of nodes and attributes that an input creates, computed piece by piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SizeEstimate {
    piece_count: usize,
    /// Number of `<`, counted in the first piece and extrapolated in later pieces.
    tags: usize,
    /// Number of `<` in the sampled pieces.
    sampled_tags: usize,
    /// Estimated number of nodes in the sampled pieces.
    sampled_nodes: usize,
    /// Estimated number of attributes in the sampled pieces.
    sampled_attributes: usize,
}

impl SizeEstimate {
    /// Counts tags in the next piece of the input, and samples some pieces more closely.
    pub(super) fn add_piece(&mut self, piece: &[u8]) {
        let count_tags = |part: &[u8]| memchr::memchr_iter(b'<', part).count();
        self.tags += match self.piece_count {
            0 => count_tags(piece),
            // In later pieces, counting only the start of each stripe is accurate enough.
            _ => {
                let stripes = piece.chunks(STRIPE);
                let counted =
                    stripes.map(|stripe| count_tags(&stripe[..stripe.len().min(STRIPE_SAMPLE)]));
                counted.sum::<usize>() * (STRIPE / STRIPE_SAMPLE)
            }
        };
        self.piece_count += 1;
        // The first piece is not sampled, because most inputs have no other piece, and later pieces differ from it.
        if self.piece_count.is_multiple_of(SAMPLE_INTERVAL) {
            self.sample(piece);
        }
    }

    /// Estimates the number of nodes and attributes in a piece: each tag that is not an end tag creates an element, and
    /// each `<` that does not follow a `>` ends a text.
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

    /// Returns the numbers of nodes and attributes to reserve for an input of this length in bytes.
    pub(super) fn nodes_and_attributes(self, length: usize) -> (usize, usize) {
        if self.sampled_tags < MIN_SAMPLED_TAGS {
            // Web pages have 1.2 nodes per `<`, seldom more than 1.4, and one attribute per two nodes. The factor of
            // 1.45 allows for extrapolated counts that are too low.
            let nodes = (self.tags + self.tags * 9 / 20).min(length / MIN_BYTES_PER_NODE);
            return (nodes, nodes / 2);
        }
        let scaled = |count: usize| {
            let expected = count as u128 * self.tags as u128 / self.sampled_tags as u128;
            usize::try_from(expected + expected / 32)
                .unwrap_or(usize::MAX)
                .min(length / MIN_SAMPLED_BYTES_PER_NODE)
        };
        (scaled(self.sampled_nodes), scaled(self.sampled_attributes))
    }
}

/// Reserves capacity for `count` more items in a list with few items. If memory is insufficient, nothing is reserved,
/// because the number is an estimate. Items move to a new allocation, as reallocation would copy the whole old block of
/// a list that was once long.
pub(super) fn reserve_compact<T>(list: &mut Vec<T>, count: usize) {
    if list.capacity() - list.len() < count {
        let mut new_list = Vec::new();
        let _ = new_list.try_reserve_exact(list.len().saturating_add(count));
        new_list.append(list);
        *list = new_list;
    }
}

/// The progress through the input, from which the growth of a tree's lists is predicted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    /// The length of the input in bytes; 0 if unknown.
    pub(super) input_length: usize,
    /// The input offset up to which nodes have been created.
    pub(super) reached_offset: usize,
}

impl Growth {
    /// Returns the new capacity for a full list. If the length of the input is known, the capacity is predicted from
    /// the part of the input already read, because doubling would leave up to half of a large list unused.
    pub(super) fn capacity(self, length: usize, needed: usize) -> usize {
        if self.reached_offset == 0 || self.reached_offset > self.input_length {
            return needed.max(length * 2).max(16);
        }
        let predicted = length as u128 * self.input_length as u128 / self.reached_offset as u128;
        // The slack grows with the remaining input, because the prediction is then less certain.
        let remaining = (self.input_length - self.reached_offset) as u128;
        let slack = predicted / 50 + predicted * remaining / (10 * self.input_length as u128);
        let predicted = usize::try_from(predicted + slack).unwrap_or(usize::MAX);
        // The start of an input predicts little about the whole, so the prediction is limited to a multiple of the
        // length. For a long list, which should not be reallocated often, the limit is higher.
        let is_reliable = length >= LARGE_LIST && self.reached_offset >= self.input_length / 16;
        let max_factor = if is_reliable { 16 } else { 3 };
        predicted
            .clamp(length + length / 8 + 16, length.saturating_mul(max_factor) + 64)
            .max(needed)
    }

    /// Appends an item, growing a full list to the predicted capacity.
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

    /// Grows a list to the predicted capacity, at least by `count` items. Out of line, as lists seldom grow.
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
    fn short_input_is_estimated_from_its_tags() {
        let nodes_and_attributes = |input: &str, piece: usize| {
            let mut estimate = SizeEstimate::default();
            input.as_bytes().chunks(piece).for_each(|piece| estimate.add_piece(piece));
            estimate.nodes_and_attributes(input.len())
        };
        assert_eq!(nodes_and_attributes("", 9), (0, 0));
        assert_eq!(nodes_and_attributes("no tag", 9), (0, 0));
        // Each line creates three nodes: an element, its text and the text after it. Their number is estimated from the
        // whole input and from pieces of it.
        let paragraphs =
            "<p>some text, and more of it</p> after it, and more, and more\n".repeat(1000);
        for (piece, expected) in [(usize::MAX, 2900..2901), (8192, 2700..3100), (4096, 2700..3100)]
        {
            let (nodes, attributes) = nodes_and_attributes(&paragraphs, piece);
            assert!(
                expected.contains(&nodes),
                "estimated {nodes} nodes from pieces of {piece} bytes"
            );
            assert_eq!(attributes, nodes / 2);
        }
        assert_eq!(nodes_and_attributes(&"<".repeat(16_000), 4096), (1000, 500));
    }

    #[test]
    fn long_input_is_estimated_from_sampled_pieces() {
        let mut estimate = SizeEstimate::default();
        let input = "<p a=\"some value\" b='another value'/>\n".repeat(20_000);
        input.as_bytes().chunks(4096).for_each(|piece| estimate.add_piece(piece));
        let (nodes, attributes) = estimate.nodes_and_attributes(input.len());
        assert!((40_000..42_000).contains(&nodes), "estimated {nodes} nodes");
        assert!((40_000..42_000).contains(&attributes), "estimated {attributes} attributes");
    }
}
