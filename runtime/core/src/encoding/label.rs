//! The encodings of the Encoding Standard and their labels. Without the cargo feature `encoding`, UTF-8 is the only
//! one.

#[cfg(feature = "encoding")]
use encoding_rs::{EncoderResult, Encoding as Backend, UTF_8};
use std::borrow::Cow;
use std::fmt;
#[cfg(not(feature = "encoding"))]
use utf_8::{Backend, UTF_8};

/// Number of free bytes in which an encoder can always write a character with the escape sequences around it.
#[cfg(feature = "encoding")]
const MIN_ENCODER_CAPACITY: usize = 16;

/// An encoding of the Encoding Standard.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(&'static Backend);

/// A substitute for `encoding_rs` that has only UTF-8 and the functions called in this module.
#[cfg(not(feature = "encoding"))]
mod utf_8 {
    #[derive(PartialEq, Eq, Hash)]
    pub(super) struct Backend;

    pub(super) const UTF_8: &Backend = &Backend;

    const LABELS: &[&str] = &[
        "unicode-1-1-utf-8",
        "unicode11utf8",
        "unicode20utf8",
        "utf-8",
        "utf8",
        "x-unicode20utf8",
    ];

    impl Backend {
        pub(super) fn for_label(label: &[u8]) -> Option<&'static Self> {
            let label = label.trim_ascii();
            LABELS.iter().any(|it| it.as_bytes().eq_ignore_ascii_case(label)).then_some(UTF_8)
        }

        pub(super) fn for_bom(bytes: &[u8]) -> Option<(&'static Self, usize)> {
            bytes.starts_with(b"\xEF\xBB\xBF").then_some((UTF_8, 3))
        }

        pub(super) fn name(&self) -> &'static str {
            "UTF-8"
        }

        pub(super) fn is_ascii_compatible(&self) -> bool {
            true
        }
    }
}

/// An error returned when a label names no encoding, or one that this build cannot decode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownEncoding {
    /// The label that was looked up.
    pub label: String,
}

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match cfg!(feature = "encoding") {
            true => "it is not a label of the Encoding Standard, such as `utf-8` or `windows-1252`",
            false => {
                "without the cargo feature `encoding`, only labels of UTF-8 are known, such as `utf-8`"
            }
        };
        write!(f, "unknown encoding `{}`: {reason}", self.label.escape_debug())
    }
}

impl std::error::Error for UnknownEncoding {}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Encoding").field(&self.name()).finish()
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Encoding {
    /// The encoding UTF-8.
    pub const UTF_8: Self = Self(UTF_8);

    /// Returns the encoding with the label `label` ("get an encoding"), ignoring ASCII case and surrounding ASCII white
    /// space. Without the cargo feature `encoding`, only labels of UTF-8 are known.
    ///
    /// # Errors
    /// If no encoding of the Encoding Standard has the label, or this crate was built without the cargo feature
    /// `encoding` and UTF-8 does not have the label.
    pub fn for_label(label: &str) -> Result<Self, UnknownEncoding> {
        let encoding = Backend::for_label(label.as_bytes());
        encoding.map(Self).ok_or_else(|| UnknownEncoding { label: label.to_owned() })
    }

    /// Returns the encoding of the byte order mark that the bytes begin with, and the mark's length in bytes; `None` if
    /// there is no mark ("BOM sniff"). Without the cargo feature `encoding`, only the mark of UTF-8 is known.
    pub fn for_mark(bytes: &[u8]) -> Option<(Self, usize)> {
        let (encoding, length) = Backend::for_bom(bytes)?;
        Some((Self(encoding), length))
    }

    /// Returns the encoding's name in the Encoding Standard.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether the encoding is UTF-16, of either byte order.
    pub fn is_utf_16(self) -> bool {
        ["UTF-16LE", "UTF-16BE"].contains(&self.name())
    }

    /// Whether an input of only ASCII bytes decodes to the ASCII characters with these codes.
    pub fn is_ascii_compatible(self) -> bool {
        self.0.is_ascii_compatible()
    }

    /// Encodes text in this encoding, or in UTF-8 if this is UTF-16 or has no encoder. Characters that the encoding lacks
    /// become what `replace` returns for them, which must be ASCII.
    ///
    /// ```
    /// use tabulex::encoding::Encoding;
    ///
    /// let encode = |label| Encoding::for_label(label).unwrap().encode("\u{161}\u{3b1}", |_| "?".to_owned());
    /// assert_eq!(&*encode("latin2"), b"\xB9?");
    /// assert_eq!(&*encode("utf-16le"), "\u{161}\u{3b1}".as_bytes());
    /// ```
    pub fn encode(self, text: &str, mut replace: impl FnMut(char) -> String) -> Cow<'_, [u8]> {
        #[cfg(feature = "encoding")]
        if self.0.output_encoding() != UTF_8 {
            let mut encoder = self.0.new_encoder();
            let (mut output, mut remaining) = (Vec::new(), text);
            loop {
                output.reserve(remaining.len() + MIN_ENCODER_CAPACITY);
                let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(
                    remaining,
                    &mut output,
                    true,
                );
                remaining = &remaining[read..];
                match result {
                    EncoderResult::InputEmpty => return Cow::Owned(output),
                    EncoderResult::OutputFull => {}
                    EncoderResult::Unmappable(character) => {
                        output.extend(replace(character).bytes())
                    }
                }
            }
        }
        let _ = &mut replace;
        Cow::Borrowed(text.as_bytes())
    }

    #[cfg(feature = "encoding")]
    pub(super) fn decoder(self) -> encoding_rs::Decoder {
        self.0.new_decoder_without_bom_handling()
    }
}
