//! Tests of behavior outside the HTML parser's section of the standard: attribute names and markup insertion (DOM and
//! HTML), byte order marks and undeclared encodings (Encoding), scripting, and limits, which no standard defines.

use tabulex::encoding::{Encoding, Hints};
use tabulex::html::{self, Html, Token};
use tabulex::rewrite::{Rewriter, Rules, rewrite_bytes, rewrite_str};
use tabulex::tree::{HierarchyError, NodeId, NodeRef, Tree};
use tabulex::xml_er::XmlEr;
use tabulex::{Adjacent, FragmentContext, Options, Parsed, Span, parse_reader};

fn tree(page: &str) -> Tree {
    html::parse(page, Options::new()).tree
}

fn id(tree: &Tree, id: &str) -> NodeId {
    tree.element_by_id(id).unwrap().id()
}

/// Serializes the whole tree, including shadow roots.
fn serialize_tree(tree: &Tree) -> String {
    html::serializer().serializable_shadow_roots(true).inner(tree.root())
}

/// Tests DOM's "get an attribute by name" and "set an attribute value": on HTML elements, names are converted to lower
/// case.
#[test]
fn lowercases_attribute_names_of_html_elements() {
    let mut page = tree("<p id=p onclick=x><svg id=s viewBox=y>");
    let (p, svg) = (id(&page, "p"), id(&page, "s"));
    assert_eq!(page.node(p).attribute("onClick"), Some("x"));
    page.set_attribute(p, "ONCLICK", "z").unwrap();
    page.set_attribute(p, "Data-X", "1").unwrap();
    page.set_attribute(svg, "Data-X", "1").unwrap();
    assert_eq!(page.node(svg).attribute("viewbox"), None);
    assert!(!page.remove_attribute(svg, "VIEWBOX"));
    let names = |node: NodeRef<'_>| {
        node.attributes().map(|attribute| attribute.name().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(page.node(p)), ["id", "onclick", "data-x"]);
    assert_eq!(names(page.node(svg)), ["id", "viewBox", "Data-X"]);
    assert!(page.remove_attribute(p, "onClick") && !page.remove_attribute(p, "onClick"));
    // In an XML document, names of attributes are not converted to lower case.
    let xml = "<p xmlns='http://www.w3.org/1999/xhtml' onClick='x' onclick='y'/>";
    let mut xml = tabulex::parse::<XmlEr>(xml, &Options::new()).tree;
    let p = xml.document_element().unwrap().id();
    assert_eq!(xml.node(p).attribute("onClick"), Some("x"));
    assert!(xml.remove_attribute(p, "onClick"));
    assert_eq!(xml.node(p).attribute("onclick"), Some("y"));
}

/// Tests DOM's "valid attribute local name".
#[test]
fn rejects_invalid_attribute_names() {
    let mut page = tree("<p id=p>");
    let p = id(&page, "p");
    for invalid_name in
        ["", "A b", "a\tb", "a\nb", "a\x0Cb", "a\rb", "a\0b", "a/b", "a=b", "=", "a>b", " "]
    {
        let error = page.set_attribute(p, invalid_name, "x").expect_err("the name is invalid");
        assert_eq!(error.name, invalid_name);
    }
    assert_eq!(serialize_tree(&page), "<html><head></head><body><p id=\"p\"></p></body></html>");
    for valid_name in ["a<b", "\"", "'", "\u{A0}", "1", "@click", ":a", "a\x0Bb"] {
        page.set_attribute(p, valid_name, "x").unwrap();
        assert_eq!(page.node(p).attribute(valid_name), Some("x"), "{valid_name:?}");
    }
}

/// Tests HTML's "insertAdjacentHTML()": in `html`, and where the context is not an element, markup is parsed as in a
/// `body`.
#[test]
fn markup_beside_head_and_body_creates_neither() {
    for (element, position, expected) in [
        ("h", Adjacent::AfterEnd, "<head id=\"h\"></head>y<p>x</p><body id=\"b\"></body>"),
        ("b", Adjacent::BeforeBegin, "<head id=\"h\"></head>y<p>x</p><body id=\"b\"></body>"),
        ("b", Adjacent::AfterEnd, "<head id=\"h\"></head><body id=\"b\"></body>y<p>x</p>"),
        ("r", Adjacent::AfterBegin, "y<p>x</p><head id=\"h\"></head><body id=\"b\"></body>"),
        ("r", Adjacent::BeforeEnd, "<head id=\"h\"></head><body id=\"b\"></body>y<p>x</p>"),
    ] {
        let mut page = tree("<html id=r><head id=h></head><body id=b>");
        let element = id(&page, element);
        html::insert_adjacent(&mut page, element, position, "y<p>x", &Options::new()).unwrap();
        assert_eq!(html::serializer().inner(page.document_element().unwrap()), expected);
    }
}

