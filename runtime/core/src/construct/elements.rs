//! Names of elements and attributes: plain, or with prefixes that attributes bind to namespaces. Looking up a prefix
//! takes constant time, however deep the tree is and however many prefixes are bound.

use crate::names::NameKey;
use crate::registers::SourceText;
use crate::token::Tag;
use crate::tree::{AttributeNames, LocalName, Name, Names, Namespace};
use std::collections::HashSet;
use std::ops::Range;

/// The parts of a name as written, which is split at its first colon.
#[derive(Clone, Copy, Debug)]
enum SplitName {
    /// Not split yet.
    Unknown,
    /// No prefix.
    Plain,
    /// A prefix and the local part.
    Prefixed(LocalName, LocalName),
    /// The name of an attribute that binds a prefix: the prefix, which may be empty, and the parts of the attribute's
    /// own name, if that has a prefix.
    Binding(LocalName, Option<(LocalName, LocalName)>),
}

/// The namespace that a prefix is bound to, and the number of the element that declares the binding.
#[derive(Clone, Copy, Debug)]
struct PrefixBinding {
    namespace: Namespace,
    element: u64,
}

/// A change of the binding of a prefix, made by an open element.
#[derive(Clone, Copy, Debug)]
struct BindingChange {
    prefix: LocalName,
    /// The binding of the prefix before the change.
    previous: PrefixBinding,
    /// Number of open elements, including the one that changed the binding.
    depth: usize,
}

/// The resolved name of an element, valid for one version of the bindings.
#[derive(Clone, Copy, Debug)]
struct ResolvedName {
    version: u64,
    name: Name,
}

/// The cached properties of a local name: as a whole name, which may have a prefix, and as a prefix.
#[derive(Clone, Copy, Debug)]
struct NameRecord {
    split: SplitName,
    /// The last namespace of the name's prefix, and the name resolved with it; `None` if the name has no prefix or has
    /// not been resolved.
    resolved_prefixed: Option<(Namespace, Name)>,
    /// The resolved name of the last element that was written with this name.
    resolved_element: ResolvedName,
    /// Number of the last pass over a tag's attributes that met this local name.
    last_pass: u64,
    /// The current binding of this name as a prefix.
    binding: PrefixBinding,
}

impl NameRecord {
    const NEW: Self = Self {
        split: SplitName::Unknown,
        resolved_prefixed: None,
        // No bindings reach this version, so the name is never used.
        resolved_element: ResolvedName {
            version: u64::MAX,
            name: Name::new(Namespace::NONE, LocalName::known(0)),
        },
        last_pass: 0,
        binding: PrefixBinding { namespace: Namespace::NONE, element: 0 },
    };
}

/// Minimum number of records for which capacity is reserved when the list of records grows.
const MIN_RECORD_GROWTH: usize = 16;

/// Number of attributes up to which a linear search finds duplicates; for more attributes, a hash set is built.
const LINEAR_SEARCH_MAX: usize = 16;

/// Element number of bindings that cannot be changed.
const FIXED: u64 = u64::MAX;

/// The prefix bindings in force, and caches of resolved names.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    /// The records of local names, by id; a name not met so far has [`NameRecord::NEW`], or no record.
    records: Vec<NameRecord>,
    /// The empty prefix, once a tag has had the attribute that binds it.
    empty_prefix: Option<LocalName>,
    /// Changes to bindings by the open elements, oldest first.
    changes: Vec<BindingChange>,
    /// Number of open elements.
    depth: usize,
    /// Number of elements entered so far, which is the number of the last element.
    element_count: u64,
    /// Number of changes to the bindings so far.
    version: u64,
    /// Names of the last tag's attributes, as written.
    written_names: Vec<LocalName>,
    /// Cache of recent tags, as most tags recur.
    tag_cache: TagCache,
    /// Number of passes over the attributes of tags so far.
    pass_count: u64,
    /// Namespaces and local names of the last tag's attributes.
    expanded_names: Vec<(Namespace, LocalName)>,
    /// Whether an attribute was dropped as a duplicate since the flag was last cleared.
    pub(super) has_duplicates: bool,
}

impl Bindings {
    /// Returns the heap size in bytes, without the cache of recent tags, which has a bounded size.
    pub(super) fn memory_usage(&self) -> usize {
        self.records.capacity() * size_of::<NameRecord>()
            + self.changes.capacity() * size_of::<BindingChange>()
            + self.written_names.capacity() * size_of::<LocalName>()
            + self.expanded_names.capacity() * size_of::<(Namespace, LocalName)>()
    }

