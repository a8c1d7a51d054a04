//! Policies beside the standard's configuration: unknown elements, URLs, links, classes, and a filter of the caller's.

use crate::lists::{ELEMENTS, NAMES};
use crate::name::Name;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use tabulex_core::tree::{AttributeRef, NodeRef};

/// Treatment of elements that are not allowed, where elements are allowed by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownElements {
    /// They go with all that is inside, as the standard has it.
    #[default]
    Remove,
    /// They go, and what is inside stays, sanitized. Elements that are removed by name go with their contents, and so do those
    /// that run scripts or hold no text: `script`, `style`, `iframe` and the like.
    KeepContents,
    /// Their tags become text, and what is inside stays, sanitized. Elements that are removed by name go with their contents.
    Escape,
}

/// A function that decides about attributes.
#[derive(Clone)]
pub(crate) struct Filter(pub(crate) Arc<AttributeFilter>);

type AttributeFilter =
    dyn for<'a> Fn(NodeRef<'a>, AttributeRef<'a>) -> Option<Cow<'a, str>> + Send + Sync;

impl fmt::Debug for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Filter")
    }
}

/// Filters are equal if they are the same function.
impl PartialEq for Filter {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Filter {}

/// Policies beside the standard's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) unknown: UnknownElements,
    /// Allowed schemes of URLs, in lower case; `None` allows any.
    pub(crate) schemes: Option<BTreeSet<String>>,
    /// Whether URLs without a scheme stay.
    pub(crate) relative_urls: bool,
    /// Value of the attribute `rel` of elements that link.
    pub(crate) rel: Option<String>,
    /// Allowed classes of the elements of a name, or of all elements; an empty map allows any.
    pub(crate) classes: BTreeMap<Option<Name>, BTreeSet<String>>,
    pub(crate) filter: Option<Filter>,
}

impl Policy {
    pub(crate) const STANDARD: Self = Self {
        unknown: UnknownElements::Remove,
        schemes: None,
        relative_urls: true,
        rel: None,
        classes: BTreeMap::new(),
        filter: None,
    };

    /// Whether no policy concerns attributes.
    pub(crate) fn has_no_say_in_attributes(&self) -> bool {
        let Self { unknown: _, schemes, relative_urls, rel, classes, filter } = self;
        let urls = schemes.is_some() || !relative_urls;
        !urls && rel.is_none() && classes.is_empty() && filter.is_none()
    }

    /// Returns the value that an allowed attribute gets, or `None` if it is removed.
    pub(crate) fn value<'a>(
        &self,
        element: NodeRef<'a>,
        attribute: AttributeRef<'a>,
    ) -> Option<Cow<'a, str>> {
        let value = match &self.filter {
            Some(filter) => filter.0(element, attribute)?,
            None => Cow::Borrowed(attribute.value()),
        };
        let local = attribute.name().local();
        if !self.classes.is_empty() && NAMES.class.contains(&local) {
            return self.kept_classes(element, &value).map(Cow::Owned);
        }
        urls(local, &value).into_iter().all(|url| self.allows(url)).then_some(value)
    }

    /// Returns the allowed classes of a list, or `None` without any.
    fn kept_classes(&self, element: NodeRef<'_>, value: &str) -> Option<String> {
        let name = element.name()?;
        let name = Some(Name::new(name.namespace_str(), name.local()));
        let lists = [self.classes.get(&None), self.classes.get(&name)];
        let is_kept = |class: &&str| lists.iter().flatten().any(|list| list.contains(*class));
        let kept: Vec<&str> = value.split_ascii_whitespace().filter(is_kept).collect();
        (!kept.is_empty()).then(|| kept.join(" "))
    }

    fn allows(&self, url: &str) -> bool {
        match scheme(url) {
            Some(scheme) => self.schemes.as_ref().is_none_or(|all| all.contains(&scheme)),
            None => self.relative_urls,
        }
    }

    /// Returns name and value of the attribute `rel` if the element links.
    pub(crate) fn rel(&self, element: NodeRef<'_>) -> Option<(&'static str, &str)> {
        let rel = self.rel.as_deref()?;
        let name = element.name()?;
        let links = |&&(namespace, local, _): &&(_, &str, _)| {
            namespace == name.namespace() && local == name.local()
        };
        let (.., by) = ELEMENTS.linking.iter().find(links)?;
        let is_link = |it: AttributeRef<'_>| by.iter().any(|name| it.name().is(name));
        element.attributes().any(is_link).then_some((NAMES.rel[0], rel))
    }
}

/// Returns the URLs in the value of an attribute.
fn urls<'v>(local: &str, value: &'v str) -> Vec<&'v str> {
    if NAMES.url.contains(&local) {
        vec![value]
    } else if NAMES.spaced_urls.contains(&local) {
        value.split_ascii_whitespace().collect()
    } else if NAMES.image_candidates.contains(&local) {
        candidates(value)
    } else {
        Vec::new()
    }
}

/// Returns the URLs of a `srcset`, by the steps of "parse a srcset attribute" without the descriptors.
fn candidates(value: &str) -> Vec<&str> {
    let mut urls = Vec::new();
    let is_between = |it: char| it.is_ascii_whitespace() || it == ',';
    let mut rest = value.trim_start_matches(is_between);
    while !rest.is_empty() {
        let end = rest.find(|it: char| it.is_ascii_whitespace()).unwrap_or(rest.len());
        let (url, after) = rest.split_at(end);
        urls.push(url.trim_end_matches(','));
        rest = after;
        if !url.ends_with(',') {
            // Parentheses do not nest: what follows the first closing one is outside.
            let mut is_inside = false;
            let end = rest.find(|it: char| {
                is_inside = it == '(' || is_inside && it != ')';
                it == ',' && !is_inside
            });
            rest = &rest[end.unwrap_or(rest.len())..];
        }
        rest = rest.trim_start_matches(is_between);
    }
    urls
}

/// Iterates over the characters of a URL that its parser does not ignore.
fn characters(url: &str) -> impl Iterator<Item = char> {
    let begin = url.trim_start_matches(|character: char| character <= ' ');
    begin.chars().filter(|character| !matches!(character, '\t' | '\n' | '\r'))
}

/// Returns the scheme of a URL in lower case. The rest need not be valid.
fn scheme(url: &str) -> Option<String> {
    let mut scheme = String::new();
    for character in characters(url) {
        match character {
            ':' if !scheme.is_empty() => return Some(scheme),
            'a'..='z' | 'A'..='Z' => scheme.push(character.to_ascii_lowercase()),
            '0'..='9' | '+' | '-' | '.' if !scheme.is_empty() => scheme.push(character),
            _ => return None,
        }
    }
    None
}

/// Whether a URL has the scheme that runs scripts. The rest need not be valid.
pub(crate) fn runs_script(url: &str) -> bool {
    NAMES.scheme.iter().any(|scheme| {
        let mut characters = characters(url);
        let mut wanted = scheme.chars().chain([':']);
        wanted.all(|wanted| characters.next().is_some_and(|it| it.eq_ignore_ascii_case(&wanted)))
    })
}
