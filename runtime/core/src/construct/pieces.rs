//! Division of input into pieces at offsets that do not depend on the chunks. If memory is limited, its use is checked
//! after each piece, so that the limit takes effect at the same offset for all chunkings.

use super::Construction;
use super::parser::Parser;
use crate::tokenizer::Progress;
use crate::tree::TreeSink;

/// Length of a piece in bytes. A piece of text can be up to three bytes shorter, so that no character is split.
const PIECE_LEN: usize = 0x4000;

/// Input that waits to be parsed, because it does not fill a piece yet.
#[derive(Debug, Default)]
pub(super) struct PartialPiece {
    text: String,
    bytes: Vec<u8>,
}

impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Parses the pieces that the chunk completes, up to a pause; the input after them waits.
    pub(super) fn feed_in_pieces(&mut self, chunk: &str) -> Progress {
        let mut unfed = chunk;
        loop {
            let waiting_len = self.partial_piece.text.len();
            let (piece, remaining) =
                unfed.split_at(unfed.floor_char_boundary(PIECE_LEN.saturating_sub(waiting_len)));
            if remaining.is_empty() && waiting_len + piece.len() < PIECE_LEN {
                self.partial_piece.text.push_str(piece);
                return Progress::Ready;
            }
            let progress = if waiting_len == 0 {
                self.feed_piece(piece, false)
            } else {
                self.partial_piece.text.push_str(piece);
                self.flush_partial_text()
            };
            unfed = remaining;
            match progress {
                Progress::Ready => {}
                Progress::Paused => {
                    self.partial_piece.text.push_str(unfed);
                    return progress;
                }
                Progress::Ended => return progress,
            }
        }
    }

    /// Parses the waiting text, even if it does not fill a piece.
    pub(super) fn flush_partial_text(&mut self) -> Progress {
        if self.partial_piece.text.is_empty() {
            return Progress::Ready;
        }
        let mut piece = std::mem::take(&mut self.partial_piece.text);
        let progress = self.feed_piece(&piece, false);
        piece.clear();
        self.partial_piece.text = piece;
        progress
    }

    /// Resumes after a pause, and continues with the waiting text.
    pub(super) fn resume_with_partial(&mut self) -> Progress {
        let progress = self.resume();
        if progress != Progress::Ready || self.partial_piece.text.is_empty() {
            return progress;
        }
        let waiting_text = std::mem::take(&mut self.partial_piece.text);
        self.feed_in_pieces(&waiting_text)
    }

    /// Decodes the pieces that the chunk of bytes completes; the bytes after them wait.
    pub(super) fn decode_in_pieces(&mut self, chunk: &[u8]) {
        let mut unfed = chunk;
        loop {
            let missing_len = PIECE_LEN - self.partial_piece.bytes.len();
            let (piece, remaining) = unfed.split_at(missing_len.min(unfed.len()));
            self.partial_piece.bytes.extend_from_slice(piece);
            if piece.len() < missing_len {
                return;
            }
            self.flush_partial_bytes();
            unfed = remaining;
        }
    }

    /// Decodes the waiting bytes, even if they do not fill a piece.
    pub(super) fn flush_partial_bytes(&mut self) {
        let mut piece = std::mem::take(&mut self.partial_piece.bytes);
        if !piece.is_empty() {
            self.decode_chunk(&piece);
        }
        piece.clear();
        self.partial_piece.bytes = piece;
    }
}
