//! Hashes the sentences and the markup of a document, to detect any change of words or tags between two copies. Every
//! sentence of the sections that a profile reads has a hash, also in labels, cells, notes and examples; the markup of
//! each section has one, which covers structure and links.

use super::blocks::{BlockKind, collapse_white_space};
use super::sections::{is_same_heading, title_before};
use super::tags::{self, Markup};
use super::{Form, Profile, plain, sentence};
use crate::common::{matched_pairs, unmatched_ranges};
use std::fmt::Write as _;

/// A sentence or section, identified by hash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HashedSentence {
    /// Heading above the sentence.
    pub place: String,
    /// Line of the paragraph, or of the section's first passage.
    pub line: usize,
    /// Hash of the sentence, or of a section's text or markup.
    pub hash: u32,
}

/// Formats the heading and the line.
impl std::fmt::Display for HashedSentence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let heading = match &self.place[..] {
            "" => "the text before the first heading",
            heading => heading,
        };
        write!(f, "{heading}, line {}", self.line)
    }
}

/// A paragraph, heading, label or other separate text.
#[derive(Clone)]
pub(super) struct Passage {
    /// Heading above the passage.
    place: String,
    is_heading: bool,
    text: String,
    line: usize,
    /// Tags since the preceding passage, with `#` for the text; in plain text, the kind and depth of the block.
    markup: String,
}

/// Returns all passages of a document, each with its heading.
pub(super) fn all_passages(text: &str, profile: &Profile) -> Vec<Passage> {
    let document_passages = match profile.form {
        Form::Html => html(text),
        Form::Text => block_passages(plain::blocks(text)),
        Form::Markdown => block_passages(plain::markdown(text)),
    };
    let mut passages: Vec<Passage> = Vec::new();
    for passage in document_passages {
        if let Some(text) = title_before(&passage.text, profile) {
            let markup = String::new();
            passages.push(Passage { is_heading: true, text, markup, ..passage.clone() });
        }
        passages.push(passage);
    }
    let mut heading = String::new();
    for passage in &mut passages {
        if passage.is_heading {
            heading.clone_from(&passage.text);
        }
        passage.place.clone_from(&heading);
    }
    passages
}

/// Returns the passages of the sections that the profile names.
pub(super) fn passages(all: &[Passage], profile: &Profile) -> Vec<Passage> {
    let bounds = profile.bounds();
    let indices = bounds.iter().flat_map(|(from, to)| section_range(all, from, to));
    indices.map(|at| all[at].clone()).collect()
}

/// Returns the indices of the passages from one heading up to another.
fn section_range(all: &[Passage], from: &str, to: &str) -> std::ops::Range<usize> {
    let is_bound = |passage: &Passage, bound: &str| {
        passage.is_heading && is_same_heading(&passage.text, bound)
    };
    let first = match from {
        "" => 0,
        from => all.iter().position(|one| is_bound(one, from)).unwrap_or(all.len()),
    };
    // The section's own heading is skipped, because the section may end at a later heading with the same text.
    let next_heading = all.iter().skip(first + 1).position(|one| is_bound(one, to));
    first..next_heading.map_or(all.len(), |end| first + 1 + end)
}

/// Returns the sections that no profile of the document reads, each with the hash of its text.
pub(super) fn unread_sections(all: &[Passage], profile: &Profile) -> Vec<HashedSentence> {
    let mut is_read = vec![false; all.len()];
    for (from, to) in profile.bounds().iter().chain(&profile.elsewhere) {
        is_read[section_range(all, from, to)].fill(true);
    }
    let is_numbered = |heading: &str| heading.starts_with(|one: char| one.is_ascii_digit());
    let are_numbered = profile.bounds().iter().any(|(from, _)| is_numbered(from));
    let mut sections: Vec<(HashedSentence, String)> = Vec::new();
    for passage in all.iter().zip(is_read).filter(|(_, is_read)| !is_read).map(|(one, _)| one) {
        // If sections are numbered, an unnumbered heading does not begin a section.
        let begins_section = !are_numbered || is_numbered(&passage.place);
        if sections.last().is_none_or(|(last, _)| begins_section && last.place != passage.place) {
            let (place, line) = (passage.place.clone(), passage.line);
            sections.push((HashedSentence { place, line, hash: 0 }, String::new()));
        }
        if let Some((_, words)) = sections.last_mut() {
            *words += &format!("{}\n", passage.text);
        }
    }
    let with_hash = |(section, words): (HashedSentence, String)| HashedSentence {
        hash: sentence::hash(&words),
        ..section
    };
    sections.into_iter().map(with_hash).collect()
}

