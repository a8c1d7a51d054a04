//! The program `tabulex` as users run it: arguments in, text and exit status out. Every case runs the binary built from
//! this tree; the correctness of tokens is covered by other suites.

mod arguments;
mod findings;
mod limits;

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// Result of running the program.
#[derive(Debug)]
struct Run {
    status: Option<i32>,
    out: String,
    err: String,
}

/// Builds the program once and returns its path. The packages are those with which the tests are built, as these determine
/// the features of dependencies.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .current_dir(root)
            .args(["build", "--profile=test", "--workspace", "--bin=tabulex", "--test=suites"])
            .arg("--message-format=json")
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        assert!(built.status.success(), "cargo cannot build `tabulex`");
        let messages = String::from_utf8(built.stdout).unwrap();
        let mut values = messages.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let path = values.find_map(|value| {
            let is_target =
                value["target"]["name"] == "tabulex" && value["target"]["kind"][0] == "bin";
            value["executable"].as_str().filter(|_| is_target).map(PathBuf::from)
        });
        path.expect("the messages of cargo name the executable")
    })
}

fn run(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(program())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // A program that exits without reading closes the pipe, so writing may fail.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().unwrap()
    });
    Run {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the program, which must succeed and print only its results.
fn run_successfully(arguments: &[&str], input: &str) -> String {
    let run = run(arguments, input.as_bytes());
    assert_eq!((run.status, &run.err[..]), (Some(0), ""), "{arguments:?}");
    run.out
}

fn json_of(arguments: &[&str], input: &str) -> Value {
    serde_json::from_str(&run_successfully(arguments, input)).unwrap()
}

/// Returns the answers of `batch`, one per line.
fn batch(input: &str) -> Vec<Value> {
    run_successfully(&["batch"], input)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn files_and_bytes_are_read() {
    let path = std::env::temp_dir().join(format!("tabulex-cli-{}.html", std::process::id()));
    fs::write(&path, b"\xEF\xBB\xBF<b>\xFFx").unwrap();
    let text = run_successfully(&["tokens", path.to_str().unwrap(), "--encoding", " UTF-8"], "");
    fs::remove_file(&path).unwrap();
    assert_eq!(
        text,
        "3..6        1:2     start tag b\n6..10       1:5     text      \"\u{FFFD}x\"\n"
    );
}

#[test]
fn buffer_boundaries_do_not_change_tokens() {
    // The input has 520,000 bytes, more than any buffer holds. Its unit has 13 bytes, so some buffers end within a
    // three-byte character, which must not become U+FFFD.
    let long = "\u{20AC}<b a=\u{20AC}x>".repeat(40_000);
    let tokens = json_of(&["tokens", "--format", "json"], &long);
    assert_eq!(tokens.as_array().unwrap().len(), 80_000);
    assert!(!tokens.to_string().contains('\u{FFFD}'));
}

#[test]
fn late_declarations_apply() {
    let late =
        [&b" ".repeat(1100)[..], b"<!--\xE2\x82\xAC--><meta charset=utf-8><p>\xC3\xA9"].concat();
    let decoded = run(&["parse", "--errors", "--format", "json"], &late);
    let value: Value = serde_json::from_str(&decoded.out).unwrap();
    assert_eq!(value["tree"][2][1][2][0], json!(["p", {}, ["\u{E9}"]]), "{value}");
    assert_eq!(value["errors"][0]["col"], 1109, "{value}");
}

/// Returns the current form of a record: its command line and input, the program's output, a line `! …` for each line of
/// its messages, and `? STATUS` unless the status is 0.
fn record(command: &str, input: &[&str]) -> String {
    let pieces = command.split('\'').enumerate();
    let arguments = pieces.flat_map(|(index, piece)| match index % 2 {
        0 => piece.split_whitespace().collect(),
        _ => vec![piece],
    });
    let json =
        |text: &str| serde_json::from_str::<String>(text).expect("the input is a JSON string");
    let bytes = match input {
        [line] if line.starts_with("< \"") => json(&line[2..]).into_bytes(),
        [line] if line.starts_with("<= ") => json(&line[3..])
            .chars()
            .map(|one| u8::try_from(one).expect("each character stands for a byte"))
            .collect(),
        lines => lines.iter().map(|line| &line[2..]).collect::<Vec<_>>().join("\n").into_bytes(),
    };
    let Run { status, out, err } = run(&arguments.collect::<Vec<_>>(), &bytes);
    let given: String = input.iter().map(|line| format!("{line}\n")).collect();
    let messages: String = err.lines().map(|line| format!("! {line}\n")).collect();
    let status = status.filter(|&status| status != 0).map(|status| format!("? {status}\n"));
    format!("${command}\n{given}{out}{messages}{}", status.unwrap_or_default())
}

/// Runs each command line of `records.txt`; `UPDATE_EXPECT=1` updates the outputs. A line `$ …` has the arguments,
/// which may be in apostrophes. Lines `< …` are the input, as written or as one JSON string; in the JSON string of a
/// line `<= …`, each character stands for a byte. All other lines except titles (`# …`) are outputs.
#[test]
fn recorded_outputs_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/cli/records.txt");
    let recorded = fs::read_to_string(&path).unwrap();
    let mut current = String::new();
    let mut lines = recorded.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix('$') {
            let is_input = |line: &&str| line.starts_with("< ") || line.starts_with("<= ");
            let input: Vec<&str> = std::iter::from_fn(|| lines.next_if(is_input)).collect();
            current += &record(command, &input);
        } else if line.starts_with("# ") {
            let gap = if current.is_empty() { "" } else { "\n" };
            current += &format!("{gap}{line}\n");
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &current).unwrap();
    }
    let changed = recorded.lines().zip(current.lines()).find(|(old, new)| old != new);
    assert!(
        recorded == current,
        "the output differs from the records, which `UPDATE_EXPECT=1` updates; the first change: {changed:#?}"
    );
}

