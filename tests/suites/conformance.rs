//! Runs external test suites, and our own cases, through every layer: the sink, the iterator, chunks, and the
//! interpreter. `suites.json` maps suites to dialects. Each run is counted, and a missing suite is reported.

use tabulex::Dialect;
use tabulex::Lines;
use tabulex_oracle::interpreter::Span;
use tabulex_tests::compiled::{self, dialect};
use tabulex_tests::html5lib::{self, Errors, Run};
use tabulex_tests::inputs::characters;
use tabulex_tests::interpreted::{Table, table};
use tabulex_tests::known::Known;
use tabulex_tests::recording::{Recording, lines};
use tabulex_tests::results;
use tabulex_tests::shared::report;
use tabulex_tests::suites::{SUITES, Strictness};

/// Runs the suite through all layers, and fails with the first ten differences.
fn check(name: &str) {
    let suite = SUITES.iter().find(|suite| suite.name == name).unwrap();
    let (dialect, table) = (dialect(&suite.dialect), table(&suite.dialect));
    let runs = suite.read();
    if runs.is_empty() {
        return;
    }
    let mut known = Known::read(&suite.name);
    let (mut passed, mut excused, mut failures) = (0, 0, Vec::new());
    for run in &runs {
        let Some(text) = failure(run, suite.strictness, dialect, table) else {
            passed += 1;
            continue;
        };
        let instead = known.instead(run);
        let wrong = instead.and_then(|run| failure(&run, suite.strictness, dialect, table));
        match wrong {
            Some(text) => failures.push(text),
            None if known.excuses(&run.written) => excused += 1,
            None => failures.push(text),
        }
    }
    report(&format!(
        "{name} on {}: {} runs, {passed} passed, {excused} known to fail, {} failed",
        suite.dialect,
        runs.len(),
        failures.len()
    ));
    let first: String = failures.iter().take(10).map(String::as_str).collect();
    assert!(
        failures.is_empty(),
        "{name}: {} runs failed; the first of them:\n{first}",
        failures.len()
    );
    if !suite.is_in_repository() {
        results::check_result(name, runs.len(), passed);
    }
    let stale = known.stale();
    assert!(stale.is_empty(), "{name}: listed as failing, but passing or absent: {stale:?}");
}

/// Returns the first difference of the run in any layer, or `None` if all layers agree with the suite.
pub(crate) fn failure(
    run: &Run,
    strictness: Strictness,
    dialect: &Dialect,
    table: &Table,
) -> Option<String> {
    let head = format!(
        "  {}: {} [{}]\n    input {:?}\n",
        run.file,
        run.description,
        run.setup.state.as_deref().unwrap_or("first state"),
        run.written
    );
    let Some(input) = &run.input else {
        return Some(format!("{head}    the input has an unpaired surrogate\n"));
    };
    type Layer<'a> = (&'a str, &'a dyn Fn() -> Recording);
    let layers: [Layer<'_>; 5] = [
        ("interpreter", &|| table.run(&run.setup, input)),
        ("sink", &|| compiled::tokenize(dialect, &run.setup, input)),
        ("iterator", &|| compiled::iterate(dialect, &run.setup, input)),
        ("chunks of a character", &|| compiled::feed(dialect, &run.setup, &characters(input))),
        ("chunks and pauses", &|| compiled::feed_pausing(dialect, &run.setup, &characters(input))),
    ];
    layers.iter().find_map(|(layer, recorded)| {
        let recording = recorded();
        let wrong = mismatch(run, strictness, input, &recording)?;
        let all = lines(&recording).join("\n      ");
        Some(format!("{head}    {layer}: {wrong}    whole output:\n      {all}\n"))
    })
}

fn mismatch(
    run: &Run,
    strictness: Strictness,
    input: &str,
    recording: &Recording,
) -> Option<String> {
    let mut tokens = recording.to_json();
    if run.is_for_xml {
        tokens = html5lib::coerced_for_xml(tokens);
    }
    if tokens != run.tokens {
        return Some(format!("tokens\n    - {}\n    + {tokens}\n", run.tokens));
    }
    let end = Span::at(input.len());
    let last = recording.tokens.last();
    let ends = matches!(last, Some(tabulex_oracle::interpreter::Token::EndOfFile { span }) if *span == end);
    if ends == run.is_refused {
        let fault = if ends { "unexpected" } else { "missing" };
        return Some(format!("{fault} end-of-file token\n"));
    }
    match (&run.errors, strictness) {
        (Errors::Counted(count), Strictness::TokensAndErrorCount) => {
            let found = recording.errors.len();
            (found != *count).then(|| format!("{count} errors expected, {found} found\n"))
        }
        (Errors::Listed(expected), Strictness::Everything | Strictness::EverythingInCodeUnits) => {
            let mut actual = located_errors(input, recording, strictness);
            let mut expected = expected.clone();
            // The order of errors at one position is unspecified.
            for errors in [&mut actual, &mut expected] {
                errors.sort_by(|a, b| (a.1, a.2, &a.0).cmp(&(b.1, b.2, &b.0)));
            }
            (actual != expected).then(|| format!("errors\n    - {expected:?}\n    + {actual:?}\n"))
        }
        (_, Strictness::Tokens) | (Errors::Unspecified, _) => None,
        _ => Some("the suite does not specify errors\n".to_owned()),
    }
}

