//! Comparison of every accessor of nodes with the model.

use super::model::Model;
use super::{NAMES, WORDS};
use std::fmt::Write as _;
use tabulex::tree::{Edge, Namespace, NodeKind, NodeRef, Tree};

type Nodes<'a> = Vec<NodeRef<'a>>;

fn indices<'a>(nodes: impl IntoIterator<Item = NodeRef<'a>>) -> Vec<usize> {
    nodes.into_iter().map(|node| node.id().index()).collect()
}

fn index_of(node: Option<NodeRef<'_>>) -> Option<usize> {
    node.map(|node| node.id().index())
}

/// Compares the number of nodes and each node, including detached ones, with the model.
pub(crate) fn check(tree: &Tree, model: &Model) {
    let count = model.0.len();
    assert_eq!(tree.node_count(), count);
    assert!(tree.node_at(count).is_none());
    let nodes: Nodes<'_> = (0..count)
        .map(|index| tree.node_at(index).expect("the index is below the count"))
        .collect();
    for node in &nodes {
        check_data(*node, model);
        check_links(*node, model);
        check_iterators(*node, model);
        check_attributes(*node, model);
        assert_eq!(format!("{node:?}"), debug_text(model, node.id().index(), 0));
    }
    let elements = model.0[0].children.iter().copied();
    let mut elements = elements.filter(|&child| model.has_kind(child, NodeKind::Element));
    assert_eq!(index_of(tree.document_element()), elements.next());
    let copy = tree.clone();
    assert!(copy == *tree && copy.root() != tree.root());
}

fn check_data(node: NodeRef<'_>, model: &Model) {
    let index = node.id().index();
    let model_node = &model.0[index];
    assert_eq!(node.kind(), model_node.kind);
    let has_kind = |kind| model_node.kind == kind;
    assert_eq!(
        (node.is_element(), node.is_text()),
        (has_kind(NodeKind::Element), has_kind(NodeKind::Text))
    );
    let has_data = has_kind(NodeKind::Text)
        || has_kind(NodeKind::Comment)
        || has_kind(NodeKind::ProcessingInstruction);
    assert_eq!(node.data(), has_data.then_some(&model_node.data[..]));
    assert_eq!(
        node.target(),
        has_kind(NodeKind::ProcessingInstruction).then_some(&model_node.name[..])
    );
    assert_eq!(node.local_name(), has_kind(NodeKind::Element).then_some(&model_node.name[..]));
    let name = node.name().map(|name| (name.local(), name.namespace(), name.to_string()));
    let expected = (&model_node.name[..], Namespace::HTML, model_node.name.clone());
    assert_eq!(name, has_kind(NodeKind::Element).then_some(expected));
    assert_eq!(node.namespace(), has_kind(NodeKind::Element).then_some(Namespace::HTML));
    for name in NAMES {
        assert_eq!(node.is_html(name), has_kind(NodeKind::Element) && model_node.name == name);
    }
    let doctype = node.doctype();
    let doctype = doctype
        .map(|doctype| (doctype.name, [doctype.public_identifier, doctype.system_identifier]));
    let identifiers = model_node.identifiers.each_ref().map(|identifier| identifier.as_deref());
    assert_eq!(doctype, has_kind(NodeKind::Doctype).then_some((&model_node.name[..], identifiers)));
    assert_eq!(node.text(), model.text(index));
    assert_eq!(
        (index_of(node.template_contents()), index_of(node.host())),
        (model_node.contents, model_node.host)
    );
    assert_eq!((node.span(), node.end_tag_span()), (None, None));
    assert!(!node.had_duplicate_attributes() && node.shadow_root().is_none());
}

fn check_links(node: NodeRef<'_>, model: &Model) {
    let index = node.id().index();
    let children = &model.0[index].children;
    assert_eq!(index_of(node.parent()), model.0[index].parent);
    assert_eq!(index_of(node.first_child()), children.first().copied());
    assert_eq!(index_of(node.last_child()), children.last().copied());
    assert_eq!(index_of(node.previous_sibling()), model.sibling(index, -1));
    assert_eq!(index_of(node.next_sibling()), model.sibling(index, 1));
    let is_element = |&node: &usize| model.has_kind(node, NodeKind::Element);
    let (before, after) = match model.position(index) {
        Some((parent, at)) => {
            let (before, after) = model.0[parent].children.split_at(at);
            (before.iter().rev().copied().collect(), after[1..].to_vec())
        }
        None => (Vec::new(), Vec::new()),
    };
    assert_eq!(index_of(node.previous_element()), before.iter().copied().find(is_element));
    assert_eq!(index_of(node.next_element()), after.iter().copied().find(is_element));
    assert_eq!(indices(node.previous_siblings()), before);
    assert_eq!(indices(node.next_siblings()), after);
}

