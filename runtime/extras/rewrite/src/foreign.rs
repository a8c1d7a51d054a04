//! A dialect's rules for foreign content, determined by parsing probes rather than from lists of names: which start
//! tags begin it, which tags break out of it, and which elements are integration points.

use crate::markup::MarkupParser;
use std::any::TypeId;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, OnceLock, PoisonError};
use tabulex_core::tree::{Namespace, NodeRef, Tree};
use tabulex_core::{Construction, Options};
use tabulex_edit::seam::{self, UNKNOWN_NAME};

/// The lower-case names that a dialect treats specially: roots of foreign content, and tags that drop line ends or stay
/// open.
#[derive(Debug, Default)]
pub(crate) struct ForeignNames {
    /// Start tags that begin foreign content, with its namespace.
    roots: Vec<(String, Namespace)>,
    /// Start tags directly after which a line end is dropped.
    line_end_droppers: Vec<String>,
    /// Elements that stay open after their end tags, such as the body.
    never_closed: Vec<String>,
    /// Rules for tags inside foreign content, determined on first use.
    rules: OnceLock<ForeignRules>,
}

/// A dialect's rules for tags inside foreign content.
#[derive(Debug, Default)]
pub(crate) struct ForeignRules {
    /// Start tags that break out of foreign content, regardless of attributes.
    breakout_start_tags: Vec<String>,
    /// End tags that break out of foreign content.
    breakout_end_tags: Vec<String>,
    /// Foreign elements whose contents are in the dialect's own namespace, with the attribute that they require, if
    /// any.
    integration_points: Vec<IntegrationPoint>,
}

/// The namespace and name of an element, and the attribute and value, if any, that it must have.
type IntegrationPoint = (Namespace, String, Option<(&'static str, &'static str)>);

/// Maximum number of cached probe results for tags with attributes.
const MAX_CACHED_TAGS: usize = 1000;

/// Maximum length in bytes of a tag whose result is cached.
const MAX_CACHED_TAG_LEN: usize = 256;

fn parse_in_unknown<D: Construction>(markup: &str) -> Tree {
    let markup = format!("<{UNKNOWN_NAME}>{markup}");
    tabulex_core::parse::<D>(&markup, &Options::new().errors(false)).tree
}

/// Returns the name and namespace of the foreign element at index `number` in tree order, or `None` if there are fewer
/// such elements.
fn nth_foreign_element<D: Construction>(
    markup: &str,
    number: usize,
) -> Option<(String, Namespace)> {
    let tree = parse_in_unknown::<D>(markup);
    let name_and_namespace =
        |node: NodeRef<'_>| Some((node.local_name()?.to_ascii_lowercase(), node.namespace()?));
    let is_foreign =
        |node: &NodeRef<'_>| node.is_element() && node.namespace() != Some(D::ELEMENTS.namespace());
    let mut elements = tree.root().descendants().filter(is_foreign);
    elements.nth(number).and_then(name_and_namespace)
}

/// Whether a tag breaks out of foreign content, so that no second foreign element is created.
fn breaks_out<D: Construction>(root: &str, tag: &str) -> bool {
    nth_foreign_element::<D>(&format!("<{root}><{tag}>"), 1).is_none()
}

/// Returns the names that the dialect's table mentions, in lower case, without prefixed ones.
fn names<D: Construction>() -> Vec<String> {
    let names = D::KNOWN.list().iter().map(|name| name.to_ascii_lowercase());
    let mut names: Vec<String> = names.filter(|name| !name.contains(':')).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the names whose start tags may begin foreign content, and those after which a line end may be dropped. One
/// document with all names rules out most; the rest need a probe each.
fn candidates<D: Construction>() -> (Vec<String>, Vec<String>) {
    let mut names = names::<D>();
    // A tag that switches the tokenizer may begin an element that no end tag ends, such as `plaintext`. Such an element
    // would contain all tags after it as text, so these names come last.
    names.sort_by_key(|name| D::SWITCHING_TAGS.iter().any(|tag| tag.name == name));
    let numbered_names = names.iter().enumerate();
    let markup: String =
        numbered_names.map(|(number, name)| format!("<{name}>\n\n{number};</{name}>")).collect();
    let tree = parse_in_unknown::<D>(&markup);
    let own_name = |node: NodeRef<'_>| {
        node.local_name()
            .filter(|_| node.namespace() == Some(D::ELEMENTS.namespace()))
            .map(str::to_owned)
    };
    let own_names: HashSet<String> = tree.root().descendants().filter_map(own_name).collect();
    let text = tree.root().text();
    let kept_numbers: HashSet<&str> =
        text.split(';').filter_map(|text| text.strip_prefix("\n\n")).collect();
    let may_drop = |number: usize| !kept_numbers.contains(&*number.to_string());
    let line_end_droppers = names.iter().enumerate().filter(|(number, _)| may_drop(*number));
    let line_end_droppers = line_end_droppers.map(|(_, name)| name.clone()).collect();
    names.retain(|name| !own_names.contains(name));
    (names, line_end_droppers)
}

