//! Conditions that rows test.

use super::builder::Pointer;
use super::doctype::DoctypeSet;
use super::open::{NONE, Open};
use super::{Builder, Construction, ElementSet, TokenView};
use crate::tree::{LocalName, Name, Namespace, TreeSink};

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the current node: the last open element, or the document.
    #[inline]
    pub fn current_node(&mut self) -> S::Node {
        self.open.last().map_or(self.document, |open| open.node)
    }

    /// Returns the document node.
    pub fn document(&mut self) -> S::Node {
        self.document
    }

    /// Returns the open element that is the current node; `None` if that is the document.
    #[inline]
    fn current(&self) -> Option<&Open<S::Node>> {
        self.open.last()
    }

    /// Whether the current node is an element with one of these names.
    #[inline]
    pub fn current_is(&self, set: &ElementSet) -> bool {
        self.current().is_some_and(|open| set.has(open.name, C::ELEMENTS.namespace()))
    }

    /// Whether the current node is an element of the table's own namespace with the token's name.
    #[inline]
    pub fn current_is_token_name(&self, token: &TokenView<'_>) -> bool {
        let _ = token;
        let matches = |open: &Open<S::Node>| {
            open.name.local() == self.token_name && open.name.is_in(C::ELEMENTS.namespace())
        };
        self.current().is_some_and(matches)
    }

    /// Whether the current node has the token's name, in any namespace and with ASCII case ignored in foreign ones.
    pub fn current_is_token_name_ignoring_case(&self) -> bool {
        self.current().is_some_and(|open| open.lookup_name() == self.token_name.id())
    }

    /// Whether the current node is the element that the pointer points to.
    pub fn current_is_pointed(&self, pointer: usize) -> bool {
        match self.pointers[pointer] {
            Pointer::Element(node, _) => self.current().is_some_and(|open| open.node == node),
            Pointer::None | Pointer::Context => false,
        }
    }

    /// Whether an element with one of these names is open.
    pub fn has_open(&mut self, set: &ElementSet) -> bool {
        self.topmost_of(set).is_some()
    }

    /// Returns the slot of the topmost element with one of these names; `None` if there is none.
    #[inline]
    pub(super) fn topmost_of(&mut self, set: &ElementSet) -> Option<u32> {
        let topmost = set.own.iter().filter_map(|&local| self.open.topmost(local)).max();
        if set.foreign.is_empty() { topmost } else { topmost.max(self.topmost_foreign_of(set)) }
    }

    /// Returns the slot of the topmost element whose name is one of the set's foreign names; `None` if there is none.
    #[cold]
    fn topmost_foreign_of(&mut self, set: &ElementSet) -> Option<u32> {
        let mut topmost = None;
        for &(namespace, local) in set.foreign {
            let name = Name::new(namespace, LocalName::known(local));
            let lowercase_id = self.lowercase_name(name).id();
            let matches = |slot: &u32| self.open.get(*slot).is_some_and(|open| open.name == name);
            let steps = &mut self.steps;
            let mut slots = self.open.foreign_slots(lowercase_id).inspect(|_| *steps += 1);
            topmost = topmost.max(slots.find(matches));
        }
        topmost
    }

    /// Whether an element of the table's own namespace with the token's name is open.
    pub fn has_open_token_name(&self, token: &TokenView<'_>) -> bool {
        token.local().is_some_and(|name| self.open.topmost(name.id()).is_some())
    }

    /// Whether an element of the table's own namespace with the token's name is open, and an element in `set` is nearer
    /// to the current node than the topmost of these.
    pub fn has_above_token_name(&mut self, token: &TokenView<'_>, set: &ElementSet) -> bool {
        let Some(slot) = token.local().and_then(|name| self.open.topmost(name.id())) else {
            return false;
        };
        self.topmost_of(set).is_some_and(|above| above > slot)
    }

    /// Whether no element is open.
    pub fn stack_is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether an element with one of these names is in the scope.
    #[inline]
    pub fn is_in_scope(&mut self, scope: usize, set: &ElementSet) -> bool {
        self.topmost_of(set).is_some_and(|slot| self.open.is_in_scope(scope, slot))
    }

    /// Whether an element of the table's own namespace with this name is in the scope.
    #[inline]
    pub fn is_name_in_scope(&self, scope: usize, local: u32) -> bool {
        let slot = self.open.topmost_slot_or_none(local);
        slot != NONE && self.open.is_in_scope(scope, slot)
    }

    /// Whether an element of the table's own namespace with the token's name is in the scope.
    #[inline]
    pub fn is_token_name_in_scope(&self, scope: usize) -> bool {
        // Fast path: usually the current node has the token's name. No element is above it that could end the scope.
        let expected = Name::new(C::ELEMENTS.namespace(), self.token_name);
        self.open.last().is_some_and(|open| open.name == expected)
            || self.is_name_in_scope(scope, self.token_name.id())
    }

    /// Whether the element that the pointer points to is in the scope.
    pub fn is_pointed_in_scope(&mut self, scope: usize, pointer: usize) -> bool {
        let Pointer::Element(node, name) = self.pointers[pointer] else { return false };
        let slot = self.open.find_named(node, name.local().id());
        slot.is_some_and(|slot| self.open.is_in_scope(scope, slot))
    }

    /// Whether the second element of the stack has one of these names.
    pub fn second_is(&mut self, set: &ElementSet) -> bool {
        let open = self.second_slot().and_then(|slot| self.open.get(slot));
        open.is_some_and(|open| set.has(open.name, C::ELEMENTS.namespace()))
    }

    /// Whether an element whose name is not in `set` is open.
    pub fn has_open_other_than(&mut self, set: &ElementSet) -> bool {
        let mut member_count: usize =
            set.own.iter().map(|&local| self.open.count_named(local)).sum();
        for &(namespace, local) in set.foreign {
            let name = Name::new(namespace, LocalName::known(local));
            let lowercase_id = self.lowercase_name(name).id();
            let matches = |slot: &u32| self.open.get(*slot).is_some_and(|open| open.name == name);
            let steps = &mut self.steps;
            let slots = self.open.foreign_slots(lowercase_id).inspect(|_| *steps += 1);
            member_count += slots.filter(matches).count();
        }
        self.open.len() > member_count
    }

    /// Whether a foreign element with the token's name is open, and no element of the table's own namespace is nearer
    /// to the current node.
    pub fn has_foreign_token_name(&self) -> bool {
        self.topmost_foreign_of_token_name().is_some()
    }

    /// Returns the slot of the topmost foreign element with the token's name, if no element of the table's own
    /// namespace is nearer to the current node.
    fn topmost_foreign_of_token_name(&self) -> Option<u32> {
        let foreign = self.open.topmost_foreign(self.token_name.id())?;
        self.open.topmost_in_own_namespace().is_none_or(|own| own < foreign).then_some(foreign)
    }

    /// Returns the name of the adjusted current node, and whether the node is an integration point; `None` if no
    /// element is open.
    #[inline]
    fn adjusted_current(&self) -> Option<(Name, bool)> {
        if let Some(context) = &self.context
            && self.open.len() == 1
        {
            return Some((context.name, context.is_integration_point));
        }
        self.current().map(|open| (open.name, open.is_integration_point))
    }

    /// Whether the adjusted current node is an element with one of these names.
    pub fn adjusted_current_is(&self, set: &ElementSet) -> bool {
        self.adjusted_current().is_some_and(|(name, _)| set.has(name, C::ELEMENTS.namespace()))
    }

    /// Whether the adjusted current node is in the namespace.
    pub fn adjusted_current_in(&self, namespace: Namespace) -> bool {
        self.adjusted_current().is_some_and(|(name, _)| name.is_in(namespace))
    }

    pub(super) fn adjusted_namespace(&self) -> Namespace {
        self.adjusted_current().map_or(C::ELEMENTS.namespace(), |(name, _)| name.plain_namespace())
    }

    /// Whether the adjusted current node exists and is not in the table's own namespace.
    #[inline]
    pub fn adjusted_current_is_foreign(&self) -> bool {
        self.adjusted_current().is_some_and(|(name, _)| !name.is_in(C::ELEMENTS.namespace()))
    }

    /// Whether the adjusted current node is an integration point.
    pub fn adjusted_current_is_integration_point(&self) -> bool {
        self.adjusted_current().is_some_and(|(_, is_point)| is_point)
    }

    /// Whether the adjusted current node is the first element of the stack.
    pub fn adjusted_current_is_root(&self) -> bool {
        self.open.len() == 1 && self.context.is_none()
    }

    /// Whether the input is parsed as a fragment rather than a document.
    pub fn is_fragment(&self) -> bool {
        self.context.is_some()
    }

    /// Whether the input is parsed as a fragment, and the context element has one of these names.
    pub fn context_is(&self, set: &ElementSet) -> bool {
        self.context.as_ref().is_some_and(|context| set.has(context.name, C::ELEMENTS.namespace()))
    }

    /// Whether the token has an attribute with this name.
    pub fn has_token_attribute(&self, token: &TokenView<'_>, name: &str) -> bool {
        token.tag().is_some_and(|tag| tag.attribute(name).is_some())
    }

    /// Whether the token has an attribute with this name and value, ignoring ASCII case in the value.
    pub fn token_attribute_is(&self, token: &TokenView<'_>, name: &str, value: &str) -> bool {
        let actual = token.tag().and_then(|tag| tag.attribute(name));
        actual.is_some_and(|actual| actual.eq_ignore_ascii_case(value))
    }

    /// Whether the token's self-closing flag is set.
    pub fn is_self_closing(&self, token: &TokenView<'_>) -> bool {
        token.tag().is_some_and(|tag| tag.self_closing())
    }

    /// Whether the list of active formatting elements contains an element with one of these names after its last
    /// marker.
    pub fn formatting_has(&mut self, set: &ElementSet) -> bool {
        self.last_formatting(set).is_some()
    }

    /// Returns the index of the last element with one of these names in the list of active formatting elements, if it
    /// follows the last marker.
    pub(super) fn last_formatting(&mut self, set: &ElementSet) -> Option<u32> {
        set.own.iter().filter_map(|&local| self.formatting.last_named(local)).max()
    }

    /// Whether the token is a DOCTYPE in the set.
    pub fn doctype_is(&self, token: &TokenView<'_>, set: &DoctypeSet) -> bool {
        matches!(token, TokenView::Doctype(doctype) if set.has(doctype))
    }
}
