//! The result of a procedure, such as that which reads a character reference.

use crate::registers::{SourceText, TextRegister};

/// The result of a procedure: one or two characters, or the temporary buffer.
#[derive(Clone, Copy, Debug)]
pub enum Returned {
    /// A text from the table.
    Text(&'static str),
    /// A single character.
    Character(char),
    /// The contents of the temporary buffer.
    TemporaryBuffer,
}

impl Returned {
    /// Returns the characters.
    pub fn text<'a>(
        &'a self,
        temporary_buffer: &'a TextRegister,
        source: SourceText<'a>,
        buffer: &'a mut [u8; 4],
    ) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Character(character) => character.encode_utf8(buffer),
            Self::TemporaryBuffer => temporary_buffer.text(source),
        }
    }
}
