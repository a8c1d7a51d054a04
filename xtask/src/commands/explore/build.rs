//! Builds the page: the engine for WebAssembly, what JavaScript needs to call it, the page's own files, the tables. It
//! serves nothing. Invariant: the tables are those that lie on the disk.

use super::unreadable;
use crate::root::root;
use crate::{Failure, step};
use serde_json::{Map, Value, json};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// Where Debian's packages put the other toolchain, and the linker that comes with it.
const DEBIAN: [&str; 2] = ["/usr/bin/rustc", "/usr/bin/cargo"];
const LINKERS: [&str; 3] = ["wasm-ld-19", "wasm-ld", "rust-lld"];

/// Builds the page into the folder; what is needed for it and absent comes as the inner error.
pub(super) fn page(folder: &Path) -> Result<Result<(), String>, Failure> {
    let Some(mut command) = toolchain() else {
        return Ok(Err(format!(
            "no standard library for {TARGET}; to get it: rustup target add {TARGET}, or on Debian apt-get install rustc-web cargo-web rust-web-src lld-19"
        )));
    };
    let home = root().join("xtask/explorer");
    let target = root().join("target/explorer-build");
    command.current_dir(root()).args([
        "build",
        "--profile",
        "page",
        "--package",
        "tabulex-explorer",
    ]);
    command.args(["--lib", "--target", TARGET]);
    if !step::run(command.arg("--target-dir").arg(&target))? {
        return Err("the engine does not build".into());
    }
    fs::create_dir_all(folder).map_err(unreadable(folder))?;
    let engine = target.join(TARGET).join("page/tabulex_explorer.wasm");
    let mut pack = step::cargo();
    pack.args(["run", "--quiet", "--manifest-path", "xtask/explorer/pack/Cargo.toml"]);
    pack.arg("--target-dir").arg(&target).arg("--");
    if !step::run(pack.arg(engine).arg(folder))? {
        return Err("the engine cannot be made ready for JavaScript".into());
    }
    for path in listed(&home.join("page"))? {
        let to = folder.join(path.file_name().unwrap_or_default());
        fs::copy(&path, &to).map_err(unreadable(&to))?;
    }
    let data = folder.join("tables.json");
    let text = data_of_tables(&home.join("page/documents.json"))?.to_string();
    fs::write(&data, text).map_err(unreadable(&data))?;
    Ok(Ok(()))
}

/// A cargo that can build for the target, if there is one.
fn toolchain() -> Option<Command> {
    let installed =
        Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder =
        installed.ok().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    if folder.is_some_and(|folder| !folder.is_empty() && Path::new(&folder).is_dir()) {
        return Some(step::cargo());
    }
    let [rustc, cargo] = DEBIAN;
    let sources = Path::new("/usr/src").read_dir().ok()?;
    let has_sources =
        sources.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("rustc-"));
    if !has_sources || !Path::new(rustc).exists() || !Path::new(cargo).exists() {
        return None;
    }
    let linker = LINKERS.iter().find(|name| is_in_path(OsStr::new(name)))?;
    let mut command = Command::new(cargo);
    // What the cargo that runs this has set speaks of another toolchain.
    for name in
        ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC_WRAPPER", "CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"]
    {
        command.env_remove(name);
    }
    command.env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
    command.arg("-Zbuild-std=std,panic_abort");
    Some(command)
}

fn is_in_path(name: &OsStr) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

fn listed(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(unreadable(folder))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

/// The tables with the files that they bring in, the dialects, and where documents are on the web. Beside the standards
/// stand the dialects of the tests, which show what else the language can say.
fn data_of_tables(documents: &Path) -> Result<Value, Failure> {
    let folders = [root().join("spec/tables"), root().join("tests/dialects")];
    let (mut dialects, mut files) = (Vec::new(), Map::new());
    for folder in &folders {
        let mut paths = listed(folder)?;
        paths.sort();
        for path in paths {
            let is_of = |kind: &str| path.extension().is_some_and(|it| it == kind);
            let is_table = is_of("states") || is_of("modes") || is_of("references");
            let Some(name) = path.file_name().filter(|_| is_table) else { continue };
            let text = fs::read_to_string(&path).map_err(unreadable(&path))?;
            if is_of("states") {
                dialects.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            }
            files.insert(name.to_string_lossy().into_owned(), json!(text));
        }
    }
    let text = fs::read_to_string(documents).map_err(unreadable(documents))?;
    let documents: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    Ok(json!({ "dialects": dialects, "files": files, "documents": documents }))
}
