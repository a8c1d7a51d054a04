//! No input makes a tokenizer panic or take more than linear time, and pauses change nothing. What the tokens are is
//! proven elsewhere. Invariant: times are compared with times of the same machine, with a margin for a busy one.

use std::fs;
use std::time::{Duration, Instant};
use tabulex::Dialect;
use tabulex_oracle::interpreter::Token;
use tabulex_tests::compiled::{self, dialect};
use tabulex_tests::inputs::{Alphabet, characters};
use tabulex_tests::interpreted::table;
use tabulex_tests::random::Random;
use tabulex_tests::recording::difference;
use tabulex_tests::sample;
use tabulex_tests::setup::{Setup, Wish};
use tabulex_tests::shared::{report, workspace};

/// A shape of input that some tokenizer takes more than linear time for: a beginning, a part that is repeated, an end.
struct Shape {
    name: &'static str,
    state: &'static str,
    before: &'static str,
    repeated: fn(usize) -> String,
    after: &'static str,
}

const fn shape(
    name: &'static str,
    state: &'static str,
    before: &'static str,
    repeated: fn(usize) -> String,
    after: &'static str,
) -> Shape {
    Shape { name, state, before, repeated, after }
}

const SHAPES: &[Shape] = &[
    shape("plain text", "data", "", |_| "a".into(), ""),
    shape("lines", "data", "", |_| "a\r\n".into(), ""),
    shape("NULs", "data", "", |_| "\0".into(), ""),
    shape("characters that are errors", "data", "", |_| "\u{1}é".into(), ""),
    shape("nested tags", "data", "", |_| "<a>".into(), ""),
    shape("less-than signs", "data", "", |_| "<".into(), ""),
    shape("open tags", "data", "", |_| "<a ".into(), ""),
    shape("ampersands", "data", "", |_| "&".into(), ""),
    shape("ampersands with a letter", "data", "", |_| "&a".into(), ""),
    shape("references without semicolon", "data", "", |_| "&notit".into(), ""),
    shape("one long unknown reference", "data", "&", |_| "a".into(), ""),
    shape("one long unknown reference in an attribute", "data", "<a b='&", |_| "a".into(), "'>"),
    shape("references in an attribute", "data", "<a b='", |_| "&amp=&a;".into(), "'>"),
    shape("one long number", "data", "&#", |_| "9".into(), ";"),
    shape("one long hexadecimal number", "data", "&#x", |_| "f".into(), ""),
    shape("one long tag name", "data", "<", |_| "Ab".into(), ">"),
    shape("distinct attributes", "data", "<a", |number| format!(" b{number}"), ">"),
    shape("duplicate attributes", "data", "<a", |_| " b=c".into(), ">"),
    shape("solidi in a tag", "data", "<a", |_| "/".into(), ">"),
    shape("an unclosed quote", "data", "<a b=\"", |_| "c>".into(), ""),
    shape("an unclosed comment", "data", "<!--", |_| "-".into(), ""),
    shape("exclamation marks in a comment", "data", "<!--", |_| "--!".into(), ""),
    shape("comments", "data", "", |_| "<!-->".into(), ""),
    shape("an unclosed declaration", "data", "<!", |_| "x<!".into(), ""),
    shape("an unclosed DOCTYPE", "data", "<!DOCTYPE a PUBLIC '", |_| "b".into(), ""),
    shape("spaces in a DOCTYPE", "data", "<!DOCTYPE a", |_| " ".into(), ""),
    shape("half end tags", "rcdata", "", |_| "</titl".into(), ""),
    shape("one long end tag", "rcdata", "</", |_| "t".into(), ""),
    shape("less-than signs in a script", "script-data", "", |_| "<!--<".into(), ""),
    shape("escaped scripts", "script-data", "", |_| "<!--<script>".into(), ""),
    shape("one long name in an escaped script", "script-data", "<!--<", |_| "s".into(), ""),
    shape("brackets in a CDATA section", "cdata-section", "", |_| "]".into(), ""),
    shape("CDATA sections", "data", "", |_| "<![CDATA[".into(), ""),
    shape("half end tags in a script", "script-raw-data", "", |_| "</scrip".into(), ""),
    shape("void tags", "data", "", |_| "<a/>".into(), ""),
    shape("brackets in a CDATA section of XML", "cdata", "", |_| "]".into(), ""),
    shape(
        "entities",
        "doctype-internal-subset",
        "",
        |number| format!("<!ENTITY e{number} 'a&e{};'>", number / 2),
        "]>&e9;",
    ),
    shape(
        "parameter entities",
        "doctype-internal-subset",
        "<!ENTITY % p ' '>",
        |_| "%p;".into(),
        "",
    ),
    shape(
        "declared attributes",
        "doctype-internal-subset",
        "<!ATTLIST a",
        |number| format!(" b{number} C 'd'"),
        ">]><a><a><a c='' b3=''>",
    ),
    shape(
        "tag names with declared attributes",
        "doctype-internal-subset",
        "",
        |number| format!("<!ATTLIST a{number} b C 'd'>"),
        "]><a1><a2>",
    ),
    shape(
        "references to an entity",
        "doctype-internal-subset",
        "<!ENTITY e 'a'>]>",
        |_| "&e;".into(),
        "",
    ),
    shape(
        "references to an entity in attributes",
        "doctype-internal-subset",
        "<!ENTITY e '\"'>]><a",
        |number| format!(" b{number}='&e;&e;'"),
        ">",
    ),
    shape(
        "tags with declared attributes",
        "doctype-internal-subset",
        "<!ATTLIST a b C 'd' c C 'd' d C 'd'>]>",
        |_| "<a>".into(),
        "",
    ),
];

