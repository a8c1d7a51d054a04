//! What people call: sanitizers, and what they do with trees and markup. Invariant: the text that is returned reads as the
//! sanitized tree, or an error says that it does not.

use crate::bound::{Bound, Verdict};
use crate::config::{Config, NotReplaceable, name};
use crate::lists::ELEMENTS;
use crate::name::Name;
use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, LazyLock};
use tabulex_core::tree::{HierarchyError, HtmlSerializer, NodeId, NodeRef, Tree};
use tabulex_core::{Construction, FragmentContext, Options, Parsed, parse_fragment, set_inner};

/// How often a text is read again before it counts as one that does not settle.
const ROUNDS: usize = 5;
/// A text that is longer by so many bytes and twice as long when it was read and written again does not settle either: a
/// link whose address is long, in each of many blocks, took 1.3 GB.
const GROWTH: usize = 0x1_0000;

/// A configuration of the Sanitizer API. It can be kept for as long as a program runs and shared by threads.
///
/// Names of elements are written `a`, `svg a`, `math mi`; those of attributes `href`, `xlink:href`.
///
/// ```
/// use tabulex::html::Html;
/// use tabulex::sanitize::Sanitizer;
///
/// let sanitizer = Sanitizer::new().allow_element("img").allow_attribute("src").remove_element("h1");
/// let markup = "<h1>x</h1><img src=a.png onerror=alert(1)><p onclick=b()>1<script>2</script>";
/// assert_eq!(sanitizer.clean::<Html>(markup)?, "<img src=\"a.png\"><p>1</p>");
/// # Ok::<(), tabulex::sanitize::Unstable>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sanitizer {
    config: Arc<Config>,
    /// The configuration without what is unsafe, unless that may stay.
    effective: Arc<Config>,
    is_safe: bool,
}

/// A text that does not read as the tree that it was written from, however often it is read and written again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unstable {
    /// The last text. What reads it may see another tree than the one that was sanitized.
    pub text: String,
}

impl fmt::Display for Unstable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the sanitized markup does not read as the sanitized tree")
    }
}

impl std::error::Error for Unstable {}

impl Default for Sanitizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Sanitizer {
    /// The standard's safe default: elements and attributes of text, no comments, nothing that runs scripts, loads or
    /// is styled.
    pub fn new() -> Self {
        // Made once: that takes longer than a short text.
        static SAFE: LazyLock<Sanitizer> = LazyLock::new(|| Sanitizer::of(Config::safe_default()));
        SAFE.clone()
    }

    /// All elements and attributes stay but what runs scripts: the standard's `setHTML` with `{sanitizer: {}}`. Comments
    /// and processing instructions go unless they are allowed, other than with its `new Sanitizer({})`.
    pub fn permissive() -> Self {
        Self::of(Config::empty())
    }

    fn of(config: Config) -> Self {
        let config = Arc::new(config);
        let mut all = Self { effective: config.clone(), config, is_safe: true };
        all.settle();
        all
    }

    fn settle(&mut self) {
        self.effective = self.config.clone();
        if self.is_safe {
            Arc::make_mut(&mut self.effective).remove_unsafe();
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Config)) -> Self {
        change(Arc::make_mut(&mut self.config));
        self.settle();
        self
    }

    /// Elements of this name stay, with the attributes that all may have. What is unsafe goes all the same.
    #[must_use]
    pub fn allow_element(self, element: &str) -> Self {
        self.with(|config| config.allow_element(Name::element(element), None))
    }

    /// Elements of this name stay, and may have these attributes as well. Nothing is changed if elements are removed one by
    /// one, as of [`permissive`](Self::permissive): then all that stay may have the same attributes.
    #[must_use]
    pub fn allow_element_with(self, element: &str, attributes: &[&str]) -> Self {
        let allowed = attributes.iter().map(|attribute| Name::attribute(attribute)).collect();
        self.with(|config| config.allow_element(Name::element(element), Some(allowed)))
    }

