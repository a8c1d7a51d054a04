//! What a new version would break: the interfaces of the published libraries beside those of the last release.
//!
//! usage: cargo xtask semver [--baseline COMMIT] [PACKAGE...]
//!
//! cargo-semver-checks compares each library, or each of those named, with the one of the last tag; without a tag nothing
//! is released, and a line says so. What is hidden or of macros it does not see. The status is 0 if nothing is broken; what
//! is broken on purpose stands in CHANGELOG.md, and wants another version.
//!
//!   --baseline COMMIT   compares with this commit instead
//!
//! example: cargo xtask semver --baseline HEAD~20 tabulex-core
//!
//! Invariant: a library that is published is compared; there is no list of libraries here.

use super::features::metadata;
use crate::{Outcome, root, step};
use lexopt::Arg;
use serde_json::Value;
use std::process::Command;

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let (mut baseline, mut names) = (None, Vec::new());
    let failure = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(failure)? {
        match argument {
            Arg::Long("baseline") => {
                baseline = Some(parser.value().map_err(failure)?.to_string_lossy().into_owned());
            }
            Arg::Value(name) => names.push(name.to_string_lossy().into_owned()),
            other => return Err(other.unexpected().to_string()),
        }
    }
    let libraries = libraries(&metadata()?);
    if let Some(name) = names.iter().find(|name| !libraries.contains(name)) {
        return Err(format!("no library {name:?} is published"));
    }
    let Some(baseline) = baseline.or_else(last_tag) else {
        step::say(
            "no tag: nothing is released yet; --baseline COMMIT compares with a commit\n0 passed, 0 failed, 1 skipped\n",
        );
        return Ok(true);
    };
    let installed = step::cargo().args(["semver-checks", "--version"]).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        step::say(
            "cargo-semver-checks is absent; to get it: cargo install --locked cargo-semver-checks\n0 passed, 0 failed, 1 skipped\n",
        );
        return Ok(true);
    }
    let mut broken = Vec::new();
    let wanted = |name: &&String| names.is_empty() || names.contains(name);
    let wanted: Vec<&String> = libraries.iter().filter(wanted).collect();
    for name in &wanted {
        let mut command = step::cargo();
        command.args(["semver-checks", "check-release", "--package", name]);
        // What breaks users, whatever the version says.
        command.args(["--baseline-rev", &baseline, "--release-type", "minor"]);
        if !step::run(&mut command)? {
            broken.push(name.as_str());
        }
    }
    broken.iter().for_each(|name| step::say(&format!("FAILED {name}\n")));
    let passed = wanted.len() - broken.len();
    step::say(&format!("beside {baseline}: {passed} passed, {} failed\n", broken.len()));
    Ok(broken.is_empty())
}

/// The last tag before this commit, if there is one.
fn last_tag() -> Option<String> {
    let mut git = Command::new("git");
    git.args(["describe", "--tags", "--abbrev=0"]).current_dir(root::root());
    let output = git.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The published packages with a library that has documentation, and so an interface.
fn libraries(metadata: &Value) -> Vec<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    // What is not to be published has an empty list of registries.
    let published = packages.filter(|package| package["publish"].is_null());
    let is_library = |target: &Value| {
        let kinds = target["kind"].as_array().into_iter().flatten();
        kinds.into_iter().any(|kind| kind == "lib") && target["doc"] == true
    };
    let libraries = published
        .filter(|package| package["targets"].as_array().into_iter().flatten().any(is_library));
    libraries.filter_map(|package| Some(package["name"].as_str()?.to_owned())).collect()
}
