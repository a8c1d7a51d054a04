//! Runs the tutorial: writes its files to an empty folder, and runs its commands there in order. Their output must
//! match the tutorial's, except for numbers of search statistics; `UPDATE_EXPECT=1` updates the tutorial.

mod support;

use std::fs;
use std::path::Path;
use support::arguments;
use tabulex_workshop::commands;
use tabulex_workshop::home::{Home, Tables};

/// Runs a command of the tutorial, and returns its output.
fn run(home: &Home, line: &str) -> String {
    let mut arguments = arguments(line);
    let program = arguments.remove(0);
    if program == "cp" {
        fs::copy(&arguments[0], &arguments[1]).unwrap();
        return String::new();
    }
    if program == "cat" {
        return fs::read_to_string(&arguments[0]).unwrap();
    }
    assert!(
        program == "tabulex" && arguments.remove(0) == "table",
        "the tutorial can run only `tabulex table`, `cp` and `cat`, not `{line}`"
    );
    let name = arguments.remove(0);
    let name = name.to_str().expect("the command's name is UTF-8");
    let command = commands::find(name).unwrap();
    let result = command.run(home, arguments);
    let output = home.take_output();
    result.unwrap_or_else(|message| panic!("{line}: {message}"));
    output.lines().map(normalize_line).collect()
}

/// Replaces the numbers in a line of search statistics, which depend on the speed of the computer, by `…`.
fn normalize_line(line: &str) -> String {
    let is_statistics = line.contains(" inputs run");
    let mut out = String::new();
    for word in line.split(' ') {
        let is_number = word.starts_with(|it: char| it.is_ascii_digit());
        out += if is_statistics && is_number { "…" } else { word };
        out.push(' ');
    }
    out.trim_end().to_owned() + "\n"
}

#[test]
fn tutorial_output_is_current() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let spec = spec.canonicalize().unwrap();
    let path = spec.join("TUTORIAL.md");
    let text = fs::read_to_string(&path).unwrap();
    let folder = std::env::temp_dir().join(format!("tabulex-tutorial-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the temporary folder can be created");
    std::env::set_current_dir(&folder).expect("the temporary folder can be entered");
    let home = Home::new("tabulex table", Tables::Folder(spec.join("tables"))).capturing();
    let (mut updated, mut lines, mut command_count) = (String::new(), text.lines(), 0);
    while let Some(line) = lines.next() {
        updated += &format!("{line}\n");
        let file = line.strip_prefix("```text ");
        if file.is_none() && line != "```console" {
            continue;
        }
        let mut content = String::new();
        let mut block = lines.by_ref().take_while(|line| *line != "```").peekable();
        if let Some(file) = file {
            block.for_each(|line| content += &format!("{line}\n"));
            fs::write(file, &content).unwrap();
        } else {
            assert!(
                block.peek().is_some_and(|line| line.starts_with("$ ")),
                "a console block of the tutorial does not begin with a command"
            );
            for command in block.filter_map(|line| line.strip_prefix("$ ")) {
                content += &format!("$ {command}\n{}", run(&home, command));
                command_count += 1;
            }
        }
        updated += &content;
        updated += "```\n";
    }
    let _ = fs::remove_dir_all(&folder);
    assert!(
        command_count > 15,
        "the tutorial has only {command_count} commands, expected more than 15"
    );
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, updated).unwrap();
    } else {
        assert_eq!(
            text, updated,
            "the tutorial is out of date; set `UPDATE_EXPECT=1` to update it"
        );
    }
}
