//! Evaluates the conditions of algorithms. The `match` is exhaustive, so that code with a forgotten condition does not
//! compile.

use super::super::{NodeId, NodeKind, TokenView, TreeBuilder, node};
use super::{Execution, Invocation, Value};
use tabulex_language::model::tree::algorithm::{Definition, Expression, Question, Routine};
use tabulex_language::model::tree::{Except, TreeAction};

impl<'m> Execution<'_, 'm> {
    pub(super) fn condition_holds(&mut self, question: &'m Question) -> bool {
        match question {
            Question::Not(other) => !self.condition_holds(other),
            Question::All(all) => all.iter().all(|one| self.condition_holds(one)),
            Question::Any(any) => any.iter().any(|one| self.condition_holds(one)),
            Question::Same(one, other) => {
                let one = self.value(one);
                let other = self.value(other);
                self.builder.is_same(&one, &other)
            }
            Question::IsNone(value) => matches!(self.value(value), Value::None),
            Question::IsTrue(value) => {
                matches!(self.value(value), Value::Truth(true))
            }
            Question::AtLeast(value, limit) => {
                matches!(self.value(value), Value::Number(it) if it >= *limit)
            }
            Question::MoreThan(value, limit) => {
                matches!(self.value(value), Value::Number(it) if it > *limit)
            }
            Question::IsEmpty(text) => self.text_value(text).is_empty(),
            Question::IsAnyElement(node) => {
                self.node_satisfies(node, |it, node| it.tree.name(node).is_some())
            }
            Question::Parser(question) => self.parser_condition_holds(question),
            Question::Template(question) => self.template_condition_holds(question),
            Question::Token(question) => self.token_condition_holds(question),
            Question::Bytes(question) => self.byte_condition_holds(question),
            Question::Writing(question) => self.writing_condition_holds(question),
            Question::IsFostering => self.builder.is_fostering,
            Question::FormattingIsEmpty => self.builder.formatting.is_empty(),
            Question::IsMarker(entry) => {
                let entry = self.value(entry);
                matches!(entry, Value::Entry(entry) if entry.node().is_none())
            }
            Question::IsFirst(entry) => self.entry_at(entry) == Some(0),
            Question::IsLast(node) => {
                let index = self.entry_at(node);
                index.is_some_and(|index| index + 1 == self.builder.formatting.len())
            }
            Question::IsFormatting(node) => self.entry_at(node).is_some(),
            Question::IsInNames(node, names) => {
                let names = self.value(names);
                let node = self.node(node);
                matches!((node, names), (Some(node), Value::Names(names)) if self.builder.is_one_of(node, &names))
            }
            Question::IsNamed(node, name) => {
                let name = self.text_value(name);
                self.node_satisfies(node, |it, node| it.tree.is_own_element(node, &name))
            }
            Question::IsAncestor(ancestor, node) => {
                let nodes = self.two_nodes(ancestor, node);
                nodes.is_some_and(|(above, node)| {
                    self.builder.tree.is_host_including_ancestor(above, node)
                })
            }
            Question::IsValid(parts) => self.is_valid_value(parts),
            Question::AreAlike(least, node) => {
                let Some(node) = self.node(node) else { return false };
                self.frame.equal_entries = self.equal_entries(node);
                self.frame.equal_entries.len() >= *least as usize
            }
            Question::IsInScope(node) => {
                self.node(node).is_some_and(|node| self.builder.is_in_scope(self.invocation, node))
            }
            Question::IsElement(node, names) => {
                self.node_satisfies(node, |it, node| it.is_one_of(node, names))
            }
            Question::IsFostered(node) => self.node_satisfies(node, |it, node| {
                let fostering = it.construction.fostering.as_ref();
                fostering.is_some_and(|fostering| it.is_one_of(node, &fostering.targets))
            }),
            Question::IsImplied(node) => {
                let Invocation { action, view, .. } = self.invocation;
                let Some(TreeAction::GenerateEndTags(implied, except)) = action else {
                    return false;
                };
                let checks_exceptions =
                    self.frame.algorithm.definitions.contains(&Definition::ExceptedAreNotImplied);
                self.node_satisfies(node, |it, node| {
                    it.is_one_of(node, implied)
                        && !(checks_exceptions && it.is_excepted(node, except, view))
                })
            }
            Question::IsDocument(node) => self.node_satisfies(node, |_, node| node == 0),
            Question::IsText(node) => self.node_satisfies(node, |it, node| {
                matches!(it.node_at(node).kind, NodeKind::Text(_))
            }),
            Question::HasElementChild(node) => {
                self.node_satisfies(node, TreeBuilder::has_element_child)
            }
            Question::IsOpen(node) => self.is_open_value(node),
        }
    }

    fn is_valid_value(&mut self, [node, parent, before]: &'m [Expression; 3]) -> bool {
        let nodes = self.two_nodes(node, parent);
        let before = self.node(before);
        nodes.is_some_and(|(node, parent)| self.builder.is_valid(node, parent, before))
    }

    fn is_open_value(&mut self, node: &'m Expression) -> bool {
        if let Value::AnyOf(names) = self.value(node) {
            return self.builder.open.iter().any(|&node| self.builder.is_one_of(node, &names));
        }
        self.node_satisfies(node, |it, node| it.open.contains(&node))
    }

    pub(super) fn node_satisfies(
        &mut self,
        node: &'m Expression,
        holds: impl Fn(&TreeBuilder<'m>, NodeId) -> bool,
    ) -> bool {
        let node = self.node(node);
        node.is_some_and(|node| holds(self.builder, node))
    }

    /// Returns the ids of the formatting entries after the last marker whose token has the name and attributes of the
    /// algorithm's tag, and whose element is in the HTML namespace if and only if `node` is. Empty unless the table
    /// compares entries by their tokens.
    fn equal_entries(&self, node: NodeId) -> Vec<usize> {
        let compares_tokens = self.frame.algorithm.definitions.contains(&Definition::AlikeByTokens);
        let Some(token) = &self.frame.token else { return Vec::new() };
        let is_in_own_namespace =
            self.builder.tree.name(node).is_some_and(node::is_in_own_namespace);
        let entries = self.builder.formatting[self.builder.first_after_marker()..].iter();
        let equal_entries = entries.filter(|entry| {
            entry.element.as_ref().is_some_and(|(other, of_other)| {
                let attributes = (&of_other.attributes, &token.attributes);
                compares_tokens
                    && is_in_own_namespace
                        == self.builder.tree.name(*other).is_some_and(node::is_in_own_namespace)
                    && of_other.name == token.name
                    && attributes.0.len() == attributes.1.len()
                    && attributes.0.iter().all(|attribute| attributes.1.contains(attribute))
            })
        });
        equal_entries.map(|entry| entry.id).collect()
    }
}

