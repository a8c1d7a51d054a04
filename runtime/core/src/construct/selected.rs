//! What a table says about showing a chosen option. The tree does it. Invariant: nothing is shown in a tree that has no
//! element for it.

/// The elements and attributes by which a chosen option is shown; elements by the ids of their names.
#[derive(Clone, Copy, Debug)]
pub struct SelectedContent {
    /// The element that is chosen.
    pub option_id: u32,
    /// The element that it is chosen in.
    pub select_id: u32,
    /// The element that shows the chosen one.
    pub content_id: u32,
    /// The element that groups options.
    pub group_id: u32,
    /// The elements that keep an option from the element it is chosen in.
    pub stops: &'static [u32],
    /// The attribute by which several can be chosen.
    pub multiple: &'static str,
    /// The attribute by which an option is chosen.
    pub selected: &'static str,
    /// The attribute by which an option or a group cannot be chosen.
    pub disabled: &'static str,
    /// The attribute that says how many options are shown.
    pub size: &'static str,
}

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
