//! Detection of the encoding of bytes. Names and labels of encodings are kept as written.

/// The clues that determine the encoding of bytes, and the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encodings {
    /// Name of the element that declares the encoding, if any.
    pub element: Option<String>,
    /// Name of the attribute of `element` whose value is the label, if any.
    pub label: Option<String>,
    /// Name of the attribute of `element` whose value contains the label after a certain word, and that word; `None` if
    /// no attribute does.
    pub content: Option<(String, String)>,
    /// Name of another attribute of `element`, and the value that it must have for `content` to count; `None` if
    /// nothing is required.
    pub pragma: Option<(String, String)>,
    /// Target of an XML declaration, and the name of the pseudo-attribute whose value is the label; `None` if such
    /// declarations are ignored.
    pub xml_declaration: Option<(String, String)>,
    /// Encodings that are replaced if a document declares them, each with its replacement.
    pub read_as: Vec<(String, String)>,
    /// Sources of the encoding, in the order in which they are tried, each with the confidence in its encoding. If
    /// there are none, the runtime's default order applies.
    pub sources: Vec<(String, String)>,
    /// Encodings that a document does not inherit from the document that embeds it.
    pub not_inherited: Vec<String>,
    /// Encodings that stay in use even if the document declares another one.
    pub not_changed: Vec<String>,
    /// Languages, each with the likely encoding of its pages.
    pub locales: Vec<(String, String)>,
    /// Encoding of all inputs, if the table fixes it; overrides byte order marks and the transport layer.
    pub only: Option<String>,
    /// Default encoding.
    pub otherwise: String,
}
