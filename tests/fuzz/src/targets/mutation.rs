//! Mutations of a tree, compared with a model that consists of lists of numbers and implements the documentation of
//! each method. The parser only creates the initial tree.

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
    /// Element of which this node is the contents.
    host: Option<usize>,
    contents: Option<usize>,
    data: String,
    attributes: Vec<(String, String)>,
}

/// The tree and its model.
struct Pair {
    tree: Tree,
    plain: Vec<ModelNode>,
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
    let mut parser = dialect.parser(&Options::new()).expect("an HTML parser");
    let mut pair = Pair { tree: parser.parse(markup).tree, plain: Vec::new() };
    pair.import();
    let before = pair.tree.clone();
    let unchanged = format!("{:?}", before.root());
    while !reader.is_empty() && pair.plain.len() < 200 {
        pair.change(&mut reader);
    }
    pair.compare();
    assert_tree(&pair.tree, None);
    assert_eq!(format!("{:?}", before.root()), unchanged, "a clone changed with its tree");
    let clone = pair.tree.clone();
    assert!(clone == pair.tree, "a clone is not equal");
    pair.tree.shrink_to_fit();
    assert!(clone == pair.tree, "shrinking changes the tree");
    pair.compare();
}

impl Pair {
    /// Adds all nodes of the document to the model.
    fn import(&mut self) {
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
                self.plain[parent].children.push(number);
            }
            if let Some(host) = host {
                self.plain[host].contents = Some(number);
            }
            let attribute = |it: tabulex::tree::AttributeRef<'_>| {
                (it.name().to_string(), it.value().to_owned())
            };
            self.plain.push(ModelNode {
                id: node.id(),
                kind: node.kind(),
                parent,
                children: Vec::new(),
                host,
                contents: None,
                data: node.data().unwrap_or_default().to_owned(),
                attributes: node.attributes().map(attribute).collect(),
            });
        }
    }

    fn add(&mut self, id: NodeId, kind: NodeKind, data: &str) -> usize {
        self.plain.push(ModelNode {
            id,
            kind,
            parent: None,
            children: Vec::new(),
            host: None,
            contents: None,
            data: data.to_owned(),
            attributes: Vec::new(),
        });
        self.plain.len() - 1
    }

    /// Applies the mutation that the next bytes encode to the tree and to the model.
    fn change(&mut self, reader: &mut InputReader<'_>) {
        let kind = reader.byte() % 20;
        let one = usize::from(reader.byte()) % self.plain.len();
        let other = usize::from(reader.byte()) % self.plain.len();
        note((kind, self.plain[one].kind, self.plain[other].kind));
        match kind {
            0..=5 => self.create_node(kind, one, reader),
            6..=8 => self.append(one, other),
            9 | 10 => self.insert_before(one, other),
            11 => {
                self.tree.detach(self.plain[one].id);
                self.unlink(one);
            }
            12 => self.unwrap(one),
            13 => {
                self.tree.remove_children(self.plain[one].id);
                self.clear(one);
            }
            14 => self.move_children(one, other),
            15 => self.append_text(one, &reader.short_text(3)),
            16 => self.insert_text_before(one, &reader.short_text(3)),
            17 => self.set_text(one, &reader.short_text(3)),
            _ => self.attribute(one, other, reader),
        }
        let children = |node: NodeId| {
            self.tree.node(node).children().map(|child| child.id()).collect::<Vec<_>>()
        };
        for node in [one, other] {
            let plain = &self.plain[node];
            let expected: Vec<NodeId> =
                plain.children.iter().map(|&it| self.plain[it].id).collect();
            assert_eq!(children(plain.id), expected, "children after change {kind}");
        }
    }

    fn create_node(&mut self, kind: u8, one: usize, reader: &mut InputReader<'_>) {
        let text = reader.short_text(4);
        let tree = &mut self.tree;
        let (id, kind) = match kind {
            0 => (tree.create_element(Namespace::HTML, "e"), NodeKind::Element),
            1 => (tree.create_text(&text), NodeKind::Text),
            2 => (tree.create_comment(&text), NodeKind::Comment),
            3 => (tree.create_processing_instruction("t", &text), NodeKind::ProcessingInstruction),
            4 => (tree.create_fragment(), NodeKind::Fragment),
            _ => return self.create_contents(one),
        };
        let has_data = !matches!(kind, NodeKind::Element | NodeKind::Fragment);
        self.add(id, kind, if has_data { &text } else { "" });
    }

    /// Gives an element contents, once.
    fn create_contents(&mut self, one: usize) {
        let id = self.tree.create_template_contents(self.plain[one].id);
        if self.plain[one].kind != NodeKind::Element {
            assert_eq!(id, self.plain[one].id, "contents of a node other than an element");
        } else if let Some(contents) = self.plain[one].contents {
            assert_eq!(id, self.plain[contents].id, "second contents");
        } else {
            let contents = self.add(id, NodeKind::Fragment, "");
            self.plain[contents].host = Some(one);
            self.plain[one].contents = Some(contents);
        }
    }

    /// Returns the reason why a node cannot be inserted into another one, if any.
    fn refusal(&self, parent: usize, child: usize) -> Option<HierarchyError> {
        if !self.is_parent(parent) {
            return Some(HierarchyError::NotAParent);
        }
        if self.plain[child].kind == NodeKind::Document || self.plain[child].host.is_some() {
            return Some(HierarchyError::NotAChild);
        }
        self.is_inside(parent, child).then_some(HierarchyError::Cycle)
    }

    fn is_parent(&self, node: usize) -> bool {
        let kind = self.plain[node].kind;
        matches!(kind, NodeKind::Document | NodeKind::Element | NodeKind::Fragment)
    }

    fn is_inside(&self, node: usize, outer: usize) -> bool {
        let above = |&index: &usize| self.plain[index].parent.or(self.plain[index].host);
        std::iter::successors(Some(node), above).any(|at| at == outer)
    }

    fn unlink(&mut self, child: usize) {
        if let Some(parent) = self.plain[child].parent.take() {
            self.plain[parent].children.retain(|&it| it != child);
        }
    }

    /// Inserts a node, or the children of a fragment, before a node or at the end.
    fn insert(&mut self, parent: usize, before: Option<usize>, child: usize) {
        let nodes = match self.plain[child].kind {
            NodeKind::Fragment => self.plain[child].children.clone(),
            _ => vec![child],
        };
        for node in nodes.into_iter().filter(|&node| Some(node) != before) {
            self.unlink(node);
            let children = &mut self.plain[parent].children;
            let place = before.and_then(|before| children.iter().position(|&it| it == before));
            children.insert(place.unwrap_or(children.len()), node);
            self.plain[node].parent = Some(parent);
        }
    }

    fn append(&mut self, parent: usize, child: usize) {
        let done = self.tree.append(self.plain[parent].id, self.plain[child].id);
        assert_eq!(done.err(), self.refusal(parent, child), "append");
        if done.is_ok() {
            self.insert(parent, None, child);
        }
    }

    fn insert_before(&mut self, sibling: usize, child: usize) {
        let done = self.tree.insert_before(self.plain[sibling].id, self.plain[child].id);
        let Some(parent) = self.plain[sibling].parent else {
            return assert_eq!(done, Err(HierarchyError::NoParent), "insert before");
        };
        assert_eq!(done.err(), self.refusal(parent, child), "insert before");
        if done.is_ok() {
            self.insert(parent, Some(sibling), child);
        }
    }

    fn unwrap(&mut self, node: usize) {
        self.tree.unwrap(self.plain[node].id);
        if let Some(parent) = self.plain[node].parent {
            for child in self.plain[node].children.clone() {
                self.insert_node(parent, node, child);
            }
            self.unlink(node);
        }
    }

    fn insert_node(&mut self, parent: usize, before: usize, child: usize) {
        self.unlink(child);
        let children = &mut self.plain[parent].children;
        let place = children.iter().position(|&it| it == before).expect("the sibling is there");
        children.insert(place, child);
        self.plain[child].parent = Some(parent);
    }

    fn clear(&mut self, node: usize) {
        for child in std::mem::take(&mut self.plain[node].children) {
            self.plain[child].parent = None;
        }
    }

    fn move_children(&mut self, from: usize, to: usize) {
        let done = self.tree.move_children(self.plain[from].id, self.plain[to].id);
        let is_empty = self.plain[from].children.is_empty();
        if !self.is_parent(to) {
            return assert_eq!(done, Err(HierarchyError::NotAParent), "move children");
        }
        if from != to && !is_empty && self.is_inside(to, from) {
            return assert_eq!(done, Err(HierarchyError::Cycle), "move children");
        }
        assert_eq!(done, Ok(()), "move children");
        if from != to {
            let children = std::mem::take(&mut self.plain[from].children);
            children.iter().for_each(|&child| self.plain[child].parent = Some(to));
            self.plain[to].children.extend(children);
        }
    }

    /// Adds a new text of the tree to the model.
    fn adopt(&mut self, id: NodeId, parent: usize, place: usize, text: &str) {
        let node = self.add(id, NodeKind::Text, text);
        self.plain[node].parent = Some(parent);
        self.plain[parent].children.insert(place, node);
    }

    fn append_text(&mut self, parent: usize, text: &str) {
        self.tree.append_text(self.plain[parent].id, text);
        if !self.is_parent(parent) || text.is_empty() {
            return;
        }
        match self.plain[parent].children.last().copied() {
            Some(last) if self.plain[last].kind == NodeKind::Text => self.plain[last].data += text,
            _ => {
                let new =
                    self.tree.node(self.plain[parent].id).last_child().expect("the text").id();
                self.adopt(new, parent, self.plain[parent].children.len(), text);
            }
        }
    }

    fn insert_text_before(&mut self, sibling: usize, text: &str) {
        self.tree.insert_text_before(self.plain[sibling].id, text);
        let Some(parent) = self.plain[sibling].parent.filter(|_| !text.is_empty()) else { return };
        let children = &self.plain[parent].children;
        let place = children.iter().position(|&it| it == sibling).expect("a child of its parent");
        match place.checked_sub(1).map(|place| children[place]) {
            Some(last) if self.plain[last].kind == NodeKind::Text => self.plain[last].data += text,
            _ => {
                let node = self.tree.node(self.plain[sibling].id);
                let new = node.previous_sibling().expect("the text").id();
                self.adopt(new, parent, place, text);
            }
        }
    }

    fn set_text(&mut self, node: usize, text: &str) {
        self.tree.set_text(self.plain[node].id, text);
        match self.plain[node].kind {
            NodeKind::Text | NodeKind::Comment | NodeKind::ProcessingInstruction => {
                self.plain[node].data = text.to_owned();
            }
            NodeKind::Element | NodeKind::Fragment => {
                self.clear(node);
                if !text.is_empty() {
                    let new = self.tree.node(self.plain[node].id).last_child().expect("the text");
                    self.adopt(new.id(), node, 0, text);
                }
            }
            _ => {}
        }
    }

    /// Sets or removes an attribute.
    fn attribute(&mut self, node: usize, value: usize, reader: &mut InputReader<'_>) {
        let name = *reader.pick(&["a", "b", "c", "long-name-of-an-attribute"]);
        let id = self.plain[node].id;
        let is_element = self.plain[node].kind == NodeKind::Element;
        let attributes = &mut self.plain[node].attributes;
        let place = attributes.iter().position(|(known, _)| known == name);
        if reader.byte().is_multiple_of(3) {
            assert_eq!(self.tree.remove_attribute(id, name), place.is_some(), "remove");
            place.map(|place| attributes.remove(place));
            return;
        }
        let value = format!("v{value}");
        self.tree.set_attribute(id, name, &value).unwrap();
        match place {
            Some(place) => attributes[place].1 = value,
            None if is_element => attributes.push((name.to_owned(), value)),
            None => {}
        }
    }

    /// Asserts that every node of the tree equals that of the model.
    fn compare(&self) {
        for (number, plain) in self.plain.iter().enumerate() {
            let node = self.tree.node(plain.id);
            assert_eq!(node.kind(), plain.kind, "kind of {number}");
            let ids = |of: &[usize]| of.iter().map(|&it| self.plain[it].id).collect::<Vec<_>>();
            let children: Vec<NodeId> = node.children().map(|child| child.id()).collect();
            assert_eq!(children, ids(&plain.children), "children of {number}");
            let parent = node.parent().map(|parent| parent.id());
            assert_eq!(parent, plain.parent.map(|it| self.plain[it].id), "parent of {number}");
            let contents = node.template_contents().map(|contents| contents.id());
            assert_eq!(
                contents,
                plain.contents.map(|it| self.plain[it].id),
                "contents of {number}"
            );
            assert_eq!(node.data().unwrap_or_default(), plain.data, "data of {number}");
            let attributes: Vec<(String, String)> = node
                .attributes()
                .map(|it| (it.name().to_string(), it.value().to_owned()))
                .collect();
            assert_eq!(attributes, plain.attributes, "attributes of {number}");
        }
    }
}
