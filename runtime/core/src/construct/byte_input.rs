//! The state of an input of bytes between two chunks. It decodes nothing. Invariant: bytes are kept only as long as they
//! may have to be decoded anew.

use crate::encoding::ByteStream;

/// What a parser knows of the bytes that it is fed.
#[derive(Debug)]
pub(super) struct Bytes {
    pub(super) stream: ByteStream,
    /// All bytes so far, as long as they may have to be decoded anew; none afterwards.
    pub(super) kept: Option<Vec<u8>>,
    /// What was decoded after a declaration of the encoding, until it is known whether it is decoded anew.
    pub(super) held: String,
}

impl Bytes {
    /// Gives back what is kept and held.
    pub(super) fn leave(&mut self) {
        (self.kept, self.held) = (None, String::new());
    }

    /// The bytes on the heap that are kept or held.
    pub(super) fn size(&self) -> usize {
        self.kept.as_ref().map_or(0, Vec::capacity) + self.held.capacity()
    }
}
