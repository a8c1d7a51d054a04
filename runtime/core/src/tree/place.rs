//! Putting nodes at places that the links of a tree lead to: first, after another one, instead of it, around it.
//! Invariant: as for all changes by hand, a call that fails changes nothing.

use super::Tree;
use super::mutate::HierarchyError;
use super::node::NodeId;

impl Tree {
    /// Puts a node before the other children of `parent`; see [`append`](Self::append).
    ///
    /// # Errors
    ///
    /// If the nodes cannot stand so.
    pub fn prepend(&mut self, parent: NodeId, child: NodeId) -> Result<(), HierarchyError> {
        match self.node(parent).first_child() {
            Some(first) if first.id() == child => Ok(()),
            Some(first) => self.insert_before(first.id(), child),
            None => self.append(parent, child),
        }
    }

    /// Puts a node after another one; see [`append`](Self::append).
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
    /// If the nodes cannot stand so.
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

    /// Puts a node in the place of another one, which is taken out with what is inside. Of a fragment the children are
    /// put there.
    ///
    /// # Errors
    ///
    /// If the nodes cannot stand so, or the one to be replaced has no parent.
    pub fn replace_with(&mut self, node: NodeId, other: NodeId) -> Result<(), HierarchyError> {
        if node == other {
            return Ok(());
        }
        self.insert_before(node, other)?;
        self.detach(node);
        Ok(())
    }

    /// Puts an element in the place of a node, and the node into it, after its children.
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
    /// If the nodes cannot stand so, or the node has no parent.
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
