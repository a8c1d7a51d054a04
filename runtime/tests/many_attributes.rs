//! Tests of parsed attributes beyond the compact representations of elements and names: more attributes than an element
//! counts, in more namespaces than a name numbers. `tree_limits` tests trees that are not parsed.

#![cfg(all(feature = "html", feature = "xml-er"))]

use tabulex::tree::Positions;
use tabulex::{Limits, Options, Span, html, xml_er};

/// Tests tags with as many attributes as an element counts, with one more and with one fewer.
#[test]
fn accepts_the_maximum_number_of_counted_attributes() {
    for count in [65_534, 65_535, 65_536] {
        let attributes: String =
            (0..count).map(|index| format!(" a{index}=v{}", index % 9)).collect();
        let options = Options::new().limits(Limits::new().attributes(usize::MAX));
        let tree = html::parse(&format!("<p{attributes}><i b=c>x"), options).tree;
        let element = |name: &str| {
            let mut nodes = tree.root().descendants();
            nodes.find(|node| node.is_html(name)).unwrap()
        };
        assert_eq!(element("p").attributes().len(), count);
        for (index, attribute) in element("p").attributes().enumerate() {
            let expected = (format!("a{index}"), format!("v{}", index % 9));
            assert_eq!(
                (attribute.name().local(), attribute.value()),
                (&expected.0[..], &expected.1[..])
            );
        }
        assert_eq!((element("i").attributes().len(), element("i").attribute("b")), (1, Some("c")));
    }
}

/// Tests many namespaces in repeated tags, for which names are not looked up again.
#[test]
fn keeps_more_namespaces_than_a_name_can_number() {
    let count = 70_000;
    let groups = (0..count).map(|index| {
        format!("<g xmlns:p='n{index}'>{}</g>", format!("<e p:a='{}'/>", index % 9).repeat(3))
    });
    let tree =
        xml_er::parse(&format!("<r>{}</r>", groups.collect::<String>()), Options::new()).tree;
    let root = tree.document_element().unwrap();
    assert_eq!(root.children().count(), count);
    for (index, element) in root.children().enumerate() {
        let expected = (format!("n{index}"), (index % 9).to_string());
        for inner in element.children() {
            let attribute = inner.attributes().next().expect("each `e` has an attribute");
            let actual = (attribute.name().namespace_str(), attribute.value());
            assert_eq!(actual, (&expected.0[..], &expected.1[..]));
        }
    }
}

/// Tests ranges that are long or far apart, also in repeated tags.
#[test]
fn keeps_positions_that_are_far_apart() {
    for (gap, length) in [(1, 70_000), (300, 1), (5_000, 5_000), (1, 300), (70_000, 1), (1, 1)] {
        let (name, gap) = (format!("p:{}", "a".repeat(length.min(1_000))), " ".repeat(gap));
        let tag = format!("<e {name}{gap}={gap}'{}' p:b='c'/>", "v".repeat(length));
        let input = format!("<r xmlns:p='n'>{}</r>", tag.repeat(4));
        let options = Options::new().positions(Positions::All);
        let tree = xml_er::parse(&input, options).tree;
        let root = tree.document_element().unwrap();
        let mut search_start = 0;
        for element in root.children() {
            let start =
                search_start + input[search_start..].find(&name).expect("each tag has the name");
            let attribute = element.attributes().next().expect("each `e` has attributes");
            let value_start = start + name.len() + 2 * gap.len() + 2;
            let spans = [attribute.name_span(), attribute.value_span()]
                .map(|span| span.expect("positions are kept"));
            assert_eq!(spans[0], Span::new(start, start + name.len()));
            assert_eq!(spans[1], Span::new(value_start, value_start + length));
            search_start = value_start;
        }
        assert_eq!(root.children().count(), 4);
    }
}
