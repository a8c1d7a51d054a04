//! Records the calls of a host during tree construction, each as the table's word and the name of the node, by the
//! generated code and by the interpreter; also counts how often each element is popped. The generated code fills a tree
//! through the trait `TreeSink`, as for trees of other crates.

use crate::interpreted::Table;
use std::collections::HashMap;
use tabulex::tree::{Name, Names, NodeId, NodeRef, SinkAttribute, Tree, TreeSink};
use tabulex::{Construction, Options, Parser, Span};
use tabulex_oracle::interpreter::tree as plain;
use tabulex_oracle::interpreter::tree::document::{ParseOptions, parse};

/// A tree that records the calls of the host, and the elements popped.
#[derive(Default)]
struct RecordingTree {
    tree: Tree,
    calls: Vec<String>,
    popped: Vec<NodeId>,
}

impl TreeSink for RecordingTree {
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

    fn make_element_like(&mut self, element: NodeId, span: Option<Span>) -> NodeId {
        self.tree.make_element_like(element, span)
    }

    fn popped(&mut self, element: NodeId) {
        self.popped.push(element);
    }

    fn call_host(&mut self, word: &str, node: NodeId) {
        let name = self.tree.node(node).local_name().unwrap_or("#document").to_owned();
        self.calls.push(format!("{word} {name}"));
    }
}

/// Returns the host calls that the generated code makes for a document.
pub fn compiled<C: Construction>(input: &str) -> Vec<String> {
    record::<C>(input, &Options::new()).calls
}

/// Returns the host calls that the interpreter makes for a document.
///
/// # Panics
/// If the table has no tree construction.
pub fn interpreted(table: &Table, input: &str) -> Vec<String> {
    let parsed = parse(table.interpreter(), input, &ParseOptions::default());
    let parsed = parsed.unwrap_or_else(|stuck| panic!("{stuck}: {input:?}"));
    let name = |node: plain::NodeId| match &parsed.tree.nodes[node].kind {
        plain::NodeKind::Element(name, _) => name.local.clone(),
        _ => "#document".to_owned(),
    };
    parsed.calls.iter().map(|(word, node)| format!("{word} {}", name(*node))).collect()
}

/// Returns, for each element of a document's tree in tree order, its name and how often the sink was notified that it
/// was popped. Elements of the context are not included.
pub fn pop_counts<C: Construction>(input: &str, options: &Options) -> Vec<(String, usize)> {
    let sink = record::<C>(input, options);
    let mut counts = HashMap::<NodeId, usize>::new();
    sink.popped.iter().for_each(|&node| *counts.entry(node).or_default() += 1);
    let elements = sink.tree.root().descendants().filter(|node| node.is_element());
    let describe = |node: NodeRef<'_>| {
        let count = counts.get(&node.id()).copied().unwrap_or_default();
        (node.local_name().unwrap_or_default().to_owned(), count)
    };
    elements.map(describe).collect()
}

/// Parses a document into a recording tree.
fn record<C: Construction>(input: &str, options: &Options) -> RecordingTree {
    Parser::<C, RecordingTree>::with_sink(RecordingTree::default(), options).finish_with(input).tree
}
