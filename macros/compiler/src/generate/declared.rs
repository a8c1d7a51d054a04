//! Code for emissions of declared tokens, counters, and pushes on the stack of states. A full counter or stack reports its
//! declared error and otherwise stays unchanged.

use super::row::Row;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{FieldId, FlagId, Machine, StateId, TokenId};

/// Generates the forms of the declared kinds of tokens.
pub(super) fn forms(machine: &Machine) -> impl Iterator<Item = TokenStream> {
    machine.tokens.iter().zip(0..).map(move |(token, token_index)| {
        let (name, first) = (&token.name, usize::from(token.first));
        let has_range =
            |index| machine.has_field_range(FieldId { token: TokenId(token_index), index });
        let has_ranges = (token.first..).take(token.fields.len()).map(has_range);
        let fields = token.fields.iter().map(|(field, _)| field);
        quote! {
            rt::TokenForm {
                name: #name, fields: &[#(#fields),*], first: #first, has_ranges: &[#(#has_ranges),*]
            }
        }
    })
}

impl Row<'_, '_> {
    /// Generates the emission of the current token of a declared kind; its value is the sink's answer.
    pub(super) fn emit_declared(&self, token: TokenId, is_inside: bool) -> TokenStream {
        let kind = usize::from(token.0);
        quote! { core.emit_declared::<#kind, K>(sink, input, (here, #is_inside)) }
    }

    /// Generates code that pushes a state on the stack of states, or reports the declared error if the stack is full.
    pub(super) fn push_state(&self, state: StateId) -> TokenStream {
        // The checks reject a table that pushes states without declaring their stack.
        let Some(stack) = self.machine().pushed_states else { return TokenStream::new() };
        let (state, capacity) = (self.state_name(state), usize::from(stack.most));
        let error = self.error(stack.error);
        quote! { if !core.pushed.push(#state, #capacity) { #error } }
    }

    /// Generates the decrement of a counter, which stops at 0.
    pub(super) fn decrement(&self, flag: FlagId) -> TokenStream {
        let index = usize::from(flag.0);
        quote! { core.flags[#index] = core.flags[#index].saturating_sub(1); }
    }

    /// Generates the increment of a counter, which reports the counter's declared error if the counter is at its
    /// maximum.
    pub(super) fn increment(&self, flag: FlagId) -> TokenStream {
        let index = usize::from(flag.0);
        let counter = &self.machine().flags[index];
        let max_value = (counter.values.len() - 1) as u8;
        let error = counter.counter.map(|error| self.error(error));
        quote! { if core.flags[#index] < #max_value { core.flags[#index] += 1; } else { #error } }
    }
}
