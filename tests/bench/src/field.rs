//! Contestants, and the fields in which they compete. The checked results come from the measured code.

use crate::corpus::Corpus;
use crate::digest::{Comparable, Digest};
use std::borrow::Cow;
use std::hint::black_box;

/// A benchmark: contestants with one task, and the documents that they process.
pub struct Field {
    pub name: &'static str,
    pub corpus: Corpus,
    /// The contestants, tabulex first.
    pub contestants: &'static [Contestant],
    /// Whether contestants use several threads, so that wall time is measured instead of CPU time.
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

    /// Returns the first contestant, and those whose names contain `only` (all if it is `None`).
    pub fn matching_contestants(&self, only: Option<&str>) -> Vec<&'static Contestant> {
        let is_selected = |(index, contestant): &(usize, &'static Contestant)| {
            *index == 0 || only.is_none_or(|only| contestant.name.contains(only))
        };
        self.contestants
            .iter()
            .enumerate()
            .filter(is_selected)
            .map(|(_, contestant)| contestant)
            .collect()
    }
}

/// The required agreement of a contestant's results with those of tabulex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Agreement {
    /// Equal results for all documents.
    Whole,
    /// Equal results for at least this fraction of the documents.
    Part(f64),
    /// An equal number of start tags for at least this fraction of the documents; the contestant delivers less than
    /// tabulex does.
    StartTags(f64),
    /// No required agreement: the contestant follows other rules than tabulex.
    None,
    /// No required agreement: the contestant does not parse, but measures a limit of the machine.
    Limit,
}

#[derive(Clone, Copy)]
pub struct Contestant {
    pub name: &'static str,
    pub agreement: Agreement,
    /// Processes each document once and drops the results.
    pub work: fn(&[String]),
    /// Returns the digest of a document's result.
    pub digest: fn(&str) -> Digest,
    /// Whether the contestant receives all documents concatenated.
    pub is_joined: bool,
    /// The intended speed of tabulex relative to the contestant, such as `8x`; empty if there is none.
    pub aim: &'static str,
}

/// The work of a contestant.
pub trait Work {
    /// The result for a document.
    type Output<'a>: Comparable;

    fn work(document: &str) -> Self::Output<'_>;
}

impl Contestant {
    pub const fn new<W: Work>(name: &'static str, agreement: Agreement) -> Self {
        let work: fn(&[String]) = |documents| {
            documents.iter().for_each(|document| drop(black_box(W::work(black_box(document)))));
        };
        let digest: fn(&str) -> Digest = |document| W::work(document).digest();
        Self { name, agreement, work, digest, is_joined: false, aim: "" }
    }

    /// Replaces the function that processes all documents.
    pub const fn with_work(self, work: fn(&[String])) -> Self {
        Self { work, ..self }
    }

    /// Sets the intended speed of tabulex relative to the contestant.
    pub const fn aim(self, aim: &'static str) -> Self {
        Self { aim, ..self }
    }

    /// Makes the contestant process all documents concatenated.
    pub const fn join_documents(self) -> Self {
        Self { is_joined: true, ..self }
    }

    /// Returns the documents in the form that the contestant receives.
    pub fn documents<'d>(&self, documents: &'d [String]) -> Cow<'d, [String]> {
        if self.is_joined { vec![documents.concat()].into() } else { documents.into() }
    }

    /// Returns the number of documents with results equal to those of tabulex, or an error if that is less than
    /// required. Returns zero without comparing if documents are joined or the contestant measures a limit.
    pub fn check(&self, documents: &[String], tabulex_digests: &[Digest]) -> Result<usize, String> {
        if self.is_joined || self.agreement == Agreement::Limit {
            return Ok(0);
        }
        let (required_fraction, only_start_tags) = match self.agreement {
            Agreement::Whole => (1.0, false),
            Agreement::Part(fraction) => (fraction, false),
            Agreement::StartTags(fraction) => (fraction, true),
            Agreement::None | Agreement::Limit => (0.0, false),
        };
        let required_count = (documents.len() as f64 * required_fraction).round() as usize;
        let peer_digests: Vec<Digest> =
            documents.iter().map(|document| (self.digest)(document)).collect();
        let differs = |(peer, ours): &(&Digest, &Digest)| match only_start_tags {
            true => peer.start_tags != ours.start_tags,
            false => peer != ours,
        };
        let differences = || peer_digests.iter().zip(tabulex_digests).filter(differs);
        let equal_count = documents.len() - differences().count();
        let Some((peer, ours)) = differences().next().filter(|_| equal_count < required_count)
        else {
            return Ok(equal_count);
        };
        let (name, count) = (self.name, documents.len());
        Err(format!(
            "`{name}` agrees with tabulex on {equal_count} of {count} documents, expected {required_count}; the first difference is {peer:?} instead of {ours:?}"
        ))
    }
}

/// Returns the digest of each document's result from the first contestant, which is tabulex.
pub fn digests(contestants: &[&Contestant], documents: &[String]) -> Vec<Digest> {
    let tabulex = contestants.first().into_iter();
    tabulex
        .flat_map(|tabulex| documents.iter().map(|document| (tabulex.digest)(document)))
        .collect()
}
