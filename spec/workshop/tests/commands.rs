//! Checks that the commands print the recorded output for built-in tables and those in `test_data/tables`;
//! `UPDATE_EXPECT=1` updates the records.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use support::arguments;
use tabulex_workshop::commands;
use tabulex_workshop::home::{Home, Tables};

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// Replaces times in a command's output with `…`, and removes line numbers of built-in tables, which change with edits.
fn normalized(output: &str) -> String {
    let mut out = String::new();
    for line in output.split_inclusive('\n') {
        let mut rest = line;
        while let Some(offset) =
            [".states:", ".modes:"].iter().filter_map(|end| Some(rest.find(end)? + end.len())).min()
        {
            let is_test_table = rest[..offset].ends_with("before.states:")
                || rest[..offset].ends_with("after.states:");
            out += &rest[..offset];
            rest = &rest[offset..];
            if !is_test_table {
                rest = rest.trim_start_matches(|digit: char| digit.is_ascii_digit());
                // The number of spaces after a line number depends on the number's length, so one space replaces them.
                if let Some(more) = rest.strip_prefix(' ') {
                    out.push(' ');
                    rest = more.trim_start_matches(' ');
                }
            }
        }
        match rest.rfind(" s\n").and_then(|end| Some((rest[..end].rfind(' ')?, end))) {
            Some((start, end)) if rest[start + 1..end].parse::<f64>().is_ok() => {
                out += &rest[..start];
                out += " …";
                out += &rest[end..];
            }
            _ => out += rest,
        }
    }
    out
}

#[test]
fn command_output_matches_record() {
    std::env::set_current_dir(root()).expect("the root folder can be entered");
    let tables = Tables::Folder(root().join("spec/tables"));
    let cache = std::env::temp_dir().join(format!("tabulex-workshop-{}", std::process::id()));
    let home = Home::new("cargo xtask", tables)
        .with_folders(root(), root().join("tests/cases"), cache.clone())
        .capturing();
    let folder = root().join("spec/workshop/test_data/commands");
    let mut changed_records = Vec::new();
    let mut command_count = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.expect("the folder of records can be listed").path();
        let text = fs::read_to_string(&path).unwrap();
        let mut actual = String::new();
        for case in text.lines().filter(|line| line.starts_with("$ ")) {
            let mut arguments = arguments(&case[2..]);
            let name = arguments.remove(0);
            let name = name.to_str().expect("the command's name is UTF-8");
            let command = commands::find(name).unwrap();
            let status = match command.run(&home, arguments) {
                Ok(true) => String::new(),
                Ok(false) => "status 1\n".to_owned(),
                Err(message) => format!("{message}\nstatus 2\n"),
            };
            actual += &format!("{case}\n{}{status}\n", normalized(&home.take_output()));
            command_count += 1;
        }
        if actual != text {
            changed_records.push((path, text, actual));
        }
    }
    let _ = fs::remove_dir_all(cache);
    assert!(command_count > 20, "only {command_count} commands were run, expected more than 20");
    for (path, text, found) in &changed_records {
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(path, found).unwrap();
        } else {
            assert_eq!(
                text,
                found,
                "the output differs from `{}`, which `UPDATE_EXPECT=1` updates",
                path.display()
            );
        }
    }
}

/// A table whose text differs from the old one is not shown if its rows are equal.
#[test]
fn impact_without_a_name_shows_tables_with_changed_rows() {
    let folder = std::env::temp_dir().join(format!("tabulex-impact-{}", std::process::id()));
    let old = root().join("spec/workshop/test_data/tables/before.states");
    let text = fs::read_to_string(&old).unwrap();
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("before.states"), format!("// A comment.\n{text}")).unwrap();
    let home = Home::new("cargo xtask", Tables::Folder(folder.clone())).capturing();
    let command = commands::find("impact").unwrap();
    let ended = command.run(&home, vec!["--against".into(), old.clone().into()]);
    let _ = fs::remove_dir_all(folder);
    assert_eq!(ended, Ok(true));
    let expected =
        format!("no row or declaration of a built-in table differs from {}\n", old.display());
    assert_eq!(home.take_output(), expected);
}
