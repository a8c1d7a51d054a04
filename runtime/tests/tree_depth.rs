//! Tests of operations on deep and wide trees with a million nodes, on a small stack. Bounds on memory show that the
//! operations are linear; time is not measured.

mod support;

use support::{count, run_on_stack};
use tabulex::Span;
use tabulex::WriteNode as _;
use tabulex::tree::{
    HtmlSerializer, KnownNames, Name, Namespace, NodeId, Positions, SerializerNames, SinkAttribute,
    Tree, TreeOptions, TreeSink,
};

const NODES: usize = 1_000_000;

/// Runs a function in a thread with a stack of 64 KiB.
fn run_on_small_stack(run: fn()) {
    run_on_stack(64 * 1024, run);
}

fn chain(length: usize) -> (Tree, NodeId) {
    let mut tree = Tree::new();
    let mut parent = tree.document();
    for _ in 0..length {
        let node = tree.create_element(Namespace::HTML, "b");
        tree.append(parent, node).expect("the node can be inserted");
        parent = node;
    }
    tree.append_text(parent, "x");
    (tree, parent)
}

#[test]
fn handles_a_million_levels() {
    run_on_small_stack(|| {
        let (tree, deepest) = chain(NODES);
        let copy = tree.clone();
        assert!(tree == copy);
        assert_eq!(tree.root().descendants().count(), NODES + 1);
        assert_eq!(tree.node(deepest).ancestors().count(), NODES);
        assert_eq!(tree.root().text(), "x");
        assert_eq!(tree.root().walk().count(), 2 * (NODES + 2));
        drop(copy);
        let names = SerializerNames::default();
        let html = HtmlSerializer::new(&names);
        assert_eq!(count(|out| html.write_outer(tree.root(), out)), 7 * NODES + 1);
        let declaration_len = " xmlns=\"http://www.w3.org/1999/xhtml\"".len();
        assert_eq!(count(|out| tree.root().write_xml(out)), 7 * NODES + 1 + declaration_len);
        assert_eq!(count(|out| tree.root().write_json(out)), 11 * NODES + 3);
        assert!(count(|out| write!(out, "{tree:?}")) > 20 * NODES);
    });
}

#[test]
fn changes_nodes_at_a_million_levels() {
    run_on_small_stack(|| {
        let (mut tree, deepest) = chain(NODES);
        let outer = tree.root().first_child().unwrap().id();
        assert!(tree.append(deepest, outer).is_err());
        let fragment = tree.create_fragment();
        tree.append(fragment, outer).expect("the node can be inserted");
        tree.set_text(outer, "short");
        assert_eq!(tree.node(fragment).text(), "short");
        assert_eq!(tree.node(deepest).text(), "x");
    });
}

#[test]
fn handles_deeply_nested_templates() {
    run_on_small_stack(|| {
        let mut tree = Tree::new();
        let mut parent = tree.document();
        for _ in 0..NODES / 4 {
            let template = tree.create_element(Namespace::HTML, "t");
            tree.append(parent, template).expect("the node can be inserted");
            parent = tree.create_template_contents(template);
        }
        assert!(tree == tree.clone());
        let names = SerializerNames::default();
        let html = HtmlSerializer::new(&names);
        assert_eq!(count(|out| html.write_inner(tree.root(), out)), 7 * (NODES / 4));
        assert_eq!(tree.root().descendants().count(), 1);
    });
}

/// Tests dumps at a smaller depth, as indentation makes them quadratic in the depth. A tenth of this depth would
/// overflow the stack of a recursive writer.
#[test]
fn dumps_many_levels() {
    run_on_small_stack(|| {
        let (tree, _) = chain(5000);
        let margins = 5000 * 4999 + 2 * 5000 + 2 * 5001;
        assert_eq!(count(|out| tree.root().write_dump(out)), margins + 5000 * 4 + 4);
        assert!(count(|out| tree.root().write_qualified_dump(out)) > margins);
    });
}

