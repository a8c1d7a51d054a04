//! Comparison of nodes in tree order.

use super::node_ref::NodeRef;
use std::cmp::Ordering;

impl NodeRef<'_> {
    /// Compares two nodes in tree order, in which a node is before its descendants. Returns `None` if they are in
    /// different trees or in parts that are not connected, such as the contents of a template and its surroundings.
    ///
    /// The cost is the depth of the two nodes plus the number of siblings between their ancestors.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use tabulex::{Options, html};
    ///
    /// let tree = html::parse("<p id=a><b id=b></b></p><p id=c>", Options::new()).tree;
    /// let [a, b, c] = ["a", "b", "c"].map(|id| tree.element_by_id(id).unwrap());
    /// assert_eq!(a.tree_order(b), Some(Ordering::Less));
    /// assert_eq!(c.tree_order(b), Some(Ordering::Greater));
    /// let other = tree.clone();
    /// assert_eq!(a.tree_order(other.root()), None);
    /// ```
    pub fn tree_order(&self, other: NodeRef<'_>) -> Option<Ordering> {
        if !std::ptr::eq(self.tree(), other.tree()) {
            return None;
        }
        let (one, other) = (path(*self), path(other));
        // Compare from the root, which is last in both paths.
        let mut pairs = one.iter().rev().zip(other.iter().rev());
        let Some((here, there)) = pairs.find(|(here, there)| here != there) else {
            return Some(one.len().cmp(&other.len()));
        };
        here.parent()?;
        // Search in both directions at once, so that the cost depends on the distance, not on the number of siblings.
        let (mut forward, mut backward) = (here.next_siblings(), here.previous_siblings());
        loop {
            let (next, previous) = (forward.next(), backward.next());
            if next == Some(*there) {
                return Some(Ordering::Less);
            }
            if previous == Some(*there) {
                return Some(Ordering::Greater);
            }
            if next.is_none() && previous.is_none() {
                return None;
            }
        }
    }
}

/// Returns the node and its ancestors, up to the root.
fn path(node: NodeRef<'_>) -> Vec<NodeRef<'_>> {
    std::iter::successors(Some(node), NodeRef::parent).collect()
}