/// Returns the names of implied outermost elements that stay open after their end tags.
fn never_closed<D: Construction>() -> Vec<String> {
    let ancestors_of_marked = |markup: &str| -> Vec<String> {
        let tree = parse_in_unknown::<D>(markup);
        let mut nodes = tree.root().descendants();
        let mark = nodes.find(|node| node.attribute("m").is_some());
        let ancestors = mark.into_iter().flat_map(|mark| mark.ancestors());
        ancestors.filter_map(|node| node.local_name().map(str::to_owned)).collect()
    };
    let stays_open =
        |name: &String| ancestors_of_marked(&format!("</{name}><{UNKNOWN_NAME} m>")).contains(name);
    ancestors_of_marked(&format!("<{UNKNOWN_NAME} m>"))
        .into_iter()
        .filter(|name| name != UNKNOWN_NAME)
        .filter(stays_open)
        .collect()
}

impl ForeignNames {
    /// Returns the names that the dialect `D` treats specially; they are determined once per process.
    pub(crate) fn of<D: Construction>() -> &'static Self {
        static CACHE: Mutex<Vec<(TypeId, &ForeignNames)>> = Mutex::new(Vec::new());
        let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        let cached = cache.iter().find(|(dialect, _)| *dialect == TypeId::of::<D>());
        if let Some((_, names)) = cached {
            return names;
        }
        let (root_candidates, dropper_candidates) = candidates::<D>();
        let root_namespace = |name: String| {
            let (first, namespace) = nth_foreign_element::<D>(&format!("<{name}>"), 0)?;
            (first == name).then_some((name, namespace))
        };
        let roots = root_candidates.into_iter().filter_map(root_namespace).collect();
        let parser = MarkupParser::new::<D>(false);
        let drops_line_end =
            |name: &String| seam::drops_line_end(name, &|markup| parser.parse(markup));
        let line_end_droppers = dropper_candidates.into_iter().filter(drops_line_end).collect();
        let never_closed = never_closed::<D>();
        let rules = OnceLock::new();
        let names: &Self =
            Box::leak(Box::new(Self { roots, line_end_droppers, never_closed, rules }));
        cache.push((TypeId::of::<D>(), names));
        names
    }

    /// Whether a line end directly after start tags of this name is dropped.
    pub(crate) fn drops_line_end(&self, name: &str) -> bool {
        self.line_end_droppers.iter().any(|dropper| dropper == name)
    }

    /// Whether elements of this name stay open after their end tags.
    pub(crate) fn stays_open(&self, name: &str) -> bool {
        self.never_closed.iter().any(|never_closed| never_closed == name)
    }

    /// Returns the namespace of the foreign content that a start tag begins, or `None` if it begins none.
    pub(crate) fn root_namespace(&self, name: &str) -> Option<Namespace> {
        self.roots.iter().find(|(root, _)| root == name).map(|(_, namespace)| *namespace)
    }

    /// Returns the rules for tags inside foreign content.
    pub(crate) fn rules<D: Construction>(&self) -> &ForeignRules {
        self.rules.get_or_init(|| ForeignRules::probe::<D>(&self.roots))
    }
}

impl ForeignRules {
    fn probe<D: Construction>(roots: &[(String, Namespace)]) -> Self {
        let mut rules = Self::default();
        let Some((root, _)) = roots.first() else { return rules };
        let names = names::<D>();
        let breaks_out = |tag: &str| breaks_out::<D>(root, tag);
        for name in &names {
            if breaks_out(name) {
                rules.breakout_start_tags.push(name.clone());
            }
            let is_root = roots.iter().any(|(root, _)| root == name);
            if !is_root && breaks_out(&format!("/{name}><{UNKNOWN_NAME}")) {
                rules.breakout_end_tags.push(name.clone());
            }
        }
        if let Some(breakout_tag) = rules.breakout_start_tags.first() {
            let pairs = roots.iter().flat_map(|root| names.iter().map(move |name| (root, name)));
            let integration_points = pairs
                .filter(|((root, _), name)| is_integration_point::<D>(root, name, breakout_tag));
            let integration_points =
                integration_points.map(|((_, namespace), name)| (*namespace, name.clone(), None));
            rules.integration_points = integration_points.collect();
        }
        let declared_points =
            D::INTEGRATION_POINTS.iter().filter(|point| point.attribute.is_some());
        rules.integration_points.extend(declared_points.map(|point| {
            let name = D::KNOWN.list()[point.local as usize].to_ascii_lowercase();
            (point.namespace, name, point.attribute)
        }));
        rules
    }

