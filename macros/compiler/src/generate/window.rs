//! How far runs go: the window, which ends at the next special byte, and the stop where the input ends. Which row takes
//! what is not decided here. Invariant: within a window stands no byte that needs more than its row.

use super::patterns::shown;
use crate::Compiled;
use proc_macro2::TokenStream;
use quote::quote;

/// The input from `from` up to the next special byte, or as far as is searched at once.
pub(super) fn window(compiled: &Compiled<'_>, from: &TokenStream) -> TokenStream {
    if compiled.specials.is_empty() {
        return quote! { bytes };
    }
    let (function, specials) = search("window", compiled);
    quote! { rt::#function::<Self, K, #specials>(sink, input, #from) }
}

/// The end of the window that begins at `pos`, where `end` ends it if no special byte does.
pub(super) fn window_end(compiled: &Compiled<'_>) -> TokenStream {
    let (function, specials) = search("next", compiled);
    quote! {{
        let nearer = rt::scan::#function::<#specials>(bytes, end, pos);
        rt::looked_at(sink, pos, nearer);
        nearer
    }}
}

/// The scanner for the special bytes, and these.
fn search(name: &str, compiled: &Compiled<'_>) -> (proc_macro2::Ident, TokenStream) {
    let specials = compiled.specials.iter().map(|&special| shown(special));
    (quote::format_ident!("{name}_of_{}", specials.len()), quote! { #(#specials),* })
}

/// The window with which a run begins. What was searched before is not searched again: a sink may pause at every token.
pub(super) fn first_window(compiled: &Compiled<'_>) -> TokenStream {
    if compiled.specials.is_empty() {
        return quote! { bytes };
    }
    let window = window(compiled, &quote! { unsearched });
    quote! {{
        let unsearched = core.unsearched(bytes.len(), from);
        let window = #window;
        core.keep_searched(from, window.len());
        window
    }}
}

/// Stops before the next character, to go on here when there is more input.
pub(super) fn suspend(state: &proc_macro2::Ident) -> TokenStream {
    quote! {
        core.state = State::#state;
        break 'run rt::Reason::Input;
    }
}
