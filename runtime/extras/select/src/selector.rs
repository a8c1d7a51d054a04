//! A parsed list of selectors, which can be shared by threads. Its `Display` output parses to an equal selector, unless
//! `:is()` or `:where()` had invalid parts to ignore.

use crate::attribute::NameForms;
use crate::chain::{Chain, Key};
use crate::compound::{MatchContext, Slots, name_bit};
use crate::error::{SelectorError, message};
use crate::grammar::{Css, Grammar};
use crate::limits;
use cssparser::{Delimiter, ParseErrorKind, Parser, ToCss, Token};
use selectors::parser::SelectorParseErrorKind as Kind;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;
use tabulex_core::tree::{LocalName, NodeRef, Tree};

/// A list of CSS selectors, such as `h1, h2 > a[href]`. An element matches if it matches one of them.
#[derive(Clone)]
pub struct Selector {
    alternatives: Arc<[Alternative]>,
    /// The names that the chains of the alternatives refer to.
    names: Arc<[NameForms]>,
}

struct Alternative {
    selector: selectors::parser::Selector<Css>,
    chain: Chain,
}

/// Namespace prefixes and non-standard pseudo-classes that selectors may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Syntax<'n> {
    pub(crate) namespaces: &'n [(&'n str, &'n str)],
    pub(crate) has_contains: bool,
}

impl<'n> Syntax<'n> {
    /// Returns the standard's syntax, without namespace prefixes.
    pub const fn new() -> Self {
        Self { namespaces: &[], has_contains: false }
    }

    /// Sets the namespace prefixes, as pairs of prefix and namespace name. The empty prefix applies to element names
    /// without one.
    #[must_use]
    pub const fn namespaces(mut self, pairs: &'n [(&'n str, &'n str)]) -> Self {
        self.namespaces = pairs;
        self
    }

    /// Sets whether `:contains("text")` is allowed, which matches elements whose [text](NodeRef::text) contains the
    /// argument, compared case-sensitively. Off by default, as it is not in the standard.
    #[must_use]
    pub const fn contains(mut self, is_allowed: bool) -> Self {
        self.has_contains = is_allowed;
        self
    }
}

/// The specificity of a selector (Selectors Level 4, "calculating a selector's specificity"). It is compared by ids,
/// then classes, then elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Specificity {
    /// Number of ids in the selector.
    pub ids: u32,
    /// Number of classes, attributes and pseudo-classes in the selector.
    pub classes: u32,
    /// Number of element names in the selector.
    pub elements: u32,
}

impl Selector {
    /// Parses a list of selectors. Names without a prefix match in any namespace.
    ///
    /// # Errors
    ///
    /// If the text is not a list of selectors, has an unsupported pseudo-class or pseudo-element, or exceeds a limit:
    /// brackets may be nested 32 deep, and each selector of the list may have 2048 bytes.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        Self::parse_with(text, &Syntax::new())
    }

    /// Parses a list of selectors that may use the namespace prefixes and non-standard pseudo-classes of `syntax`.
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
    /// Like [`Selector::parse`], and if a prefix is not declared in the syntax.
    pub fn parse_with(text: &str, syntax: &Syntax<'_>) -> Result<Self, SelectorError> {
        if let Some(message) = limits::find_exceeded(text) {
            return Err(SelectorError::new(message, 0..text.len()));
        }
        let grammar = Grammar(syntax);
        let mut input = Parser::new(text);
        let list_start = input.position();
        let offset = |input: &Parser<'_>| input.slice_from(list_start).len();
        let (mut alternatives, mut slots) = (Vec::new(), Slots::default());
        loop {
            let start = offset(&input);
            let (mut stop, mut is_after_token) = (start, false);
            let result = input.parse_until_before(Delimiter::Comma, |input| {
                let result = selectors::parser::Selector::parse(&grammar, input);
                stop = offset(input);
                is_after_token = result.as_ref().is_err_and(|error| {
                    // Both errors are found at the next token, except within brackets, which are read to their end.
                    let is_before_token = matches!(
                        error.kind,
                        ParseErrorKind::Custom(Kind::EmptySelector | Kind::DanglingCombinator)
                    );
                    !is_before_token || text[..stop].ends_with(')')
                });
                result
            });
            let selector = result.map_err(|error| {
                let message = match &error.kind {
                    ParseErrorKind::Custom(kind) => message(kind),
                    ParseErrorKind::Basic(_) => "unexpected token",
                };
                let source = &text[start..offset(&input)];
                let range = faulty_range(source, stop - start, is_after_token);
                SelectorError::new(message, start + range.start..start + range.end)
            })?;
            alternatives.push(Alternative { chain: Chain::of(&selector, &mut slots), selector });
            // The parser stopped before a comma or at the end of the text.
            if input.next().is_err() {
                return Ok(Self { alternatives: alternatives.into(), names: slots.names.into() });
            }
        }
    }

    /// Whether an element matches, with the document's root element as `:scope`.
    pub fn matches(&self, element: NodeRef<'_>) -> bool {
        self.matches_within(element, None)
    }

    /// Whether an element matches, with `scope` as `:scope`. The cost can be linear in the tree; to match many
    /// elements, use a [`matcher`](Self::matcher).
    pub fn matches_within(&self, element: NodeRef<'_>, scope: Option<NodeRef<'_>>) -> bool {
        element.is_element() && self.matcher(element.tree(), scope).matches(element)
    }

    /// Prepares the selector for matching elements of a tree, with `scope` as `:scope`, or the root element if it is
    /// `None`.
    pub fn matcher<'t>(&self, tree: &'t Tree, scope: Option<NodeRef<'t>>) -> Matcher<'t, '_> {
        let context = MatchContext::new(tree, scope, &self.names);
        let chains = self.alternatives.iter().map(|alternative| &alternative.chain);
        let candidates: Vec<&Chain> = chains.filter(|chain| chain.may_match(&context)).collect();
        let name_bits = candidates.iter().map(|chain| chain.name_bits(&context));
        let name_bits = name_bits.fold(0, |all, bits| all | bits);
        Matcher { tree, candidates, name_bits, context }
    }

    /// Returns the parsed selectors of the list.
    pub(crate) fn components(
        &self,
    ) -> impl Iterator<Item = &selectors::parser::Selector<Css>> + '_ {
        self.alternatives.iter().map(|alternative| &alternative.selector)
    }

    /// Returns the highest specificity of the selectors in the list.
    pub fn specificity(&self) -> Specificity {
        // The number of ids is in the highest bits, so that packed values compare as specificities do.
        let packed = self.components().map(|selector| selector.specificity()).max().unwrap_or(0);
        Specificity {
            ids: packed >> 20 & 0x3FF,
            classes: packed >> 10 & 0x3FF,
            elements: packed & 0x3FF,
        }
    }
}

