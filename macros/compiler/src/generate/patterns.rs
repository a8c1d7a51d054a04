//! Sets of bytes as patterns of a `match` and as tables. It knows no rows. Invariant: patterns and tables hold exactly the
//! bytes.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens as _, quote};

/// How many neighbours make a range. Fewer are distinguished together with other single bytes, by how likely each is; a
/// range is asked for before them.
const RANGE: u8 = 8;

/// The bytes as patterns, ranges where many are neighbours.
pub(super) fn ranges(bytes: &[u8]) -> Vec<TokenStream> {
    let ranges = neighbours(bytes.iter().copied());
    ranges
        .iter()
        .flat_map(|&(first, last)| match last - first {
            0..RANGE => (first..=last).map(|byte| shown(byte).into_token_stream()).collect(),
            _ => {
                let (first, last) = (shown(first), shown(last));
                vec![quote! { #first..=#last }]
            }
        })
        .collect()
}

/// The bytes, which come in order, as ranges.
fn neighbours(bytes: impl Iterator<Item = u8>) -> Vec<(u8, u8)> {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for byte in bytes {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == byte => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    ranges
}

/// The table of the bytes that have a `true` in this one.
pub(super) fn byte_set(table: &[bool]) -> TokenStream {
    let members = (0..=u8::MAX).filter(|&byte| table[usize::from(byte)]);
    let ranges = neighbours(members).into_iter().map(|(first, last)| {
        let (first, last) = (shown(first), shown(last));
        quote! { (#first, #last) }
    });
    quote! { rt::byte_set(&[#(#ranges),*]) }
}

/// The table of the classes of ASCII bytes.
pub(super) fn byte_classes(classes: &[u8; 128]) -> TokenStream {
    let mut ranges: Vec<(u8, u8, u8)> = Vec::new();
    for (byte, &class) in (0_u8..).zip(classes).filter(|(_, class)| **class != 0) {
        match ranges.last_mut() {
            Some((_, last, same)) if *last + 1 == byte && *same == class => *last = byte,
            _ => ranges.push((byte, byte, class)),
        }
    }
    let ranges = ranges.into_iter().map(|(first, last, class)| {
        let (first, last) = (shown(first), shown(last));
        quote! { (#first, #last, #class) }
    });
    quote! { rt::byte_classes(&[#(#ranges),*]) }
}

/// The byte as one reads it: a character, if it is one of ASCII.
pub(super) fn shown(byte: u8) -> Literal {
    if byte.is_ascii() {
        Literal::byte_character(byte)
    } else {
        format!("0x{byte:X}").parse().expect("a number is a literal")
    }
}
