//! Primitives for algorithms that are compiled from their steps, and for conditions of rows: values of variables, and
//! queries and changes of the stack of open elements, the list of active formatting elements and the tree. Each takes
//! constant time unless its doc says otherwise. A step whose value is missing, or is not where the step expects it, has
//! no effect.
//!
//! If the sink does not know the names of its nodes, the name of a node that a step finds in the tree is looked up on
//! the stack, in time linear in the depth of the stack.

mod insertion;

use super::formatting::FormattingEntry;
use super::open::{NONE, Open};
use super::{Builder, Construction, ElementSet, Elements, TokenView};
use crate::tree::words::Patching;
use crate::tree::{LocalName, Name, Namespace, Overflow, Tree, TreeSink};

/// A node as the value of a variable.
#[derive(Clone, Copy, Debug)]
pub struct NodeValue<N> {
    node: N,
    /// The element's name on the stack; `None` for other nodes.
    name: Option<Name>,
    /// Slot on the stack at which the node was found, or [`NONE`].
    slot: u32,
    /// Index in the list of active formatting elements at which the node was found, or [`NONE`].
    entry: u32,
    is_integration_point: bool,
    /// Whether an end tag had closed the element when the value was obtained.
    is_ended: bool,
    /// Whether the value stands for the parsed fragment; `node` is then the root element, whose children are those of
    /// the fragment.
    is_fragment: bool,
}

/// The value of a node variable; `None` if the variable holds no node.
type OptionalNode<S> = Option<NodeValue<<S as TreeSink>::Node>>;

impl<N: PartialEq> PartialEq for NodeValue<N> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node && self.is_fragment == other.is_fragment
    }
}

impl<N> NodeValue<N> {
    pub(super) fn node(self) -> N {
        self.node
    }

    fn new(node: N, name: Option<Name>) -> Self {
        let (slot, entry, is_integration_point, is_ended) = (NONE, NONE, false, false);
        let is_fragment = false;
        Self { node, name, slot, entry, is_integration_point, is_ended, is_fragment }
    }
}

impl<N: Copy> NodeValue<N> {
    /// Returns the value for the open element in this slot.
    #[inline(always)]
    fn of_open(open: &Open<N>, slot: u32) -> Self {
        let &Open { node, name, is_integration_point, is_ended, .. } = open;
        Self { slot, is_integration_point, is_ended, ..Self::new(node, Some(name)) }
    }
}

/// An entry of the list of active formatting elements as the value of a variable.
#[derive(Clone, Copy, Debug)]
pub struct EntryValue<N> {
    index: u32,
    /// The entry's element when the value was obtained; `None` for a marker.
    element: Option<NodeValue<N>>,
}

/// An insertion location as the value of a variable: a parent, and the child to insert before.
#[derive(Clone, Copy, Debug)]
pub struct Location<N> {
    /// The node to insert into.
    pub parent: NodeValue<N>,
    /// The child to insert before, or `None` to append.
    pub before: Option<NodeValue<N>>,
}

/// Arguments of the action that runs an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct AlgorithmArguments<'a, E> {
    /// Code of the errors to report.
    pub error: E,
    /// Index of the scope in the table.
    pub scope: usize,
    /// Elements at which the scope ends.
    pub members: &'a ElementSet,
    /// Elements that can be the furthest block.
    pub special: &'a ElementSet,
}

/// Arguments of the action that generates implied end tags.
#[derive(Clone, Copy, Debug)]
pub struct ImpliedEndTags<'a> {
    /// Elements whose end tags are implied.
    pub set: &'a ElementSet,
    /// Elements whose end tags are not implied, although they may be in `set`.
    pub except: &'a ElementSet,
    /// Whether end tags of elements with the token's name are not implied either.
    pub excepts_token_name: bool,
}

/// The elements at which a walk up the stack ends.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a, N> {
    /// This element.
    Node(Option<NodeValue<N>>),
    /// Any element in the set.
    In(&'a ElementSet),
    /// Any element with the token's name.
    TokenName,
}

/// The token for which an algorithm creates elements: the current one, a bare start tag, or that of an entry.
#[derive(Clone, Copy, Debug)]
pub struct TagSource<N>(TagOrigin<N>);

#[derive(Clone, Copy, Debug)]
enum TagOrigin<N> {
    /// The current token.
    Token,
    /// A start tag with this name and without attributes.
    Name(LocalName),
    /// The token of an entry of the list of active formatting elements.
    Entry(FormattingEntry<N>),
}

impl<N> Target<'_, N> {
    /// Returns the target that matches elements with the token's name, or no element if the token is not a tag.
    pub fn of_token_name(token: &TokenView<'_>) -> Self {
        if token.is_tag() { Self::TokenName } else { Self::In(&ElementSet::EMPTY) }
    }
}

impl<N> Default for TagSource<N> {
    fn default() -> Self {
        Self(TagOrigin::Token)
    }
}

impl<N> TagSource<N> {
    /// Returns a start tag with this name and without attributes.
    pub fn named(local: LocalName) -> Self {
        Self(TagOrigin::Name(local))
    }
}

