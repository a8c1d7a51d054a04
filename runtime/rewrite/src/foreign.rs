//! What a dialect does about foreign content, found out by asking a parser of it: which start tags begin it, which tags
//! leave it, and which elements hold the dialect's own. There is no list of names.

use crate::markup::Parser;
use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, OnceLock, PoisonError};
use tabulex_core::tree::{Namespace, NodeRef, Tree};
use tabulex_core::{Construction, Options, Tag};
use tabulex_edit::seam;

/// The names of a dialect that concern foreign content, in lower case.
#[derive(Debug, Default)]
pub(crate) struct Foreign {
    /// Start tags that begin it.
    begin: Vec<(String, Namespace)>,
    /// Start tags after which a line end is dropped.
    dropping: Vec<String>,
    /// Elements that stay open after their end tags.
    staying_open: Vec<String>,
    /// Rules for tags inside, determined when an input has foreign content.
    inside: OnceLock<ForeignRules>,
}

/// Rules for tags inside of foreign content.
#[derive(Debug, Default)]
pub(crate) struct ForeignRules {
    /// Start tags that leave it, whatever attributes they have.
    leave: Vec<String>,
    /// End tags that leave it.
    leave_at_end: Vec<String>,
    /// Elements that hold the dialect's own, and what attribute they must have.
    points: Vec<IntegrationPoint>,
}

/// The namespace and the name of an element, and an attribute with its value.
type IntegrationPoint = (Namespace, String, Option<(&'static str, &'static str)>);

/// Maximum number of cached answers about tags with an attribute.
const MAX_CACHED_TAGS: usize = 1000;

/// A name that no table has.
const UNKNOWN: &str = "x-y";

fn tree<D: Construction>(markup: &str) -> Tree {
    let markup = format!("<{UNKNOWN}>{markup}");
    tabulex_core::parse::<D>(&markup, &Options::new().errors(false)).tree
}

/// The foreign element of this number from the outermost one on, counted from 0.
fn foreign<D: Construction>(markup: &str, number: usize) -> Option<(String, Namespace)> {
    let tree = tree::<D>(markup);
    let of = |node: NodeRef<'_>| Some((node.local_name()?.to_ascii_lowercase(), node.namespace()?));
    let is_foreign =
        |node: &NodeRef<'_>| node.is_element() && node.namespace() != Some(D::ELEMENTS.own());
    let mut all = tree.root().descendants().filter(is_foreign);
    all.nth(number).and_then(of)
}

/// Whether a tag inside of a foreign element makes none.
fn leaves<D: Construction>(root: &str, tag: &str) -> bool {
    foreign::<D>(&format!("<{root}><{tag}>"), 1).is_none()
}

/// The names that the table has, as tags have them.
fn names<D: Construction>() -> Vec<String> {
    let names = D::KNOWN.list().iter().map(|name| name.to_ascii_lowercase());
    let mut names: Vec<String> = names.filter(|name| !name.contains(':')).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The names whose start tags may begin foreign content, and those after which a line end may be dropped: those of which
/// one document with all names does not show that they do neither.
fn undecided<D: Construction>() -> (Vec<String>, Vec<String>) {
    let mut names = names::<D>();
    // What ends at no tag would hold the names after it.
    names.sort_by_key(|name| D::SWITCHING_TAGS.iter().any(|tag| tag.name == name));
    let each = names.iter().enumerate();
    let markup: String =
        each.map(|(number, name)| format!("<{name}>\n\n{number};</{name}>")).collect();
    let tree = tree::<D>(&markup);
    let own = |node: NodeRef<'_>| {
        node.local_name().filter(|_| node.namespace() == Some(D::ELEMENTS.own())).map(str::to_owned)
    };
    let own: HashSet<String> = tree.root().descendants().filter_map(own).collect();
    let text = tree.root().text();
    let kept: HashSet<&str> =
        text.split(';').filter_map(|text| text.strip_prefix("\n\n")).collect();
    let is_undecided = |number: usize| !kept.contains(&*number.to_string());
    let dropping = names.iter().enumerate().filter(|(number, _)| is_undecided(*number));
    let dropping = dropping.map(|(_, name)| name.clone()).collect();
    names.retain(|name| !own.contains(name));
    (names, dropping)
}

