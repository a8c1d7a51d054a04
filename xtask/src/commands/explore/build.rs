//! Builds the page from the engine with JavaScript bindings, static files, and the tables on the disk.

use crate::files::{copy, failure, read, read_json, write};
use crate::root::root;
use crate::{Failure, wasm};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Builds the page in the folder. The inner error reports that no toolchain can build the engine.
pub(super) fn page(folder: &Path) -> Result<Result<(), String>, Failure> {
    let explorer = root().join("xtask/explorer");
    let engine = wasm::Engine {
        package: "tabulex-explorer",
        profile: "page",
        target: "target/explorer-build",
    };
    if let Err(reason) = engine.build(folder)? {
        return Ok(Err(reason));
    }
    for path in sorted_files(&explorer.join("page"))? {
        let target = folder.join(path.file_name().unwrap_or_default());
        copy(&path, &target, &|_| true)?;
    }
    let data = folder.join("tables.json");
    let text = table_data(&explorer.join("page/documents.json"))?.to_string();
    write(&data, &text)?;
    Ok(Ok(()))
}

fn sorted_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| failure("read", folder, error))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Returns the data of the page: dialects, files of tables, and URLs of documents. The tests' dialects are included
/// as further examples of the language.
fn table_data(documents: &Path) -> Result<Value, Failure> {
    let folders = [root().join("spec/tables"), root().join("tests/dialects")];
    let (mut dialects, mut files) = (Vec::new(), Map::new());
    for folder in &folders {
        for path in sorted_files(folder)? {
            let has_extension =
                |extension: &str| path.extension().is_some_and(|it| it == extension);
            let is_table =
                has_extension("states") || has_extension("modes") || has_extension("references");
            let Some(name) = path.file_name().filter(|_| is_table) else { continue };
            let text = read(&path)?;
            if has_extension("states") {
                dialects.extend(path.file_stem().map(|stem| stem.to_string_lossy().into_owned()));
            }
            files.insert(name.to_string_lossy().into_owned(), json!(text));
        }
    }
    let documents = read_json(documents)?;
    Ok(json!({ "dialects": dialects, "files": files, "documents": documents }))
}
