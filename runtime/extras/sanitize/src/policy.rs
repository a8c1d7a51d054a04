//! Policies that the standard's configuration lacks: unknown elements, URLs, links, classes, and a custom filter.

use crate::lists::{ELEMENTS, LISTS};
use crate::name::Name;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use tabulex_core::tree::{AttributeRef, NodeRef};

/// The treatment of elements that are not on the list of allowed elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownElements {
    /// Removes unknown elements with their contents, as the standard does.
    #[default]
    Remove,
    /// Replaces unknown elements by their sanitized contents. Elements removed by name, and those that run scripts or
    /// contain no text (`script`, `style`, `iframe` and similar), are removed with their contents.
    KeepContents,
    /// Converts the tags of unknown elements to text and keeps their sanitized contents. Elements removed by name are
    /// removed with their contents.
    Escape,
}

/// A custom attribute filter.
#[derive(Clone)]
pub(crate) struct Filter(pub(crate) Arc<AttributeFilter>);

type AttributeFilter =
    dyn for<'a> Fn(NodeRef<'a>, AttributeRef<'a>) -> Option<Cow<'a, str>> + Send + Sync;

impl fmt::Debug for Filter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Filter")
    }
}

/// Filters are equal if they share one function object.
impl PartialEq for Filter {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Filter {}

/// The policies of a sanitizer in addition to the standard's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Policy {
    pub(crate) unknown: UnknownElements,
    /// Allowed schemes of URLs, in lower case; `None` allows any.
    pub(crate) schemes: Option<BTreeSet<String>>,
    /// Whether URLs without a scheme are allowed.
    pub(crate) relative_urls: bool,
    /// The value to set as attribute `rel` of links; `None` leaves the attribute unchanged.
    pub(crate) rel: Option<String>,
    /// Allowed classes by element name; the key `None` is for all elements, and an empty map allows any class.
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

    /// Whether no policy affects attributes.
    pub(crate) fn ignores_attributes(&self) -> bool {
        let Self { unknown: _, schemes, relative_urls, rel, classes, filter } = self;
        let restricts_urls = schemes.is_some() || !relative_urls;
        !restricts_urls && rel.is_none() && classes.is_empty() && filter.is_none()
    }

    /// Returns the new value of an allowed attribute, or `None` to remove it.
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
        if !self.classes.is_empty() && LISTS.class.contains(&local) {
            return self.filter_classes(element, &value).map(Cow::Owned);
        }
        urls(local, &value).into_iter().all(|url| self.allows(url)).then_some(value)
    }

    /// Returns the allowed classes in a class list, or `None` if there are none.
    fn filter_classes(&self, element: NodeRef<'_>, value: &str) -> Option<String> {
        let name = element.name()?;
        let name = Some(Name::new(name.namespace_str(), name.local()));
        let lists = [self.classes.get(&None), self.classes.get(&name)];
        let is_kept = |class: &&str| lists.iter().flatten().any(|list| list.contains(*class));
        let kept_classes: Vec<&str> = value.split_ascii_whitespace().filter(is_kept).collect();
        (!kept_classes.is_empty()).then(|| kept_classes.join(" "))
    }

    fn allows(&self, url: &str) -> bool {
        match scheme(url) {
            Some(scheme) => self.schemes.as_ref().is_none_or(|allowed| allowed.contains(&scheme)),
            None => self.relative_urls,
        }
    }

    /// Returns the name and value of the attribute `rel` to set; `None` if the element is not a link or the policy sets
    /// no `rel`.
    pub(crate) fn rel(&self, element: NodeRef<'_>) -> Option<(&'static str, &str)> {
        let rel = self.rel.as_deref()?;
        let name = element.name()?;
        let matches_element = |&&(namespace, local, _): &&(_, &str, _)| {
            namespace == name.namespace() && local == name.local()
        };
        let (.., link_attributes) = ELEMENTS.linking.iter().find(matches_element)?;
        let is_link = |it: AttributeRef<'_>| link_attributes.iter().any(|name| it.name().is(name));
        element.attributes().any(is_link).then_some((LISTS.rel[0], rel))
    }
}

/// Returns the URLs in the value of the attribute called `local`; none if such an attribute contains no URLs.
fn urls<'v>(local: &str, value: &'v str) -> Vec<&'v str> {
    if LISTS.url.contains(&local) {
        vec![value]
    } else if LISTS.spaced_urls.contains(&local) {
        value.split_ascii_whitespace().collect()
    } else if LISTS.image_candidates.contains(&local) {
        srcset_urls(value)
    } else {
        Vec::new()
    }
}

/// Returns the URLs of a `srcset`, following "parse a srcset attribute" but skipping descriptors.
fn srcset_urls(value: &str) -> Vec<&str> {
    let mut urls = Vec::new();
    let is_separator = |it: char| it.is_ascii_whitespace() || it == ',';
    let mut remaining = value.trim_start_matches(is_separator);
    while !remaining.is_empty() {
        let url_end =
            remaining.find(|it: char| it.is_ascii_whitespace()).unwrap_or(remaining.len());
        let (url, after) = remaining.split_at(url_end);
        urls.push(url.trim_end_matches(','));
        remaining = after;
        if !url.ends_with(',') {
            // Parentheses do not nest: the first closing one ends them.
            let mut is_in_parentheses = false;
            let descriptors_end = remaining.find(|it: char| {
                is_in_parentheses = it == '(' || is_in_parentheses && it != ')';
                it == ',' && !is_in_parentheses
            });
            remaining = &remaining[descriptors_end.unwrap_or(remaining.len())..];
        }
        remaining = remaining.trim_start_matches(is_separator);
    }
    urls
}

/// Iterates over the characters of a URL, without leading control characters and spaces, and without tabs and line
/// breaks, as URL parsers ignore them.
fn significant_characters(url: &str) -> impl Iterator<Item = char> {
    let trimmed = url.trim_start_matches(|character: char| character <= ' ');
    trimmed.chars().filter(|character| !matches!(character, '\t' | '\n' | '\r'))
}

/// Returns the scheme of a URL in lower case, or `None` if it has none. The rest of the URL need not be valid.
fn scheme(url: &str) -> Option<String> {
    let mut scheme = String::new();
    for character in significant_characters(url) {
        match character {
            ':' if !scheme.is_empty() => return Some(scheme),
            'a'..='z' | 'A'..='Z' => scheme.push(character.to_ascii_lowercase()),
            '0'..='9' | '+' | '-' | '.' if !scheme.is_empty() => scheme.push(character),
            _ => return None,
        }
    }
    None
}

/// Whether a URL has the scheme `javascript`. The rest of the URL need not be valid.
pub(crate) fn runs_script(url: &str) -> bool {
    LISTS.scheme.iter().any(|scheme| {
        let mut significant_characters = significant_characters(url);
        let mut expected = scheme.chars().chain([':']);
        expected.all(|expected| {
            significant_characters.next().is_some_and(|it| it.eq_ignore_ascii_case(&expected))
        })
    })
}
