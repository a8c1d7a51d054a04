//! The names of elements and attributes that patching and the mirroring of selected options need; a table gives them.

use super::steps::NodeSteps;

/// The names used for patching content.
#[derive(Clone, Copy, Debug)]
pub struct Patching {
    /// The attribute of the token that names a range.
    pub attribute: &'static str,
    /// The pseudo-attribute of processing instructions that holds the name.
    pub name: &'static str,
    /// The target of an instruction that marks an empty range.
    pub marker: &'static str,
    /// The target of an instruction that starts a range.
    pub start: &'static str,
    /// The target of an instruction that ends a range.
    pub end: &'static str,
    /// The id of the element whose parent is searched instead, if that is the root element.
    pub body: u32,
    /// Steps that find a range in place of those of the standard.
    pub steps: Option<NodeSteps>,
}

/// The elements, by the ids of their names, and attributes used for mirroring a selected option.
#[derive(Clone, Copy, Debug)]
pub struct SelectedContent {
    /// The option element.
    pub option_id: u32,
    /// The select element.
    pub select_id: u32,
    /// The element that mirrors the selected option.
    pub content_id: u32,
    /// The element that groups options.
    pub group_id: u32,
    /// The elements that separate an option from a select around them.
    pub stops: &'static [u32],
    /// The attribute that allows several selected options.
    pub multiple: &'static str,
    /// The attribute that selects an option.
    pub selected: &'static str,
    /// The attribute that disables an option or group.
    pub disabled: &'static str,
    /// The attribute with the number of options shown.
    pub size: &'static str,
    /// Steps for each element that is popped, in place of those of the standard.
    pub steps: Option<NodeSteps>,
}
