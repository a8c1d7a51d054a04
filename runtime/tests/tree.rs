//! Tests of building, walking and changing trees. `tree_serialize` tests serializers, `tree_depth` deep trees.

use tabulex::tree::{
    DocumentMode, Edge, HierarchyError, KnownNames, LocalName, Name, Names, Namespace, NodeId,
    NodeKind, Overflow, Positions, SinkAttribute, Tree, TreeOptions, TreeSink,
};
use tabulex::{Options, Span, WriteNode as _, html};

static LIST: [&str; 5] = ["div", "p", "br", "an-uncommonly-long-name", "a"];
static SLOTS: [u16; 16] = KnownNames::slots(&LIST);
static KNOWN: KnownNames = KnownNames::new(&LIST, &SLOTS);

fn element(tree: &mut Tree, parent: NodeId, name: &str) -> NodeId {
    let node = tree.create_element(Namespace::HTML, name);
    tree.append(parent, node).expect("the parent can have children");
    node
}

fn names_of(tree: &Tree, parent: NodeId) -> String {
    let names: Vec<_> =
        tree.node(parent).children().filter_map(|child| child.local_name()).collect();
    names.join(" ")
}

#[test]
fn trees_and_references_are_send_and_sync() {
    fn assert_send_and_sync<T: Send + Sync + 'static>() {}
    assert_send_and_sync::<Tree>();
    assert_send_and_sync::<Names>();
    assert_send_and_sync::<tabulex::tree::NodeRef<'static>>();
    assert_send_and_sync::<HierarchyError>();
    assert_send_and_sync::<Overflow>();
}

#[test]
fn known_names_have_the_ids_of_their_list() {
    let mut names = Names::with_known(&KNOWN);
    for (index, name) in LIST.iter().enumerate() {
        assert_eq!(names.local(name), LocalName::known(index as u32));
        assert_eq!(names.local_str(LocalName::known(index as u32)), *name);
    }
    let unknown_name = names.local("x-y");
    assert_eq!(unknown_name.id() as usize, LIST.len());
    assert_eq!(names.local("x-y"), unknown_name);
    assert_eq!(names.find_local("x-z"), None);
    assert!(names.seed(&KNOWN), "`seed` rejects a list that is already in place");
    let mut used_names = Names::default();
    let first_name = used_names.local("first");
    assert!(
        !used_names.seed(&KNOWN),
        "`seed` reports the list as in place although an id is already taken"
    );
    assert_eq!(used_names.local("first"), first_name);
    let mut fresh_names = Names::default();
    assert!(fresh_names.seed(&KNOWN));
    assert_eq!(fresh_names.local("p"), LocalName::known(1));
}

#[test]
#[should_panic(expected = "the hash table was made for another list")]
fn rejects_the_table_of_another_list() {
    static OTHER_LIST: [&str; 2] = ["a", "b"];
    static FOREIGN_SLOTS: [u16; 8] = KnownNames::slots(&["a", "p", "q"]);
    let _ = KnownNames::new(&OTHER_LIST, &FOREIGN_SLOTS);
}

#[test]
#[should_panic(expected = "the hash table was made for another list")]
fn rejects_the_table_of_a_longer_list() {
    static SHORT_LIST: [&str; 2] = ["a", "p"];
    static LONGER_SLOTS: [u16; 8] = KnownNames::slots(&["a", "p", "q"]);
    let _ = KnownNames::new(&SHORT_LIST, &LONGER_SLOTS);
}

#[test]
fn distinguishes_many_similar_names() {
    let mut names = Names::with_known(&KNOWN);
    // The names are equal in length, prefix and suffix, the only inputs of the cheap hash.
    let name = |index: usize| format!("data-attribute-{index:08}-attribute-data");
    let local_names: Vec<LocalName> = (0..5000).map(|index| names.local(&name(index))).collect();
    for (index, &local) in local_names.iter().enumerate() {
        assert_eq!(names.local(&name(index)), local);
        assert_eq!(names.local_str(local), name(index));
    }
    assert_eq!(names.local("").id() as usize, LIST.len() + 5000);
}

