//! Sets of DOCTYPEs, as generated code represents them. A missing identifier differs from an empty one.

use crate::token::Doctype;

/// A set of DOCTYPEs.
#[derive(Clone, Copy, Debug)]
pub struct DoctypeSet {
    /// Whether identifiers are compared ignoring ASCII case.
    pub ignoring_case: bool,
    /// The alternatives, each a list of tests: a DOCTYPE is a member if all tests of at least one alternative hold.
    pub tests: &'static [&'static [DoctypeTest]],
    /// Number of alternatives at the start of `tests` that can hold for a DOCTYPE without identifiers.
    pub bare: usize,
}

/// A condition on a DOCTYPE, possibly negated.
#[derive(Clone, Copy, Debug)]
pub struct DoctypeTest {
    /// Whether the condition must not hold.
    pub negated: bool,
    /// The condition to test.
    pub condition: DoctypeCondition,
}

/// A condition on a DOCTYPE.
#[derive(Clone, Copy, Debug)]
pub enum DoctypeCondition {
    /// The force-quirks flag is set.
    ForceQuirks,
    /// The name is this string, ignoring ASCII case.
    NameIs(&'static str),
    /// The public identifier is this string.
    PublicIs(&'static str),
    /// The public identifier begins with this prefix.
    PublicBegins(&'static str),
    /// The public identifier is missing.
    PublicMissing,
    /// The system identifier is this string.
    SystemIs(&'static str),
    /// The system identifier is missing.
    SystemMissing,
}

impl DoctypeSet {
    pub(super) fn has(&self, doctype: &Doctype<'_>) -> bool {
        let identifiers = (doctype.public_identifier(), doctype.system_identifier());
        let is_met =
            |test: &DoctypeTest| self.holds(test.condition, doctype, identifiers) != test.negated;
        let alternatives = match identifiers {
            (None, None) => &self.tests[..self.bare],
            _ => self.tests,
        };
        alternatives.iter().any(|alternative| alternative.iter().all(is_met))
    }

    /// Whether the condition holds for a DOCTYPE with these identifiers.
    fn holds(
        &self,
        condition: DoctypeCondition,
        doctype: &Doctype<'_>,
        (public, system): (Option<&str>, Option<&str>),
    ) -> bool {
        let equals = |a: &[u8], b: &[u8]| match self.ignoring_case {
            true => a.eq_ignore_ascii_case(b),
            false => a == b,
        };
        let identifier_is = |identifier: Option<&str>, expected: &str| {
            identifier.is_some_and(|identifier| equals(identifier.as_bytes(), expected.as_bytes()))
        };
        match condition {
            DoctypeCondition::ForceQuirks => doctype.force_quirks(),
            DoctypeCondition::NameIs(expected) => {
                doctype.name().is_some_and(|name| name.eq_ignore_ascii_case(expected))
            }
            DoctypeCondition::PublicIs(expected) => identifier_is(public, expected),
            DoctypeCondition::PublicMissing => public.is_none(),
            DoctypeCondition::SystemIs(expected) => identifier_is(system, expected),
            DoctypeCondition::SystemMissing => system.is_none(),
            DoctypeCondition::PublicBegins(expected) => {
                let prefix = public.and_then(|public| public.as_bytes().get(..expected.len()));
                prefix.is_some_and(|prefix| equals(prefix, expected.as_bytes()))
            }
        }
    }
}
