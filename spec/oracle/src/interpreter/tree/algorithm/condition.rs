//! Evaluation of the conditions of algorithms. The `match` is exhaustive, so that no condition is false by oversight.

use super::super::{NodeId, NodeKind, TreeBuilder, node};
use super::{AlgorithmResult, Frame, Invocation, Value};
use tabulex_language::model::tree::Except;
use tabulex_language::model::tree::algorithm::{Definition, Expression, Question, Routine};

impl<'m> TreeBuilder<'m> {
    pub(super) fn condition_holds(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        question: &'m Question,
    ) -> bool {
        match question {
            Question::Not(other) => !self.condition_holds(frame, invocation, other),
            Question::All(all) => {
                all.iter().all(|one| self.condition_holds(frame, invocation, one))
            }
            Question::Any(any) => {
                any.iter().any(|one| self.condition_holds(frame, invocation, one))
            }
            Question::Same(one, other) => {
                let one = self.value(frame, invocation, one);
                let other = self.value(frame, invocation, other);
                self.is_same(&one, &other)
            }
            Question::IsNone(value) => matches!(self.value(frame, invocation, value), Value::None),
            Question::IsTrue(value) => {
                matches!(self.value(frame, invocation, value), Value::Truth(true))
            }
            Question::AtLeast(value, limit) => {
                matches!(self.value(frame, invocation, value), Value::Number(it) if it >= *limit)
            }
            Question::MoreThan(value, limit) => {
                matches!(self.value(frame, invocation, value), Value::Number(it) if it > *limit)
            }
            Question::IsEmpty(text) => self.text_value(frame, invocation, text).is_empty(),
            Question::IsAnyElement(node) => {
                self.node_satisfies(frame, invocation, node, |it, node| {
                    it.tree.name(node).is_some()
                })
            }
            Question::Parser(question) => self.parser_condition_holds(frame, invocation, question),
            Question::Template(question) => {
                self.template_condition_holds(frame, invocation, question)
            }
            Question::Token(question) => self.token_condition_holds(frame, invocation, question),
            Question::Bytes(question) => self.byte_condition_holds(frame, invocation, question),
            Question::Writing(question) => {
                self.writing_condition_holds(frame, invocation, question)
            }
            Question::IsFostering => self.is_fostering,
            Question::FormattingIsEmpty => self.formatting.is_empty(),
            Question::IsMarker(entry) => {
                let entry = self.value(frame, invocation, entry);
                matches!(entry, Value::Entry(entry) if entry.node().is_none())
            }
            Question::IsFirst(entry) => self.entry_at(frame, invocation, entry) == Some(0),
            Question::IsLast(node) => {
                let at = self.entry_at(frame, invocation, node);
                at.is_some_and(|offset| offset + 1 == self.formatting.len())
            }
            Question::IsFormatting(node) => self.entry_at(frame, invocation, node).is_some(),
            Question::IsInNames(node, names) => {
                let names = self.value(frame, invocation, names);
                let node = self.node(frame, invocation, node);
                matches!((node, names), (Some(node), Value::Names(names)) if self.is_one_of(node, &names))
            }
            Question::IsNamed(node, name) => {
                let name = self.text_value(frame, invocation, name);
                self.node_satisfies(frame, invocation, node, |it, node| {
                    it.tree.is_own_element(node, &name)
                })
            }
            Question::IsAncestor(ancestor, node) => {
                let two = self.two_nodes(frame, invocation, ancestor, node);
                two.is_some_and(|(above, node)| self.tree.is_host_including_ancestor(above, node))
            }
            Question::IsValid(parts) => self.is_valid_value(frame, invocation, parts),
            Question::AreAlike(least, node) => {
                let Some(node) = self.node(frame, invocation, node) else { return false };
                frame.equal_entries = self.equal_entries(frame, node);
                frame.equal_entries.len() >= *least as usize
            }
            Question::IsInScope(node) => self
                .node(frame, invocation, node)
                .is_some_and(|node| self.is_in_scope(invocation, node)),
            Question::IsElement(node, names) => {
                self.node_satisfies(frame, invocation, node, |it, node| it.is_one_of(node, names))
            }
            Question::IsFostered(node) => {
                self.node_satisfies(frame, invocation, node, |it, node| {
                    let fostering = it.construction.fostering.as_ref();
                    fostering.is_some_and(|fostering| it.is_one_of(node, &fostering.targets))
                })
            }
            Question::IsImplied(node) => {
                let checks_exceptions =
                    frame.algorithm.definitions.contains(&Definition::ExceptedAreNotImplied);
                self.node_satisfies(frame, invocation, node, |it, node| {
                    it.is_one_of(node, invocation.implied)
                        && !(checks_exceptions && it.is_excepted(node, invocation))
                })
            }
            Question::IsDocument(node) => {
                self.node_satisfies(frame, invocation, node, |_, node| node == 0)
            }
            Question::IsText(node) => self.node_satisfies(frame, invocation, node, |it, node| {
                matches!(it.node_at(node).kind, NodeKind::Text(_))
            }),
            Question::HasElementChild(node) => {
                self.node_satisfies(frame, invocation, node, Self::has_element_child)
            }
            Question::IsOpen(node) => self.is_open_value(frame, invocation, node),
        }
    }

