//! Names in XML output with namespaces: the prefix of each name, and the namespace declarations that the prefixes
//! require. Every prefix is declared, and no element has two attributes with one expanded name.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use tabulex_core::__private::edits::escape;
use tabulex_core::__private::xml_characters::{is_name, is_name_start};
use tabulex_core::__private::{CharacterSet, byte_set};
use tabulex_core::tree::{NameRef, Namespace, NodeRef};

const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The names in a start tag as they are written.
#[derive(Debug, Default)]
pub(super) struct WrittenTag {
    pub(super) name: String,
    /// Declarations to add: the prefix, empty for the default namespace, and the namespace.
    pub(super) declarations: Vec<(String, NamespaceId)>,
    /// The name of each attribute; `None` for a declaration that is dropped, because XML forbids it or it contradicts
    /// other names.
    pub(super) attributes: Vec<Option<String>>,
}

/// The id of a namespace during serialization. With ids, a long namespace that many names share is copied only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NamespaceId(usize);

/// The namespaces encountered so far, with characters that XML forbids replaced.
#[derive(Debug, Default)]
struct Namespaces {
    texts: Vec<String>,
    ids: HashMap<String, NamespaceId>,
    /// The ids of namespaces by their ids in the tree.
    by_tree_id: HashMap<Namespace, NamespaceId>,
}

impl Namespaces {
    /// Returns the id of a namespace, which is added if it is new.
    fn id(&mut self, text: &str) -> NamespaceId {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = NamespaceId(self.texts.len());
        self.texts.push(text.to_owned());
        self.ids.insert(text.to_owned(), id);
        id
    }

    /// Returns the id of a name's namespace.
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

/// The bindings of prefixes, including the empty prefix, at the current position of the output.
#[derive(Debug, Default)]
pub(super) struct Scope {
    namespaces: Namespaces,
    /// The stack of bindings of each prefix, innermost last.
    prefix_bindings: HashMap<String, Vec<NamespaceId>>,
    /// The prefixes that the open elements bind, in order.
    bound_prefixes: Vec<String>,
    /// The length of `bound_prefixes` at the start of each open element.
    element_starts: Vec<usize>,
}

/// The bindings that one tag declares, and those that its names require.
#[derive(Debug, Default)]
struct TagBindings {
    /// Bindings that attributes of the tag declare.
    candidates: HashMap<String, NamespaceId>,
    /// Bindings that names of the tag require.
    required: HashMap<String, NamespaceId>,
    /// Prefixes of required bindings that are not in scope.
    added_prefixes: Vec<String>,
}

/// The namespace that the prefix of a name must be bound to.
#[derive(Clone, Copy)]
enum RequiredNamespace {
    /// The namespace of the name.
    OfName,
    /// No namespace, which XML cannot express for a prefix, so that a placeholder stands for it.
    Unbound,
    /// Any namespace: the name is written with a colon that does not separate a prefix in the tree.
    Any,
}

impl Scope {
    /// Enters an element, and returns the names in its start tag. The declarations are in scope until
    /// [`leave`](Self::leave).
    pub(super) fn enter(&mut self, node: &NodeRef<'_>, name: NameRef<'_>) -> WrittenTag {
        let mut bindings = TagBindings::default();
        for attribute in node.attributes() {
            let name = attribute.name().to_string();
            if let Some(prefix) = declared_prefix(&name)
                && is_allowed_declaration(prefix, attribute.value())
            {
                let value = self.namespaces.id(attribute.value());
                bindings.candidates.entry(prefix.to_owned()).or_insert(value);
            }
        }
        let name = self.element_name(&mut bindings, name);
        let mut used_names = HashSet::new();
        let mut attributes = Vec::with_capacity(node.attributes().len());
        for attribute in node.attributes() {
            let qualified = attribute.name().to_string();
            attributes.push(match declared_prefix(&qualified) {
                Some(_) => None,
                None => Some(self.attribute_name(
                    &mut bindings,
                    attribute.name(),
                    &qualified,
                    &mut used_names,
                )),
            });
        }
        // A declaration in the tree is written only if no name in the tag requires a different binding of its prefix.
        let mut declared = HashSet::new();
        for (attribute, written) in node.attributes().zip(&mut attributes) {
            let qualified = attribute.name().to_string();
            let Some(prefix) = declared_prefix(&qualified) else { continue };
            let Some(&candidate) = bindings.candidates.get(prefix) else { continue };
            let can_write = self.text(candidate) == attribute.value()
                && bindings.required.get(prefix).is_none_or(|&required| required == candidate);
            if can_write && declared.insert(prefix.to_owned()) {
                *written = Some(qualified);
            }
        }
        let TagBindings { mut candidates, required, added_prefixes } = bindings;
        let declarations: Vec<_> = added_prefixes
            .into_iter()
            .filter(|prefix| !declared.contains(prefix))
            .map(|prefix| (required[&prefix], prefix))
            .map(|(namespace, prefix)| (prefix, namespace))
            .collect();
        self.element_starts.push(self.bound_prefixes.len());
        candidates.retain(|prefix, _| declared.contains(prefix));
        for (prefix, namespace) in candidates.into_iter().chain(declarations.iter().cloned()) {
            self.prefix_bindings.entry(prefix.clone()).or_default().push(namespace);
            self.bound_prefixes.push(prefix);
        }
        WrittenTag { name, declarations, attributes }
    }

    /// Leaves the element that was entered last.
    pub(super) fn leave(&mut self) {
        let first = self.element_starts.pop().unwrap_or_default();
        for prefix in self.bound_prefixes.drain(first..) {
            if let Some(bindings) = self.prefix_bindings.get_mut(&prefix) {
                bindings.pop();
            }
        }
    }

