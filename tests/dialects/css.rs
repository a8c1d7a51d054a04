//! A dialect of CSS tokens: kinds, values and ranges; ranges of adjacent tokens are contiguous. The cases of a public
//! suite run if it is present.

use serde_json::{Value, json};
use tabulex::{Dialect, OwnedDeclaredToken, Token, TokenReader, TokenRef};
use tabulex_language::Source;
use tabulex_tests::inputs::{Alphabet, shrink};
use tabulex_tests::interpreted::Table;
use tabulex_tests::layers::first_difference;
use tabulex_tests::random::Random;
use tabulex_tests::setup::Setup;
use tabulex_tests::shared;

mod machine {
    use tabulex::machine;

    include!("css.states");
}

static CSS: Dialect = <machine::Css as tabulex::Machine>::DIALECT;

fn table() -> Table {
    let source = Source::new("css.states", include_str!("css.states"));
    let loaded = tabulex_language::load(&source, &|_| None);
    let errors: String =
        loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&loaded.source)).collect();
    Table::of(source, loaded.machine.unwrap_or_else(|| panic!("{errors}")))
}

fn tokens(input: &str) -> Vec<Token<'_>> {
    CSS.raw_tokens(input).collect()
}

/// Tokens whose names in the standard are not identifiers: their names in the table and in the standard.
const STANDARD_NAMES: &[(&str, &str)] = &[
    ("cdc", "CDC-token"),
    ("cdo", "CDO-token"),
    ("open-parenthesis", "(-token"),
    ("close-parenthesis", ")-token"),
    ("open-bracket", "[-token"),
    ("close-bracket", "]-token"),
    ("open-brace", "{-token"),
    ("close-brace", "}-token"),
];

/// Cases that differ from the standard: by section 4.3.4, the function token consumes all but the last of several
/// whitespace characters between `url(` and a quote. The suite assigns them to the whitespace token.
const KNOWN_DIFFERENCES: [&str; 2] = ["tests/ident-like/0006", "tests/ident-like/0007"];

/// Converts a token to the format of the suite: type, range in UTF-16 code units, and values.
fn token_to_json(input: &str, token: &Token<'_>) -> Value {
    let utf16_offset = |offset: usize| input[..offset].encode_utf16().count();
    let (kind, span, structured) = match token {
        Token::Comment(_, span) => ("comment".to_owned(), *span, Value::Null),
        Token::Declared(token) => {
            let standard_name = STANDARD_NAMES.iter().find(|(name, _)| *name == token.name);
            let kind = standard_name
                .map_or(format!("{}-token", token.name), |(_, kind)| (*kind).to_owned());
            (kind, token.span, values_to_json(token))
        }
        other => panic!("unexpected token in {input:?}: {other:?}"),
    };
    json!({
        "type": kind,
        "raw": &input[span.start..span.end],
        "startIndex": utf16_offset(span.start),
        "endIndex": utf16_offset(span.end),
        "structured": structured,
    })
}

fn values_to_json(token: &OwnedDeclaredToken<'_>) -> Value {
    let is_numeric = matches!(token.name, "number" | "percentage" | "dimension");
    let mut values = serde_json::Map::new();
    for field in &token.fields {
        let value = match (is_numeric, field.name) {
            (true, "value") => json!(field.text.parse::<f64>().unwrap()),
            _ => json!(field.text),
        };
        if let ("value", true, Some('+' | '-')) =
            (field.name, is_numeric, field.text.chars().next())
        {
            values.insert("signCharacter".to_owned(), json!(field.text[..1]));
        }
        values.insert(field.name.to_owned(), value);
    }
    if values.is_empty() { Value::Null } else { Value::Object(values) }
}

#[test]
fn values_have_ranges() {
    let input = "a\\62 c{width:-1.5e3px;x:url( 'q' ) uRl( \\)x ) \"s\\\nt\" #\\31 @m-";
    let mut values = Vec::new();
    for token in tokens(input) {
        let Token::Declared(token) = token else {
            panic!("unexpected token in {input:?}: {token:?}")
        };
        for field in &token.fields {
            let source = &input[field.span.start..field.span.end];
            values.push(format!("{} {} {:?} {source:?}", token.name, field.name, field.text));
        }
    }
    let expected = [
        r#"ident value "abc" "a\\62 c""#,
        r#"ident value "width" "width""#,
        r#"dimension value "-1.5e3" "-1.5e3""#,
        r#"dimension type "number" "-1.5e3""#,
        r#"dimension unit "px" "px""#,
        r#"ident value "x" "x""#,
        r#"function value "url" "url""#,
        r#"string value "q" "q""#,
        r#"url value ")x" "\\)x""#,
        r#"string value "st" "s\\\nt""#,
        r#"hash value "1" "\\31 ""#,
        r#"hash type "id" """#,
        r#"at-keyword value "m-" "m-""#,
    ];
    assert_eq!(values, expected);
}

