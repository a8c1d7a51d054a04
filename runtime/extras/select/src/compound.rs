//! Compound selectors: name, id, classes, attributes, position among siblings, states, and nested selectors.

use crate::attribute::{AttributeTest, NameForms};
use crate::chain::{Chain, Key, Memos};
use crate::element::{CommonAttributes, is_empty, is_root};
use crate::grammar::{Css, Word};
use crate::pseudo_class::{MatchCache, PseudoClass};
use crate::sibling_positions::{End, NthPosition};
use selectors::attr::{CaseSensitivity, NamespaceConstraint};
use selectors::parser::{Component, NthSelectorData, Selector};
use tabulex_core::tree::{DocumentMode, LocalName, Name, Namespace, NodeId, NodeRef, Tree};

/// The names in a list of selectors, and the number of its memos. Compounds and links refer to both by index, so that
/// only the names must be resolved in a tree.
#[derive(Default)]
pub(crate) struct Slots {
    pub(crate) names: Vec<NameForms>,
    memo_count: usize,
}

impl Slots {
    fn add_name(&mut self, name: NameForms) -> usize {
        self.names.push(name);
        self.names.len() - 1
    }

    pub(crate) fn add_memo(&mut self) -> usize {
        self.memo_count += 1;
        self.memo_count - 1
    }
}

/// A compound selector. All parts must match.
#[derive(Clone, Default)]
pub(crate) struct Compound {
    /// The index of the required name in [`MatchContext::names`], if any.
    name: Option<usize>,
    /// The other simple selectors, in the order written.
    tests: Vec<Test>,
}

/// A simple selector other than an element name.
#[derive(Clone)]
enum Test {
    /// The namespace name of the element; empty for no namespace.
    Namespace(Word),
    Id(Word),
    Class(Word),
    /// A test of an attribute, with the index of its name in [`MatchContext::names`].
    Attribute(AttributeTest, usize),
    State(PseudoClass),
    First,
    Last,
    Root,
    Scope,
    Empty,
    /// A position among the siblings that match a list of selectors, which the element must match, too; an empty list
    /// stands for all siblings. The number is the index in [`MatchContext::sibling_numbers`].
    Position(NthPosition, Vec<Chain>, usize),
    /// No selector of `:not()` matches.
    Not(Vec<Chain>),
    /// One selector of `:is()` or `:where()` matches.
    Any(Vec<Chain>),
    /// One relative selector of `:has()` matches.
    Has(Vec<Chain>),
    /// No element matches.
    Never,
}

impl Compound {
    /// Creates a compound that matches no element.
    pub(crate) fn nothing() -> Self {
        Self { name: None, tests: vec![Test::Never] }
    }

    /// Adds a simple selector.
    pub(crate) fn add(&mut self, component: &Component<Css>, slots: &mut Slots) {
        let test = match component {
            Component::LocalName(name) => {
                let name = NameForms::new(&name.name, &name.lower_name);
                self.name = Some(slots.add_name(name));
                return;
            }
            Component::ExplicitUniversalType
            | Component::ExplicitAnyNamespace
            | Component::RelativeSelectorAnchor => return,
            Component::Nth(nth) => return self.add_positions(nth, &[], slots),
            Component::NthOf(nth) => {
                return self.add_positions(nth.nth_data(), nth.selectors(), slots);
            }
            Component::DefaultNamespace(name) | Component::Namespace(_, name) => {
                Test::Namespace(name.clone())
            }
            Component::ExplicitNoNamespace => Test::Namespace(Word::default()),
            Component::Class(class) => Test::Class(class.clone()),
            Component::ID(id) => Test::Id(id.clone()),
            Component::AttributeInNoNamespaceExists { .. }
            | Component::AttributeInNoNamespace { .. }
            | Component::AttributeOther(_) => {
                AttributeTest::of(component).map_or(Test::Never, |test| {
                    let name = slots.add_name(test.name.clone());
                    Test::Attribute(test, name)
                })
            }
            Component::Negation(list) => Test::Not(compile(list.slice(), slots)),
            Component::Is(list) | Component::Where(list) => Test::Any(compile(list.slice(), slots)),
            Component::Has(list) => {
                Test::Has(list.iter().map(|selector| Chain::forward(selector, slots)).collect())
            }
            Component::Root => Test::Root,
            Component::Scope | Component::ImplicitScope => Test::Scope,
            Component::Empty => Test::Empty,
            Component::NonTSPseudoClass(class) => Test::State(class.clone()),
            // An invalid selector, which `:is()` ignores, and parts that the grammar does not parse match nothing.
            Component::Invalid(_)
            | Component::ParentSelector
            | Component::Slotted(_)
            | Component::Part(_)
            | Component::Host(_)
            | Component::PseudoElement(_)
            | Component::Combinator(_) => Test::Never,
        };
        self.tests.push(test);
    }

    /// Adds positions among the siblings that match one of `selectors`, or among all siblings if there are none. A first
    /// or a last child needs no counting.
    fn add_positions(
        &mut self,
        nth: &NthSelectorData,
        selectors: &[Selector<Css>],
        slots: &mut Slots,
    ) {
        for position in NthPosition::of(nth) {
            self.tests.push(match position.end().filter(|_| selectors.is_empty()) {
                Some(End::First) => Test::First,
                Some(End::Last) => Test::Last,
                None => Test::Position(position, compile(selectors, slots), slots.add_memo()),
            });
        }
    }

