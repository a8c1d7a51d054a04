//! Mutations of a tree, compared with a model that stores nodes as lists of indices and follows the documentation of each
//! method. The parser only creates the initial tree.

use super::Target;
use super::trees::HTML;
use crate::feedback::note;
use crate::input_reader::{InputReader, assert_tree};
use std::collections::HashMap;
use tabulex::Options;
use tabulex::tree::{HierarchyError, Namespace, NodeId, NodeKind, NodeRef, Tree};
use tabulex_tests::random::Random;

pub(super) const TARGET: Target = Target {
    name: "mutation",
    about: "every change of a tree, compared with a model; links, clones, equality",
    choices: 2,
    piece,
    run,
};

/// Generates a few mutations. Each is a byte for its kind, and bytes for its nodes and texts.
fn piece(random: &mut Random) -> Vec<u8> {
    (0..4 + random.below(12)).map(|_| random.next_number() as u8 % 64).collect()
}

/// A node of the model.
#[derive(Clone, Debug)]
struct ModelNode {
    id: NodeId,
    kind: NodeKind,
    parent: Option<usize>,
    children: Vec<usize>,
    /// The element that has this node as template contents.
    host: Option<usize>,
    contents: Option<usize>,
    data: String,
    attributes: Vec<(String, String)>,
}

/// A tree and its model.
struct TreeAndModel {
    tree: Tree,
    model: Vec<ModelNode>,
}

fn run(input: &[u8]) {
    let mut reader = InputReader::new(input);
    let (dialect, length) = (*reader.pick(&HTML), reader.byte());
    let markup = match length % 4 {
        0 => "",
        1 => "<table>a<td><b>c<p>d</b>e<template>f<i>g</template>",
        2 => "<!DOCTYPE html><!--x--><p a=1 b=2>t<b a=1 b=2>u<?v w?></p>",
        _ => "<p>a<p>b<div><i>c<div>d</i>e",
    };
    let mut parser = dialect.parser(&Options::new()).unwrap();
    let mut tree_and_model = TreeAndModel { tree: parser.parse(markup).tree, model: Vec::new() };
    tree_and_model.import_tree();
    let original = tree_and_model.tree.clone();
    let original_dump = format!("{:?}", original.root());
    while !reader.is_empty() && tree_and_model.model.len() < 200 {
        tree_and_model.apply_change(&mut reader);
    }
    tree_and_model.compare();
    assert_tree(&tree_and_model.tree, None);
    assert_eq!(format!("{:?}", original.root()), original_dump, "a clone changed with its tree");
    let clone = tree_and_model.tree.clone();
    assert!(clone == tree_and_model.tree, "a clone differs from its tree");
    tree_and_model.tree.shrink_to_fit();
    assert!(clone == tree_and_model.tree, "the tree differs from its clone after shrinking");
    tree_and_model.compare();
}

