//! The types that a table declares, and the implementation of `Machine` around the `run` function. Enums list names in
//! table order.

use super::algorithm;
use super::docs::{machine_doc, mode_doc, state_doc};
use super::names::{error_code, variant};
use super::optional;
use super::patterns::{byte_literal, byte_set, character_set, first_bytes};
use super::switching::switching_tags;
use crate::references;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use tabulex_language::model::{Action, CharacterSet, Encodings, Machine, State};

/// An enum of names that a table declares.
pub(super) struct Enumeration {
    name: Ident,
    doc: String,
    /// The names with their documentation.
    values: Vec<(String, String)>,
    /// The address of the table's document, if the values link to it.
    address: Option<String>,
    /// Whether the enum is exhaustive, so that adding a value is a breaking change.
    is_exhaustive: bool,
}

impl Enumeration {
    /// Creates an enum from names of the table and their documentation.
    fn new(name: &str, doc: &str, values: Vec<(String, String)>) -> Self {
        Self {
            name: Ident::new(name, proc_macro2::Span::mixed_site()),
            doc: doc.to_owned(),
            values,
            address: None,
            is_exhaustive: false,
        }
    }

    /// Turns the enum into one of error codes: makes it exhaustive and adds the address of the document.
    fn into_error_codes(mut self, machine: &Machine) -> Self {
        self.address.clone_from(&machine.address);
        self.is_exhaustive = true;
        self
    }

    fn variants(&self) -> impl Iterator<Item = Ident> {
        self.values.iter().map(|(value, _)| variant(value))
    }

    /// Generates the enum.
    pub(super) fn enum_item(&self) -> TokenStream {
        let (name, doc, variants) = (&self.name, &self.doc, self.variants());
        let docs = self.values.iter().map(|(_, doc)| doc);
        let non_exhaustive = (!self.is_exhaustive).then(|| quote! { #[non_exhaustive] });
        quote! {
            #[doc = #doc]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
            #non_exhaustive
            pub enum #name { #(#[doc = #docs] #variants),* }
        }
    }

    /// Generates the implementation of `Named`, which converts between values and names.
    pub(super) fn named_impl(&self) -> TokenStream {
        let (name, variants, all) = (&self.name, self.variants(), self.variants());
        let names = self.values.iter().map(|(name, _)| name);
        let address = self.address.iter();
        quote! {
            impl rt::Named for #name {
                const ALL: &'static [Self] = &[#(Self::#all),*];
                #(const ADDRESS: Option<&'static str> = Some(#address);)*
                fn name(self) -> &'static str {
                    match self { #(Self::#variants => #names,)* }
                }
            }
        }
    }
}

/// Returns the enums of states, error codes and flags, and of modes if there are any.
pub(super) fn enumerations(machine: &Machine) -> Vec<Enumeration> {
    let states = machine.states.iter().map(|state| (state.name.clone(), state_doc(machine, state)));
    let errors =
        machine.errors.iter().map(|error| (error.name.clone(), format!("`{}`.", error.name)));
    let flags = machine.flags.iter().filter(|flag| flag.by_host);
    let flags = flags.map(|flag| {
        let doc =
            format!("The flag `{}`; its values by index: {}.", flag.name, flag.values.join(", "));
        (flag.name.clone(), doc)
    });
    let mut enumerations = vec![
        Enumeration::new("State", "A state of the machine.", states.collect()),
        Enumeration::new("ErrorCode", "A code of a parse error.", errors.collect())
            .into_error_codes(machine),
        Enumeration::new("HostFlag", "A flag that the host sets.", flags.collect()),
    ];
    enumerations.extend(machine.construction.as_ref().map(|construction| {
        let modes =
            construction.modes.iter().map(|mode| (mode.name.clone(), mode_doc(machine, mode)));
        Enumeration::new("Mode", "A mode of tree construction.", modes.collect())
    }));
    enumerations
}

/// Generates the machine's type.
pub(super) fn machine_type(machine: &Machine) -> TokenStream {
    let doc = machine_doc(machine);
    let name = variant(&machine.name);
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum #name {}
    }
}

