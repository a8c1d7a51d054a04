//! The limits on a parser's memory and output. `construct/limits.rs` and the tokenizer enforce them.

use crate::registers::ReplacementLimits;
use crate::setters::setters;

/// Limits on a parser's memory and on the size of its result. Each limit that is reached is reported by an
/// [`Event`](crate::Event) with the offset and the numbers; nothing is dropped silently.
///
/// | limit | default | what happens |
/// | --- | --: | --- |
/// | [`depth`](Self::depth) | 513 | deeper elements become siblings of the deepest; no text is lost |
/// | [`nodes`](Self::nodes) | 2³² − 17 | further nodes are dropped |
/// | [`attributes`](Self::attributes) | 1,048,576 a tag, or one for each 256 of `bytes` | further attributes of the tag are dropped |
/// | [`token`](Self::token) | 256 MiB of input | the token and the rest of the input are dropped |
/// | [`errors`](Self::errors) | 100,000 | further errors are counted |
/// | [`bytes`](Self::bytes) | 2 GiB − 1 | the rest of the input is dropped |
/// | [`replacement`](Self::replacement) | [its own](ReplacementLimits) | references and declared attributes are dropped |
/// | [`reconstructed`](Self::reconstructed) | 10,000, and 1 for each 4 bytes of input | the list of active formatting elements is cleared; no text is lost |
///
/// ```
/// use tabulex::{Event, Limits, Options, html};
///
/// let limits = Limits::new().depth(3).errors(1);
/// let parsed = html::parse("<p><b><i><u>x</q></q>", Options::new().limits(limits));
/// assert!(matches!(parsed.events[0], Event::Flattened { limit: 3, .. }));
/// assert!(matches!(parsed.events[1], Event::ErrorsDropped { limit: 1, count: 3, .. }));
/// assert_eq!(parsed.tree.root().text(), "x");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub(crate) depth: usize,
    pub(crate) nodes: u32,
    pub(crate) attributes: usize,
    pub(crate) token: usize,
    pub(crate) errors: usize,
    pub(crate) bytes: usize,
    pub(crate) replacement: ReplacementLimits,
    pub(crate) reconstructed: u64,
    pub(crate) bytes_per_reconstructed: u64,
}

impl Limits {
    /// The default limit on a parser's memory, in bytes.
    pub(crate) const DEFAULT_BYTES: usize = 0x7FFF_FFFF;

    /// Returns the default limits, which ordinary documents do not reach.
    pub const fn new() -> Self {
        Self {
            // As in Chromium, elements with more than 512 open ancestors are flattened.
            depth: 513,
            nodes: u32::MAX - 16,
            attributes: 0x10_0000,
            token: 0x1000_0000,
            errors: 100_000,
            bytes: Self::DEFAULT_BYTES,
            replacement: ReplacementLimits::new(),
            reconstructed: 10_000,
            bytes_per_reconstructed: 4,
        }
    }

    /// Returns limits with every limit lifted. Node indices still bound a tree to 2³² − 17 nodes.
    pub const fn none() -> Self {
        Self {
            depth: usize::MAX,
            attributes: usize::MAX,
            token: usize::MAX,
            errors: usize::MAX,
            bytes: usize::MAX,
            replacement: ReplacementLimits::new()
                .nesting(usize::MAX)
                .bytes(u64::MAX)
                .bytes_per_input_byte(0),
            reconstructed: u64::MAX,
            ..Self::new()
        }
    }

    /// The names of the numeric limits, as accepted by [`set`](Self::set).
    pub const NAMES: &[&str] = &[
        "depth",
        "nodes",
        "attributes",
        "token",
        "errors",
        "bytes",
        "replacement",
        "reconstructed",
    ];

    /// Sets the limit called `name`, which is the name of its method; a value that is too large for the limit's type
    /// lifts the limit. For `replacement`, the value is a number of bytes, independent of the size of the input.
    /// Returns `None` if there is no such limit.
    pub fn set(self, name: &str, value: u64) -> Option<Self> {
        let size = usize::try_from(value).unwrap_or(usize::MAX);
        Some(match name {
            "depth" => self.depth(size),
            "nodes" => self.nodes(u32::try_from(value).unwrap_or(u32::MAX)),
            "attributes" => self.attributes(size),
            "token" => self.token(size),
            "errors" => self.errors(size),
            "bytes" => self.bytes(size),
            "replacement" if value == u64::MAX => self.replacement(Self::none().replacement),
            "replacement" => {
                self.replacement(self.replacement.bytes(value).bytes_per_input_byte(0))
            }
            "reconstructed" => self.reconstructed(value),
            _ => return None,
        })
    }