    /// Removes all bindings and names, and keeps the capacity of the lists.
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.empty_prefix = None;
        self.changes.clear();
        (self.depth, self.element_count, self.version, self.pass_count) = (0, 0, 0, 0);
        self.tag_cache.clear();
        self.has_duplicates = false;
    }

    /// Applies the bindings of a start tag, and returns the names of the element and of its attributes. If the tag has
    /// attributes and is not cached, stores their names in `attribute_names`, `None` for dropped ones.
    #[inline(always)]
    pub(super) fn enter<'a>(
        &'a mut self,
        tag: &Tag<'_>,
        element: LocalName,
        names: &mut Names,
        attribute_names: &'a mut Vec<Option<Name>>,
    ) -> (Name, AttributeNames<'a>) {
        self.enter_without_bindings();
        if tag.attribute_count() == 0 {
            return (self.element_name(element, names), AttributeNames::Written);
        }
        let slot = TagCache::slot(tag, element);
        if self.tag_cache.matches(slot, tag, element, self.version, names) {
            let name = self.element_name(element, names);
            return (name, AttributeNames::All(self.tag_cache.names(slot)));
        }
        self.resolve_uncached(tag, element, names, attribute_names);
        (self.element_name(element, names), AttributeNames::Some(attribute_names))
    }

    /// Counts an element that binds no prefixes as open.
    #[inline(always)]
    pub(super) fn enter_without_bindings(&mut self) {
        self.depth += 1;
        self.element_count += 1;
    }

    /// Binds the prefixes and resolves the attribute names of a tag that is not cached.
    #[inline(never)]
    fn resolve_uncached(
        &mut self,
        tag: &Tag<'_>,
        element: LocalName,
        names: &mut Names,
        attribute_names: &mut Vec<Option<Name>>,
    ) {
        self.pass_count += 1;
        self.written_names.clear();
        attribute_names.clear();
        // If all names are distinct and without prefixes, this pass resolves them. Otherwise, `name_attributes`
        // resolves them once the bindings of all attributes are known.
        let (mut are_all_plain, mut has_bindings) = (true, false);
        for record in tag.attribute_records().0 {
            let written_name = names.local_from_lookup(tag.name_lookup_of(record));
            match self.split_name(written_name, names) {
                SplitName::Binding(prefix, _) => {
                    let namespace = names.namespace(tag.value_of(record));
                    self.bind(prefix, namespace);
                    (are_all_plain, has_bindings) = (false, true);
                }
                SplitName::Plain if self.is_first_in_pass(written_name) => {
                    attribute_names.push(Some(Name::new(Namespace::NONE, written_name)));
                }
                _ => are_all_plain = false,
            }
            self.written_names.push(written_name);
        }
        if !are_all_plain {
            self.name_attributes(names, attribute_names);
        }
        if !has_bindings {
            let bindings_version = (!are_all_plain).then_some(self.version);
            let slot = TagCache::slot(tag, element);
            self.tag_cache.insert(
                slot,
                element,
                &self.written_names,
                attribute_names,
                bindings_version,
                names,
            );
        }
    }

    /// Whether the current pass meets an attribute with this local name for the first time.
    #[inline]
    fn is_first_in_pass(&mut self, local: LocalName) -> bool {
        let pass = self.pass_count;
        std::mem::replace(&mut self.record(local).last_pass, pass) != pass
    }

    /// Resolves the names of the tag's attributes, and drops attributes with the namespace and local name of an earlier
    /// one. An unbound prefix is part of the local name.
    fn name_attributes(&mut self, names: &mut Names, attribute_names: &mut Vec<Option<Name>>) {
        self.pass_count += 1;
        self.expanded_names.clear();
        attribute_names.clear();
        let mut earlier_keys = None;
        for index in 0..self.written_names.len() {
            let written_name = self.written_names[index];
            let name = self.attribute_name(written_name, names);
            // A local name that this pass meets for the first time cannot be a duplicate.
            let is_first = self.is_first_in_pass(name.local());
            let key = match names.namespace_of(name) {
                Namespace::NONE => (Namespace::NONE, written_name),
                namespace => (namespace, name.local()),
            };
            let is_new = if index < LINEAR_SEARCH_MAX {
                is_first || !self.expanded_names.contains(&key)
            } else {
                let earlier_keys: &mut HashSet<_> = earlier_keys
                    .get_or_insert_with(|| self.expanded_names.iter().copied().collect());
                earlier_keys.insert(key)
            };
            self.has_duplicates |= !is_new;
            self.expanded_names.push(key);
            attribute_names.push(is_new.then_some(name));
        }
    }

    /// Binds the prefix, unless an earlier attribute of the tag has bound it or its binding is fixed.
    fn bind(&mut self, prefix: LocalName, namespace: Namespace) {
        let element = self.element_count;
        let binding = &mut self.record(prefix).binding;
        let previous = *binding;
        if previous.element != element && previous.element != FIXED {
            *binding = PrefixBinding { namespace, element };
            self.version += 1;
            self.changes.push(BindingChange { prefix, previous, depth: self.depth });
        }
    }

    #[inline]
    fn record(&mut self, name: LocalName) -> &mut NameRecord {
        let index = name.id() as usize;
        if index >= self.records.len() {
            self.grow_records(index + 1);
        }
        &mut self.records[index]
    }

    #[cold]
    fn grow_records(&mut self, len: usize) {
        self.records.reserve(MIN_RECORD_GROWTH);
        self.records.resize(len, NameRecord::NEW);
    }

    /// Closes the last open element and undoes its bindings. If steps of the table create elements, none is counted as
    /// open.
    #[inline]
    pub(super) fn leave(&mut self) {
        if self.changes.last().is_some_and(|change| change.depth == self.depth) {
            self.undo_changes();
        }
        self.depth = self.depth.saturating_sub(1);
    }

    /// Undoes the changes to bindings by the last open element.
    #[cold]
    #[inline(never)]
    fn undo_changes(&mut self) {
        self.version += 1;
        while let Some(change) = self.changes.pop_if(|change| change.depth == self.depth) {
            self.record(change.prefix).binding = change.previous;
        }
    }

    /// Splits a name at its first colon, unless that is its first character. Uses the cached result, if there is one.
    #[inline]
    fn split_name(&mut self, written_name: LocalName, names: &mut Names) -> SplitName {
        match self.records.get(written_name.id() as usize).map(|record| record.split) {
            Some(SplitName::Unknown) | None => self.split_uncached(written_name, names),
            Some(cached) => cached,
        }
    }

    /// Splits a name for the first time, and caches the result.
    #[cold]
    fn split_uncached(&mut self, written_name: LocalName, names: &mut Names) -> SplitName {
        let text = names.local_str(written_name);
        let prefix_and_local = text.split_once(':').filter(|(prefix, _)| !prefix.is_empty());
        let prefix_and_local =
            prefix_and_local.map(|(prefix, local)| (prefix.to_owned(), local.to_owned()));
        let split = match prefix_and_local {
            None if text == "xmlns" => {
                let prefix = names.local("");
                self.empty_prefix = Some(prefix);
                SplitName::Binding(prefix, None)
            }
            None => SplitName::Plain,
            Some((prefix, local)) => {
                let ids = (names.local(&prefix), names.local(&local));
                let fixed_bindings = [("xml", Namespace::XML), ("xmlns", Namespace::XMLNS)];
                for (_, namespace) in
                    fixed_bindings.iter().filter(|(fixed_prefix, _)| *fixed_prefix == prefix)
                {
                    let binding = PrefixBinding { namespace: *namespace, element: FIXED };
                    self.record(ids.0).binding = binding;
                }
                match &*prefix {
                    "xmlns" if !local.is_empty() => {
                        if local == "xml" || local == "xmlns" {
                            let namespace = fixed_bindings[usize::from(local == "xmlns")].1;
                            let binding = PrefixBinding { namespace, element: FIXED };
                            self.record(ids.1).binding = binding;
                        }
                        SplitName::Binding(ids.1, Some(ids))
                    }
                    _ => SplitName::Prefixed(ids.0, ids.1),
                }
            }
        };
        self.record(written_name).split = split;
        split
    }

    #[inline]
    fn namespace(&self, prefix: LocalName) -> Namespace {
        let record = self.records.get(prefix.id() as usize);
        record.map_or(Namespace::NONE, |record| record.binding.namespace)
    }

    /// Returns the name for a prefix and a local part, from the cache if the namespace of the prefix is still the
    /// cached one.
    #[inline]
    fn prefixed_name(
        &mut self,
        written_name: LocalName,
        (prefix, local): (LocalName, LocalName),
        names: &mut Names,
    ) -> Name {
        let namespace = self.namespace(prefix);
        match self.record(written_name).resolved_prefixed {
            Some((cached, name)) if cached == namespace => name,
            _ => {
                let prefix = names.local_str(prefix).to_owned();
                let name = names.qualified(namespace, &prefix, local);
                self.record(written_name).resolved_prefixed = Some((namespace, name));
                name
            }
        }
    }

    /// Returns the resolved name of an element, from the cache if no binding has changed since.
    #[inline(always)]
    fn element_name(&mut self, written_name: LocalName, names: &mut Names) -> Name {
        match self.records.get(written_name.id() as usize).map(|record| record.resolved_element) {
            Some(resolved) if resolved.version == self.version => resolved.name,
            _ => self.resolve_and_cache(written_name, names),
        }
    }

    /// Resolves the name of an element with the current bindings, and caches it.
    #[inline(never)]
    fn resolve_and_cache(&mut self, written_name: LocalName, names: &mut Names) -> Name {
        let name = self.resolve_element_name(written_name, names);
        let version = self.version;
        self.record(written_name).resolved_element = ResolvedName { version, name };
        name
    }

    fn resolve_element_name(&mut self, written_name: LocalName, names: &mut Names) -> Name {
        match self.split_name(written_name, names) {
            SplitName::Prefixed(prefix, local) | SplitName::Binding(_, Some((prefix, local))) => {
                self.prefixed_name(written_name, (prefix, local), names)
            }
            _ => {
                let namespace = self.empty_prefix.map(|prefix| self.namespace(prefix));
                names.qualified(namespace.unwrap_or(Namespace::NONE), "", written_name)
            }
        }
    }

    #[inline]
    fn attribute_name(&mut self, written_name: LocalName, names: &mut Names) -> Name {
        match self.split_name(written_name, names) {
            SplitName::Prefixed(prefix, local) | SplitName::Binding(_, Some((prefix, local))) => {
                self.prefixed_name(written_name, (prefix, local), names)
            }
            SplitName::Binding(_, None) => Name::new(Namespace::XMLNS, written_name),
            SplitName::Plain | SplitName::Unknown => Name::new(Namespace::NONE, written_name),
        }
    }
}

