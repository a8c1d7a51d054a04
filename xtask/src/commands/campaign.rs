//! The long tests, whole: `cargo test` takes a random sample of each.
//!
//! usage: cargo xtask campaign [--seconds N] [PART...]
//!
//! Without a part, all of them, in this order:
//!
//!   conformance    suites of tokenizers, through every layer
//!   documents      machines of documents alone beside those of the tables
//!   generated      suites derived from the tables, by all executors and the documents' machines
//!   differential   compiled machines beside the interpreter: inputs cut everywhere, pages, random inputs
//!   robustness     linear time, states set at any time, pauses
//!   linear         steps of all shapes up to 1 MB, random programs of shapes, time beside steps
//!   trees          trees of random inputs and of our own cases
//!   html-trees     trees of suites, own cases cut everywhere
//!   html-pages     trees of whole pages beside another parser
//!   others         encodings, the limit of depth, and the small dialects
//!   bounds         memory of processes with limits; time and memory of 1 MB of each shape, and of what a search finds
//!   variants       small tables, changed at random, compiled and held against the interpreter
//!   fuzz           fuzz targets: the corpus and changed inputs; `cargo xtask fuzz` runs longer
//!   edit           builds after edits, a mistake in each table
//!   ui             what rustc says of each mistake
//!   package        the published archives
//!   features       each feature of each package by itself
//!   semver         what the next version would break
//!   depth          deep trees on a small stack, in a release build
//!   adopters       packages of other people, filled by ours, and their own tests
//!   python         the Python package on the engines that people have
//!   mutants        every small change of every table, and who notices it, html5lib's own cases beside ours
//!   diff           every single edit of every table, and of each document that is at hand: the comparison reports it
//!   explore        the page in the browser: its engine on the suites, what a reader does in Chromium
//!   wasm           the library as WebAssembly: the suites in Node
//!   survivors      a sample of small changes of the code, and which test notices it
//!
//!   --seconds N    the budget: a part that is not expected to end within what is left is skipped, and listed
//!
//! Each part is announced, and listed at the end with its time and how it ended. The status is 0 if no part failed.
//!
//! example: cargo xtask campaign --seconds 1800 differential trees
//!
//! Invariant: what was not run is listed.

use crate::{Outcome, step};
use lexopt::{Arg, ValueExt as _};
use std::time::Instant;

/// A part.
struct Part {
    name: &'static str,
    /// How long it takes on two processors, about, without the first build.
    seconds: u64,
    /// The packages and targets, as cargo is given them; without any, the part is the command of its name.
    targets: &'static [&'static str],
    /// What the test programs, or the command, are given: parts of names, or options; without any, all tests run.
    tests: &'static [&'static str],
}

/// The suites in one program, with the features that `cargo test --workspace` builds them with.
const SUITES: &[&str] = &["--workspace", "--test", "suites"];

