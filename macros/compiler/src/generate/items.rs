//! The types that a table declares, and the frame of the machine. No state's behaviour is here. Invariant: enumerations
//! list the table's names in the table's order.

use super::names::variant;
use crate::references;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use tabulex_language::model::{CharacterSet, Encodings, Machine};

/// States, error codes, flags, and the machine's type.
pub(super) fn types(machine: &Machine) -> TokenStream {
    let states: Vec<(&str, String)> =
        machine.states.iter().map(|state| (&state.name[..], state_doc(machine, state))).collect();
    let errors: Vec<(&str, String)> = machine
        .errors
        .iter()
        .map(|error| (&error.name[..], format!("`{}`.", error.name)))
        .collect();
    let flags: Vec<(&str, String)> = machine
        .flags
        .iter()
        .filter(|flag| flag.by_host)
        .map(|flag| (&flag.name[..], format!("Its values, by index: {}.", flag.values.join(", "))))
        .collect();
    let document = format!("The machine of the table `{}`: {}.", machine.name, machine.document);
    let name = variant(&machine.name);
    let state = enumeration("State", "A state of the machine.", &states);
    let error = enumeration("ErrorCode", "A code of a parse error.", &errors);
    let flag = enumeration("HostFlag", "A flag that the host sets.", &flags);
    quote! {
        #[doc = #document]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum #name {}
        #state
        #error
        #flag
    }
}

fn state_doc(machine: &Machine, state: &tabulex_language::model::State) -> String {
    let procedure = state.procedure.map(|procedure| &machine.procedures[usize::from(procedure.0)]);
    let section = state
        .section
        .as_ref()
        .or_else(|| procedure.and_then(|procedure| procedure.section.as_ref()));
    match section {
        Some(section) => format!("`{}`, section {}.", state.name, section.number),
        None => format!("`{}`.", state.name),
    }
}

pub(super) fn enumeration(name: &str, doc: &str, values: &[(&str, String)]) -> TokenStream {
    let name = Ident::new(name, proc_macro2::Span::mixed_site());
    let variants: Vec<Ident> = values.iter().map(|(value, _)| variant(value)).collect();
    let (names, docs): (Vec<&str>, Vec<&String>) =
        values.iter().map(|(name, doc)| (*name, doc)).unzip();
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum #name { #(#[doc = #docs] #variants),* }
        impl ::tabulex::machine::Named for #name {
            const ALL: &'static [Self] = &[#(Self::#variants),*];
            fn name(self) -> &'static str {
                match self { #(Self::#variants => #names,)* }
            }
        }
    }
}

/// The implementation of the machine, with the body of its `run`.
pub(super) fn machine(machine: &Machine, specials: &[u8], run: TokenStream) -> TokenStream {
    let (ident, name, document) = (variant(&machine.name), &machine.name, &machine.document);
    let start = variant(&machine.state(machine.start).name);
    let normalized = machine.newlines_normalized;
    let rows = machine.states.iter().map(|state| state.rows.len()).sum::<usize>() as u16;
    let input_errors = input_errors(machine);
    let harmless = harmless(machine);
    let surroundings = surroundings(machine);
    let inserts = machine.inserts().then(|| inserts(machine));
    let byte_order_mark = machine
        .byte_order_mark_dropped
        .then(|| quote! { const BYTE_ORDER_MARK_DROPPED: bool = true; });
    let encodings = machine.encodings.as_ref().map(encodings);
    let dialect = machine.construction.is_some().then(|| {
        quote! { const DIALECT: ::tabulex::Dialect = ::tabulex::Dialect::of::<Self>().with_trees::<Self>(); }
    });
    quote! {
        impl ::tabulex::machine::MachineState for State {
            type HostFlag = HostFlag;
        }
        impl ::tabulex::machine::Machine for #ident {
            type State = State;
            type Error = ErrorCode;
            type HostFlag = HostFlag;
            const NAME: &'static str = #name;
            const DOCUMENT: &'static str = #document;
            #dialect
            const START: State = State::#start;
            const NEWLINES_NORMALIZED: bool = #normalized;
            const INPUT_ERRORS: &'static [(char, char, ErrorCode)] = &[#(#input_errors),*];
            const HARMLESS: &'static [bool; 256] = &[#(#harmless),*];
            const ROWS: u16 = #rows;
            const SPECIALS: &'static [u8] = &[#(#specials),*];
            #surroundings
            #inserts
            #byte_order_mark
            #encodings
            #[allow(clippy::all, unused_assignments, unused_labels, unused_mut, unused_variables, unreachable_code, unreachable_patterns, unused_parens)]
            fn run<K: ::tabulex::Sink<Self>>(
                core: &mut ::tabulex::machine::Core<Self>,
                input: &str,
                from: usize,
                is_last: bool,
                sink: &mut K,
            ) -> ::tabulex::machine::Stop {
                #run
            }
        }
    }
}

