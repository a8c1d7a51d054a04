//! URLs of a page, resolved against its base URL (HTML, 2.4.3 and 4.2.3). Nothing is fetched.

use crate::kinds::{Kind, Kinds};
use crate::lists::LISTS;
use tabulex_core::tree::{Namespace, NodeRef};
use url::Url;

/// Maximum length of a base URL in bytes. Every relative link repeats the base: with a long one, a page of 1 MB would make
/// 25 GB of URLs.
const MAX_BASE_LEN: usize = 2048;

/// A URL in an attribute of an element.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    /// The element.
    pub element: NodeRef<'a>,
    /// The name of the attribute.
    pub attribute: &'static str,
    /// The resolved URL.
    pub url: Url,
}

/// Returns the base URL of a page: that of its first `base` element with `href`, or else `document`, the page's own URL. A
/// `base` that cannot be parsed or is longer than 2,048 bytes is ignored.
pub fn base(root: NodeRef<'_>, document: &Url) -> Url {
    let kinds = Kinds::of(root.tree());
    let all = root.descendants().filter(|node| kinds.kind(*node).is(Kind::BASE));
    let first = all.filter_map(|node| node.attribute("href")).next();
    let found = first.and_then(|href| document.join(href.trim_ascii()).ok());
    let is_allowed = |url: &Url| {
        !matches!(url.scheme(), "data" | "javascript") && url.as_str().len() <= MAX_BASE_LEN
    };
    found.filter(is_allowed).unwrap_or_else(|| document.clone())
}

/// Returns the URLs that descendants of a node link to or embed, such as `href` of `a` and `src` of `img`, resolved against
/// the base URL. `document` is the URL of the page. Attributes that are not valid URLs are skipped.
///
/// ```
/// use tabulex::text::links;
///
/// let page = "<base href=/b/><a href=' c '>1</a><img src=//example.org/d><a href='http://['>2</a><a>3</a>";
/// let tree = tabulex::html::parse(page, Default::default()).tree;
/// let document = "https://example.com/a/".parse().unwrap();
/// let urls: Vec<String> = links(tree.root(), &document).map(|link| link.url.into()).collect();
/// assert_eq!(urls, ["https://example.com/b/c", "https://example.org/d"]);
/// ```
pub fn links<'a>(node: NodeRef<'a>, document: &Url) -> impl Iterator<Item = Link<'a>> {
    let base = base(node.tree().root(), document);
    let find = |name: &str| node.tree().names().find_local(name);
    let pairs = LISTS.urls.iter().filter_map(|pair| pair.split_once(' '));
    let known = pairs.filter_map(|(element, attribute)| Some((find(element)?, attribute)));
    let known: Vec<_> = known.collect();
    let html = node.descendants().filter(|node| node.namespace() == Some(Namespace::HTML));
    html.flat_map(move |element| {
        let name = element.name().map(|name| name.id().local());
        let of_it = known.iter().filter(|(local, _)| Some(*local) == name);
        let links = of_it.filter_map(|(_, attribute)| {
            let url = base.join(element.attribute(attribute)?.trim_ascii()).ok()?;
            Some(Link { element, attribute, url })
        });
        links.collect::<Vec<_>>()
    })
}