impl Shape {
    /// Whether the dialect has the state in which the shape begins, or a flag with such a value.
    fn is_of(&self, dialect: &Dialect) -> bool {
        Wish::find_in(table(dialect.id()).machine(), self.state).is_some()
    }

    /// An input of this shape, of about `length` bytes.
    fn input(&self, length: usize) -> String {
        let mut input = self.before.to_owned();
        let mut number = 0;
        while input.len() < length {
            input += &(self.repeated)(number);
            number += 1;
        }
        input + self.after
    }

    fn setup(&self) -> Setup {
        let last_start_tag = Some("title".to_owned());
        Setup { state: Some(self.state.to_owned()), last_start_tag, ..Setup::default() }
    }
}

/// The shortest of three runs: others may be disturbed by what else the machine does.
fn time(work: &dyn Fn()) -> Duration {
    let timed = || {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..3).map(|_| timed()).min().unwrap_or_default()
}

/// Doubles the input until it takes long enough to be measured; four times as much of it may then cost up to nine times as
/// much. What is quadratic costs sixteen times as much; the margin is for what else the machine does. Where 4 MB take less
/// than 5 ms, it is the memory of a text that is measured, which the system gives in pages: there it may take 45 ms.
fn assert_linear(what: &str, shape: &Shape, work: &dyn Fn(&str)) {
    let measured = |length: usize| {
        let input = shape.input(length);
        time(&|| work(&input))
    };
    let mut length = 1 << 12;
    let mut once = measured(length);
    while once < Duration::from_millis(20) && length < 1 << 22 {
        length *= 2;
        once = measured(length);
    }
    let mut four_times = measured(4 * length);
    // A machine that was busy is asked again.
    for _ in 0..5 {
        if four_times < 9 * once.max(Duration::from_millis(5)) {
            return;
        }
        (once, four_times) = (measured(length), measured(4 * length));
    }
    panic!(
        "{}, {what}: {length} bytes take {once:?}, four times as many {four_times:?}",
        shape.name
    );
}

/// A sample of the shapes with the dialects that have them.
fn shapes(what: &str) -> Vec<(&'static Dialect, &'static Shape)> {
    let of = |dialect: &&'static Dialect| {
        let dialect = *dialect;
        SHAPES.iter().filter(|shape| shape.is_of(dialect)).map(move |shape| (dialect, shape))
    };
    sample::of(what, tabulex::dialects().iter().flat_map(of).collect(), 24)
}

#[test]
fn whole_inputs_take_linear_time() {
    let shapes = shapes("whole");
    for (dialect, shape) in &shapes {
        let setup = shape.setup();
        assert_linear("whole", shape, &|input| drop(compiled::tokenize(dialect, &setup, input)));
    }
    report(&format!("linear time: {} shapes, whole", shapes.len()));
}

#[test]
fn single_characters_take_linear_time() {
    let shapes = shapes("characters");
    for (dialect, shape) in &shapes {
        let setup = shape.setup();
        assert_linear("a character at a time", shape, &|input| {
            drop(compiled::feed(dialect, &setup, &characters(input)));
        });
    }
    report(&format!("linear time: {} shapes, a character at a time", shapes.len()));
}

/// A sink may pause at every token of one large chunk.
#[test]
fn pauses_take_linear_time() {
    let tags = shape("tags", "data", "", |_| "<a b=c>d".into(), "");
    for dialect in tabulex::dialects() {
        // A machine without the shape's state begins where it always does.
        let setup = if tags.is_of(dialect) { tags.setup() } else { Setup::default() };
        assert_linear("iterator", &tags, &|input| drop(compiled::iterate(dialect, &setup, input)));
        assert_linear("pausing", &tags, &|input| {
            drop(compiled::feed_pausing(dialect, &setup, &[input]))
        });
    }
}

