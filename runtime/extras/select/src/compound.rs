//! Compound selectors: name, id, classes, attributes, position among siblings, states, and nested selectors.

use crate::attribute::{AttributeTest, NameForms};
use crate::chain::{BoundChain, Chain, Key, Memos};
use crate::element::{CommonAttributes, is_empty, is_root};
use crate::grammar::{Css, Word};
use crate::pseudo_class::{MatchCache, PseudoClass};
use crate::sibling_positions::{End, NthPosition};
use selectors::attr::{CaseSensitivity, NamespaceConstraint};
use selectors::parser::{Component, Selector};
use tabulex_core::tree::{DocumentMode, LocalName, Name, Namespace, NodeId, NodeRef, Tree};

/// A compound selector. All parts must match.
#[derive(Clone, Default)]
pub(crate) struct Compound {
    name: Option<NameForms>,
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
    Attribute(AttributeTest),
    State(PseudoClass),
    First,
    Last,
    Root,
    Scope,
    Empty,
    /// A position among the siblings that match a list of selectors, which the element must match, too; an empty list
    /// stands for all siblings.
    Position(NthPosition, Vec<Chain>),
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
    pub(crate) fn add(&mut self, component: &Component<Css>) {
        let compile = |list: &[Selector<Css>]| list.iter().map(Chain::of).collect::<Vec<_>>();
        self.tests.push(match component {
            Component::LocalName(name) => {
                self.name = Some(NameForms::new(&name.name, &name.lower_name));
                return;
            }
            Component::ExplicitUniversalType
            | Component::ExplicitAnyNamespace
            | Component::RelativeSelectorAnchor => return,
            Component::Nth(nth) => {
                self.tests.extend(NthPosition::of(nth).map(|position| match position.end() {
                    Some(End::First) => Test::First,
                    Some(End::Last) => Test::Last,
                    None => Test::Position(position, Vec::new()),
                }));
                return;
            }
            Component::NthOf(nth) => {
                let of_list = |position| Test::Position(position, compile(nth.selectors()));
                self.tests.extend(NthPosition::of(nth.nth_data()).map(of_list));
                return;
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
                AttributeTest::of(component).map_or(Test::Never, Test::Attribute)
            }
            Component::Negation(list) => Test::Not(compile(list.slice())),
            Component::Is(list) | Component::Where(list) => Test::Any(compile(list.slice())),
            Component::Has(list) => Test::Has(list.iter().map(Chain::forward).collect()),
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
        });
    }

    /// Resolves the compound's names in a tree; returns `None` if no element of the tree can match, for example because
    /// a required name is missing. `memo_count` is that of [`Chain::bind`].
    pub(crate) fn bind<'s>(
        &'s self,
        tree: &Tree,
        memo_count: &mut usize,
    ) -> Option<BoundCompound<'s>> {
        let name = match &self.name {
            None => None,
            Some(name) => Some(ResolvedName::find(name, tree)?),
        };
        let tests = self.tests.iter().map(|test| test.bind(tree, memo_count));
        Some(BoundCompound { name, tests: tests.collect::<Option<_>>()? })
    }
}

impl Test {
    /// Resolves the names in a tree; returns `None` if no element of the tree can pass.
    fn bind<'s>(&'s self, tree: &Tree, memo_count: &mut usize) -> Option<BoundTest<'s>> {
        let mut bind_list = |list: &'s [Chain]| -> Vec<BoundChain<'s>> {
            list.iter().filter_map(|chain| chain.bind(tree, memo_count)).collect()
        };
        let nonempty = |list: Vec<BoundChain<'s>>| Some(list).filter(|list| !list.is_empty());
        Some(match self {
            Self::Namespace(name) => BoundTest::Namespace(name.as_str()),
            Self::Id(id) => BoundTest::Id(id.as_str()),
            Self::Class(class) => BoundTest::Class(class.as_str()),
            Self::Attribute(test) => {
                BoundTest::Attribute(test, ResolvedName::find(&test.name, tree)?)
            }
            Self::State(state) => BoundTest::State(state),
            Self::First => BoundTest::First,
            Self::Last => BoundTest::Last,
            Self::Root => BoundTest::Root,
            Self::Scope => BoundTest::Scope,
            Self::Empty => BoundTest::Empty,
            Self::Position(position, list) => {
                let siblings = bind_list(list);
                if siblings.is_empty() && !list.is_empty() {
                    return None;
                }
                *memo_count += 1;
                BoundTest::Position(BoundPosition {
                    position: *position,
                    siblings,
                    memo: *memo_count - 1,
                })
            }
            Self::Not(list) => BoundTest::Not(bind_list(list)),
            Self::Any(list) => BoundTest::Any(nonempty(bind_list(list))?),
            Self::Has(list) => BoundTest::Has(nonempty(bind_list(list))?),
            Self::Never => return None,
        })
    }
}

