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
            TreeCondition::CurrentIs(names) => match self.call_compiled(Routine::Current, &[]) {
                Some(call) => {
                    let set = self.set(names);
                    quote! { { let node = #call; builder.is_in(node, #set) } }
                }
                None => self.builder_query(quote! { current_is }, names),
            },
            TreeCondition::Open(names) => {
                let set = self.set(names);
                self.call_compiled(Routine::Open, &[quote! { rt::Target::In(#set) }]).map_or_else(
                    || self.builder_query(quote! { has_open }, names),
                    |call| quote! { (#call == Some(true)) },
                )
            }
            TreeCondition::SecondIs(names) => self.builder_query(quote! { second_is }, names),
            TreeCondition::OpenOtherThan(names) => {
                self.builder_query(quote! { has_open_other_than }, names)
            }
            TreeCondition::AdjustedCurrentIs(names) => {
                let set = self.set(names);
                self.adjusted_current_test(
                    &quote! { adjusted_current_is },
                    &quote! { is_in },
                    Some(set),
                )
            }
            TreeCondition::ContextIs(names) => self.builder_query(quote! { context_is }, names),
            TreeCondition::FormattingHas(names) => {
                let call = self.call_compiled(Routine::LastFormatting, &[self.set(names)]);
                // A returned marker stands for no element.
                call.map_or_else(
                    || quote! { false },
                    |call| quote! { rt::ListKey::node_value(&#call).is_some() },
                )
            }
            TreeCondition::CurrentIsTokenName => match self.call_compiled(Routine::Current, &[]) {
                Some(call) => {
                    let has_name = quote! { builder.is_target(node, rt::Target::TokenName) };
                    quote! { { let node = #call; token.is_tag() && #has_name } }
                }
                None => quote! { builder.current_is_token_name(token) },
            },
            TreeCondition::OpenTokenName => {
                self.call_compiled(Routine::Open, &[quote! { target }]).map_or_else(
                    || quote! { builder.has_open_token_name(token) },
                    |call| {
                        quote! { { let target = rt::Target::of_token_name(token); (#call) == Some(true) } }
                    },
                )
            }
            TreeCondition::AboveTokenName(names) => {
                let set = self.set(names);
                match self.call_compiled(Routine::OpenNode, &[]) {
                    Some(call) => quote! { { let node = #call; builder.has_above(node, #set) } },
                    None => quote! { builder.has_above_token_name(token, #set) },
                }
            }
            TreeCondition::StackIsEmpty => quote! { builder.stack_is_empty() },
            TreeCondition::InScope(scope, target) => self.in_scope(usize::from(scope.0), target),
            TreeCondition::CurrentIsPointed(pointer) => {
                let pointer = usize::from(pointer.0);
                quote! { builder.current_is_pointed(#pointer) }
            }
            TreeCondition::IsSet(pointer) => {
                let pointer = usize::from(pointer.0);
                quote! { builder.is_set(#pointer) }
            }
            TreeCondition::CurrentIsTokenNameIgnoringCase => {
                quote! { builder.current_is_token_name_ignoring_case() }
            }
            TreeCondition::ForeignOpenTokenName => quote! { builder.has_foreign_token_name() },
            TreeCondition::AdjustedCurrentIn(name) => {
                let (method, node_method) =
                    (quote! { adjusted_current_in }, quote! { is_in_namespace });
                self.adjusted_current_test(&method, &node_method, Some(namespace(*name)))
            }
            TreeCondition::AdjustedCurrentIsForeign => {
                let method = quote! { adjusted_current_is_foreign };
                self.adjusted_current_test(&method, &quote! { is_foreign }, None)
            }
            TreeCondition::AdjustedCurrentIsIntegrationPoint => {
                let method = quote! { adjusted_current_is_integration_point };
                self.adjusted_current_test(&method, &quote! { is_integration_point }, None)
            }
            TreeCondition::AdjustedCurrentIsRoot => {
                let method = quote! { adjusted_current_is_root };
                self.adjusted_current_test(&method, &quote! { is_first_open }, None)
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
                quote! { builder.tree_flag(#flag) == #value }
            }
            TreeCondition::DocumentModeIs(mode) => {
                let mode = document_mode(*mode);
                quote! { builder.document_mode() == #mode }
            }
            TreeCondition::DoctypeIs(set) => {
                let set = self.doctypes(*set);
                quote! { builder.doctype_is(token, #set) }
            }
            TreeCondition::HasTemplateMode => quote! { builder.has_template_mode() },
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

    fn builder_query(
        &self,
        method: TokenStream,
        names: &[tabulex_language::model::tree::ElementName],
    ) -> TokenStream {
        let set = self.set(names);
        quote! { builder.#method(#set) }
    }

    /// Generates a condition on the adjusted current node: a call of `method` if the runtime finds the node, or of
    /// `node_method` if the table's compiled steps do.
    fn adjusted_current_test(
        &self,
        method: &TokenStream,
        node_method: &TokenStream,
        argument: Option<TokenStream>,
    ) -> TokenStream {
        match self.call_compiled(Routine::AdjustedCurrent, &[]) {
            Some(call) => quote! { { let node = #call; builder.#node_method(node, #argument) } },
            None => quote! { builder.#method(#argument) },
        }
    }

    fn in_scope(&self, scope: usize, target: &Target) -> TokenStream {
        let members = self.set(&self.construction.scopes[scope].members);
        if let Some(call) = self.call_compiled(Routine::InScope, &[quote! { target }, members]) {
            let target = match target {
                Target::Names(names) => {
                    let set = self.set(names);
                    quote! { Some(rt::Target::In(#set)) }
                }
                Target::TokenName => quote! { Some(rt::Target::TokenName) },
                Target::Pointed(pointer) => {
                    let pointer = usize::from(pointer.0);
                    quote! {
                        builder.pointed_element(#pointer).map(|node| rt::Target::Node(Some(node)))
                    }
                }
            };
            return quote! {
                { let target = #target; target.and_then(|target| #call) == Some(true) }
            };
        }
        match target {
            Target::Names(names) if matches!(&names[..], [name] if name.namespace == Namespace::Own) =>
            {
                let local = self.local(&names[0].local);
                quote! { builder.is_name_in_scope(#scope, #local) }
            }
            Target::Names(names) => {
                let set = self.set(names);
                quote! { builder.is_in_scope(#scope, #set) }
            }
            Target::TokenName => quote! { builder.is_token_name_in_scope(#scope) },
            Target::Pointed(pointer) => {
                let pointer = usize::from(pointer.0);
                quote! { builder.is_pointed_in_scope(#scope, #pointer) }
            }
        }
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
