//! Implied ends of elements: open elements that end at a tag other than their end tag, as determined by parsing probes
//! with the dialect's parser.

use crate::markup::{MarkupParser, ParserMode, ProbeName, ProbedTag, TAG_NAME};
use crate::open::OpenElements;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use tabulex_core::tree::Namespace;
use tabulex_edit::seam;

/// Maximum number of innermost elements in a probe. Bounds the time per tag when every probe is different.
pub(crate) const MAX_CHAIN_LEN: usize = 16;

/// Maximum number of probe results per cache.
const MAX_CACHED_RESULTS: usize = 4096;

/// Maximum length in bytes of a DOCTYPE whose effect is cached.
const MAX_CACHED_DOCTYPE: usize = 256;

/// Maximum number of unused result sets in the process.
const MAX_POOLED: usize = 16;

/// Results of finished rewriters, so that later ones in the same mode need not repeat the probes.
static POOL: Mutex<Vec<(ParserMode, ProbeResults)>> = Mutex::new(Vec::new());

/// A cache of which tags end which elements, as found by probes.
#[derive(Debug)]
pub(crate) struct ImpliedEnds {
    mode: ParserMode,
    results: ProbeResults,
    /// Whether a tag ends an innermost element in this page. A key consists of the element's name, whether the element
    /// is in the dialect's namespace, the tag's name, and whether the tag is an end tag.
    innermost_ends: BTreeMap<u64, bool>,
    /// Whether the end tag of an outer element also ends an inner one in this page, by the names of the inner and the
    /// outer element.
    end_tag_reaches: BTreeMap<u64, bool>,
    /// The tags that have a bit in `OpenElement::inert_tags`, in the order of the bits: the name in probes and whether the
    /// tag is an end tag, and the name of a tag that the dialect does not know.
    inert_tags: Vec<(u32, Box<str>)>,
    /// The names of the current probe, kept to reuse its capacity.
    probe: Vec<ProbeName>,
}

/// Cached results of probes in one mode of the parser. Each key holds all names in the probe.
#[derive(Debug, Default)]
struct ProbeResults {
    /// For the names of a chain of elements and of a tag, whether the tag ends each element; for a [`TagQuestion`],
    /// the answer.
    chains: HashMap<ProbeKey, Vec<bool>>,
    /// For the names of a chain of elements, of closed elements in it and of a tag, the names of implied elements,
    /// which have no tags.
    untagged: HashMap<ProbeKey, Vec<String>>,
    /// For a name, whether elements with this name are reconstructed after their parents end.
    reconstructed: HashMap<String, bool>,
    /// For a DOCTYPE, whether pages that begin with it are in quirks mode.
    quirks: HashMap<String, bool>,
}

/// The names in a probe, and constants between them.
type ProbeKey = Box<[ProbeName]>;

/// A constant in a probe's key that no probe name equals: the end of a list, or an end tag before its name.
const LIST_END: ProbeName = ProbeName::MAX;
const END_TAG: ProbeName = ProbeName::MAX - 1;

/// A yes-or-no question about a tag, answered by a probe.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TagQuestion {
    /// Whether the end tag belongs to an open element, even if the element stays open.
    HasElement,
    /// Whether the end tag ends no element and makes the parser ignore the next end tag of the same name too.
    SpendsNext,
    /// Whether the start tag creates an element that is closed before the next token.
    ClosesAtOnce,
    /// Whether the start tag creates an element, rather than being ignored.
    CreatesElement,
}

impl TagQuestion {
    /// Returns the constant that stands for the question in a probe's key.
    const fn key(self) -> ProbeName {
        match self {
            Self::HasElement => ProbeName::MAX - 2,
            Self::SpendsNext => ProbeName::MAX - 3,
            Self::ClosesAtOnce => ProbeName::MAX - 4,
            Self::CreatesElement => ProbeName::MAX - 5,
        }
    }
}

impl Drop for ImpliedEnds {
    fn drop(&mut self) {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.len() == MAX_POOLED {
            pool.remove(0);
        }
        pool.push((self.mode, std::mem::take(&mut self.results)));
    }
}

