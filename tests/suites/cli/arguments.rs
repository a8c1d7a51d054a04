//! The program's arguments: folders, colors, lists, and help. `records.txt` has the rejections.

use super::{batch, program, run, run_successfully};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

#[cfg(unix)]
#[test]
fn pipes_in_folders_are_skipped_and_empty_folders_reported() {
    let folder = std::env::temp_dir().join(format!("tabulex-pipes-{}", std::process::id()));
    let (pipe, empty) = (folder.join("pipe"), folder.join("empty"));
    fs::create_dir_all(&empty).unwrap();
    fs::write(folder.join("x.html"), "x").unwrap();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let maximum = u64::MAX.to_string();
    let all = run(&["parse", folder.to_str().unwrap(), "--jobs", &maximum], b"");
    let line = format!("tabulex: `{}` is not a regular file and is skipped\n", pipe.display());
    assert_eq!((all.status, all.err, all.out.lines().count()), (Some(0), line, 1));
    let none = run(&["parse", empty.to_str().unwrap()], b"");
    let line = format!("tabulex: there are no files in `{}`\n", empty.display());
    assert_eq!((none.status, none.err, &none.out[..]), (Some(0), line, ""));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    let markup = "<p a>x<!--y-->";
    let (plain, coloured) = (["parse"], ["parse", "--color", "always"]);
    let without_colours = |text: &str| {
        let parts =
            text.split('\u{1B}').map(|part| part.split_once('m').map_or(part, |(_, text)| text));
        // The part before the first escape character is kept whole, as no escape sequence precedes it.
        text.split('\u{1B}').take(1).chain(parts.skip(1)).collect::<String>()
    };
    let text = run_successfully(&coloured, markup);
    assert!(text.contains("\u{1B}[36m|     <p>\u{1B}[0m\n"), "{text:?}");
    assert_eq!(without_colours(&text), run_successfully(&plain, markup));
    let tokens = run_successfully(&["tokens", "--errors", "--color", "always"], markup);
    assert_eq!(without_colours(&tokens), run_successfully(&["tokens", "--errors"], markup));
    assert!(tokens.contains('\u{1B}'));
}

#[test]
fn control_characters_do_not_reach_a_terminal() {
    let hostile = "<p title='\u{1B}]0;x\u{7}'>a\u{1B}[31m\u{9B}b";
    let dump = run_successfully(&["parse", "--color", "always"], hostile);
    assert!(dump.contains("\"a\u{241B}[31m\u{FFFD}b\"") && !dump.contains('\u{7}'), "{dump:?}");
    assert!(run_successfully(&["parse"], hostile).contains("a\u{1B}[31m\u{9B}b"));
    for (command, end) in
        [("parse --color never --format html", "</p>"), ("table run html --tree", "\"")]
    {
        // `script`, a program of util-linux, runs the command in a terminal.
        let command = format!("{} {command}", program().display());
        let mut terminal = Command::new("script");
        terminal.args(["-qec", &command, "/dev/null"]);
        let Ok(mut child) = terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
            println!("the test in a terminal is skipped: cannot run `script` of util-linux");
            break;
        };
        let input = format!("{hostile}\n\u{4}\u{4}");
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let shown = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        assert!(shown.contains(&format!("a\u{241B}[31m\u{FFFD}b\r\n{end}")), "{shown:?}");
    }
    for arguments in [&["tokens", "\u{1B}[2J\nx"][..], &["tokens", "--limit", "\u{1B}[2J=3"]] {
        let run = run(arguments, b"");
        assert!(run.err.contains("[2J") && !run.err.contains('\u{1B}'), "{run:?}");
        assert!(!run.err.contains("\nx"), "{run:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_folder_is_reported_and_the_rest_is_read() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let folder = std::env::temp_dir().join(format!("tabulex-unreadable-{}", std::process::id()));
    let (locked, program_here) = (folder.join("u/b"), folder.join("tabulex"));
    fs::create_dir_all(&locked).unwrap();
    fs::write(folder.join("u/a.html"), "x").unwrap();
    fs::write(folder.join("u/c.html"), "y").unwrap();
    // The copy is in a folder where another user, to whom the permissions apply, can run it too. `cp` writes it:
    // if this process did, a program that another test starts meanwhile could inherit the file while it is open for
    // writing, and such a file cannot be run.
    let copied = Command::new("cp").arg(program()).arg(&program_here).status().unwrap();
    assert!(copied.success());
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let mut command = Command::new(&program_here);
    command.arg("parse").arg(folder.join("u"));
    if fs::read_dir(&locked).is_ok() {
        // This user is root, to whom the permissions do not apply, so the program is run as the user `nobody`.
        command.uid(65534);
    }
    let output = command.output().unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o700)).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((output.status.code(), lines.len()), (Some(2), 3), "{out}");
    assert!(lines[0]["tree"].is_string() && lines[2]["tree"].is_string(), "{out}");
    assert!(lines[1]["error"].as_str().unwrap().contains("ermission"), "{out}");
    assert_eq!(output.stderr, b"tabulex: unreadable files: 1 of 3\n");
}

