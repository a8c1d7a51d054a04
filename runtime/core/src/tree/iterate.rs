//! Iterators over a tree. They follow links and need no stack; each step takes amortized constant time.

use super::node_ref::NodeRef;
use std::iter::{FusedIterator, Successors};

/// An iterator over the children of a node.
#[derive(Clone, Debug)]
pub struct Children<'a> {
    /// The first and the last of the remaining children; `None` if none remain.
    remaining_ends: Option<(NodeRef<'a>, NodeRef<'a>)>,
}

impl<'a> Children<'a> {
    pub(super) fn new(node: NodeRef<'a>) -> Self {
        Self { remaining_ends: node.first_child().zip(node.last_child()) }
    }
}

impl<'a> Iterator for Children<'a> {
    type Item = NodeRef<'a>;

    fn next(&mut self) -> Option<NodeRef<'a>> {
        let (first, last) = self.remaining_ends?;
        let next = if first == last { None } else { first.next_sibling() };
        self.remaining_ends = next.map(|next| (next, last));
        Some(first)
    }
}

impl DoubleEndedIterator for Children<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let (first, last) = self.remaining_ends?;
        let previous = if first == last { None } else { last.previous_sibling() };
        self.remaining_ends = previous.map(|previous| (first, previous));
        Some(last)
    }
}

impl FusedIterator for Children<'_> {}

/// A function that returns the node that a link of a node leads to, if it leads to one.
type Link<'a> = fn(&NodeRef<'a>) -> Option<NodeRef<'a>>;

/// An iterator over the siblings on one side of a node.
pub type Siblings<'a> = Successors<NodeRef<'a>, Link<'a>>;

/// An iterator over the ancestors of a node, from the parent outward.
pub type Ancestors<'a> = Successors<NodeRef<'a>, Link<'a>>;

/// Returns an iterator that begins after a node and follows a link from each node to the next.
pub(super) fn follow<'a>(node: NodeRef<'a>, link: Link<'a>) -> Successors<NodeRef<'a>, Link<'a>> {
    std::iter::successors(link(&node), link)
}

/// An iterator over the descendants of a node, in tree order.
#[derive(Clone, Debug)]
pub struct Descendants<'a> {
    root: NodeRef<'a>,
    next: Option<NodeRef<'a>>,
    /// Whether template contents and shadow roots are included.
    includes_contents: bool,
}

impl<'a> Descendants<'a> {
    pub(super) fn new(root: NodeRef<'a>, includes_contents: bool) -> Self {
        let mut descendants = Self { root, next: None, includes_contents };
        descendants.next = first_inside(root, includes_contents);
        descendants
    }

    /// Skips the descendants of `node`, which must be the node returned last.
    ///
    /// ```
    /// let tree = tabulex::html::parse_fragment("<p>1</p><b>2</b>", "div", Default::default()).tree;
    /// let mut nodes = tree.document_element().unwrap().descendants();
    /// let paragraph = nodes.next().unwrap();
    /// nodes.skip_past(paragraph);
    /// assert!(nodes.next().unwrap().is_html("b"));
    /// ```
    #[inline]
    pub fn skip_past(&mut self, node: NodeRef<'a>) {
        self.next = self.next_outside(node, self.includes_contents);
    }

