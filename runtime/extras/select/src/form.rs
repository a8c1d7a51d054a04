//! Pseudo-classes of links and controls (HTML, 4.17.2 "Pseudo-classes"), evaluated on the source of a page: changes by
//! users and scripts are unknown.

use crate::forms::Forms;
use crate::lists::LISTS;
use crate::range::{ValueFormat, is_in_range};
use std::collections::BTreeMap;
use tabulex_core::tree::{Namespace, NodeId, NodeRef, Tree};

/// Cached results about groups of controls and forms, valid while the tree does not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct ControlGroups {
    /// Whether each group is disabled; cached, as a group may have many attributes and controls.
    disabled: BTreeMap<NodeId, bool>,
    /// The first legend of each disabled group; cached, as the group may have many children.
    legends: BTreeMap<NodeId, Option<NodeId>>,
    forms: Option<Forms>,
}

impl ControlGroups {
    /// Whether a node is an HTML element with one of `names` and the attribute `disabled`.
    fn is_disabled_group(&mut self, node: NodeRef<'_>, names: &[&str]) -> bool {
        is_html(node, names)
            && *self.disabled.entry(node.id()).or_insert_with(|| has_attribute(node, "disabled"))
    }

    /// Whether `legend` is the first legend of `group`.
    fn is_first_legend(&mut self, group: NodeRef<'_>, legend: NodeRef<'_>) -> bool {
        let first_legend = self.legends.entry(group.id()).or_insert_with(|| {
            let mut children = group.child_elements();
            children.find(|child| is_html(*child, LISTS.group_legend)).map(|child| child.id())
        });
        *first_legend == Some(legend.id())
    }

    fn forms(&mut self, tree: &Tree) -> &Forms {
        self.forms.get_or_insert_with(|| Forms::of(tree))
    }
}

/// Whether a node is an HTML element with one of these names.
pub(crate) fn is_html(element: NodeRef<'_>, names: &[&str]) -> bool {
    element.namespace() == Some(Namespace::HTML)
        && element.local_name().is_some_and(|name| names.contains(&name))
}

pub(crate) fn has_attribute(element: NodeRef<'_>, attribute: &str) -> bool {
    element.attribute_in(Namespace::NONE, attribute).is_some()
}

/// Returns the state of an input's `type` attribute; `None` for other elements.
pub(crate) fn input_type(element: NodeRef<'_>) -> Option<&'static str> {
    if !is_html(element, LISTS.input) {
        return None;
    }
    let value = element.attribute_in(Namespace::NONE, "type").unwrap_or_default();
    let state = LISTS.input_types.iter().find(|state| state.eq_ignore_ascii_case(value));
    state.or(LISTS.input_types.first()).copied()
}

pub(crate) fn is_input(element: NodeRef<'_>, types: &[&str]) -> bool {
    input_type(element).is_some_and(|state| types.contains(&state))
}

/// Whether `:link` matches an element. Every link counts as unvisited.
pub(crate) fn is_link(element: NodeRef<'_>) -> bool {
    is_html(element, LISTS.link) && element.attribute("href").is_some()
}

/// Whether `:defined` matches: without scripts, every element except custom ones.
pub(crate) fn is_defined(element: NodeRef<'_>) -> bool {
    let is_custom = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.contains('-')
            && !name.contains(|character: char| character.is_ascii_uppercase())
            && !LISTS.reserved_names.contains(&name)
    };
    element.namespace() != Some(Namespace::HTML)
        || !element.local_name().is_some_and(is_custom) && !has_attribute(element, "is")
}

/// Whether `:checked` matches: a checked checkbox or radio button, or a selected option.
pub(crate) fn is_checked(element: NodeRef<'_>, control_groups: &mut ControlGroups) -> bool {
    if is_html(element, LISTS.option) {
        return control_groups.forms(element.tree()).is_selected(element);
    }
    is_marked_checked(element)
        && (!is_input(element, LISTS.radio_types)
            || control_groups.forms(element.tree()).is_checked_radio(element))
}

/// Whether a checkbox or radio button has the attribute `checked`, or an option the attribute `selected`.
pub(crate) fn is_marked_checked(element: NodeRef<'_>) -> bool {
    is_input(element, LISTS.checkable_types) && has_attribute(element, "checked")
        || is_html(element, LISTS.option) && has_attribute(element, "selected")
}

/// Whether `:default` matches: a control checked or selected initially, or the first submit button of a form.
pub(crate) fn is_default(element: NodeRef<'_>, control_groups: &mut ControlGroups) -> bool {
    is_marked_checked(element)
        || is_submit_button(element)
            && control_groups.forms(element.tree()).is_default_button(element)
}

