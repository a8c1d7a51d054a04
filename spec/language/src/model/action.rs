//! Operands of actions and conditions of states, which `vocabulary` declares with their syntax.

use super::{CharacterSet, StateId};
pub use crate::vocabulary::{Field, Register, Text, TokenFlag, TokenKind};

/// An edit of a field's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Strips characters of the set from both ends, and collapses each run of them within the text to a space.
    StripAndCollapse(CharacterSet),
    /// Replaces each character of the set by its bytes in UTF-8, each written as the given escape character and two
    /// uppercase hexadecimal digits.
    Escape(CharacterSet, char),
    /// Replaces each occurrence of this character with two hexadecimal digits after it by the byte that the digits
    /// encode, and decodes all bytes as UTF-8; malformed sequences become U+FFFD.
    Unescape(char),
    /// Drops the text from the last occurrence of the character to the end; all of it if the character does not occur.
    CutFromLast(char),
    /// Replaces the first occurrence of the first string by the second.
    ReplaceFirst(String, String),
    /// Replaces the text by the first field of the first declared token that the machine emits when it runs over the
    /// text from this state; the field becomes missing if no such token is emitted.
    Run(StateId),
    /// Replaces the text by the result of the host's function of this name; the field becomes missing if that fails.
    ByHost(String),
    /// Converts ASCII letters to lower case.
    Lowercase,
    /// Makes the field missing.
    Unset,
}

/// Destination to which an action transfers control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transfer {
    /// No transfer.
    #[default]
    Nowhere,
    /// A state.
    To(StateId),
    /// The return state.
    ToReturnState,
    /// The state pushed last.
    ToPushedState,
    /// The caller of the procedure, to which nothing is returned.
    ReturnNothing,
    /// The caller of the procedure, to which characters are returned.
    ReturnText,
    /// The end of the run: the machine stops.
    Ends,
}
