//! Tests of texts that outgrow their buffers: they keep their characters, freed memory is reused, and appending
//! takes linear time.

use tabulex::tree::{Namespace, NodeId, Tree, TreeOptions};

/// Creates a tree with many texts, of which some grow after others were added; also returns the expected texts.
fn tree_of_growing_texts(input_length: usize) -> (Tree, Vec<(NodeId, String)>) {
    let mut tree = Tree::with_options(TreeOptions::new().input_length(input_length));
    let root = tree.create_element(Namespace::HTML, "div");
    tree.append(tree.document(), root).unwrap();
    let mut texts: Vec<(NodeId, String)> = Vec::new();
    for number in 0..3000_usize {
        let element = tree.create_element(Namespace::HTML, "p");
        tree.append(root, element).unwrap();
        let length = if number % 700 == 699 { 9000 } else { number % 61 };
        let mut text = format!("{number} {}", "ä".repeat(length));
        tree.append_text(element, &text);
        for suffix in [" and more", " and ü", ""] {
            tree.append_text(element, suffix);
            text.push_str(suffix);
        }
        if let Some((earlier_element, text)) = texts.get_mut(number / 2).filter(|_| number % 9 == 0)
        {
            tree.append_text(*earlier_element, " later");
            text.push_str(" later");
        }
        tree.set_attribute(element, "title", &text).unwrap();
        texts.push((element, text));
    }
    (tree, texts)
}

fn check(tree: &Tree, texts: &[(NodeId, String)]) {
    for (element, text) in texts {
        assert_eq!(tree.node(*element).text(), *text);
        assert!(text.starts_with(tree.node(*element).attribute("title").unwrap()));
    }
}

#[test]
fn keeps_the_characters_of_growing_texts() {
    for input_length in [0, 64, 4096, 1_000_000] {
        let (mut tree, texts) = tree_of_growing_texts(input_length);
        check(&tree, &texts);
        check(&tree.clone(), &texts);
        let size_before = tree.heap_size();
        tree.shrink_to_fit();
        assert!(tree.heap_size() <= size_before);
        check(&tree, &texts);
    }
}

/// Tests that setting and removing an attribute many times takes no more memory than doing so once.
#[test]
fn reuses_the_memory_of_removed_texts() {
    let mut tree = Tree::new();
    let element = tree.create_element(Namespace::HTML, "p");
    (0..100).for_each(|index| tree.set_attribute(element, &format!("a{index}"), "v").unwrap());
    let value = "value".repeat(1_000);
    for round in 0..1_000 {
        tree.set_attribute(element, "title", &value[round..]).unwrap();
        assert!(tree.remove_attribute(element, "title"));
    }
    assert!(
        tree.heap_size() < 100_000,
        "the tree occupies {} bytes on the heap; expected fewer than 100_000",
        tree.heap_size()
    );
}

#[test]
fn appending_many_pieces_takes_linear_time() {
    let mut tree = Tree::new();
    let element = tree.create_element(Namespace::HTML, "pre");
    for _ in 0..1_000_000 {
        tree.append_text(element, "piece ");
    }
    assert_eq!(tree.node(element).text().len(), 6_000_000);
    assert!(
        tree.heap_size() < 20_000_000,
        "the tree occupies {} bytes on the heap; expected fewer than 20_000_000",
        tree.heap_size()
    );
}
