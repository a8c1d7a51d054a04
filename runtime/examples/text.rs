//! Extracts the rendered text of a page.

use tabulex::text::rendered_text;
use tabulex::{Options, html};

pub(crate) fn text(page: &str) -> String {
    rendered_text(html::parse(page, Options::new().errors(false)).tree.root())
}

const PAGE: &str =
    "<title>T</title><h1>Hello,\n world</h1><script>x()</script><ul><li>1<li><b>2</b>3</ul>";

fn main() {
    println!("{}", text(PAGE));
}

#[test]
fn renders_blocks_as_lines() {
    assert_eq!(text(PAGE), "Hello, world\n1\n23");
}
