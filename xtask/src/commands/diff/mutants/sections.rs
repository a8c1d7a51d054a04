//! Reads edited documents section by section: the facts of the edited section, read alone, replace those of the
//! original section in the facts of the whole document. If the facts of a section depend on other sections, the whole
//! document is read for each edit of the section.

use super::{DocumentSubject, HASHES, MEANING};
use crate::Failure;
use crate::commands::mutants::changes::Mutant;
use crate::commands::mutants::runner::EditOutcome;
use std::collections::{BTreeMap, BTreeSet};
use tabulex_documents::compare::Index;
use tabulex_documents::document::facts::{self, Facts};
use tabulex_documents::document::wording::HashedSentence;
use tabulex_documents::document::{Form, Profile, read};
use tabulex_language::syntax::{Item, Table};

/// A document divided into sections, so that many edits can be tried without reading the whole document each time.
pub(super) struct Sections<'s> {
    subject: &'s DocumentSubject<'s>,
    whole_facts: Facts,
    /// Indices of the declarations in the table of the whole facts, by the text of the declaration.
    items: BTreeMap<String, usize>,
    /// Error codes in the facts.
    codes: BTreeSet<String>,
    sections: Vec<Section>,
}

/// A range of the text that begins with a heading.
#[derive(Clone)]
struct Section {
    range: (usize, usize),
    /// Heading of the section if the profile names it, otherwise empty.
    heading: String,
    /// Texts before and after the section with which it is read alone: the headings that the profile names, and the
    /// sections that contribute to the same declarations.
    context: [String; 2],
    facts: SectionFacts,
    /// Declarations that another section also contributes.
    shared: BTreeSet<String>,
    /// Whether reading the section alone yields the facts that it contributes to the whole document.
    reads_alone: bool,
}

/// Facts of a section, or of the whole document.
#[derive(Clone, Default)]
struct SectionFacts {
    /// Number of unread sentences.
    unread: usize,
    /// Number of marks for errata and glosses that match nothing.
    stale: usize,
    /// Declarations, except error codes and the start state.
    items: Vec<String>,
    codes: BTreeSet<String>,
    /// Hashes of the sentences, in hexadecimal.
    sentence_hashes: Vec<String>,
}

impl<'s> Sections<'s> {
    /// Reads a document as a whole and section by section. Fails if [`SectionFacts`] finds another number of
    /// declarations in the facts than the parser.
    pub(super) fn new(subject: &'s DocumentSubject<'s>) -> Result<Self, Failure> {
        let (text, profile) = (subject.text, subject.profile);
        let written = facts::write(&read(text, profile), profile);
        let whole_facts = facts::parse(&written)?;
        let split_facts = SectionFacts::new(&written);
        // Error codes and the start state depend on all sections, so they are not among the items; the codes are
        // compared as a set, and the start state is ignored.
        let is_global = |item: &Item| matches!(item, Item::Errors(..) | Item::Start(..));
        let declarations =
            whole_facts.table.items.iter().enumerate().filter(|(_, item)| !is_global(item));
        let indices: Vec<usize> = declarations.map(|(at, _)| at).collect();
        if indices.len() != split_facts.items.len() {
            let (found, expected) = (split_facts.items.len(), indices.len());
            return Err(format!(
                "`{}`: found {found} declarations in the facts, but the parser finds {expected}",
                profile.file
            ));
        }
        let items: BTreeMap<String, usize> = split_facts.items.into_iter().zip(indices).collect();
        let mut sections = divide(text, &whole_facts, profile);
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for section in &mut sections {
            section.facts = section.read(text, None, profile);
            for item in &section.facts.items {
                *counts.entry(item.clone()).or_default() += 1;
            }
        }
        let differing: Vec<Vec<String>> =
            sections.iter().map(|section| section.differing_items(&items)).collect();
        for index in 0..sections.len() {
            merge_shared(index, &mut sections, &differing, (text, profile, &items));
        }
        let line = |offset: usize| text[..offset].matches('\n').count() + 1;
        // A section that is not recognized without the headings before it yields no sentences when read alone, so edits
        // of its sentences would not be noticed.
        for section in &mut sections {
            let lines = line(section.range.0)..line(section.range.1);
            let mut sentences = whole_facts.wording.iter().filter(|one| lines.contains(&one.line));
            let hashes: BTreeSet<&str> =
                section.facts.sentence_hashes.iter().map(String::as_str).collect();
            section.reads_alone &=
                sentences.all(|one| hashes.contains(&format!("{:08x}", one.hash)[..]));
        }
        for section in &mut sections {
            let shared = section.facts.items.iter().filter(|item| counts[*item] > 1);
            section.shared = shared.cloned().collect();
        }
        Ok(Self { subject, whole_facts, items, codes: split_facts.codes, sections })
    }

