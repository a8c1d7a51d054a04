//! Tests that random selectors on random pages select the elements that the matcher of the crate `selectors` does,
//! which takes quadratic time and shares no code with `chain` and `compound`.

use crate::element::{CommonAttributes, is_empty, is_root};
use crate::form;
use crate::grammar::{Css, NoPseudoElement, Value, Word};
use crate::pseudo_class::{MatchCache, PseudoClass};
use crate::{Query as _, Selector, Syntax};
use selectors::OpaqueElement;
use selectors::attr::{AttrSelectorOperation, CaseSensitivity, NamespaceConstraint};
use selectors::bloom::BloomFilter;
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches,
};
use selectors::matching::{ElementSelectorFlags, matches_selector};
use std::num::NonZeroUsize;
use std::ptr::NonNull;
use tabulex_core::tree::{DocumentMode, Namespace, NodeRef};

/// An element of a tree, as the matcher of the crate `selectors` sees it.
#[derive(Clone, Copy, Debug)]
struct OracleElement<'a> {
    node: NodeRef<'a>,
    common: CommonAttributes,
}

impl<'a> OracleElement<'a> {
    fn with_node(self, node: Option<NodeRef<'a>>) -> Option<Self> {
        let node = node.filter(NodeRef::is_element)?;
        Some(Self { node, ..self })
    }
}

/// Returns the identity of a node for the crate `selectors`.
fn opaque(node: NodeRef<'_>) -> OpaqueElement {
    let address = NonZeroUsize::MIN.saturating_add(node.id().index());
    OpaqueElement::from_ptr(NonNull::without_provenance(address))
}

impl selectors::Element for OracleElement<'_> {
    type Impl = Css;

    fn opaque(&self) -> OpaqueElement {
        opaque(self.node)
    }

    fn parent_element(&self) -> Option<Self> {
        self.with_node(self.node.parent())
    }

    fn parent_node_is_shadow_root(&self) -> bool {
        false
    }

    fn containing_shadow_host(&self) -> Option<Self> {
        None
    }

    fn is_pseudo_element(&self) -> bool {
        false
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.with_node(self.node.previous_siblings().find(NodeRef::is_element))
    }

    fn next_sibling_element(&self) -> Option<Self> {
        self.with_node(self.node.next_siblings().find(NodeRef::is_element))
    }

    fn first_element_child(&self) -> Option<Self> {
        self.with_node(self.node.children().find(NodeRef::is_element))
    }

    /// Whether names are case-insensitive. The type of the document is unknown here; XHTML in XML has lowercase names
    /// anyway.
    fn is_html_element_in_html_document(&self) -> bool {
        self.node.namespace() == Some(Namespace::HTML)
    }

    fn has_local_name(&self, name: &Word) -> bool {
        self.node.local_name() == Some(name.as_str())
    }

    fn has_namespace(&self, namespace: &str) -> bool {
        self.node.name().is_some_and(|name| name.namespace_str() == namespace)
    }

    fn is_same_type(&self, other: &Self) -> bool {
        let type_of = |element: &Self| (element.node.namespace(), element.node.local_name());
        type_of(self) == type_of(other)
    }

    fn attr_matches(
        &self,
        namespace: &NamespaceConstraint<&Word>,
        local: &Word,
        operation: &AttrSelectorOperation<&Value>,
    ) -> bool {
        self.node.attributes().any(|attribute| {
            let name = attribute.name();
            name.local() == local.as_str()
                && match namespace {
                    NamespaceConstraint::Any => true,
                    NamespaceConstraint::Specific(expected) => {
                        name.namespace_str() == expected.as_str()
                    }
                }
                && operation.eval_str(attribute.value())
        })
    }

    fn match_non_ts_pseudo_class(
        &self,
        class: &PseudoClass,
        _context: &mut MatchingContext<'_, Css>,
    ) -> bool {
        class.matches(self.node, &mut MatchCache::default())
    }

    fn match_pseudo_element(
        &self,
        element: &NoPseudoElement,
        _context: &mut MatchingContext<'_, Css>,
    ) -> bool {
        match *element {}
    }

    fn apply_selector_flags(&self, _flags: ElementSelectorFlags) {}

    fn is_link(&self) -> bool {
        form::is_link(self.node)
    }

    fn is_html_slot_element(&self) -> bool {
        false
    }

    fn has_id(&self, id: &Word, case: CaseSensitivity) -> bool {
        self.common.has_id(self.node, id.as_str(), case)
    }

    fn has_class(&self, class: &Word, case: CaseSensitivity) -> bool {
        self.common.has_class(self.node, class.as_str(), case)
    }

    fn has_custom_state(&self, _name: &Word) -> bool {
        false
    }

    fn imported_part(&self, _name: &Word) -> Option<Word> {
        None
    }

    fn is_part(&self, _name: &Word) -> bool {
        false
    }

    fn is_empty(&self) -> bool {
        is_empty(self.node)
    }

    fn is_root(&self) -> bool {
        is_root(self.node)
    }

    fn add_element_unique_hashes(&self, _: &mut BloomFilter) -> bool {
        false
    }
}

