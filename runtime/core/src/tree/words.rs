//! The words of a table by which a tree patches content and shows chosen options. They do nothing by themselves.
//! Invariant: whatever elements and attributes are concerned is said here; the tree names none.

/// The words by which content is patched.
#[derive(Clone, Copy, Debug)]
pub struct Patching {
    /// The attribute of the token that names a place.
    pub attribute: &'static str,
    /// The pseudo-attribute of processing instructions that has the name.
    pub name: &'static str,
    /// The target of an instruction that is a place.
    pub marker: &'static str,
    /// The target of an instruction that begins a place.
    pub start: &'static str,
    /// The target of an instruction that ends a place.
    pub end: &'static str,
    /// The id of the element whose parent is searched instead, where that is the root element.
    pub body: u32,
}

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