    /// Returns the number of sections, and the number of those that can be read alone.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.sections.len(), self.sections.iter().filter(|section| section.reads_alone).count())
    }

    /// Returns, for each section that is read, its first and last line with a sentence.
    pub(super) fn line_ranges(&self) -> Vec<(usize, usize)> {
        let (facts, profile) = (&self.whole_facts, self.subject.profile);
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        let mut last_place = String::new();
        for HashedSentence { place, line, hash: _ } in &facts.wording {
            let begins_section = *place != last_place && profile.headings().contains(&&place[..]);
            match ranges.last_mut().filter(|_| !begins_section) {
                Some((_, end)) => *end = *line,
                None => ranges.push((*line, *line)),
            }
            last_place.clone_from(place);
        }
        ranges
    }

    /// Returns the outcome of an edit: which detector notices it, if any.
    pub(super) fn outcome(&self, edit: &Mutant) -> EditOutcome {
        let (begin, end) = edit.range;
        let contains_edit = |section: &&Section| section.range.0 <= begin && end <= section.range.1;
        let Some(section) =
            self.sections.iter().find(contains_edit).filter(|section| section.reads_alone)
        else {
            return self.outcome_of_whole(edit);
        };
        let after = section.read(self.subject.text, Some(edit), self.subject.profile);
        let before = &section.facts;
        if after.unread > 0 || after.stale > before.stale {
            return EditOutcome::noticed_if(true, MEANING);
        }
        let removed = section.no_longer_contributed(&after.items);
        let new: Vec<&String> =
            after.items.iter().filter(|item| !before.items.contains(item)).collect();
        let codes: Vec<&String> = after.codes.difference(&self.codes).collect();
        if removed.is_empty() && new.is_empty() && codes.is_empty() {
            return EditOutcome::noticed_if(
                after.sentence_hashes != before.sentence_hashes,
                HASHES,
            );
        }
        let Some(table) = self.splice(&removed, &new, &codes) else {
            return EditOutcome::noticed_if(true, MEANING);
        };
        let names: BTreeSet<&str> =
            removed.iter().chain(&new).flat_map(|item| declared_names(item)).collect();
        let facts_index = Index::new(&table);
        match self.subject.reports_any_of(&facts_index, &names)
            || self.subject.reports(&facts_index)
        {
            true => EditOutcome::noticed_if(true, MEANING),
            false => EditOutcome::noticed_if(true, HASHES),
        }
    }

    /// Returns the table of the whole facts with some declarations replaced, or `None` if the new ones are invalid.
    fn splice(&self, removed: &[&String], new: &[&String], codes: &[&String]) -> Option<Table> {
        let mut items = self.whole_facts.table.items.clone();
        let mut indices: Vec<usize> =
            removed.iter().filter_map(|item| self.items.get(*item)).copied().collect();
        let insertion_index = indices.first().copied().unwrap_or(items.len());
        indices.sort_unstable();
        let new: Vec<&str> = new
            .iter()
            .filter(|item| !self.items.contains_key(**item))
            .map(|item| &item[..])
            .collect();
        let code_declarations: Vec<String> =
            codes.iter().map(|code| format!("errors {code};")).collect();
        let new_items =
            format!("machine! {{\n{}\n{}\n}}", new.join("\n"), code_declarations.join("\n"));
        let new_items = tabulex_language::parse::file(&new_items).0?.items;
        items.splice(insertion_index..insertion_index, new_items);
        let shift = items.len() - self.whole_facts.table.items.len();
        for index in indices.into_iter().rev() {
            items.remove(if index >= insertion_index { index + shift } else { index });
        }
        Some(Table { items })
    }

    /// Returns the outcome of an edit after reading the whole edited document.
    fn outcome_of_whole(&self, edit: &Mutant) -> EditOutcome {
        let (subject, profile) = (self.subject, self.subject.profile);
        let written = facts::write(&read(&edit.apply(subject.text), profile), profile);
        let after = SectionFacts::new(&written);
        if after.unread > 0 || after.stale > 0 {
            return EditOutcome::noticed_if(true, MEANING);
        }
        let Ok(facts) = facts::parse(&written) else {
            return EditOutcome::noticed_if(true, MEANING);
        };
        let has_same_declarations = after.codes == self.codes
            && after.items.len() == self.items.len()
            && after.items.iter().all(|item| self.items.contains_key(item));
        if !has_same_declarations && subject.reports(&Index::new(&facts.table)) {
            return EditOutcome::noticed_if(true, MEANING);
        }
        let hashes = |facts: &Facts| {
            let sentences_and_layout = facts.wording.iter().chain(&facts.layout);
            sentences_and_layout.map(|one| one.hash).collect::<Vec<_>>()
        };
        EditOutcome::noticed_if(hashes(&facts) != hashes(&self.whole_facts), HASHES)
    }
}

