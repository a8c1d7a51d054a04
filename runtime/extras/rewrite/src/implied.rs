//! Implied ends of elements: open elements that end at a tag other than their end tag, as determined by parsing probes
//! with the dialect's parser.

use crate::markup::{MarkupParser, ParserMode, ProbeName, ProbedTag, TAG_NAME};
use crate::names::{HASH_FACTOR, MAX_NAMES};
use crate::open::{MAX_CHAIN_DEPTH, MAX_CHAIN_LEN, OpenElements, UnmarkedTag};
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};
use tabulex_core::tree::Namespace;
use tabulex_edit::seam;

/// Maximum number of probe results per cache.
const MAX_CACHED_RESULTS: usize = 4096;

/// Maximum number of names in the key of a cached result. Only a tag that ends more elements at once than a chain has
/// exceeds it.
const MAX_CACHED_KEY: usize = 512;

/// Maximum length in bytes of a DOCTYPE whose effect is cached.
const MAX_CACHED_DOCTYPE: usize = 256;

/// Maximum number of unused result sets in the process.
const MAX_POOLED: usize = 16;

/// Results of finished rewriters, so that later ones in the same mode need not repeat the probes.
static POOL: Mutex<Vec<(ParserMode, ProbeResults)>> = Mutex::new(Vec::new());

/// A cache of which tags end which elements, as found by probes.
#[derive(Debug)]
pub(crate) struct ImpliedEnds {
    pub(crate) parser: MarkupParser,
    results: ProbeResults,
    /// For an innermost element and a tag, `None` if the tag ends the element somewhere in this page, otherwise a set of
    /// names, as bits of their ids: the tag is known not to end the element among elements of these names. A key consists
    /// of the element's name, whether the element is in the dialect's namespace, and the tag's key.
    innermost_ends: KeyMap<u64, Option<u128>>,
    /// Whether the end tag of an outer element also ends an inner one in this page, by the names of the inner and the
    /// outer element.
    end_tag_reaches: KeyMap<u64, bool>,
    /// The tags that have a bit in `OpenElement::inert_tags`, in the order of the bits: the key, and the name of a tag that
    /// the dialect does not know.
    inert_tags: Vec<(u32, Box<str>)>,
    /// For the ids of names, the bits of start tags in `OpenElement::inert_tags`, or 0 where not known yet.
    start_tag_bits: [u64; MAX_NAMES],
    /// For the ids of names, the names, as bits of their ids, of elements that are known to stay open at a start tag of the
    /// name if no other element is open.
    kept_open: [u128; MAX_NAMES],
    /// The names of the current probe, kept to reuse its capacity.
    probe: Vec<ProbeName>,
}

/// Cached results of probes in one mode of the parser. Each key holds all names in the probe.
#[derive(Debug, Default)]
struct ProbeResults {
    /// For the names of a chain of elements and of a tag, whether the tag ends each element; for a [`TagQuestion`],
    /// the answer.
    chains: KeyMap<ProbeKey, Vec<bool>>,
    /// For the names of a chain of elements, of closed elements in it and of a tag, the names of implied elements,
    /// which have no tags.
    untagged: KeyMap<ProbeKey, Vec<String>>,
    /// For a DOCTYPE, whether pages that begin with it are in quirks mode.
    quirks: HashMap<String, bool>,
}

/// The names in a probe, and constants between them.
type ProbeKey = Box<[ProbeName]>;

/// A map whose keys consist of probe names, which pages do not choose freely.
type KeyMap<K, V> = HashMap<K, V, BuildHasherDefault<KeyHasher>>;

/// A multiplicative hash.
#[derive(Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0.rotate_left(u64::BITS / 2)
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.write_u64(ProbeName::from_ne_bytes(*word).into()));
        rest.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = self.0.wrapping_add(word).wrapping_mul(HASH_FACTOR);
    }

    fn write_usize(&mut self, length: usize) {
        self.write_u64(length as u64);
    }
}

