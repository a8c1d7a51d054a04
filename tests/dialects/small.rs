//! The small tables of the oracle that declare what no markup standard has, compiled. What is expected of them stands beside
//! them, for the interpreter. Invariant: the compiled machine does the same on each of their inputs and on random ones, by
//! every way there is to run it.

use std::path::Path;
use tabulex::Dialect;
use tabulex_tests::small::{disagreement, table};

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
            agrees(text, dialect, states, inputs);
        }
    };
}

small!(declarations, Declarations, "declarations");
small!(declared_tokens, DeclaredTokens, "declared-tokens");
small!(defined_actions, DefinedActions, "defined-actions");
small!(entities, Entities, "entities");
small!(far_ahead, FarAhead, "far-ahead");
small!(feedback, Feedback, "feedback");
small!(first_call, FirstCall, "first-call");
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

fn agrees(file: &str, dialect: &Dialect, states: &str, inputs: &str) {
    // Files that a table names stand beside it.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("dialects").join(file);
    let beside = |name: &str| std::fs::read_to_string(folder.with_file_name(name)).ok();
    let table = table(&format!("{file}.states"), states, &beside);
    assert!(inputs.lines().count() >= 2, "{file}: too few inputs");
    if let Some(told) = disagreement(dialect, &table, inputs, 1500) {
        panic!("{told}");
    }
}