pub(crate) fn is_submit_button(element: NodeRef<'_>) -> bool {
    let submits = |element: NodeRef<'_>| {
        let value = element.attribute_in(Namespace::NONE, "type").unwrap_or_default();
        !LISTS.other_button_types.iter().any(|other| other.eq_ignore_ascii_case(value))
    };
    is_input(element, LISTS.submit_types) || is_html(element, LISTS.button) && submits(element)
}

/// Whether `:indeterminate` matches: a radio button in a group without a checked one, or a progress bar without a
/// value.
pub(crate) fn is_indeterminate(element: NodeRef<'_>, control_groups: &mut ControlGroups) -> bool {
    is_html(element, LISTS.progress) && !has_attribute(element, "value")
        || is_input(element, LISTS.radio_types)
            && !has_attribute(element, "checked")
            && !control_groups.forms(element.tree()).group_has_checked(element)
}

/// Whether `disabled` applies to an element.
pub(crate) fn can_be_disabled(element: NodeRef<'_>) -> bool {
    is_html(element, LISTS.can_be_disabled)
}

/// Whether `:disabled` matches an element, by the element's own attribute or by an ancestor.
pub(crate) fn is_disabled(element: NodeRef<'_>, control_groups: &mut ControlGroups) -> bool {
    if !can_be_disabled(element) {
        return false;
    }
    if has_attribute(element, "disabled") {
        return true;
    }
    if is_html(element, LISTS.option) {
        let parent = element.parent();
        return parent
            .is_some_and(|node| control_groups.is_disabled_group(node, LISTS.option_group));
    }
    !is_html(element, LISTS.option_group) && is_in_disabled_group(element, control_groups)
}

/// Whether an ancestor is a disabled `fieldset`; contents of its first legend stay enabled.
fn is_in_disabled_group(element: NodeRef<'_>, control_groups: &mut ControlGroups) -> bool {
    let mut child = element;
    for node in element.ancestors() {
        if control_groups.is_disabled_group(node, LISTS.group) {
            // The first legend is searched for only if the control is inside a legend, because a group may have many
            // children.
            if !is_html(child, LISTS.group_legend) || !control_groups.is_first_legend(node, child) {
                return true;
            }
        }
        child = node;
    }
    false
}

/// Whether `required` applies to an element.
pub(crate) fn can_be_required(element: NodeRef<'_>) -> bool {
    is_html(element, LISTS.can_be_required)
        || input_type(element).is_some_and(|state| !LISTS.never_required_types.contains(&state))
}

/// Whether `:required` matches an element.
pub(crate) fn is_required(element: NodeRef<'_>) -> bool {
    can_be_required(element) && has_attribute(element, "required")
}

/// Whether an element is a control that users can edit: `:read-write`, apart from editable elements.
pub(crate) fn is_writable(element: NodeRef<'_>, control_groups: &mut ControlGroups) -> bool {
    (is_input(element, LISTS.writable_types) || is_html(element, LISTS.text_area))
        && !has_attribute(element, "readonly")
        && !is_disabled(element, control_groups)
}

/// Whether an element is a text control, to which `contenteditable` does not apply.
pub(crate) fn is_text_control(element: NodeRef<'_>) -> bool {
    is_html(element, LISTS.input) || is_html(element, LISTS.text_area)
}

/// Whether `:placeholder-shown` matches: a control with a placeholder and no value.
pub(crate) fn shows_placeholder(element: NodeRef<'_>) -> bool {
    let is_empty = || match input_type(element) {
        Some(state) => {
            let value = element.attribute_in(Namespace::NONE, "value").unwrap_or_default();
            let value = value.trim_matches(['\n', '\r']);
            value.is_empty()
                || ValueFormat::of(state).is_some_and(|format| format.parse(value).is_none())
        }
        None => !element.children().any(|node| node.data().is_some_and(|text| !text.is_empty())),
    };
    (is_input(element, LISTS.placeholder_types) || is_html(element, LISTS.text_area))
        && has_attribute(element, "placeholder")
        && is_empty()
}

/// Whether the value of a control with limits lies within them; `None` if the element has no limits or its value is not
/// validated.
pub(crate) fn in_range(element: NodeRef<'_>, control_groups: &mut ControlGroups) -> Option<bool> {
    let format = ValueFormat::of(input_type(element)?)?;
    let attribute = |name| element.attribute_in(Namespace::NONE, name);
    let is_within_limits =
        is_in_range(format, attribute("value"), attribute("min"), attribute("max"))?;
    let is_validated = !has_attribute(element, "readonly")
        && !is_disabled(element, control_groups)
        && !element.ancestors().any(|node| is_html(node, LISTS.suggestions));
    is_validated.then_some(is_within_limits)
}
