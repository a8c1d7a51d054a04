//! Edits a fragment as a tree, and serializes it again.

use tabulex::select::{Query, Selector};
use tabulex::{Options, html};

pub(crate) fn edited(markup: &str) -> String {
    let mut tree = html::parse_fragment(markup, "div", Options::new().errors(false)).tree;
    let external_links: Selector = "a[href^=http]".parse().expect("the selector is valid");
    let links: Vec<_> = tree.root().select(&external_links).map(|link| link.id()).collect();
    for link in links {
        tree.set_attribute(link, "rel", "nofollow").unwrap();
        tree.append_text(link, " ↗");
    }
    html::serializer().inner(tree.document_element().expect("a fragment has a document element"))
}

const MARKUP: &str = "<p>See <a href=/a>a</a> or <a href=https://b.example rel=x><b>b</b></a>";

fn main() {
    println!("{}", edited(MARKUP));
}

#[test]
fn marks_links_to_other_sites() {
    let expected = "<p>See <a href=\"/a\">a</a> or \
        <a href=\"https://b.example\" rel=\"nofollow\"><b>b</b> ↗</a></p>";
    assert_eq!(edited(MARKUP), expected);
}
