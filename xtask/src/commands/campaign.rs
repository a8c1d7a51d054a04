//! Runs the long tests in full; `cargo test` runs only samples of these.
//!
//! usage: cargo xtask campaign [--seconds N] [PART...]
//!
//! Runs all parts if none is named. The parts, in order:
//!
//!   conformance    suites of tokenizers, through every layer
//!   documents      machines derived from documents, compared with those of the tables
//!   generated      suites derived from the tables, on all executors and on the machines derived from documents
//!   differential   compiled machines against the interpreter: inputs split everywhere, pages, random inputs
//!   robustness     linear time, states set at any time, pauses
//!   linear         the number of steps on repeated inputs, listed ones up to 1 MB and derived ones
//!   trees          trees of random inputs and of the cases in tests/cases
//!   html-trees     trees of suites, cases split everywhere
//!   html-pages     trees of whole pages, compared with another parser
//!   others         encodings, the depth limit, and the small dialects
//!   bounds         memory of processes with limits; memory for 1 MB of each repeated input
//!   variants       small tables with random changes, and that of HTML with edited steps, compiled and compared with
//!                  the interpreter
//!   fuzz           fuzz targets: the corpus and changed inputs; `cargo run --profile campaign -p tabulex-fuzz` runs longer
//!   edit           builds after edits of tables, among them an error in each table
//!   ui             rustc's messages for errors in tables
//!   package        the published archives
//!   depth          deep trees on a small stack, in a release build
//!   adopters       third-party packages that use tabulex, with their own tests
//!   python         the Python package on common data engines
//!   mutants        every single edit of every table, and a sample of those of each document present, which the comparison
//!                  must report
//!   explore        the explorer: its engine on the suites, and its page in Chromium
//!   wasm           the library as WebAssembly, on the suites in Node
//!   features       each feature of each published package alone, by cargo-hack
//!   semver         the interfaces, compared with those of the last tag by cargo-semver-checks
//!
//!   --seconds N    time budget: a part that usually takes longer than the remaining time is skipped and listed
//!
//! The parts `adopters`, `explore`, `mutants`, `python`, `variants` and `wasm` take options if run alone;
//! `PART --help` lists them. Random samples have a new seed, which is printed; `TABULEX_SEED` sets it. Each part is
//! announced, and listed at the end with its time and outcome. Exits with status 1 if a part failed.
//!
//! example: cargo xtask campaign --seconds 1800 differential trees

use super::{adopters, explore, mutants, python, variants, wasm};
use crate::{Outcome, root, step};
use std::ffi::OsString;
use std::process::Command;
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use tabulex_workshop::arguments::Arguments;
use xtask_tables::first_comment;

/// A part of the campaign, which can be run alone by its name.
struct CampaignPart {
    name: &'static str,
    /// Usual duration in seconds on two processors, after the first build.
    seconds: u64,
    work: Work,
}

/// The command that runs a part of the campaign.
enum Work {
    /// Cargo tests: packages and targets as arguments, and name filters.
    Tests(&'static [&'static str], &'static [&'static str]),
    /// A command of `xtask`: its function, default options, and source text, which begins with the help.
    Function(fn(Vec<OsString>) -> Outcome, &'static [&'static str], &'static str),
    /// A run of cargo-hack with each feature alone.
    Features,
    /// A comparison of public interfaces by cargo-semver-checks.
    Interfaces,
}

/// Arguments of `cargo test` for the test target `suites`. With `--workspace`, its features are those that it has in
/// `cargo test --workspace`.
const SUITES: &[&str] = &["--workspace", "--test", "suites"];

const fn suite_tests(
    name: &'static str,
    seconds: u64,
    tests: &'static [&'static str],
) -> CampaignPart {
    CampaignPart { name, seconds, work: Work::Tests(SUITES, tests) }
}

const fn target_tests(
    name: &'static str,
    seconds: u64,
    targets: &'static [&'static str],
) -> CampaignPart {
    CampaignPart { name, seconds, work: Work::Tests(targets, &[]) }
}

/// Creates a part that runs a command of `xtask`.
macro_rules! command {
    ($name:literal, $seconds:literal, $run:path, $options:expr, $file:literal) => {
        CampaignPart {
            name: $name,
            seconds: $seconds,
            work: Work::Function($run, &$options, include_str!($file)),
        }
    };
}

/// The parts of the campaign, in order.
const PARTS: &[CampaignPart] = &[
    suite_tests("conformance", 120, &["conformance::"]),
    suite_tests("documents", 60, &["documents::"]),
    suite_tests("generated", 120, &["generated::"]),
    suite_tests("differential", 1200, &["differential::"]),
    suite_tests("robustness", 300, &["robustness::"]),
    suite_tests("linear", 3600, &["linear::"]),
    suite_tests("trees", 900, &["trees::", "--skip", "html_trees::"]),
    suite_tests("html-trees", 300, &["html_trees::"]),
    suite_tests("html-pages", 120, &["html_pages::"]),
    suite_tests("others", 120, &["encodings::", "html_limits::", "microxml::", "xml_er::"]),
    suite_tests("bounds", 1800, &["limits::", "slow::"]),
    command!("variants", 400, variants::run, ["--count", "250"], "variants.rs"),
    command!("variants", 1800, variants::run, ["--listed"], "variants.rs"),
    target_tests("fuzz", 400, &["--workspace", "--test", "targets"]),
    suite_tests("edit", 300, &["edit::"]),
    target_tests("ui", 300, &["--workspace", "--test", "ui"]),
    target_tests("package", 300, &["--workspace", "--test", "package"]),
    target_tests("depth", 200, super::ci::DEPTH_TEST_ARGUMENTS),
    command!("adopters", 400, adopters::run, [], "adopters.rs"),
    command!("python", 1200, python::run, ["--engines"], "python.rs"),
    command!("mutants", 900, mutants::run, [], "mutants.rs"),
    command!(
        "mutants",
        6000,
        mutants::run,
        ["--documents", "../shared/documents", "--sample", "200"],
        "mutants.rs"
    ),
    command!("explore", 240, explore::run, ["--test"], "explore.rs"),
    command!("wasm", 240, wasm::run, [], "wasm.rs"),
    CampaignPart { name: "features", seconds: 600, work: Work::Features },
    CampaignPart { name: "semver", seconds: 900, work: Work::Interfaces },
];

