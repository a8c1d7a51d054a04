//! Number of the elements that mirror the selected option.

/// The elements so far that mirror the selected option.
#[derive(Clone, Copy, Debug)]
pub(super) enum MirrorElements<N> {
    /// Only this one.
    One(N),
    /// Two or more.
    Several,
}

impl<N> MirrorElements<N> {
    /// Returns the element, if it is the only one.
    pub(super) fn only(self) -> Option<N> {
        match self {
            Self::One(node) => Some(node),
            Self::Several => None,
        }
    }
}
