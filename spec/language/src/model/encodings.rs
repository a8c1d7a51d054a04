//! What determines the encoding of bytes. Labels of encodings are not known here. Invariant: names and labels stand as
//! in the table.

use crate::syntax::Section;

/// What determines the encoding of bytes, and what it is where nothing does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encodings {
    /// Where the document says it.
    pub section: Option<Section>,
    /// The element that declares the encoding.
    pub element: Option<String>,
    /// Its attribute with the label.
    pub label: Option<String>,
    /// Its attribute with a text that holds the label after a word, and the word.
    pub content: Option<(String, String)>,
    /// Its attribute without which that text counts for nothing, and the value that it must have.
    pub pragma: Option<(String, String)>,
    /// The target of an XML declaration, and its pseudo-attribute with the label.
    pub xml_declaration: Option<(String, String)>,
    /// Encodings that cannot be what they are declared to be, and what they are taken for.
    pub read_as: Vec<(String, String)>,
    /// Languages, and the encoding that their pages are likely to have.
    pub locales: Vec<(String, String)>,
    /// The encoding of all inputs, whatever a mark or the transport layer says.
    pub only: Option<String>,
    /// The encoding where nothing determines it.
    pub otherwise: String,
}
