//! A small table beside its compiled machine: on inputs that are given and on random ones, by every way there is to run it.
//! It compiles none. Invariant: what differs is told with the shortest input found.

use crate::inputs::{Alphabet, shrink};
use crate::interpreted::Table;
use crate::layers::first_difference;
use crate::random::Random;
use crate::setup::Setup;
use tabulex::Dialect;
use tabulex_language::Source;

/// The table of a file, whose other files `beside` reads.
///
/// # Panics
/// If it is no table: with what is wrong.
pub fn table(file: &str, text: &str, beside: &dyn Fn(&str) -> Option<String>) -> Table {
    let source = Source::new(file, text);
    let loaded = tabulex_language::load(&source, beside);
    let said: String = loaded.diagnostics.iter().map(|one| one.render(&loaded.source)).collect();
    Table::of(source, loaded.machine.unwrap_or_else(|| panic!("{said}")))
}

/// What differs between the interpreter and the machine: on each line of `inputs`, in quotes, and on as many random inputs.
pub fn disagreement(
    dialect: &Dialect,
    table: &Table,
    inputs: &str,
    random_inputs: u64,
) -> Option<String> {
    let plain = Setup::default();
    for line in inputs.lines() {
        let text = line.trim().trim_matches('"').replace("\\r", "\r").replace("\\n", "\n");
        let told = difference(dialect, table, &plain, &text.replace("\\\"", "\""), 1);
        if told.is_some() {
            return told;
        }
    }
    let (alphabet, mut random) = (Alphabet::new(table), Random::new(7));
    (0..random_inputs).find_map(|seed| {
        let (mut input, setup) = (alphabet.input(&mut random, 12), alphabet.setup(&mut random));
        // What is read far ahead is remembered only of long inputs.
        if seed % 4 == 0 {
            input = input.repeat(5);
        }
        difference(dialect, table, &setup, &input, seed)
    })
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
        let told = first_difference(dialect, table, setup, &shortest, seed).unwrap_or_default();
        format!("{}: {setup:?}\n  {shortest:?}\n{told}", dialect.id())
    })
}
