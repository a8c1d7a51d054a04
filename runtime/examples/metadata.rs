//! Extracts the metadata for a link preview: title, description, and Open Graph properties.

use tabulex::select::{Query, Selector};
use tabulex::{Options, html};

pub(crate) fn metadata(page: &str) -> Vec<(String, String)> {
    let tree = html::parse(page, Options::new().errors(false)).tree;
    let selector = "head title, meta:is([property^='og:'], [name=description])[content]";
    let selector: Selector = selector.parse().expect("the selector is valid");
    let to_pair = |element: tabulex::tree::NodeRef<'_>| match element.attribute("content") {
        None => ("title".to_owned(), element.text().trim().to_owned()),
        Some(content) => {
            let name = element.attribute("property").or(element.attribute("name"));
            (name.unwrap_or_default().to_owned(), content.to_owned())
        }
    };
    tree.root().select(&selector).map(to_pair).collect()
}

const PAGE: &str = "<title> A &amp; B </title><meta property=og:image content=/i.png>\
    <meta name=viewport content=x><meta name=description content='About B'><svg><title>no</title></svg>";

fn main() {
    for (name, value) in metadata(PAGE) {
        println!("{name}: {value}");
    }
}

#[test]
fn extracts_preview_metadata() {
    let expected = [("title", "A & B"), ("og:image", "/i.png"), ("description", "About B")];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(metadata(PAGE), expected);
}