/// Creates a folder of pages, written in another order than that of their names, and of hidden files, which do not
/// count as pages. Returns its path.
fn pages() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tabulex-pages-{}", std::process::id()));
    fs::create_dir_all(folder.join("b/.git")).unwrap();
    for index in (0..40).rev() {
        let markup = format!("<p>{index}{}", "<b>x</b>".repeat((index * 7919) % 301));
        fs::write(folder.join(format!("{index:02}.html")), markup).unwrap();
    }
    fs::write(folder.join("b/c.html"), b"<meta charset=latin1>\xE9<b a a>").unwrap();
    fs::write(folder.join("b/.git/d.html"), "no page").unwrap();
    fs::write(folder.join(".hidden"), "no page").unwrap();
    folder
}

#[test]
fn many_files_print_one_line_each_in_order() {
    let folder = pages();
    let name = folder.to_str().unwrap();
    let arguments = ["parse", name, "--errors", "--jobs"];
    let alone = run_successfully(&[&arguments[..], &["1"]].concat(), "");
    assert_eq!(run_successfully(&[&arguments[..], &["3"]].concat(), ""), alone);
    assert_eq!(run_successfully(&["parse", "--errors", name], ""), alone);
    let lines: Vec<Value> = alone.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 41);
    for (index, line) in lines[..40].iter().enumerate() {
        let path = folder.join(format!("{index:02}.html"));
        assert_eq!(line["file"], path.to_str().unwrap());
        assert_eq!(
            line["tree"],
            run_successfully(&["parse", path.to_str().unwrap()], ""),
            "{line}"
        );
    }
    let last = lines[40].as_object().unwrap();
    assert!(last["file"].as_str().unwrap().ends_with("c.html"), "{last:?}");
    assert!(last["tree"].as_str().unwrap().contains("\u{E9}"), "{last:?}");
    let duplicate = &last["errors"][1];
    assert_eq!(
        (&duplicate["code"], &duplicate["col"]),
        (&json!("duplicate-attribute"), &json!(29))
    );

    let missing = folder.join("missing.html");
    let (one, missing) = (folder.join("01.html"), missing.to_str().unwrap());
    let run = run(&["parse", missing, one.to_str().unwrap(), "--format", "json"], b"");
    let lines: Vec<Value> =
        run.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((run.status, &run.err[..]), (Some(2), "tabulex: unreadable files: 1 of 2\n"));
    assert!(lines[0]["file"] == missing && lines[0]["error"].is_string(), "{lines:?}");
    assert!(lines[1]["tree"].is_array() && lines[1].as_object().unwrap().len() == 2, "{lines:?}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn overlong_batch_lines_are_rejected() {
    let lines = format!(
        "{}\n{}\n{}",
        "x".repeat(300_000),
        r#"{"do":"tokens","input":"x"}"#,
        "y".repeat(40)
    );
    let answers = run_successfully(&["batch", "--max-line", "30"], &lines);
    let answers: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for wrong in [&answers[0], &answers[2]] {
        assert!(wrong["error"].as_str().unwrap().contains("longer than 30 bytes"), "{wrong}");
    }
    assert_eq!((answers.len(), &answers[1]["tokens"]), (3, &json!([["Character", "x"]])));
}

#[test]
fn batch_answers_before_the_input_ends() {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(program())
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut output = BufReader::new(output);
    for name in ["a", "b"] {
        writeln!(input, "{{\"do\":\"tokens\",\"input\":\"<{name}>\"}}").unwrap();
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        assert!(answer.contains(&format!("[\"StartTag\",\"{name}\",{{}}]")), "{answer}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_broken_pipe_ends_quietly() {
    let mut child = Command::new(program())
        .arg("tokens")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let _ = input.write_all("<b>".repeat(1 << 18).as_bytes());
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
}
