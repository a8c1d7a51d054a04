//! A dialect of settings in sections: a tree built from tokens that the table declares, by both executors.

use tabulex::Dialect;
use tabulex::encoding::{Change, Choice, Encoding, Hints};
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
    let errors: String =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&loaded.source)).collect();
    Table::of(source, loaded.machine.unwrap_or_else(|| panic!("{errors}")))
}

const TEXT: &str = "[first]\nkey = one two\n  other=2\r\n[second]\nlast = [x]";

#[test]
fn sections_are_elements_with_settings() {
    let parsed = parse(&SETTINGS, &Input { text: TEXT, ..Input::default() }, None);
    assert_eq!(parsed.errors, []);
    let nodes = parsed.tree.root().descendants().map(|node| {
        let name = node.local_name().map_or_else(|| node.text(), str::to_owned);
        let span = node.span().expect("every node has a range");
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
        let error = errors.find(|error| error.code == code).expect(input);
        if !at.is_empty() {
            assert_eq!(&input[error.span.start..error.span.end], at, "{input}");
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
        let cuts = inputs::all_cuts(text);
        assert_eq!(difference_from(&expected, &SETTINGS, &input, &cuts), None, "{text:?}");
    }
}

#[test]
fn the_encoding_is_that_of_the_first_source_in_the_table() {
    let encoding = |label| Encoding::for_label(label).unwrap();
    let sniff_marked = |hints: Hints| Choice::sniff(b"\xEF\xBB\xBF[a]", SETTINGS.clues(), &hints);
    let koi8 = encoding("koi8-r");
    assert_eq!(sniff_marked(Hints::new().transport(koi8).parent(koi8)), Choice::tentative(koi8));
    assert_eq!(sniff_marked(Hints::new().parent(koi8)), Choice::certain(koi8));
    assert_eq!(
        sniff_marked(Hints::new().parent(encoding("shift_jis"))),
        Choice::certain(Encoding::UTF_8)
    );
    // The table names neither an override nor a likely encoding as a source, so these two hints have no effect.
    let hints = Hints::new().override_with(koi8).likely(koi8);
    let undeclared_choice = Choice::sniff(b"[a]", SETTINGS.clues(), &hints);
    assert_eq!(undeclared_choice, Choice::tentative(encoding("windows-1252")));
}

#[test]
fn declarations_change_only_other_encodings_than_those_of_the_table() {
    let encoding = |label| Encoding::for_label(label).unwrap();
    for (from, expected) in [("windows-1251", Change::Kept), ("utf-16le", Change::Switched)] {
        let mut choice = Choice::tentative(encoding(from));
        assert_eq!(choice.change(encoding("koi8-r"), SETTINGS.clues(), true), expected, "{from}");
    }
}