/// A constant in a probe's key that no probe name equals: the end of a list, or an end tag before its name.
const LIST_END: ProbeName = ProbeName::MAX;
const END_TAG: ProbeName = ProbeName::MAX - 1;

/// A yes-or-no question about a tag, answered by a probe.
pub(crate) struct TagQuestion {
    /// The constant that stands for the question in a probe's key.
    key: ProbeName,
    /// The probe, given the names of the open elements and of the tag.
    probe: fn(&[&str], &str, seam::Parse<'_>) -> bool,
}

impl TagQuestion {
    /// Whether the end tag belongs to an open element, even if the element stays open.
    pub(crate) const HAS_ELEMENT: Self = Self { key: ProbeName::MAX - 2, probe: seam::has_end_tag };
    /// Whether the end tag ends no element and makes the parser ignore the next end tag of the same name too.
    pub(crate) const SPENDS_NEXT: Self =
        Self { key: ProbeName::MAX - 3, probe: seam::spends_end_tag };
    /// Whether the start tag creates an element that is closed before the next token.
    pub(crate) const CLOSES_AT_ONCE: Self =
        Self { key: ProbeName::MAX - 4, probe: seam::is_closed_at_once };
    /// Whether the start tag creates an element, rather than being ignored.
    pub(crate) const CREATES_ELEMENT: Self =
        Self { key: ProbeName::MAX - 5, probe: seam::creates_element };
    /// Whether an element of the name is reconstructed if its parent ends before it does.
    pub(crate) const IS_RECONSTRUCTED: Self = Self {
        key: ProbeName::MAX - 6,
        probe: |_, name, parse| seam::is_reconstructed(name, parse),
    };
    /// Whether a parser may ignore the start tag: it does so outside all elements or in an element of the name.
    pub(crate) const MAY_BE_IGNORED: Self = Self {
        key: ProbeName::MAX - 7,
        probe: |_, name, parse| {
            !seam::creates_element(&[], name, parse) || !seam::creates_element(&[name], name, parse)
        },
    };
    /// Whether a parser ignores the start tag inside an element of the name, which it keeps open.
    pub(crate) const IS_IGNORED_IN_ITSELF: Self = Self {
        key: ProbeName::MAX - 8,
        probe: |_, name, parse| seam::is_ignored_in_itself(name, parse),
    };
}

impl Drop for ImpliedEnds {
    fn drop(&mut self) {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        if pool.len() == MAX_POOLED {
            pool.remove(0);
        }
        pool.push((self.parser.mode(), std::mem::take(&mut self.results)));
    }
}

impl ImpliedEnds {
    /// Creates the caches for a parser, filled with the results of a finished rewriter in its mode if the pool has any.
    pub(crate) fn new(parser: MarkupParser) -> Self {
        let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
        let index = pool.iter().position(|(pooled, _)| *pooled == parser.mode());
        let results = index.map(|index| pool.remove(index).1).unwrap_or_default();
        Self {
            parser,
            results,
            innermost_ends: KeyMap::default(),
            end_tag_reaches: KeyMap::default(),
            inert_tags: Vec::new(),
            start_tag_bits: [0; MAX_NAMES],
            kept_open: [0; MAX_NAMES],
            probe: Vec::new(),
        }
    }