    /// Returns the node after `node` in tree order, without template contents and shadow roots. `node` must be inside
    /// the root.
    #[inline]
    fn next_after(&self, node: NodeRef<'a>) -> Option<NodeRef<'a>> {
        let record = node.raw();
        let inside = node.at(record.first_child).or_else(|| node.at(record.next_sibling));
        inside.or_else(|| self.next_outside(node, false))
    }

    /// Returns the next node after `node` in tree order that is not inside `node`, or `None` if there is none.
    #[inline]
    fn next_outside(&self, mut node: NodeRef<'a>, includes_contents: bool) -> Option<NodeRef<'a>> {
        let mut record = node.raw();
        while node.id() != self.root.id() {
            if let Some(next) = node.at(record.next_sibling) {
                return Some(next);
            }
            node = match node.at(record.parent) {
                Some(parent) => parent,
                // Contents of a host have neither siblings nor a parent. The children of the host follow them.
                None => {
                    let host = node.host().filter(|_| includes_contents)?;
                    if let Some(first) = host.first_child() {
                        return Some(first);
                    }
                    host
                }
            };
            record = node.raw();
        }
        None
    }

    /// Moves an iterator that includes contents past `node`, the next node, and returns it. Kept out of line, so that
    /// other iterators save no registers for the calls that find contents and their hosts.
    #[inline(never)]
    fn advance_with_contents(&mut self, node: NodeRef<'a>) -> Option<NodeRef<'a>> {
        self.next = first_inside(node, true).or_else(|| self.next_outside(node, true));
        Some(node)
    }
}

/// Returns the first node inside `node`, if there is one: the contents of a host, if they are included, or else the
/// first child.
#[inline]
pub(super) fn first_inside(node: NodeRef<'_>, includes_contents: bool) -> Option<NodeRef<'_>> {
    let contents = if includes_contents { node.contents() } else { None };
    contents.or_else(|| node.first_child())
}

impl<'a> Iterator for Descendants<'a> {
    type Item = NodeRef<'a>;

    #[inline]
    fn next(&mut self) -> Option<NodeRef<'a>> {
        let node = self.next?;
        match self.includes_contents {
            true => self.advance_with_contents(node),
            false => {
                self.next = self.next_after(node);
                Some(node)
            }
        }
    }
}

impl FusedIterator for Descendants<'_> {}

/// A step of a [`Walk`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge<'a> {
    /// The start of a node, before its descendants.
    Open(NodeRef<'a>),
    /// The end of a node, after its descendants.
    Close(NodeRef<'a>),
}

/// An iterator over the starts and ends of a node and its descendants, in tree order.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    root: NodeRef<'a>,
    next: Option<Edge<'a>>,
    /// Whether template contents and shadow roots are included.
    includes_contents: bool,
}

impl<'a> Walk<'a> {
    pub(super) fn new(root: NodeRef<'a>, includes_contents: bool) -> Self {
        Self { root, next: Some(Edge::Open(root)), includes_contents }
    }

    /// Skips to the end of `node`, which must have been opened and not closed.
    ///
    /// ```
    /// use tabulex::tree::{Edge, Namespace, Tree};
    /// let mut tree = Tree::new();
    /// let outer = tree.create_element(Namespace::NONE, "outer");
    /// tree.append_text(outer, "inner");
    /// let mut walk = tree.node(outer).walk();
    /// let Some(Edge::Open(node)) = walk.next() else { panic!() };
    /// walk.skip_inside(node);
    /// assert_eq!(walk.next(), Some(Edge::Close(node)));
    /// ```
    pub fn skip_inside(&mut self, node: NodeRef<'a>) {
        self.next = Some(Edge::Close(node));
    }

    /// Skips the remaining descendants and the end of `node`, which must have been opened and not closed.
    ///
    /// ```
    /// use tabulex::tree::Edge;
    ///
    /// let tree = tabulex::html::parse_fragment("<p>1</p><b>2</b>", "div", Default::default()).tree;
    /// let mut walk = tree.document_element().unwrap().walk();
    /// let mut opened = Vec::new();
    /// while let Some(edge) = walk.next() {
    ///     let Edge::Open(node) = edge else { continue };
    ///     opened.push(node.local_name().unwrap_or("#text"));
    ///     if node.is_html("p") {
    ///         walk.skip_past(node);
    ///     }
    /// }
    /// assert_eq!(opened, ["html", "p", "b", "#text"]);
    /// ```
    #[inline]
    pub fn skip_past(&mut self, node: NodeRef<'a>) {
        self.next = self.after_close(node);
    }

    /// Returns the step after the end of a node; `None` after the root.
    #[inline]
    fn after_close(&self, node: NodeRef<'a>) -> Option<Edge<'a>> {
        if node == self.root {
            return None;
        }
        let parent = || node.parent().map(Edge::Close);
        let host = || {
            let host = node.host()?;
            Some(host.first_child().map_or(Edge::Close(host), Edge::Open))
        };
        // Contents of a host have neither siblings nor a parent, so the walk continues in the host.
        node.next_sibling().map(Edge::Open).or_else(parent).or_else(host)
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = Edge<'a>;

    #[inline]
    fn next(&mut self) -> Option<Edge<'a>> {
        let edge = self.next?;
        self.next = match edge {
            Edge::Open(node) => {
                let inside = first_inside(node, self.includes_contents);
                Some(inside.map_or(Edge::Close(node), Edge::Open))
            }
            Edge::Close(node) => self.after_close(node),
        };
        Some(edge)
    }
}

impl FusedIterator for Walk<'_> {}
