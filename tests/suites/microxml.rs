//! The error recovery of MicroXML: its author's cases with their trees, and long XML files. Each case is counted, and a
//! known failure that passes fails the test.

use serde_json::{Value, json};
use std::fs;
use tabulex::WriteNode as _;
use tabulex_tests::compiled::{self, dialect};
use tabulex_tests::inputs::{characters, cut};
use tabulex_tests::interpreted::table;
use tabulex_tests::random::Random;
use tabulex_tests::results;
use tabulex_tests::setup::Setup;
use tabulex_tests::shared::{report, shared};
use tabulex_tests::trees::{Input, parse, tree_dialect};

/// A case: id, input, and the expected element.
struct MicroXmlCase {
    id: String,
    source: String,
    element: Option<Value>,
}

/// Reads the cases. Lone surrogates in their strings are replaced by U+FFFD.
fn cases() -> Vec<MicroXmlCase> {
    let Some(path) = shared("testdata/microxml/recovery-cases.json") else {
        report("microxml: 0 cases, suite absent");
        return Vec::new();
    };
    let text = without_lone_surrogates(&fs::read_to_string(path).unwrap());
    let list: Vec<Value> = serde_json::from_str(&text).unwrap();
    let case = |value: &Value| {
        let source = value["source"].as_str().expect("each case has a string `source`").to_owned();
        let element = value.get("result").or_else(|| value.get("recover")).cloned();
        let id = value["id"].as_str().unwrap_or_default().to_owned();
        MicroXmlCase { id, source, element }
    };
    list.iter().map(case).collect()
}

fn without_lone_surrogates(text: &str) -> String {
    let unit = |offset: usize| {
        let escape = text.get(offset..offset + 6).filter(|escape| escape.starts_with("\\u"))?;
        u16::from_str_radix(&escape[2..], 16).ok()
    };
    let (mut replaced, mut offset) = (String::new(), 0);
    while offset < text.len() {
        match unit(offset) {
            Some(0xD800..0xDC00) if matches!(unit(offset + 6), Some(0xDC00..0xE000)) => {
                replaced.push_str(&text[offset..offset + 12]);
                offset += 12;
            }
            Some(0xD800..0xE000) => {
                replaced.push_str("\\ufffd");
                offset += 6;
            }
            _ => {
                let character = text[offset..].chars().next().unwrap();
                replaced.push(character);
                offset += character.len_utf8();
            }
        }
    }
    replaced
}

/// Runs all cases. The cases in `unsupported` use features that the dialect lacks, and must fail.
fn check_cases(name: &str, unsupported: &[&str]) {
    let dialect = tree_dialect(name);
    let (mut passed, mut failed, mut failures) = (0, 0, Vec::new());
    for case in cases() {
        // The sources of the suite may begin with a byte order mark, which decoding them would have dropped.
        let source = case.source.strip_prefix('\u{FEFF}').unwrap_or(&case.source);
        let Some(expected) = &case.element else { continue };
        // In two cases, the expected children are a string instead of a list with a string.
        let mut expected = expected.clone();
        if expected[2].is_string() {
            expected[2] = json!([expected[2]]);
        }
        let tree = parse(dialect, &Input { text: source, ..Input::default() }, None).tree;
        let found: Value = serde_json::from_str(&tree.root().to_json()).unwrap();
        let is_expected = found == expected;
        if is_expected == unsupported.contains(&&case.id[..]) {
            failures.push(format!("{}: {:?}\n    {found}\n    {expected}", case.id, case.source));
        }
        if is_expected { passed += 1 } else { failed += 1 }
    }
    report(&format!("{name}: cases of error recovery: {passed} passed, {failed} failed"));
    if passed + failed > 0 {
        results::check_result(name, passed + failed, passed);
    }
    assert!(failures.is_empty(), "{name}: unexpected results:\n  {}", failures.join("\n  "));
}

/// Compares the interpreter with the compiled machine: through a sink and an iterator, and for every split in two and
/// single characters.
fn check_cuts(name: &str) {
    let (dialect, table, setup) = (dialect(name), table(name), Setup::default());
    for MicroXmlCase { source, .. } in cases() {
        let expected = table.run(&setup, &source);
        assert_eq!(compiled::tokenize(dialect, &setup, &source), expected, "{source:?}");
        assert_eq!(compiled::iterate(dialect, &setup, &source), expected, "{source:?}");
        assert_eq!(compiled::feed(dialect, &setup, &characters(&source)), expected, "{source:?}");
        for (offset, _) in source.char_indices() {
            let (before, after) = source.split_at(offset);
            let cut = [before, after];
            assert_eq!(compiled::feed(dialect, &setup, &cut), expected, "{cut:?}");
            assert_eq!(compiled::feed_pausing(dialect, &setup, &cut), expected, "{cut:?}");
        }
    }
}

/// Checks on long files that random splits do not change the compiled machine's result, and that the interpreter agrees
/// on their beginnings.
fn check_files(name: &str) {
    let Some(folder) = shared("corpus/xml") else {
        report("microxml: 0 files, corpus absent");
        return;
    };
    let (dialect, table, setup) = (dialect(name), table(name), Setup::default());
    let mut random = Random::new(7);
    for entry in fs::read_dir(folder).unwrap() {
        let text = String::from_utf8_lossy(&fs::read(entry.unwrap().path()).unwrap()).into_owned();
        let expected = compiled::tokenize(dialect, &setup, &text);
        for max_count in [1, 10, 1000] {
            let chunks = cut(&mut random, &text, max_count);
            assert!(
                compiled::feed(dialect, &setup, &chunks) == expected,
                "{name}: the result differs with up to {max_count} cuts"
            );
        }
        let beginning = &text[..text.floor_char_boundary(40_000)];
        let found = compiled::tokenize(dialect, &setup, beginning);
        assert!(
            found == table.run(&setup, beginning),
            "{name}: the interpreter differs on the beginning of a file"
        );
        report(&format!("{name}: {} bytes, {} tokens", text.len(), expected.tokens.len()));
    }
}

/// Cases with features of later revisions of the document: declarations, processing instructions, CDATA sections,
/// decimal references, unterminated comments, unclosed values, attributes without a value.
const LATER_REVISIONS: &[&str] = &[
    "xml-decl1",
    "pi1",
    "pi2",
    "pi3",
    "pi4",
    "pi5",
    "doctype1",
    "doctype2",
    "doctype3",
    "doctype6",
    "doctype7",
    "0032",
    "comment13",
    "comment14",
    "attvalquote1",
    "decimalcharref2",
    "boolatt1",
    "boolatt5",
];

#[test]
fn trees_of_microxml() {
    check_cases("microxml", LATER_REVISIONS);
}

#[test]
fn trees_of_microxml_of_december() {
    check_cases("microxml-2012-12", &[]);
}

#[test]
fn cuts_of_microxml() {
    check_cuts("microxml");
    check_cuts("microxml-2012-12");
}

#[test]
fn files_by_microxml() {
    check_files("microxml");
    check_files("microxml-2012-12");
}