    /// Marks those elements below the index `below` that ended at start tags of later elements, open or closed.
    pub(crate) fn mark_ended(&mut self, open: &mut OpenElements, below: usize) {
        for start in open.take_unmarked(below) {
            let around_len = open.count_around(start);
            let innermost = open.innermost_open(around_len);
            let known_bit =
                self.start_tag_bits.get(usize::from(start.name_id)).copied().unwrap_or(0);
            if innermost.is_none_or(|index| open.inert_tags(index) & known_bit != 0) {
                continue;
            }
            let Some((name, probe_name)) = open.names.get(start.name_id) else { continue };
            let tag = &self.parser.start_tag_of(name, probe_name);
            // Elements that the tag would not end without the closed elements around it do not end with them either.
            let mut ended = self.ranges_ended_by(open, around_len, tag);
            let bit = self.tag_bit(tag);
            self.start_tag_bits[usize::from(start.name_id)] = bit;
            if ended.is_empty() {
                continue;
            }
            let Some(closed) = open.closed_around(start, around_len, bit) else { continue };
            // Without repeated names few probes suffice, but the closed elements may themselves end some around them. With
            // all names they do not, as in the page.
            for is_distinct in [true, false] {
                let names = self.names_still_open(open, &closed, start, is_distinct);
                if names.is_empty() {
                    break;
                }
                let chain = open.innermost_chain(around_len, &tag.name);
                ended = self.ended_in_chain(open, &chain, &names, tag);
                if ended.is_empty() {
                    open.add_inert_tag_around(start, bit);
                }
                if ended.is_empty() || names.len() == closed.len() || closed.len() > MAX_CHAIN_LEN {
                    break;
                }
            }
            let ended = open.open_in(ended);
            open.mark_ended_at(&ended, start);
        }
    }

    /// Marks the elements that the start tag of the path added last may have ended although an element around them has their
    /// name, so that their end tags may belong to that element.
    pub(crate) fn mark_around_last_path(&mut self, open: &mut OpenElements) {
        let (last, id, names) = open.last_path();
        if self.kept_open.get(usize::from(id)).is_none_or(|kept_open| names & !kept_open == 0) {
            return;
        }
        // The names from the last element that the tag ends up to the current one.
        let mut names_inside = None;
        let around: Vec<u32> = open.paths_around(last).collect();
        for path in around.into_iter().rev() {
            let bit = 1_u128.checked_shl(open.path_name(path).into()).unwrap_or(0);
            if names & bit != 0 && self.ends_closed(open, path, last) {
                names_inside = Some(0);
            }
            if let Some(names_inside) = &mut names_inside {
                if *names_inside & bit == 0 && open.has_name_around(path) {
                    open.mark_may_have_ended(path);
                }
                *names_inside |= bit;
            }
        }
    }

    /// Whether the start tag with the path `inner` ends the element around it with the path `path`.
    fn ends_closed(&mut self, open: &OpenElements, path: u32, inner: u32) -> bool {
        let (id, inner_id) = (open.path_name(path), open.path_name(inner));
        let Some((name, probe_name)) = open.names.get(id) else { return false };
        let Some((inner_name, inner_probe_name)) = open.names.get(inner_id) else { return false };
        if self.kept_open[usize::from(inner_id)] >> id & 1 != 0 {
            return false;
        }
        let tag = self.parser.start_tag_of(inner_name, inner_probe_name);
        let mut ends = |between: Vec<u8>| {
            let between = between.into_iter().filter_map(|id| open.names.get(id));
            let names = std::iter::once((name, probe_name)).chain(between);
            self.probe.clear();
            self.probe.extend(names.map(|(name, probe_name)| tag.probe_name_of(name, probe_name)));
            self.read_ended(&tag, |result| result[0])
        };
        // Most tags would not end the element even if they were its children.
        let ends_parent = ends(Vec::new());
        let ends_around = ends_parent && ends(open.names_between(path, inner));
        self.kept_open[usize::from(inner_id)] |= u128::from(!ends_parent) << id;
        ends_around
    }

    /// Returns the name ids, outermost first, of the closed elements around a tag, except elements that a start tag inside
    /// them ended before the tag. `closed` has the paths of the closed elements, innermost first; if `is_distinct`, only the
    /// innermost of each name is taken.
    fn names_still_open(
        &mut self,
        open: &OpenElements,
        closed: &[u32],
        start: UnmarkedTag,
        is_distinct: bool,
    ) -> Vec<u8> {
        let mut names = Vec::new();
        for &path in closed {
            let id = open.path_name(path);
            if open.names.get(id).is_none() || is_distinct && names.contains(&id) {
                continue;
            }
            let is_ended =
                open.inside_before(path, start).any(|inner| self.ends_closed(open, path, inner));
            if !is_ended {
                names.push(id);
            }
        }
        names.reverse();
        names
    }