/// State of one run of an algorithm and of those that it calls, apart from their variables.
#[derive(Debug)]
pub struct Frame<N> {
    /// The token for which elements are created.
    pub tag: TagSource<N>,
    /// The character that the action inserts instead of the token's characters; `None` if it inserts those.
    pub character: Option<char>,
    /// The built-in elements that can be shadow hosts, and the names that custom elements cannot have, given by the
    /// action.
    pub hosts: Option<[&'static ElementSet; 2]>,
    /// Names of the elements and attributes that patching depends on, given by the action.
    pub patching: Option<&'static Patching>,
    /// Whether attaching the last shadow root failed.
    pub has_thrown: bool,
    /// Nodes that the algorithm created, and whether each has neither parent nor children so far.
    created_nodes: Vec<(N, bool)>,
    /// The DOCTYPE that the algorithm created; `None` if it created none.
    doctype: Option<N>,
    /// Created elements that are integration points by their names or attributes.
    integration_points: Vec<N>,
    /// Elements that the algorithm removed from the stack, each with the element that was next to it toward the root.
    removed_elements: Vec<(N, Option<NodeValue<N>>)>,
    /// Elements that the algorithm created for the tokens of entries, each with a copy of the entry.
    recreated_elements: Vec<(N, FormattingEntry<N>)>,
    /// The element that [`last_named`](Builder::last_named) found last, which an end tag closes.
    matched_by_name: Option<N>,
    /// Index of the earliest entry that the last [`has_equal_entries`](Builder::has_equal_entries) counted.
    earliest_equal: Option<u32>,
    /// Number of loop iterations left before the algorithm ends.
    remaining_rounds: usize,
    /// Roots of subtrees outside the tree, each with the maximum depth to insert it at, so that no node of its subtree
    /// gets deeper than before.
    max_depths: Vec<(N, usize)>,
}

impl<N> Frame<N> {
    /// Counts an iteration of a loop; returns whether the algorithm may go on. Ends algorithms whose steps do not
    /// terminate, or for which a limit was reached.
    #[inline(always)]
    pub fn count_round(&mut self) -> bool {
        self.remaining_rounds = self.remaining_rounds.saturating_sub(1);
        self.remaining_rounds > 0
    }
}

impl<N: Copy + PartialEq> Frame<N> {
    /// Whether the node is new and has neither parent nor children.
    fn is_isolated(&self, node: N) -> bool {
        // Searched from the end, since algorithms that create many nodes insert each into one of the last.
        let created = self.created_nodes.iter().rev().find(|created| created.0 == node);
        created.is_some_and(|created| created.1)
    }

    /// Records that the node has a parent or children.
    fn connect(&mut self, node: N) {
        let mut created_nodes = self.created_nodes.iter_mut().rev();
        if let Some(created) = created_nodes.find(|created| created.0 == node) {
            created.1 = false;
        }
    }

    fn max_root_depth(&self, root: N) -> Option<usize> {
        self.max_depths.iter().find(|(other, _)| *other == root).map(|(_, max_depth)| *max_depth)
    }

    fn set_max_root_depth(&mut self, root: N, max_depth: usize) {
        match self.max_depths.iter_mut().find(|(other, _)| *other == root) {
            Some((_, recorded_depth)) => *recorded_depth = max_depth,
            None => self.max_depths.push((root, max_depth)),
        }
    }
}

/// A value by which a step finds an entry of the list of active formatting elements: a node, or an entry.
pub trait ListKey<N> {
    /// Returns the value's node: its own, or the element of the entry.
    fn node_value(&self) -> Option<NodeValue<N>>;

    /// Returns the index of the entry, if the value is an entry.
    fn index(&self) -> Option<u32>;
}

impl<N: Copy> ListKey<N> for Option<NodeValue<N>> {
    fn node_value(&self) -> Option<NodeValue<N>> {
        *self
    }

    fn index(&self) -> Option<u32> {
        None
    }
}

impl<N: Copy> ListKey<N> for Option<EntryValue<N>> {
    fn node_value(&self) -> Option<NodeValue<N>> {
        (*self)?.element
    }

    fn index(&self) -> Option<u32> {
        Some((*self)?.index)
    }
}

/// Adjusts the index of the entry that a variable holds, after another entry was inserted at `inserted_at`.
pub fn shift_entry<N>(entry: &mut Option<EntryValue<N>>, inserted_at: Option<u32>) {
    if let (Some(entry), Some(inserted_at)) = (entry, inserted_at)
        && entry.index >= inserted_at
    {
        entry.index += 1;
    }
}

/// Splits a name as written at its first colon, unless that is its first character. Returns the prefix, which may be
/// empty, and the local part.
pub fn split_name(name: Option<String>) -> [Option<String>; 2] {
    let name = name.unwrap_or_default();
    match name.split_once(':').filter(|(prefix, _)| !prefix.is_empty()) {
        Some((prefix, local)) => [prefix.to_owned(), local.to_owned()].map(Some),
        None => [String::new(), name].map(Some),
    }
}

/// Values of variables, and frames of algorithms.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Starts a run of an algorithm, with a limit on loop iterations that ends algorithms that do not terminate.
    pub fn frame(&mut self) -> Frame<S::Node> {
        // The list is compacted now, because compaction changes indices, and no variable of the algorithm holds an
        // index yet.
        self.formatting.compact_if_sparse(&mut self.open);
        Frame {
            tag: TagSource::default(),
            character: None,
            hosts: None,
            patching: None,
            has_thrown: false,
            created_nodes: Vec::new(),
            doctype: None,
            integration_points: Vec::new(),
            removed_elements: Vec::new(),
            recreated_elements: Vec::new(),
            matched_by_name: None,
            earliest_equal: None,
            remaining_rounds: 10_000 + 4 * self.open.len(),
            max_depths: Vec::new(),
        }
    }

