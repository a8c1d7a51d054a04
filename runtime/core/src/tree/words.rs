//! The names of elements and attributes that patching and the mirroring of selected options need; a table gives them.

use super::steps::NodeSteps;

/// The names of attributes, instructions and elements that are used for patching content.
#[derive(Clone, Copy, Debug)]
pub struct Patching {
    /// The attribute of a template's tag that names a range.
    pub attribute: &'static str,
    /// The pseudo-attribute of processing instructions that names a range.
    pub name: &'static str,
    /// The target of an instruction that marks an empty range.
    pub marker: &'static str,
    /// The target of an instruction that starts a range.
    pub start: &'static str,
    /// The target of an instruction that ends a range.
    pub end: &'static str,
    /// The id of the name of the body element: in place of the document's body, the root element is searched.
    pub body: u32,
    /// Steps of the table that find a range; `None` for the steps of the standard.
    pub steps: Option<NodeSteps>,
}

/// The names of elements and attributes that are used for mirroring a selected option.
#[derive(Clone, Copy, Debug)]
pub struct SelectedContent {
    /// The id of the name of the option element.
    pub option_id: u32,
    /// The id of the name of the select element.
    pub select_id: u32,
    /// The id of the name of the element that mirrors the selected option.
    pub content_id: u32,
    /// The id of the name of the element that groups options.
    pub group_id: u32,
    /// The ids of the names of elements that, between an option and a select, prevent the option from belonging to the
    /// select.
    pub stops: &'static [u32],
    /// The attribute that allows several selected options.
    pub multiple: &'static str,
    /// The attribute that selects an option.
    pub selected: &'static str,
    /// The attribute that disables an option or group.
    pub disabled: &'static str,
    /// The attribute with the number of options shown.
    pub size: &'static str,
    /// Steps of the table that run for each popped element; `None` for the steps of the standard.
    pub steps: Option<NodeSteps>,
}
