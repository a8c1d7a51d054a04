//! Compares archives, file by file. They are equal only if all bytes are.

use super::expansion;
use super::stage::Package;
use crate::files::{failure, remove};
use crate::{Failure, Outcome, step};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of an archive, by path.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Compares the archives in a folder with fresh ones, and reports the differences.
pub(super) fn compare(folder: &Path, fresh: &Path, packages: &[Package]) -> Outcome {
    let mut are_equal = true;
    for package in packages {
        let (old, new) = (folder.join(package.archive()), fresh.join(package.archive()));
        if !old.is_file() {
            step::say(&format!("{}: missing\n", old.display()));
            are_equal = false;
            continue;
        }
        let bytes = |path: &Path| fs::read(path).map_err(|error| failure("read", path, error));
        if bytes(&old)? == bytes(&new)? {
            continue;
        }
        are_equal = false;
        let (there, now) = (unpack(&old, package, fresh)?, unpack(&new, package, fresh)?);
        step::say(&format!("{}: stale{}\n", old.display(), differences(&there, &now)));
    }
    if are_equal {
        step::say(&format!("{}: {} archives, none stale\n", folder.display(), packages.len()));
    }
    Ok(are_equal)
}

/// Returns the files in which archives differ, with the cause if it is known.
fn differences(there: &Files, now: &Files) -> String {
    let mut text = String::new();
    for path in there.keys().chain(now.keys().filter(|path| !there.contains_key(*path))) {
        let (one, other) = (there.get(path), now.get(path));
        if one == other {
            continue;
        }
        let as_text = |bytes: Option<&Vec<u8>>| {
            String::from_utf8_lossy(bytes.map_or(&[][..], Vec::as_slice)).into_owned()
        };
        let changed = expansion::changed_sources(&as_text(one), &as_text(other));
        text += &format!("\n  {}", path.display());
        text += match (one, other) {
            (_, None) => " is no longer there",
            (None, _) => " is new",
            _ => " differs",
        };
        if !changed.is_empty() {
            text += &format!(": {} changed", changed.join(", "));
        }
    }
    text
}

/// Returns the files of an archive, unpacked next to the fresh ones.
fn unpack(archive: &Path, package: &Package, fresh: &Path) -> Result<Files, Failure> {
    let folder = fresh.join("unpacked");
    remove(&folder)?;
    fs::create_dir_all(&folder).map_err(|error| failure("read", &folder, error))?;
    let mut tar = Command::new("tar");
    tar.arg("-xzf").arg(archive).arg("-C").arg(&folder);
    if !step::run(&mut tar)? {
        return Err(format!("tar cannot unpack {}", archive.display()));
    }
    let mut files = Files::new();
    let root = folder.join(package.root_folder());
    collect(&root, &root, &mut files)?;
    Ok(files)
}

fn collect(root: &Path, folder: &Path, files: &mut Files) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).map_err(|error| failure("read", folder, error))? {
        let path = entry.map_err(|error| failure("read", folder, error))?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else {
            let bytes = fs::read(&path).map_err(|error| failure("read", &path, error))?;
            files.insert(path.strip_prefix(root).unwrap_or(&path).to_owned(), bytes);
        }
    }
    Ok(())
}