/// Returns the range of the token of `source` before the offset `stop`, or at it, with the punctuation before the token.
fn faulty_range(source: &str, stop: usize, is_before_stop: bool) -> Range<usize> {
    let mut input = Parser::new(source);
    let source_start = input.position();
    let mut range = 0..0;
    let mut is_prefix = false;
    loop {
        input.skip_whitespace();
        let start = input.slice_from(source_start).len();
        if start >= stop && is_before_stop {
            return range.start..stop;
        }
        let Ok(token) = input.next() else { return start..start };
        let is_joined = is_prefix || matches!(token, Token::Delim('|'));
        is_prefix = matches!(token, Token::Colon | Token::Delim('.' | '|'));
        if !is_joined || start > range.end {
            range.start = start;
        }
        range.end = input.slice_from(source_start).len();
        if start >= stop {
            return range;
        }
    }
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        Self::parse(text)
    }
}

impl PartialEq for Selector {
    fn eq(&self, other: &Self) -> bool {
        let is_equal = |(one, other): (&Alternative, &Alternative)| one.selector == other.selector;
        self.alternatives.len() == other.alternatives.len()
            && self.alternatives.iter().zip(&*other.alternatives).all(is_equal)
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
        for (index, alternative) in self.alternatives.iter().enumerate() {
            if index > 0 {
                formatter.write_str(", ")?;
            }
            alternative.selector.to_css(formatter)?;
        }
        Ok(())
    }
}

/// A selector prepared for matching many elements of one tree. Results about siblings and ancestors are cached, so that
/// matching all elements takes time linear in the tree.
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
    /// The selectors of the list that can match in this tree.
    candidates: Vec<&'s Chain>,
    /// The [bits](name_bit) of the names of the elements that can match.
    name_bits: u64,
    context: MatchContext,
}

impl<'t, 's> Matcher<'t, 's> {
    /// Returns, for each selector of the list that can match, a property that all matching elements share.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Key<'s>> + '_ {
        self.candidates.iter().map(|chain| chain.key(&self.context))
    }

    /// Whether no element of the tree can match, because the tree lacks a name that the selector requires.
    pub(crate) fn never_matches(&self) -> bool {
        self.candidates.is_empty()
    }

    /// Whether a node is an element that matches.
    #[inline]
    pub fn matches(&mut self, node: NodeRef<'t>) -> bool {
        let may_match = |local: LocalName| self.name_bits & name_bit(local) != 0;
        node.name().is_some_and(|name| may_match(name.id().local())) && self.matches_candidate(node)
    }

    /// Whether an element matches, apart from the test of its name. Kept out of line, so that the search for elements
    /// of some names is a short loop.
    #[inline(never)]
    fn matches_candidate(&mut self, element: NodeRef<'t>) -> bool {
        std::ptr::eq(element.tree(), self.tree)
            && self.candidates.iter().any(|chain| chain.is_match(element, &mut self.context))
    }
}
