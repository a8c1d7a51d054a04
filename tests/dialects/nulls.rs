//! A dialect that tests a text of the host in which U+0000 counts as U+FFFD.

use std::borrow::Cow;
use tabulex::record::{Fields, Given, read};
use tabulex::{Machine as _, TokenForm};
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
        let fields = Fields::from([Some(text)]);
        let form = TokenForm::find(machine::Nulls::TOKENS, "given");
        let given = Given { tokens: &[(form, fields.as_given())], state: None };
        let outcome = compiled(read::<machine::Nulls, 1>("", given, convert, None));
        let expected = interpreted(&table, "", &[("given", vec![Some(text)])], None, convert);
        assert_eq!(outcome, expected, "{text:?}");
        assert_eq!(outcome.fields.expect("a record is emitted").get(0), Some(answers), "{text:?}");
    }
}
