//! URLs of a page, resolved against its base URL (HTML, 2.4.3 and 4.2.3). Nothing is fetched.

use crate::kinds::{ElementKind, KindTable};
use crate::lists::LISTS;
use std::collections::BTreeMap;
use std::ops::Range;
use tabulex_core::Span;
use tabulex_core::tree::{LocalName, Namespace, NodeRef, Tree};
use url::Url;

/// Maximum length of a base URL in bytes. Every relative link repeats the base, so that without a maximum a page of 1
/// MB can yield 25 GB of URLs.
const MAX_BASE_LEN: usize = 2048;

/// A URL in an attribute of an element.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Link<'a> {
    /// Element that has the attribute.
    pub element: NodeRef<'a>,
    /// Name of the attribute.
    pub attribute: &'static str,
    /// URL, resolved against the base URL of the page.
    pub url: Url,
    /// Range of the URL in the input, without surrounding white space; the range of the whole value if it contains
    /// character references. `None` unless the tree keeps [all positions](tabulex_core::tree::Positions::All).
    pub span: Option<Span>,
}

/// Returns the base URL of a page: that of its first `base` element with `href`, or else `document_url`, the page's own
/// URL. A `base` URL that is invalid, has the scheme `data` or `javascript`, or is longer than 2,048 bytes is ignored.
pub fn base(root: NodeRef<'_>, document_url: &Url) -> Url {
    let kinds = KindTable::of(root.tree());
    let bases = root.descendants().filter(|node| kinds.kind(*node).is_any_of(ElementKind::BASE));
    let href = bases.filter_map(|node| node.attribute("href")).next();
    let url = href.and_then(|href| resolve(root.tree(), document_url, href));
    let is_allowed = |url: &Url| {
        !matches!(url.scheme(), "data" | "javascript") && url.as_str().len() <= MAX_BASE_LEN
    };
    url.filter(is_allowed).unwrap_or_else(|| document_url.clone())
}

/// Resolves a URL in a tree against a base URL; returns `None` if it is invalid. Its query is encoded in the
/// [encoding](Tree::encoding) of the document.
///
/// ```
/// let tree = tabulex::html::parse_bytes(b"<meta charset=latin1><a href=?\xE9>", Default::default()).tree;
/// let base = "https://example.com/".parse().unwrap();
/// let url = tabulex::text::resolve(&tree, &base, "?\u{E9}").unwrap();
/// assert_eq!(url.as_str(), "https://example.com/?%E9");
/// ```
pub fn resolve(tree: &Tree, base: &Url, url: &str) -> Option<Url> {
    // URL Standard, 1.3: a character that the encoding lacks becomes an encoded character reference.
    let reference = |character| format!("%26%23{}%3B", u32::from(character));
    Url::options()
        .base_url(Some(base))
        .encoding_override(Some(&|query| tree.encoding().encode(query, reference)))
        .parse(url.trim_ascii())
        .ok()
}

/// Returns the URLs that descendants of a node link to or embed, such as `href` of `a`, `src` of `img`, each candidate
/// of `srcset`, and the target of a refresh, resolved against the base URL. `document_url` is the URL of the page.
/// Attributes that are not valid URLs are skipped.
///
/// ```
/// use tabulex::text::links;
///
/// let page = "<base href=/b/><a href=' c '>1</a><img srcset='d 1x, e 2x'><a href='http://['>2</a><a>3</a>";
/// let tree = tabulex::html::parse(page, Default::default()).tree;
/// let document = "https://example.com/a/".parse().unwrap();
/// let urls: Vec<String> = links(tree.root(), &document).map(|link| link.url.into()).collect();
/// assert_eq!(urls, ["https://example.com/b/c", "https://example.com/b/d", "https://example.com/b/e"]);
/// ```
pub fn links<'a>(node: NodeRef<'a>, document_url: &Url) -> impl Iterator<Item = Link<'a>> {
    let extractor = Extractor::new(node.tree(), document_url);
    node.descendants().flat_map(move |element| extractor.links_of(element))
}

