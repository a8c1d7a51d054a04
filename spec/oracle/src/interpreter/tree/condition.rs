//! Evaluates the conditions of modes. The `match` is exhaustive, so that code with a forgotten condition does not
//! compile.

use super::{Name, Node, TokenView, TreeBuilder, node};
use crate::interpreter::{Doctype, Token};
use tabulex_language::model::tree::{DoctypeQuestion, DoctypesId, TreeCondition};

impl TreeBuilder<'_> {
    pub(super) fn holds(&mut self, condition: &TreeCondition, view: &TokenView<'_>) -> bool {
        match condition {
            TreeCondition::Not(inner) => !self.holds(inner, view),
            TreeCondition::All(parts) => parts.iter().all(|part| self.holds(part, view)),
            TreeCondition::InScope(scope, target) => self.target_is_in_scope(*scope, target, view),
            TreeCondition::Open(names) => self.is_open(names.clone(), view),
            TreeCondition::OpenTokenName => self.is_open(self.token_name_elements(view), view),
            TreeCondition::AboveTokenName(names) => {
                let named_node = self.open_node(view);
                let mut above =
                    self.open.iter().rev().take_while(|&&node| Some(node) != named_node);
                named_node.is_some() && above.any(|&node| self.is_one_of(node, names))
            }
            TreeCondition::CurrentIs(names) => {
                self.current_node(view).is_some_and(|node| self.is_one_of(node, names))
            }
            TreeCondition::CurrentIsTokenName => {
                self.current_node(view).is_some_and(|node| self.has_name_of(node, view))
            }
            TreeCondition::CurrentIsPointed(pointer) => {
                let current = self.current_node(view);
                current.is_some() && current == self.pointer_target(*pointer)
            }
            TreeCondition::CurrentIsTokenNameIgnoringCase => {
                self.current_node(view).is_some_and(|node| self.has_token_name_in_any_case(node))
            }
            TreeCondition::AdjustedCurrentIs(names) => {
                self.adjusted_current(view).is_some_and(|node| self.is_one_of(node, names))
            }
            TreeCondition::AdjustedCurrentIn(namespace) => {
                let name = self.adjusted_name(view);
                name.is_some_and(|name| name.namespace == node::url(*namespace))
            }
            TreeCondition::AdjustedCurrentIsForeign => {
                self.adjusted_name(view).is_some_and(|name| !node::is_in_own_namespace(name))
            }
            TreeCondition::AdjustedCurrentIsIntegrationPoint => {
                let adjusted = self.adjusted_current(view);
                adjusted.is_some_and(|node| self.integration_points.contains(&node))
            }
            TreeCondition::AdjustedCurrentIsRoot => {
                let adjusted = self.adjusted_current(view);
                adjusted.is_some() && adjusted == self.open.first().copied()
            }
            TreeCondition::StackIsEmpty => self.open.is_empty(),
            TreeCondition::SecondIs(names) => {
                self.open.get(1).is_some_and(|&node| self.is_one_of(node, names))
            }
            TreeCondition::OpenOtherThan(names) => {
                self.open.iter().any(|&node| !self.is_one_of(node, names))
            }
            TreeCondition::ForeignOpenTokenName => self.find_foreign_element().is_some(),
            TreeCondition::IsFragment => self.context.is_some(),
            TreeCondition::ContextIs(names) => {
                self.context.is_some_and(|node| self.is_one_of(node, names))
            }
            TreeCondition::IsLast => self.is_last,
            TreeCondition::TokenAttribute(local) => self.has_attribute(local, |_| true),
            TreeCondition::TokenAttributeIs(local, expected) => {
                self.has_attribute(local, |value| value.eq_ignore_ascii_case(expected))
            }
            TreeCondition::FieldIs(field, expected) => self.field_is(view, *field, expected),
            TreeCondition::SelfClosing => self.tag.as_ref().is_some_and(|tag| tag.self_closing),
            TreeCondition::IsSet(pointer) => self.pointer_target(*pointer).is_some(),
            TreeCondition::FormattingHas(names) => self.last_formatting(names, view).is_some(),
            TreeCondition::FlagIs(flag, value) => self.flags[usize::from(flag.0)] == *value,
            TreeCondition::DocumentModeIs(mode) => self.document_mode == *mode,
            TreeCondition::DoctypeIs(set) => {
                matches!(view, TokenView::Token(Token::Doctype(doctype)) if self.is_doctype(*set, doctype))
            }
            TreeCondition::HasTemplateMode => !self.template_modes.is_empty(),
            TreeCondition::PendingOtherThan(set) => {
                self.pending.iter().any(|(character, _)| !set.contains(*character))
            }
        }
    }

    /// Returns the name of the adjusted current node, if it is an element.
    fn adjusted_name(&mut self, view: &TokenView<'_>) -> Option<&Name> {
        self.adjusted_current(view).and_then(|node| self.tree.name(node))
    }

    /// Whether the current tag has an attribute with this name and a value that `accepts` accepts.
    fn has_attribute(&self, local: &str, accepts: impl Fn(&str) -> bool) -> bool {
        let mut attributes = self.tag.iter().flat_map(|tag| &tag.attributes);
        attributes.any(|(name, value)| name.qualified == local && accepts(value))
    }

    fn is_doctype(&self, set: DoctypesId, doctype: &Doctype) -> bool {
        let set = &self.construction.doctypes[usize::from(set.0)];
        let is_equal = |text: &Option<String>, expected: &str| {
            text.as_deref().is_some_and(|text| match set.ignoring_case {
                true => text.eq_ignore_ascii_case(expected),
                false => text == expected,
            })
        };
        let begins_with = |text: &Option<String>, prefix: &str| {
            let start = text.as_deref().and_then(|text| text.get(..prefix.len()));
            is_equal(&start.map(str::to_owned), prefix)
        };
        let holds = |question: &DoctypeQuestion| match question {
            DoctypeQuestion::ForceQuirks => doctype.force_quirks,
            DoctypeQuestion::NameIs(expected) => {
                doctype.name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(expected))
            }
            DoctypeQuestion::PublicIs(expected) => is_equal(&doctype.public_identifier, expected),
            DoctypeQuestion::PublicBegins(prefix) => {
                begins_with(&doctype.public_identifier, prefix)
            }
            DoctypeQuestion::PublicMissing => doctype.public_identifier.is_none(),
            DoctypeQuestion::SystemIs(expected) => is_equal(&doctype.system_identifier, expected),
            DoctypeQuestion::SystemMissing => doctype.system_identifier.is_none(),
        };
        set.tests.iter().any(|test| test.iter().all(|part| holds(&part.question) != part.negated))
    }

    pub(super) fn node_at(&self, node: super::NodeId) -> &Node {
        &self.tree.nodes[node]
    }
}
