//! What shows the chosen option: whenever an option is popped off the stack, its children may be cloned. Invariant:
//! nothing but the children of the element that shows it is changed.

use super::{Node, NodeId, TreeBuilder};
use tabulex_language::model::tree::SelectedContent;

impl TreeBuilder<'_> {
    /// Clones the children of the popped option to where the chosen one is shown.
    pub(super) fn clone_if_selected(&mut self, option: NodeId) {
        let construction = self.construction;
        let Some(names) = &construction.selected_content else { return };
        if !self.tree.is_own_element(option, &names.option) {
            return;
        }
        let Some(select) = self.select_of(option, names) else { return };
        if !self.is_selected(option, select, names) {
            return;
        }
        let Some(content) = self.content_of(select, names) else { return };
        for child in self.at(content).children.clone() {
            self.tree.detach(child);
        }
        self.clone_children(option, content);
    }

    /// The nearest element that the option is chosen in.
    fn select_of(&self, option: NodeId, names: &SelectedContent) -> Option<NodeId> {
        let mut at = self.at(option).parent;
        let mut has_group = false;
        while let Some(node) = at {
            let is = |local: &str| self.tree.is_own_element(node, local);
            if is(&names.select) {
                return Some(node);
            }
            let is_group = is(&names.group);
            if names.stops.iter().any(|stop| is(stop)) || (is_group && has_group) {
                return None;
            }
            has_group |= is_group;
            at = self.at(node).parent;
        }
        None
    }

    fn is_selected(&self, option: NodeId, select: NodeId, names: &SelectedContent) -> bool {
        let options: Vec<NodeId> = self.tree.descendants(select);
        let mut options: Vec<NodeId> = options
            .into_iter()
            .filter(|&node| self.tree.is_own_element(node, &names.option))
            .filter(|&node| self.select_of(node, names) == Some(select))
            .collect();
        let has = |node: NodeId, attribute: &str| self.tree.attribute(node, attribute).is_some();
        if has(select, &names.multiple) {
            return has(option, &names.selected);
        }
        if let Some(&last) = options.iter().rev().find(|&&node| has(node, &names.selected)) {
            return last == option;
        }
        let size = self.tree.attribute(select, &names.size).and_then(|size| size.parse().ok());
        options.retain(|&node| {
            let group = self.at(node).parent.filter(|&parent| {
                self.tree.is_own_element(parent, &names.group) && has(parent, &names.disabled)
            });
            !has(node, &names.disabled) && group.is_none()
        });
        size.unwrap_or(1u32) == 1 && options.first() == Some(&option)
    }

    /// The element that shows the chosen option, if it may.
    fn content_of(&self, select: NodeId, names: &SelectedContent) -> Option<NodeId> {
        if self.tree.attribute(select, &names.multiple).is_some() {
            return None;
        }
        let all = self.tree.descendants(select);
        let mut contents =
            all.into_iter().filter(|&node| self.tree.is_own_element(node, &names.content));
        let content = contents.next()?;
        let mut at = self.at(content).parent;
        while let Some(node) = at.filter(|&node| node != select) {
            let hides = [&names.option, &names.content, &names.select];
            if hides.iter().any(|local| self.tree.is_own_element(node, local)) {
                return None;
            }
            at = self.at(node).parent;
        }
        Some(content)
    }

    fn clone_children(&mut self, from: NodeId, to: NodeId) {
        let mut waiting = vec![(from, to)];
        while let Some((from, to)) = waiting.pop() {
            for child in self.at(from).children.clone() {
                let clone = self.tree.nodes.len();
                let node = Node::new(self.at(child).kind.clone(), self.at(child).span);
                self.tree.nodes.push(node);
                self.tree.insert(to, None, clone);
                waiting.push((child, clone));
                if let Some(contents) = self.at(child).contents {
                    let copy = self.tree.nodes.len();
                    let kind = self.at(contents).kind.clone();
                    self.tree.nodes.push(Node::new(kind, self.at(contents).span));
                    self.tree.nodes[clone].contents = Some(copy);
                    waiting.push((contents, copy));
                }
            }
        }
    }
}
