//! The protocol of `tabulex batch`: each line is answered by one line of JSON, regardless of chunks and of other lines.
//! The contents of the answers are compared elsewhere.

use super::Target;
use crate::feedback::note;
use serde_json::Value;
use tabulex_tests::random::Random;

pub(super) const TARGET: Target = Target {
    name: "batch",
    about: "lines of `batch`: one answer each, JSON, independent of chunks and of other lines",
    choices: 0,
    piece,
    run,
};

fn piece(random: &mut Random) -> Vec<u8> {
    match random.below(4) {
        0 => {
            let markup = String::from_utf8_lossy(&super::trees::piece(random)).into_owned();
            let mut line = serde_json::json!({"do": "parse", "input": markup});
            if random.one_in(2) {
                line["do"] = "tokens".into();
            }
            let records = tabulex::record_dialects().iter().map(|dialect| dialect.id);
            let ids = tabulex::dialects().iter().map(|dialect| dialect.id()).chain(records);
            line["dialect"] = (*random.pick(&ids.collect::<Vec<_>>())).into();
            format!("{line}\n").into_bytes()
        }
        _ => random.piece("batch").into(),
    }
}

fn answer(lines: &[u8]) -> Vec<u8> {
    tabulex_cli::__private::batch(lines)
        .unwrap_or_else(|failure| panic!("`batch` fails: {failure}"))
}

fn run(input: &[u8]) {
    let answers = answer(input);
    let answers: Vec<&[u8]> = answers.split_inclusive(|&byte| byte == b'\n').collect();
    let lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(answers.len(), lines.len(), "number of answers");
    for (line, written) in lines.iter().zip(answers) {
        let text = std::str::from_utf8(written).expect("an answer is UTF-8");
        let value: Value = serde_json::from_str(text)
            .unwrap_or_else(|error| panic!("the answer {text:?} is not JSON: {error}"));
        let keys: Vec<&String> =
            value.as_object().expect("an answer is an object").keys().collect();
        note((&keys, value["errors"][0]["code"].as_str()));
        let first_keys = ["error", "failure", "json", "tokens", "tree"];
        assert!(first_keys.contains(&keys[0].as_str()), "the first key of an answer: {keys:?}");
        if let Some(error) = value["error"].as_str() {
            note(error.split('`').step_by(2).collect::<Vec<_>>());
        }
        assert!(
            answer(line) == written,
            "the answer to {:?} depends on other lines",
            String::from_utf8_lossy(line)
        );
        assert_chunked(line, &value);
    }
}

/// Asserts that the answer to a request does not change if its input is fed byte by byte.
fn assert_chunked(line: &[u8], expected: &Value) {
    let Ok(Value::Object(mut request)) = serde_json::from_slice(line) else { return };
    if expected.get("error").is_some() {
        return;
    }
    request.insert("chunk".to_owned(), 1.into());
    let line = Value::Object(request).to_string();
    let found: Value = serde_json::from_slice(&answer(line.as_bytes())).unwrap();
    assert_eq!(&found, expected, "the answer depends on chunks");
}
