//! Locates the root of the workspace, and the tables in it as they are on the disk. Messages show paths relative to the
//! root.

use crate::Failure;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{env, fs};
use tabulex_language::model::Machine;
use tabulex_language::{Loaded, Source};
use tabulex_workshop::home::{Home, Tables};

/// The folder of tables, relative to the root.
const TABLES: &str = "spec/tables";

/// The root of the workspace, set by [`find`].
static ROOT: OnceLock<PathBuf> = OnceLock::new();

/// Finds the workspace that contains the current directory, which need not be the one this program was built in.
pub fn find() -> Result<(), Failure> {
    let here = env::current_dir().map_err(|error| format!("no current directory: {error}"))?;
    let is_root = |it: &&Path| it.join("xtask/Cargo.toml").is_file() && it.join(TABLES).is_dir();
    let root = here.ancestors().find(is_root).ok_or_else(|| {
        format!("{} is not in a workspace of tabulex, with {TABLES} and xtask", here.display())
    })?;
    ROOT.get_or_init(|| root.to_owned());
    Ok(())
}

/// Returns the root of the workspace.
pub fn root() -> &'static Path {
    ROOT.get().map_or(Path::new("."), PathBuf::as_path)
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

/// Returns the path as shown in messages.
pub fn display_path(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().into_owned()
}

/// Returns all tables in `spec/tables`, by name.
pub fn tables() -> Result<Vec<PathBuf>, Failure> {
    let folder = root().join(TABLES);
    let entries = fs::read_dir(&folder)
        .map_err(|error| format!("cannot read {}: {error}", display_path(&folder)))?;
    let mut tables: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "states"))
        .collect();
    tables.sort();
    Ok(tables)
}

/// Reads and checks a table.
pub fn load(path: &Path) -> Result<(Source, Loaded), Failure> {
    let text = fs::read_to_string(path)
        .map_err(|error| format!("cannot read {}: {error}", display_path(path)))?;
    let source = Source::new(display_path(path), text);
    let beside = |name: &str| fs::read_to_string(path.with_file_name(name)).ok();
    let mut loaded = tabulex_language::load(&source, &beside);
    for file in &mut loaded.source.files {
        file.path = display_path(&path.with_file_name(&file.path));
    }
    Ok((source, loaded))
}

/// Returns the machine of a dialect, from its table in `spec/tables`.
pub fn machine(dialect: &str) -> Result<Machine, Failure> {
    let known = tables()?;
    let path = known.iter().find(|path| path.file_stem().is_some_and(|stem| stem == dialect));
    let path = path.ok_or_else(|| {
        let names = known.iter().filter_map(|path| path.file_stem()?.to_str());
        format!("unknown dialect {dialect:?}; there are: {}", names.collect::<Vec<_>>().join(", "))
    })?;
    let (_, loaded) = load(path)?;
    loaded.machine.ok_or_else(|| {
        format!("the table has errors; see: cargo xtask check {}", display_path(path))
    })
}
