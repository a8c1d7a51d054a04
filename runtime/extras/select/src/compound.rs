//! Compound selectors: name, id, classes, attributes, position among siblings, states, and nested selectors.

use crate::attribute::{AttributeTest, NameForms};
use crate::chain::{BoundChain, Chain, Key, Memos};
use crate::element::{CommonAttributes, is_empty, is_root};
use crate::grammar::{Css, Word};
use crate::pseudo_class::{MatchCache, PseudoClass};
use crate::sibling_positions::{End, NthPosition};
use selectors::attr::{CaseSensitivity, NamespaceConstraint};
use selectors::parser::{Component, NthSelectorData, Selector};
use tabulex_core::tree::{DocumentMode, LocalName, Name, Namespace, NodeId, NodeRef, Tree};

/// A compound selector. All parts must match.
#[derive(Clone, Default)]
pub(crate) struct Compound {
    name: Option<NameForms>,
    /// The namespace name required of the element, if any.
    namespace: Option<Word>,
    ids: Vec<Word>,
    classes: Vec<Word>,
    attributes: Vec<AttributeTest>,
    /// The selectors of `:not()`, none of which may match.
    not: Vec<Chain>,
    /// The lists of `:is()` and `:where()`; one selector of each list must match.
    any: Vec<Vec<Chain>>,
    /// The lists of `:has()`; one relative selector of each list must match.
    has: Vec<Vec<Chain>>,
    is_first: bool,
    is_last: bool,
    /// The required positions among the siblings that match a list of selectors, which the element must match, too; an
    /// empty list stands for all siblings.
    positions: Vec<(NthPosition, Vec<Chain>)>,
    is_root: bool,
    is_scope: bool,
    is_empty: bool,
    states: Vec<PseudoClass>,
    /// Whether the compound matches no element.
    matches_nothing: bool,
}

impl Compound {
    /// Creates a compound that matches no element.
    pub(crate) fn nothing() -> Self {
        Self { matches_nothing: true, ..Self::default() }
    }

    /// Adds a simple selector.
    pub(crate) fn add(&mut self, component: &Component<Css>) {
        let compile = |list: &[Selector<Css>]| list.iter().map(Chain::of).collect::<Vec<_>>();
        match component {
            Component::LocalName(name) => {
                self.name = Some(NameForms::new(&name.name, &name.lower_name));
            }
            Component::DefaultNamespace(name) | Component::Namespace(_, name) => {
                self.namespace = Some(name.clone());
            }
            Component::ExplicitNoNamespace => self.namespace = Some(Word::default()),
            Component::Class(class) => self.classes.push(class.clone()),
            Component::ID(id) => self.ids.push(id.clone()),
            Component::AttributeInNoNamespaceExists { .. }
            | Component::AttributeInNoNamespace { .. }
            | Component::AttributeOther(_) => self.attributes.extend(AttributeTest::of(component)),
            Component::Negation(list) => self.not.extend(compile(list.slice())),
            Component::Is(list) | Component::Where(list) => self.any.push(compile(list.slice())),
            Component::Has(list) => self.has.push(list.iter().map(Chain::forward).collect()),
            Component::Nth(nth) => self.add_position(nth),
            Component::NthOf(nth) => {
                let positions = NthPosition::of(nth.nth_data());
                self.positions
                    .extend(positions.map(|position| (position, compile(nth.selectors()))));
            }
            Component::Root => self.is_root = true,
            Component::Scope | Component::ImplicitScope => self.is_scope = true,
            Component::Empty => self.is_empty = true,
            Component::NonTSPseudoClass(class) => self.states.push(class.clone()),
            Component::ExplicitUniversalType
            | Component::ExplicitAnyNamespace
            | Component::RelativeSelectorAnchor => {}
            // An invalid selector, which `:is()` ignores, and parts that the grammar does not parse match nothing.
            Component::Invalid(_)
            | Component::ParentSelector
            | Component::Slotted(_)
            | Component::Part(_)
            | Component::Host(_)
            | Component::PseudoElement(_)
            | Component::Combinator(_) => self.matches_nothing = true,
        }
    }

    /// Adds a position among siblings. A first or a last child is recorded as a flag, as it needs no counting.
    fn add_position(&mut self, nth: &NthSelectorData) {
        for position in NthPosition::of(nth) {
            match position.end() {
                Some(End::First) => self.is_first = true,
                Some(End::Last) => self.is_last = true,
                None => self.positions.push((position, Vec::new())),
            }
        }
    }

