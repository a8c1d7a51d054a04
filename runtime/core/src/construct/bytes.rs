//! Parsing of bytes. Bytes are decoded in their likely encoding, and parsed again if the document declares another one.
//! The tree does not depend on how the bytes are split into chunks.

use super::parser::Parser;
use super::{Construction, Options, Parsed};
use crate::encoding::{ByteStream, Change, Choice, Confidence, Encoding, decode};
use crate::tokenizer::Progress;
use crate::tree::TreeSink;

/// Parses the bytes of a whole input. The encoding is determined as the dialect's table specifies; [`Parsed::encoding`]
/// returns it and its confidence.
pub fn parse_bytes<D: Construction>(bytes: &[u8], options: &Options) -> Parsed {
    let mut parser = Parser::<D>::for_input(bytes.len(), options);
    let encoding = parser.feed_all_bytes(bytes);
    let parsed = parser.finish();
    Parsed { encoding: encoding.unwrap_or(parsed.encoding), ..parsed }
}

/// Input given as one slice of bytes.
impl<D: Construction> Parser<D> {
    /// Parses the bytes of a whole input, like [`parse`](Self::parse) for text. Must be called before anything is fed.
    pub fn parse_bytes(&mut self, bytes: &[u8]) -> Parsed {
        let encoding = self.feed_all_bytes(bytes);
        let parsed = self.finish_and_reset();
        Parsed { encoding: encoding.unwrap_or(parsed.encoding), ..parsed }
    }

    /// Parses the bytes of a whole input without finishing. Returns the encoding, or `None` if
    /// [`finish_input`](Self::finish_input) is to determine it.
    fn feed_all_bytes(&mut self, bytes: &[u8]) -> Option<Choice> {
        if !self.options.limits.checks_memory_at_end() {
            self.feed_bytes(bytes);
            return None;
        }
        let (mut choice, text) = Choice::decode(bytes, D::CLUES, &self.options.hints);
        self.drop_decoded_bom(bytes);
        if choice.confidence == Confidence::Tentative {
            self.builder.watches_encoding = true;
            let mut change = None;
            self.feed_last(&text, |parser| {
                let declared_encoding = parser.builder.declared_encoding.take();
                change = declared_encoding
                    .map(|encoding| choice.change_after(bytes.is_ascii(), encoding, D::CLUES));
                !matches!(change, Some(Change::Restart(_)))
            });
            if let Some(Change::Restart(encoding)) = change {
                drop(text);
                self.reset();
                self.drop_decoded_bom(bytes);
                self.feed_last(&decode(bytes, encoding), |_| true);
            }
        } else {
            self.feed_last(&text, |_| true);
        }
        Some(choice)
    }
}

/// Input given in chunks of bytes.
impl<D: Construction, S: TreeSink> Parser<D, S> {
    /// Parses the next chunk of bytes. The encoding is determined by the dialect's table and the hints of the options;
    /// a parser takes bytes or text, not both. If the document declares an encoding other than the assumed one, or
    /// turns out not to be the UTF-8 that it was taken for, all bytes so far are parsed again, unless they are ASCII,
    /// which the encodings decode alike, or the sink cannot be [restarted](TreeSink::restart).
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let mut parser = html::parser(Options::new());
    /// for byte in b"<meta charset=utf-8><p>na\xC3\xAFve" {
    ///     parser.feed_bytes(&[*byte]);
    /// }
    /// let parsed = parser.finish();
    /// assert_eq!((parsed.tree.root().text().as_str(), parsed.encoding.encoding.name()), ("na\u{EF}ve", "UTF-8"));
    /// ```
    pub fn feed_bytes(&mut self, chunk: &[u8]) {
        if self.options.limits.checks_memory_at_end() {
            self.decode_chunk(chunk);
        } else {
            self.decode_in_pieces(chunk);
        }
    }

    /// Decodes the chunk and parses its text.
    pub(super) fn decode_chunk(&mut self, chunk: &[u8]) {
        if self.builder.limits.is_out_of_memory {
            return;
        }
        self.is_new = false;
        let mut decoding = self.decoding.take().unwrap_or_else(|| {
            self.builder.watches_encoding = true;
            let stream = ByteStream::of::<D>(self.options.hints.clone());
            Box::new(DecodingState { stream, retained: Some(Vec::new()), deferred: String::new() })
        });
        if let Some(retained) = &mut decoding.retained {
            retained.extend_from_slice(chunk);
            self.drop_decoded_bom(retained);
        }
        let DecodingState { stream, deferred, .. } = &mut *decoding;
        let change = stream.feed(chunk, |piece| self.feed_or_defer(piece, deferred));
        if matches!(change, Change::Restart(_)) && self.builder.declared_encoding.is_none() {
            if let Some(sink) = self.builder.sink.restart() {
                let hints = self.options.hints.clone().autodetect(false);
                let retained = decoding.retained.unwrap_or_default();
                return self.restart(sink, ByteStream::of::<D>(hints), true, &retained);
            }
            decoding.retained = None;
        }
        self.apply_encoding_change(decoding);
        let _ = self.limit_held_bytes(Progress::Ready);
        if self.builder.limits.is_out_of_memory {
            self.decoding.iter_mut().for_each(|decoding| decoding.clear());
        }
    }

