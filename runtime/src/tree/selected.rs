//! The contents of a chosen option are shown elsewhere, as a copy. Which elements and attributes that concerns is given.
//! Invariant: nothing here recurses, and the copy shares no node with what is copied.

use super::Tree;
use super::names::{LocalName, Namespace};
use super::node::{NodeId, NodeKind};
use super::node_ref::NodeRef;
use crate::construct::SelectedContent;

/// Whether the node is an HTML element of this name.
fn is(node: &NodeRef<'_>, local: u32) -> bool {
    let name = node.name().filter(|name| name.namespace() == Namespace::HTML);
    name.is_some_and(|name| name.id().local() == LocalName::known(local))
}

fn is_any(node: &NodeRef<'_>, locals: &[u32]) -> bool {
    locals.iter().any(|&local| is(node, local))
}

impl Tree {
    /// Shows the option, whose contents are complete, where its choice is shown, if it is chosen.
    pub(super) fn show_chosen(&mut self, option: NodeId, words: &SelectedContent) {
        let Some(content) = place_for(&self.node(option), words).map(|node| node.id()) else {
            return;
        };
        while let Some(child) = self.node(content).first_child().map(|node| node.id()) {
            self.unlink(child.0);
        }
        self.copy_children(option, content);
    }

    /// Copies what is inside of one node behind what is inside of another.
    fn copy_children(&mut self, from: NodeId, to: NodeId) {
        let mut waiting = vec![(from, to)];
        while let Some((from, to)) = waiting.pop() {
            let mut next = self.node(from).first_child().map(|child| child.id());
            while let Some(child) = next {
                let copy = self.copy(child);
                self.link_last(to.0, copy.0);
                waiting.push((child, copy));
                if let Some(contents) = self.node(child).template_contents().map(|it| it.id()) {
                    waiting.push((contents, self.create_template_contents(copy)));
                }
                next = self.node(child).next_sibling().map(|sibling| sibling.id());
            }
        }
    }

    /// A node like this one, without what is inside; it stands where the other one was written.
    fn copy(&mut self, node: NodeId) -> NodeId {
        let it = self.node(node);
        let (data, span) = (it.data().unwrap_or_default().to_owned(), it.span());
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

/// Where the option is shown, if it is chosen.
fn place_for<'a>(option: &NodeRef<'a>, words: &SelectedContent) -> Option<NodeRef<'a>> {
    let select = select_of(option, words)?;
    if select.attribute(words.multiple).is_some() {
        return None;
    }
    let content = select.descendants().find(|node| is(node, words.content_id))?;
    let mut above = content.ancestors().take_while(|node| *node != select);
    let hidden = [words.option_id, words.content_id, words.select_id];
    if above.any(|node| is_any(&node, &hidden)) {
        return None;
    }
    is_chosen(option, &select, words).then_some(content)
}

/// The element that the option is chosen in.
fn select_of<'a>(option: &NodeRef<'a>, words: &SelectedContent) -> Option<NodeRef<'a>> {
    let mut groups = 0;
    for node in option.ancestors() {
        if is(&node, words.select_id) {
            return Some(node);
        }
        groups += usize::from(is(&node, words.group_id));
        if groups > 1 || is_any(&node, words.stops) {
            return None;
        }
    }
    None
}

/// Whether the option is chosen: the last of those that say so, or else the first that can be.
fn is_chosen(option: &NodeRef<'_>, select: &NodeRef<'_>, words: &SelectedContent) -> bool {
    let says_so = |node: &NodeRef<'_>| node.attribute(words.selected).is_some();
    let counts = |node: &NodeRef<'_>| {
        is(node, words.option_id) && select_of(node, words).as_ref() == Some(select)
    };
    let mut options = select.descendants().filter(counts);
    if says_so(option) {
        return options.skip_while(|node| node != option).skip(1).all(|node| !says_so(&node));
    }
    let size = select.attribute(words.size).map_or(Some(1), |size| size.trim().parse().ok());
    if size.unwrap_or(1) > 1 {
        return false;
    }
    let is_disabled = |node: &NodeRef<'_>| {
        let group = node.parent().filter(|parent| is(parent, words.group_id));
        node.attribute(words.disabled).is_some()
            || group.is_some_and(|group| group.attribute(words.disabled).is_some())
    };
    let mut is_first = false;
    options.all(|node| {
        if !is_first && !is_disabled(&node) {
            is_first = node == *option;
            return is_first && !says_so(&node);
        }
        !says_so(&node)
    }) && is_first
}