#[test]
fn names_have_namespace_prefix_and_local_name() {
    let mut names = Names::default();
    let href = names.local("href");
    assert_eq!(names.name(Namespace::XLINK, "xlink", "href"), Name::xlink(href));
    assert_eq!(names.name(Namespace::XML, "xml", "href"), Name::xml(href));
    assert_eq!(names.name(Namespace::XMLNS, "xmlns", "href"), Name::xmlns(href));
    assert_eq!(names.name(Namespace::SVG, "", "href"), Name::new(Namespace::SVG, href));
    let other_namespace = names.namespace("urn:x");
    let prefixed = names.name(other_namespace, "p", "href");
    assert_ne!(prefixed, names.name(other_namespace, "q", "href"));
    assert_ne!(prefixed, names.name(Namespace::SVG, "p", "href"));
    assert_eq!(prefixed, names.name(other_namespace, "p", "href"));
    assert_eq!((names.namespace_of(prefixed), names.prefix_of(prefixed)), (other_namespace, "p"));
    let resolved = names.resolve(prefixed);
    assert!(
        resolved.is("p:href")
            && !resolved.is("href")
            && !resolved.is("p:h")
            && !resolved.is("pp:href")
    );
    assert_eq!((resolved.to_string(), resolved.namespace_str()), ("p:href".to_owned(), "urn:x"));
    for uri in ["", "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/xmlns/"] {
        let namespace = names.find_namespace(uri).expect("the namespace is known");
        assert_eq!(names.namespace_str(namespace), uri);
    }
    assert_eq!(names.find_namespace("http://www.w3.org/2000/svg"), Some(Namespace::SVG));
}

#[test]
fn walks_nodes_in_every_direction() {
    let mut tree = Tree::new();
    let document = tree.document();
    let outer = element(&mut tree, document, "outer");
    let [a, b, c] = ["a", "b", "c"].map(|name| element(&mut tree, outer, name));
    let inner = element(&mut tree, b, "inner");
    tree.append_text(inner, "x");
    tree.append_text(c, "y");
    let node = |id| tree.node(id);
    let name = |node: tabulex::tree::NodeRef<'_>| node.local_name().unwrap_or("-").to_owned();
    let join = |names: Vec<String>| names.join(" ");
    assert_eq!(join(node(outer).children().map(name).collect()), "a b c");
    assert_eq!(join(node(outer).children().rev().map(name).collect()), "c b a");
    assert_eq!(join(tree.root().descendants().map(name).collect()), "outer a b inner - c -");
    assert_eq!(join(node(b).descendants().map(name).collect()), "inner -");
    assert_eq!(join(node(inner).ancestors().map(name).collect()), "b outer -");
    assert_eq!(join(node(a).next_siblings().map(name).collect()), "b c");
    assert_eq!(join(node(c).previous_siblings().map(name).collect()), "b a");
    assert_eq!(node(a).descendants().count(), 0);
    assert_eq!(
        (tree.root().text(), node(b).text(), node(a).text()),
        ("xy".into(), "x".into(), String::new())
    );
    assert_eq!(tree.document_element().map(|element| element.id()), Some(outer));
    let steps = node(b).walk().map(|edge| match edge {
        Edge::Open(node) => format!("<{}", name(node)),
        Edge::Close(node) => format!("{}>", name(node)),
    });
    assert_eq!(join(steps.collect()), "<b <inner <- -> inner> b>");
    let mut children = node(outer).children();
    assert_eq!(
        (children.next().map(name), children.next_back().map(name)),
        (Some("a".into()), Some("c".into()))
    );
    assert_eq!(
        (children.next().map(name), children.next(), children.next_back()),
        (Some("b".into()), None, None)
    );
}