    /// Returns the text of a namespace as written.
    pub(super) fn text(&self, namespace: NamespaceId) -> &str {
        &self.namespaces.texts[namespace.0]
    }

    /// Returns the namespace that a prefix is bound to in the tag, or `None` if it is unbound.
    fn namespace(&mut self, bindings: &TagBindings, prefix: &str) -> Option<NamespaceId> {
        let in_tag = bindings.required.get(prefix).or_else(|| bindings.candidates.get(prefix));
        let bound = in_tag.or_else(|| self.prefix_bindings.get(prefix)?.last()).copied();
        bound.or_else(|| prefix.is_empty().then(|| self.namespaces.id("")))
    }

    /// Binds the prefix of a name in the tag; returns `false` if another name of the tag requires a different binding.
    fn bind(
        &mut self,
        bindings: &mut TagBindings,
        prefix: &str,
        name: NameRef<'_>,
        required: RequiredNamespace,
    ) -> bool {
        let current = self.namespace(bindings, prefix);
        let required = match (required, current) {
            (RequiredNamespace::OfName, _) => self.namespaces.of(name),
            (RequiredNamespace::Any, Some(current)) => current,
            (RequiredNamespace::Any, None) | (RequiredNamespace::Unbound, _) => {
                self.namespaces.id(&placeholder_namespace(prefix))
            }
        };
        self.bind_to(bindings, prefix, required)
    }

    /// Binds a prefix to a namespace in the tag; returns `false` if a name of the tag requires a different binding.
    fn bind_to(&mut self, bindings: &mut TagBindings, prefix: &str, required: NamespaceId) -> bool {
        if self.namespace(bindings, prefix) != Some(required) {
            if bindings.required.contains_key(prefix) {
                return false;
            }
            bindings.added_prefixes.push(prefix.to_owned());
        }
        bindings.required.insert(prefix.to_owned(), required);
        true
    }

    /// Returns the name of an element as written, and binds its prefix.
    fn element_name(&mut self, bindings: &mut TagBindings, name: NameRef<'_>) -> String {
        if name.namespace_str() == XML {
            return format!("xml:{}", coerce_ncname(name.local()));
        }
        match split_name(name) {
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

    /// Returns the name of an attribute as written, and binds its prefix; `qualified` is the name in the tree.
    fn attribute_name(
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
        // Names that differ in the tree may be equal after coercion, so `_` is appended until the name is unique.
        let no_namespace = self.namespaces.id("");
        let mut unprefixed = coerce_ncname(qualified).into_owned();
        while unprefixed == "xmlns" || !used_names.insert((no_namespace, unprefixed.clone())) {
            unprefixed.push('_');
        }
        unprefixed
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
        if let Some((prefix, local, required)) = split_name(name)
            && self.bind(bindings, prefix, name, required)
        {
            return Some((prefix.to_owned(), local));
        }
        if namespace.is_empty() || namespace == XMLNS || has_colon_without_prefix(name) {
            return None;
        }
        // In XML, an attribute without a prefix is in no namespace, so an attribute in a namespace gets a generated
        // prefix.
        let required = self.namespaces.of(name);
        let prefix = (1u64..).map(|number| format!("ns{number}")).find(|prefix| {
            let current = self.namespace(bindings, prefix);
            current.is_none_or(|current| current == required)
                && self.bind_to(bindings, prefix, required)
        });
        prefix.map(|prefix| (prefix, name.local()))
    }
}

/// Whether the name has no prefix but a colon in its local name, as names from HTML may have.
fn has_colon_without_prefix(name: NameRef<'_>) -> bool {
    name.prefix().is_empty() && name.local().contains(':')
}

/// Splits a name into a prefix and a local name, if XML can write it so; also returns the namespace that the prefix
/// requires.
fn split_name(name: NameRef<'_>) -> Option<(&str, &str, RequiredNamespace)> {
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

/// Returns the namespace to declare for a prefix that has none in the tree, because XML requires one. It is a URI, as
/// some parsers check.
fn placeholder_namespace(prefix: &str) -> String {
    const NON_ASCII: CharacterSet =
        CharacterSet::new(&byte_set(&[(0, 0x7F)]), |character| !character.is_ascii(), None);
    format!("urn:x-unbound:{}", escape(prefix, &NON_ASCII, '%'))
}

/// Returns the prefix that an attribute with this name declares, if it is a namespace declaration.
fn declared_prefix(name: &str) -> Option<&str> {
    let suffix = name.strip_prefix("xmlns")?;
    if suffix.is_empty() {
        return Some("");
    }
    suffix.strip_prefix(':').filter(|prefix| !prefix.is_empty())
}

/// Whether XML allows a declaration that binds the prefix to the namespace.
fn is_allowed_declaration(prefix: &str, namespace: &str) -> bool {
    let can_be_declared = prefix.is_empty()
        || !["xml", "xmlns"].contains(&prefix) && is_ncname(prefix) && !namespace.is_empty();
    // A namespace with forbidden characters would change when it is written.
    can_be_declared
        && ![XML, XMLNS].contains(&namespace)
        && namespace.chars().all(|character| super::xml::allowed(character) == character)
}

/// Whether the text is an `NCName` of XML: a name without a colon.
fn is_ncname(text: &str) -> bool {
    let mut characters = text.chars();
    let first = characters.next();
    first.is_some_and(|first| first != ':' && is_name_start(first))
        && characters.all(|character| character != ':' && is_name(character))
}

/// Coerces the text to an `NCName`: a forbidden character becomes `U` and six hexadecimal digits.
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
            // Writing to a string cannot fail, so the result is ignored.
            let _ = write!(coerced, "U{:06X}", u32::from(character));
        }
    }
    if coerced.is_empty() { Cow::Borrowed("_") } else { Cow::Owned(coerced) }
}
