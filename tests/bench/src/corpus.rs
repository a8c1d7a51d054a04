//! The documents that contestants read. They are read once, before anything is measured. Invariant: the same folder gives
//! the same documents in the same order.

use std::path::{Path, PathBuf};

/// The documents of the folder, or of this one of the shared corpus.
pub fn read(folder: Option<&Path>, default: &str, limit: usize) -> Result<Vec<String>, String> {
    let shared = std::env::var_os("TABULEX_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let shared = shared.join("corpus").join(default);
    let folder = folder.or(Some(&shared).filter(|folder| folder.is_dir()).map(PathBuf::as_path));
    let folder = folder.ok_or_else(|| {
        format!("shared/corpus/{default} is not there: name a folder of documents with `--corpus`")
    })?;
    let failure = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|error| failure(folder, error))? {
        paths.push(entry.map_err(|error| failure(folder, error))?.path());
    }
    paths.retain(|path| path.is_file());
    paths.sort();
    let mut documents = Vec::new();
    let mut left = limit;
    for path in &paths {
        if left == 0 {
            break;
        }
        let bytes = std::fs::read(path).map_err(|error| failure(path, error))?;
        let mut document = String::from_utf8_lossy(&bytes).into_owned();
        document.truncate(document.floor_char_boundary(left));
        left -= document.len().min(left);
        documents.push(document);
    }
    if documents.is_empty() {
        Err(format!("{} has no files", folder.display()))
    } else {
        Ok(documents)
    }
}

/// The length of all documents in bytes.
pub fn bytes(documents: &[String]) -> usize {
    documents.iter().map(String::len).sum()
}
