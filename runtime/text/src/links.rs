//! URLs of a page, resolved against its base (HTML, 2.4.3 "Dynamic changes to base URLs", 4.2.3 "The base element"). It
//! fetches nothing. Invariant: a URL that cannot be parsed is left out, and no link is longer than a bound and what its element
//! says.

use crate::kinds::{Kind, Kinds};
use crate::lists::LISTS;
use tabulex_core::tree::{Namespace, NodeRef};
use url::Url;

/// How long the base that a page names may be, in bytes. Each link repeats it: from a long one a page of 1 MB makes 25 GB.
const LONGEST_BASE: usize = 2048;

/// A URL that an element has.
#[derive(Clone, Debug)]
pub struct Link<'a> {
    /// The element.
    pub element: NodeRef<'a>,
    /// The name of its attribute.
    pub attribute: &'static str,
    /// The URL.
    pub url: Url,
}

/// The base of a document: that of its first `base` element with a URL, or else where it came from. What is longer than 2,048
/// bytes counts as none there, as what cannot be parsed does.
pub fn base(root: NodeRef<'_>, document: &Url) -> Url {
    let kinds = Kinds::of(root.tree());
    let all = root.descendants().filter(|node| kinds.kind(*node).is(Kind::BASE));
    let first = all.filter_map(|node| node.attribute("href")).next();
    let found = first.and_then(|href| document.join(href.trim_ascii()).ok());
    let is_allowed = |url: &Url| {
        !matches!(url.scheme(), "data" | "javascript") && url.as_str().len() <= LONGEST_BASE
    };
    found.filter(is_allowed).unwrap_or_else(|| document.clone())
}

/// The URLs inside of a node that its elements link to, or show: `href` of `a`, `src` of `img` and others. `document` is
/// where the page came from.
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
