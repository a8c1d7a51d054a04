//! Trees serialized as XML are well-formed, and are read back equally by an independent namespace-aware parser.

use roxmltree::{Document, Node, ParsingOptions};
use tabulex::tree::{Edge, NodeKind, NodeRef, Tree};
use tabulex::{Options, WriteNode as _, dialects};
use tabulex_tests::markup::{markup, names};
use tabulex_tests::random::Random;

/// Pieces of documents that are hard to express in XML.
const PIECES: &[&str] = &[
    "<a>",
    "<b c='d' e>",
    "</a>",
    "</b>",
    "</>",
    "<p:a>",
    "</p:a>",
    "<p:a p:b='1' q:b='2' b='3'>",
    "<q:r xmlns:q='u' xmlns:p='u' p:x='1' q:x='2'/>",
    "<a xmlns='v'>",
    "<a xmlns=''>",
    "<a xmlns:p=''>",
    "<a xmlns:p='w' p:='x' :p='y' p:q:r='z'>",
    "<a xmlns:='u' xmlns:q='v'>",
    "<xml:a xml:lang='b' xmlns:xml='c'>",
    "<xmlns:a xmlns:xmlns='b' xmlns:q='http://www.w3.org/2000/xmlns/' q:b=c>",
    "<a xmlns:q='http://www.w3.org/XML/1998/namespace' q:b='c'><q:d/>",
    "<1a 2b='3'>",
    "<a\u{1}\"='\u{c}'>",
    "<svg xlink:href='a' xlink:b='c' xml:lang='d' xmlns='e' xmlns:xlink='f'>",
    "<math><mi definitionurl=a>",
    "<o:p xmlns:o='urn:o'>",
    "<o:p>",
    "<template><td>x",
    "<table><p>",
    "<a xmlns='\u{1}' xmlns:p='\u{2}'>",
    "x",
    " ",
    "\n",
    "\r",
    "\u{0}",
    "\u{c}",
    "\u{fffe}",
    "]]>",
    "&amp;",
    "&lt;",
    "&#13;",
    "&#x1;",
    "\u{e4}",
    "\u{1f600}",
    "<!-- a -- b --->",
    "<!--->",
    "<?xml version='1.0'?>",
    "<?xml a?>",
    "<?a:b c?>",
    "<?a ?b? >?>",
    "<!DOCTYPE a>",
    "<!DOCTYPE a:b:c SYSTEM '\"'>",
    "<!DOCTYPE a [<!ENTITY e '<p:f p:g=\"h\"/>'>]>",
    "&e;",
    "<aU00003Ab c:d='1' cU00003Ad='2'>",
    "<a ns1:b='1' xmlns:ns1='x'>",
];

/// Contents in document order: `<` and `>` for the start and end of an element, attribute values, and texts after `"`.
type Contents = Vec<String>;

/// Returns a text with characters that XML does not allow replaced, as the serializer replaces them.
fn coerce(text: &str) -> String {
    let coerce_character = |character: char| match character {
        '\u{c}' => ' ',
        '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'.. => character,
        _ => char::REPLACEMENT_CHARACTER,
    };
    text.chars().map(coerce_character).collect()
}

/// Returns the elements, attribute values and texts of a tree, in document order.
fn tree_contents(root: NodeRef<'_>) -> Contents {
    let mut contents = Contents::new();
    for edge in root.walk_with_contents() {
        match edge {
            Edge::Open(node) => match node.kind() {
                NodeKind::Element => {
                    contents.push("<".to_owned());
                    // Namespace-aware readers such as roxmltree do not report namespace declarations as attributes.
                    let attributes = node.attributes().filter(|attribute| {
                        let name = attribute.name().to_string();
                        name != "xmlns" && (name == "xmlns:" || !name.starts_with("xmlns:"))
                    });
                    contents.extend(attributes.map(|attribute| coerce(attribute.value())));
                }
                NodeKind::Text => {
                    push_text(&mut contents, &coerce(node.data().unwrap_or_default()))
                }
                _ => {}
            },
            Edge::Close(node) if node.kind() == NodeKind::Element => contents.push(">".to_owned()),
            _ => {}
        }
    }
    contents
}

/// Appends a text, joined with a preceding one.
fn push_text(contents: &mut Contents, text: &str) {
    match contents.last_mut() {
        Some(last) if last.starts_with('"') => last.push_str(text),
        _ if text.is_empty() => {}
        _ => contents.push(format!("\"{text}")),
    }
}

