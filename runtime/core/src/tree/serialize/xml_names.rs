//! Names for XML with namespaces: the prefix that each name is written with, and the declarations that this requires.
//! Every prefix is declared, and no element has two attributes with one expanded name.

use super::xml_characters::{is_name, is_name_start};
use crate::names::{NameRef, Namespace};
use crate::tree::node_ref::NodeRef;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The names in a start tag as written.
#[derive(Debug, Default)]
pub(super) struct WrittenTag {
    pub(super) name: String,
    /// Declarations that the tree lacks: prefix, empty for the default namespace, and namespace.
    pub(super) declarations: Vec<(String, NamespaceId)>,
    /// The name of each attribute; `None` for a declaration that contradicts other names and is dropped.
    pub(super) attributes: Vec<Option<String>>,
}

/// The index of a namespace during serialization. Namespaces may be long and shared by many names, so that each is
/// processed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NamespaceId(usize);

/// The namespaces encountered so far, as written.
#[derive(Debug, Default)]
struct Namespaces {
    texts: Vec<String>,
    ids: HashMap<String, NamespaceId>,
    /// Indices by the tree's own ids.
    by_tree_id: HashMap<Namespace, NamespaceId>,
}

impl Namespaces {
    fn id(&mut self, text: &str) -> NamespaceId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = NamespaceId(self.texts.len());
        self.texts.push(text.to_owned());
        self.ids.insert(text.to_owned(), id);
        id
    }

    /// Returns the namespace of a name, with characters that XML forbids replaced.
    fn of(&mut self, name: NameRef<'_>) -> NamespaceId {
        if let Some(&id) = self.by_tree_id.get(&name.namespace()) {
            return id;
        }
        let text: String = name.namespace_str().chars().map(super::xml::allowed).collect();
        let id = self.id(&text);
        self.by_tree_id.insert(name.namespace(), id);
        id
    }
}

/// The bindings of prefixes, including the empty one, at the current position.
#[derive(Debug, Default)]
pub(super) struct Scope {
    namespaces: Namespaces,
    /// The stack of bindings of each prefix, innermost last.
    prefix_bindings: HashMap<String, Vec<NamespaceId>>,
    /// The prefixes bound by the open elements, in order.
    changes: Vec<String>,
    /// The length of `changes` at the start of each open element.
    element_starts: Vec<usize>,
}

/// The bindings made by one tag, and those that its names rely on.
#[derive(Debug, Default)]
struct TagBindings {
    /// Bindings that attributes of the tag declare.
    candidates: HashMap<String, NamespaceId>,
    /// Bindings that names of the tag rely on.
    fixed: HashMap<String, NamespaceId>,
    /// Prefixes that must be declared although the tree does not declare them.
    added: Vec<String>,
}

/// The namespace that a prefix must be bound to.
#[derive(Clone, Copy)]
enum RequiredNamespace {
    OfName,
    /// No namespace, which XML cannot express for a prefix.
    Unbound,
    Any,
}

impl Scope {
    /// Enters an element. Its declarations are in scope until [`leave`](Self::leave).
    pub(super) fn enter(&mut self, node: &NodeRef<'_>, name: NameRef<'_>) -> WrittenTag {
        let mut bindings = TagBindings::default();
        for attribute in node.attributes() {
            let name = attribute.name().to_string();
            if let Some(prefix) = declared_prefix(&name)
                && may_be_declared(prefix, attribute.value())
            {
                let value = self.namespaces.id(attribute.value());
                bindings.candidates.entry(prefix.to_owned()).or_insert(value);
            }
        }
        let name = self.element(&mut bindings, name);
        let mut used_names = HashSet::new();
        let mut attributes = Vec::with_capacity(node.attributes().len());
        for attribute in node.attributes() {
            let qualified = attribute.name().to_string();
            attributes.push(match declared_prefix(&qualified) {
                Some(_) => None,
                None => Some(self.attribute(
                    &mut bindings,
                    attribute.name(),
                    &qualified,
                    &mut used_names,
                )),
            });
        }
        // Declarations of the tree are kept if no name requires a different one.
        let mut declared = HashSet::new();
        for (attribute, written) in node.attributes().zip(&mut attributes) {
            let qualified = attribute.name().to_string();
            let Some(prefix) = declared_prefix(&qualified) else { continue };
            let Some(&candidate) = bindings.candidates.get(prefix) else { continue };
            let agrees = self.text(candidate) == attribute.value()
                && bindings.fixed.get(prefix).is_none_or(|&fixed| fixed == candidate);
            if agrees && declared.insert(prefix.to_owned()) {
                *written = Some(qualified);
            }
        }
        let TagBindings { mut candidates, fixed, added } = bindings;
        let declarations: Vec<_> = added
            .into_iter()
            .filter(|prefix| !declared.contains(prefix))
            .map(|prefix| (fixed[&prefix], prefix))
            .map(|(namespace, prefix)| (prefix, namespace))
            .collect();
        self.element_starts.push(self.changes.len());
        candidates.retain(|prefix, _| declared.contains(prefix));
        for (prefix, namespace) in candidates.into_iter().chain(declarations.iter().cloned()) {
            self.prefix_bindings.entry(prefix.clone()).or_default().push(namespace);
            self.changes.push(prefix);
        }
        WrittenTag { name, declarations, attributes }
    }

