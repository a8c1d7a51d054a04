//! Applies the effects of steps on the stack, the list of active formatting elements, and the tree. A step has no
//! effect if a node is missing or not in the expected place.

use super::super::formatting::Entry;
use super::super::{NodeId, NodeKind, TreeBuilder};
use super::{Execution, TagToken, Value};
use crate::interpreter::Span;
use tabulex_language::model::tree::algorithm::{Effect, Expression};

impl<'m> Execution<'_, 'm> {
    /// Applies an effect. Returns `None` if an operand is missing.
    pub(super) fn apply_effect(&mut self, effect: &'m Effect) -> Option<()> {
        match effect {
            Effect::Error => {
                self.builder.errors.push((self.invocation.error?, self.invocation.span))
            }
            Effect::Pop => {
                self.builder.pop_current(self.invocation.view);
            }
            Effect::PopUntil(node) => {
                let node = self.node(node)?;
                while self
                    .builder
                    .pop_current(self.invocation.view)
                    .is_some_and(|popped| popped != node)
                {}
            }
            Effect::Push(node) => {
                let node = self.node(node)?;
                self.builder.open.push(node);
            }
            Effect::RemoveFromOpen(node) => {
                let node = self.node(node)?;
                let index = self.builder.open_index(node)?;
                let above = index.checked_sub(1).map(|above| self.builder.open[above]);
                self.frame.removed_elements.push((node, above));
                self.builder.open.remove(index);
                if self.frame.found_by_name == Some(node) {
                    self.builder.record_end_tag(node, self.invocation.view);
                }
            }
            Effect::ReplaceInOpen(node, new) => {
                let (node, new) = self.two_nodes(node, new)?;
                *self.builder.open.iter_mut().find(|open| **open == node)? = new;
            }
            Effect::InsertBelow(new, node) => {
                let (new, node) = self.two_nodes(new, node)?;
                let index = self.builder.open_index(node)?;
                self.builder.open.insert(index + 1, new);
            }
            Effect::AddToFormatting(node) => {
                let node = self.node(node)?;
                let token = self.frame.token.clone()?;
                // Elements that are later created from the entry have no tag in the input, so the range of the entry's
                // token is cleared.
                let token = TagToken { span: Span::default(), ..token };
                self.builder.push_entry(Some((node, token)));
            }
            Effect::RemoveFromFormatting(node) => {
                let index = self.entry_at(node)?;
                self.remove_entry(index);
            }
            Effect::RemoveEarliestAlike => {
                let earliest = *self.frame.equal_entries.first()?;
                let index =
                    self.builder.formatting.iter().position(|entry| entry.id == earliest)?;
                self.remove_entry(index);
            }
            Effect::ReplaceInFormatting(node, new) => {
                let new = self.node(new)?;
                let index = self.entry_at(node)?;
                self.builder.formatting[index].element.as_mut()?.0 = new;
            }
            Effect::InsertAtBookmark(node, bookmark) => {
                let node = self.node(node)?;
                let Value::Bookmark(at) = self.value(bookmark) else {
                    return None;
                };
                let token = self
                    .frame
                    .created_elements
                    .iter()
                    .rev()
                    .find(|(other, _)| *other == node)?
                    .1
                    .clone();
                let id = self.builder.next_entry_id();
                let entry = Entry { id, element: Some((node, token)) };
                self.builder.formatting.insert(at.min(self.builder.formatting.len()), entry);
            }
            Effect::Detach(node) => {
                let node = self.node(node)?;
                self.builder.tree.detach(node);
            }
            Effect::Append(node, parent) => {
                let (node, parent) = self.two_nodes(node, parent)?;
                self.builder.insert_node(parent, None, node);
            }
            Effect::AppendChildren(source, parent) => {
                let (source, parent) = self.two_nodes(source, parent)?;
                for child in self.builder.node_at(source).children.clone() {
                    self.builder.insert_node(parent, None, child);
                }
            }
            Effect::Insert(node, parent, before) => {
                let (node, parent) = self.two_nodes(node, parent)?;
                let before = self.node(before);
                self.builder.insert_node(parent, before, node);
            }
            Effect::AppendData(text, node) => self.append_data(text, node)?,
            Effect::Decrement(variable) => self.frame.decrement(*variable)?,
            Effect::Parser(effect) => self.apply_parser_effect(effect)?,
            Effect::Template(effect) => self.apply_template_effect(effect)?,
            Effect::Token(effect) => self.apply_token_effect(effect)?,
            Effect::Bytes(effect) => self.apply_byte_effect(effect)?,
            Effect::Writing(effect) => self.apply_writing_effect(effect)?,
            Effect::AddTokenAttributes(node) => {
                let node = self.node(node)?;
                let attributes = self.creation_tag()?.attributes;
                self.builder.record_integration_point(node, &attributes);
                self.builder.add_attributes(node, attributes);
            }
        }
        Some(())
    }

    fn append_data(&mut self, text: &'m Expression, node: &'m Expression) -> Option<()> {
        let text = self.text_value(text);
        let node = self.node(node)?;
        let NodeKind::Text(data) = &mut self.builder.tree.nodes[node].kind else { return None };
        data.push_str(&text);
        self.builder.tree.nodes[node].span.end = self.invocation.span.end;
        Some(())
    }

    pub(super) fn two_nodes(
        &mut self,
        one: &'m Expression,
        other: &'m Expression,
    ) -> Option<(NodeId, NodeId)> {
        let one = self.node(one)?;
        Some((one, self.node(other)?))
    }

    /// Removes an entry of the list of active formatting elements, and adjusts the bookmarks after it.
    fn remove_entry(&mut self, index: usize) {
        self.builder.formatting.remove(index);
        for value in &mut self.frame.values {
            if let Value::Bookmark(bookmark) = value {
                *bookmark -= usize::from(index < *bookmark);
            }
        }
    }
}

impl<'m> TreeBuilder<'m> {
    /// Moves a node into `parent`, to before the child `before` or to the end. A step that would create a cycle is
    /// invalid, and stops tree construction.
    fn insert_node(&mut self, parent: NodeId, before: Option<NodeId>, node: NodeId) {
        if self.tree.is_inclusive_ancestor(node, parent) {
            self.is_broken = true;
            self.has_stopped = true;
            return;
        }
        self.tree.detach(node);
        self.tree.insert(parent, before, node);
    }
}
