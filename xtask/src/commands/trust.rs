//! What users of the library trust besides it: each dependency, its reason, licence, and lines of `unsafe`.
//!
//! usage: cargo xtask trust [--advisories]
//!
//! The dependencies are those of a user's project with all features of the package `tabulex`, on any system. Each must have a reason in
//! xtask/dependencies.toml, come from the registry of cargo, and be there in one version; its licence must be among those
//! that deny.toml allows, as must the licences of all that the workspace is built and tested with. Counted are lines of code
//! in `unsafe` blocks, functions, implementations and traits in the folder of the library. Then `cargo deny` checks bans, licences and
//! sources of the whole workspace, if it is installed.
//!
//!   --advisories   `cargo deny` looks for advisories as well, which it fetches
//!
//! example: cargo xtask trust
//!
//! Invariant: the status is 0 only if every dependency has a reason, and every reason its dependency.

mod unsafe_lines;

use crate::{Failure, Outcome, root, step};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use toml_edit::DocumentMut;
use unsafe_lines::Lines;

/// The package whose dependencies are those of users.
const LIBRARY: &str = "tabulex";

/// A licence that asks something of whoever changes the code, unlike the others that deny.toml allows.
const TOLD_LICENCE: &str = "MPL-2.0";

/// The texts in which users choose features, each of which must say which one brings code under [`TOLD_LICENCE`].
const TOLD_IN: [&str; 3] = ["README.md", "runtime/Cargo.toml", "runtime/src/lib.rs"];

/// What the reason of a package says that is there in two versions because two others want it so.
const IN_TWO_VERSIONS: &str = "in two versions";

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let mut advisories = false;
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            lexopt::Arg::Long("advisories") => advisories = true,
            other => return Err(other.unexpected().to_string()),
        }
    }
    let metadata = metadata("")?;
    let reasons = reasons()?;
    let mut wrong = wrong_licences(&metadata, "deny.toml")?;
    let told: Result<Vec<_>, Failure> =
        TOLD_IN.iter().map(|name| Ok((name, read(name)?))).collect();
    let told = told?;
    let mut all = Lines::default();
    let mut names = BTreeSet::new();
    step::say("package              version   unsafe lines  licence; reason\n");
    for package in of_the_library(&metadata)? {
        let name = package.text("name");
        let is_library =
            |it: &&Value| ["lib", "rlib", "proc-macro"].iter().any(|kind| it["kind"][0] == *kind);
        let library = package.list("targets").iter().find(is_library).ok_or("no library")?;
        let folder = Path::new(library.text("src_path")).parent().unwrap_or(Path::new("."));
        let lines = unsafe_lines::in_folder(folder)?;
        all += lines;
        let counted = format!("{}/{}", lines.of_unsafe, lines.all);
        let (version, licence) = (package.text("version"), package.text("license"));
        let reason = reasons.get(name).map_or("", |reason| reason);
        step::say(&format!("{name:<20} {version:<9} {counted:>12}  {licence}; {reason}\n"));
        if reason.is_empty() {
            wrong.push(format!("{name} has no reason in xtask/dependencies.toml"));
        }
        if package.text("source") != REGISTRY {
            wrong.push(format!("{name} does not come from the registry of cargo"));
        }
        if licence == TOLD_LICENCE {
            for (text, said) in &told {
                if !said.lines().any(|it| it.contains(TOLD_LICENCE) && it.contains(name)) {
                    wrong.push(format!("{text} does not say that {name} is under {TOLD_LICENCE}"));
                }
            }
        }
        if !names.insert(name.to_owned()) && !reason.contains(IN_TWO_VERSIONS) {
            wrong.push(format!("{name} is there in two versions"));
        }
    }
    let Lines { of_unsafe, all } = all;
    step::say(&format!("all {}: {of_unsafe} lines of unsafe code of {all}\n", names.len()));
    let superfluous = reasons.keys().filter(|name| !names.contains(*name));
    wrong.extend(superfluous.map(|name| format!("{name} is no dependency, but has a reason")));
    for line in &wrong {
        step::say(&format!("{line}\n"));
    }
    Ok(deny("", advisories)? && wrong.is_empty())
}

/// Where packages come from, as cargo names it.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The licences and sources of all that another workspace of this repository is built with: that in this folder, which has a
/// deny.toml of its own.
pub(super) fn of_workspace(folder: &str) -> Outcome {
    let metadata = metadata(folder)?;
    let mut wrong = wrong_licences(&metadata, &format!("{folder}/deny.toml"))?;
    let others =
        metadata.list("packages").iter().filter(|it| !["", REGISTRY].contains(&it.text("source")));
    wrong.extend(
        others.map(|it| format!("{} does not come from the registry of cargo", it.text("name"))),
    );
    for line in &wrong {
        step::say(&format!("{folder}: {line}\n"));
    }
    Ok(wrong.is_empty() && deny(folder, false)?)
}

