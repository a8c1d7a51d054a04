//! The stack of elements open according to their tags. Finding an element by name takes a bounded number of steps, or
//! as many as it then closes.

use crate::markup::{OTHER_NAME, ProbeName, ProbedTag};
use crate::names::{InternedName, MAX_NAMES, NO_NAME, NameKey, NameSet, NameTable};
use std::collections::HashMap;
use tabulex_core::Control;
use tabulex_core::tree::Namespace;

/// Depth up to which elements are searched linearly.
const LINEAR_SEARCH_DEPTH: usize = 64;

/// Maximum number of closed children whose order an open element remembers.
const MAX_LAST_CHILDREN: usize = 4;

/// The properties of the element of a start tag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ElementTraits {
    pub(crate) namespace: Namespace,
    /// Whether the element is foreign, but its contents are in the dialect's own namespace.
    pub(crate) is_integration_point: bool,
    /// Whether the element is an integration point because of an attribute.
    pub(crate) is_integration_point_by_attribute: bool,
    pub(crate) has_contents: bool,
    /// Whether the element's text is written without escaping.
    pub(crate) is_literal: bool,
    /// Whether a line end directly after the start tag is dropped.
    pub(crate) drops_line_end: bool,
    /// The instruction to the tokenizer after the start tag.
    pub(crate) control: Control,
}

impl ElementTraits {
    /// Returns the properties of an element that the table does not mention.
    #[inline]
    pub(crate) fn plain(namespace: Namespace) -> Self {
        Self {
            namespace,
            is_integration_point: false,
            is_integration_point_by_attribute: false,
            has_contents: true,
            is_literal: false,
            drops_line_end: false,
            control: Control::Continue,
        }
    }

    /// Whether the element contains only text, no markup.
    pub(crate) fn is_text(&self) -> bool {
        self.control != Control::Continue
    }
}

/// An element whose start tag has been read and that is still on the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenElement {
    key: NameKey,
    /// The id of the element's name in `OpenElements::names`.
    pub(crate) name_id: u8,
    pub(crate) probe_name: ProbeName,
    /// Length of `OpenElements::rare_names` before the element.
    rare_names_len: u32,
    pub(crate) namespace: Namespace,
    /// Whether the element is foreign, but its contents are in the dialect's own namespace.
    pub(crate) is_integration_point: bool,
    /// Whether the element is an integration point because of an attribute.
    is_integration_point_by_attribute: bool,
    /// Whether the element's text is written without escaping.
    pub(crate) is_literal: bool,
    /// Whether the element is known to have ended at a start tag inside it.
    pub(crate) is_ended: bool,
    /// Whether an end tag of the element's name ended no element while this one was open.
    pub(crate) has_ignored_end_tag: bool,
    /// Set of ids, as bits, of tags that are known to end neither the element nor one around it.
    inert_tags: u64,
    /// For an ended element: length of a stack prefix without open elements between its end and this element.
    open_prefix_len: u32,
    /// The names of the closed elements directly inside this element.
    children: NameSet,
    /// The name ids of the last closed elements directly inside this element, each once, latest first; `NO_NAME` where
    /// there is none.
    last_children: [u8; MAX_LAST_CHILDREN],
}

impl OpenElement {
    #[inline]
    fn set_last_child(&mut self, name_id: u8) {
        let mut later = name_id;
        for child in &mut self.last_children {
            let earlier = std::mem::replace(child, later);
            if earlier == name_id {
                break;
            }
            later = earlier;
        }
    }
}

/// Closed elements of one name that contained other elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClosedElements {
    /// The index of the open element that contained the closed ones.
    parent: usize,
    pub(crate) name_id: u8,
    /// The names of the elements directly inside the closed ones.
    pub(crate) children: NameSet,
}

/// The stack of open elements.
#[derive(Debug, Default)]
pub(crate) struct OpenElements {
    entries: Vec<OpenElement>,
    /// The concatenated names of the elements whose names are not in `names`.
    rare_names: String,
    /// Number of elements of each name beyond `LINEAR_SEARCH_DEPTH`.
    deep_counts: HashMap<Box<str>, usize>,
    /// Number of outermost elements whose start tags have been processed for the ends that they imply.
    pub(crate) marked_len: usize,
    /// Index of the outermost element with closed children that have not been processed for the ends that they imply.
    pub(crate) first_unmarked_parent: usize,
    /// The names of the elements, open or closed.
    pub(crate) names: NameTable,
    /// Closed elements with children, ordered by parent.
    closed: Vec<ClosedElements>,
}

