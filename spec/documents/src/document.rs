//! Reads documents: turns a standard's prose into states, rows and actions of the table language, which can be compared
//! with a table row by row. Each sentence is read, known to be a remark, or listed as unread.
//!
//! The pipeline: text → blocks (`plain`, `markdown`, `markup`) → sections → sentences → statements (`english`) → states
//! (`states`, `decisions`, `special`, `stated`) and modes (`modes`) → facts (`facts`). Tree construction that is
//! written as HTML lists has a separate pipeline (`trees`). Recurring sentences are read by rules (`rules`, the files
//! `*.rules`), sentences that occur once by the profile's glosses.

pub mod blocks;
mod characters;
mod decisions;
mod defects;
mod english;
pub mod facts;
mod input;
mod ledger;
mod markup;
mod modes;
mod names;
mod outline;
mod plain;
mod profile;
mod rules;
mod sections;
mod sentence;
mod special;
mod stated;
mod statement;
mod states;
mod steps;
mod surroundings;
mod tags;
mod trees;
pub mod wording;

pub use blocks::{Block, BlockKind};
pub use characters::disagreements;
pub use defects::{Defect, defects};
pub use english::mistake as mistake_in_gloss;
pub use ledger::Ledger;
pub use names::names;
pub use profile::{Erratum, Form, Gloss, Profile, split_place, unmatched_in_gloss};
pub(crate) use sentence::hash as fingerprint;
pub use sentence::{Read, Sentence};
use std::collections::{BTreeMap, BTreeSet};
pub use tags::table as table_of_reader;
use wording::HashedSentence;

/// The result of reading a document.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The start state, if the document names one.
    pub start: Option<String>,
    /// Declarations in the table language, each after its line in the document.
    pub declarations: Vec<(usize, String)>,
    /// The states in document order.
    pub states: Vec<DocumentState>,
    /// The modes of tree construction in document order.
    pub modes: Vec<DocumentState>,
    /// The algorithms in document order.
    pub algorithms: Vec<DocumentAlgorithm>,
    /// Codes in the document's list of parse errors; empty if it has no such list.
    pub listed_codes: Vec<String>,
    /// Descriptions of the named character references, by hash of the name and its characters.
    pub names: BTreeMap<u32, String>,
    /// Clauses of the declaration of encodings.
    pub encodings: Vec<String>,
    /// All sentences that the readers have considered, each with the outcome.
    pub sentences: Vec<Sentence>,
    /// Hashes of all sentences in the sections that the profile names, independent of the readers.
    pub wording: Vec<wording::HashedSentence>,
    /// Hashes of these sentences, alone and together with their sections.
    hashes: Vec<u32>,
    /// The sections that the profile names, each with the hash of its markup.
    pub layout: Vec<wording::HashedSentence>,
    /// The sections that no profile reads, each with the hash of its text.
    pub left_out: Vec<wording::HashedSentence>,
    /// Hash of the document's whole text.
    pub text: u32,
    /// Indices in the profile of the errata that were applied.
    pub applied: Vec<usize>,
    /// Names of states, each with the steps on entering the state.
    enters: Vec<(String, Vec<statement::RowStep>)>,
    /// Steps at the end of the input, in every state, if the document states them.
    at_end: Option<Vec<statement::RowStep>>,
    /// Names of classes that sentences use, but the profile does not grant. These sentences are unread.
    pub missing_classes: BTreeSet<String>,
    /// Title of the section being read; some glosses and remarks apply to a single section.
    current_section: String,
    /// The profile that directs the reading.
    profile: Profile,
    /// The variable of an algorithm that was set last; "no such byte" refers to it.
    variable: String,
    /// Declarations in the meanings of an algorithm's sentences, until they are added to `declarations`.
    gloss_declarations: Vec<String>,
    /// Lines of the rows of states that were dropped because none of their labels was read.
    unlabelled_rows: Vec<usize>,
}

/// A state, or a mode of tree construction, as the document describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentState {
    /// Name of the state or mode in kebab case.
    pub name: String,
    /// Number of the section, or its heading if it has no number.
    pub section: String,
    /// Line of the section's heading in the document.
    pub line: usize,
    /// Subject that the rows match, if it is not the next character.
    pub subject: Option<String>,
    /// For a lexical mode, the lexical token that is matched if no other one is.
    pub otherwise: Option<String>,
    /// Name of the procedure that contains the state, if there is one.
    pub procedure: Option<String>,
    /// Steps on entering the state, in the table language.
    pub enter: String,
    /// Steps on leaving the state, in the table language.
    pub leave: String,
    /// Rows of the state in document order.
    pub rows: Vec<DocumentRow>,
}

