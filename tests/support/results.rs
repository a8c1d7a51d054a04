//! The results of the suites, recorded in `tests/suites/results.json` for the tables of `tests/CONFORMANCE.md`. A suite
//! fails if its result differs.

use crate::shared::{shared, workspace};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

/// For each suite, the number of its runs, and how many of them passed.
pub type Results = BTreeMap<String, [usize; 2]>;

fn path() -> PathBuf {
    workspace().join("tests/suites/results.json")
}

/// Returns the recorded results.
///
/// # Panics
/// If the file is malformed.
pub fn recorded() -> Results {
    let text = fs::read_to_string(path()).unwrap_or_else(|_| "{}".to_owned());
    serde_json::from_str(&text).expect("`results.json` contains pairs of numbers")
}

/// Checks the result of a suite against the recorded one, or records it if `UPDATE_EXPECT` is set. Does nothing if the
/// suites of html5lib are absent, because the older copies that are run in their place have other results.
///
/// # Panics
/// If the results differ.
pub fn check_result(suite: &str, runs: usize, passed: usize) {
    static FILE_LOCK: Mutex<()> = Mutex::new(());
    if shared("testdata/html5lib").is_none() {
        return;
    }
    let _lock = FILE_LOCK.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (mut results, result) = (recorded(), [runs, passed]);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        results.insert(suite.to_owned(), result);
        let lines = results.iter().map(|(suite, result)| format!("  {suite:?}: {result:?}"));
        let text = format!("{{\n{}\n}}\n", lines.collect::<Vec<_>>().join(",\n"));
        fs::write(path(), text).unwrap();
    }
    assert_eq!(
        results.get(suite),
        Some(&result),
        "the result of `{suite}` has changed; `UPDATE_EXPECT=1` records it"
    );
}