impl ImpliedEnds {
    /// Creates the caches for a mode of the parser, filled with the results of a finished rewriter in that mode if the pool
    /// has any.
    pub(crate) fn new(mode: ParserMode) -> Self {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let index = pool.iter().position(|(pooled, _)| *pooled == mode);
        let results = index.map(|index| pool.remove(index).1).unwrap_or_default();
        Self {
            mode,
            results,
            innermost_ends: BTreeMap::new(),
            end_tag_reaches: BTreeMap::new(),
            inert_tags: Vec::new(),
            probe: Vec::new(),
        }
    }

    /// Marks those elements below the index `below` that ended at start tags of later elements, open or closed.
    pub(crate) fn mark_ended(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        parser: MarkupParser,
    ) {
        for index in open.marked_len.min(open.first_unmarked_parent)..below {
            let is_in_own_namespace =
                open.get(index).is_some_and(|entry| entry.namespace == Namespace::HTML);
            if is_in_own_namespace
                && index >= open.marked_len
                && let Some(entry) = open.get(index)
            {
                let (name_id, probe_name) = (entry.name_id, entry.probe_name);
                let tag = parser.start_tag_of(open.name(index), probe_name);
                self.mark_ended_by(open, index, name_id, &tag, parser);
            }
            let (children, closed) = open.take_closed(index);
            if !is_in_own_namespace {
                continue;
            }
            let start_tag = |open: &OpenElements, id: u8| {
                open.names.get(id).map(|(name, probe_name)| parser.start_tag_of(name, probe_name))
            };
            for id in children.ids() {
                if let Some(tag) = start_tag(open, id) {
                    self.mark_ended_by(open, index + 1, id, &tag, parser);
                }
            }
            for parent in closed {
                for id in parent.children.ids() {
                    if let Some(tag) = start_tag(open, id) {
                        self.mark_ended_by_nested(open, index + 1, parent.name_id, &tag, parser);
                    }
                }
            }
        }
        open.marked_len = open.marked_len.max(below);
        open.first_unmarked_parent = open.first_unmarked_parent.max(below);
    }

    /// Whether the element at `index` may have ended at the start tag of an element inside it, open or closed.
    pub(crate) fn may_have_ended(
        &mut self,
        open: &mut OpenElements,
        index: usize,
        parser: MarkupParser,
    ) -> bool {
        let Some(names) = open.names_inside(index) else { return true };
        let around = open.innermost_chain(index + 1, MAX_CHAIN_LEN);
        names.ids().any(|id| {
            let Some((name, probe_name)) = open.names.get(id) else { return false };
            let tag = parser.start_tag_of(name, probe_name);
            let key = innermost_end_key(open, index, &tag);
            self.ends_innermost(key, open, &around, &tag, parser)
        })
    }

    /// Marks those elements below the index `below` that end at the start tag `tag`, whose name has the id `name_id`.
    fn mark_ended_by(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        name_id: u8,
        tag: &ProbedTag<'_>,
        parser: MarkupParser,
    ) {
        for ended in self.elements_ended_by(open, below, tag, parser) {
            open.mark_ended(ended, name_id);
        }
    }

    /// Whether the chain that [`elements_ended_by`](Self::elements_ended_by) probes includes all open elements or, with
    /// `element`, at least the one at that index and those inside it.
    pub(crate) fn chain_covers(&self, open: &mut OpenElements, element: Option<usize>) -> bool {
        let indices = open.innermost_chain(open.len(), MAX_CHAIN_LEN);
        indices.len() < MAX_CHAIN_LEN || element.is_none_or(|element| indices[0] <= element)
    }

    /// Whether the end tag `tag` of the element at `index` ends it and every element inside. False if one of them is
    /// foreign, or if the element itself has already ended at a start tag.
    ///
    /// Results are cached by the names of the end tag and of one element inside.
    pub(crate) fn closes_from(
        &mut self,
        open: &mut OpenElements,
        index: usize,
        tag: &ProbedTag<'_>,
        parser: MarkupParser,
    ) -> bool {
        (index..open.len()).all(|inside| match open.get(inside) {
            Some(entry) if entry.namespace != Namespace::HTML => false,
            Some(entry) if entry.is_ended => inside != index,
            _ => inside == index || self.closes_inner(open, [index, inside], tag, parser),
        })
    }

