//! The small tables of the compiler, whose code is looked at there, run: what no dialect combines. Invariant: the compiled
//! machine does what the interpreter does on random inputs, and builds the same trees, with the same ranges and errors.

use tabulex::Dialect;
use tabulex_tests::small::{disagreement, table, tree_disagreement};

/// A table, compiled and to be interpreted.
macro_rules! small {
    ($($module:ident, $machine:ident, $file:literal;)*) => { $(
        mod $module {
            use tabulex::machine;

            include!(concat!("../../macros/compiler/test_data/", $file, ".states"));
        }

        #[test]
        fn $module() {
            let file = concat!($file, ".states");
            let states =
                include_str!(concat!("../../macros/compiler/test_data/", $file, ".states"));
            agrees(file, &<$module::$machine as tabulex::Machine>::DIALECT, states);
        }
    )* };
}

small! {
    called, Called, "called";
    corners, Corners, "corners";
    dispatched, Dispatched, "dispatched";
    endings, Endings, "endings";
    fostered, Fostered, "fostered";
    handing, Handing, "handing";
    inserted, Inserted, "inserted";
    kinds, Kinds, "kinds";
    lexemes, Lexemes, "lexemes";
    lexical_nulls, LexicalNulls, "lexical-nulls";
    modes, Modes, "modes";
    newlines, Newlines, "newlines";
    quoted, Quoted, "quoted";
    written, Written, "written";
}

fn agrees(file: &str, dialect: &Dialect, states: &str) {
    let table = table(file, states, &|_| None);
    let tokens = disagreement(dialect, &table, "", 1500);
    let trees = || tree_disagreement(dialect, &table, 3000);
    let told = tokens.or_else(|| table.machine().construction.as_ref().and_then(|_| trees()));
    if let Some(told) = told {
        panic!("{told}");
    }
}
