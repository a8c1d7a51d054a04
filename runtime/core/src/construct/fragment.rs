//! Fragments and their context elements. What is done about which element is the table's business. Invariant: a fragment
//! has a context element.

use super::foreign::is_integration_point;
use super::{Builder, Construction, Feedback, TokenView};
use crate::tree::{DocumentMode, LocalName, Name, Namespace, NodeRef, TreeSink};

/// The element as whose contents a fragment is parsed: its name, and what else may matter of it.
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
    is_in_form: bool,
}

impl FragmentContext {
    /// An HTML element.
    pub fn html(local_name: &str) -> Self {
        Self::new(Namespace::HTML, local_name)
    }

    /// An SVG element.
    pub fn svg(local_name: &str) -> Self {
        Self::new(Namespace::SVG, local_name)
    }

    /// A MathML element.
    pub fn mathml(local_name: &str) -> Self {
        Self::new(Namespace::MATHML, local_name)
    }

    fn new(namespace: Namespace, local: &str) -> Self {
        let mode = DocumentMode::NoQuirks;
        Self { namespace, local: local.to_owned(), attributes: Vec::new(), mode, is_in_form: false }
    }

    /// Its local name, if it is an HTML element.
    pub fn html_name(&self) -> Option<&str> {
        (self.namespace == Namespace::HTML).then_some(&self.local)
    }

    /// The element has this attribute; for some it decides how their contents are parsed.
    #[must_use]
    pub fn attribute(mut self, name: &str, value: &str) -> Self {
        self.attributes.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The mode of the element's document.
    #[must_use]
    pub fn document_mode(mut self, mode: DocumentMode) -> Self {
        self.mode = mode;
        self
    }

    /// The element is inside of a form, so that no other form can begin in its contents.
    ///
    /// ```
    /// use tabulex::{FragmentContext, Options, html};
    ///
    /// let parse = |context| html::parse_fragment("<form><i>", context, Options::new()).tree;
    /// let context = FragmentContext::html("div");
    /// assert_eq!(html::serializer().inner(parse(context.clone()).document_element().unwrap()), "<form><i></i></form>");
    /// assert_eq!(html::serializer().inner(parse(context.in_form()).document_element().unwrap()), "<i></i>");
    /// ```
    #[must_use]
    pub fn in_form(mut self) -> Self {
        self.is_in_form = true;
        self
    }

    /// This element of a tree, with its attributes, the mode of its document, and whether a form is around it; none if
    /// the node is no element of HTML, SVG or MathML.
    pub fn of(element: NodeRef<'_>) -> Option<Self> {
        let namespace = element.namespace()?;
        if ![Namespace::HTML, Namespace::SVG, Namespace::MATHML].contains(&namespace) {
            return None;
        }
        let mut context = Self::new(namespace, element.local_name()?);
        for attribute in element.attributes() {
            context = context.attribute(&attribute.name().to_string(), attribute.value());
        }
        context.mode = element.tree().mode();
        context.is_in_form = element.ancestors().any(|ancestor| ancestor.is_html("form"));
        Some(context)
    }
}

impl From<&str> for FragmentContext {
    /// A local name, after `svg ` or `math ` if it is of SVG or MathML.
    fn from(name: &str) -> Self {
        match name.split_once(' ') {
            Some(("svg", local)) => Self::svg(local),
            Some(("math", local)) => Self::mathml(local),
            _ => Self::html(name),
        }
    }
}

/// The context element as the builder knows it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) name: Name,
    pub(super) is_integration_point: bool,
}

impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// The name of the context element.
    pub fn context_name(&self) -> Option<Name> {
        self.context.as_ref().map(|context| context.name)
    }

    /// Makes this a builder of a fragment; returns what the tokenizer is to do before the first character.
    pub(super) fn begin_fragment(&mut self, context: &FragmentContext) -> Feedback {
        let Some(root) = C::FRAGMENT_ROOT else { return Feedback::None };
        let namespace = match context.namespace {
            Namespace::HTML => C::ELEMENTS.own(),
            other => other,
        };
        let name = Name::new(namespace, self.sink.names().local(&context.local));
        let attribute = |wanted: &str| {
            let found = context.attributes.iter().find(|(name, _)| name == wanted);
            found.map(|(_, value)| &value[..])
        };
        let is_integration_point = is_integration_point::<C>(name, attribute);
        self.set_document_mode(context.mode);
        let root = Name::new(C::ELEMENTS.own(), LocalName::known(root));
        let node = self.sink.make_element(root, std::iter::empty(), None);
        self.append(self.document, node, true);
        self.open_element(node, root, false);
        self.context = Some(Context { name, is_integration_point });
        let seen = TokenView::EndOfFile(0);
        C::begin_fragment(self, &seen);
        if context.is_in_form {
            // The nearest form around the context counts as the context itself would.
            let form = Name::new(Namespace::HTML, self.sink.names().local("form"));
            let form = Context { name: form, is_integration_point: false };
            let context = self.context.replace(form);
            C::begin_fragment(self, &seen);
            self.context = context;
        }
        self.reset_insertion_mode(&seen);
        self.take_feedback()
    }
}
