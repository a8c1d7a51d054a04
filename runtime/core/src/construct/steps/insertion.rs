//! Steps that determine where nodes are inserted, create nodes for tokens, and insert them; and steps for templates
//! that declare shadow roots or patch contents elsewhere.

use super::{Frame, ListKey, Location, NodeValue, OptionalNode, TagOrigin, TagSource};
use crate::construct::insert::is_integration_point;
use crate::construct::open::NONE;
use crate::construct::{Builder, Construction, ElementSet, Elements, TokenView, elements};
use crate::token::SinkAttribute;
use crate::tree::{LocalName, Name, Namespace, NodeRef, ShadowRootMode, TreeSink};

/// Queries that determine insertion locations.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Whether misplaced children of the element are foster-parented.
    pub fn is_fostered(&self, value: OptionalNode<S>) -> bool {
        self.is_in(value, &C::FOSTERED)
    }

    /// Returns the open element in the set that is nearest to the current node; `None` if there is none.
    pub fn last_open_in(&mut self, set: &ElementSet) -> OptionalNode<S> {
        let slot = self.topmost_of(set);
        self.element_in(slot)
    }

    /// Whether exactly one element is open.
    pub fn has_one_open(&self) -> bool {
        self.open.len() == 1
    }

    /// Returns the fragment that is being parsed; `None` for a document.
    pub fn root_insertion_target(&self) -> OptionalNode<S> {
        Some(NodeValue { is_fragment: true, ..NodeValue::new(self.fragment_root?, None) })
    }

    /// Returns the template contents of the element, if it is a template.
    pub fn contents_value(&mut self, value: OptionalNode<S>) -> OptionalNode<S> {
        let value = value.filter(|value| self.is_template(*value))?;
        Some(NodeValue::new(self.sink.template_contents(value.node), None))
    }

    fn is_template(&self, value: NodeValue<S::Node>) -> bool {
        let is_template = |name: Name| Some(name.local().id()) == C::TEMPLATE;
        value.name.is_some_and(|name| name.is_in(C::ELEMENTS.namespace()) && is_template(name))
    }

    /// Returns a part of the template's patch, if it has one: the node into which its children are inserted (0), or the
    /// processing instruction that marks the start (1) or the end (2) of the range.
    pub fn patch_part(&mut self, value: OptionalNode<S>, part: usize) -> OptionalNode<S> {
        let node = self.patch_of(value?.node)?[part]?;
        Some(self.value_of(node))
    }

    /// Returns the node that a query finds for the node, if the sink knows it.
    pub fn node_of(
        &mut self,
        value: OptionalNode<S>,
        query: impl FnOnce(NodeRef<'_>) -> Option<NodeRef<'_>>,
    ) -> OptionalNode<S> {
        let relative = query(self.node_ref(value)?)?.id();
        let relative = self.sink.node_with(relative)?;
        Some(self.value_of(relative))
    }

    /// Returns the node of the tree that the value stands for, if the sink knows it.
    pub fn node_ref(&self, value: OptionalNode<S>) -> Option<NodeRef<'_>> {
        self.sink.node_ref(value?.node)
    }

    /// Whether the node is an element.
    pub fn is_element(&self, value: OptionalNode<S>) -> bool {
        value.is_some_and(|value| value.name.is_some())
    }

    /// Returns the location after the last child of the node.
    pub fn end_of(&mut self, node: Option<S::Node>) -> Option<Location<S::Node>> {
        Some(Location { parent: self.value_of(node?), before: None })
    }

    /// Returns the URL of the namespace.
    pub fn namespace_text(&mut self, namespace: Namespace) -> Option<String> {
        Some(self.sink.names().namespace_str(namespace).to_owned())
    }

    /// Returns the open template that has these contents, or `None` if there is none, in time linear in the number of
    /// open templates.
    pub(super) fn open_host(&mut self, contents: S::Node) -> Option<S::Node> {
        let template_name = (LocalName::known(C::TEMPLATE?), true);
        self.open.named(template_name).map(|(_, open)| open.node).find(|&template| {
            self.steps += 1;
            self.sink.template_contents(template) == contents
        })
    }
}

