//! How much of a name was found in the input when a chunk ended. It compares nothing (`surroundings` does). Invariant:
//! what is kept is about one name; when that changes, it is forgotten.

/// How far the name of the last start tag was compared with the input when a chunk ended, so that a long name that comes
/// in small chunks is compared once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Compared {
    /// The offset in the input at which the name would begin.
    pub(crate) start: usize,
    /// The bytes of the name that are equal so far.
    pub(crate) name: usize,
    /// The offset in the input after them.
    pub(crate) end: usize,
}

impl Compared {
    /// Another name will be compared.
    #[inline]
    pub(crate) fn forget(&mut self) {
        self.name = 0;
    }
}
