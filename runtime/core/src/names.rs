//! Names of elements and attributes as small numbers. It gives names no meaning. Invariant: within one [`Names`] two
//! names are equal exactly if namespace, prefix and local name are.

mod interner;
mod known;
mod name_key;
mod recent_names;

pub use known::KnownNames;
pub(crate) use name_key::NameLookup;

use interner::Interner;
use recent_names::READY;
use std::collections::HashMap;
use std::fmt;

/// A local name: the number of a string in a [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalName(u32);

impl LocalName {
    /// The name at this index of the list of known names.
    pub const fn known(index: u32) -> Self {
        Self(index)
    }

    /// The number: an index of the known list, or a later one.
    pub const fn id(self) -> u32 {
        self.0
    }
}

/// A namespace: the number of its name in a [`Names`]; those below have the same number everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Namespace(u32);

impl Namespace {
    /// No namespace.
    pub const NONE: Self = Self(0);
    /// `http://www.w3.org/1999/xhtml`
    pub const HTML: Self = Self(1);
    /// `http://www.w3.org/1998/Math/MathML`
    pub const MATHML: Self = Self(2);
    /// `http://www.w3.org/2000/svg`
    pub const SVG: Self = Self(3);
    /// `http://www.w3.org/1999/xlink`
    pub const XLINK: Self = Self(4);
    /// `http://www.w3.org/XML/1998/namespace`
    pub const XML: Self = Self(5);
    /// `http://www.w3.org/2000/xmlns/`
    pub const XMLNS: Self = Self(6);

    /// The number.
    pub const fn id(self) -> u32 {
        self.0
    }

    /// The name (a URI) of one of those that have the same number everywhere; empty for others.
    pub fn known_name(self) -> &'static str {
        NAMESPACES.get(self.0 as usize).copied().unwrap_or("")
    }
}

static NAMESPACES: [&str; 7] = [
    "",
    "http://www.w3.org/1999/xhtml",
    "http://www.w3.org/1998/Math/MathML",
    "http://www.w3.org/2000/svg",
    "http://www.w3.org/1999/xlink",
    "http://www.w3.org/XML/1998/namespace",
    "http://www.w3.org/2000/xmlns/",
];
static NAMESPACE_SLOTS: [u16; 16] = KnownNames::slots(&NAMESPACES);
static KNOWN_NAMESPACES: KnownNames = KnownNames::new(&NAMESPACES, &NAMESPACE_SLOTS);

static PREFIXES: [&str; 4] = ["", "xlink", "xml", "xmlns"];
static PREFIX_SLOTS: [u16; 8] = KnownNames::slots(&PREFIXES);
static KNOWN_PREFIXES: KnownNames = KnownNames::new(&PREFIXES, &PREFIX_SLOTS);

/// Namespace and prefix, by their numbers; the first seven are the known namespaces without prefix.
const QUALIFIERS: [(u32, u32); 10] =
    [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (4, 1), (5, 2), (6, 3)];

/// The name of an element or attribute: namespace, prefix and local name. Its parts are asked of the [`Names`] that made
/// it, to others it is another name or an empty one; names of one `Names` are compared as numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    pub(crate) qualifier: u32,
    local: LocalName,
}

impl Name {
    /// Whether these numbers mean the same in two trees of which the local names below `known` do: those of a namespace that
    /// is a constant, without a prefix.
    #[inline]
    pub(crate) fn is_known(qualifier: u16, local: u32, known: u32) -> bool {
        usize::from(qualifier) < NAMESPACES.len() && local < known
    }

    /// A name without a prefix, in one of the namespaces that are constants of [`Namespace`].
    ///
    /// # Panics
    ///
    /// If the namespace is another one; for a constant that is an error of compilation.
    pub const fn new(namespace: Namespace, local: LocalName) -> Self {
        assert!((namespace.0 as usize) < NAMESPACES.len());
        Self { qualifier: namespace.0, local }
    }

    /// `xlink:` and this local name, in the XLink namespace.
    pub const fn xlink(local: LocalName) -> Self {
        Self { qualifier: 7, local }
    }

    /// `xml:` and this local name, in the XML namespace.
    pub const fn xml(local: LocalName) -> Self {
        Self { qualifier: 8, local }
    }

    /// `xmlns:` and this local name, in the XMLNS namespace.
    pub const fn xmlns(local: LocalName) -> Self {
        Self { qualifier: 9, local }
    }

    /// The local name.
    #[inline]
    pub const fn local(self) -> LocalName {
        self.local
    }

    /// Whether the name is in this namespace, one of the constants of [`Namespace`], and has no prefix.
    #[inline]
    pub(crate) const fn is_in(self, namespace: Namespace) -> bool {
        self.qualifier == namespace.0
    }