/// Tests HTML's "outerHTML" and "insertAdjacentHTML()": if the parent is a fragment, the context is a `body`.
#[test]
fn inserts_markup_into_template_contents_and_shadow_roots() {
    for (start, end) in [
        ("<template>", "</template>"),
        (
            "<div><template shadowrootmode=\"open\" shadowrootserializable=\"\">",
            "</template></div>",
        ),
    ] {
        let page = format!("{start}<p id=x>{end}");
        let mut page = html::parse(&page, Options::new().declarative_shadow_roots(true)).tree;
        let mut nodes = page.root().descendants_with_contents();
        let node = nodes.find(|node| node.attribute("id") == Some("x"));
        let node = node.unwrap().id();
        let options = Options::new();
        html::insert_adjacent(&mut page, node, Adjacent::BeforeBegin, "1<td><i>2", &options)
            .unwrap();
        html::insert_adjacent(&mut page, node, Adjacent::AfterEnd, "<tr>4", &options).unwrap();
        html::set_outer(&mut page, node, "3<!--c-->", &options).unwrap();
        assert!(
            serialize_tree(&page).contains(&format!("{start}1<i>2</i>3<!--c-->4{end}")),
            "{}",
            serialize_tree(&page)
        );
    }
    // `set_outer` does not replace a node whose parent is the document.
    let mut page = tree("");
    let root = page.document_element().unwrap().id();
    let error = html::set_outer(&mut page, root, "x", &Options::new()).err();
    assert_eq!(error, Some(HierarchyError::NotAParent));
}

/// Tests Encoding's "decode": a byte order mark is not part of the document, but ranges count it, as they index the
/// input.
#[test]
fn ranges_count_a_byte_order_mark() {
    let page = "\u{FEFF}<p id=a>x</p>";
    let bytes = page.as_bytes();
    let spans = |parsed: &Parsed| {
        let p = parsed.tree.element_by_id("a").unwrap();
        let text = p.first_child().unwrap();
        assert_eq!(parsed.tree.root().text(), "x");
        let spans = [p.span(), p.end_tag_span(), text.span()];
        spans.map(|span| span.map(|span| (span.start, span.end)))
    };
    let expected = [Some((3, 11)), Some((12, 16)), Some((11, 12))];
    let options = Options::new;
    assert_eq!(spans(&html::parse(page, options())), expected);
    assert_eq!(spans(&html::parse_bytes(bytes, options())), expected);
    assert_eq!(spans(&html::parse_reader(bytes, options()).unwrap()), expected);
    for size in [1, 2, 3, 4, 100] {
        let (mut byte_parser, mut text_parser) = (html::parser(options()), html::parser(options()));
        bytes.chunks(size).for_each(|chunk| byte_parser.feed_bytes(chunk));
        page.chars().for_each(|character| text_parser.feed(character.encode_utf8(&mut [0; 4])));
        assert_eq!(spans(&byte_parser.finish()), expected, "{size}");
        assert_eq!(spans(&text_parser.finish()), expected);
    }
    let with_limit = options().limits(tabulex::Limits::new().bytes(1 << 20));
    assert_eq!(spans(&html::parse_bytes(bytes, with_limit)), expected);
    let tag_spans = html::tokens(page).filter_map(|token| match token {
        Token::StartTag(tag) => Some(tag.span),
        _ => None,
    });
    assert_eq!(tag_spans.collect::<Vec<_>>(), [Span::new(3, 11)]);
    // The ranges of a UTF-16 input index the decoded text, which also begins with the mark.
    let bytes: Vec<u8> = page.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let parsed = html::parse_bytes(&bytes, options());
    assert_eq!(spans(&parsed), expected);
    let text = tabulex::encoding::decode(&bytes, parsed.encoding.encoding);
    assert_eq!(&text[3..11], "<p id=a>");
    let offsets = tabulex::encoding::Offsets::new(&bytes, parsed.encoding.encoding);
    assert_eq!(offsets.original(Span::new(3, 11)), Span::new(2, 18));
    // gb18030 has no byte order mark, so a leading U+FEFF is an ordinary character.
    let hints = Hints::new().transport(Encoding::for_label("gb18030").unwrap());
    let parsed = html::parse_bytes(b"\x84\x31\x95\x33x", options().encoding(hints));
    assert_eq!(parsed.tree.root().text(), "\u{FEFF}x");
}

