//! Incremental decoding of bytes in an unknown encoding: the first bytes are buffered until the encoding is known. The
//! text does not depend on how the bytes are split into chunks.

use super::{
    Change, Choice, Clues, Decoder, Encoding, Hints, NO_CLUES, PRESCAN_LENGTH, Source,
    detected_text, valid_utf_8,
};

/// A decoder of bytes in chunks of any size that also determines their encoding.
///
/// ```
/// use tabulex::encoding::{ByteStream, Hints};
/// use tabulex::html::Html;
///
/// let mut stream = ByteStream::of::<Html>(Hints::new());
/// let mut text = String::new();
/// stream.feed(b"<meta charset=utf-8>na\xC3", |piece| text.push_str(piece));
/// stream.feed(b"\xAFve", |piece| text.push_str(piece));
/// assert_eq!(stream.finish(|piece| text.push_str(piece)).encoding.name(), "UTF-8");
/// assert_eq!(text, "<meta charset=utf-8>naïve");
/// ```
#[derive(Debug)]
pub struct ByteStream {
    clues: &'static Clues,
    hints: Hints,
    /// The bytes that are not decoded yet: the first bytes until the encoding is known; afterwards, an incomplete or
    /// invalid UTF-8 sequence and the bytes after it.
    undecoded: Vec<u8>,
    decision: Option<(Choice, Decoder)>,
    /// The encoding to fall back to, while UTF-8 is assumed only because all bytes so far were valid UTF-8; `None`
    /// otherwise.
    fallback: Option<Encoding>,
    /// Whether all bytes decoded so far were ASCII.
    is_ascii: bool,
}

impl ByteStream {
    /// Creates a stream for the dialect with the clues `clues`.
    pub fn new(clues: &'static Clues, hints: Hints) -> Self {
        let undecoded = Vec::new();
        Self { clues, hints, undecoded, decision: None, fallback: None, is_ascii: true }
    }

    /// Creates a stream for the dialect `M`.
    pub fn of<M: crate::Machine>(hints: Hints) -> Self {
        Self::new(M::CLUES, hints)
    }

    /// Creates a stream for bytes that are known to be in `encoding`; only a byte order mark overrides it.
    pub fn certain(encoding: Encoding) -> Self {
        Self::new(NO_CLUES, Hints::new().override_with(encoding))
    }

    /// Returns the encoding and the confidence in it, or `None` while they are not known yet.
    pub fn choice(&self) -> Option<Choice> {
        self.decision.as_ref().map(|(choice, _)| *choice)
    }

    /// Decodes the next chunk. Once the encoding is known, after [`PRESCAN_LENGTH`] bytes at the latest, `take`
    /// receives the text in nonempty pieces. A byte order mark is the first character of the text, U+FEFF.
    ///
    /// If UTF-8 is assumed only because all bytes so far were valid UTF-8, an invalid sequence changes the encoding to
    /// the default. If all text so far was ASCII, decoding continues in the default. Otherwise the input must be
    /// decoded again; a caller that cannot do so may continue with this stream, which remains UTF-8.
    pub fn feed(&mut self, chunk: &[u8], take: impl FnMut(&str)) -> Change {
        if self.decision.is_some() {
            return self.decode(chunk, take);
        }
        self.undecoded.extend_from_slice(chunk);
        let mut earlier_sources =
            self.clues.sources.iter().take_while(|(source, _)| *source != Source::Prescan);
        let is_known = earlier_sources.any(|(source, _)| match source {
            Source::Override => self.hints.override_with.is_some(),
            Source::Transport => self.hints.transport.is_some(),
            _ => false,
        });
        // If the encoding is known, only a byte order mark, which has at most three bytes, can override it.
        let needed_len = if is_known { 3 } else { PRESCAN_LENGTH };
        if self.undecoded.len() < needed_len {
            return Change::Kept;
        }
        self.decide(false);
        self.decode(&[], take)
    }

