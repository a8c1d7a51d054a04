//! Sets of bytes as patterns of a `match`. It knows no rows. Invariant: the patterns match exactly the bytes.

use proc_macro2::TokenStream;
use quote::quote;

/// How many neighbours make a range. Fewer are told apart together with other single bytes, by how likely each is; a
/// range is asked for before them.
const RANGE: u8 = 8;

/// The bytes as patterns, ranges where many are neighbours.
pub(super) fn ranges(bytes: &[u8]) -> Vec<TokenStream> {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for &byte in bytes {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == byte => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    ranges
        .iter()
        .flat_map(|&(first, last)| match last - first {
            0..RANGE => (first..=last).map(|byte| quote! { #byte }).collect(),
            _ => vec![quote! { #first..=#last }],
        })
        .collect()
}
