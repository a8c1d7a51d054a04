//! The reader of documents: a standard's prose becomes states, rows and actions in the words of the table language, so
//! that it can be laid beside a table row by row. It judges nothing (`compare` does) and keeps no sentence: only its
//! place and its hash. Invariant: a sentence is read, is a remark, or is listed as unread; none is passed over.
//!
//! The way is: text → blocks (`plain`, `markdown`, `markup`) → sections → sentences → statements (`english`) → states
//! (`states`, `special`, `reference`) and modes (`modes`) → facts (`facts`). Tree construction in HTML's numbered steps and
//! switches goes its own way beside it (`trees`).

pub mod blocks;
mod characters;
mod defects;
mod english;
pub mod facts;
mod input;
mod ledger;
mod lexical;
mod markup;
mod modes;
mod names;
mod outline;
mod plain;
mod profile;
mod reference;
mod sections;
mod sentence;
mod special;
mod statement;
mod states;
mod surroundings;
mod tags;
mod trees;
pub mod wording;

pub use blocks::{Block, Kind};
pub use characters::disagreements;
pub use defects::{Defect, defects};
pub use ledger::Ledger;
pub use names::names;
pub use profile::{Erratum, Form, Profile};
pub(crate) use sentence::hash as fingerprint;
pub use sentence::{Read, Sentence};
pub use tags::table as table_of_reader;
use wording::Said;

/// A document as it was read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The state in which the machine starts, if the document says so.
    pub start: Option<String>,
    /// Declarations in the words of the table language, each with the line of the document.
    pub declarations: Vec<(usize, String)>,
    /// The states in the document's order.
    pub states: Vec<StateRead>,
    /// The modes of tree construction in the document's order.
    pub modes: Vec<ModeRead>,
    /// What the runtime supplies, in the document's order.
    pub algorithms: Vec<AlgorithmRead>,
    /// The codes of parse errors that the document lists; none if it has no such list.
    pub listed_codes: Vec<String>,
    /// The hashes of named character references, each with what it stands for.
    pub names: Vec<u32>,
    /// Clauses of the declaration of encodings.
    pub encodings: Vec<String>,
    /// Every sentence in its order.
    pub sentences: Vec<Sentence>,
    /// Every sentence of the sections again, whatever was made of it.
    pub wording: Vec<wording::Said>,
    /// Each section with the hash of its markup.
    pub layout: Vec<wording::Said>,
    /// Sections that nothing reads, each with the hash of its words.
    pub left_out: Vec<wording::Said>,
    /// The hash of the whole text.
    pub text: u32,
    /// Errata that were applied, by their index in the profile.
    pub applied: Vec<usize>,
    /// The hashes of sentences that the profile knows as remarks.
    remarks: Vec<u32>,
}

/// A state as the document describes it.
#[derive(Clone, Debug, Default)]
pub struct StateRead {
    /// Its name in kebab case.
    pub name: String,
    /// The number of its section, or its heading.
    pub section: String,
    /// The line of its heading.
    pub line: usize,
    /// What the rows look at, if that is not the next character.
    pub subject: Option<String>,
    /// The lexical token that is taken where no other one is, if it is a lexical mode.
    pub otherwise: Option<String>,
    /// The procedure that it is part of.
    pub procedure: Option<String>,
    /// What is done when it is entered.
    pub enter: String,
    /// What is done when it is left.
    pub leave: String,
    /// The rows.
    pub rows: Vec<RowRead>,
}

/// A mode of tree construction as the document describes it.
#[derive(Clone, Debug, Default)]
pub struct ModeRead {
    /// Its name in kebab case.
    pub name: String,
    /// The number of its section, or its heading.
    pub section: String,
    /// The line of its heading.
    pub line: usize,
    /// The rows.
    pub rows: Vec<RowRead>,
}

/// A row as the document describes it.
#[derive(Clone, Debug, Default)]
pub struct RowRead {
    /// Patterns in the words of the table language.
    pub patterns: String,
    /// The condition under which it counts.
    pub guard: Option<String>,
    /// Steps in the words of the table language.
    pub steps: String,
    /// The line of the document.
    pub line: usize,
    /// Whether the document breaks off here.
    pub is_gap: bool,
    /// The hashes of its sentences.
    pub hashes: Vec<u32>,
}

/// An algorithm as the document describes it.
#[derive(Clone, Debug, Default)]
pub struct AlgorithmRead {
    /// Its name in kebab case.
    pub name: String,
    /// The number of its section, or its heading.
    pub section: String,
    /// The line where it begins.
    pub line: usize,
    /// The steps.
    pub steps: Vec<StepRead>,
}

