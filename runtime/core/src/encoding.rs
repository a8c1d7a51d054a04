//! Encodings of bytes: detection, confidence, and changes during parsing. Tables give the [`Clues`] to search for;
//! [`Decoder`] decodes. Without the cargo feature `encoding`, UTF-8 is the only encoding.
//!
//! Ranges refer to the caller's input: a text, or bytes that are valid UTF-8. For other bytes they refer to the decoded
//! text, and [`Offsets`] converts them to byte offsets, as [`Lines`](crate::Lines) converts them to lines and columns.
//! A byte order mark is counted in each case: it is the first character of the text, though not of the document.

mod decoder;
mod label;
mod prescan;
mod stream;
mod utf8;

pub use decoder::{Decoder, Offsets, decode, valid_utf_8};
pub use label::{Encoding, UnknownEncoding};
pub use prescan::{Bytes, Ended, encoding_in, encoding_of};
pub use stream::ByteStream;

use crate::setters::setters;
use std::borrow::Cow;

/// Number of bytes that are searched for a declaration before decoding begins.
pub const PRESCAN_LENGTH: usize = 1024;

/// The clues from which a dialect's table determines the encoding of bytes.
#[derive(Clone, Copy, Debug)]
pub struct Clues {
    /// The name of the element that declares the encoding; `None` if no element does.
    pub element: Option<&'static str>,
    /// The attribute of [`element`](Self::element) whose value is the encoding's label, if there is one.
    pub label: Option<&'static str>,
    /// The attribute of [`element`](Self::element) in which the label follows a certain word, and that word; `None` if
    /// there is no such attribute.
    pub content: Option<(&'static str, &'static str)>,
    /// An attribute of [`element`](Self::element) and the value that it must have for [`content`](Self::content) to
    /// count; with `None`, [`content`](Self::content) never counts.
    pub pragma: Option<(&'static str, &'static str)>,
    /// The target of an XML declaration, and the name of its pseudo-attribute that holds the label; `None` if such
    /// declarations do not count.
    pub xml_declaration: Option<(&'static str, &'static str)>,
    /// Pairs of labels. If a document declares the encoding with the first label, the one with the second is used
    /// instead.
    pub read_as: &'static [(&'static str, &'static str)],
    /// Sources of the encoding, in the order in which they are tried, and the confidence in their encodings.
    pub sources: &'static [(Source, Confidence)],
    /// Labels of encodings that a document does not inherit from the document that embeds it.
    pub not_inherited: &'static [&'static str],
    /// Labels of encodings that no declaration changes.
    pub not_changed: &'static [&'static str],
    /// Pairs of a language tag and the label of the likely encoding of pages in that language.
    pub locales: &'static [(&'static str, &'static str)],
    /// The label of the encoding of all inputs, overridden only by the user's choice; `None` if the encoding is
    /// detected.
    pub only: Option<&'static str>,
    /// The label of the default encoding.
    pub otherwise: &'static str,
    /// The table's prescan algorithm, if it has one.
    pub prescan: Option<Prescan>,
}

/// A prescan algorithm compiled from the table. On success, it returns `Some(Some(encoding))` if it finds a
/// declaration, `None` if it finds none, or `Some(None)` if the result of the algorithm is failure.
pub type Prescan = fn(&mut Bytes<'_>) -> Result<Option<Option<Encoding>>, Ended>;

/// A source from which the encoding of an input may be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The byte order mark.
    ByteOrderMark,
    /// The user's choice, [`Hints::override_with`].
    Override,
    /// The encoding that the transport layer names, [`Hints::transport`].
    Transport,
    /// A declaration in the first [`PRESCAN_LENGTH`] bytes.
    Prescan,
    /// The encoding of the embedding document, [`Hints::parent`].
    Parent,
    /// The likely encoding, [`Hints::likely`].
    Likely,
    /// Detection of UTF-8, unless [`Hints::autodetect`] disables it.
    Detected,
}

/// The order of sources for a table that does not declare one.
pub const DEFAULT_SOURCES: &[(Source, Confidence)] = &[
    (Source::ByteOrderMark, Confidence::Certain),
    (Source::Override, Confidence::Certain),
    (Source::Transport, Confidence::Certain),
    (Source::Prescan, Confidence::Tentative),
    (Source::Parent, Confidence::Tentative),
    (Source::Likely, Confidence::Tentative),
    (Source::Detected, Confidence::Tentative),
];

