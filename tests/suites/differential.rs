//! Compares compiled machines with the interpreter: equal tokens, errors and ranges, however the input is split, on the
//! inputs of suites, on web pages and on random inputs with fixed seeds.

use std::collections::BTreeSet;
use std::fs;
use tabulex::{Dialect, Options, Token, WriteNode as _};
use tabulex_language::model::tree::{TagNames, TokenPattern};
use tabulex_tests::compiled::{self, dialect};
use tabulex_tests::html5lib;
use tabulex_tests::inputs::{Alphabet, characters, cut, shrink};
use tabulex_tests::interpreted::table;
use tabulex_tests::layers::first_difference;
use tabulex_tests::random::Random;
use tabulex_tests::recording::difference;
use tabulex_tests::sample;
use tabulex_tests::setup::{ResolvedChoice, Setup};
use tabulex_tests::shared::{report, shared, workspace};

/// Compares the layers on an input split at random, and panics with the shortest input on which they differ.
fn compare(dialect: &Dialect, setup: &Setup, input: &str, seed: u64) {
    let table = table(dialect.id());
    if first_difference(dialect, table, setup, input, seed).is_none() {
        return;
    }
    let differs = |input: &str| first_difference(dialect, table, setup, input, seed).is_some();
    let shortest = shrink(input, &differs);
    let difference = first_difference(dialect, table, setup, &shortest, seed);
    panic!("{}: {setup:?}\n  {shortest:?}\n{}", dialect.id(), difference.unwrap_or_default());
}

/// Compares chunks with the interpreter: splits in two at a sample of offsets, and single characters.
fn compare_cuts(dialect: &Dialect, setup: &Setup, input: &str) {
    let expected = table(dialect.id()).run(setup, input);
    let check = |chunks: &[&str]| {
        let recording = compiled::feed(dialect, setup, chunks);
        assert!(
            recording == expected,
            "{}: {setup:?}\n  {chunks:?}\n    - interpreter, + chunks\n{}",
            dialect.id(),
            difference(&expected, &recording)
        );
    };
    let offsets: Vec<usize> = input.char_indices().map(|(offset, _)| offset).collect();
    for offset in sample::of("cuts", offsets, 40) {
        let (before, after) = input.split_at(offset);
        check(&[before, after]);
        check(&[before, "", after]);
    }
    check(&characters(input));
}

#[test]
fn inputs_of_suites() {
    let folders = [
        (tabulex_tests::shared::html5lib("html5lib/tokenizer").ok(), false),
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
            None => report("differential: suite absent"),
        }
    }
    // The suites have many inputs in common, so duplicates are removed.
    let mut inputs: Vec<_> =
        runs.into_iter().filter_map(|run| Some((run.input?, run.setup))).collect();
    inputs.sort_by(|(a, b), (c, d)| {
        (a, &b.state, &b.last_start_tag).cmp(&(c, &d.state, &d.last_start_tag))
    });
    inputs.dedup();
    for dialect in tabulex::dialects() {
        let machine = table(dialect.id()).machine();
        let has_state = |setup: &Setup| {
            setup
                .state
                .as_ref()
                .is_none_or(|state| ResolvedChoice::find_in(machine, state).is_some())
        };
        let inputs: Vec<_> = inputs.iter().filter(|(_, setup)| has_state(setup)).collect();
        let inputs = sample::of(dialect.id(), inputs, 600);
        for (number, (input, setup)) in inputs.iter().enumerate() {
            compare(dialect, setup, input, number as u64);
            compare_cuts(dialect, setup, input);
        }
        report(&format!("{}: {} inputs of suites, whole and cut", dialect.id(), inputs.len()));
    }
}

/// Documents of suites that specify trees or the output of a program instead of tokens.
#[test]
fn documents_of_suites() {
    for (name, folder, extension) in
        [("sky", "testdata/sky", "sky"), ("xml-er", "testdata/xml-er", "dat")]
    {
        let Some(folder) = shared(folder) else {
            report(&format!("{name}: 0 documents, suite absent"));
            continue;
        };
        let mut files: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|other| other == extension));
        files.sort();
        let (dialect, setup) = (dialect(name), Setup::default());
        for (number, file) in files.iter().enumerate() {
            let document = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
            compare(dialect, &setup, &document, number as u64);
            compare_cuts(dialect, &setup, &document);
        }
        report(&format!("{name}: {} documents, cut", files.len()));
    }
}

#[test]
fn pages() {
    let Some(folder) = shared("corpus/html/pages") else {
        report("differential: 0 pages, corpus absent");
        return;
    };
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for dialect in tabulex::dialects() {
        let mut total_bytes = 0;
        let follows_modes = dialect.entry_after("script", &[]).is_some();
        let setup = Setup { switches: !follows_modes, follows_modes, ..Setup::default() };
        // The pages are HTML; to save time, dialects other than HTML parse only every eighth page.
        let step = if dialect.id().starts_with("html") { 1 } else { 8 };
        let files = files.iter().enumerate().step_by(step).collect();
        let files = sample::of(dialect.id(), files, 4);
        for &(number, file) in &files {
            let page = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
            total_bytes += page.len();
            compare(dialect, &setup, &page, number as u64);
        }
        report(&format!("{}: {} pages, {total_bytes} bytes", dialect.id(), files.len()));
    }
}

