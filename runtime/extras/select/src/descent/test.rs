//! Simple selectors as tests that can be decided when an element is opened.

use super::Opened;
use super::levels::Levels;
use crate::attribute::RequiredValue;
use crate::lists::LISTS;
use crate::sibling_positions::is_nth;
use tabulex_core::tree::Namespace;

/// A test of one simple selector.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Name(Box<str>),
    /// The element is in the namespace of this name; empty for no namespace.
    Namespace(Box<str>),
    Id(Box<str>),
    Class(Box<str>),
    Attribute(Box<str>, Option<RequiredValue>),
    Position(TestPosition),
    /// The element's position is `a·n + b` for some `n` of at least 0.
    Nth(TestPosition, i32, i32),
    /// The element has matched one of these steps.
    AnyOf(Vec<usize>),
    /// The element has matched none of these steps.
    NoneOf(Vec<usize>),
    /// The element is a link. All links count as unvisited.
    Link,
    Never,
}

/// A kind of element position that a test refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TestPosition {
    /// The position 1 of the root element; no other element has one.
    Root,
    /// The position among all siblings.
    Child,
    /// The position among siblings with the element's name.
    OfType,
}

impl Test {
    pub(super) fn position_kind(&self) -> Option<TestPosition> {
        match self {
            Self::Position(position) | Self::Nth(position, ..) => Some(*position),
            Self::Name(_) | Self::Namespace(_) | Self::Id(_) | Self::Class(_) => None,
            Self::Attribute(..) | Self::AnyOf(_) | Self::NoneOf(_) | Self::Link | Self::Never => {
                None
            }
        }
    }

    /// Whether an element passes the test; `matched_steps` is the bit set of the steps that it has matched so far.
    #[inline]
    pub(super) fn passes(
        &self,
        element: &impl Opened,
        matched_steps: &[u64],
        levels: &Levels,
    ) -> bool {
        let has_matched = |step: &usize| matched_steps[step / 64] >> (step % 64) & 1 == 1;
        match self {
            Self::Name(name) => element.name() == &**name,
            Self::Namespace(name) => element.is_in(name),
            Self::Id(id) => element.attribute("id") == Some(id),
            Self::Class(class) => element.attribute("class").is_some_and(|value| {
                let mut classes = value.split_ascii_whitespace();
                classes.any(|other| other == &**class)
            }),
            Self::Attribute(name, None) => element.attribute(name).is_some(),
            Self::Attribute(name, Some(required)) => {
                element.attribute(name).is_some_and(|value| required.accepts(value, || true))
            }
            Self::Position(position) => levels.position(*position, element.name()) == 1,
            Self::Nth(position, a, b) => {
                is_nth(i64::from(*a), i64::from(*b), levels.position(*position, element.name()))
            }
            Self::AnyOf(steps) => steps.iter().any(has_matched),
            Self::NoneOf(steps) => !steps.iter().any(has_matched),
            Self::Link => {
                LISTS.link.contains(&element.name())
                    && element.is_in(Namespace::HTML.known_name())
                    && element.attribute("href").is_some()
            }
            Self::Never => false,
        }
    }
}
