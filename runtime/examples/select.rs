//! Finds the links in a page's headings with a CSS selector.

use tabulex::select::{Query, Selector};
use tabulex::{Options, html};

pub(crate) fn headings(page: &str) -> Vec<String> {
    let tree = html::parse(page, Options::new().errors(false)).tree;
    let links: Selector = "div.article > h2 a[href]".parse().expect("the selector is valid");
    let hrefs = tree.root().select(&links).filter_map(|link| link.attribute("href"));
    hrefs.map(str::to_owned).collect()
}

const PAGE: &str = "<div class='new article'><h2><b><a href=/1>1</a></b></h2><p><a href=/2>2</a></div><h2><a href=/3>3</a>";

fn main() {
    headings(PAGE).iter().for_each(|link| println!("{link}"));
}

#[test]
fn finds_links_in_headings() {
    assert_eq!(headings(PAGE), ["/1"]);
}
