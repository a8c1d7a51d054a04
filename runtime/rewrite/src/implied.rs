//! Open elements that end at a tag that is not their own end tag. What ends where is asked of the dialect's parser.

use crate::markup::Parser;
use crate::open::OpenElements;
use std::collections::HashMap;
use tabulex_core::tree::Namespace;
use tabulex_edit::seam;

/// Maximum number of innermost elements in a question to the parser. It bounds the time that tags take whose questions are all
/// different.
pub(crate) const MAX_CHAIN: usize = 16;

/// Maximum number of cached answers.
const MAX_CACHED_ANSWERS: usize = 4096;

/// Cached answers of the parser about which tags end which elements.
#[derive(Debug, Default)]
pub(crate) struct ImpliedEnds {
    /// Numbers of tags, each of which has a bit in [`Entry::ends_none`](crate::open::OpenElement::ends_none).
    bits: HashMap<u64, u32>,
    /// Whether a start tag of the second name ends an element of the first with nothing open inside.
    pairs: HashMap<(u64, bool, u64), bool>,
    /// Whether the end tag of an element of the second name ends an element of the first name inside.
    reached: HashMap<(u64, u64), bool>,
    /// Which elements end, by their names and that of the start tag.
    chains: HashMap<String, Vec<bool>>,
    /// Whether elements of a name are reconstructed after their parents end.
    opened_again: HashMap<String, bool>,
}

impl ImpliedEnds {
    /// Notes which elements have ended at the start tags of others below an index, also of others that are closed.
    pub(crate) fn mark_ended(&mut self, open: &mut OpenElements, below: usize, parser: Parser) {
        for index in open.marked.min(open.first_unmarked)..below {
            let is_own = open.get(index).is_some_and(|entry| entry.namespace == Namespace::HTML);
            if is_own && index >= open.marked {
                let name = open.name(index);
                self.end_at(open, index, &name, parser);
            }
            let (children, nested) = open.take_closed(index);
            if !is_own {
                continue;
            }
            for name in children {
                self.end_at(open, index + 1, &name, parser);
            }
            for (name, inside) in nested {
                for tag in inside {
                    self.end_inside(open, index + 1, &name, &tag, parser);
                }
            }
        }
        open.marked = open.marked.max(below);
        open.first_unmarked = open.first_unmarked.max(below);
    }

    /// Notes which elements below an index end at a start tag.
    fn end_at(&mut self, open: &mut OpenElements, below: usize, name: &str, parser: Parser) {
        for ended in self.ended(open, below, name, parser) {
            open.end(ended);
        }
    }

    /// Whether the elements that [`ended`](Self::ended) asks about are all that an end tag can end whose name an element at this
    /// index has, or none.
    pub(crate) fn covers(&self, open: &mut OpenElements, found: Option<usize>) -> bool {
        let indices = open.innermost(open.len(), MAX_CHAIN);
        indices.len() < MAX_CHAIN || found.is_none_or(|found| indices[0] <= found)
    }

    /// Whether an end tag ends the element at an index, whose name it has, and all elements inside: those that have not ended
    /// at a start tag and are the dialect's own.
    ///
    /// Answers are cached by the names of the end tag and of one element inside.
    pub(crate) fn reaches(
        &mut self,
        open: &mut OpenElements,
        index: usize,
        name: &str,
        parser: Parser,
    ) -> bool {
        (index..open.len()).all(|inside| match open.get(inside) {
            Some(entry) if entry.namespace != Namespace::HTML => false,
            Some(entry) if entry.is_ended => inside != index,
            _ => inside == index || self.reaches_through(open, [index, inside], name, parser),
        })
    }

    /// Whether the end tag of an element ends an element inside.
    fn reaches_through(
        &mut self,
        open: &mut OpenElements,
        [index, inside]: [usize; 2],
        name: &str,
        parser: Parser,
    ) -> bool {
        let end_tag = format!("/{name}");
        let pair = [inside, index].map(|index| Self::key(open, index, &end_tag, parser));
        let pair = (pair[0], pair[1]);
        if let Some(reaches) = self.reached.get(&pair) {
            return *reaches;
        }
        let around = open.innermost(inside + 1, MAX_CHAIN);
        let ended = self.ended_in_chain(open, &around, None, &end_tag, parser);
        let reaches = ended.contains(&index) && ended.contains(&inside);
        self.reached.insert(pair, reaches);
        reaches
    }

    /// Whether an end tag of this name is that of an element below an index, whether or not it ends it.
    pub(crate) fn has_end_tag(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        name: &str,
        parser: Parser,
    ) -> bool {
        let indices = open.innermost(below, MAX_CHAIN);
        let (names, name) = Self::representatives(open, &indices, name, parser);
        let chain = names.join(" ") + "></" + &name;
        let answer = self.chains.entry(chain).or_insert_with(|| {
            let names: Vec<&str> = names.iter().map(|name| &**name).collect();
            vec![seam::has_end_tag(&names, &name, &|markup| parser.parse(markup))]
        });
        answer[0]
    }