/// Standard output that is closed before the program starts is not tested: Rust's runtime opens `/dev/null` instead.
#[cfg(target_os = "linux")]
#[test]
fn lost_output_is_a_failure_and_a_closed_pipe_is_not() {
    let all: &[&[&str]] = &[
        &["parse"],
        &["tokens"],
        &["tokens", "--states"],
        &["--help"],
        &["parse", "--version"],
        &["completions", "bash"],
        &["manual"],
        &["table", "run", "html", "<p>"],
        &["table", "graph", "html"],
    ];
    for arguments in all {
        let status = |out: Stdio| {
            let mut command = Command::new(program());
            let child = command.args(*arguments).stdin(Stdio::piped()).stdout(out);
            let mut child = child.stderr(Stdio::piped()).spawn().unwrap();
            // A program that exits without reading closes the pipe, so writing may fail.
            drop(child.stdin.take().unwrap().write_all(b"<p>x"));
            let output = child.wait_with_output().unwrap();
            (output.status.code(), String::from_utf8(output.stderr).unwrap())
        };
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let (code, stderr) = status(full.into());
        assert!(
            code == Some(2) && stderr.contains("cannot write"),
            "{arguments:?}: {code:?} {stderr}"
        );
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        assert_eq!(status(writer.into()), (Some(0), String::new()), "{arguments:?}");
    }
}

#[test]
fn completions_and_the_manual_know_every_option() {
    let manual = run_successfully(&["manual"], "");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let completions = run_successfully(&["completions", shell], "");
        for option in ["shadow-roots", "strict-encoding", "max-line", "last-start-tag"] {
            assert!(completions.contains(option), "the completions for {shell} lack `--{option}`");
            assert!(manual.contains(&option.replace('-', "\\-")), "the manual lacks `--{option}`");
        }
    }
    assert!(manual.contains("TABULEX PARSE") && manual.contains("reconstructed"), "{manual}");
}

#[test]
fn states_are_listed_and_found_by_either_name() {
    for dialect in tabulex::dialects() {
        let arguments = ["tokens", "--dialect", dialect.id(), "--states"];
        let names = run_successfully(&arguments, "");
        assert_eq!(names.lines().collect::<Vec<_>>(), dialect.entry_names(), "{}", dialect.id());
    }
    let line = r#"{"do":"tokens","dialect":"microxml","input":"a>","state":"TagMode"}"#;
    assert!(batch(line)[0]["tokens"].is_array());
}

#[test]
fn help_is_as_committed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/help");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    for command in ["", "tokens", "batch", "parse", "select"] {
        let arguments: Vec<&str> =
            [command, "--help"].into_iter().filter(|argument| !argument.is_empty()).collect();
        let help = run_successfully(&arguments, "");
        assert!(help.contains("\nexample: "), "{help}");
        let name = if command.is_empty() { "tabulex" } else { command };
        let path = folder.join(format!("{name}.txt"));
        if update {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, &help).unwrap();
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(help, expected, "`{name}.txt` is stale; `UPDATE_EXPECT=1` updates it");
    }
    let version = run_successfully(&["--version"], "");
    assert!(version.starts_with("tabulex ") && version.split('.').count() == 3, "{version}");
    for command in ["parse", "tokens", "batch", "select", "table"] {
        let of_command = run_successfully(&[command, "--version"], "");
        assert_eq!(of_command, version.replacen("tabulex", &format!("tabulex-{command}"), 1));
    }
}
