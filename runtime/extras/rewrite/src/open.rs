//! The stack of elements open according to their tags. Finding an element by name takes a bounded number of steps.

use crate::markup::{OTHER_NAME, ProbeName, ProbedTag};
use crate::names::{InternedName, MAX_NAMES, NO_NAME, NameKey, NameTable};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use tabulex_core::Control;
use tabulex_core::tree::Namespace;

/// Depth up to which elements are searched linearly.
const LINEAR_SEARCH_DEPTH: usize = 64;

/// Number of innermost elements that are all in a chain.
pub(crate) const MAX_CHAIN_LEN: usize = 16;

/// Maximum number of innermost elements searched for those of a chain. Bounds the time per tag.
pub(crate) const MAX_CHAIN_DEPTH: usize = 64;

/// Maximum number of closed elements around a tag that are searched. Bounds the time per tag.
const MAX_CLOSED_DEPTH: usize = 1024;

/// Maximum number of last closed children of an element that are considered.
const MAX_LAST_CHILDREN: usize = 4;

/// Number of paths beyond twice those in use at which unused ones are removed.
const MAX_UNUSED_PATHS: usize = 4096;

/// Initial capacity, in paths, of the lists of paths.
const FIRST_PATHS: usize = 512;

/// Maximum number of unmarked tags that are searched before they are marked.
const MAX_SEARCHED_TAGS: usize = 256;

/// The index of the empty path, which is that of the stack without elements.
const ROOT: u32 = 0;

/// The index of no path.
const NO_PATH: u32 = u32::MAX;

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
    is_integration_point: bool,
    /// Whether the element is an integration point because of an attribute.
    is_integration_point_by_attribute: bool,
    /// Whether the element's text is written without escaping.
    pub(crate) is_literal: bool,
    /// Whether the element is known to have ended at a start tag inside it, or not to exist.
    pub(crate) is_ended: bool,
    /// Whether the start tag is known to create no element.
    is_ignored: bool,
    /// Whether an end tag of the element's name ended no element while this one was open.
    pub(crate) has_ignored_end_tag: bool,
    /// Set of ids, as bits, of tags that are known to end neither the element nor one around it.
    inert_tags: u64,
    /// For an ended element: length of a stack prefix without open elements between its end and this element.
    open_prefix_len: u32,
    /// The index of the element's path in `OpenElements::paths`.
    path: u32,
    /// For an ended element: number of start tags up to its end. Elements of later tags inside it belong to an element
    /// around it.
    ended_at: u64,
}

impl OpenElement {
    /// Whether the contents of the element are foreign in a dialect whose own namespace is `own`.
    #[inline]
    pub(crate) fn has_foreign_contents(&self, own: Namespace) -> bool {
        self.namespace != own && !self.is_integration_point
    }
}

/// A path: the names of the elements around a start tag and of the tag itself. All tags with equal paths share an entry,
/// which describes the last of them, so that the elements inside an open one are known however many there are: they are on
/// paths that extend its path, and begin after it.
#[derive(Clone, Copy, Debug)]
struct Path {
    /// The path without its last name.
    parent: u32,
    /// The first of the paths that are one name longer.
    first_child: u32,
    /// The next path with the same parent.
    next: u32,
    /// A prefix such that no element between its end and this path is open, to be searched instead of `parent`.
    outer: u32,
    /// The number of names.
    depth: u32,
    name_id: u8,
    /// Whether the effect of the last tag on elements around it is not known yet.
    is_unmarked: bool,
    /// Whether the element and the one around it are in the dialect's namespace, so that the tag may end others.
    is_own: bool,
    /// Whether the element is an integration point by attribute, whose name alone does not determine how it is parsed.
    is_integration_point_by_attribute: bool,
    /// Whether a start tag inside the element may have ended it, and an element around it has its name.
    may_have_ended: bool,
    /// Set of ids, as bits, of tags known to end no element around this one when they are inside it.
    inert_tags: u64,
    /// The set of the names, as bits of their ids.
    names: u128,
    /// The set of the names, as bits of their ids, from each name that is repeated up to the one that it repeats.
    names_in_repeats: u128,
    /// The number of start tags up to the last one with this path.
    start: u64,
}