#[test]
fn errors_have_names() {
    for (input, expected) in [
        ("/* ", "eof-in-comment"),
        ("'a", "eof-in-string"),
        ("'a\n", "newline-in-string"),
        ("url(a", "eof-in-url"),
        ("url(a(", "character-in-url"),
        ("\\\n", "invalid-escape"),
        ("\\", "eof-in-escape"),
    ] {
        let mut tokens = CSS.raw_tokens(input);
        while tokens.next().is_some() {}
        let codes: Vec<&str> = tokens.take_errors().iter().map(|error| error.code).collect();
        assert_eq!(codes, [expected], "{input:?}");
    }
}

#[test]
fn tokens_are_adjacent_and_both_executors_agree() {
    let (table, plain) = (table(), Setup::default());
    let (alphabet, mut random) = (Alphabet::new(&table), Random::new(11));
    let differs = |input: &str| first_difference(&CSS, &table, &plain, input, 3).is_some();
    for _ in 0..2500 {
        let input = alphabet.input(&mut random, 14);
        if differs(&input) {
            let shortest = shrink(&input, &differs);
            let difference = first_difference(&CSS, &table, &plain, &shortest, 3);
            panic!("{shortest:?}\n{}", difference.unwrap_or_default());
        }
        let mut end = 0;
        for token in CSS.raw_tokens(&input) {
            let span = match &token {
                Token::Comment(_, span) => *span,
                Token::Declared(token) => token.span,
                other => panic!("unexpected token in {input:?}: {other:?}"),
            };
            assert_eq!(span.start, end, "{input:?}: {token:?}");
            end = span.end;
        }
        assert_eq!(end, input.len(), "{input:?}");
        let iterated: Vec<_> = tokens(&input).into_iter().filter_map(format_declared).collect();
        assert_eq!(read_declared(&input), iterated, "{input:?}");
    }
}

fn format_declared(token: Token<'_>) -> Option<String> {
    if let Token::Declared(token) = token { Some(format!("{token:?}")) } else { None }
}

/// Returns the tokens of declared kinds that a token reader returns for an input, formatted for debugging.
fn read_declared(input: &str) -> Vec<String> {
    let mut reader = TokenReader::<machine::Css>::raw(input);
    let mut tokens = Vec::new();
    while let Some(token) = reader.next_token() {
        if let TokenRef::Declared(token) = token {
            tokens.push(format!("{token:?}"));
        }
    }
    tokens
}

#[test]
fn tokens_match_the_public_suite() {
    let Some(folder) = shared::shared("testdata/css-tokenizer-tests") else {
        shared::report(
            "suite absent: testdata/css-tokenizer-tests; to get it: npm pack @rmenke/css-tokenizer-tests@1.4.0",
        );
        return;
    };
    let file = std::fs::read_to_string(folder.join("index.mjs")).unwrap();
    let json = file.split_once('=').unwrap().1.trim().trim_end_matches(';');
    let cases: Value = serde_json::from_str(json).unwrap();
    let cases = cases.as_object().unwrap();
    assert!(cases.len() >= 287, "{} cases", cases.len());
    let mut failures = Vec::new();
    for (name, case) in cases {
        let input = case["css"].as_str().unwrap();
        let actual: Vec<Value> =
            tokens(input).iter().map(|token| token_to_json(input, token)).collect();
        let mut expected = case["tokens"].as_array().unwrap().clone();
        for structured in
            expected.iter_mut().filter_map(|token| token["structured"].as_object_mut())
        {
            // The suite writes whole numbers as integers. They are converted to floating-point numbers, because an
            // integer never equals a floating-point number in `serde_json`.
            let number = structured.get("value").and_then(Value::as_f64);
            if let Some(number) = number {
                structured.insert("value".to_owned(), json!(number));
            }
        }
        let is_known = KNOWN_DIFFERENCES.contains(&&name[..]);
        if (actual != expected) != is_known {
            failures.push(format!("{name}: {input:?}\n  {actual:?}\n  expected {expected:?}"));
        }
    }
    assert!(failures.is_empty(), "{}\n{}", failures.len(), failures.join("\n"));
}