fn check_iterators(node: NodeRef<'_>, model: &Model) {
    let index = node.id().index();
    let children = &model.0[index].children;
    assert_eq!(indices(node.children()), *children);
    let backward: Vec<usize> = children.iter().rev().copied().collect();
    assert_eq!(indices(node.children().rev()), backward);
    // Iteration from both ends alternately must yield each child once.
    let (mut iterator, mut visited) = (node.children(), Vec::new());
    while let Some(first) = iterator.next() {
        visited.push(first.id().index());
        visited.extend(index_of(iterator.next_back()));
    }
    visited.sort_by_key(|child| children.iter().position(|other| other == child));
    assert_eq!(visited, *children);
    assert!(iterator.next().is_none() && iterator.next_back().is_none());
    let elements =
        children.iter().copied().filter(|&child| model.has_kind(child, NodeKind::Element));
    assert!(indices(node.child_elements()).into_iter().eq(elements));
    assert_eq!(indices(node.descendants()), model.descendants(index));
    assert_eq!(indices(node.ancestors()), model.ancestors(index));
    for has_contents in [false, true] {
        let walk = if has_contents { node.walk_with_contents() } else { node.walk() };
        let edges = walk.map(|edge| match edge {
            Edge::Open(node) => (true, node.id().index()),
            Edge::Close(node) => (false, node.id().index()),
        });
        let mut expected = Vec::new();
        walk_model(model, index, has_contents, &mut expected);
        assert!(edges.eq(expected), "{node:?}");
    }
}

fn walk_model(model: &Model, node: usize, has_contents: bool, edges: &mut Vec<(bool, usize)>) {
    edges.push((true, node));
    if let Some(contents) = model.0[node].contents.filter(|_| has_contents) {
        walk_model(model, contents, has_contents, edges);
    }
    model.0[node].children.iter().for_each(|&child| walk_model(model, child, has_contents, edges));
    edges.push((false, node));
}

fn check_attributes(node: NodeRef<'_>, model: &Model) {
    let index = node.id().index();
    let model_node = &model.0[index];
    let attributes = node
        .attributes()
        .map(|attribute| (attribute.name().to_string(), attribute.value().to_owned()));
    assert!(attributes.eq(model_node.attributes.iter().cloned()));
    assert_eq!(node.attributes().len(), model_node.attributes.len());
    for name in NAMES.iter().chain(&["x:a", "x:", ":a"]) {
        let value = model.attribute(index, name);
        assert_eq!(node.attribute(name), value);
        assert_eq!(node.attribute_ref(name).map(|attribute| attribute.value()), value);
        let unprefixed_value = value.filter(|_| !name.contains(':'));
        assert_eq!(node.attribute_in(Namespace::NONE, name), unprefixed_value);
        let prefixed_value = model.attribute(index, "x:a").filter(|_| *name == "a");
        assert_eq!(node.attribute_in(Namespace::XLINK, name), prefixed_value);
    }
    for attribute in node.attributes() {
        assert_eq!(node.named_attribute(attribute.name().id()), Some(attribute.value()));
        assert_eq!((attribute.name_span(), attribute.value_span()), (None, None));
    }
    assert_eq!(node.id_attribute(), model.attribute(index, "id"));
    let class = model.attribute(index, "class").unwrap_or_default();
    let classes: Vec<&str> =
        class.split([' ', '\t', '\n']).filter(|word| !word.is_empty()).collect();
    assert!(node.classes().eq(classes.iter().copied()));
    for word in WORDS {
        assert_eq!(node.has_class(word), classes.contains(&word), "{class:?} {word:?}");
        let mut descendants = model.descendants(index).into_iter();
        let expected = descendants.find(|&node| model.attribute(node, "id") == Some(word));
        assert_eq!(index_of(node.element_by_id(word)), expected);
    }
}

/// Returns the expected debug output of a node.
fn debug_text(model: &Model, node: usize, depth: usize) -> String {
    let model_node = &model.0[node];
    let mut line = match model_node.kind {
        NodeKind::Document => "document".to_owned(),
        NodeKind::Fragment if model_node.host.is_some() => "contents".to_owned(),
        NodeKind::Fragment => "fragment".to_owned(),
        NodeKind::Doctype => {
            let [public, system] = &model_node.identifiers;
            format!("doctype {:?} {public:?} {system:?}", model_node.name)
        }
        NodeKind::Element => format!("element {}", model_node.name),
        NodeKind::Text => format!("text {:?}", model_node.data),
        NodeKind::Comment => format!("comment {:?}", model_node.data),
        NodeKind::ProcessingInstruction => {
            format!("instruction {:?} {:?}", model_node.name, model_node.data)
        }
        other => panic!("the model lacks the node kind `{other:?}`"),
    };
    for (name, value) in &model_node.attributes {
        let _ = write!(line, " {name}={value:?}");
    }
    let margin = "  ".repeat(depth.min(32));
    let level = if depth > 32 { format!("({depth}) ") } else { String::new() };
    let nested_nodes = model_node.contents.iter().chain(&model_node.children);
    let nested_lines: String =
        nested_nodes.map(|&child| debug_text(model, child, depth + 1)).collect();
    format!("{margin}{level}{line}\n{nested_lines}")
}

/// Compares the relations of two nodes.
pub(crate) fn check_pair(tree: &Tree, model: &Model, one: usize, other: usize) {
    let [a, b] = [one, other].map(|index| tree.node_at(index).unwrap());
    assert_eq!(a.is_like(&b), model.is_like(one, other), "{a:?}{b:?}");
    assert_eq!(a == b, one == other);
}
