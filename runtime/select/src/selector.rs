//! A selector: a text, read. It can be kept for as long as a program runs and shared by threads. Invariant: what it
//! displays is read as a selector that selects the same, if `:is()` and `:where()`, which forgive mistakes, had none to
//! forgive.

use crate::chain::{BoundChain, Chain, Key};
use crate::compound::Page;
use crate::element::{Element, opaque};
use crate::error::{Reason, SelectorError};
use crate::grammar::{Css, Grammar};
use crate::limits;
use cssparser::{Delimiter, ParseError, ParseErrorKind, Parser, ToCss};
use selectors::context::{
    MatchingContext, MatchingForInvalidation, MatchingMode, NeedsSelectorFlags, QuirksMode,
    SelectorCaches,
};
use selectors::matching::matches_selector;
use selectors::parser::{ParseRelative, SelectorList};
use std::fmt;
use std::mem;
use std::str::FromStr;
use std::sync::Arc;
use tabulex_core::tree::{DocumentMode, NodeRef, Tree};

/// A list of CSS selectors, such as `h1, h2 > a[href]`. An element matches if it matches one of them.
#[derive(Clone)]
pub struct Selector {
    parts: Arc<[Part]>,
}

struct Part {
    selector: selectors::parser::Selector<Css>,
    chain: Chain,
}

/// How much a selector outweighs others (Selectors Level 4, "calculating a selector's specificity"); the first number
/// that differs decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Specificity {
    /// How many ids it names.
    pub ids: u32,
    /// How many classes, attributes and pseudo-classes.
    pub classes: u32,
    /// How many names of elements.
    pub elements: u32,
}

impl Selector {
    /// Reads a list of selectors. Names without a prefix are of any namespace.
    ///
    /// # Errors
    ///
    /// If the text is no list of selectors, asks for something that no tree has, or is too large to be matched: brackets
    /// may be 32 deep, and one selector of the list may have 2048 bytes.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        Self::with_namespaces(text, &[])
    }

    /// Reads a list of selectors with prefixes: pairs of a prefix and the name of its namespace. The empty prefix is for
    /// names of elements without one.
    ///
    /// ```
    /// use tabulex::select::{Query, Selector};
    ///
    /// let svg = [("svg", "http://www.w3.org/2000/svg")];
    /// let titles = Selector::with_namespaces("svg|title", &svg)?;
    /// let tree = tabulex::html::parse("<title>Page</title><svg><title>Picture</title></svg>", Default::default()).tree;
    /// assert_eq!(tree.root().select_first(&titles).unwrap().text(), "Picture");
    /// # Ok::<(), tabulex::select::SelectorError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Selector::parse`], and if a prefix is not among the pairs.
    pub fn with_namespaces(text: &str, namespaces: &[(&str, &str)]) -> Result<Self, SelectorError> {
        if let Some(message) = limits::exceeded(text) {
            return Err(SelectorError::new(message, 0..text.len()));
        }
        let grammar = Grammar { namespaces };
        let mut input = Parser::new(text);
        let begin = input.position();
        let mut parts = Vec::new();
        loop {
            let from = input.slice_from(begin).len();
            let read = input.parse_until_before(Delimiter::Comma, |input| {
                SelectorList::parse(&grammar, input, ParseRelative::No)
            });
            let to = input.slice_from(begin).len();
            let list = read.map_err(|error| failed(&error, text, from, to))?;
            parts.extend(
                list.slice().iter().map(|selector| Part {
                    chain: Chain::of(selector),
                    selector: selector.clone(),
                }),
            );
            // What stands here is a comma, or nothing.
            if input.next().is_err() {
                return Ok(Self { parts: parts.into() });
            }
        }
    }

    /// Whether an element matches. `:scope` is the root of its document.
    pub fn matches(&self, element: NodeRef<'_>) -> bool {
        self.matches_within(element, None)
    }

    /// Whether an element matches where `:scope` is this node.
    pub fn matches_within(&self, element: NodeRef<'_>, scope: Option<NodeRef<'_>>) -> bool {
        element.is_element() && Matcher::new(self, element.tree(), scope).matches(element)
    }

    /// The selectors of the list, as their parser has them.
    pub(crate) fn components(
        &self,
    ) -> impl Iterator<Item = &selectors::parser::Selector<Css>> + '_ {
        self.parts.iter().map(|part| &part.selector)
    }

    /// The specificity, of a list the highest one.
    pub fn specificity(&self) -> Specificity {
        self.specificities().max().unwrap_or_default()
    }

    /// The specificity of each selector of the list.
    pub fn specificities(&self) -> impl Iterator<Item = Specificity> + '_ {
        self.parts.iter().map(|part| {
            let packed = part.selector.specificity();
            Specificity {
                ids: packed >> 20 & 0x3FF,
                classes: packed >> 10 & 0x3FF,
                elements: packed & 0x3FF,
            }
        })
    }
}

