//! The program at its limits: unread input, and messages of memory use. The library's tests cover the meaning of each
//! limit.

use super::{batch, program, run};
use std::io::Write;
use std::process::{Command, Stdio};

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
        // Writing fails, and ends the loop, once the program has exited because of its memory limit.
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

/// The number of bytes in use is left out, as it differs between targets.
#[test]
fn memory_limits_are_reported() {
    let parse = run(&["parse", "--limit", "bytes=1000"], &b"<p>x".repeat(10_000));
    let message = "tabulex: the memory limit of 1000 bytes was reached at byte ";
    assert!(parse.status == Some(3) && parse.err.starts_with(message), "{parse:?}");
    let answers = batch(r#"{"do":"parse","input":"<p><b><i>x","limits":{"bytes":1}}"#);
    let event = answers[0]["events"][0].as_str().unwrap();
    let message = "the memory limit of 1 bytes was reached at byte 10 with";
    assert!(event.starts_with(message), "{event}");
}

#[test]
fn errors_after_the_limit_are_counted() {
    let run = run(&["tokens", "--errors", "--limit", "errors=70", "-"], &[0; 1_000]);
    let message = "errors after the first 70 are dropped, 930 in all, from byte 70";
    assert!(run.status == Some(3) && run.err.contains(message), "{}", run.err);
}
