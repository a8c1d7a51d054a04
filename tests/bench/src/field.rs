//! Contestants, and the fields in which they run. They measure nothing. Invariant: what is checked is what the measured
//! work makes, read after it.

use crate::corpus::Corpus;
use crate::digest::Digest;
use std::borrow::Cow;
use std::hint::black_box;

/// What runs in one race.
pub struct Field {
    pub name: &'static str,
    pub corpus: Corpus,
    /// Ours first.
    pub contestants: &'static [Contestant],
    /// Whether contestants use other threads, so that the time on this one's processor says nothing.
    pub has_threads: bool,
}

impl Field {
    pub const fn new(
        name: &'static str,
        corpus: Corpus,
        contestants: &'static [Contestant],
    ) -> Self {
        Self { name, corpus, contestants, has_threads: false }
    }

    /// The first contestant, and those whose names contain the text.
    pub fn contestants(&self, only: Option<&str>) -> Vec<&'static Contestant> {
        let chosen = |(index, contestant): &(usize, &'static Contestant)| {
            *index == 0 || only.is_none_or(|only| contestant.name.contains(only))
        };
        self.contestants
            .iter()
            .enumerate()
            .filter(chosen)
            .map(|(_, contestant)| contestant)
            .collect()
    }
}

/// How what a contestant delivers is held against ours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agreement {
    /// It is the same for each document.
    Whole,
    /// It is the same for this part of the documents at least; the rest is explained elsewhere.
    Part(f64),
    /// The number of start tags is the same for this part of the documents at least; it delivers less than we do.
    StartTags(f64),
    /// It follows other rules.
    None,
    /// It parses nothing: a limit of the machine.
    Limit,
}

/// A contestant.
#[derive(Clone, Copy)]
pub struct Contestant {
    pub name: &'static str,
    pub agreement: Agreement,
    /// Does the work once with each document, and frees what came of it.
    pub work: fn(&[String]),
    /// Reports the result.
    pub digest: fn(&str) -> Digest,
    /// Whether it gets all documents as one.
    pub is_joined: bool,
    /// How much faster than it we want to be, in words.
    pub aim: &'static str,
}

/// What a contestant does.
pub trait Work {
    /// What comes of it.
    type Output<'a>;

    fn work(document: &str) -> Self::Output<'_>;

    fn digest(output: &Self::Output<'_>) -> Digest;
}

impl Contestant {
    pub const fn new<W: Work>(name: &'static str, agreement: Agreement) -> Self {
        let work: fn(&[String]) = |documents| {
            documents.iter().for_each(|it| drop(black_box(W::work(black_box(it)))));
        };
        let digest: fn(&str) -> Digest = |document| W::digest(&W::work(document));
        Self { name, agreement, work, digest, is_joined: false, aim: "" }
    }

    /// A contestant that does its work with all documents at once.
    pub const fn with_work(self, work: fn(&[String])) -> Self {
        Self { work, ..self }
    }

    /// Sets how much faster than it we want to be.
    pub const fn aim(self, aim: &'static str) -> Self {
        Self { aim, ..self }
    }

    /// A contestant that gets all documents as one.
    pub const fn joined(self) -> Self {
        Self { is_joined: true, ..self }
    }

    /// Whether it is one of ours.
    pub fn is_ours(&self) -> bool {
        self.name.starts_with("tabulex")
    }

    /// The documents as it gets them.
    pub fn documents<'d>(&self, documents: &'d [String]) -> Cow<'d, [String]> {
        if self.is_joined { vec![documents.concat()].into() } else { documents.into() }
    }

    /// How many of the documents it has in common with ours, if that is as many as it is said to have.
    pub fn check(&self, documents: &[String], ours: &[Digest]) -> Result<usize, String> {
        if self.is_joined || self.agreement == Agreement::Limit {
            return Ok(0);
        }
        let (wanted, only_start_tags) = match self.agreement {
            Agreement::Whole => (1.0, false),
            Agreement::Part(part) => (part, false),
            Agreement::StartTags(part) => (part, true),
            Agreement::None | Agreement::Limit => (0.0, false),
        };
        let wanted = (documents.len() as f64 * wanted).round() as usize;
        let theirs: Vec<Digest> =
            documents.iter().map(|document| (self.digest)(document)).collect();
        let differs = |(theirs, ours): &(&Digest, &Digest)| match only_start_tags {
            true => theirs.start_tags != ours.start_tags,
            false => theirs != ours,
        };
        let others = || theirs.iter().zip(ours).filter(differs);
        let same = documents.len() - others().count();
        let Some((theirs, ours)) = others().next().filter(|_| same < wanted) else {
            return Ok(same);
        };
        Err(format!(
            "{} has {same} of {} documents as we have, not {wanted}: for example {theirs:?} where we have {ours:?}",
            self.name,
            documents.len()
        ))
    }
}

/// What the first contestant delivers, for each document.
pub fn digests(contestants: &[&Contestant], documents: &[String]) -> Vec<Digest> {
    let first = contestants.first().into_iter();
    first.flat_map(|first| documents.iter().map(|document| (first.digest)(document))).collect()
}
