//! Compares the size that a tree reports with the memory that it was allocated. Each list of a tree is long in one of
//! the trees, so that the test fails if one is missing.

use super::HEAP;
use stats_alloc::Region;
use tabulex::html::Html;
use tabulex::tree::{Namespace, NodeId, Positions, Tree, TreeOptions};
use tabulex::{Options, Parser, html};

/// Memory in bytes that a tree does not count: a few blocks of fixed size, and alignment of maps.
const UNCOUNTED: usize = 512;

/// Divisor of a tree's memory; the quotient may be miscounted, for padding of maps.
const TOLERANCE_DIVISOR: usize = 150;

fn create_elements(tree: &mut Tree, count: usize) -> Vec<NodeId> {
    let mut elements = Vec::new();
    for _ in 0..count {
        let element = tree.create_element(Namespace::HTML, "p");
        tree.append(tree.document(), element).expect("the document can contain a new element");
        elements.push(element);
    }
    elements
}

/// Builds a tree by calling its methods. The kind of content named by `content` takes most of its memory.
fn by_hand(content: &str) -> Tree {
    let mut tree = Tree::with_options(TreeOptions::new().positions(Positions::Nodes));
    match content {
        "texts" => {
            let texts: Vec<NodeId> = (0..900).map(|_| tree.create_text("some text")).collect();
            texts.iter().step_by(2).for_each(|&text| tree.set_text(text, &"longer ".repeat(9)));
            texts.iter().step_by(4).for_each(|&text| tree.set_text(text, "short"));
        }
        "texts that grow by turns" => {
            let paragraphs = create_elements(&mut tree, 40);
            for _ in 0..60 {
                paragraphs
                    .iter()
                    .for_each(|&paragraph| tree.append_text(paragraph, "some more text"));
            }
        }
        "texts that grow at the end" => {
            for _ in 0..30 {
                let paragraph = create_elements(&mut tree, 1)[0];
                (0..1000).for_each(|_| tree.append_text(paragraph, "some more text"));
            }
        }
        "attributes" => {
            for (number, element) in create_elements(&mut tree, 300).into_iter().enumerate() {
                for name in 0..number % 40 {
                    tree.set_attribute(element, &format!("name-{name}"), "value").unwrap();
                    tree.set_attribute(element, &format!("name-{}", name / 2), "a longer value")
                        .unwrap();
                }
                (0..9).for_each(|name| {
                    tree.remove_attribute(element, &format!("name-{}", name * 2));
                });
            }
        }
        "names" => {
            for number in 0..3000 {
                tree.names_mut().local(&format!("a-name-of-some-length-{number}"));
                let namespace = tree.names_mut().namespace(&format!("namespace:{}", number / 2));
                tree.names_mut().name(namespace, &format!("p{number}"), "a");
            }
        }
        "names that nodes cannot number" => {
            for number in 0..80_000 {
                let namespace = tree.names_mut().namespace(&number.to_string());
                let name = tree.names_mut().name(namespace, "", "x");
                let element = tree.create_named_element(name);
                if number % 8 == 0 {
                    tree.set_named_attribute(element, name, "");
                }
            }
        }
        "instructions" => {
            (0..3000).for_each(|_| {
                tree.create_processing_instruction("target", "data");
            });
        }
        "document types" => {
            (0..3000).for_each(|_| {
                tree.create_doctype("name", Some("public"), None);
            });
        }
        "templates" => {
            for element in create_elements(&mut tree, 3000) {
                tree.create_template_contents(element);
            }
        }
        other => panic!("unknown kind of content `{other}`"),
    }
    tree
}

/// Parses markup whole, or in pieces of `piece_size` bytes if that is not 0.
fn parse_tree(markup: &str, positions: Positions, piece_size: usize) -> Tree {
    let options = Options::new().positions(positions).errors(false).declarative_shadow_roots(true);
    if piece_size == 0 {
        return html::parse(markup, options).tree;
    }
    let mut parser = Parser::<Html>::new(&options);
    for piece in markup.as_bytes().chunks(piece_size) {
        parser.feed(std::str::from_utf8(piece).unwrap());
    }
    parser.finish().tree
}

/// Adds a failure if a tree misreports its size, before or after it is shrunk. The test runner's threads allocate now and
/// then, so the tree must misreport it three times.
fn check(label: &str, make: impl Fn() -> Tree, failures: &mut Vec<String>) {
    let attempts = [(); 3].map(|()| misreported_sizes(label, &make));
    if attempts.iter().all(|failures| !failures.is_empty()) {
        failures.extend(attempts.into_iter().flatten());
    }
}

/// Describes the sizes that a tree misreports, before and after it is shrunk.
fn misreported_sizes(label: &str, make: impl Fn() -> Tree) -> Vec<String> {
    let region = Region::new(HEAP);
    let mut tree = make();
    let mut failures = Vec::new();
    for is_shrunk in [false, true] {
        let change = region.change();
        let allocated = change.bytes_allocated - change.bytes_deallocated;
        let reported = tree.heap_size();
        if allocated.abs_diff(reported) > allocated / TOLERANCE_DIVISOR + UNCOUNTED {
            let suffix = if is_shrunk { ", shrunk" } else { "" };
            failures.push(format!(
                "{label}{suffix}: {reported} bytes are reported, {allocated} are allocated"
            ));
        }
        tree.shrink_to_fit();
    }
    failures
}

/// Reported sizes are correct, even after a tree was shrunk.
#[test]
fn trees_report_the_memory_they_hold() {
    let _lock = super::lock_out_other_tests();
    let mut failures = Vec::new();
    for content in [
        "texts",
        "texts that grow by turns",
        "texts that grow at the end",
        "attributes",
        "names",
        "names that nodes cannot number",
        "instructions",
        "document types",
        "templates",
    ] {
        check(content, || by_hand(content), &mut failures);
    }
    let pieces = [
        ("text", "<p>some text &amp; more\r\n and more\r\n"),
        ("attributes", "<p a=1 b='two' c=&quot;three&quot; d>"),
        ("duplicates", "<p a=1 a=2>"),
        ("shadow roots", "<div><template shadowrootmode=open><b></b></template></div>"),
        ("long values", "<p title='a value &amp; more that is read by hand' data-x=\"\r\n\">"),
        ("patches", "<?start name=a><b></b><?end name=a>"),
    ];
    for (name, piece) in pieces {
        let markup = piece.repeat(1500);
        for positions in [Positions::None, Positions::Nodes, Positions::All] {
            for size in [0, 1 << 20, 1000] {
                let label = format!("{name}, {positions:?}, pieces of {size} bytes");
                check(&label, || parse_tree(&markup, positions, size), &mut failures);
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
