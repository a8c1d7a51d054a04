//! Trees of HTML and its dialects: our own cases, and external suites of trees and errors, with the compiled parser,
//! whole and split, compared with the interpreter. Each case is counted; one that differs is listed with its reason.
//! Each row of each mode is taken by one of our own cases, or listed in `UNTAKEN` with the reason why no input takes
//! it.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use tabulex::{Dialect, ParseError, Parsed};
use tabulex_language::model::tree::ModeRowId;
use tabulex_tests::dat::{Case, cases, inputs, of_folder};
use tabulex_tests::inputs::{all_cuts, characters, cut};
use tabulex_tests::interpreted::table;
use tabulex_tests::known::Known;
use tabulex_tests::random::Random;
use tabulex_tests::results;
use tabulex_tests::sample;
use tabulex_tests::shared::{package_folder, report, shared, workspace};
use tabulex_tests::trees::{Input, difference, dump, interpreted, parse, tree_dialect};

/// Rows of insertion modes that no input takes: the mode, the patterns, and the reason.
const UNTAKEN: &[(&str, &str, &str)] = &[
    (
        "text",
        "Else",
        "between these tags the tokenizer emits characters, their end tag and the end of the input",
    ),
    (
        "in-foreign-content",
        "EndOfFile",
        "the dispatcher hands the end of the input to the current mode",
    ),
];

/// Cases whose errors predate processing instructions in the standard, with the correct errors.
const STALE_ERRORS: &[(&str, &[&str])] = &[
    ("comments01:11", &["(1:6) disallowed-processing-instruction-target"]),
    ("comments01:12", &["(1:6) disallowed-processing-instruction-target"]),
    ("comments01:13", &["(1:6) disallowed-processing-instruction-target"]),
    ("html5test-com:11", &[]),
    ("tests1:39", &["(1:3) eof-in-processing-instruction"]),
    ("tests1:40", &["(1:3) invalid-first-character-of-processing-instruction-target"]),
    ("tests1:43", &[]),
    ("tests1:46", &[]),
];

/// The only error code that the standard defines for the insertion modes. The Web Platform Tests also specify the end
/// of this error's range.
const TRAILING_SOLIDUS: &str = "non-void-html-element-start-tag-with-trailing-solidus";

/// Returns the line and column of an offset, from 1, as `LINE:COLUMN`.
fn line_column(text: &str, offset: usize) -> String {
    let before = &text[..offset];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{line}:{column}")
}

/// Returns the error codes that the table, but not the standard, defines for the insertion modes.
fn unnamed_codes() -> HashSet<String> {
    let modes = tabulex_tables::text("html.modes").unwrap();
    let (file, _) = tabulex_language::parse::file(&modes);
    let mut codes = HashSet::new();
    for item in file.into_iter().flat_map(|file| file.items) {
        if let tabulex_language::syntax::ItemBody::Errors(declared) = item.body {
            codes.extend(declared.into_iter().map(|code| code.value));
        }
    }
    codes.remove(TRAILING_SOLIDUS);
    codes
}

/// Returns the errors that the standard names, sorted, in the format of the suite.
fn errors(unnamed: &HashSet<String>, case: &Case, parsed: &Parsed) -> Vec<String> {
    let named_errors = parsed.errors.iter().filter(|error| !unnamed.contains(error.code));
    let lines = named_errors.map(|error| {
        let [start, end] =
            [error.span.start, error.span.end].map(|offset| line_column(&case.data, offset));
        match error.code {
            TRAILING_SOLIDUS => format!("({start}-{end}) {TRAILING_SOLIDUS}"),
            code => format!("({start}) {code}"),
        }
    });
    let mut lines: Vec<String> = lines.collect();
    lines.sort();
    lines
}

/// A suite, its dialect, and the name of its list of known failures.
struct Suite<'a> {
    name: &'a str,
    dialect: &'static Dialect,
    known_file: &'a str,
}