/// Interns the names of a tag's attributes, without namespaces, and stores them in `attribute_names`: `None` for a
/// dropped duplicate, which also sets `has_duplicates`.
pub(super) fn intern_attribute_names(
    tag: &Tag<'_>,
    names: &mut Names,
    attribute_names: &mut Vec<Option<Name>>,
    has_duplicates: &mut bool,
) {
    attribute_names.clear();
    let mut earlier_names = None;
    for name in tag.attribute_name_lookups() {
        let name = Name::new(Namespace::NONE, names.local_from_lookup(name));
        let is_new = if attribute_names.len() < LINEAR_SEARCH_MAX {
            !attribute_names.contains(&Some(name))
        } else {
            let earlier_names: &mut HashSet<_> = earlier_names
                .get_or_insert_with(|| attribute_names.iter().flatten().copied().collect());
            earlier_names.insert(name)
        };
        *has_duplicates |= !is_new;
        attribute_names.push(is_new.then_some(name));
    }
}

// Cache of recent tags. Most tags have the attribute names of an earlier tag with the same name, so these names need
// not be resolved again.

/// Maximum number of cached tags.
const CAPACITY: usize = 64;

/// Maximum number of attributes of a cached tag.
const MAX_ATTRIBUTES: usize = 32;

/// Maximum number of attribute names of all cached tags, including replaced ones.
const MAX_NAMES: usize = CAPACITY * MAX_ATTRIBUTES;

