//! Links of pages, resolved against the base URL.

use tabulex::text::{links, links_of};
use tabulex::tree::Positions;
use tabulex::{Options, html};

#[test]
fn extracts_links_of_elements() {
    for (page, expected) in [
        ("<a href=' b '>1</a><img src=c alt=x><p cite=d><q cite=e>", vec!["a/b", "a/c", "a/e"]),
        ("<a src=b>1</a><img href=c><a>2</a><a href=//[>3</a>", vec![]),
        ("<svg><a href=b>1</a><use xlink:href=c /></svg><math href=d>", vec!["a/b", "a/c"]),
        ("<a ping=' b  c' href=d>1</a><body background=e>", vec!["a/e", "a/d", "a/b", "a/c"]),
        ("<img srcset='b, c 1x,d 2x , e 3w,f'>", vec!["a/b", "a/c", "a/d", "a/e", "a/f"]),
        ("<img srcset='b (c,d) 1x,e 1h,f 1x 2x,g 1w 1x,h 1w 2w'>", vec![]),
        ("<img srcset='b 0w,c 1.5w,d +1x,e 1.x,f nanx,g -1x,h w,i 1é'>", vec![]),
        (
            "<img srcset='b .5x,c -0x,d 1e3x,e 1w 2h,f 2h 1w,g 01w'>",
            vec!["a/b", "a/c", "a/d", "a/e", "a/f", "a/g"],
        ),
        ("<img srcset=' , b,'><img srcset=','>", vec!["a/b"]),
        ("<link imagesrcset='b,c 1x'>", vec!["a/b,c"]),
        ("<meta http-equiv=Refresh content='3 ; URL = \"b\"c'>", vec!["a/b"]),
        ("<meta http-equiv=refresh content='.5,b'><meta content='0;url=c'>", vec!["a/b"]),
        (
            "<meta http-equiv=refresh content='0 ur'><meta http-equiv=refresh content='x;url=c'>",
            vec!["a/ur"],
        ),
        ("<meta http-equiv=refresh content='0'><meta http-equiv=refresh content='1url=b'>", vec![]),
        (
            "<a href>1</a><img src=''><link href=''><script src></script><video src poster>",
            vec!["a/"],
        ),
        ("<form action=''><button formaction>", vec!["a/", "a/"]),
        ("<base href=/b/><base href=/c/><a href=d>1</a>", vec!["b/d"]),
        ("<base target=x><base href=/b/><a href=d>1</a>", vec!["b/d"]),
        // `base` elements with `javascript:`, `data:` and invalid URLs are ignored.
        ("<base href=javascript:x><a href=d>1</a>", vec!["a/d"]),
        ("<base href=data:x><a href=d>1</a>", vec!["a/d"]),
        ("<base href=//[><a href=d>1</a>", vec!["a/d"]),
    ] {
        let tree = html::parse(page, Options::new()).tree;
        let document = "https://example.com/a/".parse().unwrap();
        let urls = links(tree.root(), &document).map(|link| String::from(link.url));
        let expected: Vec<_> =
            expected.iter().map(|it| format!("https://example.com/{it}")).collect();
        assert_eq!(urls.collect::<Vec<_>>(), expected, "{page}");
    }
}

#[test]
fn reports_spans_of_urls() {
    let page = "<a href=' b'>1</a><img srcset='c 1x, d 2x'><a href='e?f&amp;g '>2</a>";
    let tree = html::parse(page, Options::new().positions(Positions::All)).tree;
    let document = "https://example.com/".parse().unwrap();
    let spans = links(tree.root(), &document).map(|link| &page[link.span.unwrap().range()]);
    assert_eq!(spans.collect::<Vec<_>>(), ["b", "c", "d", "e?f&amp;g "]);
    let image = tree.root().descendants().find(|node| node.is_html("img")).unwrap();
    assert_eq!(links_of(image, &document).len(), 2);
}

/// The length of the base URL is bounded, because each link repeats it.
#[test]
fn ignores_too_long_bases() {
    let document = "https://example.com/d/".parse().unwrap();
    let path_length = |length: usize| {
        let page = format!("<base href='/{}/'><a href=x>", "b".repeat(length));
        let tree = html::parse(&page, Options::new()).tree;
        links(tree.root(), &document).next().unwrap().url.path().len()
    };
    // A base may have 2,048 bytes, including the scheme, the host and the two slashes of its path.
    assert_eq!((path_length(2027), path_length(2028)), (2030, 4));
}

#[test]
fn encodes_queries_in_the_encoding_of_the_page() {
    let cases: [(&str, &[u8], &str); 6] = [
        ("windows-1252", b"?\xE9\x80#\xE9", "?%E9%80#%C3%A9"),
        ("windows-1252", b"/\xE9?&#x3b1;&amp;", "%C3%A9?%26%23945%3B&"),
        ("shift_jis", b"?\x83\x5c<", "?%83\\%3C"),
        ("iso-2022-jp", b"?\x1B$B$\"\x1B(Ba&#xe9;", "?%1B$B$%22%1B(Ba%26%23233%3B"),
        ("utf-16le", b"?&#xe9;", "?%C3%A9"),
        ("utf-8", b"?&#xe9;", "?%C3%A9"),
    ];
    for (label, href, expected) in cases {
        let page = [b"<meta charset=", label.as_bytes(), b"><a href='", href, b"'>1</a>"].concat();
        let document = "https://example.com/".parse().unwrap();
        for size in [1, page.len()] {
            let mut parser = html::parser(Options::new());
            page.chunks(size).for_each(|chunk| parser.feed_bytes(chunk));
            let trees = [parser.finish().tree, html::parse_bytes(&page, Options::new()).tree];
            for tree in trees {
                let urls: Vec<_> = links(tree.root(), &document).map(|link| link.url).collect();
                let expected = format!("https://example.com/{expected}");
                assert_eq!(urls.iter().map(|url| url.as_str()).collect::<Vec<_>>(), [expected]);
            }
        }
    }
}