/// Whether an element matches according to the crate `selectors`, with `scope` as `:scope`.
fn matches(selector: &Selector, node: NodeRef<'_>, scope: NodeRef<'_>) -> bool {
    let quirks_mode = match node.tree().mode() {
        DocumentMode::Quirks => QuirksMode::Quirks,
        _ => QuirksMode::NoQuirks,
    };
    let element = OracleElement { node, common: CommonAttributes::of(node.tree()) };
    selector.components().any(|selector| {
        let mut caches = SelectorCaches::default();
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            &mut caches,
            quirks_mode,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        context.scope_element = Some(scope).filter(NodeRef::is_element).map(opaque);
        matches_selector(selector, 0, None, element, &mut context)
    })
}

/// A pseudorandom number generator (linear congruential).
struct Random(u64);

impl Random {
    fn choose<'a>(&mut self, list: &[&'a str]) -> &'a str {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        list[(self.0 >> 33) as usize % list.len()]
    }

    fn concatenate(&mut self, list: &[&str], max: usize) -> String {
        let counts = ["1", "22", "333", "4444", "55555", "666666", "7777777", "88888888"];
        let count = self.choose(&counts[..max]).len();
        (0..count).map(|_| self.choose(list)).collect()
    }
}

const COMPOUNDS: &[&str] = &[
    "a",
    "p",
    "div",
    "LI",
    "*",
    ".x",
    "#i",
    "[a]",
    "[a=b]",
    "[A~='b' i]",
    "[*|a^=b]",
    "[|a]",
    "[s|a]",
    "s|a",
    "*|p",
    "|p",
    ":nth-child(odd)",
    ":nth-last-of-type(2)",
    ":first-child",
    ":last-of-type",
    ":only-child",
    ":empty",
    ":root",
    ":scope",
    ":lang(en)",
    ":dir(rtl)",
    ":disabled",
    ":not(p)",
    ":is(a, p)",
    "p:not(.x):not(#i)",
    "#i#j",
    "a.x",
    ":is(",
    ":where(x!)",
    ":hover",
];
const FUNCTIONS: &[&str] = &[
    ":not(",
    ":is(",
    ":has(",
    ":has(> ",
    ":has(+ ",
    ":has(~ ",
    ":nth-child(2n+1 of ",
    ":nth-last-child(-n+2 of ",
];
const COMBINATORS: &[&str] = &[" ", " > ", " + ", " ~ ", " ", " ~ ", ", "];
const TAGS: &[&str] = &[
    "<div class='x y'>",
    "</div>",
    "<p a=b>",
    "<p class=x>",
    "</p>",
    "<a id=i a='c b'>",
    "</a>",
    "<LI>",
    "</LI>",
    "x",
    "<!--c-->",
    "<svg a=b>",
    "</svg>",
    "<fieldset disabled>",
    "<input disabled>",
    "<input>",
    "<div lang=en-GB>",
    "<ul>",
    "</ul>",
    "<span xml:lang=en>",
    "<b A=B id=I class=X>",
];

/// Returns a random selector, with functions nested up to `depth` levels.
fn selector(random: &mut Random, depth: usize) -> String {
    let mut text = random.choose(COMPOUNDS).to_owned();
    for _ in 0..random.choose(&["", "1", "22", "333"]).len() {
        text += random.choose(COMBINATORS);
        text += random.choose(COMPOUNDS);
        if depth > 0 && random.choose(&["y", "n"]) == "y" {
            text += random.choose(FUNCTIONS);
            text += &selector(random, depth - 1);
            text.push(')');
        }
    }
    text
}

#[test]
fn agrees_with_the_selectors_crate() {
    let mut random = Random(1);
    let (mut selector_count, mut match_count) = (0, 0);
    for _ in 0..3_000 {
        let doctype = random.choose(&["", "<!doctype html>"]).to_owned();
        let page = doctype
            + &random.concatenate(TAGS, 8)
            + &random.concatenate(TAGS, 8)
            + &random.concatenate(TAGS, 8);
        let tree = tabulex::html::parse(&page[..], Default::default()).tree;
        for _ in 0..4 {
            let text = selector(&mut random, 2);
            let namespaces = [("s", "http://www.w3.org/2000/svg")];
            let Ok(selector) = Selector::parse_with(&text, &Syntax::new().namespaces(&namespaces))
            else {
                continue;
            };
            let root = tree.root();
            let elements = root.descendants().filter(NodeRef::is_element);
            let expected: Vec<_> =
                elements.filter(|node| matches(&selector, *node, root)).collect();
            let actual: Vec<_> = root.select(&selector).collect();
            assert!(actual == expected, "{text} on {page}: {actual:?}, expected {expected:?}");
            let matches_alone = |node: &NodeRef<'_>| selector.matches_within(*node, Some(root));
            assert!(
                root.descendants().filter(matches_alone).eq(expected.iter().copied()),
                "{text} on {page}: single elements match differently, expected {expected:?}"
            );
            (selector_count, match_count) = (selector_count + 1, match_count + expected.len());
        }
    }
    assert!(
        selector_count > 4_000 && match_count > 4_000,
        "{match_count} matches of {selector_count} selectors"
    );
}