    /// Resolves the compound's names in a tree; returns `None` if no element of the tree can match, for example because
    /// a required name is missing. `memo_count` is that of [`Chain::bind`].
    pub(crate) fn bind<'s>(
        &'s self,
        tree: &Tree,
        memo_count: &mut usize,
    ) -> Option<BoundCompound<'s>> {
        let resolve = |name: &NameForms| {
            let find_local = |word: &Word| tree.names().find_local(word.as_str());
            let lower = find_local(&name.lower);
            let is_lower = name.written.as_str() == name.lower.as_str();
            let name = ResolvedName {
                written: if is_lower { lower } else { find_local(&name.written) },
                lower,
            };
            (name.written.is_some() || name.lower.is_some()).then_some(name)
        };
        if self.matches_nothing {
            return None;
        }
        let name = match &self.name {
            None => None,
            Some(name) => Some(resolve(name)?),
        };
        let attributes = self.attributes.iter().map(|attribute| resolve(&attribute.name));
        let attributes = attributes.collect::<Option<_>>()?;
        let mut bind_list = |list: &'s [Chain]| -> Vec<BoundChain<'s>> {
            list.iter().filter_map(|chain| chain.bind(tree, memo_count)).collect()
        };
        let not = bind_list(&self.not);
        let mut bind_nonempty =
            |list: &'s Vec<Chain>| Some(bind_list(list)).filter(|list| !list.is_empty());
        let any = self.any.iter().map(&mut bind_nonempty).collect::<Option<_>>()?;
        let has = self.has.iter().map(&mut bind_nonempty).collect::<Option<_>>()?;
        let bind_siblings = |(_, list): &'s (NthPosition, Vec<Chain>)| match list.is_empty() {
            true => Some(Vec::new()),
            false => bind_nonempty(list),
        };
        let siblings = self.positions.iter().map(bind_siblings).collect::<Option<Vec<_>>>()?;
        let positions = self.positions.iter().zip(siblings).map(|((position, _), siblings)| {
            *memo_count += 1;
            BoundPosition { position: *position, siblings, memo: *memo_count - 1 }
        });
        let positions = positions.collect();
        let Self { is_first, is_last, is_root, is_scope, is_empty, .. } = *self;
        let is_bare = self.namespace.is_none()
            && self.ids.is_empty()
            && self.classes.is_empty()
            && self.attributes.is_empty()
            && self.not.is_empty()
            && self.any.is_empty()
            && self.has.is_empty()
            && self.positions.is_empty()
            && self.states.is_empty()
            && !(is_first || is_last || is_root || is_scope || is_empty);
        Some(BoundCompound { compound: self, is_bare, name, attributes, not, any, has, positions })
    }
}

/// A name resolved in a tree, as written and in lowercase; a form that the tree lacks is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ResolvedName {
    written: Option<LocalName>,
    lower: Option<LocalName>,
}

impl ResolvedName {
    /// Returns the ids of both forms, without duplicates.
    fn ids(self) -> [Option<LocalName>; 2] {
        [self.written, self.lower.filter(|lower| Some(*lower) != self.written)]
    }

    /// Returns the form that applies to an element or its attributes: the one in lowercase for HTML elements, the one
    /// as written for others. `None` if the tree lacks that form.
    #[inline]
    fn of(self, node: NodeRef<'_>) -> Option<LocalName> {
        let is_same = self.written == self.lower;
        let is_lower = is_same || node.namespace() == Some(Namespace::HTML);
        if is_lower { self.lower } else { self.written }
    }
}

/// The state of matching that all elements of a tree share: comparison modes, and caches.
pub(crate) struct MatchContext {
    common: CommonAttributes,
    /// The case sensitivity of ids and classes.
    case: CaseSensitivity,
    /// The `:scope` element; if `None`, the root element is `:scope`.
    scope: Option<NodeId>,
    /// The numbers of siblings, by memo and node; see [`NthPosition::number_siblings`].
    sibling_numbers: Vec<Vec<u32>>,
    cache: MatchCache,
    pub(crate) memos: Memos,
}

impl MatchContext {
    pub(crate) fn new(tree: &Tree, scope: Option<NodeRef<'_>>) -> Self {
        let case = match tree.mode() {
            DocumentMode::Quirks => CaseSensitivity::AsciiCaseInsensitive,
            _ => CaseSensitivity::CaseSensitive,
        };
        Self {
            common: CommonAttributes::of(tree),
            case,
            scope: scope.filter(NodeRef::is_element).map(|scope| scope.id()),
            sibling_numbers: Vec::new(),
            cache: MatchCache::default(),
            memos: Memos::default(),
        }
    }
}

/// Returns the bit of a name in a set that rejects most elements of other names at little cost.
#[inline]
pub(crate) fn name_bit(name: LocalName) -> u64 {
    1 << (name.id() % u64::BITS)
}

/// A compound with names resolved in a tree.
#[derive(Clone)]
pub(crate) struct BoundCompound<'s> {
    compound: &'s Compound,
    /// See [`is_bare`](Self::is_bare).
    is_bare: bool,
    name: Option<ResolvedName>,
    attributes: Vec<ResolvedName>,
    not: Vec<BoundChain<'s>>,
    any: Vec<Vec<BoundChain<'s>>>,
    has: Vec<Vec<BoundChain<'s>>>,
    positions: Vec<BoundPosition<'s>>,
}

/// A required position with names resolved in a tree.
#[derive(Clone)]
struct BoundPosition<'s> {
    position: NthPosition,
    /// The selectors of the siblings that are counted; empty if all are.
    siblings: Vec<BoundChain<'s>>,
    /// The index of the numbers in [`MatchContext::sibling_numbers`].
    memo: usize,
}