/// The name of an attribute as written, prepared for comparison with the input.
#[derive(Clone, Copy, Debug)]
struct WrittenName {
    local_name: LocalName,
    key: NameKey,
}

impl WrittenName {
    fn of(local_name: LocalName, names: &Names) -> Self {
        Self { local_name, key: NameKey::of(names.local_str(local_name).as_bytes()) }
    }
}

/// A cached tag: its element name, and the range of its attribute names in the cache's lists.
#[derive(Clone, Copy, Debug, Default)]
struct CachedTag {
    element: Option<LocalName>,
    /// Version of the namespace bindings for which the resolved names are valid; `None` if they are always valid.
    bindings_version: Option<u64>,
    /// Whether the keys of all attribute names identify these names completely.
    has_only_short_names: bool,
    /// Index of the first attribute name in the cache's lists.
    names_start: u32,
    attribute_count: u32,
}

impl CachedTag {
    fn names_range(&self) -> Range<usize> {
        self.names_start as usize..(self.names_start + self.attribute_count) as usize
    }
}

/// A cache of recent tags, indexed by element name and number of attributes.
#[derive(Clone, Debug, Default)]
struct TagCache {
    slots: Vec<CachedTag>,
    /// The attribute names of all tags as written.
    written_names: Vec<WrittenName>,
    /// The resolved attribute names of all tags, parallel to `written_names`.
    resolved_names: Vec<Name>,
}

