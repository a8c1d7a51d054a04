//! Further checked insertions: as first child, after a sibling, in place of a node, around a node. A call that fails
//! changes nothing.

use super::Tree;
use super::mutate::HierarchyError;
use super::node::NodeId;

impl Tree {
    /// Moves a node to the start of `parent`; see [`append`](Self::append).
    ///
    /// # Errors
    ///
    /// If `parent` cannot contain the node; see [`HierarchyError`].
    pub fn prepend(&mut self, parent: NodeId, child: NodeId) -> Result<(), HierarchyError> {
        match self.node(parent).first_child() {
            Some(first) if first.id() == child => Ok(()),
            Some(first) => self.insert_before(first.id(), child),
            None => self.append(parent, child),
        }
    }

    /// Moves a node after a sibling; see [`append`](Self::append).
    ///
    /// ```
    /// use tabulex::{Options, html};
    ///
    /// let mut tree = html::parse("<p id=a>1<p id=b>2", Options::new()).tree;
    /// let [a, b] = ["a", "b"].map(|id| tree.element_by_id(id).unwrap().id());
    /// tree.insert_after(b, a).unwrap();
    /// assert_eq!(tree.root().text(), "21");
    /// ```
    ///
    /// # Errors
    ///
    /// If the sibling has no parent, or its parent cannot contain the node; see [`HierarchyError`].
    pub fn insert_after(&mut self, sibling: NodeId, child: NodeId) -> Result<(), HierarchyError> {
        let node = self.node(sibling);
        if !self.has_node(sibling) {
            return Err(HierarchyError::UnknownNode);
        }
        let parent = node.parent().ok_or(HierarchyError::NoParent)?.id();
        match node.next_sibling() {
            _ if sibling == child => Ok(()),
            Some(next) if next.id() == child => Ok(()),
            Some(next) => self.insert_before(next.id(), child),
            None => self.append(parent, child),
        }
    }

    /// Replaces a node and its descendants with another node. For a fragment, its children are inserted.
    ///
    /// # Errors
    ///
    /// If the node to be replaced has no parent, or its parent cannot contain the other node; see [`HierarchyError`].
    pub fn replace_with(&mut self, node: NodeId, other: NodeId) -> Result<(), HierarchyError> {
        if node == other {
            return Ok(());
        }
        self.insert_before(node, other)?;
        self.detach(node);
        Ok(())
    }

    /// Inserts an element in place of a node, and moves the node to the end of that element.
    ///
    /// ```
    /// use tabulex::tree::Namespace;
    /// use tabulex::{Options, html};
    ///
    /// let mut tree = html::parse("<p>1<img id=i>2", Options::new()).tree;
    /// let image = tree.element_by_id("i").unwrap().id();
    /// let figure = tree.create_element(Namespace::HTML, "figure");
    /// tree.wrap(image, figure).unwrap();
    /// let p = tree.node(figure).parent().unwrap();
    /// assert_eq!(html::serializer().inner(p), "1<figure><img id=\"i\"></figure>2");
    /// ```
    ///
    /// # Errors
    ///
    /// If the node has no parent, or the wrapper is not an element, is the node itself, or is an ancestor of the node;
    /// see [`HierarchyError`].
    pub fn wrap(&mut self, node: NodeId, wrapper: NodeId) -> Result<(), HierarchyError> {
        if node == wrapper {
            return Err(HierarchyError::Cycle);
        }
        if !self.node(wrapper).is_element() {
            return Err(HierarchyError::NotAParent);
        }
        self.insert_before(node, wrapper)?;
        self.append(wrapper, node)
    }
}