    fn is_valid_value(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        [node, parent, before]: &'m [Expression; 3],
    ) -> bool {
        let two = self.two_nodes(frame, invocation, node, parent);
        let before = self.node(frame, invocation, before);
        two.is_some_and(|(node, parent)| self.is_valid(node, parent, before))
    }

    fn is_open_value(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        node: &'m Expression,
    ) -> bool {
        if let Value::AnyOf(names) = self.value(frame, invocation, node) {
            return self.open.iter().any(|&node| self.is_one_of(node, &names));
        }
        self.node_satisfies(frame, invocation, node, |it, node| it.open.contains(&node))
    }

    pub(super) fn node_satisfies(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        node: &'m Expression,
        holds: impl Fn(&Self, NodeId) -> bool,
    ) -> bool {
        let node = self.node(frame, invocation, node);
        node.is_some_and(|node| holds(self, node))
    }

    /// Whether the element is in the scope given by the action.
    fn is_in_scope(&mut self, invocation: &Invocation<'_, '_>, node: NodeId) -> bool {
        let scope = invocation.scope.map(|scope| usize::from(scope.0));
        let members = scope.map(|scope| self.construction.scopes[scope].members.clone());
        let given = vec![Value::Node(node), Value::Names(members.unwrap_or_default())];
        let Some(id) = self.construction.routine(Routine::InScope) else { return false };
        matches!(self.run(id, given, None, invocation), AlgorithmResult::Value(Value::Truth(true)))
    }

    fn is_same(&self, one: &Value, other: &Value) -> bool {
        match (one, other) {
            (Value::None, Value::None) => true,
            (Value::Node(one), Value::Node(other)) => one == other,
            (Value::Number(one), Value::Number(other)) => one == other,
            (Value::Text(one), Value::Text(other)) => one == other,
            (Value::Byte(one), Value::Byte(other)) => one == other,
            (Value::Node(node), Value::AnyOf(names)) => self.is_one_of(*node, names),
            _ => false,
        }
    }

    fn is_excepted(&self, node: NodeId, invocation: &Invocation<'_, '_>) -> bool {
        match invocation.except {
            Except::Nothing => false,
            Except::Names(names) => self.is_one_of(node, names),
            Except::TokenName => self.has_name_of(node, invocation.view),
        }
    }

    fn has_element_child(&self, node: NodeId) -> bool {
        self.node_at(node).children.iter().any(|&child| self.tree.name(child).is_some())
    }

    /// Whether a node may be inserted: DOM's pre-insertion validity, restricted to the nodes that occur here.
    fn is_valid(&self, node: NodeId, parent: NodeId, before: Option<NodeId>) -> bool {
        let is_element = self.tree.name(node).is_some();
        !self.tree.is_host_including_ancestor(node, parent)
            && before.is_none_or(|before| self.node_at(before).parent == Some(parent))
            && !(parent == 0 && is_element && self.has_element_child(0))
    }

    /// Returns the ids of the entries after the last marker whose elements equal this one in name, namespace and
    /// attributes.
    fn equal_entries(&self, frame: &Frame<'m>, node: NodeId) -> Vec<usize> {
        let by_tokens = frame.algorithm.definitions.contains(&Definition::AlikeByTokens);
        let Some(token) = &frame.token else { return Vec::new() };
        let own = self.tree.name(node).is_some_and(node::is_in_own_namespace);
        let after = self.formatting[self.first_after_marker()..].iter();
        let equal_entries = after.filter(|entry| {
            entry.element.as_ref().is_some_and(|(other, of_other)| {
                let attributes = (&of_other.attributes, &token.attributes);
                by_tokens
                    && own == self.tree.name(*other).is_some_and(node::is_in_own_namespace)
                    && of_other.name == token.name
                    && attributes.0.len() == attributes.1.len()
                    && attributes.0.iter().all(|attribute| attributes.1.contains(attribute))
            })
        });
        equal_entries.map(|entry| entry.id).collect()
    }
}