fn push_document_contents(node: Node<'_, '_>, contents: &mut Contents) {
    let mut next_step = Some((node, true));
    while let Some((node, opens)) = next_step {
        if opens && node.is_element() {
            contents.push("<".to_owned());
            contents.extend(node.attributes().map(|attribute| attribute.value().to_owned()));
        } else if opens && node.is_text() {
            push_text(contents, node.text().unwrap_or_default());
        }
        next_step = match (node.first_child(), node.next_sibling()) {
            (Some(child), _) if opens => Some((child, true)),
            (_, sibling) => {
                if node.is_element() {
                    contents.push(">".to_owned());
                }
                match sibling {
                    Some(sibling) => Some((sibling, true)),
                    None => node.parent().map(|parent| (parent, false)),
                }
            }
        };
    }
}

/// Asserts that elements have equal namespaces and local names, if these are valid in XML.
fn check_names(tree: &Tree, document: &Document<'_>, is_wrapped: bool, input: &str) {
    let tree_names = tree.root().walk_with_contents().filter_map(|edge| match edge {
        Edge::Open(node) => node.name(),
        _ => None,
    });
    let elements = document.descendants().filter(Node::is_element).skip(usize::from(is_wrapped));
    for (name, element) in tree_names.zip(elements) {
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase());
        let uri = name.namespace_str();
        let is_bound = !uri.is_empty() || name.prefix().is_empty();
        let is_bound = is_bound && !uri.ends_with("XML/1998/namespace");
        if is_plain(name.local()) && is_bound && !uri.ends_with("xmlns/") && coerce(uri) == uri {
            let found =
                (element.tag_name().namespace().unwrap_or_default(), element.tag_name().name());
            assert_eq!(found, (uri, name.local()), "{input:?}");
        }
    }
}

fn check(tree: &Tree, input: &str) {
    let xml = tree.root().to_xml();
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    // The reader rejects elements with the prefix `xml`, although this prefix is always bound, so it is replaced. The
    // output contains `<xml:` and `</xml:` only at the beginning of tags.
    let readable = xml.replace("<xml:", "<xml-").replace("</xml:", "</xml-");
    let document = Document::parse_with_options(&readable, options)
        .unwrap_or_else(|error| panic!("{error}: {input:?}\n{xml}"));
    let children = || tree.root().children();
    let is_space = |node: &NodeRef<'_>| {
        node.data().is_some_and(|data| data.trim_matches([' ', '\t', '\n']).is_empty())
    };
    let element_count = children().filter(|node| node.kind() == NodeKind::Element).count();
    let has_text = children().any(|node| node.kind() == NodeKind::Text && !is_space(&node));
    let is_wrapped = element_count != 1 || has_text;
    let (mut expected, mut contents) = (tree_contents(tree.root()), Contents::new());
    push_document_contents(document.root_element(), &mut contents);
    if is_wrapped {
        assert_eq!(document.root_element().tag_name().name(), "document", "{input:?}");
        contents.remove(0);
        contents.pop();
    }
    // The reader reports no white space outside the root element, so none is expected there.
    for index in [0, expected.len().saturating_sub(1)] {
        let is_white_space = |text: &String| {
            text.starts_with('"') && text[1..].trim_matches([' ', '\t', '\n']).is_empty()
        };
        if expected.get(index).is_some_and(is_white_space) && contents.len() < expected.len() {
            expected.remove(index);
        }
    }
    assert_eq!(contents, expected, "{input:?}\n{xml}");
    check_names(tree, &document, is_wrapped, input);
}

/// A namespace is processed once, regardless of its length and the number of names in it.
#[test]
fn long_namespaces_are_read_once() {
    const NAME_COUNT: usize = 20_000;
    let namespace = "n".repeat(200_000);
    let children = "<p:b c=\"1\" p:d=\"2\"/>".repeat(NAME_COUNT);
    let input = format!("<a xmlns:p=\"{namespace}\">{children}</a>");
    let tree = tabulex::xml_er::parse(&input, Options::new()).tree;
    // Copying or comparing the namespace for each of the 40,000 names would process 8 GB.
    assert!(tree.root().to_xml() == input);
}

#[test]
fn xml_output_reads_back() {
    let mut document_count = 0;
    for dialect in dialects() {
        let mut random = Random::new(19);
        let html_names = dialect.serializer().map(|_| names("html"));
        for index in 0..1500 {
            let mut input = String::new();
            for _ in 0..1 + random.below(14) {
                input.push_str(random.pick::<&str>(PIECES));
            }
            if let Some(names) = html_names.as_ref().filter(|_| index % 3 == 0) {
                input.push_str(&markup(&mut random, names, 20));
            }
            let Some(mut parser) = dialect.parser(&Options::new()) else { continue };
            parser.feed(&input);
            check(&parser.finish_and_reset().tree, &input);
            document_count += 1;
        }
    }
    assert!(document_count >= 10_000, "only {document_count} documents");
}
