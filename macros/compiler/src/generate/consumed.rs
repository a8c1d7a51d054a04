//! The input that a row consumes.

use proc_macro2::TokenStream;
use quote::quote;

/// The input that a row consumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consumed {
    /// Nothing, as the row does not read the input.
    Nothing,
    /// The end of the input.
    EndOfFile,
    /// An ASCII byte that is known at compile time.
    Byte(u8),
    /// An ASCII byte that is known only at run time.
    Ascii,
    Character,
    /// CR or CRLF, `width` bytes long, read as LF.
    LineEnd,
    /// U+0000, read as U+FFFD.
    Null,
    /// A special byte, at which the window ends.
    Special(u8),
    /// A look-ahead match, `length` bytes long.
    Match,
    /// A lexical token, `length` bytes long, of the lexeme with this index in the automaton.
    Lexeme(u8),
}

impl Consumed {
    /// Generates the number of bytes consumed from `pos` on.
    pub(super) fn length(self) -> TokenStream {
        match self {
            Self::Nothing | Self::EndOfFile => quote! { 0 },
            Self::Byte(_) | Self::Ascii | Self::Null | Self::Special(_) => quote! { 1 },
            Self::LineEnd => quote! { width },
            Self::Character => quote! { rt::scan::width(byte) },
            Self::Match | Self::Lexeme(_) => quote! { length },
        }
    }

    /// Returns the character that the row reads in place of the input, if the input is replaced.
    pub(super) fn replacement(self) -> Option<char> {
        if self == Self::Null {
            return Some(char::REPLACEMENT_CHARACTER);
        }
        (self == Self::LineEnd).then_some('\n')
    }

    /// Returns the consumed byte, if it is a single one that is known at compile time.
    pub(super) fn byte(self) -> Option<u8> {
        if let Self::Byte(byte) | Self::Special(byte) = self { Some(byte) } else { None }
    }
}
