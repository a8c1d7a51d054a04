//! Evaluates conditions and values of tokens, and applies their effects, before rows match the tokens; also for
//! elements with prefixes.

use super::super::{Name, NodeId, NodeKind, TokenView, TreeBuilder};
use super::{Execution, StepFlow, TagToken, Value};
use crate::interpreter::Token;
use tabulex_language::model::tree::algorithm::{
    DoctypePart, NamedValue, RunStep, TokenEffect, TokenQuestion, VariableId,
};

/// Splits a name at its first colon. Returns `None` without a colon, or if the prefix is empty.
fn split_prefix(name: &str) -> Option<(&str, &str)> {
    name.split_once(':').filter(|(prefix, _)| !prefix.is_empty())
}

/// Returns a part of a DOCTYPE, or `None` if the token is no DOCTYPE or lacks the part.
fn doctype_part<'t>(view: &'t TokenView<'_>, part: DoctypePart) -> Option<&'t str> {
    let TokenView::Token(Token::Doctype(doctype)) = view else { return None };
    match part {
        DoctypePart::Name => doctype.name.as_deref(),
        DoctypePart::PublicIdentifier => doctype.public_identifier.as_deref(),
        DoctypePart::SystemIdentifier => doctype.system_identifier.as_deref(),
    }
}

/// Creates a name from its parts; the prefix may be empty.
pub(super) fn prefixed(prefix: String, local: String, namespace: String) -> Name {
    let qualified = if prefix.is_empty() { local.clone() } else { format!("{prefix}:{local}") };
    Name { qualified, prefix, local, namespace }
}

impl<'m> Execution<'_, 'm> {
    /// Applies an effect of a step on the token. Returns `None` if an operand is missing.
    pub(super) fn apply_token_effect(&mut self, effect: &'m TokenEffect) -> Option<()> {
        match effect {
            TokenEffect::End(node) => {
                let node = self.node(node)?;
                self.builder.record_end_tag(node, self.invocation.view);
            }
            TokenEffect::AddAttribute(parts) => {
                let [prefix, local, namespace, value, element] = &**parts;
                let [prefix, local, namespace, value] =
                    [prefix, local, namespace, value].map(|it| self.text_value(it));
                let element = self.node(element)?;
                let name = prefixed(prefix, local, namespace);
                self.builder.add_attributes(element, vec![(name, value)]);
            }
        }
        Some(())
    }

    /// Whether a condition about the token or a node holds.
    pub(super) fn token_condition_holds(&mut self, question: &'m TokenQuestion) -> bool {
        let (view, tag) = (self.invocation.view, self.builder.tag.as_ref());
        match question {
            TokenQuestion::IsStartTag => matches!(view, TokenView::Token(Token::StartTag(_))),
            TokenQuestion::IsAnyEndTag => {
                matches!(view, TokenView::Token(Token::EndTag(_) | Token::ShortEndTag { .. }))
            }
            TokenQuestion::HasTokenName(node) => {
                self.node_satisfies(node, |it, node| it.has_token_name_in_any_case(node))
            }
            TokenQuestion::IsForeign(node) => {
                self.node_satisfies(node, |it, node| it.is_foreign(node))
            }
            TokenQuestion::HasDoctypeChild(node) => self.node_satisfies(node, |it, node| {
                let is_doctype =
                    |&child: &NodeId| matches!(it.node_at(child).kind, NodeKind::Doctype(_));
                it.node_at(node).children.iter().any(is_doctype)
            }),
            TokenQuestion::IsIntegrationPoint(node) => {
                self.node_satisfies(node, |it, node| it.integration_points.contains(&node))
            }
            TokenQuestion::IsSelfClosing => tag.is_some_and(|tag| tag.self_closing),
            TokenQuestion::IsShortened => tag.is_some_and(|tag| tag.is_shortened),
            TokenQuestion::HasNamed(owner, name) => {
                let name = self.text_value(name);
                let owner = self.value(owner);
                self.builder.named_attribute(&owner, &name).is_some()
            }
            TokenQuestion::HasInNamespace(parts) => {
                let [element, local, namespace] = &**parts;
                let local = self.text_value(local);
                let namespace = self.text_value(namespace);
                let Some(element) = self.node(element) else { return false };
                let NodeKind::Element(_, attributes) = &self.builder.node_at(element).kind else {
                    return false;
                };
                let is_match = |name: &Name| name.local == local && name.namespace == namespace;
                !namespace.is_empty() && attributes.iter().any(|(name, _)| is_match(name))
            }
        }
    }

    /// Returns the tag for which the algorithm creates elements: its own, or else the current one; `None` if there is
    /// neither.
    pub(super) fn creation_tag(&self) -> Option<TagToken> {
        self.frame.token.clone().or_else(|| self.builder.tag_token())
    }

    /// Evaluates a value that depends on a qualified name: a part of the name, or an element or attribute with that
    /// name.
    pub(super) fn named_value(&mut self, named: &'m NamedValue) -> Value {
        let (NamedValue::LastOpen(name)
        | NamedValue::Prefix(name)
        | NamedValue::LocalPart(name)
        | NamedValue::Joined(name, _)
        | NamedValue::OfDoctype(_, name)
        | NamedValue::Attribute(name, _)) = named;
        let name = self.text_value(name);
        match named {
            NamedValue::LastOpen(_) => {
                let has_name = |node: &NodeId| {
                    self.builder.tree.name(*node).is_some_and(|other| other.qualified == name)
                };
                let node = self.builder.open.iter().rev().copied().find(has_name);
                node.map_or(Value::None, Value::Node)
            }
            NamedValue::Prefix(_) => {
                Value::Text(split_prefix(&name).map_or("", |(prefix, _)| prefix).to_owned())
            }
            NamedValue::LocalPart(_) => {
                Value::Text(split_prefix(&name).map_or(&name[..], |(_, local)| local).to_owned())
            }
            NamedValue::Joined(_, rest) => Value::Text(name + &self.text_value(rest)),
            NamedValue::OfDoctype(part, _) => {
                Value::Text(doctype_part(self.invocation.view, *part).unwrap_or(&name).to_owned())
            }
            NamedValue::Attribute(_, owner) => {
                let owner = self.value(owner);
                Value::Text(
                    self.builder.named_attribute(&owner, &name).unwrap_or_default().to_owned(),
                )
            }
        }
    }

    pub(super) fn for_each_attribute(
        &mut self,
        (name, value, token): (VariableId, VariableId, Value),
        steps: &'m [RunStep],
    ) -> StepFlow {
        let Value::Token(token) = token else { return StepFlow::Next };
        let attributes = token.attributes.into_iter();
        let members = attributes.map(|(of_attribute, text)| {
            vec![(name, Value::Text(of_attribute.qualified)), (value, Value::Text(text))]
        });
        self.for_each(members.collect(), steps)
    }
}

impl<'m> TreeBuilder<'m> {
    /// Returns the value of the attribute with this qualified name, of a token or an element. `None` if there is none.
    pub(super) fn named_attribute<'v>(&'v self, owner: &'v Value, name: &str) -> Option<&'v str> {
        let attributes = if let Value::Token(token) = owner {
            &token.attributes
        } else {
            let Value::Node(node) = owner else { return None };
            let NodeKind::Element(_, attributes) = &self.node_at(*node).kind else { return None };
            attributes
        };
        let attribute = attributes.iter().find(|(other, _)| other.qualified == name);
        attribute.map(|(_, value)| &value[..])
    }
}
