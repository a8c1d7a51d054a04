//! Fills a tree written for html5ever with tabulex.

use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{NodeData, RcDom};

fn parsed(page: &str) -> RcDom {
    tabulex_markup5ever::parse_document(RcDom::default(), Default::default()).one(page)
}

/// Returns the names of the elements in document order.
fn names(page: &str) -> Vec<String> {
    // The variable keeps the document alive during the walk: dropping the document removes the children of all its
    // descendants.
    let dom = parsed(page);
    let (mut names, mut pending) = (Vec::new(), vec![dom.document.clone()]);
    while let Some(node) = pending.pop() {
        if let NodeData::Element { name, .. } = &node.data {
            names.push(name.local.to_string());
        }
        pending.extend(node.children.borrow().iter().rev().cloned());
    }
    names
}

const PAGE: &str = "<table><p>1<tr><td>2";

fn main() {
    println!("{}", names(PAGE).join(" "));
}

#[test]
fn builds_the_standard_tree() {
    assert_eq!(names(PAGE).join(" "), "html head body p table tbody tr td");
}
