//! Conditions and changes for templates: their shadow roots, contents and patches.

use super::super::{Node, NodeKind, ShadowRoot, TreeBuilder};
use super::value::attribute_of;
use super::{Frame, Invocation, Value};
use crate::interpreter::Span;
use tabulex_language::model::tree::algorithm::{Expression, TemplateEffect, TemplateQuestion};

impl<'m> TreeBuilder<'m> {
    /// Applies an effect on templates or shadow roots; returns `None` if an operand is missing.
    pub(super) fn apply_template_effect(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        effect: &'m TemplateEffect,
    ) -> Option<()> {
        match effect {
            TemplateEffect::AttachShadowRoot(parts) => {
                self.attach_shadow_root(frame, invocation, parts)?
            }
            TemplateEffect::SetContents(template, contents) => {
                let (template, contents) = self.two_nodes(frame, invocation, template, contents)?;
                self.tree.nodes[template].contents = Some(contents);
            }
            TemplateEffect::SetDeclarative(root, truth) => {
                let root = self.node(frame, invocation, root)?;
                let is_declarative =
                    matches!(self.value(frame, invocation, truth), Value::Truth(true));
                let NodeKind::Fragment(Some(shadow)) = &mut self.tree.nodes[root].kind else {
                    return None;
                };
                shadow.is_declarative = is_declarative;
            }
            TemplateEffect::SetPatch(part, template, value) => {
                let template = self.node(frame, invocation, template)?;
                let value = self.node(frame, invocation, value);
                self.set_patch(template, *part, value);
            }
        }
        Some(())
    }

    /// Attaches a shadow root to the element, if it can be a host.
    fn attach_shadow_root(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        parts: &'m [Expression; 6],
    ) -> Option<()> {
        let [host, mode, delegates, serializable, slots, clonable] = parts;
        let host = self.node(frame, invocation, host)?;
        frame.attach_failed = !self.can_be_host(host, invocation.hosts);
        if frame.attach_failed {
            return None;
        }
        let mut is = |part| matches!(self.value(frame, invocation, part), Value::Truth(true));
        let (delegates_focus, is_serializable) = (is(delegates), is(serializable));
        let shadow = ShadowRoot {
            is_clonable: is(clonable),
            mode: self.text_value(frame, invocation, mode).to_ascii_lowercase(),
            slot_assignment: self.text_value(frame, invocation, slots),
            delegates_focus,
            is_serializable,
            is_declarative: false,
        };
        let root = self.tree.nodes.len();
        self.tree.nodes.push(Node::new(NodeKind::Fragment(Some(shadow)), Span::default()));
        self.tree.nodes[host].shadow_root = Some(root);
        Some(())
    }

    /// Whether the condition about templates or shadow roots holds.
    pub(super) fn template_condition_holds(
        &mut self,
        frame: &mut Frame<'m>,
        invocation: &Invocation<'_, '_>,
        question: &'m TemplateQuestion,
    ) -> bool {
        match question {
            TemplateQuestion::HasAttribute(of, name) => {
                let of = self.value(frame, invocation, of);
                if let Value::Node(node) = of {
                    return self.tree.attribute(node, name).is_some();
                }
                attribute_of(&of, name).is_some()
            }
            TemplateQuestion::AttributeIs(name, token, expected) => {
                let token = self.value(frame, invocation, token);
                attribute_of(&token, name).is_some_and(|value| value.eq_ignore_ascii_case(expected))
            }
            TemplateQuestion::IsThrown => frame.attach_failed,
            TemplateQuestion::IsShadowHost(node) => {
                self.node_satisfies(frame, invocation, node, |it, node| {
                    it.node_at(node).shadow_root.is_some()
                })
            }
            TemplateQuestion::IsBody(node) => {
                let body = invocation.patching.map(|words| &words.body[..]);
                self.node_satisfies(frame, invocation, node, |it, node| {
                    it.is_body_of_document(node, body)
                })
            }
            TemplateQuestion::IsPatchMark(node, mark, name) => {
                let name = name.as_ref().map(|name| self.text_value(frame, invocation, name));
                let words = invocation.patching;
                self.node_satisfies(frame, invocation, node, |it, node| {
                    words.is_some_and(|words| it.is_patch_mark(node, *mark, name.as_deref(), words))
                })
            }
        }
    }
}
