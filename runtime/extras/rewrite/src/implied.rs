//! Implied ends of elements: open elements that end at a tag other than their end tag, as determined by parsing probes
//! with the dialect's parser.

use crate::markup::{MarkupParser, ParserMode, RepresentativeId};
use crate::open::OpenElements;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use tabulex_core::tree::Namespace;
use tabulex_edit::seam;

/// Maximum number of innermost elements in a probe. Bounds the time per tag when every probe is different.
pub(crate) const MAX_CHAIN_LEN: usize = 16;

/// Maximum number of probe results per cache.
const MAX_CACHED_RESULTS: usize = 4096;

/// Maximum number of unused result sets in the process.
const MAX_POOLED: usize = 16;

/// Results of finished rewriters, so that later ones in the same mode need not repeat the probes.
static POOL: Mutex<Vec<(ParserMode, ProbeResults)>> = Mutex::new(Vec::new());

/// A cache of which tags end which elements, as found by probes.
#[derive(Debug)]
pub(crate) struct ImpliedEnds {
    mode: ParserMode,
    results: ProbeResults,
    /// Whether a tag ends an innermost element in this page. A key consists of the id of the element's name, whether
    /// the element is in the dialect's namespace, the id of the tag's name, and whether the tag is an end tag.
    innermost_ends: BTreeMap<(RepresentativeId, bool, RepresentativeId, bool), bool>,
    /// Whether the end tag of an outer element also ends an inner one in this page, by the ids of the names of the
    /// inner and the outer element.
    end_tag_reaches: BTreeMap<(RepresentativeId, RepresentativeId), bool>,
    /// Ids of tags by name key; ids below 64 have a bit in `OpenElement::inert_tags`.
    tag_ids: HashMap<u64, u32>,
}

/// Cached results of probes in one mode of the parser. Each key holds all names in the probe.
#[derive(Debug, Default)]
struct ProbeResults {
    /// For the names of a chain of elements and of a tag, whether the tag ends each element; for an [`EndTagQuestion`],
    /// the answer.
    chains: HashMap<String, Vec<bool>>,
    /// For the names of a chain of elements, of closed elements in it and of a tag, the names of implied elements,
    /// which have no tags.
    untagged: HashMap<String, Vec<String>>,
    /// For a name, whether elements with this name are reconstructed after their parents end.
    reconstructed: HashMap<String, bool>,
}

