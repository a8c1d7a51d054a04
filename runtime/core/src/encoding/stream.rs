//! Bytes of an unknown encoding to text, chunk by chunk: the first bytes are kept until the encoding is known. It
//! parses nothing. Invariant: what comes out is the same however the bytes are cut.

use super::{Change, Choice, Clues, Decoder, Encoding, Hints, NO_CLUES, PRESCAN_LENGTH};

/// Finds the encoding of bytes that arrive in chunks of any size, and decodes them.
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
    /// The first bytes, until the encoding is known.
    first: Vec<u8>,
    decided: Option<(Choice, Decoder)>,
    /// Whether every byte so far was ASCII.
    is_ascii: bool,
}

impl ByteStream {
    /// A stream of the dialect whose clues these are.
    pub fn new(clues: &'static Clues, hints: Hints) -> Self {
        Self { clues, hints, first: Vec::new(), decided: None, is_ascii: true }
    }

    /// A stream of the dialect.
    pub fn of<M: crate::Machine>(hints: Hints) -> Self {
        Self::new(M::CLUES, hints)
    }

    /// A stream whose encoding is certain; only a byte order mark outweighs it.
    pub fn certain(encoding: Encoding) -> Self {
        Self::new(NO_CLUES, Hints::new().override_with(encoding))
    }

    /// The encoding, once it is known.
    pub fn choice(&self) -> Option<Choice> {
        self.decided.as_ref().map(|(choice, _)| *choice)
    }

    /// Takes the next chunk. `take` is given the text in pieces, none of them empty; nothing as long as the encoding is
    /// not known, which it is after [`PRESCAN_LENGTH`] bytes.
    pub fn feed(&mut self, chunk: &[u8], mut take: impl FnMut(&str)) {
        self.is_ascii = self.is_ascii && chunk.is_ascii();
        if let Some((_, decoder)) = &mut self.decided {
            return decoder.decode(chunk, take);
        }
        self.first.extend_from_slice(chunk);
        let is_asked = self.hints.override_with.is_some() || self.hints.transport.is_some();
        // The longest byte order mark has three bytes.
        let needed = if is_asked { 3 } else { PRESCAN_LENGTH };
        if self.first.len() >= needed {
            self.decide(&mut take);
        }
    }

    /// Takes the end of the input; what encoding it had.
    pub fn finish(mut self, mut take: impl FnMut(&str)) -> Choice {
        self.tell_now(&mut take);
        let Some((choice, decoder)) = self.decided else { return Choice::irrelevant() };
        decoder.finish(take);
        choice
    }

    /// Determines the encoding, if it is not known yet: the bytes so far are all that there are.
    pub(crate) fn tell_now(&mut self, mut take: impl FnMut(&str)) {
        if self.decided.is_none() {
            self.decide(&mut take);
        }
    }

    /// The document declares this encoding while it is parsed: see [`Choice::change`].
    pub fn change(&mut self, new: Encoding) -> Change {
        let Some((choice, decoder)) = &mut self.decided else { return Change::Kept };
        let change = choice.change_after(self.is_ascii, new, self.clues);
        if change == Change::Switched {
            *decoder = Decoder::new(choice.encoding);
        }
        change
    }

    /// Goes on in the encoding of this choice, which is not changed after all.
    pub(crate) fn stay(&mut self, before: Option<Choice>) {
        if let (Some((choice, _)), Some(before)) = (&mut self.decided, before) {
            *choice = before;
        }
    }

    fn decide(&mut self, take: &mut impl FnMut(&str)) {
        let first = std::mem::take(&mut self.first);
        let choice = Choice::sniff(&first, self.clues, &self.hints);
        let mark = Encoding::for_mark(&first).filter(|(marked, _)| *marked == choice.encoding);
        let mark = mark.map_or(0, |(_, length)| length);
        let mut decoder = Decoder::new(choice.encoding);
        decoder.decode(&first[mark..], take);
        self.decided = Some((choice, decoder));
    }
}