    /// Whether the end tag of the element at `index` also ends the one at `inside`.
    fn closes_inner(
        &mut self,
        open: &mut OpenElements,
        [index, inside]: [usize; 2],
        tag: &ProbedTag<'_>,
        parser: MarkupParser,
    ) -> bool {
        let pair = pair_key(open.probe_name(inside, tag), tag.probe_name);
        if let Some(closes) = self.end_tag_reaches.get(&pair) {
            return *closes;
        }
        let chain = open.innermost_chain(inside + 1, MAX_CHAIN_LEN);
        let ended = self.ended_in_chain(open, &chain, None, tag, parser);
        let closes = ended.contains(&index) && ended.contains(&inside);
        self.end_tag_reaches.insert(pair, closes);
        closes
    }

    /// Returns the parser's answer to a question about a tag that follows the innermost open elements below the index
    /// `below`.
    pub(crate) fn ask(
        &mut self,
        question: TagQuestion,
        open: &mut OpenElements,
        below: usize,
        tag: &ProbedTag<'_>,
        parser: MarkupParser,
    ) -> bool {
        let chain = open.innermost_chain(below, MAX_CHAIN_LEN);
        self.begin_probe(open, &chain, tag);
        self.probe.extend([question.key(), tag.probe_name]);
        let probe = || {
            let names: Vec<&str> =
                self.probe[..chain.len()].iter().map(|name| parser.text(*name)).collect();
            let probe = match question {
                TagQuestion::HasElement => seam::has_end_tag,
                TagQuestion::SpendsNext => seam::spends_end_tag,
                TagQuestion::ClosesAtOnce => seam::is_closed_at_once,
                TagQuestion::CreatesElement => seam::creates_element,
            };
            vec![probe(&names, parser.text(tag.probe_name), &|markup| parser.parse(markup))]
        };
        find_or_insert(&mut self.results.chains, &self.probe, probe, |answer| answer[0])
    }

    /// Begins the key of a probe with the names of the elements at `indices`.
    fn begin_probe(&mut self, open: &OpenElements, indices: &[usize], tag: &ProbedTag<'_>) {
        self.probe.clear();
        self.probe.extend(indices.iter().map(|index| open.probe_name(*index, tag)));
    }

    /// Whether an element named `name` is reconstructed if its parent ends before it does.
    pub(crate) fn is_reconstructed(&mut self, name: &str, parser: MarkupParser) -> bool {
        if let Some(known) = self.results.reconstructed.get(name) {
            return *known;
        }
        if self.results.reconstructed.len() > MAX_CACHED_RESULTS {
            self.results.reconstructed.clear();
        }
        let is_reconstructed = seam::is_reconstructed(name, &|markup| parser.parse(markup));
        self.results.reconstructed.insert(name.to_owned(), is_reconstructed);
        is_reconstructed
    }

    /// Returns the mode whose results are cached.
    pub(crate) fn mode(&self) -> ParserMode {
        self.mode
    }

    /// Whether a page that begins with a DOCTYPE is in quirks mode.
    pub(crate) fn is_quirks_doctype(&mut self, doctype: &str, parser: MarkupParser) -> bool {
        let quirks = &mut self.results.quirks;
        if let Some(known) = quirks.get(doctype) {
            return *known;
        }
        let is_quirks = parser.is_quirks_doctype(doctype);
        if doctype.len() <= MAX_CACHED_DOCTYPE && quirks.len() < MAX_CACHED_RESULTS {
            quirks.insert(doctype.to_owned(), is_quirks);
        }
        is_quirks
    }

