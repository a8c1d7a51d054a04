//! The copy of the workspace with all changes in it, and its programs of tests. It runs none. Invariant: what is built
//! has each change that compiles, and none that does not.

use super::Package;
use super::known::{Refused, key};
use super::points::{self, Point};
use crate::root::root;
use crate::{Failure, step};
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program of tests.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// Its file.
    pub(super) file: PathBuf,
    /// The folder of its package, where cargo runs it.
    pub(super) folder: PathBuf,
}

/// What was built.
pub(super) struct Built {
    /// The changes in it.
    pub(super) points: Vec<Point>,
    /// How many changes do not compile.
    pub(super) refused: usize,
    /// The tests.
    pub(super) programs: Vec<Program>,
}

/// What chooses a change, or records which are reached; a file of the changed package.
const CHOSEN: &str = r#"//! Which change is made: the one whose number is in the environment.
#![allow(missing_docs, clippy::all)]

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex};

const RECORD: u32 = u32::MAX;
const UNREAD: u32 = RECORD - 1;
static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);
static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
static FILE: LazyLock<Option<Mutex<std::fs::File>>> = LazyLock::new(|| {
    let file = std::env::var_os("TABULEX_REACHED")?;
    std::fs::OpenOptions::new().append(true).create(true).open(file).ok().map(Mutex::new)
});

#[inline]
pub fn is(id: u32) -> bool {
    let chosen = CHOSEN.load(Ordering::Relaxed);
    // A number of a change is far below those with another meaning.
    if chosen >= UNREAD { with_a_meaning(chosen, id) } else { chosen == id }
}

#[cold]
fn with_a_meaning(chosen: u32, id: u32) -> bool {
    if chosen == RECORD {
        record(id);
        return false;
    }
    let chosen = match std::env::var("TABULEX_CHOSEN") {
        Ok(number) => number.parse().unwrap_or(RECORD),
        Err(_) => UNREAD - 1,
    };
    CHOSEN.store(chosen, Ordering::Relaxed);
    is(id)
}

fn record(id: u32) {
    if SEEN[id as usize].swap(true, Ordering::Relaxed) {
        return;
    }
    if let Some(file) = &*FILE {
        if let Ok(mut file) = file.lock() {
            let _ = writeln!(file, "{id}");
        }
    }
}
"#;

/// How often what does not compile is taken out before it is given up.
const ROUNDS: usize = 30;

/// Makes the copy, and builds it without the changes that do not compile.
pub(super) fn build(package: &Package, parts: &[&Path]) -> Result<Built, Failure> {
    let copy = folder().join(package.name);
    copy_workspace(&copy)?;
    let mut refused = Refused::read(package.name);
    for _ in 0..ROUNDS {
        let (points, left_out) = change(&copy, package, parts, &refused)?;
        let found = check(&copy, package, &points)?;
        if found.is_empty() {
            refused.write()?;
            step::say(&format!("{} changes, {left_out} more that do not compile\n", points.len(),));
            let programs = programs(&copy, package)?;
            return Ok(Built { points, refused: left_out, programs });
        }
        refused.0.extend(points.iter().filter(|point| found.contains(&point.id)).map(key));
    }
    Err(format!("{}: changes do not compile, and which is not found", package.name))
}

/// The folder of all that this command writes.
pub(super) fn folder() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR");
    named.map_or_else(|| root().join("target"), PathBuf::from).join("survivors")
}

/// Copies what git knows of.
fn copy_workspace(copy: &Path) -> Result<(), Failure> {
    let mut git = Command::new("git");
    let listed = git
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output();
    let listed = listed.map_err(|error| format!("cannot run git: {error}"))?;
    for file in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|file| !file.is_empty())
    {
        // A file that was removed and is still known.
        if let Ok(content) = fs::read(root().join(file)) {
            write(&copy.join(file), &content)?;
        }
    }
    Ok(())
}

/// Writes a file, unless it is as it should be: what stays as it was is not compiled again.
fn write(file: &Path, content: &[u8]) -> Result<(), Failure> {
    if fs::read(file).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let failure = |error| format!("cannot write {}: {error}", file.display());
    fs::create_dir_all(file.parent().unwrap_or(file)).map_err(failure)?;
    fs::write(file, content).map_err(failure)
}

/// Writes the changed files. Returns the changes in them, and how many are left out of them.
fn change(
    copy: &Path,
    package: &Package,
    parts: &[&Path],
    refused: &Refused,
) -> Result<(Vec<Point>, usize), Failure> {
    let (mut next, mut all) = (0, Vec::new());
    let source = Path::new(package.folder).join("src");
    for file in rust_files(&source)? {
        if !parts.iter().any(|part| file.starts_with(part)) {
            continue;
        }
        let read = |path: &Path| {
            fs::read_to_string(path)
                .map_err(|error| format!("cannot read {}: {error}", path.display()))
        };
        let text = read(&root().join(&file))?;
        let (written, points) =
            points::changed(&file.to_string_lossy(), &text, &mut next, &|point| {
                refused.0.contains(&key(point))
            })?;
        write(&copy.join(&file), written.as_bytes())?;
        all.extend(points);
    }
    let entry = copy.join(&source).join("lib.rs");
    let mut text = fs::read_to_string(&entry)
        .map_err(|error| format!("cannot read {}: {error}", entry.display()))?;
    let declaration = "\n#[doc(hidden)]\npub mod __chosen;\n";
    if !text.ends_with(declaration) {
        text.push_str(declaration);
        write(&entry, text.as_bytes())?;
    }
    let module = CHOSEN.replace("COUNT", &(next as usize).to_string());
    write(&copy.join(&source).join("__chosen.rs"), module.as_bytes())?;
    let left_out = next as usize - all.len();
    Ok((all, left_out))
}