    /// The namespace, if it is one of the constants and the name has no prefix; no namespace otherwise.
    #[inline]
    pub(crate) const fn plain_namespace(self) -> Namespace {
        if (self.qualifier as usize) < NAMESPACES.len() {
            Namespace(self.qualifier)
        } else {
            Namespace::NONE
        }
    }

    #[inline]
    pub(crate) const fn from_parts(qualifier: u32, local: u32) -> Self {
        Self { qualifier, local: LocalName(local) }
    }
}

/// The number of recent local names, and of recent prefixes or namespaces, that are found at once.
const SEEN_LOCALS: usize = READY;
const SEEN_OTHERS: usize = 8;

/// The names of a tree: local names, prefixes and namespaces as numbers.
///
/// ```
/// use tabulex::tree::{Names, Namespace};
/// let mut names = Names::default();
/// let link = names.name(Namespace::XLINK, "xlink", "href");
/// assert_eq!(names.resolve(link).to_string(), "xlink:href");
/// assert_eq!(names.name(Namespace::XLINK, "xlink", "href"), link);
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    locals: Interner<SEEN_LOCALS>,
    prefixes: Interner<SEEN_OTHERS>,
    namespaces: Interner<SEEN_OTHERS>,
    qualifiers: Vec<(u32, u32)>,
    qualifier_ids: HashMap<(u32, u32), u32>,
    /// The namespace of the last such name without prefix, and its qualifier: those that follow are often in the same
    /// one.
    unprefixed: Option<(Namespace, u32)>,
}

impl Default for Names {
    fn default() -> Self {
        Self::with_locals(Interner::default())
    }
}

impl Names {
    /// How many local names have the same numbers here and there: those that both know from the beginning.
    #[inline]
    pub(crate) fn known_with(&self, other: &Self) -> u32 {
        self.locals.known_with(&other.locals)
    }

    fn with_locals(locals: Interner<SEEN_LOCALS>) -> Self {
        Self {
            locals,
            prefixes: Interner::new(&KNOWN_PREFIXES),
            namespaces: Interner::new(&KNOWN_NAMESPACES),
            qualifiers: Vec::new(),
            qualifier_ids: HashMap::new(),
            unprefixed: None,
        }
    }

    /// Names whose first local names are those of a list.
    pub fn with_known(known: &'static KnownNames) -> Self {
        Self::with_locals(Interner::new(known))
    }

    /// Makes the first local names those of a list, unless others have been named already. Whether the first local
    /// names are those of the list now: only then does [`LocalName::known`] mean what the list says.
    #[must_use]
    pub fn seed(&mut self, known: &'static KnownNames) -> bool {
        self.locals.seed(known)
    }

    /// No names, with the capacity of these.
    pub(crate) fn emptied(self) -> Self {
        Self::with_locals(self.locals.emptied())
    }

    /// The local name that is this string.
    #[inline]
    pub fn local(&mut self, name: &str) -> LocalName {
        LocalName(self.locals.intern(name))
    }

    /// The local name that is written so.
    #[inline]
    pub(crate) fn local_of(&mut self, name: NameLookup<'_>) -> LocalName {
        LocalName(self.locals.intern_written(name))
    }

    /// The local name that is this part of a text.
    #[inline(always)]
    pub(crate) fn local_in(&mut self, text: &str, start: usize, end: usize) -> LocalName {
        LocalName(self.locals.intern_part(text, start, end))
    }

    /// The local name that is this string, if it occurred before.
    pub fn find_local(&self, name: &str) -> Option<LocalName> {
        self.locals.find(name).map(LocalName)
    }

    /// The string of a local name.
    #[inline]
    pub fn local_str(&self, local: LocalName) -> &str {
        self.locals.get(local.0)
    }

    /// The namespace of this name (a URI); the empty string is no namespace.
    pub fn namespace(&mut self, name: &str) -> Namespace {
        Namespace(self.namespaces.intern(name))
    }

    /// The namespace of this name, if it occurred before.
    pub fn find_namespace(&self, name: &str) -> Option<Namespace> {
        self.namespaces.find(name).map(Namespace)
    }

    /// The name (a URI) of a namespace.
    pub fn namespace_str(&self, namespace: Namespace) -> &str {
        self.namespaces.get(namespace.0)
    }

    /// A name of its parts; the empty prefix is none.
    pub fn name(&mut self, namespace: Namespace, prefix: &str, local: &str) -> Name {
        let local = self.local(local);
        self.qualified(namespace, prefix, local)
    }

    /// A name of its parts; the empty prefix is none.
    #[inline]
    pub fn qualified(&mut self, namespace: Namespace, prefix: &str, local: LocalName) -> Name {
        if prefix.is_empty() && (namespace.0 as usize) < NAMESPACES.len() {
            return Name { qualifier: namespace.0, local };
        }
        Name { qualifier: self.qualifier(namespace, prefix), local }
    }

