//! The UTF-8 decoder of the Encoding Standard for input in chunks of any size.

/// A streaming UTF-8 decoder that keeps a byte order mark as a character. Each maximal subpart of an ill-formed
/// sequence becomes one U+FFFD, as in [`String::from_utf8_lossy`]; a sequence cut off by the end of a chunk is completed
/// by the next chunk, which is then copied. Other valid bytes are passed on without a copy.
#[derive(Clone, Debug, Default)]
pub(super) struct Utf8Decoder {
    /// The bytes of an incomplete sequence.
    pending: Vec<u8>,
}

impl Utf8Decoder {
    /// Decodes the next chunk. `take` receives the text in nonempty pieces; an incomplete sequence at the end of the
    /// chunk is kept for the next one.
    pub(super) fn decode(&mut self, chunk: &[u8], mut take: impl FnMut(&str)) {
        let joined = (!self.pending.is_empty()).then(|| [&self.pending, chunk].concat());
        let mut rest = joined.as_deref().unwrap_or(chunk);
        self.pending.clear();
        loop {
            let error = match std::str::from_utf8(rest) {
                Ok(text) => return emit(text, &mut take),
                Err(error) => error,
            };
            let (valid, after) = rest.split_at(error.valid_up_to());
            if let Ok(text) = std::str::from_utf8(valid) {
                emit(text, &mut take);
            }
            let Some(ill_formed) = error.error_len() else {
                return self.pending.extend_from_slice(after);
            };
            take("\u{FFFD}");
            rest = &after[ill_formed..];
        }
    }

    /// Ends the input: an incomplete sequence becomes U+FFFD. The decoder can then be reused.
    pub(super) fn finish(&mut self, mut take: impl FnMut(&str)) {
        if !std::mem::take(&mut self.pending).is_empty() {
            take("\u{FFFD}");
        }
    }
}

/// Passes on the text unless it is empty.
fn emit(text: &str, take: &mut impl FnMut(&str)) {
    if !text.is_empty() {
        take(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLES: &[&[u8]] = &[
        b"",
        b"plain",
        "a\u{E9}\u{20AC}\u{1F600}\u{10FFFF}z".as_bytes(),
        b"\x80\xBFa\xC0\xAFb\xC1\x81c\xF5\x80\x80\x80d",
        b"\xE0\x80\xAF \xE0\x9F\xBF \xED\xA0\x80 \xED\x9F\xBF",
        b"\xF0\x8F\xBF\xBF \xF0\x90\x80 \xF4\x90\x80\x80 \xF4\x8F\xBF\xBF",
        b"\xE2\x82\xE2\x82\xAC\xF0\x9F\x98\xF0\x9F\x98\x80\xC3\xC3\xA9",
        b"cut short \xF0\x9F\x98",
        b"cut short \xE2",
        b"a\xFE\xFFb\xEF\xBB\xEF\xBB\xBF",
        b"\xEF\xBB",
    ];

    fn decode_all<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> String {
        let mut decoder = Utf8Decoder::default();
        let mut text = String::new();
        for chunk in chunks {
            decoder.decode(chunk, |piece| {
                assert!(!piece.is_empty());
                text.push_str(piece);
            });
        }
        decoder.finish(|piece| text.push_str(piece));
        text
    }

    #[test]
    fn text_does_not_depend_on_chunks() {
        for sample in SAMPLES {
            let expected = String::from_utf8_lossy(sample);
            for size in 1..=sample.len().max(1) {
                let text = decode_all(sample.chunks(size));
                assert_eq!(text, expected, "{sample:?} in chunks of {size}");
            }
            for cut in 0..=sample.len() {
                let (first, second) = sample.split_at(cut);
                let text = decode_all([first, &[], second].into_iter());
                assert_eq!(text, expected, "{sample:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn decodes_short_sequences_as_the_standard_library_does() {
        // The bounds of the byte ranges in well-formed sequences, the bytes beyond these bounds, and a letter.
        let bytes = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0,
            0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ];
        for number in 0..bytes.len().pow(4) {
            let sample: [u8; 4] = std::array::from_fn(|index| {
                bytes[number / bytes.len().pow(index as u32) % bytes.len()]
            });
            let text = decode_all(sample.chunks(1));
            assert_eq!(text, String::from_utf8_lossy(&sample), "{sample:?}");
        }
    }

    #[test]
    fn valid_input_is_not_copied() {
        let input = "\u{FEFF}valid \u{20AC} throughout".as_bytes();
        let mut pieces = Vec::new();
        Utf8Decoder::default().decode(input, |piece| pieces.push((piece.as_ptr(), piece.len())));
        assert_eq!(pieces, [(input.as_ptr(), input.len())]);
    }
}
