//! Elements of tags: plain names, or names with prefixes that attributes bind to namespaces. It knows no table.
//! Invariant: looking up a prefix takes one step, however deep the tree is and however many prefixes are bound.

use super::repeated::Repeated;
use crate::token::Tag;
use crate::tree::{AttributeNames, LocalName, Name, Names, Namespace};
use std::collections::HashSet;

/// What a name as it is written consists of.
#[derive(Clone, Copy, Debug)]
enum Parts {
    /// It was not looked at yet.
    Unknown,
    /// No prefix.
    Plain,
    /// A prefix, and the rest.
    Prefixed(LocalName, LocalName),
    /// Of an attribute: it binds this prefix, the empty one included. Its name consists of a prefix and the rest, or is
    /// plain.
    Binding(LocalName, Option<(LocalName, LocalName)>),
}

/// The namespace that a prefix is bound to, and the number of the element that did so.
#[derive(Clone, Copy, Debug)]
struct Bound {
    namespace: Namespace,
    element: u64,
}

/// What an open element has bound.
#[derive(Clone, Copy, Debug)]
struct Change {
    prefix: LocalName,
    /// What the prefix was bound to before.
    before: Bound,
    /// How many elements were open, this one included.
    depth: usize,
}

/// The name of an element, and the version of the bindings that it holds for.
#[derive(Clone, Copy, Debug)]
struct Resolved {
    version: u64,
    name: Name,
}

/// Holds for no version.
const UNRESOLVED: Resolved =
    Resolved { version: u64::MAX, name: Name::new(Namespace::NONE, LocalName::known(0)) };

/// Up to this many attributes are searched one by one.
const FEW: usize = 16;

const UNBOUND: Bound = Bound { namespace: Namespace::NONE, element: 0 };

/// The number of no element: what is bound so stays.
const ALWAYS: u64 = u64::MAX;

/// The bindings of prefixes that are in force, and the names of the last tag.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    /// The parts of names, by the number of the whole name.
    parts: Vec<Parts>,
    /// The names with prefixes as they were resolved last, and in which namespace, by the number of the whole name.
    prefixed: Vec<Option<(Namespace, Name)>>,
    /// The names of elements as they were resolved last, by the number of the whole name.
    resolved: Vec<Resolved>,
    /// The prefix of names without one, once it was bound.
    no_prefix: Option<LocalName>,
    /// What prefixes are bound to, by their number.
    in_force: Vec<Bound>,
    /// What open elements bound, in order.
    changes: Vec<Change>,
    /// How many elements are open.
    depth: usize,
    /// The elements so far.
    elements: u64,
    /// How often what prefixes are bound to has changed.
    version: u64,
    /// The names of the last tag's attributes as they are written.
    written: Vec<LocalName>,
    /// Tags before, most of which come again.
    repeated: Repeated,
    /// How often the attributes of a tag have been looked at.
    looks: u64,
    /// At which look there was an attribute of a local name last, by the number of the local name.
    last_seen: Vec<u64>,
    /// The namespaces and local names of the last tag's attributes.
    keys: Vec<(Namespace, LocalName)>,
    /// Whether an attribute was left out since this was asked last, as another one of its tag has its name.
    pub(super) has_left_out: bool,
}

impl Bindings {
    /// The bytes on the heap, but for what is kept of tags before, which is of a size.
    pub(super) fn memory_usage(&self) -> usize {
        self.parts.capacity() * size_of::<Parts>()
            + self.prefixed.capacity() * size_of::<Option<(Namespace, Name)>>()
            + self.resolved.capacity() * size_of::<Resolved>()
            + self.in_force.capacity() * size_of::<Bound>()
            + self.changes.capacity() * size_of::<Change>()
            + self.written.capacity() * size_of::<LocalName>()
            + self.last_seen.capacity() * size_of::<u64>()
            + self.keys.capacity() * size_of::<(Namespace, LocalName)>()
    }

