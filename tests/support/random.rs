//! Reproducible pseudorandom numbers, good enough for tests, and the pieces that random inputs are made of.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Returns the list of pieces with this name in `pieces.json`.
///
/// # Panics
/// If there is no list with this name.
pub fn pieces(list: &str) -> &'static [String] {
    static PIECES: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("pieces.json"))
            .expect("`pieces.json` contains lists of strings")
    });
    &PIECES[list]
}

/// A 64-bit xorshift* generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        // Discard the first outputs, which are similar for small seeds.
        for _ in 0..4 {
            random.next_number();
        }
        random
    }

    /// Returns the next pseudorandom number, which has 48 bits.
    pub fn next_number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// Returns a random number below the limit; 0 if the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        match limit {
            0 => 0,
            _ => (self.next_number() % limit as u64) as usize,
        }
    }

    /// Returns `true` with a probability of one in `count`.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Returns a random item.
    ///
    /// # Panics
    /// If there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Returns a random item of the list of [pieces] with this name.
    ///
    /// # Panics
    /// If there is no list with this name.
    pub fn piece(&mut self, list: &str) -> &'static str {
        self.pick::<String>(pieces(list))
    }
}