/// Queries of the parts of tokens.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the character that the action inserts, or else the token's characters; an empty string if the token is
    /// not text.
    pub fn characters_text(&self, frame: &Frame<S::Node>, token: &TokenView<'_>) -> Option<String> {
        Some(match (frame.character, token) {
            (Some(character), _) => character.to_string(),
            (None, TokenView::Text(text)) => text.text.to_owned(),
            (None, _) => String::new(),
        })
    }

    /// Returns the data of a comment or processing instruction; an empty string for other tokens.
    pub fn data_text(&self, token: &TokenView<'_>) -> Option<String> {
        Some(match token {
            TokenView::Comment(comment) => comment.data.to_owned(),
            TokenView::ProcessingInstruction(_, data, _) => (*data).to_owned(),
            _ => String::new(),
        })
    }

    /// Returns the target of a processing instruction; an empty string for other tokens.
    pub fn target_text(&self, token: &TokenView<'_>) -> Option<String> {
        Some(match token {
            TokenView::ProcessingInstruction(target, ..) => (*target).to_owned(),
            _ => String::new(),
        })
    }

    /// Returns the name (`part` 0), public identifier (1) or system identifier (2) of a DOCTYPE, if present.
    pub fn doctype_text(&self, token: &TokenView<'_>, part: usize) -> Option<String> {
        let TokenView::Doctype(doctype) = token else { return None };
        let parts = [doctype.name(), doctype.public_identifier(), doctype.system_identifier()];
        parts[part].map(str::to_owned)
    }
}

/// Queries and changes of attributes.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the name and value of each attribute of the token for which elements are created; nothing unless that is
    /// the current token and a tag.
    pub fn token_attributes(
        &mut self,
        tag: TagSource<S::Node>,
        token: &TokenView<'_>,
    ) -> Vec<[Option<String>; 2]> {
        let tag = token.tag().filter(|_| matches!(tag, TagSource(TagOrigin::Token)));
        let Some(tag) = tag else { return Vec::new() };
        match C::ELEMENTS {
            // In tables without prefixes, the names as written show which attributes are duplicates, so these are
            // dropped before the steps run.
            Elements::Plain => {
                let (names, attribute_names) = (self.sink.names(), &mut self.attribute_names);
                elements::intern_attribute_names(tag, names, attribute_names, &mut false);
            }
            Elements::Html | Elements::Xml => self.name_attributes(tag),
        }
        let names = self.sink.names();
        let named_attributes = tag.named_attributes(self.attribute_names.iter().copied());
        let name_text = |name: Name| Some(names.resolve(name).to_string());
        named_attributes
            .map(|attribute| [name_text(attribute.name), Some(attribute.value.to_owned())])
            .collect()
    }

    /// Returns the value of the element's attribute with this name as written, if the sink knows it.
    pub fn attribute_of(&self, value: OptionalNode<S>, name: &str) -> Option<String> {
        let mut attributes = self.node_ref(value)?.attributes();
        let attribute = attributes.find(|attribute| attribute.name().is(name))?;
        Some(attribute.value().to_owned())
    }

    /// Whether the element has an attribute with this local name in this namespace; `false` if the namespace is empty,
    /// or if the sink does not keep attributes.
    pub fn has_attribute_in(
        &self,
        value: OptionalNode<S>,
        local_and_namespace: [Option<String>; 2],
    ) -> bool {
        let [local, namespace] = local_and_namespace.map(Option::unwrap_or_default);
        let attributes = self.node_ref(value).into_iter().flat_map(|node| node.attributes());
        let mut names = attributes.map(|attribute| attribute.name());
        !namespace.is_empty()
            && names.any(|name| name.local() == local && name.namespace_str() == namespace)
    }

    /// Whether the token is a tag with two attributes of the same name, the later of which is dropped.
    pub fn has_dropped_attributes(&mut self, token: &TokenView<'_>) -> bool {
        let (names, attribute_names) = (self.sink.names(), &mut self.attribute_names);
        let mut has_duplicates = false;
        if let Some(tag) = token.tag() {
            elements::intern_attribute_names(tag, names, attribute_names, &mut has_duplicates);
        }
        has_duplicates
    }

    /// Reports that duplicate attributes of the token were dropped.
    pub fn report_dropped_attributes(&mut self, token: &TokenView<'_>) {
        if let Some(tag) = token.tag() {
            self.report_dropped_duplicates(tag);
        }
    }

    /// Adds an attribute, given by its prefix, local name, namespace and value, to an element, unless the element has
    /// an attribute with that name.
    pub fn add_attribute(
        &mut self,
        [prefix, local, namespace, value]: [Option<String>; 4],
        element: OptionalNode<S>,
    ) {
        let Some(element) = element else { return };
        let names = self.sink.names();
        let namespace = names.namespace(&namespace.unwrap_or_default());
        let name = names.name(namespace, &prefix.unwrap_or_default(), &local.unwrap_or_default());
        let value = value.unwrap_or_default();
        let attribute = SinkAttribute::implied(name, &value);
        self.sink.add_missing_attributes(element.node, std::iter::once(attribute));
    }
}

