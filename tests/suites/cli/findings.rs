//! Regressions reported by users, each with its smallest input and the program's current output. The reasons are given
//! at the rules, in tables or other suites. Each entry of `cases/findings.json` is run.

use super::run;
use serde_json::Value;

/// Returns the strings in the list `entry[key]`; empty if the list is absent.
fn strings<'a>(entry: &'a Value, key: &str) -> Vec<&'a str> {
    let list = entry[key].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|item| item.as_str().unwrap()).collect()
}

/// Encodes a string in Latin-1.
fn encode_latin1(text: &str) -> Vec<u8> {
    text.chars()
        .map(|character| u8::try_from(character).expect("`bytes` has no character above U+00FF"))
        .collect()
}

#[test]
fn past_findings_stay_fixed() {
    let entries: Vec<Value> =
        serde_json::from_str(include_str!("../../cases/findings.json")).unwrap();
    assert!(entries.len() > 30, "{}", entries.len());
    let mut failures = Vec::new();
    for entry in &entries {
        let input = match (&entry["input"], &entry["bytes"]) {
            (Value::String(text), Value::Null) => text.as_bytes().to_vec(),
            (Value::Null, Value::String(text)) => encode_latin1(text),
            _ => panic!("expected either `input` or `bytes`, as a string, in {entry}"),
        };
        let run = run(&strings(entry, "arguments"), &input);
        let status = entry["status"].as_i64().unwrap_or(0);
        let contains_all =
            |key: &str, text: &str| strings(entry, key).iter().all(|part| text.contains(part));
        let lacks_all = !strings(entry, "lacks").iter().any(|part| run.out.contains(part));
        let is_expected = run.status.map(i64::from) == Some(status)
            && contains_all("out", &run.out)
            && lacks_all
            && contains_all("err", &run.err);
        if !is_expected {
            failures.push(format!("{entry}\n{run:#?}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {}:\n{}",
        failures.len(),
        entries.len(),
        failures.join("\n")
    );
}
