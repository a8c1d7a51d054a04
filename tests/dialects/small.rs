//! Runs the oracle's small tables, which declare what no markup standard has, as compiled machines: on the inputs that
//! the oracle's tests use and on random ones, through every interface. The results are those of the interpreter.

use std::path::Path;
use tabulex::Dialect;
use tabulex_tests::small::{assert_all_run, disagreement, table};

/// Declares a module with the compiled machine for each table, and a test that compares it with the interpreter.
macro_rules! small {
    ($($module:ident, $machine:ident, $file:literal;)*) => { $(
        mod $module {
            use tabulex::machine;

            include!(concat!("../../spec/oracle/test_data/interpreter/", $file, ".states"));
        }

        #[test]
        fn $module() {
            let file = concat!("../../spec/oracle/test_data/interpreter/", $file);
            let inputs =
                include_str!(concat!("../../spec/oracle/test_data/interpreter/", $file, ".inputs"));
            let states =
                include_str!(concat!("../../spec/oracle/test_data/interpreter/", $file, ".states"));
            let dialect = &<$module::$machine as tabulex::Machine>::DIALECT;
            assert_agreement(file, dialect, states, inputs);
        }
    )*
        /// File names, without extension, of the tables that are run.
        const RUN: &[&str] = &[$($file),*];
    };
}

small! {
    declarations, Declarations, "declarations";
    declared_tokens, DeclaredTokens, "declared-tokens";
    defined_actions, DefinedActions, "defined-actions";
    entities, Entities, "entities";
    far_ahead, FarAhead, "far-ahead";
    feedback, Feedback, "feedback";
    first_call, FirstCall, "first-call";
    lexical, Lexical, "lexical";
    look_behind, LookBehind, "look-behind";
    no_place, NoPlace, "no-place";
    own_fields, OwnFields, "own-fields";
    plain_newlines, PlainNewlines, "plain-newlines";
    references, References, "references";
    refusals, Refusals, "refusals";
    stack, Stack, "stack";
    surroundings, Surroundings, "surroundings";
    tags, Tags, "tags";
    text, Text, "text";
    token_ranges, TokenRanges, "token-ranges";
}

#[test]
fn runs_every_table() {
    assert_all_run("../spec/oracle/test_data/interpreter", RUN);
}

/// Two tables in one module, each with its own states.
mod together {
    use tabulex::machine;

    include!("../../spec/oracle/test_data/interpreter/stack.states");
    include!("../../spec/oracle/test_data/interpreter/look-behind.states");
}

#[test]
fn compiles_two_tables_in_one_module() {
    use tabulex::Machine;
    use together::{LookBehind, Stack, look_behind, stack};

    assert_eq!(Stack::START, stack::State::Data);
    assert_eq!(LookBehind::START, look_behind::State::Data);
    let token_count = |dialect: &Dialect, input: &str| dialect.raw_tokens(input).count();
    assert_eq!(
        (token_count(&Stack::DIALECT, "{}a"), token_count(&LookBehind::DIALECT, "a")),
        (1, 1)
    );
}

/// A pending lexeme is discarded if the host sets another state.
#[test]
fn pending_lexemes_are_dropped_on_state_changes() {
    use declared_tokens::{DeclaredTokens, State};
    use tabulex::{Control, DeclaredToken, MachineSink, Sink, Text, Tokenizer};

    struct Transcript(String);
    impl MachineSink for Transcript {}

    impl Sink for Transcript {
        fn text(&mut self, text: Text<'_>) -> Control {
            self.0 += text.text;
            Control::Continue
        }

        fn declared_token(&mut self, token: DeclaredToken<'_>) -> Control {
            let fields: String = token.fields().map(|field| field.text).collect();
            self.0 += &format!("({} {fields})", token.name());
            Control::Continue
        }
    }

    let (mut tokenizer, mut transcript) =
        (Tokenizer::<DeclaredTokens>::new(), Transcript(String::new()));
    let _ = tokenizer.feed("'ab", &mut transcript);
    assert_eq!(tokenizer.state(), State::Strings);
    // In the state `Data`, the remaining input is a pair followed by another string.
    tokenizer.set_state(State::Data);
    let _ = tokenizer.finish_with("c=d;'x'y!", &mut transcript);
    assert_eq!(transcript.0, "(pair abcd)(mark )x-y(mark )");
}

/// A declared token tells whether it begins in the replacement text of an entity; its range is then that of the row that
/// inserted the text.
#[test]
fn marks_tokens_from_inserted_text() {
    use entities::Entities;
    use tabulex::{Control, DeclaredToken, MachineSink, Sink, Tokenizer};

    struct Words(Vec<(String, bool, [usize; 2])>);
    impl MachineSink for Words {}

    impl Sink for Words {
        fn declared_token(&mut self, word: DeclaredToken<'_>) -> Control {
            let (text, span) = (word.field("text").unwrap(), word.span());
            assert_eq!(word.field("other"), None);
            self.0.push((text.to_owned(), word.is_inserted(), [span.start, span.end]));
            Control::Continue
        }
    }

    let input = "<!Pp=[ab]>[c]%p;[d]";
    for chunks in [vec![input], input.split_inclusive(|_| true).collect()] {
        let (mut tokenizer, mut words) = (Tokenizer::<Entities>::new(), Words(Vec::new()));
        for chunk in chunks {
            let _ = tokenizer.feed(chunk, &mut words);
        }
        let _ = tokenizer.finish_with("", &mut words);
        let expected = [("c", false, [10, 13]), ("ab", true, [15, 16]), ("d", false, [16, 19])];
        assert_eq!(
            words.0,
            expected.map(|(text, is_inserted, span)| (text.to_owned(), is_inserted, span))
        );
    }
}

fn assert_agreement(file: &str, dialect: &Dialect, states: &str, inputs: &str) {
    // The files that a table includes are in the same folder as the table.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("dialects").join(file);
    let read_sibling = |name: &str| std::fs::read_to_string(folder.with_file_name(name)).ok();
    let table = table(&format!("{file}.states"), states, &read_sibling);
    assert!(inputs.lines().count() >= 2, "`{file}` has fewer than two inputs");
    if let Some(difference) = disagreement(dialect, &table, inputs, 1500) {
        panic!("{difference}");
    }
}
