//! Compiled code against the interpreter: tokens, errors and ranges have to be the same, however the input is cut, on the
//! inputs of the suites, on pages of the web and on random inputs. Which of the two is right is not asked here.
//! Invariant: the same seeds give the same inputs.

use std::fs;
use tabulex::Dialect;
use tabulex_tests::compiled::{self, dialect};
use tabulex_tests::html5lib;
use tabulex_tests::inputs::{Alphabet, characters, cut, shrink};
use tabulex_tests::interpreted::{Table, table};
use tabulex_tests::random::Random;
use tabulex_tests::recording::{Recording, difference};
use tabulex_tests::sample::{sample, seeds};
use tabulex_tests::setup::{Setup, Wish};
use tabulex_tests::shared::{report, shared, workspace};

/// Compares the layers, cut as the random numbers say, and fails with the shortest such input.
fn compare(dialect: &Dialect, setup: &Setup, input: &str, seed: u64) {
    let table = table(dialect.id());
    if first_difference(dialect, table, setup, input, seed).is_none() {
        return;
    }
    let differs = |input: &str| first_difference(dialect, table, setup, input, seed).is_some();
    let shortest = shrink(input, &differs);
    let told = first_difference(dialect, table, setup, &shortest, seed);
    panic!("{}: {setup:?}\n  {shortest:?}\n{}", dialect.id(), told.unwrap_or_default());
}

/// The first layer that differs from the interpreter, and how.
fn first_difference(
    dialect: &Dialect,
    table: &Table,
    setup: &Setup,
    input: &str,
    seed: u64,
) -> Option<String> {
    let expected = table.run(setup, input);
    let told = |layer: String, found: Recording| {
        (found != expected)
            .then(|| format!("    - interpreter, + {layer}\n{}", difference(&expected, &found)))
    };
    let mut random = Random::new(seed);
    let chunks = cut(&mut random, input, 6);
    told("sink".to_owned(), compiled::tokenize(dialect, setup, input))
        .or_else(|| told("iterator".to_owned(), compiled::iterate(dialect, setup, input)))
        .or_else(|| told(format!("chunks {chunks:?}"), compiled::feed(dialect, setup, &chunks)))
        .or_else(|| {
            told(format!("pauses {chunks:?}"), compiled::feed_pausing(dialect, setup, &chunks))
        })
}

/// Compares every cut in two, and characters fed alone, with the interpreter.
fn compare_cuts(dialect: &Dialect, setup: &Setup, input: &str) {
    let expected = table(dialect.id()).run(setup, input);
    let check = |chunks: &[&str]| {
        let found = compiled::feed(dialect, setup, chunks);
        assert!(
            found == expected,
            "{}: {setup:?}\n  {chunks:?}\n    - interpreter, + chunks\n{}",
            dialect.id(),
            difference(&expected, &found)
        );
    };
    for (at, _) in input.char_indices() {
        let (before, behind) = input.split_at(at);
        check(&[before, behind]);
        check(&[before, "", behind]);
    }
    check(&characters(input));
}

#[test]
fn inputs_of_suites() {
    let folders = [
        (shared("testdata/html5lib/tokenizer"), false),
        (shared("testdata/html5lib-2014-tokenizer"), true),
        (shared("testdata/html5lib-2007/tokenizer"), true),
        (Some(workspace().join("tests/cases")), false),
    ];
    let mut runs = Vec::new();
    for (folder, has_errors_among_tokens) in folders {
        match folder {
            Some(folder) => {
                runs.extend(html5lib::read(&folder, has_errors_among_tokens).unwrap().0)
            }
            None => report("differential: suite absent; name its folder: TABULEX_SHARED=…"),
        }
    }
    // The suites have most inputs in common.
    let mut inputs: Vec<_> =
        runs.into_iter().filter_map(|run| Some((run.input?, run.setup))).collect();
    inputs.sort_by(|(a, b), (c, d)| {
        (a, &b.state, &b.last_start_tag).cmp(&(c, &d.state, &d.last_start_tag))
    });
    inputs.dedup();
    for dialect in tabulex::dialects() {
        let machine = table(dialect.id()).machine();
        let begins = |setup: &Setup| {
            setup.state.as_ref().is_none_or(|state| Wish::find_in(machine, state).is_some())
        };
        let inputs: Vec<_> = inputs.iter().filter(|(_, setup)| begins(setup)).collect();
        for (number, (input, setup)) in inputs.iter().enumerate() {
            compare(dialect, setup, input, number as u64);
        }
        let count = inputs.len();
        let cut = sample(inputs, 1_000);
        cut.iter().for_each(|(input, setup)| compare_cuts(dialect, setup, input));
        report(&format!(
            "{}: {count} inputs of suites, {} cut everywhere",
            dialect.id(),
            cut.len()
        ));
    }
}

