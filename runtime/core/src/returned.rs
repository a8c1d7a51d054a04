//! What a procedure returned to its caller. It is not the text itself where a register holds that. Invariant: it is used
//! before anything else is read.

use crate::registers::{Source, TextRegister};

/// One or two characters that a procedure returned.
#[derive(Clone, Copy, Debug)]
pub enum Returned {
    /// A text of the table.
    Text(&'static str),
    /// A character by its number.
    Character(char),
    /// What the temporary buffer holds.
    TemporaryBuffer,
}

impl Returned {
    /// The characters.
    pub fn text<'a>(
        &'a self,
        temporary_buffer: &'a TextRegister,
        source: Source<'a>,
        buffer: &'a mut [u8; 4],
    ) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Character(character) => character.encode_utf8(buffer),
            Self::TemporaryBuffer => temporary_buffer.text(source),
        }
    }
}