    /// Whether a start tag with attributes of these names breaks out of foreign content. `cache` stores the results for
    /// tags with attributes, by their names.
    pub(crate) fn is_breakout_start_tag<'a, D: Construction>(
        &self,
        foreign_names: &ForeignNames,
        name: &str,
        attribute_names: impl Iterator<Item = &'a str>,
        cache: &mut HashMap<String, bool>,
    ) -> bool {
        if self.breakout_start_tags.iter().any(|other| other == name) {
            return true;
        }
        let Some((root, _)) = foreign_names.roots.first() else { return false };
        // The table can have rows that depend on attributes only for names that it mentions, so other names need no
        // probe.
        if D::KNOWN.find(name).is_none() {
            return false;
        }
        let mut tag = name.to_owned();
        // Without values, a name that begins with an equals sign would be read as the value of the name before.
        attribute_names.for_each(|attribute| tag.extend([" ", attribute, "=\"\""]));
        if tag.len() == name.len() {
            return false;
        }
        if tag.len() > MAX_CACHED_TAG_LEN {
            return breaks_out::<D>(root, &tag);
        }
        if cache.len() > MAX_CACHED_TAGS {
            cache.clear();
        }
        *cache.entry(tag).or_insert_with_key(|tag| breaks_out::<D>(root, tag))
    }

    /// Whether an end tag breaks out of foreign content.
    pub(crate) fn is_breakout_end_tag(&self, name: &str) -> bool {
        self.breakout_end_tags.iter().any(|other| other == name)
    }

    /// Whether foreign elements of this name are integration points only with a certain attribute.
    pub(crate) fn depends_on_attribute(&self, namespace: Namespace, name: &str) -> bool {
        let mut integration_points = self.integration_points.iter();
        integration_points
            .any(|(of, point, attribute)| *of == namespace && point == name && attribute.is_some())
    }

    /// Whether a foreign element of this name and with these attribute values is an integration point.
    pub(crate) fn is_integration_point<'a>(
        &self,
        namespace: Namespace,
        name: &str,
        attribute: impl Fn(&str) -> Option<&'a str>,
    ) -> bool {
        self.integration_points.iter().any(|(of, point, required)| {
            *of == namespace
                && point == name
                && required.is_none_or(|(name, value)| {
                    attribute(name).is_some_and(|found| found.eq_ignore_ascii_case(value))
                })
        })
    }
}

/// Whether the foreign element `name` is an integration point: the tag `breakout_tag`, which breaks out elsewhere, stays
/// inside it.
fn is_integration_point<D: Construction>(root: &str, name: &str, breakout_tag: &str) -> bool {
    let tree = parse_in_unknown::<D>(&format!("<{root}><{name}><{breakout_tag}>"));
    let own_namespace = D::ELEMENTS.namespace();
    let is_breakout = |node: &NodeRef<'_>| {
        node.local_name() == Some(breakout_tag) && node.namespace() == Some(own_namespace)
    };
    let parent = tree.root().descendants().find(is_breakout).and_then(|node| node.parent());
    parent.is_some_and(|parent| {
        let is_named = |local: &str| local.eq_ignore_ascii_case(name);
        parent.namespace() != Some(own_namespace) && parent.local_name().is_some_and(is_named)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabulex::html::Html;

    #[test]
    fn names_ruled_out_by_one_document_are_ruled_out_by_probes() {
        let foreign_names = ForeignNames::of::<Html>();
        let parser = MarkupParser::new::<Html>(false);
        for name in names::<Html>() {
            let root = nth_foreign_element::<Html>(&format!("<{name}>"), 0)
                .filter(|(created, _)| *created == name);
            assert_eq!(
                foreign_names.root_namespace(&name),
                root.map(|(_, namespace)| namespace),
                "{name}"
            );
            let drops_line_end = seam::drops_line_end(&name, &|markup| parser.parse(markup));
            assert_eq!(foreign_names.drops_line_end(&name), drops_line_end, "{name}");
        }
        assert!(candidates::<Html>().0.len() < 40, "{:?}", candidates::<Html>().0);
        assert!(candidates::<Html>().1.len() < 40, "{:?}", candidates::<Html>().1);
    }
}
