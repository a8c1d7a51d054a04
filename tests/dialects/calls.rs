//! A dialect of words in brackets, whose tree construction has none of HTML's rules and calls the host. The host
//! receives the element that the token popped last, or the current node if the token popped none.

use tabulex::Dialect;
use tabulex_language::Source;
use tabulex_tests::host_calls;
use tabulex_tests::interpreted::Table;
use tabulex_tests::random::Random;

mod machine {
    use tabulex::machine;

    include!("calls.states");
}

static CALLS: Dialect = <machine::Calls as tabulex::Machine>::DIALECT;

fn table() -> Table {
    let source = Source::new("calls.states", include_str!("calls.states"));
    let loaded = tabulex_language::load(&source, &|_| None);
    let errors: String = loaded.diagnostics.iter().map(|one| one.render(&loaded.source)).collect();
    Table::of(source, loaded.machine.unwrap_or_else(|| panic!("{errors}")))
}

#[test]
fn reports_the_last_popped_element_to_the_host() {
    assert_eq!(CALLS.id(), "calls");
    for (input, calls) in [
        ("(a(x)b(y)b", &["one x", "one y"][..]),
        ("(a(x(y)c(z)b", &["two x", "one z"]),
        ("(a(x)d)b", &["none x", "one x"]),
        ("(a(x(y)a", &["all a"]),
        ("(a(x)z", &["all a"]),
        (")d(a)c)b", &["none #document", "two a", "one #document"]),
    ] {
        assert_eq!(host_calls::compiled::<machine::Calls>(input), calls, "{input}");
    }
}

#[test]
fn compiled_and_interpreted_agree() {
    let (table, mut random) = (table(), Random::new(17));
    for _ in 0..600 {
        let pick_piece =
            |random: &mut Random| *random.pick(&["(a", "(b", "(x", ")a", ")b", ")c", ")d", ")x"]);
        let input: String = (0..random.below(12)).map(|_| pick_piece(&mut random)).collect();
        let compiled_calls = host_calls::compiled::<machine::Calls>(&input);
        assert_eq!(compiled_calls, host_calls::interpreted(&table, &input), "{input:?}");
    }
}
