//! Regressions reported by users, each with its smallest input and the program's current output. The reasons are given
//! at the rules, in tables or other suites. Each entry of `cases/findings.json` is run.

use super::run;
use serde_json::Value;

/// The strings of a list.
fn strings<'a>(entry: &'a Value, key: &str) -> Vec<&'a str> {
    let list = entry[key].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().map(|it| it.as_str().expect("a string")).collect()
}

/// Encodes a string in Latin-1.
fn bytes(text: &str) -> Vec<u8> {
    text.chars().map(|character| u8::try_from(character).expect("a byte")).collect()
}

#[test]
fn past_findings_stay_fixed() {
    let entries: Vec<Value> =
        serde_json::from_str(include_str!("../../cases/findings.json")).expect("a list");
    assert!(entries.len() > 30, "{}", entries.len());
    let mut failed = Vec::new();
    for entry in &entries {
        let input = match (&entry["input"], &entry["bytes"]) {
            (Value::String(text), Value::Null) => text.as_bytes().to_vec(),
            (Value::Null, Value::String(text)) => bytes(text),
            _ => panic!("an input is a text or bytes: {entry}"),
        };
        let run = run(&strings(entry, "arguments"), &input);
        let status = entry["status"].as_i64().unwrap_or(0);
        let is_there =
            |key: &str, text: &str| strings(entry, key).iter().all(|it| text.contains(it));
        let is_absent = !strings(entry, "lacks").iter().any(|it| run.out.contains(it));
        let is_clean = run.status.map(i64::from) == Some(status)
            && is_there("out", &run.out)
            && is_absent
            && is_there("err", &run.err);
        if !is_clean {
            failed.push(format!("{entry}\n{run:#?}"));
        }
    }
    assert!(failed.is_empty(), "{} of {}:\n{}", failed.len(), entries.len(), failed.join("\n"));
}
