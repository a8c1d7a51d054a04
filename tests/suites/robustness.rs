//! No input makes a tokenizer panic, and pauses do not change tokens. `linear` covers the growth of work.

use std::fs;
use tabulex::Dialect;
use tabulex_oracle::interpreter::Token;
use tabulex_tests::compiled::{self, dialect};
use tabulex_tests::inputs::{Alphabet, characters};
use tabulex_tests::interpreted::table;
use tabulex_tests::random::Random;
use tabulex_tests::recording::difference;
use tabulex_tests::sample;
use tabulex_tests::setup::Setup;
use tabulex_tests::shapes::{self, Growth};
use tabulex_tests::shared::workspace;

#[test]
fn the_interpreter_takes_linear_time() {
    let shapes = shapes::listed();
    let linear_shapes_of = |dialect: &'static Dialect| {
        let shapes = shapes.iter().filter(|shape| shape.applies_to(dialect.id()));
        shapes.filter(|shape| shape.growth == Growth::Linear).map(move |shape| (dialect, shape))
    };
    let in_dialects =
        tabulex::dialects().iter().flat_map(|dialect| linear_shapes_of(dialect)).collect();
    for (dialect, shape) in sample::of("interpreter", in_dialects, 150) {
        // The work is measured by the number of rows run, which, unlike time, does not depend on the load of the
        // computer.
        let count_rows = |length: usize| {
            let (mut rows, input) = (0, shape.input(shape.count_for(length)));
            table(dialect.id()).run_with_rows(&Setup::default(), &input, &mut |_| rows += 1);
            rows
        };
        let (once, four_times) = (count_rows(3_000), count_rows(12_000));
        let id = dialect.id();
        assert!(
            four_times < 5 * once,
            "{id}: {shape}: {once} rows for an input, {four_times} for one of four times the length"
        );
    }
}

#[test]
fn a_tag_with_many_attributes() {
    let attributes: String = (0..100_000).map(|number| format!(" b{number}='c'")).collect();
    let input = format!("<a{attributes}{attributes}>");
    // The tags of cue text have an annotation instead of attributes, and files of cues have no tags.
    let dialects = tabulex::dialects().iter();
    for dialect in dialects.filter(|dialect| !dialect.id().starts_with("webvtt")) {
        let recording = compiled::tokenize(dialect, &Setup::default(), &input);
        let expected = table(dialect.id()).run(&Setup::default(), &input);
        assert!(recording == expected, "{}", difference(&expected, &recording));
        // Each duplicate attribute causes an error, or is part of the token in dialects that check duplicates later.
        let count = match recording.tokens.first() {
            Some(Token::StartTag(tag)) => tag.attributes.len(),
            _ => 0,
        };
        assert_eq!(recording.errors.len() + count, 200_000);
    }
}

#[test]
fn random_bytes() {
    for seed in sample::seeds("bytes", 0..5_000, 400) {
        let mut random = Random::new(seed);
        let count = random.below(120);
        let bytes: Vec<u8> = (0..count).map(|_| random.next_number() as u8).collect();
        let ascii: Vec<u8> = bytes.iter().map(|byte| byte & 0x7F).collect();
        for bytes in [&bytes, &ascii] {
            let text = String::from_utf8_lossy(bytes);
            for dialect in tabulex::dialects() {
                let setup = random_setup(dialect, &mut random);
                let expected = table(dialect.id()).run(&setup, &text);
                let whole = compiled::tokenize(dialect, &setup, &text);
                let by_character = compiled::feed(dialect, &setup, &characters(&text));
                assert!(whole == expected, "{text:?}\n{}", difference(&expected, &whole));
                assert!(
                    by_character == expected,
                    "{text:?}\n{}",
                    difference(&expected, &by_character)
                );
            }
        }
    }
}

/// Returns a setup with a random state that the host may set.
fn random_setup(dialect: &Dialect, random: &mut Random) -> Setup {
    let machine = table(dialect.id()).machine();
    let state = machine.entries.get(random.below(machine.entries.len() + 1));
    let state = machine.state(state.copied().unwrap_or(machine.start));
    Setup { state: Some(state.name.clone()), ..Setup::default() }
}

/// Setting any state may give odd tokens, but does not panic.
#[test]
fn setting_any_state_does_not_panic() {
    for dialect in tabulex::dialects() {
        let alphabet = Alphabet::new(table(dialect.id()));
        for seed in sample::seeds(dialect.id(), 0..20_000, 1_500) {
            let mut random = Random::new(seed);
            let states = &table(dialect.id()).machine().states;
            let mut setup = alphabet.setup(&mut random);
            setup.state = Some(random.pick(states).name.clone());
            let input = alphabet.input(&mut random, 8);
            compiled::tokenize(dialect, &setup, &input);
            compiled::iterate(dialect, &setup, &input);
            compiled::feed(dialect, &setup, &characters(&input));
            compiled::feed_pausing(dialect, &setup, &characters(&input));
        }
    }
}

