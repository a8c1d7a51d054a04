//! Links of pages, resolved. Invariant: each case has the links of its page in their order.

use tabulex::text::links;
use tabulex::{Options, html};

#[test]
fn links_are_those_of_the_elements_that_have_them() {
    for (page, wanted) in [
        ("<a href=' b '>1</a><img src=c alt=x><p cite=d><q cite=e>", vec!["a/b", "a/c", "a/e"]),
        ("<a src=b>1</a><img href=c><a>2</a><a href=//[>3</a>", vec![]),
        ("<svg><a href=b>1</a></svg><a href=c>2</a>", vec!["a/c"]),
        ("<base href=/b/><base href=/c/><a href=d>1</a>", vec!["b/d"]),
        ("<base target=x><base href=/b/><a href=d>1</a>", vec!["b/d"]),
        // Such a base is none.
        ("<base href=javascript:x><a href=d>1</a>", vec!["a/d"]),
        ("<base href=data:x><a href=d>1</a>", vec!["a/d"]),
        ("<base href=//[><a href=d>1</a>", vec!["a/d"]),
    ] {
        let tree = html::parse(page, Options::new()).tree;
        let document = "https://example.com/a/".parse().unwrap();
        let urls = links(tree.root(), &document).map(|link| String::from(link.url));
        let wanted: Vec<_> = wanted.iter().map(|it| format!("https://example.com/{it}")).collect();
        assert_eq!(urls.collect::<Vec<_>>(), wanted, "{page}");
    }
}

/// Each link would repeat it.
#[test]
fn a_base_that_is_too_long_is_none() {
    let document = "https://example.com/d/".parse().unwrap();
    let first = |length: usize| {
        let page = format!("<base href='/{}/'><a href=x>", "b".repeat(length));
        let tree = html::parse(&page, Options::new()).tree;
        links(tree.root(), &document).next().unwrap().url.path().len()
    };
    // 2,048 with the scheme, the host and two slashes.
    assert_eq!((first(2027), first(2028)), (2030, 4));
}