    /// Returns the names, innermost first, of the implied elements, which have no tags, among those open below the
    /// index `below`: with `tag`, those that this start tag ends in addition to the elements `ended`; without it, those
    /// inside the innermost element.
    pub(crate) fn untagged_elements(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        ended: &[usize],
        tag: Option<&ProbedTag<'_>>,
        parser: MarkupParser,
    ) -> Vec<String> {
        let mut chain = open.innermost_chain(below, MAX_CHAIN_LEN);
        chain.extend_from_slice(ended);
        chain.sort_unstable();
        let Some(&last) = chain.last() else { return Vec::new() };
        let no_tag = &parser.tag("", false);
        self.begin_probe(open, &chain, tag.unwrap_or(no_tag));
        self.probe.push(LIST_END);
        let closed = open.last_closed(last, below).filter_map(|id| open.names.get(id));
        self.probe.extend(
            closed.map(|(name, probe_name)| tag.unwrap_or(no_tag).probe_name_of(name, probe_name)),
        );
        self.probe.push(LIST_END);
        self.probe.extend(tag.map(|tag| tag.probe_name));
        if self.results.untagged.len() > MAX_CACHED_RESULTS {
            self.results.untagged.clear();
        }
        let probe = || {
            let mut lists = self
                .probe
                .split(|name| *name == LIST_END)
                .map(|names| names.iter().map(|name| parser.text(*name)).collect::<Vec<&str>>());
            let [names, closed] = [(); 2].map(|()| lists.next().unwrap_or_default());
            let tag = tag.map(|tag| parser.text(tag.probe_name));
            seam::untagged_elements(&names, &closed, tag, &|markup| parser.parse(markup))
        };
        find_or_insert(&mut self.results.untagged, &self.probe, probe, Vec::clone)
    }

    /// Returns the indices, outermost first, of those elements below the index `below` that a tag ends.
    pub(crate) fn elements_ended_by(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        tag: &ProbedTag<'_>,
        parser: MarkupParser,
    ) -> Vec<usize> {
        if !self.may_end_one(open, below, tag, parser) {
            return Vec::new();
        }
        let indices = open.innermost_chain(below, MAX_CHAIN_LEN);
        let ended = self.ended_in_chain(open, &indices, None, tag, parser);
        if let (true, Some(innermost)) = (ended.is_empty(), indices.last()) {
            // Some element would end if it were innermost, and stays open only because of an element inside it; the tag
            // is known to be inert only for the innermost element.
            let bit = self.tag_bit(tag);
            open.add_inert_tag(*innermost, bit);
        }
        ended
    }

    /// Whether a tag would end one of the innermost elements below the index `below` if no element were open inside that
    /// one.
    ///
    /// Negative results are cached at the elements, so that each is probed once per tag name.
    pub(crate) fn may_end_one(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        tag: &ProbedTag<'_>,
        parser: MarkupParser,
    ) -> bool {
        let cache_lens =
            [self.results.chains.len(), self.innermost_ends.len(), self.end_tag_reaches.len()];
        if cache_lens.into_iter().any(|len| len > MAX_CACHED_RESULTS) {
            (self.results.chains, self.innermost_ends, self.end_tag_reaches) = Default::default();
        }
        let bit = self.tag_bit(tag);
        if open.innermost_open(below).is_none_or(|index| open.inert_tags(index) & bit != 0) {
            return false;
        }
        let indices = open.innermost_chain(below, MAX_CHAIN_LEN);
        let mut may_end = false;
        let mut first_probed = indices.len();
        for &index in indices.iter().rev() {
            if open.inert_tags(index) & bit != 0 {
                break;
            }
            first_probed -= 1;
            let key = innermost_end_key(open, index, tag);
            may_end |= self.ends_innermost(key, open, &indices[..=first_probed], tag, parser);
        }
        if !may_end {
            indices[first_probed..].iter().for_each(|index| open.add_inert_tag(*index, bit));
        }
        may_end
    }