    fn element_in(&self, slot: Option<u32>) -> OptionalNode<S> {
        let slot = slot?;
        Some(NodeValue::of_open(self.open.get(slot)?, slot))
    }

    /// Returns the stack slot of the element, if it is open. Takes constant time if the element is still in the slot
    /// where it was found, otherwise time linear in the number of open elements with its name.
    #[inline(always)]
    fn slot_of(&mut self, value: NodeValue<S::Node>) -> Option<u32> {
        if self.open.holds(value.node, value.slot) {
            return Some(value.slot);
        }
        self.search_slot_of(value)
    }

    /// Searches the stack slot of the element among the open elements with its name.
    #[cold]
    fn search_slot_of(&mut self, value: NodeValue<S::Node>) -> Option<u32> {
        let name = value.name.filter(|_| self.released_element != Some(value.node))?;
        let mut candidates = self.open_like(name);
        candidates.find(|(_, open)| open.node == value.node).map(|(slot, _)| slot)
    }

    /// Returns the index of the node or entry in the list of active formatting elements, or `None` if it is not listed.
    /// Takes constant time for an entry, and for a node time linear in the number of listed elements with its name.
    fn entry_of(&mut self, value: &impl ListKey<S::Node>) -> Option<u32> {
        if let Some(index) = value.index() {
            return self.formatting.node_and_name(index).map(|_| index);
        }
        let value = value.node_value()?;
        if let Some((node, _)) = self.formatting.node_and_name(value.entry)
            && node == Some(value.node)
        {
            return Some(value.entry);
        }
        let name = value.name.filter(|_| self.released_element != Some(value.node))?;
        self.formatting.find(value.node, name.local().id())
    }

    fn entry_at(&self, index: Option<u32>) -> Option<EntryValue<S::Node>> {
        let index = index?;
        let (node, name) = self.formatting.node_and_name(index)?;
        let element = node.map(|node| {
            let slot = self.formatting.get(index).slot;
            let value = NodeValue { slot, entry: index, ..NodeValue::new(node, Some(name)) };
            self.element_in(Some(slot).filter(|&slot| self.open.holds(node, slot))).unwrap_or(value)
        });
        Some(EntryValue { index, element })
    }

    /// Returns the value of a variable that holds the node.
    pub fn value_of(&mut self, node: S::Node) -> NodeValue<S::Node> {
        // A tree knows the names of all its elements; those of other sinks are found on the stack.
        let name = match self.sink.node_ref(node) {
            Some(node) => node.raw_name().map(|name| self.name_in_stack(name)),
            None => self.open.name_of(node),
        };
        NodeValue::new(node, name)
    }

    /// Returns the name that an element of this name has on the stack: in tables with prefixes, the name as written; in
    /// other tables, this name.
    fn name_in_stack(&mut self, name: Name) -> Name {
        if C::ELEMENTS != Elements::Xml {
            return name;
        }
        let names = self.sink.names();
        let written = names.resolve(name).to_string();
        Name::new(C::ELEMENTS.namespace(), names.local(&written))
    }

    /// Returns the document as the value of a variable.
    pub fn document_value(&self) -> OptionalNode<S> {
        Some(NodeValue::new(self.document, None))
    }

    /// Returns the name of the token for which elements are created.
    fn tag_name(&self, frame: &Frame<S::Node>) -> LocalName {
        match frame.tag.0 {
            TagOrigin::Token => self.token_name,
            TagOrigin::Name(local) => local,
            TagOrigin::Entry(entry) => entry.name.local(),
        }
    }

    /// Returns the name of the token for which elements are created, as a string.
    pub fn token_name_text(&mut self, frame: &Frame<S::Node>) -> Option<String> {
        let name = self.tag_name(frame);
        Some(self.sink.names().local_str(name).to_owned())
    }

    /// Returns the node, or the document if there is none.
    #[inline]
    pub fn node_or_document(&self, value: OptionalNode<S>) -> S::Node {
        value.map_or(self.document, |value| value.node)
    }

    /// Returns the context element of a fragment, if there is one. The context element is in no tree, so the value has
    /// the document's node.
    pub fn context_element(&self) -> OptionalNode<S> {
        let context = self.context.as_ref()?;
        let is_integration_point = context.is_integration_point;
        Some(NodeValue {
            is_integration_point,
            ..NodeValue::new(self.document, Some(context.name))
        })
    }
}

