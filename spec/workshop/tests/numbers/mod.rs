//! A deterministic random number generator for tests.

/// A linear congruential generator, whose state is initially the seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a random number below `bound`, which must be positive.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
