//! Checked changes of a tree; the methods of [`TreeSink`](super::TreeSink) are unchecked. A call that fails changes
//! nothing.

use super::Tree;
use super::node::{NONE, NodeId, NodeKind};
use super::node_ref::AttributeRef;
use super::node_spans::AttributeSpans;
use crate::names::{Name, Namespace};
use std::fmt;

/// The reason why a node cannot be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HierarchyError {
    /// The node would be inside itself.
    Cycle,
    /// The parent is not a document, a fragment or an element.
    NotAParent,
    /// The node is a document, template contents or a shadow root, none of which can be moved.
    NotAChild,
    /// The reference node has no parent.
    NoParent,
    /// The tree has no node with this id, which must belong to another tree.
    UnknownNode,
    /// The dialect has no fragments, as in XML, so markup can only be parsed as a document.
    NoFragments,
    /// The new nodes would exceed the tree's node limit; see
    /// [`TreeOptions::node_limit`](super::TreeOptions::node_limit).
    Full,
}

impl fmt::Display for HierarchyError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Cycle => "a node cannot be inserted into itself",
            Self::NotAParent => "nodes can only be inserted into documents, fragments and elements",
            Self::NotAChild => "documents and template contents cannot be inserted into a node",
            Self::NoParent => "the reference node has no parent",
            Self::UnknownNode => "the node belongs to another tree",
            Self::NoFragments => {
                "the dialect has no fragments; markup can only be parsed as a document"
            }
            Self::Full => "the new nodes would exceed the node limit of the tree",
        })
    }
}

impl std::error::Error for HierarchyError {}

/// A name that attributes cannot have (DOM, "valid attribute local name").
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InvalidName {
    /// The invalid name.
    pub name: String,
}

impl fmt::Display for InvalidName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name } = self;
        write!(
            formatter,
            "{name:?} is not an attribute name: names are not empty and contain no white space, U+0000, `/`, `=` or `>`"
        )
    }
}

impl std::error::Error for InvalidName {}

fn is_attribute_name(name: &str) -> bool {
    let ends_name =
        |byte: u8| matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ' | 0 | b'/' | b'=' | b'>');
    !name.is_empty() && !name.bytes().any(ends_name)
}

/// Changes of a tree. Given an id that the tree does not have, methods that can return a [`HierarchyError`] return one;
/// the others do nothing.
impl Tree {
    /// Moves a node to the end of `parent`; of a fragment, the children are moved. If `child` has children, the cost
    /// grows with the depth of `parent`.
    ///
    /// # Errors
    ///
    /// If `parent` cannot contain the node; see [`HierarchyError`].
    #[doc(alias = "append_child")]
    pub fn append(&mut self, parent: NodeId, child: NodeId) -> Result<(), HierarchyError> {
        self.check_insertion(parent, child)?;
        if self.nodes[child.index()].kind() == NodeKind::Fragment {
            self.link_children(child.0, parent.0);
        } else {
            self.link_last(parent.0, child.0);
        }
        Ok(())
    }

    /// Moves a node before a sibling; see [`append`](Self::append).
    ///
    /// # Errors
    ///
    /// If the sibling has no parent, or its parent cannot contain the node; see [`HierarchyError`].
    pub fn insert_before(&mut self, sibling: NodeId, child: NodeId) -> Result<(), HierarchyError> {
        self.check_node(sibling)?;
        let parent = self.nodes[sibling.index()].parent;
        if parent == NONE {
            return Err(HierarchyError::NoParent);
        }
        self.check_insertion(NodeId(parent), child)?;
        if self.nodes[child.index()].kind() != NodeKind::Fragment {
            self.link_before(sibling.0, child.0);
            return Ok(());
        }
        while self.nodes[child.index()].first_child != NONE {
            self.link_before(sibling.0, self.nodes[child.index()].first_child);
        }
        Ok(())
    }

    /// Removes a node with its descendants from its parent. The node can be inserted again; its memory is freed with
    /// the tree.
    #[doc(alias = "remove")]
    #[doc(alias = "decompose")]
    #[doc(alias = "extract")]
    pub fn detach(&mut self, node: NodeId) {
        if self.has_node(node) {
            self.unlink(node.0);
        }
    }

    /// Replaces a node with its children. A node without a parent is unchanged.
    pub fn unwrap(&mut self, node: NodeId) {
        if self.node(node).parent().is_some() {
            while self.nodes[node.index()].first_child != NONE {
                self.link_before(node.0, self.nodes[node.index()].first_child);
            }
            self.unlink(node.0);
        }
    }

