//! Interned names of elements and attributes. Within one [`Names`], two names are equal if and only if their namespaces,
//! prefixes and local names are equal.

mod interner;
mod known;

pub use known::KnownNames;
pub(crate) use known::{NameKey, NameLookup, equal_bytes};

use crate::reads::count_bytes;
use interner::{INITIAL_ENTRIES, Interner, entries_for};
use std::collections::HashMap;
use std::fmt;

/// An interned local name: the index of a string in a [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalName(u32);

impl LocalName {
    /// Creates the local name at `index` of the list of known names.
    pub const fn known(index: u32) -> Self {
        Self(index)
    }

    /// Returns the index of the name; for a known name, this is the index in the list of known names.
    pub const fn id(self) -> u32 {
        self.0
    }
}

/// An interned namespace. The associated constants are the same in every [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Namespace(u32);

impl Namespace {
    /// No namespace.
    pub const NONE: Self = Self(0);
    /// The HTML namespace, `http://www.w3.org/1999/xhtml`.
    pub const HTML: Self = Self(1);
    /// The MathML namespace, `http://www.w3.org/1998/Math/MathML`.
    pub const MATHML: Self = Self(2);
    /// The SVG namespace, `http://www.w3.org/2000/svg`.
    pub const SVG: Self = Self(3);
    /// The XLink namespace, `http://www.w3.org/1999/xlink`.
    pub const XLINK: Self = Self(4);
    /// The namespace of the prefix `xml`, `http://www.w3.org/XML/1998/namespace`.
    pub const XML: Self = Self(5);
    /// The namespace of the prefix `xmlns`, `http://www.w3.org/2000/xmlns/`.
    pub const XMLNS: Self = Self(6);

    /// Returns the index of the namespace. Only the indices of the constants are the same in every [`Names`].
    pub const fn id(self) -> u32 {
        self.0
    }

    /// Returns the name (a URI) of one of the constants, or an empty string for any other namespace.
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

/// The index of the list of prefixes in [`KNOWN_QUALIFIER_STRINGS`].
const PREFIX_LIST: usize = 0;
/// The index of the list of namespaces in [`KNOWN_QUALIFIER_STRINGS`].
const NAMESPACE_LIST: usize = 1;
static KNOWN_QUALIFIER_STRINGS: [&KnownNames; 2] = [&KNOWN_PREFIXES, &KNOWN_NAMESPACES];

/// The known pairs of namespace and prefix, by index; the first seven are the known namespaces without a prefix.
const QUALIFIERS: [(u32, u32); 10] =
    [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (4, 1), (5, 2), (6, 3)];

/// The interned name of an element or attribute: namespace, prefix and local name. Only names of the same [`Names`] can
/// be compared, and only that [`Names`] resolves them to strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Name {
    pub(crate) qualifier: u32,
    local: LocalName,
}

impl Name {
    /// Whether a name with these indices is the same in two trees that share the first `known` local names: its local
    /// name is one of these, its namespace is a constant, and it has no prefix.
    #[inline]
    pub(crate) fn is_known(qualifier: u16, local: u32, known: u32) -> bool {
        usize::from(qualifier) < NAMESPACES.len() && local < known
    }

    /// Creates a name without a prefix in one of the namespaces that are constants of [`Namespace`].
    ///
    /// # Panics
    ///
    /// If the namespace is not one of the constants; in a `const` that is a compile error.
    pub const fn new(namespace: Namespace, local: LocalName) -> Self {
        assert!((namespace.0 as usize) < NAMESPACES.len());
        Self { qualifier: namespace.0, local }
    }

    /// Creates the name `xlink:local` in the XLink namespace.
    pub const fn xlink(local: LocalName) -> Self {
        Self { qualifier: 7, local }
    }

    /// Creates the name `xml:local` in the XML namespace.
    pub const fn xml(local: LocalName) -> Self {
        Self { qualifier: 8, local }
    }

    /// Creates the name `xmlns:local` in the XMLNS namespace.
    pub const fn xmlns(local: LocalName) -> Self {
        Self { qualifier: 9, local }
    }

    /// Returns the local name.
    #[inline]
    pub const fn local(self) -> LocalName {
        self.local
    }

    /// Whether the name is in `namespace`, which must be one of the constants, and has no prefix.
    #[inline]
    pub(crate) const fn is_in(self, namespace: Namespace) -> bool {
        self.qualifier == namespace.0
    }

    /// Returns the namespace if it is one of the constants and the name has no prefix; otherwise [`Namespace::NONE`].
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

/// The number of entries of the cache of recently interned local names.
const RECENT_LOCALS: usize = entries_for(INITIAL_ENTRIES);
/// The number of entries of each cache of recently interned prefixes or namespaces.
const RECENT_QUALIFIERS: usize = entries_for(8);

/// An interner for the names of a tree: local names, prefixes and namespaces.
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
    locals: Interner<RECENT_LOCALS>,
    /// The interned prefixes and namespaces; `None` until one that is not known is interned.
    qualifier_strings: Option<Box<[Interner<RECENT_QUALIFIERS>; 2]>>,
    qualifiers: Vec<(u32, u32)>,
    qualifier_ids: HashMap<(u32, u32), u32>,
    /// The namespace other than the constants that was last interned without a prefix, if any, and its qualifier;
    /// consecutive names are often in the same namespace.
    last_unprefixed: Option<(Namespace, u32)>,
}