    /// Ends the input, decodes the bytes not decoded yet, and returns the encoding and the confidence in it.
    pub fn finish(mut self, mut take: impl FnMut(&str)) -> Choice {
        self.decide_now(&mut take);
        let falls_back = self.is_ascii && !self.undecoded.is_empty();
        if let Some(fallback) = self.fallback.take().filter(|_| falls_back) {
            self.decision = Some((Choice::tentative(fallback), Decoder::new(fallback)));
        }
        let Some((choice, mut decoder)) = self.decision else { return Choice::irrelevant() };
        decoder.decode(&self.undecoded, &mut take);
        decoder.finish(take);
        choice
    }

    /// Determines the encoding, if it is not known yet, from the bytes so far, and decodes them; no more bytes follow.
    pub(crate) fn decide_now(&mut self, take: impl FnMut(&str)) {
        if self.decision.is_none() {
            self.decide(true);
            self.decode(&[], take);
        }
    }

    /// Applies an encoding that the document declares while it is parsed; see [`Choice::change`].
    pub fn change(&mut self, new: Encoding) -> Change {
        let Some((choice, decoder)) = &mut self.decision else { return Change::Kept };
        let is_ascii = self.is_ascii && self.undecoded.is_empty();
        let change = choice.change_after(is_ascii, new, self.clues);
        self.fallback = None;
        if change == Change::Switched {
            *decoder = Decoder::new(choice.encoding);
        }
        change
    }

    /// Restores `before`, the choice before a change of the encoding that is not carried out.
    pub(crate) fn keep_encoding(&mut self, before: Option<Choice>) {
        if let (Some((choice, _)), Some(before)) = (&mut self.decision, before) {
            *choice = before;
        }
    }

    /// Determines the encoding from the bytes so far, which are the whole input if `is_whole_input`.
    fn decide(&mut self, is_whole_input: bool) {
        let (mut choice, fallback) = Choice::sniff_first(&self.undecoded, self.clues, &self.hints);
        self.fallback = fallback.filter(|_| match is_whole_input {
            true => detected_text(&self.undecoded, &self.hints).is_some(),
            false => split_utf_8(&self.undecoded).2,
        });
        if let (None, Some(fallback)) = (self.fallback, fallback) {
            choice.encoding = fallback;
        }
        self.decision = Some((choice, Decoder::new(choice.encoding)));
    }

    fn decode(&mut self, chunk: &[u8], mut take: impl FnMut(&str)) -> Change {
        let Some((choice, decoder)) = &mut self.decision else { return Change::Kept };
        let mut buffer = std::mem::take(&mut self.undecoded);
        let bytes = if buffer.is_empty() {
            chunk
        } else {
            buffer.extend_from_slice(chunk);
            &buffer
        };
        let Some(fallback) = self.fallback else {
            self.is_ascii = self.is_ascii && bytes.is_ascii();
            decoder.decode(bytes, take);
            return Change::Kept;
        };
        let (text, rest, is_utf_8) = split_utf_8(bytes);
        self.is_ascii = self.is_ascii && text.is_ascii();
        if !text.is_empty() {
            take(text);
        }
        self.undecoded = rest.to_owned();
        if is_utf_8 {
            return Change::Kept;
        }
        self.fallback = None;
        if !self.is_ascii {
            return Change::Restart(fallback);
        }
        (*choice, *decoder) = (Choice::tentative(fallback), Decoder::new(fallback));
        self.is_ascii = false;
        decoder.decode(&std::mem::take(&mut self.undecoded), take);
        Change::Switched
    }
}

/// Splits the bytes after their longest prefix of valid UTF-8. The third value tells whether the rest is empty or an
/// incomplete sequence.
fn split_utf_8(bytes: &[u8]) -> (&str, &[u8], bool) {
    if let Some(text) = valid_utf_8(bytes) {
        return (text, &[], true);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => (text, &[], true),
        Err(error) => {
            let (text, rest) = bytes.split_at(error.valid_up_to());
            (valid_utf_8(text).unwrap_or_default(), rest, error.error_len().is_none())
        }
    }
}
