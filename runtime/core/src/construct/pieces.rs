//! Chunks of any size made into pieces that begin at the same places of the input however it is cut: what a parser holds is
//! looked at after each piece, where that is limited. It parses nothing. Invariant: at most one piece waits, unless the
//! machine waits after a declaration of the encoding.

use super::Construction;
use super::parser::Parser;
use crate::tokenizer::Progress;
use crate::tree::TreeSink;

/// How many bytes a piece has, or a few less, so that no character is cut.
const PIECE: usize = 0x4000;

/// What does not make a piece yet.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    text: String,
    bytes: Vec<u8>,
}

impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Parses the pieces that the chunk completes.
    pub(super) fn feed_in_pieces(&mut self, chunk: &str) -> Progress {
        let mut rest = chunk;
        loop {
            let waiting = self.waiting.text.len();
            let (piece, others) =
                rest.split_at(rest.floor_char_boundary(PIECE.saturating_sub(waiting)));
            if others.is_empty() && waiting + piece.len() < PIECE {
                self.waiting.text.push_str(piece);
                return Progress::Ready;
            }
            let progress = if waiting == 0 {
                self.feed_piece(piece)
            } else {
                self.waiting.text.push_str(piece);
                self.feed_waiting()
            };
            rest = others;
            match progress {
                Progress::Ready => {}
                Progress::Paused => {
                    self.waiting.text.push_str(rest);
                    return progress;
                }
                Progress::Ended => return progress,
            }
        }
    }

    /// Parses what waits, though it is less than a piece.
    pub(super) fn feed_waiting(&mut self) -> Progress {
        if self.waiting.text.is_empty() {
            return Progress::Ready;
        }
        let mut piece = std::mem::take(&mut self.waiting.text);
        let progress = self.feed_piece(&piece);
        piece.clear();
        self.waiting.text = piece;
        progress
    }

    /// Goes on after a declaration of the encoding, with what waits.
    pub(super) fn go_on(&mut self) -> Progress {
        let progress = self.resume();
        if progress != Progress::Ready || self.waiting.text.is_empty() {
            return progress;
        }
        let waiting = std::mem::take(&mut self.waiting.text);
        self.feed_in_pieces(&waiting)
    }

    /// Decodes the pieces that the chunk of bytes completes.
    pub(super) fn decode_in_pieces(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        loop {
            let missing = PIECE - self.waiting.bytes.len();
            let (piece, others) = rest.split_at(missing.min(rest.len()));
            self.waiting.bytes.extend_from_slice(piece);
            if piece.len() < missing {
                return;
            }
            self.decode_waiting();
            rest = others;
        }
    }

    /// Decodes the bytes that wait, though they are less than a piece.
    pub(super) fn decode_waiting(&mut self) {
        let mut piece = std::mem::take(&mut self.waiting.bytes);
        if !piece.is_empty() {
            self.decode_chunk(&piece);
        }
        piece.clear();
        self.waiting.bytes = piece;
    }
}
