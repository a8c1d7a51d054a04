//! Mirroring of the selected option of a select: the contents of the option are copied to an element that shows them.
//! The table gives the names of elements and attributes.

use super::Tree;
use super::in_order::NodesInTreeOrder;
use super::node::{NodeId, NodeKind};
use super::node_ref::NodeRef;
use super::steps::{StepsTree, parse_integer};
use super::words::SelectedContent;
use crate::names::{LocalName, Namespace};
use std::collections::HashMap;

/// Whether the node is an HTML element whose local name is the known name with index `local`.
fn is_html_named(node: &NodeRef<'_>, local: u32) -> bool {
    let name = node.name().filter(|name| name.namespace() == Namespace::HTML);
    name.is_some_and(|name| name.id().local() == LocalName::known(local))
}

/// Whether the node is an HTML element whose local name is a known name with one of the indices `locals`.
fn is_any_html_named(node: &NodeRef<'_>, locals: &[u32]) -> bool {
    locals.iter().any(|&local| is_html_named(node, local))
}

/// An index of the nodes that mirroring depends on, so that mirroring an option needs no walk of the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct SelectionIndex {
    /// Number of nodes indexed so far.
    indexed_nodes: usize,
    /// The elements that mirror the selected option.
    mirrors: NodesInTreeOrder,
    /// The options with the attribute that selects an option.
    selected_options: NodesInTreeOrder,
    /// The attributes of each select, cached because all options of the select depend on them.
    select_attributes: HashMap<NodeId, SelectAttributes>,
    /// Whether each group of options is disabled, cached because all options of the group depend on it.
    disabled_groups: HashMap<NodeId, bool>,
    /// A select, an option and the number of moves: until a node moves again, neither the option nor any later one in
    /// `selected_options` belongs to the select.
    none_selected_from: Option<(NodeId, NodeId, u64)>,
}

/// The properties that the attributes of a select determine.
#[derive(Clone, Copy, Debug)]
struct SelectAttributes {
    /// Whether several options can be selected.
    is_multiple: bool,
    /// Whether the select shows one option at a time.
    shows_one: bool,
}

impl Tree {
    /// Copies the contents of a complete option to the element that mirrors the selected option, if this option is
    /// selected. If the table has steps for mirroring, they run instead, and `option` may be any popped element.
    pub(super) fn mirror_option(&mut self, option: NodeId, names: &SelectedContent) {
        if let Some(steps) = names.steps {
            steps(&mut StepsTree::new(self, None), option);
            return;
        }
        let selection = self.selection.take().unwrap_or_default();
        let mut update = SelectionUpdate { tree: self, selection, names };
        update.index_new_nodes();
        let mirror = update.mirror_for(option);
        self.selection = Some(update.selection);
        if let Some(mirror) = mirror {
            while let Some(child) = self.node(mirror).first_child().map(|node| node.id()) {
                self.steps += 1;
                self.unlink(child.0);
            }
            self.copy_descendants(option, mirror);
        }
    }

    /// Copies a node with its descendants; the copy has no parent.
    pub(super) fn copy_subtree(&mut self, node: NodeId) -> NodeId {
        let copy = self.copy_shallow(node);
        self.copy_descendants(node, copy);
        copy
    }

    /// Appends copies of the children of `from`, with their descendants, to `to`, and copies its template contents.
    fn copy_descendants(&mut self, from: NodeId, to: NodeId) {
        let mut pending = vec![(from, to)];
        while let Some((from, to)) = pending.pop() {
            let contents = self.node(from).template_contents().map(|contents| contents.id());
            if let Some(contents) = contents {
                pending.push((contents, self.create_template_contents(to)));
            }
            let mut next = self.node(from).first_child().map(|child| child.id());
            while let Some(child) = next {
                self.steps += 1;
                let copy = self.copy_shallow(child);
                self.link_last(to.0, copy.0);
                pending.push((child, copy));
                next = self.node(child).next_sibling().map(|sibling| sibling.id());
            }
        }
    }

    /// Copies a node without its descendants; the copy has the same position in the input.
    fn copy_shallow(&mut self, node: NodeId) -> NodeId {
        let original = self.node(node);
        let data = original.data().unwrap_or_default().to_owned();
        let span = original.stored_span();
        match original.kind() {
            NodeKind::Text => self.add_text(&data, span),
            NodeKind::Comment => self.add_comment(&data, span),
            NodeKind::ProcessingInstruction => {
                let target = original.target().unwrap_or_default().to_owned();
                self.add_instruction(&target, &data, span)
            }
            _ => self.add_like(node, span),
        }
    }
}

/// The state of one run of `mirror_option`. Steps are counted in the tree.
struct SelectionUpdate<'t, 'w> {
    tree: &'t mut Tree,
    selection: Box<SelectionIndex>,
    names: &'w SelectedContent,
}

