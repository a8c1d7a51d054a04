//! The error of a selector that cannot be parsed, and its range in the text.

use selectors::parser::SelectorParseErrorKind as Kind;
use std::fmt;
use std::ops::Range;

/// The error of a text that is not a valid selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    message: &'static str,
    range: Range<usize>,
}

impl SelectorError {
    pub(crate) fn new(message: &'static str, range: Range<usize>) -> Self {
        Self { message, range }
    }

    /// Returns a short description of the error.
    pub fn message(&self) -> &str {
        self.message
    }

    /// Returns the byte range of the faulty selector within the list.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }
}

impl fmt::Display for SelectorError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.range;
        write!(formatter, "{} in the selector at bytes {start} to {end}", self.message)
    }
}

impl std::error::Error for SelectorError {}

/// The reason why a selector could not be parsed.
#[derive(Clone, Debug)]
pub(crate) struct Reason(pub(crate) &'static str);

impl From<Kind> for Reason {
    fn from(kind: Kind) -> Self {
        Self(match kind {
            Kind::NoQualifiedNameInAttributeSelector | Kind::InvalidQualNameInAttr => {
                "missing attribute name"
            }
            Kind::EmptySelector => "no selector",
            Kind::DanglingCombinator => "no selector after a combinator",
            Kind::NonCompoundSelector => "a misplaced combinator",
            Kind::NonPseudoElementAfterSlotted
            | Kind::InvalidPseudoElementAfterSlotted
            | Kind::InvalidPseudoElementInsideWhere
            | Kind::PseudoElementExpectedColon
            | Kind::PseudoElementExpectedIdent => "a pseudo-element, which matches no node",
            Kind::InvalidState => "a misplaced part",
            Kind::UnexpectedTokenInAttributeSelector | Kind::ExpectedBarInAttr => {
                "an unknown attribute operator"
            }
            Kind::NoIdentForPseudo => "missing name after a colon",
            Kind::UnsupportedPseudoClassOrElement => "an unknown pseudo-class or pseudo-element",
            Kind::UnexpectedIdent => "an unknown name",
            Kind::ExpectedNamespace => "an unknown namespace prefix",
            Kind::BadValueInAttr => "missing attribute value",
            Kind::ExplicitNamespaceUnexpectedToken => "missing name after a bar",
            Kind::ClassNeedsIdent => "missing name after a dot",
        })
    }
}
