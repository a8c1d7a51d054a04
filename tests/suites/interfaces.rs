//! Entry points, options and results that no other suite covers: encoding hints, options of token streams, fragment
//! contexts, readers, default methods of sinks, hashes.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Read, Write as _};
use std::num::NonZeroUsize;
use tabulex::Token;
use tabulex::encoding::{ByteStream, Encoding, Hints};
use tabulex::html::{self, Html};
use tabulex::tree::{
    Name, Names, Namespace, NodeId, ShadowRootMode, SinkAttribute, Tree, TreeSink,
};
use tabulex::xml_er::XmlEr;
use tabulex::{
    FragmentContext, Limits, Options, Parser, ReplacementLimits, Span, TokenReader, TokenRef,
    Tokenizer, Tokens, WriteNode as _, many, parse_reader,
};
use tabulex_tests::compiled::IgnoringSink;

fn encoding(label: &str) -> Encoding {
    Encoding::for_label(label).unwrap()
}

/// Each hint overrules those of lower precedence, which are added before it.
#[test]
fn encoding_hints_apply_in_order_of_precedence() {
    let name = |hints: &Hints| {
        let options = Options::new().encoding(hints.clone());
        html::parse_bytes(b"<p>\xE9", options).encoding.encoding.name()
    };
    let mut hints = Hints::new();
    assert_eq!(name(&hints), "windows-1252");
    hints = hints.locale("ru");
    assert_eq!(name(&hints), "windows-1251");
    hints = hints.fallback(encoding("iso-8859-2"));
    assert_eq!(name(&hints), "ISO-8859-2");
    hints = hints.likely(encoding("koi8-r"));
    assert_eq!(name(&hints), "KOI8-R");
    hints = hints.parent(encoding("shift_jis"));
    assert_eq!(name(&hints), "Shift_JIS");
    hints = hints.content_type("text/html; charset=big5");
    assert_eq!(name(&hints), "Big5");
    hints = hints.override_with(encoding("gbk"));
    assert_eq!(name(&hints), "GBK");
}

#[test]
fn content_types_give_the_charset_of_the_standard() {
    for (value, expected) in [
        ("text/html; charset=koi8-r", Some("KOI8-R")),
        ("text/html;CharSet=\"koi8-r\"", Some("KOI8-R")),
        ("text/html;charset=\"koi\\8-r\";charset=big5", Some("KOI8-R")),
        ("text/html;\t charset=koi8-r \t;x", Some("KOI8-R")),
        ("text/html;x;y=z; charset=koi8-r", Some("KOI8-R")),
        ("text/html;x=\"a;charset=big5\";charset=koi8-r", Some("KOI8-R")),
        ("text/html;charset=;charset=koi8-r", Some("KOI8-R")),
        ("text/html;xcharset=koi8-r", None),
        ("text/html;charset", None),
        ("charset=koi8-r", None),
        ("text/html;charset=unknown", None),
        ("text/html;x=y", None),
    ] {
        let transport = Hints::new().content_type(value).transport;
        assert_eq!(transport.map(Encoding::name), expected, "{value}");
        // A value without a known charset keeps the previous hint.
        let updated_transport =
            Hints::new().transport(encoding("big5")).content_type(value).transport;
        assert_eq!(updated_transport.map(Encoding::name), expected.or(Some("Big5")), "{value}");
    }
}

/// Returns the names of the start tags in a token stream.
fn start_tag_names(tokens: Tokens<'_, Html>) -> Vec<String> {
    let name = |token: Token<'_>| match token {
        Token::StartTag(tag) => Some(tag.name.into_owned()),
        _ => None,
    };
    tokens.filter_map(name).collect()
}

fn read_start_tag_names<const ERRORS: bool>(
    mut reader: TokenReader<'_, Html, ERRORS>,
) -> Vec<String> {
    let mut names = Vec::new();
    while let Some(token) = reader.next_token() {
        if let TokenRef::StartTag(tag) = token {
            names.push(tag.name().to_owned());
        }
    }
    names
}

