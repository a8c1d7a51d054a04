//! Known failures of suites: single inputs, and rules for classes of inputs, each with a reason. A listed input that
//! passes, or a rule that excuses another number of runs than it declares, fails the test.

use crate::html5lib::{Errors, Run, listed_errors};
use crate::shared::workspace;
use serde_json::Value;
use std::fs;

/// The known failures of a suite.
#[derive(Debug, Default)]
pub struct Known {
    /// The entries, single inputs before rules. An input is excused by the first entry that matches it.
    entries: Vec<Entry>,
}

/// A known failure, or a class of them.
#[derive(Debug)]
struct Entry {
    inputs: Inputs,
    /// The result expected by a later version of the standard, if that is the reason.
    instead: Option<(Value, Errors)>,
    /// The number of failed runs excused so far.
    excused_runs: usize,
}

/// The inputs that an entry matches, as written in the suite.
#[derive(Debug)]
enum Inputs {
    /// A single input.
    Exact(String),
    /// Inputs with this prefix, and the number of failed runs that the rule declares.
    WithPrefix(String, usize),
    /// Inputs that contain this text, and the number of failed runs that the rule declares.
    Containing(String, usize),
}

impl Inputs {
    fn covers(&self, input: &str) -> bool {
        match self {
            Self::Exact(whole) => input == whole,
            Self::WithPrefix(text, _) => input.starts_with(text),
            Self::Containing(text, _) => input.contains(text),
        }
    }
}

impl Entry {
    fn read(value: &Value) -> Self {
        assert!(value["reason"].is_string(), "`reason` is missing in {value}");
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let runs = || {
            value["runs"].as_u64().expect("a rule has `runs`, the number of runs that it excuses")
                as usize
        };
        let inputs = match (text("input"), text("begins"), text("holds")) {
            (Some(input), None, None) => Inputs::Exact(input),
            (None, Some(text), None) => Inputs::WithPrefix(text, runs()),
            (None, None, Some(text)) => Inputs::Containing(text, runs()),
            _ => panic!("expected exactly one of `input`, `begins`, or `holds` in {value}"),
        };
        let instead = value.get("tokens").map(|tokens| {
            let errors = listed_errors(&value["errors"])
                .expect("an entry with `tokens` has a list `errors`");
            (tokens.clone(), Errors::Listed(errors))
        });
        Self { inputs, instead, excused_runs: 0 }
    }

    /// Returns a description of the mismatch if the entry did not excuse the runs that it declares.
    fn stale(&self) -> Option<String> {
        match &self.inputs {
            Inputs::Exact(input) => (self.excused_runs == 0).then(|| input.clone()),
            Inputs::WithPrefix(text, runs) | Inputs::Containing(text, runs) => (self.excused_runs
                != *runs)
                .then(|| format!("`{text}` lists {runs} runs, but {} failed", self.excused_runs)),
        }
    }
}

impl Known {
    /// Reads `tests/suites/known/<suite>.json`; a suite without this file has no known failures.
    ///
    /// # Panics
    /// If the file is not a list of objects with `reason` and one of `input`, `begins` and `holds`, if a rule has no
    /// `runs`, or if one has `tokens` without `errors`.
    pub fn read(suite: &str) -> Self {
        let path = workspace().join(format!("tests/suites/known/{suite}.json"));
        let Ok(text) = fs::read_to_string(&path) else { return Self::default() };
        let list: Value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("`{suite}.json` is not JSON: {error}"));
        let mut entries: Vec<Entry> = list
            .as_array()
            .expect("a list of known failures is a JSON array")
            .iter()
            .map(Entry::read)
            .collect();
        entries.sort_by_key(|entry| !matches!(entry.inputs, Inputs::Exact(_)));
        Self { entries }
    }

    /// Whether a failed run with this input is a known failure. Counts the run for its entry.
    pub fn excuses(&mut self, written: &str) -> bool {
        let entry = self.entries.iter_mut().find(|entry| entry.inputs.covers(written));
        entry.map(|entry| entry.excused_runs += 1).is_some()
    }

    /// Returns the run with the result of a later version of the standard, if the list has one.
    pub fn instead(&self, run: &Run) -> Option<Run> {
        let entry = self.entries.iter().find(|entry| entry.inputs.covers(&run.written))?;
        let (tokens, errors) = entry.instead.clone()?;
        Some(Run { tokens, errors, ..run.clone() })
    }

    /// Drops entries of single inputs that do not satisfy the predicate.
    pub fn retain(&mut self, is_present: impl Fn(&str) -> bool) {
        self.entries.retain(|entry| match &entry.inputs {
            Inputs::Exact(input) => is_present(input),
            Inputs::WithPrefix(..) | Inputs::Containing(..) => true,
        });
    }

    /// Returns the entries that did not excuse the runs that they declare.
    pub fn stale(&self) -> Vec<String> {
        self.entries.iter().filter_map(Entry::stale).collect()
    }
}
