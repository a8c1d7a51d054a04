//! Tries edits of a text on all processors, and compares the edits that no detector notices with a list of known ones.

use super::edits::Edit;
use crate::{Failure, Outcome, files, root, step};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use tabulex_oracle::parallel;
use tabulex_workshop::arguments::Arguments;

/// Path of the list of edits that are not noticed.
const UNNOTICED_EDITS: &str = "tests/mutants.json";

/// Arguments of the command.
pub(super) struct EditOptions {
    /// Names of dialects or files; empty for all.
    pub(super) names: Vec<String>,
    /// Folder of documents to edit; `None` to edit tables.
    pub(super) documents: Option<PathBuf>,
    /// Number of edits of each file, or 0 for all.
    sample: usize,
    seed: u64,
}

impl EditOptions {
    pub(super) fn parse(arguments: Vec<OsString>) -> Result<Self, Failure> {
        let options = ["documents FOLDER", "sample N", "seed N"];
        let arguments = Arguments::parse(arguments, &options, usize::MAX)?;
        Ok(Self {
            documents: arguments.path("documents"),
            sample: arguments.number("sample")?.unwrap_or(0),
            seed: arguments.number("seed")?.unwrap_or(1),
            names: arguments.values,
        })
    }
}

/// Outcome of trying an edit.
pub(super) enum EditOutcome {
    /// The edited text is not a valid table, so the edit does not count.
    Invalid,
    /// A search finds no input on which the edited machine behaves differently, or the edit swaps two steps of a mode
    /// whose order has no effect.
    Equivalent,
    /// Name of the detector that notices the edit, or `None` if none does.
    Tried(Option<&'static str>),
}

impl EditOutcome {
    /// Returns the outcome of an edit that the detector notices or, if `is_noticed` is false, that none does.
    pub(super) fn noticed_if(is_noticed: bool, detector: &'static str) -> Self {
        Self::Tried(is_noticed.then_some(detector))
    }
}

/// File, place and description, which identify an edit in a list.
type EditKey = [String; 3];

/// Tries a sample of edits of a file, and prints the numbers of noticed edits by detector and by class. Returns whether
/// the tried edits that no detector notices are exactly those in the list.
pub(super) fn try_edits(
    (file, text): (&str, &str),
    edits: &[Edit],
    options: &EditOptions,
    outcome: impl Fn(&Edit) -> EditOutcome + Sync,
) -> Outcome {
    let (listed, keys) = (read_list()?, keys(file, text, edits));
    let (mut invalid, mut equivalent, mut report) = (0, 0, String::new());
    let mut detectors: BTreeMap<&str, usize> = BTreeMap::new();
    let mut classes: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (number, outcome) in try_sample(edits, options, outcome)? {
        let edit = &edits[number];
        let is_survivor = match outcome {
            EditOutcome::Invalid => {
                invalid += 1;
                false
            }
            EditOutcome::Equivalent => {
                equivalent += 1;
                false
            }
            EditOutcome::Tried(detector) => {
                let (noticed, tried) = classes.entry(edit.class).or_default();
                *noticed += usize::from(detector.is_some());
                *tried += 1;
                if let Some(detector) = detector {
                    *detectors.entry(detector).or_default() += 1;
                }
                detector.is_none()
            }
        };
        let key = &keys[number];
        let [file, place, change] = key;
        match (is_survivor, listed.contains(key)) {
            (true, false) => {
                report += &format!("  not noticed: {file}:{} {place}: {change}\n", edit.line);
            }
            (false, true) => {
                report += &format!(
                    "  listed in `{UNNOTICED_EDITS}`, but noticed, invalid or equivalent: {file} {place}: {change}\n"
                );
            }
            _ => {}
        }
    }
    let (noticed, tried) = classes.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    step::say(&format!(
        "{file}: {noticed} of {tried} edits noticed; {invalid} edits that are not a table, {equivalent} without effect\n"
    ));
    for (detector, count) in detectors {
        step::say(&format!("    by {detector:<24} {count:>6}\n"));
    }
    for (class, (noticed, tried)) in classes {
        step::say(&format!("    {class:<27} {noticed:>6} of {tried}\n"));
    }
    step::say(&report);
    Ok(report.is_empty())
}

/// Reads a list of edits that are not noticed. Each entry needs a reason.
fn read_list() -> Result<BTreeSet<EditKey>, Failure> {
    let entries = files::read_json(&root::root().join(UNNOTICED_EDITS))?;
    let mut listed = BTreeSet::new();
    for entry in entries.as_array().into_iter().flatten() {
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        if text("reason").is_empty() {
            return Err(format!("an entry of `{UNNOTICED_EDITS}` has no reason: {entry}"));
        }
        listed.insert(["file", "place", "change"].map(text));
    }
    Ok(listed)
}

/// Returns the keys by which edits are listed. Equal edits of one place are numbered.
fn keys(file: &str, text: &str, edits: &[Edit]) -> Vec<EditKey> {
    let mut counts: BTreeMap<EditKey, usize> = BTreeMap::new();
    let key = |edit: &Edit| {
        let change = format!("{}: {}", edit.class, edit.description(text));
        let mut key = [file.to_owned(), edit.place.clone(), change];
        let count = counts.entry(key.clone()).or_default();
        *count += 1;
        if *count > 1 {
            key[2] += &format!(" ({count})");
        }
        key
    };
    edits.iter().map(key).collect()
}

/// Tries a sample of edits on all processors. Returns the outcomes by index of the edit.
fn try_sample(
    edits: &[Edit],
    options: &EditOptions,
    outcome: impl Fn(&Edit) -> EditOutcome + Sync,
) -> Result<BTreeMap<usize, EditOutcome>, Failure> {
    let indices = sample(edits.len(), options.sample, options.seed);
    let outcomes = parallel::map(&indices, None, |index| outcome(&edits[*index]));
    let outcomes = outcomes.map_err(|error| format!("cannot start a thread: {error}"))?;
    Ok(indices.into_iter().zip(outcomes).collect())
}

/// Returns `sample_size` random numbers below `count`, or all if `sample_size` is 0.
fn sample(count: usize, sample_size: usize, seed: u64) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    let mut random = Random(seed);
    for index in (1..count).rev() {
        // Fisher-Yates shuffle.
        numbers.swap(index, random.below(index + 1));
    }
    if sample_size > 0 {
        numbers.truncate(sample_size);
    }
    numbers
}

/// A linear congruential generator.
pub(in crate::commands) struct Random(pub(in crate::commands) u64);

impl Random {
    /// Returns a random number below the bound; 0 if the bound is 0.
    pub(in crate::commands) fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}