/// The clues of a dialect whose table has none: byte order marks and hints, then UTF-8.
pub(crate) const NO_CLUES: &Clues = &Clues {
    element: None,
    label: None,
    content: None,
    pragma: None,
    xml_declaration: None,
    read_as: &[],
    sources: DEFAULT_SOURCES,
    not_inherited: &["utf-16be", "utf-16le"],
    not_changed: &["utf-16be", "utf-16le"],
    locales: &[],
    only: None,
    otherwise: "utf-8",
    prescan: None,
};

/// The confidence in an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Confidence {
    /// A declaration in the document may still change the encoding; so may an invalid sequence if UTF-8 is only
    /// assumed.
    Tentative,
    /// The encoding can no longer change.
    Certain,
    /// The input is already text, so nothing is decoded.
    Irrelevant,
}

/// External information about the encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hints {
    /// The user's choice of an encoding, if any, which only a byte order mark overrides.
    pub override_with: Option<Encoding>,
    /// The encoding, if any, that the transport layer names, for example in a `Content-Type`.
    pub transport: Option<Encoding>,
    /// The encoding of the document that embeds this one, if both have the same origin.
    pub parent: Option<Encoding>,
    /// The likely encoding, if there is one, for example that of the last visit.
    pub likely: Option<Encoding>,
    /// The user's locale, as a BCP 47 tag.
    pub locale: Option<String>,
    /// The default encoding; if it is `None`, the locale's or the dialect's is used.
    pub fallback: Option<Encoding>,
    /// Whether an input that is valid UTF-8 is decoded as UTF-8, rather than in the default encoding, if nothing
    /// declares its encoding.
    pub autodetect: bool,
}

impl Hints {
    /// Creates hints without any information. An input that is valid UTF-8 is decoded as UTF-8 if nothing declares its
    /// encoding.
    pub const fn new() -> Self {
        Self {
            override_with: None,
            transport: None,
            parent: None,
            likely: None,
            locale: None,
            fallback: None,
            autodetect: true,
        }
    }

    /// Sets the encoding that the transport layer names from a `Content-Type` such as `text/html; charset=utf-8`. A
    /// value without a known encoding has no effect.
    ///
    /// ```
    /// use tabulex::encoding::Hints;
    ///
    /// let named = |value| Hints::new().content_type(value).transport.map(|encoding| encoding.name());
    /// assert_eq!(named("text/html; Charset=\"utf-8\""), Some("UTF-8"));
    /// assert_eq!(named("text/html;charset= x"), None);
    /// assert_eq!(named("text/html"), None);
    /// ```
    #[must_use]
    pub fn content_type(mut self, value: &str) -> Self {
        let encoding = charset(value).and_then(|label| Encoding::for_label(&label).ok());
        self.transport = encoding.or(self.transport);
        self
    }

    /// Sets the user's locale, as a BCP 47 tag.
    #[must_use]
    pub fn locale(mut self, tag: impl Into<String>) -> Self {
        self.locale = Some(tag.into());
        self
    }
}

setters! {
    Hints: Default = new;

    /// Sets the user's choice of encoding.
    override_with(encoding: Encoding) => override_with = Some(encoding);

    /// Sets the encoding that the transport layer names.
    transport(encoding: Encoding) => transport = Some(encoding);

    /// Sets the encoding of the document that embeds this one.
    parent(encoding: Encoding) => parent = Some(encoding);

    /// Sets the likely encoding.
    likely(encoding: Encoding) => likely = Some(encoding);

    /// Sets the default encoding, instead of the locale's or the dialect's.
    fallback(encoding: Encoding) => fallback = Some(encoding);

    /// Sets whether an input that is valid UTF-8 is decoded as UTF-8 if nothing declares its encoding. If this is not
    /// set, such an input is decoded in the default encoding, usually windows-1252, as in a browser without detection.
    ///
    /// An incomplete last character is accepted if another non-ASCII character precedes it.
    ///
    /// ```
    /// use tabulex::encoding::Hints;
    /// use tabulex::{Options, html};
    ///
    /// let text = |hints| html::parse_bytes(b"caf\xC3\xA9", Options::new().encoding(hints)).tree.root().text();
    /// assert_eq!(text(Hints::new()), "caf\u{E9}");
    /// assert_eq!(text(Hints::new().autodetect(false)), "caf\u{C3}\u{A9}");
    /// ```
    autodetect(is_enabled: bool) => autodetect = is_enabled;
}

/// Returns the first nonempty value of a parameter `charset` in a MIME type (MIME Sniffing, "parse a MIME type"), or
/// `None` if there is none.
fn charset(value: &str) -> Option<String> {
    let mut parameters = value.split_once(';')?.1;
    loop {
        let (name, after) = parameters.split_at(parameters.find([';', '='])?);
        if let Some(after) = after.strip_prefix(';') {
            parameters = after;
            continue;
        }
        let (text, after) = split_parameter(&after[1..]);
        let name = name.trim_start_matches(['\t', '\n', '\r', ' ']);
        if name.eq_ignore_ascii_case("charset") && !text.is_empty() {
            return Some(text);
        }
        parameters = after?;
    }
}

