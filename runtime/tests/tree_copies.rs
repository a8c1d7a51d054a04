//! Tests of copying, moving and parsing into trees: a copy equals its original, a failed call changes nothing, and
//! markup parsed into an element gives the same nodes as in a whole page.

use tabulex::tree::{HierarchyError, NodeKind, Tree};
use tabulex::{Adjacent, Options, WriteNode as _, html};

/// The pieces of which pages are generated.
const PIECES: [&str; 18] = [
    "<p class='a b' id=x>",
    "text ",
    "&amp;",
    "<!--c-->",
    "<?pi data>",
    "<table><tr><td>",
    "</table>",
    "<svg viewBox='0'>",
    "</svg>",
    "<math><mi>",
    "<template><b>",
    "</template>",
    "<b>",
    "</b>",
    "<a xlink:href=y>",
    "<select><option>",
    "</p>",
    "<div>",
];

fn pages() -> impl Iterator<Item = String> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    (0..400).map(move |_| {
        let mut page = String::new();
        for _ in 0..12 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            page += PIECES[(state >> 24) as usize % PIECES.len()];
        }
        page
    })
}

fn parse(page: &str) -> Tree {
    html::parse(page, Options::new()).tree
}

#[test]
fn copies_equal_their_originals() {
    for page in pages() {
        let tree = parse(&page);
        let root = tree.document_element().unwrap();
        let mut other_tree = Tree::new();
        let copy = other_tree.import(root);
        assert!(other_tree.node(copy).is_like(&root), "{page}");
        let document = other_tree.root().id();
        other_tree.append(document, copy).unwrap();
        assert_eq!(
            html::serializer().outer(other_tree.node(copy)),
            html::serializer().outer(root),
            "{page}"
        );
        let mut cloned_tree = tree.clone();
        let copy = cloned_tree.clone_node(root.id());
        assert!(cloned_tree.node(copy).is_like(&root), "{page}");
        assert_eq!(cloned_tree.node(copy).parent(), None);
        let mut imported_tree = Tree::new();
        let fragment = imported_tree.import(tree.root());
        assert_eq!(imported_tree.node(fragment).kind(), NodeKind::Fragment);
        assert_eq!(imported_tree.node(fragment).children().count(), tree.root().children().count());
    }
}

#[test]
fn parses_inner_markup_as_in_a_whole_page() {
    for page in pages() {
        let mut tree = parse(&page);
        let body = tree.document_element().unwrap().last_child().unwrap().id();
        let markup_before = html::serializer().inner(tree.node(body));
        // Misnested markup may change when it is serialized and parsed, so the result is compared with a parse of the
        // page.
        html::set_inner(&mut tree, body, &markup_before, &Options::new()).unwrap();
        let markup_after = html::serializer().inner(tree.node(body));
        let whole = parse(&format!("<body>{markup_before}"));
        let whole = whole.document_element().unwrap().last_child().unwrap();
        assert_eq!(markup_after, html::serializer().inner(whole), "{page}");
    }
}

#[test]
fn inserts_markup_at_the_requested_position() {
    let mut tree = parse("<div id=d><p id=p>1</p></div>");
    let [div, p] = ["d", "p"].map(|id| tree.element_by_id(id).unwrap().id());
    for (position, markup) in [
        (Adjacent::BeforeBegin, "<i>a</i>b"),
        (Adjacent::AfterBegin, "<i>c</i>d"),
        (Adjacent::BeforeEnd, "<i>e</i>f"),
        (Adjacent::AfterEnd, "<i>g</i>h"),
    ] {
        html::insert_adjacent(&mut tree, p, position, markup, &Options::new()).unwrap();
    }
    let inner_html = |tree: &Tree| html::serializer().inner(tree.node(div));
    assert_eq!(inner_html(&tree), "<i>a</i>b<p id=\"p\"><i>c</i>d1<i>e</i>f</p><i>g</i>h");
    html::set_outer(&mut tree, p, "<td>x", &Options::new()).unwrap();
    assert_eq!(inner_html(&tree), "<i>a</i>bx<i>g</i>h");
    html::set_inner(&mut tree, div, "", &Options::new()).unwrap();
    assert_eq!(inner_html(&tree), "");
}

#[test]
fn sets_template_contents() {
    let mut tree = parse("<template id=t><b>");
    let template = tree.element_by_id("t").unwrap().id();
    html::set_inner(&mut tree, template, "<td>1", &Options::new()).unwrap();
    assert_eq!(tree.node(template).first_child(), None);
    assert_eq!(html::serializer().inner(tree.node(template)), "<td>1</td>");
}

#[test]
fn failed_calls_change_nothing() {
    let mut tree = parse("<p id=p>1<b id=b>2</b></p>");
    let [p, b] = ["p", "b"].map(|id| tree.element_by_id(id).unwrap().id());
    let text = tree.node(p).first_child().unwrap().id();
    let root = tree.root().id();
    let detached_text = tree.create_text("3");
    let dump_before = tree.root().to_dump();
    assert!(html::set_inner(&mut tree, text, "<i>", &Options::new()).is_err());
    assert_eq!(
        html::set_outer(&mut tree, detached_text, "", &Options::new()).err(),
        Some(HierarchyError::NoParent)
    );
    let html_element = tree.document_element().unwrap().id();
    assert!(html::set_outer(&mut tree, html_element, "", &Options::new()).is_err());
    assert_eq!(tree.prepend(b, p), Err(HierarchyError::Cycle));
    assert_eq!(tree.wrap(b, b), Err(HierarchyError::Cycle));
    assert_eq!(tree.wrap(b, p), Err(HierarchyError::Cycle));
    assert_eq!(tree.wrap(b, text), Err(HierarchyError::NotAParent));
    assert_eq!(tree.insert_after(detached_text, b), Err(HierarchyError::NoParent));
    assert_eq!(tree.replace_with(b, p), Err(HierarchyError::Cycle));
    assert_eq!(tree.replace_with(b, root), Err(HierarchyError::NotAChild));
    assert_eq!(tree.root().to_dump(), dump_before);
    // A node can be inserted at its current position and replaced with itself; neither changes the tree.
    tree.insert_after(text, b).unwrap();
    tree.prepend(p, text).unwrap();
    tree.replace_with(b, b).unwrap();
    assert_eq!(tree.root().to_dump(), dump_before);
}
