//! Tests third-party packages in which tabulex replaces html5ever.
//!
//! usage: cargo xtask campaign adopters [NAME...]
//!
//! tests/adopters/adopters.toml lists the packages, the replacements in their sources, and the tests known to fail.
//! Cargo downloads the sources; the changed copies are in target/adopters. Without a name, all packages are tested. The
//! run fails if a replacement does not match, an unlisted test fails, or a listed one passes.
//!
//! example: cargo xtask campaign adopters scraper

mod package;

use crate::files::{self, write};
use crate::{Failure, Outcome, root, step};
use package::{Adopter, packages};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use tabulex_workshop::arguments::Arguments;

/// Runs `cargo xtask campaign adopters`.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let names = Arguments::parse(arguments, &[], usize::MAX)?.values;
    let packages = packages(&root::root().join("tests/adopters/adopters.toml"))?;
    if let Some(name) = names.iter().find(|name| packages.iter().all(|it| it.name != **name)) {
        return Err(format!("`tests/adopters/adopters.toml` does not list the package `{name}`"));
    }
    let folder = root::root().join("target/adopters");
    prepare(&folder, &packages)?;
    let mut is_clean = true;
    for package in packages.iter().filter(|it| names.is_empty() || names.contains(&it.name)) {
        is_clean &= test(&folder, package)?;
    }
    Ok(is_clean)
}

/// Downloads the sources of the packages, and creates a workspace of copies with the replacements applied.
fn prepare(folder: &Path, packages: &[Adopter]) -> Result<(), Failure> {
    let sources = folder.join("sources");
    write(&sources.join("src/lib.rs"), "")?;
    let dependency = |it: &Adopter| format!("{} = \"={}\"\n", it.name, it.version);
    let dependencies: String = packages.iter().map(dependency).collect();
    let package_section =
        "[package]\nname = \"sources\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n";
    write(
        &sources.join("Cargo.toml"),
        &format!("{package_section}\n[dependencies]\n{dependencies}"),
    )?;
    for package in packages {
        let copy = folder.join(&package.name);
        files::remove(&copy)?;
        let is_wanted = |path: &Path| !path.ends_with("Cargo.lock");
        files::copy(&source_of(&sources, package)?, &copy, &is_wanted)?;
        package.change(&copy)?;
    }
    let members: Vec<String> = packages.iter().map(|it| format!("{:?}", it.name)).collect();
    let text = format!("[workspace]\nresolver = \"3\"\nmembers = [{}]\n", members.join(", "));
    write(&folder.join("Cargo.toml"), &text)
}

/// Returns the folder where cargo keeps the sources of a package.
fn source_of(sources: &Path, package: &Adopter) -> Result<PathBuf, Failure> {
    let mut command = step::cargo();
    command.args(["metadata", "--format-version", "1", "--manifest-path"]);
    let output = command.arg(sources.join("Cargo.toml")).output();
    let output = output.map_err(|error| format!("cannot run `cargo metadata`: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let metadata: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let folder = packages
        .filter(|it| {
            it["name"] == package.name.as_str() && it["version"] == package.version.as_str()
        })
        .find_map(|it| Path::new(it["manifest_path"].as_str()?).parent());
    folder.map(Path::to_owned).ok_or_else(|| {
        format!("`cargo metadata` does not list the package `{}` {}", package.name, package.version)
    })
}

/// Runs the tests of a package. Returns whether at least one test passed, and exactly those known to fail failed.
fn test(folder: &Path, package: &Adopter) -> Outcome {
    step::say(&format!("==> {} {}\n", package.name, package.version));
    let mut command: Command = step::cargo();
    command.current_dir(folder).args(["test", "--no-fail-fast", "--package", &package.name]);
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    let output = command.stderr(std::process::Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot run `cargo test`: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let with_outcome = |suffix: &str| -> Vec<&str> {
        let tests = text.lines().filter_map(|line| line.strip_prefix("test "));
        tests.filter_map(|line| line.strip_suffix(suffix)).collect()
    };
    let (passed, failed) = (with_outcome(" ... ok"), with_outcome(" ... FAILED"));
    let is_known = |test: &&str| package.known_failures.iter().any(|known| known == test);
    let unlisted: Vec<_> = failed.iter().filter(|test| !is_known(test)).collect();
    let stale: Vec<_> =
        package.known_failures.iter().filter(|it| !failed.contains(&it.as_str())).collect();
    let known_count = failed.len() - unlisted.len();
    step::say(&format!(
        "{} {}: {} passed, {known_count} known to fail, {} failed\n",
        package.name,
        package.version,
        passed.len(),
        unlisted.len()
    ));
    unlisted.iter().for_each(|test| step::say(&format!("failed: {test}\n")));
    stale.iter().for_each(|test| {
        step::say(&format!("listed as failing, but it passed or was not run: {test}\n"))
    });
    if passed.is_empty() || !unlisted.is_empty() {
        step::say(&text);
    }
    Ok(!passed.is_empty() && unlisted.is_empty() && stale.is_empty())
}
