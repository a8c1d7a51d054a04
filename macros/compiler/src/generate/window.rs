//! Code for the window, a part of the input that ends at the next special byte, and for the stop at the end of a chunk.
//! Rows need not check for special bytes within the window.

use super::patterns::byte_literal;
use crate::Compiled;
use proc_macro2::TokenStream;
use quote::quote;

/// Generates the window that ends at the first special byte at or after `from`, or at the limit of a single search.
pub(super) fn window(compiled: &Compiled<'_>, from: &TokenStream) -> TokenStream {
    if compiled.specials.is_empty() {
        return quote! { bytes };
    }
    let specials = specials(compiled);
    quote! { core.window_of(sink, input, #from, #specials) }
}

/// Generates a search from `pos` for the end of the window: the next special byte, or `end` if there is none before it.
pub(super) fn window_end(compiled: &Compiled<'_>) -> TokenStream {
    let specials = specials(compiled);
    quote! {{
        let nearer = rt::scan::next_of(#specials, bytes, end, pos);
        core.inspected(sink, pos, nearer);
        nearer
    }}
}

/// Generates the array of the special bytes.
fn specials(compiled: &Compiled<'_>) -> TokenStream {
    let specials = compiled.specials.iter().map(|&special| byte_literal(special));
    quote! { [#(#specials),*] }
}

/// Generates the first window of a call of `run`. Earlier searches are reused, as a sink may pause at every token.
pub(super) fn first_window(compiled: &Compiled<'_>) -> TokenStream {
    if compiled.specials.is_empty() {
        return quote! { bytes };
    }
    let window = window(compiled, &quote! { unsearched });
    quote! {{
        let unsearched = core.search_start(bytes.len(), from);
        let window = #window;
        core.record_searched(from, window.len());
        window
    }}
}

/// Generates a stop before the next character, from which the machine resumes in `state` when there is more input.
pub(super) fn suspend(state: &proc_macro2::Ident) -> TokenStream {
    quote! {
        core.state = State::#state;
        break 'run rt::Reason::Input;
    }
}
