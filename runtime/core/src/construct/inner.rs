//! Insertion of markup into trees: as the contents of an element, in its place, or adjacent to it. The markup is parsed
//! as a fragment (HTML, "HTML fragment parsing algorithm"), whose nodes are copied. A call that fails changes nothing.

use super::foreign::IntegrationPoint;
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

/// Replaces the contents of an element, or the template contents of a template, by markup. Returns the parsed fragment
/// and its errors; the element has copies of the fragment's nodes.
///
/// # Errors
///
/// If the node is not an element, the dialect has no fragments, or the tree cannot hold the new nodes.
pub fn set_inner<D: Construction>(
    tree: &mut Tree,
    element: NodeId,
    markup: &str,
    options: &Options,
) -> Result<Parsed, HierarchyError> {
    let traits = check_fragments::<D>()?;
    set_inner_with(tree, element, traits, |context| parse_fragment::<D>(markup, context, options))
}

/// [`set_inner`] for a dialect that is chosen at run time: `parse` parses the markup in a context.
pub(crate) fn set_inner_with(
    tree: &mut Tree,
    element: NodeId,
    traits: FragmentTraits,
    parse: impl FnOnce(&FragmentContext) -> Parsed,
) -> Result<Parsed, HierarchyError> {
    let node = tree.node(element);
    let context = FragmentContext::reduced(node, traits.integration_points);
    let context = context.ok_or(HierarchyError::NotAParent)?;
    let parsed = parse_inside(node, &context, parse)?;
    let contents = tree.node(element).template_contents();
    let target = contents.map_or(element, |contents| contents.id());
    tree.remove_children(target);
    let copies = copy_parsed(tree, &parsed);
    tree.append(target, copies)?;
    Ok(parsed)
}

/// Replaces a node by markup, which is parsed as contents of the parent; in template contents and shadow roots, as
/// contents of a `body`. Returns the parsed fragment.
///
/// # Errors
///
/// If the node's parent is neither an element nor a fragment, the dialect has no fragments, or the tree cannot hold the
/// new nodes.
pub fn set_outer<D: Construction>(
    tree: &mut Tree,
    node: NodeId,
    markup: &str,
    options: &Options,
) -> Result<Parsed, HierarchyError> {
    let traits = check_fragments::<D>()?;
    set_outer_with(tree, node, traits, |context| parse_fragment::<D>(markup, context, options))
}

/// [`set_outer`] for a dialect that is chosen at run time: `parse` parses the markup in a context.
pub(crate) fn set_outer_with(
    tree: &mut Tree,
    node: NodeId,
    traits: FragmentTraits,
    parse: impl FnOnce(&FragmentContext) -> Parsed,
) -> Result<Parsed, HierarchyError> {
    let parent = tree.node(node).parent().ok_or(HierarchyError::NoParent)?;
    let parsed = parse_inside(parent, &context_of(parent, traits)?, parse)?;
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
pub fn insert_adjacent<D: Construction>(
    tree: &mut Tree,
    element: NodeId,
    place: Adjacent,
    markup: &str,
    options: &Options,
) -> Result<Parsed, HierarchyError> {
    let traits = check_fragments::<D>()?;
    insert_adjacent_with(tree, element, place, traits, |context| {
        parse_fragment::<D>(markup, context, options)
    })
}

/// [`insert_adjacent`] for a dialect that is chosen at run time: `parse` parses the markup in a context.
pub(crate) fn insert_adjacent_with(
    tree: &mut Tree,
    element: NodeId,
    place: Adjacent,
    traits: FragmentTraits,
    parse: impl FnOnce(&FragmentContext) -> Parsed,
) -> Result<Parsed, HierarchyError> {
    let node = tree.node(element);
    let is_sibling = matches!(place, Adjacent::BeforeBegin | Adjacent::AfterEnd);
    let parent = if is_sibling { node.parent().ok_or(HierarchyError::NoParent)? } else { node };
    // With the root element as context, parsing would create the children that a root must have, which exist already.
    let context = match context_of(parent, traits)? {
        context if context.html_name() == Some(traits.root) => neutral_context(parent),
        context => context,
    };
    let parsed = parse_inside(parent, &context, parse)?;
    let copies = copy_parsed(tree, &parsed);
    match place {
        Adjacent::BeforeBegin => tree.insert_before(element, copies),
        Adjacent::AfterBegin => tree.prepend(element, copies),
        Adjacent::BeforeEnd => tree.append(element, copies),
        Adjacent::AfterEnd => tree.insert_after(element, copies),
    }?;
    Ok(parsed)
}

/// The properties of a dialect that insertion of fragments depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FragmentTraits {
    /// The name of the root element of fragments.
    root: &'static str,
    integration_points: &'static [IntegrationPoint],
}

/// Returns the traits of the dialect's fragments, or `None` if it has no fragments.
pub(crate) const fn fragment_traits<D: Construction>() -> Option<FragmentTraits> {
    match D::FRAGMENT_ROOT {
        Some(root) => Some(FragmentTraits {
            root: D::KNOWN.list()[root as usize],
            integration_points: D::INTEGRATION_POINTS,
        }),
        None => None,
    }
}

/// Returns the traits of the dialect's fragments, or an error if it has no fragments.
fn check_fragments<D: Construction>() -> Result<FragmentTraits, HierarchyError> {
    fragment_traits::<D>().ok_or(HierarchyError::NoFragments)
}

/// Returns the context for markup that becomes children of the node.
fn context_of(
    node: NodeRef<'_>,
    traits: FragmentTraits,
) -> Result<FragmentContext, HierarchyError> {
    if node.kind() == NodeKind::Fragment {
        return Ok(neutral_context(node));
    }
    FragmentContext::reduced(node, traits.integration_points).ok_or(HierarchyError::NotAParent)
}

/// Returns the context of an element that no row names. The standard uses `body`, which gives the same result.
fn neutral_context(node: NodeRef<'_>) -> FragmentContext {
    FragmentContext::html("").document_mode(node.tree().mode())
}

/// Parses markup in the context, and checks that the node's tree can hold the new nodes.
fn parse_inside(
    node: NodeRef<'_>,
    context: &FragmentContext,
    parse: impl FnOnce(&FragmentContext) -> Parsed,
) -> Result<Parsed, HierarchyError> {
    let parsed = parse(context);
    // The document and the root element of the parsed fragment are not copied, but a new fragment holds the copies.
    if node.tree().fits_nodes(parsed.tree.node_count() - 1) {
        Ok(parsed)
    } else {
        Err(HierarchyError::Full)
    }
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
