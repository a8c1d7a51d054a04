//! Conditions that rows test, the sets that they test with, and primitives that end tree construction or report to the
//! sink.

use super::open::{NONE, Open};
use super::{Builder, Construction, TokenView};
use crate::token::Doctype;
use crate::tree::{DocumentMode, LocalName, Name, Namespace, TreeSink};

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the slot of the topmost element with one of these names; `None` if there is none.
    #[inline]
    pub(super) fn topmost_of(&mut self, set: &ElementSet) -> Option<u32> {
        let topmost = set.own.iter().filter_map(|&local| self.open.topmost(local)).max();
        if set.foreign.is_empty() { topmost } else { topmost.max(self.topmost_foreign_of(set)) }
    }

    /// Returns the slot of the topmost element whose name is one of the set's foreign names; `None` if there is none.
    #[cold]
    fn topmost_foreign_of(&mut self, set: &ElementSet) -> Option<u32> {
        let mut topmost = None;
        for &(namespace, local) in set.foreign {
            let name = Name::new(namespace, LocalName::known(local));
            let member = self.open_like(name).find(|(_, open)| open.name == name);
            topmost = topmost.max(member.map(|(slot, _)| slot));
        }
        topmost
    }

    /// Iterates over the open elements with the lookup name of this name, and their slots, topmost first.
    pub(super) fn open_like(&mut self, name: Name) -> impl Iterator<Item = (u32, &Open<S::Node>)> {
        let lookup_name = self.lookup_name(name);
        let steps = &mut self.steps;
        self.open.named(lookup_name).inspect(move |_| *steps += 1)
    }

    /// Whether an element of the table's own namespace with this name is in the scope.
    #[inline]
    pub fn is_name_in_scope(&self, scope: usize, local: u32) -> bool {
        let slot = self.open.topmost_slot_or_none(local);
        slot != NONE && self.open.is_in_scope(scope, slot)
    }

    /// Whether an element whose name is not in `set` is open.
    pub fn has_open_other_than(&mut self, set: &ElementSet) -> bool {
        let mut member_count: usize =
            set.own.iter().map(|&local| self.open.count_named(local)).sum();
        for &(namespace, local) in set.foreign {
            let name = Name::new(namespace, LocalName::known(local));
            member_count += self.open_like(name).filter(|(_, open)| open.name == name).count();
        }
        self.open.len() > member_count
    }

    /// Whether a foreign element with the token's name is open, and no element of the table's own namespace is nearer
    /// to the current node.
    pub fn has_foreign_token_name(&self) -> bool {
        let foreign = self.open.topmost_foreign(self.token_name.id());
        foreign
            .is_some_and(|slot| self.open.topmost_in_own_namespace().is_none_or(|own| own < slot))
    }

    /// Whether the input is parsed as a fragment rather than a document.
    pub fn is_fragment(&self) -> bool {
        self.context.is_some()
    }

    /// Whether the token has an attribute with this name.
    pub fn has_token_attribute(&self, token: &TokenView<'_>, name: &str) -> bool {
        token.tag().is_some_and(|tag| tag.attribute(name).is_some())
    }

    /// Whether the token has an attribute with this name and value, ignoring ASCII case in the value.
    pub fn token_attribute_is(&self, token: &TokenView<'_>, name: &str, value: &str) -> bool {
        let actual = token.tag().and_then(|tag| tag.attribute(name));
        actual.is_some_and(|actual| actual.eq_ignore_ascii_case(value))
    }

    /// Whether the token's self-closing flag is set.
    pub fn is_self_closing(&self, token: &TokenView<'_>) -> bool {
        token.tag().is_some_and(|tag| tag.self_closing())
    }

    /// Whether the token is a DOCTYPE in the set.
    pub fn doctype_is(&self, token: &TokenView<'_>, set: &DoctypeSet) -> bool {
        matches!(token, TokenView::Doctype(doctype) if set.has(doctype))
    }
}

// Sets of DOCTYPEs and of element names, as generated code represents them. A missing identifier of a DOCTYPE differs
// from an empty one.

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

/// A set of element names, given by the ids of known names.
#[derive(Clone, Copy, Debug)]
pub struct ElementSet {
    /// The ids of names in the table's own namespace, sorted.
    pub own: &'static [u32],
    /// The ids in `own` as a bit set: bit `id % 64` of word `id / 64`.
    pub bits: &'static [u64],
    /// Names in other namespaces, each given by its namespace and the id of its local name.
    pub foreign: &'static [(Namespace, u32)],
}

impl ElementSet {
    /// The empty set.
    pub const EMPTY: Self = Self { own: &[], bits: &[], foreign: &[] };

    /// Whether the set contains this name of the table's own namespace.
    #[inline]
    pub(super) fn has_own(&self, local: LocalName) -> bool {
        let id = local.id() as usize;
        self.bits.get(id / 64).is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }

    /// Whether the set contains the name, where `own` is the table's own namespace.
    #[inline]
    pub(super) fn has(&self, name: Name, own: Namespace) -> bool {
        if name.is_in(own) { self.has_own(name.local()) } else { self.has_foreign(name) }
    }

    /// Whether the set contains this name of a foreign namespace.
    #[cold]
    fn has_foreign(&self, name: Name) -> bool {
        let matches = |&(namespace, local): &(Namespace, u32)| {
            name.is_in(namespace) && name.local().id() == local
        };
        self.foreign.iter().any(matches)
    }
}

/// Whether the name is in the table's own namespace.
#[inline]
pub fn is_own<C: Construction>(name: Name) -> bool {
    name.is_in(C::ELEMENTS.namespace())
}

/// Whether the set contains the name.
#[inline]
pub fn is_one_of<C: Construction>(name: Name, set: &ElementSet) -> bool {
    set.has(name, C::ELEMENTS.namespace())
}

/// Returns the byte offset of the first occurrence of `byte`, an ASCII character; the text's length if there is none.
#[inline]
pub fn first_byte(text: &str, byte: u8) -> usize {
    memchr::memchr(byte, text.as_bytes()).unwrap_or(text.len())
}

// Primitives that end tree construction or report to the sink.

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Stops tree construction: all elements are closed, and further tokens are ignored.
    pub fn stop(&mut self) {
        self.flush_document_text();
        while !self.open.is_empty() {
            self.pop_slow(&TokenView::EndOfFile(0));
        }
        self.halt();
    }

    /// Stops tree construction, and leaves elements open.
    pub fn halt(&mut self) {
        self.flush_document_text();
        self.has_stopped = true;
    }

    /// Sets the document's mode.
    pub fn set_document_mode(&mut self, mode: DocumentMode) {
        self.document_mode = mode;
        self.sink.set_document_mode(mode);
    }

    /// Tells the sink that a pointer was set to the current node, or unset if `is_set` is false. The sink associates
    /// the nodes created in between with that element. No effect in fragments.
    #[cold]
    pub fn associate(&mut self, is_set: bool) {
        if self.context.is_none() {
            let open = self.open.last().filter(|_| is_set);
            self.sink.associate(open.map(|open| open.node));
        }
    }
}