    #[inline]
    fn qualifier(&mut self, namespace: Namespace, prefix: &str) -> u32 {
        match self.unprefixed {
            Some((before, qualifier)) if before == namespace && prefix.is_empty() => qualifier,
            _ => self.look_up_qualifier(namespace, prefix),
        }
    }

    fn look_up_qualifier(&mut self, namespace: Namespace, prefix: &str) -> u32 {
        let qualifier = self.number_qualifier(namespace, prefix);
        if prefix.is_empty() {
            self.unprefixed = Some((namespace, qualifier));
        }
        qualifier
    }

    fn number_qualifier(&mut self, namespace: Namespace, prefix: &str) -> u32 {
        let pair = (namespace.0, self.prefixes.intern(prefix));
        if let Some(index) = QUALIFIERS.iter().position(|&known| known == pair) {
            return index as u32;
        }
        *self.qualifier_ids.entry(pair).or_insert_with(|| {
            self.qualifiers.push(pair);
            (QUALIFIERS.len() + self.qualifiers.len() - 1) as u32
        })
    }

    fn pair(&self, name: Name) -> (u32, u32) {
        let index = name.qualifier as usize;
        match QUALIFIERS.get(index) {
            Some(&pair) => pair,
            // Another `Names` has made it.
            None => self.qualifiers.get(index - QUALIFIERS.len()).copied().unwrap_or_default(),
        }
    }

    /// The namespace of a name.
    #[inline]
    pub fn namespace_of(&self, name: Name) -> Namespace {
        Namespace(self.pair(name).0)
    }

    /// The prefix of a name, empty if it has none.
    pub fn prefix_of(&self, name: Name) -> &str {
        self.prefixes.get(self.pair(name).1)
    }

    /// A name with its strings.
    #[inline]
    pub fn resolve(&self, name: Name) -> NameRef<'_> {
        NameRef { names: self, name }
    }

    /// Bytes on the heap.
    pub fn heap_size(&self) -> usize {
        let pair = size_of::<(u32, u32)>();
        self.locals.heap_size()
            + self.prefixes.heap_size()
            + self.namespaces.heap_size()
            + self.qualifiers.capacity() * pair
            // A map keeps an eighth free and a byte of its own per slot.
            + self.qualifier_ids.capacity() * (pair + size_of::<u32>() + 1) * 8 / 7
    }
}

/// A name together with the [`Names`] that know its strings. It displays as `prefix:local` or `local`, and is equal to
/// another one, of any tree, if namespace, prefix and local name are the same strings.
#[derive(Clone, Copy)]
pub struct NameRef<'a> {
    names: &'a Names,
    name: Name,
}

impl<'a> NameRef<'a> {
    /// The name as numbers.
    #[inline]
    pub fn id(&self) -> Name {
        self.name
    }

    /// The local name.
    #[inline]
    pub fn local(&self) -> &'a str {
        self.names.local_str(self.name.local)
    }

    /// The prefix, empty if there is none.
    pub fn prefix(&self) -> &'a str {
        self.names.prefix_of(self.name)
    }

    /// The namespace.
    #[inline]
    pub fn namespace(&self) -> Namespace {
        self.names.namespace_of(self.name)
    }

    /// The name (a URI) of the namespace, empty if there is none.
    pub fn namespace_str(&self) -> &'a str {
        self.names.namespace_str(self.namespace())
    }

    /// Whether the local names are equal. Mostly both are numbers of one list of known names.
    #[inline]
    fn has_same_local(&self, other: &Self) -> bool {
        let (this, that) = (self.name.local.0, other.name.local.0);
        let known = self.names.known_with(other.names);
        if this.min(that) < known { this == that } else { self.local() == other.local() }
    }

    /// Whether this string is the name as it is written, `prefix:local` or `local`.
    pub fn is(&self, qualified: &str) -> bool {
        let (prefix, local) = (self.prefix(), self.local());
        if prefix.is_empty() {
            return local == qualified;
        }
        let rest = qualified.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(':'));
        rest == Some(local)
    }
}

impl fmt::Display for NameRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = self.prefix();
        if !prefix.is_empty() {
            write!(formatter, "{prefix}:")?;
        }
        formatter.write_str(self.local())
    }
}

impl fmt::Debug for NameRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{{{}}}{self}", self.namespace_str())
    }
}

impl PartialEq for NameRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        if std::ptr::eq(self.names, other.names) {
            return self.name == other.name;
        }
        // A constant is the same number everywhere.
        let is_plain = |name: &Self| (name.name.qualifier as usize) < NAMESPACES.len();
        if is_plain(self) && is_plain(other) {
            return self.name.qualifier == other.name.qualifier && self.has_same_local(other);
        }
        self.has_same_local(other)
            && self.prefix() == other.prefix()
            && self.namespace_str() == other.namespace_str()
    }
}

impl Eq for NameRef<'_> {}