    /// Whether the element at `index` may have ended at the start tag of an element inside it, open or closed.
    pub(crate) fn may_have_ended(&mut self, open: &mut OpenElements, index: usize) -> bool {
        let Some(names) = open.unmarked_inside(index) else { return true };
        names.into_iter().any(|id| {
            let Some((name, probe_name)) = open.names.get(id) else { return false };
            let tag = self.parser.start_tag_of(name, probe_name);
            self.ends_innermost(open, index, &tag)
        })
    }

    /// Whether the end tag `tag` of the element at `index` ends it and every element inside. False if one of them is
    /// foreign, or if the element itself has already ended at a start tag.
    ///
    /// Results are cached by the names of the end tag and of one element inside. Far from the tag only one element of each
    /// name is considered, which bounds the time per tag.
    pub(crate) fn closes_from(
        &mut self,
        open: &mut OpenElements,
        index: usize,
        tag: &ProbedTag<'_>,
    ) -> bool {
        let mut indices = std::iter::once(index).chain(open.inside(index));
        indices.all(|inside| match open.get(inside) {
            Some(entry) if entry.namespace != Namespace::HTML => false,
            Some(entry) if entry.is_ended => inside != index,
            _ => inside == index || self.closes_inner(open, [index, inside], tag),
        })
    }

    /// Whether the end tag of the element at `index` also ends the one at `inside`.
    fn closes_inner(
        &mut self,
        open: &mut OpenElements,
        [index, inside]: [usize; 2],
        tag: &ProbedTag<'_>,
    ) -> bool {
        let pair = pair_key(open.probe_name(inside, tag), tag.probe_name);
        if let Some(closes) = self.end_tag_reaches.get(&pair) {
            return *closes;
        }
        let chain = open.innermost_chain(inside + 1, &tag.name);
        let ended = self.ended_in_chain(open, &chain, &[], tag);
        let closes = [index, inside].iter().all(|it| ended.iter().any(|range| range.contains(it)));
        *cache(&mut self.end_tag_reaches, pair, closes)
    }

    /// Returns the parser's answer to a question about a tag that follows the innermost open elements below the index
    /// `below`.
    pub(crate) fn ask(
        &mut self,
        question: TagQuestion,
        open: &mut OpenElements,
        below: usize,
        tag: &ProbedTag<'_>,
    ) -> bool {
        let chain = open.innermost_chain(below, &tag.name);
        self.begin_probe(open, &chain, tag);
        self.answer(question, tag)
    }

    /// Returns the parser's answer to a question about start tags called `name`, wherever they are.
    pub(crate) fn ask_about(&mut self, question: TagQuestion, name: &str) -> bool {
        self.probe.clear();
        self.answer(question, &self.parser.tag(name, false))
    }

    /// Returns the answer to a question about a tag after the elements of the begun probe.
    fn answer(&mut self, question: TagQuestion, tag: &ProbedTag<'_>) -> bool {
        let chain_len = self.probe.len();
        self.probe.extend([question.key, tag.probe_name]);
        let probe = || {
            let names: Vec<&str> =
                self.probe[..chain_len].iter().map(|name| self.parser.text(*name)).collect();
            let parse = |markup: &str| self.parser.parse(markup);
            vec![(question.probe)(&names, self.parser.text(tag.probe_name), &parse)]
        };
        find_or_insert(&mut self.results.chains, &self.probe, probe, |answer| answer[0])
    }

    /// Begins the key of a probe with the names of the elements at `indices`.
    fn begin_probe(&mut self, open: &OpenElements, indices: &[usize], tag: &ProbedTag<'_>) {
        self.probe.clear();
        self.probe.extend(indices.iter().map(|index| open.probe_name(*index, tag)));
    }

