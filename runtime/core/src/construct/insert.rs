//! Elements of tokens: creating them, inserting them at the appropriate place, and pushing them onto the stack.

use super::foreign::is_integration_point;
use super::open::{NONE, Opening, chain_of};
use super::{Builder, Construction, Elements, TokenView};
use crate::token::Tag;
use crate::tree::{AttributeNames, LocalName, Name, Namespace, TreeSink};

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Creates an element for the token, inserts it at the appropriate place, and pushes it onto the stack.
    #[inline]
    pub fn insert_element(&mut self, token: &TokenView<'_>) {
        if C::ELEMENTS != Elements::Html {
            return self.create_and_append(token, true);
        }
        if let Some(tag) = token.tag() {
            self.insert_in_own_namespace(tag);
        }
    }

    /// Creates an element for the tag in the table's own namespace, inserts it, and pushes it onto the stack.
    #[inline(never)]
    fn insert_in_own_namespace(&mut self, tag: &Tag<'_>) {
        self.insert_and_push(tag, Name::new(C::ELEMENTS.namespace(), self.token_name), false);
    }

    /// Creates an element with `name` for the tag, inserts it at the appropriate place, and pushes it onto the stack.
    #[inline(always)]
    fn insert_and_push(&mut self, tag: &Tag<'_>, name: Name, is_integration_point: bool) {
        let kind = C::kind(name);
        let node = match self.plain_parent() {
            Some(parent) => {
                let node = self.append_created(tag, name, parent);
                self.set_up_created(tag, name, kind, node);
                node
            }
            None => self.insert_at_appropriate_place(tag, name),
        };
        self.push_element_of_kind(node, name, kind, is_integration_point);
    }

    /// Creates an element with `name` for the tag as the last child of `parent`.
    #[inline(always)]
    fn append_created(&mut self, tag: &Tag<'_>, name: Name, parent: S::Node) -> S::Node {
        let is_adjusted = !self.adjustments.is_empty();
        if is_adjusted {
            self.adjust_names(tag);
        }
        let attribute_names = match is_adjusted {
            true => AttributeNames::All(&self.adjusted_names),
            false => AttributeNames::Written,
        };
        if let Some(node) = self.sink.append_tag(parent, name, tag, attribute_names) {
            self.record_appended(parent, node);
            return node;
        }
        self.name_attributes(tag);
        let attributes = tag.named_attributes(self.attribute_names.iter().copied());
        let node = self.sink.append_element(parent, name, attributes, Some(tag.span()));
        self.record_appended(parent, node);
        node
    }

    /// Slow path of `insert_and_push`: creates an element for the tag and inserts it at a place that may not be the end
    /// of the current node.
    #[cold]
    #[inline(never)]
    fn insert_at_appropriate_place(&mut self, tag: &Tag<'_>, name: Name) -> S::Node {
        let place = self.appropriate_place(None);
        let node = self.create_element_for(tag, name);
        self.put_element(place, node, Some(tag.span()));
        node
    }

    /// Creates an element for the token in `namespace`, or else in the adjusted current node's namespace, inserts it,
    /// and pushes it onto the stack.
    pub fn insert_foreign_element(&mut self, token: &TokenView<'_>, namespace: Option<Namespace>) {
        let Some(tag) = token.tag() else { return };
        let namespace = namespace.unwrap_or_else(|| self.adjusted_namespace());
        let name = Name::new(namespace, self.token_name);
        let is_point = is_integration_point::<C>(name, |name| tag.attribute(name));
        self.insert_and_push(tag, name, is_point);
    }

    /// Inserts an element with the known name `local` and without attributes, and pushes it onto the stack.
    pub fn insert_named_element(&mut self, local: u32) {
        let name = Name::new(C::ELEMENTS.namespace(), LocalName::known(local));
        let node = self.sink.make_element(name, std::iter::empty(), None);
        let place = self.appropriate_place(None);
        self.put_element(place, node, None);
        self.push_element(node, name, false);
    }

    /// Stores the names of the tag's attributes in `attribute_names`.
    #[inline(always)]
    pub(super) fn name_attributes(&mut self, tag: &Tag<'_>) {
        self.attribute_names.clear();
        if tag.attribute_count() > 0 {
            self.name_attributes_slow(tag);
        }
    }

    /// Slow path of `name_attributes`, for a tag with attributes.
    #[inline(never)]
    fn name_attributes_slow(&mut self, tag: &Tag<'_>) {
        if !self.adjustments.is_empty() {
            self.adjust_names(tag);
            return self.attribute_names.extend(self.adjusted_names.iter().copied().map(Some));
        }
        let names = self.sink.names();
        for name in tag.attribute_name_lookups() {
            self.attribute_names
                .push(Some(Name::new(Namespace::NONE, names.local_from_lookup(name))));
        }
    }

    /// Creates an element with `name` for the tag, without inserting it.
    #[inline]
    pub(super) fn create_element_for(&mut self, tag: &Tag<'_>, name: Name) -> S::Node {
        self.name_attributes(tag);
        let node = self.sink.make_tag(name, tag, AttributeNames::Some(&self.attribute_names));
        let node = node.unwrap_or_else(|| {
            let attributes = tag.named_attributes(self.attribute_names.iter().copied());
            self.sink.make_element(name, attributes, Some(tag.span()))
        });
        self.set_up_created(tag, name, C::kind(name), node);
        node
    }

    /// Tells the sink if the tag of a new element had duplicate attributes, and sets up an element of a kind that is
    /// not plain.
    #[inline]
    fn set_up_created(&mut self, tag: &Tag<'_>, name: Name, kind: u8, node: S::Node) {
        if tag.had_duplicate_attributes() {
            self.sink.had_duplicate_attributes(node);
        }
        if kind >= C::PLAIN_KINDS {
            self.set_up_special(name, node);
        }
    }

    /// Creates the contents of a new template, or records a new element that mirrors the selected option.
    #[cold]
    #[inline(never)]
    pub(super) fn set_up_special(&mut self, name: Name, node: S::Node) {
        if let Some(template) = C::TEMPLATE
            && name == Name::new(C::ELEMENTS.namespace(), LocalName::known(template))
        {
            self.sink.template_contents(node);
        }
        if let Some(names) = &C::SELECTED_CONTENT
            && name == Name::new(C::ELEMENTS.namespace(), LocalName::known(names.content_id))
        {
            self.mirrors =
                Some(self.mirrors.map_or(MirrorElements::One(node), |_| MirrorElements::Several));
        }
    }

    /// Pushes an element onto the stack.
    pub(super) fn push_element(&mut self, node: S::Node, name: Name, is_integration_point: bool) {
        self.push_element_inline(node, name, is_integration_point);
    }

    #[inline(always)]
    pub(super) fn push_element_inline(
        &mut self,
        node: S::Node,
        name: Name,
        is_integration_point: bool,
    ) {
        self.push_element_of_kind(node, name, C::kind(name), is_integration_point);
    }

    #[inline(always)]
    fn push_element_of_kind(
        &mut self,
        node: S::Node,
        name: Name,
        kind: u8,
        is_integration_point: bool,
    ) {
        let is_in_own_namespace = name.is_in(C::ELEMENTS.namespace());
        let chain = chain_of(
            if is_in_own_namespace { name.local() } else { self.lowercase_name(name) },
            is_in_own_namespace,
        );
        let formatting = NONE;
        self.open.push(Opening { node, name, chain, kind, is_integration_point, formatting });
    }

    /// Returns the local part of `name` in ASCII lower case.
    #[cold]
    #[inline(never)]
    pub(super) fn lowercase_name(&mut self, name: Name) -> LocalName {
        let names = self.sink.names();
        let text = names.local_str(name.local());
        if !text.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return name.local();
        }
        let lowercase = text.to_ascii_lowercase();
        names.local(&lowercase)
    }

    /// Adds the token's attributes to the first element of the stack, except those that the element already has.
    pub fn merge_into_root(&mut self, token: &TokenView<'_>) {
        let slot = self.open.first_slot();
        self.merge_into(token, slot);
    }

    /// Adds the token's attributes to the second element of the stack, except those that the element already has.
    pub fn merge_into_second(&mut self, token: &TokenView<'_>) {
        let slot = self.second_slot();
        self.merge_into(token, slot);
    }

    fn merge_into(&mut self, token: &TokenView<'_>, slot: Option<u32>) {
        let open = slot.and_then(|slot| self.open.get(slot));
        let (Some(tag), Some(node)) = (token.tag(), open.map(|open| open.node)) else { return };
        self.name_attributes(tag);
        self.sink.add_missing_attributes(
            node,
            tag.named_attributes(self.attribute_names.iter().copied()),
        );
    }

    /// Acknowledges the token's self-closing flag, so that no error is reported for the flag.
    #[inline]
    pub fn acknowledge_self_closing(&mut self) {
        self.is_acknowledged = true;
    }

    /// Replaces the name of the current tag with the known name `local`.
    pub fn rename(&mut self, local: u32) {
        self.token_name = LocalName::known(local);
    }
}

/// The elements created so far that mirror the selected option.
#[derive(Clone, Copy, Debug)]
pub(super) enum MirrorElements<N> {
    /// The only element so far.
    One(N),
    /// Two or more elements.
    Several,
}

impl<N> MirrorElements<N> {
    /// Returns the element if it is the only one.
    pub(super) fn only(self) -> Option<N> {
        match self {
            Self::One(node) => Some(node),
            Self::Several => None,
        }
    }
}