    /// Takes over the bindings of a tag, and names the element and its attributes: none for what is left out. The names
    /// are put into the list, unless a tag before had the same.
    #[inline(always)]
    pub(super) fn enter<'a>(
        &'a mut self,
        tag: &Tag<'_>,
        element: LocalName,
        names: &mut Names,
        into: &'a mut Vec<Option<Name>>,
    ) -> (Name, AttributeNames<'a>) {
        self.depth += 1;
        self.elements += 1;
        if tag.attribute_count() == 0 {
            return (self.element(element, names), AttributeNames::Written);
        }
        let place = Repeated::place(tag, element);
        if self.repeated.holds(place, tag, element, self.version, names) {
            let name = self.element(element, names);
            return (name, AttributeNames::All(self.repeated.names(place)));
        }
        self.look_at(tag, element, names, into);
        (self.element(element, names), AttributeNames::Some(into))
    }

    /// Binds prefixes, and names the attributes.
    #[inline(never)]
    fn look_at(
        &mut self,
        tag: &Tag<'_>,
        element: LocalName,
        names: &mut Names,
        into: &mut Vec<Option<Name>>,
    ) {
        self.looks += 1;
        self.written.clear();
        into.clear();
        // Names without prefixes, each for the first time, need no second look.
        let (mut is_plain, mut binds) = (true, false);
        for name in tag.written_attribute_names() {
            let whole = names.local_of(name);
            match self.parts(whole, names) {
                Parts::Binding(prefix, _) => {
                    let namespace = names.namespace(tag.attribute_value(self.written.len()));
                    self.bind(prefix, namespace);
                    (is_plain, binds) = (false, true);
                }
                Parts::Plain if self.is_first(whole) => {
                    into.push(Some(Name::new(Namespace::NONE, whole)));
                }
                _ => is_plain = false,
            }
            self.written.push(whole);
        }
        if !is_plain {
            self.name_attributes(names, into);
        }
        if !binds {
            let bindings = (!is_plain).then_some(self.version);
            let place = Repeated::place(tag, element);
            self.repeated.remember(place, element, &self.written, into, bindings, names);
        }
    }

    /// Whether there was no attribute of this local name yet at this look.
    #[inline]
    fn is_first(&mut self, local: LocalName) -> bool {
        let index = local.id() as usize;
        if index >= self.last_seen.len() {
            self.last_seen.resize(index + 1, 0);
        }
        std::mem::replace(&mut self.last_seen[index], self.looks) != self.looks
    }

    /// Names the attributes of the tag; of two with the same local name and namespace, the first one stays. Where a
    /// prefix is bound to nothing, it is a part of the name.
    fn name_attributes(&mut self, names: &mut Names, into: &mut Vec<Option<Name>>) {
        self.looks += 1;
        self.keys.clear();
        into.clear();
        let mut many = None;
        for index in 0..self.written.len() {
            let whole = self.written[index];
            let name = self.attribute(whole, names);
            // A local name that the tag has not had before duplicates none.
            let is_first = self.is_first(name.local());
            let key = match names.namespace_of(name) {
                Namespace::NONE => (Namespace::NONE, whole),
                namespace => (namespace, name.local()),
            };
            let is_new = if index < FEW {
                is_first || !self.keys.contains(&key)
            } else {
                let many: &mut HashSet<_> =
                    many.get_or_insert_with(|| self.keys.iter().copied().collect());
                many.insert(key)
            };
            self.has_left_out |= !is_new;
            self.keys.push(key);
            into.push(is_new.then_some(name));
        }
    }

    /// Binds the prefix, unless an attribute before has done so in the same tag.
    fn bind(&mut self, prefix: LocalName, namespace: Namespace) {
        let elements = self.elements;
        let bound = self.bound(prefix);
        let before = *bound;
        if before.element != elements && before.element != ALWAYS {
            *bound = Bound { namespace, element: elements };
            self.version += 1;
            self.changes.push(Change { prefix, before, depth: self.depth });
        }
    }

    fn bound(&mut self, prefix: LocalName) -> &mut Bound {
        let index = prefix.id() as usize;
        if index >= self.in_force.len() {
            self.in_force.resize(index + 1, UNBOUND);
        }
        &mut self.in_force[index]
    }

    /// Gives up the bindings of the last open element.
    #[inline]
    pub(super) fn leave(&mut self) {
        if self.changes.last().is_some_and(|change| change.depth == self.depth) {
            self.restore();
        }
        self.depth -= 1;
    }

    /// Restores the bindings that the element has changed. Apart, as few elements change any.
    #[cold]
    #[inline(never)]
    fn restore(&mut self) {
        self.version += 1;
        while let Some(change) = self.changes.pop_if(|change| change.depth == self.depth) {
            self.in_force[change.prefix.id() as usize] = change.before;
        }
    }

    /// The parts of a name, which is split at its first colon, unless nothing is before it.
    #[inline]
    fn parts(&mut self, whole: LocalName, names: &mut Names) -> Parts {
        match self.parts.get(whole.id() as usize) {
            Some(Parts::Unknown) | None => self.split(whole, names),
            Some(known) => *known,
        }
    }

    /// Splits a name that was not split before. Apart, as each name is split once.
    #[cold]
    fn split(&mut self, whole: LocalName, names: &mut Names) -> Parts {
        let text = names.local_str(whole).to_owned();
        let split = text.split_once(':').filter(|(prefix, _)| !prefix.is_empty());
        let parts = match split {
            None if text == "xmlns" => {
                let prefix = names.local("");
                self.no_prefix = Some(prefix);
                Parts::Binding(prefix, None)
            }
            None => Parts::Plain,
            Some((prefix, rest)) => {
                let both = (names.local(prefix), names.local(rest));
                let fixed = [("xml", Namespace::XML), ("xmlns", Namespace::XMLNS)];
                for (_, namespace) in fixed.iter().filter(|(fixed, _)| *fixed == prefix) {
                    *self.bound(both.0) = Bound { namespace: *namespace, element: ALWAYS };
                }
                match prefix {
                    "xmlns" if !rest.is_empty() => {
                        if rest == "xml" || rest == "xmlns" {
                            let namespace = fixed[usize::from(rest == "xmlns")].1;
                            *self.bound(both.1) = Bound { namespace, element: ALWAYS };
                        }
                        Parts::Binding(both.1, Some(both))
                    }
                    _ => Parts::Prefixed(both.0, both.1),
                }
            }
        };
        let index = whole.id() as usize;
        if index >= self.parts.len() {
            self.parts.resize(index + 1, Parts::Unknown);
            self.prefixed.resize(index + 1, None);
        }
        self.parts[index] = parts;
        parts
    }

    /// The namespace of the prefix.
    #[inline]
    fn namespace(&self, prefix: LocalName) -> Namespace {
        self.in_force.get(prefix.id() as usize).map_or(Namespace::NONE, |bound| bound.namespace)
    }

    /// A name with a prefix, which is often in the namespace that it was in before.
    #[inline]
    fn prefixed(
        &mut self,
        whole: LocalName,
        (prefix, rest): (LocalName, LocalName),
        names: &mut Names,
    ) -> Name {
        let namespace = self.namespace(prefix);
        match self.prefixed[whole.id() as usize] {
            Some((before, name)) if before == namespace => name,
            _ => {
                let prefix = names.local_str(prefix).to_owned();
                let name = names.qualified(namespace, &prefix, rest);
                self.prefixed[whole.id() as usize] = Some((namespace, name));
                name
            }
        }
    }

    /// The name of an element, which is mostly the one that it had before.
    #[inline(always)]
    fn element(&mut self, whole: LocalName, names: &mut Names) -> Name {
        match self.resolved.get(whole.id() as usize) {
            Some(resolved) if resolved.version == self.version => resolved.name,
            _ => self.resolve(whole, names),
        }
    }

    /// The name of an element with the bindings that are in force now.
    #[inline(never)]
    fn resolve(&mut self, whole: LocalName, names: &mut Names) -> Name {
        let name = self.new_element(whole, names);
        let index = whole.id() as usize;
        if index >= self.resolved.len() {
            self.resolved.resize(index + 1, UNRESOLVED);
        }
        self.resolved[index] = Resolved { version: self.version, name };
        name
    }

    fn new_element(&mut self, whole: LocalName, names: &mut Names) -> Name {
        match self.parts(whole, names) {
            Parts::Prefixed(prefix, rest) | Parts::Binding(_, Some((prefix, rest))) => {
                self.prefixed(whole, (prefix, rest), names)
            }
            _ => {
                let namespace = self.no_prefix.map(|prefix| self.namespace(prefix));
                names.qualified(namespace.unwrap_or(Namespace::NONE), "", whole)
            }
        }
    }

    /// The name of an attribute.
    #[inline]
    fn attribute(&mut self, whole: LocalName, names: &mut Names) -> Name {
        match self.parts(whole, names) {
            Parts::Prefixed(prefix, rest) | Parts::Binding(_, Some((prefix, rest))) => {
                self.prefixed(whole, (prefix, rest), names)
            }
            Parts::Binding(_, None) => Name::new(Namespace::XMLNS, whole),
            Parts::Plain | Parts::Unknown => Name::new(Namespace::NONE, whole),
        }
    }
}

/// The names of a tag's attributes without namespaces; of two that are the same, the first one stays, which is noted.
pub(super) fn plain(
    tag: &Tag<'_>,
    names: &mut Names,
    into: &mut Vec<Option<Name>>,
    has_left_out: &mut bool,
) {
    into.clear();
    let mut many = None;
    for name in tag.written_attribute_names() {
        let name = Name::new(Namespace::NONE, names.local_of(name));
        let is_new = if into.len() < FEW {
            !into.contains(&Some(name))
        } else {
            let many: &mut HashSet<_> =
                many.get_or_insert_with(|| into.iter().flatten().copied().collect());
            many.insert(name)
        };
        *has_left_out |= !is_new;
        into.push(is_new.then_some(name));
    }
}
