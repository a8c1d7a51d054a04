//! Creates the workspace to be packed: copies of the published packages, in which the code of a table replaces the
//! macro call, and the dependency on the macro is removed. All other files are those of the workspace. The workspace of
//! the Python package is copied too, so that its source archive is built from these copies.

use super::expansion;
use crate::files::{copy, failure, read, read_toml, remove, write};
use crate::{Failure, root};
use std::fs;
use std::path::{Path, PathBuf};
use toml_edit::{Array, DocumentMut};

/// The package of the macro, on which the published packages do not depend.
const MACRO_PACKAGE: &str = "tabulex-macros";

/// The folder of the dialects' packages.
const DIALECTS: &str = "runtime/dialects";

/// The file of a dialect's package with the module that includes the table and is replaced.
const ENTRY_FILE: &str = "src/lib.rs";

/// Beginning and end of the module that is replaced.
const MODULE: (&str, &str) = ("\nmod machine {\n", "\n}\n");

/// The file for a table's code, within a published package.
const MACHINE_FILE: &str = "src/machine.rs";

/// The files of packages that include a list from the folder of tables.
const LISTS_FILES: [&str; 2] = ["src/lists.rs", "src/mime.rs"];

/// Folders of the Python package and of the Arrow columns that it uses, a separate workspace.
const PYTHON: [&str; 2] = ["runtime/bindings/arrow", "runtime/bindings/python"];

/// Files that every archive has in addition to those of its package.
const LICENSES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

/// A published package.
pub(crate) struct Package {
    name: String,
    version: String,
    /// Folder, relative to the root.
    folder: PathBuf,
}

impl Package {
    /// Returns the file name of the package's archive.
    pub(super) fn archive(&self) -> String {
        format!("{}-{}.crate", self.name, self.version)
    }
}

/// Creates the workspace to be packed in the folder `staged`, after removing an old one. Returns its packages.
pub(crate) fn stage(staged: &Path) -> Result<Vec<Package>, Failure> {
    remove(staged)?;
    let mut manifest = manifest(Path::new("Cargo.toml"))?;
    let packages = published(&manifest)?;
    for package in &packages {
        let package_copy = staged.join(&package.folder);
        copy(&root::root().join(&package.folder), &package_copy, &is_of_package)?;
        for license in LICENSES {
            copy(&root::root().join(license), &package_copy.join(license), &is_of_package)?;
        }
        replace_machine(package, &package_copy)?;
        copy_lists(&package.folder, &package_copy)?;
    }
    for folder in PYTHON {
        copy(&root::root().join(folder), &staged.join(folder), &is_of_package)?;
        copy_lists(Path::new(folder), &staged.join(folder))?;
    }
    let folder = |package: &Package| package.folder.to_string_lossy().into_owned();
    let members: Array = packages.iter().map(folder).collect();
    let workspace =
        manifest["workspace"].as_table_mut().ok_or("`Cargo.toml` has no section `[workspace]`")?;
    workspace["members"] = members.into();
    workspace.remove("default-members");
    write(&staged.join("Cargo.toml"), &manifest.to_string())?;
    for file in ["Cargo.lock", "README.md"] {
        copy(&root::root().join(file), &staged.join(file), &is_of_package)?;
    }
    Ok(packages)
}

/// Returns the published packages of the workspace.
fn published(workspace: &DocumentMut) -> Result<Vec<Package>, Failure> {
    let no_members = || "the workspace has no `members`".to_owned();
    let members = workspace["workspace"]["members"].as_array().ok_or_else(no_members)?;
    let version = &workspace["workspace"]["package"]["version"];
    let version = version.as_str().ok_or("`workspace.package.version` is missing")?;
    let mut packages = Vec::new();
    for member in members.iter().filter_map(|member| member.as_str()) {
        for folder in folders(member)? {
            let manifest = manifest(&folder.join("Cargo.toml"))?;
            let package = manifest.get("package").ok_or_else(|| {
                format!("`Cargo.toml` in `{}` has no section `[package]`", folder.display())
            })?;
            let publish = package.get("publish").and_then(|value| value.as_bool());
            if let (Some(name), Some(true)) = (package["name"].as_str(), publish.or(Some(true))) {
                let version = version.to_owned();
                packages.push(Package { name: name.to_owned(), version, folder });
            }
        }
    }
    Ok(packages)
}

/// Returns the folders of packages that an entry of `members` denotes: one, or, if the entry ends with `/*`, all in a
/// folder.
fn folders(member: &str) -> Result<Vec<PathBuf>, Failure> {
    let Some(parent) = member.strip_suffix("/*") else {
        return Ok(vec![member.into()]);
    };
    let path = root::root().join(parent);
    let failed = |error| failure("read", &path, error);
    let mut folders = Vec::new();
    for entry in fs::read_dir(&path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entry.path().join("Cargo.toml").is_file() {
            folders.push(Path::new(parent).join(entry.file_name()));
        }
    }
    folders.sort();
    Ok(folders)
}

/// Replaces the macro call in the copy `to` of a dialect's package by the table's code, and removes the dependency on
/// the macro. Does nothing for other packages.
fn replace_machine(package: &Package, to: &Path) -> Result<(), Failure> {
    if !package.folder.starts_with(DIALECTS) {
        return Ok(());
    }
    let file = root::root().join(&package.folder).join(ENTRY_FILE);
    write(&to.join(MACHINE_FILE), &expansion::module(&file)?)?;
    let text = read(&file)?;
    let parts = text.split_once(MODULE.0);
    let parts = parts.and_then(|(before, rest)| Some((before, rest.split_once(MODULE.1)?.1)));
    let (before, after) =
        parts.ok_or_else(|| format!("`{}` has no module `machine`", root::display_path(&file)))?;
    write(&to.join(ENTRY_FILE), &format!("{before}\nmod machine;\n{after}"))?;
    let mut package_manifest = manifest(&package.folder.join("Cargo.toml"))?;
    let dependencies = package_manifest["dependencies"].as_table_mut();
    if dependencies.and_then(|dependencies| dependencies.remove(MACRO_PACKAGE)).is_none() {
        return Err(format!("`{}` does not depend on `{MACRO_PACKAGE}`", package.name));
    }
    write(&to.join("Cargo.toml"), &package_manifest.to_string())
}

/// Copies the files that the [`LISTS_FILES`] of a package include into `to`, the copy of the package, and changes the
/// path in each copied `include!` accordingly.
fn copy_lists(package: &Path, to: &Path) -> Result<(), Failure> {
    for lists_file in LISTS_FILES {
        let file = root::root().join(package).join(lists_file);
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let included = text.split_once("include!(\"").and_then(|(_, rest)| rest.split_once("\")"));
        let (path, _) =
            included.ok_or_else(|| format!("`{}` has no `include!`", root::display_path(&file)))?;
        let name = Path::new(path).file_name().ok_or("the included file has no name")?;
        copy(&file.with_file_name(path), &to.join("src").join(name), &is_of_package)?;
        write(&to.join(lists_file), &text.replace(path, &name.to_string_lossy()))?;
    }
    Ok(())
}

/// Reads a manifest at a path relative to the root.
fn manifest(path: &Path) -> Result<DocumentMut, Failure> {
    read_toml(&root::root().join(path))
}

/// Whether a path below a package belongs to that package, rather than to a nested package or to build output.
fn is_of_package(path: &Path) -> bool {
    !path.join("Cargo.toml").is_file() && !path.ends_with("target")
}
