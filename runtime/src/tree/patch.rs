//! Places in a document that processing instructions mark, for content that comes later. What the instructions are called
//! is given. Invariant: what is between two marks is taken out before anything is put there.

use super::Tree;
use super::node::NodeId;
use super::node_ref::NodeRef;
use crate::construct::Patching;

impl Tree {
    /// The first place of this name inside of a node: the node that it is in, the mark where it begins, the one where it
    /// ends, if any. What was there is taken out.
    pub(super) fn open_place(
        &mut self,
        scope: NodeId,
        wanted: &str,
        words: &Patching,
    ) -> Option<(NodeId, NodeId, Option<NodeId>)> {
        let marks = |node: &NodeRef<'_>| {
            let target = node.target()?;
            let is_mark = target == words.marker || target == words.start;
            let name = is_mark.then(|| pseudo_attribute(node.data()?, words.name))??;
            (name == wanted).then_some(target == words.start)
        };
        let mut inside = self.node(scope).descendants();
        let (mark, begins) = inside.find_map(|node| Some((node, marks(&node)?)))?;
        let (start, target) = (mark.id(), mark.parent()?.id());
        if !begins {
            return Some((target, start, Some(start)));
        }
        let mut level = 0;
        let end = mark.next_siblings().find(|node| {
            let target = node.target();
            if target == Some(words.start) {
                level += 1;
            } else if target == Some(words.end) {
                level -= 1;
            }
            level < 0
        });
        let end = end.map(|node| node.id());
        while let Some(next) = self.node(start).next_sibling().map(|node| node.id())
            && Some(next) != end
        {
            self.unlink(next.0);
        }
        Some((target, start, end))
    }
}

/// The value of the pseudo-attribute of this name, if the data are pseudo-attributes, each name once, and nothing else.
fn pseudo_attribute<'d>(data: &'d str, wanted: &str) -> Option<&'d str> {
    const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];
    let mut rest = data.trim_start_matches(SPACE);
    let (mut names, mut found) = (Vec::new(), None);
    while !rest.is_empty() {
        let (name, behind) = rest.split_once('=')?;
        let name = name.trim_end_matches(SPACE);
        let behind = behind.trim_start_matches(SPACE);
        let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let (value, behind) = behind[1..].split_once(quote)?;
        if name.is_empty() || name.contains(SPACE) || names.contains(&name) {
            return None;
        }
        names.push(name);
        if name == wanted {
            found = Some(value);
        }
        rest = behind.trim_start_matches(SPACE);
        if !rest.is_empty() && rest.len() == behind.len() {
            return None;
        }
    }
    found
}
