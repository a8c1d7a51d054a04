//! A selector: a text, read. It can be kept for as long as a program runs and shared by threads. Invariant: what it
//! displays is read as a selector that selects the same, if `:is()` and `:where()`, which forgive mistakes, had none to
//! forgive.

use crate::chain::{BoundChain, Chain, Key};
use crate::compound::Page;
use crate::error::{Reason, SelectorError};
use crate::grammar::{Css, Grammar};
use crate::limits;
use cssparser::{Delimiter, ParseError, ParseErrorKind, Parser, ToCss};
use selectors::parser::{ParseRelative, SelectorList};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use tabulex_core::tree::{NodeRef, Tree};

/// A list of CSS selectors, such as `h1, h2 > a[href]`. An element matches if it matches one of them.
#[derive(Clone)]
pub struct Selector {
    parts: Arc<[Part]>,
}

struct Part {
    selector: selectors::parser::Selector<Css>,
    chain: Chain,
}

/// Prefixes of namespaces and pseudo-classes that selectors may use beyond the standard's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Syntax<'n> {
    pub(crate) namespaces: &'n [(&'n str, &'n str)],
    pub(crate) has_contains: bool,
}

impl<'n> Syntax<'n> {
    /// The syntax of the standard, without prefixes.
    pub const fn new() -> Self {
        Self { namespaces: &[], has_contains: false }
    }

    /// Sets the prefixes: pairs of a prefix and the name of its namespace. The empty prefix is for names of elements
    /// without one.
    #[must_use]
    pub const fn namespaces(mut self, pairs: &'n [(&'n str, &'n str)]) -> Self {
        self.namespaces = pairs;
        self
    }

    /// Sets whether `:contains("text")` matches elements whose [text](NodeRef::text) contains it, in this case of letters.
    /// Off by default: it is not part of the standard.
    #[must_use]
    pub const fn contains(mut self, is_allowed: bool) -> Self {
        self.has_contains = is_allowed;
        self
    }
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
        Self::parse_with(text, &Syntax::new())
    }

    /// Parses a list of selectors with prefixes of namespaces or pseudo-classes beyond the standard.
    ///
    /// ```
    /// use tabulex::select::{Query, Selector, Syntax};
    ///
    /// let svg = [("svg", "http://www.w3.org/2000/svg")];
    /// let titles = Selector::parse_with("svg|title", &Syntax::new().namespaces(&svg))?;
    /// let tree = tabulex::html::parse("<title>Page</title><svg><title>Picture</title></svg>", Default::default()).tree;
    /// assert_eq!(tree.root().select_first(&titles).unwrap().text(), "Picture");
    /// # Ok::<(), tabulex::select::SelectorError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Selector::parse`], and if a prefix is not among those of the syntax.
    pub fn parse_with(text: &str, syntax: &Syntax<'_>) -> Result<Self, SelectorError> {
        if let Some(message) = limits::exceeded(text) {
            return Err(SelectorError::new(message, 0..text.len()));
        }
        let grammar = Grammar(syntax);
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

    /// Whether an element matches where `:scope` is this node. That can take time linear in the tree: to ask about many
    /// elements, use a [`matcher`](Self::matcher).
    pub fn matches_within(&self, element: NodeRef<'_>, scope: Option<NodeRef<'_>>) -> bool {
        element.is_element() && self.matcher(element.tree(), scope).matches(element)
    }

    /// Makes ready to ask about elements of a tree where `:scope` is this node, or the root.
    pub fn matcher<'t>(&self, tree: &'t Tree, scope: Option<NodeRef<'t>>) -> Matcher<'t, '_> {
        let mut memos = 0;
        let candidates = self.parts.iter().filter_map(|part| part.chain.bind(tree, &mut memos));
        Matcher { tree, candidates: candidates.collect(), page: Page::new(tree, scope) }
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

/// A selector and a tree of which many elements are asked. What was found out about siblings and ancestors of one is
/// known for the next: all elements of the tree together take time linear in the tree.
///
/// ```
/// use tabulex::select::Selector;
///
/// let tree = tabulex::html::parse("<h1>1</h1><p>2<p>3", Default::default()).tree;
/// let selector: Selector = "h1 ~ p".parse()?;
/// let mut matcher = selector.matcher(&tree, None);
/// assert_eq!(tree.root().descendants().filter(|node| matcher.matches(*node)).count(), 2);
/// # Ok::<(), tabulex::select::SelectorError>(())
/// ```
pub struct Matcher<'t, 's> {
    tree: &'t Tree,
    candidates: Vec<BoundChain<'s>>,
    page: Page,
}

impl<'t, 's> Matcher<'t, 's> {
    /// For each selector of the list that can match, what all elements that match it have in common.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Key<'s>> + '_ {
        self.candidates.iter().map(BoundChain::key)
    }

    /// Whether no element of the tree can match.
    pub(crate) fn is_hopeless(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Whether a node is an element that matches.
    #[inline]
    pub fn matches(&mut self, node: NodeRef<'t>) -> bool {
        node.is_element()
            && std::ptr::eq(node.tree(), self.tree)
            && self.candidates.iter().any(|chain| chain.admits(node, &mut self.page))
    }
}