/// Creation of nodes.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    fn record_new(
        &mut self,
        frame: &mut Frame<S::Node>,
        node: S::Node,
        name: Option<Name>,
    ) -> OptionalNode<S> {
        frame.created_nodes.push((node, true));
        Some(NodeValue::new(node, name))
    }

    /// Creates an element for the token from a prefix, a local name and a namespace, without the token's attributes.
    pub fn create_named(
        &mut self,
        frame: &mut Frame<S::Node>,
        token: &TokenView<'_>,
        parts: [Option<String>; 3],
    ) -> OptionalNode<S> {
        let [prefix, local, namespace] = parts.map(Option::unwrap_or_default);
        let names = self.sink.names();
        let namespace = names.namespace(&namespace);
        let name = names.name(namespace, &prefix, &local);
        let tag = token.tag().filter(|_| matches!(frame.tag, TagSource(TagOrigin::Token)));
        let is_in_input = tag.is_some() || matches!(token, TokenView::Declared(_));
        let span = is_in_input.then(|| token.span());
        let node = self.sink.make_element(name, std::iter::empty(), span);
        if tag.is_some_and(|tag| tag.had_duplicate_attributes()) {
            self.sink.had_duplicate_attributes(node);
        }
        self.set_up_special(name, node);
        if is_integration_point::<C>(name, |_| None) {
            frame.integration_points.push(node);
        }
        let name = self.name_in_stack(name);
        self.record_new(frame, node, Some(name))
    }

    /// Adds to the element the attributes of the token for which elements are created.
    pub fn add_token_attributes(
        &mut self,
        frame: &mut Frame<S::Node>,
        token: &TokenView<'_>,
        value: OptionalNode<S>,
    ) {
        let Some(NodeValue { node, name: Some(name), .. }) = value else { return };
        match frame.tag.0 {
            TagOrigin::Token => {
                let Some(tag) = token.tag() else { return };
                self.name_attributes(tag);
                let named_attributes = tag.named_attributes(self.attribute_names.iter().copied());
                self.sink.add_missing_attributes(node, named_attributes);
                if is_integration_point::<C>(name, |attribute| tag.attribute(attribute)) {
                    frame.integration_points.push(node);
                }
            }
            TagOrigin::Entry(entry) => self.add_recorded_attributes(entry.node, node),
            TagOrigin::Name(_) => {}
        }
    }

    /// Creates a comment with the data `data` for the token.
    pub fn create_comment(
        &mut self,
        frame: &mut Frame<S::Node>,
        token: &TokenView<'_>,
        data: &Option<String>,
    ) -> OptionalNode<S> {
        let data = data.as_deref().unwrap_or_default();
        let node = self.sink.make_comment(data, token.span());
        self.record_new(frame, node, None)
    }

    /// Creates a processing instruction with this target and data for the token.
    pub fn create_instruction(
        &mut self,
        frame: &mut Frame<S::Node>,
        token: &TokenView<'_>,
        target: Option<String>,
        data: Option<String>,
    ) -> OptionalNode<S> {
        let (target, data) = (target.unwrap_or_default(), data.unwrap_or_default());
        let node = self.sink.make_processing_instruction(&target, &data, token.span());
        self.record_new(frame, node, None)
    }

    /// Creates a DOCTYPE. An empty identifier counts as missing if the token has none.
    pub fn create_doctype(
        &mut self,
        frame: &mut Frame<S::Node>,
        token: &TokenView<'_>,
        name: Option<String>,
        identifiers: [Option<String>; 2],
    ) -> OptionalNode<S> {
        let [public, system] = [1, 2].map(|part| self.doctype_text(token, part));
        let [given_public, given_system] = identifiers;
        let identifier = |given: Option<String>, of_token: Option<String>| {
            given.filter(|text| !text.is_empty() || of_token.is_some())
        };
        let (public, system) = (identifier(given_public, public), identifier(given_system, system));
        let name = name.unwrap_or_default();
        let (public, system) = (public.as_deref(), system.as_deref());
        let node = self.sink.make_doctype(&name, public, system, token.span());
        frame.doctype = Some(node);
        self.record_new(frame, node, None)
    }

    /// Starts the creation of an element for the token of the entry. Returns false if there is no entry, if it is a
    /// marker, or if the limit on reconstructed elements is reached, which ends the algorithm.
    pub fn begin_recreation(
        &mut self,
        frame: &mut Frame<S::Node>,
        value: impl ListKey<S::Node>,
    ) -> bool {
        let Some(index) = self.entry_of(&value) else { return false };
        let entry = *self.formatting.get(index);
        if entry.node.is_none() {
            return false;
        }
        if !self.charge_reconstruction(entry.length) {
            frame.remaining_rounds = 0;
            return false;
        }
        frame.tag = TagSource(TagOrigin::Entry(entry));
        true
    }

    /// Ends the creation of an element for the token of an entry, and records which entry that was.
    pub fn end_recreation(&mut self, frame: &mut Frame<S::Node>, created: OptionalNode<S>) {
        let (TagOrigin::Entry(entry), Some(created)) = (frame.tag.0, created) else { return };
        if let Some(original) = entry.node {
            self.copy_recorded_attributes(original, created.node);
        }
        frame.recreated_elements.push((created.node, entry));
    }
}