/// Documents of suites that say nothing of tokens: trees are expected, or what a program prints.
#[test]
fn documents_of_suites() {
    for (name, folder, extension) in
        [("sky", "testdata/sky", "sky"), ("xml-er", "testdata/xml-er", "dat")]
    {
        let Some(folder) = shared(folder) else {
            report(&format!(
                "{name}: 0 documents, suite absent; name its folder: TABULEX_SHARED=…"
            ));
            continue;
        };
        let mut files: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|it| it == extension));
        files.sort();
        let (dialect, setup) = (dialect(name), Setup::default());
        for (number, file) in files.iter().enumerate() {
            let document = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
            compare(dialect, &setup, &document, number as u64);
            compare_cuts(dialect, &setup, &document);
        }
        report(&format!("{name}: {} documents, cut everywhere", files.len()));
    }
}

#[test]
fn pages() {
    let Some(folder) = shared("corpus/html/pages") else {
        report("differential: 0 pages, corpus absent; name the folder: TABULEX_SHARED=…");
        return;
    };
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let files = sample(files, 32);
    for dialect in tabulex::dialects() {
        let mut bytes = 0;
        let setup = Setup { switches: true, ..Setup::default() };
        // The pages are HTML; for the sake of time the other dialects take every eighth.
        let step = if dialect.id().starts_with("html") { 1 } else { 8 };
        for (number, file) in files.iter().enumerate().step_by(step) {
            let page = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
            bytes += page.len();
            compare(dialect, &setup, &page, number as u64);
        }
        report(&format!("{}: {} pages, {bytes} bytes", dialect.id(), files.len().div_ceil(step)));
    }
}

/// Real XML: the compiled machine alone, whole and cut, since the interpreter would take long; of each file the interpreter
/// takes the beginning.
#[test]
fn xml_files() {
    let Some(folder) = shared("corpus/xml") else {
        report("differential: 0 files, corpus absent; name the folder: TABULEX_SHARED=…");
        return;
    };
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (dialect, setup) = (dialect("xml-er"), Setup::default());
    for (number, file) in files.iter().enumerate() {
        let text = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
        let beginning = text.floor_char_boundary(100_000);
        compare(dialect, &setup, &text[..beginning], number as u64);
        let whole = compiled::tokenize(dialect, &setup, &text);
        let codes: std::collections::BTreeSet<&str> =
            whole.errors.iter().map(|(code, _)| *code).collect();
        report(&format!("{}: {} bytes, errors {codes:?}", file.display(), text.len()));
        let chunks = cut(&mut Random::new(number as u64), &text, 1000);
        assert!(compiled::feed(dialect, &setup, &chunks) == whole, "{}: cut", file.display());
        assert!(compiled::iterate(dialect, &setup, &text) == whole, "{}: iterated", file.display());
    }
}

/// How many random inputs each of the two tests takes.
const RANDOM_INPUTS: u64 = 60_000;

/// How many of them a run takes that does not take all.
const SAMPLE: u64 = 3_000;

fn random_inputs(first: u64, most_pieces: usize) {
    let seeds = seeds(first, RANDOM_INPUTS, SAMPLE);
    for dialect in tabulex::dialects() {
        let alphabet = Alphabet::new(table(dialect.id()));
        for seed in seeds.clone() {
            let mut random = Random::new(seed);
            let setup = alphabet.setup(&mut random);
            let input = alphabet.input(&mut random, most_pieces);
            compare(dialect, &setup, &input, seed);
        }
        report(&format!("{}: random inputs {seeds:?}", dialect.id()));
    }
}

#[test]
fn short_random_inputs() {
    random_inputs(1, 6);
}

#[test]
fn long_random_inputs() {
    random_inputs(RANDOM_INPUTS, 24);
}

/// How many random inputs stand behind long runs.
const LONG_RUNS: u64 = 12;

/// Runs so long that the compiled machine does not search them at once, and random inputs where such a search may end.
#[test]
fn long_runs_before_random_inputs() {
    for dialect in tabulex::dialects() {
        let alphabet = Alphabet::new(table(dialect.id()));
        for seed in 2 * RANDOM_INPUTS..2 * RANDOM_INPUTS + LONG_RUNS {
            let mut random = Random::new(seed);
            let setup = alphabet.setup(&mut random);
            let run = "b".repeat(64 * 1024 - random.below(50));
            let input = run + &alphabet.input(&mut random, 24);
            compare(dialect, &setup, &input, seed);
        }
        report(&format!("{}: {LONG_RUNS} long runs", dialect.id()));
    }
}