/// Compares the state, offset and tokens at a pause after every character with those in `snapshots/*.expect`.
/// `UPDATE_EXPECT=1` updates the snapshots.
#[test]
fn pauses_and_offsets_match_the_snapshots() {
    let inputs = [
        ("html-2013.text", "a\r\nb\r&not;it&notx&#x41 \0é"),
        ("html-2013.tags", "<A B=c d='&amp;&lt' B>\n</a x/>"),
        ("html-2013.markup", "<!DocType html PUBLIC \"p\" 's'><!--a--b--!><![CDATA[c]]><?x>"),
        ("html-2013.switches", "<title>a</b></title><script><!--x</script >&amp<"),
    ];
    let mut changes = Vec::new();
    for (name, input) in inputs {
        let dialect = dialect(name.split('.').next().unwrap_or_default());
        let setup = Setup { switches: true, ..Setup::default() };
        let found = format!("{input:?}\n{}", compiled::steps(dialect, &setup, input));
        let path = workspace().join(format!("tests/suites/snapshots/{name}.expect"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &found).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        if let Some((line, _)) =
            (1..).zip(found.lines().zip(expected.lines())).find(|(_, (a, b))| a != b)
        {
            changes.push(format!("`{name}.expect`, line {line}"));
        } else if found != expected {
            changes.push(format!("`{name}.expect`, at the end"));
        }
    }
    assert!(
        changes.is_empty(),
        "snapshots have changed; `UPDATE_EXPECT=1` updates them: {changes:?}"
    );
}

/// A sink that is fed single characters and pauses at every token gets the tokens of one that never pauses.
#[test]
fn pausing_does_not_change_tokens() {
    for dialect in tabulex::dialects() {
        let alphabet = Alphabet::new(table(dialect.id()));
        for seed in sample::seeds(dialect.id(), 0..5_000, 1_000) {
            let mut random = Random::new(seed);
            let mut setup = alphabet.setup(&mut random);
            setup.switches = true;
            let input = alphabet.input(&mut random, 12);
            let expected = compiled::tokenize(dialect, &setup, &input);
            let paused = compiled::feed_pausing(dialect, &setup, &characters(&input));
            assert!(paused == expected, "{input:?}\n{}", difference(&expected, &paused));
        }
    }
}

/// Returns the length in bytes of the text in tokens, including names and values of attributes.
fn text_len(tokens: &[Token]) -> usize {
    let token_len = |token: &Token| match token {
        Token::Text { text, .. } => text.len(),
        Token::StartTag(tag) => {
            let attributes = tag.attributes.iter();
            attributes.map(|attribute| attribute.name.len() + attribute.value.len()).sum()
        }
        _ => 0,
    };
    tokens.iter().map(token_len).sum()
}

/// Returns documents that would grow exponentially, quadratically or without end if all entities were replaced and all
/// declared attributes added.
fn hostile_inputs() -> Vec<(&'static str, String)> {
    let levels = |kind: &str, sigil: char| -> String {
        let level = |n: u32| {
            let value = format!("{sigil}e{};", n - 1).repeat(10);
            format!("<!ENTITY {kind}e{n} '{value}'>")
        };
        (1..15).map(level).collect()
    };
    let attributes: String = (0..2_000).map(|number| format!(" b{number} C 'd'")).collect();
    let long = "x".repeat(20_000);
    vec![
        ("laughs", format!("<!DOCTYPE a [<!ENTITY e0 'ha'>{}]>&e14;", levels("", '&'))),
        (
            "laughs in an attribute",
            format!("<!DOCTYPE a [<!ENTITY e0 'ha'>{}]><a b='&e14;'>", levels("", '&')),
        ),
        (
            "laughs in a default value",
            format!(
                "<!DOCTYPE a [<!ENTITY e0 'ha'>{}<!ATTLIST a b C '&e14;'>]><a>",
                levels("", '&')
            ),
        ),
        (
            "laughs of declarations",
            format!("<!DOCTYPE a [<!ENTITY % e0 '<!-- -->'>{}%e14;]>", levels("% ", '%')),
        ),
        ("quadratic", format!("<!DOCTYPE a [<!ENTITY e '{long}'>]>{}", "&e;".repeat(20_000))),
        (
            "quadratic in attributes",
            format!("<!DOCTYPE a [<!ENTITY e '{long}'>]><a b='{}'>", "&e;".repeat(20_000)),
        ),
        (
            "quotes that grow when they are escaped",
            format!(
                "<!DOCTYPE a [<!ENTITY e '{}'>]><a b='{}'>",
                "\"".repeat(20_000),
                "&e;".repeat(20_000)
            ),
        ),
        ("itself", "<!DOCTYPE a [<!ENTITY e '&e;&e;'>]>&e;<a b='&e;'>".to_owned()),
        ("each other", "<!DOCTYPE a [<!ENTITY e '&f;&f;'><!ENTITY f '&e;&e;'>]>&e;".to_owned()),
        (
            "parameter entities",
            "<!DOCTYPE a [<!ENTITY % p '%q;%q;'><!ENTITY % q '%p;%p;'>%p;]>x".to_owned(),
        ),
        (
            "declared attributes",
            format!("<!DOCTYPE a [<!ATTLIST a{attributes}>]>{}", "<a>".repeat(2_000)),
        ),
    ]
}

/// Entity replacement is bounded, and the excess is reported.
#[test]
fn entity_replacement_is_bounded() {
    let dialect = dialect("xml-er");
    for (name, input) in hostile_inputs() {
        let recording = compiled::tokenize(dialect, &Setup::default(), &input);
        let is_excess_code = |code: &&str| {
            ["too-much-replacement-text", "too-many-declared-attributes"].contains(code)
        };
        assert!(
            recording.errors.iter().any(|(code, _)| is_excess_code(code)),
            "{name}: the excess is not reported"
        );
        let maximum = 0x10_0000 + 7 * input.len();
        assert!(
            text_len(&recording.tokens) <= maximum,
            "{name}: {} bytes of text, expected at most {maximum}",
            text_len(&recording.tokens)
        );
        let chunks: Vec<&str> = input
            .as_bytes()
            .chunks(4096)
            .map(|chunk| std::str::from_utf8(chunk).unwrap())
            .collect();
        assert_eq!(compiled::feed(dialect, &Setup::default(), &chunks), recording, "{name}");
    }
}
