//! The code of what a table declares: its kinds of tokens, its counters, its stack of states. Where a row goes by the stack
//! is in `jump`. Invariant: what is full reports the error of its declaration, and nothing else changes.

use super::fields::field;
use super::row::Row;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::{Field, FieldId, FlagId, Machine, StateId, TokenId};

/// The constant that lists the kinds of tokens, if there are any.
pub(super) fn forms(machine: &Machine) -> Option<TokenStream> {
    let forms = machine.tokens.iter().map(|token| {
        let (name, first) = (&token.name, usize::from(token.first));
        let fields = token.fields.iter().map(|(field, _)| field);
        quote! { rt::TokenForm { name: #name, fields: &[#(#fields),*], first: #first } }
    });
    (!machine.tokens.is_empty()).then(|| {
        quote! { const TOKENS: &'static [rt::TokenForm] = &[#(#forms),*]; }
    })
}

impl Row<'_, '_> {
    /// The code that creates a token of the kind.
    pub(super) fn create_declared(&self, token: TokenId) -> TokenStream {
        let (kind, from) = (usize::from(token.0), self.row_start());
        quote! { core.create_declared(#kind, #from); }
    }

    /// The code that begins the range of the field.
    pub(super) fn begin_field(&self, id: FieldId) -> TokenStream {
        let (register, from) = (field(Field::Declared(id)), self.row_start());
        quote! { #register.open(base, #from); }
    }

    /// The code that emits the current token of the kind, with the sink's answer as its value.
    pub(super) fn emitted_declared(&self, token: TokenId, is_inside: bool) -> TokenStream {
        let kind = usize::from(token.0);
        quote! { core.emit_declared(sink, input, #kind, (here, #is_inside)) }
    }

    /// The code that pushes the state.
    pub(super) fn push_state(&self, state: StateId) -> TokenStream {
        // Without the declaration the table is refused.
        let Some(stack) = self.machine().pushed_states else { return TokenStream::new() };
        let (state, most) = (self.state_name(state), usize::from(stack.most));
        let error = self.error(stack.error);
        quote! { if !core.pushed.push(#state, #most) { #error } }
    }

    /// The code that lets the counter shrink.
    pub(super) fn decrease(&self, flag: FlagId) -> TokenStream {
        let index = usize::from(flag.0);
        quote! { core.flags[#index] = core.flags[#index].saturating_sub(1); }
    }

    /// The code that lets the counter grow.
    pub(super) fn increase(&self, flag: FlagId) -> TokenStream {
        let index = usize::from(flag.0);
        let counter = &self.machine().flags[index];
        let most = (counter.values.len() - 1) as u8;
        let error = counter.counter.map(|error| self.error(error));
        quote! { if core.flags[#index] < #most { core.flags[#index] += 1; } else { #error } }
    }
}