impl Section {
    /// Applies the edit, if any, and reads the section with its context, but without the rest of the document.
    fn read(&self, text: &str, edit: Option<&Mutant>, profile: &Profile) -> SectionFacts {
        let (begin, end) = self.range;
        let edited = match edit {
            Some(edit) => {
                let (from, to) = edit.range;
                [&text[begin..from], &edit.with[..], &text[to..end]].concat()
            }
            None => text[begin..end].to_owned(),
        };
        let text = [&self.context[0][..], &edited, &self.context[1]].concat();
        SectionFacts::new(&facts::write(&read(&text, profile), profile))
    }

    /// Returns the first line of each declaration that the section yields alone but not as part of the whole document.
    fn differing_items(&self, items: &BTreeMap<String, usize>) -> Vec<String> {
        let separate = self.facts.items.iter().filter(|item| !items.contains_key(*item));
        separate.map(|item| item.lines().next().unwrap_or_default().to_owned()).collect()
    }

    /// Returns the section's declarations that are neither in `now` nor contributed by another section.
    fn no_longer_contributed(&self, now: &[String]) -> Vec<&String> {
        let items = self.facts.items.iter();
        items.filter(|item| !now.contains(item) && !self.shared.contains(*item)).collect()
    }
}

impl SectionFacts {
    /// Collects the declarations, error codes, hashes and counts in a facts file.
    fn new(text: &str) -> Self {
        let mut facts = Self::default();
        let (mut open_item, mut depth): (Option<String>, usize) = (None, 0);
        for line in text.lines() {
            if let Some(mark) = line.strip_prefix("//@ ") {
                facts.unread += usize::from(mark.starts_with("unread "));
                facts.stale += usize::from(mark.starts_with("stale erratum "));
                // The words that end with a colon are line numbers, which edits may change.
                let words = mark.strip_prefix("words ").into_iter();
                let words = words.flat_map(|words| words.split(' '));
                facts
                    .sentence_hashes
                    .extend(words.filter(|word| !word.ends_with(':')).map(str::to_owned));
            }
            let line = line.split("//@ ").next().unwrap_or(line).trim_end();
            if line.is_empty() || line.starts_with("//") || !line.starts_with("    ") {
                continue;
            }
            match &mut open_item {
                Some(item) => {
                    *item += "\n";
                    *item += line;
                    // Braces are counted, because a procedure's states have the same indentation as the procedure.
                    depth += usize::from(line.ends_with('{'));
                    depth -= usize::from(line.trim_start() == "}");
                    if depth == 0 {
                        facts.items.extend(open_item.take());
                    }
                }
                None if line.starts_with("    errors ") && !line.contains(" by ") => {
                    let codes = line.trim_end_matches(';').split([' ', ',']).skip(5);
                    let codes = codes.filter(|code| !code.is_empty());
                    facts.codes.extend(codes.map(str::to_owned));
                }
                // The start state is ignored: read alone, each section would start with its own first state.
                None if line.starts_with("    start ") => {}
                None if line.ends_with('{') => (open_item, depth) = (Some(line.to_owned()), 1),
                None => facts.items.push(line.to_owned()),
            }
        }
        facts
    }
}

