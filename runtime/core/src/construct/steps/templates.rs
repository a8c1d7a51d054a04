//! Shadow roots, and templates that patch contents elsewhere.

use super::{Frame, NodeValue, OptionalNode, TagOrigin, TagSource};
use crate::construct::open::NONE;
use crate::construct::{Builder, Construction, ElementSet, TokenView};
use crate::tree::{LocalName, Name, ShadowRootMode, TreeSink};

impl<N> Frame<N> {
    /// Whether attaching the last shadow root failed.
    pub fn is_thrown(&self) -> bool {
        self.has_thrown
    }
}

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

    /// Whether the element has a shadow root; false if the sink cannot tell.
    pub fn is_shadow_host(&self, value: OptionalNode<S>) -> bool {
        value.is_some_and(|value| self.sink.is_shadow_host(value.node))
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
            && let (Some(&template), Some([hosts, reserved])) =
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
        let root = self.parent_of(value.node).filter(|&root| self.fragment_root != Some(root));
        let document = root.and_then(|root| self.parent_of(root));
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
            true => self.sink.attribute(template.node, names.attribute).map(str::to_owned),
            false => token.tag()?.attribute(names.attribute).map(str::to_owned),
        };
        let range_name = range_name.filter(|name| !name.is_empty() || names.steps.is_some());
        self.forget_landmark(None);
        let patch = range_name.and_then(|name| self.sink.begin_patch(scope.node, &name, names));
        if let Some(patch) = patch {
            let slot = self.slot_of(template).unwrap_or(NONE);
            self.record_patch(template.node, slot, patch);
        }
        Some(patch.is_some())
    }
}
