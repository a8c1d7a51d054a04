//! The ledger: what of a document is read, in numbers. It holds no sentence. Invariant: asking, remarks, left out
//! and unread together are all sentences.

use super::sentence::Read;
use super::{Profile, Reading};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What of a document is read.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// States.
    pub states: usize,
    /// Modes.
    pub modes: usize,
    /// Rows of states and modes.
    pub rows: usize,
    /// Algorithms that the runtime supplies.
    pub algorithms: usize,
    /// Sentences.
    pub sentences: usize,
    /// Sentences that ask something.
    pub asking: usize,
    /// Sentences that ask nothing.
    pub remarks: usize,
    /// Sentences about what is left out and compared with no table.
    pub not_compared: usize,
    /// Shapes, each with the number of its sentences.
    pub shapes: Vec<(String, usize)>,
    /// Places where the document breaks off.
    pub gaps: usize,
    /// Errata.
    pub errata: usize,
    /// Errata that found nothing to mend, by their index.
    pub stale_errata: Vec<usize>,
    /// Sentences that were not read: place and line.
    pub unread: Vec<(String, usize)>,
}

impl Ledger {
    /// Counts a reading.
    pub fn new(reading: &Reading, profile: &Profile) -> Self {
        let mut shapes: BTreeMap<&str, usize> = BTreeMap::new();
        let count =
            |read: Read| reading.sentences.iter().filter(|sentence| sentence.read == read).count();
        for sentence in reading.sentences.iter().filter(|sentence| sentence.read == Read::Asks) {
            *shapes.entry(&sentence.shape).or_default() += 1;
        }
        let mut shapes: Vec<(String, usize)> =
            shapes.into_iter().map(|(shape, count)| (shape.to_owned(), count)).collect();
        shapes.sort_by_key(|(shape, count)| (std::cmp::Reverse(*count), shape.clone()));
        let rows = || {
            let of_states = reading.states.iter().flat_map(|state| &state.rows);
            of_states.chain(reading.modes.iter().flat_map(|mode| &mode.rows))
        };
        Self {
            states: reading.states.len(),
            modes: reading.modes.len(),
            rows: rows().count(),
            algorithms: reading.algorithms.len(),
            sentences: reading.sentences.len(),
            asking: count(Read::Asks),
            remarks: count(Read::Remark),
            not_compared: count(Read::NotCompared),
            shapes,
            gaps: rows().filter(|row| row.is_gap).count(),
            errata: profile.errata.len(),
            stale_errata: (0..profile.errata.len())
                .filter(|index| !reading.applied.contains(index))
                .collect(),
            unread: reading
                .sentences
                .iter()
                .filter(|sentence| sentence.read == Read::Unread)
                .map(|sentence| (sentence.place.clone(), sentence.line))
                .collect(),
        }
    }

    /// Whether all of the document is read, every erratum needed, and something found at all.
    pub fn is_whole(&self) -> bool {
        !self.is_empty() && self.unread.is_empty() && self.stale_errata.is_empty()
    }

    /// Whether the document has none of the sections that are read, or they describe no machine.
    pub fn is_empty(&self) -> bool {
        self.rows == 0 || self.asking == 0
    }

    /// One line of numbers.
    pub fn summary(&self) -> String {
        let algorithms = match self.algorithms {
            0 => String::new(),
            count => format!("{count} algorithms, "),
        };
        let not_compared = match self.not_compared {
            0 => String::new(),
            count => format!(", {count} not compared"),
        };
        format!(
            "{} states, {} modes, {} rows, {algorithms}{} sentences of {} shapes ({} read, {} remarks{not_compared}, {} unread), {} gaps, {} errata ({} stale)",
            self.states,
            self.modes,
            self.rows,
            self.sentences,
            self.shapes.len(),
            self.asking,
            self.remarks,
            self.unread.len(),
            self.gaps,
            self.errata,
            self.stale_errata.len(),
        )
    }

    /// The shapes, one a line, with their counts.
    pub fn shapes(&self) -> String {
        let mut text = String::new();
        for (shape, count) in &self.shapes {
            let _ = writeln!(text, "{count:6}  {shape}");
        }
        text
    }
}
