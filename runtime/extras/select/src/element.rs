//! Properties of elements that matching needs in every tree: ids, classes, emptiness, and being the
//! root.

use selectors::attr::CaseSensitivity;
use tabulex_core::tree::{LocalName, Name, Namespace, NodeRef, Tree};

/// The attribute names needed at every element, resolved in a tree; `None` if the tree lacks them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommonAttributes {
    class: Option<Name>,
    id: Option<Name>,
}

impl CommonAttributes {
    pub(crate) fn of(tree: &Tree) -> Self {
        let to_name = |local: LocalName| Name::new(Namespace::NONE, local);
        let find = |name| tree.names().find_local(name).map(to_name);
        Self { class: find("class"), id: find("id") }
    }

    #[inline]
    pub(crate) fn id<'a>(self, node: NodeRef<'a>) -> Option<&'a str> {
        self.id.and_then(|name| node.named_attribute(name))
    }

    /// Returns the value of the `class` attribute, or `None` if the element has none.
    #[inline]
    pub(crate) fn classes<'a>(self, node: NodeRef<'a>) -> Option<&'a str> {
        self.class.and_then(|name| node.named_attribute(name))
    }

    pub(crate) fn has_class(self, node: NodeRef<'_>, class: &str, case: CaseSensitivity) -> bool {
        self.classes(node).is_some_and(|value| {
            let mut classes = value.split_ascii_whitespace();
            classes.any(|other| case.eq(other.as_bytes(), class.as_bytes()))
        })
    }

    pub(crate) fn has_id(self, node: NodeRef<'_>, id: &str, case: CaseSensitivity) -> bool {
        self.id(node).is_some_and(|value| case.eq(value.as_bytes(), id.as_bytes()))
    }
}

/// Whether `:empty` matches an element: it has no child elements and no nonempty texts.
pub(crate) fn is_empty(element: NodeRef<'_>) -> bool {
    let is_content = |node: NodeRef<'_>| {
        node.is_element() || node.is_text() && node.data().is_some_and(|text| !text.is_empty())
    };
    !element.children().any(is_content)
}

/// Whether `:root` matches an element.
pub(crate) fn is_root(element: NodeRef<'_>) -> bool {
    element.parent() == Some(element.tree().root())
}