    /// Whether a page that begins with a DOCTYPE is in quirks mode.
    pub(crate) fn is_quirks_doctype(&mut self, doctype: &str) -> bool {
        let quirks = &mut self.results.quirks;
        if let Some(known) = quirks.get(doctype) {
            return *known;
        }
        let is_quirks = self.parser.is_quirks_doctype(doctype);
        if doctype.len() <= MAX_CACHED_DOCTYPE {
            cache(quirks, doctype.to_owned(), is_quirks);
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
    ) -> Vec<String> {
        let mut chain = open.innermost_chain(below, tag.map_or("", |tag| &tag.name));
        chain.extend_from_slice(ended);
        chain.sort_unstable();
        let Some(&last) = chain.last() else { return Vec::new() };
        let no_tag = &self.parser.tag("", false);
        self.begin_probe(open, &chain, tag.unwrap_or(no_tag));
        self.probe.push(LIST_END);
        let closed = open.last_closed(last, below).filter_map(|id| open.names.get(id));
        self.probe.extend(
            closed.map(|(name, probe_name)| tag.unwrap_or(no_tag).probe_name_of(name, probe_name)),
        );
        self.probe.push(LIST_END);
        self.probe.extend(tag.map(|tag| tag.probe_name));
        let probe = || {
            let mut lists = self.probe.split(|name| *name == LIST_END).map(|names| {
                names.iter().map(|name| self.parser.text(*name)).collect::<Vec<&str>>()
            });
            let [names, closed] = [(); 2].map(|()| lists.next().unwrap_or_default());
            let tag = tag.map(|tag| self.parser.text(tag.probe_name));
            seam::untagged_elements(&names, &closed, tag, &|markup| self.parser.parse(markup))
        };
        find_or_insert(&mut self.results.untagged, &self.probe, probe, Vec::clone)
    }

    /// Returns the indices, outermost first, of those elements below the index `below` that a tag ends.
    pub(crate) fn elements_ended_by(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        tag: &ProbedTag<'_>,
    ) -> Vec<usize> {
        let ended = self.ranges_ended_by(open, below, tag);
        open.open_in(ended)
    }

    /// Returns ranges of indices, outermost first, of elements below the index `below` that a tag ends. Some of the elements
    /// may have ended before.
    fn ranges_ended_by(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        tag: &ProbedTag<'_>,
    ) -> Vec<RangeInclusive<usize>> {
        if !self.may_end_one(open, below, tag) {
            return Vec::new();
        }
        let indices = open.innermost_chain(below, &tag.name);
        let ended = self.ended_in_chain(open, &indices, &[], tag);
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
    ) -> bool {
        let bit = self.tag_bit(tag);
        if open.innermost_open(below).is_none_or(|index| open.inert_tags(index) & bit != 0) {
            return false;
        }
        let (mut may_end, mut around) = (false, below);
        for _ in 0..MAX_CHAIN_DEPTH {
            let index = open.innermost_chained(around);
            let Some(index) = index.filter(|index| open.inert_tags(*index) & bit == 0) else {
                break;
            };
            may_end |= self.ends_innermost(open, index, tag);
            around = index;
        }
        let mut inside = below;
        while !may_end && inside > around {
            let Some(index) = open.innermost_chained(inside) else { break };
            open.add_inert_tag(index, bit);
            inside = index;
        }
        may_end
    }

    /// Returns the bit of a tag in `OpenElement::inert_tags`. Only the first 64 tag names have one; for other names no
    /// negative result is stored, so their tags are probed each time.
    fn tag_bit(&mut self, tag: &ProbedTag<'_>) -> u64 {
        let key = tag.key();
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

    /// Whether a tag ends the element at `index` when nothing is open inside it.
    fn ends_innermost(
        &mut self,
        open: &mut OpenElements,
        index: usize,
        tag: &ProbedTag<'_>,
    ) -> bool {
        let is_own = open.get(index).is_some_and(|open| open.namespace == Namespace::HTML);
        let key = pair_key(open.probe_name(index, tag) << 1 | u32::from(is_own), tag.key());
        let names = open.names_around(index);
        let known = match self.innermost_ends.get(&key) {
            None => 0,
            Some(None) => return true,
            Some(Some(known)) if names & !known == 0 => return false,
            Some(Some(known)) => *known,
        };
        let chain = open.innermost_chain(index + 1, &tag.name);
        let ended = self.ended_in_chain(open, &chain, &[], tag);
        let ends = ended.iter().any(|range| range.contains(&index));
        cache(&mut self.innermost_ends, key, Some(known | names).filter(|_| !ends));
        ends
    }

    /// Returns ranges that begin or end at those of `indices` whose elements a tag ends; the indices are a chain of elements
    /// around closed ones with the name ids `inside`, outermost first. Ranges take bounded time, however many elements a
    /// chain leaves out.
    fn ended_in_chain(
        &mut self,
        open: &OpenElements,
        indices: &[usize],
        inside: &[u8],
        tag: &ProbedTag<'_>,
    ) -> Vec<RangeInclusive<usize>> {
        self.begin_probe(open, indices, tag);
        let inside = inside.iter().filter_map(|id| open.names.get(*id));
        self.probe.extend(inside.map(|(name, probe_name)| tag.probe_name_of(name, probe_name)));
        self.read_ended(tag, |result| {
            let ended = indices.iter().enumerate().filter(|(at, _)| result[*at]);
            let ranges = ended.map(|(position, index)| {
                // Elements that are not in the chain ended if those around and inside them did.
                let is_after_ended = position > 0 && result[position - 1];
                if is_after_ended { indices[position - 1] + 1..=*index } else { *index..=*index }
            });
            ranges.collect()
        })
    }

    /// Determines, for each element of the begun probe, whether a tag after all of them ends it. Passes the answers to
    /// `read` and returns its result.
    fn read_ended<T>(&mut self, tag: &ProbedTag<'_>, read: impl FnOnce(&[bool]) -> T) -> T {
        let chain_len = self.probe.len();
        self.probe.extend(tag.is_end.then_some(END_TAG));
        self.probe.push(tag.probe_name);
        let probe = || {
            let names: Vec<&str> =
                self.probe[..chain_len].iter().map(|name| self.parser.text(*name)).collect();
            let slash = if tag.is_end { "/" } else { "" };
            let tag = format!("{slash}{}", self.parser.text(tag.probe_name));
            seam::ended_by(&names, &tag, &|markup| self.parser.parse(markup))
        };
        find_or_insert(&mut self.results.chains, &self.probe, probe, |result| read(result))
    }

    /// Whether a tag ends the element at `index` even after elements are renamed to the names that `new_name` returns, or
    /// lose their tags if the name is empty.
    pub(crate) fn ends_renamed<'n>(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        index: usize,
        tag: &ProbedTag<'_>,
        new_name: &dyn Fn(usize) -> Option<&'n str>,
    ) -> bool {
        self.probe.clear();
        let mut position = None;
        for inside in open.innermost_chain(below, &tag.name) {
            if inside == index {
                position = Some(self.probe.len());
            }
            match new_name(inside) {
                Some("") => {}
                Some(name) => self.probe.push(self.parser.probe_name(name, tag)),
                None => self.probe.push(open.probe_name(inside, tag)),
            }
        }
        position.is_some_and(|position| self.read_ended(tag, |result| result[position]))
    }

    /// Whether the end tag of an element called `name` also ends the elements called `inside` in it, innermost first.
    pub(crate) fn closes_inside(&mut self, name: &str, inside: &[String]) -> bool {
        if inside.len() > MAX_CHAIN_DEPTH
            || inside.iter().any(|inner| self.ask_about(TagQuestion::IS_RECONSTRUCTED, inner))
        {
            return false;
        }
        let tag = self.parser.tag(name, true);
        self.probe.clear();
        self.probe.push(tag.probe_name);
        self.probe.extend(inside.iter().rev().map(|inner| self.parser.probe_name(inner, &tag)));
        self.read_ended(&tag, |result| result.iter().all(|is_ended| *is_ended))
    }
}

/// Returns the key of the result for an element and a tag.
fn pair_key(element: u32, tag: u32) -> u64 {
    u64::from(element) << 32 | u64::from(tag)
}

/// Returns what `read` returns for the cached result of a probe, or for the result of `probe`, which is then cached unless
/// the key is long.
fn find_or_insert<R, T>(
    results: &mut KeyMap<ProbeKey, R>,
    key: &[ProbeName],
    probe: impl FnOnce() -> R,
    read: impl FnOnce(&R) -> T,
) -> T {
    match results.get(key) {
        Some(result) => read(result),
        None if key.len() > MAX_CACHED_KEY => read(&probe()),
        None => read(cache(results, key.into(), probe())),
    }
}

/// Caches the result of a probe, and returns it; a full cache is cleared first.
fn cache<K: Eq + Hash, R, S: BuildHasher>(
    results: &mut HashMap<K, R, S>,
    key: K,
    result: R,
) -> &mut R {
    if results.len() == MAX_CACHED_RESULTS {
        results.clear();
    }
    results.entry(key).insert_entry(result).into_mut()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::foreign::ForeignNames;
    use crate::open::ElementTraits;
    use tabulex::html::Html;

    #[test]
    fn ended_elements_that_a_chain_leaves_out_are_in_few_ranges() {
        let parser = MarkupParser::new::<Html>(false);
        let mut implied = ImpliedEnds::new(parser);
        let mut open = OpenElements::default();
        let names = [["li"].as_slice(), &["x-a"; 1000], &["p"]].concat();
        for name in &names {
            let name = open.names.intern::<Html>(name, true, ForeignNames::of::<Html>(), false);
            open.push(&name, &ElementTraits::plain(Namespace::HTML));
        }
        let tag = parser.tag("li", false);
        let ended = implied.ranges_ended_by(&mut open, names.len(), &tag);
        assert!(ended.len() <= MAX_CHAIN_DEPTH, "{ended:?}");
        assert!(open.open_in(ended).into_iter().eq(0..names.len()));
    }

    #[test]
    fn names_that_the_table_does_not_mention_share_results() {
        let parser = MarkupParser::new::<Html>(false);
        let mut implied = ImpliedEnds::new(parser);
        implied.results = ProbeResults::default();
        for (name, is_reconstructed, may_be_ignored) in
            [("x-a", false, false), ("x-b", false, false), ("b", true, false), ("td", false, true)]
        {
            let mut ask = |question| implied.ask_about(question, name);
            assert_eq!(ask(TagQuestion::IS_RECONSTRUCTED), is_reconstructed, "{name}");
            assert_eq!(ask(TagQuestion::MAY_BE_IGNORED), may_be_ignored, "{name}");
        }
        assert_eq!(implied.results.chains.len(), 2 * 3);
    }

    #[test]
    fn caches_are_bounded() {
        let mut results = HashMap::new();
        for number in 0..3 * MAX_CACHED_RESULTS {
            assert_eq!(*cache(&mut results, number, number + 1), number + 1);
            assert!(results.len() <= MAX_CACHED_RESULTS);
        }
        let mut results = KeyMap::default();
        for length in [MAX_CACHED_KEY, MAX_CACHED_KEY + 1] {
            let key = vec![TAG_NAME; length];
            assert_eq!(find_or_insert(&mut results, &key, || length, |it| *it), length);
            assert_eq!(results.len(), 1);
        }
    }
}