/// A row as the document describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentRow {
    /// Patterns of the row in the table language.
    pub patterns: String,
    /// Guard of the row in the table language, if it has one.
    pub guard: Option<String>,
    /// Steps of the row in the table language.
    pub steps: String,
    /// Line of the document where the row begins.
    pub line: usize,
    /// Whether the document breaks off at this row.
    pub is_gap: bool,
    /// Hashes of the row's sentences.
    pub hashes: Vec<u32>,
}

/// An algorithm as the document describes it.
#[derive(Clone, Debug, Default)]
pub struct DocumentAlgorithm {
    /// Name of the algorithm in kebab case.
    pub name: String,
    /// Number of the section, or its heading if it has no number.
    pub section: String,
    /// Line where the algorithm begins.
    pub line: usize,
    /// Top-level steps of the algorithm.
    pub steps: Vec<DocumentStep>,
}

/// A step of an algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentStep {
    /// Words of the step in the table language.
    pub words: String,
    /// Whether the step can contain steps.
    pub is_block: bool,
    /// The steps that the step contains, if it is a block.
    pub inner: Vec<DocumentStep>,
    /// Line and hash of the sentence, for the first of the steps that were read from it; `None` for the others.
    pub origin: Option<(usize, u32)>,
}

impl DocumentStep {
    /// Creates a step that cannot contain other steps.
    fn step(words: impl Into<String>) -> Self {
        Self { words: words.into(), ..Self::default() }
    }

    /// Creates a step that contains the steps `inner`.
    fn block(words: impl Into<String>, inner: Vec<Self>) -> Self {
        Self { words: words.into(), is_block: true, inner, origin: None }
    }

    /// Whether the words of the step, or of one inside it, satisfy `is_wanted`.
    fn contains(&self, is_wanted: &dyn Fn(&str) -> bool) -> bool {
        is_wanted(&self.words) || self.inner.iter().any(|step| step.contains(is_wanted))
    }
}

impl Reading {
    /// Iterates over the states, then the modes.
    fn states_and_modes(&self) -> impl Iterator<Item = &DocumentState> {
        self.states.iter().chain(&self.modes)
    }

    /// Returns the number of the current section, or its title if it has no number.
    fn section(&self) -> String {
        let title = &self.current_section[..];
        sections::split_number(title).0.unwrap_or(title).to_owned()
    }

    /// Whether the profile lists a sentence as a remark, in general or in the current section.
    fn is_remark(&self, words: &str) -> bool {
        let hashes = sentence::hashes(&self.current_section, words);
        hashes.iter().any(|hash| self.profile.remarks.contains(hash))
    }

    /// Whether a sentence of this text is a remark: part of a note, or listed as a remark in the profile.
    fn is_remark_in(&self, text: &outline::Text, words: &str) -> bool {
        text.is_note || self.is_remark(words)
    }

    /// Adds a sentence of this text to `sentences`: as a remark if it is one, else as read or unread.
    fn note_in(&mut self, text: &outline::Text, words: &str, is_read: bool) {
        let outcome = match self.is_remark_in(text, words) {
            true => Read::Remark,
            false if is_read => Read::Asks,
            false => Read::Unread,
        };
        self.note(words, text.line, outcome);
    }

    /// Returns the meanings of a list's items, by glosses or by rules of the category. Other items are remarks or
    /// unread.
    fn read_items(
        &mut self,
        entries: &[outline::ListEntry],
        rules: &rules::Rules,
        category: &str,
    ) -> Vec<String> {
        let mut items = Vec::new();
        for text in entries.iter().flat_map(outline::ListEntry::cells) {
            let words = &text.words;
            let item = self.meaning_of(rules, category, words);
            let item = item.filter(|_| !self.is_remark_in(text, words));
            self.note_in(text, words, item.is_some());
            items.extend(item);
        }
        items
    }

    /// Adds a sentence of the current section to `sentences`, with the outcome of reading it.
    fn note(&mut self, words: &str, line: usize, read: Read) {
        let (place, hash) = (self.current_section.clone(), sentence::hash(words));
        self.sentences.push(Sentence { place, line, hash, read, words: words.to_owned() });
    }

    /// Returns the gloss of a sentence, if there is one with a place that satisfies `is_place`. A gloss for the current
    /// section has priority.
    fn gloss(&self, words: &str, is_place: impl Fn(&str) -> bool) -> Option<&Gloss> {
        let mut hashes = sentence::hashes(&self.current_section, words).into_iter();
        hashes.find_map(|hash| {
            let mut glosses = self.profile.glosses.iter();
            glosses.find(|gloss| gloss.hash == hash && is_place(&gloss.place))
        })
    }

    /// Returns the meaning of a text in the table language, by its gloss or by a rule of the category; `None` if it has
    /// neither.
    fn meaning_of(&self, rules: &rules::Rules, category: &str, words: &str) -> Option<String> {
        match self.gloss(words, str::is_empty) {
            Some(gloss) => Some(gloss.meaning.clone()),
            None => rules.read(category, words),
        }
    }