#[test]
fn token_streams_follow_the_scripting_flag() {
    let input = "<noscript><b></noscript>";
    for (scripting, expected) in [(0, vec!["noscript", "b"]), (1, vec!["noscript"])] {
        let is_enabled = scripting == 1;
        assert_eq!(start_tag_names(html::tokens(input).scripting(is_enabled)), expected);
        assert_eq!(read_start_tag_names(html::read_tokens(input).scripting(is_enabled)), expected);
        // If a flag is set twice, the last value applies.
        let opposite = 1 - scripting;
        let tokens = html::tokens(input).host_flag("scripting", opposite);
        assert_eq!(start_tag_names(tokens.host_flag("scripting", scripting)), expected);
        let tokens = html::read_tokens(input).host_flag("scripting", opposite);
        assert_eq!(read_start_tag_names(tokens.host_flag("scripting", scripting)), expected);
        // The bare machine has no flags of tree construction, so setting `scripting` has no effect.
        assert_eq!(
            start_tag_names(html::raw_tokens(input).host_flag("scripting", 1)),
            ["noscript", "b"]
        );
    }
}

#[test]
fn byte_order_marks_and_replacements_follow_the_options() {
    let count_texts = |mut tokens: Tokens<'_, Html>, keeps_mark: bool| {
        if keeps_mark {
            tokens.keep_byte_order_mark();
        }
        tokens.filter(|token| matches!(token, Token::Text(..))).count()
    };
    assert_eq!(count_texts(html::tokens("\u{FEFF}<p>"), false), 0);
    assert_eq!(count_texts(html::tokens("\u{FEFF}<p>"), true), 1);

    let input = "<!DOCTYPE a [<!ENTITY e 'long text'>]><a>&e;</a>";
    for (bytes, expected) in [(9, "long text"), (8, "")] {
        let limits = ReplacementLimits::new().bytes(bytes).bytes_per_input_byte(0);
        let tokens = tabulex::xml_er::tokens(input).with_replacement_limits(limits);
        let joined: String = tokens
            .filter_map(|token| match token {
                Token::Text(text, _) => Some(text.into_owned()),
                _ => None,
            })
            .collect();
        assert_eq!(joined, expected);
        let reader = TokenReader::<XmlEr, true>::new(input);
        let mut reader = reader.with_replacement_limits(limits);
        let mut joined = String::new();
        while let Some(token) = reader.next_token() {
            if let TokenRef::Text(text, _) = token {
                joined += text;
            }
        }
        assert_eq!(joined, expected);
        let mut tokenizer =
            Tokenizer::<XmlEr>::new().with_limits(Limits::new().replacement(limits));
        let _ = tokenizer.finish_with(input, &mut IgnoringSink);
        assert_eq!(tokenizer.events().count(), usize::from(expected.is_empty()));
    }
}

#[test]
fn readers_yield_every_kind_of_token() {
    let input = "<a b='1' b='2' c='3'/><?t d?></><!--e-->&lt;f&lt;<g h='&amp;'>";
    let mut reader = TokenReader::<XmlEr, true>::new(input);
    let mut observed = Vec::new();
    while let Some(token) = reader.next_token() {
        observed.push(match token {
            TokenRef::StartTag(tag) => {
                let value = |name| tag.attribute(name).unwrap_or("none");
                let (duplicates, closing) = (tag.had_duplicate_attributes(), tag.self_closing());
                format!("{} {} {} {duplicates} {closing}", tag.name(), value("b"), value("h"))
            }
            TokenRef::ShortEndTag(span) => format!("short {}", &input[span.start..span.end]),
            TokenRef::ProcessingInstruction(instruction) => {
                format!("{} {}", instruction.target, instruction.data)
            }
            TokenRef::Comment(comment) => comment.data.to_owned(),
            TokenRef::Text(text, _) => text.to_owned(),
            other => format!("{other:?}"),
        });
    }
    let expected = ["a 1 none true true", "t d", "short </>", "e", "<f<", "g none & false false"];
    assert_eq!(observed, expected);
}

#[test]
fn contexts_provide_attributes_and_names() {
    let child_namespace = |context: FragmentContext| {
        let tree = html::parse_fragment("<g>", context, Options::new()).tree;
        let root = tree.document_element().expect("a fragment has a root");
        root.first_child().and_then(|node| node.name().map(|name| name.namespace_str().to_owned()))
    };
    let plain = FragmentContext::mathml("annotation-xml");
    let html = plain.clone().attribute("encoding", "text/HTML");
    let other = plain.clone().attribute("encoding", "text/x");
    let namespaces = [plain, other, html].map(|context| child_namespace(context).unwrap());
    let last_segments = namespaces.map(|namespace| namespace.rsplit('/').next().map(str::to_owned));
    assert_eq!(last_segments.map(Option::unwrap_or_default), ["MathML", "MathML", "xhtml"]);
    let name = |context: &str| FragmentContext::from(context).html_name().map(str::to_owned);
    assert_eq!((name("td"), name("svg td")), (Some("td".to_owned()), None));
}

