//! A copy of the workspace in a folder of its own, in which suites edit, build and pack. It is no target by itself.
//! Invariant: the workspace itself is never written to, and nothing that was edited in an earlier run is left.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use std::{env, fs};

/// The copy.
pub(crate) struct Workshop {
    folder: PathBuf,
    target: PathBuf,
}

/// Where the results of a copy stand.
#[derive(Clone, Copy, PartialEq)]
#[expect(dead_code, reason = "each suite needs one of the two")]
pub(crate) enum Results {
    /// In a folder that all suites share, so that what is built of other people's packages serves them all.
    Shared,
    /// In a folder that is named by what the files of the copy hold. Cargo unpacks the packages of a folder once and
    /// for all into its home, by the folder's path, and would build the archives of an earlier state again.
    OfTheseFilesAlone,
}

/// What cargo did.
pub(crate) struct Build {
    /// Whether it went well.
    pub(crate) is_good: bool,
    /// What it said.
    pub(crate) said: String,
}

impl Workshop {
    /// Copies all files that git knows or would know. Suites with different names do not see each other's edits.
    pub(crate) fn new(name: &str, results: Results) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
        let test = env::current_exe().expect("the path of the test");
        // The test is in `<target>/<profile>/deps`.
        let target = test.ancestors().nth(3).expect("the target folder").join("tests/workshop");
        let folder = target.join("copies").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("the copy of the last run can be removed");
        }
        let files = files(root);
        for file in &files {
            let (from, to) = (root.join(file), folder.join(file));
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder can be made");
            // Git still lists what was deleted a moment ago.
            if from.is_file() {
                fs::copy(&from, &to).expect("a file can be copied");
            }
        }
        let target = match results {
            Results::Shared => target,
            Results::OfTheseFilesAlone => {
                let parent = target.join(name);
                if parent.exists() {
                    fs::remove_dir_all(&parent).expect("results of the last run can be removed");
                }
                parent.join(fingerprint(&folder, &files))
            }
        };
        Self { folder, target }
    }

    /// The path of a file of the copy.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Where the results are.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Runs cargo in the copy, without a network, and prints how long it took.
    pub(crate) fn cargo(&self, what: &str, arguments: &[&str]) -> Build {
        let start = Instant::now();
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.folder).args(arguments).arg("--offline");
        command.env("CARGO_TARGET_DIR", &self.target).env("CARGO_TERM_COLOR", "never");
        // What the suite is run with must not change what is said here.
        for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TERM_QUIET"] {
            command.env_remove(name);
        }
        let output = command.output().expect("cargo can be run");
        report(what, start.elapsed());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Build { is_good: output.status.success(), said }
    }
}

/// Prints how long something took.
fn report(what: &str, elapsed: Duration) {
    println!("{what}: {:.1} s", elapsed.as_secs_f64());
}

/// A number that differs where names or contents of the files differ.
fn fingerprint(folder: &Path, files: &[PathBuf]) -> String {
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        // Git still lists what was deleted a moment ago; it was not copied.
        fs::read(folder.join(file)).ok().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// The files of the workspace, as paths from its root. An unpacked archive has no git; then all but targets.
fn files(root: &Path) -> Vec<PathBuf> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let listed = Command::new("git").current_dir(root).args(arguments).output();
    match listed {
        Ok(Output { status, stdout, .. }) if status.success() => {
            let names = String::from_utf8(stdout).expect("names of files are UTF-8");
            names.split_terminator('\0').map(PathBuf::from).collect()
        }
        _ => {
            let mut found = Vec::new();
            walk(root, Path::new(""), &mut found);
            found
        }
    }
}

fn walk(root: &Path, folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(root.join(folder)).expect("a folder can be listed") {
        let entry = entry.expect("an entry");
        let path = folder.join(entry.file_name());
        if !entry.path().is_dir() {
            found.push(path);
        } else if entry.file_name() != "target" && entry.file_name() != ".git" {
            walk(root, &path, found);
        }
    }
}
