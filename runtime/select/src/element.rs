//! Elements as matching sees them. It decides nothing about selectors. Invariant: it is an element; other kinds of nodes
//! are passed over.

use crate::form;
use crate::grammar::{Css, NoPseudoElement, Value, Word, hash};
use crate::pseudo_class::PseudoClass;
use selectors::OpaqueElement;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::{BLOOM_HASH_MASK, BloomFilter};
use selectors::context::MatchingContext;
use selectors::matching::ElementSelectorFlags;
use std::num::NonZeroUsize;
use std::ptr::NonNull;
use tabulex_core::tree::{LocalName, Name, Namespace};
use tabulex_core::tree::{NodeRef, Tree};

/// The names of a tree that are looked for at every element; none, if nothing in the tree has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Common {
    class: Option<Name>,
    id: Option<Name>,
}

impl Common {
    pub(crate) fn of(tree: &Tree) -> Self {
        let plain = |local: LocalName| Name::new(Namespace::NONE, local);
        let find = |name| tree.names().find_local(name).map(plain);
        Self { class: find("class"), id: find("id") }
    }

    /// The id.
    #[inline]
    pub(crate) fn id<'a>(self, node: NodeRef<'a>) -> Option<&'a str> {
        self.id.and_then(|name| node.named_attribute(name))
    }

    /// The classes, as they are written.
    #[inline]
    pub(crate) fn classes<'a>(self, node: NodeRef<'a>) -> Option<&'a str> {
        self.class.and_then(|name| node.named_attribute(name))
    }

    /// Whether the element has this class.
    pub(crate) fn has_class(self, node: NodeRef<'_>, class: &str, case: CaseSensitivity) -> bool {
        self.classes(node).is_some_and(|value| {
            let mut classes = value.split_ascii_whitespace();
            classes.any(|found| case.eq(found.as_bytes(), class.as_bytes()))
        })
    }

    /// Whether the element has this id.
    pub(crate) fn has_id(self, node: NodeRef<'_>, id: &str, case: CaseSensitivity) -> bool {
        self.id(node).is_some_and(|value| case.eq(value.as_bytes(), id.as_bytes()))
    }
}

/// An element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'a> {
    pub(crate) node: NodeRef<'a>,
    pub(crate) common: Common,
}

impl<'a> Element<'a> {
    fn at(self, node: Option<NodeRef<'a>>) -> Option<Self> {
        let node = node.filter(NodeRef::is_element)?;
        Some(Self { node, ..self })
    }
}

/// `:empty`: nothing but comments is in it, and what has no characters.
pub(crate) fn is_empty(element: NodeRef<'_>) -> bool {
    let is_something = |node: NodeRef<'_>| {
        node.is_element() || node.is_text() && node.data().is_some_and(|text| !text.is_empty())
    };
    !element.children().any(is_something)
}

/// `:root`
pub(crate) fn is_root(element: NodeRef<'_>) -> bool {
    element.parent() == Some(element.tree().root())
}

/// What stands for a node where selectors compare elements: its number.
pub(crate) fn opaque(node: NodeRef<'_>) -> OpaqueElement {
    let number = NonZeroUsize::MIN.saturating_add(node.id().index());
    OpaqueElement::from_ptr(NonNull::without_provenance(number))
}

impl selectors::Element for Element<'_> {
    type Impl = Css;

    fn opaque(&self) -> OpaqueElement {
        opaque(self.node)
    }

    fn parent_element(&self) -> Option<Self> {
        self.at(self.node.parent())
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.at(self.node.previous_siblings().find(NodeRef::is_element))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.at(self.node.next_siblings().find(NodeRef::is_element))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.at(self.node.children().find(NodeRef::is_element))
    }

    /// Which kind of document the tree is of it does not know; XHTML in XML has names in lower case anyway.
    fn is_html_element_in_html_document(&self) -> bool {
        self.node.namespace() == Some(Namespace::HTML)
    }

    fn has_local_name(&self, name: &Word) -> bool {
        self.node.local_name() == Some(name.as_str())
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        self.node.name().is_some_and(|name| name.namespace_str() == namespace)
    }

    fn is_same_type(&self, other: &Self) -> bool {
        let both = |element: &Self| (element.node.namespace(), element.node.local_name());
        both(self) == both(other)
    }

    fn attr_matches(
        &self,
        namespace: &NamespaceConstraint<&Word>,
        local: &Word,
        operation: &AttrSelectorOperation<&Value>,
    ) -> bool {
        self.node.attributes().any(|attribute| {
            let name = attribute.name();
            name.local() == local.as_str()
                && match namespace {
                    NamespaceConstraint::Any => true,
                    NamespaceConstraint::Specific(wanted) => {
                        name.namespace_str() == wanted.as_str()
                    }
                }
                && operation.eval_str(attribute.value())
        })
    }

    fn match_non_ts_pseudo_class(
        &self,
        class: &PseudoClass,
        context: &mut MatchingContext<'_, Css>,
    ) -> bool {
        class.holds(self.node, &mut context.extra_data)
    }

    fn match_pseudo_element(
        &self,
        element: &NoPseudoElement,
        _context: &mut MatchingContext<'_, Css>,
    ) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _flags: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        form::is_link(self.node)
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Word, case: CaseSensitivity) -> bool {
        self.common.has_id(self.node, id.as_str(), case)
    }

    fn has_class(&self, class: &Word, case: CaseSensitivity) -> bool {
        self.common.has_class(self.node, class.as_str(), case)
    }

    fn has_custom_state(&self, _name: &Word) -> bool {
        false
    }

    fn imported_part(&self, _name: &Word) -> Option<Word> {
        None
    }

    fn is_part(&self, _name: &Word) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        is_empty(self.node)
    }

    fn is_root(&self) -> bool {
        is_root(self.node)
    }

    fn add_element_unique_hashes(&self, filter: &mut BloomFilter) -> bool {
        let mut add = |text: &str| filter.insert_hash(hash(text) & BLOOM_HASH_MASK);
        add(self.node.local_name().unwrap_or(""));
        if let Some(id) = self.common.id(self.node) {
            add(id);
        }
        if let Some(classes) = self.common.classes(self.node) {
            classes.split_ascii_whitespace().for_each(add);
        }
        true
    }
}