/// A question about an end tag, answered by a probe.
#[derive(Clone, Copy, Debug)]
pub(crate) enum EndTagQuestion {
    /// Whether the end tag belongs to an open element, even if the element stays open.
    HasElement,
    /// Whether the end tag ends no element and makes the parser ignore the next end tag of the same name too.
    SpendsNext,
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
            tag_ids: HashMap::new(),
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
            if is_in_own_namespace && index >= open.marked_len {
                let name = open.name(index);
                self.mark_ended_by(open, index, &name, parser);
            }
            let (children, nested) = open.take_closed(index);
            if !is_in_own_namespace {
                continue;
            }
            for name in children {
                self.mark_ended_by(open, index + 1, &name, parser);
            }
            for (name, inside) in nested {
                for tag in inside {
                    self.mark_ended_by_nested(open, index + 1, &name, &tag, parser);
                }
            }
        }
        open.marked_len = open.marked_len.max(below);
        open.first_unmarked_parent = open.first_unmarked_parent.max(below);
    }

    /// Marks those elements below the index `below` that end at the start tag `name`.
    fn mark_ended_by(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        name: &str,
        parser: MarkupParser,
    ) {
        for ended in self.elements_ended_by(open, below, name, parser) {
            open.mark_ended(ended, name);
        }
    }

    /// Whether the chain that [`elements_ended_by`](Self::elements_ended_by) probes includes all open elements or, with
    /// `element`, at least the one at that index and those inside it.
    pub(crate) fn chain_covers(&self, open: &mut OpenElements, element: Option<usize>) -> bool {
        let indices = open.innermost_chain(open.len(), MAX_CHAIN_LEN);
        indices.len() < MAX_CHAIN_LEN || element.is_none_or(|element| indices[0] <= element)
    }

    /// Whether an end tag named like the element at `index` ends it and every element inside. False if one of them is
    /// foreign, or if the element itself has already ended at a start tag.
    ///
    /// Results are cached by the names of the end tag and of one element inside.
    pub(crate) fn closes_from(
        &mut self,
        open: &mut OpenElements,
        index: usize,
        name: &str,
        parser: MarkupParser,
    ) -> bool {
        (index..open.len()).all(|inside| match open.get(inside) {
            Some(entry) if entry.namespace != Namespace::HTML => false,
            Some(entry) if entry.is_ended => inside != index,
            _ => inside == index || self.closes_inner(open, [index, inside], name, parser),
        })
    }

    /// Whether the end tag of the element at `index` also ends the one at `inside`.
    fn closes_inner(
        &mut self,
        open: &mut OpenElements,
        [index, inside]: [usize; 2],
        name: &str,
        parser: MarkupParser,
    ) -> bool {
        let end_tag = format!("/{name}");
        let pair =
            [inside, index].map(|index| Self::representative_id(open, index, &end_tag, parser));
        let pair = (pair[0], pair[1]);
        if let Some(closes) = self.end_tag_reaches.get(&pair) {
            return *closes;
        }
        let chain = open.innermost_chain(inside + 1, MAX_CHAIN_LEN);
        let ended = self.ended_in_chain(open, &chain, None, &end_tag, parser);
        let closes = ended.contains(&index) && ended.contains(&inside);
        self.end_tag_reaches.insert(pair, closes);
        closes
    }

    /// Returns the parser's answer to a yes-or-no question about an end tag `name` that follows the innermost open
    /// elements below the index `below`.
    pub(crate) fn ask_about_end_tag(
        &mut self,
        question: EndTagQuestion,
        open: &mut OpenElements,
        below: usize,
        name: &str,
        parser: MarkupParser,
    ) -> bool {
        let indices = open.innermost_chain(below, MAX_CHAIN_LEN);
        let (names, name) = Self::representatives(open, &indices, name, parser);
        let chain = format!("{}>{question:?}</{name}", names.join(" "));
        let result = self.results.chains.entry(chain).or_insert_with(|| {
            let names: Vec<&str> = names.iter().map(|name| &**name).collect();
            let probe = match question {
                EndTagQuestion::HasElement => seam::has_end_tag,
                EndTagQuestion::SpendsNext => seam::spends_end_tag,
            };
            vec![probe(&names, &name, &|markup| parser.parse(markup))]
        });
        result[0]
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

    /// Returns the names, innermost first, of the implied elements, which have no tags, among those open below the
    /// index `below`: with `tag`, those that this start tag ends in addition to the elements `ended`; without it, those
    /// inside the innermost element.
    pub(crate) fn untagged_elements(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        ended: &[usize],
        tag: Option<&str>,
        parser: MarkupParser,
    ) -> Vec<String> {
        let mut chain = open.innermost_chain(below, MAX_CHAIN_LEN);
        chain.extend_from_slice(ended);
        chain.sort_unstable();
        let Some(&last) = chain.last() else { return Vec::new() };
        let (names, name) = Self::representatives(open, &chain, tag.unwrap_or_default(), parser);
        let tag = tag.map(|_| &*name);
        let closed = open.last_closed(last, below);
        let closed = closed.iter().map(|closed| parser.representative(closed, &name));
        let closed: Vec<&str> = closed.collect();
        if self.results.untagged.len() > MAX_CACHED_RESULTS {
            self.results.untagged.clear();
        }
        let key = [&*names.join(" "), &*closed.join(" "), tag.unwrap_or_default()].join(">");
        let probe = || {
            let names: Vec<&str> = names.iter().map(|name| &**name).collect();
            seam::untagged_elements(&names, &closed, tag, &|markup| parser.parse(markup))
        };
        self.results.untagged.entry(key).or_insert_with(probe).clone()
    }

    /// Returns the indices, outermost first, of those elements below the index `below` that the tag `name` ends. For
    /// an end tag, `name` has a leading slash.
    ///
    /// Negative results are cached at the elements, so that each is probed once per tag name.
    pub(crate) fn elements_ended_by(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        name: &str,
        parser: MarkupParser,
    ) -> Vec<usize> {
        let cache_lens =
            [self.results.chains.len(), self.innermost_ends.len(), self.end_tag_reaches.len()];
        if cache_lens.into_iter().any(|len| len > MAX_CACHED_RESULTS) {
            (self.results.chains, self.innermost_ends, self.end_tag_reaches) = Default::default();
        }
        let key = OpenElements::name_key(name);
        let next_id = self.tag_ids.len() as u32;
        // Only the first 64 tag names have a bit; for other names no negative result is stored, so their tags are
        // probed each time.
        let bit = 1_u64.checked_shl(*self.tag_ids.entry(key).or_insert(next_id)).unwrap_or(0);
        if open.innermost_open(below).is_none_or(|index| open.inert_tags(index) & bit != 0) {
            return Vec::new();
        }
        let indices = open.innermost_chain(below, MAX_CHAIN_LEN);
        let mut is_candidate = false;
        let mut first_probed = indices.len();
        for &index in indices.iter().rev() {
            if open.inert_tags(index) & bit != 0 {
                break;
            }
            first_probed -= 1;
            is_candidate |= self.ends_innermost(open, &indices[..=first_probed], name, parser);
        }
        let mut ended = Vec::new();
        if is_candidate {
            ended = self.ended_in_chain(open, &indices, None, name, parser);
        }
        if ended.is_empty() {
            // If `is_candidate`, some element would end if it were innermost, and stays open only because of an element
            // inside it; the tag is then known to be inert only for the innermost element.
            let first_inert =
                if is_candidate { indices.len().saturating_sub(1) } else { first_probed };
            indices[first_inert..].iter().for_each(|index| open.add_inert_tag(*index, bit));
        }
        ended
    }

    /// Marks those elements below the index `below` that end at the start tag `name` inside the closed element
    /// `closed`.
    fn mark_ended_by_nested(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        closed: &str,
        name: &str,
        parser: MarkupParser,
    ) {
        let indices = open.innermost_chain(below, MAX_CHAIN_LEN);
        let mut chains = (0..indices.len()).map(|last| &indices[..=last]);
        if chains.any(|chain| self.ends_innermost(open, chain, name, parser)) {
            for ended in self.ended_in_chain(open, &indices, Some(closed), name, parser) {
                open.mark_ended(ended, closed);
            }
        }
    }

    /// Whether a tag ends the last element of the chain `around` when nothing is open inside it.
    fn ends_innermost(
        &mut self,
        open: &OpenElements,
        around: &[usize],
        name: &str,
        parser: MarkupParser,
    ) -> bool {
        let Some(&last) = around.last() else { return false };
        let is_in_own_namespace =
            open.get(last).is_some_and(|open| open.namespace == Namespace::HTML);
        let tag_name = name.trim_start_matches('/');
        let key = (
            Self::representative_id(open, last, name, parser),
            is_in_own_namespace,
            parser.representative_id(tag_name, tag_name),
            tag_name.len() < name.len(),
        );
        if let Some(ends) = self.innermost_ends.get(&key) {
            return *ends;
        }
        let ends = self.ended_in_chain(open, around, None, name, parser).contains(&last);
        self.innermost_ends.insert(key, ends);
        ends
    }

    /// Returns those of `indices` whose elements the tag `name` ends; the indices are a chain of elements around the
    /// closed element `inside`, if any.
    fn ended_in_chain(
        &mut self,
        open: &OpenElements,
        indices: &[usize],
        inside: Option<&str>,
        name: &str,
        parser: MarkupParser,
    ) -> Vec<usize> {
        let mut chain = String::new();
        for &index in indices {
            open.with_name(index, |element| chain += parser.representative(element, name));
            chain.push(' ');
        }
        if let Some(inside) = inside {
            chain += parser.representative(inside, name);
            chain.push(' ');
        }
        chain += &Self::tag_representative(name, parser);
        let result = self.results.chains.entry(chain).or_insert_with_key(|chain| {
            let mut names: Vec<&str> = chain.split(' ').collect();
            let tag = names.pop().unwrap_or_default();
            seam::ended_by(&names, tag, &|markup| parser.parse(markup))
        });
        indices
            .iter()
            .zip(result)
            .filter(|(_, is_ended)| **is_ended)
            .map(|(index, _)| *index)
            .collect()
    }

    /// Returns the representatives of the names of the elements at `indices` and of the tag.
    fn representatives<'t>(
        open: &OpenElements,
        indices: &[usize],
        tag: &'t str,
        parser: MarkupParser,
    ) -> (Vec<String>, Cow<'t, str>) {
        let representative = |name: &str| parser.representative(name, tag).to_owned();
        let name = |index: &usize| open.with_name(*index, representative);
        (indices.iter().map(name).collect(), Self::tag_representative(tag, parser))
    }

    /// Returns the representative of a tag's name, with the slash of an end tag.
    fn tag_representative<'t>(tag: &'t str, parser: MarkupParser) -> Cow<'t, str> {
        let name = tag.trim_start_matches('/');
        let representative = parser.representative(name, name);
        if representative == name {
            return Cow::Borrowed(tag);
        }
        Cow::Owned(tag[..tag.len() - name.len()].to_owned() + representative)
    }

    /// Returns the id of the representative of an element's name in a probe with `tag`.
    fn representative_id(
        open: &OpenElements,
        index: usize,
        tag: &str,
        parser: MarkupParser,
    ) -> RepresentativeId {
        open.with_name(index, |name| parser.representative_id(name, tag))
    }
}
