//! What tree construction makes the machine do after a start tag, as the rows of modes say. It builds no tree. Invariant: a
//! machine whose modes have no words for it gets nothing.

use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::model::Machine;
use tabulex_language::model::tree::FeedbackEffect;

/// What the machine does for a word of modes.
pub(super) fn feedback(machine: &Machine, effect: FeedbackEffect) -> Option<TokenStream> {
    Some(match effect {
        FeedbackEffect::Switch(state) => {
            let state = state.0;
            quote! { rt::Feedback::Switch(#state as u16) }
        }
        FeedbackEffect::SetFlag(flag, value) => {
            let mut host_flags = (0..machine.flags.len()).filter(|&at| machine.flags[at].by_host);
            let index = host_flags.position(|other| other == usize::from(flag.0))? as u8;
            quote! { rt::Feedback::SetFlag(#index, #value) }
        }
    })
}

/// The start tags after which it is switched.
pub(super) fn switching_tags(machine: &Machine) -> Option<TokenStream> {
    let construction = machine.construction.as_ref()?;
    let tags = construction.switching_tags().into_iter().filter_map(|tag| {
        let effect = construction.feedback[usize::from(tag.word.0)].effect?;
        let (name, feedback) = (tag.name, feedback(machine, effect)?);
        let flag = match tag.flag {
            Some((flag, value)) => {
                let name = &construction.flags[usize::from(flag.0)].name;
                quote! { Some((#name, #value)) }
            }
            None => quote! { None },
        };
        Some(quote! { rt::SwitchingTag { name: #name, flag: #flag, feedback: #feedback } })
    });
    let tags: Vec<TokenStream> = tags.collect();
    (!tags.is_empty()).then(|| {
        quote! { const SWITCHING_TAGS: &'static [rt::SwitchingTag] = &[#(#tags),*]; }
    })
}
