//! Placeholder items for a rejected table. They compile for every outline, so that only the table's errors are
//! reported, and are never run.

use super::in_private_scope;
use super::items::Enumeration;
use super::names::variant;
use proc_macro2::TokenStream;
use quote::quote;
use tabulex_language::parse::Outline;

/// Generates the enums with the names in the outline, and the machine's type if the outline has its name.
pub(crate) fn skeleton(outline: &Outline) -> TokenStream {
    let unknown = ["unknown".to_owned()];
    // A machine needs a start state, even if the outline has no states.
    let states = if outline.states.is_empty() { &unknown[..] } else { &outline.states[..] };
    let types =
        [("State", states), ("ErrorCode", &outline.errors), ("HostFlag", &outline.host_flags)];
    let types = types.map(|(name, values)| {
        let values = values.iter().map(|value| (value.clone(), format!("`{value}`.")));
        Enumeration::new(name, "The names of a rejected table.", values.collect())
    });
    let (enum_items, named_impls) =
        (types.iter().map(Enumeration::enum_item), types.iter().map(Enumeration::named_impl));
    let ident = outline.name.as_deref().map(variant);
    let machine_type = ident.iter().map(|ident| {
        quote! {
            #[doc = "The machine of a rejected table."]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum #ident {}
        }
    });
    let machine = outline.name.as_deref().map(|name| machine(name, &states[0]));
    in_private_scope(
        &quote! { #(#enum_items)* #(#machine_type)* },
        &quote! { #(#named_impls)* #machine },
    )
}

fn machine(name: &str, start: &str) -> TokenStream {
    let (ident, start) = (variant(name), variant(start));
    let construction = construction(&ident, &start);
    quote! {
        impl rt::Machine for #ident {
            type State = State;
            type Error = ErrorCode;
            type HostFlag = HostFlag;
            type Fields = [rt::TextRegister; 0];
            const NAME: &'static str = #name;
            const DOCUMENT: &'static str = "";
            const START: State = State::#start;
            const NEWLINES_NORMALIZED: bool = false;
            const INPUT_ERRORS: &'static [(char, char, ErrorCode)] = &[];
            const HARMLESS: &'static [bool; 256] = &[true; 256];
            const ROWS: u16 = 0;
            fn run<K: rt::MachineSink + ?Sized>(
                _core: &mut rt::Registers<Self>,
                input: &str,
                _from: usize,
                _is_last: bool,
                _sink: &mut K,
            ) -> rt::Stop {
                rt::Stop { reason: rt::Reason::End, consumed: input.len() }
            }
        }
        #construction
    }
}

/// Generates tree construction for a rejected table, so that code using its trees compiles.
fn construction(machine: &proc_macro2::Ident, start: &proc_macro2::Ident) -> TokenStream {
    quote! {
        impl rt::Construction for #machine {
            type Mode = State;
            const FIRST_MODE: State = State::#start;
            const ELEMENTS: rt::Elements = rt::Elements::Plain;
            const TAKES_TEXTS: bool = false;
            const TRIMS_TEXT: bool = false;
            const KNOWN: &'static rt::KnownNames = {
                static LIST: [&str; 0] = [];
                static SLOTS: [u16; 4] = rt::KnownNames::slots(&LIST);
                static NAMES: rt::KnownNames =
                    rt::KnownNames::new(&LIST, &SLOTS);
                &NAMES
            };
            fn rules<S: rt::TreeSink>(
                _mode: State,
                _builder: &mut rt::Builder<Self, S>,
                _seen: &rt::TokenView<'_>,
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
