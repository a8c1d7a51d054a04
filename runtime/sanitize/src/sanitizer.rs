//! Sanitizers: a configuration with policies, applied to trees and to markup.

use crate::bound::{Bound, Verdict, Withheld};
use crate::config::{Config, ConfigError};
use crate::lists::{ELEMENTS, ListedElement, NAMES};
use crate::name::Name;
use crate::policy::{Filter, Policy, UnknownElements};
use crate::rules::{OwnAttributes, Rules};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock};
use tabulex_core::tree::{
    AttributeRef, HierarchyError, HtmlSerializer, Namespace, NodeId, NodeRef, Positions, Tree,
};
use tabulex_core::{Construction, FragmentContext, Options, Parsed, parse_fragment, set_inner};

/// How often a text is read again before it counts as one that does not settle.
const MAX_ROUNDS: usize = 5;
/// A text that is longer by so many bytes and twice as long when it was read and written again does not settle either: a
/// link whose address is long, in each of many blocks, took 1.3 GB.
const MAX_GROWTH: usize = 0x1_0000;

/// A configuration of the Sanitizer API, and policies beside it. It can be kept for as long as a program runs and shared by
/// threads.
///
/// Names of elements are written `a`, `svg a`, `math mi`; those of attributes `href`, `xlink:href`.
///
/// Unless [`allow_unsafe`](Self::allow_unsafe) is called, what runs scripts goes whatever is allowed: elements such as `script`
/// and `iframe`, `base`, all attributes without a namespace whose name begins with `on`, and `javascript:` URLs that somebody
/// can follow.
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
    rules: Arc<Rules>,
    /// The rules without what is unsafe, unless that may stay.
    effective: Arc<Rules>,
    is_safe: bool,
    policy: Arc<Policy>,
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
    /// The standard's safe default: elements and attributes of text; no comments, and nothing that runs scripts, loads or styles.
    pub fn new() -> Self {
        // Made once: that takes longer than a short text.
        static SAFE: LazyLock<Sanitizer> =
            LazyLock::new(|| Sanitizer::of(Rules::safe_default(), true));
        SAFE.clone()
    }

    /// All elements and attributes stay but what runs scripts: the standard's `setHTML` with `{sanitizer: {}}`. Comments
    /// and processing instructions go unless they are allowed, other than with its `new Sanitizer({})`.
    pub fn permissive() -> Self {
        // An empty configuration is valid.
        Self::from_config(&Config::default()).unwrap_or_default()
    }

    /// The standard's `setHTML` with a configuration of one's own. What runs scripts goes whatever the configuration says.
    ///
    /// # Errors
    ///
    /// If the configuration is not valid: it allows and removes the same, or says something twice.
    pub fn from_config(config: &Config) -> Result<Self, ConfigError> {
        Ok(Self::of(Rules::of(config, false)?, true))
    }

    /// The standard's `setHTMLUnsafe` with a configuration: what runs scripts stays unless the configuration removes it, as do
    /// comments, processing instructions and `data-` attributes that it does not mention.
    ///
    /// # Errors
    ///
    /// If the configuration is not valid.
    pub fn unsafe_from_config(config: &Config) -> Result<Self, ConfigError> {
        Ok(Self::of(Rules::of(config, true)?, false))
    }

    fn of(rules: Rules, is_safe: bool) -> Self {
        let rules = Arc::new(rules);
        let policy = Arc::new(Policy::STANDARD);
        let mut all = Self { effective: rules.clone(), rules, is_safe, policy };
        all.update_effective();
        all
    }

    fn update_effective(&mut self) {
        self.effective = self.rules.clone();
        if self.is_safe {
            Arc::make_mut(&mut self.effective).remove_unsafe();
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Rules)) -> Self {
        change(Arc::make_mut(&mut self.rules));
        self.update_effective();
        self
    }

    fn with_policy(mut self, change: impl FnOnce(&mut Policy)) -> Self {
        change(Arc::make_mut(&mut self.policy));
        self
    }

    /// The configuration in the standard's canonical form, sorted: its `get`. Policies are no part of it.
    ///
    /// ```
    /// use tabulex::sanitize::{Name, Sanitizer};
    ///
    /// let mut config = Sanitizer::new().config();
    /// config.attributes.get_or_insert_default().push(Name::attribute("id"));
    /// assert_eq!(Sanitizer::from_config(&config)?, Sanitizer::new().allow_attribute("id"));
    /// # Ok::<(), tabulex::sanitize::ConfigError>(())
    /// ```
    pub fn config(&self) -> Config {
        self.rules.config()
    }

    /// Only elements of these names stay; whatever else was allowed is unknown. Each keeps the attributes that only it may have.
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::sanitize::{Sanitizer, UnknownElements};
    ///
    /// let sanitizer = Sanitizer::new().only_elements(&["p", "a"]);
    /// let markup = "<p>a <h1>t</h1><b>y</b> <a href=/>z</a>";
    /// assert_eq!(sanitizer.clean::<Html>(markup)?, "<p>a </p> <a href=\"/\">z</a>");
    /// let sanitizer = sanitizer.unknown_elements(UnknownElements::KeepContents);
    /// assert_eq!(sanitizer.clean::<Html>(markup)?, "<p>a </p>ty <a href=\"/\">z</a>");
    /// # Ok::<(), tabulex::sanitize::Unstable>(())
    /// ```
    #[doc(alias = "tags")]
    #[must_use]
    pub fn only_elements(self, elements: &[&str]) -> Self {
        self.with(|rules| rules.only_elements(elements.iter().map(|name| Name::element(name))))
    }

    /// Elements of this name stay, with the attributes that all may have. What is unsafe goes all the same.
    #[doc(alias = "add_tags")]
    #[must_use]
    pub fn allow_element(self, element: &str) -> Self {
        self.with(|rules| rules.allow_element(Name::element(element), OwnAttributes::default()))
    }

    /// Elements of this name stay, and may have these attributes as well. Nothing is changed if elements are removed one by
    /// one, as of [`permissive`](Self::permissive): then all that stay may have the same attributes.
    #[doc(alias = "tag_attributes")]
    #[must_use]
    pub fn allow_element_with(self, element: &str, attributes: &[&str]) -> Self {
        let allowed = attributes.iter().map(|attribute| Name::attribute(attribute)).collect();
        let own = OwnAttributes { allowed: Some(allowed), ..OwnAttributes::default() };
        self.with(|rules| rules.allow_element(Name::element(element), own))
    }

    /// Elements of this name go, with all that is inside.
    #[doc(alias = "clean_content_tags")]
    #[must_use]
    pub fn remove_element(self, element: &str) -> Self {
        self.with(|rules| rules.remove_element(Name::element(element)))
    }

    /// Elements of this name go; what is inside, sanitized, stands in their place.
    ///
    /// # Errors
    ///
    /// If it is an element that cannot be replaced so: `html`, `svg svg`, `math math`.
    pub fn replace_element(mut self, element: &str) -> Result<Self, ConfigError> {
        Arc::make_mut(&mut self.rules).replace_element(Name::element(element))?;
        self.update_effective();
        Ok(self)
    }

    /// Sets the treatment of elements that are not allowed, where elements are allowed by name.
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::sanitize::{Sanitizer, UnknownElements};
    ///
    /// let sanitizer = Sanitizer::new().unknown_elements(UnknownElements::Escape);
    /// let clean = sanitizer.clean::<Html>("a <o-o title=1>b <b>c</b></o-o><script>d</script>")?;
    /// assert_eq!(
    ///     clean,
    ///     "a &lt;o-o title=\"1\"&gt;b <b>c</b>&lt;/o-o&gt;&lt;script&gt;d&lt;/script&gt;",
    /// );
    /// # Ok::<(), tabulex::sanitize::Unstable>(())
    /// ```
    #[doc(alias = "strip")]
    #[must_use]
    pub fn unknown_elements(self, unknown: UnknownElements) -> Self {
        self.with_policy(|policy| policy.unknown = unknown)
    }

    /// Only these attributes stay, on all elements; whatever else was allowed, also on single elements, goes.
    #[must_use]
    pub fn only_attributes(self, attributes: &[&str]) -> Self {
        let attributes = attributes.iter().map(|name| Name::attribute(name));
        self.with(|rules| rules.only_attributes(attributes))
    }

    /// All elements that stay may have this attribute. Handlers of events go all the same.
    #[doc(alias = "generic_attributes")]
    #[must_use]
    pub fn allow_attribute(self, attribute: &str) -> Self {
        self.with(|rules| rules.allow_attribute(Name::attribute(attribute)))
    }

    /// No element may have this attribute.
    #[must_use]
    pub fn remove_attribute(self, attribute: &str) -> Self {
        self.with(|rules| rules.remove_attribute(Name::attribute(attribute)))
    }

    /// Whether comments stay.
    #[doc(alias = "strip_comments")]
    #[must_use]
    pub fn comments(self, kept: bool) -> Self {
        self.with(|rules| rules.comments = kept)
    }

    /// Whether all attributes stay whose names begin with `data-`, where attributes are allowed one by one. What was allowed
    /// of them before goes with the others after that.
    #[must_use]
    pub fn data_attributes(self, kept: bool) -> Self {
        self.with(|rules| rules.set_data_attributes(kept))
    }

    /// Processing instructions of this target stay, or go.
    #[must_use]
    pub fn processing_instruction(self, target: &str, kept: bool) -> Self {
        self.with(|rules| rules.set_instruction(target, kept))
    }

    /// Whether `javascript:` URLs stay that somebody can follow, where what is unsafe may stay.
    #[must_use]
    pub fn javascript_urls(self, kept: bool) -> Self {
        self.with(|rules| rules.javascript_urls = kept)
    }

    /// What runs scripts stays as well if the configuration allows it.
    #[must_use]
    pub fn allow_unsafe(mut self) -> Self {
        self.is_safe = false;
        self.update_effective();
        self
    }

    /// Attributes that hold a URL go if it has another scheme than these. URLs without a scheme stay, as
    /// [`relative_urls`](Self::relative_urls) says. URLs in styles are not looked at, nor those of `meta`.
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::sanitize::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::new().url_schemes(&["https", "mailto"]);
    /// let clean = sanitizer.clean::<Html>("<a href=/a>1</a><a href=HTTPS:b>2</a><a href=tel:3>3</a>")?;
    /// assert_eq!(clean, "<a href=\"/a\">1</a><a href=\"HTTPS:b\">2</a><a>3</a>");
    /// # Ok::<(), tabulex::sanitize::Unstable>(())
    /// ```
    #[must_use]
    pub fn url_schemes(self, schemes: &[&str]) -> Self {
        let schemes = schemes.iter().map(|scheme| scheme.to_ascii_lowercase()).collect();
        self.with_policy(|policy| policy.schemes = Some(schemes))
    }

    /// Whether URLs without a scheme stay. A [filter](Self::filter_attributes) can resolve them.
    #[doc(alias = "url_relative")]
    #[must_use]
    pub fn relative_urls(self, kept: bool) -> Self {
        self.with_policy(|policy| policy.relative_urls = kept)
    }

    /// Gives each element that links the attribute `rel` with this value, such as `noopener nofollow`, in place of its own.
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::sanitize::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::new().link_rel("nofollow");
    /// let clean = sanitizer.clean::<Html>("<a href=/a rel=opener>1</a><a>2</a>")?;
    /// assert_eq!(clean, "<a href=\"/a\" rel=\"nofollow\">1</a><a>2</a>");
    /// # Ok::<(), tabulex::sanitize::Unstable>(())
    /// ```
    #[must_use]
    pub fn link_rel(self, value: &str) -> Self {
        self.with_policy(|policy| policy.rel = Some(value.to_owned()))
    }

    /// Elements of this name, or all without one, may have these classes; all that are not allowed so go from all elements.
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::sanitize::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::new().allow_classes(None, &["note"]).allow_classes(Some("code"), &["rust"]);
    /// let clean = sanitizer.clean::<Html>("<p class='x note'>1 <code class='rust note'>2</code><b class=rust>3</b>")?;
    /// assert_eq!(clean, "<p class=\"note\">1 <code class=\"rust note\">2</code><b>3</b></p>");
    /// # Ok::<(), tabulex::sanitize::Unstable>(())
    /// ```
    #[doc(alias = "allowed_classes")]
    #[must_use]
    pub fn allow_classes(self, element: Option<&str>, classes: &[&str]) -> Self {
        let with_attribute = NAMES.class.iter().fold(self, |all, class| all.allow_attribute(class));
        with_attribute.with_policy(|policy| {
            let list = policy.classes.entry(element.map(Name::element)).or_default();
            list.extend(classes.iter().map(|class| (*class).to_owned()));
        })
    }

    /// Asks a function about each attribute that would stay: it returns the value, or nothing if the attribute goes. What it
    /// returns is held to the other rules. As text is read and sanitized again until it settles, the function should return a
    /// value of its own unchanged.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use tabulex::html::Html;
    /// use tabulex::sanitize::Sanitizer;
    ///
    /// let sanitizer = Sanitizer::new().filter_attributes(|element, attribute| {
    ///     let value = attribute.value();
    ///     match attribute.name().local() {
    ///         "href" if value.starts_with('/') => Some(format!("https://example.org{value}").into()),
    ///         "title" if element.is_html("a") => None,
    ///         _ => Some(Cow::Borrowed(value)),
    ///     }
    /// });
    /// let clean = sanitizer.clean::<Html>("<a href=/b title=x>1</a>")?;
    /// assert_eq!(clean, "<a href=\"https://example.org/b\">1</a>");
    /// # Ok::<(), tabulex::sanitize::Unstable>(())
    /// ```
    #[doc(alias = "attribute_filter")]
    #[must_use]
    pub fn filter_attributes(
        self,
        filter: impl for<'a> Fn(NodeRef<'a>, AttributeRef<'a>) -> Option<Cow<'a, str>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.with_policy(|policy| policy.filter = Some(Filter(Arc::new(filter))))
    }

    /// Sanitizes the contents of a node, template contents and shadow roots included. Returns the number of nodes and attributes
    /// that were removed.
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
        self.sanitize_without(tree, node, Withheld::default())
    }

    fn sanitize_without(&self, tree: &mut Tree, node: NodeId, withheld: Withheld<'_>) -> usize {
        let bound = Bound::new(&self.effective, self.is_safe, self.policy.unknown, withheld, tree);
        let (mut going, mut ways, mut narrowed) = (Vec::new(), Vec::new(), Vec::new());
        let mut escaped = Vec::new();
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
                Verdict::Escaped => {
                    escaped.push(node.id());
                    ways.push(node.id());
                }
            }
            // The attributes of the template that declared a shadow root say more of that root.
            let host = node.host().and_then(|host| host.shadow_root_template());
            narrowed.extend(host.map(|template| template.id()));
        }
        let mut count = going.len() + ways.len();
        let is_plain = self.policy.has_no_say_in_attributes();
        for node in narrowed {
            let Some(name) = tree.node(node).name() else { continue };
            let kept = bound.attributes(name);
            let has_rel =
                |tree: &Tree| tree.node(node).attribute_in(Namespace::NONE, NAMES.rel[0]).is_some();
            let had_rel = !is_plain && has_rel(tree);
            count += tree.retain_attributes(node, &kept);
            if !is_plain {
                count += self.apply_policy(tree, node);
                // What a filter returns is not trusted either.
                count += tree.retain_attributes(node, &kept);
                if let Some((rel, value)) = self.policy.rel(tree.node(node)) {
                    // An attribute that is removed and set again does not count.
                    count -= usize::from(had_rel && !has_rel(tree));
                    // The name is one of the standard, which attributes can have.
                    let _ = tree.set_attribute(node, rel, value);
                }
            }
        }
        going.into_iter().for_each(|node| tree.detach(node));
        escaped.into_iter().for_each(|node| write_tags_around(tree, node));
        // The outermost first: so no node is moved more than once.
        ways.into_iter().for_each(|node| tree.unwrap(node));
        count
    }

    /// Applies the policies to the attributes of an element. Returns how many were removed.
    fn apply_policy(&self, tree: &mut Tree, node: NodeId) -> usize {
        let element = tree.node(node);
        let (mut changed, mut are_kept) = (Vec::new(), Vec::new());
        for attribute in element.attributes() {
            let value = self.policy.value(element, attribute);
            are_kept.push(value.is_some());
            if let Some(value) = value.filter(|value| value != attribute.value()) {
                changed.push((attribute.name().id(), value.into_owned()));
            }
        }
        let mut are_kept = are_kept.into_iter();
        let count = tree.retain_attributes(node, |_| are_kept.next() == Some(true));
        for (name, value) in changed {
            tree.set_named_attribute(node, name, &value);
        }
        count
    }

    /// Replaces the contents of an element by sanitized markup, as `setHTML` does. Nothing is set into a script. Shadow roots may
    /// be declared, whatever `options` says, unless the configuration removes their template or its attribute.
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
        if self.is_safe && node.name().is_some_and(|it| is_script(it.namespace(), it.local())) {
            return Ok(None);
        }
        // A template that goes declares no shadow root, nor one whose attribute goes.
        let is_declared = D::SERIALIZATION.shadow_root.is_some_and(|declaration| {
            let template = Name::element(declaration.template);
            self.effective.keeps(&template, &Name::attribute(declaration.mode))
        });
        let options = options.clone().declarative_shadow_roots(is_declared);
        let parsed = set_inner::<D>(tree, element, markup, &options)?;
        self.sanitize(tree, element);
        Ok(Some(parsed))
    }

    /// Sanitizes markup as the contents of an element `div`. The result is parsed again, and sanitized and written again until
    /// it parses to the tree that it was written from, so that no element appears that was not sanitized.
    ///
    /// Scripting is enabled, as in browsers. The result parses to the same nodes where scripting is disabled, as a document, and in
    /// a template: `noscript`, `plaintext` and declarations of shadow roots, which do not, are removed unless what is unsafe may
    /// stay.
    ///
    /// The default limits hold, and what one of them leaves out is missing without a word: [`clean_by`](Self::clean_by) parses
    /// as its caller likes, who sees the events.
    ///
    /// # Errors
    ///
    /// If the result does not settle within five rounds, or gets much longer in each.
    pub fn clean<D: Construction>(&self, markup: &str) -> Result<String, Unstable> {
        self.clean_in::<D>(markup, "div")
    }

    /// Sanitizes markup as the contents of an element of another name, as [`clean`](Self::clean) does for `div`. Safe contents of
    /// a script are empty.
    ///
    /// # Errors
    ///
    /// If the result does not settle within five rounds, or gets much longer in each.
    pub fn clean_in<D: Construction>(
        &self,
        markup: &str,
        context: impl Into<FragmentContext>,
    ) -> Result<String, Unstable> {
        let context = context.into();
        let options = Options::new().errors(false).positions(Positions::None).scripting(true);
        let parse = |markup: &str| parse_fragment::<D>(markup, &context, &options).tree;
        self.clean_by(markup, &context, parse, &HtmlSerializer::new(&D::SERIALIZATION))
    }

    /// Sanitizes markup with a parser and a serializer of the caller's, such as those of a dialect that is a value, as
    /// [`clean_in`](Self::clean_in) does. The parser should have scripting enabled, as browsers do.
    ///
    /// # Errors
    ///
    /// If the result does not settle within five rounds, or gets much longer in each.
    pub fn clean_by(
        &self,
        markup: &str,
        context: &FragmentContext,
        mut parse: impl FnMut(&str) -> Tree,
        serializer: &HtmlSerializer<'_>,
    ) -> Result<String, Unstable> {
        let (namespace, local) = context.name();
        if self.is_safe && is_script(namespace, local) {
            return Ok(String::new());
        }
        let endless = ELEMENTS.endless.iter().map(|(_, local, _)| *local);
        let by_scripting = serializer.names().raw_text_when_scripting;
        let unlike: Vec<&str> = by_scripting.iter().copied().chain(endless).collect();
        let shadow_root = serializer.names().shadow_root;
        let withheld = match self.is_safe {
            true => Withheld {
                elements: &unlike,
                attribute: shadow_root.map(|declaration| (declaration.template, declaration.mode)),
            },
            false => Withheld::default(),
        };
        let mut tree = parse(markup);
        let mut last = None;
        for _ in 0..MAX_ROUNDS {
            let Some(root) = tree.document_element().map(|root| root.id()) else {
                return Ok(String::new());
            };
            let count = self.sanitize_without(&mut tree, root, withheld);
            let text = serializer.inner(tree.node(root));
            // A tree from which something was removed is not what the text parses to, though it is written so.
            if count == 0 && last.as_ref() == Some(&text) {
                return Ok(text);
            }
            if last.is_some_and(|last| text.len() > 2 * last.len() + MAX_GROWTH) {
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

/// Whether an element is a script, into which nothing is set.
fn is_script(namespace: Namespace, local: &str) -> bool {
    let is_it = |&(space, name, _): &ListedElement| space == namespace && name == local;
    ELEMENTS.scripts.iter().any(is_it)
}

/// Writes the tags of an element around it, as text.
fn write_tags_around(tree: &mut Tree, element: NodeId) {
    let node = tree.node(element);
    let Some(name) = node.name() else { return };
    let mut open = format!("<{name}");
    for attribute in node.attributes() {
        let value = attribute.value().replace('&', "&amp;").replace('"', "&quot;");
        open += &format!(" {}=\"{value}\"", attribute.name());
    }
    open.push('>');
    let close = node.first_child().map(|_| format!("</{name}>"));
    tree.insert_text_before(element, &open);
    if let Some(close) = close {
        let close = tree.create_text(&close);
        // Text can stand after an element that has a parent; one without a parent is not in the tree.
        let _ = tree.insert_after(element, close);
    }
}
