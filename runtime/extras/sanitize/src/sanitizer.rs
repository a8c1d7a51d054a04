//! Sanitizers: a configuration with policies, applied to trees and to markup.

use crate::bound::{ReparsedMarkup, ResolvedRules, Treatment};
use crate::config::{Config, ConfigError};
use crate::lists::{ELEMENTS, LISTS, TableElement};
use crate::name::Name;
use crate::policy::{Filter, Policy, UnknownElements};
use crate::rules::{ElementAttributes, Rules};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, LazyLock};
use tabulex_core::tree::{
    AttributeRef, HierarchyError, HtmlSerializer, Namespace, NodeId, NodeRef, Positions, Tree,
};
use tabulex_core::{Construction, FragmentContext, Fragments, Options, Parsed, parse_fragment};

/// Maximum number of rounds of parsing and sanitizing before the result counts as unstable.
const MAX_ROUNDS: usize = 5;
/// Number of bytes by which a result may exceed twice the length of the previous one; a longer result counts as
/// unstable. Without this bound, repeated links with long URLs took 1.3 GB of memory.
const MAX_GROWTH: usize = 0x1_0000;

/// A sanitizer: a configuration of the Sanitizer API with additional policies. It can be reused and shared between
/// threads.
///
/// Element names are written `a`, `svg a` or `math mi`, attribute names `href` or `xlink:href`.
///
/// Unless [`allow_unsafe`](Self::allow_unsafe) is called, everything that can run scripts is removed even if allowed:
/// elements such as `script`, `iframe` and `base`, all attributes without a namespace whose names begin with `on`, and
/// links with `javascript:` URLs.
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
    /// Whether everything that can run scripts is removed even if the rules allow it.
    is_safe: bool,
    policy: Arc<Policy>,
}

/// An error returned when sanitized markup might not parse back to the tree that it was serialized from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unstable {
    /// The last result. Parsing it may yield elements that were not sanitized.
    pub text: String,
}

impl fmt::Display for Unstable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the sanitized markup does not parse back to the sanitized tree")
    }
}

impl std::error::Error for Unstable {}

impl Default for Sanitizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Sanitizer {
    /// Creates a sanitizer with the standard's safe default: it allows elements and attributes for text, but no
    /// comments, and nothing that runs scripts, loads resources or applies styles.
    pub fn new() -> Self {
        // The default is built once, because building it takes longer than sanitizing a short text.
        static SAFE: LazyLock<Sanitizer> =
            LazyLock::new(|| Sanitizer::of(Rules::safe_default(), true));
        SAFE.clone()
    }

    /// Creates a sanitizer that allows everything that cannot run scripts, like the standard's `setHTML` with
    /// `{sanitizer: {}}`. Unlike its `new Sanitizer({})`, comments and processing instructions are removed unless
    /// allowed.
    pub fn permissive() -> Self {
        // An empty configuration is valid, so the default is never used.
        Self::from_config(&Config::default()).unwrap_or_default()
    }

    /// Creates a safe sanitizer from a configuration, like the standard's `setHTML`. Everything that can run scripts is
    /// removed even if the configuration allows it.
    ///
    /// # Errors
    ///
    /// If the configuration is invalid: lists contradict each other, or contain duplicates.
    pub fn from_config(config: &Config) -> Result<Self, ConfigError> {
        Ok(Self::of(Rules::of(config, false)?, true))
    }

    /// Creates an unsafe sanitizer from a configuration, like the standard's `setHTMLUnsafe`: scripts, comments,
    /// processing instructions and `data-` attributes are kept unless the configuration removes them.
    ///
    /// # Errors
    ///
    /// If the configuration is invalid.
    pub fn unsafe_from_config(config: &Config) -> Result<Self, ConfigError> {
        Ok(Self::of(Rules::of(config, true)?, false))
    }

    fn of(rules: Rules, is_safe: bool) -> Self {
        Self { rules: Arc::new(rules), is_safe, policy: Arc::new(Policy::STANDARD) }
    }

    fn update_rules(mut self, change: impl FnOnce(&mut Rules)) -> Self {
        change(Arc::make_mut(&mut self.rules));
        self
    }

    fn update_policy(mut self, change: impl FnOnce(&mut Policy)) -> Self {
        change(Arc::make_mut(&mut self.policy));
        self
    }

