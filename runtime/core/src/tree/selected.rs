//! The contents of a chosen option are shown elsewhere, as a copy. Which elements and attributes that concerns is given.
//! Invariant: nothing here recurses, and the copy shares no node with what is copied.

use super::Tree;
use super::node::{NodeId, NodeKind};
use super::node_ref::NodeRef;
use super::words::SelectedContent;
use crate::names::{LocalName, Namespace};

/// Whether the node is an HTML element of this name.
fn is(node: &NodeRef<'_>, local: u32) -> bool {
    let name = node.name().filter(|name| name.namespace() == Namespace::HTML);
    name.is_some_and(|name| name.id().local() == LocalName::known(local))
}

fn is_any(node: &NodeRef<'_>, locals: &[u32]) -> bool {
    locals.iter().any(|&local| is(node, local))
}

impl Tree {
    /// Shows the option, whose contents are complete, where its choice is shown, if it is chosen. `only` is the only
    /// node of the tree where choices are shown; none, if there are several. How many nodes were looked at.
    pub(super) fn show_chosen(
        &mut self,
        option: NodeId,
        only: Option<NodeId>,
        words: &SelectedContent,
    ) -> u64 {
        let mut look = Look { words, steps: 0 };
        let only = only.map(|only| self.node(only));
        let content = look.place_for(&self.node(option), only).map(|node| node.id());
        if let Some(content) = content {
            while let Some(child) = self.node(content).first_child().map(|node| node.id()) {
                look.steps += 1;
                self.unlink(child.0);
            }
            look.steps += self.copy_children(option, content);
        }
        look.steps
    }

    /// Copies what is inside of one node after what is inside of another.
    fn copy_children(&mut self, from: NodeId, to: NodeId) -> u64 {
        let mut copied = 0;
        let mut waiting = vec![(from, to)];
        while let Some((from, to)) = waiting.pop() {
            let mut next = self.node(from).first_child().map(|child| child.id());
            while let Some(child) = next {
                copied += 1;
                let copy = self.copy(child);
                self.link_last(to.0, copy.0);
                waiting.push((child, copy));
                if let Some(contents) = self.node(child).template_contents().map(|it| it.id()) {
                    waiting.push((contents, self.create_template_contents(copy)));
                }
                next = self.node(child).next_sibling().map(|sibling| sibling.id());
            }
        }
        copied
    }

    /// A node like this one, without what is inside; it stands where the other one was written.
    fn copy(&mut self, node: NodeId) -> NodeId {
        let it = self.node(node);
        let (data, span) = (it.data().unwrap_or_default().to_owned(), it.kept_span());
        match it.kind() {
            NodeKind::Text => self.add_text(&data, span),
            NodeKind::Comment => self.add_comment(&data, span),
            NodeKind::ProcessingInstruction => {
                let target = it.target().unwrap_or_default().to_owned();
                self.add_instruction(&target, &data, span)
            }
            _ => self.add_like(node, span),
        }
    }
}

/// A look around an option, which counts the nodes that it looks at.
struct Look<'w> {
    words: &'w SelectedContent,
    steps: u64,
}

impl<'a> Look<'_> {
    /// Where the option is shown, if it is chosen.
    fn place_for(
        &mut self,
        option: &NodeRef<'a>,
        only: Option<NodeRef<'a>>,
    ) -> Option<NodeRef<'a>> {
        let select = self.select_of(option)?;
        let content = match only {
            Some(only) => only,
            None => {
                let mut inside = select.descendants().inspect(|_| self.steps += 1);
                inside.find(|node| is(node, self.words.content_id))?
            }
        };
        let hidden = [self.words.option_id, self.words.content_id, self.words.select_id];
        let mut above = content.ancestors().inspect(|_| self.steps += 1);
        let outer = above.find(|node| *node == select || is_any(node, &hidden))?;
        let is_shown = outer == select && select.attribute(self.words.multiple).is_none();
        (is_shown && self.is_chosen(option, &select)).then_some(content)
    }

    /// The element that the option is chosen in.
    fn select_of(&mut self, option: &NodeRef<'a>) -> Option<NodeRef<'a>> {
        let mut groups = 0;
        for node in option.ancestors() {
            self.steps += 1;
            if is(&node, self.words.select_id) {
                return Some(node);
            }
            groups += usize::from(is(&node, self.words.group_id));
            if groups > 1 || is_any(&node, self.words.stops) {
                return None;
            }
        }
        None
    }

    /// Whether the option is chosen: the last of those that say so, or else the first that can be. What is after it and
    /// what is before it is looked at from the option on, and no further than needed.
    fn is_chosen(&mut self, option: &NodeRef<'a>, select: &NodeRef<'a>) -> bool {
        let mut next = after(option, select);
        while let Some(node) = next {
            self.steps += 1;
            if self.says_so(&node) && self.counts(&node, select) {
                return false;
            }
            next = after(&node, select);
        }
        if self.says_so(option) {
            return true;
        }
        let size =
            select.attribute(self.words.size).map_or(Some(1), |size| size.trim().parse().ok());
        if size.unwrap_or(1) > 1 || self.is_disabled(option) {
            return false;
        }
        let mut previous = before(option, select);
        while let Some(node) = previous {
            self.steps += 1;
            let is_first = self.says_so(&node) || !self.is_disabled(&node);
            if is_first && self.counts(&node, select) {
                return false;
            }
            previous = before(&node, select);
        }
        true
    }

    fn counts(&mut self, node: &NodeRef<'a>, select: &NodeRef<'a>) -> bool {
        is(node, self.words.option_id) && self.select_of(node).as_ref() == Some(select)
    }

    fn says_so(&self, node: &NodeRef<'a>) -> bool {
        node.attribute(self.words.selected).is_some()
    }

    fn is_disabled(&self, option: &NodeRef<'a>) -> bool {
        let group = option.parent().filter(|parent| is(parent, self.words.group_id));
        let group = group.is_some_and(|group| group.attribute(self.words.disabled).is_some());
        group || option.attribute(self.words.disabled).is_some()
    }
}

/// The next node in tree order inside of the root.
fn after<'a>(node: &NodeRef<'a>, root: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    if let Some(child) = node.first_child() {
        return Some(child);
    }
    let mut node = *node;
    while node != *root {
        if let Some(next) = node.next_sibling() {
            return Some(next);
        }
        node = node.parent()?;
    }
    None
}

/// The node before in tree order inside of the root.
fn before<'a>(node: &NodeRef<'a>, root: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let Some(mut node) = node.previous_sibling() else {
        return node.parent().filter(|parent| parent != root);
    };
    while let Some(child) = node.last_child() {
        node = child;
    }
    Some(node)
}