impl SelectionUpdate<'_, '_> {
    fn node(&self, node: NodeId) -> NodeRef<'_> {
        self.tree.node(node)
    }

    /// Indexes the nodes created since the last call.
    fn index_new_nodes(&mut self) {
        let new_nodes = self.selection.indexed_nodes..self.tree.nodes.len();
        self.tree.steps += new_nodes.len() as u64;
        self.selection.indexed_nodes = new_nodes.end;
        for index in new_nodes {
            let node = NodeRef::new(self.tree, index as u32);
            if is_html_named(&node, self.names.content_id) {
                self.selection.mirrors.push(index as u32);
            } else if is_html_named(&node, self.names.option_id)
                && self.has_selected_attribute(&node)
            {
                self.selection.selected_options.push(index as u32);
                self.reset_none_selected(index as u32);
            }
        }
    }

    /// Resets `none_selected_from`, unless `new_option`, which has the attribute that selects it, precedes the option
    /// recorded there.
    fn reset_none_selected(&mut self, new_option: u32) {
        if let Some((_, first, _)) = self.selection.none_selected_from
            && !self.tree.is_before(new_option, first.0)
        {
            self.selection.none_selected_from = None;
        }
    }

    /// Returns the element that is to mirror the option; `None` if the option is not selected or no element mirrors it.
    fn mirror_for(&mut self, option: NodeId) -> Option<NodeId> {
        let select = self.select_of(option)?;
        let mirror = NodeId(self.selection.mirrors.first_inside(self.tree, select.0)?);
        let boundaries = [self.names.option_id, self.names.content_id, self.names.select_id];
        let mut steps = 0;
        let mut ancestors = self.node(mirror).ancestors().inspect(|_| steps += 1);
        let boundary = ancestors
            .find(|node| node.id() == select || is_any_html_named(node, &boundaries))?
            .id();
        self.tree.steps += steps;
        let mirrors_select = boundary == select && !self.select_attributes(select).is_multiple;
        (mirrors_select && self.is_selected(option, select)).then_some(mirror)
    }

    /// Returns the properties of a select, from the cache if possible.
    fn select_attributes(&mut self, select: NodeId) -> SelectAttributes {
        if let Some(&cached) = self.selection.select_attributes.get(&select) {
            return cached;
        }
        let node = self.node(select);
        let size = node.attribute(self.names.size);
        let attributes = SelectAttributes {
            is_multiple: node.attribute(self.names.multiple).is_some(),
            // A size that is not a number is the default, 1.
            shows_one: size.and_then(parse_integer).is_none_or(|size| size == 1),
        };
        self.tree.steps +=
            self.tree.attributes.records(self.tree.nodes[select.index()].attributes()).len() as u64;
        self.selection.select_attributes.insert(select, attributes);
        attributes
    }

    /// Returns the select that an option belongs to, if there is one.
    fn select_of(&mut self, option: NodeId) -> Option<NodeId> {
        let (mut group_count, mut steps) = (0, 0);
        let ancestors = self.node(option).ancestors();
        let mut candidates = ancestors.inspect(|_| steps += 1).map_while(|node| {
            group_count += usize::from(is_html_named(&node, self.names.group_id));
            let is_stop = group_count > 1 || is_any_html_named(&node, self.names.stops);
            (!is_stop).then(|| is_html_named(&node, self.names.select_id).then(|| node.id()))
        });
        let select = candidates.find_map(|select| select);
        self.tree.steps += steps;
        select
    }

    /// Whether the option is selected: it is the last option with the attribute that selects an option, or, if none has
    /// the attribute and the select shows one option, the first enabled one. Searches backward no further than
    /// necessary.
    fn is_selected(&mut self, option: NodeId, select: NodeId) -> bool {
        if self.has_selected_after(option, select) {
            return false;
        }
        if self.has_selected_attribute(&self.node(option)) {
            return true;
        }
        if !self.select_attributes(select).shows_one || self.is_disabled(option) {
            return false;
        }
        let mut previous = self.previous_in_tree_order(option, select);
        while let Some(node) = previous {
            self.tree.steps += 1;
            if is_html_named(&self.node(node), self.names.option_id) {
                let takes_precedence =
                    self.has_selected_attribute(&self.node(node)) || !self.is_disabled(node);
                if takes_precedence && self.select_of(node) == Some(select) {
                    return false;
                }
            }
            previous = self.previous_in_tree_order(node, select);
        }
        true
    }

    /// Whether a later option of the select has the attribute that selects an option.
    fn has_selected_after(&mut self, option: NodeId, select: NodeId) -> bool {
        let move_count = self.tree.moves.count;
        let from = self.selection.selected_options.index_after(self.tree, option.0);
        let mut first = None;
        for index in from.. {
            let next = self.selection.selected_options.get_inside(self.tree, index, select.0);
            let Some(next) = next else { break };
            let next = NodeId(next);
            if self.selection.none_selected_from == Some((select, next, move_count)) {
                break;
            }
            if self.select_of(next) == Some(select) {
                return true;
            }
            first = first.or(Some(next));
        }
        if let Some(first) = first {
            self.selection.none_selected_from = Some((select, first, move_count));
        }
        false
    }

    fn has_selected_attribute(&self, node: &NodeRef<'_>) -> bool {
        node.attribute(self.names.selected).is_some()
    }

    fn is_disabled(&mut self, option: NodeId) -> bool {
        let node = self.node(option);
        let group = node.parent().filter(|parent| is_html_named(parent, self.names.group_id));
        let group = group.map(|group| group.id());
        node.attribute(self.names.disabled).is_some()
            || group.is_some_and(|group| self.is_disabled_group(group))
    }

    fn is_disabled_group(&mut self, group: NodeId) -> bool {
        let attribute_name = self.names.disabled;
        let Self { tree, selection, .. } = self;
        *selection
            .disabled_groups
            .entry(group)
            .or_insert_with(|| tree.node(group).attribute(attribute_name).is_some())
    }

    fn previous_in_tree_order(&self, node: NodeId, select: NodeId) -> Option<NodeId> {
        previous_in_tree_order(&self.node(node), &self.node(select)).map(|node| node.id())
    }
}

/// Returns the node before `node` in tree order inside `root`, or `None` if there is none.
fn previous_in_tree_order<'a>(node: &NodeRef<'a>, root: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let Some(mut node) = node.previous_sibling() else {
        return node.parent().filter(|parent| parent != root);
    };
    while let Some(child) = node.last_child() {
        node = child;
    }
    Some(node)
}