/// The error of one selector of a list, which stands between these places.
fn failed(error: &ParseError<Reason>, text: &str, from: usize, to: usize) -> SelectorError {
    let message = match &error.kind {
        ParseErrorKind::Custom(Reason(message)) => message,
        ParseErrorKind::Basic(_) if text[from..to].trim().is_empty() => "no selector",
        ParseErrorKind::Basic(_) => "something that no selector has at this place",
    };
    let written = &text[from..to];
    let start = from + (written.len() - written.trim_start().len());
    SelectorError::new(message, start..(from + written.trim_end().len()).max(start))
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        Self::parse(text)
    }
}

impl PartialEq for Selector {
    fn eq(&self, other: &Self) -> bool {
        let same = |(one, other): (&Part, &Part)| one.selector == other.selector;
        self.parts.len() == other.parts.len() && self.parts.iter().zip(&*other.parts).all(same)
    }
}

impl Eq for Selector {}

impl fmt::Debug for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Selector({self})")
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 {
                formatter.write_str(", ")?;
            }
            part.selector.to_css(formatter)?;
        }
        Ok(())
    }
}

/// A selector about to be matched against elements of one tree, with what was found out about siblings and legends
/// before.
pub(crate) struct Matcher<'s> {
    candidates: Vec<(BoundChain<'s>, &'s Part)>,
    page: Page,
    scope: Option<selectors::OpaqueElement>,
    quirks: QuirksMode,
    caches: SelectorCaches,
}

impl<'s> Matcher<'s> {
    pub(crate) fn new(selector: &'s Selector, tree: &Tree, scope: Option<NodeRef<'_>>) -> Self {
        let bound = |part: &'s Part| part.chain.bind(tree).map(|chain| (chain, part));
        let quirks = match tree.mode() {
            DocumentMode::Quirks => QuirksMode::Quirks,
            DocumentMode::LimitedQuirks => QuirksMode::LimitedQuirks,
            _ => QuirksMode::NoQuirks,
        };
        Self {
            candidates: selector.parts.iter().filter_map(bound).collect(),
            page: Page::new(tree, quirks.classes_and_ids_case_sensitivity()),
            scope: scope.filter(NodeRef::is_element).map(opaque),
            quirks,
            caches: SelectorCaches::default(),
        }
    }

    /// For each selector of the list that can match, what all elements that match it have in common.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Key<'s>> + '_ {
        self.candidates.iter().map(|(chain, _)| chain.key())
    }

    /// Whether no element of the tree can match.
    pub(crate) fn is_hopeless(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Whether the element matches.
    #[inline]
    pub(crate) fn matches(&mut self, node: NodeRef<'_>) -> bool {
        (0..self.candidates.len()).any(|index| {
            let (chain, part) = &mut self.candidates[index];
            let (is_whole, part) = (chain.is_whole, *part);
            chain.admits(node, &mut self.page) && (is_whole || self.matches_in_full(node, part))
        })
    }

    fn matches_in_full(&mut self, node: NodeRef<'_>, part: &Part) -> bool {
        let mut context = MatchingContext::new(
            MatchingMode::Normal,
            None,
            &mut self.caches,
            self.quirks,
            NeedsSelectorFlags::No,
            MatchingForInvalidation::No,
        );
        context.scope_element = self.scope;
        context.extra_data = mem::take(&mut self.page.known);
        let element = Element { node, common: self.page.common };
        let matches = matches_selector(&part.selector, 0, None, element, &mut context);
        self.page.known = context.extra_data;
        matches
    }
}
