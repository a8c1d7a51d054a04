//! The ledger: what was read of a document. Each sentence is counted as normative, a remark, not compared, or unread.

use super::sentence::{self, Read};
use super::wording::HashedSentence;
use super::{Gloss, Profile, Reading};
use std::collections::BTreeSet;
use tabulex_language::counted;

/// Counts of what was read of a document.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// Number of states read.
    pub states: usize,
    /// Number of modes read.
    pub modes: usize,
    /// Number of rows in states and modes.
    pub rows: usize,
    /// Number of algorithms read.
    pub algorithms: usize,
    /// Number of sentences that the readers have considered.
    pub sentences: usize,
    /// Number of normative sentences.
    pub normative: usize,
    /// Number of sentences that are remarks.
    pub remarks: usize,
    /// Number of sentences that are excluded from comparison.
    pub not_compared: usize,
    /// Number of glosses that match a sentence of the document.
    pub glosses: usize,
    /// Number of places where the document breaks off.
    pub gaps: usize,
    /// Number of errata in the profile.
    pub errata: usize,
    /// Indices in the profile of the errata that match nothing in the document.
    pub stale_errata: Vec<usize>,
    /// Hashes of glosses that match no sentence, except those for another date of the document.
    pub stale_glosses: Vec<u32>,
    /// The unread sentences.
    pub unread: Vec<HashedSentence>,
}

impl Ledger {
    /// Counts the contents of a reading.
    pub fn new(reading: &Reading, profile: &Profile) -> Self {
        let count =
            |read: Read| reading.sentences.iter().filter(|sentence| sentence.read == read).count();
        let sentences = reading.sentences.iter();
        let hashes = sentences.flat_map(|one| sentence::hashes(&one.place, &one.words));
        let hashes: BTreeSet<u32> = hashes.chain(reading.hashes.iter().copied()).collect();
        let (found_glosses, missing_glosses): (Vec<&Gloss>, Vec<&Gloss>) =
            profile.glosses.iter().partition(|gloss| hashes.contains(&gloss.hash));
        let rows = || reading.states_and_modes().flat_map(|block| &block.rows);
        Self {
            states: reading.states.len(),
            modes: reading.modes.len(),
            rows: rows().count(),
            algorithms: reading.algorithms.len(),
            sentences: reading.sentences.len(),
            normative: count(Read::Asks),
            remarks: count(Read::Remark),
            not_compared: count(Read::NotCompared),
            glosses: found_glosses.len(),
            gaps: rows().filter(|row| row.is_gap).count(),
            errata: profile.errata.len(),
            stale_errata: (0..profile.errata.len())
                .filter(|index| !reading.applied.contains(index))
                .collect(),
            stale_glosses: missing_glosses
                .iter()
                .filter(|gloss| !gloss.is_of_other_date)
                .map(|gloss| gloss.hash)
                .collect(),
            unread: reading
                .sentences
                .iter()
                .filter(|sentence| sentence.read == Read::Unread)
                .map(|one| HashedSentence {
                    place: one.place.clone(),
                    line: one.line,
                    hash: one.hash,
                })
                .collect(),
        }
    }

    /// Whether the document was read completely: it is not empty, no sentence is unread, and every erratum and gloss
    /// matched.
    pub fn is_whole(&self) -> bool {
        let is_stale = !self.stale_errata.is_empty() || !self.stale_glosses.is_empty();
        !self.is_empty() && self.unread.is_empty() && !is_stale
    }

    /// Whether the reading has no row, or no normative sentence.
    pub fn is_empty(&self) -> bool {
        self.rows == 0 || self.normative == 0
    }

    /// Formats the counts in one line.
    pub fn summary(&self) -> String {
        let algorithms = match self.algorithms {
            0 => String::new(),
            count => counted(count, "algorithm") + ", ",
        };
        let not_compared = match self.not_compared {
            0 => String::new(),
            count => format!(", {count} not compared"),
        };
        format!(
            "{}, {}, {}, {algorithms}{} ({} read, {}{not_compared}, {} unread), {}, {}, {} ({} stale)",
            counted(self.states, "state"),
            counted(self.modes, "mode"),
            counted(self.rows, "row"),
            counted(self.sentences, "sentence"),
            self.normative,
            counted(self.remarks, "remark"),
            self.unread.len(),
            counted(self.glosses, "gloss"),
            counted(self.gaps, "gap"),
            counted(self.errata, "erratum"),
            self.stale_errata.len(),
        )
    }
}