#[test]
fn rejects_impossible_insertions() {
    let mut tree = Tree::new();
    let document = tree.document();
    let outer = element(&mut tree, document, "outer");
    let inner = element(&mut tree, outer, "inner");
    let text = tree.create_text("x");
    assert_eq!(tree.append(inner, outer), Err(HierarchyError::Cycle));
    assert_eq!(tree.append(outer, outer), Err(HierarchyError::Cycle));
    assert_eq!(
        tree.insert_before(inner, inner),
        Ok(()),
        "inserting a node before itself was rejected"
    );
    assert_eq!(tree.insert_before(inner, outer), Err(HierarchyError::Cycle));
    assert_eq!(tree.append(text, inner), Err(HierarchyError::NotAParent));
    assert_eq!(tree.append(outer, document), Err(HierarchyError::NotAChild));
    assert_eq!(tree.insert_before(text, inner), Err(HierarchyError::NoParent));
    assert_eq!(tree.move_children(outer, inner), Err(HierarchyError::Cycle));
    let contents = tree.create_template_contents(inner);
    let inside_contents = element(&mut tree, contents, "within");
    assert_eq!(
        tree.append(inside_contents, inner),
        Err(HierarchyError::Cycle),
        "a template was inserted into its own contents"
    );
    assert_eq!(tree.append(outer, contents), Err(HierarchyError::NotAChild));
    assert_eq!(names_of(&tree, outer), "inner");
}

#[test]
fn inserting_a_fragment_moves_its_children() {
    let mut tree = Tree::new();
    let document = tree.document();
    let outer = element(&mut tree, document, "outer");
    let last = element(&mut tree, outer, "last");
    let fragment = tree.create_fragment();
    for name in ["a", "b"] {
        element(&mut tree, fragment, name);
    }
    tree.insert_before(last, fragment).expect("a fragment can be inserted");
    assert_eq!(names_of(&tree, outer), "a b last");
    element(&mut tree, fragment, "c");
    tree.append(outer, fragment).expect("a fragment can be appended");
    assert_eq!(
        (names_of(&tree, outer), names_of(&tree, fragment)),
        ("a b last c".into(), String::new())
    );
    tree.move_children(outer, last).expect_err("`last` is a descendant of `outer`");
    tree.unwrap(outer);
    assert_eq!(names_of(&tree, document), "a b last c");
    tree.set_text(document, "no effect");
    tree.remove_children(document);
    assert_eq!(tree.root().first_child(), None);
}

#[test]
fn merges_and_changes_texts() {
    let mut tree = Tree::new();
    let document = tree.document();
    let [p, q] = ["p", "q"].map(|name| element(&mut tree, document, name));
    for _ in 0..3 {
        tree.append_text(p, "ab");
        tree.append_text(q, "c");
        tree.insert_text_before(q, "-");
    }
    assert_eq!(tree.root().children().count(), 3, "the texts between `p` and `q` were not merged");
    assert_eq!((tree.node(p).text(), tree.node(q).text()), ("ababab".into(), "ccc".into()));
    let text = tree.node(p).first_child().unwrap().id();
    tree.set_text(text, "new");
    tree.append_text(p, "er");
    assert_eq!(tree.node(text).data(), Some("newer"));
    tree.set_text(q, "all");
    assert_eq!(tree.root().text(), "newer---all");
    let comment = tree.create_comment("x");
    tree.set_text(comment, "y");
    let instruction = tree.create_processing_instruction("t", "d");
    tree.set_text(instruction, "e");
    assert_eq!(tree.node(comment).data(), Some("y"));
    assert_eq!(
        (tree.node(instruction).target(), tree.node(instruction).data()),
        (Some("t"), Some("e"))
    );
    assert_eq!(tree.node(p).data(), None);
}

