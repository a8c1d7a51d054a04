//! The runs of a suite that are known to fail, each with its reason, beside the suites. Invariant: a known failure that
//! passes, or that no run of the suite is, fails the test as well.

use crate::html5lib::{Errors, Run, listed_errors};
use crate::shared::workspace;
use serde_json::Value;
use std::fs;

/// Runs that are known to fail.
#[derive(Debug, Default)]
pub struct Known {
    /// One for each input as its file writes it.
    entries: Vec<Entry>,
}

/// A run that is known to fail.
#[derive(Debug)]
struct Entry {
    input: String,
    /// What a later text of the standard makes of the input, if that is why.
    instead: Option<(Value, Errors)>,
    /// Whether a run has failed with it.
    failed: bool,
}

impl Known {
    /// Reads `tests/suites/known/<suite>.json`; a suite without such a file has no known failures.
    ///
    /// # Panics
    /// If the file is no list of objects with `input` and `reason`, or `tokens` stand in one without `errors`.
    pub fn read(suite: &str) -> Self {
        let path = workspace().join(format!("tests/suites/known/{suite}.json"));
        let Ok(text) = fs::read_to_string(&path) else { return Self::default() };
        let list: Value = serde_json::from_str(&text).expect("a list of known failures is JSON");
        let entry = |value: &Value| {
            let input = value["input"].as_str().expect("a known failure has an input");
            value["reason"].as_str().expect("a known failure has a reason");
            let instead = value.get("tokens").map(|tokens| {
                let errors = listed_errors(&value["errors"]).expect("tokens come with errors");
                (tokens.clone(), Errors::Listed(errors))
            });
            Entry { input: input.to_owned(), instead, failed: false }
        };
        Self { entries: list.as_array().expect("a list").iter().map(entry).collect() }
    }

    /// Whether a run with this input may fail, which it just did.
    pub fn excuses(&mut self, written: &str) -> bool {
        let entry = self.entries.iter_mut().find(|entry| entry.input == written);
        entry.map(|entry| entry.failed = true).is_some()
    }

    /// The run with what is expected of it instead, if the list says that.
    pub fn instead(&self, run: &Run) -> Option<Run> {
        let entry = self.entries.iter().find(|entry| entry.input == run.written)?;
        let (tokens, errors) = entry.instead.clone()?;
        Some(Run { tokens, errors, ..run.clone() })
    }

    /// Forgets what is listed of inputs that are not there.
    pub fn retain(&mut self, is_there: impl Fn(&str) -> bool) {
        self.entries.retain(|entry| is_there(&entry.input));
    }

    /// The inputs that are listed although no run with them fails.
    pub fn stale(&self) -> Vec<&str> {
        let passing = self.entries.iter().filter(|entry| !entry.failed);
        passing.map(|entry| entry.input.as_str()).collect()
    }
}
