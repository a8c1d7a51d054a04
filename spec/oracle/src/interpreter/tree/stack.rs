//! The stack of open elements: popping, and walks up. An end tag ends at most one element.

use super::algorithm::{AlgorithmResult, Invocation, Value};
use super::{NodeId, TokenView, TreeBuilder, node};
use crate::interpreter::Token;
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::tree::{
    ElementName, Elements, Except, Namespace, PointerId, ScopeId, Target,
};

impl TreeBuilder<'_> {
    /// Records the end tag of an element. By the rules of HTML, the names must match, and neither may have been paired
    /// before.
    pub(super) fn record_end_tag(&mut self, node: NodeId, view: &TokenView<'_>) {
        if self.construction.elements != Elements::Html {
            // A tag that the machine itself creates has an empty range, which is no end tag.
            let span = view.span();
            self.tree.nodes[node].end_span = (span.start < span.end).then_some(span);
            return;
        }
        let TokenView::Token(Token::EndTag(tag)) = view else { return };
        let is_its = self.has_token_name_in_any_case(node);
        if is_its && !self.end_tag_used && self.tree.nodes[node].end_span.is_none() {
            self.tree.nodes[node].end_span = Some(tag.span);
            self.end_tag_used = true;
        }
    }

    /// Whether an element's local name equals the token's; that of a foreign element is lowercased first.
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
            self.after_pop(node, view);
        }
        Some(node)
    }

    /// Runs the algorithm for a popped option. An algorithm that popped the option continues afterwards.
    fn after_pop(&mut self, node: NodeId, view: &TokenView<'_>) {
        let given = vec![Value::Node(node)];
        self.with_own_step_limit(|it| {
            it.run_routine(Routine::CloneOption, given, &Invocation::new(view))
        });
    }

    /// Generates implied end tags.
    pub(super) fn generate_end_tags(
        &mut self,
        names: &[ElementName],
        except: &Except,
        view: &TokenView<'_>,
    ) {
        let invocation = Invocation { implied: names, except, ..Invocation::new(view) };
        self.run_routine(Routine::GenerateEndTags, Vec::new(), &invocation);
    }

    /// Returns the current node, if an element is open.
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

    /// Returns the result of an algorithm, if the table has it. It may run within another algorithm, which then
    /// continues.
    pub(super) fn run_inner_routine(
        &mut self,
        routine: Routine,
        given: Vec<Value>,
        view: &TokenView<'_>,
    ) -> Option<Value> {
        self.construction.routine(routine)?;
        let end =
            self.with_own_step_limit(|it| it.run_routine(routine, given, &Invocation::new(view)));
        Some(if let AlgorithmResult::Value(value) = end { value } else { Value::None })
    }

    pub(super) fn is_open(&mut self, names: Vec<ElementName>, view: &TokenView<'_>) -> bool {
        match self.run_inner_routine(Routine::Open, vec![Value::AnyOf(names.clone())], view) {
            Some(value) => matches!(value, Value::Truth(true)),
            None => self.open.iter().any(|&node| self.is_one_of(node, &names)),
        }
    }

    /// Returns the open element with the token's name.
    pub(super) fn open_node(&mut self, view: &TokenView<'_>) -> Option<NodeId> {
        match self.run_inner_routine(Routine::OpenNode, Vec::new(), view) {
            Some(Value::Node(node)) => Some(node),
            Some(_) => None,
            None => self.open.iter().rev().copied().find(|&node| self.has_name_of(node, view)),
        }
    }

    /// Returns the token's name as a list of elements.
    pub(super) fn token_name_elements(&self, view: &TokenView<'_>) -> Vec<ElementName> {
        let local = match (self.construction.elements, &self.tag) {
            (Elements::Html, Some(tag)) => Some(tag.name.clone()),
            _ => view.tag().map(|tag| tag.name.clone()),
        };
        local.map(|local| ElementName { namespace: Namespace::Own, local }).into_iter().collect()
    }

    /// Whether a walk up reaches the target before an element of the scope.
    pub(super) fn in_scope(
        &mut self,
        scope: ScopeId,
        target: &Target,
        view: &TokenView<'_>,
    ) -> bool {
        let target = match target {
            Target::Names(names) => Value::AnyOf(names.clone()),
            Target::TokenName => {
                let local = self.tag.as_ref().map(|tag| tag.name.clone()).unwrap_or_default();
                Value::AnyOf(vec![ElementName { namespace: Namespace::Own, local }])
            }
            Target::Pointed(pointer) => match self.pointer_target(*pointer) {
                Some(node) => Value::Node(node),
                None => return false,
            },
        };
        let members = self.construction.scopes[usize::from(scope.0)].members.clone();
        let given = vec![target, Value::Names(members)];
        let end = self.run_routine(Routine::InScope, given, &Invocation::new(view));
        matches!(end, AlgorithmResult::Value(Value::Truth(true)))
    }

    pub(super) fn pointer_target(&self, pointer: PointerId) -> Option<NodeId> {
        self.pointers[usize::from(pointer.0)]
    }

    /// Whether an element is outside of the table's own namespace.
    pub(super) fn is_foreign(&self, node: NodeId) -> bool {
        self.tree.name(node).is_some_and(|name| !node::is_in_own_namespace(name))
    }

    /// Returns the foreign element with the token's name that a walk up reaches before an element of the table's own
    /// namespace.
    pub(super) fn find_foreign_element(&self) -> Option<NodeId> {
        let mut foreign = self.open.iter().rev().take_while(|node| self.is_foreign(**node));
        foreign.find(|node| self.has_token_name_in_any_case(**node)).copied()
    }
}
