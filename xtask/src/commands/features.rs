//! Each feature of each published package by itself: that it builds without the others.
//!
//! usage: cargo xtask features [PACKAGE...]
//!
//! Each package, or each of those named, is checked without features, with each of its features alone, and with all of them.
//! Packages are checked one by one, so that no other package's features are on. The status is 0 if all of it builds.
//!
//! example: cargo xtask features tabulex-text
//!
//! Invariant: a feature that the manifest declares is checked; there is no list of features here.

use crate::{Failure, Outcome, step};
use serde_json::Value;

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let mut names = Vec::new();
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            lexopt::Arg::Value(name) => names.push(name.to_string_lossy().into_owned()),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let packages = packages()?;
    if let Some(name) = names.iter().find(|name| packages.iter().all(|(it, _)| it != *name)) {
        return Err(format!("no package {name:?} is published"));
    }
    let wanted = |name: &String| names.is_empty() || names.contains(name);
    let (mut count, mut failed) = (0, Vec::new());
    for (name, features) in packages.iter().filter(|(name, _)| wanted(name)) {
        let alone = features.iter().map(|feature| vec!["--no-default-features", "-F", feature]);
        let all = [vec!["--no-default-features"], vec!["--all-features"]];
        for options in alone.chain(all) {
            let shown = format!("{name} {}", options.join(" "));
            step::say(&format!("==> {shown}\n"));
            let mut check = step::cargo();
            check.args(["check", "--quiet", "--package", name]).args(&options);
            count += 1;
            if !step::run(&mut check)? {
                failed.push(shown);
            }
        }
    }
    failed.iter().for_each(|shown| step::say(&format!("FAILED {shown}\n")));
    step::say(&format!("{count} sets of features: {} do not build\n", failed.len()));
    Ok(failed.is_empty())
}

/// What cargo knows of the workspace.
pub(super) fn metadata() -> Result<Value, Failure> {
    let mut command = step::cargo();
    command.args(["metadata", "--format-version", "1", "--no-deps", "--locked"]);
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// The published packages of the workspace, each with its features.
fn packages() -> Result<Vec<(String, Vec<String>)>, Failure> {
    let metadata = metadata()?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    // What is not to be published has an empty list of registries.
    let published = packages.filter(|package| package["publish"].is_null());
    let features = |package: &Value| {
        let features = package["features"].as_object().into_iter().flatten();
        features.map(|(name, _)| name.clone()).filter(|name| name != "default").collect()
    };
    let name = |package: &Value| package["name"].as_str().unwrap_or_default().to_owned();
    Ok(published.map(|package| (name(package), features(package))).collect())
}
