//! Builds the page: the engine with its JavaScript bindings, the page's own files, and the tables on the disk.

use super::unreadable;
use crate::root::root;
use crate::{Failure, wasm};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Builds the page in the folder. The inner error names a missing prerequisite.
pub(super) fn page(folder: &Path) -> Result<Result<(), String>, Failure> {
    let home = root().join("xtask/explorer");
    let engine = wasm::Engine {
        package: "tabulex-explorer",
        profile: "page",
        target: "target/explorer-build",
    };
    if let Err(absent) = engine.build(folder)? {
        return Ok(Err(absent));
    }
    for path in sorted_files(&home.join("page"))? {
        let to = folder.join(path.file_name().unwrap_or_default());
        fs::copy(&path, &to).map_err(unreadable(&to))?;
    }
    let data = folder.join("tables.json");
    let text = table_data(&home.join("page/documents.json"))?.to_string();
    fs::write(&data, text).map_err(unreadable(&data))?;
    Ok(Ok(()))
}

fn sorted_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(unreadable(folder))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths)
}

/// Returns the tables with the files that they include, the dialects, and the documents' URLs. The dialects of the
/// tests are included as further examples of the language.
fn table_data(documents: &Path) -> Result<Value, Failure> {
    let folders = [root().join("spec/tables"), root().join("tests/dialects")];
    let (mut dialects, mut files) = (Vec::new(), Map::new());
    for folder in &folders {
        for path in sorted_files(folder)? {
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