/// Returns the names of those implied elements around all others that stay open after their end tags.
fn staying_open<D: Construction>() -> Vec<String> {
    let around = |markup: &str| -> Vec<String> {
        let tree = tree::<D>(markup);
        let mut nodes = tree.root().descendants();
        let mark = nodes.find(|node| node.attribute("m").is_some());
        let ancestors = mark.into_iter().flat_map(|mark| mark.ancestors());
        ancestors.filter_map(|node| node.local_name().map(str::to_owned)).collect()
    };
    let stays_open = |name: &String| around(&format!("</{name}><{UNKNOWN} m>")).contains(name);
    around(&format!("<{UNKNOWN} m>"))
        .into_iter()
        .filter(|name| name != UNKNOWN)
        .filter(stays_open)
        .collect()
}

impl Foreign {
    /// Returns the names of a dialect, which are determined once per process.
    pub(crate) fn of<D: Construction>() -> &'static Self {
        static KNOWN: Mutex<Vec<(TypeId, &Foreign)>> = Mutex::new(Vec::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|(dialect, _)| *dialect == TypeId::of::<D>());
        if let Some((_, found)) = found {
            return found;
        }
        let (maybe_begin, maybe_dropping) = undecided::<D>();
        let begins = |name: String| {
            let (first, namespace) = foreign::<D>(&format!("<{name}>"), 0)?;
            (first == name).then_some((name, namespace))
        };
        let begin = maybe_begin.into_iter().filter_map(begins).collect();
        let parser = Parser::new::<D>(false);
        let drops = |name: &String| seam::drops_line_end(name, &|markup| parser.parse(markup));
        let dropping = maybe_dropping.into_iter().filter(drops).collect();
        let staying_open = staying_open::<D>();
        let inside = OnceLock::new();
        let found: &Self = Box::leak(Box::new(Self { begin, dropping, staying_open, inside }));
        known.push((TypeId::of::<D>(), found));
        found
    }

    /// The start tags that begin it.
    pub(crate) fn beginning(&self) -> impl Iterator<Item = &str> {
        self.begin.iter().map(|(name, _)| &**name)
    }

    /// The start tags after which a line end is dropped.
    pub(crate) fn dropping(&self) -> impl Iterator<Item = &str> {
        self.dropping.iter().map(|name| &**name)
    }

    /// Whether elements of this name stay open after their end tags.
    pub(crate) fn stays_open(&self, name: &str) -> bool {
        self.staying_open.iter().any(|it| it == name)
    }

    /// The namespace of an element inside of the dialect's own content, if it is not that of the dialect.
    #[inline]
    pub(crate) fn begins(&self, name: &str) -> Option<Namespace> {
        self.begin.iter().find(|(begin, _)| begin == name).map(|(_, namespace)| *namespace)
    }

    /// Returns the rules for tags inside.
    pub(crate) fn inside<D: Construction>(&self) -> &ForeignRules {
        self.inside.get_or_init(|| ForeignRules::ask::<D>(&self.begin))
    }
}

impl ForeignRules {
    fn ask<D: Construction>(begin: &[(String, Namespace)]) -> Self {
        let mut all = Self::default();
        let Some((root, _)) = begin.first() else { return all };
        let names = names::<D>();
        let leaves = |tag: &str| leaves::<D>(root, tag);
        for name in &names {
            if leaves(name) {
                all.leave.push(name.clone());
            }
            let is_root = begin.iter().any(|(begin, _)| begin == name);
            if !is_root && leaves(&format!("/{name}><{UNKNOWN}")) {
                all.leave_at_end.push(name.clone());
            }
        }
        if let Some(leaving) = all.leave.first() {
            let each = begin.iter().flat_map(|root| names.iter().map(move |name| (root, name)));
            let points = each.filter(|((root, _), name)| is_point::<D>(root, name, leaving));
            let points = points.map(|((_, namespace), name)| (*namespace, name.clone(), None));
            all.points = points.collect();
        }
        let declared = D::INTEGRATION_POINTS.iter().filter(|point| point.attribute.is_some());
        all.points.extend(declared.map(|point| {
            let name = D::KNOWN.list()[point.local as usize].to_ascii_lowercase();
            (point.namespace, name, point.attribute)
        }));
        all
    }

