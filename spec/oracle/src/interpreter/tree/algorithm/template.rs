//! Conditions and effects of algorithms on templates: shadow roots, contents and patches.

use super::super::{Node, NodeKind, ShadowRoot};
use super::{Execution, Value};
use crate::interpreter::Span;
use tabulex_language::model::tree::TreeAction;
use tabulex_language::model::tree::algorithm::{Expression, TemplateEffect, TemplateQuestion};

impl<'m> Execution<'_, 'm> {
    /// Applies an effect on templates or shadow roots; returns `None` if an operand is missing, or if the element
    /// cannot have a shadow root.
    pub(super) fn apply_template_effect(&mut self, effect: &'m TemplateEffect) -> Option<()> {
        match effect {
            TemplateEffect::AttachShadowRoot(parts) => self.attach_shadow_root(parts)?,
            TemplateEffect::SetContents(template, contents) => {
                let (template, contents) = self.two_nodes(template, contents)?;
                self.builder.tree.nodes[template].contents = Some(contents);
            }
            TemplateEffect::SetDeclarative(root, truth) => {
                let root = self.node(root)?;
                let is_declarative = matches!(self.value(truth), Value::Truth(true));
                let NodeKind::Fragment(Some(shadow)) = &mut self.builder.tree.nodes[root].kind
                else {
                    return None;
                };
                shadow.is_declarative = is_declarative;
            }
            TemplateEffect::SetPatch(part, template, value) => {
                let template = self.node(template)?;
                let value = self.node(value);
                self.builder.set_patch(template, *part, value);
            }
        }
        Some(())
    }

    /// Attaches a shadow root to an element, or records in the frame that the element cannot be a host.
    fn attach_shadow_root(&mut self, parts: &'m [Expression; 6]) -> Option<()> {
        let [host, mode, delegates, serializable, slots, clonable] = parts;
        let host = self.node(host)?;
        let Some(TreeAction::AttachShadowRoot { hosts, reserved, .. }) = self.invocation.action
        else {
            return None;
        };
        let hosts = [&hosts[..], reserved];
        self.frame.attach_failed = !self.builder.can_be_host(host, hosts);
        if self.frame.attach_failed {
            return None;
        }
        let mut is_true = |part| matches!(self.value(part), Value::Truth(true));
        let (delegates_focus, is_serializable) = (is_true(delegates), is_true(serializable));
        let shadow = ShadowRoot {
            is_clonable: is_true(clonable),
            mode: self.text_value(mode).to_ascii_lowercase(),
            slot_assignment: self.text_value(slots),
            delegates_focus,
            is_serializable,
            is_declarative: false,
        };
        let root = self.builder.tree.nodes.len();
        self.builder.tree.nodes.push(Node::new(NodeKind::Fragment(Some(shadow)), Span::default()));
        self.builder.tree.nodes[host].shadow_root = Some(root);
        Some(())
    }

    /// Whether a condition about templates or shadow roots holds.
    pub(super) fn template_condition_holds(&mut self, question: &'m TemplateQuestion) -> bool {
        match question {
            TemplateQuestion::HasAttribute(owner, name) => {
                let owner = self.value(owner);
                if let Value::Node(node) = owner {
                    return self.builder.tree.attribute(node, name).is_some();
                }
                self.builder.named_attribute(&owner, name).is_some()
            }
            TemplateQuestion::AttributeIs(name, token, expected) => {
                let token = self.value(token);
                let value = self.builder.named_attribute(&token, name);
                value.is_some_and(|value| value.eq_ignore_ascii_case(expected))
            }
            TemplateQuestion::IsThrown => self.frame.attach_failed,
            TemplateQuestion::IsShadowHost(node) => {
                self.node_satisfies(node, |it, node| it.node_at(node).shadow_root.is_some())
            }
            TemplateQuestion::IsBody(node) => {
                let body_name = self.invocation.patching().map(|patching| &patching.body[..]);
                self.node_satisfies(node, |it, node| it.is_body_of_document(node, body_name))
            }
            TemplateQuestion::IsPatchMark(node, mark, name) => {
                let name = name.as_ref().map(|name| self.text_value(name));
                let patching = self.invocation.patching();
                self.node_satisfies(node, |it, node| {
                    patching.is_some_and(|patching| {
                        it.is_patch_mark(node, *mark, name.as_deref(), patching)
                    })
                })
            }
        }
    }
}
