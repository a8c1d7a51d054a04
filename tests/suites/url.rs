//! The URL parser on the cases of the Web Platform Tests, and compared with the crate `url`. Every case is read whole
//! and in chunks, and each case whose result differs is listed with the reason.

use crate::conformance::describe_untaken_rows;
use serde_json::Value;
use std::fs;
use tabulex::record::Record;
use tabulex::url::Url;
use tabulex_language::model::RowId;
use tabulex_tests::interpreted::table;
use tabulex_tests::known::Known;
use tabulex_tests::random::Random;
use tabulex_tests::records::{Outcome, interpreted, interpreted_with_rows};
use tabulex_tests::results;
use tabulex_tests::sample;
use tabulex_tests::shared::{report, shared};
use tabulex_tests::urls::{
    FIELD_COUNT, convert, fields_and_errors, interpret, interpret_with_rows, read,
};

const FIELDS: [&str; 10] = [
    "href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search",
    "hash",
];

fn field<'r>(record: &'r Record, name: &str) -> Option<&'r str> {
    let fields = record.fields.as_ref()?;
    fields.iter().find(|(other, _)| *other == name).map(|(_, text)| &**text)
}

/// Our own cases take every row, so that each is tested without external suites.
#[test]
fn own_cases_take_every_row() {
    let table = table("url");
    let mut taken = vec![false; table.row_count()];
    let on_row = &mut |row| taken[table.row_number(row)] = true;
    check_urls(on_row);
    check_setters(on_row);
    check_origins(on_row);
    let missing_rows = describe_untaken_rows(table, &taken);
    assert!(missing_rows.is_empty(), "rows that no case of our own takes:\n{missing_rows}");
}

fn check_urls(on_row: &mut dyn FnMut(RowId)) {
    let cases: Value =
        serde_json::from_str(include_str!("../cases/url.test")).expect("`url.test` is JSON");
    let cases = cases["tests"].as_array().unwrap();
    assert!(cases.len() > 400, "only {} cases, expected more than 400", cases.len());
    for case in cases {
        let input = case["input"].as_str().expect("each case has a string `input`");
        let tokens = case["output"].as_array().expect("each case has a list `output`");
        let expected = tokens.iter().find(|token| token[1] == "serialization");
        let base = case["base"].as_str();
        // Parsed without errors first: what that keeps for later inputs must not hide the errors of the next parse.
        let base_url = base.and_then(|base| Url::parse(base, None));
        let url =
            Url::parse(input, base_url.as_ref()).filter(|_| base.is_some() == base_url.is_some());
        let record = read(input, base, None);
        assert_eq!(url.as_ref().map(Url::href), field(&record, "href"), "{input:?} {base:?}");
        assert_eq!(read(input, base, Some(1)), record, "{input:?} {base:?}, in chunks");
        assert_eq!(
            interpret_with_rows(input, base, on_row),
            fields_and_errors(&record),
            "{input:?}"
        );
        let errors = case["errors"].as_array().expect("each case has a list `errors`");
        let errors: Vec<_> = errors.iter().filter_map(|error| error["code"].as_str()).collect();
        let codes: Vec<_> = record.errors.iter().map(|error| error.code).collect();
        assert_eq!(codes, errors, "{input:?} {base:?}");
        assert_eq!(expected.is_some(), record.fields.is_some(), "{input:?}");
        for (name, text) in expected.and_then(|token| token[2].as_object()).into_iter().flatten() {
            assert_eq!(field(&record, name), text.as_str(), "{input:?}: {name}");
        }
    }
}