impl TagCache {
    #[inline]
    pub(super) fn slot(tag: &Tag<'_>, element: LocalName) -> usize {
        (element.id() as usize).wrapping_add(tag.attribute_count() * 7) % CAPACITY
    }

    /// Whether the slot holds a tag with the name `element` and the attribute names of `tag`, as resolved for
    /// `bindings_version`.
    #[inline]
    pub(super) fn matches(
        &self,
        slot: usize,
        tag: &Tag<'_>,
        element: LocalName,
        bindings_version: u64,
        names: &Names,
    ) -> bool {
        let Some(cached) = self.slots.get(slot) else { return false };
        cached.element == Some(element)
            && cached.attribute_count as usize == tag.attribute_count()
            && cached.bindings_version.is_none_or(|version| version == bindings_version)
            && names_match(
                &self.written_names[cached.names_range()],
                cached.has_only_short_names,
                tag,
                names,
            )
    }

    /// Returns the resolved names of the attributes of the tag in the slot.
    #[inline]
    pub(super) fn names(&self, slot: usize) -> &[Name] {
        self.slots.get(slot).map_or(&[], |cached| &self.resolved_names[cached.names_range()])
    }

    /// Stores a tag with its attribute names as written and as resolved, unless an attribute was dropped or there are
    /// more than [`MAX_ATTRIBUTES`].
    pub(super) fn insert(
        &mut self,
        slot: usize,
        element: LocalName,
        written_names: &[LocalName],
        resolved_names: &[Option<Name>],
        bindings_version: Option<u64>,
        names: &Names,
    ) {
        if written_names.len() > MAX_ATTRIBUTES || resolved_names.contains(&None) {
            return;
        }
        if self.written_names.len() + written_names.len() > MAX_NAMES {
            self.clear();
        }
        if self.slots.is_empty() {
            self.slots.resize(CAPACITY, CachedTag::default());
        }
        let start = self.written_names.len();
        self.written_names.extend(written_names.iter().map(|&name| WrittenName::of(name, names)));
        self.resolved_names.extend(resolved_names.iter().flatten());
        let is_short = |written: &WrittenName| written.key.is_whole_name();
        self.slots[slot] = CachedTag {
            element: Some(element),
            bindings_version,
            has_only_short_names: self.written_names[start..].iter().all(is_short),
            names_start: start as u32,
            attribute_count: written_names.len() as u32,
        };
    }

    /// Removes all tags, and keeps the capacity of the lists.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
        self.written_names.clear();
        self.resolved_names.clear();
    }
}

/// Whether the names of the tag's attributes are `written`, in order. The tag must have `written.len()` attributes.
#[inline(always)]
fn names_match(written: &[WrittenName], are_short: bool, tag: &Tag<'_>, names: &Names) -> bool {
    if !are_short || !tag.is_verbatim() {
        return names_match_slow(written, tag, names);
    }
    let (records, SourceText { text, base }) = tag.attribute_records();
    let to_chunk_offset = |offset: usize| offset.wrapping_sub(base);
    records.iter().zip(written).all(|(record, written)| {
        let [start, end] = [record.name.start, record.name.end].map(to_chunk_offset);
        NameKey::in_text(text.as_bytes(), start, end) == Some(written.key)
    })
}

/// Slow path of `names_match`, for names that are long or that are not ranges of the input.
#[cold]
#[inline(never)]
fn names_match_slow(written: &[WrittenName], tag: &Tag<'_>, names: &Names) -> bool {
    written
        .iter()
        .zip(tag.attribute_name_lookups())
        .all(|(written, name)| names.local_str(written.local_name).as_bytes() == name.bytes)
}
