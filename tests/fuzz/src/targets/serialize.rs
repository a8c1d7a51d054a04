//! Serialization and parsing: trees of plain elements round-trip, and XML is free of errors. By the standard, other
//! trees need not round-trip.

use super::Target;
use super::trees::HTML;
use crate::feedback::note;
use crate::input_reader::InputReader;
use tabulex::tree::{Edge, Namespace, NodeKind, NodeRef, Tree};
use tabulex::{Options, Parsed, xml_er};
use tabulex_tests::nodes;

pub(super) const TARGET: Target = Target {
    name: "serialize",
    about: "trees as HTML, XML and JSON, and parsed again",
    choices: 2,
    piece: super::trees::piece,
    run,
};

/// Names of elements that round-trip anywhere, as no row treats them by their position.
const PLAIN: &[&str] = &[
    "html", "head", "body", "div", "section", "article", "main", "aside", "span", "abbr", "cite",
    "kbd", "x-y", "title", "style", "script", "br", "img", "wbr", "hr",
];

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let dialect = *reader.pick(&HTML);
    let flags = reader.byte();
    let text = reader.into_text();
    let scripting = flags % 2 == 1;
    let options = Options::new().scripting(scripting).declarative_shadow_roots(flags / 2 % 2 == 1);
    let parse = |text: &str| dialect.parser(&options).unwrap().parse(text);
    let parsed = parse(&text);
    let serializer = dialect.serializer().unwrap().scripting(scripting);
    let written = serializer.inner(parsed.tree.root());
    for node in parsed.tree.root().descendants() {
        note((node.local_name(), node.parent().and_then(|parent| parent.local_name())));
    }
    let reparsed = parse(&written);
    let lines = |parsed: &Parsed| parsed.tree.document_element().map(nodes::lines);
    if is_plain(&parsed.tree) {
        note("plain");
        let (before, after) =
            (lines(&parsed).unwrap_or_default(), lines(&reparsed).unwrap_or_default());
        if let Some(difference) = nodes::difference(&before, &after) {
            panic!("{text:?} is written as {written:?}\n{difference}");
        }
    }
    assert_xml_round_trip(&parsed.tree);
    let json = parsed.tree.root().to_json();
    // Values are ignored, so that the reader does not recurse on the depth of the tree.
    let read = serde_json::from_str::<serde::de::IgnoredAny>(&json);
    assert!(read.is_ok(), "invalid JSON: {read:?}: {json}");
}

/// Whether a tree must round-trip: all its elements are plain, no text is affected by newline normalization, and no
/// script or style contains `<!--`, which can hide its end tag.
fn is_plain(tree: &Tree) -> bool {
    let has_return = |text: Option<&str>| text.is_some_and(|text| text.contains('\r'));
    tree.root().descendants().all(|node| match node.kind() {
        NodeKind::Element => {
            let is_known = node.local_name().is_some_and(|name| PLAIN.contains(&name));
            is_known
                && node.namespace() == Some(Namespace::HTML)
                && node.shadow_root().is_none()
                && node.attributes().all(|attribute| !has_return(Some(attribute.value())))
        }
        _ => {
            let parent = node.parent().and_then(|parent| parent.local_name());
            let is_literal = matches!(parent, Some("script" | "style"));
            let hides_end = |text: &str| is_literal && text.contains("<!--");
            let data = node.data();
            !(has_return(data) || data.is_some_and(hides_end))
        }
    })
}

/// Asserts that the XML of the document element parses without errors, and round-trips unless an instruction contains a
/// question mark, which XML-ER drops.
fn assert_xml_round_trip(tree: &Tree) {
    let is_dropped = |node: NodeRef<'_>| {
        let is_instruction = node.kind() == NodeKind::ProcessingInstruction;
        is_instruction && node.data().is_some_and(|data| data.contains('?'))
    };
    let Some(element) = tree.document_element() else { return };
    let written = element.to_xml();
    let parsed = xml_er::parse(&written, Options::new());
    assert!(parsed.errors.is_empty(), "{:?} in {written:?}", parsed.errors);
    let reparsed = parsed.tree.document_element().map(|element| element.to_xml());
    if !tree
        .root()
        .walk_with_contents()
        .any(|edge| matches!(edge, Edge::Open(node) if is_dropped(node)))
    {
        assert_eq!(reparsed.as_deref(), Some(&written[..]), "XML after a round trip");
    }
}
