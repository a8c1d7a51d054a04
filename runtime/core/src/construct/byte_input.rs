//! State of a byte input between two chunks.

use crate::encoding::ByteStream;

/// Decoding state of a parser that is fed bytes.
#[derive(Debug)]
pub(super) struct Bytes {
    pub(super) stream: ByteStream,
    /// All bytes so far, while they may have to be decoded again; `None` afterwards.
    pub(super) kept: Option<Vec<u8>>,
    /// Text decoded after an encoding declaration, held until it is known whether the bytes are decoded again.
    pub(super) held: String,
}

impl Bytes {
    /// Frees the buffered bytes and text.
    pub(super) fn leave(&mut self) {
        (self.kept, self.held) = (None, String::new());
    }

    /// Returns the heap size of the buffers in bytes.
    pub(super) fn size(&self) -> usize {
        self.kept.as_ref().map_or(0, Vec::capacity) + self.held.capacity()
    }
}
