//! A fresh copy of the workspace, in which suites edit, build and pack.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};
use std::{env, fs};

/// A copy of the workspace.
pub(crate) struct Workshop {
    folder: PathBuf,
    target: PathBuf,
}

/// The location of a copy's build results.
#[derive(Clone, Copy, PartialEq)]
#[expect(dead_code, reason = "each suite uses only one of the variants")]
pub(crate) enum Results {
    /// A folder shared by all suites, so that dependencies are built once.
    Shared,
    /// A folder named after a hash of the copy's files. Cargo unpacks packages to its home once per source folder, and
    /// would reuse archives of an earlier state.
    PerSource,
}

/// The result of running cargo in a copy.
pub(crate) struct Build {
    /// Whether the build succeeded.
    pub(crate) is_successful: bool,
    /// The standard error of cargo, which includes its messages.
    pub(crate) messages: String,
}

impl Workshop {
    /// Copies all files that are or would be tracked by git. Suites with different names do not share edits.
    pub(crate) fn new(name: &str, results: Results) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let executable = env::current_exe().unwrap();
        // The executable of the test is in `<target>/<profile>/deps`, so its third ancestor is the target folder.
        let target = executable.ancestors().nth(3).unwrap().join("tests/workshop");
        let folder = target.join("copies").join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let files = files(root);
        for file in &files {
            let (from, to) = (root.join(file), folder.join(file));
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            // Git also lists files that were deleted without being removed from its index.
            if from.is_file() {
                fs::copy(&from, &to).unwrap();
            }
        }
        let target = match results {
            Results::Shared => target,
            Results::PerSource => {
                let parent = target.join(name);
                if parent.exists() {
                    fs::remove_dir_all(&parent).unwrap();
                }
                parent.join(fingerprint(&folder, &files))
            }
        };
        Self { folder, target }
    }

    /// Returns the path of a file in the copy.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Returns the folder of build results.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// Runs cargo in the copy, offline, and prints its duration.
    pub(crate) fn cargo(&self, description: &str, arguments: &[&str]) -> Build {
        let start = Instant::now();
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.folder).args(arguments).arg("--offline");
        command.env("CARGO_TARGET_DIR", &self.target).env("CARGO_TERM_COLOR", "never");
        // Settings in the environment of the test run must not affect the messages.
        for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_TERM_QUIET"] {
            command.env_remove(name);
        }
        let output = command.output().expect("cargo can be run");
        report(description, start.elapsed());
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        Build { is_successful: output.status.success(), messages }
    }
}

/// Prints a description, and the duration of what it describes.
fn report(description: &str, elapsed: Duration) {
    println!("{description}: {:.1} s", elapsed.as_secs_f64());
}

/// Returns a hash of the names and contents of the files.
fn fingerprint(folder: &Path, files: &[PathBuf]) -> String {
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        // A file that git lists may have been deleted, in which case it was not copied and counts as `None`.
        fs::read(folder.join(file)).ok().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// Returns the files of the workspace, relative to its root. In an unpacked archive, which is no git repository, these
/// are all files outside target folders.
fn files(root: &Path) -> Vec<PathBuf> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let output = Command::new("git").current_dir(root).args(arguments).output();
    match output {
        Ok(Output { status, stdout, .. }) if status.success() => {
            let names = String::from_utf8(stdout).unwrap();
            names.split_terminator('\0').map(PathBuf::from).collect()
        }
        _ => {
            let mut files = Vec::new();
            walk(root, Path::new(""), &mut files);
            files
        }
    }
}

fn walk(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in
        fs::read_dir(root.join(folder)).expect("the folders of the workspace can be listed")
    {
        let entry = entry.unwrap();
        let path = folder.join(entry.file_name());
        if !entry.path().is_dir() {
            files.push(path);
        } else if entry.file_name() != "target" && entry.file_name() != ".git" {
            walk(root, &path, files);
        }
    }
}