/// Queries of the stack of open elements.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the last element of the stack, if there is one.
    #[inline(always)]
    pub fn last_open(&self) -> OptionalNode<S> {
        // The slot of the current node is never empty.
        let (open, slot) = (self.open.last()?, self.open.last_slot()?);
        Some(NodeValue::of_open(open, slot))
    }

    /// Returns the first element of the stack, if there is one.
    pub fn first_open(&mut self) -> OptionalNode<S> {
        let slot = self.open.first_slot();
        self.element_in(slot)
    }

    /// Returns the second element of the stack, if there is one.
    pub fn second_open(&mut self) -> OptionalNode<S> {
        let slot = self.open.first_slot().and_then(|first| self.open.next_above(first));
        self.element_in(slot)
    }

    /// Returns the element above this one on the stack, that is, the next one toward the root; `None` if there is none,
    /// or if this one is not open. Takes amortized constant time.
    pub fn above_in_stack(&mut self, value: OptionalNode<S>) -> OptionalNode<S> {
        let slot = self.slot_of(value?)?;
        self.steps += 1;
        let above = self.open.next_below(slot);
        self.element_in(above)
    }

    /// Returns the nearest element above this one on the stack that a row of `reset` names, or else the first element
    /// of the stack; `None` if this one is the first, or is not open. Takes time linear in the number of elements that
    /// such rows name between the current node and the returned one.
    pub fn above_with_reset_row(&mut self, value: OptionalNode<S>) -> OptionalNode<S> {
        let slot = self.slot_of(value?)?;
        // The last scope ends at the elements that rows of `reset` name.
        let mut ends = self.open.scope_ends(C::SCOPES.len().checked_sub(1)?);
        let mut slots = std::iter::from_fn(|| {
            self.steps += 1;
            self.open.next_scope_end(&mut ends)
        });
        let above = slots.find(|&above| above < slot).or_else(|| self.open.first_slot());
        self.element_in(above.filter(|&above| above < slot))
    }

    /// Returns the element above this one on the stack, or above its former position if the algorithm removed it.
    pub fn above_even_if_removed(
        &mut self,
        frame: &Frame<S::Node>,
        value: OptionalNode<S>,
    ) -> OptionalNode<S> {
        let node = value?.node;
        self.above_in_stack(value).or_else(|| {
            frame
                .removed_elements
                .iter()
                .rev()
                .find(|(other, _)| *other == node)
                .and_then(|removed| removed.1)
        })
    }

    /// Returns the furthest block for the element: the element in `special` nearest to it on the stack, away from the
    /// root; `None` if there is none. Takes time linear in the number of elements between the two.
    pub fn furthest_block_below(
        &mut self,
        value: OptionalNode<S>,
        special: &ElementSet,
    ) -> OptionalNode<S> {
        let slot = self.slot_of(value?)?;
        let block = self.furthest_block(slot, special);
        self.element_in(block)
    }

    /// Returns the last element of the stack that has the token's name and the table's own namespace; `None` if there
    /// is none.
    pub fn topmost_of_token_name(&self, frame: &Frame<S::Node>) -> OptionalNode<S> {
        self.element_in(self.open.topmost(self.tag_name(frame).id()))
    }

    /// Returns the last element of the stack that has the name of the token and the table's own namespace; `None` if
    /// there is none, or the token is not a tag.
    #[inline]
    pub fn open_node(&self, token: &TokenView<'_>) -> OptionalNode<S> {
        self.element_in(self.open.topmost(token.local()?.id()))
    }

    /// Returns the last element of the stack that has exactly this name and the table's own namespace; `None` if there
    /// is none.
    pub fn last_open_named(&mut self, name: Option<String>) -> OptionalNode<S> {
        let local = self.sink.names().find_local(&name.unwrap_or_default())?;
        self.element_in(self.open.topmost(local.id()))
    }

    /// Whether an element that matches the target of a walk is open.
    #[inline]
    pub fn is_open_target(&mut self, target: Target<'_, S::Node>) -> bool {
        match target {
            Target::Node(node) => self.is_open(node),
            Target::In(set) => self.topmost_of(set).is_some(),
            Target::TokenName => self.open.topmost(self.token_name.id()).is_some(),
        }
    }

    /// Whether an element that matches the target of a walk is open and in the scope.
    #[inline(always)]
    pub fn is_target_in_scope(&mut self, target: Target<'_, S::Node>, scope: usize) -> bool {
        match target {
            Target::Node(node) => self.is_value_in_scope(node, scope),
            Target::In(set) => {
                self.topmost_of(set).is_some_and(|slot| self.open.is_in_scope(scope, slot))
            }
            // Usually the current node has the token's name. No element is above it that could end the scope.
            Target::TokenName => {
                self.has_local_name(self.last_open(), self.token_name)
                    || self.is_name_in_scope(scope, self.token_name.id())
            }
        }
    }

    /// Whether an element in `set` is open and, if `value` is open too, nearer to the current node than `value`;
    /// `false` if there is no `value`.
    pub fn has_above(&mut self, value: OptionalNode<S>, set: &ElementSet) -> bool {
        let Some(value) = value else { return false };
        let slot = self.slot_of(value);
        self.topmost_of(set).is_some_and(|above| Some(above) > slot)
    }

    /// Whether the element is open.
    pub fn is_open(&mut self, value: impl ListKey<S::Node>) -> bool {
        value.node_value().is_some_and(|value| self.slot_of(value).is_some())
    }

    /// Whether the element is open and in the scope.
    pub fn is_value_in_scope(&mut self, value: OptionalNode<S>, scope: usize) -> bool {
        let slot = value.and_then(|value| self.slot_of(value));
        slot.is_some_and(|slot| self.open.is_in_scope(scope, slot))
    }

    /// Whether the element is in the set.
    #[inline(always)]
    pub fn is_in(&self, value: impl ListKey<S::Node>, set: &ElementSet) -> bool {
        let name = value.node_value().and_then(|value| value.name);
        name.is_some_and(|name| set.has(name, C::ELEMENTS.namespace()))
    }

    /// Whether the element has the name and the table's own namespace.
    pub fn is_named(&mut self, value: impl ListKey<S::Node>, name: Option<String>) -> bool {
        let local = name.and_then(|name| self.sink.names().find_local(&name));
        local.is_some_and(|local| self.has_local_name(value, local))
    }

    /// Whether the element has the token's name and the table's own namespace.
    #[inline(always)]
    pub fn has_token_name(&self, frame: &Frame<S::Node>, value: impl ListKey<S::Node>) -> bool {
        self.has_local_name(value, self.tag_name(frame))
    }

    /// Whether the element has this local name and the table's own namespace.
    #[inline(always)]
    fn has_local_name(&self, value: impl ListKey<S::Node>, local: LocalName) -> bool {
        let expected = Name::new(C::ELEMENTS.namespace(), local);
        value.node_value().is_some_and(|value| value.name == Some(expected))
    }

    /// Whether the element has the token's name, comparing names of foreign elements in lower case.
    pub fn has_token_name_in_any_case(&mut self, value: OptionalNode<S>) -> bool {
        let Some(name) = value.and_then(|value| value.name) else { return false };
        self.lookup_name(name).0 == self.token_name
    }

    /// Whether the element matches the target of a walk.
    #[inline]
    pub fn is_target(&self, value: OptionalNode<S>, target: Target<'_, S::Node>) -> bool {
        match target {
            Target::Node(node) => node.is_some() && value == node,
            Target::In(set) => self.is_in(value, set),
            Target::TokenName => self.has_local_name(value, self.token_name),
        }
    }

    /// Whether the end tag of the element is implied. Without `applies_exceptions`, the exceptions of the action are
    /// ignored.
    #[inline]
    pub fn is_implied(
        &self,
        value: OptionalNode<S>,
        implied: ImpliedEndTags<'_>,
        applies_exceptions: bool,
    ) -> bool {
        let is_excepted = self.is_in(value, implied.except)
            || implied.excepts_token_name && self.has_local_name(value, self.token_name);
        self.is_in(value, implied.set) && !(applies_exceptions && is_excepted)
    }

    /// Whether the element is the first one of the stack.
    pub fn is_first_open(&mut self, value: OptionalNode<S>) -> bool {
        value.is_some() && value == self.first_open()
    }

    /// Whether the element is in the namespace.
    pub fn is_in_namespace(&self, value: OptionalNode<S>, namespace: Namespace) -> bool {
        let name = value.and_then(|value| value.name);
        name.is_some_and(|name| name.is_in(namespace))
    }

    /// Returns the namespace of the element, or [`Namespace::NONE`] if there is no element.
    pub fn namespace_of(&self, value: OptionalNode<S>) -> Namespace {
        let name = value.and_then(|value| value.name);
        name.map_or(Namespace::NONE, Name::plain_namespace)
    }

    /// Whether the element is in a namespace other than the table's own.
    #[inline(always)]
    pub fn is_foreign(&self, value: OptionalNode<S>) -> bool {
        let name = value.and_then(|value| value.name);
        name.is_some_and(|name| !name.is_in(C::ELEMENTS.namespace()))
    }

    /// Whether the element is an integration point.
    pub fn is_integration_point(&self, value: OptionalNode<S>) -> bool {
        value.is_some_and(|value| value.is_integration_point)
    }
}

