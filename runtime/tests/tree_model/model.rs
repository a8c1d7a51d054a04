//! A model of a tree, with lists of children. Each method implements the documentation of the tree's method of that
//! name; nodes are numbered in the order of their creation.

use tabulex::tree::{HierarchyError, NodeKind};

/// The qualified name and the value of an attribute.
pub(crate) type Attribute = (String, String);
type HierarchyResult = Result<(), HierarchyError>;

#[derive(Clone, Debug)]
pub(crate) struct ModelNode {
    pub(crate) kind: NodeKind,
    /// The local name of an element, the target of a processing instruction, or the name of a document type.
    pub(crate) name: String,
    pub(crate) data: String,
    pub(crate) identifiers: [Option<String>; 2],
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    pub(crate) contents: Option<usize>,
    pub(crate) host: Option<usize>,
}

/// The nodes of a tree, by index.
pub(crate) struct Model(pub(crate) Vec<ModelNode>);

impl Model {
    pub(crate) fn new() -> Self {
        let mut model = Self(Vec::new());
        model.add(NodeKind::Document, "", "");
        model
    }

    pub(crate) fn add(&mut self, kind: NodeKind, name: &str, data: &str) -> usize {
        self.0.push(ModelNode {
            kind,
            name: name.to_owned(),
            data: data.to_owned(),
            identifiers: [None, None],
            attributes: Vec::new(),
            parent: None,
            children: Vec::new(),
            contents: None,
            host: None,
        });
        self.0.len() - 1
    }

    pub(crate) fn has_kind(&self, node: usize, kind: NodeKind) -> bool {
        self.0[node].kind == kind
    }

    pub(crate) fn takes_children(&self, node: usize) -> bool {
        matches!(self.0[node].kind, NodeKind::Document | NodeKind::Fragment | NodeKind::Element)
    }

    /// Returns the parent of a node, and the node's index among the parent's children; `None` if it has no parent.
    pub(crate) fn position(&self, node: usize) -> Option<(usize, usize)> {
        let parent = self.0[node].parent?;
        let index = self.0[parent].children.iter().position(|&child| child == node);
        Some((parent, index.unwrap()))
    }

    pub(crate) fn sibling(&self, node: usize, step: isize) -> Option<usize> {
        let (parent, index) = self.position(node)?;
        self.0[parent].children.get(index.checked_add_signed(step)?).copied()
    }

    /// Returns the descendants of a node in tree order.
    pub(crate) fn descendants(&self, node: usize) -> Vec<usize> {
        let children = self.0[node].children.iter();
        children.flat_map(|&child| [vec![child], self.descendants(child)].concat()).collect()
    }

    pub(crate) fn ancestors(&self, node: usize) -> Vec<usize> {
        std::iter::successors(self.0[node].parent, |&node| self.0[node].parent).collect()
    }

    pub(crate) fn text(&self, node: usize) -> String {
        if self.has_kind(node, NodeKind::Text) {
            return self.0[node].data.clone();
        }
        let descendants = self.descendants(node).into_iter();
        let texts = descendants.filter(|&node| self.has_kind(node, NodeKind::Text));
        texts.map(|text| &self.0[text].data[..]).collect()
    }

    /// Whether `node` is `outer` or a descendant of it. Template contents are descendants of their template.
    fn is_within(&self, node: usize, outer: usize) -> bool {
        let parent_or_host = |&node: &usize| self.0[node].parent.or(self.0[node].host);
        std::iter::successors(Some(node), parent_or_host).any(|node| node == outer)
    }

    pub(crate) fn detach(&mut self, node: usize) {
        if let Some((parent, index)) = self.position(node) {
            self.0[parent].children.remove(index);
            self.0[node].parent = None;
        }
    }

    /// Inserts a node, or the children of a fragment, if the hierarchy allows it.
    fn insert(&mut self, parent: usize, before: Option<usize>, child: usize) -> HierarchyResult {
        if !self.takes_children(parent) {
            return Err(HierarchyError::NotAParent);
        }
        if child == 0 || self.0[child].host.is_some() {
            return Err(HierarchyError::NotAChild);
        }
        if self.is_within(parent, child) {
            return Err(HierarchyError::Cycle);
        }
        let moved_nodes = match self.0[child].kind {
            NodeKind::Fragment => self.0[child].children.clone(),
            _ => vec![child],
        };
        for node in moved_nodes {
            if Some(node) == before {
                continue;
            }
            self.detach(node);
            let index = before.and_then(|before| self.position(before)).map(|(_, index)| index);
            let index = index.unwrap_or(self.0[parent].children.len());
            self.0[parent].children.insert(index, node);
            self.0[node].parent = Some(parent);
        }
        Ok(())
    }

    pub(crate) fn append(&mut self, parent: usize, child: usize) -> HierarchyResult {
        self.insert(parent, None, child)
    }

    pub(crate) fn insert_before(&mut self, sibling: usize, child: usize) -> HierarchyResult {
        let parent = self.0[sibling].parent.ok_or(HierarchyError::NoParent)?;
        self.insert(parent, Some(sibling), child)
    }

    pub(crate) fn prepend(&mut self, parent: usize, child: usize) -> HierarchyResult {
        match self.0[parent].children.first() {
            Some(&first) if first == child => Ok(()),
            Some(&first) => self.insert(parent, Some(first), child),
            None => self.insert(parent, None, child),
        }
    }

    pub(crate) fn insert_after(&mut self, sibling: usize, child: usize) -> HierarchyResult {
        let parent = self.0[sibling].parent.ok_or(HierarchyError::NoParent)?;
        match self.sibling(sibling, 1) {
            next if sibling == child || next == Some(child) => Ok(()),
            next => self.insert(parent, next, child),
        }
    }

