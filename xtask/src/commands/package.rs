//! Packs the published packages with the generated code of each table in place of the table, so that users of the
//! library compile neither tables nor the table compiler.
//!
//! usage: cargo xtask package [--out FOLDER]
//!
//!   --out FOLDER   writes the archives to this folder (target/package)
//!
//! The packages are copied to target/staged, a separate workspace, in which the generated code of each table replaces
//! the macro call. Nothing is downloaded or published: `cargo publish --workspace` in target/staged publishes the
//! packed archives, which are reproducible byte by byte. `maturin sdist` in target/staged/runtime/bindings/python builds
//! the source archive of the Python package.
//!
//! example: cargo xtask package

mod expansion;
mod stage;

use crate::{Failure, Outcome, files, root, step};
use stage::Package;
pub(super) use stage::stage;
use std::ffi::OsStr;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use tabulex_workshop::arguments::Arguments;

/// Runs `cargo xtask package`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let out = Arguments::parse(arguments, &["out FOLDER"], 0)?.path("out");
    let target = target();
    let out = out.unwrap_or_else(|| target.join("package"));
    let staged = target.join("staged");
    let packages = stage(&staged)?;
    let archives = pack(&staged, &target.join("packed"))?;
    copy_archives(&out, &archives, &packages)?;
    Ok(true)
}

/// Packs all packages of the staged workspace. Returns the folder of the archives.
fn pack(staged: &Path, target: &Path) -> Result<PathBuf, Failure> {
    files::remove(target)?;
    let mut command = step::cargo();
    command.current_dir(staged);
    // Cargo's verification would build with other dependencies than users have; a test builds the packages instead.
    command.args(["package", "--workspace", "--quiet", "--no-verify", "--allow-dirty"]);
    command.args([OsStr::new("--offline"), OsStr::new("--target-dir"), target.as_os_str()]);
    if step::run(&mut command)? {
        Ok(target.join("package"))
    } else {
        Err(format!("`cargo package` failed in `{}`", staged.display()))
    }
}

/// Copies the archives to the output folder, and prints their sizes.
fn copy_archives(out: &Path, archives: &Path, packages: &[Package]) -> Result<(), Failure> {
    let failure = |error| format!("cannot copy the archives to `{}`: {error}", out.display());
    fs::create_dir_all(out).map_err(failure)?;
    for package in packages {
        let name = package.archive();
        let size = fs::copy(archives.join(&name), out.join(&name)).map_err(failure)?;
        step::say(&format!("{size:>8} bytes  {}\n", out.join(name).display()));
    }
    Ok(())
}

/// Returns Cargo's target folder.
fn target() -> PathBuf {
    let variable = std::env::var_os("CARGO_TARGET_DIR");
    root::root().join(variable.unwrap_or_else(|| "target".into()))
}
