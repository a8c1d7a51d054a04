//! Many files: those that are named, and those in the folders that are named. It reads no file. Invariant: the same folder
//! gives the same files in the same order, whatever cannot be read in it.

use crate::visible;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Whether what is named is more than one file.
pub(crate) fn are_many(named: &[OsString]) -> bool {
    named.len() > 1 || named.iter().any(|name| Path::new(name).is_dir())
}

/// A file to read, or a folder that cannot be listed and why.
pub(crate) type Listed = Result<PathBuf, (PathBuf, io::Error)>;

/// The files, and those in the folders and all below, by name; what begins with a dot there is passed over, and so are
/// links to folders; pipes and devices there are passed over with a line on standard error.
pub(crate) fn list(named: &[OsString]) -> Vec<Listed> {
    let mut files = Vec::new();
    let mut waiting: Vec<PathBuf> = named.iter().rev().map(PathBuf::from).collect();
    while let Some(path) = waiting.pop() {
        if !path.is_dir() {
            // A pipe or a device may have no end, so it must have been named to be read.
            let kind = path.metadata().map(|metadata| metadata.file_type());
            if kind.is_ok_and(|kind| !kind.is_file())
                && !named.iter().any(|name| *name == *path.as_os_str())
            {
                crate::report(&format!("{} is no file and is passed over", visible::name(&path)));
                continue;
            }
            files.push(Ok(path));
            continue;
        }
        match inside(&path) {
            Ok(mut inside) => waiting.append(&mut inside),
            Err(error) => files.push(Err((path, error))),
        }
    }
    files
}

/// Lists the entries of a folder in descending order of name.
fn inside(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut inside = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_hidden = path.file_name().is_some_and(|it| it.as_encoded_bytes().starts_with(b"."));
        let is_link_to_folder = path.is_symlink() && path.is_dir();
        if !is_hidden && !is_link_to_folder {
            inside.push(path);
        }
    }
    inside.sort_unstable_by(|one, other| other.cmp(one));
    Ok(inside)
}
