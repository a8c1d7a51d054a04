//! Compiles conditions of modes to Rust expressions without side effects. The `match` is exhaustive, so that no
//! condition is overlooked.

use super::{Code, membership, namespace};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::tree::{DocumentMode, Namespace, Target, TreeCondition};

impl Code<'_> {
    /// Generates a Boolean expression for the condition.
    pub(super) fn condition(&self, condition: &TreeCondition) -> TokenStream {
        match condition {
            TreeCondition::Not(inner) => self.negated(inner),
            TreeCondition::All(parts) => {
                let parts = parts.iter().map(|part| self.condition(part));
                quote! { (#((#parts))&&*) }
            }
            TreeCondition::CurrentIs(names) => {
                let (node, set) = (self.current_element(), self.set(names));
                quote! { { let node = #node; builder.is_in(node, #set) } }
            }
            TreeCondition::Open(names) => {
                let set = self.set(names);
                self.open_target(&quote! { rt::Target::In(#set) })
            }
            TreeCondition::SecondIs(names) => {
                let set = self.set(names);
                quote! { { let node = builder.second_open(); builder.is_in(node, #set) } }
            }
            TreeCondition::OpenOtherThan(names) => {
                let set = self.set(names);
                quote! { builder.has_open_other_than(#set) }
            }
            TreeCondition::AdjustedCurrentIs(names) => {
                self.call_on_adjusted_current(&quote! { is_in }, Some(self.set(names)))
            }
            TreeCondition::ContextIs(names) => {
                let set = self.set(names);
                quote! { builder.is_in(builder.context_element(), #set) }
            }
            TreeCondition::FormattingHas(names) => {
                let call = self.call_compiled(Routine::LastFormatting, &[self.set(names)]);
                // A returned marker stands for no element.
                call.map_or_else(
                    || quote! { false },
                    |call| quote! { rt::ListKey::node_value(&#call).is_some() },
                )
            }
            TreeCondition::CurrentIsTokenName => {
                let node = self.current_element();
                let has_name = quote! { builder.is_target(node, rt::Target::TokenName) };
                quote! { { let node = #node; token.is_tag() && #has_name } }
            }
            TreeCondition::OpenTokenName => {
                self.open_target(&quote! { rt::Target::of_token_name(token) })
            }
            TreeCondition::AboveTokenName(names) => {
                let (call, set) = (self.call_compiled(Routine::OpenNode, &[]), self.set(names));
                let node = call.unwrap_or_else(|| quote! { builder.open_node(token) });
                quote! { { let node = #node; builder.has_above(node, #set) } }
            }
            TreeCondition::StackIsEmpty => quote! { builder.last_open().is_none() },
            TreeCondition::InScope(scope, target) => self.in_scope(usize::from(scope.0), target),
            TreeCondition::CurrentIsPointed(pointer) => {
                let pointer = usize::from(pointer.0);
                let current = self.current_element();
                quote! {
                    {
                        let (node, current) = (builder.pointers[#pointer], #current);
                        node.is_some() && node == current
                    }
                }
            }
            TreeCondition::IsSet(pointer) => {
                let pointer = usize::from(pointer.0);
                quote! { builder.pointers[#pointer].is_some() }
            }
            TreeCondition::CurrentIsTokenNameIgnoringCase => {
                let node = self.current_element();
                quote! { { let node = #node; builder.has_token_name_in_any_case(node) } }
            }
            TreeCondition::ForeignOpenTokenName => quote! { builder.has_foreign_token_name() },
            TreeCondition::AdjustedCurrentIn(name) => {
                self.call_on_adjusted_current(&quote! { is_in_namespace }, Some(namespace(*name)))
            }
            TreeCondition::AdjustedCurrentIsForeign => {
                self.call_on_adjusted_current(&quote! { is_foreign }, None)
            }
            TreeCondition::AdjustedCurrentIsIntegrationPoint => {
                self.call_on_adjusted_current(&quote! { is_integration_point }, None)
            }
            TreeCondition::AdjustedCurrentIsRoot => {
                self.call_on_adjusted_current(&quote! { is_first_open }, None)
            }
            TreeCondition::IsFragment => quote! { builder.is_fragment() },
            TreeCondition::IsLast => quote! { is_last },
            TreeCondition::TokenAttribute(name) => {
                quote! { builder.has_token_attribute(token, #name) }
            }
            TreeCondition::TokenAttributeIs(name, value) => {
                quote! { builder.token_attribute_is(token, #name, #value) }
            }
            TreeCondition::FieldIs(field, expected) => self.field_is(*field, expected),
            TreeCondition::SelfClosing => quote! { builder.is_self_closing(token) },
            TreeCondition::FlagIs(flag, value) => {
                let flag = usize::from(flag.0);
                quote! { builder.tree_flags[#flag] == #value }
            }
            TreeCondition::DocumentModeIs(mode) => {
                let mode = document_mode(*mode);
                quote! { builder.document_mode == #mode }
            }
            TreeCondition::DoctypeIs(set) => {
                let set = self.doctypes(*set);
                quote! { builder.doctype_is(token, #set) }
            }
            TreeCondition::HasTemplateMode => quote! { !builder.template_modes.is_empty() },
            TreeCondition::PendingOtherThan(set) => {
                let is_member = membership(set);
                quote! { builder.has_pending_other_than(|character: char| #is_member) }
            }
        }
    }

    /// Generates the negation of the condition.
    pub(super) fn negated(&self, condition: &TreeCondition) -> TokenStream {
        if let TreeCondition::Not(inner) = condition {
            return self.condition(inner);
        }
        let inner = self.condition(condition);
        let is_equals_sign =
            |token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '=');
        if inner.clone().into_iter().any(is_equals_sign) {
            quote! { !(#inner) }
        } else {
            quote! { !#inner }
        }
    }

    /// Generates the condition that an element that matches the target is open.
    fn open_target(&self, target: &TokenStream) -> TokenStream {
        match self.call_compiled(Routine::Open, &[quote! { target }]) {
            Some(call) => quote! { { let target = #target; (#call) == Some(true) } },
            None => quote! { builder.is_open_target(#target) },
        }
    }

    /// Generates an expression for the current node; its value is `None` if no element is open.
    pub(super) fn current_element(&self) -> TokenStream {
        let call = self.call_compiled(Routine::Current, &[]);
        call.unwrap_or_else(|| quote! { builder.last_open() })
    }

    /// Generates a call of `method` with the adjusted current node.
    pub(super) fn call_on_adjusted_current(
        &self,
        method: &TokenStream,
        argument: Option<TokenStream>,
    ) -> TokenStream {
        let call = self.call_compiled(Routine::AdjustedCurrent, &[]);
        let node = call.unwrap_or_else(|| self.current_element());
        quote! { { let node = #node; builder.#method(node, #argument) } }
    }

    fn in_scope(&self, scope: usize, target: &Target) -> TokenStream {
        let members = self.set(&self.construction.scopes[scope].members);
        let call = self.call_compiled(Routine::InScope, &[quote! { target }, members]);
        // Most conditions test for a single name, which needs no loop over a set.
        if let (None, Target::Names(names)) = (&call, target)
            && let [name] = &names[..]
            && name.namespace == Namespace::Own
        {
            let local = self.local(&name.local);
            return quote! { builder.is_name_in_scope(#scope, #local) };
        }
        let target = match target {
            Target::Names(names) => {
                let set = self.set(names);
                quote! { rt::Target::In(#set) }
            }
            Target::TokenName => quote! { rt::Target::TokenName },
            Target::Pointed(pointer) => {
                let pointer = usize::from(pointer.0);
                quote! { rt::Target::Node(builder.pointers[#pointer]) }
            }
        };
        let test = match call {
            Some(call) => quote! { (#call) == Some(true) },
            None => quote! { builder.is_target_in_scope(target, #scope) },
        };
        quote! { { let target = #target; #test } }
    }
}

pub(super) fn document_mode(mode: DocumentMode) -> TokenStream {
    let name = match mode {
        DocumentMode::NoQuirks => quote! { NoQuirks },
        DocumentMode::LimitedQuirks => quote! { LimitedQuirks },
        DocumentMode::Quirks => quote! { Quirks },
    };
    quote! { rt::DocumentMode::#name }
}