/// A reader that yields a few bytes at a time, is interrupted before each read, and may fail at the end.
struct SlowReader<'a> {
    bytes: &'a [u8],
    is_interrupted: bool,
    error: Option<io::ErrorKind>,
}

impl Read for SlowReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.is_interrupted = !self.is_interrupted;
        if self.is_interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if let (true, Some(error)) = (self.bytes.is_empty(), self.error) {
            return Err(error.into());
        }
        let length = self.bytes.len().min(3).min(out.len());
        out[..length].copy_from_slice(&self.bytes[..length]);
        self.bytes = &self.bytes[length..];
        Ok(length)
    }
}

#[test]
fn readers_are_read_to_their_end() {
    let bytes = "<p>One<p>Zwölf".as_bytes();
    let hints = Hints::new().transport(Encoding::UTF_8);
    // The result is the same without a memory limit and with one that the input does not reach.
    for limits in [Limits::new(), Limits::new().bytes(1 << 20)] {
        let options = Options::new().encoding(hints.clone()).limits(limits);
        let read = |error| {
            let reader = SlowReader { bytes, is_interrupted: false, error };
            parse_reader::<Html>(reader, &options)
        };
        assert_eq!(read(None).unwrap().tree.root().text(), "OneZwölf");
        let error = read(Some(io::ErrorKind::BrokenPipe)).expect_err("reading fails");
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        let mut parser = Parser::<Html>::new(&options);
        let write_results = [parser.write(&bytes[..9]), parser.write(&bytes[9..])];
        assert_eq!(write_results.map(Result::ok), [Some(9), Some(bytes.len() - 9)]);
        assert_eq!(parser.finish().tree.root().text(), "OneZwölf");
    }
}

/// Decoding drops only the first of two byte order marks. A parser of text drops one, too, whichever input it had
/// before.
#[test]
fn byte_order_marks_are_dropped_from_text_after_bytes() {
    let mut parser = Parser::<Html>::new(&Options::new());
    let text = |parsed: tabulex::Parsed| parsed.tree.root().text();
    for _ in 0..2 {
        assert_eq!(text(parser.parse_bytes(b"\xEF\xBB\xBF\xEF\xBB\xBFx")), "\u{FEFF}x");
        assert_eq!(text(parser.parse("\u{FEFF}x")), "x");
    }
}

/// A parser that is reset in the middle of its input forgets the encoding of that input.
#[test]
fn a_reset_forgets_the_encoding() {
    let mut parser = Parser::<Html>::new(&Options::new());
    parser.feed_bytes(b"\xEF\xBB\xBFx");
    parser.reset();
    parser.feed_bytes(b"na\xEFve");
    let parsed = parser.finish_and_reset();
    assert_eq!(parsed.tree.root().text(), "na\u{EF}ve");
    assert_eq!(parsed.encoding.encoding, encoding("windows-1252"));
}

/// A reader is at its end after the last token was read, not before the first one.
#[test]
fn readers_report_their_end_after_the_last_token() {
    let mut reader = TokenReader::<Html>::new("<p>x");
    let mut ends = vec![reader.is_at_end()];
    while reader.next_token().is_some() {
        ends.push(reader.is_at_end());
    }
    ends.push(reader.is_at_end());
    assert!(ends.starts_with(&[false, false]) && ends.ends_with(&[true]), "{ends:?}");
}

/// With a known encoding, input is decoded once three bytes have arrived, enough to rule out a byte order mark.
#[test]
fn a_known_encoding_decodes_once_no_byte_order_mark_can_follow() {
    for hints in
        [Hints::new().transport(encoding("koi8-r")), Hints::new().override_with(encoding("koi8-r"))]
    {
        let mut stream = ByteStream::of::<Html>(hints);
        stream.feed(b"ab", |_| panic!("text was decoded before the third byte"));
        let mut text = String::new();
        stream.feed(b"c", |piece| text.push_str(piece));
        assert_eq!(text, "abc");
        assert_eq!(stream.choice().map(|choice| choice.encoding), Some(encoding("koi8-r")));
    }
}