/// Changes of the stack of open elements.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Pops the last element of the stack. In HTML, a token that is an end tag with the element's name is recorded.
    #[inline]
    pub fn pop_last(&mut self, token: &TokenView<'_>) {
        if C::ELEMENTS == Elements::Html {
            self.pop_open(token);
        } else if let Some(open) = self.open.pop() {
            self.leave_bindings();
            self.last_popped = Some(open.node);
            self.sink.popped(open.node);
        }
    }

    /// Pops the last element of the stack, and reports this to the sink unless the element is `reopened`, which a later
    /// step pushes again.
    pub fn pop_unless_reopened(&mut self, token: &TokenView<'_>, reopened: OptionalNode<S>) {
        match self.last_open() == reopened {
            true => _ = self.open.pop(),
            false => self.pop_last(token),
        }
    }

    /// Pops elements up to and including this one, or all if it is not open, in time linear in their number.
    pub fn pop_through(&mut self, token: &TokenView<'_>, value: OptionalNode<S>) {
        let Some(value) = value else { return };
        while let Some(&open) = self.open.last() {
            self.pop_last(token);
            if open.node == value.node {
                return;
            }
        }
    }

    /// Records the token as the end tag of the element without popping it. In HTML, this requires that the names match.
    pub fn end_element(&mut self, token: &TokenView<'_>, value: OptionalNode<S>) {
        if let (true, Some(value)) = (C::ELEMENTS != Elements::Html, value) {
            return self.report_end_tag(value.node, token.span());
        }
        let (TokenView::EndTag(tag, _), Some(value)) = (token, value) else { return };
        if let Some(slot) = self.slot_of(value)
            && let Some(&open) = self.open.get(slot)
        {
            self.record_end_tag(&open, tag);
            self.open.mark_ended(slot);
        } else if !self.has_closed_element
            && !value.is_ended
            && self.has_token_name_in_any_case(Some(value))
        {
            self.has_closed_element = true;
            self.sink.end_tag(value.node, tag.span());
        }
    }

    /// Pushes the element that the pointer points to onto the stack, unless it is the context element.
    pub fn push_pointed(&mut self, pointer: usize) {
        if let Some(NodeValue { node, name: Some(name), .. }) = self.pointers[pointer]
            && node != self.document
        {
            self.released_element = self.released_element.filter(|&released| released != node);
            self.push_element(node, name, false);
        }
    }

    /// Pushes the element onto the stack.
    pub fn push_value(&mut self, frame: &Frame<S::Node>, value: OptionalNode<S>) {
        if let Some(value) = value
            && let Some(mut open) = self.open_for(value)
        {
            open.is_integration_point |= frame.integration_points.contains(&value.node);
            self.open.push(open);
            self.link_entry(&open);
        }
    }

    /// Returns the element as it is pushed onto the stack; `None` for a node that is no element.
    fn open_for(&mut self, value: NodeValue<S::Node>) -> Option<Open<S::Node>> {
        let NodeValue { node, name, is_integration_point, .. } = value;
        let name = name?;
        self.released_element = self.released_element.filter(|&released| released != node);
        let mut open = self.open_of(node, name, C::kind(name));
        open.is_integration_point = is_integration_point;
        open.formatting = self.entry_of(&Some(value)).unwrap_or(NONE);
        Some(open)
    }

    /// Stores the slot of the current node, which is `open`, in the node's entry of the list.
    fn link_entry(&mut self, open: &Open<S::Node>) {
        let slot = self.open.last_slot().unwrap_or(NONE);
        if let Some((node, _)) = self.formatting.node_and_name(open.formatting)
            && node == Some(open.node)
        {
            self.formatting.replace(open.formatting, open.node, slot);
        }
    }

    /// Pops the elements in slot `from` and above, pushes `new`, and pushes the popped elements again, without the
    /// lowest one unless `keeps_first`. Takes time linear in the number of these elements.
    fn restack(&mut self, from: u32, new: Open<S::Node>, keeps_first: bool) {
        self.limits.record_reordering(self.open.len());
        let popped_elements = self.open.pop_from(from);
        if !keeps_first && let Some(first) = popped_elements.first() {
            self.sink.popped(first.node);
        }
        let reopened = popped_elements.into_iter().skip(usize::from(!keeps_first));
        for open in std::iter::once(new).chain(reopened) {
            self.open.push(open);
            self.link_entry(&open);
        }
    }

    /// Removes the element from the stack, in time linear in the number of elements pushed after it.
    pub fn remove_from_open(
        &mut self,
        frame: &mut Frame<S::Node>,
        token: &TokenView<'_>,
        value: OptionalNode<S>,
    ) {
        let Some(value) = value else { return };
        let Some(slot) = self.slot_of(value) else { return };
        let above = self.open.next_below(slot);
        frame.removed_elements.push((value.node, self.element_in(above)));
        let Some(&open) = self.open.get(slot) else { return };
        if let (TokenView::EndTag(tag, _), true) =
            (token, frame.matched_by_name == Some(value.node))
        {
            self.record_end_tag(&open, tag);
        }
        if Some(slot) != self.open.last_slot() {
            self.limits.record_middle_removal(self.open.len());
        }
        self.open.remove(slot);
        self.sink.popped(open.node);
    }

    /// Replaces the element on the stack with `new`, in time linear in the number of elements pushed after it.
    pub fn replace_in_open(&mut self, value: OptionalNode<S>, new: OptionalNode<S>) {
        let (Some(value), Some(new)) = (value, new) else { return };
        if let (Some(slot), Some(open)) = (self.slot_of(value), self.open_for(new)) {
            self.restack(slot, open, false);
        }
    }

    /// Inserts `new` on the stack directly below the element, that is, away from the root, in time linear in the number
    /// of elements pushed after the element.
    pub fn insert_below(&mut self, new: OptionalNode<S>, value: OptionalNode<S>) {
        let (Some(value), Some(new)) = (value, new) else { return };
        if let (Some(slot), Some(open)) = (self.slot_of(value), self.open_for(new)) {
            self.restack(slot + 1, open, true);
        }
    }
}