fn check_setters(on_row: &mut dyn FnMut(RowId)) {
    let cases: Vec<[String; 4]> = serde_json::from_str(include_str!("../cases/url-setters.json"))
        .expect("`url-setters.json` is JSON");
    for [part, before, value, after] in &cases {
        let mut url = tabulex::url::parse(before).url.expect("the text before the change is a URL");
        let errors: Vec<_> = url.set(part, value).into_iter().map(|error| error.code).collect();
        assert_eq!(url.href(), after, "{part} of {before:?} set to {value:?}");
        assert_eq!(
            tabulex::url::parse(after).url,
            Some(url),
            "{part} of {before:?} set to {value:?}: parsing {after:?} gives another URL"
        );
        if part == "origin" {
            continue;
        }
        let parts = interpreted::<FIELD_COUNT>(table("url"), before, &[], None, convert);
        let parts = parts.fields.expect("a URL");
        let given = [("url", parts.iter().collect()), ("given", vec![Some(&**value)])];
        let (input, form) = match &**part {
            "username" | "password" => ("", "assignment"),
            _ => (&**value, "setter"),
        };
        let state = format!("{part}-{form}");
        let state = Some(&*state);
        let outcome: Outcome<FIELD_COUNT> =
            interpreted_with_rows(table("url"), input, &given, state, convert, on_row);
        let href = outcome.fields.as_ref().and_then(|fields| fields.get(9));
        assert_eq!(href.unwrap_or(before), after, "{part} of {before:?} set to {value:?}");
        let expected: Vec<_> = outcome.errors.iter().map(|(code, ..)| &**code).collect();
        assert_eq!(errors, expected, "{part} of {before:?} set to {value:?}");
    }
}

fn check_origins(on_row: &mut dyn FnMut(RowId)) {
    for (input, expected) in [
        ("http://a:81/b", "http://a:81"),
        ("wss://a:443", "wss://a"),
        ("file:///a", "null"),
        ("a://b", "null"),
    ] {
        let parts = interpreted::<FIELD_COUNT>(table("url"), input, &[], None, convert);
        let parts = parts.fields.expect("a URL");
        let given = [("url", parts.iter().collect())];
        let outcome: Outcome<1> =
            interpreted_with_rows(table("url"), "", &given, Some("origin"), convert, on_row);
        let origin = outcome.fields.as_ref().map_or(Some("null"), |fields| fields.get(0));
        assert_eq!(origin, Some(expected), "{input:?}");
        let url = tabulex::url::parse(input).url.expect("a URL");
        assert_eq!(url.origin(), expected, "{input:?}");
    }
}

#[test]
fn urls_of_the_web_platform_tests() {
    let Some(folder) = shared("testdata/url") else {
        report("url: 0 cases, suite absent");
        return;
    };
    let text = fs::read_to_string(folder.join("urltestdata.json"))
        .expect("`urltestdata.json` can be read");
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut known = Known::read("url");
    let (mut passed, mut excused, mut failures) = (0, 0, Vec::new());
    for case in cases.iter().filter(|case| case.is_object()) {
        let input = case["input"].as_str().expect("each case has a string `input`");
        let base = case["base"].as_str();
        let record = read(input, base, None);
        for chunk in [1, 2, 3, 7] {
            assert_eq!(read(input, base, Some(chunk)), record, "{input:?} {base:?}, {chunk} bytes");
        }
        assert_eq!(interpret(input, base), fields_and_errors(&record), "{input:?} {base:?}");
        let is_expected = match case["failure"].as_bool() {
            Some(true) => record.fields.is_none(),
            _ => {
                let url = match base {
                    Some(base) => tabulex::url::parse_with_base(input, base).url,
                    None => tabulex::url::parse(input).url,
                };
                let is_origin =
                    |it: &Value| url.is_some_and(|url| Some(&*url.origin()) == it.as_str());
                case.get("origin").is_none_or(is_origin)
                    && FIELDS.iter().all(|name| field(&record, name) == case[*name].as_str())
            }
        };
        if is_expected {
            passed += 1;
        } else if known.excuses(input) {
            excused += 1;
        } else {
            failures.push(format!("{input:?} {base:?}\n- {case}\n+ {record:?}"));
        }
    }
    report(&format!("url: {passed} cases as expected, {excused} differ as listed"));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let stale = known.stale();
    assert!(stale.is_empty(), "known differences that did not occur as listed: {stale:?}");
    results::check_result("url", passed + excused, passed);
}

const STARTS: [&str; 11] =
    ["", "http://", "https://", "file://", "file:", "foo://", "foo:", "//", "/", "ws:", "ftp:/"];

