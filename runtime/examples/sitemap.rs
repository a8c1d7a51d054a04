//! Lists the pages of a sitemap, each with the date of its last change.

use tabulex::tree::NodeRef;
use tabulex::{Options, xml};

pub(crate) fn pages(sitemap: &str) -> Vec<(String, Option<String>)> {
    let tree = xml::parse(sitemap, Options::new()).tree;
    let child_text = |url: NodeRef<'_>, name| {
        let child = url.child_elements().find(|child| child.local_name() == Some(name))?;
        Some(child.text().trim().to_owned())
    };
    let urls = tree.root().descendants().filter(|node| node.local_name() == Some("url"));
    urls.filter_map(|url| Some((child_text(url, "loc")?, child_text(url, "lastmod")))).collect()
}

const SITEMAP: &str = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
    <url><loc>\nhttps://a.example/?x=1&y=2</loc><lastmod>2026-01-02</lastmod></url>\
    <url><i:image xmlns:i='i'><i:loc>/i.png</i:loc></i:image><loc><![CDATA[https://a.example/]]></loc></url>";

fn main() {
    for (page, date) in pages(SITEMAP) {
        println!("{page} {}", date.unwrap_or_default());
    }
}

#[test]
fn lists_pages_of_a_sitemap_with_errors() {
    let expected = [
        ("https://a.example/?x=1&y=2".to_owned(), Some("2026-01-02".to_owned())),
        ("https://a.example/".to_owned(), None),
    ];
    assert_eq!(pages(SITEMAP), expected);
}
