//! What rustc says about tables that are wrong, and that it says nothing about good ones. The tables of the checks are
//! those of `spec/language/test_data/err`, brought in as a user brings in his; `TRYBUILD=overwrite` writes what is said now.
//! Invariant: every check has a case that bears its name, and shows file, line and column of the table.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tabulex_language::diagnostic::CHECKS;
use tabulex_language::{Diagnostic, Source};
use tabulex_tests::sample;

/// Cases that are about no single check.
const OTHERS: [&str; 4] = ["several", "leaf", "leaf-syntax", "leaf-no-name"];

fn cases(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder can be listed");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

fn stems(paths: &[PathBuf]) -> BTreeSet<String> {
    paths.iter().map(|path| path.file_stem().unwrap_or_default().to_string_lossy().into()).collect()
}

#[test]
fn rustc_shows_every_mistake_at_its_place() {
    let tests = trybuild::TestCases::new();
    let is_whole = std::env::var_os("TRYBUILD").is_some();
    let taken = |what: &str, most| {
        let most = if is_whole { usize::MAX } else { most };
        let mut all = cases(what, "rs");
        all.sort();
        sample::of(what, all, most)
    };
    taken("err", 8).iter().for_each(|case| tests.compile_fail(case));
    taken("ok", 1).iter().for_each(|case| tests.pass(case));
    // They run when it is dropped.
    drop(tests);
    if std::env::var_os("TRYBUILD").is_some_and(|mode| mode == "overwrite") {
        for case in cases("err", "stderr") {
            let said = std::fs::read_to_string(&case).expect("what was written can be read");
            let numbered = with_numbers(&case, &said);
            std::fs::write(&case, numbered).expect("the case can be written");
        }
    }
}

/// What trybuild wrote, with lines and columns of the table. It leaves them out for files other than the case itself
/// when it writes, but accepts them when it compares; so the next run puts what is filled in here to the test.
fn with_numbers(case: &Path, said: &str) -> String {
    let table = format!("{}.states", case.file_stem().unwrap_or_default().to_string_lossy());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/language/test_data/err");
    let Ok(text) = std::fs::read_to_string(folder.join(&table)) else { return said.to_owned() };
    let source = Source::new(table, text);
    let files = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let mut left = tabulex_language::load(&source, &files).diagnostics;
    let lines: Vec<&str> = said.lines().collect();
    let mut numbered = String::new();
    let (mut first, mut row, mut arrow) = (1, 0, usize::MAX);
    for (index, line) in lines.iter().enumerate() {
        if let Some(heading) = line.find(": [").map(|at| &line[at + 2..]) {
            let starts = |found: &Diagnostic| found.text(&source).lines().next() == Some(heading);
            let found = left.iter().position(starts).map(|index| left.remove(index));
            first = found.map_or(1, |found| source.line_column(found.place.start).0);
        }
        if line.ends_with(&source.path) {
            // Below the arrow: a bar, the line of the table, the caret.
            arrow = index;
            let shown = |below: usize| lines[index + below].split_once("| ").expect("a bar").1;
            let mut rows = source.text.lines().enumerate().skip(first - 1);
            row = rows.find(|(_, text)| *text == shown(2)).expect("a line of the table").0 + 1;
            let column = shown(3).find('^').expect("a caret") + 1;
            numbered += &format!("{line}:{row}:{column}");
        } else if index == arrow.saturating_add(2) {
            numbered += &format!("{row} {}", line.trim_start());
        } else {
            numbered += line;
        }
        numbered.push('\n');
    }
    numbered
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
        if name.starts_with("leaf") {
            continue;
        }
        let is_of_check = name != "several";
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
        assert!(!said.contains("error[E"), "{}: rustc adds errors of its own", case.display());
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
        let names_machine = said.contains(&*root.to_string_lossy());
        assert!(!names_machine, "{}: a path of one machine only", case.display());
    }
}

#[test]
fn every_expectation_has_its_case() {
    assert_eq!(stems(&cases("err", "stderr")), stems(&cases("err", "rs")));
}
