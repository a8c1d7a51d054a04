//! The elements in which a chosen option is shown, as far as construction counts them. The tree shows it. Invariant: two
//! or more are never taken for one.

/// The elements so far that show chosen ones.
#[derive(Clone, Copy, Debug)]
pub(super) enum ShownIn<N> {
    /// This one.
    One(N),
    /// Two or more.
    Several,
}

impl<N> ShownIn<N> {
    /// The only one.
    pub(super) fn only(self) -> Option<N> {
        match self {
            Self::One(node) => Some(node),
            Self::Several => None,
        }
    }
}
