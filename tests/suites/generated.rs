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
use tabulex_tests::shared::report;
use tabulex_tests::suites::Strictness;
use tabulex_tests::trees::{Input, difference, parse, tree_dialect};

/// Number of cases of a dialect in a sample.
const SAMPLE: usize = 400;

/// Dialects without a document that is read, or whose document is no machine alone: that of `webvtt` calls a procedure of
/// another document, that of `url` algorithms that are states of the table only.
const WITHOUT_DOCUMENT: &[&str] = &["microxml-2012-12", "url", "webvtt", "xml"];

/// The second state, for dialects in which every input takes a row with a declared difference in the first state: from
/// there on the document's machine is comparable.
const AFTER_FIRST: &[(&str, &str)] = &[("sky", "data")];

/// Runs the document's machine; if its first state differs, also from the next one on.
fn check_document(name: &str, what: &str, runs: &[Run]) {
    if WITHOUT_DOCUMENT.contains(&name) {
        return;
    }
    check_runs(name, what, runs);
    let machine = table(name).machine();
    let first = &machine.state(machine.start).name;
    for (_, after) in AFTER_FIRST.iter().filter(|(dialect, _)| *dialect == name) {
        let begins =
            runs.iter().filter(|run| run.setup.state.as_ref().is_none_or(|it| it == first));
        let from = |run: &Run| Run {
            setup: Setup { state: Some((*after).to_owned()), ..run.setup.clone() },
            ..run.clone()
        };
        let runs: Vec<Run> = begins.map(from).collect();
        assert!(!runs.is_empty(), "{name}: no run begins in {first}");
        check_runs(name, &format!("{what} from {after} on"), &runs);
    }
}

/// Derives the suite of a tokenizer and runs it.
fn check_tokens(name: &str) {
    let (dialect, table) = (dialect(name), table(name));
    let suite = token_suite(table.machine(), Bound::default());
    let number = suite.cases.len();
    let cases = sample::of(name, suite.cases, SAMPLE);
    let text = formats::html5lib::suite(table.machine(), &cases);
    let (runs, tests) = html5lib::runs(&text, name, false).expect("it is in the format");
    assert_eq!((tests, runs.len()), (cases.len(), cases.len()), "{name}: each case is one run");
    let wrong = runs.iter().filter_map(|run| failure(run, Strictness::Everything, dialect, table));
    let wrong: Vec<String> = wrong.collect();
    report(&format!(
        "{name}: {number} generated cases of tokens take {} different things; {tests} were run, {} failed",
        suite.covered,
        wrong.len()
    ));
    let first: String = wrong.iter().take(10).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{name}: {} failed; the first of them:\n{first}", wrong.len());
    check_document(name, "generated cases", &runs);
    results::hold(&format!("{name}, generated tokens"), number, number);
}

/// Derives the suite of tree construction and runs it.
fn check_trees(name: &str) {
    let machine = table(name).machine();
    let suite = tree_suite(machine, Bound::default()).expect("it constructs trees");
    let number = suite.cases.len();
    let cases = sample::of(&format!("trees of {name}"), suite.cases, SAMPLE);
    let (mut wrong, mut read) = (Vec::new(), 0);
    for (flags, cases) in by_flags(&cases) {
        let text = formats::dat::cases(machine, cases.iter().copied());
        let written = dat::cases(&text);
        assert_eq!(written.len(), cases.len(), "{name} {flags:?}: each case is read back");
        read += written.len();
        let pairs = written.iter().zip(cases);
        wrong.extend(pairs.filter_map(|(case, witness)| wrong_tree(name, case, witness)));
    }
    report(&format!(
        "{name}: {number} generated cases of trees take {} different things; {read} were run, {} failed",
        suite.covered,
        wrong.len()
    ));
    let first: String = wrong.iter().take(10).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{name}: {} failed; the first of them:\n{first}", wrong.len());
    let whole = cases.iter().filter(|case| case.options.context.is_none());
    let runs: Vec<Run> = whole.map(|case| as_tokens(&case.input)).collect();
    check_document(name, "generated documents", &runs);
    results::hold(&format!("{name}, generated trees"), number, number);
}

/// Groups the cases by host flags other than `scripting`, which the format lacks: one file for each group.
fn by_flags(cases: &[TreeWitness]) -> BTreeMap<Vec<(String, u8)>, Vec<&TreeWitness>> {
    let mut files: BTreeMap<Vec<(String, u8)>, Vec<&TreeWitness>> = BTreeMap::new();
    for case in cases {
        let mut flags = case.options.flags.clone();
        flags.retain(|(name, _)| name != "scripting");
        files.entry(flags).or_default().push(case);
    }
    files
}

/// The flags of a run, with names from the table.
fn flags_of(name: &str, options: &ParseOptions) -> Vec<(&'static str, u8)> {
    let machine = table(name).machine();
    let of_trees = machine.construction.iter().flat_map(|it| &it.flags).map(|flag| &flag.name[..]);
    let known = machine.flags.iter().map(|flag| &flag.name[..]).chain(of_trees);
    let set = known.filter_map(|name| {
        let (_, value) = options.flags.iter().find(|(other, _)| other == name)?;
        Some((name, *value))
    });
    set.collect()
}

/// The first error in the tree of a case: in its serialization, or in one of the ways to parse it.
fn wrong_tree(name: &str, case: &Case, witness: &TreeWitness) -> Option<String> {
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
    let is_same_context = witness.options.context.as_ref().map(|it| {
        let prefix = match it.namespace {
            Namespace::Own => "",
            Namespace::Svg => "svg ",
            Namespace::Math => "math ",
        };
        format!("{prefix}{}", it.local)
    });
    assert_eq!(case.fragment, is_same_context, "the context is read back");
    let parsed = parse(dialect, &input, None);
    let (found, errors) = (dump(case.fragment.is_some(), &parsed), errors(&case.data, &parsed));
    if found != case.document {
        return Some(format!("{input:?}\nwritten\n{}\nfound\n{found}\n", case.document));
    }
    if errors != case.errors {
        return Some(format!("{input:?}\nwritten {:?}, found {errors:?}\n", case.errors));
    }
    let mut random = Random::new(case.data.len() as u64);
    let cuts = [characters(input.text), cut(&mut random, input.text, 5)];
    let difference = difference(dialect, &input, &cuts)?;
    Some(format!("{input:?}\n{difference}\n"))
}

/// The tree in the format of the suites; for a fragment, the contents of the root element.
fn dump(is_fragment: bool, parsed: &Parsed) -> String {
    let text = match is_fragment {
        false => parsed.tree.root().to_dump(),
        true => {
            let root = parsed.tree.document_element().expect("a fragment has a root");
            root.children().map(|child| child.to_dump()).collect()
        }
    };
    text.trim_end_matches('\n').to_owned()
}

/// The errors in the format of the suites.
fn errors(text: &str, parsed: &Parsed) -> Vec<String> {
    let places = Lines::new(text);
    let written = parsed.errors.iter().map(|error| {
        let place = places.position(error.span.start);
        format!("({},{}): {}", place.line, place.column, error.code)
    });
    written.collect()
}

/// An input of tree construction, for a machine without a tree.
fn as_tokens(input: &str) -> Run {
    Run {
        file: "generated".to_owned(),
        description: String::new(),
        written: input.to_owned(),
        input: Some(input.to_owned()),
        setup: Setup { switches: true, ..Setup::default() },
        tokens: serde_json::Value::Null,
        errors: Errors::Unsaid,
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