/// If a section alone yields other declarations than the whole, tries to read it with the other sections that
/// contribute to these declarations.
fn merge_shared(
    index: usize,
    sections: &mut [Section],
    differing: &[Vec<String>],
    (text, profile, items): (&str, &Profile, &BTreeMap<String, usize>),
) {
    if differing[index].is_empty() && sections[index].facts.unread == 0 {
        sections[index].reads_alone = true;
        return;
    }
    let contributes =
        |other: usize| differing[other].iter().any(|head| differing[index].contains(head));
    let context_of = |range: std::ops::Range<usize>| {
        let texts = range.map(|other| {
            let Section { range: (begin, end), heading, .. } = &sections[other];
            if contributes(other) { &text[*begin..*end] } else { heading }
        });
        texts.collect::<String>()
    };
    let context = [context_of(0..index), context_of(index + 1..sections.len())];
    let mut section = Section { context, ..sections[index].clone() };
    section.facts = section.read(text, None, profile);
    section.reads_alone = section.differing_items(items).is_empty() && section.facts.unread == 0;
    if section.reads_alone {
        sections[index] = section;
    }
}

/// Returns the names of the states, modes and algorithms that a text declares.
fn declared_names(item: &str) -> impl Iterator<Item = &str> {
    const KEYWORDS: [&str; 4] = ["state", "lexical-mode", "mode", "algorithm"];
    item.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        KEYWORDS.contains(&words.next()?).then(|| words.next()).flatten()
    })
}

/// Divides a text into sections, which begin at headings with sentences and at headings that the profile names.
fn divide(text: &str, whole_facts: &Facts, profile: &Profile) -> Vec<Section> {
    let line_starts: Vec<usize> =
        [0].into_iter().chain(text.match_indices('\n').map(|(offset, _)| offset + 1)).collect();
    let mut section_starts: BTreeMap<usize, bool> = BTreeMap::new();
    let mut last_place = "";
    for sentence in &whole_facts.wording {
        if sentence.place != last_place {
            section_starts.insert(sentence.line, profile.is_bound(&sentence.place));
            last_place = &sentence.place;
        }
    }
    for (at, line) in text.lines().enumerate() {
        let heading = match profile.form {
            Form::Html => line.trim_start().starts_with("<h").then(|| without_tags(line)),
            Form::Text | Form::Markdown => Some(line.trim_matches(['#', ' ']).to_owned()),
        };
        if heading.is_some_and(|heading| profile.is_bound(heading.trim())) {
            section_starts.insert(at + 1, true);
        }
    }
    let section_starts: Vec<(usize, bool)> = section_starts
        .into_iter()
        .map(|(line, is_bound)| (line_starts[line - 1], is_bound))
        .collect();
    let headings: Vec<&str> = section_starts
        .iter()
        .map(
            |&(offset, is_bound)| {
                if is_bound { heading(&text[offset..], profile.form) } else { "" }
            },
        )
        .collect();
    let section_ends = section_starts.iter().skip(1).map(|&(offset, _)| offset).chain([text.len()]);
    let sections =
        section_starts.iter().zip(section_ends).enumerate().map(|(index, (&(begin, _), end))| {
            Section {
                range: (begin, end),
                heading: headings[index].to_owned(),
                context: [headings[..index].concat(), headings[index + 1..].concat()],
                facts: SectionFacts::default(),
                shared: BTreeSet::new(),
                reads_alone: false,
            }
        });
    sections.collect()
}

/// Returns the heading at the start of a text with its markup, or the paragraph that stands for a heading.
fn heading(text: &str, form: Form) -> &str {
    let line = text.split_inclusive('\n').next().unwrap_or(text);
    match form {
        Form::Html => {
            if text.trim_start().starts_with("<p>") {
                let ends = ["\n\n", "</p", "<div", "<ol", "<ul", "<dl"].into_iter();
                let end = ends.filter_map(|end| text.find(end)).min();
                return &text[..end.unwrap_or(line.len())];
            }
            let end = ["</h", "</dt"].iter().filter_map(|end| text.find(end)).min();
            let end = end.and_then(|end| Some(end + text[end..].find('>')? + 1));
            &text[..end.unwrap_or(line.len())]
        }
        Form::Text | Form::Markdown => line,
    }
}

fn without_tags(line: &str) -> String {
    let parts = line.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect()
}
