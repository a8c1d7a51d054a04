//! An index of the elements below a node by name, attributes, classes and ids, for many queries on one page. It selects
//! the same elements as [`Query::select`](crate::Query::select).

use crate::chain::Key;
use crate::selector::{Matcher, Selector};
use std::borrow::Cow;
use std::collections::HashMap;
use tabulex_core::tree::{DocumentMode, LocalName, NodeRef};

/// An index of the elements below a node by the properties that selectors refer to.
///
/// ```
/// use tabulex::select::{Index, Selector};
///
/// let page = "<h1 class=top>A</h1><p>1<p class='top new'>2";
/// let tree = tabulex::html::parse(page, Default::default()).tree;
/// let index = Index::new(tree.root());
/// for (selector, text) in [("h1", "A"), ("p.top", "2"), (".new", "2"), ("h1 + p", "1")] {
///     let selector: Selector = selector.parse()?;
///     assert_eq!(index.select(&selector).next().unwrap().text(), text);
/// }
/// # Ok::<(), tabulex::select::SelectorError>(())
/// ```
pub struct Index<'a> {
    root: NodeRef<'a>,
    /// The elements in tree order. The maps contain indices into this list.
    elements: Vec<NodeRef<'a>>,
    by_name: ByName,
    /// Elements by the local names of their attributes.
    by_attribute: ByName,
    by_class: HashMap<&'a str, Vec<u32>>,
    by_id: HashMap<&'a str, Vec<u32>>,
    /// Whether the document is in quirks mode, in which classes and ids are compared case-insensitively; `by_class` and
    /// `by_id` are then empty.
    is_in_quirks_mode: bool,
}

impl<'a> Index<'a> {
    /// Indexes the elements below a node, in one walk.
    pub fn new(root: NodeRef<'a>) -> Self {
        let mut index = Self {
            root,
            elements: Vec::new(),
            by_name: ByName::default(),
            by_attribute: ByName::default(),
            by_class: HashMap::new(),
            by_id: HashMap::new(),
            is_in_quirks_mode: root.tree().mode() == DocumentMode::Quirks,
        };
        let common = crate::element::CommonAttributes::of(root.tree());
        for element in root.descendants().filter(NodeRef::is_element) {
            // A tree has fewer than 2³² nodes, so the position fits in a `u32`.
            let position = index.elements.len() as u32;
            index.elements.push(element);
            let Some(name) = element.name() else { continue };
            index.by_name.list_mut(name.id().local()).push(position);
            for attribute in element.attributes() {
                push_unless_last(
                    index.by_attribute.list_mut(attribute.name().id().local()),
                    position,
                );
            }
            if index.is_in_quirks_mode {
                continue;
            }
            if let Some(id) = common.id(element) {
                index.by_id.entry(id).or_default().push(position);
            }
            for class in common.classes(element).unwrap_or_default().split_ascii_whitespace() {
                push_unless_last(index.by_class.entry(class).or_default(), position);
            }
        }
        index
    }

    /// Returns the matching elements in tree order.
    pub fn select<'i>(
        &'i self,
        selector: &'i Selector,
    ) -> impl Iterator<Item = NodeRef<'a>> + use<'a, 'i> {
        let mut matcher = selector.matcher(self.root.tree(), Some(self.root));
        let indices = self.candidates(&matcher);
        let candidates = (0..).map_while(move |position: usize| match &indices {
            None => self.elements.get(position),
            Some(indices) => Some(&self.elements[*indices.get(position)? as usize]),
        });
        candidates.copied().filter(move |element| matcher.matches(*element))
    }

    /// Returns the indices of the elements that can match, or `None` if all can.
    fn candidates(&self, matcher: &Matcher<'_, '_>) -> Option<Cow<'_, [u32]>> {
        let mut lists: Vec<&[u32]> = Vec::new();
        for key in matcher.keys() {
            match key {
                Key::Id(id) if !self.is_in_quirks_mode => {
                    lists.extend(self.by_id.get(id).map(|list| &**list));
                }
                Key::Class(class) if !self.is_in_quirks_mode => {
                    lists.extend(self.by_class.get(class).map(|list| &**list));
                }
                Key::Name(names) => lists.extend(self.by_name.lists_of(names)),
                Key::Attribute(names) => lists.extend(self.by_attribute.lists_of(names)),
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
}

/// Appends an index unless it is the last entry already, as for a class that an element lists twice.
fn push_unless_last(list: &mut Vec<u32>, index: u32) {
    if list.last() != Some(&index) {
        list.push(index);
    }
}

/// Lists of element indices, one for each local name, indexed by the id of the name.
#[derive(Default)]
struct ByName(Vec<Vec<u32>>);

impl ByName {
    /// Returns the list of a name, which is created if it is missing.
    #[inline]
    fn list_mut(&mut self, name: LocalName) -> &mut Vec<u32> {
        let index = name.id() as usize;
        if self.0.len() <= index {
            self.0.resize_with(index + 1, Vec::new);
        }
        &mut self.0[index]
    }

    /// Returns the lists of those names that have one.
    fn lists_of(&self, names: [Option<LocalName>; 2]) -> impl Iterator<Item = &[u32]> {
        let lists = names.into_iter().flatten();
        lists.filter_map(|name| self.0.get(name.id() as usize)).map(|list| &**list)
    }
}
