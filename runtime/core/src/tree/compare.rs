//! Equality of trees, and their `Debug` output. Neither recurses, and the output is linear in the size of the tree.

use super::Tree;
use super::iterate::{Edge, first_inside};
use super::node::NodeKind;
use super::node_ref::NodeRef;
use std::fmt;

/// Maximum indentation in levels, so that the output for a deep tree is not quadratic.
const MAX_INDENT: usize = 32;

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.mode == other.mode && self.root().is_like(&other.root())
    }
}

impl Eq for Tree {}

impl NodeRef<'_> {
    /// Whether this node with all its descendants, including template contents and shadow roots, equals another node of
    /// any tree with its descendants: kinds, names, attributes in order, and texts. Positions are not compared.
    pub fn is_like(&self, other: &NodeRef<'_>) -> bool {
        let (mut walk, mut other_walk) = (self.walk_with_contents(), other.walk_with_contents());
        loop {
            match (walk.next(), other_walk.next()) {
                (None, None) => return true,
                (Some(Edge::Open(this)), Some(Edge::Open(that)))
                    if this.is_equal_shallow(&that) => {}
                (Some(Edge::Close(_)), Some(Edge::Close(_))) => {}
                _ => return false,
            }
        }
    }

    /// Whether the nodes are equal by [`is_like`](Self::is_like) after DOM's `normalize`: adjacent texts count as one,
    /// and empty texts are ignored. Use it to compare a tree with a tree that was serialized and parsed again.
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
        self.is_equal_shallow(other) && self.is_like_inside_normalized(other)
    }

    /// Whether the contents of the two nodes are equal by [`is_like_normalized`](Self::is_like_normalized). The nodes
    /// themselves are not compared.
    ///
    /// ```
    /// let parse = |text| tabulex::html::parse_fragment(text, "div", Default::default()).tree;
    /// let (one, other) = (parse("<html lang=en>1<b>2"), parse("1<b>2</b>"));
    /// let [one, other] = [&one, &other].map(|tree| tree.document_element().unwrap());
    /// assert!(one.is_like_inside_normalized(&other) && !one.is_like_normalized(&other));
    /// ```
    pub fn is_like_inside_normalized(&self, other: &NodeRef<'_>) -> bool {
        let known_count = self.tree().names.shared_names(&other.tree().names);
        // `this` and `that` are the containers; `one` and `two` are the next nodes to compare in them.
        let (mut this, mut that) = (*self, *other);
        let (mut one, mut two) = (first_inside(this, true), first_inside(that, true));
        loop {
            let (Some(node), Some(other_node)) = (one, two) else {
                match one.or(two) {
                    Some(remaining)
                        if remaining.is_text() && text_runs_equal(&mut one, &mut two) => {}
                    Some(_) => return false,
                    None if this == *self || that == *other => {
                        return this == *self && that == *other;
                    }
                    None => {
                        (one, this) = this.next_with_container();
                        (two, that) = that.next_with_container();
                    }
                }
                continue;
            };
            if node.is_text() || other_node.is_text() {
                let are_both_texts = node.is_text() && other_node.is_text();
                if are_both_texts && node.text_bytes() == other_node.text_bytes() {
                    // Removing an equal prefix from two runs of texts does not change whether the runs are equal.
                    (one, two) = (node.next_sibling(), other_node.next_sibling());
                } else if !text_runs_equal(&mut one, &mut two) {
                    return false;
                }
                continue;
            }
            if !node.is_equal_element_fast(&other_node, known_count)
                && !node.is_equal_shallow(&other_node)
            {
                return false;
            }
            (this, that) = (node, other_node);
            (one, two) = (first_inside(node, true), first_inside(other_node, true));
        }
    }

    /// Returns the next sibling, if any, and the parent. For the contents of a host, which have neither, returns the
    /// first child of the host, if any, and the host.
    #[inline]
    fn next_with_container(&self) -> (Option<Self>, Self) {
        if let Some(parent) = self.parent() {
            return (self.next_sibling(), parent);
        }
        // The children of a host follow its contents.
        self.host().map_or((None, *self), |host| (host.first_child(), host))
    }

    /// Fast path of `is_equal_shallow`: whether both nodes are elements with equal known names and attributes, as is
    /// usual for trees of one dialect. Equal elements may fail this test.
    #[inline]
    fn is_equal_element_fast(&self, other: &NodeRef<'_>, known_count: u32) -> bool {
        let (this, that) = (self.raw(), other.raw());
        let (tree, other_tree) = (self.tree(), other.tree());
        if !this.has_known_name_of(that, known_count) {
            return false;
        }
        let (range, other_range) = (this.attributes(), that.attributes());
        if range.count == 0 && other_range.count == 0 {
            return true;
        }
        let records = tree.attributes.records(range);
        let other_records = other_tree.attributes.records(other_range);
        records.len() == other_records.len()
            && records.iter().zip(other_records).all(|(one, two)| {
                one.has_known_name_of(two, known_count)
                    && tree.texts.bytes(one.value) == other_tree.texts.bytes(two.value)
            })
    }

    /// Whether the nodes themselves are equal, without their descendants.
    fn is_equal_shallow(&self, other: &NodeRef<'_>) -> bool {
        let kind = self.kind();
        kind == other.kind()
            && match kind {
                NodeKind::Element => {
                    let (attributes, other_attributes) = (self.attributes(), other.attributes());
                    self.name() == other.name() && attributes.eq(other_attributes)
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

    /// Writes the node without its descendants as a line of `Debug` output.
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

/// Whether the runs of adjacent texts at both cursors are equal when joined. If so, moves the cursors past the runs.
fn text_runs_equal(one: &mut Option<NodeRef<'_>>, two: &mut Option<NodeRef<'_>>) -> bool {
    /// Sets an empty `text` to the next nonempty text of the run.
    fn fill_from_run<'a>(text: &mut &'a [u8], next: &mut Option<NodeRef<'a>>) {
        while text.is_empty()
            && let Some(node) = next.filter(NodeRef::is_text)
        {
            *text = node.text_bytes();
            *next = node.next_sibling();
        }
    }
    let (mut this, mut that): (&[u8], &[u8]) = (&[], &[]);
    loop {
        fill_from_run(&mut this, one);
        fill_from_run(&mut that, two);
        if this.is_empty() || that.is_empty() {
            return this.is_empty() && that.is_empty();
        }
        let common_len = this.len().min(that.len());
        if this[..common_len] != that[..common_len] {
            return false;
        }
        (this, that) = (&this[common_len..], &that[common_len..]);
    }
}

/// An indented list of the node and its descendants, with positions. Levels deeper than 32 are shown by number.
impl fmt::Debug for NodeRef<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut depth = 0;
        for edge in self.walk_with_contents() {
            match edge {
                Edge::Open(node) => {
                    write!(formatter, "{:1$}", "", 2 * depth.min(MAX_INDENT))?;
                    if depth > MAX_INDENT {
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

/// The [`DocumentMode`](super::DocumentMode), then the document as [`NodeRef`] shows it.
impl fmt::Debug for Tree {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} {:?}", self.mode, self.root())
    }
}
