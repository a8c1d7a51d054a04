//! Parses pages whose scripts a JavaScript engine runs during parsing: cases of public suites that require scripts, our
//! own cases with the trees of Chromium, and all other cases that contain scripts, whose results must not change. The
//! DOM covers what these cases use. A script that ends with an error must be listed with its reason.

mod natives;
mod page;

use page::{Outcome, parse};
use std::fs;
use std::path::PathBuf;
use tabulex::{Options, WriteNode as _, html};
use tabulex_tests::dat::{self, Case};
use tabulex_tests::inputs::{characters, cut};
use tabulex_tests::random::Random;
use tabulex_tests::shared::{html5lib, report, shared, workspace};

/// Prefixes of expected error messages of the engine, each with the reason for the error.
const EXPECTED_ERRORS: &[(&str, &str)] = &[
    ("SyntaxError: ", "the text is not a program, as the case tests where a script ends"),
    ("ReferenceError: console is not defined", "the host has no console"),
];

/// Returns the names and folders of the tree construction suites that are present; reports absent ones.
fn suites() -> Vec<(&'static str, PathBuf)> {
    let mut suites = Vec::new();
    match html5lib("html5lib/tree-construction") {
        Ok(folder) => suites.push(("html5lib", folder)),
        Err(reason) => report(&format!("suite absent: html5lib: {reason}")),
    }
    match shared("testdata/wpt/tree-construction") {
        Some(folder) => suites.push(("wpt", folder)),
        None => report("suite absent: testdata/wpt"),
    }
    suites
}

/// Runs a case whole and in chunks, and checks that the results are equal.
fn run(name: &str, case: &Case) -> Outcome {
    let whole = parse(&[&case.data]);
    let mut random = Random::new(case.data.len() as u64);
    for chunks in [characters(&case.data), cut(&mut random, &case.data, 5)] {
        let chunked = parse(&chunks);
        assert_eq!(chunked.dump, whole.dump, "{name}: {chunks:?}");
        assert_eq!(chunked.ran, whole.ran, "{name}: {chunks:?}");
    }
    whole
}

/// Runs cases, checks their trees, and requires minimum numbers of cases and of scripts.
fn run_all(name: &str, cases: &[(String, Case)], minimum: (usize, usize)) {
    let (mut ran, mut wrong) = (0, String::new());
    for (id, case) in cases {
        let outcome = run(id, case);
        ran += outcome.ran;
        if outcome.dump != case.document {
            let Outcome { dump, errors, .. } = outcome;
            wrong += &format!(
                "{id}: {:?} {errors:?}\nfound\n{dump}\nexpected\n{}\n",
                case.data, case.document
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    report(&format!("{name}: {} cases, {ran} scripts", cases.len()));
    assert!(
        cases.len() >= minimum.0 && ran >= minimum.1,
        "{name}: only {} cases and {ran} scripts, expected at least {} and {}",
        cases.len(),
        minimum.0,
        minimum.1
    );
}

#[test]
fn runs_suite_cases_with_scripts() {
    for (name, folder) in suites() {
        run_all(&format!("scripted cases of {name}"), &dat::scripted(&folder), (4, 6));
    }
}

#[test]
fn committed_cases_match_chromium() {
    let text = fs::read_to_string(workspace().join("tests/cases/scripts.dat")).unwrap();
    let cases: Vec<_> = dat::cases(&text)
        .into_iter()
        .map(|case| (format!("scripts.dat:{}", case.index), case))
        .collect();
    run_all("scripted cases of our own", &cases, (59, 57));
}

/// Most scripts in other cases are invalid programs. As in a browser, an error ends the script, and the tree is that of a
/// parser that runs no scripts.
#[test]
fn scripts_do_not_affect_other_cases() {
    for (name, folder) in suites() {
        let (mut cases, mut ran, mut failed) = (0, 0, 0);
        for (id, case) in dat::of_folder(&folder) {
            let allows_scripts = case.fragment.is_none() && case.scripting != Some(false);
            if !allows_scripts || !case.data.to_ascii_lowercase().contains("<script") {
                continue;
            }
            let outcome = parse(&[&case.data]);
            let unscripted_dump =
                html::parse(&case.data, Options::new().scripting(true)).tree.root().to_dump();
            assert_eq!(
                outcome.dump,
                unscripted_dump.trim_end_matches('\n'),
                "{id}: {:?}",
                case.data
            );
            let is_unlisted = |error: &&String| {
                !EXPECTED_ERRORS.iter().any(|(prefix, _)| error.starts_with(prefix))
            };
            let unlisted: Vec<_> = outcome.errors.iter().filter(is_unlisted).collect();
            assert!(unlisted.is_empty(), "{id}: {:?}: {unlisted:?}", case.data);
            (cases, ran, failed) = (cases + 1, ran + outcome.ran, failed + outcome.errors.len());
        }
        report(&format!(
            "{name}: {cases} other cases, {ran} scripts, {failed} of them with errors"
        ));
        assert!(ran >= 40, "{name}: only {ran} scripts ran, expected at least 40");
    }
}
