//! What a row takes from the input, and where that ends. It makes no code of actions. Invariant: its end is never before
//! its beginning.

use proc_macro2::TokenStream;
use quote::quote;

/// What a row consumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Consumed {
    /// Nothing: the row does not look at the input.
    Nothing,
    /// The end of the input.
    EndOfFile,
    /// This ASCII byte.
    Byte(u8),
    /// An ASCII byte.
    Ascii,
    /// A character.
    Character,
    /// A CR, or a CR and the LF after it, `width` bytes that stand for LF.
    LineEnd,
    /// U+0000, which stands for U+FFFD.
    Null,
    /// This byte, at which the window ends.
    Special(u8),
    /// Something that was matched ahead, `length` bytes long.
    Match,
    /// A lexical token, `length` bytes long.
    Lexeme,
    /// One ASCII byte, which lies before `pos` already.
    Before,
}

impl Consumed {
    /// The bytes of it from `pos` on.
    pub(super) fn length(self) -> TokenStream {
        match self {
            Self::Nothing | Self::EndOfFile | Self::Before => quote! { 0 },
            Self::Byte(_) | Self::Ascii | Self::Null | Self::Special(_) => quote! { 1 },
            Self::LineEnd => quote! { width },
            Self::Character => quote! { rt::scan::width(byte) },
            Self::Match | Self::Lexeme => quote! { length },
        }
    }

    /// The character that it stands for, if that is another one.
    pub(super) fn stands_for(self) -> Option<char> {
        match self {
            Self::LineEnd => Some('\n'),
            Self::Null => Some(char::REPLACEMENT_CHARACTER),
            Self::Nothing
            | Self::EndOfFile
            | Self::Byte(_)
            | Self::Ascii
            | Self::Character
            | Self::Special(_)
            | Self::Match
            | Self::Lexeme
            | Self::Before => None,
        }
    }

    /// The one byte that it is, if it is one that the table knows.
    pub(super) fn byte(self) -> Option<u8> {
        if let Self::Byte(byte) | Self::Special(byte) = self { Some(byte) } else { None }
    }
}
