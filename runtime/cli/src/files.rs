//! Many files: those that are named, and those in the folders that are named. It reads no file. Invariant: the same folder
//! gives the same files in the same order.

use crate::failure::Failure;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Whether what is named is more than one file.
pub(crate) fn are_many(named: &[OsString]) -> bool {
    named.len() > 1 || named.iter().any(|name| Path::new(name).is_dir())
}

/// The files, and those in the folders and all below, by name; what begins with a dot there is passed over, and so are
/// links to folders; pipes and devices there are passed over with a line on standard error.
pub(crate) fn list(named: &[OsString]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut waiting: Vec<PathBuf> = named.iter().rev().map(PathBuf::from).collect();
    while let Some(path) = waiting.pop() {
        if !path.is_dir() {
            // A pipe or a device may have no end, so it must have been named to be read.
            let kind = path.metadata().map(|metadata| metadata.file_type());
            if kind.is_ok_and(|kind| !kind.is_file())
                && !named.iter().any(|name| *name == *path.as_os_str())
            {
                crate::report(&format!("{} is no file and is passed over", path.display()));
                continue;
            }
            files.push(path);
            continue;
        }
        let failure = |error| Failure::Input(path.to_string_lossy().into_owned(), error);
        let mut inside = Vec::new();
        for entry in std::fs::read_dir(&path).map_err(failure)? {
            let entry = entry.map_err(failure)?;
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            let is_link_to_folder = entry.path().is_symlink() && entry.path().is_dir();
            if !is_hidden && !is_link_to_folder {
                inside.push(entry.path());
            }
        }
        inside.sort_unstable_by(|one, other| other.cmp(one));
        waiting.append(&mut inside);
    }
    Ok(files)
}
