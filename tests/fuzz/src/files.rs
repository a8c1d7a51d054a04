//! The files of a target: seed inputs and regressions, one input per file.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

fn folder(kind: &str, target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(kind).join(target)
}

/// Inputs, each with its file name.
pub type Inputs = Vec<(String, Vec<u8>)>;

/// Returns the seed inputs of a target.
pub fn corpus(target: &str) -> Inputs {
    read_inputs(&folder("corpus", target))
}

/// Returns the inputs of a target that once failed.
pub fn regressions(target: &str) -> Inputs {
    read_inputs(&folder("regressions", target))
}

/// Returns the inputs in a folder, sorted by name; empty if the folder does not exist.
fn read_inputs(folder: &Path) -> Inputs {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file());
    let mut paths: Vec<PathBuf> = paths.collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), bytes)
    };
    paths.into_iter().map(read).collect()
}

/// Adds a failing input to the regressions of a target. Returns its path.
///
/// # Errors
/// The error of the file system.
pub fn add_regression(target: &str, input: &[u8]) -> io::Result<PathBuf> {
    let folder = folder("regressions", target);
    fs::create_dir_all(&folder)?;
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let path = folder.join(format!("{:016x}", hasher.finish()));
    fs::write(&path, input)?;
    Ok(path)
}
