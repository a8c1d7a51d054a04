//! Sets of bytes as `match` patterns and as tables.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens as _, quote};

/// The minimum difference between the last and the first byte of a range pattern. Bytes of shorter runs are listed
/// singly, because rustc tests range patterns before single bytes.
const MIN_RANGE: u8 = 8;

/// Generates patterns that match the bytes, with long runs of bytes as ranges.
pub(super) fn ranges(bytes: &[u8]) -> Vec<TokenStream> {
    let ranges = group_ranges(bytes.iter().copied());
    ranges
        .iter()
        .flat_map(|&(first, last)| match last - first {
            0..MIN_RANGE => {
                (first..=last).map(|byte| byte_literal(byte).into_token_stream()).collect()
            }
            _ => {
                let (first, last) = (byte_literal(first), byte_literal(last));
                vec![quote! { #first..=#last }]
            }
        })
        .collect()
}

/// Groups sorted bytes into ranges.
fn group_ranges(bytes: impl Iterator<Item = u8>) -> Vec<(u8, u8)> {
    let mut ranges: Vec<(u8, u8)> = Vec::new();
    for byte in bytes {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == byte => *last = byte,
            _ => ranges.push((byte, byte)),
        }
    }
    ranges
}

/// Generates a lookup table from a set of bytes.
pub(super) fn byte_set(table: &[bool]) -> TokenStream {
    let members = (0..=u8::MAX).filter(|&byte| table[usize::from(byte)]);
    let ranges = group_ranges(members).into_iter().map(|(first, last)| {
        let (first, last) = (byte_literal(first), byte_literal(last));
        quote! { (#first, #last) }
    });
    quote! { rt::byte_set(&[#(#ranges),*]) }
}

/// Generates a lookup table of the classes of ASCII bytes.
pub(super) fn byte_classes(classes: &[u8; 128]) -> TokenStream {
    let mut ranges: Vec<(u8, u8, u8)> = Vec::new();
    for (byte, &class) in (0_u8..).zip(classes).filter(|(_, class)| **class != 0) {
        match ranges.last_mut() {
            Some((_, last, range_class)) if *last + 1 == byte && *range_class == class => {
                *last = byte;
            }
            _ => ranges.push((byte, byte, class)),
        }
    }
    let ranges = ranges.into_iter().map(|(first, last, class)| {
        let (first, last) = (byte_literal(first), byte_literal(last));
        quote! { (#first, #last, #class) }
    });
    quote! { rt::byte_classes(&[#(#ranges),*]) }
}

/// Returns a readable literal of a byte: a byte character if it is ASCII.
pub(super) fn byte_literal(byte: u8) -> Literal {
    if byte.is_ascii() {
        Literal::byte_character(byte)
    } else {
        format!("0x{byte:X}").parse().expect("a number is a literal")
    }
}