impl<'m> TreeBuilder<'m> {
    /// Whether an element is in the scope that the action names.
    fn is_in_scope(&mut self, invocation: &Invocation<'_, '_>, node: NodeId) -> bool {
        let Some(TreeAction::AdoptionAgency(agency)) = invocation.action else { return false };
        let members = self.construction.scopes[usize::from(agency.scope.0)].members.clone();
        let arguments = vec![Value::Node(node), Value::Names(members)];
        let Some(id) = self.construction.routine(Routine::InScope) else { return false };
        matches!(self.run(id, arguments, None, invocation), Value::Truth(true))
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

    fn is_excepted(&self, node: NodeId, except: &Except, view: &TokenView<'_>) -> bool {
        match except {
            Except::Nothing => false,
            Except::Names(names) => self.is_one_of(node, names),
            Except::TokenName => self.has_name_of(node, view),
        }
    }

    fn has_element_child(&self, node: NodeId) -> bool {
        self.node_at(node).children.iter().any(|&child| self.tree.name(child).is_some())
    }

    /// Whether a node may be inserted: DOM's pre-insertion validity, as far as it can fail for the nodes of a parser.
    fn is_valid(&self, node: NodeId, parent: NodeId, before: Option<NodeId>) -> bool {
        let is_element = self.tree.name(node).is_some();
        !self.tree.is_host_including_ancestor(node, parent)
            && before.is_none_or(|before| self.node_at(before).parent == Some(parent))
            && !(parent == 0 && is_element && self.has_element_child(0))
    }
}
