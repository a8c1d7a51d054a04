//! Compiles tree construction to Rust. Each mode becomes functions for the kinds of tokens, in which rows are `match`
//! arms over tag names and steps are calls of the builder's primitives.

mod condition;
mod declared;
mod locals;
mod mode;
mod run;
mod serialize;
mod step;
mod text;

use super::algorithm;
use super::names::{snake, variant};
use super::patterns::membership;
use crate::{Compiled, print};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use tabulex_language::model::tree::algorithm::Routine;
use tabulex_language::model::tree::{
    Construction, ElementName, Elements, ModeId, Namespace, TreeAction,
};
use tabulex_language::model::{CharacterSet, Machine};

/// Generates the items of tree construction; none if the table has no modes.
pub(super) fn construction(compiled: &Compiled<'_>) -> TokenStream {
    let (machine, specials, is_for_display) =
        (compiled.machine, &compiled.specials[..], compiled.is_for_display);
    let Some(construction) = &machine.construction else { return TokenStream::new() };
    let locals = locals::all(construction);
    let code = Code { machine, construction, specials, is_for_display, locals };
    code.items()
}

struct Code<'m> {
    machine: &'m Machine,
    construction: &'m Construction,
    /// The bytes at which the machine ends every bulk run of text.
    specials: &'m [u8],
    /// Whether the code is generated for display, with rows as comments.
    is_for_display: bool,
    /// The local names that the table mentions. The index of a name is its id in generated code.
    locals: Vec<String>,
}