/// Splits `value`, which begins with the value of a parameter, into that value without quotes and the parameters after
/// it; `None` if no parameters follow.
fn split_parameter(value: &str) -> (String, Option<&str>) {
    let Some(quoted) = value.strip_prefix('"') else {
        let (text, after) = value.split_once(';').map_or((value, None), |(a, b)| (a, Some(b)));
        return (text.trim_end_matches(['\t', '\n', '\r', ' ']).to_owned(), after);
    };
    let (mut text, mut characters) = (String::new(), quoted.chars());
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => text.push(characters.next().unwrap_or('\\')),
            other => text.push(other),
        }
    }
    (text, characters.as_str().split_once(';').map(|(_, after)| after))
}

/// An encoding and the confidence in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Choice {
    /// The chosen encoding.
    pub encoding: Encoding,
    /// The confidence in the chosen encoding.
    pub confidence: Confidence,
}

/// The effect on the encoding of a late declaration, or of bytes that are not valid UTF-8, found during parsing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Change {
    /// The encoding stays as it is.
    Kept,
    /// The bytes decoded so far mean the same in both encodings; the rest is decoded with the new one.
    Switched,
    /// The whole input must be parsed again, with [`Choice::certain`] of the new encoding.
    Restart(Encoding),
}

impl Choice {
    /// Creates a choice of `encoding` with the confidence [`Certain`](Confidence::Certain).
    pub const fn certain(encoding: Encoding) -> Self {
        Self { encoding, confidence: Confidence::Certain }
    }

    /// Creates a choice of `encoding` with the confidence [`Tentative`](Confidence::Tentative).
    pub const fn tentative(encoding: Encoding) -> Self {
        Self { encoding, confidence: Confidence::Tentative }
    }

    /// Creates the choice for input that is already text.
    pub const fn irrelevant() -> Self {
        Self { encoding: Encoding::UTF_8, confidence: Confidence::Irrelevant }
    }

    /// Runs the encoding sniffing algorithm on a whole input: tries the table's sources in order, and chooses the
    /// default encoding if none of them has one. If the dialect has a single encoding, only the user's choice overrides
    /// it.
    pub fn sniff(bytes: &[u8], clues: &Clues, hints: &Hints) -> Self {
        Self::first_of(bytes, clues, hints, || detected_text(bytes, hints).is_some())
    }

    /// Runs the encoding sniffing algorithm on the first bytes of an input, at least [`PRESCAN_LENGTH`] of them if the
    /// input has that many. If UTF-8 is chosen only because no byte contradicts it yet, also returns the encoding to
    /// continue with once one does.
    pub fn sniff_first(bytes: &[u8], clues: &Clues, hints: &Hints) -> (Self, Option<Encoding>) {
        let mut is_assumed = false;
        let choice = Self::first_of(bytes, clues, hints, || {
            is_assumed = hints.autodetect;
            is_assumed
        });
        let fallback = is_assumed.then(|| Self::first_of(bytes, clues, hints, || false).encoding);
        (choice, fallback.filter(|fallback| *fallback != Encoding::UTF_8))
    }

