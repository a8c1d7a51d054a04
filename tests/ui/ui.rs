//! What rustc says about tables that are wrong, and that it says nothing about good ones. The tables of the checks are
//! those of `spec/language/test_data/err`, included as a user includes a table; `TRYBUILD=overwrite` writes what
//! rustc prints now. A run takes a sample of the cases, `TABULEX_FULL=1` all. Invariant: every check has a case of its name,
//! which shows file, line and column of the table.

use std::path::Path;
use tabulex_language::diagnostic::CHECKS;
use tabulex_ui_tests::sample::{is_full, of};
use tabulex_ui_tests::{FOLDER, cases, stems, with_numbers};

/// Cases that are about no single check.
const OTHERS: [&str; 9] = [
    "several",
    "leaf",
    "leaf-syntax",
    "leaf-no-name",
    "unknown-mode.brought",
    "syntax.base",
    "syntax.synonyms",
    "no-modes",
    "no-machine",
];

/// How many cases of each folder a run takes that does not take all.
const SAMPLE: usize = 8;

#[test]
fn rustc_shows_every_mistake_at_its_place() {
    let is_writing = std::env::var_os("TRYBUILD").is_some_and(|mode| mode == "overwrite");
    let count = if is_writing || is_full() { usize::MAX } else { SAMPLE };
    let tests = trybuild::TestCases::new();
    of("err", cases("err", "rs"), count)
        .iter()
        .for_each(|case| tests.compile_fail(from_here(case)));
    of("ok", cases("ok", "rs"), count).iter().for_each(|case| tests.pass(from_here(case)));
    // They run when it is dropped.
    drop(tests);
    if is_writing {
        for case in cases("err", "stderr") {
            let said = std::fs::read_to_string(&case).expect("what was written can be read");
            let numbered = with_numbers(&case, &said);
            std::fs::write(&case, numbered).expect("the case can be written");
        }
    }
}

/// The path from the package's folder: trybuild knows a case by that alone.
fn from_here(case: &Path) -> &Path {
    case.strip_prefix(FOLDER).expect("a case of this package")
}

#[test]
fn every_check_has_its_case() {
    let cases = cases("err", "rs");
    let checks = CHECKS.iter().map(|check| check.name).chain(OTHERS).map(str::to_owned);
    assert_eq!(stems(&cases), checks.collect(), "left: cases; right: checks and other cases");
}

#[test]
fn every_case_shows_its_check_at_the_place_in_the_table() {
    for case in cases("err", "stderr") {
        let said = std::fs::read_to_string(&case).expect("what rustc says can be read");
        let name = case.file_stem().unwrap_or_default().to_string_lossy();
        if name.starts_with("leaf") || name.starts_with("no-") {
            continue;
        }
        let is_of_check = !OTHERS.contains(&&name[..]);
        assert!(
            !is_of_check || said.contains(&format!("[{name}] ")),
            "{name} does not show its check"
        );
        let places = said.lines().filter(|line| line.contains(&format!("/{name}.states")));
        let has_numbers = |line: &str| line.ends_with(|last: char| last.is_ascii_digit());
        let shown: Vec<bool> = places.map(has_numbers).collect();
        assert!(!shown.is_empty() && !shown.contains(&false), "{name} does not show its place");
    }
}

#[test]
fn no_case_shows_what_follows_from_a_refused_table() {
    for case in cases("err", "stderr") {
        let said = std::fs::read_to_string(&case).expect("what rustc says can be read");
        let is_of_types =
            case.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("no-"));
        let adds = !is_of_types && said.contains("error[E");
        assert!(!adds, "{}: rustc adds errors of its own", case.display());
        let root = Path::new(FOLDER).ancestors().nth(2).expect("the workspace");
        let names_machine = said.contains(&*root.to_string_lossy());
        assert!(!names_machine, "{}: a path of one machine only", case.display());
    }
}

#[test]
fn every_expectation_has_its_case() {
    assert_eq!(stems(&cases("err", "stderr")), stems(&cases("err", "rs")));
}
