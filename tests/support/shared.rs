//! Where the suites of other people are. They are not part of this repository: a folder `shared` beside it holds them, or
//! the variable `TABULEX_SHARED` names it. Invariant: a suite that is absent is reported, never skipped in silence.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// The file or folder in the shared folder, if it is there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let shared = match std::env::var_os("TABULEX_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => workspace().parent()?.join("shared"),
    };
    Some(shared.join(path)).filter(|path| path.exists())
}

/// A folder inside of a package that the workspace depends on, as cargo has unpacked it; of the version that has it, if
/// there are several.
///
/// # Errors
/// What cargo says, or that it knows no such package.
pub fn package_folder(name: &str, inside: &str) -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    // Without what only other platforms need: cargo has not unpacked that where it has merely built this one.
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--filter-platform", "host-tuple"])
        .current_dir(workspace())
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages
        .filter(|package| package["name"] == name)
        .filter_map(|package| Path::new(package["manifest_path"].as_str()?).parent())
        .map(|folder| folder.join(inside))
        .find(|folder| folder.exists())
        .ok_or_else(|| format!("cargo has unpacked no package {name} with {inside}"))
}

/// Prints a line that is seen although the test passes: the test harness keeps back what `println!` prints.
pub fn report(line: &str) {
    // A line that cannot be written, as to a closed pipe, must not fail a test.
    let _ = writeln!(std::io::stdout(), "{line}");
}