    /// Whether a start tag leaves foreign content, which `asked` may know: tags with an attribute for which it was asked.
    pub(crate) fn leaves<D: Construction>(
        &self,
        begin: &Foreign,
        tag: &Tag<'_>,
        asked: &mut HashMap<String, bool>,
    ) -> bool {
        let name = tag.name();
        if self.leave.iter().any(|leave| leave == name) {
            return true;
        }
        let Some((root, _)) = begin.begin.first() else { return false };
        // The rows have something to say only of names that the table has.
        D::KNOWN.find(name).is_some()
            && tag.attributes().any(|attribute| {
                if asked.len() > MAX_CACHED_TAGS {
                    asked.clear();
                }
                let tag = format!("{name} {}", attribute.name);
                *asked.entry(tag).or_insert_with_key(|tag| leaves::<D>(root, tag))
            })
    }

    /// Whether an end tag leaves foreign content.
    pub(crate) fn leaves_at_end(&self, name: &str) -> bool {
        self.leave_at_end.iter().any(|other| other == name)
    }

    /// Whether foreign elements of this name hold the dialect's own content only with an attribute.
    pub(crate) fn depends_on_attribute(&self, namespace: Namespace, name: &str) -> bool {
        let mut points = self.points.iter();
        points
            .any(|(of, point, attribute)| *of == namespace && point == name && attribute.is_some())
    }

    /// Whether a foreign element holds the dialect's own content.
    pub(crate) fn is_point(&self, namespace: Namespace, tag: &Tag<'_>) -> bool {
        self.points.iter().any(|(of, name, attribute)| {
            *of == namespace
                && name == tag.name()
                && attribute.is_none_or(|(name, value)| {
                    tag.attribute(name).is_some_and(|found| found.eq_ignore_ascii_case(value))
                })
        })
    }
}

/// Whether a foreign element of this name keeps one inside that leaves foreign content elsewhere.
fn is_point<D: Construction>(root: &str, name: &str, leaving: &str) -> bool {
    let tree = tree::<D>(&format!("<{root}><{name}><{leaving}>"));
    let own = D::ELEMENTS.own();
    let is_it =
        |node: &NodeRef<'_>| node.local_name() == Some(leaving) && node.namespace() == Some(own);
    let holder = tree.root().descendants().find(is_it).and_then(|node| node.parent());
    holder.is_some_and(|holder| {
        let is_named = |local: &str| local.eq_ignore_ascii_case(name);
        holder.namespace() != Some(own) && holder.local_name().is_some_and(is_named)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulex::html::Html;

    #[test]
    fn names_that_one_document_decides_are_decided_alike_alone() {
        let found = Foreign::of::<Html>();
        let parser = Parser::new::<Html>(false);
        for name in names::<Html>() {
            let first =
                foreign::<Html>(&format!("<{name}>"), 0).filter(|(first, _)| *first == name);
            assert_eq!(found.begins(&name), first.map(|(_, namespace)| namespace), "{name}");
            let drops = seam::drops_line_end(&name, &|markup| parser.parse(markup));
            assert_eq!(found.dropping().any(|it| it == name), drops, "{name}");
        }
        assert!(undecided::<Html>().0.len() < 40, "{:?}", undecided::<Html>().0);
        assert!(undecided::<Html>().1.len() < 40, "{:?}", undecided::<Html>().1);
    }
}
