//! Serialization and parsing: trees of plain elements round-trip, and XML is free of errors. By the standard, other
//! trees need not round-trip.

use super::Target;
use super::trees::HTML;
use crate::feedback::note;
use crate::input_reader::InputReader;
use tabulex::tree::{Edge, Namespace, NodeKind, NodeRef, Tree};
use tabulex::{Options, Parsed, WriteNode as _, xml_er};
use tabulex_tests::nodes;

pub(super) const TARGET: Target = Target {
    name: "serialize",
    about: "trees as HTML, XML and JSON, and parsed again",
    choices: 2,
    piece: super::trees::piece,
    run,
};

/// Names of elements that round-trip at any position, as no row treats them differently by position.
const PLAIN_ELEMENTS: &[&str] = &[
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
    let html = serializer.inner(parsed.tree.root());
    for node in parsed.tree.root().descendants() {
        note((node.local_name(), node.parent().and_then(|parent| parent.local_name())));
    }
    let reparsed = parse(&html);
    let tree_lines = |parsed: &Parsed| parsed.tree.document_element().map(nodes::lines);
    if is_plain(&parsed.tree) {
        note("plain");
        let (before, after) =
            (tree_lines(&parsed).unwrap_or_default(), tree_lines(&reparsed).unwrap_or_default());
        if let Some(difference) = nodes::difference(&before, &after) {
            panic!("{text:?}, written as {html:?}, is parsed as another tree\n{difference}");
        }
    }
    assert_xml_round_trip(&parsed.tree);
    let json = parsed.tree.root().to_json();
    // `IgnoredAny` discards the values, so that deserialization does not recurse as deeply as the tree nests.
    let json_result = serde_json::from_str::<serde::de::IgnoredAny>(&json);
    assert!(json_result.is_ok(), "invalid JSON: {json_result:?}: {json}");
}

/// Whether a tree must round-trip: all its elements are plain, no text is affected by newline normalization, and no
/// script or style contains `<!--`, which can hide its end tag.
fn is_plain(tree: &Tree) -> bool {
    let has_carriage_return = |text: Option<&str>| text.is_some_and(|text| text.contains('\r'));
    tree.root().descendants().all(|node| match node.kind() {
        NodeKind::Element => {
            let has_plain_name =
                node.local_name().is_some_and(|name| PLAIN_ELEMENTS.contains(&name));
            has_plain_name
                && node.namespace() == Some(Namespace::HTML)
                && node.shadow_root().is_none()
                && node.attributes().all(|attribute| !has_carriage_return(Some(attribute.value())))
        }
        _ => {
            let parent = node.parent().and_then(|parent| parent.local_name());
            let is_raw_text = matches!(parent, Some("script" | "style"));
            let can_hide_end_tag = |text: &str| is_raw_text && text.contains("<!--");
            let data = node.data();
            !(has_carriage_return(data) || data.is_some_and(can_hide_end_tag))
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
    let xml = element.to_xml();
    let parsed = xml_er::parse(&xml, Options::new());
    assert!(parsed.errors.is_empty(), "{:?} in {xml:?}", parsed.errors);
    let reparsed = parsed.tree.document_element().map(|element| element.to_xml());
    if !tree
        .root()
        .walk_with_contents()
        .any(|edge| matches!(edge, Edge::Open(node) if is_dropped(node)))
    {
        assert_eq!(reparsed.as_deref(), Some(&xml[..]), "XML after a round trip");
    }
}