    /// Elements of this name go, with all that is inside.
    #[must_use]
    pub fn remove_element(self, element: &str) -> Self {
        self.with(|config| config.remove_element(Name::element(element)))
    }

    /// Elements of this name go; what is inside, sanitized, stands in their place.
    ///
    /// # Errors
    ///
    /// If it is an element that cannot be replaced so: `html`, `svg svg`, `math math`.
    pub fn replace_element(self, element: &str) -> Result<Self, NotReplaceable> {
        let replaced = Name::element(element);
        if ELEMENTS.non_replaceable.iter().any(|fixed| name(fixed) == replaced) {
            return Err(NotReplaceable { element: element.to_owned() });
        }
        Ok(self.with(|config| config.replace_element(replaced)))
    }

    /// All elements that stay may have this attribute. Handlers of events go all the same.
    #[must_use]
    pub fn allow_attribute(self, attribute: &str) -> Self {
        self.with(|config| config.allow_attribute(Name::attribute(attribute)))
    }

    /// No element may have this attribute.
    #[must_use]
    pub fn remove_attribute(self, attribute: &str) -> Self {
        self.with(|config| config.remove_attributes(HashSet::from([Name::attribute(attribute)])))
    }

    /// Whether comments stay.
    #[must_use]
    pub fn comments(self, stay: bool) -> Self {
        self.with(|config| config.comments = stay)
    }

    /// Whether all attributes stay whose names begin with `data-`, where attributes are allowed one by one. What was allowed
    /// of them before goes with the others after that.
    #[must_use]
    pub fn data_attributes(self, stay: bool) -> Self {
        self.with(|config| config.set_data_attributes(stay))
    }

    /// Processing instructions of this target stay, or go.
    #[must_use]
    pub fn processing_instruction(self, target: &str, stays: bool) -> Self {
        self.with(|config| match stays {
            true => drop(config.instructions.insert(target.to_owned())),
            false => drop(config.instructions.remove(target)),
        })
    }

    /// What runs scripts stays as well if the configuration allows it, as with `setHTMLUnsafe`.
    #[must_use]
    pub fn allow_unsafe(mut self) -> Self {
        self.is_safe = false;
        self.settle();
        self
    }

    /// Sanitizes what is inside of a node, its template contents as well: "sanitize". How many nodes and attributes went.
    ///
    /// ```
    /// use tabulex::sanitize::Sanitizer;
    ///
    /// let mut tree = tabulex::html::parse("<a href='javascript:x()'>1</a><b id=c>2</b>", Default::default()).tree;
    /// let root = tree.root().id();
    /// assert_eq!(Sanitizer::new().sanitize(&mut tree, root), 2);
    /// assert_eq!(tree.root().text(), "12");
    /// ```
    pub fn sanitize(&self, tree: &mut Tree, node: NodeId) -> usize {
        let bound = Bound::new(&self.effective, self.is_safe, tree);
        let (mut going, mut ways, mut narrowed) = (Vec::new(), Vec::new(), Vec::new());
        let mut nodes = tree.node(node).descendants_with_contents();
        while let Some(node) = nodes.next() {
            if node.is_text() {
                continue;
            }
            let verdict = node.name().map_or_else(|| bound.other(node), |name| bound.element(name));
            match verdict {
                Verdict::Stays if node.has_attributes() => narrowed.push(node.id()),
                Verdict::Stays => {}
                Verdict::Goes => {
                    going.push(node.id());
                    nodes.skip_past(node);
                }
                Verdict::GivesWay => ways.push(node.id()),
            }
        }
        let mut count = going.len() + ways.len();
        for node in narrowed {
            if let Some(name) = tree.node(node).name() {
                let stays = bound.attributes(name);
                count += tree.retain_attributes(node, stays);
            }
        }
        going.into_iter().for_each(|node| tree.detach(node));
        // The outermost first: so no node is moved more than once.
        ways.into_iter().for_each(|node| tree.unwrap(node));
        count
    }