    /// Removes all children of a node.
    pub fn remove_children(&mut self, node: NodeId) {
        while let Some(child) = self.node(node).first_child().map(|child| child.id()) {
            self.unlink(child.0);
        }
    }

    /// Moves all children of the node `from` to the end of the node `to`.
    ///
    /// # Errors
    ///
    /// If `to` cannot contain the children; see [`HierarchyError`].
    pub fn move_children(&mut self, from: NodeId, to: NodeId) -> Result<(), HierarchyError> {
        self.check_node(from)?;
        self.check_node(to)?;
        if !self.nodes[to.index()].is_parent() {
            return Err(HierarchyError::NotAParent);
        }
        if from != to && self.nodes[from.index()].first_child != NONE && self.is_inside(to, from) {
            return Err(HierarchyError::Cycle);
        }
        self.link_children(from.0, to.0);
        Ok(())
    }

    /// Appends text at the end of a node: to the last child if that is a text, or as a new node.
    pub fn append_text(&mut self, parent: NodeId, text: &str) {
        if self.has_node(parent) && self.nodes[parent.index()].is_parent() && !text.is_empty() {
            self.append_text_unchecked(parent.0, text, None);
        }
    }

    /// Inserts text before a node that has a parent: at the end of the previous sibling if that is a text, or as a new
    /// node.
    pub fn insert_text_before(&mut self, sibling: NodeId, text: &str) {
        if self.has_node(sibling) && !text.is_empty() {
            self.insert_text_before_unchecked(sibling.0, text, None);
        }
    }

    /// Replaces the data of a text, comment or processing instruction, or replaces the children of an element or
    /// fragment with a text.
    #[doc(alias = "set_inner_text")]
    #[doc(alias = "set_text_content")]
    pub fn set_text(&mut self, node: NodeId, text: &str) {
        match self.node(node).kind() {
            NodeKind::Text | NodeKind::Comment => {
                self.texts.set(self.nodes[node.index()].slot_mut(), text);
            }
            NodeKind::ProcessingInstruction => {
                let index = self.nodes[node.index()].index() as usize;
                self.texts.set(&mut self.instructions[index].data, text);
            }
            NodeKind::Element | NodeKind::Fragment => {
                self.remove_children(node);
                if !text.is_empty() {
                    self.append_text(node, text);
                }
            }
            NodeKind::Document | NodeKind::Doctype => {}
        }
    }

    /// Renames an element; returns whether the node is an element.
    pub fn set_name(&mut self, element: NodeId, name: Name) -> bool {
        let node = self.nodes.get_mut(element.index()).filter(|node| node.is_element());
        let is_element = node.is_some();
        if let Some(node) = node {
            node.set_name(self.far_names.pack(name));
        }
        is_element
    }

    /// Sets an attribute by its qualified name; a new attribute is in no namespace. On an HTML element, the name is
    /// first converted to lowercase, unless the document is XML. Does nothing on nodes other than elements.
    ///
    /// ```
    /// let mut tree = tabulex::html::parse("<p id=p onclick=x>", Default::default()).tree;
    /// let p = tree.element_by_id("p").unwrap().id();
    /// tree.set_attribute(p, "onClick", "y")?;
    /// assert_eq!(tree.node(p).attribute("onclick"), Some("y"));
    /// assert!(tree.set_attribute(p, "A b", "").is_err());
    /// # Ok::<(), tabulex::tree::InvalidName>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the name is empty or contains a character that ends an attribute name; the tree is unchanged then.
    #[doc(alias = "set_attr")]
    pub fn set_attribute(
        &mut self,
        element: NodeId,
        name: &str,
        value: &str,
    ) -> Result<(), InvalidName> {
        if !is_attribute_name(name) {
            return Err(InvalidName { name: name.to_owned() });
        }
        let existing_name = self.find_attribute_name(element, name);
        let name = existing_name.unwrap_or_else(|| {
            let name = self.node(element).attribute_name(name);
            self.names.name(Namespace::NONE, "", &name)
        });
        self.set_named_attribute(element, name, value);
        Ok(())
    }

    /// Sets the attribute with a name interned in this tree's [`names`](Self::names).
    pub fn set_named_attribute(&mut self, element: NodeId, name: Name, value: &str) {
        let node = *self.node(element).raw();
        if node.is_element() {
            let mut range = node.attributes();
            self.attributes.set(&mut range, name, value, AttributeSpans::UNKNOWN, &mut self.texts);
            self.nodes[element.index()].set_attributes(range);
        }
    }

