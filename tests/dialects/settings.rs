//! A dialect of settings in sections: a tree built from tokens that the table declares, by both executors.

use tabulex::Dialect;
use tabulex_language::Source;
use tabulex_tests::inputs;
use tabulex_tests::interpreted::Table;
use tabulex_tests::random::Random;
use tabulex_tests::trees::{Input, difference_from, interpreted_by, parse};

mod machine {
    use tabulex::machine;

    include!("settings.states");
}

static SETTINGS: Dialect = <machine::Settings as tabulex::Machine>::DIALECT;

fn table() -> Table {
    let source = Source::new("settings.states", include_str!("settings.states"));
    let loaded = tabulex_language::load(&source, &|_| None);
    let said: String = loaded.diagnostics.iter().map(|one| one.render(&loaded.source)).collect();
    Table::of(source, loaded.machine.unwrap_or_else(|| panic!("{said}")))
}

const TEXT: &str = "[first]\nkey = one two\n  other=2\r\n[second]\nlast = [x]";

#[test]
fn sections_are_elements_with_settings() {
    let parsed = parse(&SETTINGS, &Input { text: TEXT, ..Input::default() }, None);
    assert_eq!(parsed.errors, []);
    let nodes = parsed.tree.root().descendants().map(|node| {
        let name = node.local_name().map_or_else(|| node.text(), str::to_owned);
        let span = node.span().expect("everything stands in the text");
        (name, &TEXT[span.start..span.end])
    });
    let nodes: Vec<(String, &str)> = nodes.collect();
    let expected = [
        ("first", "[first]"),
        ("key", "key = one two\n"),
        ("one two", "one two"),
        ("other", "other=2\r\n"),
        ("2", "2"),
        ("second", "[second]"),
        ("last", "last = [x]"),
        ("[x]", "[x]"),
    ];
    let expected: Vec<_> = expected.iter().map(|&(name, text)| (name.to_owned(), text)).collect();
    assert_eq!(nodes, expected);
}

#[test]
fn errors_have_names_and_ranges() {
    for (input, code, at) in [
        ("key = 1\n[s]", "setting-outside", "key = 1\n"),
        ("[s]\nkey =\n", "empty-value", "key =\n"),
        ("[s]\nkey\n", "missing-equals-sign", ""),
        ("[s\nk=v", "unclosed-section", ""),
    ] {
        let parsed = parse(&SETTINGS, &Input { text: input, ..Input::default() }, None);
        let mut errors = parsed.errors.iter();
        let found = errors.find(|error| error.code() == code).expect(input);
        if !at.is_empty() {
            assert_eq!(&input[found.span.start..found.span.end], at, "{input}");
        }
    }
}

#[test]
fn compiled_and_interpreted_agree_for_all_chunks() {
    let (table, mut random) = (table(), Random::new(11));
    let pieces = ["[", "]", "s", "key", "=", " ", "\n", "\r\n", "v", "é", "[a]\n", "k=v\n"];
    for round in 0..600 {
        let random: String = (0..random.below(12)).map(|_| *random.pick(&pieces)).collect();
        let text = if round == 0 { TEXT } else { &random };
        let input = Input { text, ..Input::default() };
        let (expected, _) = interpreted_by(&table, &input);
        let cuts = inputs::everywhere(text);
        assert_eq!(difference_from(&expected, &SETTINGS, &input, &cuts), None, "{text:?}");
    }
}
