//! Which of two nodes comes first. It keeps no order: what is compared is walked. Invariant: a node comes before what is in
//! it.

use super::node_ref::NodeRef;
use std::cmp::Ordering;

impl NodeRef<'_> {
    /// Where this node is beside another one in tree order, in which a node comes before what is in it: before it, after it,
    /// or it is the same. `None` if the two are of different trees, or in parts that are not connected, as the contents of
    /// a template are with what is around it.
    ///
    /// It takes as many steps as the two are deep, and as there are siblings between them.
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
        // From the root, which comes last.
        let mut pairs = one.iter().rev().zip(other.iter().rev());
        let Some((here, there)) = pairs.find(|(here, there)| here != there) else {
            return Some(one.len().cmp(&other.len()));
        };
        here.parent()?;
        // Both ways at once, so that near siblings are near whatever the number of all.
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

/// The node, what it is in, and so on up to the root.
fn path(node: NodeRef<'_>) -> Vec<NodeRef<'_>> {
    std::iter::successors(Some(node), NodeRef::parent).collect()
}