    /// Removes an attribute by its qualified name, converted as by [`set_attribute`](Self::set_attribute). Returns
    /// whether there was such an attribute.
    pub fn remove_attribute(&mut self, element: NodeId, name: &str) -> bool {
        let Some(name) = self.find_attribute_name(element, name) else { return false };
        let mut range = self.nodes[element.index()].attributes();
        let is_removed = self.attributes.remove(&mut range, name, &mut self.texts);
        self.nodes[element.index()].set_attributes(range);
        is_removed
    }

    /// Removes the attributes for which `is_kept` returns `false`; returns how many were removed.
    ///
    /// ```
    /// let mut tree = tabulex::html::parse("<a id=x href=y onclick=z>", Default::default()).tree;
    /// let link = tree.element_by_id("x").unwrap().id();
    /// assert_eq!(tree.retain_attributes(link, |attribute| !attribute.name().local().starts_with("on")), 1);
    /// assert_eq!(tabulex::html::serializer().outer(tree.node(link)), "<a id=\"x\" href=\"y\"></a>");
    /// ```
    pub fn retain_attributes(
        &mut self,
        element: NodeId,
        mut is_kept: impl FnMut(AttributeRef<'_>) -> bool,
    ) -> usize {
        let indexed = (0..).zip(self.node(element).attributes());
        let removed =
            indexed.filter_map(|(index, attribute)| (!is_kept(attribute)).then_some(index));
        let removed_indices: Vec<u32> = removed.collect();
        if !removed_indices.is_empty() {
            let mut range = self.nodes[element.index()].attributes();
            self.attributes.remove_all(&mut range, &removed_indices, &mut self.texts);
            self.nodes[element.index()].set_attributes(range);
        }
        removed_indices.len()
    }

    /// Returns the interned name of the attribute that `set_attribute` would change for this `name`, if there is one.
    fn find_attribute_name(&self, element: NodeId, name: &str) -> Option<Name> {
        self.node(element).attribute_ref(name).map(|attribute| attribute.name().id())
    }

    /// Returns an error if the tree has no node with this id.
    fn check_node(&self, node: NodeId) -> Result<(), HierarchyError> {
        if self.has_node(node) { Ok(()) } else { Err(HierarchyError::UnknownNode) }
    }

    /// Returns an error if `child` cannot become a child of `parent`.
    fn check_insertion(&self, parent: NodeId, child: NodeId) -> Result<(), HierarchyError> {
        self.check_node(parent)?;
        self.check_node(child)?;
        let (parent_node, child_node) = (&self.nodes[parent.index()], &self.nodes[child.index()]);
        let is_immovable =
            child.0 == 0 || child_node.kind() == NodeKind::Fragment && child_node.index() != NONE;
        if self.is_overflow_node(parent.0) || self.is_overflow_node(child.0) {
            // The overflow node replaces all nodes beyond the limit. Linking it has no effect, and `overflow` reports
            // that the limit was exceeded.
            Ok(())
        } else if !parent_node.is_parent() {
            Err(HierarchyError::NotAParent)
        } else if is_immovable {
            Err(HierarchyError::NotAChild)
        } else if self.is_inside(parent, child) {
            Err(HierarchyError::Cycle)
        } else {
            Ok(())
        }
    }

    /// Whether `node` is `outer`, or is inside `outer` or its template contents.
    fn is_inside(&self, node: NodeId, outer: NodeId) -> bool {
        let is_empty =
            self.nodes[outer.index()].first_child == NONE && !self.contents.contains_key(&outer.0);
        if is_empty {
            return node == outer;
        }
        let mut ancestor = node.0;
        while ancestor != NONE {
            if ancestor == outer.0 {
                return true;
            }
            let node = &self.nodes[ancestor as usize];
            ancestor = if node.kind() == NodeKind::Fragment { node.index() } else { node.parent };
        }
        false
    }

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

    /// Replaces a node and its descendants with another node; of a fragment, the children are inserted.
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

    /// Inserts the element `wrapper` in place of a node, and moves the node to the end of `wrapper`.
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

    /// Merges adjacent texts anywhere inside a node and removes empty ones, as the DOM's `normalize` does.
    pub fn merge_texts(&mut self, node: NodeId) {
        let texts = self.node(node).descendants().filter(|node| node.is_text());
        let texts: Vec<NodeId> = texts.map(|text| text.id()).collect();
        let mut last: Option<NodeId> = None;
        for text in texts {
            let text_node = self.node(text);
            let data = text_node.data().unwrap_or_default().to_owned();
            let span = text_node.stored_span();
            let previous = text_node.previous_sibling().map(|sibling| sibling.id());
            if data.is_empty() {
                self.unlink(text.0);
            } else if let Some(last) = last.filter(|&last| previous == Some(last)) {
                self.unlink(text.0);
                self.extend_text(last.0, &data, span);
            } else {
                last = Some(text);
            }
        }
    }
}
