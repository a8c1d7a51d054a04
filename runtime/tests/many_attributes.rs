//! Attributes of markup that do not fit into the small numbers of elements and names: more than an element counts, in more
//! namespaces than a name numbers. Those of a tree that is not parsed are the business of `tree_limits`. Invariant: every
//! expectation is computed from the index of what was written.

#![cfg(all(feature = "html", feature = "xml-er"))]

use tabulex::{Limits, Options, html, xml_er};

/// Tags of just as many attributes as an element counts, of one more and of one less, whose texts stay in the input.
#[test]
fn tags_of_as_many_attributes_as_an_element_counts() {
    for count in [65_534, 65_535, 65_536] {
        let attributes: String =
            (0..count).map(|index| format!(" a{index}=v{}", index % 9)).collect();
        let options = Options::new().limits(Limits::new().attributes(usize::MAX));
        let tree = html::parse(&format!("<p{attributes}><i b=c>x"), options).tree;
        let element = |name: &str| {
            tree.root().descendants().find(|node| node.is_html(name)).expect("it is in the tree")
        };
        assert_eq!(element("p").attributes().len(), count);
        for (index, found) in element("p").attributes().enumerate() {
            let expected = (format!("a{index}"), format!("v{}", index % 9));
            assert_eq!((found.name().local(), found.value()), (&expected.0[..], &expected.1[..]));
        }
        assert_eq!((element("i").attributes().len(), element("i").attribute("b")), (1, Some("c")));
    }
}

/// Of tags that are repeated, names are not looked up again.
#[test]
fn more_namespaces_than_a_name_can_number() {
    let count = 70_000;
    let groups = (0..count).map(|index| {
        format!("<g xmlns:p='n{index}'>{}</g>", format!("<e p:a='{}'/>", index % 9).repeat(3))
    });
    let tree =
        xml_er::parse(&format!("<r>{}</r>", groups.collect::<String>()), Options::new()).tree;
    let root = tree.document_element().expect("there is one");
    assert_eq!(root.children().count(), count);
    for (index, element) in root.children().enumerate() {
        let expected = (format!("n{index}"), (index % 9).to_string());
        for inner in element.children() {
            let found = inner.attributes().next().expect("each has one");
            let found = (found.name().namespace_str(), found.value());
            assert_eq!(found, (&expected.0[..], &expected.1[..]));
        }
    }
}
