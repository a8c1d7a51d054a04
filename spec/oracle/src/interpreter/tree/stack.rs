//! The stack of open elements of HTML: popping, and walks up. Invariant: an end tag ends one element at most.

use super::algorithm::{Asked, End, Value};
use super::{NodeId, TokenView, TreeBuilder, node};
use crate::interpreter::Token;
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::tree::{
    ElementName, Elements, Except, Namespace, PointerId, ScopeId, Target,
};

impl TreeBuilder<'_> {
    /// Lets the end tag end the element if it has its name and neither has ended, or been ended, before.
    pub(super) fn end(&mut self, node: NodeId, seen: &TokenView<'_>) {
        let TokenView::Token(Token::EndTag(tag)) = seen else { return };
        let is_its = self.has_token_name_in_any_case(node);
        if is_its && !self.end_tag_used && self.tree.nodes[node].end_span.is_none() {
            self.tree.nodes[node].end_span = Some(tag.span);
            self.end_tag_used = true;
        }
    }

    /// Whether the local name, in lower case, is the token's, whatever the namespace.
    pub(super) fn has_token_name_in_any_case(&self, node: NodeId) -> bool {
        let name = self.tree.name(node).map(|name| name.local.to_ascii_lowercase());
        self.tag.as_ref().is_some_and(|tag| name.as_ref() == Some(&tag.name))
    }

    /// Pops the current node.
    pub(super) fn pop_html(&mut self, seen: &TokenView<'_>) -> Option<NodeId> {
        let node = self.open.pop()?;
        self.end(node, seen);
        self.popped = Some(node);
        self.after_pop(node, seen);
        Some(node)
    }

    /// Runs what happens to an option that was popped. An algorithm that pops has its own steps left after it.
    fn after_pop(&mut self, node: NodeId, seen: &TokenView<'_>) {
        let left = self.steps_left;
        self.routine(Routine::CloneOption, vec![Value::Node(node)], &Asked::of(seen));
        self.steps_left = left;
    }

    /// Pops elements until one was popped that the function accepts.
    pub(super) fn pop_html_until(
        &mut self,
        seen: &TokenView<'_>,
        is_it: impl Fn(&Self, NodeId) -> bool,
    ) {
        while let Some(node) = self.pop_html(seen) {
            if is_it(self, node) {
                return;
            }
        }
    }

    /// Pops the current node as long as the function accepts it.
    pub(super) fn pop_html_while(
        &mut self,
        seen: &TokenView<'_>,
        is_it: impl Fn(&Self, NodeId) -> bool,
    ) {
        while let Some(&node) = self.open.last()
            && is_it(self, node)
        {
            self.pop_html(seen);
        }
    }

    /// Pops all elements at the end.
    pub(super) fn pop_all(&mut self, seen: &TokenView<'_>) {
        if self.construction.elements == Elements::Html {
            while self.pop_html(seen).is_some() {}
        }
    }

    /// Generates implied end tags.
    pub(super) fn generate_end_tags(
        &mut self,
        names: &[ElementName],
        except: &Except,
        seen: &TokenView<'_>,
    ) {
        let asked = Asked { implied: names, except, ..Asked::of(seen) };
        self.routine(Routine::GenerateEndTags, Vec::new(), &asked);
    }

    /// The current node, if an element is open.
    pub(super) fn current_node(&mut self, seen: &TokenView<'_>) -> Option<NodeId> {
        self.answer_of(Routine::Current, Vec::new(), seen).map_or_else(
            || self.open.last().copied(),
            |value| if let Value::Node(node) = value { Some(node) } else { None },
        )
    }

    /// The adjusted current node.
    pub(super) fn adjusted_current(&mut self, seen: &TokenView<'_>) -> Option<NodeId> {
        match self.answer_of(Routine::AdjustedCurrent, Vec::new(), seen) {
            Some(Value::Node(node)) => Some(node),
            Some(_) => None,
            None => self.current_node(seen),
        }
    }

    /// What the algorithm returns, if the table has it. An algorithm that asks has its own steps left after it.
    fn answer_of(
        &mut self,
        routine: Routine,
        given: Vec<Value>,
        seen: &TokenView<'_>,
    ) -> Option<Value> {
        self.construction.routine(routine)?;
        let left = self.steps_left;
        let end = self.routine(routine, given, &Asked::of(seen));
        self.steps_left = left;
        Some(if let End::Value(value) = end { value } else { Value::None })
    }

    /// Whether one of the elements is open.
    pub(super) fn is_open(&mut self, names: Vec<ElementName>, seen: &TokenView<'_>) -> bool {
        match self.answer_of(Routine::Open, vec![Value::AnyOf(names.clone())], seen) {
            Some(value) => matches!(value, Value::Truth(true)),
            None => self.open.iter().any(|&node| self.is_one_of(node, &names)),
        }
    }

    /// The open element that has the name of the token.
    pub(super) fn open_node(&mut self, seen: &TokenView<'_>) -> Option<NodeId> {
        match self.answer_of(Routine::OpenNode, Vec::new(), seen) {
            Some(Value::Node(node)) => Some(node),
            Some(_) => None,
            None => self.open.iter().rev().copied().find(|&node| self.has_name_of(node, seen)),
        }
    }

    /// The element of the token's name.
    pub(super) fn of_token_name(&self, seen: &TokenView<'_>) -> Vec<ElementName> {
        let local = match (self.construction.elements, &self.tag) {
            (Elements::Html, Some(tag)) => Some(tag.name.clone()),
            _ => seen.tag().map(|tag| tag.name.clone()),
        };
        local.map(|local| ElementName { namespace: Namespace::Own, local }).into_iter().collect()
    }

    /// Whether a walk up comes to the target before an element of the scope.
    pub(super) fn in_scope(
        &mut self,
        scope: ScopeId,
        target: &Target,
        seen: &TokenView<'_>,
    ) -> bool {
        let target = match target {
            Target::Names(names) => Value::AnyOf(names.clone()),
            Target::TokenName => {
                let local = self.tag.as_ref().map(|tag| tag.name.clone()).unwrap_or_default();
                Value::AnyOf(vec![ElementName { namespace: Namespace::Own, local }])
            }
            Target::Pointed(pointer) => match self.pointed(*pointer) {
                Some(node) => Value::Node(node),
                None => return false,
            },
        };
        let members = self.construction.scopes[usize::from(scope.0)].members.clone();
        let given = vec![target, Value::Names(members)];
        let end = self.routine(Routine::InScope, given, &Asked::of(seen));
        matches!(end, End::Value(Value::Truth(true)))
    }

    pub(super) fn pointed(&self, pointer: PointerId) -> Option<NodeId> {
        self.pointers[usize::from(pointer.0)]
    }

    /// The foreign element of the token's name that a walk up comes to before one of the table's own.
    pub(super) fn foreign_of_token_name(&self) -> Option<NodeId> {
        let is_foreign =
            |node: &&NodeId| self.tree.name(**node).is_some_and(|it| !node::is_own(it));
        let mut foreign = self.open.iter().rev().take_while(is_foreign);
        foreign.find(|node| self.has_token_name_in_any_case(**node)).copied()
    }

    /// Removes the element that the pointer points to from the stack and from the list of active formatting elements.
    pub(super) fn remove_pointed(&mut self, pointer: PointerId, seen: &TokenView<'_>) {
        let Some(node) = self.pointed(pointer) else { return };
        if self.open.contains(&node) {
            self.open.retain(|&other| other != node);
            self.end(node, seen);
        }
        self.formatting.retain(|entry| entry.node() != Some(node));
    }

    /// Lets the end tag end the topmost open element of its name, which stays open.
    pub(super) fn mark_end_tag(&mut self, seen: &TokenView<'_>) {
        let found = self.open.iter().rev().find(|node| self.has_name_of(**node, seen)).copied();
        if let Some(node) = found {
            self.end(node, seen);
        }
    }
}