const BASES: [Option<&str>; 12] = [
    None,
    None,
    Some("http://a/b/c?d#e"),
    Some("file:///C:/x/y"),
    Some("file://host/p/q"),
    Some("foo:bar"),
    Some("foo://h/p/q"),
    Some("https://u:p@h:81/x?y"),
    Some("foo:/a/b"),
    Some("mailto:x@y"),
    Some("ws://h"),
    Some("non-special:/..//p"),
];

/// Returns why the crate `url` may parse the input differently: it follows an older standard, or has a bug. `None` if
/// no known reason applies.
fn reason(input: &str, found: &str, other: &str) -> Option<&'static str> {
    let trimmed: String = input
        .trim_start_matches(|character| character <= ' ')
        .chars()
        .filter(|character| !"\t\n\r".contains(*character))
        .collect();
    let is_special =
        |url: &str| ["http", "ws", "ftp", "file"].iter().any(|scheme| url.starts_with(scheme));
    let url = if found.is_empty() { other } else { found };
    Some(match () {
        () if input.contains('^') => "it does not encode a circumflex in paths",
        () if trimmed.to_lowercase().contains("xn--") => "it refuses Punycode of domains in ASCII",
        () if url.starts_with("file:") => "it drops empty segments and hosts of files",
        () if trimmed.starts_with(['/', '\\']) && trimmed[1..].starts_with(['/', '\\']) => {
            "it refuses more than two slashes before a relative host"
        }
        () if !is_special(url) && input.contains('\\') => "it takes a reverse solidus for a slash",
        () if found.is_empty() && input.contains('@') => "it accepts credentials without a host",
        () if input.contains(" ?") || input.contains(" #") => "it leaves a space before a query",
        () if trimmed.contains('|') || trimmed.contains("/C:") => {
            "it treats drive letters specially in all schemes"
        }
        () => return None,
    })
}

#[test]
fn random_urls_match_other_parsers() {
    let count = if sample::is_full() { 1_000_000 } else { 4000 };
    let mut random = sample::random("URLs of other parsers");
    let (mut equal, mut differing, mut unlisted) = (0, 0, Vec::new());
    for number in 0..count {
        let mut input = (*random.pick(&STARTS)).to_owned();
        (0..random.below(8)).for_each(|_| input.push_str(random.piece("url")));
        let base = *random.pick(&BASES);
        let record = read(&input, base, None);
        assert_eq!(read(&input, base, Some(1 + number % 5)), record, "{input:?} {base:?}");
        assert_eq!(interpret(&input, base), fields_and_errors(&record), "{input:?} {base:?}");
        let href = field(&record, "href").unwrap_or_default();
        let other_href = match base.map(|base| url::Url::parse(base).expect("a base is a URL")) {
            Some(base) => base.join(&input),
            None => url::Url::parse(&input),
        };
        let other_href = other_href.map_or_else(|_| String::new(), Into::into);
        if href == other_href {
            equal += 1;
        } else if reason(&input, href, &other_href).is_some() {
            differing += 1;
        } else {
            unlisted.push(format!("{input:?} {base:?}\n- {other_href}\n+ {href}"));
        }
    }
    report(&format!(
        "url: {equal} random inputs parsed as by the crate `url`, {differing} differ for a listed reason"
    ));
    assert!(unlisted.is_empty(), "{}", unlisted.join("\n"));
    assert!(differing < count / 20, "{differing} of {count} random URLs differ");
}

#[test]
fn domains_have_the_errors_of_their_conversion() {
    let long_label = "a".repeat(62);
    let pieces = [
        "a",
        "A",
        "0",
        "-",
        "--",
        ".",
        "_",
        "xn--",
        "Xn--",
        "1ch",
        "\u{E9}",
        "%2D",
        "%C3",
        &long_label,
    ];
    let mut random = Random::new(253);
    for _ in 0..4000 {
        let mut input = "http://".to_owned();
        (0..random.below(10)).for_each(|_| input.push_str(random.pick::<&str>(&pieces)));
        assert_eq!(
            interpret(&input, None),
            fields_and_errors(&read(&input, None, None)),
            "{input:?}"
        );
    }
}