/// Tests HTML's "parsing HTML fragments": the input is a string, so that a byte order mark is an ordinary character.
#[test]
fn fragments_keep_a_byte_order_mark() {
    let text = |parsed: Parsed| parsed.tree.root().text();
    assert_eq!(text(html::parse_fragment("\u{FEFF}x", "div", Options::new())), "\u{FEFF}x");
    let mut chunk_parser =
        html::Parser::new_fragment(&FragmentContext::from("div"), &Options::new());
    for chunk in ["\u{FEFF}", "x"] {
        chunk_parser.feed(chunk);
    }
    assert_eq!(text(chunk_parser.finish()), "\u{FEFF}x");
    let mut page = tree("<p id=p><b id=b>");
    let (p, b) = (id(&page, "p"), id(&page, "b"));
    html::set_inner(&mut page, b, "\u{FEFF}1", &Options::new()).unwrap();
    html::insert_adjacent(&mut page, b, Adjacent::AfterEnd, "\u{FEFF}2", &Options::new()).unwrap();
    html::set_outer(&mut page, b, "\u{FEFF}0", &Options::new()).unwrap();
    assert_eq!(page.node(p).text(), "\u{FEFF}0\u{FEFF}2");
    // Bytes, unlike text, are decoded even for a fragment, which removes one mark.
    let mut byte_parser =
        html::Parser::new_fragment(&FragmentContext::from("div"), &Options::new());
    byte_parser.feed_bytes(b"\xEF\xBB\xBF\xEF\xBB\xBFx");
    assert_eq!(text(byte_parser.finish()), "\u{FEFF}x");
}

/// Tests HTML's "scripting is enabled for a node": it is not in template contents, as their document has no browsing
/// context.
#[test]
fn serializes_template_contents_without_scripting() {
    let page =
        "<noscript><b>1</noscript><template><noscript><b>2</noscript><template><noscript><b>3";
    let page = html::parse(page, Options::new().scripting(true)).tree;
    let serializer = html::serializer().scripting(true);
    let expected =
        "<noscript>&lt;b&gt;2</noscript><template><noscript>&lt;b&gt;3</noscript></template>";
    let template = page.root().descendants().find(|node| node.is_html("template"));
    let template = template.unwrap();
    assert_eq!(serializer.inner(template), expected);
    let contents = template.template_contents().expect("a template has contents");
    assert_eq!(serializer.inner(contents), expected);
    let whole = format!(
        "<html><head><noscript><b>1</noscript><template>{expected}</template></head><body></body></html>"
    );
    assert_eq!(serializer.inner(page.root()), whole);
    let shadow_page = "<div><template shadowrootmode=open shadowrootserializable><noscript><b>4</noscript></template></div>";
    let options = Options::new().scripting(true).declarative_shadow_roots(true);
    let page = html::parse(shadow_page, options).tree;
    assert!(
        serializer
            .serializable_shadow_roots(true)
            .inner(page.root())
            .contains("<noscript><b>4</noscript>")
    );
}

/// Tests that nodes flattened into siblings by the depth limit stay in input order.
#[test]
fn flattening_keeps_tree_order() {
    let fragments = [
        "a<br>b",
        "a<img>b",
        "a<input>b",
        "a<hr>b",
        "a<wbr>b",
        "a<link>b",
        "a<svg/>b",
        "a<b>1</b>c",
        "<b>1<i>2</i>3</b>4",
        "a<!--1--><br><!--2-->b<?p 3?>",
        "a<p>1<p>2</p>b",
        "<b>1<br>2<br>3</b>4<br>5",
        "<template>1<br>2</template>3",
        "<i>1</i><u>2<s>3</s>4</u>5<br>6",
    ];
    // Returns the start tags and texts in tree order. Leaves out `div`, which only one of the compared pages has, and
    // the elements that every page has, because some fragments begin in the head of one page and in the body of the
    // other.
    let order = |tree: &Tree| {
        let nodes = tree.root().descendants_with_contents();
        let markup = nodes.filter_map(|node| match node.local_name() {
            Some("div" | "html" | "head" | "body") => None,
            Some(name) => Some(format!("<{name}>")),
            None => node.data().map(str::to_owned),
        });
        markup.collect::<String>()
    };
    for fragment in fragments {
        let expected = order(&html::parse(fragment, Options::new()).tree);
        for depth in 3..9 {
            for limit in 4..9 {
                let page = "<div>".repeat(depth) + fragment;
                for size in [1, page.len()] {
                    let mut parser = html::parser(Options::new().depth_limit(limit));
                    page.as_bytes()
                        .chunks(size)
                        .for_each(|chunk| parser.feed(std::str::from_utf8(chunk).unwrap()));
                    let parsed = parser.finish();
                    assert_eq!(
                        order(&parsed.tree),
                        expected,
                        "{depth} {limit} {fragment}: {}",
                        serialize_tree(&parsed.tree)
                    );
                }
            }
        }
    }
    let xml = "<a>".repeat(6) + "1<b/>2<b>3<c/>4</b>5<!--6--><?p 7?>8";
    let parsed = tabulex::parse::<XmlEr>(&xml, &Options::new().depth_limit(4));
    assert_eq!(parsed.tree.root().text(), "123458");
}