impl OpenElements {
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    pub(crate) fn last(&self) -> Option<&OpenElement> {
        self.entries.last()
    }

    /// Returns the innermost element if it is called `name`.
    #[inline]
    pub(crate) fn last_if_named(&self, name: &str) -> Option<&OpenElement> {
        let key = NameKey::of(name);
        self.last().filter(|last| last.key == key && (key.is_exact() || self.last_name() == name))
    }

    /// Returns the element at an index of the stack, or `None` if the stack is shorter.
    pub(crate) fn get(&self, index: usize) -> Option<&OpenElement> {
        self.entries.get(index)
    }

    /// Returns the name of the element at `index`.
    pub(crate) fn name(&self, index: usize) -> &str {
        let entry = &self.entries[index];
        self.names.get(entry.name_id).map_or_else(|| self.rare_name(index), |(name, _)| name)
    }

    /// Returns the name of the element at `index` in a probe with `tag`.
    pub(crate) fn probe_name(&self, index: usize, tag: &ProbedTag<'_>) -> ProbeName {
        match self.entries[index].probe_name {
            OTHER_NAME => tag.probe_name_of(self.name(index), OTHER_NAME),
            listed => listed,
        }
    }

    /// Returns the name of the innermost element, or an empty string if no element is open.
    pub(crate) fn last_name(&self) -> &str {
        self.entries.len().checked_sub(1).map_or("", |index| self.name(index))
    }

    /// Returns the name of the element at `index`, which is not in `names`.
    fn rare_name(&self, index: usize) -> &str {
        let start = self.entries[index].rare_names_len as usize;
        let next = self.entries.get(index + 1);
        &self.rare_names[start..next.map_or(self.rare_names.len(), |it| it.rare_names_len as usize)]
    }

    /// Returns the indices, outermost first, of up to `count` elements that have not ended: the innermost ones below
    /// the index `below`. Stops at an integration point by attribute, since its name alone does not determine how it is
    /// parsed.
    pub(crate) fn innermost_chain(&mut self, below: usize, count: usize) -> Vec<usize> {
        let mut chain = Vec::with_capacity(count);
        let mut below = below;
        while chain.len() < count {
            let Some(index) = self.innermost_open(below) else { break };
            if self.entries[index].is_integration_point_by_attribute {
                break;
            }
            chain.push(index);
            below = index;
        }
        chain.reverse();
        chain
    }

    /// Returns the index of the innermost element that has not ended, among those below the index `below`; `None` if
    /// all have ended. Walks over ended elements compress the path.
    pub(crate) fn innermost_open(&mut self, below: usize) -> Option<usize> {
        let mut prefix_len = below;
        while prefix_len > 0 && self.entries[prefix_len - 1].is_ended {
            prefix_len = self.entries[prefix_len - 1].open_prefix_len as usize;
        }
        if prefix_len < below {
            self.entries[below - 1].open_prefix_len = prefix_len as u32;
        }
        prefix_len.checked_sub(1)
    }

    pub(crate) fn inert_tags(&self, index: usize) -> u64 {
        self.entries[index].inert_tags
    }

    pub(crate) fn add_inert_tag(&mut self, index: usize, bit: u64) {
        self.entries[index].inert_tags |= bit;
    }

    pub(crate) fn record_ignored_end_tag(&mut self, index: usize) {
        self.entries[index].has_ignored_end_tag = true;
    }

    /// Whether an element has ended while one inside it is still open.
    pub(crate) fn ended_before_inner(&mut self, index: usize) -> bool {
        self.entries[index].is_ended
            && self.innermost_open(self.len()).is_some_and(|innermost| innermost > index)
    }

    /// Marks the element at `index` as ended, at its last closed child with the name id `child` if it has one.
    pub(crate) fn mark_ended(&mut self, index: usize, child: u8) {
        let entry = &mut self.entries[index];
        entry.is_ended = true;
        entry.open_prefix_len = index as u32;
        // The last child named `child` and later ones, which precede it in the list, were closed after the element
        // ended, so they stay recorded.
        let is_child = |id: &u8| *id == child && usize::from(child) < MAX_NAMES;
        let kept_len =
            entry.last_children.iter().position(is_child).map_or(0, |position| position + 1);
        entry.last_children[kept_len..].fill(NO_NAME);
    }

