//! Insertion of markup into trees: as the contents of an element, in its place, or adjacent to it. The markup is parsed
//! as a fragment (HTML, "HTML fragment parsing algorithm"), whose nodes are copied. A call that fails changes nothing.

use super::insert::IntegrationPoint;
use super::{Construction, FragmentContext, Options, Parsed, parse_fragment};
use crate::tree::{HierarchyError, NodeId, NodeKind, NodeRef, Tree};

/// Position at which markup is inserted (DOM Parsing, `insertAdjacentHTML`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Adjacent {
    /// Before the element.
    BeforeBegin,
    /// Into the element, before its children.
    AfterBegin,
    /// Into the element, after its children.
    BeforeEnd,
    /// After the element.
    AfterEnd,
}

/// Operations that insert markup of one dialect into trees.
#[derive(Clone, Copy, Debug)]
pub struct Fragments {
    parse: fn(&str, &FragmentContext, &Options) -> Parsed,
    /// The name of the root element of fragments; `None` if the dialect has no fragments.
    root: Option<&'static str>,
    integration_points: &'static [IntegrationPoint],
}

impl Fragments {
    /// Returns the operations that insert markup of the dialect `D`.
    pub const fn of<D: Construction>() -> Self {
        let root = match D::FRAGMENT_ROOT {
            Some(root) => Some(D::KNOWN.list()[root as usize]),
            None => None,
        };
        Self { parse: parse_fragment::<D>, root, integration_points: D::INTEGRATION_POINTS }
    }

    /// Replaces the contents of an element, or the template contents of a template, with markup. Returns the parsed
    /// fragment and its errors; the element gets copies of the fragment's nodes.
    ///
    /// # Errors
    ///
    /// If the node is not an element, the dialect has no fragments, or the tree cannot hold the new nodes.
    pub fn set_inner(
        &self,
        tree: &mut Tree,
        element: NodeId,
        markup: &str,
        options: &Options,
    ) -> Result<Parsed, HierarchyError> {
        self.root()?;
        let node = tree.node(element);
        let context = FragmentContext::reduced(node, self.integration_points);
        let context = context.ok_or(HierarchyError::NotAParent)?;
        let parsed = self.parse_inside(node, &context, markup, options)?;
        let contents = tree.node(element).template_contents();
        let target = contents.map_or(element, |contents| contents.id());
        tree.remove_children(target);
        let copies = copy_parsed(tree, &parsed);
        tree.append(target, copies)?;
        Ok(parsed)
    }

    /// Replaces a node with markup, which is parsed as contents of the parent, or, if the parent is a fragment such as
    /// template contents or a shadow root, as contents of a `body`. Returns the parsed fragment.
    ///
    /// # Errors
    ///
    /// If the node's parent is neither an element nor a fragment, the dialect has no fragments, or the tree cannot hold
    /// the new nodes.
    pub fn set_outer(
        &self,
        tree: &mut Tree,
        node: NodeId,
        markup: &str,
        options: &Options,
    ) -> Result<Parsed, HierarchyError> {
        self.root()?;
        let parent = tree.node(node).parent().ok_or(HierarchyError::NoParent)?;
        let parsed = self.parse_inside(parent, &self.context_of(parent)?, markup, options)?;
        let copies = copy_parsed(tree, &parsed);
        tree.replace_with(node, copies)?;
        Ok(parsed)
    }

    /// Inserts markup into an element or adjacent to it. Returns the parsed fragment.
    ///
    /// # Errors
    ///
    /// If the node that the markup would be inserted into is neither an element nor a fragment, the dialect has no
    /// fragments, or the tree cannot hold the new nodes.
    pub fn insert_adjacent(
        &self,
        tree: &mut Tree,
        element: NodeId,
        position: Adjacent,
        markup: &str,
        options: &Options,
    ) -> Result<Parsed, HierarchyError> {
        let root = self.root()?;
        let node = tree.node(element);
        let is_sibling = matches!(position, Adjacent::BeforeBegin | Adjacent::AfterEnd);
        let parent = if is_sibling { node.parent().ok_or(HierarchyError::NoParent)? } else { node };
        // With the root element as context, parsing would create the children that a root must have, which exist
        // already.
        let context = match self.context_of(parent)? {
            context if context.html_name() == Some(root) => neutral_context(parent),
            context => context,
        };
        let parsed = self.parse_inside(parent, &context, markup, options)?;
        let copies = copy_parsed(tree, &parsed);
        match position {
            Adjacent::BeforeBegin => tree.insert_before(element, copies),
            Adjacent::AfterBegin => tree.prepend(element, copies),
            Adjacent::BeforeEnd => tree.append(element, copies),
            Adjacent::AfterEnd => tree.insert_after(element, copies),
        }?;
        Ok(parsed)
    }

    /// Returns the name of the root element of fragments, or an error if the dialect has no fragments.
    fn root(&self) -> Result<&'static str, HierarchyError> {
        self.root.ok_or(HierarchyError::NoFragments)
    }

    /// Returns the context for markup that becomes children of the node.
    fn context_of(&self, node: NodeRef<'_>) -> Result<FragmentContext, HierarchyError> {
        if node.kind() == NodeKind::Fragment {
            return Ok(neutral_context(node));
        }
        FragmentContext::reduced(node, self.integration_points).ok_or(HierarchyError::NotAParent)
    }

    /// Parses markup in the context, and checks that the node's tree can hold the new nodes.
    fn parse_inside(
        &self,
        node: NodeRef<'_>,
        context: &FragmentContext,
        markup: &str,
        options: &Options,
    ) -> Result<Parsed, HierarchyError> {
        let parsed = (self.parse)(markup, context, options);
        // The document and the root element of the parsed fragment are not copied, but the copies need a new fragment,
        // so the tree needs one node fewer than were parsed.
        if node.tree().fits_nodes(parsed.tree.node_count() - 1) {
            Ok(parsed)
        } else {
            Err(HierarchyError::Full)
        }
    }
}

/// Returns a context element with a name that no row tests for. The standard uses `body`, which gives the same result.
fn neutral_context(node: NodeRef<'_>) -> FragmentContext {
    FragmentContext::html("").document_mode(node.tree().mode())
}

/// Creates a fragment with copies of the parsed nodes.
fn copy_parsed(tree: &mut Tree, parsed: &Parsed) -> NodeId {
    let fragment = tree.create_fragment();
    for child in parsed.tree.document_element().iter().flat_map(NodeRef::children) {
        let copy = tree.adopt(child);
        // A new node can always be appended to a new fragment.
        let _ = tree.append(fragment, copy);
    }
    fragment
}
