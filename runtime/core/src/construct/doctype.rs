//! Sets of DOCTYPEs, as generated code represents them. A missing identifier differs from an empty one.

use crate::token::Doctype;

/// A set of DOCTYPEs.
#[derive(Clone, Copy, Debug)]
pub struct DoctypeSet {
    /// Whether identifiers are compared without regard to the case of ASCII letters.
    pub ignoring_case: bool,
    /// The alternatives: a DOCTYPE is a member if all tests of one of them hold.
    pub tests: &'static [&'static [DoctypeTest]],
    /// The number of tests, first in the list, that may hold without identifiers.
    pub bare: usize,
}

/// A condition on a DOCTYPE, possibly negated.
#[derive(Clone, Copy, Debug)]
pub struct DoctypeTest {
    /// Whether the condition must not hold.
    pub negated: bool,
    /// The condition.
    pub condition: DoctypeCondition,
}

/// A condition on a DOCTYPE.
#[derive(Clone, Copy, Debug)]
pub enum DoctypeCondition {
    /// Whether the force-quirks flag is set.
    ForceQuirks,
    /// Whether the name is this one, ignoring ASCII case.
    NameIs(&'static str),
    /// Whether the public identifier is this one.
    PublicIs(&'static str),
    /// Whether the public identifier begins with this prefix.
    PublicBegins(&'static str),
    /// Whether the public identifier is missing.
    PublicMissing,
    /// Whether the system identifier is this one.
    SystemIs(&'static str),
    /// Whether the system identifier is missing.
    SystemMissing,
}

impl DoctypeSet {
    pub(super) fn has(&self, doctype: &Doctype<'_>) -> bool {
        let identifiers = (doctype.public_identifier(), doctype.system_identifier());
        let is_met =
            |test: &DoctypeTest| self.holds(test.condition, doctype, identifiers) != test.negated;
        let tests = match identifiers {
            (None, None) => &self.tests[..self.bare],
            _ => self.tests,
        };
        tests.iter().any(|parts| parts.iter().all(is_met))
    }

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
        let is = |found: Option<&str>, expected: &str| {
            found.is_some_and(|found| equals(found.as_bytes(), expected.as_bytes()))
        };
        match condition {
            DoctypeCondition::ForceQuirks => doctype.force_quirks(),
            DoctypeCondition::NameIs(expected) => {
                doctype.name().is_some_and(|name| name.eq_ignore_ascii_case(expected))
            }
            DoctypeCondition::PublicIs(expected) => is(public, expected),
            DoctypeCondition::PublicMissing => public.is_none(),
            DoctypeCondition::SystemIs(expected) => is(system, expected),
            DoctypeCondition::SystemMissing => system.is_none(),
            DoctypeCondition::PublicBegins(expected) => {
                let start = public.and_then(|public| public.as_bytes().get(..expected.len()));
                start.is_some_and(|start| equals(start, expected.as_bytes()))
            }
        }
    }
}