/// What the runtime must know of the input around a machine, and of flags; what is usual goes without saying.
fn surroundings(machine: &Machine) -> TokenStream {
    let nulls = machine.nulls_replaced.then(|| quote! { const NULLS_REPLACED: bool = true; });
    let behind = machine.longest_text_before();
    // A CR that belongs to the LF behind it lies between.
    let look_behind = (behind > 0).then(|| behind + 1).map(|bytes| {
        quote! { const LOOK_BEHIND: usize = #bytes; }
    });
    let stored = machine.flags.iter().enumerate().filter(|(_, flag)| flag.by_host && flag.by_rows);
    let arms: Vec<TokenStream> = stored
        .map(|(index, flag)| {
            let name = variant(&flag.name);
            quote! { HostFlag::#name => Some(#index), }
        })
        .collect();
    let stored_flag = (!arms.is_empty()).then(|| {
        quote! {
            #[allow(unreachable_patterns)]
            fn stored_flag(flag: HostFlag) -> Option<usize> {
                match flag { #(#arms)* _ => None }
            }
        }
    });
    let by_host: Vec<_> = machine.flags.iter().filter(|flag| flag.by_host).collect();
    let flag_values = (!by_host.is_empty()).then(|| {
        let arms = by_host.iter().map(|flag| {
            let (name, values) = (variant(&flag.name), &flag.values);
            quote! { HostFlag::#name => &[#(#values),*], }
        });
        quote! {
            fn flag_values(flag: HostFlag) -> &'static [&'static str] {
                match flag { #(#arms)* }
            }
        }
    });
    let last_start_tag =
        machine.asks_last_start_tag().then(|| quote! { const ASKS_LAST_START_TAG: bool = true; });
    quote! { #nulls #look_behind #last_start_tag #flag_values #stored_flag }
}

/// What tells the encoding of bytes.
fn encodings(encodings: &Encodings) -> TokenStream {
    let optional = |text: &Option<String>| match text {
        Some(text) => quote! { Some(#text) },
        None => quote! { None },
    };
    let pair = |texts: &Option<(String, String)>| match texts {
        Some((text, meaning)) => quote! { Some((#text, #meaning)) },
        None => quote! { None },
    };
    let list = |texts: &[(String, String)]| {
        let pairs = texts.iter().map(|(text, meaning)| quote! { (#text, #meaning) });
        quote! { &[#(#pairs),*] }
    };
    let (element, label) = (optional(&encodings.element), optional(&encodings.label));
    let (content, pragma) = (pair(&encodings.content), pair(&encodings.pragma));
    let xml_declaration = pair(&encodings.xml_declaration);
    let (read_as, locales) = (list(&encodings.read_as), list(&encodings.locales));
    let otherwise = &encodings.otherwise;
    quote! {
        const CLUES: &'static ::tabulex::encoding::Clues = &::tabulex::encoding::Clues {
            element: #element,
            label: #label,
            content: #content,
            pragma: #pragma,
            xml_declaration: #xml_declaration,
            read_as: #read_as,
            locales: #locales,
            otherwise: #otherwise,
        };
    }
}

/// The constants of a machine whose rows insert text into the input.
fn inserts(machine: &Machine) -> TokenStream {
    let limits = machine.replacement_limits;
    let nesting = limits.nesting as usize;
    let (bytes, more) = (u64::from(limits.bytes), u64::from(limits.bytes_per_input_byte));
    quote! {
        const INSERTS: bool = true;
        const REPLACEMENT_LIMITS: ::tabulex::ReplacementLimits =
            ::tabulex::ReplacementLimits::new().nesting(#nesting).bytes(#bytes).bytes_per_input_byte(#more);
    }
}

fn input_errors(machine: &Machine) -> Vec<TokenStream> {
    let mut ranges = Vec::new();
    let mut taken = CharacterSet::default();
    for input_error in &machine.input_errors {
        let code = variant(&machine.errors[usize::from(input_error.error.0)].name);
        for &(first, last) in input_error.characters.difference(&taken).ranges() {
            ranges.push((first, quote! { (#first, #last, ErrorCode::#code) }));
        }
        taken.insert_all(&input_error.characters);
    }
    ranges.sort_by_key(|(first, _)| *first);
    ranges.into_iter().map(|(_, tokens)| tokens).collect()
}

/// For each byte, whether no character that is wrong wherever it stands begins with it. The newline is what the states
/// see, so a CR is harmless where newlines are normalized.
fn harmless(machine: &Machine) -> Vec<bool> {
    let mut harmless = vec![true; 256];
    for input_error in &machine.input_errors {
        for &(first, last) in input_error.characters.ranges() {
            // Of characters in order, the first bytes are in order too.
            let first_byte = |character: char| character.encode_utf8(&mut [0; 4]).as_bytes()[0];
            harmless[usize::from(first_byte(first))..=usize::from(first_byte(last))].fill(false);
        }
    }
    // A range from ASCII to beyond passes over bytes that no character begins with.
    harmless[0x80..0xC0].fill(true);
    harmless[usize::from(b'\r')] |= machine.newlines_normalized;
    harmless
}

/// The automaton of the named character references.
pub(super) fn references(machine: &Machine) -> TokenStream {
    let Some(references) = &machine.references else { return TokenStream::new() };
    let automaton = references::build(&references.entries);
    let (first, edges, counts) = (&automaton.first, &automaton.edges, &automaton.counts);
    let (ends, characters, last_bytes) =
        (&automaton.ends, &automaton.characters, &automaton.last_bytes);
    quote! {
        static REFERENCES: ::tabulex::references::References = ::tabulex::references::References {
            first: &[#(#first),*],
            edges: &[#(#edges),*],
            counts: &[#(#counts),*],
            ends: &[#(#ends),*],
            characters: #characters,
            last_bytes: &[#(#last_bytes),*],
        };
    }
}
