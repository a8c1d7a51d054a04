//! Names of elements and attributes as configurations have them. Invariant: equal names have one spelling.

use tabulex_core::tree::Namespace;

/// The name of an element, or of an attribute, with its namespace.
///
/// Of an element it is written `a`, `svg a` or `math mi`; of an attribute `href` or `xlink:href`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Name {
    pub(crate) namespace: Namespace,
    pub(crate) local: Box<str>,
}

impl Name {
    /// An element of HTML, or one whose namespace is written before it.
    pub(crate) fn element(text: &str) -> Self {
        let (namespace, local) = match text.split_once(' ') {
            Some(("svg", local)) => (Namespace::SVG, local),
            Some(("math", local)) => (Namespace::MATHML, local),
            _ => (Namespace::HTML, text),
        };
        Self { namespace, local: local.into() }
    }

    /// An attribute without a namespace, or one whose prefix has one where HTML is parsed.
    pub(crate) fn attribute(text: &str) -> Self {
        let (namespace, local) = Self::attribute_parts(text);
        Self { namespace, local: local.into() }
    }

    /// Whether it is that of a custom data attribute.
    pub(crate) fn is_custom_data(&self) -> bool {
        is_custom_data(self.namespace, &self.local)
    }

    /// The namespace and local name of an attribute that is written so.
    pub(crate) fn attribute_parts(text: &str) -> (Namespace, &str) {
        match text.split_once(':') {
            Some(("xlink", local)) => (Namespace::XLINK, local),
            Some(("xml", local)) => (Namespace::XML, local),
            Some(("xmlns", local)) => (Namespace::XMLNS, local),
            _ => (Namespace::NONE, text),
        }
    }
}

/// Whether an attribute of this name is a "custom data attribute" of the standard.
pub(crate) fn is_custom_data(namespace: Namespace, local: &str) -> bool {
    let rest = local.strip_prefix("data-").unwrap_or_default();
    namespace == Namespace::NONE
        && !rest.is_empty()
        && !rest.bytes().any(|it| it.is_ascii_uppercase())
}
