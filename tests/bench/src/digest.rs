//! What a contestant has delivered, as numbers. It reads nothing by itself. Invariant: equal digests of two trees mean the
//! same elements, attributes (in any order) and texts in the same order.

/// What a contestant has delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// Tags of a tokenizer, elements of a tree.
    pub elements: usize,
    /// Start tags of a tokenizer, empty-element tags included.
    pub start_tags: usize,
    pub attributes: usize,
    /// Bytes of text.
    pub text: usize,
    /// Names, values and texts; of a tokenizer their lengths alone.
    pub sum: u64,
}

impl Digest {
    #[inline]
    pub fn element(&mut self, name: &str) {
        self.elements += 1;
        self.mix(hash(1, name));
    }

    /// An attribute of the last element; not one that binds a prefix, which not all trees keep.
    #[inline]
    pub fn attribute(&mut self, name: &str, value: &str) {
        if name == "xmlns" || name.starts_with("xmlns:") {
            return;
        }
        self.attributes += 1;
        self.sum = self.sum.wrapping_add(hash(hash(2, name), value));
    }

    #[inline]
    pub fn text(&mut self, text: &str) {
        self.text += text.len();
        self.mix(hash(3, text));
    }

    fn mix(&mut self, with: u64) {
        self.sum = (self.sum.rotate_left(5) ^ with).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    /// Adds lengths of what was looked at only.
    #[inline]
    pub fn add(&mut self, length: usize) {
        self.sum = self.sum.wrapping_add(length as u64);
    }
}

fn hash(seed: u64, text: &str) -> u64 {
    text.bytes().fold(seed ^ 0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    })
}
