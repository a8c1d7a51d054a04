//! Known failures of suites: single inputs and rules for classes of inputs, each with its reason. A listed input that
//! passes and a rule that excuses another number of runs than it says fail the test as well.

use crate::html5lib::{Errors, Run, listed_errors};
use crate::shared::workspace;
use serde_json::Value;
use std::fs;

/// The known failures of a suite.
#[derive(Debug, Default)]
pub struct Known {
    /// Single inputs before rules: the first entry that covers an input excuses it.
    entries: Vec<Entry>,
}

/// A known failure, or a class of them.
#[derive(Debug)]
struct Entry {
    inputs: Inputs,
    /// The expected result by a later text of the standard, if that is the reason.
    instead: Option<(Value, Errors)>,
    /// The number of runs that the entry excused.
    excused: usize,
}

/// The inputs that an entry covers, as their files write them.
#[derive(Debug)]
enum Inputs {
    /// One input.
    Is(String),
    /// All that begin with a text, in this number of runs.
    Begin(String, usize),
    /// All that hold a text, in this number of runs.
    Hold(String, usize),
}

impl Inputs {
    fn covers(&self, input: &str) -> bool {
        match self {
            Self::Is(whole) => input == whole,
            Self::Begin(text, _) => input.starts_with(text),
            Self::Hold(text, _) => input.contains(text),
        }
    }
}

impl Entry {
    fn read(value: &Value) -> Self {
        assert!(value["reason"].is_string(), "a known failure has a reason: {value}");
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let runs =
            || value["runs"].as_u64().expect("a rule says how many runs it excuses") as usize;
        let inputs = match (text("input"), text("begins"), text("holds")) {
            (Some(input), None, None) => Inputs::Is(input),
            (None, Some(text), None) => Inputs::Begin(text, runs()),
            (None, None, Some(text)) => Inputs::Hold(text, runs()),
            _ => panic!("one of `input`, `begins`, `holds` is expected: {value}"),
        };
        let instead = value.get("tokens").map(|tokens| {
            let errors = listed_errors(&value["errors"]).expect("tokens come with errors");
            (tokens.clone(), Errors::Listed(errors))
        });
        Self { inputs, instead, excused: 0 }
    }

    /// What is wrong with the entry after all runs, if anything.
    fn stale(&self) -> Option<String> {
        match &self.inputs {
            Inputs::Is(input) => (self.excused == 0).then(|| input.clone()),
            Inputs::Begin(text, runs) | Inputs::Hold(text, runs) => (self.excused != *runs)
                .then(|| format!("{text}: {runs} runs are listed, {} failed", self.excused)),
        }
    }
}

impl Known {
    /// Reads `tests/suites/known/<suite>.json`; a suite without such a file has no known failures.
    ///
    /// # Panics
    /// If the file is no list of objects with `reason` and one of `input`, `begins` and `holds`, if a rule has no `runs`,
    /// or if `tokens` stand in one without `errors`.
    pub fn read(suite: &str) -> Self {
        let path = workspace().join(format!("tests/suites/known/{suite}.json"));
        let Ok(text) = fs::read_to_string(&path) else { return Self::default() };
        let list: Value = serde_json::from_str(&text).expect("a list of known failures is JSON");
        let mut entries: Vec<Entry> =
            list.as_array().expect("a list").iter().map(Entry::read).collect();
        entries.sort_by_key(|entry| !matches!(entry.inputs, Inputs::Is(_)));
        Self { entries }
    }

    /// Whether a run with this input may fail, which it just did.
    pub fn excuses(&mut self, written: &str) -> bool {
        let entry = self.entries.iter_mut().find(|entry| entry.inputs.covers(written));
        entry.map(|entry| entry.excused += 1).is_some()
    }

    /// The run with the result expected instead, if the list has one.
    pub fn instead(&self, run: &Run) -> Option<Run> {
        let entry = self.entries.iter().find(|entry| entry.inputs.covers(&run.written))?;
        let (tokens, errors) = entry.instead.clone()?;
        Some(Run { tokens, errors, ..run.clone() })
    }

    /// Drops entries of single inputs that do not satisfy the predicate.
    pub fn retain(&mut self, is_there: impl Fn(&str) -> bool) {
        self.entries.retain(|entry| match &entry.inputs {
            Inputs::Is(input) => is_there(input),
            Inputs::Begin(..) | Inputs::Hold(..) => true,
        });
    }

    /// The entries that excused no run, or another number than they say.
    pub fn stale(&self) -> Vec<String> {
        self.entries.iter().filter_map(Entry::stale).collect()
    }
}