    /// Returns the limit called `name`, in the form that [`set`](Self::set) takes, or `None` if there is no such limit.
    ///
    /// ```
    /// use tabulex::Limits;
    /// let limits = Limits::new();
    /// assert_eq!(limits.get("depth"), Some(513));
    /// for name in Limits::NAMES {
    ///     let twice = 2 * limits.get(name).unwrap();
    ///     assert_eq!(limits.set(name, twice).and_then(|it| it.get(name)), Some(twice.min(u64::from(u32::MAX))));
    /// }
    /// ```
    pub fn get(&self, name: &str) -> Option<u64> {
        Some(match name {
            "depth" => self.depth as u64,
            "nodes" => u64::from(self.nodes),
            "attributes" => self.attributes as u64,
            "token" => self.token as u64,
            "errors" => self.errors as u64,
            "bytes" => self.bytes as u64,
            "replacement" => self.replacement.bytes,
            "reconstructed" => self.reconstructed,
            _ => return None,
        })
    }

    /// Whether memory use is checked during parsing rather than only at the end, that is, whether the limit on
    /// [`bytes`](Self::bytes) is below the default. An input that is fed in chunks then need not be read beyond the
    /// point at which the limit is reached.
    pub const fn checks_memory_while_parsing(&self) -> bool {
        self.bytes < Self::DEFAULT_BYTES
    }

    /// Returns the maximum number of attributes kept of one tag. A tag is completed before its memory is checked, so
    /// the limit in bytes also bounds their number: one attribute for each 256 bytes, but at least 1,024.
    pub(crate) fn attributes_of_a_tag(&self) -> usize {
        const BYTES_PER_ATTRIBUTE: usize = 256;
        self.attributes.min((self.bytes / BYTES_PER_ATTRIBUTE).max(1_024))
    }
}

setters! {
    Limits: Default = new;

    /// Sets the maximum nesting depth of elements, at least 1; deeper elements become siblings of the deepest.
    /// [`usize::MAX`] lifts the limit. The default gives the trees of Chromium.
    depth(elements: usize) => depth = if elements == 0 { 1 } else { elements };

    /// Sets the maximum number of nodes of a tree, including the document.
    nodes(nodes: u32) => nodes = nodes;

    /// Sets the maximum number of attributes of a tag, counting declared ones but no duplicates. [`usize::MAX`] lifts
    /// the limit. The limit on [`bytes`](Self::bytes) also allows no more than one attribute for each 256 bytes,
    /// but at least 1,024.
    attributes(attributes: usize) => attributes = attributes;

    /// Sets the maximum length of a token in bytes of input. The length is checked each time an eighth of that many
    /// bytes has been read, regardless of chunks, so a token that exceeds the limit by less than an eighth may still be
    /// completed. [`usize::MAX`] lifts the limit.
    token(bytes: usize) => token = bytes;

    /// Sets the maximum number of errors kept, the first ones in their [order](crate::Parsed::errors). [`usize::MAX`]
    /// lifts the limit.
    errors(errors: usize) => errors = errors;

    /// Sets the maximum memory of a parser in bytes: the tree, errors, lists of elements, the current token, and bytes
    /// that may have to be decoded again; the caller's input is not counted. [`usize::MAX`] lifts the limit.
    bytes(bytes: usize) => bytes = bytes;

    /// Sets the limits on the text that a document may insert into itself.
    replacement(limits: ReplacementLimits) => replacement = limits;

    /// Sets how many formatting elements may be reconstructed (in the standard: reconstruct the active formatting
    /// elements) beyond one for each 4 bytes of the input. Without a limit, this number can grow with the square of the
    /// input's length. An element is charged one more for each 64 bytes of its tag, because its attributes are copied;
    /// an element that the adoption agency clones is charged only those. [`u64::MAX`] lifts the limit.
    reconstructed(elements: u64) => reconstructed = elements;
}
