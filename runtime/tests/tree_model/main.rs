//! Random changes of trees, each compared with the same change of a simple model.

mod model;
#[path = "../numbers/mod.rs"]
mod numbers;
mod views;

use model::Model;
use numbers::Numbers;
use tabulex::tree::{AttributeRef, Namespace, NodeId, NodeKind, Tree};

/// The names of elements, attributes and targets. Trees treat some of them specially, such as `template`.
const NAMES: [&str; 6] = ["id", "class", "a", "b", "title", "template"];
/// The words in values of attributes.
const WORDS: [&str; 5] = ["one", "two", "On", "onetwo", ""];

impl Numbers {
    fn name(&mut self) -> &'static str {
        NAMES[self.below(NAMES.len())]
    }

    /// Returns a text, mostly short, sometimes empty or not ASCII.
    fn text(&mut self) -> String {
        let pieces = ["a", "é", "\u{10FFFF}", " ", "text of some length"];
        (0..self.below(4)).map(|_| pieces[self.below(pieces.len())]).collect()
    }

    fn words(&mut self) -> String {
        let gaps = [" ", "\t", "  ", "\n"];
        let words =
            (0..1 + self.below(3)).map(|_| [WORDS[self.below(5)], gaps[self.below(4)]].concat());
        let words: String = words.collect();
        if self.below(2) == 0 { words.trim().to_owned() } else { words }
    }
}

/// A tree and its model.
struct Pair {
    tree: Tree,
    model: Model,
    numbers: Numbers,
}

impl Pair {
    /// Returns the index and id of a random node.
    fn node(&mut self) -> (usize, NodeId) {
        let index = self.numbers.below(self.model.0.len());
        (index, self.id(index))
    }

    /// Returns the index and id of a random node that can have children.
    fn parent(&mut self) -> (usize, NodeId) {
        let candidates: Vec<(usize, NodeId)> = (0..9).map(|_| self.node()).collect();
        let parent = candidates.into_iter().find(|&(node, _)| self.model.takes_children(node));
        parent.unwrap_or((0, self.tree.document()))
    }

    fn id(&self, index: usize) -> NodeId {
        self.tree.node_at(index).unwrap().id()
    }

    /// Creates a node, and checks that it has the same index in tree and model.
    fn create(&mut self) {
        let (name, text) = (self.numbers.name(), self.numbers.text());
        let (tree, model) = (&mut self.tree, &mut self.model);
        let (created_id, expected_index) = match self.numbers.below(9) {
            0 => (tree.create_text(&text), model.add(NodeKind::Text, "", &text)),
            1 => (tree.create_comment(&text), model.add(NodeKind::Comment, "", &text)),
            2 => {
                let created_id = tree.create_processing_instruction(name, &text);
                (created_id, model.add(NodeKind::ProcessingInstruction, name, &text))
            }
            3 => {
                let identifiers = [Some(text), None];
                let [public, system] =
                    identifiers.each_ref().map(|identifier| identifier.as_deref());
                let created_id = tree.create_doctype(name, public, system);
                let expected_index = model.add(NodeKind::Doctype, name, "");
                model.0[expected_index].identifiers = identifiers;
                (created_id, expected_index)
            }
            4 => (tree.create_fragment(), model.add(NodeKind::Fragment, "", "")),
            _ => {
                let created_id = tree.create_element(Namespace::HTML, name);
                (created_id, model.add(NodeKind::Element, name, ""))
            }
        };
        assert_eq!(created_id.index(), expected_index);
    }

    /// Inserts a node at a random position, and compares the results.
    fn insert(&mut self) {
        let ((to, to_id), (node, id)) = (self.parent(), self.node());
        let (other, other_id) = self.node();
        let (tree, model) = (&mut self.tree, &mut self.model);
        let (result, expected) = match self.numbers.below(8) {
            0 | 1 => (tree.append(to_id, id), model.append(to, node)),
            2 => (tree.insert_before(other_id, id), model.insert_before(other, node)),
            3 => (tree.prepend(to_id, id), model.prepend(to, node)),
            4 => (tree.insert_after(other_id, id), model.insert_after(other, node)),
            5 => (tree.replace_with(other_id, id), model.replace_with(other, node)),
            6 => (tree.wrap(other_id, to_id), model.wrap(other, to)),
            // `other` may be a node that cannot have children, so this also tests insertions that fail.
            _ => (tree.append(other_id, id), model.append(other, node)),
        };
        assert_eq!(result, expected);
    }

    /// Removes or copies a node, moves or removes its children, or creates template contents.
    fn move_or_copy(&mut self) {
        let ((node, id), (to, to_id)) = (self.node(), self.node());
        let (tree, model) = (&mut self.tree, &mut self.model);
        match self.numbers.below(8) {
            0 | 1 => (tree.detach(id), model.detach(node)).0,
            2 => (tree.unwrap(id), model.unwrap(node)).0,
            3 if node % 3 == 0 => (tree.remove_children(id), model.remove_children(node)).0,
            4 | 5 => assert_eq!(tree.move_children(id, to_id), model.move_children(node, to)),
            6 => {
                let contents_index = tree.create_template_contents(id).index();
                assert_eq!(contents_index, model.contents(node));
            }
            _ => self.copy(node),
        }
    }

