//! Test of a sink that counts elements and forwards all calls to a tree.

use tabulex::tree::{DocumentMode, Name, Names, NodeId, NodeRef, SinkAttribute, Tree, TreeSink};
use tabulex::{Options, Span, WriteNode as _, html};

#[derive(Default)]
struct CountingSink {
    tree: Tree,
    elements: usize,
}

impl TreeSink for CountingSink {
    type Node = NodeId;

    fn names(&mut self) -> &mut Names {
        TreeSink::names(&mut self.tree)
    }

    fn document(&mut self) -> NodeId {
        self.tree.document()
    }

    fn make_element<'a, I>(&mut self, name: Name, attributes: I, span: Option<Span>) -> NodeId
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        self.elements += 1;
        self.tree.make_element(name, attributes, span)
    }

    fn make_comment(&mut self, data: &str, span: Span) -> NodeId {
        self.tree.make_comment(data, span)
    }

    fn make_processing_instruction(&mut self, target: &str, data: &str, span: Span) -> NodeId {
        self.tree.make_processing_instruction(target, data, span)
    }

    fn make_doctype(
        &mut self,
        name: &str,
        public_identifier: Option<&str>,
        system_identifier: Option<&str>,
        span: Span,
    ) -> NodeId {
        self.tree.make_doctype(name, public_identifier, system_identifier, span)
    }

    fn append_node(&mut self, parent: NodeId, child: NodeId) {
        self.tree.append_node(parent, child);
    }

    fn insert_node_before(&mut self, sibling: NodeId, child: NodeId) {
        self.tree.insert_node_before(sibling, child);
    }

    fn append_characters(&mut self, parent: NodeId, text: &str, span: Span) {
        self.tree.append_characters(parent, text, span);
    }

    fn insert_characters_before(&mut self, sibling: NodeId, text: &str, span: Span) {
        self.tree.insert_characters_before(sibling, text, span);
    }

    fn remove_from_parent(&mut self, node: NodeId) {
        self.tree.remove_from_parent(node);
    }

    fn reparent_children(&mut self, from: NodeId, to: NodeId) {
        self.tree.reparent_children(from, to);
    }

    fn parent_of(&self, node: NodeId) -> Option<NodeId> {
        self.tree.parent_of(node)
    }

    fn add_missing_attributes<'a, I>(&mut self, element: NodeId, attributes: I)
    where
        I: Iterator<Item = SinkAttribute<'a>>,
    {
        self.tree.add_missing_attributes(element, attributes);
    }

    fn template_contents(&mut self, element: NodeId) -> NodeId {
        TreeSink::template_contents(&mut self.tree, element)
    }

    fn set_document_mode(&mut self, mode: DocumentMode) {
        self.tree.set_document_mode(mode);
    }

    fn end_tag(&mut self, element: NodeId, span: Span) {
        self.tree.end_tag(element, span);
    }

    fn associate(&mut self, element: Option<NodeId>) {
        self.tree.associate(element);
    }

    fn filled_tree(&self) -> Option<&Tree> {
        Some(&self.tree)
    }

    fn filled_tree_mut(&mut self) -> Option<&mut Tree> {
        Some(&mut self.tree)
    }
}

/// Returns a description of each node, with its range.
fn descriptions(tree: &Tree) -> Vec<String> {
    let nodes = tree.root().descendants();
    let description = |node: NodeRef<'_>| {
        let associated = node.associated().map(|element| element.id());
        format!("{:?} {:?} {:?} {associated:?}", node.name(), node.span(), node.text())
    };
    nodes.map(description).collect()
}

#[test]
fn wrapped_trees_have_equal_positions() {
    let page = "a\r\n<p>b&amp;\r\nc\r<b x=\"1\r\n2\">d<p>e</b><!--\r\n--><template>\r\n<td>f</template>\r\n<table><form></table><input>";
    let expected = html::parse(page, Options::new());
    for size in [page.len(), 1, 2, 5] {
        let mut parser = html::Parser::with_sink(CountingSink::default(), &Options::new());
        let parsed = if size == page.len() {
            parser.finish_with(page)
        } else {
            let pieces = page.as_bytes().chunks(size);
            pieces.for_each(|piece| {
                parser.feed(std::str::from_utf8(piece).expect("the page is ASCII"));
            });
            parser.finish()
        };
        assert_eq!(
            descriptions(&parsed.tree.tree),
            descriptions(&expected.tree),
            "chunks of {size}"
        );
        assert_eq!(parsed.tree.tree.root().to_dump(), expected.tree.root().to_dump());
        assert_eq!(parsed.errors, expected.errors, "chunks of {size}");
        assert_eq!(parsed.tree.elements, 12);
    }
}
