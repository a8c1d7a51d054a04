//! The items that stand for a refused table. None of them is ever run, for the build has failed. Invariant: whatever the
//! outline holds, the items bring no mistake of their own.

use super::items::enumeration;
use super::names::variant;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::parse::Outline;

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
    let construction = construction(&ident, &start);
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
        #construction
    }
}

/// Trees of a refused table: those who use them shall hear of its mistakes alone.
fn construction(machine: &proc_macro2::Ident, start: &proc_macro2::Ident) -> TokenStream {
    quote! {
        impl ::tabulex::construct::Construction for #machine {
            type Mode = State;
            const FIRST_MODE: State = State::#start;
            const ELEMENTS: ::tabulex::construct::Elements = ::tabulex::construct::Elements::Plain;
            const TAKES_TEXTS: bool = false;
            const TRIMS_TEXT: bool = false;
            const KNOWN: &'static ::tabulex::tree::KnownNames = {
                static LIST: [&str; 0] = [];
                static SLOTS: [u16; 4] = ::tabulex::tree::KnownNames::slots(&LIST);
                static NAMES: ::tabulex::tree::KnownNames =
                    ::tabulex::tree::KnownNames::new(&LIST, &SLOTS);
                &NAMES
            };
            fn rules<S: ::tabulex::tree::TreeSink>(
                _mode: State,
                _builder: &mut ::tabulex::construct::Builder<Self, S>,
                _seen: &::tabulex::construct::Seen<'_>,
            ) {
            }
            fn run_length(_mode: State, _current: State, text: &str, _errors: bool) -> usize {
                text.len()
            }
            fn is_trimmed(_character: char) -> bool {
                false
            }
        }
    }
}
