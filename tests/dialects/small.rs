//! The small tables of the oracle that declare what no markup standard has, compiled. What is expected of them stands beside
//! them, for the interpreter. Invariant: the compiled machine does the same on each of their inputs and on random ones, by
//! every way there is to run it.

use std::path::Path;
use tabulex::Dialect;
use tabulex_language::Source;
use tabulex_tests::inputs::{Alphabet, shrink};
use tabulex_tests::interpreted::Table;
use tabulex_tests::layers::first_difference;
use tabulex_tests::random::Random;
use tabulex_tests::setup::Setup;

/// A table, compiled and to be interpreted.
macro_rules! small {
    ($module:ident, $machine:ident, $file:literal) => {
        mod $module {
            use tabulex::machine;

            include!(concat!("../../spec/oracle/test_data/interpreter/", $file, ".states"));
        }

        #[test]
        fn $module() {
            let text = concat!("../../spec/oracle/test_data/interpreter/", $file);
            let inputs =
                include_str!(concat!("../../spec/oracle/test_data/interpreter/", $file, ".inputs"));
            let states =
                include_str!(concat!("../../spec/oracle/test_data/interpreter/", $file, ".states"));
            let dialect = &<$module::$machine as tabulex::Machine>::DIALECT;
            agrees(dialect, &table(text, states), inputs);
        }
    };
}

small!(declarations, Declarations, "declarations");
small!(declared_tokens, DeclaredTokens, "declared-tokens");
small!(defined_actions, DefinedActions, "defined-actions");
small!(entities, Entities, "entities");
small!(feedback, Feedback, "feedback");
small!(lexical, Lexical, "lexical");
small!(look_behind, LookBehind, "look-behind");
small!(plain_newlines, PlainNewlines, "plain-newlines");
small!(references, References, "references");
small!(refusals, Refusals, "refusals");
small!(stack, Stack, "stack");
small!(surroundings, Surroundings, "surroundings");
small!(tags, Tags, "tags");
small!(text, Text, "text");
small!(token_ranges, TokenRanges, "token-ranges");

/// Two tables in one module, each of which has its own states.
mod together {
    use tabulex::machine;

    include!("../../spec/oracle/test_data/interpreter/stack.states");
    include!("../../spec/oracle/test_data/interpreter/look-behind.states");
}

#[test]
fn two_tables_stand_in_one_module() {
    use tabulex::Machine;
    use together::{LookBehind, Stack, look_behind, stack};

    assert_eq!(Stack::START, stack::State::Data);
    assert_eq!(LookBehind::START, look_behind::State::Data);
    let names = |dialect: &Dialect, input: &str| dialect.raw_tokens(input).count();
    assert_eq!((names(&Stack::DIALECT, "{}a"), names(&LookBehind::DIALECT, "a")), (1, 1));
}

fn table(file: &str, text: &str) -> Table {
    let source = Source::new(format!("{file}.states"), text);
    // Files that a table names stand beside it.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("dialects").join(file);
    let beside = |name: &str| std::fs::read_to_string(folder.with_file_name(name)).ok();
    let loaded = tabulex_language::load(&source, &beside);
    let said: String = loaded.diagnostics.iter().map(|one| one.render(&loaded.source)).collect();
    Table::of(source, loaded.machine.unwrap_or_else(|| panic!("{said}")))
}

fn agrees(dialect: &Dialect, table: &Table, inputs: &str) {
    let plain = Setup::default();
    let mut count = 0;
    for line in inputs.lines() {
        let text = line.trim().trim_matches('"').replace("\\r", "\r").replace("\\n", "\n");
        compare(dialect, table, &plain, &text.replace("\\\"", "\""), 1);
        count += 1;
    }
    assert!(count >= 2, "{count} inputs");
    let (alphabet, mut random) = (Alphabet::new(table), Random::new(7));
    for seed in 0..1500 {
        let (input, setup) = (alphabet.input(&mut random, 12), alphabet.setup(&mut random));
        compare(dialect, table, &setup, &input, seed);
    }
}

fn compare(dialect: &Dialect, table: &Table, setup: &Setup, input: &str, seed: u64) {
    let differs = |input: &str| first_difference(dialect, table, setup, input, seed).is_some();
    if differs(input) {
        let shortest = shrink(input, &differs);
        let told = first_difference(dialect, table, setup, &shortest, seed);
        panic!("{}: {setup:?}\n  {shortest:?}\n{}", dialect.id(), told.unwrap_or_default());
    }
}