/// Queries and changes of the list of active formatting elements.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Whether the list of active formatting elements has no entries.
    pub fn formatting_is_empty(&self) -> bool {
        self.formatting.is_empty()
    }

    /// Returns the last entry of the list, if there is one.
    pub fn last_entry(&self) -> Option<EntryValue<S::Node>> {
        let last_index = (!self.formatting.is_empty()).then(|| self.formatting.last_index());
        self.entry_at(last_index)
    }

    /// Returns the last entry after the last marker whose name is in the set, if there is one, in time linear in the
    /// size of the set.
    #[inline]
    pub fn last_entry_in(&mut self, set: &ElementSet) -> Option<EntryValue<S::Node>> {
        let named = set.own.iter().filter_map(|&local| self.formatting.last_named(local));
        let last = named.max();
        self.entry_at(last)
    }

    /// Returns the entry before this one in the list, if there is one.
    pub fn entry_before(&mut self, value: impl ListKey<S::Node>) -> Option<EntryValue<S::Node>> {
        let index = self.entry_of(&value)?;
        let previous_index = self.formatting.previous_index(index);
        self.entry_at(previous_index)
    }

    /// Returns the entry after this one in the list, if there is one.
    pub fn entry_after(&mut self, value: impl ListKey<S::Node>) -> Option<EntryValue<S::Node>> {
        let index = self.entry_of(&value)?;
        let next_index = self.formatting.next_index(index);
        self.entry_at(next_index)
    }

    /// Whether the entry is a marker.
    pub fn is_marker(&self, entry: Option<EntryValue<S::Node>>) -> bool {
        entry.is_some_and(|entry| entry.element.is_none())
    }

    /// Whether the entry is the first one of the list.
    pub fn is_first_entry(&mut self, value: impl ListKey<S::Node>) -> bool {
        let index = self.entry_of(&value);
        index.is_some_and(|index| self.formatting.previous_index(index).is_none())
    }

    /// Whether the entry is the last one of the list.
    pub fn is_last_entry(&mut self, value: impl ListKey<S::Node>) -> bool {
        self.entry_of(&value).is_some_and(|index| index == self.formatting.last_index())
    }

    /// Whether the element is in the list of active formatting elements.
    pub fn is_formatting(&mut self, value: impl ListKey<S::Node>) -> bool {
        self.entry_of(&value).is_some()
    }

    /// Returns the last element with this name after the last marker of the list, if there is one, and records that an
    /// end tag closes the element.
    pub fn last_named(
        &mut self,
        frame: &mut Frame<S::Node>,
        name: Option<String>,
    ) -> OptionalNode<S> {
        let name = self.sink.names().find_local(&name?)?;
        let index = self.formatting.last_named(name.id());
        let element = self.entry_at(index).and_then(|entry| entry.element);
        frame.matched_by_name = element.map(|value| value.node);
        element
    }

    /// Returns the element's index in the list of active formatting elements plus `offset`; `None` if the list does not
    /// have the element.
    pub fn bookmark(&mut self, value: impl ListKey<S::Node>, offset: u32) -> Option<u32> {
        Some(self.entry_of(&value)? + offset)
    }

    /// Removes the entry from the list.
    pub fn remove_from_formatting(&mut self, value: impl ListKey<S::Node>) {
        if let Some(index) = self.entry_of(&value) {
            self.remove_formatting(index);
        }
    }

    /// Replaces the element of the entry with `new`, in constant time if `new` has the same name.
    pub fn replace_in_formatting(&mut self, value: impl ListKey<S::Node>, new: OptionalNode<S>) {
        let (Some(index), Some(new)) = (self.entry_of(&value), new) else { return };
        let Some(name) = new.name else { return };
        self.unlink_formatting(index);
        let slot = self.slot_of(new).unwrap_or(NONE);
        self.formatting.replace_and_rename(index, (new.node, name), slot, &mut self.open);
        self.open.set_formatting(slot, index);
    }

    /// Inserts an element that the algorithm created for the token of an entry into the list at the bookmark, in time
    /// linear in the length of the list. Returns the element's index; `None` for any other node.
    pub fn insert_at_bookmark(
        &mut self,
        frame: &Frame<S::Node>,
        new: OptionalNode<S>,
        bookmark: Option<u32>,
    ) -> Option<u32> {
        let (new, bookmark) = (new?, bookmark?);
        let entry = frame.recreated_elements.iter().rev().find(|(node, _)| *node == new.node)?.1;
        let slot = self.slot_of(new).unwrap_or(NONE);
        self.formatting.insert(bookmark, entry, (new.node, slot), &mut self.open);
        Some(bookmark)
    }

    /// Appends the element to the list, with the token's attributes.
    pub fn add_to_formatting(&mut self, token: &TokenView<'_>, value: OptionalNode<S>) {
        let Some(value) = value else { return };
        let Some(name) = value.name else { return };
        let slot = self.slot_of(value).unwrap_or(NONE);
        self.add_formatting(token, (value.node, name, slot), usize::MAX);
    }

    /// Whether at least `min_count` elements after the last marker have the name and attributes of this element. Takes
    /// time linear in the number of listed elements with the name.
    pub fn has_equal_entries(
        &mut self,
        frame: &mut Frame<S::Node>,
        token: &TokenView<'_>,
        min_count: u32,
        value: OptionalNode<S>,
    ) -> bool {
        let Some((node, name)) = value.and_then(|value| Some((value.node, value.name?))) else {
            return false;
        };
        self.record_attributes(node, token);
        let records_formatting = self.records_formatting();
        let (sink, recorded_attributes) = (&self.sink, &self.recorded_attributes);
        let (count, earliest) =
            self.formatting.count_equal(name, |other| match records_formatting {
                true => recorded_attributes.are_equal(other, node),
                false => sink.has_equal_attributes(other, node),
            });
        frame.earliest_equal = earliest;
        count >= min_count
    }

    /// Removes the earliest of the elements that [`has_equal_entries`](Self::has_equal_entries) counted last.
    pub fn remove_earliest_equal(&mut self, frame: &mut Frame<S::Node>) {
        if let Some(index) = frame.earliest_equal.take() {
            self.remove_formatting(index);
        }
    }
}