    /// Returns the name ids of the last elements closed inside the element at `index`, and of the ended elements between
    /// `index` and `below`, each followed by the last elements closed inside it.
    pub(crate) fn last_closed(&self, index: usize, below: usize) -> impl Iterator<Item = u8> {
        let entries = self.entries[index..below].iter().enumerate();
        entries.flat_map(|(depth, entry)| {
            let ended_id = (depth > 0).then_some(entry.name_id);
            ended_id.into_iter().chain(entry.last_children.into_iter().rev())
        })
    }

    #[inline]
    pub(crate) fn push(&mut self, name: &InternedName<'_>, element: &ElementTraits) {
        if self.entries.len() >= LINEAR_SEARCH_DEPTH {
            self.count_deep_name(name.text);
        }
        self.entries.push(OpenElement {
            key: name.key,
            name_id: name.entry.id,
            probe_name: name.entry.probe_name,
            rare_names_len: self.rare_names.len() as u32,
            namespace: element.namespace,
            is_integration_point: element.is_integration_point,
            is_integration_point_by_attribute: element.is_integration_point_by_attribute,
            is_literal: element.is_literal,
            is_ended: false,
            has_ignored_end_tag: false,
            inert_tags: 0,
            open_prefix_len: 0,
            children: NameSet::default(),
            last_children: [NO_NAME; MAX_LAST_CHILDREN],
        });
        if usize::from(name.entry.id) >= MAX_NAMES {
            self.rare_names.push_str(name.text);
        }
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        if self.entries.len() > LINEAR_SEARCH_DEPTH {
            self.uncount_deep_name();
        }
        let Some(entry) = self.entries.pop() else { return };
        self.marked_len = self.marked_len.min(self.entries.len());
        if usize::from(entry.name_id) >= MAX_NAMES {
            self.rare_names.truncate(entry.rare_names_len as usize);
        }
        self.record_closed(entry.name_id);
        if entry.is_ended {
            self.inherit_last_children(&entry);
        }
        if !entry.children.is_empty() {
            self.record_nested(entry.name_id, entry.children);
        }
    }

    /// Records an element without contents as a closed child of the innermost element.
    #[inline]
    pub(crate) fn record_void(&mut self, name: &InternedName<'_>) {
        self.record_closed(name.entry.id);
    }

    /// Records a closed child of the innermost element.
    #[inline]
    fn record_closed(&mut self, name_id: u8) {
        let Some(parent) = self.entries.last_mut() else { return };
        parent.children.insert(name_id);
        parent.set_last_child(name_id);
        self.first_unmarked_parent = self.first_unmarked_parent.min(self.entries.len() - 1);
    }

    /// Records the last children of a closed element that ended before they were closed as children of its parent.
    #[cold]
    fn inherit_last_children(&mut self, ended: &OpenElement) {
        let Some(parent) = self.entries.last_mut() else { return };
        let later_children = ended.last_children.into_iter().rev();
        later_children
            .filter(|child| *child != NO_NAME)
            .for_each(|child| parent.set_last_child(child));
    }

    /// Records the children of a closed element. Deeper descendants are dropped: without the elements around them, they
    /// would seem to end more than they did.
    #[inline(never)]
    fn record_nested(&mut self, name_id: u8, children: NameSet) {
        let below = self.entries.len();
        while self.closed.pop_if(|inner| inner.parent >= below).is_some() {}
        let Some(parent) = below.checked_sub(1) else { return };
        if usize::from(name_id) >= MAX_NAMES {
            return;
        }
        let siblings = self.closed.iter_mut().rev().take_while(|closed| closed.parent == parent);
        match { siblings }.find(|closed| closed.name_id == name_id) {
            Some(same) => same.children.extend(children),
            None => self.closed.push(ClosedElements { parent, name_id, children }),
        }
    }

    /// Removes and returns the closed children recorded for the element at `index`: the names of all of them, and
    /// those that had children.
    pub(crate) fn take_closed(&mut self, index: usize) -> (NameSet, Vec<ClosedElements>) {
        let children = std::mem::take(&mut self.entries[index].children);
        let from = self.closed.partition_point(|closed| closed.parent < index);
        let to = self.closed.partition_point(|closed| closed.parent <= index);
        (children, self.closed.drain(from..to).collect())
    }

