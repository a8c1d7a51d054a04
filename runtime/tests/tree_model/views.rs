//! Comparison of every accessor of nodes with the model.

use super::model::Model;
use super::{NAMES, WORDS};
use std::cmp::Ordering;
use std::fmt::Write as _;
use tabulex::tree::{Edge, Namespace, NodeKind, NodeRef, Tree};

type Nodes<'a> = Vec<NodeRef<'a>>;

fn indices<'a>(nodes: impl IntoIterator<Item = NodeRef<'a>>) -> Vec<usize> {
    nodes.into_iter().map(|node| node.id().index()).collect()
}

fn index_of(node: Option<NodeRef<'_>>) -> Option<usize> {
    node.map(|node| node.id().index())
}

/// Compares the number of nodes, and all nodes, including detached ones.
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
    let mut elements = elements.filter(|&child| model.is(child, NodeKind::Element));
    assert_eq!(index_of(tree.document_element()), elements.next());
    let copy = tree.clone();
    assert!(copy == *tree && copy.root() != tree.root());
}

fn check_data(node: NodeRef<'_>, model: &Model) {
    let index = node.id().index();
    let item = &model.0[index];
    assert_eq!(node.kind(), item.kind);
    let is = |kind| item.kind == kind;
    assert_eq!((node.is_element(), node.is_text()), (is(NodeKind::Element), is(NodeKind::Text)));
    let has_data =
        is(NodeKind::Text) || is(NodeKind::Comment) || is(NodeKind::ProcessingInstruction);
    assert_eq!(node.data(), has_data.then_some(&item.data[..]));
    assert_eq!(node.target(), is(NodeKind::ProcessingInstruction).then_some(&item.name[..]));
    assert_eq!(node.local_name(), is(NodeKind::Element).then_some(&item.name[..]));
    let name = node.name().map(|name| (name.local(), name.namespace(), name.to_string()));
    let expected = (&item.name[..], Namespace::HTML, item.name.clone());
    assert_eq!(name, is(NodeKind::Element).then_some(expected));
    assert_eq!(node.namespace(), is(NodeKind::Element).then_some(Namespace::HTML));
    for name in NAMES {
        assert_eq!(node.is_html(name), is(NodeKind::Element) && item.name == name);
    }
    let doctype = node.doctype();
    let doctype = doctype
        .map(|doctype| (doctype.name, [doctype.public_identifier, doctype.system_identifier]));
    let identifiers = item.identifiers.each_ref().map(|identifier| identifier.as_deref());
    assert_eq!(doctype, is(NodeKind::Doctype).then_some((&item.name[..], identifiers)));
    assert_eq!(node.text(), model.text(index));
    assert_eq!(
        (index_of(node.template_contents()), index_of(node.host())),
        (item.contents, item.host)
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
    let is_element = |&node: &usize| model.is(node, NodeKind::Element);
    assert_eq!(index_of(node.parent_element()), model.0[index].parent.filter(is_element));
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
    // Iterates from both ends alternately.
    let (mut iterator, mut visited) = (node.children(), Vec::new());
    while let Some(first) = iterator.next() {
        visited.push(first.id().index());
        visited.extend(index_of(iterator.next_back()));
    }
    visited.sort_by_key(|child| children.iter().position(|other| other == child));
    assert_eq!(visited, *children);
    assert!(iterator.next().is_none() && iterator.next_back().is_none());
    let elements = children.iter().copied().filter(|&child| model.is(child, NodeKind::Element));
    assert!(indices(node.child_elements()).into_iter().eq(elements));
    assert_eq!(indices(node.descendants()), model.descendants(index));
    assert_eq!(indices(node.ancestors()), model.ancestors(index));
    for has_contents in [false, true] {
        let walk = if has_contents { node.walk_with_contents() } else { node.walk() };
        let edges = walk.map(|edge| match edge {
            Edge::Open(node) => (true, node.id().index()),
            Edge::Close(node) => (false, node.id().index()),
            other => unreachable!("{other:?} is not a step of a walk"),
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
    let item = &model.0[index];
    let found = node.attributes().map(|found| (found.name().to_string(), found.value().to_owned()));
    assert!(found.eq(item.attributes.iter().cloned()));
    assert_eq!(node.attributes().len(), item.attributes.len());
    for name in NAMES.iter().chain(&["x:a", "x:", ":a"]) {
        let value = model.attribute(index, name);
        assert_eq!(node.attribute(name), value);
        assert_eq!(node.attribute_ref(name).map(|found| found.value()), value);
        let plain = value.filter(|_| !name.contains(':'));
        assert_eq!(node.attribute_in(Namespace::NONE, name), plain);
        let prefixed = model.attribute(index, "x:a").filter(|_| *name == "a");
        assert_eq!(node.attribute_in(Namespace::XLINK, name), prefixed);
    }
    for found in node.attributes() {
        assert_eq!(node.named_attribute(found.name().id()), Some(found.value()));
        assert_eq!((found.name_span(), found.value_span()), (None, None));
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
    let item = &model.0[node];
    let mut line = match item.kind {
        NodeKind::Document => "document".to_owned(),
        NodeKind::Fragment if item.host.is_some() => "contents".to_owned(),
        NodeKind::Fragment => "fragment".to_owned(),
        NodeKind::Doctype => {
            let [public, system] = &item.identifiers;
            format!("doctype {:?} {public:?} {system:?}", item.name)
        }
        NodeKind::Element => format!("element {}", item.name),
        NodeKind::Text => format!("text {:?}", item.data),
        NodeKind::Comment => format!("comment {:?}", item.data),
        NodeKind::ProcessingInstruction => format!("instruction {:?} {:?}", item.name, item.data),
        other => panic!("the model lacks the node kind `{other:?}`"),
    };
    for (name, value) in &item.attributes {
        let _ = write!(line, " {name}={value:?}");
    }
    let margin = "  ".repeat(depth.min(32));
    let level = if depth > 32 { format!("({depth}) ") } else { String::new() };
    let inside = item.contents.iter().chain(&item.children);
    let inside: String = inside.map(|&child| debug_text(model, child, depth + 1)).collect();
    format!("{margin}{level}{line}\n{inside}")
}

/// Compares the relations of two nodes.
pub(crate) fn check_pair(tree: &Tree, model: &Model, one: usize, other: usize) {
    let [a, b] = [one, other].map(|index| tree.node_at(index).unwrap());
    assert_eq!(a.is_like(&b), model.is_like(one, other), "{a:?}{b:?}");
    let root = |node: usize| model.ancestors(node).last().copied().unwrap_or(node);
    let order: Vec<usize> = [vec![root(one)], model.descendants(root(one))].concat();
    let position = |node: usize| order.iter().position(|&other| other == node);
    let expected: Option<Ordering> =
        position(other).map(|at| position(one).expect("a node is below its root").cmp(&at));
    assert_eq!(a.tree_order(b), expected, "{a:?}{b:?}");
    assert_eq!(a == b, one == other);
}