const fn of_suites(name: &'static str, seconds: u64, tests: &'static [&'static str]) -> Part {
    Part { name, seconds, targets: SUITES, tests }
}

/// All parts.
const PARTS: &[Part] = &[
    of_suites("conformance", 120, &["conformance::"]),
    of_suites("documents", 60, &["documents::"]),
    of_suites("generated", 120, &["generated::"]),
    of_suites("differential", 1200, &["differential::"]),
    of_suites("robustness", 300, &["robustness::"]),
    of_suites("linear", 3600, &["linear::"]),
    of_suites("trees", 900, &["trees::", "--skip", "html_trees::"]),
    of_suites("html-trees", 300, &["html_trees::"]),
    of_suites("html-pages", 120, &["html_pages::"]),
    of_suites("others", 120, &["encodings::", "html_limits::", "microxml::", "xml_er::"]),
    of_suites("bounds", 1800, &["limits::", "slow::"]),
    Part { name: "variants", seconds: 400, targets: &[], tests: &["--count", "250"] },
    Part { name: "fuzz", seconds: 400, targets: &["--workspace", "--test", "targets"], tests: &[] },
    of_suites("edit", 300, &["edit::"]),
    Part { name: "ui", seconds: 300, targets: &["--workspace", "--test", "ui"], tests: &[] },
    Part {
        name: "package",
        seconds: 300,
        targets: &["--workspace", "--test", "package"],
        tests: &[],
    },
    Part { name: "features", seconds: 600, targets: &[], tests: &[] },
    Part { name: "semver", seconds: 900, targets: &[], tests: &[] },
    Part { name: "depth", seconds: 200, targets: super::ci::OPTIMIZED, tests: &[] },
    Part { name: "adopters", seconds: 400, targets: &[], tests: &[] },
    Part { name: "python", seconds: 1200, targets: &[], tests: &["--engines"] },
    Part { name: "mutants", seconds: 4500, targets: &[], tests: &["--html5lib"] },
    Part { name: "diff", seconds: 900, targets: &[], tests: &["--mutants"] },
    Part {
        name: "diff",
        seconds: 6000,
        targets: &[],
        tests: &["--mutants", "--documents", "../shared/documents"],
    },
    Part { name: "explore", seconds: 240, targets: &[], tests: &["--test"] },
    Part { name: "wasm", seconds: 240, targets: &[], tests: &[] },
    Part {
        name: "survivors",
        seconds: 3600,
        targets: &[],
        tests: &["--sample", "300", "core", "language", "compiler"],
    },
];

/// Runs the command.
pub(crate) fn run(mut parser: lexopt::Parser) -> Outcome {
    let (mut budget, mut names) = (u64::MAX, Vec::new());
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Arg::Long("seconds") => {
                let value = parser.value().and_then(|value| value.parse());
                budget = value.map_err(|error| error.to_string())?;
            }
            Arg::Value(name) => names.push(name.to_string_lossy().into_owned()),
            other => return Err(other.unexpected().to_string()),
        }
    }
    if let Some(name) = names.iter().find(|name| PARTS.iter().all(|part| part.name != **name)) {
        let known: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        return Err(format!("no part {name:?}; there are: {}", known.join(", ")));
    }
    let wanted = |part: &&Part| names.is_empty() || names.iter().any(|name| name == part.name);
    let beginning = Instant::now();
    let (mut counts, mut list, mut is_well) = (step::Counts::default(), String::new(), true);
    for part in PARTS.iter().filter(wanted) {
        let left = budget.saturating_sub(beginning.elapsed().as_secs());
        if part.seconds > left {
            let Part { name, seconds, .. } = part;
            list += &format!("{name:<14} skipped: about {seconds} s, {left} s left\n");
            continue;
        }
        step::say(&format!("==> {}\n", part.name));
        let start = Instant::now();
        let before = counts.passed;
        if part.targets.is_empty() {
            let passed = step::run(step::cargo().args(["xtask", part.name]).args(part.tests))?;
            is_well &= passed;
            let how = if passed { "passed" } else { "FAILED" };
            list += &format!("{:<14} {how} in {:.1} s\n", part.name, start.elapsed().as_secs_f64());
            continue;
        }
        let mut command = step::cargo();
        command.arg("test").args(part.targets);
        // A release build says so itself.
        if !part.targets.contains(&"--release") {
            command.args(["--profile", "campaign"]);
        }
        command.args(["--no-fail-fast", "--"]).args(part.tests);
        command.env("TABULEX_FULL", "1");
        // A part without a single test says nothing.
        let passed = step::run_tests(&mut command, &mut counts)? && counts.passed > before;
        is_well &= passed;
        let (how, ran) = (if passed { "passed" } else { "FAILED" }, counts.passed - before);
        let seconds = start.elapsed().as_secs_f64();
        list += &format!("{:<14} {how}: {ran} tests in {seconds:.1} s\n", part.name);
    }
    step::say(&format!("\n{}\n{list}", counts.absent()));
    let seconds = beginning.elapsed().as_secs();
    step::say(&format!("{} passed, {} failed in {seconds} s\n", counts.passed, counts.failed));
    Ok(is_well)
}