    /// Returns the bit of a tag in `OpenElement::inert_tags`. Only the first 64 tag names have one; for other names no
    /// negative result is stored, so their tags are probed each time.
    fn tag_bit(&mut self, tag: &ProbedTag<'_>) -> u64 {
        let key = tag.probe_name << 1 | u32::from(tag.is_end);
        let name = if tag.probe_name == TAG_NAME { &*tag.name } else { "" };
        let is_tag = |known: &(u32, Box<str>)| known.0 == key && *known.1 == *name;
        let tags = &mut self.inert_tags;
        let index = tags.iter().position(is_tag).unwrap_or_else(|| {
            if tags.len() < 64 {
                tags.push((key, name.into()));
                return tags.len() - 1;
            }
            64
        });
        1_u64.checked_shl(index as u32).unwrap_or(0)
    }

    /// Marks the elements below an index that end at the start tag `tag` inside the closed element with the name id
    /// `closed`.
    fn mark_ended_by_nested(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        closed: u8,
        tag: &ProbedTag<'_>,
        parser: MarkupParser,
    ) {
        if self.may_end_one(open, below, tag, parser) {
            let indices = open.innermost_chain(below, MAX_CHAIN_LEN);
            for ended in self.ended_in_chain(open, &indices, Some(closed), tag, parser) {
                open.mark_ended(ended, closed);
            }
        }
    }

    /// Whether a tag ends the last element of the chain `around` when nothing is open inside it. `key` is the key of the
    /// result.
    fn ends_innermost(
        &mut self,
        key: u64,
        open: &OpenElements,
        around: &[usize],
        tag: &ProbedTag<'_>,
        parser: MarkupParser,
    ) -> bool {
        if let Some(ends) = self.innermost_ends.get(&key) {
            return *ends;
        }
        let Some(&last) = around.last() else { return false };
        let ends = self.ended_in_chain(open, around, None, tag, parser).contains(&last);
        self.innermost_ends.insert(key, ends);
        ends
    }

    /// Returns those of `indices` whose elements a tag ends; the indices are a chain of elements around the closed element
    /// with the name id `inside`, if any.
    fn ended_in_chain(
        &mut self,
        open: &OpenElements,
        indices: &[usize],
        inside: Option<u8>,
        tag: &ProbedTag<'_>,
        parser: MarkupParser,
    ) -> Vec<usize> {
        self.begin_probe(open, indices, tag);
        let inside = inside.and_then(|id| open.names.get(id));
        self.probe.extend(inside.map(|(name, probe_name)| tag.probe_name_of(name, probe_name)));
        let chain_len = self.probe.len();
        self.probe.extend(tag.is_end.then_some(END_TAG));
        self.probe.push(tag.probe_name);
        let probe = || {
            let names: Vec<&str> =
                self.probe[..chain_len].iter().map(|name| parser.text(*name)).collect();
            let slash = if tag.is_end { "/" } else { "" };
            let tag = format!("{slash}{}", parser.text(tag.probe_name));
            seam::ended_by(&names, &tag, &|markup| parser.parse(markup))
        };
        find_or_insert(&mut self.results.chains, &self.probe, probe, |result| {
            let ended = indices.iter().zip(result).filter(|(_, is_ended)| **is_ended);
            ended.map(|(index, _)| *index).collect()
        })
    }
}

/// Returns the key in `ImpliedEnds::innermost_ends` of the element at `index` and a tag.
fn innermost_end_key(open: &OpenElements, index: usize, tag: &ProbedTag<'_>) -> u64 {
    let is_in_own_namespace = open.get(index).is_some_and(|open| open.namespace == Namespace::HTML);
    pair_key(
        open.probe_name(index, tag) << 1 | u32::from(is_in_own_namespace),
        tag.probe_name << 1 | u32::from(tag.is_end),
    )
}

/// Returns the key of the result for an element and a tag.
fn pair_key(element: ProbeName, tag: ProbeName) -> u64 {
    u64::from(element) << 32 | u64::from(tag)
}

/// Returns what `read` returns for the cached result of a probe, or for the result of `probe`, which is then cached.
fn find_or_insert<R, T>(
    results: &mut HashMap<ProbeKey, R>,
    key: &[ProbeName],
    probe: impl FnOnce() -> R,
    read: impl FnOnce(&R) -> T,
) -> T {
    match results.get(key) {
        Some(result) => read(result),
        None => read(results.entry(key.into()).or_insert(probe())),
    }
}