/// Queries and changes of the tree.
impl<C: Construction, S: TreeSink> Builder<C, S> {
    /// Returns the parent of the node; for children of a fragment's root element, the fragment.
    pub fn parent_value(&mut self, value: OptionalNode<S>) -> OptionalNode<S> {
        let parent = self.sink.parent_of(value?.node)?;
        if self.fragment_root == Some(parent) {
            return self.root_insertion_target();
        }
        Some(self.value_of(parent))
    }

    /// Whether the node is the document.
    pub fn is_document(&self, value: OptionalNode<S>) -> bool {
        value.is_some_and(|value| value.node == self.document)
    }

    /// Whether `ancestor` is the node of `value` or contains it, also through template contents. Takes time linear in
    /// the depth of `value`, unless `ancestor` is new and empty.
    pub fn is_ancestor(
        &mut self,
        frame: &Frame<S::Node>,
        ancestor: OptionalNode<S>,
        value: OptionalNode<S>,
    ) -> bool {
        let (Some(ancestor), Some(value)) = (ancestor, value) else { return false };
        if frame.is_isolated(ancestor.node) {
            return ancestor.node == value.node;
        }
        let mut next_node = Some(value.node);
        while let Some(node) = next_node {
            if node == ancestor.node {
                return true;
            }
            self.steps += 1;
            next_node = self.sink.parent_of(node);
            if next_node.is_none() && node != self.document {
                next_node = self.open_host(node);
            }
        }
        false
    }