impl Suite<'_> {
    /// Runs the cases of a folder whole, by single characters and with random splits.
    fn run(&self, folder: &Path) {
        let mut known = Known::read(self.known_file);
        let (mut runs, mut passed, mut failed) = (0, 0, Vec::new());
        for (id, case) in &of_folder(folder) {
            for input in inputs(case) {
                runs += 1;
                let found_dump = dump(case.fragment.is_some(), &parse(self.dialect, &input, None));
                let mut random = Random::new(runs as u64);
                let cuts = [characters(input.text), cut(&mut random, input.text, 5)];
                let difference = difference(self.dialect, &input, &cuts);
                if found_dump == case.document && difference.is_none() {
                    passed += 1;
                } else if difference.is_some() || !known.excuses(&input.written()) {
                    failed.push(format!(
                        "{id} {:?} {difference:?}\nexpected\n{}\nfound\n{found_dump}",
                        input.written(),
                        case.document
                    ));
                }
            }
        }
        report(&format!(
            "{}: {runs} runs, {passed} passed, {} known to fail, {} failed",
            self.name,
            runs - passed - failed.len(),
            failed.len()
        ));
        let stale = known.stale();
        assert!(
            stale.is_empty() && failed.is_empty(),
            "known failures that did not occur as listed: {stale:#?}\nunknown failures:\n{}",
            failed[..failed.len().min(8)].join("\n\n")
        );
        results::check_result(self.known_file, runs, passed);
    }
}

/// Runs the Web Platform Tests of August 2026 with a dialect.
fn web_platform_tests(dialect: &str) {
    let name = format!("wpt trees with {dialect}");
    let Some(folder) = shared("testdata/wpt/tree-construction") else {
        return report(&format!("{name}: 0 runs, suite absent"));
    };
    let known_file = format!("wpt-trees-{dialect}");
    Suite { name: &name, dialect: tree_dialect(dialect), known_file: &known_file }.run(&folder);
}

#[test]
fn web_platform_tests_with_html() {
    web_platform_tests("html");
}

#[test]
fn web_platform_tests_with_html_2013() {
    web_platform_tests("html-2013");
}

#[test]
fn web_platform_tests_with_html_2007() {
    web_platform_tests("html-2007");
}

#[test]
fn web_platform_tests_with_errors() {
    let Some(folder) = shared("testdata/wpt/tree-construction") else {
        return report("wpt errors: 0 runs, suite absent");
    };
    let unnamed = unnamed_codes();
    let (mut passed, mut failed) = (0, Vec::new());
    for (id, case) in of_folder(&folder) {
        let Some(expected) = &case.new_errors else { continue };
        let lines = expected.iter().filter(|line| !line.is_empty());
        let mut expected: Vec<String> = lines.map(|line| line.replace("): ", ") ")).collect();
        if let Some((_, correct)) = STALE_ERRORS.iter().find(|(stale_id, _)| *stale_id == id) {
            expected = correct.iter().map(|&line| line.to_owned()).collect();
        }
        expected.sort();
        for input in inputs(&case) {
            let found = errors(&unnamed, &case, &parse(tree_dialect("html"), &input, None));
            if found == expected {
                passed += 1;
            } else {
                failed
                    .push(format!("{id} {:?}: found {found:?}, expected {expected:?}", case.data));
            }
        }
    }
    report(&format!("wpt errors with positions: {passed} runs passed, {} failed", failed.len()));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(passed >= 560, "only {passed} runs passed, expected at least 560");
}

#[test]
fn html5lib_trees() {
    let name = "html5lib trees";
    let Some(folder) = shared("testdata/html5lib/tree-construction") else {
        return report("html5lib trees: 0 runs, suite absent; an older one of a package is run");
    };
    let dialect = tree_dialect("html");
    Suite { name, dialect, known_file: "html5lib-trees" }.run(&folder);
}

#[test]
fn html5lib_trees_of_a_package() {
    let name = "html5lib trees of a package";
    let folder = package_folder("markup5ever_rcdom", "html5lib-tests/tree-construction")
        .expect("the package `markup5ever_rcdom`, which contains the suite, is unpacked; if not, run `cargo fetch`");
    let dialect = tree_dialect("html");
    Suite { name, dialect, known_file: "html5lib-trees-of-a-package" }.run(&folder);
}

