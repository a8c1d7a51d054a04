//! Names of elements and attributes in configurations, independent of any tree.

use std::borrow::Cow;
use std::fmt;
use tabulex_core::tree::{Names, Namespace};

/// The name of an element or an attribute: a namespace and a local name. The order of names is the standard's: by
/// namespace, beginning with none, then by local name.
///
/// ```
/// use tabulex::sanitize::Name;
///
/// let link = Name::element("svg a");
/// assert_eq!((link.namespace(), link.local()), ("http://www.w3.org/2000/svg", "a"));
/// assert_eq!(Name::element("math mi").namespace(), "http://www.w3.org/1998/Math/MathML");
/// assert_eq!(Name::attribute("href").namespace(), "");
/// assert_eq!(Name::attribute("xlink:href"), Name::new("http://www.w3.org/1999/xlink", "href"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    namespace: Cow<'static, str>,
    local: Box<str>,
}

impl Name {
    /// Creates a name from a namespace URI, empty for no namespace, and a local name.
    pub fn new(namespace: &str, local: &str) -> Self {
        Self { namespace: namespace.to_owned().into(), local: local.into() }
    }

    /// Creates the name of an element written `a`, `svg a` or `math mi`.
    pub fn element(text: &str) -> Self {
        let (namespace, local) = match text.split_once(' ') {
            Some(("svg", local)) => (Namespace::SVG, local),
            Some(("math", local)) => (Namespace::MATHML, local),
            _ => (Namespace::HTML, text),
        };
        Self::in_namespace(namespace, local)
    }

    /// Creates the name of an attribute written `href` or, with a prefix that HTML parsers know, `xlink:href`.
    pub fn attribute(text: &str) -> Self {
        let (namespace, local) = attribute_parts(text);
        Self::in_namespace(namespace, local)
    }

    pub(crate) fn in_namespace(namespace: Namespace, local: &str) -> Self {
        Self { namespace: namespace.known_name().into(), local: local.into() }
    }

    /// Returns the namespace URI, which is empty for no namespace.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Returns the local name.
    pub fn local(&self) -> &str {
        &self.local
    }

    /// Whether the name is in the given namespace.
    pub(crate) fn is_in(&self, namespace: Namespace) -> bool {
        self.namespace == namespace.known_name()
    }

    /// Returns the id of the namespace in a tree, or `None` if the tree does not know the namespace.
    pub(crate) fn namespace_in(&self, names: &Names) -> Option<Namespace> {
        names.find_namespace(&self.namespace)
    }
}

/// Splits a written attribute name into its namespace and local name.
pub(crate) fn attribute_parts(text: &str) -> (Namespace, &str) {
    match text.split_once(':') {
        Some(("xlink", local)) => (Namespace::XLINK, local),
        Some(("xml", local)) => (Namespace::XML, local),
        Some(("xmlns", local)) => (Namespace::XMLNS, local),
        _ => (Namespace::NONE, text),
    }
}

/// Writes the local name, after the namespace URI in braces unless the namespace is HTML's or none.
impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_in(Namespace::HTML) && !self.is_in(Namespace::NONE) {
            write!(formatter, "{{{}}}", self.namespace())?;
        }
        formatter.write_str(&self.local)
    }
}