    pub(crate) fn replace_with(&mut self, node: usize, other: usize) -> HierarchyResult {
        if node != other {
            self.insert_before(node, other)?;
            self.detach(node);
        }
        Ok(())
    }

    pub(crate) fn wrap(&mut self, node: usize, wrapper: usize) -> HierarchyResult {
        if node == wrapper {
            return Err(HierarchyError::Cycle);
        }
        if !self.has_kind(wrapper, NodeKind::Element) {
            return Err(HierarchyError::NotAParent);
        }
        self.insert_before(node, wrapper)?;
        self.append(wrapper, node)
    }

    pub(crate) fn unwrap(&mut self, node: usize) {
        if self.0[node].parent.is_some() {
            for child in self.0[node].children.clone() {
                self.insert_before(node, child).expect("a child can be inserted before its parent");
            }
            self.detach(node);
        }
    }

    pub(crate) fn remove_children(&mut self, node: usize) {
        for child in self.0[node].children.clone() {
            self.detach(child);
        }
    }

    pub(crate) fn move_children(&mut self, from: usize, to: usize) -> HierarchyResult {
        if !self.takes_children(to) {
            return Err(HierarchyError::NotAParent);
        }
        let children = self.0[from].children.clone();
        if from == to || children.is_empty() {
            return Ok(());
        }
        if self.is_within(to, from) {
            return Err(HierarchyError::Cycle);
        }
        for child in children {
            self.detach(child);
            self.0[to].children.push(child);
            self.0[child].parent = Some(to);
        }
        Ok(())
    }

    pub(crate) fn append_text(&mut self, parent: usize, text: &str) {
        if text.is_empty() || !self.takes_children(parent) {
            return;
        }
        match self.0[parent].children.last() {
            Some(&last) if self.has_kind(last, NodeKind::Text) => self.0[last].data.push_str(text),
            _ => {
                let text = self.add(NodeKind::Text, "", text);
                self.append(parent, text).expect("the parent can have children");
            }
        }
    }

    pub(crate) fn insert_text_before(&mut self, sibling: usize, text: &str) {
        if text.is_empty() || self.0[sibling].parent.is_none() {
            return;
        }
        match self.sibling(sibling, -1) {
            Some(before) if self.has_kind(before, NodeKind::Text) => {
                self.0[before].data.push_str(text)
            }
            _ => {
                let text = self.add(NodeKind::Text, "", text);
                self.insert_before(sibling, text).unwrap();
            }
        }
    }

    pub(crate) fn set_text(&mut self, node: usize, text: &str) {
        match self.0[node].kind {
            NodeKind::Text | NodeKind::Comment | NodeKind::ProcessingInstruction => {
                text.clone_into(&mut self.0[node].data);
            }
            NodeKind::Element | NodeKind::Fragment => {
                self.remove_children(node);
                self.append_text(node, text);
            }
            _ => {}
        }
    }

    pub(crate) fn merge_texts(&mut self, node: usize) {
        for parent in [vec![node], self.descendants(node)].concat() {
            let mut children: Vec<usize> = Vec::new();
            for child in self.0[parent].children.clone() {
                let data = self.0[child].data.clone();
                match children.last() {
                    _ if !self.has_kind(child, NodeKind::Text) => children.push(child),
                    _ if data.is_empty() => self.0[child].parent = None,
                    Some(&last) if self.has_kind(last, NodeKind::Text) => {
                        self.0[last].data.push_str(&data);
                        self.0[child].parent = None;
                    }
                    _ => children.push(child),
                }
            }
            self.0[parent].children = children;
        }
    }

    /// Returns the template contents of an element, which are created if missing; any other node is returned itself.
    pub(crate) fn contents(&mut self, node: usize) -> usize {
        if !self.has_kind(node, NodeKind::Element) {
            return node;
        }
        if self.0[node].contents.is_none() {
            let contents = self.add(NodeKind::Fragment, "", "");
            self.0[contents].host = Some(node);
            self.0[node].contents = Some(contents);
        }
        self.0[node].contents.expect("the contents were created above")
    }

    pub(crate) fn attribute(&self, node: usize, name: &str) -> Option<&str> {
        let attribute = self.0[node].attributes.iter().find(|(other, _)| other == name);
        attribute.map(|(_, value)| &value[..])
    }

    pub(crate) fn set_attribute(&mut self, node: usize, name: &str, value: &str) {
        if self.has_kind(node, NodeKind::Element) {
            let attributes = &mut self.0[node].attributes;
            match attributes.iter_mut().find(|(other, _)| other == name) {
                Some((_, old_value)) => value.clone_into(old_value),
                None => attributes.push((name.to_owned(), value.to_owned())),
            }
        }
    }

    pub(crate) fn remove_attribute(&mut self, node: usize, name: &str) -> bool {
        let count_before = self.0[node].attributes.len();
        self.0[node].attributes.retain(|(other, _)| other != name);
        self.0[node].attributes.len() < count_before
    }

    /// Whether two subtrees are equal.
    pub(crate) fn is_like(&self, one: usize, other: usize) -> bool {
        let [a, b] = [one, other].map(|node| &self.0[node]);
        let [children, contents] = [
            [a.children.clone(), b.children.clone()],
            [a.contents, b.contents].map(|contents| contents.into_iter().collect()),
        ];
        let are_like = |[a, b]: [Vec<usize>; 2]| {
            a.len() == b.len() && a.iter().zip(&b).all(|(&one, &other)| self.is_like(one, other))
        };
        (a.kind, &a.name, &a.data) == (b.kind, &b.name, &b.data)
            && a.identifiers == b.identifiers
            && a.attributes == b.attributes
            && a.host.is_some() == b.host.is_some()
            && are_like(children)
            && are_like(contents)
    }
}