    /// Returns the configuration in canonical, sorted form, like the standard's `get`. Policies are not part of it.
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

    /// Allows only these elements; all others become unknown. Elements allowed before keep their
    /// own attribute lists.
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
        self.update_rules(|rules| {
            rules.only_elements(elements.iter().map(|name| Name::element(name)))
        })
    }

    /// Allows an element, with the attributes that all elements may have. Unsafe elements are removed regardless.
    #[doc(alias = "add_tags")]
    #[must_use]
    pub fn allow_element(self, element: &str) -> Self {
        self.update_rules(|rules| {
            rules.allow_element(Name::element(element), ElementAttributes::default())
        })
    }

    /// Allows an element with additional attributes. Has no effect if elements are removed by name, as with
    /// [`permissive`](Self::permissive): then all elements share one attribute list.
    #[doc(alias = "tag_attributes")]
    #[must_use]
    pub fn allow_element_with(self, element: &str, attributes: &[&str]) -> Self {
        let allowed = attributes.iter().map(|attribute| Name::attribute(attribute)).collect();
        let lists = ElementAttributes { allowed: Some(allowed), ..ElementAttributes::default() };
        self.update_rules(|rules| rules.allow_element(Name::element(element), lists))
    }

    /// Removes an element with its contents.
    #[doc(alias = "clean_content_tags")]
    #[must_use]
    pub fn remove_element(self, element: &str) -> Self {
        self.update_rules(|rules| rules.remove_element(Name::element(element)))
    }

    /// Replaces an element by its sanitized contents.
    ///
    /// # Errors
    ///
    /// If the element cannot be replaced: `html`, `svg svg` or `math math`.
    pub fn replace_element(mut self, element: &str) -> Result<Self, ConfigError> {
        Arc::make_mut(&mut self.rules).replace_element(Name::element(element))?;
        Ok(self)
    }

    /// Sets the treatment of elements that are not on the list of allowed elements.
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
        self.update_policy(|policy| policy.unknown = unknown)
    }

    /// Allows only these attributes, on all elements; all others, including those of single elements, are removed,
    /// except `data-` attributes if [`data_attributes`](Self::data_attributes) allows them.
    #[must_use]
    pub fn only_attributes(self, attributes: &[&str]) -> Self {
        let attributes = attributes.iter().map(|name| Name::attribute(name));
        self.update_rules(|rules| rules.only_attributes(attributes))
    }

    /// Allows an attribute on all elements. Event handlers are removed regardless.
    #[doc(alias = "generic_attributes")]
    #[must_use]
    pub fn allow_attribute(self, attribute: &str) -> Self {
        self.update_rules(|rules| rules.allow_attribute(Name::attribute(attribute)))
    }

    /// Removes an attribute from all elements.
    #[must_use]
    pub fn remove_attribute(self, attribute: &str) -> Self {
        self.update_rules(|rules| rules.remove_attribute(Name::attribute(attribute)))
    }

    /// Sets whether comments are allowed.
    #[doc(alias = "strip_comments")]
    #[must_use]
    pub fn comments(self, allowed: bool) -> Self {
        self.update_rules(|rules| rules.comments = allowed)
    }

    /// Sets whether all attributes whose names begin with `data-` are allowed. Allowing them deletes list entries for
    /// single ones. Has no effect if attributes are removed by name.
    #[must_use]
    pub fn data_attributes(self, allowed: bool) -> Self {
        self.update_rules(|rules| rules.set_data_attributes(allowed))
    }

    /// Sets whether processing instructions with this target are allowed.
    #[must_use]
    pub fn processing_instruction(self, target: &str, allowed: bool) -> Self {
        self.update_rules(|rules| rules.set_instruction(target, allowed))
    }

    /// Sets whether links with `javascript:` URLs are allowed in an unsafe sanitizer.
    #[must_use]
    pub fn javascript_urls(self, allowed: bool) -> Self {
        self.update_rules(|rules| rules.javascript_urls = allowed)
    }

    /// Makes the sanitizer unsafe: elements and attributes that run scripts are kept if the configuration allows them.
    #[must_use]
    pub fn allow_unsafe(mut self) -> Self {
        self.is_safe = false;
        self
    }

    /// Removes attributes with URLs whose scheme is not among `schemes`. URLs without a scheme are governed by
    /// [`relative_urls`](Self::relative_urls). URLs in styles and in `meta` are not checked.
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
        self.update_policy(|policy| policy.schemes = Some(schemes))
    }

    /// Sets whether URLs without a scheme are allowed. A [filter](Self::filter_attributes) can resolve them.
    #[doc(alias = "url_relative")]
    #[must_use]
    pub fn relative_urls(self, allowed: bool) -> Self {
        self.update_policy(|policy| policy.relative_urls = allowed)
    }

    /// Sets the attribute `rel` of all links to this value, such as `noopener nofollow`, replacing existing values.
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
        self.update_policy(|policy| policy.rel = Some(value.to_owned()))
    }

    /// Allows these classes on an element, or on all elements if `element` is `None`. All classes not allowed in this
    /// way are removed.
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
        let with_attribute =
            LISTS.class.iter().fold(self, |sanitizer, name| sanitizer.allow_attribute(name));
        with_attribute.update_policy(|policy| {
            let list = policy.classes.entry(element.map(Name::element)).or_default();
            list.extend(classes.iter().map(|class| (*class).to_owned()));
        })
    }

    /// Calls a function for each allowed attribute: it returns the new value, or `None` to remove the attribute. New
    /// values are subject to the other rules. As markup is sanitized repeatedly until it is stable, the function should
    /// be idempotent.
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
        self.update_policy(|policy| policy.filter = Some(Filter(Arc::new(filter))))
    }

    /// Sanitizes the contents of a node, including template contents and shadow roots. Returns the number of nodes
    /// and attributes removed; a node replaced by its contents counts as removed.
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
        self.sanitize_reparsed(tree, node, None)
    }

    fn sanitize_reparsed(
        &self,
        tree: &mut Tree,
        node: NodeId,
        reparsed: Option<ReparsedMarkup<'_>>,
    ) -> usize {
        let resolved =
            ResolvedRules::new(&self.rules, self.is_safe, self.policy.unknown, reparsed, tree);
        let (mut to_remove, mut to_unwrap, mut with_attributes) =
            (Vec::new(), Vec::new(), Vec::new());
        let mut to_escape = Vec::new();
        let mut nodes = tree.node(node).descendants_with_contents();
        while let Some(node) = nodes.next() {
            if node.is_text() {
                continue;
            }
            let treatment = node.name().map_or_else(
                || resolved.node_treatment(node),
                |name| resolved.treatment_in_context(node, name),
            );
            match treatment {
                Treatment::Keep if node.has_attributes() => with_attributes.push(node.id()),
                Treatment::Keep => {}
                Treatment::Remove => {
                    to_remove.push(node.id());
                    nodes.skip_past(node);
                }
                Treatment::Unwrap => to_unwrap.push(node.id()),
                Treatment::Escape => {
                    to_escape.push(node.id());
                    to_unwrap.push(node.id());
                }
            }
            // A shadow root keeps the template that declared it, whose other attributes are serialized and must be
            // filtered, too.
            let template = node.host().and_then(|host| host.shadow_root_template());
            with_attributes.extend(template.map(|template| template.id()));
        }
        let mut removed_count = to_remove.len() + to_unwrap.len();
        let ignores_attributes = self.policy.ignores_attributes();
        for node in with_attributes {
            let Some(name) = tree.node(node).name() else { continue };
            let is_allowed = resolved.attribute_filter(name);
            let has_rel =
                |tree: &Tree| tree.node(node).attribute_in(Namespace::NONE, LISTS.rel[0]).is_some();
            let had_rel = !ignores_attributes && has_rel(tree);
            removed_count += tree.retain_attributes(node, &is_allowed);
            if !ignores_attributes {
                removed_count += self.apply_policy(tree, node);
                // The policy may have set new values, which are checked, too.
                removed_count += tree.retain_attributes(node, &is_allowed);
                if let Some((rel, value)) = self.policy.rel(tree.node(node)) {
                    // A `rel` attribute that was removed and is set again does not count as removed.
                    removed_count -= usize::from(had_rel && !has_rel(tree));
                    // The name is from the standard's list, so it is valid.
                    let _ = tree.set_attribute(node, rel, value);
                }
            }
        }
        to_remove.into_iter().for_each(|node| tree.detach(node));
        to_escape.into_iter().for_each(|node| write_tags_around(tree, node));
        // Elements are unwrapped outermost first, so that each node is moved at most once.
        to_unwrap.into_iter().for_each(|node| tree.unwrap(node));
        removed_count
    }

    /// Applies the policies to the attributes of an element. Returns the number of removed attributes.
    fn apply_policy(&self, tree: &mut Tree, node: NodeId) -> usize {
        let element = tree.node(node);
        let (mut new_values, mut are_kept) = (Vec::new(), Vec::new());
        for attribute in element.attributes() {
            let value = self.policy.value(element, attribute);
            are_kept.push(value.is_some());
            if let Some(value) = value.filter(|value| value != attribute.value()) {
                new_values.push((attribute.name().id(), value.into_owned()));
            }
        }
        let mut are_kept = are_kept.into_iter();
        let removed_count = tree.retain_attributes(node, |_| are_kept.next() == Some(true));
        for (name, value) in new_values {
            tree.set_named_attribute(node, name, &value);
        }
        removed_count
    }

    /// Replaces the contents of an element by sanitized markup, like `setHTML`. Has no effect on a script if the
    /// sanitizer is safe, and then returns `None`. Declarative shadow roots are enabled regardless of `options`, unless
    /// the configuration removes their template or its attribute.
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
    /// If the node is not an element; then nothing is changed.
    pub fn set_html<D: Construction>(
        &self,
        tree: &mut Tree,
        element: NodeId,
        markup: &str,
        options: &Options,
    ) -> Result<Option<Parsed>, HierarchyError> {
        let node = tree.node(element);
        if self.is_safe && node.name().is_some_and(|name| is_script(name.namespace(), name.local()))
        {
            return Ok(None);
        }
        // A template that is removed, or loses its attribute, must not declare a shadow root.
        let allows_shadow_roots = D::SERIALIZATION.shadow_root.is_some_and(|declaration| {
            let mut tree = Tree::new();
            let (root, template) =
                (tree.root().id(), tree.create_element(Namespace::HTML, declaration.template));
            tree.set_attribute(template, declaration.mode, "open").is_ok()
                && tree.append(root, template).is_ok()
                && self.sanitize(&mut tree, root) == 0
        });
        let options = options.clone().declarative_shadow_roots(allows_shadow_roots);
        let parsed = Fragments::of::<D>().set_inner(tree, element, markup, &options)?;
        self.sanitize(tree, element);
        Ok(Some(parsed))
    }

    /// Sanitizes markup as the contents of a `div`. The result is parsed and sanitized repeatedly until it parses to
    /// the tree it was serialized from, so that no unsanitized element can appear.
    ///
    /// Scripting is enabled, as in browsers. The result parses to the same nodes with scripting disabled, as a
    /// document, and in a template: `noscript`, `plaintext` and declarative shadow roots, which would not, are removed
    /// by a safe sanitizer. It also removes raw text, SVG and MathML in `select`, where browsers ignored their tags
    /// before 2025.
    ///
    /// The default limits apply, and contents dropped by a limit are not reported. To receive events of limits, parse
    /// in [`clean_by`](Self::clean_by). Contents nested almost as deeply as the depth limit permits exceed it as a
    /// document, which has more open elements.
    ///
    /// # Errors
    ///
    /// If the result is not stable after five rounds, as with a configuration that replaces `tbody`, which the parser
    /// inserts again, or grows too fast.
    pub fn clean<D: Construction>(&self, markup: &str) -> Result<String, Unstable> {
        self.clean_in::<D>(markup, "div")
    }

    /// Sanitizes markup as the contents of another element, as [`clean`](Self::clean) does for `div`. In a script, in
    /// `noscript` and in `plaintext` the safe result is empty. A safe sanitizer replaces a form in a form by its contents,
    /// because browsers parse nested forms in `template` differently. In `style` and other elements whose text is raw, the
    /// markup is text and nothing is escaped.
    ///
    /// ```
    /// use tabulex::html::Html;
    /// use tabulex::sanitize::Sanitizer;
    ///
    /// let clean = |markup| Sanitizer::new().clean_in::<Html>(markup, "style");
    /// assert_eq!(clean("a > b {}").as_deref(), Ok("a > b {}"));
    /// assert!(clean("</style><img src=x onerror=y()>").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// If the result is not stable after five rounds, grows too fast, or is raw text that could end its element.
    pub fn clean_in<D: Construction>(
        &self,
        markup: &str,
        context: impl Into<FragmentContext>,
    ) -> Result<String, Unstable> {
        let context = context.into();
        let options = Options::new().errors(false).positions(Positions::None).scripting(true);
        let parse = |markup: &str| parse_fragment::<D>(markup, &context, &options).tree;
        let serializer = HtmlSerializer::new(&D::SERIALIZATION).scripting(true);
        self.clean_by(markup, &context, parse, &serializer)
    }

    /// Sanitizes markup like [`clean_in`](Self::clean_in), with a given parser and serializer, such as those of a
    /// dialect chosen at run time. Scripting should be enabled in both, as in browsers.
    ///
    /// # Errors
    ///
    /// If the result is not stable after five rounds, grows too fast, or is raw text that could end its element.
    pub fn clean_by(
        &self,
        markup: &str,
        context: &FragmentContext,
        mut parse: impl FnMut(&str) -> Tree,
        serializer: &HtmlSerializer<'_>,
    ) -> Result<String, Unstable> {
        let (namespace, local) = context.name();
        let is_html = namespace == Namespace::HTML;
        let names = serializer.names();
        let is_plain = is_html && ELEMENTS.plain.iter().any(|(_, name, _)| *name == local);
        let reparsed = ReparsedMarkup { names, is_plain };
        let is_removed = is_html && reparsed.removed_elements().any(|name| name == local);
        if self.is_safe && (is_script(namespace, local) || is_removed) {
            return Ok(String::new());
        }
        let reparsed = self.is_safe.then_some(reparsed);
        let serializer = if is_html { serializer.within(local) } else { *serializer };
        let mut raw_text = names.raw_text.iter().chain(names.raw_text_when_scripting);
        let is_raw = is_html && raw_text.any(|name| *name == local);
        let mut tree = parse(markup);
        let mut previous = None;
        for _ in 0..MAX_ROUNDS {
            let Some(root) = tree.document_element().map(|root| root.id()) else {
                return Ok(String::new());
            };
            let removed_count = self.sanitize_reparsed(&mut tree, root, reparsed);
            let text = serializer.inner(tree.node(root));
            if is_raw && may_end(local, &text) {
                return Err(Unstable { text });
            }
            // Only a tree from which nothing was removed is known to be what the text parses to.
            if removed_count == 0 && previous.as_ref() == Some(&text) {
                return Ok(text);
            }
            if previous.is_some_and(|previous| text.len() > 2 * previous.len() + MAX_GROWTH) {
                return Err(Unstable { text });
            }
            let reparsed = parse(&text);
            // The root's name and attributes are not part of the sanitized contents.
            let is_equal =
                |reparsed: NodeRef<'_>| reparsed.is_like_inside_normalized(&tree.node(root));
            if reparsed.document_element().is_some_and(is_equal) {
                return Ok(text);
            }
            previous = Some(text);
            tree = reparsed;
        }
        Err(Unstable { text: previous.unwrap_or_default() })
    }
}

