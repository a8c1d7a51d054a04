//! Tree construction: compiled builders against the interpreter, our own cases, and the trees that other people expect.
//! What tokens are right is the business of other suites. Invariant: every row of every mode is taken by a case of our own.

use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use tabulex_spec::model::tree::{Elements, ModeId, ModeRowId};
use tabulex_tests::inputs::{Alphabet, characters, cut, shrink};
use tabulex_tests::interpreted::table;
use tabulex_tests::known::Known;
use tabulex_tests::random::Random;
use tabulex_tests::setup::Setup;
use tabulex_tests::shared::{report, shared, workspace};
use tabulex_tests::trees::{Built, TREE_DIALECTS, TreeDialect, compiled, interpreted, sky_dump};

/// The first way of feeding that gives another tree than the interpreter, and the first line that differs.
fn difference(
    dialect: &TreeDialect,
    setup: &Setup,
    input: &str,
    cuts: &[Vec<&str>],
) -> Option<String> {
    let (expected, _) = interpreted(dialect.name, setup, input);
    let told = |way: &str, found: Built| {
        if found == expected {
            return None;
        }
        let mut pairs = expected.lines.iter().zip(&found.lines);
        let line = pairs.find(|(a, b)| a != b);
        let lengths = (expected.lines.len(), found.lines.len());
        let errors = (&expected.errors, &found.errors);
        Some(format!("{way}: nodes {lengths:?}, first {line:#?}\nerrors {errors:?}"))
    };
    told("whole", compiled(&(dialect.parse)(setup, input))).or_else(|| {
        cuts.iter().find_map(|chunks| {
            told(&format!("{chunks:?}"), compiled(&(dialect.feed)(setup, chunks)))
        })
    })
}

/// Every cut in two, and characters alone.
fn everywhere(input: &str) -> Vec<Vec<&str>> {
    let places = input.char_indices().map(|(at, _)| vec![&input[..at], &input[at..]]);
    places.chain([characters(input)]).collect()
}

fn setup_of(case: &Value) -> Setup {
    let flags = case["flags"].as_object().into_iter().flatten();
    let flags = flags.map(|(name, value)| (name.clone(), value.as_u64().unwrap() as u8)).collect();
    Setup { flags, ..Setup::default() }
}

#[test]
fn own_cases_and_every_row() {
    for dialect in TREE_DIALECTS {
        let path = workspace().join(format!("tests/cases/trees-{}.json", dialect.name));
        let cases: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        let construction = table(dialect.name).machine().construction.as_ref().unwrap();
        let mut taken: HashSet<ModeRowId> = HashSet::new();
        for case in &cases {
            let (input, setup) = (case["input"].as_str().unwrap(), setup_of(case));
            let lines: Vec<&str> = case["tree"]
                .as_array()
                .unwrap()
                .iter()
                .map(|line| line.as_str().unwrap())
                .collect();
            let tree = (dialect.parse)(&setup, input).tree;
            let found = match construction.elements {
                Elements::Xml => tree.root().to_qualified_dump(),
                _ => tree.root().to_dump(),
            };
            assert_eq!(found.trim_end().lines().collect::<Vec<_>>(), lines, "{input:?}");
            assert_eq!(difference(dialect, &setup, input, &everywhere(input)), None, "{input:?}");
            taken.extend(interpreted(dialect.name, &setup, input).1);
        }
        let mut rows = 0;
        for (index, mode) in construction.modes.iter().enumerate() {
            for row in 0..mode.rows.len() {
                rows += 1;
                let id = ModeRowId { mode: ModeId(index as u8), row: row as u16 };
                assert!(
                    taken.contains(&id),
                    "{}: {}, row {row} is not taken",
                    dialect.name,
                    mode.name
                );
            }
        }
        report(&format!(
            "trees of {}: {} cases take {rows} rows of modes",
            dialect.name,
            cases.len()
        ));
    }
}

/// How many random inputs a dialect takes.
const RANDOM_INPUTS: u64 = 100_000;

#[test]
fn random_inputs() {
    std::thread::scope(|scope| {
        for dialect in TREE_DIALECTS {
            scope.spawn(|| random_inputs_of(dialect));
        }
    });
}

fn random_inputs_of(dialect: &TreeDialect) {
    let alphabet = Alphabet::new(table(dialect.name));
    for seed in 1..=RANDOM_INPUTS {
        let mut random = Random::new(seed);
        let flags = alphabet.setup(&mut random).flags;
        let setup = Setup { flags, ..Setup::default() };
        let input = alphabet.input(&mut random, 24);
        let differs = |input: &str| {
            let cuts = [cut(&mut Random::new(seed), input, 6)];
            difference(dialect, &setup, input, &cuts)
        };
        if differs(&input).is_some() {
            let shortest = shrink(&input, &|input| differs(input).is_some());
            panic!("{}: {setup:?} {shortest:?}\n{}", dialect.name, differs(&shortest).unwrap());
        }
    }
    report(&format!("trees of {}: {RANDOM_INPUTS} random inputs", dialect.name));
}

#[test]
fn trees_of_the_sky_tests() {
    let Some(folder) = shared("testdata/sky") else {
        report("sky: 0 trees, suite absent; name its folder: TABULEX_SHARED=…");
        return;
    };
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|it| it == "sky"));
    files.sort();
    assert!(files.len() >= 9, "{files:?}");
    let dialect = TREE_DIALECTS.iter().find(|dialect| dialect.name == "sky").unwrap();
    let mut known = Known::read("sky");
    let (mut passed, mut excused, mut failures) = (0, 0, Vec::new());
    for file in &files {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let input = String::from_utf8(fs::read(file).unwrap()).unwrap();
        let expected =
            fs::read_to_string(file.with_file_name(format!("{name}-expected.txt"))).unwrap();
        // The console of the browser that ran the tests speaks first.
        let of_console = |line: &&str| line.starts_with("ERROR:") || line.starts_with("SOURCE:");
        let expected = expected.lines().skip_while(of_console).collect::<Vec<_>>().join("\n");
        let setup = Setup::default();
        assert_eq!(difference(dialect, &setup, &input, &everywhere(&input)), None, "{name}");
        let tree = (dialect.parse)(&setup, &input).tree;
        let found = sky_dump(&tree, input.contains("dump-as-text"));
        if found.trim_end() == expected.trim_end() {
            passed += 1;
        } else if known.excuses(name) {
            excused += 1;
        } else {
            failures.push(format!("{name}\n- {expected}\n+ {found}"));
        }
    }
    report(&format!("sky: {} trees, {passed} passed, {excused} known to fail", files.len()));
    let stale = known.stale();
    assert!(stale.is_empty(), "listed as failing, but passing or absent: {stale:?}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