/// What cargo knows of the workspace in a folder, and of all its dependencies.
fn metadata(folder: &str) -> Result<Value, Failure> {
    let mut command = step::cargo();
    command.current_dir(root::root().join(folder));
    command.args(["metadata", "--format-version", "1", "--locked", "--all-features"]);
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// Texts of a value of cargo's.
trait Texts {
    /// The text of this key, empty if there is none.
    fn text(&self, key: &str) -> &str;
    /// The values of this key.
    fn list(&self, key: &str) -> &[Value];
}

impl Texts for Value {
    fn text(&self, key: &str) -> &str {
        self[key].as_str().unwrap_or_default()
    }

    fn list(&self, key: &str) -> &[Value] {
        self[key].as_array().map_or(&[], Vec::as_slice)
    }
}

/// The packages that the library is built with, by name: what cargo's own resolver finds without what only tests need.
fn of_the_library(metadata: &Value) -> Result<Vec<&Value>, Failure> {
    let mut command = step::cargo();
    command.args([
        "tree",
        "--locked",
        "--all-features",
        "--edges",
        "normal,build",
        "--target",
        "all",
    ]);
    command.args(["--prefix", "none", "--format", "{p}", "--package", LIBRARY]);
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    // `NAME vVERSION`, and for packages of the workspace their folder.
    let versions: BTreeSet<(&str, &str)> = listed
        .lines()
        .filter(|line| !line.contains("(/") && !line.contains(":\\"))
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?, words.next()?.strip_prefix('v')?))
        })
        .collect();
    let key =
        |package: &'_ &Value| (package.text("name").to_owned(), package.text("version").to_owned());
    let is_listed =
        |package: &&Value| versions.contains(&(package.text("name"), package.text("version")));
    let mut found: Vec<&Value> = metadata.list("packages").iter().filter(is_listed).collect();
    found.sort_by_key(key);
    match found.len() == versions.len() {
        true => Ok(found),
        false => Err(format!(
            "cargo tree lists {} packages, of which {} are known",
            versions.len(),
            found.len()
        )),
    }
}

/// The reasons of dependencies.
fn reasons() -> Result<BTreeMap<String, String>, Failure> {
    let file = toml("xtask/dependencies.toml")?;
    let text = |item: &toml_edit::Item| item.as_str().unwrap_or_default().to_owned();
    Ok(file.iter().map(|(name, reason)| (name.to_owned(), text(reason))).collect())
}

/// The text of a file, named from the root.
fn read(name: &str) -> Result<String, Failure> {
    let text = std::fs::read_to_string(root::root().join(name));
    text.map_err(|error| format!("cannot read {name}: {error}"))
}

fn toml(name: &str) -> Result<DocumentMut, Failure> {
    read(name)?.parse().map_err(|error| format!("{name}: {error}"))
}

/// What is wrong about licences: packages of which no licence is one that the file allows.
fn wrong_licences(metadata: &Value, file: &str) -> Result<Vec<String>, Failure> {
    let file = toml(file)?;
    let allowed = file["licenses"]["allow"].as_array().ok_or("deny.toml allows no licences")?;
    let allowed: BTreeSet<&str> = allowed.iter().filter_map(|licence| licence.as_str()).collect();
    let is_allowed = |written: &str| {
        let mode = spdx::ParseMode::LAX;
        let expression = spdx::Expression::parse_mode(written, mode);
        expression.is_ok_and(|expression| {
            expression.evaluate(|licence| allowed.contains(&licence.to_string()[..]))
        })
    };
    let packages = metadata.list("packages").iter();
    let wrong = packages.filter(|package| !is_allowed(package.text("license")));
    Ok(wrong
        .map(|package| {
            let (name, licence) = (package.text("name"), package.text("license"));
            format!("the licence of {name}, {licence:?}, is not among those that deny.toml allows")
        })
        .collect())
}

/// Runs `cargo deny` on the workspace in a folder, or says how to get it.
fn deny(folder: &str, advisories: bool) -> Outcome {
    let found = Command::new("cargo-deny").arg("--version").output();
    if !found.is_ok_and(|output| output.status.success()) {
        step::say("absent: cargo deny; `cargo install --locked cargo-deny` gets it\n");
        return Ok(!advisories);
    }
    let mut command = step::cargo();
    command.current_dir(root::root().join(folder));
    command.args(["deny", "--all-features", "check", "bans", "licenses", "sources"]);
    if advisories {
        command.arg("advisories");
    }
    step::run(&mut command)
}