impl<'s> BoundCompound<'s> {
    /// Returns a property that all matching elements share, preferring rare ones.
    pub(crate) fn key(&self) -> Key<'s> {
        let Compound { ids, classes, .. } = self.compound;
        match (ids.first(), classes.first(), self.name, self.attributes.first()) {
            (Some(id), ..) => Key::Id(id.as_str()),
            (_, Some(class), ..) => Key::Class(class.as_str()),
            (_, _, Some(name), _) => Key::Name(name.ids()),
            (_, _, _, Some(name)) => Key::Attribute(name.ids()),
            _ => Key::None,
        }
    }

    /// Whether the compound has no requirement except possibly an element name.
    pub(crate) fn is_bare(&self) -> bool {
        self.is_bare
    }

    /// Returns the [bits](name_bit) of the names that matching elements have.
    pub(crate) fn name_bits(&self) -> u64 {
        let bits_of = |name: ResolvedName| name.ids().into_iter().flatten().map(name_bit);
        self.name.map_or(u64::MAX, |name| bits_of(name).fold(0, |all, bit| all | bit))
    }

    /// Whether an element matches the compound.
    #[inline]
    pub(crate) fn is_match(&self, node: NodeRef<'_>, context: &mut MatchContext) -> bool {
        if let Some(name) = self.name {
            let local = node.name().map(|name| name.id().local());
            if local.is_none() || local != name.of(node) {
                return false;
            }
        }
        self.is_bare || self.matches_beyond_name(node, context)
    }

    /// Whether an element matches all parts but the name.
    fn matches_beyond_name(&self, node: NodeRef<'_>, context: &mut MatchContext) -> bool {
        let Compound { namespace, ids, classes, attributes, states, .. } = self.compound;
        let Compound { is_first, is_last, is_root: must_be_root, is_empty: must_be_empty, .. } =
            *self.compound;
        let (common, case) = (context.common, context.case);
        let is_in =
            |name: &Word| node.name().is_some_and(|found| found.namespace_str() == name.as_str());
        let is_scope = || context.scope.map_or_else(|| is_root(node), |scope| scope == node.id());
        namespace.as_ref().is_none_or(is_in)
            && ids.iter().all(|id| common.has_id(node, id.as_str(), case))
            && classes.iter().all(|class| common.has_class(node, class.as_str(), case))
            && attributes
                .iter()
                .zip(&self.attributes)
                .all(|(test, name)| has_attribute(node, name.of(node), test))
            && (!is_first || !node.previous_siblings().any(|node| node.is_element()))
            && (!is_last || !node.next_siblings().any(|node| node.is_element()))
            && (!must_be_root || is_root(node))
            && (!self.compound.is_scope || is_scope())
            && (!must_be_empty || is_empty(node))
            && self.positions.iter().all(|position| position.is_at(node, context))
            && states.iter().all(|state| state.matches(node, &mut context.cache))
            && !self.not.iter().any(|chain| chain.is_match(node, context))
            && self.any.iter().all(|list| matches_any(list, node, context))
            && self
                .has
                .iter()
                .all(|list| list.iter().any(|chain| chain.matches_forward(0, node, context)))
    }
}

impl BoundPosition<'_> {
    /// Whether an element is at the position.
    fn is_at(&self, element: NodeRef<'_>, context: &mut MatchContext) -> bool {
        let Self { position, siblings, memo } = self;
        let all_numbers = &mut context.sibling_numbers;
        all_numbers.resize_with(all_numbers.len().max(memo + 1), Vec::new);
        let index = element.id().index();
        if all_numbers[*memo].get(index).is_none_or(|&number| number == 0) {
            let mut numbers = std::mem::take(&mut all_numbers[*memo]);
            position.number_siblings(element, &mut numbers, |sibling| {
                siblings.is_empty() || matches_any(siblings, sibling, context)
            });
            context.sibling_numbers[*memo] = numbers;
        }
        position.contains(context.sibling_numbers[*memo][index])
    }
}

/// Whether an element matches one of the selectors.
fn matches_any(list: &[BoundChain<'_>], node: NodeRef<'_>, context: &mut MatchContext) -> bool {
    list.iter().any(|chain| chain.is_match(node, context))
}

/// Whether an element has an attribute that passes a test; `local` is the attribute's resolved name.
fn has_attribute(node: NodeRef<'_>, local: Option<LocalName>, test: &AttributeTest) -> bool {
    let Some(local) = local else { return false };
    let is_html = || node.namespace() == Some(Namespace::HTML);
    let accepts =
        |value: &str| test.value.as_ref().is_none_or(|required| required.accepts(value, is_html));
    let Some(namespace) = &test.namespace else {
        let name = Name::new(Namespace::NONE, local);
        return match &test.value {
            None => node.attributes().any(|attribute| attribute.name().id() == name),
            Some(_) => node.named_attribute(name).is_some_and(accepts),
        };
    };
    node.attributes().any(|attribute| {
        let name = attribute.name();
        let is_in = match namespace {
            NamespaceConstraint::Any => true,
            NamespaceConstraint::Specific(expected) => name.namespace_str() == expected.as_str(),
        };
        name.id().local() == local && is_in && accepts(attribute.value())
    })
}