impl Default for Names {
    fn default() -> Self {
        Self::with_locals(Interner::default())
    }
}

impl Names {
    /// Returns the number of local names that have the same index in both interners: the number of known names if they
    /// share a list, else 0.
    #[inline]
    pub(crate) fn shared_names(&self, other: &Self) -> u32 {
        self.locals.shared_names(&other.locals)
    }

    fn with_locals(locals: Interner<RECENT_LOCALS>) -> Self {
        Self {
            locals,
            qualifier_strings: None,
            qualifiers: Vec::new(),
            qualifier_ids: HashMap::new(),
            last_unprefixed: None,
        }
    }

    /// Creates an interner whose first local names are those of a list.
    pub fn with_known(known: &'static KnownNames) -> Self {
        Self::with_locals(Interner::new(known))
    }

    /// Makes the names of a list the first local names, unless other names are interned already. Returns whether the
    /// list is in place: only then may [`LocalName::known`] be used with it.
    #[must_use]
    pub fn seed(&mut self, known: &'static KnownNames) -> bool {
        self.locals.seed(known)
    }

    /// Removes all names, and makes those of a list the first local names; keeps the capacity of the local names.
    pub(crate) fn reset(&mut self, known: &'static KnownNames) {
        self.locals.reset(known);
        self.qualifier_strings = None;
        self.qualifiers.clear();
        self.qualifier_ids.clear();
        self.last_unprefixed = None;
    }

    /// Interns a local name.
    #[inline]
    pub fn local(&mut self, name: &str) -> LocalName {
        LocalName(self.locals.intern(name))
    }

    #[inline]
    pub(crate) fn local_from_lookup(&mut self, name: NameLookup<'_>) -> LocalName {
        LocalName(self.locals.intern_lookup(name))
    }

    /// Interns the part of `text` from `start` to `end` as a local name.
    #[inline(always)]
    pub(crate) fn local_in(&mut self, text: &str, start: usize, end: usize) -> LocalName {
        LocalName(self.locals.intern_part(text, start, end))
    }

    /// Returns the interned local name with the string `name`, or `None` if there is none.
    pub fn find_local(&self, name: &str) -> Option<LocalName> {
        self.locals.find(name).map(LocalName)
    }

    /// Returns the string of a local name.
    #[inline]
    pub fn local_str(&self, local: LocalName) -> &str {
        self.locals.get(local.0)
    }

    /// Interns a string in the list of prefixes or that of namespaces; returns its index in that list.
    fn intern_qualifier_str(&mut self, list: usize, name: &str) -> u32 {
        if self.qualifier_strings.is_none()
            && let Some(id) = KNOWN_QUALIFIER_STRINGS[list].find(name)
        {
            return id;
        }
        let qualifier_strings = self
            .qualifier_strings
            .get_or_insert_with(|| Box::new(KNOWN_QUALIFIER_STRINGS.map(Interner::new)));
        qualifier_strings[list].intern(name)
    }

    /// Returns the string at index `id` of the list of prefixes or that of namespaces.
    fn qualifier_str(&self, list: usize, id: u32) -> &str {
        match &self.qualifier_strings {
            Some(qualifier_strings) => qualifier_strings[list].get(id),
            None => {
                KNOWN_QUALIFIER_STRINGS[list].list().get(id as usize).copied().unwrap_or_default()
            }
        }
    }

    /// Interns a namespace name (a URI); the empty string stands for [`Namespace::NONE`].
    pub fn namespace(&mut self, name: &str) -> Namespace {
        Namespace(self.intern_qualifier_str(NAMESPACE_LIST, name))
    }

    /// Returns the interned namespace with the name (a URI) `name`, or `None` if there is none.
    pub fn find_namespace(&self, name: &str) -> Option<Namespace> {
        let id = match &self.qualifier_strings {
            Some(qualifier_strings) => qualifier_strings[NAMESPACE_LIST].find(name),
            None => KNOWN_QUALIFIER_STRINGS[NAMESPACE_LIST].find(name),
        };
        id.map(Namespace)
    }

    /// Returns the name (a URI) of a namespace.
    pub fn namespace_str(&self, namespace: Namespace) -> &str {
        self.qualifier_str(NAMESPACE_LIST, namespace.0)
    }

    /// Interns a name from its parts; an empty prefix means none.
    pub fn name(&mut self, namespace: Namespace, prefix: &str, local: &str) -> Name {
        let local = self.local(local);
        self.qualified(namespace, prefix, local)
    }

