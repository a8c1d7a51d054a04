//! Tests of invalid arguments, which must not cause a panic: names and elements of other trees, ranges that end before
//! they start, and readers that report wrong lengths. A fuzz target tests invalid ids of nodes.

#![cfg(all(feature = "html", feature = "xml-er"))]

use std::io;
use tabulex::tree::{HierarchyError, Name, Namespace, NodeId, Tree, TreeOptions};
use tabulex::{
    Adjacent, FragmentContext, Fragments, Limits, Options, Span, WriteNode as _, html, xml_er,
};

/// Returns the first element with this local name.
fn element(tree: &Tree, name: &str) -> NodeId {
    let mut nodes = tree.root().descendants();
    nodes.find(|node| node.local_name() == Some(name)).unwrap().id()
}

#[test]
fn names_of_another_tree_resolve_to_other_or_empty_names() {
    let mut other_tree = Tree::new();
    let last_local =
        (0..5000).map(|number| other_tree.names_mut().local(&format!("n{number}"))).last();
    let namespace = (0..50).map(|n| other_tree.names_mut().namespace(&format!("urn:{n}"))).last();
    let (last_local, namespace) = last_local.zip(namespace).expect("neither range is empty");
    let qualified = other_tree.names_mut().qualified(namespace, "p", last_local);
    let html_name = Name::new(Namespace::HTML, last_local);
    let mut tree = html::parse("<p>1", Options::new()).tree;
    let p = element(&tree, "p");
    for name in [html_name, qualified] {
        let created_element = tree.create_named_element(name);
        tree.append(p, created_element).expect("an element can have children");
        tree.set_named_attribute(p, name, "v");
        assert_eq!(tree.node(created_element).local_name(), Some(""));
    }
    assert_eq!(html::serializer().outer(tree.node(p)), "<p =\"v\" =\"v\">1<></><></></p>");
    assert!(tree.root().to_dump().contains('1') && tree.root().to_xml().contains('1'));
}

#[test]
fn accepts_html_elements_of_other_dialects_as_context() {
    let page = "<x xmlns='urn:x'><p xmlns='http://www.w3.org/1999/xhtml'>1</p></x>";
    let mut tree = xml_er::parse(page, Options::new()).tree;
    let p = element(&tree, "p");
    let context = FragmentContext::of(tree.node(p)).expect("`p` is an HTML element");
    assert_eq!(context.html_name(), Some("p"));
    html::set_inner(&mut tree, p, "<b>2", &Options::new()).expect("`p` is an HTML element");
    assert_eq!(html::serializer().inner(tree.node(p)), "<b>2</b>");
    let x = element(&tree, "x");
    let result = html::set_inner(&mut tree, x, "3", &Options::new());
    assert_eq!(result.err(), Some(HierarchyError::NotAParent));
}

#[test]
fn rejects_markup_of_dialects_without_fragments() {
    let mut tree = html::parse("<p>1", Options::new()).tree;
    let (p, options) = (element(&tree, "p"), Options::new());
    let original = tree.clone();
    let fragments = Fragments::of::<xml_er::XmlEr>();
    let inner_result = fragments.set_inner(&mut tree, p, "<b>2</b>", &options);
    let outer_result = fragments.set_outer(&mut tree, p, "<b>2</b>", &options);
    let position = Adjacent::AfterEnd;
    let adjacent_result = fragments.insert_adjacent(&mut tree, p, position, "<b>2</b>", &options);
    for result in [inner_result, outer_result, adjacent_result] {
        assert_eq!(result.err(), Some(HierarchyError::NoFragments));
    }
    assert!(tree == original);
}

#[test]
fn treats_reversed_ranges_as_empty() {
    let span = Span::new(5, 2);
    assert_eq!((span.len(), span.is_empty(), span.get("abcdefgh")), (0, true, None));
}

#[test]
fn allocates_nothing_for_claimed_lengths() {
    for length in [usize::MAX, usize::MAX / 2] {
        let mut tree = Tree::with_options(TreeOptions::new().input_length(length));
        let (document, p) = (tree.document(), tree.create_element(Namespace::HTML, "p"));
        tree.append(document, p).expect("a document can have an element");
        assert_eq!(tree.root().to_dump(), "| <p>\n");
    }
}

/// A reader that reports more bytes than fit in the buffer.
struct OverreportingReader;

impl io::Read for OverreportingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(buffer.len() + 1)
    }
}

#[test]
fn rejects_readers_that_report_wrong_lengths() {
    // With a small limit on bytes, the reader is read in chunks, whose lengths tabulex itself must check.
    let options = Options::new().limits(Limits::new().bytes(1 << 20));
    let error = html::parse_reader(OverreportingReader, options);
    let error = error.expect_err("the reported length is wrong");
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
}