/// Tests the detection of UTF-8 in all interfaces, to which the standards leave the encoding of undeclared bytes.
#[test]
fn detects_undeclared_utf_8() {
    let page = b"<p>Caf\xC3\xA9</p>";
    let read = |options: Options| {
        let whole = html::parse_bytes(page, options.clone());
        let reader = parse_reader::<Html>(&page[..], &options).unwrap();
        let mut chunk_parser = html::parser(options);
        page.chunks(1).for_each(|chunk| chunk_parser.feed_bytes(chunk));
        let documents = [whole, reader, chunk_parser.finish()];
        documents.map(|parsed| (parsed.tree.root().text(), parsed.encoding.encoding.name()))
    };
    let in_all_interfaces = |text: &str, encoding| [(); 3].map(|()| (text.to_owned(), encoding));
    assert_eq!(read(Options::new()), in_all_interfaces("Caf\u{E9}", "UTF-8"));
    let standard_hints = Hints::new().autodetect(false);
    let standard_options = Options::new().encoding(standard_hints.clone());
    assert_eq!(read(standard_options), in_all_interfaces("Caf\u{C3}\u{A9}", "windows-1252"));
    // The handler doubles texts, so that the output shows how they were decoded and encoded.
    let rewrite_with = |hints: &Hints, page: &[u8]| {
        let rules = || {
            let rules = Rules::new().encoding(hints.clone()).text("p", |text| {
                let doubled = text.as_str().repeat(2);
                text.replace(tabulex::rewrite::Content::Text(&doubled))?;
                Ok(())
            });
            rules.unwrap()
        };
        let whole = rewrite_bytes::<Html>(page, rules()).unwrap();
        for size in [1, 2, 3, 7, 1023, 1024, 1025] {
            let mut rewriter = Rewriter::<Html, _>::new(rules(), Vec::new()).unwrap();
            page.chunks(size).for_each(|chunk| rewriter.write(chunk).unwrap());
            assert!(rewriter.finish().unwrap() == whole, "{size}");
        }
        whole
    };
    assert_eq!(rewrite_with(&Hints::new(), page), b"<p>Caf\xC3\xA9Caf\xC3\xA9</p>");
    assert_eq!(rewrite_with(&standard_hints, page), b"<p>Caf\xC3\xA9Caf\xC3\xA9</p>");
    let padding = " ".repeat(1100);
    let padding = padding.as_bytes();
    for (content, expected) in [
        (&b"\xE9"[..], &b"\xE9\xE9"[..]),
        (b"\xC3\xA9", b"\xC3\xA9\xC3\xA9"),
        (b"\xC3", b"\xC3\xC3"),
        (b"\xE2\x82", b"\xE2\x82\xE2\x82"),
    ] {
        for before in [b"", padding] {
            let page = [before, b"<p>", content, b"</p>"].concat();
            let expected = [before, b"<p>", expected, b"</p>"].concat();
            assert_eq!(rewrite_with(&Hints::new(), &page), expected, "{}", content.escape_ascii());
        }
    }
    // UTF-8 that ends with an incomplete character is not valid, so the bytes are read in the default encoding.
    assert_eq!(rewrite_with(&Hints::new(), b"<p>x\xC3"), b"<p>x\xC3x\xC3");
}

/// Tests that rewriting enables scripting by default, as its output is for browsers.
#[test]
fn rewriting_enables_scripting_for_browsers() {
    let page = "<noscript><p title=\"</noscript><script>evil()</script>\">x";
    let rules = || {
        let rules = Rules::new().element("script", |script| {
            script.remove();
            Ok(())
        });
        rules.unwrap()
    };
    let expected = "<noscript><p title=\"</noscript>\">x";
    assert_eq!(rewrite_str::<Html>(page, rules()).unwrap(), expected);
    assert_eq!(rewrite_str::<Html>(page, rules().scripting(false)).unwrap(), page);
}