    /// Whether elements of the tree may match: the tree has the required names.
    pub(crate) fn may_match(&self, context: &MatchContext) -> bool {
        let is_known = |name: usize| context.names[name].ids() != [None; 2];
        self.name.is_none_or(is_known)
            && self.tests.iter().all(|test| match test {
                Test::Never => false,
                Test::Attribute(_, name) => is_known(*name),
                Test::Any(list) | Test::Has(list) | Test::Position(_, list, _) => {
                    list.is_empty() || list.iter().any(|chain| chain.may_match(context))
                }
                _ => true,
            })
    }

    /// Returns a property that all matching elements share, preferring rare ones.
    pub(crate) fn key(&self, context: &MatchContext) -> Key<'_> {
        let keys = self.tests.iter().filter_map(|test| match test {
            Test::Id(id) => Some((0, Key::Id(id.as_str()))),
            Test::Class(class) => Some((1, Key::Class(class.as_str()))),
            Test::Attribute(_, name) => Some((3, Key::Attribute(context.names[*name].ids()))),
            _ => None,
        });
        let name = self.name.map(|name| (2, Key::Name(context.names[name].ids())));
        keys.chain(name).min_by_key(|(rank, _)| *rank).map_or(Key::None, |(_, key)| key)
    }

    /// Whether the compound has no requirement except possibly an element name.
    pub(crate) fn is_bare(&self) -> bool {
        self.tests.is_empty()
    }

    /// Returns the [bits](name_bit) of the names that matching elements have.
    pub(crate) fn name_bits(&self, context: &MatchContext) -> u64 {
        let bits_of = |name: usize| context.names[name].ids().into_iter().flatten().map(name_bit);
        self.name.map_or(u64::MAX, |name| bits_of(name).fold(0, |all, bit| all | bit))
    }

    /// Whether an element matches the compound.
    #[inline]
    pub(crate) fn is_match(&self, node: NodeRef<'_>, context: &mut MatchContext) -> bool {
        if let Some(name) = self.name {
            let local = node.name().map(|name| name.id().local());
            if local.is_none() || local != context.names[name].of(node) {
                return false;
            }
        }
        self.tests.iter().all(|test| test.passes(node, context))
    }
}

impl Test {
    /// Whether an element passes the test.
    fn passes(&self, node: NodeRef<'_>, context: &mut MatchContext) -> bool {
        let (common, case) = (context.common, context.case);
        match self {
            Self::Namespace(required) => {
                node.name().is_some_and(|name| name.namespace_str() == required.as_str())
            }
            Self::Id(id) => common.has_id(node, id.as_str(), case),
            Self::Class(class) => common.has_class(node, class.as_str(), case),
            Self::Attribute(test, name) => has_attribute(node, context.names[*name].of(node), test),
            Self::State(state) => state.matches(node, &mut context.cache),
            Self::First => !node.previous_siblings().any(|node| node.is_element()),
            Self::Last => !node.next_siblings().any(|node| node.is_element()),
            Self::Root => is_root(node),
            Self::Scope => context.scope.map_or_else(|| is_root(node), |scope| scope == node.id()),
            Self::Empty => is_empty(node),
            Self::Position(position, siblings, memo) => {
                is_at(*position, siblings, *memo, node, context)
            }
            Self::Not(list) => !matches_any(list, node, context),
            Self::Any(list) => matches_any(list, node, context),
            Self::Has(list) => list.iter().any(|chain| chain.matches_forward(0, node, context)),
            Self::Never => false,
        }
    }
}

fn compile(list: &[Selector<Css>], slots: &mut Slots) -> Vec<Chain> {
    list.iter().map(|selector| Chain::of(selector, slots)).collect()
}

/// Whether an element is at a position among its siblings; see [`Test::Position`].
fn is_at(
    position: NthPosition,
    siblings: &[Chain],
    memo: usize,
    element: NodeRef<'_>,
    context: &mut MatchContext,
) -> bool {
    let all_numbers = &mut context.sibling_numbers;
    all_numbers.resize_with(all_numbers.len().max(memo + 1), Vec::new);
    let index = element.id().index();
    if all_numbers[memo].get(index).is_none_or(|&number| number == 0) {
        let mut numbers = std::mem::take(&mut all_numbers[memo]);
        position.number_siblings(element, &mut numbers, |sibling| {
            siblings.is_empty() || matches_any(siblings, sibling, context)
        });
        context.sibling_numbers[memo] = numbers;
    }
    position.contains(context.sibling_numbers[memo][index])
}

/// A name resolved in a tree, as written and in lowercase; a form that the tree lacks is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ResolvedName {
    written: Option<LocalName>,
    lower: Option<LocalName>,
}

impl ResolvedName {
    fn find(name: &NameForms, tree: &Tree) -> Self {
        let find_local = |word: &Word| tree.names().find_local(word.as_str());
        let lower = find_local(&name.lower);
        let is_lower = name.written.as_str() == name.lower.as_str();
        Self { written: if is_lower { lower } else { find_local(&name.written) }, lower }
    }

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
    /// The names of [`Slots::names`], resolved.
    names: Vec<ResolvedName>,
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
    pub(crate) fn new(tree: &Tree, scope: Option<NodeRef<'_>>, names: &[NameForms]) -> Self {
        let case = match tree.mode() {
            DocumentMode::Quirks => CaseSensitivity::AsciiCaseInsensitive,
            _ => CaseSensitivity::CaseSensitive,
        };
        Self {
            names: names.iter().map(|name| ResolvedName::find(name, tree)).collect(),
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

/// Whether an element matches one of the selectors.
fn matches_any(list: &[Chain], node: NodeRef<'_>, context: &mut MatchContext) -> bool {
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