    /// Removes the node from its parent.
    pub fn detach_value(&mut self, frame: &mut Frame<S::Node>, value: OptionalNode<S>) {
        let Some(NodeValue { node, .. }) = value else { return };
        if self.must_check_depth() {
            let max_depth = self.max_depth_of(frame, node);
            frame.set_max_root_depth(node, max_depth);
        }
        self.landmark = None;
        self.sink.remove_from_parent(node);
    }

    /// Moves the node into `parent` before `before`, or to the end if that is `None` or not a child of `parent`. Takes
    /// time linear in the depth of the parent. If the node would contain itself, it is not moved, and tree construction
    /// stops unless the node limit was reached.
    pub fn insert_value(
        &mut self,
        frame: &mut Frame<S::Node>,
        value: OptionalNode<S>,
        parent: OptionalNode<S>,
        before: OptionalNode<S>,
    ) {
        let (Some(moved), Some(target)) = (value, parent) else { return };
        if self.insert_isolated(frame, moved, target, before) {
            return;
        }
        if self.is_ancestor(frame, value, parent) {
            // All nodes beyond the node limit are one node, which no step moves.
            let overflow = self.sink.filled_tree().and_then(Tree::overflow);
            self.has_stopped |= overflow != Some(Overflow::Nodes);
            return;
        }
        frame.connect(target.node);
        self.limits.record_reordering(self.open.len());
        let shallow_parent = match self.must_check_depth() {
            true => {
                let max_depth = self.max_depth_of(frame, moved.node);
                self.within_depth(frame, target.node, max_depth)
            }
            false => target.node,
        };
        self.landmark = None;
        self.sink.about_to_move(moved.node, None, 0);
        match before {
            Some(before) if self.sink.parent_of(before.node) == Some(shallow_parent) => {
                self.sink.insert_node_before(before.node, moved.node);
            }
            _ => self.append(shallow_parent, moved.node, moved.name.is_some()),
        }
    }

    /// Moves the children of `of` to the end of `parent`, in time linear in their number and in the depth of the
    /// parent. If that could make a node deeper than the depth limit, the children stay where they are. Tree
    /// construction stops if a node would contain itself.
    pub fn append_children(
        &mut self,
        frame: &mut Frame<S::Node>,
        of: OptionalNode<S>,
        parent: OptionalNode<S>,
    ) {
        let (Some(source), Some(target)) = (of, parent) else { return };
        if source == target {
            return;
        }
        if self.is_ancestor(frame, of, parent) {
            self.has_stopped = true;
            return;
        }
        frame.connect(target.node);
        self.limits.record_reordering(self.open.len());
        if self.must_check_depth() {
            let max_depth = self.max_depth_of(frame, source.node).saturating_add(1);
            if self.within_depth(frame, target.node, max_depth) != target.node {
                return;
            }
        }
        self.landmark = None;
        self.sink.reparent_children(source.node, target.node);
    }

    /// Returns the root of the detached subtree that the node is in, and the node's depth below the root; `None` if the
    /// node is in the tree.
    fn detached_root(&mut self, frame: &Frame<S::Node>, node: S::Node) -> Option<(S::Node, usize)> {
        let (mut root, mut depth) = (node, 0);
        while let Some(parent) = self.sink.parent_of(root) {
            self.steps += 1;
            (root, depth) = (parent, depth + 1);
        }
        let is_outside = frame.max_root_depth(root).is_some()
            || frame.created_nodes.iter().any(|(created, _)| *created == root)
            || frame.recreated_elements.iter().any(|(created, _)| *created == root);
        is_outside.then_some((root, depth))
    }

    /// Returns the maximum depth to move the node to, so that no node of its subtree gets deeper than before.
    fn max_depth_of(&mut self, frame: &Frame<S::Node>, node: S::Node) -> usize {
        let Some((root, depth)) = self.detached_root(frame, node) else {
            return self.depth_of(node);
        };
        frame
            .max_root_depth(root)
            .map_or(self.limits.max_parent_depth() + 1, |max_depth| max_depth + depth)
    }

    /// Returns `parent`, or its nearest ancestor whose children are no deeper than `max_depth`. If `parent` is outside
    /// the tree, returns it, and records how deep the root of its subtree may be inserted.
    fn within_depth(
        &mut self,
        frame: &mut Frame<S::Node>,
        parent: S::Node,
        max_depth: usize,
    ) -> S::Node {
        let Some((root, depth)) = self.detached_root(frame, parent) else {
            return self.ancestor_within(
                parent,
                max_depth.min(self.limits.max_parent_depth() + 1).saturating_sub(1),
            );
        };
        let known_max = frame.max_root_depth(root).unwrap_or(usize::MAX);
        frame.set_max_root_depth(root, max_depth.saturating_sub(depth + 1).min(known_max));
        parent
    }

    /// Runs the row that determines the insertion mode for the element; returns whether there is such a row.
    pub fn take_reset(
        &mut self,
        token: &TokenView<'_>,
        value: OptionalNode<S>,
        is_last: Option<bool>,
    ) -> bool {
        let name = value.and_then(|value| value.name);
        name.is_some_and(|name| C::reset(self, token, name, is_last == Some(true)))
    }
}
