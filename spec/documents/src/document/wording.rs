//! Every sentence of the sections that are read, by its hash, whatever any reader makes of it: text in brackets, labels,
//! cells, notes and examples as well. It reads none of them. Invariant: between the headings of a profile no text of the
//! document is without a hash, so that a copy of which one word is another is known to be another one.

use super::blocks::{Kind, collapsed};
use super::sections::is_same_heading;
use super::tags::{self, Lines};
use super::{Form, Profile, plain, sentence};
use tabulex_oracle::interpreter::{Control, Host, Token};

/// A sentence without its words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The heading that it is under.
    pub place: String,
    /// The line of its paragraph.
    pub line: usize,
    /// The hash of its words.
    pub hash: u32,
}

/// A paragraph, a heading, a label, or what else stands for itself.
struct Passage {
    is_heading: bool,
    text: String,
    line: usize,
}

/// All sentences of the sections that the profile names, with their words.
pub(super) fn sentences(text: &str, profile: &Profile) -> Vec<(Said, String)> {
    let passages = match profile.form {
        Form::Html => html(text),
        Form::Text => of_blocks(plain::blocks(text)),
        Form::Markdown => of_blocks(plain::markdown(text)),
    };
    let whole = (profile.from.clone(), profile.to.clone());
    // A profile that names sections alone reads nothing before them.
    let first = (!profile.from.is_empty() || profile.sections.is_empty()).then_some(whole);
    let mut all = Vec::new();
    for (from, to) in first.iter().chain(&profile.sections).chain(&profile.input) {
        let (mut is_inside, mut place) = (from.is_empty(), String::new());
        for Passage { is_heading, text, line } in &passages {
            if *is_heading {
                if !is_inside && is_same_heading(text, from) {
                    is_inside = true;
                } else if is_inside && is_same_heading(text, to) {
                    break;
                }
                place.clone_from(text);
            }
            if is_inside {
                let sentences = sentence::divide(text);
                all.extend(sentences.into_iter().map(|words| {
                    let hash = sentence::hash(&words);
                    (Said { place: place.clone(), line: *line, hash }, words)
                }));
            }
        }
    }
    all
}

fn of_blocks(blocks: Vec<super::Block>) -> Vec<Passage> {
    let passage = |block: super::Block| Passage {
        is_heading: block.kind == Kind::Heading,
        text: block.text,
        line: block.line,
    };
    blocks.into_iter().map(passage).collect()
}

/// The passages of an HTML document.
fn html(text: &str) -> Vec<Passage> {
    let mut reader = Reader { lines: Lines::new(text), line: 1, ..Reader::default() };
    let is_whole = tags::read(text, &mut reader);
    reader.close();
    if is_whole { reader.passages } else { Vec::new() }
}

#[derive(Default)]
struct Reader {
    lines: Lines,
    passages: Vec<Passage>,
    open: String,
    line: usize,
    is_heading: bool,
    skipped: Option<String>,
}

impl Host for Reader {
    fn token(&mut self, token: Token) -> Control {
        match token {
            Token::Text { text, .. } if self.skipped.is_none() => self.open.push_str(&text),
            Token::StartTag(tag) => {
                if tags::is_skipped(&tag.name) && self.skipped.is_none() {
                    self.skipped = Some(tag.name.clone());
                }
                if !is_within_a_sentence(&tag.name) {
                    self.close();
                    self.line = self.lines.of(&tag);
                }
                // The name of a state that a label defines is its heading.
                let is_heading = matches!(&tag.name[..], "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
                self.is_heading |= is_heading || tag.name == "dfn" && self.open.trim().is_empty();
            }
            Token::EndTag(tag) => {
                if self.skipped.as_deref() == Some(&tag.name[..]) {
                    self.skipped = None;
                }
                if !is_within_a_sentence(&tag.name) {
                    self.close();
                }
            }
            _ => {}
        }
        Control::Continue
    }
}

impl Reader {
    fn close(&mut self) {
        let text = collapsed(&std::mem::take(&mut self.open));
        let is_heading = std::mem::take(&mut self.is_heading);
        if !text.is_empty() {
            self.passages.push(Passage { is_heading, text, line: self.line });
        }
    }
}

/// Whether an element of this name lies in the text of a sentence.
fn is_within_a_sentence(name: &str) -> bool {
    matches!(
        name,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "cite"
            | "code"
            | "data"
            | "del"
            | "dfn"
            | "em"
            | "i"
            | "img"
            | "ins"
            | "kbd"
            | "mark"
            | "q"
            | "s"
            | "samp"
            | "small"
            | "span"
            | "strong"
            | "sub"
            | "sup"
            | "u"
            | "var"
            | "wbr"
    )
}

/// The sentences as lines of facts: for each heading its lines, each before the hashes of its sentences.
pub(super) fn written(all: &[Said]) -> Vec<String> {
    let mut lines: Vec<(&str, usize, String)> = Vec::new();
    for Said { place, line, hash } in all {
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

/// The sentences of such lines.
pub(super) fn parsed(lines: &[String]) -> Vec<Said> {
    let mut all = Vec::new();
    for whole in lines {
        let Some((place, rest)) = whole.rsplit_once(" |") else { continue };
        let mut line = 0;
        for word in rest.split_whitespace() {
            match word.strip_suffix(':') {
                Some(number) => line = number.parse().unwrap_or_default(),
                None => all.push(Said {
                    place: place.to_owned(),
                    line,
                    hash: u32::from_str_radix(word, 16).unwrap_or_default(),
                }),
            }
        }
    }
    all
}

/// The sentences of either text that the other one does not have there: of the first, and of the second.
pub fn apart<'s>(one: &'s [Said], other: &'s [Said]) -> (Vec<&'s Said>, Vec<&'s Said>) {
    let same = one.iter().zip(other).take_while(|(one, other)| one.hash == other.hash).count();
    let (one, other) = (&one[same..], &other[same..]);
    let ends = one.iter().rev().zip(other.iter().rev());
    let same = ends.take_while(|(one, other)| one.hash == other.hash).count();
    let (one, other) = (&one[..one.len() - same], &other[..other.len() - same]);
    let width = other.len() + 1;
    let mut most = vec![0u16; (one.len() + 1) * width];
    for at in (0..one.len()).rev() {
        for to in (0..other.len()).rev() {
            most[at * width + to] = match one[at].hash == other[to].hash {
                true => most[(at + 1) * width + to + 1].saturating_add(1),
                false => most[(at + 1) * width + to].max(most[at * width + to + 1]),
            };
        }
    }
    let (mut at, mut to, mut only) = (0, 0, (Vec::new(), Vec::new()));
    while at < one.len() || to < other.len() {
        if at < one.len() && to < other.len() && one[at].hash == other[to].hash {
            (at, to) = (at + 1, to + 1);
        } else if to == other.len()
            || at < one.len() && most[(at + 1) * width + to] >= most[at * width + to + 1]
        {
            only.0.push(&one[at]);
            at += 1;
        } else {
            only.1.push(&other[to]);
            to += 1;
        }
    }
    only
}
