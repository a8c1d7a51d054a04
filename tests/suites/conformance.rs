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
use tabulex_tests::shared::{assert_no_failures, report};
use tabulex_tests::suites::{SUITES, Strictness};

/// Runs the suite `name` through all layers, and panics with the first ten differences.
fn check_suite(name: &str) {
    let suite = SUITES.iter().find(|suite| suite.name == name).unwrap();
    let (dialect, table) = (dialect(&suite.dialect), table(&suite.dialect));
    let runs = suite.read();
    if runs.is_empty() {
        return;
    }
    let mut known_failures = Known::read(&suite.name);
    let (mut passed, mut excused, mut failures) = (0, 0, Vec::new());
    for run in &runs {
        let Some(text) = failure(run, suite.strictness, dialect, table) else {
            passed += 1;
            continue;
        };
        let corrected_run = known_failures.instead(run);
        let remaining_failure =
            corrected_run.and_then(|run| failure(&run, suite.strictness, dialect, table));
        match remaining_failure {
            Some(text) => failures.push(text),
            None if known_failures.excuses(&run.written) => excused += 1,
            None => failures.push(text),
        }
    }
    report(&format!(
        "{name} on {}: {} runs, {passed} passed, {excused} known to fail, {} failed",
        suite.dialect,
        runs.len(),
        failures.len()
    ));
    assert_no_failures(name, &failures);
    if !suite.is_in_repository() {
        results::check_result(name, runs.len(), passed);
    }
    let stale_entries = known_failures.stale();
    assert!(
        stale_entries.is_empty(),
        "{name}: known failures that did not occur as listed: {stale_entries:?}"
    );
}