fn located_errors(
    input: &str,
    recording: &Recording,
    strictness: Strictness,
) -> Vec<(String, usize, usize)> {
    let lines = Lines::new(input);
    let located = |(code, span): &(&str, Span)| {
        let position = lines.position(span.start);
        let before = input[..span.start].chars().rev().take(position.column - 1);
        let surrogate_pairs = before.filter(|character| character.len_utf16() == 2).count();
        let in_code_units = strictness == Strictness::EverythingInCodeUnits;
        (
            (*code).to_owned(),
            position.line,
            position.column + if in_code_units { surrogate_pairs } else { 0 },
        )
    };
    recording.errors.iter().map(located).collect()
}

#[test]
fn html5lib_today() {
    check("html5lib");
}

#[test]
fn html5lib_with_every_error() {
    check("html5lib-living");
}

#[test]
fn own_cases_of_html() {
    check("html-cases");
}

#[test]
fn html5lib_of_2014() {
    check("html5lib-2014");
}

#[test]
fn html5lib_of_2007() {
    check("html5lib-2007");
}

#[test]
fn own_cases_of_html_2007() {
    check("html-2007-cases");
}

#[test]
fn own_cases_of_html_2013() {
    check("html-2013-cases");
}

/// The tests of XML-ER's successors, whose rules differ in part, as listed in `known/xml5lib.json`.
#[test]
fn xml5lib() {
    check("xml5lib");
}

#[test]
fn own_cases_of_webvtt() {
    check("webvtt-cases");
}

#[test]
fn own_cases_of_xml() {
    check("xml-cases");
}

#[test]
fn own_cases_of_xml_er() {
    check("xml-er-cases");
}

#[test]
fn own_cases_of_sky() {
    check("sky-cases");
}

#[test]
fn own_cases_of_microxml() {
    check("microxml-cases");
    check("microxml-2012-12-cases");
}

/// Our own cases take every row, so that each is tested without external suites.
#[test]
fn every_row_is_executed() {
    tabulex::dialects().iter().for_each(|dialect| every_row_of(dialect));
}

fn every_row_of(dialect: &Dialect) {
    let table = table(dialect.id());
    let mut by_suites = vec![false; table.row_count()];
    let mut by_cases = by_suites.clone();
    for suite in SUITES.iter().filter(|suite| suite.dialect == dialect.id()) {
        let is_in_repository = suite.is_in_repository();
        for run in suite.read() {
            let Some(input) = run.input else { continue };
            let mut interpreted = vec![false; table.row_count()];
            table.run_with_rows(&run.setup, &input, &mut |row| interpreted[row] = true);
            let mut compiled = vec![false; table.row_count()];
            compiled::rows(dialect, &run.setup, &input, &mut |row| compiled[row] = true);
            assert_eq!(
                rows(&interpreted),
                rows(&compiled),
                "interpreter, sink: {:?} {input:?}",
                run.setup
            );
            let total = if is_in_repository { &mut by_cases } else { &mut by_suites };
            rows(&interpreted).into_iter().for_each(|row| total[row] = true);
        }
    }
    report(&format!(
        "rows of {}: {}; taken by suites: {}, by our own cases: {}",
        dialect.id(),
        table.row_count(),
        rows(&by_suites).len(),
        rows(&by_cases).len()
    ));
    let missing = describe_rows(table, &by_cases);
    assert!(missing.is_empty(), "{}: rows that no case of our own takes:\n{missing}", dialect.id());
}

fn rows(taken: &[bool]) -> Vec<usize> {
    (0..taken.len()).filter(|&row| taken[row]).collect()
}

/// Returns the rows that were not taken: state, line of the table, text.
fn describe_rows(table: &Table, taken: &[bool]) -> String {
    let states = table.machine().states.iter();
    let all = states.flat_map(|state| state.rows.iter().map(move |row| (state, row)));
    let mut text = String::new();
    for ((state, row), _) in all.zip(taken).filter(|(_, taken)| !**taken) {
        let written = &table.source.text[row.span.start as usize..row.span.end as usize];
        let (line, _) = table.source.line_column(row.span.start);
        text += &format!("  {}, line {line}: {}\n", state.name, written.trim_end());
    }
    text
}
