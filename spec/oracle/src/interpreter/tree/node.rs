//! Operations on nodes: names with namespaces, creation of elements, and moves. A node occurs exactly once among the
//! children of its parent, and is a child of no other node.

use super::{ActiveTag, Name, Node, NodeId, NodeKind, Tree, TreeBuilder};
use crate::interpreter::{Span, Tag};
use tabulex_language::model::tree::{AdjustmentsId, AttributeNamespace, Namespace};

/// The HTML namespace.
pub(super) const HTML: &str = "http://www.w3.org/1999/xhtml";
/// The SVG namespace.
const SVG: &str = "http://www.w3.org/2000/svg";
/// The MathML namespace.
const MATHML: &str = "http://www.w3.org/1998/Math/MathML";
/// The namespace to which the prefix `xml` is bound.
const XML: &str = "http://www.w3.org/XML/1998/namespace";
/// The namespace to which the prefix `xmlns` is bound.
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
/// The XLink namespace.
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Returns the URL of an element namespace of the table language.
pub(super) fn url(namespace: Namespace) -> &'static str {
    match namespace {
        Namespace::Own => HTML,
        Namespace::Svg => SVG,
        Namespace::Math => MATHML,
    }
}

pub(super) fn attribute_url(namespace: AttributeNamespace) -> &'static str {
    match namespace {
        AttributeNamespace::XLink => XLINK,
        AttributeNamespace::Xml => XML,
        AttributeNamespace::Xmlns => XMLNS,
    }
}

/// Whether a name is in the HTML namespace, which `Namespace::Own` denotes.
pub(super) fn is_in_own_namespace(name: &Name) -> bool {
    name.namespace == HTML
}

/// Creates a name without namespace and prefix.
pub(super) fn plain_name(name: &str) -> Name {
    Name { qualified: name.to_owned(), local: name.to_owned(), ..Name::default() }
}

/// Converts a tag to its modifiable form.
pub(super) fn active_tag(tag: &Tag) -> ActiveTag {
    let attributes = tag.attributes.iter();
    ActiveTag {
        name: tag.name.clone(),
        attributes: attributes.map(|it| (plain_name(&it.name), it.value.clone())).collect(),
        self_closing: tag.self_closing,
        is_acknowledged: false,
        is_shortened: false,
        span: tag.span,
    }
}

impl ActiveTag {
    /// Removes all but the first attribute with each name, and records whether any was removed.
    pub(super) fn keep_first_attributes(&mut self) {
        let attributes = std::mem::take(&mut self.attributes);
        let count = attributes.len();
        for (name, value) in attributes {
            if self.attributes.iter().all(|(other, _)| other.qualified != name.qualified) {
                self.attributes.push((name, value));
            }
        }
        self.is_shortened = self.attributes.len() < count;
    }
}

impl Node {
    /// Creates a node without parent, children, contents or shadow root.
    pub(super) fn new(kind: NodeKind, span: Span) -> Self {
        Self {
            kind,
            children: Vec::new(),
            span,
            end_span: None,
            parent: None,
            contents: None,
            shadow_root: None,
        }
    }
}

impl Tree {
    /// Returns the name of an element, or `None` for other nodes.
    pub(super) fn name(&self, node: NodeId) -> Option<&Name> {
        if let NodeKind::Element(name, _) = &self.nodes[node].kind { Some(name) } else { None }
    }

    /// Whether a node is an element in the HTML namespace with this local name.
    pub(super) fn is_own_element(&self, node: NodeId, local: &str) -> bool {
        self.name(node).is_some_and(|name| is_in_own_namespace(name) && name.local == local)
    }

    /// Returns the value of an element's attribute without namespace, if the element has it.
    pub(super) fn attribute(&self, node: NodeId, local: &str) -> Option<&str> {
        let NodeKind::Element(_, attributes) = &self.nodes[node].kind else { return None };
        let mut all = attributes.iter();
        all.find(|(name, _)| name.namespace.is_empty() && name.local == local)
            .map(|(_, value)| &value[..])
    }

    /// Removes a node from its parent, if it has one.
    pub(super) fn detach(&mut self, node: NodeId) {
        if let Some(parent) = self.nodes[node].parent.take() {
            self.nodes[parent].children.retain(|&child| child != node);
        }
    }

    /// Inserts a parentless node into `parent`: before the child `before`, or as the last child if that is `None`.
    pub(super) fn insert(&mut self, parent: NodeId, before: Option<NodeId>, node: NodeId) {
        let children = &mut self.nodes[parent].children;
        let index = before.and_then(|before| children.iter().position(|&child| child == before));
        children.insert(index.unwrap_or(children.len()), node);
        self.nodes[node].parent = Some(parent);
    }

    pub(super) fn is_inclusive_ancestor(&self, ancestor: NodeId, node: NodeId) -> bool {
        let mut current = Some(node);
        while let Some(node) = current {
            if node == ancestor {
                return true;
            }
            current = self.nodes[node].parent;
        }
        false
    }

    /// Whether `ancestor` is a host-including inclusive ancestor of `node`.
    pub(super) fn is_host_including_ancestor(&self, ancestor: NodeId, node: NodeId) -> bool {
        if self.is_inclusive_ancestor(ancestor, node) {
            return true;
        }
        let mut root = node;
        while let Some(parent) = self.nodes[root].parent {
            root = parent;
        }
        match self.host(root) {
            Some(host) if root != 0 => self.is_host_including_ancestor(ancestor, host),
            _ => false,
        }
    }

