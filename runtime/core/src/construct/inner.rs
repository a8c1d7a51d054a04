//! Markup into trees: the contents of an element, the element itself, or what stands beside it, written as text. What is
//! parsed is a fragment (HTML, "HTML fragment parsing algorithm"), whose nodes are copied. Invariant: a call that fails
//! changes nothing, and nodes of the tree that are not replaced stay the nodes that they are.

use super::{Construction, FragmentContext, Options, Parsed, parse_fragment};
use crate::tree::{HierarchyError, NodeId, NodeRef, Tree};

/// Where markup is put (DOM Parsing, `insertAdjacentHTML`).
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

/// Replaces the contents of an element by markup; of a template, its template contents. Returns what was parsed: the
/// errors, and a tree of its own, of which the element has copies.
///
/// # Errors
///
/// If the node is no element, the dialect has no fragments, or the tree has no room for the nodes.
pub fn set_inner<D: Construction>(
    tree: &mut Tree,
    element: NodeId,
    markup: &str,
    options: &Options,
) -> Result<Parsed, HierarchyError> {
    check_fragments::<D>()?;
    set_inner_with(tree, element, |context| parse_fragment::<D>(markup, context, options))
}

/// Replaces the contents of an element by what is parsed in it: [`set_inner`] for a dialect that is chosen at run time.
pub(crate) fn set_inner_with(
    tree: &mut Tree,
    element: NodeId,
    parse: impl FnOnce(&FragmentContext) -> Parsed,
) -> Result<Parsed, HierarchyError> {
    let parsed = parse_inside(tree.node(element), parse)?;
    let contents = tree.node(element).template_contents();
    let target = contents.map_or(element, |contents| contents.id());
    tree.remove_children(target);
    let copies = copies(tree, &parsed);
    tree.append(target, copies)?;
    Ok(parsed)
}

/// Replaces an element by markup, which is parsed as contents of its parent. Returns what was parsed.
///
/// # Errors
///
/// If the node's parent is no element, the dialect has no fragments, or the tree has no room for the nodes.
pub fn set_outer<D: Construction>(
    tree: &mut Tree,
    node: NodeId,
    markup: &str,
    options: &Options,
) -> Result<Parsed, HierarchyError> {
    check_fragments::<D>()?;
    set_outer_with(tree, node, |context| parse_fragment::<D>(markup, context, options))
}

/// Replaces a node by what is parsed in its parent: [`set_outer`] for a dialect that is chosen at run time.
pub(crate) fn set_outer_with(
    tree: &mut Tree,
    node: NodeId,
    parse: impl FnOnce(&FragmentContext) -> Parsed,
) -> Result<Parsed, HierarchyError> {
    let parent = tree.node(node).parent().ok_or(HierarchyError::NoParent)?;
    let parsed = parse_inside(parent, parse)?;
    let copies = copies(tree, &parsed);
    tree.replace_with(node, copies)?;
    Ok(parsed)
}

/// Puts markup beside an element or into it. Returns what was parsed.
///
/// # Errors
///
/// If the node that the markup would be put into is no element, the dialect has no fragments, or the tree has no room for
/// the nodes.
pub fn insert_adjacent<D: Construction>(
    tree: &mut Tree,
    element: NodeId,
    place: Adjacent,
    markup: &str,
    options: &Options,
) -> Result<Parsed, HierarchyError> {
    check_fragments::<D>()?;
    insert_adjacent_with(tree, element, place, |context| {
        parse_fragment::<D>(markup, context, options)
    })
}

/// Puts what is parsed beside an element or into it: [`insert_adjacent`] for a dialect that is chosen at run time.
pub(crate) fn insert_adjacent_with(
    tree: &mut Tree,
    element: NodeId,
    place: Adjacent,
    parse: impl FnOnce(&FragmentContext) -> Parsed,
) -> Result<Parsed, HierarchyError> {
    let node = tree.node(element);
    let is_beside = matches!(place, Adjacent::BeforeBegin | Adjacent::AfterEnd);
    let around = if is_beside { node.parent().ok_or(HierarchyError::NoParent)? } else { node };
    let parsed = parse_inside(around, parse)?;
    let copies = copies(tree, &parsed);
    match place {
        Adjacent::BeforeBegin => tree.insert_before(element, copies),
        Adjacent::AfterBegin => tree.prepend(element, copies),
        Adjacent::BeforeEnd => tree.append(element, copies),
        Adjacent::AfterEnd => tree.insert_after(element, copies),
    }?;
    Ok(parsed)
}

fn check_fragments<D: Construction>() -> Result<(), HierarchyError> {
    D::FRAGMENT_ROOT.map(|_| ()).ok_or(HierarchyError::NoFragments)
}

fn parse_inside(
    node: NodeRef<'_>,
    parse: impl FnOnce(&FragmentContext) -> Parsed,
) -> Result<Parsed, HierarchyError> {
    let context = FragmentContext::brief(node).ok_or(HierarchyError::NotAParent)?;
    let parsed = parse(&context);
    // Document and element of what was parsed are not copied; a fragment holds the copies.
    if node.tree().has_room(parsed.tree.node_count() - 1) {
        Ok(parsed)
    } else {
        Err(HierarchyError::Full)
    }
}

/// A fragment with copies of what was parsed.
fn copies(tree: &mut Tree, parsed: &Parsed) -> NodeId {
    let fragment = tree.create_fragment();
    for child in parsed.tree.document_element().iter().flat_map(NodeRef::children) {
        let copy = tree.adopt(child);
        // A new node can be put into a new fragment.
        let _ = tree.append(fragment, copy);
    }
    fragment
}
