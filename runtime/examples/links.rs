//! Lists the links of a page with line and column, without a tree.

use tabulex::html;
use tabulex::{Lines, Position, TokenRef};

pub(crate) fn links(page: &str) -> Vec<(String, Position)> {
    let (lines, mut tokens, mut links) = (Lines::new(page), html::read_tokens(page), Vec::new());
    while let Some(token) = tokens.next_token() {
        let TokenRef::StartTag(tag) = token else { continue };
        if let ("a", Some(href)) = (tag.name(), tag.attribute("href")) {
            links.push((href.to_owned(), lines.position(tag.span().start)));
        }
    }
    links
}

const PAGE: &str =
    "<p>See <a href='/one?a&amp;b'>one</a>\n  and <A HREF=/two>two</A>, <a name=x>three</a>.";

fn main() {
    for (link, Position { line, column }) in links(PAGE) {
        println!("{line}:{column}: {link}");
    }
}

#[test]
fn links_have_positions() {
    let at = |line, column| Position { line, column };
    let expected = [("/one?a&b".to_owned(), at(1, 8)), ("/two".to_owned(), at(2, 7))];
    assert_eq!(links(PAGE), expected);
}