/// A parser of any dialect reports when a limit drops the rest of the input, and reuses the memory of a finished tree.
#[test]
fn parsers_end_at_a_limit_and_can_be_reused() {
    for dialect in tabulex::dialects() {
        let options = Options::new().limits(Limits::new().bytes(100_000));
        let Some(mut parser) = dialect.parser(&options) else { continue };
        assert!(!parser.has_ended(), "{}: the parser has ended before any input", dialect.id());
        for _ in 0..100 {
            parser.feed(&"<i>".repeat(1_000));
        }
        assert!(
            parser.has_ended(),
            "{}: the parser has not ended at the memory limit",
            dialect.id()
        );
        let mut parser = dialect.parser(&Options::new()).unwrap();
        let input = "<i>".repeat(1_000);
        let fresh = parser.parse(&input);
        let mut recycled = fresh.tree.clone();
        recycled.shrink_to_fit();
        let capacity = recycled.heap_size();
        parser.recycle(recycled);
        // A tree's heap size includes unused capacity, so it remains large although the next tree has few nodes.
        let reparsed = parser.parse("<i>");
        assert!(
            reparsed.tree.heap_size() > capacity / 2,
            "{}: the memory of a recycled tree is not reused",
            dialect.id()
        );
        // The capacity does not grow with each recycled tree.
        let input = "<a b='c' d='e' f='g'>".repeat(100);
        let size = parser.parse(&input).tree.heap_size();
        let mut tree = reparsed.tree;
        for _ in 0..300 {
            parser.recycle(tree);
            tree = parser.parse(&input).tree;
        }
        assert!(
            tree.heap_size() < 2 * capacity.max(size),
            "{}: memory grows with each recycled tree",
            dialect.id()
        );
    }
}

#[test]
fn many_inputs_of_bytes_are_decoded() {
    let inputs = [&b"<meta charset=koi8-r>\xC1"[..], b"\xEF\xBB\xBF\xC3\xA9", b"\xE9"];
    for threads in [1, 3] {
        let mut texts = Vec::new();
        many::parse_bytes::<Html, String>(
            inputs,
            &Options::new(),
            NonZeroUsize::new(threads).unwrap(),
            |parsed| parsed.tree.root().text(),
            |text| texts.push(text),
        );
        assert_eq!(texts, ["\u{430}", "\u{E9}", "\u{E9}"]);
    }
}