impl TreeAndModel {
    /// Adds all nodes of the document to the model.
    fn import_tree(&mut self) {
        let mut numbers: HashMap<NodeId, usize> = HashMap::new();
        let nodes: Vec<NodeRef<'_>> = self
            .tree
            .root()
            .walk_with_contents()
            .filter_map(|edge| match edge {
                tabulex::tree::Edge::Open(node) => Some(node),
                _ => None,
            })
            .collect();
        for (number, node) in nodes.iter().enumerate() {
            numbers.insert(node.id(), number);
            let parent = node.parent().map(|parent| numbers[&parent.id()]);
            let host = node.host().map(|host| numbers[&host.id()]);
            if let Some(parent) = parent {
                self.model[parent].children.push(number);
            }
            if let Some(host) = host {
                self.model[host].contents = Some(number);
            }
            let to_pair = |it: tabulex::tree::AttributeRef<'_>| {
                (it.name().to_string(), it.value().to_owned())
            };
            self.model.push(ModelNode {
                id: node.id(),
                kind: node.kind(),
                parent,
                children: Vec::new(),
                host,
                contents: None,
                data: node.data().unwrap_or_default().to_owned(),
                attributes: node.attributes().map(to_pair).collect(),
            });
        }
    }

    fn add_node(&mut self, id: NodeId, kind: NodeKind, data: &str) -> usize {
        self.model.push(ModelNode {
            id,
            kind,
            parent: None,
            children: Vec::new(),
            host: None,
            contents: None,
            data: data.to_owned(),
            attributes: Vec::new(),
        });
        self.model.len() - 1
    }

    /// Applies the mutation that the next bytes encode to the tree and to the model.
    fn apply_change(&mut self, reader: &mut InputReader<'_>) {
        let kind = reader.byte() % 20;
        let node = usize::from(reader.byte()) % self.model.len();
        let other = usize::from(reader.byte()) % self.model.len();
        note((kind, self.model[node].kind, self.model[other].kind));
        match kind {
            0..=5 => self.create_node(kind, node, reader),
            6..=8 => self.append(node, other),
            9 | 10 => self.insert_before(node, other),
            11 => {
                self.tree.detach(self.model[node].id);
                self.unlink(node);
            }
            12 => self.unwrap(node),
            13 => {
                self.tree.remove_children(self.model[node].id);
                self.clear(node);
            }
            14 => self.move_children(node, other),
            15 => self.append_text(node, &reader.short_text(3)),
            16 => self.insert_text_before(node, &reader.short_text(3)),
            17 => self.set_text(node, &reader.short_text(3)),
            _ => self.change_attribute(node, other, reader),
        }
        let children = |node: NodeId| {
            self.tree.node(node).children().map(|child| child.id()).collect::<Vec<_>>()
        };
        for node in [node, other] {
            let model_node = &self.model[node];
            let expected: Vec<NodeId> =
                model_node.children.iter().map(|&index| self.model[index].id).collect();
            assert_eq!(children(model_node.id), expected, "children after change {kind}");
        }
    }

    fn create_node(&mut self, kind: u8, node: usize, reader: &mut InputReader<'_>) {
        let text = reader.short_text(4);
        let tree = &mut self.tree;
        let (id, kind) = match kind {
            0 => (tree.create_element(Namespace::HTML, "e"), NodeKind::Element),
            1 => (tree.create_text(&text), NodeKind::Text),
            2 => (tree.create_comment(&text), NodeKind::Comment),
            3 => (tree.create_processing_instruction("t", &text), NodeKind::ProcessingInstruction),
            4 => (tree.create_fragment(), NodeKind::Fragment),
            _ => return self.create_contents(node),
        };
        let has_data = !matches!(kind, NodeKind::Element | NodeKind::Fragment);
        self.add_node(id, kind, if has_data { &text } else { "" });
    }

    /// Creates template contents for a node. Only elements without contents get new ones.
    fn create_contents(&mut self, node: usize) {
        let id = self.tree.create_template_contents(self.model[node].id);
        if self.model[node].kind != NodeKind::Element {
            assert_eq!(id, self.model[node].id, "contents of a node other than an element");
        } else if let Some(contents) = self.model[node].contents {
            assert_eq!(id, self.model[contents].id, "second contents");
        } else {
            let contents = self.add_node(id, NodeKind::Fragment, "");
            self.model[contents].host = Some(node);
            self.model[node].contents = Some(contents);
        }
    }

    /// Returns the expected error for inserting a node into another one, if any.
    fn expected_error(&self, parent: usize, child: usize) -> Option<HierarchyError> {
        if !self.is_parent(parent) {
            return Some(HierarchyError::NotAParent);
        }
        if self.model[child].kind == NodeKind::Document || self.model[child].host.is_some() {
            return Some(HierarchyError::NotAChild);
        }
        self.is_inside(parent, child).then_some(HierarchyError::Cycle)
    }

    fn is_parent(&self, node: usize) -> bool {
        let kind = self.model[node].kind;
        matches!(kind, NodeKind::Document | NodeKind::Element | NodeKind::Fragment)
    }

    fn is_inside(&self, node: usize, outer: usize) -> bool {
        let parent_or_host = |&index: &usize| self.model[index].parent.or(self.model[index].host);
        std::iter::successors(Some(node), parent_or_host).any(|ancestor| ancestor == outer)
    }

    fn unlink(&mut self, child: usize) {
        if let Some(parent) = self.model[child].parent.take() {
            self.model[parent].children.retain(|&other| other != child);
        }
    }

    /// Inserts a node, or the children of a fragment, before the child `before` of `parent`, or at the end.
    fn insert(&mut self, parent: usize, before: Option<usize>, child: usize) {
        let nodes = match self.model[child].kind {
            NodeKind::Fragment => self.model[child].children.clone(),
            _ => vec![child],
        };
        for node in nodes.into_iter().filter(|&node| Some(node) != before) {
            self.unlink(node);
            let children = &mut self.model[parent].children;
            let index = before.and_then(|before| children.iter().position(|&it| it == before));
            children.insert(index.unwrap_or(children.len()), node);
            self.model[node].parent = Some(parent);
        }
    }

    fn append(&mut self, parent: usize, child: usize) {
        let result = self.tree.append(self.model[parent].id, self.model[child].id);
        assert_eq!(result.err(), self.expected_error(parent, child), "append");
        if result.is_ok() {
            self.insert(parent, None, child);
        }
    }

    fn insert_before(&mut self, sibling: usize, child: usize) {
        let result = self.tree.insert_before(self.model[sibling].id, self.model[child].id);
        let Some(parent) = self.model[sibling].parent else {
            return assert_eq!(result, Err(HierarchyError::NoParent), "insert before");
        };
        assert_eq!(result.err(), self.expected_error(parent, child), "insert before");
        if result.is_ok() {
            self.insert(parent, Some(sibling), child);
        }
    }

    fn unwrap(&mut self, node: usize) {
        self.tree.unwrap(self.model[node].id);
        if let Some(parent) = self.model[node].parent {
            for child in self.model[node].children.clone() {
                self.insert_node(parent, node, child);
            }
            self.unlink(node);
        }
    }

    fn insert_node(&mut self, parent: usize, before: usize, child: usize) {
        self.unlink(child);
        let children = &mut self.model[parent].children;
        let index = children.iter().position(|&it| it == before).unwrap();
        children.insert(index, child);
        self.model[child].parent = Some(parent);
    }

    fn clear(&mut self, node: usize) {
        for child in std::mem::take(&mut self.model[node].children) {
            self.model[child].parent = None;
        }
    }

    fn move_children(&mut self, from: usize, to: usize) {
        let result = self.tree.move_children(self.model[from].id, self.model[to].id);
        let is_empty = self.model[from].children.is_empty();
        if !self.is_parent(to) {
            return assert_eq!(result, Err(HierarchyError::NotAParent), "move children");
        }
        if from != to && !is_empty && self.is_inside(to, from) {
            return assert_eq!(result, Err(HierarchyError::Cycle), "move children");
        }
        assert_eq!(result, Ok(()), "move children");
        if from != to {
            let children = std::mem::take(&mut self.model[from].children);
            children.iter().for_each(|&child| self.model[child].parent = Some(to));
            self.model[to].children.extend(children);
        }
    }

    /// Adds a text that the tree has created to the model.
    fn adopt(&mut self, id: NodeId, parent: usize, index: usize, text: &str) {
        let node = self.add_node(id, NodeKind::Text, text);
        self.model[node].parent = Some(parent);
        self.model[parent].children.insert(index, node);
    }

    fn append_text(&mut self, parent: usize, text: &str) {
        self.tree.append_text(self.model[parent].id, text);
        if !self.is_parent(parent) || text.is_empty() {
            return;
        }
        match self.model[parent].children.last().copied() {
            Some(last) if self.model[last].kind == NodeKind::Text => self.model[last].data += text,
            _ => {
                let text_id = self.tree.node(self.model[parent].id).last_child().unwrap().id();
                self.adopt(text_id, parent, self.model[parent].children.len(), text);
            }
        }
    }

    fn insert_text_before(&mut self, sibling: usize, text: &str) {
        self.tree.insert_text_before(self.model[sibling].id, text);
        let Some(parent) = self.model[sibling].parent.filter(|_| !text.is_empty()) else { return };
        let children = &self.model[parent].children;
        let index = children.iter().position(|&it| it == sibling).unwrap();
        match index.checked_sub(1).map(|index| children[index]) {
            Some(last) if self.model[last].kind == NodeKind::Text => self.model[last].data += text,
            _ => {
                let node = self.tree.node(self.model[sibling].id);
                let text_id = node.previous_sibling().unwrap().id();
                self.adopt(text_id, parent, index, text);
            }
        }
    }

    fn set_text(&mut self, node: usize, text: &str) {
        self.tree.set_text(self.model[node].id, text);
        match self.model[node].kind {
            NodeKind::Text | NodeKind::Comment | NodeKind::ProcessingInstruction => {
                self.model[node].data = text.to_owned();
            }
            NodeKind::Element | NodeKind::Fragment => {
                self.clear(node);
                if !text.is_empty() {
                    let new_text = self.tree.node(self.model[node].id).last_child().unwrap();
                    self.adopt(new_text.id(), node, 0, text);
                }
            }
            _ => {}
        }
    }

    /// Sets or removes an attribute.
    fn change_attribute(&mut self, node: usize, value: usize, reader: &mut InputReader<'_>) {
        let name = *reader.pick(&["a", "b", "c", "long-name-of-an-attribute"]);
        let id = self.model[node].id;
        let is_element = self.model[node].kind == NodeKind::Element;
        let attributes = &mut self.model[node].attributes;
        let index = attributes.iter().position(|(known, _)| known == name);
        if reader.byte().is_multiple_of(3) {
            assert_eq!(self.tree.remove_attribute(id, name), index.is_some(), "remove");
            index.map(|index| attributes.remove(index));
            return;
        }
        let value = format!("v{value}");
        self.tree.set_attribute(id, name, &value).unwrap();
        match index {
            Some(index) => attributes[index].1 = value,
            None if is_element => attributes.push((name.to_owned(), value)),
            None => {}
        }
    }

    /// Asserts that every node of the tree equals that of the model.
    fn compare(&self) {
        for (number, model) in self.model.iter().enumerate() {
            let node = self.tree.node(model.id);
            assert_eq!(node.kind(), model.kind, "kind of {number}");
            let ids = |indices: &[usize]| {
                indices.iter().map(|&index| self.model[index].id).collect::<Vec<_>>()
            };
            let children: Vec<NodeId> = node.children().map(|child| child.id()).collect();
            assert_eq!(children, ids(&model.children), "children of {number}");
            let parent = node.parent().map(|parent| parent.id());
            assert_eq!(
                parent,
                model.parent.map(|index| self.model[index].id),
                "parent of {number}"
            );
            let contents = node.template_contents().map(|contents| contents.id());
            assert_eq!(
                contents,
                model.contents.map(|index| self.model[index].id),
                "contents of {number}"
            );
            assert_eq!(node.data().unwrap_or_default(), model.data, "data of {number}");
            let attributes: Vec<(String, String)> = node
                .attributes()
                .map(|it| (it.name().to_string(), it.value().to_owned()))
                .collect();
            assert_eq!(attributes, model.attributes, "attributes of {number}");
        }
    }
}
