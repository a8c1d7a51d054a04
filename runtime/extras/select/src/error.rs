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

    /// Returns the byte range of the faulty selector within the list, or of the whole list if a limit is exceeded.
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

/// The reason why a selector could not be parsed.
#[derive(Clone, Debug)]
pub(crate) struct Reason(pub(crate) &'static str);

impl From<Kind> for Reason {
    fn from(kind: Kind) -> Self {
        Self(match kind {
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
        })
    }
}