    /// Returns the names of the elements inside the one at `index`: all open ones, and closed ones whose implied ends
    /// have not been processed. Returns `None` if one of the open elements has no id.
    pub(crate) fn names_inside(&self, index: usize) -> Option<NameSet> {
        let mut names = self.entries[index].children;
        for entry in &self.entries[index + 1..] {
            names.extend(entry.children);
            names.insert(entry.name_id);
            if usize::from(entry.name_id) >= MAX_NAMES {
                return None;
            }
        }
        let from = self.closed.partition_point(|closed| closed.parent < index);
        self.closed[from..].iter().for_each(|closed| names.extend(closed.children));
        Some(names)
    }

    #[cold]
    fn count_deep_name(&mut self, name: &str) {
        *self.deep_counts.entry(name.into()).or_default() += 1;
    }

    #[cold]
    fn uncount_deep_name(&mut self) {
        let name = self.last_name().to_owned();
        if let Some(count) = self.deep_counts.get_mut(&*name) {
            *count -= 1;
            if *count == 0 {
                self.deep_counts.remove(&*name);
            }
        }
    }

    /// Returns the index of the innermost element named `name`, or `None` if there is none.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let key = NameKey::of(name);
        let is_deep =
            self.entries.len() > LINEAR_SEARCH_DEPTH && self.deep_counts.contains_key(name);
        let search_end =
            if is_deep { self.entries.len() } else { self.entries.len().min(LINEAR_SEARCH_DEPTH) };
        let is_same = |index: usize| key.is_exact() || self.name(index) == name;
        (0..search_end).rev().find(|index| self.entries[*index].key == key && is_same(*index))
    }

    /// Returns the approximate heap memory in bytes.
    pub(crate) fn memory_usage(&self) -> usize {
        let deep_names_size = self.deep_counts.len() * 96;
        let closed_size = self.closed.len() * size_of::<ClosedElements>();
        self.entries.len() * size_of::<OpenElement>()
            // Names of deep elements are stored a second time, as keys of `deep_counts`.
            + 2 * (self.names.text_len() + self.rare_names.len())
            + deep_names_size
            + closed_size
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::foreign::ForeignNames;
    use tabulex::html::Html;

    fn push(open: &mut OpenElements, name: &str) {
        let name = open.names.intern::<Html>(name, true, ForeignNames::of::<Html>(), false);
        open.push(&name, &ElementTraits::plain(Namespace::HTML));
    }

    #[test]
    fn finds_each_open_name() {
        let names =
            ["a", "em", "div", "font", "table", "button", "section", "textarea", "textareb"];
        let long_names = ["x-abcdefgh", "x-abcdefgx", "x-bbcdefgh"].map(str::to_owned);
        let rare_names = (0..MAX_NAMES).map(|number| format!("x{number}-abcdefgh"));
        let long_names: Vec<String> = long_names.into_iter().chain(rare_names).collect();
        let long_names: Vec<&str> = long_names.iter().map(|name| &**name).collect();
        let mut open = OpenElements::default();
        for round in 0..30 {
            for name in names.iter().chain(&long_names) {
                assert_eq!(open.find(name).is_some(), round > 0, "{name}");
            }
            names.iter().chain(&long_names).for_each(|name| {
                push(&mut open, name);
                assert_eq!(open.find(name), Some(open.len() - 1));
                assert_eq!(open.name(open.len() - 1), *name);
            });
        }
        while open.len() > 0 {
            let all_names = names.iter().chain(&long_names);
            let name = all_names.clone().nth((open.len() - 1) % all_names.count()).unwrap();
            assert_eq!(open.find(name), Some(open.len() - 1));
            open.pop();
        }
        assert!(
            open.deep_counts.is_empty() && open.rare_names.is_empty() && open.find("a").is_none()
        );
    }

    #[test]
    fn distinguishes_names_that_differ_in_one_bit() {
        for length in 1..=12 {
            for letter in b'a'..=b'z' {
                let name = vec![letter; length];
                let mut open = OpenElements::default();
                let to_text = |name: &[u8]| String::from_utf8(name.to_owned()).unwrap();
                push(&mut open, &to_text(&name));
                assert_eq!(open.find(&to_text(&name)), Some(0));
                for (index, bit) in
                    (0..length).flat_map(|index| (0..5).map(move |bit| (index, bit)))
                {
                    let mut other = name.clone();
                    other[index] ^= 1 << bit;
                    assert_eq!(open.find(&to_text(&other)), None, "{name:?} {other:?}");
                }
                assert_eq!(open.find(&to_text(&name[1..])), None);
            }
        }
        let mut open = OpenElements::default();
        push(&mut open, "aé");
        assert_eq!((open.find("aé"), open.find("aè")), (Some(0), None));
    }
}
