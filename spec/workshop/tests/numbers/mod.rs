//! Numbers for tests that choose at random. It knows nothing of what is chosen. Invariant: the same seed gives the same
//! numbers in every run.

/// Numbers that look random.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// A number below this one.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
