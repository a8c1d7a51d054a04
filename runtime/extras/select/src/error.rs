//! The error of a text that is not a valid selector.

use selectors::parser::SelectorParseErrorKind as Kind;
use std::fmt;
use std::ops::Range;

/// An error returned when a text is not a valid selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    message: &'static str,
    range: Range<usize>,
}

impl SelectorError {
    pub(crate) fn new(message: &'static str, range: Range<usize>) -> Self {
        Self { message, range }
    }

    /// Returns what is wrong with the selector.
    pub fn message(&self) -> &str {
        self.message
    }

    /// Returns the byte range of the token that makes the selector invalid, with its brackets and the punctuation before
    /// it: `:unknown(x)` in `p > a:unknown(x)`. It is empty if the selector ends too early, and that of the whole list if
    /// a limit is exceeded.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

impl fmt::Display for SelectorError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.range;
        write!(formatter, "invalid selector at bytes {start}..{end}: {}", self.message)
    }
}

impl std::error::Error for SelectorError {}

/// Returns the message for a kind of error.
pub(crate) fn message(kind: &Kind) -> &'static str {
    match kind {
        Kind::NoQualifiedNameInAttributeSelector | Kind::InvalidQualNameInAttr => {
            "missing attribute name"
        }
        Kind::EmptySelector => "expected a selector",
        Kind::DanglingCombinator => "expected a selector after the combinator",
        Kind::NonCompoundSelector => "misplaced combinator",
        Kind::NonPseudoElementAfterSlotted
        | Kind::InvalidPseudoElementAfterSlotted
        | Kind::InvalidPseudoElementInsideWhere
        | Kind::PseudoElementExpectedColon
        | Kind::PseudoElementExpectedIdent => "pseudo-elements match no node",
        Kind::InvalidState => "misplaced simple selector",
        Kind::UnexpectedTokenInAttributeSelector | Kind::ExpectedBarInAttr => {
            "unknown attribute operator"
        }
        Kind::NoIdentForPseudo => "expected a name after `:`",
        Kind::UnsupportedPseudoClassOrElement => "unknown pseudo-class or pseudo-element",
        Kind::UnexpectedIdent => "unknown name",
        Kind::ExpectedNamespace => "unknown namespace prefix",
        Kind::BadValueInAttr => "missing attribute value",
        Kind::ExplicitNamespaceUnexpectedToken => "expected a name after `|`",
        Kind::ClassNeedsIdent => "expected a name after `.`",
    }
}