/// Whether raw text could end the HTML element called `local` or, after `<!--` in a script, hide its end tag.
fn may_end(local: &str, text: &str) -> bool {
    let is_end_tag = |tag: &str| {
        let name = tag.get(..local.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(local))
    };
    text.split("</").skip(1).any(is_end_tag)
        || is_script(Namespace::HTML, local) && text.contains("<!--")
}

/// Whether an element is a script.
fn is_script(namespace: Namespace, local: &str) -> bool {
    let is_equal = |&(space, name, _): &TableElement| space == namespace && name == local;
    ELEMENTS.scripts.iter().any(is_equal)
}

/// Inserts the start tag of an element before it as text, and its end tag after it unless the element is empty.
fn write_tags_around(tree: &mut Tree, element: NodeId) {
    let node = tree.node(element);
    let Some(name) = node.name() else { return };
    let mut start_tag = format!("<{name}");
    for attribute in node.attributes() {
        let value = attribute.value().replace('&', "&amp;").replace('"', "&quot;");
        start_tag += &format!(" {}=\"{value}\"", attribute.name());
    }
    start_tag.push('>');
    let end_tag = node.first_child().map(|_| format!("</{name}>"));
    tree.insert_text_before(element, &start_tag);
    if let Some(end_tag) = end_tag {
        let end_tag = tree.create_text(&end_tag);
        // Insertion fails only for an element without a parent, which is not in the tree.
        let _ = tree.insert_after(element, end_tag);
    }
}
