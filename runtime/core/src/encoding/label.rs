//! The encodings of the Encoding Standard and their labels. Without the cargo feature `encoding`, UTF-8 is the only
//! one.

use std::fmt;

/// An encoding of the Encoding Standard.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Encoding(Backend);

#[cfg(feature = "encoding")]
type Backend = &'static encoding_rs::Encoding;

#[cfg(not(feature = "encoding"))]
type Backend = Utf8;

/// UTF-8, the only encoding without the cargo feature `encoding`.
#[cfg(not(feature = "encoding"))]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Utf8;

#[cfg(not(feature = "encoding"))]
const UTF_8_LABELS: &[&str] =
    &["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"];

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

#[cfg(feature = "encoding")]
impl Encoding {
    /// The encoding UTF-8.
    pub const UTF_8: Self = Self(encoding_rs::UTF_8);

    /// Returns the encoding with the label `label` ("get an encoding"), ignoring ASCII case and surrounding ASCII white
    /// space.
    ///
    /// # Errors
    /// If no encoding of the Encoding Standard has the label.
    pub fn for_label(label: &str) -> Result<Self, UnknownEncoding> {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
        encoding.map(Self).ok_or_else(|| UnknownEncoding { label: label.to_owned() })
    }

    /// Returns the encoding of the byte order mark that the bytes begin with, and the mark's length in bytes; `None` if
    /// there is no mark ("BOM sniff").
    pub fn for_mark(bytes: &[u8]) -> Option<(Self, usize)> {
        let (encoding, length) = encoding_rs::Encoding::for_bom(bytes)?;
        Some((Self(encoding), length))
    }

    /// Returns the encoding's name in the Encoding Standard.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether the encoding is UTF-16, of either byte order.
    pub fn is_utf_16(self) -> bool {
        self.0 == encoding_rs::UTF_16LE || self.0 == encoding_rs::UTF_16BE
    }

    /// Whether an input of only ASCII bytes decodes to the ASCII characters with these codes.
    pub fn is_ascii_compatible(self) -> bool {
        self.0.is_ascii_compatible()
    }

    pub(super) fn decoder(self) -> encoding_rs::Decoder {
        self.0.new_decoder_without_bom_handling()
    }
}

#[cfg(not(feature = "encoding"))]
impl Encoding {
    /// The encoding UTF-8.
    pub const UTF_8: Self = Self(Utf8);

    /// Returns the encoding with the label `label`, ignoring ASCII case and surrounding ASCII white space. Only labels
    /// of UTF-8 are known.
    ///
    /// # Errors
    /// If UTF-8 does not have the label, because this crate was built without the cargo feature `encoding`.
    pub fn for_label(label: &str) -> Result<Self, UnknownEncoding> {
        let normalized = label.trim_matches(['\t', '\n', '\x0C', '\r', ' ']).to_ascii_lowercase();
        match UTF_8_LABELS.contains(&&normalized[..]) {
            true => Ok(Self::UTF_8),
            false => Err(UnknownEncoding { label: label.to_owned() }),
        }
    }

    /// Returns the encoding of the byte order mark that the bytes begin with, and the mark's length in bytes; `None` if
    /// there is no mark. Only the mark of UTF-8 is known.
    pub fn for_mark(bytes: &[u8]) -> Option<(Self, usize)> {
        bytes.starts_with(b"\xEF\xBB\xBF").then_some((Self::UTF_8, 3))
    }

    /// Returns the encoding's name in the Encoding Standard.
    pub fn name(self) -> &'static str {
        "UTF-8"
    }

    /// Whether the encoding is UTF-16; always `false`, because this build has only UTF-8.
    pub fn is_utf_16(self) -> bool {
        false
    }

    /// Whether an input of only ASCII bytes decodes to the ASCII characters with these codes; always `true`, because
    /// this build has only UTF-8.
    pub fn is_ascii_compatible(self) -> bool {
        true
    }
}