/// The files of Rust in a folder and below, from the root.
fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(root().join(&folder))
            .map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
        for entry in entries.filter_map(Result::ok) {
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Cargo in the copy; no warning is of interest.
fn cargo(copy: &Path) -> Command {
    let mut command = step::cargo();
    command
        .current_dir(copy)
        .env("CARGO_TARGET_DIR", folder().join("target"))
        // The programs are built once, and nobody steps through them.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_CAMPAIGN_DEBUG", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_TEST_DEBUG", "0")
        .env("RUSTFLAGS", "-Awarnings -Aarithmetic_overflow -Aunconditional_panic");
    command.stdout(Stdio::piped()).stderr(Stdio::inherit());
    command
}

/// The messages of a run of cargo.
fn messages(command: &mut Command) -> Result<(bool, Vec<Value>), Failure> {
    let output = command.output().map_err(|error| format!("cannot run cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    Ok((output.status.success(), messages))
}

/// The changes that do not compile: those on the lines of the errors.
fn check(copy: &Path, package: &Package, points: &[Point]) -> Result<HashSet<u32>, Failure> {
    let mut command = cargo(copy);
    command.args([
        "check",
        "--quiet",
        "--all-features",
        "--message-format",
        "json",
        // Where the tests are built, too: another package may be at work in the folder of another profile.
        "--profile",
        package.profile,
        "--manifest-path",
    ]);
    command.arg(copy.join(package.folder).join("Cargo.toml"));
    let (is_well, messages) = messages(&mut command)?;
    if is_well {
        return Ok(HashSet::new());
    }
    let known: HashSet<u32> = points.iter().map(|point| point.id).collect();
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut found = HashSet::new();
    let (mut first, mut unplaced) = (None, 0);
    for message in messages.iter().filter(|message| message["message"]["level"] == "error") {
        let message = &message["message"];
        first = first.or_else(|| message["rendered"].as_str().map(str::to_owned));
        let spans: Vec<&Value> = message["spans"].as_array().into_iter().flatten().collect();
        let before = found.len();
        for span in spans.iter().filter(|span| span["is_primary"] == true) {
            let Some(file) = span["file_name"].as_str() else { continue };
            let text = texts
                .entry(file.to_owned())
                .or_insert_with(|| fs::read_to_string(copy.join(file)).unwrap_or_default());
            let (from, to) = (line(span, "line_start"), line(span, "line_end"));
            found.extend(numbers(text, from, to).filter(|id| known.contains(id)));
        }
        unplaced += usize::from(found.len() == before && !spans.is_empty());
    }
    if found.is_empty() {
        let first = first.unwrap_or_default();
        return Err(format!("{unplaced} errors are at no change; the first:\n{first}"));
    }
    Ok(found)
}

/// A line of a span, from 1.
fn line(span: &Value, name: &str) -> usize {
    span[name].as_u64().unwrap_or_default() as usize
}

/// The numbers of the changes that begin on these lines; if there are none, of those on the nearest line before.
fn numbers(text: &str, from: usize, to: usize) -> impl Iterator<Item = u32> {
    let lines: Vec<&str> = text.lines().collect();
    let on = |line: &str| -> Vec<u32> {
        let pieces = line.split("crate::__chosen::is(").skip(1);
        pieces.filter_map(|piece| piece.split(')').next()?.parse().ok()).collect()
    };
    let mut found: Vec<u32> =
        lines.iter().take(to).skip(from - 1).flat_map(|line| on(line)).collect();
    let mut at = from - 1;
    while found.is_empty() && at > 0 {
        at -= 1;
        found = lines.get(at).map(|line| on(line)).unwrap_or_default();
    }
    found.into_iter()
}

/// Builds the tests.
fn programs(copy: &Path, package: &Package) -> Result<Vec<Program>, Failure> {
    let mut command = cargo(copy);
    command
        .args([
            "test",
            "--no-run",
            "--quiet",
            "--message-format",
            "json",
            "--profile",
            package.profile,
        ])
        .args(package.targets);
    let (is_well, messages) = messages(&mut command)?;
    if !is_well {
        let texts = messages.iter().filter_map(|message| message["message"]["rendered"].as_str());
        return Err(format!("the tests do not compile:\n{}", texts.collect::<String>()));
    }
    let mut programs = Vec::new();
    for message in &messages {
        let (Some(file), Some(manifest)) =
            (message["executable"].as_str(), message["manifest_path"].as_str())
        else {
            continue;
        };
        if message["profile"]["test"] == true {
            let folder = Path::new(manifest).parent().unwrap_or(copy).to_owned();
            programs.push(Program { file: file.into(), folder });
        }
    }
    Ok(programs)
}
