//! What the source of a page says of its controls (HTML, "pseudo-classes"). Nothing is known of what a user or a script
//! changed. Invariant: only elements of the HTML namespace are controls.

use std::collections::BTreeMap;
use tabulex_core::tree::{Namespace, NodeId, NodeRef};

/// What was found out about the groups that controls stand in, of which there may be many: it is of use as long as the tree
/// stays as it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups {
    /// Whether a group is disabled, which may have many attributes.
    disabled: BTreeMap<NodeId, bool>,
    /// The first legend of each disabled fieldset, which may have many children.
    legends: BTreeMap<NodeId, Option<NodeId>>,
}

impl Groups {
    /// Whether it is a group of this name that is disabled.
    fn is_disabled(&mut self, node: NodeRef<'_>, name: &str) -> bool {
        is_html(node, &[name])
            && *self.disabled.entry(node.id()).or_insert_with(|| has(node, "disabled"))
    }

    /// Whether it is the first child of the fieldset that is a legend.
    fn is_first(&mut self, fieldset: NodeRef<'_>, legend: NodeRef<'_>) -> bool {
        let first = self.legends.entry(fieldset.id()).or_insert_with(|| {
            let mut children = fieldset.child_elements();
            children.find(|child| is_html(*child, &["legend"])).map(|child| child.id())
        });
        *first == Some(legend.id())
    }
}

/// Whether it is an HTML element of one of these names.
pub(crate) fn is_html(element: NodeRef<'_>, names: &[&str]) -> bool {
    element.namespace() == Some(Namespace::HTML)
        && element.local_name().is_some_and(|name| names.contains(&name))
}

fn has(element: NodeRef<'_>, attribute: &str) -> bool {
    element.attribute_in(Namespace::NONE, attribute).is_some()
}

fn is_input(element: NodeRef<'_>, types: &[&str]) -> bool {
    let kind = element.attribute_in(Namespace::NONE, "type").unwrap_or("text");
    is_html(element, &["input"]) && types.iter().any(|known| known.eq_ignore_ascii_case(kind))
}

/// `:link`: nothing is known to have been visited.
pub(crate) fn is_link(element: NodeRef<'_>) -> bool {
    is_html(element, &["a", "area"]) && element.attribute("href").is_some()
}

/// `:checked`: a box or a button that is checked from the beginning, an option that is chosen.
pub(crate) fn is_checked(element: NodeRef<'_>) -> bool {
    is_input(element, &["checkbox", "radio"]) && has(element, "checked")
        || is_html(element, &["option"]) && has(element, "selected")
}

/// Whether `disabled` means anything for it.
pub(crate) fn can_be_disabled(element: NodeRef<'_>) -> bool {
    let names = ["button", "input", "select", "textarea", "optgroup", "option", "fieldset"];
    is_html(element, &names)
}

/// `:disabled`: by its own attribute, or by an element around it.
pub(crate) fn is_disabled(element: NodeRef<'_>, groups: &mut Groups) -> bool {
    if !can_be_disabled(element) {
        return false;
    }
    if has(element, "disabled") {
        return true;
    }
    if is_html(element, &["option"]) {
        return element.parent().is_some_and(|node| groups.is_disabled(node, "optgroup"));
    }
    !is_html(element, &["optgroup"]) && is_in_disabled_fieldset(element, groups)
}

/// Whether a fieldset around it is disabled, and not by its first legend alone, which stays enabled.
fn is_in_disabled_fieldset(element: NodeRef<'_>, groups: &mut Groups) -> bool {
    let mut inside = element;
    for node in element.ancestors() {
        if groups.is_disabled(node, "fieldset") {
            // Children are looked at only for what is in a legend: they may be many, and so may be those who ask.
            if !is_html(inside, &["legend"]) || !groups.is_first(node, inside) {
                return true;
            }
        }
        inside = node;
    }
    false
}

/// Whether `required` means anything for it.
pub(crate) fn can_be_required(element: NodeRef<'_>) -> bool {
    let never = ["hidden", "range", "color", "submit", "image", "reset", "button"];
    is_html(element, &["select", "textarea"])
        || is_html(element, &["input"]) && !is_input(element, &never)
}

/// `:required`
pub(crate) fn is_required(element: NodeRef<'_>) -> bool {
    can_be_required(element) && has(element, "required")
}
