//! Compares the prescan and the serializer with the steps in the HTML table, executed literally, on random bytes and
//! trees. `trees` covers the equality of trees.

use tabulex::encoding::Encoding;
use tabulex::html::{self, Html};
use tabulex::tree::{NodeKind, NodeRef};
use tabulex::{Machine, Options};
use tabulex_oracle::interpreter::tree::{NodeId, Tree};
use tabulex_oracle::steps::{prescan, serialize};
use tabulex_tests::interpreted::table;
use tabulex_tests::random::Random;
use tabulex_tests::{sample, steps};

fn named(label: &str) -> Option<String> {
    Encoding::for_label(label).ok().map(|encoding| encoding.name().to_owned())
}

#[test]
fn the_prescan_matches_the_interpreted_steps() {
    let machine = table("html").machine();
    let mut found = 0;
    let seeds = sample::seeds("prescan", 0..200_000, 4_000);
    let count = seeds.len();
    let fixed = steps::DECLARING.iter().map(|text| text.as_bytes().to_vec());
    let random = seeds.into_iter().map(|seed| steps::declaring(&mut Random::new(seed + 1)));
    for bytes in fixed.chain(random) {
        let ours = Html::CLUES.prescan(&bytes).map(|encoding| encoding.name().to_owned());
        let steps = prescan(machine, &bytes, &named).unwrap();
        assert_eq!(ours, steps, "{}", bytes.escape_ascii());
        found += usize::from(ours.is_some());
    }
    assert!(found * 20 > count, "{found} of {count} inputs declare an encoding");
}

/// The document and all its descendants, in tree order.
fn in_tree_order(tree: &Tree) -> Vec<NodeId> {
    let (mut all, mut waiting) = (Vec::new(), vec![0]);
    while let Some(node) = waiting.pop() {
        all.push(node);
        waiting.extend(tree.nodes[node].children.iter().rev());
    }
    all
}

#[test]
fn the_serializer_matches_the_interpreted_steps() {
    let table = table("html");
    for seed in sample::seeds("serializer", 0..100_000, 1_000) {
        let mut random = Random::new(seed + 1);
        let page = steps::page(&mut random);
        let scripting = random.one_in(2);
        let shadows = random.one_in(2);
        let options = Options::new().scripting(scripting).declarative_shadow_roots(true);
        let parsed = html::parse(&page[..], options);
        let root = parsed.tree.root();
        let tree = steps::tree(table, &page, scripting);
        let nodes: Vec<NodeRef<'_>> = std::iter::once(root).chain(root.descendants()).collect();
        let same = in_tree_order(&tree);
        assert_eq!(nodes.len(), same.len(), "{page}");
        // Each node by itself, since its children are serialized differently than the document's.
        let is_written = |node: NodeRef<'_>| node == root || node.kind() == NodeKind::Element;
        for (node, same) in nodes.into_iter().zip(same).filter(|(node, _)| is_written(*node)) {
            let serializer = html::serializer().scripting(scripting);
            let ours = serializer.serializable_shadow_roots(shadows).inner(node);
            let steps = serialize(table.machine(), &tree, same, scripting, shadows).unwrap();
            let name = node.name().map(|name| name.to_string());
            assert_eq!(ours, steps, "{name:?}, within {page}");
        }
    }
}