    /// Whether an element of this name is reconstructed if its parent ends before it.
    pub(crate) fn is_reconstructed(&mut self, name: &str, parser: Parser) -> bool {
        if let Some(known) = self.opened_again.get(name) {
            return *known;
        }
        if self.opened_again.len() > MAX_CACHED_ANSWERS {
            self.opened_again.clear();
        }
        let is_reconstructed = seam::is_reconstructed(name, &|markup| parser.parse(markup));
        self.opened_again.insert(name.to_owned(), is_reconstructed);
        is_reconstructed
    }

    /// Returns the indices of the innermost elements below an index that the tag `name` ends, outermost first: a start tag,
    /// or an end tag with a leading slash.
    ///
    /// Answers are cached at the elements, so that each is asked about once per name of a start tag inside.
    pub(crate) fn ended(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        name: &str,
        parser: Parser,
    ) -> Vec<usize> {
        let caches = [self.chains.len(), self.pairs.len(), self.reached.len()];
        if caches.into_iter().any(|answers| answers > MAX_CACHED_ANSWERS) {
            (self.chains, self.pairs, self.reached) = Default::default();
        }
        let key = OpenElements::key(name);
        let next = self.bits.len() as u32;
        // Names without a bit are asked about each time.
        let bit = 1_u64.checked_shl(*self.bits.entry(key).or_insert(next)).unwrap_or(0);
        if open.innermost_open(below).is_none_or(|index| open.ends_none(index) & bit != 0) {
            return Vec::new();
        }
        let indices = open.innermost(below, MAX_CHAIN);
        let mut is_candidate = false;
        let mut asked = indices.len();
        for &index in indices.iter().rev() {
            if open.ends_none(index) & bit != 0 {
                break;
            }
            asked -= 1;
            is_candidate |= self.ends_innermost(open, &indices[..=asked], name, parser);
        }
        let mut ended = Vec::new();
        if is_candidate {
            ended = self.ended_in_chain(open, &indices, None, name, parser);
        }
        if ended.is_empty() {
            // Something inside of a candidate keeps it open here.
            let known = if is_candidate { indices.len().saturating_sub(1) } else { asked };
            indices[known..].iter().for_each(|index| open.set_ends_none(*index, bit));
        }
        ended
    }

    /// Notes which elements below an index end at a start tag inside of a closed element.
    fn end_inside(
        &mut self,
        open: &mut OpenElements,
        below: usize,
        closed: &str,
        name: &str,
        parser: Parser,
    ) {
        let indices = open.innermost(below, MAX_CHAIN);
        let mut around = (0..indices.len()).map(|last| &indices[..=last]);
        if around.any(|around| self.ends_innermost(open, around, name, parser)) {
            for ended in self.ended_in_chain(open, &indices, Some(closed), name, parser) {
                open.end(ended);
            }
        }
    }

    /// Whether a tag ends the last of these elements with nothing open inside.
    fn ends_innermost(
        &mut self,
        open: &OpenElements,
        around: &[usize],
        name: &str,
        parser: Parser,
    ) -> bool {
        let Some(&last) = around.last() else { return false };
        let is_own = open.get(last).is_some_and(|open| open.namespace == Namespace::HTML);
        let tag = Self::tag(name, parser);
        let pair = (Self::key(open, last, name, parser), is_own, OpenElements::key(&tag));
        if let Some(ends) = self.pairs.get(&pair) {
            return *ends;
        }
        let ends = self.ended_in_chain(open, around, None, name, parser).contains(&last);
        self.pairs.insert(pair, ends);
        ends
    }

    /// Returns those of `indices`, a chain of elements around `inside`, whose elements the tag `name` ends.
    fn ended_in_chain(
        &mut self,
        open: &OpenElements,
        indices: &[usize],
        inside: Option<&str>,
        name: &str,
        parser: Parser,
    ) -> Vec<usize> {
        let (mut names, tag) = Self::representatives(open, indices, name, parser);
        names.extend(inside.map(|inside| parser.representative(inside, name).to_owned()));
        let chain = names.join(" ") + " " + &tag;
        let answer = self.chains.entry(chain).or_insert_with(|| {
            let names: Vec<&str> = names.iter().map(|name| &**name).collect();
            seam::ended_by(&names, &tag, &|markup| parser.parse(markup))
        });
        indices.iter().zip(answer).filter(|it| *it.1).map(|it| *it.0).collect()
    }

    /// Returns the representatives of the names of elements and of a tag.
    fn representatives(
        open: &OpenElements,
        indices: &[usize],
        tag: &str,
        parser: Parser,
    ) -> (Vec<String>, String) {
        let name = |index: &usize| parser.representative(&open.name(*index), tag).to_owned();
        (indices.iter().map(name).collect(), Self::tag(tag, parser))
    }

    /// Returns the representative of a tag's name, with its slash.
    fn tag(tag: &str, parser: Parser) -> String {
        let name = tag.trim_start_matches('/');
        let slash = &tag[..tag.len() - name.len()];
        slash.to_owned() + parser.representative(name, name)
    }

    /// Returns the key of the representative of an element's name beside a tag.
    fn key(open: &OpenElements, index: usize, tag: &str, parser: Parser) -> u64 {
        OpenElements::key(parser.representative(&open.name(index), tag))
    }
}
