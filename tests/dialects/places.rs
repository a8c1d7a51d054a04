//! A dialect of words whose table edits and queries texts, returns to a remembered position, receives a token from the
//! host and drops characters.

use std::borrow::Cow;
use tabulex::record::{Fields, Given, read};
use tabulex_language::Source;
use tabulex_tests::interpreted::Table;
use tabulex_tests::random::Random;
use tabulex_tests::records::{Outcome, compiled, interpreted};

mod machine {
    use tabulex::machine;

    include!("places.states");
}

fn table() -> Table {
    let source = Source::new("places.states", include_str!("places.states"));
    let loaded = tabulex_language::load(&source, &|_| None);
    let errors: String =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&loaded.source)).collect();
    Table::of(source, loaded.machine.unwrap_or_else(|| panic!("{errors}")))
}

fn convert<'t>(function: &str, text: &'t str) -> Option<Cow<'t, str>> {
    (function == "double" && text != "no").then(|| text.repeat(2).into())
}

fn given_fields() -> Fields {
    [Some("<"), None].into_iter().collect()
}

fn outcome(input: &str, chunk: Option<usize>) -> Outcome {
    let given = Given { tokens: &[("settings", &given_fields())], state: None };
    compiled(read::<machine::Places>(input, given, convert, chunk))
}

/// Returns the fields of the first word: value, copy and digits; absent ones are `missing`.
fn word(input: &str) -> Vec<String> {
    let outcome = outcome(input, None);
    let fields = outcome.fields.unwrap();
    fields.iter().map(|text| text.unwrap_or("missing").to_owned()).collect()
}

#[test]
fn reads_and_edits_words() {
    for (input, expected) in [
        ("one.", ["one", "none-", "missing"]),
        ("xaby!1.", ["x-y", "!1<-", "missing"]),
        ("12:", ["", "", "12"]),
        ("ü:", ["ü", "ü", ""]),
        ("  a\tb\t. ", ["-", "<-", "missing"]),
    ] {
        assert_eq!(word(input), expected, "{input:?}");
    }
}

#[test]
fn compiled_and_interpreted_agree() {
    let (table, mut random) = (table(), Random::new(52));
    let pieces = [
        "a", "b", "ab", "B", "é", "ü", ":", ".", "1", "12", "123", "7", "#", "#123", "!", "%41",
        " ", "|", "\t", "no", "xy", "\u{FEFF}",
    ];
    for _ in 0..4000 {
        let input: String = (0..random.below(9)).map(|_| *random.pick(&pieces)).collect();
        let expected = interpreted(&table, &input, &[("settings", &given_fields())], None, convert);
        for chunk in [None, Some(1), Some(2), Some(5), Some(usize::MAX)] {
            assert_eq!(outcome(&input, chunk), expected, "{input:?} {chunk:?}");
        }
    }
}

#[test]
fn given_texts_may_exceed_the_interval_of_length_checks() {
    let fields: Fields = [Some(&*"<".repeat(40 << 20)), None].into_iter().collect();
    let given = Given { tokens: &[("settings", &fields)], state: None };
    let outcome = compiled(read::<machine::Places>("ab.", given, convert, None));
    assert_eq!(outcome.fields.unwrap().get(0), Some("-"));
}
