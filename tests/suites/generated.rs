//! Suites derived from the tables: short sequences of consecutive rows, each kind of token in each mode, each fragment
//! context. They are written in the formats of html5lib, read back, and run by the interpreter, every layer of the
//! compiled code, and the machines of the documents. Derivation is always complete; samples are run by default.

use crate::conformance::failure;
use crate::documents::check_runs;
use std::collections::BTreeMap;
use tabulex::{Lines, Parsed};
use tabulex_language::model::tree::Namespace;
use tabulex_oracle::formats;
use tabulex_oracle::interpreter::tree::document::ParseOptions;
use tabulex_oracle::search::{Bound, TreeWitness, token_suite, tree_suite};
use tabulex_tests::compiled::dialect;
use tabulex_tests::dat::{self, Case};
use tabulex_tests::html5lib::{self, Errors, Run};
use tabulex_tests::inputs::{characters, cut};
use tabulex_tests::interpreted::table;
use tabulex_tests::random::Random;
use tabulex_tests::results;
use tabulex_tests::sample;
use tabulex_tests::setup::Setup;
use tabulex_tests::shared::{assert_no_failures, report};
use tabulex_tests::suites::Strictness;
use tabulex_tests::trees::{Input, difference, dump, parse, tree_dialect};

/// Number of cases of a dialect in a sample.
const SAMPLE_SIZE: usize = 400;

/// Dialects whose documents are not run as machines, because they are not read, or are incomplete by themselves: that
/// of `webvtt` calls a procedure of another document, and those of `url` and `webvtt-file` have algorithms that are
/// states only in the table.
const WITHOUT_DOCUMENT: &[&str] = &["microxml-2012-12", "url", "webvtt", "webvtt-file", "xml"];

/// The second state of dialects in which every input takes a row with a declared difference in the first state. The
/// document's machine is also compared from the second state on.
const SECOND_STATES: &[(&str, &str)] = &[("sky", "data")];

/// Compares the document's machine with the table's on the runs, also from the states in [`SECOND_STATES`] on.
fn check_document(name: &str, description: &str, runs: &[Run]) {
    if WITHOUT_DOCUMENT.contains(&name) {
        return;
    }
    check_runs(name, description, runs);
    let machine = table(name).machine();
    let first_state = &machine.state(machine.start).name;
    for (_, after) in SECOND_STATES.iter().filter(|(dialect, _)| *dialect == name) {
        let first_state_runs = runs
            .iter()
            .filter(|run| run.setup.state.as_ref().is_none_or(|state| state == first_state));
        let start_at_second = |run: &Run| Run {
            setup: Setup { state: Some((*after).to_owned()), ..run.setup.clone() },
            ..run.clone()
        };
        let runs: Vec<Run> = first_state_runs.map(start_at_second).collect();
        assert!(!runs.is_empty(), "{name}: no run begins in the state `{first_state}`");
        check_runs(name, &format!("{description} from {after} on"), &runs);
    }
}

/// Derives the suite of a tokenizer and runs it.
fn check_tokens(name: &str) {
    let (dialect, table) = (dialect(name), table(name));
    let suite = token_suite(table.machine(), Bound::default());
    let case_count = suite.cases.len();
    let cases = sample::of(name, suite.cases, SAMPLE_SIZE);
    let text = formats::html5lib::suite(table.machine(), &cases);
    let (runs, tests) = html5lib::runs(&text, name, false).unwrap();
    assert_eq!((tests, runs.len()), (cases.len(), cases.len()), "{name}: each case is one run");
    let failures =
        runs.iter().filter_map(|run| failure(run, Strictness::Everything, dialect, table));
    let failures: Vec<String> = failures.collect();
    report(&format!(
        "{name}: {case_count} generated cases of tokens cover {} sequences of rows and ends; {tests} were run, {} failed",
        suite.covered,
        failures.len()
    ));
    assert_no_failures(name, &failures);
    check_document(name, "generated cases", &runs);
    results::check_result(&format!("{name}, generated tokens"), case_count, case_count);
}

/// Derives the suite of tree construction and runs it.
fn check_trees(name: &str) {
    let machine = table(name).machine();
    let suite = tree_suite(machine, Bound::default()).unwrap();
    let case_count = suite.cases.len();
    let cases = sample::of(&format!("trees of {name}"), suite.cases, SAMPLE_SIZE);
    let (mut failures, mut read) = (Vec::new(), 0);
    for (flags, cases) in group_by_flags(&cases) {
        let text = formats::dat::cases(machine, cases.iter().copied());
        let parsed_cases = dat::cases(&text);
        assert_eq!(parsed_cases.len(), cases.len(), "{name} {flags:?}: each case is read back");
        read += parsed_cases.len();
        let pairs = parsed_cases.iter().zip(cases);
        failures.extend(pairs.filter_map(|(case, witness)| tree_failure(name, case, witness)));
    }
    report(&format!(
        "{name}: {case_count} generated cases of trees cover {} sequences of rows; {read} were run, {} failed",
        suite.covered,
        failures.len()
    ));
    assert_no_failures(name, &failures);
    let document_cases = cases.iter().filter(|case| case.options.context.is_none());
    let runs: Vec<Run> = document_cases.map(|case| as_token_run(&case.input)).collect();
    check_document(name, "generated documents", &runs);
    results::check_result(&format!("{name}, generated trees"), case_count, case_count);
}