    /// Leaves the element that was entered last.
    pub(super) fn leave(&mut self) {
        let first = self.element_starts.pop().unwrap_or_default();
        for prefix in self.changes.drain(first..) {
            if let Some(bindings) = self.prefix_bindings.get_mut(&prefix) {
                bindings.pop();
            }
        }
    }

    pub(super) fn text(&self, namespace: NamespaceId) -> &str {
        &self.namespaces.texts[namespace.0]
    }

    fn namespace(&mut self, bindings: &TagBindings, prefix: &str) -> Option<NamespaceId> {
        let of_tag = bindings.fixed.get(prefix).or_else(|| bindings.candidates.get(prefix));
        let found = of_tag.or_else(|| self.prefix_bindings.get(prefix)?.last()).copied();
        found.or_else(|| prefix.is_empty().then(|| self.namespaces.id("")))
    }

    /// Binds a prefix in the tag; returns `false` if another name of the tag requires a different binding.
    fn bind(
        &mut self,
        bindings: &mut TagBindings,
        prefix: &str,
        name: NameRef<'_>,
        required: RequiredNamespace,
    ) -> bool {
        let now = self.namespace(bindings, prefix);
        let required = match (required, now) {
            (RequiredNamespace::OfName, _) => self.namespaces.of(name),
            (RequiredNamespace::Any, Some(now)) => now,
            (RequiredNamespace::Any, None) | (RequiredNamespace::Unbound, _) => {
                self.namespaces.id(&placeholder_namespace(prefix))
            }
        };
        self.bind_to(bindings, prefix, required)
    }

    fn bind_to(&mut self, bindings: &mut TagBindings, prefix: &str, required: NamespaceId) -> bool {
        if self.namespace(bindings, prefix) != Some(required) {
            if bindings.fixed.contains_key(prefix) {
                return false;
            }
            bindings.added.push(prefix.to_owned());
        }
        bindings.fixed.insert(prefix.to_owned(), required);
        true
    }

    fn element(&mut self, bindings: &mut TagBindings, name: NameRef<'_>) -> String {
        if name.namespace_str() == XML {
            return format!("xml:{}", coerce_ncname(name.local()));
        }
        match split(name) {
            Some((prefix, local, required)) => {
                self.bind(bindings, prefix, name, required);
                format!("{prefix}:{}", coerce_ncname(local))
            }
            None => {
                let required = match name.namespace_str() {
                    XMLNS => self.namespaces.id(""),
                    _ => self.namespaces.of(name),
                };
                self.bind_to(bindings, "", required);
                coerce_ncname(&name.to_string()).into_owned()
            }
        }
    }

