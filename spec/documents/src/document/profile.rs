//! Parses profiles: data files next to the facts, each with the form, sections, glosses and errata of one document.

use super::rules;
use super::sentence::{self, Sentence};
use std::collections::BTreeMap;
use tabulex_language::Source;
use tabulex_language::model::CharacterSet;
use tabulex_language::syntax::{ItemBody, ParsedPattern};

/// Format of a document's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Plain text, as extracted from a web page.
    #[default]
    Text,
    /// HTML markup.
    Html,
    /// Markdown markup.
    Markdown,
}

/// A correction of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Erratum {
    /// Heading of the section to correct.
    pub place: String,
    /// The erroneous words of the document.
    pub instead_of: String,
    /// The words to read instead.
    pub read: String,
    /// The reason for the correction.
    pub reason: String,
}

/// Places of a gloss that are not names of algorithms. In this order, the gloss gives steps of the row or algorithm
/// around the sentence, the parameters of an algorithm, the action that performs the steps that follow, or the label of a
/// row.
pub(super) const PLACES: [&str; 4] = ["", "given", "begins", "label"];

/// Splits a gloss into its place, which is empty if the gloss names none, and the meaning after it.
pub fn split_place(gloss: &str) -> (&str, &str) {
    let is_place = |it: &str| it.chars().all(|one| matches!(one, 'a'..='z' | '-' | ' '));
    gloss.split_once(':').filter(|(place, _)| is_place(place)).unwrap_or(("", gloss))
}

/// Returns a message if a brace or quote in a gloss is not closed, or not opened.
pub fn unmatched_in_gloss(gloss: &str) -> Option<String> {
    rules::unmatched(gloss).map(|one| format!("`{one}` has no counterpart"))
}

/// The meaning of a sentence that occurs only once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gloss {
    /// Hash of the sentence.
    pub hash: u32,
    /// Place of the steps: empty for the row or algorithm around the sentence; the name of another algorithm;
    /// `algorithm` and a name, if the sentence introduces that algorithm; or `given`, `begins` or `label`.
    pub place: String,
    /// Meaning of the sentence: steps in the table language or, for some places, an action or a label.
    pub meaning: String,
    /// Whether the sentence occurs only in other versions of the document.
    pub is_of_other_date: bool,
}

/// Instructions for reading a document.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// ID of the dialect.
    pub dialect: String,
    /// Title of the document.
    pub title: String,
    /// Name of the document's file.
    pub file: String,
    /// Name of the file that lists named character references, if there is one.
    pub names: Option<String>,
    /// Format of the document's file.
    pub form: Form,
    /// Heading at which the states begin; empty for the whole document.
    pub from: String,
    /// Heading at which the states end.
    pub to: String,
    /// Hashes of paragraphs, each with the heading to be inserted before the paragraph.
    pub titles: Vec<(u32, String)>,
    /// Sections on tree construction: the headings at which they begin and end.
    pub sections: Vec<(String, String)>,
    /// Sections on input and output: the headings at which they begin and end.
    pub input: Vec<(String, String)>,
    /// Sections that are read for another dialect: the headings at which they begin and end.
    pub elsewhere: Vec<(String, String)>,
    /// File of the table, if it is not the dialect's own.
    pub table: Option<String>,
    /// Algorithms for sentences that rows cannot express, each named by the row's start tag, `-` and the mode.
    pub beside: Vec<String>,
    /// Declarations in the table language that the sections take for granted. A granted state without rows is one that
    /// the document uses but does not describe; it and the states reached only through it are not compared.
    pub granted: Vec<String>,
    /// The characters of the granted classes, by name.
    pub classes: BTreeMap<String, CharacterSet>,
    /// Hashes of remarks: of a sentence, or of `SECTION TITLE: sentence` for a remark only in that section.
    pub remarks: Vec<u32>,
    /// Those of `remarks` that occur only in the document of another date.
    pub remarks_of_other_date: Vec<u32>,
    /// Meanings of sentences that occur once.
    pub glosses: Vec<Gloss>,
    /// Corrections to apply before reading.
    pub errata: Vec<Erratum>,
}