/// Returns the URLs in the attributes of one element, as [`links`] returns those of its descendants. Finding the base
/// URL takes time linear in the tree.
pub fn links_of<'a>(element: NodeRef<'a>, document_url: &Url) -> Vec<Link<'a>> {
    Extractor::new(element.tree(), document_url).links_of(element)
}

/// Format of an attribute value that contains URLs.
#[derive(Clone, Copy, Debug)]
enum Format {
    /// One URL.
    Url,
    /// One URL, or nothing if the value is empty.
    NonEmptyUrl,
    /// URLs separated by white space.
    UrlList,
    /// Image candidates, each a URL with descriptors.
    SourceSet,
    /// A delay and a URL.
    Refresh,
}

impl Format {
    /// Returns the byte ranges of the URLs in an attribute value.
    fn url_ranges(self, value: &str) -> Vec<Range<usize>> {
        let start_of = |part: &str| part.as_ptr().addr() - value.as_ptr().addr();
        let range = |part: &str| start_of(part)..start_of(part) + part.len();
        match self {
            Self::NonEmptyUrl if value.is_empty() => Vec::new(),
            Self::Url | Self::NonEmptyUrl => vec![range(value.trim_ascii())],
            Self::UrlList => value.split_ascii_whitespace().map(range).collect(),
            Self::SourceSet => source_set(value).into_iter().map(range).collect(),
            Self::Refresh => refresh(value).into_iter().map(range).collect(),
        }
    }
}

/// Returns the URLs of the image candidates in a `srcset` value (HTML, 4.8.4.2.2 "Parsing a srcset attribute").
fn source_set(value: &str) -> Vec<&str> {
    let mut urls = Vec::new();
    let mut remaining = value;
    loop {
        remaining = remaining.trim_start_matches(|it: char| it.is_ascii_whitespace() || it == ',');
        if remaining.is_empty() {
            return urls;
        }
        let end = remaining.find(|it: char| it.is_ascii_whitespace()).unwrap_or(remaining.len());
        let url = remaining[..end].trim_end_matches(',');
        remaining = &remaining[end..];
        let mut descriptors = "";
        if url.len() == end {
            let mut is_in_parentheses = false;
            let descriptors_end = remaining.find(|character: char| {
                is_in_parentheses = character == '(' || is_in_parentheses && character != ')';
                character == ',' && !is_in_parentheses
            });
            (descriptors, remaining) =
                remaining.split_at(descriptors_end.unwrap_or(remaining.len()));
        }
        let mut units: Vec<_> = descriptors.split_ascii_whitespace().map(descriptor_unit).collect();
        units.sort_unstable();
        if let [] | [Some('w' | 'x')] | [Some('h'), Some('w')] = units[..] {
            urls.push(url);
        }
    }
}

/// Returns the unit of a valid descriptor: `w` of a width, `h` of a height, or `x` of a pixel density; `None` if the
/// descriptor is invalid.
fn descriptor_unit(descriptor: &str) -> Option<char> {
    let unit = descriptor.chars().next_back()?;
    let number = descriptor.strip_suffix(unit)?;
    let is_valid = match unit {
        'w' | 'h' => {
            number.bytes().all(|byte| byte.is_ascii_digit()) && !number.trim_matches('0').is_empty()
        }
        // `f64::from_str` also accepts names such as `inf`, a plus sign, and a point without digits after it; HTML does
        // not.
        'x' => {
            number.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
                && !number.starts_with('+')
                && number
                    .split('.')
                    .skip(1)
                    .all(|it| it.starts_with(|it: char| it.is_ascii_digit()))
                && number.parse::<f64>().is_ok_and(|number| number >= 0.0)
        }
        _ => false,
    };
    is_valid.then_some(unit)
}

