//! Which small changes of the code no test notices.
//!
//! usage: cargo xtask survivors [--sample N] [--seed N] [--seconds N] [--jobs N] [--longest N] [--resume] [--list]
//!                              [--only ID] [PART...]
//!
//!   PART           a package (core, language, compiler, select, text, edit, sanitize, rewrite), or a file or folder in
//!                  one; the core, if there is none
//!   --sample N     how many changes are tried (100); 0 for all
//!   --seed N       which ones (1); the same number takes the same, and a larger sample has the smaller one in it
//!   --seconds N    no further change is tried after this time; how many were is reported
//!   --jobs N       how many at once (as many as there are processors)
//!   --longest N    tests that take longer, in seconds, are not asked (10)
//!   --resume       what an earlier run has noticed counts as noticed; survivors are tried again
//!   --list         survivors as entries of the file that lists them
//!   --only ID      one change alone, whose failing tests are shown
//!
//! All changes of a package are built into one program, in a copy of the workspace; a variable of the environment chooses
//! the one that is made. A condition is turned around, a bound moved by one, an operator exchanged, a statement left out,
//! a function left at once. A first run without a change finds out which tests reach which change; only those are run for
//! it, short ones and those that notice much first. What no test reaches is a survivor as well.
//!
//! tests/survivors.json lists survivors that change nothing but work or memory, or nothing at all, each with the reason.
//! They are counted apart. It lists functions as well all of whose changes are such; these are not tried, and no change
//! is made of calls that only make room (`reserve` and the like) and of what is added to counts of steps.
//! The status is 1 if one is noticed after all, if an entry is no change of the code, or if less than 90 % of the others
//! are noticed.
//!
//! target/survivors/report.md has the score of each file, and each survivor with its line; unreached-PACKAGE.md each
//! change that no test reaches, tried or not. What a test takes and reaches is kept until its program is another one.
//!
//! example: cargo xtask survivors --sample 50 runtime/core/src/construct
//!
//! Invariant: the files of the workspace stay as they are; a change that does not compile counts for nothing.

mod build;
mod known;
mod points;
mod reach;
mod report;
mod trial;

use crate::root::root;
use crate::{Failure, Outcome, step};
use known::{Earlier, Listed};
use lexopt::{Arg, ValueExt as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A package whose code is changed, and the tests that are asked.
struct Package {
    name: &'static str,
    /// Its folder, from the root.
    folder: &'static str,
    /// What is built: arguments of `cargo test --no-run`.
    targets: &'static [&'static str],
    /// What the tests are built with: where machines are compiled, optimizing them takes longer than it saves.
    profile: &'static str,
    /// Parts of names of tests that are left out: they build other programs, or take minutes.
    skipped: &'static [&'static str],
}

/// The packages that have code of their own; tables are not code, and what only reads documents makes no parser.
const PACKAGES: [Package; 8] = [
    Package {
        name: "core",
        folder: "runtime/core",
        targets: &[
            "--package",
            "tabulex-core",
            "--package",
            "tabulex",
            "--package",
            "tabulex-tests",
            // They ask trees what nobody else does.
            "--package",
            "tabulex-select",
            "--package",
            "tabulex-text",
            "--package",
            "tabulex-edit",
            "--package",
            "tabulex-sanitize",
            "--package",
            "tabulex-rewrite",
            "--tests",
            "--lib",
        ],
        profile: "test",
        skipped: &[
            "edit::",
            "cli::",
            "documents::",
            "package",
            "workshop::",
            "users_build",
            "help",
            // They begin a process for each of many inputs, whose time no bound on the test's own holds.
            "memory_of_a_process",
            "large_documents",
            "shapes_are_linear",
            "exceptions_are_what_they_say",
            "searched_inputs",
            "real_files",
            "xml_files",
            "time_of_microxml",
            "files_by_microxml",
        ],
    },
    Package {
        name: "language",
        folder: "spec/language",
        targets: &[
            "--package",
            "tabulex-language",
            "--package",
            "tabulex-oracle",
            // The code of all tables changes with what is read from them.
            "--package",
            "tabulex-compiler",
            "--tests",
            "--lib",
        ],
        profile: "campaign",
        skipped: &["rustc_names_every_place"],
    },
    Package {
        name: "compiler",
        folder: "macros/compiler",
        targets: &["--package", "tabulex-compiler", "--tests", "--lib"],
        profile: "campaign",
        skipped: &[],
    },
    // The tests of the libraries upon the core stand with them.
    Package {
        name: "select",
        folder: "runtime/select",
        // The rewriter selects while it reads.
        targets: &[
            "--package",
            "tabulex-select",
            "--package",
            "tabulex-rewrite",
            "--tests",
            "--lib",
        ],
        profile: "test",
        skipped: &[],
    },
    Package {
        name: "text",
        folder: "runtime/text",
        targets: &["--package", "tabulex-text", "--tests", "--lib"],
        profile: "test",
        skipped: &[],
    },
    Package {
        name: "edit",
        folder: "runtime/edit",
        targets: &["--package", "tabulex-edit", "--tests", "--lib"],
        profile: "test",
        skipped: &[],
    },
    Package {
        name: "sanitize",
        folder: "runtime/sanitize",
        targets: &["--package", "tabulex-sanitize", "--tests", "--lib"],
        profile: "test",
        skipped: &[],
    },
    Package {
        name: "rewrite",
        folder: "runtime/rewrite",
        targets: &["--package", "tabulex-rewrite", "--tests", "--lib"],
        profile: "test",
        skipped: &[],
    },
];