/// A step of an algorithm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepRead {
    /// Its words.
    pub words: String,
    /// Whether steps can belong to it.
    pub is_block: bool,
    /// The steps that do.
    pub inner: Vec<StepRead>,
    /// The line of the document and the hash of the sentence, at its first step.
    pub origin: Option<(usize, u32)>,
}

impl StepRead {
    /// A step to which none belongs.
    fn step(words: impl Into<String>) -> Self {
        Self { words: words.into(), ..Self::default() }
    }

    /// A step to which others belong.
    fn block(words: impl Into<String>, inner: Vec<Self>) -> Self {
        Self { words: words.into(), is_block: true, inner, origin: None }
    }
}

impl Reading {
    /// Whether the profile knows the sentence as one that asks nothing.
    fn is_remark(&self, words: &str) -> bool {
        self.remarks.contains(&sentence::hash(words))
    }

    /// Steps of an algorithm, its name, section and line; what follows a block without steps belongs to it.
    fn record(&mut self, (name, section, line): (String, String, usize), steps: Vec<StepRead>) {
        let at = self.algorithms.iter().position(|one| one.name == name).unwrap_or_else(|| {
            self.algorithms.push(AlgorithmRead { name, section, line, steps: Vec::new() });
            self.algorithms.len() - 1
        });
        let all = &mut self.algorithms[at].steps;
        match all.last_mut().filter(|last| last.is_block && last.inner.is_empty()) {
            Some(last) => last.inner = steps,
            None => all.extend(steps),
        }
    }
}

/// Reads a document.
pub fn read(text: &str, profile: &Profile) -> Reading {
    let all = wording::all(text, profile.form);
    let passages = wording::passages(&all, profile);
    let said = wording::sentences(&passages);
    let mut reading = Reading {
        text: sentence::hash(text),
        wording: said.iter().map(|(said, _)| said.clone()).collect(),
        layout: wording::layout(&passages),
        left_out: wording::left_out(&all, profile),
        remarks: profile.remarks.clone(),
        ..Reading::default()
    };
    let (text, applied) = profile.mend(text);
    let said = match applied.is_empty() {
        true => said,
        false => {
            let all = wording::all(&text, profile.form);
            wording::sentences(&wording::passages(&all, profile))
        }
    };
    reading.applied = applied;
    if profile.form == Form::Html && !profile.sections.is_empty() {
        trees::read(&text, profile, &mut reading);
        named_otherwise(said, &mut reading);
        return reading;
    }
    let blocks = match profile.form {
        Form::Text => plain::blocks(&text),
        Form::Markdown => plain::markdown(&text),
        Form::Html => markup::blocks(&text),
    };
    let sections = sections::divide(&blocks, &profile.from, &profile.to);
    if profile.tokens.is_empty() {
        states::read(&sections, profile, &mut reading);
    } else {
        lexical::read(&sections, profile, &mut reading);
    }
    if !profile.input.is_empty() {
        input::read(&text, profile, &mut reading);
    }
    for (from, to) in &profile.sections {
        modes::read(&sections::divide(&blocks, from, to), &mut reading);
    }
    named_otherwise(said, &mut reading);
    reading
}

/// A sentence or a label is not read in which a character has another name than its own.
fn named_otherwise(said: Vec<(Said, String)>, reading: &mut Reading) {
    for (Said { place, line, hash }, words) in said {
        if !disagreements(&words).is_empty() {
            let (shape, read) = (String::new(), Read::Unread);
            reading.sentences.retain(|other| (other.line, other.hash) != (line, hash));
            reading.sentences.push(Sentence { place, line, hash, shape, read, words });
        }
    }
}

/// What a sentence says, in the words of the table language; none if it is not read, or asks for no action.
pub fn said(sentence: &str) -> Option<String> {
    use statement::Statement;
    let Some(statement) = english::read(sentence, &mut english::Antecedent::default()) else {
        return lexical::said(sentence);
    };
    match statement {
        Statement::Acts(steps) => Some(statement::written(&steps)),
        Statement::If(asks, then) => {
            Some(statement::written(&[statement::Step::When(asks, then, Vec::new())]))
        }
        Statement::Piece(statement::Piece::ReturnCharacter(one)) => {
            Some(format!("return {};", statement::character(one)))
        }
        Statement::Piece(statement::Piece::ReturnName) => Some("return reference;".to_owned()),
        _ => None,
    }
}

/// What a sentence on tree construction says, in the same words.
pub fn said_of_trees(sentence: &str) -> Option<String> {
    trees::said(sentence).or_else(|| said(sentence))
}
