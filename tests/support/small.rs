//! Comparison of a compiled machine with the interpreter of its table, on listed and random inputs, through each API.
//! Differences are reported for a shrunk input.

use crate::dat;
use crate::inputs::{Alphabet, cut, shrink};
use crate::interpreted::Table;
use crate::layers::first_difference;
use crate::markup::{names_of, tree_input};
use crate::random::Random;
use crate::setup::Setup;
use crate::shapes::unescaped;
use crate::shared::workspace;
use crate::trees::{Input, difference_from, is_html, try_interpreted_by};
use std::path::Path;
use tabulex::Dialect;
use tabulex_language::Source;

/// Loads a table from text; `beside` returns the text of other files that it names.
///
/// # Panics
/// If the table has errors, with their text.
pub fn table(file: &str, text: &str, beside: &dyn Fn(&str) -> Option<String>) -> Table {
    let source = Source::new(file, text);
    let loaded = tabulex_language::load(&source, beside);
    let errors: String =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&loaded.source)).collect();
    Table::of(source, loaded.machine.unwrap_or_else(|| panic!("{errors}")))
}

/// Checks that `run` names all tables in a folder, which is relative to the package `tabulex-tests`.
///
/// # Panics
/// If a table is missing, with its name, or if the folder cannot be read.
pub fn assert_all_run(folder: &str, run: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).unwrap();
    let paths = files.map(|file| file.unwrap().path());
    for table in paths.filter(|path| path.extension().is_some_and(|ending| ending == "states")) {
        let name = table.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(run.contains(&&name[..]), "no test runs the table `{name}`");
    }
}

/// Converts a line of inputs to a setup and an input. Words about start tags, and states that cannot be set from
/// outside, apply to tests of the interpreter only and are ignored.
fn parse_input_line(table: &Table, line: &str) -> (Setup, String) {
    let (words, literal) = line.split_once('"').unwrap();
    let input = unescaped(literal.strip_suffix('"').unwrap());
    let machine = table.machine();
    let is_entry =
        |name: &str| machine.entries.iter().any(|state| machine.state(*state).name == name);
    let mut setup = Setup::default();
    for word in words.split_whitespace() {
        let (key, value) = word.split_once('=').unwrap();
        match (key, key.strip_prefix("flag:")) {
            ("state", _) => setup.state = is_entry(value).then(|| value.to_owned()),
            ("last", _) => setup.last_start_tag = Some(value.to_owned()),
            (_, Some(name)) => {
                let flag = machine.flags.iter().find(|flag| flag.name == name).expect(name);
                let index = flag.values.iter().position(|known| known == value).expect(value);
                if flag.by_rows {
                    setup.state = Some(value.to_owned());
                } else {
                    setup.flags.push((name.to_owned(), index as u8));
                }
            }
            _ => assert!(key.starts_with("after:"), "unknown word `{word}` in `{line}`"),
        }
    }
    (setup, input)
}

/// Returns a difference between interpreter and machine, if there is one: on the input of a line of `inputs`, or on a
/// random input.
pub fn disagreement(
    dialect: &Dialect,
    table: &Table,
    inputs: &str,
    random_inputs: u64,
) -> Option<String> {
    for line in inputs.lines() {
        let (setup, input) = parse_input_line(table, line);
        let mismatch = difference(dialect, table, &setup, &input, 1);
        if mismatch.is_some() {
            return mismatch;
        }
    }
    let (alphabet, mut random) = (Alphabet::new(table), Random::new(7));
    (0..random_inputs).find_map(|seed| {
        let (mut input, setup) = (alphabet.input(&mut random, 12), alphabet.setup(&mut random));
        // The machine memoizes far look-ahead only in long inputs, so every fourth input is repeated.
        if seed % 4 == 0 {
            input = input.repeat(5);
        }
        difference(dialect, table, &setup, &input, seed)
    })
}

/// Returns a difference, if there is one, between the trees of interpreter and machine on the project's own cases of
/// the dialect, and on random inputs. Inputs are skipped if the interpreter reports that a token is reprocessed
/// forever, or if rows have popped the root and inserted something next to it, which no table of a standard does.
pub fn tree_disagreement(dialect: &Dialect, table: &Table, random_inputs: u64) -> Option<String> {
    let case_difference =
        find_in_cases(dialect, |input| shortest_difference(dialect, table, input, 1));
    let names = if is_html(dialect) { names_of(table) } else { Vec::new() };
    let alphabet = Alphabet::new(table);
    case_difference.or_else(|| {
        (1..=random_inputs).find_map(|seed| {
            let mut random = Random::new(seed);
            let (text, input) = tree_input(&mut random, &alphabet, &names);
            shortest_difference(dialect, table, &Input { text: &text, ..input }, seed)
        })
    })
}

/// Returns the first difference that `differs` finds among the project's own cases of the dialect.
fn find_in_cases(
    dialect: &Dialect,
    differs: impl Fn(&Input<'_>) -> Option<String>,
) -> Option<String> {
    let read = |ending: &str| {
        let path = workspace().join(format!("tests/cases/trees-{}.{ending}", dialect.id()));
        std::fs::read_to_string(path).unwrap_or_default()
    };
    if is_html(dialect) {
        return dat::cases(&read("dat")).iter().flat_map(dat::inputs).find_map(|it| differs(&it));
    }
    let cases: Vec<serde_json::Value> = serde_json::from_str(&read("json")).unwrap_or_default();
    cases
        .iter()
        .filter_map(|case| case["input"].as_str())
        .find_map(|text| differs(&Input { text, ..Input::default() }))
}

/// Returns a difference, if there is one, between the trees of interpreter and machine for the input, which is shrunk
/// to its shortest failing part.
fn shortest_difference(
    dialect: &Dialect,
    table: &Table,
    input: &Input<'_>,
    seed: u64,
) -> Option<String> {
    let find_mismatch = |text: &str| {
        let input = Input { text, ..*input };
        let cuts = [cut(&mut Random::new(seed), text, 6)];
        let (expected, _) = try_interpreted_by(table, &input).ok()?;
        let count_roots =
            |prefix: &str| expected.lines.iter().filter(|line| line.starts_with(prefix)).count();
        let has_other_roots = match input.fragment {
            Some(_) => count_roots("1 ") != 1,
            None => is_html(dialect) && count_roots("1 element") > 1,
        };
        if has_other_roots {
            return None;
        }
        difference_from(&expected, dialect, &input, &cuts)
    };
    find_mismatch(input.text)?;
    let shortest = shrink(input.text, &|text| find_mismatch(text).is_some());
    let mismatch = find_mismatch(&shortest).unwrap_or_default();
    Some(format!("{}: {input:?}\n  {shortest:?}\n{mismatch}", dialect.id()))
}

fn difference(
    dialect: &Dialect,
    table: &Table,
    setup: &Setup,
    input: &str,
    seed: u64,
) -> Option<String> {
    let differs = |input: &str| first_difference(dialect, table, setup, input, seed).is_some();
    differs(input).then(|| {
        let shortest = shrink(input, &differs);
        let mismatch = first_difference(dialect, table, setup, &shortest, seed).unwrap_or_default();
        format!("{}: {setup:?}\n  {shortest:?}\n{mismatch}", dialect.id())
    })
}
