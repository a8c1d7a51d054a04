//! The items that stand for a refused table. None of them is ever run, for the build has failed. Invariant: whatever the
//! outline holds, the items bring no mistake of their own.

use super::items::enumeration;
use super::names::variant;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_spec::parse::Outline;

/// The enumerations with the names that are known, and the machine's type if its name is.
pub(crate) fn skeleton(outline: &Outline) -> TokenStream {
    let unknown = ["unknown".to_owned()];
    // A machine must start somewhere.
    let states = if outline.states.is_empty() { &unknown[..] } else { &outline.states[..] };
    let types =
        [("State", states), ("ErrorCode", &outline.errors), ("HostFlag", &outline.host_flags)];
    let types = types.map(|(name, values)| {
        let values: Vec<(&str, String)> =
            values.iter().map(|value| (&value[..], format!("`{value}`."))).collect();
        enumeration(name, "Of a table that was refused.", &values)
    });
    let machine = outline.name.as_deref().map(|name| machine(name, &states[0]));
    quote! { #(#types)* #machine }
}

fn machine(name: &str, start: &str) -> TokenStream {
    let (ident, start) = (variant(name), variant(start));
    quote! {
        #[doc = "The machine of a table that was refused."]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum #ident {}
        impl ::tabulex::machine::MachineState for State {
            type HostFlag = HostFlag;
        }
        impl ::tabulex::machine::Machine for #ident {
            type State = State;
            type Error = ErrorCode;
            type HostFlag = HostFlag;
            const NAME: &'static str = #name;
            const DOCUMENT: &'static str = "";
            const START: State = State::#start;
            const NEWLINES_NORMALIZED: bool = false;
            const INPUT_ERRORS: &'static [(char, char, ErrorCode)] = &[];
            const HARMLESS: &'static [bool; 256] = &[true; 256];
            const ROWS: u16 = 0;
            fn run<K: ::tabulex::Sink<Self>>(
                _core: &mut ::tabulex::machine::Core<Self>,
                input: &str,
                _from: usize,
                _is_last: bool,
                _sink: &mut K,
            ) -> ::tabulex::machine::Stop {
                ::tabulex::machine::Stop { reason: ::tabulex::machine::Reason::End, consumed: input.len() }
            }
        }
    }
}