    /// Copies a node within the tree. The model takes over the indices of the copied descendants unchecked.
    fn copy(&mut self, node: usize) {
        if self.model.0.len() > 300 {
            return;
        }
        let (copy, first_new) = (self.tree.clone_node(self.id(node)).index(), self.model.0.len());
        for index in first_new..self.tree.node_count() {
            let node = self.tree.node_at(index).expect("the index is below the node count");
            let doctype = node.doctype();
            let name = node.local_name().or(node.target()).or(doctype.map(|doctype| doctype.name));
            let added_index =
                self.model.add(node.kind(), name.unwrap_or(""), node.data().unwrap_or(""));
            let [parent, host, contents] = [node.parent(), node.host(), node.template_contents()]
                .map(|linked| linked.map(|linked| linked.id().index()));
            let model_node = &mut self.model.0[added_index];
            if let Some(doctype) = doctype {
                let identifiers = [doctype.public_identifier, doctype.system_identifier];
                model_node.identifiers =
                    identifiers.map(|identifier| identifier.map(str::to_owned));
            }
            let name_and_value = |attribute: AttributeRef<'_>| {
                (attribute.name().to_string(), attribute.value().to_owned())
            };
            model_node.attributes = node.attributes().map(name_and_value).collect();
            model_node.children = node.children().map(|child| child.id().index()).collect();
            (model_node.parent, model_node.host, model_node.contents) = (parent, host, contents);
        }
        // Documents and template contents are copied as independent fragments.
        let (mut original, kind) = (self.model.0[node].clone(), NodeKind::Fragment);
        if original.kind == NodeKind::Document || original.host.is_some() {
            (original.kind, original.host) = (kind, None);
        }
        let expected_copy = self.model.add(original.kind, &original.name, &original.data);
        self.model.0[expected_copy] = original;
        assert!(self.model.is_like(copy, expected_copy) && copy >= first_new);
        self.model.0.pop();
    }

    /// Appends, inserts, replaces or merges texts, and compares the results.
    fn change_text(&mut self) {
        let ((node, id), text) = (self.node(), self.numbers.text());
        let (tree, model) = (&mut self.tree, &mut self.model);
        match self.numbers.below(5) {
            0 | 1 => (tree.append_text(id, &text), model.append_text(node, &text)).0,
            2 => (tree.insert_text_before(id, &text), model.insert_text_before(node, &text)).0,
            3 => (tree.set_text(id, &text), model.set_text(node, &text)).0,
            _ => (tree.merge_texts(id), model.merge_texts(node)).0,
        }
    }

    /// Changes the name or the attributes of a random node, and compares the results.
    fn change_name_or_attribute(&mut self) {
        let ((node, id), name, value) = (self.node(), self.numbers.name(), self.numbers.words());
        let is_element = self.model.has_kind(node, NodeKind::Element);
        match self.numbers.below(8) {
            0 => {
                let expected = self.tree.names_mut().name(Namespace::HTML, "", name);
                assert_eq!(self.tree.set_name(id, expected), is_element);
                if is_element {
                    name.clone_into(&mut self.model.0[node].name);
                }
            }
            1 => {
                // The model has no namespaces, so it finds the attribute by its qualified name.
                let prefixed_name = self.tree.names_mut().name(Namespace::XLINK, "x", "a");
                self.tree.set_named_attribute(id, prefixed_name, &value);
                self.model.set_attribute(node, "x:a", &value);
            }
            2 => {
                let is_kept = |other: &str| other.len() % 2 == name.len() % 2;
                let attributes = &mut self.model.0[node].attributes;
                let count_before = attributes.len();
                attributes.retain(|(name, _)| is_kept(name));
                let removed_count = count_before - attributes.len();
                let is_kept = |attribute: AttributeRef<'_>| is_kept(&attribute.name().to_string());
                assert_eq!(self.tree.retain_attributes(id, is_kept), removed_count);
            }
            3 => {
                let was_removed = self.model.remove_attribute(node, name);
                assert_eq!(self.tree.remove_attribute(id, name), was_removed);
            }
            _ => {
                self.tree.set_attribute(id, name, &value).unwrap();
                self.model.set_attribute(node, name, &value);
            }
        }
    }

    fn step(&mut self) {
        match self.numbers.below(16) {
            0..3 => self.create(),
            3..8 => self.insert(),
            8..10 => self.move_or_copy(),
            10..13 => self.change_text(),
            _ => self.change_name_or_attribute(),
        }
    }
}

#[test]
fn trees_agree_with_the_model() {
    for seed in 1..16 {
        let (tree, model) = (Tree::new(), Model::new());
        let mut pair = Pair { tree, model, numbers: Numbers(seed) };
        (0..8).for_each(|_| pair.create());
        for step in 0..360 {
            pair.step();
            if step % 24 == 0 || step < 24 {
                views::check(&pair.tree, &pair.model);
            }
            let (one, other) = (pair.node().0, pair.node().0);
            views::check_pair(&pair.tree, &pair.model, one, other);
        }
        views::check(&pair.tree, &pair.model);
    }
}
