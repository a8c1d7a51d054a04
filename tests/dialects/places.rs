//! A dialect of words whose table edits and queries texts, returns to a remembered position, receives a token from the
//! host and drops characters.

use std::borrow::Cow;
use tabulex::record::{Fields, Given, read};
use tabulex::{Machine as _, TokenForm};
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

/// The number of fields of a word and of a found value.
const FIELD_COUNT: usize = 4;

/// Reads an input, given the fields of the settings.
fn read_with(
    input: &str,
    settings: [Option<&str>; 2],
    chunk: Option<usize>,
) -> Outcome<FIELD_COUNT> {
    let form = TokenForm::find(machine::Places::TOKENS, "settings");
    let fields = Fields::from(settings);
    let given = Given { tokens: &[(form, fields.as_given())], state: None };
    compiled(read::<machine::Places, FIELD_COUNT>(input, given, convert, chunk))
}

/// The fields of the settings in most tests.
const SETTINGS: [Option<&str>; 2] = [Some("<"), None];

fn outcome(input: &str, chunk: Option<usize>) -> Outcome<FIELD_COUNT> {
    read_with(input, SETTINGS, chunk)
}

/// Returns the fields of the first word: value, copy and digits; absent ones are `missing`.
fn word(input: &str) -> Vec<String> {
    let outcome = outcome(input, None);
    let fields = outcome.fields.unwrap();
    fields.iter().take(3).map(|text| text.unwrap_or("missing").to_owned()).collect()
}

#[test]
fn reads_and_edits_words() {
    for (input, expected) in [
        ("one.", ["one", "none-", "missing"]),
        ("xaby!1.", ["x-y", "!1<-", "missing"]),
        ("12:", ["", "", "12"]),
        ("120:", ["", "", "120!"]),
        ("012:", ["", "", ""]),
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
        "a", "b", "ab", "B", "é", "ü", ":", ".", "1", "12", "123", "0", "7", "#", "#123", "!",
        "%41", " ", "|", "\t", "no", "xy", "\u{FEFF}",
    ];
    for _ in 0..4000 {
        let input: String = (0..random.below(9)).map(|_| *random.pick(&pieces)).collect();
        let settings = [("settings", SETTINGS.to_vec())];
        let expected = interpreted(&table, &input, &settings, None, convert);
        for chunk in [None, Some(1), Some(2), Some(5), Some(usize::MAX)] {
            assert_eq!(outcome(&input, chunk), expected, "{input:?} {chunk:?}");
        }
    }
}

#[test]
fn given_texts_may_exceed_the_interval_of_length_checks() {
    let outcome = read_with("ab.", [Some(&"<".repeat(40 << 20)), None], None);
    assert_eq!(outcome.fields.unwrap().get(0), Some("-"));
}
