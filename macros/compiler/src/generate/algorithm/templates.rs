//! Compiles expressions, conditions and effects on templates: their shadow roots, and the contents that they patch.

use super::Function;
use crate::natives;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::tree::algorithm::{
    Effect, Expression, PatchPart, Relation, Routine, TemplateEffect, TemplateQuestion, ValueKind,
};

/// Returns the index of a part of a patch in calls of the runtime.
pub(super) fn part_index(part: PatchPart) -> usize {
    match part {
        PatchPart::Target => 0,
        PatchPart::Start => 1,
        PatchPart::End => 2,
    }
}

impl Function<'_> {
    /// Whether the steps attach shadow roots differently from the built-in tables. Such steps cannot be compiled: in
    /// the runtime a template's contents become the shadow root, and its attributes stand for the root's properties.
    pub(super) fn is_beyond_shadow_roots(&self) -> bool {
        self.routine == Routine::AttachShadowRoot
            && !natives::is_fixed(self.construction, self.routine)
    }

    pub(super) fn template_value(&mut self, value: &Expression) -> TokenStream {
        match value {
            Expression::Attribute(name, token) if self.kind(token) == Some(ValueKind::Token) => {
                let tag = self.value(token, ValueKind::Token);
                quote! { builder.tag_attribute(#tag, token, #name) }
            }
            Expression::Relative(Relation::ShadowRoot, node) => self.element(node),
            _ => self.unsupported(value),
        }
    }

    pub(super) fn template_question(&mut self, question: &TemplateQuestion) -> TokenStream {
        match question {
            TemplateQuestion::HasAttribute(of, name) if self.kind(of) == Some(ValueKind::Token) => {
                let tag = self.value(of, ValueKind::Token);
                quote! { builder.tag_attribute(#tag, token, #name).is_some() }
            }
            TemplateQuestion::AttributeIs(name, of, value) => {
                let tag = self.value(of, ValueKind::Token);
                quote! {
                    builder
                        .tag_attribute(#tag, token, #name)
                        .is_some_and(|value| value.eq_ignore_ascii_case(#value))
                }
            }
            TemplateQuestion::IsThrown => quote! { frame.has_thrown },
            TemplateQuestion::IsShadowHost(node) => {
                self.test_node(quote! { it.shadow_root().is_some() }, node)
            }
            TemplateQuestion::IsBody(node) => {
                self.with_element(node, &quote! { builder.is_body(frame, node) })
            }
            _ => self.unsupported(question),
        }
    }

    pub(super) fn template_effect(&mut self, effect: &TemplateEffect) -> TokenStream {
        match effect {
            TemplateEffect::AttachShadowRoot(parts) => {
                let [host, mode, ..] = &**parts;
                let (host, mode) = (self.element(host), self.value(mode, ValueKind::Text));
                quote! {
                    let (host, mode) = (#host, #mode);
                    builder.attach_shadow_root(frame, host, mode);
                }
            }
            // The runtime sets the contents and the declarative flag when it attaches the shadow root.
            TemplateEffect::SetContents(..) | TemplateEffect::SetDeclarative(..) => {
                TokenStream::new()
            }
            TemplateEffect::SetPatch(..) => self.unsupported(Effect::Template(effect.clone())),
        }
    }
}