    /// Replaces the contents of an element by sanitized markup: "set and filter HTML", which `setHTML` does. Nothing
    /// is set into a script.
    ///
    /// ```
    /// use tabulex::html::{self, Html};
    /// use tabulex::sanitize::Sanitizer;
    ///
    /// let mut tree = html::parse("<ul id=list></ul>", Default::default()).tree;
    /// let list = tree.element_by_id("list").unwrap().id();
    /// let markup = "<li>1<li onclick=x()>2<iframe></iframe>";
    /// Sanitizer::new().set_html::<Html>(&mut tree, list, markup, &Default::default())?;
    /// assert_eq!(html::serializer().inner(tree.node(list)), "<li>1</li><li>2</li>");
    /// # Ok::<(), tabulex::tree::HierarchyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the node is no element; nothing is changed then.
    pub fn set_html<D: Construction>(
        &self,
        tree: &mut Tree,
        element: NodeId,
        markup: &str,
        options: &Options,
    ) -> Result<Option<Parsed>, HierarchyError> {
        let node = tree.node(element);
        let is_it = |(namespace, local, _): &(_, &str, _)| {
            node.namespace() == Some(*namespace) && node.local_name() == Some(local)
        };
        if self.is_safe && ELEMENTS.scripts.iter().any(is_it) {
            return Ok(None);
        }
        let parsed = set_inner::<D>(tree, element, markup, options)?;
        self.sanitize(tree, element);
        Ok(Some(parsed))
    }

    /// Sanitized markup of the contents of an element `div`. It is read again, and what comes of it sanitized and written,
    /// until the text reads as what it was written from, so that nothing comes of it that was not looked at. The default
    /// limits hold, and what one of them leaves out is missing without a word: [`clean_by`](Self::clean_by) parses as its
    /// caller likes, who sees the events.
    ///
    /// # Errors
    ///
    /// If that never happens, or the text gets much longer each time.
    pub fn clean<D: Construction>(&self, markup: &str) -> Result<String, Unstable> {
        self.clean_in::<D>(markup, "div")
    }

    /// The same for the contents of an element of another name, as [`FragmentContext`] has it.
    ///
    /// # Errors
    ///
    /// If the text never reads as what it was written from.
    pub fn clean_in<D: Construction>(
        &self,
        markup: &str,
        context: impl Into<FragmentContext>,
    ) -> Result<String, Unstable> {
        let context = context.into();
        let options = Options::new().errors(false).positions(tabulex_core::tree::Positions::None);
        let parse = |markup: &str| parse_fragment::<D>(markup, &context, &options).tree;
        self.clean_by(markup, parse, &HtmlSerializer::new(&D::SERIALIZATION))
    }

    /// The same by whatever parses a fragment and writes it, such as a dialect that is a value.
    ///
    /// # Errors
    ///
    /// If the text never reads as what it was written from.
    pub fn clean_by(
        &self,
        markup: &str,
        mut parse: impl FnMut(&str) -> Tree,
        serializer: &HtmlSerializer<'_>,
    ) -> Result<String, Unstable> {
        let mut tree = parse(markup);
        let mut last = None;
        for _ in 0..ROUNDS {
            let Some(root) = tree.document_element().map(|root| root.id()) else {
                return Ok(String::new());
            };
            self.sanitize(&mut tree, root);
            let text = serializer.inner(tree.node(root));
            if last.as_ref() == Some(&text) {
                return Ok(text);
            }
            if last.is_some_and(|last| text.len() > 2 * last.len() + GROWTH) {
                return Err(Unstable { text });
            }
            let read = parse(&text);
            // What the tree's root is called or has got as an attribute is in no contents of an element.
            let is_it = |read: NodeRef<'_>| read.is_like_inside_normalized(&tree.node(root));
            if read.document_element().is_some_and(is_it) {
                return Ok(text);
            }
            last = Some(text);
            tree = read;
        }
        Err(Unstable { text: last.unwrap_or_default() })
    }
}
