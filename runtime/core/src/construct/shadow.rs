//! Declarative shadow roots.

use super::place::InsertionLocation;
use super::{Builder, Construction, ElementSet, TokenView};
use crate::tree::{Name, ShadowRootMode, TreeSink};

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Creates a template for the token and pushes it. If the adjusted current node can be a shadow host and is not one
    /// yet, the template's contents become its shadow root; otherwise the template is inserted. The context element of
    /// a fragment cannot be the host: it only describes a node, and the shadow root would be lost with it.
    pub fn attach_shadow_root(
        &mut self,
        token: &TokenView<'_>,
        mode: &str,
        hosts: &ElementSet,
        reserved: &ElementSet,
    ) {
        let Some(tag) = token.tag() else { return };
        let host = match (&self.context, self.open.last()) {
            (Some(_), _) if self.open.len() == 1 => None,
            (_, Some(open)) => Some((open.node, open.name)),
            _ => None,
        };
        let name = Name::new(C::ELEMENTS.own(), self.token_name);
        let template = self.make(tag, name);
        let place = self.appropriate_place(None);
        let is_closed = tag.attribute(mode).is_some_and(|it| it.eq_ignore_ascii_case("closed"));
        let mode = if is_closed { ShadowRootMode::Closed } else { ShadowRootMode::Open };
        let is_attached = host.is_some_and(|(host, name)| {
            self.can_be_host(name, hosts, reserved)
                && self.sink.attach_shadow_root(host, template, mode)
        });
        if !is_attached {
            // Only the node that contains the place matters.
            let place = match place {
                InsertionLocation::Before(child) => {
                    self.parent_of(child).map_or(place, InsertionLocation::LastIn)
                }
                InsertionLocation::LastIn(_) => place,
            };
            // Inserted before it is pushed, because the depth limit depends on the open elements around it.
            self.put_element(place, template, Some(tag.span()));
        }
        self.open_element(template, name, false);
    }

    pub(super) fn can_be_host(
        &mut self,
        name: Name,
        hosts: &ElementSet,
        reserved: &ElementSet,
    ) -> bool {
        if !name.is_in(C::ELEMENTS.own()) || reserved.has_own(name.local()) {
            return false;
        }
        let text = self.sink.names().local_str(name.local());
        hosts.has_own(name.local())
            || text.starts_with(|first: char| first.is_ascii_lowercase())
                && text.contains('-')
                && !text.contains(|character: char| character.is_ascii_uppercase())
    }
}