    /// Interns a name from a namespace, a prefix and an interned local name; an empty prefix means none.
    #[inline]
    pub fn qualified(&mut self, namespace: Namespace, prefix: &str, local: LocalName) -> Name {
        if prefix.is_empty() && (namespace.0 as usize) < NAMESPACES.len() {
            return Name { qualifier: namespace.0, local };
        }
        Name { qualifier: self.intern_qualifier(namespace, prefix), local }
    }

    fn intern_qualifier(&mut self, namespace: Namespace, prefix: &str) -> u32 {
        if let Some((last, qualifier)) = self.last_unprefixed
            && last == namespace
            && prefix.is_empty()
        {
            return qualifier;
        }
        let pair = (namespace.0, self.intern_qualifier_str(PREFIX_LIST, prefix));
        let qualifier = match QUALIFIERS.iter().position(|&known| known == pair) {
            Some(index) => index as u32,
            None => *self.qualifier_ids.entry(pair).or_insert_with(|| {
                self.qualifiers.push(pair);
                (QUALIFIERS.len() + self.qualifiers.len() - 1) as u32
            }),
        };
        if prefix.is_empty() {
            self.last_unprefixed = Some((namespace, qualifier));
        }
        qualifier
    }

    fn qualifier_parts(&self, name: Name) -> (u32, u32) {
        let index = name.qualifier as usize;
        match QUALIFIERS.get(index) {
            Some(&pair) => pair,
            // An index out of range belongs to a name of another `Names`.
            None => self.qualifiers.get(index - QUALIFIERS.len()).copied().unwrap_or_default(),
        }
    }

    /// Returns the namespace of a name.
    #[inline]
    pub fn namespace_of(&self, name: Name) -> Namespace {
        Namespace(self.qualifier_parts(name).0)
    }

    /// Returns the prefix of a name, empty if it has none.
    pub fn prefix_of(&self, name: Name) -> &str {
        self.qualifier_str(PREFIX_LIST, self.qualifier_parts(name).1)
    }

    /// Pairs a name with this interner, which resolves it to strings.
    #[inline]
    pub fn resolve(&self, name: Name) -> NameRef<'_> {
        NameRef { names: self, name }
    }

    /// Returns the heap memory of the interner in bytes.
    pub fn heap_size(&self) -> usize {
        let pair_size = size_of::<(u32, u32)>();
        self.locals.heap_size()
            + self.qualifier_strings.as_ref().map_or(0, |lists| {
                size_of_val(&**lists) + lists.iter().map(Interner::heap_size).sum::<usize>()
            })
            + self.qualifiers.capacity() * pair_size
            // A hash map keeps an eighth of its slots free and has a control byte per slot.
            + self.qualifier_ids.capacity() * (pair_size + size_of::<u32>() + 1) * 8 / 7
    }
}

/// A name together with the [`Names`] that resolves it, displayed as `prefix:local` or `local`. Two such names, even of
/// different trees, are equal if namespace, prefix and local name are the same strings.
#[derive(Clone, Copy)]
pub struct NameRef<'a> {
    names: &'a Names,
    name: Name,
}

impl<'a> NameRef<'a> {
    /// Returns the interned name.
    #[inline]
    pub fn id(&self) -> Name {
        self.name
    }

    /// Returns the local name.
    #[inline]
    pub fn local(&self) -> &'a str {
        self.names.local_str(self.name.local)
    }

    /// Returns the prefix, empty if there is none.
    pub fn prefix(&self) -> &'a str {
        self.names.prefix_of(self.name)
    }

    /// Returns the namespace.
    #[inline]
    pub fn namespace(&self) -> Namespace {
        self.names.namespace_of(self.name)
    }

    /// Returns the name (a URI) of the namespace, empty if there is none.
    pub fn namespace_str(&self) -> &'a str {
        self.names.namespace_str(self.namespace())
    }

    /// Whether the local names are equal. No strings are compared if one of the names is in a list of known names that
    /// both interners share, as is usual.
    #[inline]
    fn has_same_local(&self, other: &Self) -> bool {
        let [id, other_id] = [self, other].map(|name| name.name.local.0);
        let shared_count = self.names.shared_names(other.names);
        if id.min(other_id) < shared_count { id == other_id } else { self.local() == other.local() }
    }

    /// Whether the name, written as `prefix:local` or, without a prefix, as `local`, equals `qualified`.
    pub fn is(&self, qualified: &str) -> bool {
        let (prefix, local) = (self.prefix(), self.local());
        if prefix.is_empty() {
            return local == qualified;
        }
        let after_prefix = qualified.strip_prefix(prefix);
        after_prefix.and_then(|text| text.strip_prefix(':')) == Some(local)
    }
}

impl fmt::Display for NameRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = self.prefix();
        if !prefix.is_empty() {
            write!(formatter, "{prefix}:")?;
        }
        count_bytes(self.local());
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
        // The constant namespaces without a prefix have the same qualifiers in every `Names`.
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