    /// Combines [`sniff`](Self::sniff) and [`decode`], so that bytes are validated once.
    pub fn decode<'b>(bytes: &'b [u8], clues: &Clues, hints: &Hints) -> (Self, Cow<'b, str>) {
        let mut detected = None;
        let choice = Self::first_of(bytes, clues, hints, || {
            detected = detected_text(bytes, hints);
            detected.is_some()
        });
        (choice, detected.unwrap_or_else(|| decode(bytes, choice.encoding)))
    }

    /// Returns the encoding of the first source that has one, or else the default; `detect` tests whether the bytes are
    /// UTF-8. If the dialect has a single encoding, returns the user's choice or else that encoding.
    fn first_of(
        bytes: &[u8],
        clues: &Clues,
        hints: &Hints,
        mut detect: impl FnMut() -> bool,
    ) -> Self {
        if let Some(only) = clues.only {
            let only = Encoding::for_label(only).unwrap_or(Encoding::UTF_8);
            return Self::certain(hints.override_with.unwrap_or(only));
        }
        for &(source, confidence) in clues.sources {
            let encoding = match source {
                Source::ByteOrderMark => Encoding::for_mark(bytes).map(|(encoding, _)| encoding),
                Source::Override => hints.override_with,
                Source::Transport => hints.transport,
                Source::Prescan => clues.prescan(&bytes[..bytes.len().min(PRESCAN_LENGTH)]),
                Source::Parent => {
                    hints.parent.filter(|parent| !is_among(*parent, clues.not_inherited))
                }
                Source::Likely => hints.likely,
                Source::Detected => detect().then_some(Encoding::UTF_8),
            };
            if let Some(encoding) = encoding {
                return Self { encoding, confidence };
            }
        }
        Self::tentative(clues.fallback_encoding(hints))
    }

    /// Applies a declaration of the encoding `new` that was found during parsing. `is_compatible` tells whether all
    /// bytes decoded so far mean the same in that encoding.
    pub fn change(&mut self, new: Encoding, clues: &Clues, is_compatible: bool) -> Change {
        if self.confidence != Confidence::Tentative {
            return Change::Kept;
        }
        let new = clues.read_as(new);
        let stays = is_among(self.encoding, clues.not_changed) || new == self.encoding;
        if stays {
            self.confidence = Confidence::Certain;
            return Change::Kept;
        }
        *self = Self::certain(new);
        if is_compatible { Change::Switched } else { Change::Restart(new) }
    }

    /// Applies a declaration of the encoding `new`; `are_ascii` tells whether all bytes decoded so far are ASCII.
    pub(crate) fn change_after(&mut self, are_ascii: bool, new: Encoding, clues: &Clues) -> Change {
        let encodings = [self.encoding, clues.read_as(new)];
        let is_compatible =
            are_ascii && encodings.iter().all(|encoding| encoding.is_ascii_compatible());
        self.change(new, clues, is_compatible)
    }
}

fn is_among(encoding: Encoding, labels: &[&str]) -> bool {
    labels.iter().any(|label| Encoding::for_label(label).is_ok_and(|other| other == encoding))
}

/// Returns the text of a whole input if detection is enabled and the input is valid UTF-8; `None` otherwise. An
/// incomplete last character, which becomes U+FFFD, is accepted if an earlier character is not ASCII.
fn detected_text<'b>(bytes: &'b [u8], hints: &Hints) -> Option<Cow<'b, str>> {
    if !hints.autodetect {
        return None;
    }
    if let Some(text) = valid_utf_8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    let error = std::str::from_utf8(bytes).err()?;
    let is_cut = error.error_len().is_none() && !bytes[..error.valid_up_to()].is_ascii();
    is_cut.then(|| String::from_utf8_lossy(bytes))
}

impl Clues {
    /// Returns the default encoding: the one in the hints, or else the likely one for the locale, or else the
    /// dialect's.
    fn fallback_encoding(&self, hints: &Hints) -> Encoding {
        hints.fallback.unwrap_or_else(|| {
            let label = hints.locale.as_deref().and_then(|tag| self.locale_label(tag));
            Encoding::for_label(label.unwrap_or(self.otherwise)).unwrap_or(Encoding::UTF_8)
        })
    }

    /// Returns the encoding to decode with if a document declares `encoding`: its replacement, if the table gives one,
    /// or else `encoding` itself.
    pub fn read_as(&self, encoding: Encoding) -> Encoding {
        let replacement = self.read_as.iter().find(|(declared, _)| is_among(encoding, &[declared]));
        replacement.and_then(|(_, label)| Encoding::for_label(label).ok()).unwrap_or(encoding)
    }

    /// Returns the label of the likely encoding for the locale with the BCP 47 tag `tag`, or for the tag's longest
    /// listed prefix; `None` if neither is listed.
    fn locale_label(&self, tag: &str) -> Option<&'static str> {
        let mut tag = tag;
        loop {
            let entry = self.locales.iter().find(|(locale, _)| locale.eq_ignore_ascii_case(tag));
            if let Some((_, label)) = entry {
                return Some(label);
            }
            tag = &tag[..tag.rfind(['-', '_'])?];
        }
    }

    /// Returns the encoding that the element called `name` declares, if any. `attribute` returns the value of the
    /// element's attribute with the given name.
    pub fn of_element<'a>(
        &self,
        name: &str,
        attribute: impl Fn(&str) -> Option<&'a str>,
    ) -> Option<Encoding> {
        if self.element != Some(name) {
            return None;
        }
        if let Some(label) = self.label.and_then(&attribute)
            && let Ok(encoding) = Encoding::for_label(label)
        {
            return Some(encoding);
        }
        let (content, word) = self.content?;
        let (pragma, expected) = self.pragma?;
        attribute(pragma).filter(|value| value.eq_ignore_ascii_case(expected))?;
        encoding_in(attribute(content)?.as_bytes(), word)
    }
}