/// Generates the implementation of `Machine`, with the given body of `run`.
pub(super) fn machine(machine: &Machine, specials: &[u8], run: TokenStream) -> TokenStream {
    let (ident, name, document) = (variant(&machine.name), &machine.name, &machine.document);
    let start = variant(&machine.state(machine.start).name);
    let newlines_normalized = machine.newlines_normalized;
    let rows = machine.states.iter().map(|state| state.rows.len()).sum::<usize>() as u16;
    let input_errors = input_errors(machine);
    let specials = specials.iter().map(|&special| byte_literal(special));
    let harmless = byte_set(&harmless(machine));
    let optional_items = optional_items(machine);
    let insertion_constants = machine.inserts().then(|| insertion_constants(machine));
    let byte_order_mark = machine
        .byte_order_mark_dropped
        .then(|| quote! { const BYTE_ORDER_MARK_DROPPED: bool = true; });
    let encodings = machine.encodings.as_ref().map(|declared| encodings(machine, declared));
    let tokens = super::declared::forms(machine);
    let field_count = machine.tokens.iter().map(|token| token.fields.len()).sum::<usize>();
    let removed = removed_characters(machine);
    let goes_back = (machine.states.iter().flat_map(State::actions))
        .any(|action| *action == Action::GoBack)
        .then(|| quote! { const GOES_BACK: bool = true; });
    let switching_tags = switching_tags(machine);
    let dialect = machine.construction.is_some().then(|| {
        quote! { const DIALECT: rt::Dialect = rt::Dialect::of::<Self>().with_trees::<Self>(); }
    });
    quote! {
        impl rt::Machine for #ident {
            type State = State;
            type Error = ErrorCode;
            type HostFlag = HostFlag;
            type Fields = [rt::TextRegister; #field_count];
            const NAME: &'static str = #name;
            const DOCUMENT: &'static str = #document;
            #dialect
            const START: State = State::#start;
            const NEWLINES_NORMALIZED: bool = #newlines_normalized;
            const INPUT_ERRORS: &'static [(char, char, ErrorCode)] = &[#(#input_errors),*];
            const HARMLESS: &'static [bool; 256] = &#harmless;
            const ROWS: u16 = #rows;
            const STOP_BYTES: &'static [u8] = &[#(#specials),*];
            #optional_items
            #insertion_constants
            #switching_tags
            #byte_order_mark
            #encodings
            #tokens
            #goes_back
            #removed
            fn run<K: rt::MachineSink + ?Sized>(
                core: &mut rt::Registers<Self>,
                input: &str,
                from: usize,
                is_last: bool,
                sink: &mut K,
            ) -> rt::Stop {
                #run
            }
        }
    }
}