#[test]
fn finds_sets_and_removes_attributes() {
    let mut tree = Tree::new();
    let node = tree.create_element(Namespace::SVG, "a");
    let xlink_href = tree.names_mut().name(Namespace::XLINK, "xlink", "href");
    tree.set_named_attribute(node, xlink_href, "1");
    tree.set_attribute(node, "href", "2").unwrap();
    tree.set_attribute(node, "xlink:href", "3").unwrap();
    let debug_attributes =
        |tree: &Tree| format!("{:?}", tree.node(node).attributes().collect::<Vec<_>>());
    assert_eq!(debug_attributes(&tree), r#"[xlink:href="3", href="2"]"#);
    assert_eq!(tree.node(node).attribute("xlink:href"), Some("3"));
    assert_eq!(tree.node(node).attribute_in(Namespace::XLINK, "href"), Some("3"));
    assert_eq!(tree.node(node).attribute_in(Namespace::NONE, "href"), Some("2"));
    assert!(
        tree.remove_attribute(node, "xlink:href") && !tree.remove_attribute(node, "xlink:href")
    );
    for index in 0..100 {
        tree.set_attribute(node, &format!("x{index}"), "").unwrap();
    }
    for index in (0..100).step_by(2) {
        assert!(tree.remove_attribute(node, &format!("x{index}")));
    }
    assert_eq!(tree.node(node).attributes().len(), 51);
    let odd_name = tree.names_mut().name(Namespace::NONE, "", "x51");
    tree.set_named_attribute(node, odd_name, "odd");
    assert_eq!(tree.node(node).named_attribute(odd_name), Some("odd"));
    assert_eq!(
        tree.node(node).attributes().nth(26).map(|attribute| attribute.value()),
        Some("odd")
    );
    let text = tree.create_text("x");
    tree.set_attribute(text, "a", "b").unwrap();
    assert!(!tree.remove_attribute(text, "a"));
    assert_eq!(tree.node(text).attribute("a"), None);
}

#[test]
fn changes_affect_one_of_equal_elements() {
    let mut tree = Tree::new();
    let id = tree.names_mut().name(Namespace::NONE, "", "id");
    let div = tree.names_mut().name(Namespace::HTML, "", "div");
    let spans = (Some(Span::new(5, 7)), Some(Span::new(9, 10)));
    let attribute = SinkAttribute { name: id, value: "x", name_span: spans.0, value_span: spans.1 };
    let first = tree.make_element(div, [attribute].into_iter(), Some(Span::new(0, 12)));
    let second = tree.make_element_like(first, None);
    tree.set_attribute(second, "id", "y").unwrap();
    let third = tree.make_element_like(second, None);
    tree.set_attribute(third, "id", "z").unwrap();
    tree.set_attribute(second, "id", "yy").unwrap();
    let value = |node| tree.node(node).attribute("id");
    assert_eq!((value(first), value(second), value(third)), (Some("x"), Some("yy"), Some("z")));
    let first = tree.node(first);
    let attribute = first.attributes().next().unwrap();
    assert_eq!((attribute.name_span(), attribute.value_span()), spans);
    assert_eq!((first.span(), first.end_tag_span()), (Some(Span::new(0, 12)), None));
    assert_eq!(tree.node(second).span(), None);
}

#[test]
fn keeps_positions_as_requested() {
    for positions in [Positions::None, Positions::Nodes, Positions::All] {
        let mut tree = Tree::with_options(TreeOptions::new().positions(positions));
        let name = tree.names_mut().name(Namespace::HTML, "", "p");
        let (name_span, value_span) = (Some(Span::new(3, 4)), Some(Span::new(5, 6)));
        let attribute = SinkAttribute { name, value: "v", name_span, value_span };
        let node = tree.make_element(name, [attribute].into_iter(), Some(Span::new(0, 7)));
        tree.append_characters(node, "ab", Span::new(7, 9));
        tree.append_characters(node, "c", Span::new(12, 13));
        tree.end_tag(node, Span::new(13, 17));
        let xml_attribute = SinkAttribute {
            name_span: Some(Span::new(20, 21)),
            ..SinkAttribute::implied(Name::xml(name.local()), "")
        };
        tree.add_missing_attributes(node, [attribute, xml_attribute].into_iter());
        let node = tree.node(node);
        let node_spans =
            [node.span(), node.first_child().and_then(|text| text.span()), node.end_tag_span()];
        let attribute_spans =
            node.attributes().map(|attribute| (attribute.name_span(), attribute.value_span()));
        let expected_node_spans = [Span::new(0, 7), Span::new(7, 13), Span::new(13, 17)];
        assert_eq!(
            node_spans,
            expected_node_spans.map(|span| (positions >= Positions::Nodes).then_some(span))
        );
        let expected = match positions {
            Positions::All => vec![(name_span, value_span), (Some(Span::new(20, 21)), None)],
            _ => vec![(None, None); 2],
        };
        assert_eq!(attribute_spans.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn reports_values_that_do_not_fit() {
    let mut tree = Tree::with_options(TreeOptions::new().node_limit(3));
    let document = tree.document();
    let outer = element(&mut tree, document, "outer");
    tree.append_text(outer, "fits");
    assert_eq!(tree.overflow(), None);
    let overflow_node = element(&mut tree, outer, "beyond");
    let overflow_child = element(&mut tree, overflow_node, "inside");
    tree.append_text(overflow_node, "left out");
    tree.set_attribute(overflow_node, "left", "out").unwrap();
    tree.append(overflow_node, outer).expect("calls on dropped nodes have no effect");
    let contents = tree.create_template_contents(outer);
    assert_eq!((overflow_child, contents, tree.node_count()), (overflow_node, overflow_node, 3));
    assert_eq!(tree.overflow(), Some(Overflow::Nodes));
    assert_eq!(tree.root().to_dump(), "| <outer>\n|   \"fits\"\n");

    let mut tree = Tree::new();
    let far_span = Span::new(u32::MAX as usize - 2, u32::MAX as usize);
    let comment = tree.make_comment("far", far_span);
    assert_eq!(tree.overflow(), Some(Overflow::Offsets));
    assert_eq!(tree.node(comment).span(), Some(Span::new(far_span.start, far_span.end - 1)));

    // A text can also grow beyond the maximum offset.
    for is_before in [false, true] {
        let mut tree = Tree::new();
        let document = tree.document();
        let outer = element(&mut tree, document, "outer");
        tree.append_characters(outer, "a", Span::new(far_span.start - 1, far_span.start));
        let end_element = element(&mut tree, outer, "end");
        assert_eq!(tree.overflow(), None);
        match is_before {
            false => {
                tree.detach(end_element);
                tree.append_characters(outer, "bc", far_span);
            }
            true => tree.insert_characters_before(end_element, "bc", far_span),
        }
        assert_eq!(tree.overflow(), Some(Overflow::Offsets), "{is_before}");
    }
}

#[test]
fn compares_trees_by_structure_only() {
    let build = |class: &str, uses_known_names: bool| {
        let options = if uses_known_names {
            TreeOptions::new().known_names(&KNOWN)
        } else {
            TreeOptions::new()
        };
        let mut tree = Tree::with_options(options);
        let document = tree.document();
        let outer = element(&mut tree, document, "div");
        tree.set_attribute(outer, "class", class).unwrap();
        let template = element(&mut tree, outer, "template");
        let contents = tree.create_template_contents(template);
        tree.append_text(contents, "text");
        tree
    };
    let tree = build("x", false);
    assert_eq!(tree, build("x", true));
    assert_eq!(tree, tree.clone());
    assert_ne!(tree, build("y", false));
    let mut other_tree = build("x", false);
    other_tree.set_document_mode(DocumentMode::Quirks);
    assert_ne!(tree, other_tree);
    let mut other_tree = build("x", false);
    let template = other_tree
        .root()
        .descendants()
        .find(|node| node.local_name() == Some("template"))
        .map(|node| node.id());
    let contents = other_tree.create_template_contents(template.unwrap());
    other_tree.append_text(contents, "more");
    assert_ne!(tree, other_tree, "the comparison ignores template contents");
    assert_eq!(
        format!("{tree:?}"),
        "NoQuirks document\n  element div class=\"x\"\n    element template\n      contents\n        text \"text\"\n"
    );
    assert_eq!(tree.root().first_child().map(|node| node.kind()), Some(NodeKind::Element));
}

#[cfg(feature = "html")]
#[test]
fn merges_texts() {
    let mut tree = html::parse_fragment("<p>ab<i></i>cd<b>e</b>f", "div", Options::new()).tree;
    let p =
        tree.root().descendants().find(|node| node.is_html("p")).expect("the fragment has a `p`");
    let (p, empty) = (p.id(), p.first_child().and_then(|text| text.next_sibling()));
    let empty = empty.expect("`i` follows the first text").id();
    let first = tree.node(p).first_child().expect("`p` has a text").id();
    tree.unwrap(empty);
    tree.merge_texts(p);
    let parts: Vec<String> = tree.node(p).children().map(|node| node.text()).collect();
    assert_eq!(parts, ["abcd", "e", "f"]);
    assert_eq!(tree.node(first).parent(), Some(tree.node(p)));
}

#[test]
fn removes_attributes_at_any_position() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let attributes: String = names.iter().map(|name| format!(" {name}='x{name}'")).collect();
    let page = format!("<p{attributes}><p{attributes}><p>");
    for positions in [Positions::All, Positions::None] {
        // Removes each subset of the attributes: at once from the first element, and one by one from the second.
        for removed_mask in 0..1_u32 << names.len() {
            let options = Options::new().positions(positions);
            let mut tree = html::parse(&page, options).tree;
            let ids: Vec<NodeId> = tree
                .root()
                .descendants()
                .filter(|node| node.local_name() == Some("p"))
                .map(|node| node.id())
                .collect();
            let is_removed = |name: &str| {
                names
                    .iter()
                    .position(|other| *other == name)
                    .is_some_and(|index| removed_mask >> index & 1 == 1)
            };
            let count =
                tree.retain_attributes(ids[0], |attribute| !is_removed(attribute.name().local()));
            assert_eq!(count, removed_mask.count_ones() as usize);
            for name in names.into_iter().filter(|name| is_removed(name)) {
                assert!(tree.remove_attribute(ids[1], name));
            }
            assert_eq!(tree.retain_attributes(ids[2], |_| false), 0);
            for &id in &ids[..2] {
                let mut expected = names.into_iter().filter(|name| !is_removed(name));
                for attribute in tree.node(id).attributes() {
                    let name = attribute.name().local().to_owned();
                    assert_eq!(expected.next(), Some(&name[..]));
                    assert_eq!(attribute.value(), format!("x{name}"));
                    let source = |span: Option<Span>| span.map(|span| &page[span.range()]);
                    let has_positions = positions == Positions::All;
                    assert_eq!(source(attribute.name_span()), has_positions.then_some(&name[..]));
                    let value = has_positions.then_some(attribute.value());
                    assert_eq!(source(attribute.value_span()), value);
                }
                assert_eq!(expected.next(), None);
            }
        }
    }
}

#[test]
fn removing_attributes_singly_takes_no_more_memory() {
    let attributes: String = (0..4_000).map(|index| format!(" a{index}=x")).collect();
    let mut tree = html::parse(&format!("<p{attributes}>"), Options::new()).tree;
    let node = tree.root().descendants().find(|node| node.local_name() == Some("p")).unwrap().id();
    let size_before = tree.heap_size();
    for index in (1..4_000).step_by(2) {
        assert!(tree.remove_attribute(node, &format!("a{index}")));
    }
    assert_eq!(tree.node(node).attributes().len(), 2_000);
    assert!(
        tree.heap_size() < 4 * size_before,
        "the tree grew from {size_before} to {} bytes",
        tree.heap_size()
    );
}