    /// Returns the name of an attribute, `qualified` in the tree, as written.
    fn attribute(
        &mut self,
        bindings: &mut TagBindings,
        name: NameRef<'_>,
        qualified: &str,
        used_names: &mut HashSet<(NamespaceId, String)>,
    ) -> String {
        if let Some((prefix, local)) = self.attribute_prefix(bindings, name) {
            let namespace = self.namespace(bindings, &prefix);
            let namespace = namespace.unwrap_or_else(|| self.namespaces.id(XML));
            let local = coerce_ncname(local);
            if used_names.insert((namespace, local.clone().into_owned())) {
                return format!("{prefix}:{local}");
            }
        }
        // Names that differ in the tree may coincide after coercion.
        let (mut plain, nowhere) = (coerce_ncname(qualified).into_owned(), self.namespaces.id(""));
        while plain == "xmlns" || !used_names.insert((nowhere, plain.clone())) {
            plain.push('_');
        }
        plain
    }

    /// Returns the prefix and the local name of an attribute, or `None` if it is written without a prefix.
    fn attribute_prefix<'a>(
        &mut self,
        bindings: &mut TagBindings,
        name: NameRef<'a>,
    ) -> Option<(String, &'a str)> {
        let namespace = name.namespace_str();
        if namespace == XML {
            return Some(("xml".to_owned(), name.local()));
        }
        if let Some((prefix, local, required)) = split(name)
            && self.bind(bindings, prefix, name, required)
        {
            return Some((prefix.to_owned(), local));
        }
        if namespace.is_empty() || namespace == XMLNS || has_colon_without_prefix(name) {
            return None;
        }
        // Only a prefix puts an attribute into a namespace.
        let required = self.namespaces.of(name);
        let prefix = (1u64..).map(|number| format!("ns{number}")).find(|prefix| {
            let known = self.namespace(bindings, prefix);
            known.is_none_or(|known| known == required) && self.bind_to(bindings, prefix, required)
        });
        prefix.map(|prefix| (prefix, name.local()))
    }
}

/// Whether the local name contains a colon and the name has no prefix, as names in HTML may.
fn has_colon_without_prefix(name: NameRef<'_>) -> bool {
    name.prefix().is_empty() && name.local().contains(':')
}

/// Splits a name that XML can write as prefix and local name; also returns the binding that the prefix requires.
fn split(name: NameRef<'_>) -> Option<(&str, &str, RequiredNamespace)> {
    let (prefix, local, required) = match name.prefix() {
        "" => {
            let (prefix, local) = name.local().split_once(':')?;
            (prefix, local, RequiredNamespace::Any)
        }
        prefix => {
            let required = match name.namespace_str() {
                XMLNS => return None,
                "" => RequiredNamespace::Unbound,
                _ => RequiredNamespace::OfName,
            };
            (prefix, name.local(), required)
        }
    };
    let is_usable = !["xml", "xmlns"].contains(&prefix) && is_ncname(prefix) && !local.is_empty();
    is_usable.then_some((prefix, local, required))
}

/// Returns the namespace that a prefix without one is bound to, as XML requires one.
fn placeholder_namespace(prefix: &str) -> String {
    format!("urn:x-unbound:{prefix}")
}

/// Returns the prefix that an attribute of this name declares, if it is a namespace declaration.
fn declared_prefix(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("xmlns")?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix(':') }
}

/// Whether XML allows this declaration.
fn may_be_declared(prefix: &str, namespace: &str) -> bool {
    let is_prefix = prefix.is_empty()
        || !["xml", "xmlns"].contains(&prefix) && is_ncname(prefix) && !namespace.is_empty();
    // The value must be written unchanged, so one that would be coerced is excluded.
    is_prefix
        && ![XML, XMLNS].contains(&namespace)
        && namespace.chars().all(|character| super::xml::allowed(character) == character)
}

/// Whether the text is a name without a colon.
fn is_ncname(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next();
    first.is_some_and(|first| first != ':' && is_name_start(first))
        && characters.all(|character| character != ':' && is_name(character))
}

/// Coerces the text to a name without a colon; forbidden characters are written as numbers.
pub(super) fn coerce_ncname(text: &str) -> Cow<'_, str> {
    if is_ncname(text) {
        return Cow::Borrowed(text);
    }
    let mut coerced = String::new();
    for character in text.chars() {
        let fits = if coerced.is_empty() { is_name_start(character) } else { is_name(character) };
        if fits && character != ':' {
            coerced.push(character);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(coerced, "U{:06X}", u32::from(character));
        }
    }
    if coerced.is_empty() { Cow::Borrowed("_") } else { Cow::Owned(coerced) }
}
