//! Reads, writes and copies files. Error messages show paths relative to the root.

use crate::Failure;
use crate::root::display_path;
use std::fs;
use std::path::Path;

/// Formats the message that an operation on a file, such as "read", has failed.
pub(crate) fn failure(operation: &str, path: &Path, error: impl std::fmt::Display) -> Failure {
    format!("cannot {operation} `{}`: {error}", display_path(path))
}

/// Reads a text file.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| failure("read", path, error))
}

/// Reads a JSON file.
pub(crate) fn read_json(path: &Path) -> Result<serde_json::Value, Failure> {
    serde_json::from_str(&read(path)?).map_err(|error| failure("read", path, error))
}

/// Reads a TOML file in a form that can be edited.
pub(crate) fn read_toml(path: &Path) -> Result<toml_edit::DocumentMut, Failure> {
    read(path)?.parse().map_err(|error| failure("read", path, error))
}

/// Writes a text file, and creates its folder if necessary.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().unwrap_or(path);
    let result = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    result.map_err(|error| failure("write", path, error))
}

/// Removes a folder, if it exists.
pub(crate) fn remove(folder: &Path) -> Result<(), Failure> {
    match fs::remove_dir_all(folder) {
        Err(error) if folder.exists() => Err(failure("remove", folder, error)),
        _ => Ok(()),
    }
}

/// Copies a file, or a folder with all files and folders for which `is_wanted` holds.
pub(crate) fn copy(
    from: &Path,
    to: &Path,
    is_wanted: &dyn Fn(&Path) -> bool,
) -> Result<(), Failure> {
    let failed = |error| failure("copy", from, error);
    if from.is_file() {
        return fs::copy(from, to).map(|_| ()).map_err(failed);
    }
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if is_wanted(&entry.path()) {
            copy(&entry.path(), &to.join(entry.file_name()), is_wanted)?;
        }
    }
    Ok(())
}
