//! Tests that `cargo xtask` works on the workspace around the current directory, not on the one that it was built in.

use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

fn xtask(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask-tables"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

#[test]
fn commands_work_on_the_workspace_around_the_current_directory() {
    let folder = env::temp_dir().join(format!("tabulex-root-{}", std::process::id()));
    let (tables, below) = (folder.join("spec/tables"), folder.join("runtime/core"));
    for path in [&tables, &below, &folder.join("xtask")] {
        fs::create_dir_all(path).unwrap();
    }
    let outside_output = xtask(&folder, &["check"]);
    fs::write(folder.join("xtask/Cargo.toml"), "").unwrap();
    let table = tables.join("other.states");
    let original = "machine! { name other; document \"a test\"; start data;\nstate data {\nEOF => emit end-of-file;\nelse => emit current; } }\n";
    fs::write(&table, original).unwrap();
    let check_output = xtask(&below, &["check"]);
    let fmt_output = xtask(&below, &["fmt"]);
    let table_after = fs::read_to_string(&table).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let message = String::from_utf8(outside_output.stderr).unwrap();
    assert_eq!(outside_output.status.code(), Some(2), "{message}");
    assert!(message.contains("is not in a workspace of tabulex"), "{message}");
    let message = String::from_utf8(check_output.stdout).unwrap();
    assert!(
        check_output.status.success() && message.starts_with("1 table, 1 state, "),
        "{message}"
    );
    assert!(fmt_output.status.success() && table_after != original, "{table_after}");
}