impl Code<'_> {
    fn items(&self) -> TokenStream {
        let ident = variant(&self.machine.name);
        let start = self.mode_name(self.construction.start);
        let elements = match self.construction.elements {
            Elements::Plain => quote! { Plain },
            Elements::Xml => quote! { Xml },
            Elements::Html => quote! { Html },
        };
        let takes_texts = self.construction.takes_texts();
        let trimmed = trimmed_characters(self.construction);
        let trims_text = !trimmed.is_empty();
        let is_trimmed = membership(&trimmed);
        let (locals, name_count) = (&self.locals, self.locals.len());
        let slots = (2 * name_count.max(1)).next_power_of_two();
        let ids = || (0..self.construction.modes.len()).map(|index| ModeId(index as u8));
        let mode_functions = ids().map(|id| self.mode(id));
        let arms = ids().map(|id| {
            let (name, function) = (self.mode_name(id), self.function(id));
            quote! { #name => #function(builder, token), }
        });
        let run_arms = ids().map(|id| self.runs(id));
        let (declaration_items, step_functions) = (self.declaration_items(), self.step_functions());
        let tag_rules = self.tag_rules();
        let run_functions = self.run_functions();
        let constants = self.local_constants();
        let set = |names: &[ElementName]| self.set(names);
        let reset = self.call_compiled(Routine::ResetInsertionMode, &[]).map(|call| {
            quote! {
                fn reset_insertion_mode<S: rt::TreeSink>(
                    builder: &mut rt::Builder<Self, S>,
                    token: &rt::TokenView<'_>,
                ) {
                    #call;
                }
            }
        });
        let adjustments = self.adjustments();
        let algorithms =
            algorithm::tree_functions(&ident, self.construction, &set, self.is_for_display);
        let serialization = algorithm::serialize::functions(self.construction, self.is_for_display);
        let node_functions = algorithm::nodes::functions(self.construction, self.is_for_display);
        quote! {
            #constants
            impl rt::Construction for #ident {
                type Mode = Mode;
                const FIRST_MODE: Mode = #start;
                const ELEMENTS: rt::Elements = rt::Elements::#elements;
                const TAKES_TEXTS: bool = #takes_texts;
                const TRIMS_TEXT: bool = #trims_text;
                const KNOWN: &'static rt::KnownNames = &KNOWN;
                #[inline]
                fn rules<S: rt::TreeSink>(
                    mode: Mode,
                    builder: &mut rt::Builder<Self, S>,
                    token: &rt::TokenView<'_>,
                ) {
                    match mode { #(#arms)* }
                }
                #tag_rules
                fn run_length(mode: Mode, current: Mode, text: &str, errors: bool) -> usize {
                    match mode { #(#run_arms)* }
                }
                fn is_trimmed(character: char) -> bool {
                    #is_trimmed
                }
                #run_functions
                #declaration_items
                #reset
            }
            static KNOWN_LIST: [&str; #name_count] = [#(#locals),*];
            static KNOWN_SLOTS: [u16; #slots] = rt::KnownNames::slots(&KNOWN_LIST);
            static KNOWN: rt::KnownNames = rt::KnownNames::new(&KNOWN_LIST, &KNOWN_SLOTS);
            #(#adjustments)*
            #(#mode_functions)*
            #step_functions
            #algorithms
            #serialization
            #node_functions
        }
    }

    /// Generates the function that dispatches tags by mode and kind, with one indirect call.
    fn tag_rules(&self) -> TokenStream {
        let count = self.construction.modes.len();
        let functions = (0..count).map(|index| {
            let [starts, ends] = self.tag_functions(ModeId(index as u8));
            quote! { [#starts, #ends] }
        });
        quote! {
            #[inline(always)]
            fn tag_rules<S: rt::TreeSink>(
                mode: Mode,
                is_end: bool,
                builder: &mut rt::Builder<Self, S>,
                token: &rt::TokenView<'_>,
            ) {
                let functions: &[[fn(&mut rt::Builder<Self, S>, &rt::TokenView<'_>); 2]; #count] =
                    const { &[#(#functions),*] };
                functions[mode as usize][is_end as usize](builder, token);
            }
        }
    }

    /// Generates the parameters of a function of rows or steps.
    fn parameters(&self) -> TokenStream {
        let ident = variant(&self.machine.name);
        quote! {
            <S: rt::TreeSink>(
                builder: &mut rt::Builder<#ident, S>,
                token: &rt::TokenView<'_>,
            )
        }
    }

    /// Generates a comment with the source text of a row, if the code is generated for display.
    fn comment(&self, text: &str) -> Option<TokenStream> {
        self.is_for_display.then(|| print::row(text))
    }

    fn mode_name(&self, mode: ModeId) -> TokenStream {
        let name = variant(&self.construction.mode(mode).name);
        quote! { Mode::#name }
    }

    fn function(&self, mode: ModeId) -> proc_macro2::Ident {
        format_ident!("mode_{}", snake(&self.construction.mode(mode).name))
    }

    /// Returns the id of a local name; `u32::MAX` if the table does not mention it.
    fn local_id(&self, name: &str) -> u32 {
        self.locals.iter().position(|local| local == name).map_or(u32::MAX, |index| index as u32)
    }

    /// Generates the constant for the id of a known local name.
    fn local(&self, name: &str) -> TokenStream {
        self.local_of_id(self.local_id(name))
    }

    fn local_of_id(&self, id: u32) -> TokenStream {
        let constant = locals::constant(&self.locals, id as usize);
        quote! { local::#constant }
    }

    /// Generates the constants for the ids of all known local names.
    fn local_constants(&self) -> TokenStream {
        let constants = (0..self.locals.len()).map(|index| locals::constant(&self.locals, index));
        let ids = 0..self.locals.len() as u32;
        quote! { mod local { #(pub(super) const #constants: u32 = #ids;)* } }
    }

    /// Generates a set of element names, as a reference to a constant.
    fn set(&self, names: &[ElementName]) -> TokenStream {
        let is_own = |name: &&ElementName| name.namespace == Namespace::Own;
        let mut ids: Vec<u32> =
            names.iter().filter(is_own).map(|name| self.local_id(&name.local)).collect();
        ids.sort_unstable();
        let mut bits = vec![0u64; ids.last().map_or(0, |&last| last as usize / 64 + 1)];
        for &id in &ids {
            bits[id as usize / 64] |= 1 << (id % 64);
        }
        let own_ids = ids.iter().map(|&id| self.local_of_id(id));
        let foreign = names.iter().filter(|name| !is_own(name)).map(|name| {
            let (namespace, local) = (namespace(name.namespace), self.local(&name.local));
            quote! { (#namespace, #local) }
        });
        quote! {
            &rt::ElementSet { own: &[#(#own_ids),*], bits: &[#(#bits),*], foreign: &[#(#foreign),*] }
        }
    }
}

/// Generates a namespace; the table's own is HTML.
pub(super) fn namespace(namespace: Namespace) -> TokenStream {
    match namespace {
        Namespace::Own => quote! { rt::Namespace::HTML },
        Namespace::Svg => quote! { rt::Namespace::SVG },
        Namespace::Math => quote! { rt::Namespace::MATHML },
    }
}

/// Returns the characters that rows trim from the document's text.
fn trimmed_characters(construction: &Construction) -> CharacterSet {
    let mut trimmed = CharacterSet::default();
    for action in construction.actions() {
        if let TreeAction::TrimText(set) = action {
            trimmed.insert_all(set);
        }
    }
    trimmed
}