/// Returns the first difference of the run in any layer, or `None` if all layers agree with the suite.
pub(crate) fn failure(
    run: &Run,
    strictness: Strictness,
    dialect: &Dialect,
    table: &Table,
) -> Option<String> {
    let heading = format!(
        "  {}: {} [{}]\n    input {:?}\n",
        run.file,
        run.description,
        run.setup.state.as_deref().unwrap_or("first state"),
        run.written
    );
    let Some(input) = &run.input else {
        return Some(format!("{heading}    the input has an unpaired surrogate\n"));
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
        let difference = mismatch(run, strictness, input, &recording)?;
        let output = lines(&recording).join("\n      ");
        Some(format!("{heading}    {layer}: {difference}    whole output:\n      {output}\n"))
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
    let end_span = Span::at(input.len());
    let last_token = recording.tokens.last();
    let reaches_end = matches!(last_token, Some(tabulex_oracle::interpreter::Token::EndOfFile { span }) if *span == end_span);
    if reaches_end == run.is_refused {
        let fault = if reaches_end { "unexpected" } else { "missing" };
        return Some(format!("{fault} end-of-file token\n"));
    }
    match (&run.errors, strictness) {
        (Errors::Counted(count), Strictness::TokensAndErrorCount) => {
            let error_count = recording.errors.len();
            (error_count != *count)
                .then(|| format!("number of errors: {count} expected, {error_count} found\n"))
        }
        (Errors::Listed(expected), Strictness::Everything | Strictness::EverythingInCodeUnits) => {
            let mut actual = located_errors(input, recording, strictness);
            let mut expected = expected.clone();
            // The order of errors at the same position is unspecified, so both lists are sorted.
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
    let locate = |(code, span): &(&str, Span)| {
        let position = lines.position(span.start);
        let preceding = input[..span.start].chars().rev().take(position.column - 1);
        let surrogate_pairs = preceding.filter(|character| character.len_utf16() == 2).count();
        let counts_code_units = strictness == Strictness::EverythingInCodeUnits;
        (
            (*code).to_owned(),
            position.line,
            position.column + if counts_code_units { surrogate_pairs } else { 0 },
        )
    };
    recording.errors.iter().map(locate).collect()
}

#[test]
fn html5lib_today() {
    check_suite("html5lib");
}

#[test]
fn html5lib_with_every_error() {
    check_suite("html5lib-living");
}

#[test]
fn own_cases_of_html() {
    check_suite("html-cases");
}

#[test]
fn html5lib_of_2014() {
    check_suite("html5lib-2014");
}

#[test]
fn html5lib_of_2007() {
    check_suite("html5lib-2007");
}

#[test]
fn own_cases_of_html_2007() {
    check_suite("html-2007-cases");
}

#[test]
fn own_cases_of_html_2013() {
    check_suite("html-2013-cases");
}

/// The tests of XML-ER's successors, whose rules differ in part, as listed in `known/xml5lib.json`.
#[test]
fn xml5lib() {
    check_suite("xml5lib");
}

#[test]
fn own_cases_of_webvtt() {
    check_suite("webvtt-cases");
}

#[test]
fn own_cases_of_webvtt_file() {
    check_suite("webvtt-file-cases");
}

#[test]
fn own_cases_of_xml() {
    check_suite("xml-cases");
}

#[test]
fn own_cases_of_xml_er() {
    check_suite("xml-er-cases");
}

#[test]
fn own_cases_of_sky() {
    check_suite("sky-cases");
}

#[test]
fn own_cases_of_microxml() {
    check_suite("microxml-cases");
    check_suite("microxml-2012-12-cases");
}

/// Our own cases take every row, so that each is tested without external suites.
#[test]
fn every_row_is_executed() {
    tabulex::dialects().iter().for_each(|dialect| check_every_row_of(dialect));
}

fn check_every_row_of(dialect: &Dialect) {
    let table = table(dialect.id());
    let mut taken_by_suites = vec![false; table.row_count()];
    let mut taken_by_cases = taken_by_suites.clone();
    for suite in SUITES.iter().filter(|suite| suite.dialect == dialect.id()) {
        let is_in_repository = suite.is_in_repository();
        for run in suite.read() {
            let Some(input) = run.input else { continue };
            let mut interpreted_rows = vec![false; table.row_count()];
            table.run_with_rows(&run.setup, &input, &mut |row| interpreted_rows[row] = true);
            let mut compiled_rows = vec![false; table.row_count()];
            compiled::rows(dialect, &run.setup, &input, &mut |row| compiled_rows[row] = true);
            assert_eq!(
                taken_rows(&interpreted_rows),
                taken_rows(&compiled_rows),
                "interpreter, sink: {:?} {input:?}",
                run.setup
            );
            let taken = if is_in_repository { &mut taken_by_cases } else { &mut taken_by_suites };
            taken_rows(&interpreted_rows).into_iter().for_each(|row| taken[row] = true);
        }
    }
    report(&format!(
        "rows of {}: {}; taken by suites: {}, by our own cases: {}",
        dialect.id(),
        table.row_count(),
        taken_rows(&taken_by_suites).len(),
        taken_rows(&taken_by_cases).len()
    ));
    let missing_rows = describe_untaken_rows(table, &taken_by_cases);
    assert!(
        missing_rows.is_empty(),
        "{}: rows that no case of our own takes:\n{missing_rows}",
        dialect.id()
    );
}

fn taken_rows(taken: &[bool]) -> Vec<usize> {
    (0..taken.len()).filter(|&row| taken[row]).collect()
}

/// Describes the rows that were not taken, each by its state, its line in the table, and its text.
pub(crate) fn describe_untaken_rows(table: &Table, taken: &[bool]) -> String {
    let states = table.machine().states.iter();
    let rows = states.flat_map(|state| state.rows.iter().map(move |row| (state, row)));
    let mut text = String::new();
    for ((state, row), _) in rows.zip(taken).filter(|(_, taken)| !**taken) {
        let row_text = &table.source.text[row.span.start as usize..row.span.end as usize];
        let (line, _) = table.source.line_column(row.span.start);
        text += &format!("  {}, line {line}: {}\n", state.name, row_text.trim_end());
    }
    text
}