impl Path {
    fn new(parent: u32, name_id: u8) -> Self {
        Self {
            parent,
            first_child: NO_PATH,
            next: NO_PATH,
            outer: parent,
            depth: 0,
            name_id,
            is_unmarked: false,
            is_own: false,
            is_integration_point_by_attribute: false,
            may_have_ended: false,
            inert_tags: 0,
            names: 0,
            names_in_repeats: 0,
            start: 0,
        }
    }
}

/// A start tag whose effect on the elements around it is not known yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnmarkedTag {
    path: u32,
    pub(crate) name_id: u8,
    /// The number of start tags up to this one.
    start: u64,
}

/// The stack of open elements.
#[derive(Debug)]
pub(crate) struct OpenElements {
    entries: Vec<OpenElement>,
    /// The concatenated names of the elements whose names are not in `names`.
    rare_names: String,
    /// The indices, outermost first, of the elements of each name beyond `LINEAR_SEARCH_DEPTH`, except of ignored ones.
    deep_indices: HashMap<Box<str>, Vec<u32>>,
    /// The names of the elements, open or closed.
    pub(crate) names: NameTable,
    /// The paths of start tags; parents precede their children.
    paths: Vec<Path>,
    /// The paths whose last tags are unmarked.
    unmarked: Vec<u32>,
    /// Whether a path has been added since the caller last reset this.
    pub(crate) has_new_path: bool,
    /// Number of paths at which unused ones are removed.
    max_paths: usize,
    /// Number of start tags.
    start_count: u64,
}

/// Returns the list of paths that contains only the empty one.
fn root_path() -> Vec<Path> {
    let mut paths = Vec::with_capacity(FIRST_PATHS);
    paths.push(Path::new(ROOT, NO_NAME));
    paths
}

