//! A dialect that tests a text of the host in which U+0000 counts as U+FFFD.

use std::borrow::Cow;
use tabulex::record::{Fields, Given, read};
use tabulex_language::Source;
use tabulex_tests::interpreted::Table;
use tabulex_tests::records::{compiled, interpreted};

mod machine {
    use tabulex::machine;

    include!("nulls.states");
}

fn convert<'t>(_function: &str, _text: &'t str) -> Option<Cow<'t, str>> {
    None
}

#[test]
fn lexemes_match_replaced_nulls() {
    let source = Source::new("nulls.states", include_str!("nulls.states"));
    let loaded = tabulex_language::load(&source, &|_| None);
    let table = Table::of(source, loaded.machine.expect("the table has no mistakes"));
    for (text, answers) in [
        ("\0", "111"),
        ("\u{FFFD}", "111"),
        ("a\0", "011"),
        ("\0a", "001"),
        ("a", "001"),
        ("", "001"),
    ] {
        let fields: Fields = [Some(text)].into_iter().collect();
        let tokens = [("given", &fields)];
        let given = Given { tokens: &tokens, state: None };
        let outcome = compiled(read::<machine::Nulls>("", given, convert, None));
        assert_eq!(outcome, interpreted(&table, "", &tokens, None, convert), "{text:?}");
        assert_eq!(outcome.fields.expect("a record is emitted").get(0), Some(answers), "{text:?}");
    }
}