#[test]
fn the_interpreter_takes_linear_time() {
    for (dialect, shape) in tabulex::dialects()
        .iter()
        .flat_map(|dialect| SHAPES.iter().map(move |shape| (dialect, shape)))
    {
        if !shape.is_of(dialect) {
            continue;
        }
        let setup = shape.setup();
        // Rows are counted, not timed: a row is a step of the machine, and reads no more than it consumes or gives back.
        let rows = |length: usize| {
            let mut rows = 0;
            table(dialect.id()).run_with_rows(&setup, &shape.input(length), &mut |_| rows += 1);
            rows
        };
        let (once, four_times) = (rows(5_000), rows(20_000));
        assert!(four_times < 6 * once, "{}: {once} rows, {four_times} rows", shape.name);
    }
}

#[test]
fn a_tag_with_many_attributes() {
    let attributes: String = (0..100_000).map(|number| format!(" b{number}='c'")).collect();
    let input = format!("<a{attributes}{attributes}>");
    for dialect in tabulex::dialects() {
        let recording = compiled::tokenize(dialect, &Setup::default(), &input);
        let expected = table(dialect.id()).run(&Setup::default(), &input);
        assert!(recording == expected, "{}", difference(&expected, &recording));
        // Where duplicates are left to a later stage, they are all there.
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
                let fed = compiled::feed(dialect, &setup, &characters(&text));
                assert!(whole == expected, "{text:?}\n{}", difference(&expected, &whole));
                assert!(fed == expected, "{text:?}\n{}", difference(&expected, &fed));
            }
        }
    }
}

/// A state that the host may set.
fn random_setup(dialect: &Dialect, random: &mut Random) -> Setup {
    let machine = table(dialect.id()).machine();
    let state = machine.entries.get(random.below(machine.entries.len() + 1));
    let state = machine.state(state.copied().unwrap_or(machine.start));
    Setup { state: Some(state.name.clone()), ..Setup::default() }
}

/// A state can be set at any time, even one for which nothing has been prepared: that gives odd tokens, but no panic.
#[test]
fn any_state_at_any_time() {
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

/// What a pause shows: after every character the state, the offset and the tokens so far, as `snapshots/*.expect` has them.
/// `UPDATE_EXPECT=1` writes them anew.
#[test]
fn pauses_and_offsets() {
    let inputs = [
        ("html-2013.text", "a\r\nb\r&not;it&notx&#x41 \0é"),
        ("html-2013.tags", "<A B=c d='&amp;&lt' B>\n</a x/>"),
        ("html-2013.markup", "<!DocType html PUBLIC \"p\" 's'><!--a--b--!><![CDATA[c]]><?x>"),
        (
            "html-2007.switches",
            "<title>a</b>&amp;</title ><script><!--</script>--></script><br/><p/>",
        ),
        ("html-2013.switches", "<title>a</b></title><script><!--x</script >&amp<"),
        ("sky.text", "a\r\nb\r\0&lt;&x;&y &#x41;<!--c-->é"),
        ("sky.tags", "<A B=&amp; c='&lt'\0/></a x><script></s</script >"),
    ];
    let mut wrong = Vec::new();
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
            wrong.push(format!("{name}.expect, line {line}"));
        } else if found != expected {
            wrong.push(format!("{name}.expect, its end"));
        }
    }
    assert!(wrong.is_empty(), "UPDATE_EXPECT=1 accepts what has changed: {wrong:?}");
}

/// A sink that pauses at every token, while characters come one by one, sees what one that never pauses sees.
#[test]
fn pausing_at_every_token_changes_nothing() {
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

/// How much text a recording holds, names and values of attributes included.
fn amount(tokens: &[Token]) -> usize {
    let of = |token: &Token| match token {
        Token::Text { text, .. } => text.len(),
        Token::StartTag(tag) => {
            let attributes = tag.attributes.iter();
            attributes.map(|attribute| attribute.name.len() + attribute.value.len()).sum()
        }
        _ => 0,
    };
    tokens.iter().map(of).sum()
}

/// Documents that would grow without bound when their entities are replaced.
fn bombs() -> Vec<(&'static str, String)> {
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

/// What a document may put into itself is bounded, and what is beyond is reported.
#[test]
fn entities_do_not_blow_up() {
    let dialect = dialect("xml-er");
    for (name, input) in bombs() {
        let recording = compiled::tokenize(dialect, &Setup::default(), &input);
        let told = |code: &&str| {
            ["too-much-replacement-text", "too-many-declared-attributes"].contains(code)
        };
        assert!(recording.errors.iter().any(|(code, _)| told(code)), "{name}: nothing is reported");
        let most = 0x10_0000 + 7 * input.len();
        assert!(amount(&recording.tokens) <= most, "{name}: {}", amount(&recording.tokens));
        let chunks: Vec<&str> = input
            .as_bytes()
            .chunks(4096)
            .map(|chunk| std::str::from_utf8(chunk).unwrap())
            .collect();
        assert_eq!(compiled::feed(dialect, &Setup::default(), &chunks), recording, "{name}");
    }
}