/// Insertion of nodes and text.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Inserts the node if it is new, with neither parent nor children, and not `parent` itself; returns whether it was
    /// inserted.
    pub(super) fn insert_isolated(
        &mut self,
        frame: &mut Frame<S::Node>,
        value: NodeValue<S::Node>,
        parent: NodeValue<S::Node>,
        before: OptionalNode<S>,
    ) -> bool {
        if !frame.is_isolated(value.node) || parent.node == value.node {
            return false;
        }
        frame.connect(value.node);
        frame.connect(parent.node);
        let is_element = value.name.is_some();
        if parent.node == self.document {
            self.document_has_doctype |= frame.doctype == Some(value.node);
        }
        match before.filter(|before| self.sink.parent_of(before.node) == Some(parent.node)) {
            Some(before) => {
                if parent.node == self.document {
                    self.document_child_count += 1;
                    self.has_single_element = false;
                    self.document_has_element |= is_element;
                }
                self.sink.insert_node_before(before.node, value.node);
            }
            None => {
                // The depth limit counts open elements, and the element itself must not be among them, so it is popped
                // until it is linked.
                let pushed_element =
                    self.open.last().copied().filter(|open| open.node == value.node);
                if pushed_element.is_some() {
                    self.open.pop();
                }
                let parent = match is_element && parent.node != self.document {
                    true => self.limit_depth(parent.node, None),
                    false => self.parent_after_flattening(parent.node),
                };
                self.append(parent, value.node, is_element);
                if let Some(open) = pushed_element {
                    self.open.push(open);
                    self.link_entry(&open);
                }
            }
        }
        true
    }

    /// Inserts a new text node. If the sink cannot create one, appends the text to adjacent text.
    pub fn insert_text(
        &mut self,
        frame: &mut Frame<S::Node>,
        token: &TokenView<'_>,
        text: Option<String>,
        parent: OptionalNode<S>,
        before: OptionalNode<S>,
    ) {
        let (Some(text), Some(parent)) = (text, parent) else { return };
        let span = token.span();
        if let Some(node) = self.sink.make_text(&text, span) {
            let value = self.record_new(frame, node, None);
            return self.insert_value(frame, value, Some(parent), before);
        }
        match before.filter(|before| self.sink.parent_of(before.node) == Some(parent.node)) {
            Some(before) => self.sink.insert_characters_before(before.node, &text, span),
            None => {
                let parent = self.parent_after_flattening(parent.node);
                self.sink.append_characters(parent, &text, span);
            }
        }
    }

    /// Appends a string to the data of a text node.
    pub fn append_data(
        &mut self,
        token: &TokenView<'_>,
        text: Option<String>,
        value: OptionalNode<S>,
    ) {
        let node = self.node_ref(value).filter(NodeRef::is_text).map(|node| node.id());
        if let (Some(text), Some(node)) = (text, node)
            && let Some(tree) = self.sink.filled_tree_mut()
        {
            tree.extend_text(node.index() as u32, &text, Some(token.span()));
        }
    }
}