#[test]
fn nodes_hash_serialize_and_compare() {
    let [one, other] = ["<p>1<b>", "<p>1<b>"].map(|input| html::parse(input, Options::new()).tree);
    let nodes: HashSet<_> = one.root().descendants().collect();
    assert_eq!(nodes.len(), one.root().descendants().count());
    assert!(one.root().descendants().all(|node| nodes.contains(&node)));
    assert!(!other.root().descendants().any(|node| nodes.contains(&node)));
    let mut tree = html::parse("<p>1<!--c--><?t d?><b a=c>2</b>", Options::new()).tree;
    let paragraph = tree.root().descendants().find(|node| node.local_name() == Some("p"));
    assert_eq!(paragraph.unwrap().children_to_json(), r#"["1",["b",{"a":"c"},["2"]]]"#);
    let id = paragraph.unwrap().id();
    let mut serialized = String::new();
    let node = tree.node(id);
    html::serializer().write_outer(node, &mut serialized).unwrap();
    assert_eq!(serialized, "<p>1<!--c--><?t d?><b a=\"c\">2</b></p>");
    assert!(!node.is_like_normalized(&one.root()) && node.is_like_normalized(&node));
    let dump_before = tree.root().to_dump();
    tree.append_text(id, "3");
    assert_ne!(tree.root().to_dump(), dump_before);
}

/// Pages whose trees all differ: in a name, an attribute, a value, a namespace, a kind of node, or an order.
const UNEQUAL_PAGES: &[&str] = &[
    "<p>",
    "<b>",
    "<x-y>",
    "<x-z>",
    "<p id>",
    "<p class>",
    "<p id=a>",
    "<p id=b>",
    "<p id=a class=b>",
    "<p class=b id=a>",
    "<p x-y=1>",
    "<p x-z=1>",
    "<p>a",
    "<p>b",
    "<p>a<b>",
    "<b>a<p>",
    "<p><!--a-->",
    "<p><!--b-->",
    "<p><?a b?>",
    "<p><?a c?>",
    "<svg>",
    "<math>",
    "<svg><a xlink:href=a>",
    "<svg><a href=a>",
    "<svg><a xlink:title=a>",
    "<svg><p-q>",
    "<template>a",
    "<template><p>",
    "<template></template>a",
    "<!DOCTYPE html><p>",
    "",
];

/// Neither `is_like` nor `is_like_normalized` holds for trees that differ in one respect.
#[test]
fn trees_that_differ_in_one_respect_are_unequal() {
    let trees: Vec<_> =
        UNEQUAL_PAGES.iter().map(|page| html::parse(page, Options::new()).tree).collect();
    for (one, page) in trees.iter().zip(UNEQUAL_PAGES) {
        for (other, other_page) in trees.iter().zip(UNEQUAL_PAGES) {
            let (one, other) = (one.root(), other.root());
            assert_eq!(one.is_like(&other), page == other_page, "{page:?} {other_page:?}");
            assert_eq!(
                one.is_like_normalized(&other),
                page == other_page,
                "{page:?} {other_page:?}"
            );
        }
    }
    // Elements with the same known name in two namespaces differ.
    let [one, other] = [Namespace::HTML, Namespace::SVG].map(|namespace| {
        let mut tree = html::parse("<body>", Options::new()).tree;
        let body = tree.root().descendants().last().unwrap().id();
        let element = tree.create_element(namespace, "a");
        tree.append(body, element).expect("the body can contain a new element");
        tree
    });
    assert!(!one.root().is_like(&other.root()) && !one.root().is_like_normalized(&other.root()));
    // Each tree numbers the names that have no fixed number, so different names in two trees may have equal numbers,
    // and their text must be compared.
    let [one, other] =
        ["<x-y><p a-b>", "<x-z><p c-d>"].map(|page| html::parse(page, Options::new()).tree);
    assert!(!one.root().is_like(&other.root()) && !one.root().is_like_normalized(&other.root()));
}

/// A tree sink that implements only the required methods.
#[derive(Default)]
struct MinimalSink {
    names: Names,
    created: u32,
    appended: Vec<[u32; 2]>,
}

impl TreeSink for MinimalSink {
    type Node = u32;

    fn names(&mut self) -> &mut Names {
        &mut self.names
    }

    fn document(&mut self) -> u32 {
        0
    }

    fn make_element<'a, I>(&mut self, _: Name, _: I, _: Option<Span>) -> u32
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        self.created += 1;
        self.created
    }

    fn make_comment(&mut self, _: &str, _: Span) -> u32 {
        0
    }

    fn make_processing_instruction(&mut self, _: &str, _: &str, _: Span) -> u32 {
        0
    }

    fn make_doctype(&mut self, _: &str, _: Option<&str>, _: Option<&str>, _: Span) -> u32 {
        0
    }

    fn append_node(&mut self, parent: u32, child: u32) {
        self.appended.push([parent, child]);
    }

    fn insert_node_before(&mut self, _: u32, _: u32) {}
    fn append_characters(&mut self, _: u32, _: &str, _: Span) {}
    fn insert_characters_before(&mut self, _: u32, _: &str, _: Span) {}
    fn remove_from_parent(&mut self, _: u32) {}
    fn reparent_children(&mut self, _: u32, _: u32) {}

    fn parent_of(&self, node: u32) -> Option<u32> {
        self.appended.iter().find(|[_, child]| *child == node).map(|[parent, _]| *parent)
    }

    fn add_missing_attributes<'a, I>(&mut self, _: u32, _: I)
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
    }
}

/// With a sink that lacks shadow roots, patching and restarts, templates contain their contents as children.
#[test]
fn a_minimal_sink_parses_without_shadow_roots() {
    let options = Options::new().declarative_shadow_roots(true);
    let mut parser = html::Parser::with_sink(MinimalSink::default(), &options);
    // The sink numbers its nodes: 0 is the document, 1 to 3 are html, head and body, 4 is the host, 5 the template, and
    // 6 the `p` in it.
    parser.feed("<body><div><template shadowrootmode=open><p></template></div>");
    let mut sink = parser.finish().tree;
    assert_eq!(sink.appended, [[0, 1], [1, 2], [1, 3], [3, 4], [4, 5], [5, 6]]);
    assert!(!sink.attach_shadow_root(4, 5, ShadowRootMode::Open));
    assert!(!sink.has_equal_attributes(4, 4));
    assert!(sink.restart().is_none());
    assert_eq!(sink.make_element_like(4, None), 4);
}

/// Text that occurs verbatim in the input is borrowed; other text is copied.
#[test]
fn tokens_borrow_verbatim_text() {
    let input = "<p id=a class='b c'>text<!--c-->a&amp;b";
    let is_borrowed = |text: &Cow<'_, str>| {
        let Cow::Borrowed(text) = text else { return false };
        input.as_bytes().as_ptr_range().contains(&text.as_ptr())
    };
    let mut borrowed = Vec::new();
    for token in html::tokens(input) {
        match token {
            Token::StartTag(tag) => {
                borrowed.push(is_borrowed(&tag.name));
                let names_and_values = tag.attributes.iter().flat_map(|it| [&it.name, &it.value]);
                borrowed.extend(names_and_values.map(is_borrowed));
            }
            Token::Text(text, _) | Token::Comment(text, _) => borrowed.push(is_borrowed(&text)),
            _ => {}
        }
    }
    assert_eq!(borrowed, [true, true, true, true, true, true, true, false]);
}