/// A name resolved in a tree, as written and in lowercase; a form that the tree lacks is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ResolvedName {
    written: Option<LocalName>,
    lower: Option<LocalName>,
}

impl ResolvedName {
    /// Finds a name in a tree; returns `None` if the tree has neither form of it.
    fn find(name: &NameForms, tree: &Tree) -> Option<Self> {
        let find_local = |word: &Word| tree.names().find_local(word.as_str());
        let lower = find_local(&name.lower);
        let is_lower = name.written.as_str() == name.lower.as_str();
        let written = if is_lower { lower } else { find_local(&name.written) };
        (written.is_some() || lower.is_some()).then_some(Self { written, lower })
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
    name: Option<ResolvedName>,
    tests: Vec<BoundTest<'s>>,
}

/// A [`Test`] with names resolved in a tree.
#[derive(Clone)]
enum BoundTest<'s> {
    Namespace(&'s str),
    Id(&'s str),
    Class(&'s str),
    Attribute(&'s AttributeTest, ResolvedName),
    State(&'s PseudoClass),
    First,
    Last,
    Root,
    Scope,
    Empty,
    Position(BoundPosition<'s>),
    Not(Vec<BoundChain<'s>>),
    Any(Vec<BoundChain<'s>>),
    Has(Vec<BoundChain<'s>>),
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
        let keys = self.tests.iter().filter_map(|test| match test {
            BoundTest::Id(id) => Some((0, Key::Id(id))),
            BoundTest::Class(class) => Some((1, Key::Class(class))),
            BoundTest::Attribute(_, name) => Some((3, Key::Attribute(name.ids()))),
            _ => None,
        });
        let name = self.name.map(|name| (2, Key::Name(name.ids())));
        keys.chain(name).min_by_key(|(rank, _)| *rank).map_or(Key::None, |(_, key)| key)
    }

    /// Whether the compound has no requirement except possibly an element name.
    pub(crate) fn is_bare(&self) -> bool {
        self.tests.is_empty()
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
        self.tests.iter().all(|test| test.passes(node, context))
    }
}

impl BoundTest<'_> {
    /// Whether an element passes the test.
    fn passes(&self, node: NodeRef<'_>, context: &mut MatchContext) -> bool {
        let (common, case) = (context.common, context.case);
        match self {
            Self::Namespace(required) => {
                node.name().is_some_and(|name| name.namespace_str() == *required)
            }
            Self::Id(id) => common.has_id(node, id, case),
            Self::Class(class) => common.has_class(node, class, case),
            Self::Attribute(test, name) => has_attribute(node, name.of(node), test),
            Self::State(state) => state.matches(node, &mut context.cache),
            Self::First => !node.previous_siblings().any(|node| node.is_element()),
            Self::Last => !node.next_siblings().any(|node| node.is_element()),
            Self::Root => is_root(node),
            Self::Scope => context.scope.map_or_else(|| is_root(node), |scope| scope == node.id()),
            Self::Empty => is_empty(node),
            Self::Position(position) => position.is_at(node, context),
            Self::Not(list) => !matches_any(list, node, context),
            Self::Any(list) => matches_any(list, node, context),
            Self::Has(list) => list.iter().any(|chain| chain.matches_forward(0, node, context)),
        }
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
