//! Code for the tokenizer switches that modes request after start tags.

use super::optional;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::FeedbackEffect;

/// Generates the runtime's value for an effect that modes have on the tokenizer; `None` for a flag that the host does
/// not set.
pub(super) fn entry(machine: &Machine, effect: FeedbackEffect) -> Option<TokenStream> {
    Some(match effect {
        FeedbackEffect::Switch(state) => {
            let state = state.0;
            quote! { rt::Entry::State(#state as u16) }
        }
        FeedbackEffect::SetFlag(flag, value) => {
            let mut host_flags = (0..machine.flags.len()).filter(|&i| machine.flags[i].by_host);
            let index = host_flags.position(|other| other == usize::from(flag.0))? as u8;
            quote! { rt::Entry::Flag(#index, #value) }
        }
    })
}

/// Generates the start tags that switch the tokenizer.
pub(super) fn switching_tags(machine: &Machine) -> Vec<TokenStream> {
    let Some(construction) = &machine.construction else { return Vec::new() };
    let tags = construction.switching_tags().into_iter().filter_map(|tag| {
        let effect = construction.feedback[usize::from(tag.word.0)].effect?;
        let (name, entry) = (tag.name, entry(machine, effect)?);
        let flag = optional(tag.flag.map(|(flag, value)| {
            let name = &construction.flags[usize::from(flag.0)].name;
            quote! { (#name, #value) }
        }));
        Some(quote! { rt::SwitchingTag { name: #name, flag: #flag, entry: #entry } })
    });
    tags.collect()
}