/// Groups the cases by their host flags other than `scripting`. Each group is a file, as the format lacks these flags.
fn group_by_flags(cases: &[TreeWitness]) -> BTreeMap<Vec<(String, u8)>, Vec<&TreeWitness>> {
    let mut files: BTreeMap<Vec<(String, u8)>, Vec<&TreeWitness>> = BTreeMap::new();
    for case in cases {
        let mut flags = case.options.flags.clone();
        flags.retain(|(name, _)| name != "scripting");
        files.entry(flags).or_default().push(case);
    }
    files
}

/// Returns the flags of a run, with names from the table.
fn flags_of(name: &str, options: &ParseOptions) -> Vec<(&'static str, u8)> {
    let machine = table(name).machine();
    let tree_flags =
        machine.construction.iter().flat_map(|model| &model.flags).map(|flag| &flag.name[..]);
    let flag_names = machine.flags.iter().map(|flag| &flag.name[..]).chain(tree_flags);
    let set_flags = flag_names.filter_map(|name| {
        let (_, value) = options.flags.iter().find(|(other, _)| other == name)?;
        Some((name, *value))
    });
    set_flags.collect()
}

/// Returns the first difference between the expected results of a case and those of any way to parse it, if any.
fn tree_failure(name: &str, case: &Case, witness: &TreeWitness) -> Option<String> {
    let dialect = tree_dialect(name);
    assert_eq!(case.data, witness.input, "the input is read back");
    let flags = flags_of(name, &witness.options);
    assert_eq!(flags.len(), witness.options.flags.len(), "{name}: {:?}", witness.options.flags);
    let input = Input {
        text: &case.data,
        fragment: case.fragment.as_deref(),
        scripting: case.scripting == Some(true),
        other_flags: &flags,
        ..Input::default()
    };
    let expected_context = witness.options.context.as_ref().map(|context| {
        let prefix = match context.namespace {
            Namespace::Own => "",
            Namespace::Svg => "svg ",
            Namespace::Math => "math ",
        };
        format!("{prefix}{}", context.local)
    });
    assert_eq!(case.fragment, expected_context, "the context is read back");
    let parsed = parse(dialect, &input, None);
    let (found, errors) =
        (dump(case.fragment.is_some(), &parsed), error_lines(&case.data, &parsed));
    if found != case.document {
        return Some(format!("{input:?}\nexpected\n{}\nfound\n{found}\n", case.document));
    }
    if errors != case.errors {
        return Some(format!("{input:?}\nexpected {:?}, found {errors:?}\n", case.errors));
    }
    let mut random = Random::new(case.data.len() as u64);
    let cuts = [characters(input.text), cut(&mut random, input.text, 5)];
    let difference = difference(dialect, &input, &cuts)?;
    Some(format!("{input:?}\n{difference}\n"))
}

/// Returns the errors in the format of the suites.
fn error_lines(text: &str, parsed: &Parsed) -> Vec<String> {
    let lines = Lines::new(text);
    let written = parsed.errors.iter().map(|error| {
        let position = lines.position(error.span.start);
        format!("({},{}): {}", position.line, position.column, error.code)
    });
    written.collect()
}

/// Converts an input of tree construction to a tokenizer run that specifies no errors.
fn as_token_run(input: &str) -> Run {
    Run {
        file: "generated".to_owned(),
        description: String::new(),
        written: input.to_owned(),
        input: Some(input.to_owned()),
        setup: Setup { switches: true, ..Setup::default() },
        tokens: serde_json::Value::Null,
        errors: Errors::Unspecified,
        is_refused: false,
        is_for_xml: false,
    }
}

#[test]
fn tokens_of_html() {
    check_tokens("html");
}

#[test]
fn tokens_of_html_2013() {
    check_tokens("html-2013");
}

#[test]
fn tokens_of_html_2007() {
    check_tokens("html-2007");
}

#[test]
fn tokens_of_sky() {
    check_tokens("sky");
}

#[test]
fn tokens_of_microxml() {
    check_tokens("microxml");
}

#[test]
fn tokens_of_microxml_2012_12() {
    check_tokens("microxml-2012-12");
}

#[test]
fn tokens_of_webvtt() {
    check_tokens("webvtt");
}

#[test]
fn tokens_of_webvtt_file() {
    check_tokens("webvtt-file");
}

#[test]
fn tokens_of_xml() {
    check_tokens("xml");
}

#[test]
fn tokens_of_xml_er() {
    check_tokens("xml-er");
}

#[test]
fn trees_of_html() {
    check_trees("html");
}

#[test]
fn trees_of_html_2013() {
    check_trees("html-2013");
}

#[test]
fn trees_of_html_2007() {
    check_trees("html-2007");
}

#[test]
fn trees_of_sky() {
    check_trees("sky");
}

#[test]
fn trees_of_microxml() {
    check_trees("microxml");
}

#[test]
fn trees_of_microxml_2012_12() {
    check_trees("microxml-2012-12");
}

#[test]
fn trees_of_webvtt() {
    check_trees("webvtt");
}

#[test]
fn trees_of_xml() {
    check_trees("xml");
}

#[test]
fn trees_of_xml_er() {
    check_trees("xml-er");
}