    /// If a gloss assigns a sentence to an algorithm that is described elsewhere, returns the algorithm's name and the
    /// steps that the sentence adds to it.
    fn algorithm_steps(&self, words: &str, line: usize) -> Option<(String, Vec<DocumentStep>)> {
        let gloss =
            self.gloss(words, |place| !profile::PLACES.contains(&place) && !place.contains(' '))?;
        Some((gloss.place.clone(), with_origin(rules::parse_steps(&gloss.meaning), line, words)))
    }

    /// Appends steps to an algorithm, or puts them into its last step if that is a block without steps.
    fn record_steps(
        &mut self,
        (name, section, line): (String, String, usize),
        steps: Vec<DocumentStep>,
    ) {
        let at = self.algorithms.iter().position(|one| one.name == name).unwrap_or_else(|| {
            self.algorithms.push(DocumentAlgorithm { name, section, line, steps: Vec::new() });
            self.algorithms.len() - 1
        });
        append_steps(&mut self.algorithms[at].steps, steps);
    }
}

/// Appends steps to others, or puts them into the last of these if that is a block without steps.
fn append_steps(steps: &mut Vec<DocumentStep>, more: Vec<DocumentStep>) {
    match steps.last_mut().filter(|last| last.is_block && last.inner.is_empty()) {
        Some(last) => last.inner = more,
        None => steps.extend(more),
    }
}

/// Attaches the line and the hash of a sentence to the first of its steps.
fn with_origin(mut steps: Vec<DocumentStep>, line: usize, words: &str) -> Vec<DocumentStep> {
    if let Some(first) = steps.first_mut() {
        first.origin = Some((line, sentence::hash(words)));
    }
    steps
}

/// Reads a document as its profile directs.
pub fn read(text: &str, profile: &Profile) -> Reading {
    let all_passages = wording::all_passages(text, profile);
    let passages = wording::passages(&all_passages, profile);
    let hashed_sentences = wording::sentences(&passages);
    let mut reading = Reading {
        text: sentence::hash(text),
        wording: hashed_sentences.iter().map(|(one, _)| one.clone()).collect(),
        hashes: hashed_sentences
            .iter()
            .flat_map(|(one, words)| sentence::hashes(&one.place, words))
            .collect(),
        layout: wording::layout(&passages),
        left_out: wording::unread_sections(&all_passages, profile),
        profile: profile.clone(),
        ..Reading::default()
    };
    let (text, applied) = profile.apply_errata(text);
    let hashed_sentences = match applied.is_empty() {
        true => hashed_sentences,
        false => {
            let all_passages = wording::all_passages(&text, profile);
            wording::sentences(&wording::passages(&all_passages, profile))
        }
    };
    reading.applied = applied;
    if profile.form == Form::Html && profile.from.is_empty() && !profile.sections.is_empty() {
        trees::read(&text, &mut reading);
        mark_wrong_names(hashed_sentences, &mut reading);
        return reading;
    }
    let blocks = match profile.form {
        Form::Text => plain::blocks(&text),
        Form::Markdown => plain::markdown(&text),
        Form::Html => markup::blocks(&text),
    };
    let blocks = sections::insert_titles(blocks, profile);
    let sections = sections::divide(&blocks, &profile.from, &profile.to);
    states::read(&sections, &mut reading);
    if !profile.input.is_empty() {
        input::read(&text, &mut reading);
    }
    for (from, to) in &profile.sections {
        modes::read(&sections::divide(&blocks, from, to), &mut reading);
    }
    mark_wrong_names(hashed_sentences, &mut reading);
    reading
}

/// Marks as unread each sentence and label in which a character's name disagrees with its code point.
fn mark_wrong_names(hashed_sentences: Vec<(HashedSentence, String)>, reading: &mut Reading) {
    for (HashedSentence { place, line, hash }, words) in hashed_sentences {
        if !disagreements(&words).is_empty() {
            reading.sentences.retain(|other| (other.line, other.hash) != (line, hash));
            reading.current_section = place;
            reading.note(&words, line, Read::Unread);
        }
    }
}

/// Returns the meaning of a sentence in the table language, or `None` if no rule matches or the sentence has no action.
pub fn meaning(sentence: &str) -> Option<String> {
    use statement::Statement;
    match english::read(&Reading::default(), sentence, &mut english::Antecedent::default())? {
        Statement::Acts(steps) => Some(statement::steps_text(&steps)),
        Statement::If(asks, then) => {
            Some(statement::steps_text(&[statement::RowStep::When(asks, then, Vec::new())]))
        }
        _ => None,
    }
}

/// Returns the meaning of a sentence on tree construction in the table language, or `None` if no rule matches.
pub fn meaning_in_trees(sentence: &str) -> Option<String> {
    trees::meaning(sentence).or_else(|| meaning(sentence))
}