/// Returns all sentences of passages, each with its text.
pub(super) fn sentences(passages: &[Passage]) -> Vec<(HashedSentence, String)> {
    let passage_sentences = |passage: &Passage| {
        let (place, line) = (passage.place.clone(), passage.line);
        let with_hash = move |words: String| {
            let (place, hash) = (place.clone(), sentence::hash(&words));
            (HashedSentence { place, line, hash }, words)
        };
        sentence::divide(&passage.text).into_iter().map(with_hash)
    };
    passages.iter().flat_map(passage_sentences).collect()
}

/// Returns the hash of each section's markup.
pub(super) fn layout(passages: &[Passage]) -> Vec<HashedSentence> {
    let sections = passages.chunk_by(|_, next| !next.is_heading);
    let section_hash = |section: &[Passage]| {
        let markup: Vec<&str> = section.iter().map(|passage| &passage.markup[..]).collect();
        let Passage { place, line, .. } = section.first()?;
        Some(HashedSentence {
            place: place.clone(),
            line: *line,
            hash: sentence::hash(&markup.join("\n")),
        })
    };
    sections.filter_map(section_hash).collect()
}

fn block_passages(blocks: Vec<super::Block>) -> Vec<Passage> {
    let to_passage = |block: super::Block| Passage {
        place: String::new(),
        is_heading: block.kind == BlockKind::Heading,
        markup: format!("{:?} {}", block.kind, block.depth),
        text: block.text,
        line: block.line,
    };
    blocks.into_iter().map(to_passage).collect()
}

/// Divides an HTML document into passages. Returns none if the document cannot be tokenized completely.
fn html(text: &str) -> Vec<Passage> {
    let mut reader = PassageReader { line: 1, ..PassageReader::default() };
    let is_complete = tags::read(text, |markup| reader.add(markup));
    reader.close();
    reader.end_section();
    if is_complete { reader.passages } else { Vec::new() }
}

/// A collector of passages from the tags and texts of an HTML document.
#[derive(Default)]
struct PassageReader {
    passages: Vec<Passage>,
    /// Text of the current passage so far.
    open: String,
    line: usize,
    is_heading: bool,
    markup: String,
}

impl PassageReader {
    fn add(&mut self, markup: Markup<'_>) {
        match markup {
            Markup::Text(text) => {
                if !text.trim().is_empty() && !self.markup.ends_with('#') {
                    self.markup.push('#');
                }
                self.open.push_str(text);
            }
            Markup::Start(tag, line, _) => {
                if !is_inline(&tag.name) {
                    self.close();
                    self.line = line;
                }
                let is_heading = matches!(&tag.name[..], "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
                if is_heading {
                    self.end_section();
                }
                // A passage that begins with a definition counts as a heading: it names a state.
                self.is_heading |= is_heading || tag.name == "dfn" && self.open.trim().is_empty();
                self.markup.push('<');
                self.markup.push_str(&tag.name);
                for attribute in &tag.attributes {
                    let _ = write!(self.markup, " {}={:?}", attribute.name, attribute.value);
                }
            }
            Markup::End(name) => {
                if !is_inline(name) {
                    self.close();
                }
                let _ = write!(self.markup, "</{name}");
            }
        }
    }

    /// Adds the tags since the last passage to that passage, so that they count for the section that ends.
    fn end_section(&mut self) {
        if let Some(last) = self.passages.last_mut() {
            last.markup += &std::mem::take(&mut self.markup);
        }
    }

    fn close(&mut self) {
        let text = collapse_white_space(&std::mem::take(&mut self.open));
        let is_heading = std::mem::take(&mut self.is_heading);
        if !text.is_empty() {
            let (place, markup) = (String::new(), std::mem::take(&mut self.markup));
            self.passages.push(Passage { place, is_heading, text, line: self.line, markup });
        }
    }
}

/// Whether an element with this name can be part of a sentence.
fn is_inline(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "i", "img",
        "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u",
        "var", "wbr",
    ];
    NAMES.contains(&name)
}