/// Checks all errors of a case that lists them, including those without a name in the standard.
fn check_all_errors(case: &Case, parsed: &Parsed) {
    let Some(expected) = &case.new_errors else { return };
    let position = |error: &ParseError| line_column(&case.data, error.span.start);
    let mut found: Vec<String> =
        parsed.errors.iter().map(|error| format!("({}) {}", position(error), error.code)).collect();
    found.sort();
    let expected: Vec<&String> = expected.iter().filter(|line| !line.is_empty()).collect();
    assert!(
        expected.iter().copied().eq(&found),
        "{:?}: found {found:?}, expected {expected:?}",
        case.data
    );
}

/// Checks the trees and errors of cases, and compares them with the interpreter. Returns the rows of modes taken.
fn check_own_cases(dialect: &Dialect, cases: &[Case]) -> HashSet<ModeRowId> {
    let mut rows = HashSet::new();
    for case in cases {
        for input in inputs(case) {
            let found_dump = dump(case.fragment.is_some(), &parse(dialect, &input, None));
            assert_eq!(found_dump, case.document, "{}: {:?}", dialect.id(), case.data);
            check_all_errors(case, &parse(dialect, &input, None));
            rows.extend(interpreted(dialect.id(), &input).1);
        }
    }
    check_cuts(dialect, cases);
    rows
}

/// Compares the cases with the interpreter, whole and with every split, and whole with declarative shadow roots.
fn check_cuts(dialect: &Dialect, cases: &[Case]) {
    let sampled = sample::of(dialect.id(), cases.iter().collect(), 150);
    for case in &sampled {
        for input in inputs(case) {
            let mismatch = difference(dialect, &input, &all_cuts(&case.data));
            assert_eq!(mismatch, None, "{}: {:?}", dialect.id(), case.data);
            let mismatch = difference(dialect, &Input { shadow_roots: true, ..input }, &[]);
            assert_eq!(mismatch, None, "{}: {:?} with shadow roots", dialect.id(), case.data);
        }
    }
    report(&format!("trees of {}: {} own cases with every split", dialect.id(), sampled.len()));
}

/// Returns our own cases of the dialect.
fn own_cases(name: &str) -> Vec<Case> {
    let path = workspace().join(format!("tests/cases/trees-{name}.dat"));
    cases(&fs::read_to_string(path).unwrap())
}

#[test]
fn own_cases_of_html_at_every_cut() {
    let rows_taken = check_own_cases(tree_dialect("html"), &own_cases("html"));
    assert_every_row_is_taken(&rows_taken);
}

#[test]
fn own_cases_of_html_with_older_machines_at_every_cut() {
    check_cuts(tree_dialect("html-2013"), &own_cases("html"));
    check_cuts(tree_dialect("html-2007"), &own_cases("html"));
}

#[test]
fn own_cases_of_html_2007_at_every_cut() {
    check_own_cases(tree_dialect("html-2007"), &own_cases("html-2007"));
}

fn assert_every_row_is_taken(rows_taken: &HashSet<ModeRowId>) {
    let construction = table("html").machine().construction.as_ref().unwrap();
    let mut untaken_rows = Vec::new();
    for id in construction.row_ids().filter(|id| !rows_taken.contains(id)) {
        let mode = construction.mode(id.mode);
        let patterns = mode.rows[usize::from(id.row)].patterns.iter();
        let patterns: Vec<String> =
            patterns.map(|pattern| format!("{:?}", pattern.value)).collect();
        untaken_rows.push((&mode.name[..], patterns.join(" | ")));
    }
    let listed_rows: Vec<(&str, String)> =
        UNTAKEN.iter().map(|(mode, row, _)| (*mode, (*row).to_owned())).collect();
    assert_eq!(
        untaken_rows, listed_rows,
        "left: rows that no case of our own takes, right: rows in `UNTAKEN`"
    );
}