impl Profile {
    /// Parses a profile, which consists of lines `word: value`; an erratum consists of four lines.
    ///
    /// # Errors
    ///
    /// Returns a message for the first invalid line, or for a sentence that is a remark and also has a gloss.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut profile = Self::default();
        let lines = text.lines().map(str::trim).enumerate();
        for (index, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("//")) {
            let (word, value) = line
                .split_once(": ")
                .ok_or_else(|| format!("expected `word: value`, found `{line}`"))?;
            let value = value.trim().to_owned();
            match word {
                "dialect" => profile.dialect = value,
                "title" => profile.title = value,
                "file" => profile.file = value,
                "names" => profile.names = Some(value),
                "form" => {
                    profile.form = match &value[..] {
                        "text" => Form::Text,
                        "html" => Form::Html,
                        "markdown" => Form::Markdown,
                        other => {
                            return Err(format!(
                                "unknown form `{other}`; use `text`, `html` or `markdown`"
                            ));
                        }
                    }
                }
                "from" => profile.from = value,
                "to" => profile.to = value,
                "table" => profile.table = Some(value),
                "sections" | "input" => {
                    let (from, to) = value
                        .split_once(" until ")
                        .ok_or_else(|| format!("missing `until` in `{value}`"))?;
                    let bounds = (from.to_owned(), to.to_owned());
                    match word {
                        "sections" => profile.sections.push(bounds),
                        _ => profile.input.push(bounds),
                    }
                }
                "remarks" | "remarks of another date" => {
                    for hash in value.split(' ') {
                        let hash = u32::from_str_radix(hash, 16)
                            .map_err(|_| format!("`{hash}` is not a hash"))?;
                        profile.remarks.push(hash);
                        if word != "remarks" {
                            profile.remarks_of_other_date.push(hash);
                        }
                    }
                }
                "gloss" | "gloss of another date" => {
                    let gloss = value.split_once(" = ").and_then(|(hash, meaning)| {
                        let hash = u32::from_str_radix(hash, 16).ok()?;
                        let (place, meaning) = split_place(meaning);
                        Some(Gloss {
                            hash,
                            place: place.to_owned(),
                            meaning: meaning.trim_start().to_owned(),
                            is_of_other_date: word != "gloss",
                        })
                    });
                    let message = || format!("`{word}` expects `hash = steps`, found `{value}`");
                    let gloss = gloss.ok_or_else(message)?;
                    if let Some(mistake) = unmatched_in_gloss(&gloss.meaning) {
                        return Err(format!("the gloss `{value}`: {mistake}"));
                    }
                    profile.glosses.push(gloss);
                }
                "heading" => {
                    let heading = value.split_once(' ').and_then(|(hash, title)| {
                        Some((u32::from_str_radix(hash, 16).ok()?, title.to_owned()))
                    });
                    let message = || format!("`{word}` expects `hash title`, found `{value}`");
                    profile.titles.push(heading.ok_or_else(message)?);
                }
                "beside" => profile.beside.push(value),
                "granted" => {
                    let message = |message| format!("line {}: {message}", index + 1);
                    profile.add_classes(&value).map_err(message)?;
                    profile.granted.push(value);
                }
                "erratum" => profile.errata.push(Erratum { place: value, ..Erratum::default() }),
                "instead of" | "read" | "why" => {
                    let erratum = profile
                        .errata
                        .last_mut()
                        .ok_or_else(|| format!("no `erratum` precedes `{line}`"))?;
                    match word {
                        "instead of" => erratum.instead_of = value,
                        "read" => erratum.read = value,
                        _ => erratum.reason = value,
                    }
                }
                other => return Err(format!("unknown keyword `{other}`")),
            }
        }
        match profile.glosses.iter().find(|gloss| profile.remarks.contains(&gloss.hash)) {
            Some(gloss) => {
                Err(format!("the sentence `{:08x}` is a remark and also has a gloss", gloss.hash))
            }
            None => Ok(profile),
        }
    }

    /// Parses a granted declaration and, if it is a class, adds the class.
    ///
    /// # Errors
    ///
    /// Returns a message if the declaration is malformed, or uses a class that is not granted before it.
    fn add_classes(&mut self, declaration: &str) -> Result<(), String> {
        let text = format!("machine! {{ {declaration} }}");
        let (table, diagnostics) = tabulex_language::parse::file(&text);
        if let Some(one) = diagnostics.first() {
            return Err(format!("`{declaration}`: {}", one.text(&Source::new("", &text))));
        }
        for item in table.map(|table| table.items).unwrap_or_default() {
            let (name, ItemBody::Class(patterns)) = (item.name, item.body) else { continue };
            let mut characters = CharacterSet::default();
            for pattern in patterns {
                match pattern.value {
                    ParsedPattern::Characters(first, last) => characters.insert(first, last),
                    ParsedPattern::Name(other) => {
                        let class = self.classes.get(&other).ok_or_else(|| {
                            format!("the class `{other}` is not granted before this line")
                        })?;
                        characters.insert_all(class);
                    }
                    _ => {}
                }
            }
            self.classes.insert(name.value, characters);
        }
        Ok(())
    }

    /// Returns the heading that is to be inserted before a paragraph, if any.
    pub(super) fn title_before(&self, paragraph: &str) -> Option<&str> {
        let hash = sentence::hash(paragraph);
        self.titles.iter().find(|(other, _)| *other == hash).map(|(_, title)| &title[..])
    }

    /// Whether the sentence has a gloss, in general or in its section.
    pub fn has_gloss(&self, sentence: &Sentence) -> bool {
        let hashes = sentence::hashes(&sentence.place, &sentence.words);
        self.glosses.iter().any(|gloss| hashes.contains(&gloss.hash))
    }

    /// Returns the profile with `elsewhere` set to the sections of its document that other profiles read.
    pub fn with_others(mut self, others: &[Self]) -> Self {
        let same_file = others.iter().filter(|other| other.file == self.file);
        let others = same_file.filter(|other| other.dialect != self.dialect);
        self.elsewhere = others.flat_map(Self::bounds).collect();
        self
    }

    /// Returns the headings at which the sections begin and end. The first may be empty, for the start of the document.
    pub(super) fn bounds(&self) -> Vec<(String, String)> {
        // Without `from`, the whole document is read, unless the profile names sections on tree construction.
        let state_bounds = (!self.from.is_empty() || self.sections.is_empty())
            .then(|| (self.from.clone(), self.to.clone()));
        state_bounds.into_iter().chain(self.sections.iter().chain(&self.input).cloned()).collect()
    }

    /// Returns the headings at which the sections begin; none if the whole document is read.
    pub fn headings(&self) -> Vec<&str> {
        let sections = self.sections.iter().chain(&self.input).map(|(from, _)| &from[..]);
        std::iter::once(&self.from[..]).chain(sections).filter(|from| !from.is_empty()).collect()
    }

    /// Applies each erratum at its first match after the erratum's heading. Returns the text and the indices of the
    /// errata that matched.
    pub fn apply_errata(&self, text: &str) -> (String, Vec<usize>) {
        let mut text = text.to_owned();
        let mut applied = Vec::new();
        for (index, erratum) in self.errata.iter().enumerate() {
            let Some(place) = find_heading(&text, &erratum.place) else { continue };
            if let Some(found) = text[place..].find(&erratum.instead_of) {
                let at = place + found;
                text.replace_range(at..at + erratum.instead_of.len(), &erratum.read);
                applied.push(index);
            }
        }
        (text, applied)
    }
}

/// Returns the byte offset of a heading, which is on a separate line, possibly after a tag, a number or Markdown's `#`;
/// `None` if the text lacks the heading.
fn find_heading(text: &str, heading: &str) -> Option<usize> {
    let begins_line = |at: usize| {
        text[..at].ends_with(['\n', '>']) || at == 0 || text[..at].ends_with("> ") || {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            text[line..at]
                .trim()
                .chars()
                .all(|part| part.is_ascii_digit() || matches!(part, '.' | '#'))
        }
    };
    let ends_line = |at: usize| text[at + heading.len()..].starts_with(['\n', '<', '\r']);
    let mut offsets = text.match_indices(heading).map(|(at, _)| at);
    offsets.find(|&at| begins_line(at) && ends_line(at))
}