/// Formats sentences as lines of facts: a heading, and line numbers, each followed by the hashes of its sentences.
pub(super) fn format_lines(all: &[HashedSentence]) -> Vec<String> {
    let mut lines: Vec<(&str, usize, String)> = Vec::new();
    for HashedSentence { place, line, hash } in all {
        if lines.last().is_none_or(|(last, ..)| last != place) {
            lines.push((place, 0, String::new()));
        }
        if let Some((_, last, text)) = lines.last_mut() {
            if last != line {
                *last = *line;
                *text += &format!(" {line}:");
            }
            *text += &format!(" {hash:08x}");
        }
    }
    lines.into_iter().map(|(place, _, text)| format!("{place} |{text}")).collect()
}

/// Parses lines written by [`format_lines`].
pub(super) fn parse_lines(lines: &[String]) -> Vec<HashedSentence> {
    let mut sentences = Vec::new();
    for text_line in lines {
        let Some((place, rest)) = text_line.rsplit_once(" |") else { continue };
        let mut line = 0;
        for word in rest.split_whitespace() {
            match word.strip_suffix(':') {
                Some(number) => line = number.parse().unwrap_or_default(),
                None => sentences.push(HashedSentence {
                    place: place.to_owned(),
                    line,
                    hash: u32::from_str_radix(word, 16).unwrap_or_default(),
                }),
            }
        }
    }
    sentences
}

/// Returns the sentences of each list that are not in a longest common subsequence of the two lists.
pub fn difference(
    one: &[HashedSentence],
    other: &[HashedSentence],
) -> (Vec<HashedSentence>, Vec<HashedSentence>) {
    let lengths = (one.len(), other.len());
    let pairs = matched_pairs(lengths, |at, to| one[at].hash == other[to].hash);
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for [left, right] in unmatched_ranges(lengths, &pairs) {
        removed.extend_from_slice(&one[left]);
        added.extend_from_slice(&other[right]);
    }
    (removed, added)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "<h2 id=a>A</h2><p>One <a href=#b>link</a>.<dl><dt>Label<dd><p>What is done.<dt>Other<dd>\
        <ol><li>First.<li>Second.</ol></dl><p class=note>A note.<h2>B</h2><ul><li><code>x</code>.</ul>";

    fn read(text: &str) -> (Vec<HashedSentence>, Vec<u32>) {
        let profile = Profile { form: Form::Html, ..Profile::default() };
        let passages = passages(&all_passages(text, &profile), &profile);
        let hashes = sentences(&passages).into_iter().map(|(one, _)| one.hash).collect();
        (layout(&passages), hashes)
    }

    #[test]
    fn tags_affect_section_hashes_only() {
        let (whole, words) = read(DOCUMENT);
        assert_eq!(whole.iter().map(|one| &one.place[..]).collect::<Vec<_>>(), ["A", "B"]);
        let tags = DOCUMENT.match_indices('<').map(|(at, _)| at);
        let tags =
            tags.filter(|&at| !DOCUMENT[at..].trim_start_matches(['<', '/']).starts_with('h'));
        for at in tags {
            let end = at + DOCUMENT[at..].find('>').expect("a tag ends");
            let replacement_tags = ["<dd>", "<dt>", "<p class=note>", "<ol>", "<ul>", "</ul>"];
            let others = replacement_tags.into_iter().filter(|other| *other != &DOCUMENT[at..=end]);
            for other in others {
                let edited = format!("{}{other}{}", &DOCUMENT[..at], &DOCUMENT[end + 1..]);
                assert_ne!(read(&edited).0, whole, "{edited}");
            }
        }
        // The target of a link is part of the markup, but not of the words.
        let (other, same) = read(&DOCUMENT.replace("#b", "#c"));
        assert_eq!((other[0] != whole[0], other[1] == whole[1], same == words), (true, true, true));
    }
}
