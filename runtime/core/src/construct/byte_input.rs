//! State of a byte input between two chunks.

use crate::encoding::ByteStream;

/// Decoding state of a parser that is fed bytes.
#[derive(Debug)]
pub(super) struct DecodingState {
    pub(super) stream: ByteStream,
    /// All bytes so far, while they may have to be decoded again; `None` afterwards.
    pub(super) retained: Option<Vec<u8>>,
    /// Text decoded after an encoding declaration, held until it is known whether the bytes are decoded again.
    pub(super) deferred: String,
}

impl DecodingState {
    /// Frees the buffered bytes and text.
    pub(super) fn clear(&mut self) {
        (self.retained, self.deferred) = (None, String::new());
    }

    /// Returns the heap size of the buffers in bytes.
    pub(super) fn memory_usage(&self) -> usize {
        self.retained.as_ref().map_or(0, Vec::capacity) + self.deferred.capacity()
    }
}
