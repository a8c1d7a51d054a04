//! Context elements of fragments. The table defines the effect of a context element.

use super::insert::{IntegrationPoint, is_integration_point};
use super::{Builder, Construction, ElementSet, TokenView};
use crate::reads::count_bytes;
use crate::sink::Control;
use crate::tree::{DocumentMode, LocalName, Name, NameRef, Namespace, NodeRef, TreeSink};

/// The context element of a fragment: its name, and its other properties that can affect parsing.
///
/// ```
/// use tabulex::FragmentContext;
/// assert_eq!(FragmentContext::from("td"), FragmentContext::html("td"));
/// assert_eq!(FragmentContext::from("svg path"), FragmentContext::svg("path"));
/// assert_eq!(FragmentContext::from("math mi"), FragmentContext::mathml("mi"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FragmentContext {
    namespace: Namespace,
    local: String,
    attributes: Vec<(String, String)>,
    mode: DocumentMode,
    ancestors: Vec<(Namespace, String)>,
}

impl FragmentContext {
    /// Returns the context for an HTML element with this local name.
    pub fn html(local_name: &str) -> Self {
        Self::new(Namespace::HTML, local_name)
    }

    /// Returns the context for an SVG element with this local name.
    pub fn svg(local_name: &str) -> Self {
        Self::new(Namespace::SVG, local_name)
    }

    /// Returns the context for a MathML element with this local name.
    pub fn mathml(local_name: &str) -> Self {
        Self::new(Namespace::MATHML, local_name)
    }

    fn new(namespace: Namespace, local: &str) -> Self {
        count_bytes(local);
        let mode = DocumentMode::NoQuirks;
        Self {
            namespace,
            local: local.to_owned(),
            attributes: Vec::new(),
            mode,
            ancestors: Vec::new(),
        }
    }

    /// Returns the namespace and the local name of the context element.
    pub fn name(&self) -> (Namespace, &str) {
        (self.namespace, &self.local)
    }

    /// Returns the local name of the context element if that is an HTML element.
    pub fn html_name(&self) -> Option<&str> {
        (self.namespace == Namespace::HTML).then_some(&self.local)
    }

