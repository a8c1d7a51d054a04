//! Changes of a tree with ids of another tree. No id makes a method panic, ids that the tree lacks change nothing, and
//! the tree stays consistent. The target `mutation` covers valid changes.

use super::Target;
use super::trees::HTML;
use crate::feedback::note;
use crate::input_reader::{InputReader, assert_tree};
use tabulex::tree::{HierarchyError, Name, NodeId, Tree};
use tabulex::{Adjacent, Dialect, Options, WriteNode as _};
use tabulex_tests::random::Random;

pub(super) const TARGET: Target = Target {
    name: "foreign",
    about: "every change of a tree, with ids and names of another tree and ids of detached nodes",
    choices: 2,
    piece,
    run,
};

fn piece(random: &mut Random) -> Vec<u8> {
    (0..4 + random.below(12)).map(|_| random.next_number() as u8).collect()
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let (dialect, markup) = (*reader.pick(&HTML), reader.byte());
    let markup = match markup % 3 {
        0 => "",
        1 => "<!DOCTYPE html><table>a<td><b>c<p>d</b>e<template>f<i>g</template>",
        _ => "<p a=1 b=2>a<p>b<div><i>c<div><?v w?>d</i>e<!--x-->",
    };
    let mut parser = dialect.parser(&Options::new()).unwrap();
    let mut tree = parser.parse(markup).tree;
    let other_tree = parser.parse(&"<a b=c>d<template>e</template><q7 b9=c>".repeat(20)).tree;
    while !reader.is_empty() && tree.node_count() < 2000 {
        let (one, two) =
            (pick_id(&tree, &other_tree, &mut reader), pick_id(&tree, &other_tree, &mut reader));
        let tree_before = tree.clone();
        let kind = reader.byte() % 23;
        let name = other_tree
            .node(two)
            .name()
            .or(other_tree.document_element().and_then(|root| root.name()));
        let name = name.expect("the other tree has an element").id();
        let result = apply_change(dialect, &mut tree, kind, (one, two, name), &mut reader);
        let has_nodes = tree.has_node(one) && (tree_before.has_node(two) || !takes_two_nodes(kind));
        note((kind, has_nodes, result.is_ok()));
        if !tree_before.has_node(one) || result.is_err() {
            assert!(
                tree == tree_before,
                "change {kind} has an effect despite an error or a missing node"
            );
        }
        if !tree_before.has_node(one) && takes_two_nodes(kind) && one != two {
            assert!(result.is_err(), "change {kind} accepts a missing node");
        }
        call_accessors(&tree, one);
    }
    assert_tree(&tree, None);
}

/// Chooses the id of a node of `tree`, or, for one number in four, of `other_tree`, whose id may be missing in `tree`.
fn pick_id(tree: &Tree, other_tree: &Tree, reader: &mut InputReader<'_>) -> NodeId {
    let number = reader.number() as usize;
    let chosen_tree = if number.is_multiple_of(4) { other_tree } else { tree };
    chosen_tree.node_at(number / 4 % chosen_tree.node_count()).unwrap().id()
}

/// Whether a kind of change takes two nodes and can return an error.
fn takes_two_nodes(kind: u8) -> bool {
    kind < 7
}

fn apply_change(
    dialect: &Dialect,
    tree: &mut Tree,
    kind: u8,
    (one, two, name): (NodeId, NodeId, Name),
    reader: &mut InputReader<'_>,
) -> Result<(), HierarchyError> {
    let options = Options::new();
    let fragments = dialect.fragments().ok_or(HierarchyError::NoFragments);
    match kind {
        0 => return tree.append(one, two),
        1 => return tree.insert_before(one, two),
        2 => return tree.insert_after(one, two),
        3 => return tree.prepend(one, two),
        4 => return tree.replace_with(one, two),
        5 => return tree.move_children(one, two),
        6 => return tree.wrap(two, one),
        7 => return fragments?.set_inner(tree, one, "<i>1", &options).map(drop),
        8 => return fragments?.set_outer(tree, one, "<i>2", &options).map(drop),
        9 => {
            let positions = [
                Adjacent::BeforeBegin,
                Adjacent::AfterBegin,
                Adjacent::BeforeEnd,
                Adjacent::AfterEnd,
            ];
            let position = *reader.pick(&positions);
            return fragments?.insert_adjacent(tree, one, position, "<i>3", &options).map(drop);
        }
        10 => tree.detach(one),
        11 => tree.unwrap(one),
        12 => tree.remove_children(one),
        13 => tree.append_text(one, "t"),
        14 => tree.insert_text_before(one, "u"),
        15 => tree.set_text(one, "v"),
        16 => tree.set_attribute(one, "a", "w").unwrap(),
        17 => drop(tree.remove_attribute(one, "a")),
        18 => tree.merge_texts(one),
        19 => drop(tree.create_template_contents(one)),
        20 => tree.set_named_attribute(one, name, "x"),
        21 => drop(tree.set_name(one, name)),
        _ => drop(tree.clone_node(one)),
    }
    Ok(())
}

/// Calls all accessors of a node, and asserts that a missing node has no contents.
fn call_accessors(tree: &Tree, id: NodeId) {
    let node = tree.node(id);
    let relatives = [node.parent(), node.first_child(), node.last_child(), node.host()];
    let siblings_and_contents =
        [node.previous_sibling(), node.next_sibling(), node.template_contents()];
    let neighbor_count = relatives.iter().chain(&siblings_and_contents).flatten().count();
    let content_len = node.text().len() + node.attributes().count() + node.descendants().count();
    assert!(
        tree.has_node(id) || neighbor_count + content_len == 0,
        "a missing node has neighbors or contents"
    );
    let _ = (node.span(), node.end_tag_span(), node.doctype(), node.target(), node.data());
    let name = node.name().map(|name| (name.to_string().len(), name.namespace_str().len()));
    let _ = (
        name,
        node.to_xml().len(),
        node.shadow_root(),
        node.is_like(&tree.root()),
        format!("{node:?}"),
    );
}