#[test]
fn set_inner_respects_an_enclosing_form() {
    let mut tree = html::parse("<form><div></div></form><div></div>", Options::new()).tree;
    let nodes: Vec<_> = tree.root().descendants().collect();
    let div_ids = nodes.iter().filter(|node| node.is_html("div")).map(|node| node.id());
    let [inside, outside]: [NodeId; 2] = div_ids.collect::<Vec<_>>().try_into().unwrap();
    for node in [inside, outside] {
        html::set_inner(&mut tree, node, "<form><p>", &Options::new()).unwrap();
    }
    // A form cannot contain another, so the tag `<form>` is ignored in the `div` inside a form.
    assert_eq!(tree.node(inside).to_dump(), "| <div>\n|   <p>\n");
    assert_eq!(tree.node(outside).to_dump(), "| <div>\n|   <form>\n|     <p>\n");
}

#[test]
fn elements_record_duplicate_attributes() {
    let tree = html::parse("<p a=1 a=2><b a><i a b a>", Options::new()).tree;
    let with_duplicates = tree.root().descendants().filter(|node| node.had_duplicate_attributes());
    let with_duplicates: Vec<_> = with_duplicates.filter_map(|node| node.local_name()).collect();
    assert_eq!(with_duplicates, ["p", "i"]);
}

/// Text directly in the serialized node is escaped as in the element passed to `within`; deeper text as in its own
/// parent.
#[test]
fn text_serializes_by_its_parent_element() {
    let mut tree = Tree::new();
    let fragment = tree.create_fragment();
    tree.append_text(fragment, "a<b");
    for name in ["b", "script"] {
        let node = tree.create_element(Namespace::HTML, name);
        tree.append_text(node, "c<d");
        tree.append(fragment, node).expect("a fragment can contain a new element");
    }
    let root = tree.node(fragment);
    let serialize = |within: &str| html::serializer().within(within).inner(root);
    let children = "<b>c&lt;d</b><script>c<d</script>";
    assert_eq!(serialize("script"), format!("a<b{children}"));
    assert_eq!(serialize("div"), format!("a&lt;b{children}"));
}

/// The context element of a fragment gets no shadow root: the template stays in it.
#[test]
fn a_context_element_gets_no_shadow_root() {
    let options = Options::new().declarative_shadow_roots(true);
    let template = "<template shadowrootmode=open>x</template>";
    let tree = html::parse_fragment(template, "div", options.clone()).tree;
    let count_hosts =
        |tree: &Tree| tree.root().descendants().filter(|node| node.shadow_root().is_some()).count();
    let first_child = tree.document_element().and_then(|root| root.first_child());
    assert!(
        count_hosts(&tree) == 0
            && first_child.is_some_and(|first_child| first_child.is_html("template"))
    );
    let tree = html::parse_fragment(&format!("<p>{template}</p>"), "div", options).tree;
    assert_eq!(count_hosts(&tree), 1);
}

/// Names of different trees are compared as text, even if both trees give them the same number.
#[test]
fn names_of_different_trees_compare_as_text() {
    let tree_with_namespaces = |namespaces: &[&str]| {
        let mut tree = Tree::new();
        let namespace = namespaces.iter().map(|name| tree.names_mut().namespace(name)).last();
        let element = tree.create_element(namespace.unwrap(), "a");
        (tree, element)
    };
    let [(one, a), (same, b), (later, c), (other, d)] = [
        tree_with_namespaces(&["urn:x"]),
        tree_with_namespaces(&["urn:x"]),
        tree_with_namespaces(&["urn:y", "urn:x"]),
        tree_with_namespaces(&["urn:y"]),
    ];
    let name = |tree: &Tree, node| tree.node(node).name().unwrap().to_string();
    assert_eq!(name(&one, a), "a");
    let elements = [&one, &same, &later, &other].into_iter().zip([a, b, c, d]);
    let are_equal: Vec<bool> =
        elements.map(|(tree, node)| tree.node(node).name() == one.node(a).name()).collect();
    assert_eq!(are_equal, [true, true, true, false]);
}
