//! The program at its limits: rejections, messages, and unread input. Each limit has a line and a status of its own;
//! the library's tests cover their meaning.

use super::{batch, program, run, run_successfully};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// The limit on the argument is that of its type.
#[test]
fn the_line_limit_may_be_the_maximum_of_its_type() {
    for maximum in [u64::MAX, u64::MAX - 1] {
        let answers = run_successfully(&["batch", "--max-line", &maximum.to_string()], "{}\n{}");
        assert_eq!(answers, "{\"error\":\"missing key `do`\"}\n".repeat(2));
    }
}

#[test]
fn standard_input_is_one_of_several_files() {
    let answers = run_successfully(&["parse", "--dialect", "sky", "-", "-"], "a");
    let lines: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({"file": "-", "tree": "| \"a\"\n"}));
    assert_eq!((&lines[1], lines.len()), (&json!({"file": "-", "tree": ""}), 2));
}

/// Input after the limit is not read, nor is text kept for the lines of errors.
#[test]
fn input_after_the_limit_is_not_read() {
    for (arguments, text) in [
        (&["parse", "--limit", "bytes=1000000"][..], "<p>x"),
        (&["parse", "--limit", "bytes=1000000", "--errors", "--format", "json"], "<p>x"),
        (&["parse", "--limit", "bytes=1000000", "--errors"], "<frameset>"),
    ] {
        let mut child = Command::new(program())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let chunk = text.repeat(10_000);
        let mut written = 0;
        // Fails once the reader has exited.
        while stdin.write_all(chunk.as_bytes()).is_ok() {
            written += chunk.len();
            assert!(written < 100_000_000, "{arguments:?}");
        }
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(message.contains("the memory limit of 1000000 bytes was reached"), "{message}");
    }
}

#[test]
fn errors_of_tokens_have_their_limit() {
    let answers = batch(
        r#"{"do":"tokens","input":"\u0000\u0000\u0000\u0000","limits":{"errors":3}}
{"do":"tokens","input":"\u0000","limits":{"errors":1,"nodes":4}}
{"do":"tokens","input":"\u0000","depthLimit":4}"#,
    );
    assert_eq!(answers[0]["errors"].as_array().map(Vec::len), Some(3));
    let event = "1 errors after the first 3 are dropped, from byte 3 on";
    assert_eq!(answers[0]["events"], json!([event]));
    let refused = |name: &str| {
        let known = "attributes, token, errors, replacement";
        json!({"error": format!("the limit `{name}` applies only to trees, expected one of {known}")})
    };
    assert_eq!(answers[1..], [refused("nodes"), refused("depth")]);
    let run = run(&["tokens", "--errors", "--limit", "errors=70", "-"], &[0; 1_000]);
    assert_eq!(run.status, Some(3));
    assert!(
        run.err.contains("930 errors after the first 70 are dropped, from byte 70"),
        "{}",
        run.err
    );
}

#[test]
fn batch_keeps_within_limits() {
    let answers = batch(
        r#"{"do":"parse","input":"<p><b><i>x","depthLimit":3,"format":"html"}
{"do":"parse","input":"<p><b><i>x","depthLimit":4}
{"do":"parse","input":"<p><b><i>x","memoryLimit":1}
{"do":"parse","input":"","depthLimit":0}
{"do":"parse","input":"<p a b c>","limits":{"attributes":1}}
{"do":"parse","input":"","limits":{"breadth":1}}"#,
    );
    assert_eq!(answers[0]["tree"], "<html><head></head><body><p></p><b></b><i>x</i></body></html>");
    assert_eq!(answers[0]["events"], json!(["nesting was flattened at depth 3 from byte 3 on"]));
    assert!(answers[1]["events"].is_array(), "{}", answers[1]);
    let event = answers[2]["events"][0].as_str().unwrap();
    assert!(
        event.starts_with("the memory limit of 1 bytes was reached at byte 10 with"),
        "{event}"
    );
    assert!(answers[3]["error"].as_str().unwrap().contains("depthLimit"), "{}", answers[3]);
    let event = "2 attributes of tags with more than 1 are dropped, from byte 5 on";
    assert_eq!(answers[4]["events"], json!([event]));
    assert!(answers[5]["error"].as_str().unwrap().contains("reconstructed"), "{}", answers[5]);
}
