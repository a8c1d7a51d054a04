//! An index of the elements below a node by name, attributes, classes and ids, for many queries on one page. It selects
//! the same elements as [`Query::select`](crate::Query::select).

use crate::chain::Key;
use crate::element::CommonAttributes;
use crate::selector::{Matcher, Selector};
use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use tabulex_core::tree::{DocumentMode, LocalName, NodeId, NodeRef, Tree};

/// An index of the elements below a node by the properties that selectors refer to. It does not borrow the tree, so
/// that it can be stored beside it; elements that are added to the tree later are not found.
///
/// ```
/// use tabulex::select::{Index, Selector};
///
/// let page = "<h1 class=top>A</h1><p>1<p class='top new'>2";
/// let tree = tabulex::html::parse(page, Default::default()).tree;
/// let index = Index::new(tree.root());
/// for (selector, text) in [("h1", "A"), ("p.top", "2"), (".new", "2"), ("h1 + p", "1")] {
///     let selector: Selector = selector.parse()?;
///     assert_eq!(index.select(&tree, &selector).next().unwrap().text(), text);
/// }
/// # Ok::<(), tabulex::select::SelectorError>(())
/// ```
#[derive(Debug)]
pub struct Index {
    root: NodeId,
    /// The elements in tree order. The lists contain indices into this one.
    elements: Vec<NodeId>,
    by_name: ByName,
    by_attribute: OnceLock<ByAttribute>,
    /// Whether a selector could have used `by_attribute`. The first one tests all elements, because creating the lists
    /// costs more.
    is_by_attribute_useful: AtomicBool,
}

/// Lists of elements by their attributes.
#[derive(Debug, Default)]
struct ByAttribute {
    /// Elements by the local names of their attributes.
    by_name: ByName,
    /// Elements by the hashes of their ids and classes. Empty in quirks mode, in which both are compared
    /// case-insensitively.
    by_word: HashMap<u64, Vec<u32>>,
    hasher: RandomState,
}

impl Index {
    /// Indexes the elements below a node, in one walk.
    pub fn new(root: NodeRef<'_>) -> Self {
        let mut elements = Vec::with_capacity(root.tree().node_count());
        let mut by_name = ByName::default();
        for element in root.descendants() {
            let Some(name) = element.name() else { continue };
            // A tree has fewer than 2³² nodes, so the position fits in a `u32`.
            by_name.push(name.id().local(), elements.len() as u32);
            elements.push(element.id());
        }
        let root = root.id();
        let (by_attribute, is_by_attribute_useful) = Default::default();
        Self { root, elements, by_name, by_attribute, is_by_attribute_useful }
    }

    /// Returns the matching elements in tree order. `tree` is the tree of the indexed node. The first two selectors
    /// that require an id, a class or an attribute but no element name take time linear in the tree.
    pub fn select<'a, 'i>(
        &'i self,
        tree: &'a Tree,
        selector: &'i Selector,
    ) -> impl Iterator<Item = NodeRef<'a>> + use<'a, 'i> {
        let mut matcher = selector.matcher(tree, Some(tree.node(self.root)));
        let indices = self.candidates(tree, &matcher);
        let candidates = (0..).map_while(move |position: usize| match &indices {
            None => self.elements.get(position),
            Some(indices) => Some(&self.elements[*indices.get(position)? as usize]),
        });
        candidates.map(|&id| tree.node(id)).filter(move |element| matcher.matches(*element))
    }

    /// Returns the size of the index on the heap in bytes.
    pub fn heap_size(&self) -> usize {
        let by_attribute = self.by_attribute.get();
        let words = by_attribute.into_iter().flat_map(|lists| lists.by_word.values());
        size_of_val(&*self.elements)
            + self.by_name.heap_size()
            + by_attribute.map_or(0, |lists| lists.by_name.heap_size())
            + words.map(|list| size_of_val(&**list) + size_of::<(u64, Vec<u32>)>()).sum::<usize>()
    }

    /// Returns the indices of the elements that can match, or `None` if all can.
    fn candidates(&self, tree: &Tree, matcher: &Matcher<'_, '_>) -> Option<Cow<'_, [u32]>> {
        let by_attribute = || {
            let is_useful = self.is_by_attribute_useful.swap(true, Ordering::Relaxed);
            is_useful.then(|| self.by_attribute.get_or_init(|| self.list_attributes(tree)))
        };
        let is_in_quirks_mode = tree.mode() == DocumentMode::Quirks;
        let mut lists: Vec<&[u32]> = Vec::new();
        for key in matcher.keys() {
            match key {
                Key::Id(word) | Key::Class(word) if !is_in_quirks_mode => {
                    let ByAttribute { by_word, hasher, .. } = by_attribute()?;
                    lists.extend(by_word.get(&hasher.hash_one(word)).map(|list| &**list));
                }
                Key::Name(names) => lists.extend(self.by_name.lists_of(names)),
                Key::Attribute(names) => lists.extend(by_attribute()?.by_name.lists_of(names)),
                _ => return None,
            }
        }
        Some(match &lists[..] {
            [list] => Cow::Borrowed(list),
            _ => {
                let mut indices = lists.concat();
                indices.sort_unstable();
                indices.dedup();
                indices.into()
            }
        })
    }

    fn list_attributes(&self, tree: &Tree) -> ByAttribute {
        let mut lists = ByAttribute::default();
        let common = CommonAttributes::of(tree);
        for (position, &id) in (0..).zip(&self.elements) {
            let element = tree.node(id);
            for attribute in element.attributes() {
                lists.by_name.push(attribute.name().id().local(), position);
            }
            if tree.mode() == DocumentMode::Quirks {
                continue;
            }
            let classes = common.classes(element).unwrap_or_default().split_ascii_whitespace();
            for word in classes.chain(common.id(element)) {
                let list = lists.by_word.entry(lists.hasher.hash_one(word)).or_default();
                push_unless_last(list, position);
            }
        }
        lists
    }
}

/// Appends an index unless it is the last entry already, as for a class that an element lists twice.
fn push_unless_last(list: &mut Vec<u32>, index: u32) {
    if list.last() != Some(&index) {
        list.push(index);
    }
}

/// Lists of element indices, one for each local name, indexed by the id of the name.
#[derive(Debug, Default)]
struct ByName(Vec<Vec<u32>>);

impl ByName {
    /// Adds an element to the list of a name, unless it was the last to be added.
    #[inline]
    fn push(&mut self, name: LocalName, element: u32) {
        let index = name.id() as usize;
        if self.0.len() <= index {
            self.0.resize_with(index + 1, Vec::new);
        }
        push_unless_last(&mut self.0[index], element);
    }

    /// Returns the lists of those names that have one.
    fn lists_of(&self, names: [Option<LocalName>; 2]) -> impl Iterator<Item = &[u32]> {
        let lists = names.into_iter().flatten();
        lists.filter_map(|name| self.0.get(name.id() as usize)).map(|list| &**list)
    }

    fn heap_size(&self) -> usize {
        size_of_val(&*self.0) + self.0.iter().map(|list| size_of_val(&**list)).sum::<usize>()
    }
}
