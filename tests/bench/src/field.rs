//! Contestants, and the fields in which they run. They measure nothing. Invariant: what is checked is what the measured
//! work makes, looked at behind it.

use crate::digest::Digest;
use std::hint::black_box;

/// What runs in one race.
pub struct Field {
    pub name: &'static str,
    /// The folder of the shared corpus.
    pub folder: &'static str,
    /// Ours first.
    pub contestants: &'static [Contestant],
}

impl Field {
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
    /// It follows other rules.
    None,
}

/// A contestant.
#[derive(Clone, Copy)]
pub struct Contestant {
    pub name: &'static str,
    pub agreement: Agreement,
    /// Does the work once, and frees what came of it.
    pub work: fn(&str),
    /// Tells what comes of it.
    pub digest: fn(&str) -> Digest,
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
        let work: fn(&str) = |document| drop(black_box(W::work(black_box(document))));
        let digest: fn(&str) -> Digest = |document| W::digest(&W::work(document));
        Self { name, agreement, work, digest }
    }

    /// How many of the documents it has in common with ours, if that is as many as it is said to have.
    pub fn check(&self, documents: &[String], ours: &[Digest]) -> Result<usize, String> {
        let theirs: Vec<Digest> =
            documents.iter().map(|document| (self.digest)(document)).collect();
        let others = || theirs.iter().zip(ours).filter(|(theirs, ours)| theirs != ours);
        let same = documents.len() - others().count();
        let wanted = match self.agreement {
            Agreement::Whole => documents.len(),
            Agreement::Part(part) => (documents.len() as f64 * part).round() as usize,
            Agreement::None => 0,
        };
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