#[test]
fn handles_a_million_children() {
    run_on_small_stack(|| {
        let mut tree = Tree::new();
        let [from, to] = [(); 2].map(|()| tree.create_element(Namespace::HTML, "b"));
        tree.append_text(to, "x");
        for _ in 0..NODES {
            let node = tree.create_comment("");
            tree.append(from, node).expect("the node can be inserted");
        }
        tree.move_children(from, to).expect("the children can be moved");
        assert_eq!(tree.node(from).children().count(), 0);
        assert_eq!(tree.node(to).children().count(), NODES + 1);
        assert_eq!(tree.node(to).children().rev().count(), NODES + 1);
        assert!(tree.node(to).children().all(|child| child.parent() == Some(tree.node(to))));
        tree.remove_children(to);
        assert_eq!(tree.node(to).last_child(), None);
    });
}

/// Tests texts that grow alternately, as in foster parenting: copying a text at each change would be quadratic.
#[test]
fn alternately_growing_texts_take_linear_time() {
    let mut tree = Tree::new();
    let document = tree.document();
    let [p, q] = [(); 2].map(|()| tree.create_element(Namespace::HTML, "b"));
    for node in [p, q] {
        tree.append(document, node).expect("the node can be inserted");
    }
    for _ in 0..200_000 {
        tree.append_text(p, "ab");
        tree.append_text(q, "cd");
    }
    assert_eq!(tree.root().text().len(), 800_000);
    assert!(
        tree.heap_size() < 2_000_000,
        "the tree occupies {} bytes on the heap; expected fewer than 2_000_000",
        tree.heap_size()
    );
}

/// Tests an element that gains one attribute at a time, while other elements are created in between, as by repeated
/// `html` tags.
#[test]
fn adding_attributes_singly_takes_linear_time() {
    let mut tree = Tree::new();
    let name = tree.names_mut().name(Namespace::HTML, "", "b");
    let first = tree.make_element(name, std::iter::empty(), None);
    for index in 0..50_000 {
        let local = tree.names_mut().local(&format!("a{index}"));
        let attribute = SinkAttribute::implied(Name::new(Namespace::NONE, local), "v");
        tree.make_element(name, [attribute].into_iter(), None);
        tree.add_missing_attributes(first, [attribute, attribute].into_iter());
    }
    assert_eq!(tree.node(first).attributes().len(), 50_000);
    assert!(
        tree.heap_size() < 50_000 * 400,
        "the tree occupies {} bytes on the heap; expected fewer than 50_000 * 400",
        tree.heap_size()
    );
}

static LIST: [&str; 3] = ["div", "a", "class"];
static SLOTS: [u16; 8] = KnownNames::slots(&LIST);
static KNOWN: KnownNames = KnownNames::new(&LIST, &SLOTS);

/// Builds a tree like that of a page with a node every 50 bytes, and returns the peak memory of the tree in bytes.
fn peak_memory(input_len: usize, positions: Positions) -> usize {
    let options =
        TreeOptions::new().input_length(input_len).known_names(&KNOWN).positions(positions);
    let mut tree = Tree::with_options(options);
    let [div, class] = ["div", "class"].map(|name| tree.names_mut().local(name));
    let (div, class) = (Name::new(Namespace::HTML, div), Name::new(Namespace::NONE, class));
    let (mut offset, mut peak) = (0, 0);
    while offset + 150 <= input_len {
        let attribute = SinkAttribute::implied(class, "some-class another");
        let node =
            tree.make_element(div, [attribute].into_iter(), Some(Span::new(offset, offset + 32)));
        let document = tree.document();
        tree.append_node(document, node);
        tree.append_characters(
            node,
            "a text of forty bytes, or some more here",
            Span::new(offset + 32, offset + 72),
        );
        tree.append_characters(document, "\n\n\n\n\n\n\n\n", Span::new(offset + 78, offset + 150));
        tree.end_tag(node, Span::new(offset + 72, offset + 78));
        offset += 150;
        peak = peak.max(tree.heap_size());
    }
    peak
}

#[test]
fn reserves_memory_in_proportion_to_the_input() {
    for input_len in [300_000, 3_000_000] {
        for (positions, max_ratio) in
            [(Positions::None, 1.6), (Positions::Nodes, 2.0), (Positions::All, 2.2)]
        {
            let ratio = peak_memory(input_len, positions) as f64 / input_len as f64;
            assert!(
                ratio < max_ratio,
                "the peak is {ratio} bytes per byte of input with {positions:?}"
            );
        }
    }
}
