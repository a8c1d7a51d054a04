//! Random inputs for the steps of the encoding prescan and of serialization, determined by the random numbers.

use crate::interpreted::Table;
use crate::random::Random;
use tabulex::tree::NodeRef;
use tabulex::{Dialect, Options};
use tabulex_oracle::interpreter::tree::document::{ParseOptions, parse};
use tabulex_oracle::interpreter::tree::{NodeId, Tree, serialize};

/// Returns the bytes of a random page that declares an encoding, or nearly does.
pub fn page_declaring_encoding(random: &mut Random) -> Vec<u8> {
    let part_count = 1 + random.below(14);
    let beginning = random.piece("beginnings");
    let declarations = (0..part_count).map(|_| random.piece("encoding declarations"));
    let text: String = std::iter::once(beginning).chain(declarations).collect();
    let mut bytes = text.into_bytes();
    if random.one_in(8) {
        bytes.truncate(random.below(bytes.len() + 1));
    }
    bytes
}

/// Returns a random page to serialize.
pub fn page(random: &mut Random) -> String {
    let part_count = 1 + random.below(16);
    (0..part_count).map(|_| random.piece("serialized markup")).collect()
}

/// Returns the tree of the page, with the shadow roots that it declares.
///
/// # Panics
/// If the table has no modes, or a run of it gets stuck.
pub fn tree(table: &Table, page: &str, scripting: bool) -> Tree {
    let flags = [("scripting", scripting), ("declarative-shadow-roots", true)];
    let flags = flags.map(|(name, is_set)| (name.to_owned(), u8::from(is_set))).to_vec();
    let options = ParseOptions { flags, ..ParseOptions::default() };
    parse(table.interpreter(), page, &options).expect("the interpreter does not get stuck").tree
}

/// Returns the document and all its descendants, in tree order.
fn in_tree_order(tree: &Tree) -> Vec<NodeId> {
    let (mut all, mut pending) = (Vec::new(), vec![0]);
    while let Some(node) = pending.pop() {
        all.push(node);
        pending.extend(tree.nodes[node].children.iter().rev());
    }
    all
}

/// Returns a difference, if there is one, between the outputs of the dialect's serializer and of the steps in the
/// table, for a node of a random page. The document and each element is written by itself, since the children of an
/// element are serialized differently than those of the document.
///
/// # Panics
/// If the dialect does not build HTML trees, or the steps end without a string.
pub fn serialized_difference(dialect: &Dialect, table: &Table, seed: u64) -> Option<String> {
    let mut random = Random::new(seed);
    let page = page(&mut random);
    let scripting = random.one_in(2);
    let serializer = dialect.serializer().unwrap();
    // The runtime writes shadow roots only if it knows the names of their attributes.
    let has_names =
        serializer.names().steps.is_some() || std::ptr::eq(dialect, &tabulex::html::DIALECT);
    let writes_shadow_roots = random.one_in(2) && has_names;
    let options = Options::new().scripting(scripting).declarative_shadow_roots(true);
    let parsed = dialect.parser(&options).unwrap().parse(&page);
    let root = parsed.tree.root();
    let tree = tree(table, &page, scripting);
    let nodes: Vec<NodeRef<'_>> = std::iter::once(root).chain(root.descendants()).collect();
    let interpreted_nodes = in_tree_order(&tree);
    if nodes.len() != interpreted_nodes.len() {
        return Some(format!(
            "{page}: {} nodes, but {} by the steps",
            nodes.len(),
            interpreted_nodes.len()
        ));
    }
    let is_written = |node: &NodeRef<'_>| *node == root || node.is_element();
    nodes.into_iter().zip(interpreted_nodes).filter(|(node, _)| is_written(node)).find_map(
        |(node, interpreted_node)| {
            let serializer =
                serializer.scripting(scripting).serializable_shadow_roots(writes_shadow_roots);
            let native = serializer.inner(node);
            let interpreted =
                serialize(table.machine(), &tree, interpreted_node, scripting, writes_shadow_roots)
                    .expect("the steps return a string");
            let name = node.name().map(|name| name.to_string());
            let describe =
                || format!("{name:?} in {page:?}: the runtime writes {native:?}, the steps write {interpreted:?}");
            (native != interpreted).then(describe)
        },
    )
}