/// Returns the URL of a refresh, if it names one (HTML, 4.2.5.3 "Refresh state").
fn refresh(value: &str) -> Option<&str> {
    let is_digit = |it: char| it.is_ascii_digit();
    let value = value.trim_ascii_start();
    let after_seconds = value.trim_start_matches(is_digit);
    if after_seconds.len() == value.len() && !value.starts_with('.') {
        return None;
    }
    let after_delay = after_seconds.trim_start_matches(|it| is_digit(it) || it == '.');
    let remaining = after_delay.trim_ascii_start();
    let after_separator = remaining.strip_prefix([';', ',']);
    if after_separator.is_none() && remaining.len() == after_delay.len() {
        return None;
    }
    let url = after_separator.unwrap_or(remaining).trim_ascii_start();
    let prefix = url.get(..3).filter(|name| name.eq_ignore_ascii_case("url"));
    let after_prefix = prefix.and_then(|_| url[3..].trim_ascii_start().strip_prefix('='));
    let url = after_prefix.map_or(url, str::trim_ascii_start);
    let quote = url.chars().next().filter(|it| matches!(it, '"' | '\''));
    let url = match quote {
        Some(quote) => url[1..].split(quote).next().unwrap_or_default(),
        None => url,
    };
    (!url.is_empty()).then_some(url)
}

/// The URL attributes of elements that occur in a tree, and the tree's base URL.
struct Extractor {
    /// For the names of elements, the attributes that contain URLs, with their formats.
    attributes: BTreeMap<(LocalName, Namespace), Vec<(&'static str, Format)>>,
    base: Url,
}

impl Extractor {
    fn new(tree: &Tree, document_url: &Url) -> Self {
        let mut attributes = BTreeMap::<_, Vec<_>>::new();
        for (pairs, namespace, format) in [
            (LISTS.urls, Namespace::HTML, Format::Url),
            (LISTS.non_empty_urls, Namespace::HTML, Format::NonEmptyUrl),
            (LISTS.url_lists, Namespace::HTML, Format::UrlList),
            (LISTS.source_sets, Namespace::HTML, Format::SourceSet),
            (LISTS.refresh, Namespace::HTML, Format::Refresh),
            (LISTS.urls_in_svg, Namespace::SVG, Format::Url),
        ] {
            for (element, attribute) in pairs.iter().filter_map(|pair| pair.split_once(' ')) {
                if let Some(local) = tree.names().find_local(element) {
                    attributes.entry((local, namespace)).or_default().push((attribute, format));
                }
            }
        }
        Self { attributes, base: base(tree.root(), document_url) }
    }

    fn links_of<'a>(&self, element: NodeRef<'a>) -> Vec<Link<'a>> {
        let mut links = Vec::new();
        let name = element.name().map(|name| (name.id().local(), name.namespace()));
        let attributes = name.and_then(|name| self.attributes.get(&name));
        for &(name, format) in attributes.into_iter().flatten() {
            let Some(attribute) = element.attribute_ref(name) else { continue };
            if matches!(format, Format::Refresh) && !is_refresh(element) {
                continue;
            }
            let value = attribute.value();
            for range in format.url_ranges(value) {
                let url = resolve(element.tree(), &self.base, &value[range.clone()]);
                let Some(url) = url else { continue };
                let span = attribute.value_span().map(|span| match span.len() == value.len() {
                    true => Span::new(span.start + range.start, span.start + range.end),
                    false => span,
                });
                links.push(Link { element, attribute: name, url, span });
            }
        }
        links
    }
}

/// Whether an element's other attributes make it a refresh, as `http-equiv` does for `meta`.
fn is_refresh(element: NodeRef<'_>) -> bool {
    let mut conditions = LISTS.refresh_if.iter().filter_map(|condition| condition.split_once(' '));
    let is_met = |(name, expected): (&str, &str)| {
        element.attribute(name).is_some_and(|value| value.eq_ignore_ascii_case(expected))
    };
    conditions.any(is_met)
}
