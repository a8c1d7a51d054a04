//! The grammar of selectors: the types that parameterize the crate `selectors`, and its parser's settings.

use crate::pseudo_class::PseudoClass;
use crate::selector::Syntax;
use cssparser::{ParseError, ToCss, serialize_identifier, serialize_string};
use precomputed_hash::PrecomputedHash;
use selectors::parser::SelectorParseErrorKind as Kind;
use selectors::parser::{NonTSPseudoClass, PseudoElement, SelectorImpl};
use std::borrow::Borrow;
use std::fmt;

/// The types that this crate's selectors are made of, for the crate `selectors`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Css;

impl SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = Value;
    type Identifier = Word;
    type LocalName = Word;
    type NamespaceUrl = Word;
    type NamespacePrefix = Word;
    type BorrowedNamespaceUrl = str;
    type BorrowedLocalName = Word;
    type NonTSPseudoClass = PseudoClass;
    type PseudoElement = NoPseudoElement;
}

/// An identifier, or the name of a namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word(Box<str>);

impl Word {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl Borrow<str> for Word {
    fn borrow(&self) -> &str {
        &self.0
    }
}

// Hashes are used only by the matcher of the crate `selectors`, which runs only in tests.
impl PrecomputedHash for Word {
    fn precomputed_hash(&self) -> u32 {
        0
    }
}

impl ToCss for Word {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        serialize_identifier(&self.0, out)
    }
}

/// The value of an attribute selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value(Box<str>);

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl AsRef<str> for Value {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ToCss for Value {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        serialize_string(&self.0, out)
    }
}

/// The empty type of pseudo-elements, which match no node of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoPseudoElement {}

impl PseudoElement for NoPseudoElement {}

impl ToCss for NoPseudoElement {
    fn to_css<W: fmt::Write>(&self, _out: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl NonTSPseudoClass for PseudoClass {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        matches!(self, Self::Never(_))
    }
}

/// The parser's settings: allowed extensions and namespace prefixes.
pub(crate) struct Grammar<'n>(pub(crate) &'n Syntax<'n>);

impl Grammar<'_> {
    fn namespace(&self, prefix: &str) -> Option<Word> {
        let declaration = self.0.namespaces.iter().find(|(known, _)| *known == prefix);
        declaration.map(|(_, name)| Word::from(*name))
    }
}

impl<'i> selectors::parser::Parser<'i> for Grammar<'_> {
    type Impl = Css;
    type Error = Kind;

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<PseudoClass, ParseError<Kind>> {
        PseudoClass::named(name).ok_or_else(unknown_pseudo_class)
    }

    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: &str,
        input: &mut cssparser::Parser<'i>,
        _after_part: bool,
    ) -> Result<PseudoClass, ParseError<Kind>> {
        let parse_text = |input: &mut cssparser::Parser<'i>| -> Result<Box<str>, ParseError<Kind>> {
            Ok(Box::from(&**input.expect_ident_or_string()?))
        };
        if name.eq_ignore_ascii_case("lang") {
            Ok(PseudoClass::Lang(input.parse_comma_separated(parse_text)?.into_boxed_slice()))
        } else if name.eq_ignore_ascii_case("dir") {
            Ok(PseudoClass::Dir(Box::from(&**input.expect_ident()?)))
        } else if self.0.has_contains && name.eq_ignore_ascii_case("contains") {
            Ok(PseudoClass::Contains(parse_text(input)?))
        } else {
            Err(unknown_pseudo_class())
        }
    }

    fn default_namespace(&self) -> Option<Word> {
        self.namespace("")
    }

    fn namespace_for_prefix(&self, prefix: &Word) -> Option<Word> {
        self.namespace(prefix.as_str())
    }
}

fn unknown_pseudo_class() -> ParseError<Kind> {
    ParseError::custom(Kind::UnsupportedPseudoClassOrElement)
}
