//! Progress of comparing the last start tag's name with input that arrives in chunks; `surroundings` does the
//! comparing.

/// Progress of comparing the last start tag's name with the input, kept across chunks so that a long name arriving in
/// small chunks is compared once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NameMatch {
    /// The input offset at which the name would begin.
    pub(crate) start: usize,
    /// The length in bytes of the prefix of the name matched so far.
    pub(crate) matched_len: usize,
    /// The input offset after the matched prefix.
    pub(crate) end: usize,
}

impl NameMatch {
    /// Resets the progress, because the last start tag has changed.
    #[inline]
    pub(crate) fn reset(&mut self) {
        self.matched_len = 0;
    }
}
