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
use quote::{format_ident, quote};
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
    let insertion_constants = insertion_constants(machine);
    let byte_order_mark_dropped = machine.byte_order_mark_dropped;
    let nulls_replaced = machine.nulls_replaced;
    let encodings = machine.encodings.as_ref().map(|declared| encodings(machine, declared));
    let uses_last_start_tag = machine.uses_last_start_tag();
    let switching_tags = switching_tags(machine);
    let look_behind = machine.longest_text_before();
    let removed = removed_characters(machine);
    let goes_back =
        machine.states.iter().flat_map(State::actions).any(|action| *action == Action::GoBack);
    let tokens = super::declared::forms(machine);
    let field_count = machine.tokens.iter().map(|token| token.fields.len()).sum::<usize>();
    let flags = machine.flags.iter().enumerate().filter(|(_, flag)| flag.by_host);
    let flags = flags.map(|(index, flag)| {
        let (values, index) = (&flag.values, optional(flag.by_rows.then_some(index)));
        quote! { (&[#(#values),*], #index) }
    });
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
            #insertion_constants
            const BYTE_ORDER_MARK_DROPPED: bool = #byte_order_mark_dropped;
            const ROWS: u16 = #rows;
            const NULLS_REPLACED: bool = #nulls_replaced;
            #encodings
            const USES_LAST_START_TAG: bool = #uses_last_start_tag;
            const SWITCHING_TAGS: &'static [rt::SwitchingTag] = &[#(#switching_tags),*];
            const STOP_BYTES: &'static [u8] = &[#(#specials),*];
            const LOOK_BEHIND: usize = #look_behind;
            #removed
            const GOES_BACK: bool = #goes_back;
            const TOKENS: &'static [rt::TokenForm] = &[#(#tokens),*];
            const FLAGS: &'static [(&'static [&'static str], Option<usize>)] = &[#(#flags),*];
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

/// Generates the constants for the text that rows insert.
fn insertion_constants(machine: &Machine) -> TokenStream {
    let (inserts, limits) = (machine.inserts(), machine.replacement_limits);
    let nesting = limits.nesting as usize;
    let (bytes, bytes_per_input_byte) =
        (u64::from(limits.bytes), u64::from(limits.bytes_per_input_byte));
    quote! {
        const INSERTS: bool = #inserts;
        const REPLACEMENT_LIMITS: rt::ReplacementLimits =
            rt::ReplacementLimits::new().nesting(#nesting).bytes(#bytes).bytes_per_input_byte(#bytes_per_input_byte);
    }
}

/// Generates the constants of the characters that are removed from inputs.
fn removed_characters(machine: &Machine) -> TokenStream {
    let constants = [("TRIMMED", &machine.trimmed), ("REMOVED", &machine.removed)];
    let constants = constants.into_iter().map(|(name, sets)| {
        let name = format_ident!("{name}");
        let sets = sets.iter().map(|set| {
            let code = error_code(machine, set.error);
            let set = character_set(&set.characters);
            quote! { rt::RemovedCharacters { set: #set, error: #code } }
        });
        quote! { const #name: &'static [rt::RemovedCharacters<ErrorCode>] = &[#(#sets),*]; }
    });
    constants.collect()
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
    let automaton = references::build(references);
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
