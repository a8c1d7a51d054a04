//! Changes to the stack, the list of active formatting elements, and the tree. A step with a missing node, or with one
//! that is not where the step expects it, has no effect.

use super::super::formatting::Entry;
use super::super::{NodeId, NodeKind, TreeBuilder};
use super::{Frame, Invocation, TagToken, Value};
use crate::interpreter::Span;
use tabulex_language::model::tree::algorithm::{Effect, Expression};

impl<'m> TreeBuilder<'m> {
    /// Applies the effect, unless an operand is missing.
    pub(super) fn apply_effect(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        effect: &'m Effect,
    ) {
        self.try_apply_effect(frame, invocation, effect);
    }

    fn try_apply_effect(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        effect: &'m Effect,
    ) -> Option<()> {
        match effect {
            Effect::Error => self.errors.push((invocation.error?, invocation.span)),
            Effect::Pop => {
                self.pop_current(invocation.view);
            }
            Effect::PopUntil(node) => {
                let node = self.node(frame, invocation, node)?;
                while self.pop_current(invocation.view).is_some_and(|popped| popped != node) {}
            }
            Effect::Push(node) => {
                let node = self.node(frame, invocation, node)?;
                self.open.push(node);
            }
            Effect::RemoveFromOpen(node) => {
                let node = self.node(frame, invocation, node)?;
                let index = self.open_index(node)?;
                frame.removed.push((node, index.checked_sub(1).map(|above| self.open[above])));
                self.open.remove(index);
                if frame.found_by_name == Some(node) {
                    self.record_end_tag(node, invocation.view);
                }
            }
            Effect::ReplaceInOpen(node, new) => {
                let (node, new) = self.two_nodes(frame, invocation, node, new)?;
                *self.open.iter_mut().find(|open| **open == node)? = new;
            }
            Effect::InsertBelow(new, node) => {
                let (new, node) = self.two_nodes(frame, invocation, new, node)?;
                let index = self.open_index(node)?;
                self.open.insert(index + 1, new);
            }
            Effect::AddToFormatting(node) => {
                let node = self.node(frame, invocation, node)?;
                let token = frame.token.clone()?;
                // Elements created for the entry later have no source range.
                let token = TagToken { span: Span::default(), ..token };
                self.push_entry(Some((node, token)));
            }
            Effect::RemoveFromFormatting(node) => {
                let index = self.entry_at(frame, invocation, node)?;
                self.remove_entry(frame, index);
            }
            Effect::RemoveEarliestAlike => {
                let earliest = *frame.equal_entries.first()?;
                let index = self.formatting.iter().position(|entry| entry.id == earliest)?;
                self.remove_entry(frame, index);
            }
            Effect::ReplaceInFormatting(node, new) => {
                let new = self.node(frame, invocation, new)?;
                let index = self.entry_at(frame, invocation, node)?;
                self.formatting[index].element.as_mut()?.0 = new;
            }
            Effect::InsertAtBookmark(node, bookmark) => {
                let node = self.node(frame, invocation, node)?;
                let Value::Bookmark(at) = self.value(frame, invocation, bookmark) else {
                    return None;
                };
                let token = frame.created.iter().rev().find(|(other, _)| *other == node)?.1.clone();
                let id = self.next_entry();
                let entry = Entry { id, element: Some((node, token)) };
                self.formatting.insert(at.min(self.formatting.len()), entry);
            }
            Effect::Detach(node) => {
                let node = self.node(frame, invocation, node)?;
                self.tree.detach(node);
            }
            Effect::Append(node, parent) => {
                let (node, parent) = self.two_nodes(frame, invocation, node, parent)?;
                self.insert_node(parent, None, node);
            }
            Effect::AppendChildren(of, parent) => {
                let (of, parent) = self.two_nodes(frame, invocation, of, parent)?;
                for child in self.node_at(of).children.clone() {
                    self.insert_node(parent, None, child);
                }
            }
            Effect::Insert(node, parent, before) => {
                let (node, parent) = self.two_nodes(frame, invocation, node, parent)?;
                let before = self.node(frame, invocation, before);
                self.insert_node(parent, before, node);
            }
            Effect::AppendData(text, node) => self.append_data(frame, invocation, text, node)?,
            Effect::Decrement(variable) => frame.decrement(*variable)?,
            Effect::Parser(effect) => self.apply_parser_effect(frame, invocation, effect)?,
            Effect::Template(effect) => self.apply_template_effect(frame, invocation, effect)?,
            Effect::Token(effect) => self.apply_token_effect(frame, invocation, effect)?,
            Effect::Bytes(effect) => self.apply_byte_effect(frame, invocation, effect)?,
            Effect::Writing(effect) => self.apply_writing_effect(frame, invocation, effect)?,
            Effect::AddTokenAttributes(node) => {
                let node = self.node(frame, invocation, node)?;
                let attributes = frame.token.as_ref()?.attributes.clone();
                self.set_attributes(node, attributes);
            }
        }
        Some(())
    }

    fn append_data(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        text: &'m Expression,
        node: &'m Expression,
    ) -> Option<()> {
        let text = self.text_value(frame, invocation, text);
        let node = self.node(frame, invocation, node)?;
        let NodeKind::Text(data) = &mut self.tree.nodes[node].kind else { return None };
        data.push_str(&text);
        self.tree.nodes[node].span.end = invocation.span.end;
        Some(())
    }

    pub(super) fn two_nodes(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        one: &'m Expression,
        other: &'m Expression,
    ) -> Option<(NodeId, NodeId)> {
        let one = self.node(frame, invocation, one)?;
        Some((one, self.node(frame, invocation, other)?))
    }

    /// Inserts a node, removing it from its former place. A step that would create a cycle is wrong, and stops tree
    /// construction.
    fn insert_node(&mut self, parent: NodeId, before: Option<NodeId>, node: NodeId) {
        if self.tree.is_inclusive_ancestor(node, parent) {
            self.is_broken = true;
            self.has_stopped = true;
            return;
        }
        self.tree.detach(node);
        self.tree.insert(parent, before, node);
    }

    /// Removes the entry, and adjusts the bookmarks after it.
    fn remove_entry(&mut self, frame: &mut Frame<'m>, index: usize) {
        self.formatting.remove(index);
        for value in &mut frame.values {
            if let Value::Bookmark(place) = value {
                *place -= usize::from(index < *place);
            }
        }
    }
}
