//! Tests of trees with values beyond the compact representations of nodes, such as more namespaces or attributes than
//! these can count. Limits in options are tested elsewhere.

use tabulex::Span;
use tabulex::tree::{Name, Namespace, NodeId, SinkAttribute, Tree, TreeSink};

/// Creates a name in the namespace `n` followed by `index`.
fn name_in_namespace(tree: &mut Tree, index: usize) -> Name {
    let namespace = tree.names_mut().namespace(&format!("n{index}"));
    tree.names_mut().name(namespace, "", &format!("local{}", index % 7))
}

#[test]
fn keeps_more_namespaces_than_a_node_can_number() {
    let mut tree = Tree::new();
    let count = 70_000;
    let mut elements: Vec<NodeId> = Vec::new();
    for index in 0..count {
        let name = name_in_namespace(&mut tree, index);
        let element = tree.append_element(tree.document(), name, [].into_iter(), None);
        tree.append_characters(element, "text", Span::new(0, 4));
        elements.push(element);
    }
    // Two nodes are renamed, so that a namespace number that fits in the node is replaced by one that does not, and
    // vice versa.
    let name_index = |index: usize| match index {
        3 => 69_000,
        69_001 => 2,
        _ => index,
    };
    for index in [3, 69_001] {
        let name =
            tree.node(elements[name_index(index)]).name().expect("the node is an element").id();
        assert!(tree.set_name(elements[index], name));
        let equal_element = tree.make_element_like(elements[index], None);
        assert!(tree.has_equal_attributes(equal_element, elements[name_index(index)]));
        assert!(!tree.has_equal_attributes(equal_element, elements[name_index(index) - 1]));
    }
    for (index, &element) in elements.iter().enumerate() {
        let node = tree.node(element);
        let (name, index) = (node.name().expect("the node is an element"), name_index(index));
        assert_eq!((name.namespace_str(), name.prefix()), (&format!("n{index}")[..], ""));
        assert_eq!(node.local_name(), Some(&format!("local{}", index % 7)[..]));
        assert_eq!(node.text(), "text");
    }
    assert_eq!(tree.root().children().count(), count);
    assert!(tree.root().children().all(|node| node.is_element()));
}

#[test]
fn keeps_more_attributes_than_a_node_can_count() {
    let mut tree = Tree::new();
    let div = tree.names_mut().name(Namespace::HTML, "", "div");
    let names: Vec<Name> = (0..70_000)
        .map(|index| tree.names_mut().name(Namespace::NONE, "", &format!("a{index}")))
        .collect();
    let attribute = |index: usize| {
        let (name_span, value_span) = (Some(span(index, 2)), Some(span(index + 3, index % 300)));
        SinkAttribute { name: names[index], value: "v", name_span, value_span }
    };
    let counts = [1, 65_534, 65_535, 65_536, 2, 70_000, 3];
    let elements = counts.map(|count| {
        let attributes = (0..count).map(attribute);
        tree.append_element(tree.document(), div, attributes, Some(span(0, 9)))
    });
    let equal_elements = elements.map(|element| tree.make_element_like(element, None));
    for (count, (element, equal_element)) in
        counts.into_iter().zip(elements.into_iter().zip(equal_elements))
    {
        assert!(tree.has_equal_attributes(element, equal_element));
        let node = tree.node(element);
        assert_eq!(node.attributes().len(), count);
        for (index, actual) in node.attributes().enumerate() {
            let expected = attribute(index);
            assert_eq!((actual.name().id(), actual.value()), (expected.name, expected.value));
            assert_eq!(
                (actual.name_span(), actual.value_span()),
                (expected.name_span, expected.value_span)
            );
        }
        assert_eq!(node.named_attribute(names[count - 1]), Some("v"));
        assert_eq!(node.named_attribute(names[count % names.len()]).is_some(), count == 70_000);
        assert_eq!(node.span(), Some(span(0, 9)));
    }
}

/// Tests that elements created with `make_element_like` share a list of 70,000 attributes until one of them changes,
/// also in a copy of the tree.
#[test]
fn changing_many_attributes_affects_one_element() {
    let mut tree = Tree::new();
    let div = tree.names_mut().name(Namespace::HTML, "", "div");
    let names: Vec<Name> = (0..70_000)
        .map(|index| tree.names_mut().name(Namespace::NONE, "", &format!("a{index}")))
        .collect();
    let attributes = names.iter().map(|&name| SinkAttribute::implied(name, "v"));
    let first = tree.append_element(tree.document(), div, attributes, None);
    let size_before = tree.heap_size();
    let equal_elements: Vec<NodeId> =
        (0..1_000).map(|_| tree.make_element_like(first, None)).collect();
    assert!(
        tree.heap_size() < size_before + 1_000_000,
        "the tree grew from {size_before} to {} bytes",
        tree.heap_size()
    );
    let (one, other) = (equal_elements[7], equal_elements[8]);
    tree.set_attribute(one, "a3", "changed").unwrap();
    assert!(tree.remove_attribute(other, "a4"));
    let copy = tree.clone();
    tree.set_attribute(one, "a3", "again").unwrap();
    tree.set_attribute(first, "a5", "of the first").unwrap();
    let values = |tree: &Tree, node| {
        let value = |name: &str| tree.node(node).attribute(name).map(str::to_owned);
        ["a3", "a4", "a5"].map(|name| value(name).unwrap_or_default())
    };
    assert_eq!(values(&tree, first), ["v", "v", "of the first"]);
    assert_eq!(values(&tree, one), ["again", "v", "v"]);
    assert_eq!(values(&tree, other), ["v", "", "v"]);
    assert_eq!(values(&tree, equal_elements[9]), ["v", "v", "v"]);
    assert_eq!(values(&copy, first), ["v", "v", "v"]);
    assert_eq!(values(&copy, one), ["changed", "v", "v"]);
    assert!(tree.has_equal_attributes(equal_elements[9], equal_elements[10]));
    assert!(
        !tree.has_equal_attributes(equal_elements[9], one)
            && !tree.has_equal_attributes(one, other)
    );
}

#[test]
fn only_elements_have_end_tags() {
    let mut tree = Tree::new();
    let div = tree.names_mut().name(Namespace::HTML, "", "div");
    let comment = tree.make_comment("c", span(2, 8));
    let element = tree.make_element(div, [].into_iter(), Some(span(2, 8)));
    for node in [comment, element] {
        tree.end_tag(node, span(20, 6));
        assert_eq!(tree.node(node).span(), Some(span(2, 8)));
    }
    assert_eq!(tree.node(comment).end_tag_span(), None);
    assert_eq!(tree.node(element).end_tag_span(), Some(span(20, 6)));
}

fn span(start: usize, length: usize) -> Span {
    Span::new(start, start + length)
}
