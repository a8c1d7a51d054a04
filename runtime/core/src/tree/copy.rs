//! Copies of nodes, within a tree and between trees. A copy has no positions. As in DOM's "clone a node", shadow roots
//! are not copied, except when nodes are adopted.

use super::Tree;
use super::node::{NodeId, NodeKind};
use super::node_ref::NodeRef;
use super::sink::TreeSink;

impl Tree {
    /// Copies a node of another tree and its descendants into this one. The copy has no parent. A document is copied as
    /// a fragment with copies of its children.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let from = html::parse("<ul><li>One", Options::new()).tree;
    /// let mut to = html::parse("<body>", Options::new()).tree;
    /// let list = from.root().descendants().find(|node| node.is_html("ul")).unwrap();
    /// let copy = to.import(list);
    /// let body = to.document_element().unwrap().last_child().unwrap().id();
    /// to.append(body, copy).unwrap();
    /// assert_eq!(html::serializer().inner(to.node(body)), "<ul><li>One</li></ul>");
    /// ```
    pub fn import(&mut self, node: NodeRef<'_>) -> NodeId {
        self.import_with(node, false)
    }

    /// Copies a node of another tree and its descendants, including shadow roots, which [`import`](Self::import) drops
    /// (DOM, "adopt").
    pub(crate) fn adopt(&mut self, node: NodeRef<'_>) -> NodeId {
        self.import_with(node, true)
    }

    fn import_with(&mut self, node: NodeRef<'_>, includes_shadow_roots: bool) -> NodeId {
        let copy = self.import_shallow(node);
        let mut pending = vec![(node, copy)];
        while let Some((node, copy)) = pending.pop() {
            for child in node.children() {
                let child_copy = self.import_shallow(child);
                // Each copy is linked into its parent before it has children, so no check for cycles is needed.
                self.link_last(copy.0, child_copy.0);
                pending.push((child, child_copy));
            }
            if let Some(contents) = node.template_contents() {
                let child_copy = self.create_template_contents(copy);
                pending.push((contents, child_copy));
            } else if includes_shadow_roots
                && let Some(root) = node.shadow_root()
                && let (Some(template), Some(mode)) =
                    (node.shadow_root_template(), node.shadow_root_mode())
            {
                let template = self.import_shallow(template);
                self.attach_shadow_root(copy, template, mode);
                // `create_template_contents` returns the shadow root created above, because that is stored as the
                // contents of the host.
                let child_copy = self.create_template_contents(copy);
                pending.push((root, child_copy));
            }
        }
        copy
    }

    /// Copies a node of this tree and its descendants. The copy has no parent.
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let mut tree = html::parse("<p id=a>1<b>2", Options::new()).tree;
    /// let p = tree.element_by_id("a").unwrap().id();
    /// let copy = tree.clone_node(p);
    /// assert!(tree.node(copy).is_like(&tree.node(p)) && copy != p);
    /// assert_eq!(tree.node(copy).parent(), None);
    /// ```
    pub fn clone_node(&mut self, node: NodeId) -> NodeId {
        // A tree cannot import a node that it owns, because the node borrows it, so a temporary tree holds a first
        // copy.
        let mut scratch = Self::new();
        let copy = scratch.import(self.node(node));
        self.import(scratch.node(copy))
    }

    /// Copies a node of another tree without its descendants.
    fn import_shallow(&mut self, node: NodeRef<'_>) -> NodeId {
        match node.kind() {
            NodeKind::Document | NodeKind::Fragment => self.create_fragment(),
            NodeKind::Text => self.create_text(node.data().unwrap_or_default()),
            NodeKind::Comment => self.create_comment(node.data().unwrap_or_default()),
            NodeKind::ProcessingInstruction => {
                let (target, data) = (node.target(), node.data());
                self.create_processing_instruction(
                    target.unwrap_or_default(),
                    data.unwrap_or_default(),
                )
            }
            NodeKind::Doctype => {
                let doctype = node.doctype().unwrap_or_default();
                self.create_doctype(
                    doctype.name,
                    doctype.public_identifier,
                    doctype.system_identifier,
                )
            }
            NodeKind::Element => self.import_element(node),
        }
    }

    /// Copies an element of another tree with its attributes.
    fn import_element(&mut self, node: NodeRef<'_>) -> NodeId {
        let names =
            node.name().into_iter().chain(node.attributes().map(|attribute| attribute.name()));
        let mut names = names.map(|name| {
            let namespace = self.names_mut().namespace(name.namespace_str());
            self.names_mut().name(namespace, name.prefix(), name.local())
        });
        let names: Vec<_> = names.by_ref().collect();
        let copy = self.create_named_element(names[0]);
        for (attribute, name) in node.attributes().zip(&names[1..]) {
            self.set_named_attribute(copy, *name, attribute.value());
        }
        copy
    }
}
