//! The list of files to read: the named files, and the files in named folders. The order is deterministic.

use crate::visible;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Whether the arguments name several files, or a folder.
pub(crate) fn names_several(arguments: &[OsString]) -> bool {
    arguments.len() > 1 || arguments.iter().any(|name| Path::new(name).is_dir())
}

/// A file to read, or a folder with the error that occurred when it was listed.
pub(crate) type ListedFile = Result<PathBuf, (PathBuf, io::Error)>;

/// Lists the named files in the order of the arguments; a folder is replaced by the files in it, recursively, sorted by
/// name. In folders, names that begin with a dot and links to folders are skipped; so are pipes and devices, with a
/// line on standard error.
pub(crate) fn list(arguments: &[OsString]) -> Vec<ListedFile> {
    let mut files = Vec::new();
    let mut pending: Vec<PathBuf> = arguments.iter().rev().map(PathBuf::from).collect();
    while let Some(path) = pending.pop() {
        if !path.is_dir() {
            // A pipe or device may never end, so it is read only if an argument names it.
            let file_type = path.metadata().map(|metadata| metadata.file_type());
            if file_type.is_ok_and(|file_type| !file_type.is_file())
                && !arguments.iter().any(|name| *name == *path.as_os_str())
            {
                crate::report(&format!(
                    "`{}` is not a regular file and is skipped",
                    visible::name(&path)
                ));
                continue;
            }
            files.push(Ok(path));
            continue;
        }
        match list_entries(&path) {
            Ok(mut entries) => pending.append(&mut entries),
            Err(error) => files.push(Err((path, error))),
        }
    }
    files
}

/// Lists the entries of a folder in descending order of name.
fn list_entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_hidden =
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let is_link_to_folder = path.is_symlink() && path.is_dir();
        if !is_hidden && !is_link_to_folder {
            entries.push(path);
        }
    }
    entries.sort_unstable_by(|first, second| second.cmp(first));
    Ok(entries)
}
