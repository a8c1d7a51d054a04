//! What templates that are more than their contents ask of the tree: which elements can have a shadow root, which
//! instructions mark a place. What is done with them are the algorithms of the table. Invariant: asking changes nothing.

use super::{NodeId, NodeKind, TreeBuilder, node};
use tabulex_language::model::tree::algorithm::{PatchMark, PatchPart};
use tabulex_language::model::tree::{ElementName, Patching};

/// What a template patches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patch {
    /// Where its content goes.
    pub(super) target: Option<NodeId>,
    /// The instruction that begins the place.
    pub(super) start: Option<NodeId>,
    /// The instruction that ends it.
    pub(super) end: Option<NodeId>,
}

impl TreeBuilder<'_> {
    /// Whether the element can have a shadow root and has none yet: it is one of the first, or can be a custom element, which
    /// has none of the other names.
    pub(super) fn can_be_host(&self, host: NodeId, [hosts, reserved]: [&[ElementName]; 2]) -> bool {
        let Some(name) = self.tree.name(host) else { return false };
        let is_custom = name.local.starts_with(|first: char| first.is_ascii_lowercase())
            && name.local.contains('-')
            && !name.local.contains(|other: char| other.is_ascii_uppercase())
            && !reserved.iter().any(|other| other.local == name.local);
        let can_be = node::is_own(name) && (is_custom || self.is_one_of(host, hosts));
        can_be && self.at(host).shadow_root.is_none()
    }

    /// Whether the element has this name and is in the root element of a document.
    pub(super) fn is_body_of_document(&self, node: NodeId, body: Option<&str>) -> bool {
        let root = self.at(node).parent;
        let document = root.and_then(|root| self.at(root).parent);
        document.is_some_and(|document| self.at(document).kind == NodeKind::Document)
            && body.is_some_and(|body| self.tree.is_own_element(node, body))
    }

    /// Whether the node is an instruction that marks this, of this name if one is wanted.
    pub(super) fn is_patch_mark(
        &self,
        node: NodeId,
        mark: PatchMark,
        name: Option<&str>,
        words: &Patching,
    ) -> bool {
        let NodeKind::ProcessingInstruction(target, data) = &self.at(node).kind else {
            return false;
        };
        let wanted = match mark {
            PatchMark::Place => &words.marker,
            PatchMark::Start => &words.start,
            PatchMark::End => &words.end,
        };
        let is_named = |name| pseudo_attribute(data, &words.name).as_deref() == Some(name);
        target == wanted && name.is_none_or(is_named)
    }

    /// Sets a part of what the template patches.
    pub(super) fn set_patch(&mut self, template: NodeId, part: PatchPart, value: Option<NodeId>) {
        let known = self.patches.iter().position(|(other, _)| *other == template);
        let at = known.unwrap_or_else(|| {
            self.patches.push((template, Patch::default()));
            self.patches.len() - 1
        });
        let patch = &mut self.patches[at].1;
        match part {
            PatchPart::Target => patch.target = value,
            PatchPart::Start => patch.start = value,
            PatchPart::End => patch.end = value,
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
