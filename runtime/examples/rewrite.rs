//! Rewrites the image URLs of a page, and keeps every other byte.

use tabulex::html::Html;
use tabulex::rewrite::{RewriteError, Rules, rewrite_str};

pub(crate) fn prefix_images(base: &str, page: &str) -> Result<String, RewriteError> {
    let rules = Rules::new().element("img[src]", |image| {
        let source = base.to_owned() + image.attribute("src").unwrap_or_default();
        Ok(image.set_attribute("src", &source)?)
    })?;
    rewrite_str::<Html>(page, rules)
}

const PAGE: &str = "<P  CLASS=x><IMG alt=a src='/i.png' ><img><br/></P >";

fn main() -> Result<(), RewriteError> {
    println!("{}", prefix_images("https://cdn.example", PAGE)?);
    Ok(())
}

#[test]
fn rewrites_image_urls() {
    let expected = "<P  CLASS=x><IMG alt=a src=\"https://cdn.example/i.png\" ><img><br/></P >";
    assert_eq!(prefix_images("https://cdn.example", PAGE).unwrap(), expected);
}
