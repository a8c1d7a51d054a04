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
    let (function, specials) = search("window", compiled);
    quote! { core.#function::<K, #specials>(sink, input, #from) }
}

/// Generates the search for the end of the window at `pos`, which is `end` if no special byte precedes it.
pub(super) fn window_end(compiled: &Compiled<'_>) -> TokenStream {
    let (function, specials) = search("next", compiled);
    quote! {{
        let nearer = rt::scan::#function::<#specials>(bytes, end, pos);
        core.inspected(sink, pos, nearer);
        nearer
    }}
}

/// Returns the name of the search function for the special bytes, which begins with `prefix`, and its generic
/// arguments.
fn search(prefix: &str, compiled: &Compiled<'_>) -> (proc_macro2::Ident, TokenStream) {
    let specials = compiled.specials.iter().map(|&special| byte_literal(special));
    (quote::format_ident!("{prefix}_of_{}", specials.len()), quote! { #(#specials),* })
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
