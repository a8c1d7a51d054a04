//! The ledger: what was read of a document. Each sentence is counted as normative, a remark, or unread.

use super::sentence::{self, Read};
use super::wording::HashedSentence;
use super::{DocumentRow, Gloss, Reading};
use std::collections::BTreeSet;
use tabulex_language::counted;

/// Summary of a reading: its counts, the unread sentences, and the errata, glosses and remarks that match nothing.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The counts in one line: states, modes, rows, algorithms, sentences, glosses, gaps and errata.
    pub summary: String,
    /// Whether the reading has no row, or no normative sentence.
    pub is_empty: bool,
    /// Indices in the profile of the errata that match nothing in the document.
    pub stale_errata: Vec<usize>,
    /// Hashes of glosses and remarks that match no sentence, except those for another date of the document.
    pub stale_hashes: Vec<u32>,
    /// The unread sentences.
    pub unread: Vec<HashedSentence>,
}

impl Ledger {
    /// Counts the contents of a reading.
    pub fn new(reading: &Reading) -> Self {
        let Reading { profile, sentences, .. } = reading;
        let number_of = |read: Read| sentences.iter().filter(|one| one.read == read).count();
        let hashes = sentences.iter().flat_map(|one| sentence::hashes(&one.place, &one.words));
        let hashes: BTreeSet<u32> = hashes.chain(reading.hashes.iter().copied()).collect();
        let (found_glosses, missing_glosses): (Vec<&Gloss>, Vec<&Gloss>) =
            profile.glosses.iter().partition(|gloss| hashes.contains(&gloss.hash));
        let rows = reading.states_and_modes().flat_map(|block| &block.rows);
        let rows: Vec<&DocumentRow> = rows.collect();
        let stale_errata: Vec<usize> =
            (0..profile.errata.len()).filter(|index| !reading.applied.contains(index)).collect();
        let missing_glosses = missing_glosses.iter().filter(|gloss| !gloss.is_of_other_date);
        let missing_remarks = profile
            .remarks
            .iter()
            .filter(|hash| !hashes.contains(hash) && !profile.remarks_of_other_date.contains(hash));
        let unread = sentences.iter().filter(|one| one.read == Read::Unread);
        let unread = unread.map(|one| HashedSentence {
            place: one.place.clone(),
            line: one.line,
            hash: one.hash,
        });
        let algorithms = match reading.algorithms.len() {
            0 => String::new(),
            count => counted(count, "algorithm") + ", ",
        };
        let summary = format!(
            "{}, {}, {}, {algorithms}{} ({} read, {}, {} unread), {}, {}, {} ({} stale)",
            counted(reading.states.len(), "state"),
            counted(reading.modes.len(), "mode"),
            counted(rows.len(), "row"),
            counted(sentences.len(), "sentence"),
            number_of(Read::Asks),
            counted(number_of(Read::Remark), "remark"),
            number_of(Read::Unread),
            counted(found_glosses.len(), "gloss"),
            counted(rows.iter().filter(|row| row.is_gap).count(), "gap"),
            counted(profile.errata.len(), "erratum"),
            stale_errata.len(),
        );
        Self {
            summary,
            is_empty: rows.is_empty() || number_of(Read::Asks) == 0,
            stale_errata,
            stale_hashes: missing_glosses
                .map(|gloss| gloss.hash)
                .chain(missing_remarks.copied())
                .collect(),
            unread: unread.collect(),
        }
    }

    /// Whether the document was read completely: it is not empty, no sentence is unread, and every erratum, gloss
    /// and remark matched.
    pub fn is_whole(&self) -> bool {
        let is_stale = !self.stale_errata.is_empty() || !self.stale_hashes.is_empty();
        !self.is_empty && self.unread.is_empty() && !is_stale
    }
}