/// Real XML files: the compiled machine runs them whole and split; the interpreter, which is slower, runs only the
/// beginning of each.
#[test]
fn xml_files() {
    let Some(folder) = shared("corpus/xml") else {
        report("differential: 0 files, corpus absent");
        return;
    };
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let (dialect, setup) = (dialect("xml-er"), Setup::default());
    for (number, file) in files.iter().enumerate() {
        let text = String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned();
        let max_len = if sample::is_full() { 100_000 } else { 20_000 };
        let beginning_len = text.floor_char_boundary(max_len);
        compare(dialect, &setup, &text[..beginning_len], number as u64);
        let whole_recording = compiled::tokenize(dialect, &setup, &text);
        let codes: std::collections::BTreeSet<&str> =
            whole_recording.errors.iter().map(|(code, _)| *code).collect();
        report(&format!("{}: {} bytes, errors {codes:?}", file.display(), text.len()));
        let chunks = cut(&mut Random::new(number as u64), &text, 1000);
        assert!(
            compiled::feed(dialect, &setup, &chunks) == whole_recording,
            "{}: cut",
            file.display()
        );
        assert!(
            compiled::iterate(dialect, &setup, &text) == whole_recording,
            "{}: iterated",
            file.display()
        );
    }
}

/// Number of random inputs for each dialect, in each of the tests of short and of long inputs.
const RANDOM_INPUTS: u64 = 60_000;
/// Number of random inputs for each dialect in a sampled run of either test.
const SAMPLE_SIZE: usize = 3_000;

fn random_inputs(seeds: std::ops::Range<u64>, max_pieces: usize) {
    for dialect in tabulex::dialects() {
        let alphabet = Alphabet::new(table(dialect.id()));
        let seeds = sample::seeds(dialect.id(), seeds.clone(), SAMPLE_SIZE);
        for &seed in &seeds {
            let mut random = Random::new(seed);
            let setup = alphabet.setup(&mut random);
            let mut input = alphabet.input(&mut random, max_pieces);
            if random.one_in(16) {
                input.insert(0, '\u{FEFF}');
            }
            compare(dialect, &setup, &input, seed);
        }
        report(&format!("{}: {} random inputs", dialect.id(), seeds.len()));
    }
}

#[test]
fn short_random_inputs() {
    random_inputs(1..RANDOM_INPUTS, 6);
}

#[test]
fn long_random_inputs() {
    random_inputs(RANDOM_INPUTS..2 * RANDOM_INPUTS, 24);
}

/// Number of inputs that begin with a long run, for each dialect.
const LONG_RUNS: u64 = 12;

/// Runs longer than the compiled machine searches at once, followed by random inputs where such a search may end.
#[test]
fn long_runs_before_random_inputs() {
    for dialect in tabulex::dialects() {
        let alphabet = Alphabet::new(table(dialect.id()));
        let seeds = 2 * RANDOM_INPUTS..2 * RANDOM_INPUTS + LONG_RUNS;
        let seeds = sample::seeds(dialect.id(), seeds, 2);
        for &seed in &seeds {
            let mut random = Random::new(seed);
            let setup = alphabet.setup(&mut random);
            let run = "b".repeat(64 * 1024 - random.below(50));
            let input = run + &alphabet.input(&mut random, 24);
            compare(dialect, &setup, &input, seed);
        }
        report(&format!("{}: {} long runs", dialect.id(), seeds.len()));
    }
}

/// After each start tag named in a mode, the machine continues without a tree as it does with one, and as with a host
/// that switches states by name.
#[test]
fn tags_switch_as_in_trees() {
    for dialect in tabulex::dialects().iter().filter(|dialect| dialect.serializer().is_some()) {
        let construction = table(dialect.id()).machine().construction.as_ref().unwrap();
        let patterns =
            construction.rows().flat_map(|row| &row.patterns).map(|pattern| &pattern.value);
        let names: BTreeSet<&str> = patterns
            .filter_map(|pattern| match pattern {
                TokenPattern::StartTag(TagNames::These(names)) => Some(names),
                _ => None,
            })
            .flatten()
            .map(String::as_str)
            .collect();
        assert!(names.len() > 100, "{}", names.len());
        let by_name_setup = Setup { switches: true, ..Setup::default() };
        for name in names {
            let input = format!("<body><{name}>x<i>");
            let is_tag =
                |token: &Token<'_>| matches!(token, Token::StartTag(tag) if tag.name == "i");
            let has_tag_without_tree = dialect.tokens(&input).any(|token| is_tag(&token));
            let mut parser = dialect.parser(&Options::new()).unwrap();
            let dump = parser.parse(&input).tree.root().to_dump();
            let has_tag_with_tree =
                dump.lines().any(|line| line.trim_start_matches(['|', ' ']) == "<i>");
            assert_eq!(has_tag_without_tree, has_tag_with_tree, "{}: {input}", dialect.id());
            let host_recording = compiled::tokenize(dialect, &by_name_setup, &input);
            let by_modes_setup = Setup { follows_modes: true, ..Setup::default() };
            assert_eq!(
                compiled::tokenize(dialect, &by_modes_setup, &input),
                host_recording,
                "{input}"
            );
        }
    }
}
