//! Digests of contestants' results. Equal digests of trees mean equal elements and texts in the same order, and equal
//! attributes in any order.

/// A result of a contestant that can be compared with those of others.
pub trait Comparable {
    fn digest(&self) -> Digest;
}

impl Comparable for Digest {
    fn digest(&self) -> Digest {
        *self
    }
}

impl Comparable for String {
    fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        digest.add_text(self);
        digest
    }
}

/// A count from a contestant that parses nothing. All counts have one digest, as they are not compared.
pub struct NotCompared(
    #[expect(dead_code, reason = "stored so that counting is not optimized away")] pub usize,
);

impl Comparable for NotCompared {
    fn digest(&self) -> Digest {
        Digest::default()
    }
}

/// A digest of tokens or of a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// Number of tags, or of elements of a tree.
    pub elements: usize,
    /// Number of start tags, including empty-element tags; zero for trees.
    pub start_tags: usize,
    pub attributes: usize,
    /// Length of texts in bytes.
    pub text: usize,
    /// Hash of names, values and texts; for tokenizers, the total length of names and values in bytes.
    pub sum: u64,
}

impl Digest {
    #[inline]
    pub fn add_element(&mut self, name: &str) {
        self.elements += 1;
        self.mix(hash(1, name));
    }

    /// Adds an attribute of the last element. Namespace declarations are ignored, as not all trees keep them.
    #[inline]
    pub fn add_attribute(&mut self, name: &str, value: &str) {
        if name == "xmlns" || name.starts_with("xmlns:") {
            return;
        }
        self.attributes += 1;
        self.sum = self.sum.wrapping_add(hash(hash(2, name), value));
    }

    #[inline]
    pub fn add_text(&mut self, text: &str) {
        self.text += text.len();
        self.mix(hash(3, text));
    }

    fn mix(&mut self, hash: u64) {
        self.sum = (self.sum.rotate_left(5) ^ hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    /// Adds a length, for contestants that only read their tokens.
    #[inline]
    pub fn add_len(&mut self, length: usize) {
        self.sum = self.sum.wrapping_add(length as u64);
    }
}

fn hash(seed: u64, text: &str) -> u64 {
    text.bytes().fold(seed ^ 0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    })
}