    /// Sets the tokenizer to drop a leading U+FEFF if the bytes begin with a byte order mark. In an encoding without
    /// one, U+FEFF is an ordinary character.
    fn drop_decoded_bom(&mut self, bytes: &[u8]) {
        self.tokenizer.set_keeps_bom(Encoding::for_mark(bytes).is_none());
    }

    /// Parses a piece of text, or appends it to `deferred` while an encoding declaration is pending.
    fn feed_or_defer(&mut self, piece: &str, deferred: &mut String) {
        if self.builder.declared_encoding.is_some() {
            deferred.push_str(piece);
        } else {
            self.feed(piece);
        }
    }

    /// Applies the pending encoding declaration, if there is one.
    fn apply_encoding_change(&mut self, mut decoding: Box<DecodingState>) {
        let previous_choice = decoding.stream.choice();
        let change =
            self.builder.declared_encoding.take().map(|encoding| decoding.stream.change(encoding));
        if let Some(Change::Restart(encoding)) = change {
            if let Some(sink) = self.builder.sink.restart() {
                let retained = decoding.retained.unwrap_or_default();
                return self.restart(sink, ByteStream::certain(encoding), false, &retained);
            }
            decoding.stream.keep_encoding(previous_choice);
            decoding.retained = None;
        }
        if self.builder.limits.is_out_of_memory {
            decoding.retained = None;
        }
        if change.is_some() {
            let _ = self.resume_with_partial();
            self.feed(&std::mem::take(&mut decoding.deferred));
        }
        if decoding.stream.choice().is_some_and(|choice| choice.confidence == Confidence::Certain) {
            decoding.retained = None;
            self.builder.watches_encoding = false;
        }
        self.decoding = Some(decoding);
    }

    /// Parses the retained bytes again with an empty sink and a new stream. With `is_tentative`, the document may still
    /// change the encoding.
    fn restart(&mut self, sink: S, stream: ByteStream, is_tentative: bool, retained: &[u8]) {
        drop(self.restart_with(sink));
        self.drop_decoded_bom(retained);
        self.builder.watches_encoding = is_tentative;
        let retained_again = is_tentative.then(Vec::new);
        self.decoding = Some(Box::new(DecodingState {
            stream,
            retained: retained_again,
            deferred: String::new(),
        }));
        self.decode_chunk(retained);
    }

    /// Parses the remaining input given as bytes, and returns its encoding; for input given as text, returns
    /// `Choice::irrelevant()`.
    pub(super) fn finish_bytes(&mut self) -> Choice {
        self.flush_partial_bytes();
        let Some(mut decoding) = self.decoding.take() else { return Choice::irrelevant() };
        let DecodingState { stream, deferred, .. } = &mut *decoding;
        stream.decide_now(|piece| self.feed_or_defer(piece, deferred));
        if self.builder.declared_encoding.is_none() {
            // The encoding declaration may be in waiting text that does not fill a piece, so this text is parsed now.
            let _ = self.flush_partial_text();
        }
        self.apply_encoding_change(decoding);
        let decoding = self.decoding.take();
        let finish =
            |decoding: Box<DecodingState>| decoding.stream.finish(|piece| self.feed(piece));
        decoding.map_or_else(Choice::irrelevant, finish)
    }
}

/// The state of decoding in a parser that is fed bytes.
#[derive(Debug)]
pub(super) struct DecodingState {
    pub(super) stream: ByteStream,
    /// All bytes so far, or `None` once they need not be decoded again.
    pub(super) retained: Option<Vec<u8>>,
    /// Text decoded after an encoding declaration, held until it is known whether the bytes are decoded again.
    pub(super) deferred: String,
}

impl DecodingState {
    /// Frees the buffered bytes and text.
    pub(super) fn clear(&mut self) {
        (self.retained, self.deferred) = (None, String::new());
    }

    pub(super) fn memory_usage(&self) -> usize {
        self.retained.as_ref().map_or(0, Vec::capacity) + self.deferred.capacity()
    }
}
