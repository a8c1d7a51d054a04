//! Elements of tags: plain names, or names with prefixes that attributes bind to namespaces. It knows no table.
//! Invariant: looking up a prefix takes one step, however deep the tree is.

use crate::token::Tag;
use crate::tree::{Name, Names, Namespace, SinkAttribute};
use std::collections::{HashMap, HashSet};

/// The bindings of prefixes that are in force.
#[derive(Clone, Debug, Default)]
pub(super) struct Bindings {
    /// For each prefix, the namespaces that it was bound to by open elements, the last one in force.
    by_prefix: HashMap<Box<str>, Vec<Namespace>>,
    /// The prefixes that open elements bound, in order.
    bound: Vec<Box<str>>,
    /// For each open element, how many prefixes were bound before it.
    marks: Vec<usize>,
}

impl Bindings {
    /// Takes over the bindings of a tag.
    pub(super) fn enter(&mut self, tag: &Tag<'_>, names: &mut Names) {
        self.marks.push(self.bound.len());
        let first = self.bound.len();
        for attribute in tag.attributes() {
            let prefix = match attribute.name.split_once(':') {
                None if attribute.name == "xmlns" => "",
                Some(("xmlns", prefix)) if !prefix.is_empty() => prefix,
                _ => continue,
            };
            // Of two attributes that bind one prefix, the first one counts.
            if self.bound[first..].iter().any(|other| **other == *prefix) {
                continue;
            }
            let namespace = names.namespace(attribute.value);
            self.by_prefix.entry(prefix.into()).or_default().push(namespace);
            self.bound.push(prefix.into());
        }
    }

    /// Gives up the bindings of the last tag.
    pub(super) fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for prefix in self.bound.drain(mark..) {
            if let Some(namespaces) = self.by_prefix.get_mut(&prefix) {
                namespaces.pop();
            }
        }
    }

    fn namespace(&self, prefix: &str) -> Namespace {
        match prefix {
            "xml" => Namespace::XML,
            "xmlns" => Namespace::XMLNS,
            _ => self
                .by_prefix
                .get(prefix)
                .and_then(|bound| bound.last())
                .copied()
                .unwrap_or(Namespace::NONE),
        }
    }

    /// The name of an element.
    pub(super) fn element(&self, qualified: &str, names: &mut Names) -> Name {
        let (prefix, local) = qualified.split_once(':').unwrap_or(("", qualified));
        names.name(self.namespace(prefix), prefix, local)
    }

    /// The name of an attribute.
    fn attribute(&self, qualified: &str, names: &mut Names) -> Name {
        match qualified.split_once(':') {
            None if qualified == "xmlns" => names.name(Namespace::XMLNS, "", qualified),
            None => names.name(Namespace::NONE, "", qualified),
            Some((prefix, local)) => names.name(self.namespace(prefix), prefix, local),
        }
    }
}

/// The attributes of a tag, named by `name`; of two with the same local name and namespace, the first one stays.
fn attributes<'a>(
    tag: &Tag<'a>,
    names: &mut Names,
    mut name: impl FnMut(&str, &mut Names) -> Name,
    into: &mut Vec<SinkAttribute<'a>>,
) {
    into.clear();
    let mut many = HashSet::new();
    for attribute in tag.attributes() {
        let name = name(attribute.name, names);
        let key = (names.namespace_of(name), name.local());
        let is_there = if into.len() < 16 {
            into.iter().any(|other| (names.namespace_of(other.name), other.name.local()) == key)
        } else {
            if many.is_empty() {
                many.extend(
                    into.iter().map(|other| (names.namespace_of(other.name), other.name.local())),
                );
            }
            !many.insert(key)
        };
        if !is_there {
            into.push(SinkAttribute {
                name,
                value: attribute.value,
                name_span: Some(attribute.name_span),
                value_span: Some(attribute.value_span),
            });
        }
    }
}

/// The attributes of a tag without namespaces.
pub(super) fn plain<'a>(tag: &Tag<'a>, names: &mut Names, into: &mut Vec<SinkAttribute<'a>>) {
    attributes(tag, names, |name, names| names.name(Namespace::NONE, "", name), into);
}

/// The attributes of a tag with the namespaces that are in force.
pub(super) fn xml<'a>(
    bindings: &Bindings,
    tag: &Tag<'a>,
    names: &mut Names,
    into: &mut Vec<SinkAttribute<'a>>,
) {
    attributes(tag, names, |name, names| bindings.attribute(name, names), into);
}
