//! Sets of bytes as `match` patterns and as tables, and sets of characters as predicates.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens as _, quote};
use tabulex_language::model::CharacterSet;

/// The minimum difference between the last and the first byte of a range pattern. Bytes of shorter runs are listed
/// singly, because rustc tests range patterns before single bytes.
const MIN_RANGE_SPAN: u8 = 8;

/// Generates patterns that match the bytes, with long runs of bytes as ranges.
pub(super) fn ranges(bytes: &[u8]) -> Vec<TokenStream> {
    let ranges = group_ranges(bytes.iter().copied());
    ranges
        .iter()
        .flat_map(|&(first, last)| match last - first {
            0..MIN_RANGE_SPAN => {
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

/// Returns, for each byte, whether a character of the set begins with it.
pub(super) fn first_bytes(set: &CharacterSet) -> [bool; 256] {
    let mut first_bytes = [false; 256];
    for &(first, last) in set.ranges() {
        // UTF-8 preserves the order of characters, so the first bytes of a range form a range.
        let first_byte = |character: char| character.encode_utf8(&mut [0; 4]).as_bytes()[0];
        first_bytes[usize::from(first_byte(first))..=usize::from(first_byte(last))].fill(true);
    }
    // A range from an ASCII to a non-ASCII character includes continuation bytes, which begin no character.
    first_bytes[0x80..0xC0].fill(false);
    first_bytes
}

/// Generates a predicate for membership in a character set.
pub(super) fn one_of(set: &CharacterSet) -> TokenStream {
    if set.is_empty() {
        return quote! { |_: char| false };
    }
    let is_member = membership(set);
    quote! { |character: char| #is_member }
}

/// Generates a test of whether `character` is in the set.
pub(super) fn membership(set: &CharacterSet) -> TokenStream {
    if set.is_empty() {
        return quote! { false };
    }
    let ranges = set.ranges().iter().map(|(first, last)| quote! { #first..=#last });
    quote! { matches!(character, #(#ranges)|*) }
}

/// Generates a constant expression for a set of characters.
pub(super) fn character_set(set: &CharacterSet) -> TokenStream {
    let begins_none = byte_set(&first_bytes(set).map(|begins| !begins));
    let (is_member, needles) = (one_of(set), needles(set));
    quote! { rt::CharacterSet::new(&#begins_none, #is_member, #needles) }
}

/// Generates the bytes of a set of at most three characters, all ASCII; `None` for other sets.
fn needles(set: &CharacterSet) -> TokenStream {
    let characters = set.ranges().iter().flat_map(|&(first, last)| first..=last).take(4);
    let bytes: Option<Vec<u8>> =
        characters.map(|it| u8::try_from(it).ok().filter(u8::is_ascii)).collect();
    match bytes.as_deref() {
        Some([first, others @ ..]) if others.len() < 3 => {
            let needles = [Some(first), others.first(), others.get(1)];
            let needles = needles.map(|needle| byte_literal(*needle.unwrap_or(first)));
            quote! { Some([#(#needles),*]) }
        }
        _ => quote! { None },
    }
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