/// Generates those constants and functions for U+0000, look-behind, the last start tag and flags that differ from the
/// defaults.
fn optional_items(machine: &Machine) -> TokenStream {
    let nulls = machine.nulls_replaced.then(|| quote! { const NULLS_REPLACED: bool = true; });
    let max_look_behind = machine.longest_text_before();
    let look_behind =
        (max_look_behind > 0).then(|| quote! { const LOOK_BEHIND: usize = #max_look_behind; });
    let stored = machine.flags.iter().enumerate().filter(|(_, flag)| flag.by_host && flag.by_rows);
    let arms: Vec<TokenStream> = stored
        .map(|(index, flag)| {
            let name = variant(&flag.name);
            quote! { HostFlag::#name => Some(#index), }
        })
        .collect();
    let stored_flag = (!arms.is_empty()).then(|| {
        quote! {
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
        machine.uses_last_start_tag().then(|| quote! { const USES_LAST_START_TAG: bool = true; });
    quote! { #nulls #look_behind #last_start_tag #flag_values #stored_flag }
}

/// Generates the constant that describes encoding detection.
fn encodings(machine: &Machine, encodings: &Encodings) -> TokenStream {
    let pair = |texts: &Option<(String, String)>| {
        optional(texts.as_ref().map(|(text, meaning)| quote! { (#text, #meaning) }))
    };
    let list = |texts: &[(String, String)]| {
        let pairs = texts.iter().map(|(text, meaning)| quote! { (#text, #meaning) });
        quote! { &[#(#pairs),*] }
    };
    let [element, label, only] =
        [&encodings.element, &encodings.label, &encodings.only].map(|text| optional(text.as_ref()));
    let (content, pragma) = (pair(&encodings.content), pair(&encodings.pragma));
    let xml_declaration = pair(&encodings.xml_declaration);
    let (read_as, locales) = (list(&encodings.read_as), list(&encodings.locales));
    let sources = match &encodings.sources[..] {
        [] => quote! { rt::DEFAULT_SOURCES },
        sources => {
            let pairs = sources.iter().map(|(source, confidence)| {
                let (source, confidence) = (variant(source), variant(confidence));
                quote! { (rt::Source::#source, rt::Confidence::#confidence) }
            });
            quote! { &[#(#pairs),*] }
        }
    };
    let (not_inherited, not_changed) = (&encodings.not_inherited, &encodings.not_changed);
    let otherwise = &encodings.otherwise;
    let prescan = optional(algorithm::prescan(machine));
    quote! {
        const CLUES: &'static rt::Clues = &rt::Clues {
            element: #element,
            label: #label,
            content: #content,
            pragma: #pragma,
            xml_declaration: #xml_declaration,
            read_as: #read_as,
            sources: #sources,
            not_inherited: &[#(#not_inherited),*],
            not_changed: &[#(#not_changed),*],
            locales: #locales,
            only: #only,
            otherwise: #otherwise,
            prescan: #prescan,
        };
    }
}

/// Generates the constants of a machine whose rows insert text.
fn insertion_constants(machine: &Machine) -> TokenStream {
    let limits = machine.replacement_limits;
    let nesting = limits.nesting as usize;
    let (bytes, bytes_per_input_byte) =
        (u64::from(limits.bytes), u64::from(limits.bytes_per_input_byte));
    quote! {
        const INSERTS: bool = true;
        const REPLACEMENT_LIMITS: rt::ReplacementLimits =
            rt::ReplacementLimits::new().nesting(#nesting).bytes(#bytes).bytes_per_input_byte(#bytes_per_input_byte);
    }
}

/// Generates the constant of the characters that are removed from inputs, if there are any.
fn removed_characters(machine: &Machine) -> Option<TokenStream> {
    let trimmed = machine.trimmed.iter().map(|set| (set, true));
    let all: Vec<TokenStream> = trimmed
        .chain(machine.removed.iter().map(|set| (set, false)))
        .map(|(set, is_at_ends)| {
            let code = error_code(machine, set.error);
            let set = character_set(&set.characters);
            quote! {
                rt::RemovedCharacters { set: #set, error: #code, is_at_ends: #is_at_ends }
            }
        })
        .collect();
    (!all.is_empty()).then(|| {
        quote! { const REMOVED: &'static [rt::RemovedCharacters<ErrorCode>] = &[#(#all),*]; }
    })
}

fn input_errors(machine: &Machine) -> Vec<TokenStream> {
    let mut ranges = Vec::new();
    let mut reported = CharacterSet::default();
    for input_error in &machine.input_errors {
        let code = error_code(machine, input_error.error);
        for &(first, last) in input_error.characters.difference(&reported).ranges() {
            ranges.push((first, quote! { (#first, #last, #code) }));
        }
        reported.insert_all(&input_error.characters);
    }
    ranges.sort_by_key(|(first, _)| *first);
    ranges.into_iter().map(|(_, tokens)| tokens).collect()
}

/// Returns, for each byte, whether it is harmless: whether it begins none of the characters that are errors wherever
/// they occur. CR is harmless if newlines are normalized, as the states read LF in its place.
fn harmless(machine: &Machine) -> Vec<bool> {
    let mut harmless = vec![true; 256];
    for input_error in &machine.input_errors {
        let firsts = first_bytes(&input_error.characters);
        harmless.iter_mut().zip(firsts).for_each(|(harmless, is_first)| *harmless &= !is_first);
    }
    harmless[usize::from(b'\r')] |= machine.newlines_normalized;
    harmless
}

/// Generates the automaton of the named character references; nothing if the table has none.
pub(super) fn references(machine: &Machine) -> TokenStream {
    let Some(references) = &machine.references else { return TokenStream::new() };
    let automaton = references::build(&references.entries);
    let (first, edges, counts) = (&automaton.first, &automaton.edges, &automaton.counts);
    let (ends, characters, last_bytes) =
        (&automaton.ends, &automaton.characters, &automaton.last_bytes);
    quote! {
        static REFERENCES: rt::References = rt::References {
            first: &[#(#first),*],
            edges: &[#(#edges),*],
            counts: &[#(#counts),*],
            ends: &[#(#ends),*],
            characters: #characters,
            last_bytes: &[#(#last_bytes),*],
        };
    }
}