/// What is asked for.
struct Request {
    sample: usize,
    seed: u64,
    budget: Option<Duration>,
    jobs: usize,
    longest: Duration,
    resumes: bool,
    is_list: bool,
    only: Option<u32>,
    parts: Vec<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(parser: lexopt::Parser) -> Outcome {
    let request = request(parser)?;
    let beginning = Instant::now();
    let until = request.budget.map(|budget| beginning + budget);
    let listed = Listed::read()?;
    let earlier = Mutex::new(Earlier::read());
    let mut results = Vec::new();
    for package in &PACKAGES {
        let parts: Vec<&Path> = request
            .parts
            .iter()
            .map(PathBuf::as_path)
            .filter(|part| part.starts_with(package.folder))
            .collect();
        if parts.is_empty() {
            continue;
        }
        step::say(&format!("==> {}\n", package.name));
        let built = build::build(package, &parts)?;
        results.push(trial::run(package, built, &request, &listed, &earlier, until)?);
    }
    earlier.into_inner().unwrap_or_default().write()?;
    report::write(&results, &listed, request.is_list)
}

/// Reads the arguments.
fn request(mut parser: lexopt::Parser) -> Result<Request, Failure> {
    let mut request = Request {
        sample: 100,
        seed: 1,
        budget: None,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        longest: Duration::from_secs(10),
        resumes: false,
        is_list: false,
        only: None,
        parts: Vec::new(),
    };
    let message = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(message)? {
        let Arg::Long(name) = argument else {
            let Arg::Value(part) = argument else { return Err(argument.unexpected().to_string()) };
            request.parts.push(folder_of(&part.to_string_lossy())?);
            continue;
        };
        match name {
            "resume" => request.resumes = true,
            "list" => request.is_list = true,
            "sample" | "seed" | "seconds" | "jobs" | "longest" | "only" => {
                let name = name.to_owned();
                let number: u64 =
                    parser.value().and_then(|value| value.parse()).map_err(message)?;
                match &name[..] {
                    "sample" => request.sample = number as usize,
                    "seed" => request.seed = number,
                    "seconds" => request.budget = Some(Duration::from_secs(number)),
                    "jobs" => request.jobs = number as usize,
                    "longest" => request.longest = Duration::from_secs(number),
                    _ => request.only = Some(number as u32),
                }
            }
            _ => return Err(argument.unexpected().to_string()),
        }
    }
    if request.parts.is_empty() {
        request.parts.push(PACKAGES[0].folder.into());
    }
    Ok(request)
}

/// The file or folder that a part names, from the root.
fn folder_of(part: &str) -> Result<PathBuf, Failure> {
    if let Some(package) = PACKAGES.iter().find(|package| package.name == part) {
        return Ok(package.folder.into());
    }
    let is_known = PACKAGES.iter().any(|package| Path::new(part).starts_with(package.folder));
    if is_known && root().join(part).exists() {
        return Ok(part.trim_end_matches('/').into());
    }
    let folders: Vec<String> =
        PACKAGES.iter().map(|package| format!("{} ({})", package.name, package.folder)).collect();
    Err(format!("no code that is changed: {part:?}; there are: {}", folders.join(", ")))
}
