//! Whether trees are equal, and how they look to a person who debugs. It is no format that others read. Invariant:
//! neither recurses, and what is printed is linear in the tree.

use super::Tree;
use super::iterate::{Edge, Walk};
use super::node::NodeKind;
use super::node_ref::NodeRef;
use std::fmt;

/// Levels that are shown by indentation; indenting every level of a deep tree would print its square.
const INDENTED: usize = 32;

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.mode == other.mode && self.root().is_like(&other.root())
    }
}

impl Eq for Tree {}

impl NodeRef<'_> {
    /// Whether this node and all inside, template contents included, are equal to another one, of any tree: kinds,
    /// names, attributes in order, and texts. Positions do not count.
    pub fn is_like(&self, other: &NodeRef<'_>) -> bool {
        let (mut these, mut those) = (self.walk_with_contents(), other.walk_with_contents());
        loop {
            match (these.next(), those.next()) {
                (None, None) => return true,
                (Some(Edge::Open(this)), Some(Edge::Open(that))) if this.is_like_itself(&that) => {}
                (Some(Edge::Close(_)), Some(Edge::Close(_))) => {}
                _ => return false,
            }
        }
    }

    /// As [`is_like`](Self::is_like), where texts that follow each other count as one and empty ones do not count: as if
    /// both were normalized first, which DOM's `normalize` does. So a tree is compared that was serialized and parsed.
    ///
    /// ```
    /// use tabulex::tree::NodeKind;
    ///
    /// let mut tree = tabulex::html::parse("<p>1<!-- -->2", Default::default()).tree;
    /// let comment = tree.root().descendants().find(|node| node.kind() == NodeKind::Comment).unwrap().id();
    /// tree.detach(comment);
    /// let other = tabulex::html::parse("<p>12", Default::default()).tree;
    /// assert!(tree.root().is_like_normalized(&other.root()) && !tree.root().is_like(&other.root()));
    /// ```
    pub fn is_like_normalized(&self, other: &NodeRef<'_>) -> bool {
        let [mut these, mut those] = [self, other].map(|node| Pieces(node.walk_with_contents()));
        let (mut this, mut that) = (these.next(), those.next());
        loop {
            (this, that) = match (this, that) {
                (None, None) => return true,
                (Some(Piece::Text(this)), Some(Piece::Text(that))) => {
                    let common = this.len().min(that.len());
                    if this[..common] != that[..common] {
                        return false;
                    }
                    (these.after(&this[common..]), those.after(&that[common..]))
                }
                (Some(Piece::Open(this)), Some(Piece::Open(that)))
                    if this.is_like_itself(&that) =>
                {
                    (these.next(), those.next())
                }
                (Some(Piece::Close), Some(Piece::Close)) => (these.next(), those.next()),
                _ => return false,
            };
        }
    }

    /// As [`is_like`](Self::is_like), without what is inside.
    fn is_like_itself(&self, other: &NodeRef<'_>) -> bool {
        let kind = self.kind();
        kind == other.kind()
            && match kind {
                NodeKind::Element => {
                    self.name() == other.name() && self.attributes().eq(other.attributes())
                }
                NodeKind::Fragment => self.host().is_some() == other.host().is_some(),
                NodeKind::Text | NodeKind::Comment => self.data() == other.data(),
                NodeKind::ProcessingInstruction => {
                    self.target() == other.target() && self.data() == other.data()
                }
                NodeKind::Doctype => self.doctype() == other.doctype(),
                NodeKind::Document => true,
            }
    }

    /// The node without what is inside, on one line.
    fn write_line(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let data = self.data().unwrap_or_default();
        match self.kind() {
            NodeKind::Document => formatter.write_str("document")?,
            NodeKind::Fragment if self.host().is_some() => formatter.write_str("contents")?,
            NodeKind::Fragment => formatter.write_str("fragment")?,
            NodeKind::Doctype => {
                let doctype = self.doctype().unwrap_or_default();
                write!(formatter, "doctype {:?}", doctype.name)?;
                for identifier in [doctype.public_identifier, doctype.system_identifier] {
                    write!(formatter, " {identifier:?}")?;
                }
            }
            NodeKind::Element => {
                if let Some(name) = self.name() {
                    write!(formatter, "element {name}")?;
                }
                for attribute in self.attributes() {
                    write!(formatter, " {attribute:?}")?;
                }
            }
            NodeKind::Text => write!(formatter, "text {data:?}")?,
            NodeKind::Comment => write!(formatter, "comment {data:?}")?,
            NodeKind::ProcessingInstruction => {
                write!(formatter, "instruction {:?} {data:?}", self.target().unwrap_or_default())?;
            }
        }
        match self.span() {
            Some(span) => writeln!(formatter, " @ {}..{}", span.start, span.end),
            None => writeln!(formatter),
        }
    }
}

/// A step around a node and all inside, where texts have no ends.
enum Piece<'a> {
    /// What is left of a text; not empty.
    Text(&'a [u8]),
    Open(NodeRef<'a>),
    Close,
}

/// The pieces of a node.
struct Pieces<'a>(Walk<'a>);

impl<'a> Pieces<'a> {
    /// The piece after a text of which this is left.
    fn after(&mut self, left: &'a [u8]) -> Option<Piece<'a>> {
        if left.is_empty() { self.next() } else { Some(Piece::Text(left)) }
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        loop {
            match self.0.next()? {
                Edge::Open(node) if node.is_text() => {
                    let text = node.data().unwrap_or_default();
                    if !text.is_empty() {
                        return Some(Piece::Text(text.as_bytes()));
                    }
                }
                Edge::Close(node) if node.is_text() => {}
                Edge::Open(node) => return Some(Piece::Open(node)),
                Edge::Close(_) => return Some(Piece::Close),
            }
        }
    }
}

/// An indented list of the node and all inside, with positions. Levels deeper than 32 are shown by their number.
impl fmt::Debug for NodeRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut depth = 0;
        for edge in self.walk_with_contents() {
            match edge {
                Edge::Open(node) => {
                    write!(formatter, "{:1$}", "", 2 * depth.min(INDENTED))?;
                    if depth > INDENTED {
                        write!(formatter, "({depth}) ")?;
                    }
                    node.write_line(formatter)?;
                    depth += 1;
                }
                Edge::Close(_) => depth -= 1,
            }
        }
        Ok(())
    }
}

/// The document as [`NodeRef`] shows it, after the [`DocumentMode`](super::DocumentMode).
impl fmt::Debug for Tree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} {:?}", self.mode, self.root())
    }
}
