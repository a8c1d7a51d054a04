//! Template elements that are more than their contents: declarative shadow roots, and patches of what is there already.
//! Invariant: a template that patches points to markers that were in the tree when it was opened.

use super::{Node, NodeId, NodeKind, TokenView, TreeBuilder, node};
use crate::interpreter::Span;
use tabulex_language::model::tree::{ElementName, Patching};

/// What a template patches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    /// Where its content goes.
    pub(super) target: NodeId,
    /// The instruction that begins the place.
    start: NodeId,
    /// The instruction that ends it.
    pub(super) end: Option<NodeId>,
}

impl TreeBuilder<'_> {
    /// Opens a template whose contents are a shadow root, where there can be one. The context of a fragment cannot have
    /// one: it is a description of a node, and the root would be lost with it.
    pub(super) fn attach_shadow_root(
        &mut self,
        mode: &str,
        hosts: &[ElementName],
        reserved: &[ElementName],
        seen: &TokenView<'_>,
    ) {
        let host = self.adjusted_current().filter(|&host| Some(host) != self.context);
        let place = self.appropriate_place(seen);
        let Some(template) = self.insert_foreign_for_tag(node::HTML, true, seen) else { return };
        let host = host.filter(|&host| {
            let Some(name) = self.tree.name(host) else { return false };
            let is_custom = name.local.starts_with(|first: char| first.is_ascii_lowercase())
                && name.local.contains('-')
                && !name.local.contains(|other: char| other.is_ascii_uppercase())
                && !reserved.iter().any(|other| other.local == name.local);
            let can_be = node::is_own(name) && (is_custom || self.is_one_of(host, hosts));
            can_be && self.at(host).shadow_root.is_none()
        });
        let Some(host) = host else { return self.insert_at(template, place, seen) };
        let value = self.tree.attribute(template, mode).unwrap_or_default().to_ascii_lowercase();
        let root = self.tree.nodes.len();
        self.tree.nodes.push(Node::new(NodeKind::Fragment(Some(value)), Span::default()));
        self.tree.nodes[host].shadow_root = Some(root);
        self.tree.nodes[template].contents = Some(root);
    }

    /// Opens a template whose content goes to the place that it names, if there is one.
    pub(super) fn patch_content(&mut self, words: &Patching, seen: &TokenView<'_>) {
        let place = self.appropriate_place(seen);
        let mut scope = place.map_or(0, |place| place.parent);
        if self.is_body_of_document(scope, &words.body) {
            scope = self.at(scope).parent.unwrap_or(scope);
        }
        let Some(template) = self.insert_foreign_for_tag(node::HTML, true, seen) else { return };
        let name = self.tree.attribute(template, &words.attribute).unwrap_or_default().to_owned();
        let found = if name.is_empty() { None } else { self.find_markers(scope, &name, words) };
        let target = found.and_then(|(start, _)| self.at(start).parent);
        let (Some((start, end)), Some(target)) = (found, target) else {
            self.open.pop();
            self.insert_at(template, None, seen);
            self.open.push(template);
            return;
        };
        self.patches.push((template, Patch { target, start, end }));
        if end == Some(start) {
            return;
        }
        let siblings = self.at(target).children.clone();
        let first = siblings.iter().position(|&it| it == start).map_or(0, |at| at + 1);
        for &node in siblings[first..].iter().take_while(|node| end != Some(**node)) {
            self.tree.detach(node);
        }
    }

    fn is_body_of_document(&self, node: NodeId, body: &str) -> bool {
        let parent = self.at(node).parent;
        // What a fragment holds is put into no document.
        let is_root = parent.is_some_and(|root| self.at(root).parent == Some(0));
        let is_root = is_root && self.context.is_none();
        is_root && self.tree.is_own_element(node, body)
    }

    fn find_markers(
        &self,
        scope: NodeId,
        name: &str,
        words: &Patching,
    ) -> Option<(NodeId, Option<NodeId>)> {
        for node in self.tree.descendants(scope) {
            let NodeKind::ProcessingInstruction(target, data) = &self.at(node).kind else {
                continue;
            };
            let is_named = pseudo_attribute(data, &words.name).as_deref() == Some(name);
            if is_named && *target == words.marker {
                return Some((node, Some(node)));
            }
            if is_named && *target == words.start {
                return Some((node, self.find_end(node, words)));
            }
        }
        None
    }

    fn find_end(&self, start: NodeId, words: &Patching) -> Option<NodeId> {
        let siblings = &self.at(self.at(start).parent?).children;
        let at = siblings.iter().position(|&node| node == start)?;
        let mut level = 0;
        for &node in &siblings[at + 1..] {
            if self.is_instruction(node, &words.start) {
                level += 1;
            } else if self.is_instruction(node, &words.end) {
                if level == 0 {
                    return Some(node);
                }
                level -= 1;
            }
        }
        None
    }

    /// Removes the markers of what the topmost such template patches.
    pub(super) fn finish_patching(&mut self, names: &[ElementName]) {
        let mut open = self.open.iter().rev().copied();
        let Some(template) = open.find(|&node| self.is_one_of(node, names)) else { return };
        let Some(at) = self.patches.iter().position(|(node, _)| *node == template) else { return };
        let (_, patch) = self.patches.remove(at);
        self.tree.detach(patch.start);
        if let Some(end) = patch.end {
            self.tree.detach(end);
        }
    }
}

/// The value of a pseudo-attribute, if all of them are written well.
fn pseudo_attribute(data: &str, wanted: &str) -> Option<String> {
    let is_space = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r');
    let mut found: Vec<(&str, &str)> = Vec::new();
    let mut rest = data.trim_start_matches(is_space);
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let name = name.trim_end_matches(is_space);
        let after = after.trim_start_matches(is_space);
        let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, after) = after[1..].split_once(quote)?;
        let is_name =
            !name.is_empty() && !name.contains(|it: char| is_space(it) || "\"'<>&".contains(it));
        if !is_name || found.iter().any(|(other, _)| *other == name) {
            return None;
        }
        found.push((name, value));
        rest = after.trim_start_matches(is_space);
        // Between two of them, there is white space.
        if !rest.is_empty() && rest.len() == after.len() {
            return None;
        }
    }
    found.into_iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.to_owned())
}
