//! The tokenizer suites listed in `tests/suites/suites.json`: location, dialect, checks, and minimum number of tests.
//! An absent suite is reported, and one with fewer tests fails.

use crate::html5lib::{self, Run};
use crate::shared::{self, report, shared, workspace};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The results that a suite checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// The tokens; the suite's errors are those of another version of the standard.
    Tokens,
    /// The tokens and the number of errors.
    TokensAndErrorCount,
    /// The tokens, and the errors with codes and positions.
    Everything,
    /// The tokens, and the errors with codes and positions whose columns count UTF-16 code units.
    EverythingInCodeUnits,
}

/// The location of a suite.
#[derive(Clone, Copy, Debug)]
enum Location {
    /// The shared folder.
    Shared,
    /// The shared folder, or else a package that includes it.
    Html5lib,
    /// This repository.
    Here,
}

/// A tokenizer suite.
#[derive(Debug)]
pub struct Suite {
    /// The name of the suite.
    pub name: String,
    /// The dialect that the suite tests.
    pub dialect: String,
    location: Location,
    /// The file or folder at the location.
    path: String,
    has_errors_among_tokens: bool,
    /// The results that the suite checks.
    pub strictness: Strictness,
    /// Minimum numbers of tests and runs, so that a parser that loses tests fails.
    tests: usize,
    runs: usize,
}

/// The suites in `tests/suites/suites.json`, which is also read by a JavaScript program.
pub static SUITES: LazyLock<Vec<Suite>> = LazyLock::new(|| {
    let listed: Vec<Value> = serde_json::from_str(include_str!("../suites/suites.json")).unwrap();
    listed.iter().map(parse_suite).collect()
});

fn parse_suite(listed: &Value) -> Suite {
    let text = |key: &str| listed[key].as_str().map(str::to_owned);
    let number = |key: &str| usize::try_from(listed[key].as_u64().expect(key)).expect(key);
    let locations =
        [("shared", Location::Shared), ("html5lib", Location::Html5lib), ("own", Location::Here)];
    let mut given_locations =
        locations.into_iter().filter_map(|(key, location)| Some((location, text(key)?)));
    let (location, path) =
        given_locations.next().expect("a suite has a location: `shared`, `html5lib` or `own`");
    let strictness = match listed["errors"].as_str() {
        Some("none") => Strictness::Tokens,
        Some("count") => Strictness::TokensAndErrorCount,
        Some("places") => Strictness::Everything,
        Some("units") => Strictness::EverythingInCodeUnits,
        other => {
            panic!("expected `none`, `count`, `places` or `units` as `errors`, found {other:?}")
        }
    };
    Suite {
        name: text("name").expect("a suite has a `name`"),
        dialect: text("dialect").expect("a suite has a `dialect`"),
        location,
        path,
        has_errors_among_tokens: listed["amongTokens"] == true,
        strictness,
        tests: number("tests"),
        runs: number("runs"),
    }
}

impl Suite {
    /// Whether the suite is part of this repository.
    pub fn is_in_repository(&self) -> bool {
        matches!(self.location, Location::Here)
    }

    fn path(&self) -> Result<PathBuf, String> {
        let path = &self.path;
        match self.location {
            Location::Here => Ok(workspace().join("tests/cases").join(path)),
            Location::Shared => {
                shared(&format!("testdata/{path}")).ok_or_else(|| format!("no testdata/{path}"))
            }
            Location::Html5lib => shared::html5lib(path),
        }
    }

    /// Returns the runs of the suite; if it is absent, reports that and returns none.
    ///
    /// # Panics
    /// If a file cannot be read, or the suite has fewer tests than required.
    pub fn read(&self) -> Vec<Run> {
        let path = match self.path() {
            Ok(path) => path,
            Err(reason) => {
                report(&format!("{}: 0 runs, suite absent: {reason}", self.name));
                return Vec::new();
            }
        };
        let (runs, tests) = html5lib::read(&path, self.has_errors_among_tokens).unwrap();
        assert!(
            tests >= self.tests,
            "`{}` has {tests} tests, expected at least {}",
            self.name,
            self.tests
        );
        assert!(
            runs.len() >= self.runs,
            "`{}` has {} runs, expected at least {}",
            self.name,
            runs.len(),
            self.runs
        );
        runs
    }
}
