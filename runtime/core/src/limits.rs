//! How much a parser may hold and make of its input. It counts nothing (`construct/limits.rs` and the tokenizer do).
//! Invariant: each limit can be lifted by itself, and none changes what comes of an input that does not reach it.

use crate::replacement::ReplacementLimits;

/// How much a parser may hold, and make of its input. Where a limit is reached, an [`Event`](crate::Event) says which one,
/// where, and by what numbers; nothing is left out in silence.
///
/// | limit | default | what happens |
/// | --- | --: | --- |
/// | [`depth`](Self::depth) | 513 | deeper elements become siblings of the deepest; no text is lost |
/// | [`nodes`](Self::nodes) | 2³² − 16 | further nodes are left out |
/// | [`attributes`](Self::attributes) | 1,048,576 a tag, or one for each 256 of `bytes` | further attributes of the tag are left out |
/// | [`token`](Self::token) | 256 MiB of input | the token and the rest of the input are left out |
/// | [`errors`](Self::errors) | 100,000 | further errors are counted |
/// | [`bytes`](Self::bytes) | 2 GiB − 1 | the rest of the input is left out |
/// | [`replacement`](Self::replacement) | [its own](ReplacementLimits) | references and declared attributes are left out |
/// | [`reconstructed`](Self::reconstructed) | 10,000, and 1 for each 4 bytes of input | the list of active formatting elements is cleared; no text is lost |
///
/// ```
/// use tabulex::{Event, Limits, Options, html};
///
/// let limits = Limits::new().depth(3).errors(1);
/// let parsed = html::parse("<p><b><i><u>x</q></q>", Options::new().limits(limits));
/// assert!(matches!(parsed.events[0], Event::Flattened { limit: 3, .. }));
/// assert!(matches!(parsed.events[1], Event::ErrorsLeftOut { limit: 1, count: 3, .. }));
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
    /// The bytes that a parser may hold unless something else is said.
    pub(crate) const BYTES: usize = 0x7FFF_FFFF;

    /// The defaults, which no ordinary document reaches.
    pub const fn new() -> Self {
        Self {
            // Chromium flattens once there are more than 512 elements open around the next one.
            depth: 513,
            nodes: u32::MAX - 16,
            attributes: 0x10_0000,
            token: 0x1000_0000,
            errors: 100_000,
            bytes: Self::BYTES,
            replacement: ReplacementLimits::new(),
            reconstructed: 10_000,
            bytes_per_reconstructed: 4,
        }
    }

    /// No limits, but those of numbers: a tree has no more than 2³² − 16 nodes.
    pub const fn none() -> Self {
        Self {
            depth: usize::MAX,
            nodes: u32::MAX - 16,
            attributes: usize::MAX,
            token: usize::MAX,
            errors: usize::MAX,
            bytes: usize::MAX,
            replacement: ReplacementLimits::new()
                .nesting(usize::MAX)
                .bytes(u64::MAX)
                .bytes_per_input_byte(0),
            reconstructed: u64::MAX,
            bytes_per_reconstructed: 4,
        }
    }

    /// The names of the limits that are numbers, as [`set`](Self::set) takes them.
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

    /// Sets the limit of this name, which is that of its method; a number that is too large lifts it. The limit
    /// `replacement` is a number of bytes, whatever the input. `None` if there is none of the name.
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

    /// The limit of this name, as [`set`](Self::set) takes it. `None` if there is none of the name.
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

    /// How many elements may be nested (at least 1); deeper ones become siblings of the deepest. [`usize::MAX`] lifts the
    /// limit. The default gives the trees of Chromium.
    #[must_use]
    pub const fn depth(mut self, elements: usize) -> Self {
        self.depth = if elements == 0 { 1 } else { elements };
        self
    }

    /// How many nodes a tree may have, the document included.
    #[must_use]
    pub const fn nodes(mut self, nodes: u32) -> Self {
        self.nodes = nodes;
        self
    }

    /// Whether the bytes held are not looked at while an input is parsed: what is allowed is what a whole input may take.
    pub(crate) const fn holds_all(&self) -> bool {
        !self.is_looked_at()
    }

    /// Whether it is looked at every few pages of the input how many bytes are held: fewer are allowed than by default.
    /// Then it is of use to feed a parser in chunks, because what lies after the limit need not be read.
    pub const fn is_looked_at(&self) -> bool {
        self.bytes < Self::BYTES
    }

    /// How many attributes of a tag are kept. A tag is made whole before it is looked at what it holds, so that there
    /// are no more than fit into the bytes that may be held, in the tag and in the tree; a thousand always do.
    pub(crate) fn attributes_of_a_tag(&self) -> usize {
        const BYTES: usize = 256;
        self.attributes.min((self.bytes / BYTES).max(1_024))
    }

    /// How many attributes a tag may have, of those that are no duplicates, declared ones included. [`usize::MAX`] lifts the limit; where
    /// fewer [`bytes`](Self::bytes) may be held than 256 for each, there are only as many.
    #[must_use]
    pub const fn attributes(mut self, attributes: usize) -> Self {
        self.attributes = attributes;
        self
    }

    /// How many bytes of the input a token may be long. It is looked at after each eighth of so many bytes of the input,
    /// however that is cut, so that a token is complete that is longer by less than that. [`usize::MAX`] lifts the limit.
    #[must_use]
    pub const fn token(mut self, bytes: usize) -> Self {
        self.token = bytes;
        self
    }

    /// How many errors are kept, the first ones in their [order](crate::Parsed::errors). [`usize::MAX`] lifts the limit.
    #[must_use]
    pub const fn errors(mut self, errors: usize) -> Self {
        self.errors = errors;
        self
    }

    /// How many bytes the parser may hold: the tree, errors, lists of elements, the token that is being made, and bytes
    /// that may have to be decoded anew; the caller's input counts for nothing. [`usize::MAX`] lifts the limit.
    #[must_use]
    pub const fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// How much text a document may put into itself.
    #[must_use]
    pub const fn replacement(mut self, limits: ReplacementLimits) -> Self {
        self.replacement = limits;
        self
    }

    /// How many formatting elements may be made again where they were closed by others (in the standard: reconstruct
    /// the active formatting elements), and one more for each 4 bytes of the input. By the standard an input can make
    /// the square of its own length of them. One whose tag is long counts once more for each 64 bytes of the tag, as its
    /// attributes are written each time; so do those that the adoption agency makes again, which count for nothing else.
    /// [`u64::MAX`] lifts the limit.
    #[must_use]
    pub const fn reconstructed(mut self, elements: u64) -> Self {
        self.reconstructed = elements;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::new()
    }
}
