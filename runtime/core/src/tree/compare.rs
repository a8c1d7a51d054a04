//! Whether trees are equal, and how they look to a person who debugs. It is no format that others read. Invariant:
//! neither recurses, and what is printed is linear in the tree.

use super::Tree;
use super::iterate::Edge;
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

    /// As [`is_like`](Self::is_like), without what is inside.
    fn is_like_itself(&self, other: &NodeRef<'_>) -> bool {
        self.kind() == other.kind()
            && self.name() == other.name()
            && self.data() == other.data()
            && self.target() == other.target()
            && self.doctype() == other.doctype()
            && self.host().is_some() == other.host().is_some()
            && self.attributes().eq(other.attributes())
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