    /// Adds an attribute to the context element; some attributes affect how its contents are parsed.
    #[must_use]
    pub fn attribute(mut self, name: &str, value: &str) -> Self {
        self.attributes.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the mode of the context element's document.
    #[must_use]
    pub fn document_mode(mut self, mode: DocumentMode) -> Self {
        self.mode = mode;
        self
    }

    /// Adds an ancestor to the context element: the parent or a farther one, together with its own ancestors. This can
    /// affect parsing: no form begins inside another one.
    ///
    /// ```
    /// use tabulex::{FragmentContext, Options, html};
    ///
    /// let parse = |context| html::parse_fragment("<form><i>", context, Options::new()).tree;
    /// let context = FragmentContext::html("div");
    /// assert_eq!(html::serializer().inner(parse(context.clone()).document_element().unwrap()), "<form><i></i></form>");
    /// let context = context.inside("form");
    /// assert_eq!(html::serializer().inner(parse(context).document_element().unwrap()), "<i></i>");
    /// ```
    #[must_use]
    pub fn inside(mut self, element: impl Into<Self>) -> Self {
        let Self { namespace, local, mut ancestors, .. } = element.into();
        self.ancestors.push((namespace, local));
        self.ancestors.append(&mut ancestors);
        self
    }

    /// Returns the context for an element of a tree, with its attributes, ancestors and document mode; `None` if the
    /// node is not an element of HTML, SVG or MathML.
    pub fn of(element: NodeRef<'_>) -> Option<Self> {
        let namespace = element.namespace().filter(|&namespace| can_be_context(namespace))?;
        let mut context = Self::new(namespace, element.local_name()?);
        for attribute in element.attributes() {
            context = context.attribute(&attribute.name().to_string(), attribute.value());
        }
        context.mode = element.tree().mode();
        // Ancestors outside HTML, SVG and MathML are left out, because no table tests for them.
        let ancestors = element.ancestors().filter_map(|ancestor| {
            let namespace = ancestor.namespace().filter(|&namespace| can_be_context(namespace))?;
            Some((namespace, ancestor.local_name()?.to_owned()))
        });
        context.ancestors = ancestors.collect();
        Some(context)
    }

    /// Returns the context for an element of a tree, reduced to what the tree's dialect can test for: the names that
    /// the dialect mentions, each ancestor's name once, and the attributes that make the element an integration point.
    /// This bounds the cost of an insertion, because names can be long, ancestors and attributes many, and insertions
    /// frequent.
    pub(super) fn reduced(
        element: NodeRef<'_>,
        integration_points: &[IntegrationPoint],
    ) -> Option<Self> {
        let names = element.tree().names();
        let known_count = names.shared_names(names);
        if known_count == 0 {
            return Self::of(element);
        }
        let is_known_name = |name: NameRef<'_>| name.id().local().id() < known_count;
        let namespace = element.namespace().filter(|&namespace| can_be_context(namespace))?;
        let name = element.name().filter(|&name| is_known_name(name));
        let mut context = Self::new(namespace, name.map_or("", |name| name.local()));
        let matches_element = |point: &&IntegrationPoint| {
            point.namespace == namespace
                && name.is_some_and(|name| name.id().local().id() == point.local)
        };
        let points = integration_points.iter().filter(matches_element);
        for (attribute, _) in points.filter_map(|point| point.attribute) {
            if let Some(value) = element.attribute(attribute) {
                context = context.attribute(attribute, value);
            }
        }
        context.mode = element.tree().mode();
        // For each known name, the namespaces in which an ancestor with it was recorded, one bit per namespace.
        let mut recorded_namespaces = vec![0_u8; known_count as usize];
        let ancestor_names = element.ancestors().filter_map(|ancestor| ancestor.name());
        for name in ancestor_names.filter(|name| is_known_name(*name)) {
            let recorded = &mut recorded_namespaces[name.id().local().id() as usize];
            let namespace = name.namespace();
            if can_be_context(namespace) && *recorded & (1 << namespace.id()) == 0 {
                *recorded |= 1 << namespace.id();
                context.ancestors.push((namespace, name.local().to_owned()));
            }
        }
        Some(context)
    }
}

/// Whether elements in this namespace can be context elements.
fn can_be_context(namespace: Namespace) -> bool {
    [Namespace::HTML, Namespace::SVG, Namespace::MATHML].contains(&namespace)
}

impl From<&str> for FragmentContext {
    /// Converts the local name of an HTML element, or `svg ` or `math ` followed by the local name of an SVG or MathML
    /// element.
    fn from(name: &str) -> Self {
        match name.split_once(' ') {
            Some(("svg", local)) => Self::svg(local),
            Some(("math", local)) => Self::mathml(local),
            _ => Self::html(name),
        }
    }
}

/// The context element, with interned names.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub(super) name: Name,
    pub(super) is_integration_point: bool,
    ancestors: Vec<Name>,
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the name of the context element; `None` for a document.
    pub fn context_name(&self) -> Option<Name> {
        self.context.as_ref().map(|context| context.name)
    }

    /// Whether the context element, or one of its ancestors, has one of these names.
    pub fn is_context_inside(&self, set: &ElementSet) -> bool {
        self.context.as_ref().is_some_and(|context| {
            let mut names = std::iter::once(&context.name).chain(&context.ancestors);
            names.any(|name| set.has(*name, C::ELEMENTS.namespace()))
        })
    }

    /// Prepares a new builder for a fragment: creates the root element, and runs the steps for the context element.
    /// Returns the feedback to the tokenizer before the first character.
    pub(super) fn begin_fragment(&mut self, context: &FragmentContext) -> Control {
        let Some(root) = C::FRAGMENT_ROOT else { return Control::Continue };
        let mut to_name = |namespace, local: &str| {
            let is_html = namespace == Namespace::HTML;
            let namespace = if is_html { C::ELEMENTS.namespace() } else { namespace };
            Name::new(namespace, self.sink.names().local(local))
        };
        let name = to_name(context.namespace, &context.local);
        let ancestors =
            context.ancestors.iter().map(|(namespace, local)| to_name(*namespace, local));
        let ancestors = ancestors.collect();
        let attribute_value = |expected: &str| {
            let attribute = context.attributes.iter().find(|(name, _)| name == expected);
            attribute.map(|(_, value)| &value[..])
        };
        let is_integration_point = is_integration_point::<C>(name, attribute_value);
        self.set_document_mode(context.mode);
        let root = Name::new(C::ELEMENTS.namespace(), LocalName::known(root));
        let node = self.sink.make_element(root, std::iter::empty(), None);
        self.append(self.document, node, true);
        self.push_element(node, root, false);
        self.fragment_root = Some(node);
        self.context = Some(Context { name, is_integration_point, ancestors });
        let token = TokenView::EndOfFile(0);
        C::begin_fragment(self, &token);
        C::reset_insertion_mode(self, &token);
        self.take_feedback()
    }
}