    /// Returns the element that has this node as its shadow root or template contents, if any.
    pub fn host(&self, node: NodeId) -> Option<NodeId> {
        let is_host = |other: &Node| [other.contents, other.shadow_root].contains(&Some(node));
        self.nodes.iter().position(is_host)
    }

    /// Returns the node after `node` in tree order among the descendants of `root`, if any.
    pub(super) fn following(&self, node: NodeId, root: NodeId) -> Option<NodeId> {
        if let Some(&first) = self.nodes[node].children.first() {
            return Some(first);
        }
        let mut current = node;
        while current != root {
            let parent = self.nodes[current].parent?;
            let siblings = &self.nodes[parent].children;
            let position = siblings.iter().position(|&other| other == current)?;
            if let Some(&next) = siblings.get(position + 1) {
                return Some(next);
            }
            current = parent;
        }
        None
    }

    /// Clones a node with its descendants and template contents. The clone has no parent.
    pub(super) fn clone_with_subtree(&mut self, node: NodeId) -> NodeId {
        let clone = self.clone_node(node);
        let mut waiting = vec![(node, clone)];
        while let Some((from, to)) = waiting.pop() {
            for child in self.nodes[from].children.clone() {
                let clone = self.clone_node(child);
                self.insert(to, None, clone);
                waiting.push((child, clone));
            }
            if let Some(contents) = self.nodes[from].contents {
                let clone = self.clone_node(contents);
                self.nodes[to].contents = Some(clone);
                waiting.push((contents, clone));
            }
        }
        clone
    }

    fn clone_node(&mut self, node: NodeId) -> NodeId {
        let clone = Node::new(self.nodes[node].kind.clone(), self.nodes[node].span);
        self.nodes.push(clone);
        self.nodes.len() - 1
    }
}

impl TreeBuilder<'_> {
    /// Creates an element without a parent; a template also gets an empty fragment as its contents.
    pub(super) fn create_element(
        &mut self,
        namespace: &str,
        local: &str,
        attributes: Vec<(Name, String)>,
        span: Span,
    ) -> NodeId {
        let node = self.tree.nodes.len();
        let name = Name { namespace: namespace.to_owned(), ..plain_name(local) };
        let is_template =
            is_in_own_namespace(&name) && self.construction.template.as_deref() == Some(local);
        self.tree.nodes.push(Node::new(NodeKind::Element(name, attributes.clone()), span));
        self.record_integration_point(node, &attributes);
        if is_template {
            self.tree.nodes[node].contents = Some(self.tree.nodes.len());
            self.tree.nodes.push(Node::new(NodeKind::Fragment(None), Span::default()));
        }
        node
    }

    fn is_integration_point(&self, name: &Name, attributes: &[(Name, String)]) -> bool {
        self.construction.integration_points.iter().any(|point| {
            let is_named =
                url(point.name.namespace) == name.namespace && point.name.local == name.local;
            let has_attribute = point.attribute.as_ref().is_none_or(|(wanted, value)| {
                attributes.iter().any(|(name, other)| {
                    name.qualified == *wanted && other.eq_ignore_ascii_case(value)
                })
            });
            is_named && has_attribute
        })
    }

    /// Adds attributes to an element, except those with a name that the element already has.
    pub(super) fn add_attributes(&mut self, node: NodeId, attributes: Vec<(Name, String)>) {
        let NodeKind::Element(_, of_node) = &mut self.tree.nodes[node].kind else { return };
        for (name, value) in attributes {
            let is_equal = |(other, _): &(Name, String)| {
                other.qualified == name.qualified && other.namespace == name.namespace
            };
            if !of_node.iter().any(is_equal) {
                of_node.push((name, value));
            }
        }
    }

    /// Records an element as an integration point, if its name and these attributes make it one.
    pub(super) fn record_integration_point(&mut self, node: NodeId, attributes: &[(Name, String)]) {
        let Some(name) = self.tree.name(node) else { return };
        if self.is_integration_point(name, attributes) && !self.integration_points.contains(&node) {
            self.integration_points.push(node);
        }
    }

    /// Replaces the names of the current tag's attributes according to a list of adjustments.
    pub(super) fn adjust_attributes(&mut self, table: AdjustmentsId) {
        let table = &self.construction.adjustments[usize::from(table.0)];
        let Some(tag) = &mut self.tag else { return };
        for (name, _) in &mut tag.attributes {
            let Some(entry) = table.entries.iter().find(|entry| entry.from == name.qualified)
            else {
                continue;
            };
            let qualified = entry.to.clone();
            *name = match entry.namespace {
                None => plain_name(&qualified),
                Some(namespace) => {
                    let namespace = attribute_url(namespace);
                    let (prefix, local) = qualified.split_once(':').unwrap_or(("", &qualified));
                    let (prefix, local) = (prefix.to_owned(), local.to_owned());
                    Name { qualified, prefix, local, namespace: namespace.to_owned() }
                }
            };
        }
    }

    /// Replaces the current tag's name according to a list of adjustments.
    pub(super) fn adjust_tag_name(&mut self, table: AdjustmentsId) {
        let table = &self.construction.adjustments[usize::from(table.0)];
        let Some(tag) = &mut self.tag else { return };
        if let Some(entry) = table.entries.iter().find(|entry| entry.from == tag.name) {
            tag.name.clone_from(&entry.to);
        }
    }
}
