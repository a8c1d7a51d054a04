//! Code generation: blocks become nested labelled blocks, so that a forward jump is a plain `break`; only backward
//! jumps go through the `match` over all blocks. The code refers only to the runtime's contract and the table's
//! declarations.

mod action;
#[expect(clippy::wildcard_enum_match_arm, reason = "steps without code are rejected")]
pub(crate) mod algorithm;
mod block;
mod condition;
mod consumed;
mod declared;
mod docs;
mod emission;
mod fields;
mod insertion;
mod items;
mod jump;
mod lexeme;
mod names;
mod patterns;
mod plan;
mod ranges;
mod row;
mod switching;
mod tree;
mod window;

use crate::{Compiled, order, print};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// Generates the items of the machine's module.
pub fn module(compiled: &Compiled<'_>) -> TokenStream {
    let enumerations = items::enumerations(compiled.machine);
    let enum_items = enumerations.iter().map(items::Enumeration::enum_item);
    let named_impls = enumerations.iter().map(items::Enumeration::named_impl);
    let machine_type = items::machine_type(compiled.machine);
    // A table without states declares only modes. It gets no machine, because the tables that include its modes
    // generate the code for them.
    let has_states = !compiled.machine.states.is_empty();
    let machine =
        has_states.then(|| items::machine(compiled.machine, &compiled.specials, run(compiled)));
    let references = items::references(compiled.machine);
    let construction = has_states.then(|| tree::construction(compiled));
    let automata = lexeme::automata(compiled);
    let condition_automata = lexeme::condition_automata(compiled.machine);
    let byte_functions =
        has_states.then(|| algorithm::byte_functions(compiled.machine, compiled.is_for_display));
    // The code is in a scope of its own, so that its short name for the runtime cannot collide with the types of the
    // table. Lints are disabled in that scope, as authors of tables cannot fix generated code.
    quote! {
        #machine_type
        #(#enum_items)*
        #[allow(clippy::all, unused)]
        const _: () = {
            use ::tabulex::__private as rt;
            #(#named_impls)*
            #references
            #automata
            #condition_automata
            #byte_functions
            #machine
            #construction
        };
    }
}

/// Puts `code` into a labelled block, so that a `break` in it jumps forward to the end of the block.
fn in_labelled_block(
    compiled: &Compiled<'_>,
    label: &TokenStream,
    code: &TokenStream,
) -> TokenStream {
    if compiled.is_for_display {
        return print::block(label, code);
    }
    quote! { #label: { #code } }
}

/// Generates an `Option` of a generated expression, if there is one.
fn optional(expression: Option<impl ToTokens>) -> TokenStream {
    match expression {
        Some(expression) => quote! { Some(#expression) },
        None => quote! { None },
    }
}

/// Generates the body of the function that runs the machine.
fn run(compiled: &Compiled<'_>) -> TokenStream {
    let blocks = &compiled.lowered.blocks;
    let block_names: Vec<_> = blocks.iter().map(|block| names::variant(&block.name)).collect();
    let states: Vec<_> =
        compiled.machine.states.iter().map(|state| names::variant(&state.name)).collect();
    let entries = compiled.order.iter().map(|&index| {
        let (variant, label) = (&block_names[index], names::label("s", &blocks[index].name));
        quote! { Block::#variant => break #label, }
    });
    let cold = jump::cold();
    // The most frequent targets are tested before the `match`, so that jumps to them avoid its jump table.
    let frequent_tests = order::frequent_targets(compiled).map(|index| {
        let (variant, label) = (&block_names[index], names::label("s", &blocks[index].name));
        quote! { if matches!(block, Block::#variant) { break #label; } #cold }
    });
    let mut code = quote! { #(#frequent_tests)* match block { #(#entries)* } };
    for &index in &compiled.order {
        let label = names::label("s", &blocks[index].name);
        let body = block::body(compiled, index);
        let inner = in_labelled_block(compiled, &label, &code);
        code = quote! { #inner #body };
    }
    let (window, handle_requests) = (window::first_window(compiled), jump::handle_requests());
    quote! {
        #[derive(Clone, Copy)]
        enum Block { #(#block_names),* }
        #[inline(always)]
        const fn block_of(state: State) -> Block {
            match state { #(State::#states => Block::#states,)* }
        }
        let bytes = input.as_bytes();
        let source = core.source(input);
        let base = source.base;
        let mut pos = from;
        let mut window = #window;
        let mut block = block_of(core.state);
        let reason = 'run: loop {
            let control = 'handle_requests: { #code };
            #handle_requests
        };
        rt::Stop { reason, consumed: pos }
    }
}
