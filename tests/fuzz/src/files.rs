//! The files of a target: the seeds of its corpus, and inputs that once failed. Nothing is written here but what has failed.
//! Invariant: a file is one input, byte by byte.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};

fn folder(kind: &str, target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(kind).join(target)
}

/// Inputs with the names of their files.
pub type Inputs = Vec<(String, Vec<u8>)>;

/// The inputs that are kept as seeds of a target.
pub fn corpus(target: &str) -> Inputs {
    inputs(&folder("corpus", target))
}

/// The inputs of a target that once failed.
pub fn regressions(target: &str) -> Inputs {
    inputs(&folder("regressions", target))
}

/// The inputs of a folder, by name; none if there is no such folder.
fn inputs(folder: &Path) -> Inputs {
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

/// Writes an input that fails to the regressions of the target. Returns its path.
///
/// # Errors
/// What the system says.
pub fn add_regression(target: &str, input: &[u8]) -> io::Result<PathBuf> {
    let folder = folder("regressions", target);
    fs::create_dir_all(&folder)?;
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let path = folder.join(format!("{:016x}", hasher.finish()));
    fs::write(&path, input)?;
    Ok(path)
}