/// Parses the arguments, and runs the named parts or all.
pub(crate) fn run(arguments: Vec<OsString>) -> Outcome {
    let is_part = |name: &OsString| PARTS.iter().any(|part| *name == *part.name);
    // The arguments after the name of a part that takes options are its options, unless all of them name parts.
    if let [name, options @ ..] = &arguments[..]
        && let Some(Work::Function(run, _, file)) =
            PARTS.iter().find(|part| *name == *part.name).map(|part| &part.work)
        && !options.iter().all(is_part)
    {
        if options.iter().any(|option| option == "--help" || option == "-h") {
            step::say(&first_comment(file));
            return Ok(true);
        }
        return run(options.to_vec());
    }
    let arguments = Arguments::parse(arguments, &["seconds N"], usize::MAX)?;
    let (budget, names) = (arguments.number("seconds")?.unwrap_or(u64::MAX), arguments.values);
    if let Some(name) = names.iter().find(|name| PARTS.iter().all(|part| part.name != **name)) {
        let part_names: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        let part_names = part_names.join("`, `");
        return Err(format!("unknown part `{name}` of the campaign; use one of `{part_names}`"));
    }
    let is_selected =
        |part: &&CampaignPart| names.is_empty() || names.iter().any(|name| name == part.name);
    run_parts(&PARTS.iter().filter(is_selected).collect::<Vec<_>>(), budget)
}

/// Runs each part whose usual duration is within the remaining budget, in seconds, and prints the outcomes.
fn run_parts(parts: &[&CampaignPart], budget: u64) -> Outcome {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let seed = std::env::var("TABULEX_SEED").unwrap_or_else(|_| now.to_string());
    step::say(&format!("TABULEX_SEED={seed}\n"));
    let beginning = Instant::now();
    let (mut counts, mut summary, mut is_clean) = (step::Counts::default(), String::new(), true);
    for CampaignPart { name, seconds, work } in parts {
        let remaining = budget.saturating_sub(beginning.elapsed().as_secs());
        if *seconds > remaining {
            summary += &format!(
                "{name:<14} skipped: takes about {seconds} s, but only {remaining} s are left\n"
            );
            continue;
        }
        step::say(&format!("==> {name}\n"));
        let start = Instant::now();
        let passed_before = counts.passed;
        let passed = match work {
            Work::Tests(targets, tests) => {
                let mut command = step::cargo();
                command.arg("test").args(*targets);
                // cargo rejects `--profile` together with `--release`.
                if !targets.contains(&"--release") {
                    command.args(["--profile", "campaign"]);
                }
                command.args(["--no-fail-fast", "--"]).args(*tests);
                command.env("TABULEX_FULL", "1").env("TABULEX_SEED", &seed);
                // A part in which no test passes must fail, because its filters probably match no test any more.
                step::run_tests(&mut command, &mut counts)? && counts.passed > passed_before
            }
            Work::Function(run, options, _) => run(options.iter().map(OsString::from).collect())?,
            Work::Features => {
                let options = ["check", "--workspace", "--each-feature", "--ignore-private"];
                step::tool("hack", &options, "")?
            }
            Work::Interfaces => interfaces()?,
        };
        is_clean &= passed;
        let verdict = if passed { "passed" } else { "FAILED" };
        let test_summary = match counts.passed - passed_before {
            0 => String::new(),
            count => format!(": {count} tests"),
        };
        let seconds = start.elapsed().as_secs_f64();
        summary += &format!("{name:<14} {verdict}{test_summary} in {seconds:.1} s\n");
    }
    step::say(&format!("\n{}\n{summary}", counts.absent()));
    let seconds = beginning.elapsed().as_secs();
    step::say(&format!("{} passed, {} failed in {seconds} s\n", counts.passed, counts.failed));
    Ok(is_clean)
}

/// Compares the libraries' public interfaces with those of the last tag. Passes if there is no tag.
fn interfaces() -> Outcome {
    let mut git = Command::new("git");
    git.args(["describe", "--tags", "--abbrev=0"]).current_dir(root::root());
    let output = git.output().ok().filter(|output| output.status.success());
    let Some(tag) = output.and_then(|output| String::from_utf8(output.stdout).ok()) else {
        step::say("skipped: there is no tag to compare with\n");
        return Ok(true);
    };
    step::tool("semver-checks", &["check-release", "--workspace", "--baseline-rev", tag.trim()], "")
}