impl Default for OpenElements {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            rare_names: String::new(),
            deep_indices: HashMap::new(),
            names: NameTable::default(),
            paths: root_path(),
            unmarked: Vec::with_capacity(FIRST_PATHS),
            has_new_path: false,
            max_paths: MAX_UNUSED_PATHS,
            start_count: 0,
        }
    }
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

    /// Returns the indices, outermost first, of those elements below the index `below` that can affect the parsing of a tag
    /// called `name` there. These have not ended, and are the innermost [`MAX_CHAIN_LEN`], of those around them the
    /// innermost of each other name as far as a bounded number of steps finds it, and the innermost called `name` at any
    /// distance. Stops at an integration point by attribute, since its name alone does not determine how it is parsed.
    pub(crate) fn innermost_chain(&mut self, below: usize, name: &str) -> Vec<usize> {
        let mut chain: Vec<usize> = Vec::with_capacity(MAX_CHAIN_LEN);
        let mut below = below;
        for step in 0..=MAX_CHAIN_DEPTH {
            let Some(mut index) = self.innermost_chained(below) else { break };
            if step == MAX_CHAIN_DEPTH {
                let is_further = |named: &usize| *named < index && !self.entries[*named].is_ended;
                let Some(named) = self.find(name).filter(is_further) else { break };
                index = named;
            }
            let is_named_like = |inner: &usize| self.entries[*inner].key == self.entries[index].key;
            if step < MAX_CHAIN_LEN || !chain.iter().any(is_named_like) {
                chain.push(index);
            }
            below = index;
        }
        chain.reverse();
        chain
    }

    /// Returns the index of the innermost element below the index `below` that can be in a chain.
    pub(crate) fn innermost_chained(&mut self, below: usize) -> Option<usize> {
        let index = self.innermost_open(below)?;
        Some(index).filter(|index| !self.entries[*index].is_integration_point_by_attribute)
    }

    /// Returns the indices of elements inside the one at `index`: the innermost [`MAX_CHAIN_DEPTH`], and of those around them
    /// the innermost of each other name.
    pub(crate) fn inside(&self, index: usize) -> Vec<usize> {
        let first = (index + 1).max(self.len().saturating_sub(MAX_CHAIN_DEPTH));
        let mut inside: Vec<usize> = (first..self.len()).collect();
        if first > index + 1 {
            let names = self.names_around(first - 1);
            let ids = (0..MAX_NAMES as u8).filter(|id| names >> id & 1 != 0);
            let named = ids.filter_map(|id| self.find(self.names.get(id)?.0));
            inside.extend(named.filter(|named| (index + 1..first).contains(named)));
        }
        inside
    }

    /// Returns the names, as bits of their ids, of the element at `index` and those around it.
    pub(crate) fn names_around(&self, index: usize) -> u128 {
        self.paths[self.entries[index].path as usize].names
    }

    /// Returns the indices in `ranges` without those of ended elements.
    pub(crate) fn open_in(&self, ranges: Vec<RangeInclusive<usize>>) -> Vec<usize> {
        ranges.into_iter().flatten().filter(|index| !self.entries[*index].is_ended).collect()
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

    /// Marks the element at `index` as ended after all start tags so far.
    pub(crate) fn mark_ended(&mut self, index: usize) {
        self.mark_ended_after(index, self.start_count);
    }

    /// Marks the elements at `indices`, outermost first, as ended at `tag`. Walks over the elements around the tag once.
    pub(crate) fn mark_ended_at(&mut self, indices: &[usize], tag: UnmarkedTag) {
        let mut child = self.paths[tag.path as usize];
        for &index in indices.iter().rev() {
            // The child that contains the tag belongs to the element that the end returned to.
            while child.depth as usize > index + 2 {
                child = self.paths[child.parent as usize];
            }
            self.mark_ended_after(index, child.start - 1);
        }
    }

    /// Marks the element at `index` as ended after the first `start_count` start tags.
    fn mark_ended_after(&mut self, index: usize, start_count: u64) {
        let entry = &mut self.entries[index];
        entry.is_ended = true;
        entry.open_prefix_len = index as u32;
        entry.ended_at = start_count;
    }

    /// Marks the innermost start tag as one that creates no element, so that no end tag closes it.
    pub(crate) fn mark_last_ignored(&mut self) {
        let index = self.entries.len() - 1;
        if index >= LINEAR_SEARCH_DEPTH {
            self.remove_deep_index();
        }
        self.mark_ended(index);
        self.entries[index].is_ignored = true;
    }

    /// Returns the name ids of the last elements closed inside the element at `index`, and of the ended elements between
    /// `index` and `below`, each followed by the last elements closed inside it. Only the innermost [`MAX_CHAIN_DEPTH`]
    /// ended elements are considered.
    pub(crate) fn last_closed(&self, index: usize, below: usize) -> impl Iterator<Item = u8> {
        let first_inside = below.saturating_sub(MAX_CHAIN_DEPTH).max(index + 1);
        std::iter::once(index).chain(first_inside..below).flat_map(move |inside| {
            let is_listed = inside > index && !self.entries[inside].is_ignored;
            let ended_id = is_listed.then_some(self.entries[inside].name_id);
            let open_child = self.entries.get(inside + 1).map(|child| child.path);
            let closed = self.last_children(&self.entries[inside], open_child).into_iter().rev();
            ended_id.into_iter().chain(closed.map(|path| self.paths[path as usize].name_id))
        })
    }

    /// Returns the paths of the last elements closed inside an element, latest first.
    fn last_children(&self, entry: &OpenElement, open_child: Option<u32>) -> Vec<u32> {
        let start = |path: u32| self.paths[path as usize].start;
        let begin = entry.ended_at.max(start(entry.path));
        let is_inside = |child: &u32| start(*child) > begin && Some(*child) != open_child;
        let mut closed: Vec<u32> = self.children(entry.path).filter(is_inside).collect();
        closed.sort_unstable_by_key(|child| Reverse(start(*child)));
        closed.truncate(MAX_LAST_CHILDREN);
        closed
    }

    /// Returns the paths that are one name longer than `path`.
    fn children(&self, path: u32) -> impl Iterator<Item = u32> {
        let listed = |path: u32| Some(path).filter(|path| *path != NO_PATH);
        std::iter::successors(listed(self.paths[path as usize].first_child), move |path| {
            listed(self.paths[*path as usize].next)
        })
    }

    /// Records a start tag named `name_id` in the innermost element, and returns its path. `is_own` tells whether its
    /// element is in the dialect's namespace.
    #[inline(always)]
    fn record_start(&mut self, name_id: u8, is_own: bool) -> u32 {
        self.start_count += 1;
        let parent = self.entries.last().map_or(ROOT, |last| last.path);
        let mut index = self.paths[parent as usize].first_child;
        while let Some(path) = self.paths.get_mut(index as usize) {
            if path.name_id == name_id {
                path.start = self.start_count;
                if !path.is_unmarked {
                    self.begin_path(index, is_own);
                }
                return index;
            }
            index = path.next;
        }
        self.add_path(parent, name_id, is_own)
    }

    /// Records the first tag with a path since elements were marked.
    #[cold]
    fn begin_path(&mut self, index: u32, is_own: bool) {
        let is_in_own = self.is_in_own();
        let path = &mut self.paths[index as usize];
        (path.outer, path.inert_tags, path.is_unmarked) = (path.parent, 0, true);
        path.is_own = is_own && is_in_own;
        self.unmarked.push(index);
    }

    /// Adds a path for a start tag named `name_id` inside the element with the path `parent`, and returns it.
    #[cold]
    fn add_path(&mut self, parent: u32, name_id: u8, is_own: bool) -> u32 {
        let index = self.paths.len() as u32;
        let is_own = is_own && self.is_in_own();
        let bit = 1_u128.checked_shl(name_id.into()).unwrap_or(0);
        let names_in_repeats = match self.paths[parent as usize].names & bit {
            0 => 0,
            _ => bit | self.names_up_to(parent, name_id),
        };
        let outer = &mut self.paths[parent as usize];
        let path = Path {
            next: std::mem::replace(&mut outer.first_child, index),
            depth: outer.depth + 1,
            names: outer.names | bit,
            names_in_repeats: outer.names_in_repeats | names_in_repeats,
            start: self.start_count,
            is_unmarked: true,
            is_own,
            ..Path::new(parent, name_id)
        };
        self.paths.push(path);
        self.unmarked.push(index);
        self.has_new_path = true;
        index
    }

    /// Whether the innermost element is in the dialect's namespace, or no element is open.
    fn is_in_own(&self) -> bool {
        self.entries.last().is_none_or(|last| last.namespace == Namespace::HTML)
    }

    /// Whether so many paths are recorded that unused ones should be removed.
    pub(crate) fn has_many_paths(&self) -> bool {
        self.paths.len() > self.max_paths
    }

    /// Removes the paths of closed elements, except for children of open elements. The caller has marked the elements that
    /// ended.
    #[cold]
    pub(crate) fn remove_unused_paths(&mut self) {
        let mut new_indices = vec![NO_PATH; self.paths.len()];
        new_indices[ROOT as usize] = ROOT;
        let mut paths = vec![Path { first_child: NO_PATH, ..self.paths[ROOT as usize] }];
        let stack: Vec<u32> = self.entries.iter().map(|entry| entry.path).collect();
        for index in std::iter::once(ROOT).chain(stack) {
            let parent = new_indices[index as usize];
            let children: Vec<u32> = self.children(index).collect();
            for child in children.into_iter().rev() {
                let new_index = paths.len() as u32;
                let outer = &mut paths[parent as usize];
                let next = std::mem::replace(&mut outer.first_child, new_index);
                let path = self.paths[child as usize];
                paths.push(Path { parent, next, first_child: NO_PATH, outer: parent, ..path });
                new_indices[child as usize] = new_index;
            }
        }
        for entry in &mut self.entries {
            entry.path = new_indices[entry.path as usize];
        }
        self.paths = paths;
        let is_unmarked = |index: &u32| self.paths[*index as usize].is_unmarked;
        self.unmarked = (ROOT..self.paths.len() as u32).filter(is_unmarked).collect();
        self.max_paths = 2 * self.paths.len() + MAX_UNUSED_PATHS;
    }

    /// Returns the names, as bits of their ids, of the element of a path and those around it, up to one called `name_id`.
    fn names_up_to(&self, path: u32, name_id: u8) -> u128 {
        let around = std::iter::once(path).chain(self.paths_around(path));
        let inside = around.map(|path| self.path_name(path)).take_while(|id| *id != name_id);
        inside.fold(0, |names, id| names | 1_u128.checked_shl(id.into()).unwrap_or(0))
    }

    /// Returns the path that was added last, its name id, and the names around it, as bits of their ids, from each name that is
    /// repeated up to the one that it repeats.
    pub(crate) fn last_path(&self) -> (u32, u8, u128) {
        let index = self.paths.len() - 1;
        let path = self.paths[index];
        (index as u32, path.name_id, self.paths[path.parent as usize].names_in_repeats)
    }

    /// Returns the paths of the elements around a path, of a limited number, innermost first.
    pub(crate) fn paths_around(&self, path: u32) -> impl Iterator<Item = u32> {
        let outer = |path: &u32| Some(self.paths[*path as usize].parent).filter(|it| *it != ROOT);
        std::iter::successors(outer(&path), outer).take(MAX_CHAIN_DEPTH)
    }

    /// Whether an element around that of a path has its name.
    pub(crate) fn has_name_around(&self, path: u32) -> bool {
        let Path { parent, name_id, .. } = self.paths[path as usize];
        1_u128.checked_shl(name_id.into()).unwrap_or(0) & self.paths[parent as usize].names != 0
    }

    /// Records that a start tag inside the element of a path may have ended it.
    pub(crate) fn mark_may_have_ended(&mut self, path: u32) {
        self.paths[path as usize].may_have_ended = true;
    }

    /// Whether a start tag inside the innermost element may have ended it, so that its end tag may belong to an element around
    /// it that has its name.
    #[inline]
    pub(crate) fn may_last_have_ended(&self) -> bool {
        self.last().is_some_and(|last| self.paths[last.path as usize].may_have_ended)
    }

    /// Returns the number of start tags up to that of an open element.
    fn start(&self, entry: &OpenElement) -> u64 {
        self.paths[entry.path as usize].start
    }

    /// Returns the name ids of the unmarked tags inside the element at `index`, or `None` if there may be many.
    pub(crate) fn unmarked_inside(&self, index: usize) -> Option<Vec<u8>> {
        if self.unmarked.len() > MAX_SEARCHED_TAGS {
            return None;
        }
        let start = self.start(&self.entries[index]);
        let paths = self.unmarked.iter().map(|path| &self.paths[*path as usize]);
        let inside = paths.filter(|path| path.is_own && path.start > start);
        Some(inside.map(|path| path.name_id).collect())
    }

    /// Removes and returns the unmarked tags before the element at index `below`, in the order of the page.
    pub(crate) fn take_unmarked(&mut self, below: usize) -> Vec<UnmarkedTag> {
        let end = self.entries.get(below).map_or(u64::MAX, |entry| self.start(entry));
        let (paths, mut taken) = (&mut self.paths, Vec::new());
        self.unmarked.retain(|index| {
            let path = &mut paths[*index as usize];
            path.is_unmarked = path.start >= end;
            if !path.is_unmarked && path.is_own {
                let &mut Path { name_id, start, .. } = path;
                taken.push(UnmarkedTag { path: *index, name_id, start });
            }
            path.is_unmarked
        });
        taken.sort_unstable_by_key(|tag| tag.start);
        taken
    }

    /// Returns the number of open elements around a tag. Walks over closed elements compress the path.
    pub(crate) fn count_around(&mut self, tag: UnmarkedTag) -> usize {
        let mut index = tag.path;
        loop {
            let outer = self.paths[index as usize].outer;
            let path = self.paths[outer as usize];
            let depth = path.depth as usize;
            let entry = depth.checked_sub(1).and_then(|last| self.entries.get(last));
            if depth == 0 || path.start < tag.start && entry.is_some_and(|it| it.path == outer) {
                return depth;
            }
            self.paths[index as usize].outer = path.outer;
            index = outer;
        }
    }

    /// Returns the paths, innermost first, of the closed elements around a tag that are inside the first `count` open
    /// elements; `None` if the tag is known to end nothing outside them, or if they are more than [`MAX_CLOSED_DEPTH`].
    /// `bit` stands for the tag.
    pub(crate) fn closed_around(
        &self,
        tag: UnmarkedTag,
        count: usize,
        bit: u64,
    ) -> Option<Vec<u32>> {
        let mut closed = Vec::new();
        let mut index = self.paths[tag.path as usize].parent;
        let mut path = &self.paths[index as usize];
        if path.depth as usize > count + MAX_CLOSED_DEPTH {
            return None;
        }
        while path.depth as usize > count {
            if path.is_integration_point_by_attribute || path.inert_tags & bit != 0 {
                return None;
            }
            closed.push(index);
            index = path.parent;
            path = &self.paths[index as usize];
        }
        Some(closed)
    }

    /// Returns the name id of the last tag with a path.
    pub(crate) fn path_name(&self, path: u32) -> u8 {
        self.paths[path as usize].name_id
    }

    /// Returns the paths of the start tags that are inside the closed element with the path `path` and precede `tag`: of a
    /// limited number of tags.
    pub(crate) fn inside_before(&self, path: u32, tag: UnmarkedTag) -> impl Iterator<Item = u32> {
        let between = self.paths[path as usize].start + 1..tag.start;
        let mut remaining: Vec<u32> = self.children(path).collect();
        let paths = std::iter::from_fn(move || {
            let inner = remaining.pop()?;
            remaining.extend(self.children(inner));
            Some(inner)
        });
        paths.take(MAX_SEARCHED_TAGS).filter(move |inner| {
            let inner = &self.paths[*inner as usize];
            inner.is_own && between.contains(&inner.start)
        })
    }

    /// Returns the name ids of the elements around a start tag that are inside the element with the path `path`, outermost
    /// first.
    pub(crate) fn names_between(&self, path: u32, inner: u32) -> Vec<u8> {
        let around = std::iter::successors(Some(inner), |inner| {
            Some(self.paths[*inner as usize].parent).filter(|parent| *parent != path)
        });
        let mut names: Vec<u8> = around.skip(1).map(|around| self.path_name(around)).collect();
        names.reverse();
        names
    }

    /// Records that a tag ends no element around the closed one that contains it. `bit` stands for the tag.
    pub(crate) fn add_inert_tag_around(&mut self, tag: UnmarkedTag, bit: u64) {
        let parent = self.paths[tag.path as usize].parent;
        self.paths[parent as usize].inert_tags |= bit;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, name: &InternedName<'_>, element: &ElementTraits) {
        if self.entries.len() >= LINEAR_SEARCH_DEPTH {
            self.add_deep_index(name.text);
        }
        let path = self.record_start(name.entry.id, element.namespace == Namespace::HTML);
        if element.is_integration_point_by_attribute {
            self.paths[path as usize].is_integration_point_by_attribute = true;
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
            is_ignored: false,
            has_ignored_end_tag: false,
            inert_tags: 0,
            open_prefix_len: 0,
            path,
            ended_at: 0,
        });
        if usize::from(name.entry.id) >= MAX_NAMES {
            self.rare_names.push_str(name.text);
        }
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        if self.entries.len() > LINEAR_SEARCH_DEPTH {
            self.remove_deep_index();
        }
        let Some(entry) = self.entries.last() else { return };
        if usize::from(entry.name_id) >= MAX_NAMES {
            self.rare_names.truncate(entry.rare_names_len as usize);
        }
        if entry.is_ended {
            self.pop_ended()
        } else {
            self.entries.truncate(self.entries.len() - 1)
        }
    }

    /// Closes the innermost element, which has ended: elements closed after its end are children of its parent.
    #[cold]
    fn pop_ended(&mut self) {
        let Some(entry) = self.entries.pop().filter(|_| !self.entries.is_empty()) else { return };
        for path in self.last_children(&entry, None).into_iter().rev() {
            self.record_start(self.paths[path as usize].name_id, false);
        }
    }

    /// Records an element without contents in the innermost element.
    #[inline]
    pub(crate) fn record_void(&mut self, name: &InternedName<'_>) {
        self.record_start(name.entry.id, true);
    }

    /// Adds the index of the next element, which is called `name`, to `deep_indices`.
    #[cold]
    fn add_deep_index(&mut self, name: &str) {
        let index = self.entries.len() as u32;
        self.deep_indices.entry(name.into()).or_default().push(index);
    }

    /// Removes the index of the innermost element from `deep_indices`, which has none of an ignored element.
    #[cold]
    fn remove_deep_index(&mut self) {
        if self.last().is_none_or(|last| last.is_ignored) {
            return;
        }
        let name = self.last_name().to_owned();
        if let Some(indices) = self.deep_indices.get_mut(&*name) {
            indices.pop();
            if indices.is_empty() {
                self.deep_indices.remove(&*name);
            }
        }
    }

    /// Returns the index of the innermost element named `name`, or `None` if there is none. Ignored elements are skipped.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        if self.entries.len() > LINEAR_SEARCH_DEPTH
            && let Some(index) = self.deep_indices.get(name).and_then(|indices| indices.last())
        {
            return Some(*index as usize);
        }
        let key = NameKey::of(name);
        let is_same = |index: usize| {
            !self.entries[index].is_ignored && (key.is_exact() || self.name(index) == name)
        };
        let search_end = self.entries.len().min(LINEAR_SEARCH_DEPTH);
        (0..search_end).rev().find(|index| self.entries[*index].key == key && is_same(*index))
    }

    /// Returns the approximate heap memory in bytes.
    pub(crate) fn memory_usage(&self) -> usize {
        let deep_names_size = self.deep_indices.len() * 96;
        let paths_size = self.paths.len() * (size_of::<Path>() + size_of::<u32>());
        self.entries.len() * (size_of::<OpenElement>() + size_of::<u32>())
            // Names of deep elements are stored a second time, as keys of `deep_indices`.
            + 2 * (self.names.text_len() + self.rare_names.len())
            + deep_names_size
            + paths_size
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
            open.deep_indices.is_empty() && open.rare_names.is_empty() && open.find("a").is_none()
        );
    }

    #[test]
    fn children_with_the_tag_that_ends_an_element_are_closed_after_its_end() {
        let mut open = OpenElements::default();
        ["li", "b", "i", "li"].iter().for_each(|name| push(&mut open, name));
        let tag = open.take_unmarked(open.len()).pop().unwrap();
        open.mark_ended_at(&[0, 1, 2], tag);
        let ended: Vec<_> = open.entries.iter().map(|it| (it.is_ended, it.ended_at)).collect();
        assert_eq!(ended, [(true, 1), (true, 2), (true, 3), (false, 0)]);
    }

    #[test]
    fn last_closed_elements_are_limited() {
        let mut open = OpenElements::default();
        push(&mut open, "div");
        for depth in 1..3 * MAX_CHAIN_DEPTH {
            push(&mut open, "p");
            open.mark_ended(depth);
            assert_eq!(open.last_closed(0, open.len()).count(), depth.min(MAX_CHAIN_DEPTH));
        }
    }

    #[test]
    fn closed_elements_around_a_tag_are_searched_to_a_limited_depth() {
        for (depth, expected) in
            [(MAX_CLOSED_DEPTH, Some(MAX_CLOSED_DEPTH)), (MAX_CLOSED_DEPTH + 1, None)]
        {
            let mut open = OpenElements::default();
            push(&mut open, "p");
            (0..depth).for_each(|_| push(&mut open, "x-a"));
            push(&mut open, "div");
            (0..=depth).for_each(|_| open.pop());
            let tag = open.take_unmarked(open.len()).pop().unwrap();
            let closed = open.closed_around(tag, 1, 1).map(|closed| closed.len());
            assert_eq!(closed, expected);
        }
    }

    #[test]
    fn elements_inside_another_are_limited_to_one_of_each_name() {
        let mut open = OpenElements::default();
        ["p", "b", "i", "b", "p"].iter().for_each(|name| push(&mut open, name));
        assert_eq!(open.inside(0), [1, 2, 3, 4]);
        (0..MAX_CHAIN_DEPTH).for_each(|_| push(&mut open, "x-a"));
        let mut inside = open.inside(0);
        assert_eq!(inside.drain(..MAX_CHAIN_DEPTH).next(), Some(5));
        inside.sort_unstable();
        assert_eq!(inside, [2, 3, 4]);
    }

    #[test]
    fn finds_no_ignored_name_at_any_depth() {
        let mut open = OpenElements::default();
        for depth in (0..3 * LINEAR_SEARCH_DEPTH).step_by(2) {
            push(&mut open, "td");
            open.mark_last_ignored();
            assert_eq!((open.find("td"), open.find("div")), (None, depth.checked_sub(1)));
            push(&mut open, "div");
        }
        // No index of an ignored element is kept, so that a search need not pass over any.
        assert!(!open.deep_indices.contains_key("td"));
        while open.len() > 1 {
            assert_eq!(open.find("div"), Some((open.len() / 2) * 2 - 1));
            open.pop();
        }
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
