//! The runs of a suite that are known to fail, each with its reason, beside the suites. Invariant: a known failure that
//! passes, or that no run of the suite is, fails the test as well.

use crate::shared::workspace;
use serde_json::Value;
use std::fs;

/// Runs that are known to fail.
#[derive(Debug, Default)]
pub struct Known {
    /// The inputs as their files write them, each with whether a run has failed with it.
    entries: Vec<(String, bool)>,
}

impl Known {
    /// Reads `tests/suites/known/<suite>.json`; a suite without such a file has no known failures.
    ///
    /// # Panics
    /// If the file is no list of objects with `input` and `reason`.
    pub fn read(suite: &str) -> Self {
        let path = workspace().join(format!("tests/suites/known/{suite}.json"));
        let Ok(text) = fs::read_to_string(&path) else { return Self::default() };
        let list: Value = serde_json::from_str(&text).expect("a list of known failures is JSON");
        let entry = |value: &Value| {
            let input = value["input"].as_str().expect("a known failure has an input");
            value["reason"].as_str().expect("a known failure has a reason");
            (input.to_owned(), false)
        };
        Self { entries: list.as_array().expect("a list").iter().map(entry).collect() }
    }

    /// Whether a run with this input may fail, which it just did.
    pub fn excuses(&mut self, written: &str) -> bool {
        let entry = self.entries.iter_mut().find(|(input, _)| input == written);
        entry.map(|(_, failed)| *failed = true).is_some()
    }

    /// The inputs that are listed although no run with them fails.
    pub fn stale(&self) -> Vec<&str> {
        self.entries.iter().filter(|(_, failed)| !failed).map(|(input, _)| input.as_str()).collect()
    }
}
