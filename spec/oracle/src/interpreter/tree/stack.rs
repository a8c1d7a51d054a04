//! Operations on the stack of open elements: popping, and walks up. An end tag is paired with at most one element.

use super::algorithm::{Invocation, Value};
use super::{NodeId, TokenView, TreeBuilder, node};
use crate::interpreter::Token;
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::tree::{ElementName, Elements, PointerId, ScopeId, Target};

impl TreeBuilder<'_> {
    /// Records the current end tag as that of an element. In HTML trees, this requires that the names match and neither
    /// tag nor element is already paired.
    pub(super) fn record_end_tag(&mut self, node: NodeId, view: &TokenView<'_>) {
        if self.construction.elements != Elements::Html {
            // A token with an empty range was created by the machine, and is no end tag of the input.
            let span = view.span();
            self.tree.nodes[node].end_span = (span.start < span.end).then_some(span);
            return;
        }
        let TokenView::Token(Token::EndTag(tag)) = view else { return };
        let is_named = self.has_token_name_in_any_case(node);
        if is_named && !self.is_end_tag_paired && self.tree.nodes[node].end_span.is_none() {
            self.tree.nodes[node].end_span = Some(tag.span);
            self.is_end_tag_paired = true;
        }
    }

    /// Whether an element's local name is the token's name. The local name of a foreign element is converted to lower
    /// case first.
    pub(super) fn has_token_name_in_any_case(&self, node: NodeId) -> bool {
        let name = self.tree.name(node).map(|name| {
            if node::is_in_own_namespace(name) {
                name.local.clone()
            } else {
                name.local.to_ascii_lowercase()
            }
        });
        self.tag.as_ref().is_some_and(|tag| name.as_ref() == Some(&tag.name))
    }

    pub(super) fn pop_current(&mut self, view: &TokenView<'_>) -> Option<NodeId> {
        let node = self.open.pop()?;
        self.popped = Some(node);
        if self.construction.elements == Elements::Html {
            self.record_end_tag(node, view);
            self.run_inner_routine(Routine::CloneOption, vec![Value::Node(node)], view);
        }
        Some(node)
    }

    /// Returns the current node: the result of the table's algorithm for it, or else the bottommost open element.
    pub(super) fn current_node(&mut self, view: &TokenView<'_>) -> Option<NodeId> {
        self.run_inner_routine(Routine::Current, Vec::new(), view).map_or_else(
            || self.open.last().copied(),
            |value| if let Value::Node(node) = value { Some(node) } else { None },
        )
    }

    pub(super) fn adjusted_current(&mut self, view: &TokenView<'_>) -> Option<NodeId> {
        match self.run_inner_routine(Routine::AdjustedCurrent, Vec::new(), view) {
            Some(Value::Node(node)) => Some(node),
            Some(_) => None,
            None => self.current_node(view),
        }
    }

    /// Runs an algorithm, possibly while another one is running, with a separate step limit. Returns `None` if the
    /// table lacks the algorithm.
    pub(super) fn run_inner_routine(
        &mut self,
        routine: Routine,
        arguments: Vec<Value>,
        view: &TokenView<'_>,
    ) -> Option<Value> {
        self.construction.routine(routine)?;
        let invocation = Invocation::new(view);
        Some(self.with_own_step_limit(|it| it.run_routine(routine, arguments, &invocation)))
    }

    pub(super) fn is_open(&mut self, names: Vec<ElementName>, view: &TokenView<'_>) -> bool {
        match self.run_inner_routine(Routine::Open, vec![Value::AnyOf(names.clone())], view) {
            Some(value) => matches!(value, Value::Truth(true)),
            None => self.open.iter().any(|&node| self.is_one_of(node, &names)),
        }
    }

    /// Returns the bottommost open element with the token's name.
    pub(super) fn open_node(&mut self, view: &TokenView<'_>) -> Option<NodeId> {
        match self.run_inner_routine(Routine::OpenNode, Vec::new(), view) {
            Some(Value::Node(node)) => Some(node),
            Some(_) => None,
            None => self.open.iter().rev().copied().find(|&node| self.has_name_of(node, view)),
        }
    }

    /// Returns the element name that the token's name denotes, as a list; empty if the token has no name.
    pub(super) fn token_name_elements(&self, view: &TokenView<'_>) -> Vec<ElementName> {
        let local = match (self.construction.elements, &self.tag) {
            (Elements::Html, Some(tag)) => Some(tag.name.clone()),
            _ => view.tag().map(|tag| tag.name.clone()),
        };
        local.map(ElementName::own).into_iter().collect()
    }

    /// Whether a walk up the stack of open elements reaches the target before an element of the scope.
    pub(super) fn target_is_in_scope(
        &mut self,
        scope: ScopeId,
        target: &Target,
        view: &TokenView<'_>,
    ) -> bool {
        let target = match target {
            Target::Names(names) => Value::AnyOf(names.clone()),
            Target::TokenName => {
                let local = self.tag.as_ref().map(|tag| tag.name.clone()).unwrap_or_default();
                Value::AnyOf(vec![ElementName::own(local)])
            }
            Target::Pointed(pointer) => match self.pointer_target(*pointer) {
                Some(node) => Value::Node(node),
                None => return false,
            },
        };
        let members = self.construction.scopes[usize::from(scope.0)].members.clone();
        let arguments = vec![target, Value::Names(members)];
        let result = self.run_routine(Routine::InScope, arguments, &Invocation::new(view));
        matches!(result, Value::Truth(true))
    }

    pub(super) fn pointer_target(&self, pointer: PointerId) -> Option<NodeId> {
        self.pointers[usize::from(pointer.0)]
    }

    /// Whether a node is an element outside the HTML namespace.
    pub(super) fn is_foreign(&self, node: NodeId) -> bool {
        self.tree.name(node).is_some_and(|name| !node::is_in_own_namespace(name))
    }

    /// Returns the first foreign element with the token's name that a walk up the stack reaches before an element in
    /// the HTML namespace.
    pub(super) fn find_foreign_element(&self) -> Option<NodeId> {
        let mut foreign = self.open.iter().rev().take_while(|node| self.is_foreign(**node));
        foreign.find(|node| self.has_token_name_in_any_case(**node)).copied()
    }
}
