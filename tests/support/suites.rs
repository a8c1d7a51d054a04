//! The suites of tokenizers: where each is, what it says about which dialect, and how many tests it must have. It runs
//! nothing. Invariant: a suite that is absent is reported, and one that has lost tests fails.

use crate::html5lib::{self, Run};
use crate::shared::{self, report, shared, workspace};
use std::path::PathBuf;

/// What a suite proves of a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// The tokens; its errors are those of another text of the standard.
    Tokens,
    /// The tokens and the number of errors.
    TokensAndErrorCount,
    /// The tokens, and the errors with their codes and places.
    Everything,
    /// Tokens and errors with codes and places, where columns count UTF-16 code units.
    EverythingInCodeUnits,
}

/// Where a suite is.
#[derive(Debug)]
pub enum Place {
    /// In the shared folder.
    Shared(&'static str),
    /// In the shared folder, or else in a package that ships it.
    Html5lib(&'static str),
    /// In this repository.
    Here(&'static str),
}

/// A suite.
#[derive(Debug)]
pub struct Suite {
    /// Its name.
    pub name: &'static str,
    /// The dialect that it is about.
    pub dialect: &'static str,
    place: Place,
    has_errors_among_tokens: bool,
    /// What it proves.
    pub strictness: Strictness,
    /// The least numbers of tests and runs: a reader that loses some must not go unnoticed.
    tests: usize,
    runs: usize,
}

/// All of them.
pub const SUITES: &[Suite] = &[
    Suite {
        name: "html5lib-living",
        dialect: "html",
        place: Place::Html5lib("html5lib/tokenizer"),
        has_errors_among_tokens: false,
        strictness: Strictness::EverythingInCodeUnits,
        tests: 6810,
        runs: 7036,
    },
    Suite {
        name: "html-cases",
        dialect: "html",
        place: Place::Here("tests/cases/html.test"),
        has_errors_among_tokens: false,
        strictness: Strictness::Everything,
        tests: 838,
        runs: 838,
    },
    Suite {
        name: "html5lib",
        dialect: "html-2013",
        place: Place::Html5lib("html5lib/tokenizer"),
        has_errors_among_tokens: false,
        strictness: Strictness::Tokens,
        tests: 6810,
        runs: 7036,
    },
    Suite {
        name: "html5lib-2014",
        dialect: "html-2013",
        place: Place::Shared("testdata/html5lib-2014-tokenizer"),
        has_errors_among_tokens: true,
        strictness: Strictness::TokensAndErrorCount,
        tests: 6654,
        runs: 6673,
    },
    Suite {
        name: "html5lib-2007",
        dialect: "html-2007",
        place: Place::Shared("testdata/html5lib-2007/tokenizer"),
        has_errors_among_tokens: true,
        strictness: Strictness::TokensAndErrorCount,
        tests: 807,
        runs: 815,
    },
    Suite {
        name: "html-2007-cases",
        dialect: "html-2007",
        place: Place::Here("tests/cases/html-2007.test"),
        has_errors_among_tokens: false,
        strictness: Strictness::Everything,
        tests: 68,
        runs: 82,
    },
    Suite {
        name: "html-2013-cases",
        dialect: "html-2013",
        place: Place::Here("tests/cases/html-2013.test"),
        has_errors_among_tokens: false,
        strictness: Strictness::Everything,
        tests: 256,
        runs: 256,
    },
    Suite {
        name: "xml5lib",
        dialect: "xml-er",
        place: Place::Html5lib("xml5lib/tokenizer"),
        has_errors_among_tokens: true,
        strictness: Strictness::Tokens,
        tests: 5863,
        runs: 5863,
    },
    Suite {
        name: "xml-er-cases",
        dialect: "xml-er",
        place: Place::Here("tests/cases/xml-er.test"),
        has_errors_among_tokens: false,
        strictness: Strictness::Everything,
        tests: 268,
        runs: 268,
    },
    Suite {
        name: "sky-cases",
        dialect: "sky",
        place: Place::Here("tests/cases/sky.test"),
        has_errors_among_tokens: false,
        strictness: Strictness::Everything,
        tests: 309,
        runs: 309,
    },
    Suite {
        name: "microxml-cases",
        dialect: "microxml",
        place: Place::Here("tests/cases/microxml.test"),
        has_errors_among_tokens: false,
        strictness: Strictness::Everything,
        tests: 58,
        runs: 58,
    },
    Suite {
        name: "microxml-2012-12-cases",
        dialect: "microxml-2012-12",
        place: Place::Here("tests/cases/microxml-2012-12.test"),
        has_errors_among_tokens: false,
        strictness: Strictness::Everything,
        tests: 97,
        runs: 97,
    },
];

impl Suite {
    /// Whether it is part of this repository.
    pub fn is_own(&self) -> bool {
        matches!(self.place, Place::Here(_))
    }

    fn path(&self) -> Result<PathBuf, String> {
        match self.place {
            Place::Here(path) => Ok(workspace().join(path)),
            Place::Shared(path) => shared(path).ok_or_else(|| format!("no {path}")),
            Place::Html5lib(path) => shared::html5lib(path),
        }
    }

    /// The runs of the suite; none, which is reported in a line, if it is absent.
    ///
    /// # Panics
    /// If it cannot be read, or has lost tests.
    pub fn read(&self) -> Vec<Run> {
        let path = match self.path() {
            Ok(path) => path,
            Err(why) => {
                report(&format!("{}: 0 runs, suite absent: {why}", self.name));
                return Vec::new();
            }
        };
        let (runs, tests) = html5lib::read(&path, self.has_errors_among_tokens).unwrap();
        assert!(tests >= self.tests, "{}: {tests} tests of {}", self.name, self.tests);
        assert!(runs.len() >= self.runs, "{}: {} runs of {}", self.name, runs.len(), self.runs);
        runs
    }
}
