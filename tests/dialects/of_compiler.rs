//! Runs the small tables whose generated code the compiler's tests examine. Compiled machine and interpreter give equal
//! tokens, trees, ranges and errors for random inputs.

use tabulex::{Control, Dialect, Sink, Tag};
use tabulex_tests::small::{assert_all_run, disagreement, table, tree_disagreement};

/// Declares a module with the compiled machine for each table, and a test that compares it with the interpreter.
macro_rules! small {
    ($($module:ident, $machine:ident, $file:literal;)*) => { $(
        // The macro reports warnings about a table through this lint, and some of these tables cause warnings.
        #[allow(unused_must_use)]
        mod $module {
            use tabulex::machine;

            include!(concat!("../../macros/compiler/test_data/", $file, ".states"));
        }

        #[test]
        fn $module() {
            let file = concat!($file, ".states");
            let states =
                include_str!(concat!("../../macros/compiler/test_data/", $file, ".states"));
            assert_agreement(file, &<$module::$machine as tabulex::Machine>::DIALECT, states);
        }
    )*
        /// File names, without extension, of the tables that are run.
        const RUN: &[&str] = &[$($file),*];
    };
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
    lowered, Lowered, "lowered";
    modes, Modes, "modes";
    newlines, Newlines, "newlines";
    placed, Placed, "placed";
    quoted, Quoted, "quoted";
    stacks, Stacks, "stacks";
    steps, Steps, "steps";
    written, Written, "written";
}

#[test]
fn runs_every_table() {
    assert_all_run("../macros/compiler/test_data", RUN);
}

fn assert_agreement(file: &str, dialect: &Dialect, states: &str) {
    let table = table(file, states, &|_| None);
    let token_difference = disagreement(dialect, &table, "", 1500);
    let tree_difference = || tree_disagreement(dialect, &table, 3000);
    let difference = token_difference
        .or_else(|| table.machine().construction.as_ref().and_then(|_| tree_difference()));
    if let Some(difference) = difference {
        panic!("{difference}");
    }
}

/// For a sink that does not answer queries of host flags, each flag has its first value.
#[test]
fn unset_flags_have_their_first_value() {
    struct Names(Vec<String>);
    impl Sink for Names {
        fn start_tag(&mut self, tag: Tag<'_>) -> Control {
            self.0.push(tag.name().to_owned());
            Control::Continue
        }
    }
    let (dialect, mut names) = (<kinds::Kinds as tabulex::Machine>::DIALECT, Names(Vec::new()));
    assert_eq!(dialect.flag_values("place"), ["ordinary", "asked"]);
    let _ = dialect.tokenizer().finish_with("8Ab>", &mut names);
    assert_eq!(names.0, ["Ab"]);
}
