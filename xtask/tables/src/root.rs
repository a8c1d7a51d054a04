//! Locates the root of the workspace and the tables in it.

use crate::Failure;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tabulex_language::model::Machine;
use tabulex_workshop::home::{Home, Tables};

/// Path of the folder of tables, relative to the root.
const TABLES: &str = "spec/tables";

/// Path of the workspace's root, which [`find`] sets.
static ROOT: OnceLock<PathBuf> = OnceLock::new();

/// Finds the root of the workspace that contains the current directory, and sets it for [`root()`]. The program may
/// have been built in another workspace.
pub fn find() -> Result<(), Failure> {
    let current_folder = env::current_dir()
        .map_err(|error| format!("cannot determine the current directory: {error}"))?;
    let is_root = |it: &&Path| it.join("xtask/Cargo.toml").is_file() && it.join(TABLES).is_dir();
    let root = current_folder.ancestors().find(is_root).ok_or_else(|| {
        format!(
            "`{}` is not in a workspace of tabulex, which has `{TABLES}` and `xtask`",
            current_folder.display()
        )
    })?;
    ROOT.get_or_init(|| root.to_owned());
    Ok(())
}

/// Returns the root of the workspace, or the current directory before [`find`] has succeeded.
pub fn root() -> &'static Path {
    ROOT.get().map_or(Path::new("."), PathBuf::as_path)
}

/// Returns the folder of suites and documents that are not part of the workspace: `../shared`, or the folder that
/// `TABULEX_SHARED` names.
pub fn shared() -> PathBuf {
    env::var_os("TABULEX_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from)
}

/// Returns the environment for the commands on tables.
pub fn home() -> Home {
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let home = Home::new("cargo xtask", Tables::Folder(root().join(TABLES)));
    home.with_folders(
        root().to_owned(),
        root().join("tests/cases"),
        root().join(target).join("workshop"),
    )
}

/// Returns the path relative to the root, for messages.
pub fn display_path(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().into_owned()
}

/// Loads the machine of a dialect from its table in `spec/tables`.
pub fn machine(dialect: &str) -> Result<Machine, Failure> {
    home().table(dialect)?.machine.ok_or_else(|| {
        format!("the table of `{dialect}` has errors; see `cargo xtask check {dialect}`")
    })
}
