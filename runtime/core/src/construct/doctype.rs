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

/// A question about a DOCTYPE, and the answer that it needs.
#[derive(Clone, Copy, Debug)]
pub struct DoctypeTest {
    /// Whether the answer must be no.
    pub negated: bool,
    /// The question.
    pub what: DoctypeQuestion,
}

/// A question about a DOCTYPE.
#[derive(Clone, Copy, Debug)]
pub enum DoctypeQuestion {
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
        let holds =
            |test: &DoctypeTest| self.answer(test.what, doctype, identifiers) != test.negated;
        let tests = match identifiers {
            (None, None) => &self.tests[..self.bare],
            _ => self.tests,
        };
        tests.iter().any(|parts| parts.iter().all(holds))
    }

    fn answer(
        &self,
        question: DoctypeQuestion,
        doctype: &Doctype<'_>,
        (public, system): (Option<&str>, Option<&str>),
    ) -> bool {
        let same = |a: &[u8], b: &[u8]| match self.ignoring_case {
            true => a.eq_ignore_ascii_case(b),
            false => a == b,
        };
        let is = |found: Option<&str>, wanted: &str| {
            found.is_some_and(|found| same(found.as_bytes(), wanted.as_bytes()))
        };
        match question {
            DoctypeQuestion::ForceQuirks => doctype.force_quirks(),
            DoctypeQuestion::NameIs(wanted) => {
                doctype.name().is_some_and(|name| name.eq_ignore_ascii_case(wanted))
            }
            DoctypeQuestion::PublicIs(wanted) => is(public, wanted),
            DoctypeQuestion::PublicMissing => public.is_none(),
            DoctypeQuestion::SystemIs(wanted) => is(system, wanted),
            DoctypeQuestion::SystemMissing => system.is_none(),
            DoctypeQuestion::PublicBegins(wanted) => {
                let start = public.and_then(|public| public.as_bytes().get(..wanted.len()));
                start.is_some_and(|start| same(start, wanted.as_bytes()))
            }
        }
    }
}