// Shadow roots, and templates that patch contents elsewhere.

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the value of the attribute called `name` of the token for which elements are created; `None` if that is
    /// not the current token, or lacks the attribute.
    pub fn tag_attribute(
        &self,
        tag: TagSource<S::Node>,
        token: &TokenView<'_>,
        name: &str,
    ) -> Option<String> {
        let tag = token.tag().filter(|_| matches!(tag, TagSource(TagOrigin::Token)))?;
        tag.attribute(name).map(str::to_owned)
    }

    /// Attaches a shadow root to `host`: the contents of the template that the algorithm created last. Records an
    /// exception if the host cannot have a shadow root.
    pub fn attach_shadow_root(
        &mut self,
        frame: &mut Frame<S::Node>,
        host: OptionalNode<S>,
        mode: Option<String>,
    ) {
        let is_closed =
            mode.is_some_and(|mode| mode.eq_ignore_ascii_case(ShadowRootMode::Closed.as_str()));
        let mode = if is_closed { ShadowRootMode::Closed } else { ShadowRootMode::Open };
        frame.has_thrown = true;
        if let Some(NodeValue { node, name: Some(name), .. }) = host
            && let (Some(&(template, _)), Some([hosts, reserved])) =
                (frame.created_nodes.last(), frame.hosts)
            && self.can_be_host(name, hosts, reserved)
        {
            frame.has_thrown = !self.sink.attach_shadow_root(node, template, mode);
        }
    }

    /// Whether an element with this name can have a shadow root: the name is in the table's own namespace, not in
    /// `reserved`, and either in `hosts` or that of a custom element.
    fn can_be_host(&mut self, name: Name, hosts: &ElementSet, reserved: &ElementSet) -> bool {
        if !name.is_in(C::ELEMENTS.namespace()) || reserved.has_own(name.local()) {
            return false;
        }
        let local_name = self.sink.names().local_str(name.local());
        hosts.has_own(name.local())
            || local_name.starts_with(|first: char| first.is_ascii_lowercase())
                && local_name.contains('-')
                && !local_name.contains(|character: char| character.is_ascii_uppercase())
    }

    /// Whether the element is the body of the document.
    pub fn is_body(&self, frame: &Frame<S::Node>, value: OptionalNode<S>) -> bool {
        let (Some(value), Some(names)) = (value, frame.patching) else { return false };
        let body = Name::new(C::ELEMENTS.namespace(), LocalName::known(names.body));
        let root = self.sink.parent_of(value.node).filter(|&root| self.fragment_root != Some(root));
        let document = root.and_then(|root| self.sink.parent_of(root));
        value.name == Some(body) && document == Some(self.document)
    }

    /// Finds the range inside `scope` that the template patches, and removes its contents. Returns whether there is
    /// such a range; `None` if a value is missing.
    pub fn prepare_patching(
        &mut self,
        frame: &Frame<S::Node>,
        token: &TokenView<'_>,
        scope: OptionalNode<S>,
        template: OptionalNode<S>,
    ) -> Option<bool> {
        let (scope, template, names) = (scope?, template?, frame.patching?);
        let range_name = match S::KEEPS_ATTRIBUTES {
            true => self.attribute_of(Some(template), names.attribute),
            false => token.tag()?.attribute(names.attribute).map(str::to_owned),
        };
        let range_name = range_name.filter(|name| !name.is_empty() || names.steps.is_some());
        self.forget_landmark(None);
        let Some(name) = range_name else { return Some(false) };
        let template = (template.node, self.slot_of(template).unwrap_or(NONE));
        Some(self.begin_patch((scope.node, &name), names, template).is_some())
    }
}
