//! The small tables of the compiler that build trees, whose code is looked at there, run: what no dialect combines. Invariant:
//! the compiled machine builds the tree that the interpreter builds, with the same ranges and errors, on random inputs.

use tabulex::Dialect;
use tabulex_tests::small::{table, tree_disagreement};

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
    corners, Corners, "corners";
    dispatched, Dispatched, "dispatched";
    endings, Endings, "endings";
    fostered, Fostered, "fostered";
    handing, Handing, "handing";
    kinds, Kinds, "kinds";
    modes, Modes, "modes";
}

fn agrees(file: &str, dialect: &Dialect, states: &str) {
    let table = table(file, states, &|_| None);
    if let Some(told) = tree_disagreement(dialect, &table, 3000) {
        panic!("{told}");
    }
}
