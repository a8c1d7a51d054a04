//! The UTF-8 decoder of the Encoding Standard for input in chunks of any size. Other encodings are decoded in
//! `encoding`.

/// The byte order mark, which "UTF-8 decode" removes from the start of the input.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// A streaming UTF-8 decoder. Each maximal subpart of an ill-formed sequence becomes one U+FFFD, as in
/// [`String::from_utf8_lossy`]; a sequence cut off by the end of a chunk is completed by the next chunk, which
/// is then copied. Other valid bytes are passed on without a copy.
///
/// ```
/// let mut decoder = tabulex::Utf8Decoder::new();
/// let mut text = String::new();
/// decoder.decode(b"\xEF\xBB\xBFna\xC3", |piece| text.push_str(piece));
/// decoder.decode(b"\xAFve \xE2\x82", |piece| text.push_str(piece));
/// decoder.finish(|piece| text.push_str(piece));
/// assert_eq!(text, "naïve \u{FFFD}");
/// ```
#[derive(Clone, Debug)]
pub struct Utf8Decoder {
    /// The bytes of an incomplete sequence.
    pending: Vec<u8>,
    /// Whether a byte order mark is removed if the next text begins with one.
    strips_bom: bool,
}

impl Utf8Decoder {
    /// Creates a decoder that removes a byte order mark at the start of the input ("UTF-8 decode").
    pub fn new() -> Self {
        Self { pending: Vec::new(), strips_bom: true }
    }

    /// Creates a decoder that keeps a byte order mark as a character ("UTF-8 decode without BOM").
    pub fn without_mark() -> Self {
        Self { strips_bom: false, ..Self::new() }
    }

    /// Decodes the next chunk. `take` receives the text in nonempty pieces; an incomplete sequence at the end of the
    /// chunk is kept for the next one.
    pub fn decode(&mut self, chunk: &[u8], mut take: impl FnMut(&str)) {
        let joined = (!self.pending.is_empty()).then(|| [&self.pending, chunk].concat());
        let mut rest = joined.as_deref().unwrap_or(chunk);
        self.pending.clear();
        loop {
            let error = match std::str::from_utf8(rest) {
                Ok(text) => return self.emit(text, &mut take),
                Err(error) => error,
            };
            let (valid, after) = rest.split_at(error.valid_up_to());
            if let Ok(text) = std::str::from_utf8(valid) {
                self.emit(text, &mut take);
            }
            let Some(ill_formed) = error.error_len() else {
                return self.pending.extend_from_slice(after);
            };
            self.emit("\u{FFFD}", &mut take);
            rest = &after[ill_formed..];
        }
    }

    /// Ends the input: an incomplete sequence becomes U+FFFD. The decoder can then be reused, but removes a byte order
    /// mark only from the first text that it ever decodes.
    pub fn finish(&mut self, mut take: impl FnMut(&str)) {
        if !std::mem::take(&mut self.pending).is_empty() {
            self.emit("\u{FFFD}", &mut take);
        }
    }

    fn emit(&mut self, text: &str, take: &mut impl FnMut(&str)) {
        if text.is_empty() {
            return;
        }
        let text = match self.strips_bom {
            true => text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text),
            false => text,
        };
        self.strips_bom = false;
        if !text.is_empty() {
            take(text);
        }
    }
}

impl Default for Utf8Decoder {
    fn default() -> Self {
        Self::new()
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

    fn decode_all<'a>(mut decoder: Utf8Decoder, chunks: impl Iterator<Item = &'a [u8]>) -> String {
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
                let text = decode_all(Utf8Decoder::new(), sample.chunks(size));
                assert_eq!(text, expected, "{sample:?} in chunks of {size}");
            }
            for cut in 0..=sample.len() {
                let (first, second) = sample.split_at(cut);
                let text = decode_all(Utf8Decoder::new(), [first, &[], second].into_iter());
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
            let text = decode_all(Utf8Decoder::without_mark(), sample.chunks(1));
            assert_eq!(text, String::from_utf8_lossy(&sample), "{sample:?}");
        }
    }

    #[test]
    fn removes_one_byte_order_mark_at_the_start() {
        let sample = "\u{FEFF}\u{FEFF}a\u{FEFF}".as_bytes();
        for size in 1..=sample.len() {
            assert_eq!(decode_all(Utf8Decoder::new(), sample.chunks(size)), "\u{FEFF}a\u{FEFF}");
            assert_eq!(
                decode_all(Utf8Decoder::without_mark(), sample.chunks(size)),
                "\u{FEFF}\u{FEFF}a\u{FEFF}"
            );
        }
        assert_eq!(decode_all(Utf8Decoder::new(), [&b"\xEF\xBB\xBF"[..]].into_iter()), "");
        assert_eq!(
            decode_all(Utf8Decoder::new(), [&b"\xFF\xEF\xBB\xBF"[..]].into_iter()),
            "\u{FFFD}\u{FEFF}"
        );
    }

    #[test]
    fn valid_input_is_not_copied() {
        let input = "\u{FEFF}valid \u{20AC} throughout".as_bytes();
        let mut pieces = Vec::new();
        Utf8Decoder::new().decode(input, |piece| pieces.push((piece.as_ptr(), piece.len())));
        assert_eq!(pieces, [(input[3..].as_ptr(), input.len() - 3)]);
    }
}
