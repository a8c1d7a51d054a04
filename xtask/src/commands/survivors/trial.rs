//! The tests run with one change after the other. It builds nothing. Invariant: a change counts as noticed only by a
//! test that passes without it.

use super::build::{self, Built, Program};
use super::points::Point;
use super::{Package, Request};
use crate::{Failure, step};
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A test.
struct Test {
    program: Program,
    name: String,
    /// How long it takes without a change.
    takes: Duration,
    /// The changes whose places it runs through.
    reaches: HashSet<u32>,
}

/// How a change ended.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// This test failed.
    Noticed(String),
    /// All of these tests passed.
    Survived(usize),
}

/// What came of a package.
pub(super) struct Score {
    pub(super) package: &'static str,
    /// How many changes there are.
    pub(super) all: usize,
    /// How many do not compile.
    pub(super) refused: usize,
    /// Those that were tried.
    pub(super) tried: Vec<(Point, End)>,
}

/// Runs through a sample of the changes.
pub(super) fn run(
    package: &'static Package,
    built: Built,
    request: &Request,
    budget: Duration,
) -> Result<Score, Failure> {
    let beginning = Instant::now();
    let mut tests = tests(package, &built.programs)?;
    tests.sort_by_key(|test| test.takes);
    let seconds: f64 = tests.iter().map(|test| test.takes.as_secs_f64()).sum();
    step::say(&format!("{} tests, {seconds:.0} s\n", tests.len()));
    let mut tried = Vec::new();
    for point in chosen(&built.points, request) {
        if beginning.elapsed() > budget {
            break;
        }
        let end = end_of(point, &tests, request.only.is_some());
        let said = match &end {
            End::Noticed(test) => format!("noticed by {test}"),
            End::Survived(0) => "NOT REACHED".to_owned(),
            End::Survived(count) => format!("SURVIVED {count} tests"),
        };
        step::say(&format!("{} {}:{} {}: {said}\n", point.id, point.file, point.line, point.about));
        tried.push((point.clone(), end));
    }
    Ok(Score { package: package.name, all: built.points.len(), refused: built.refused, tried })
}

/// The changes that are tried, in the order in which they are.
fn chosen<'a>(points: &'a [Point], request: &Request) -> Vec<&'a Point> {
    if let Some(only) = request.only {
        return points.iter().filter(|point| point.id == only).collect();
    }
    let mut all: Vec<&Point> = points.iter().collect();
    // Fisher and Yates, with the constants of a generator by Knuth.
    let mut state = request.seed;
    for at in (1..all.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        all.swap(at, (state >> 33) as usize % (at + 1));
    }
    if request.sample > 0 {
        all.truncate(request.sample);
    }
    all
}

/// Runs the tests that reach the change, the short ones first, until one fails.
fn end_of(point: &Point, tests: &[Test], is_shown: bool) -> End {
    let mut count = 0;
    for test in tests.iter().filter(|test| test.reaches.contains(&point.id)) {
        count += 1;
        let mut command = command(&test.program, &test.name);
        command.env("TABULEX_CHOSEN", point.id.to_string());
        if is_shown {
            command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
        }
        let longest = Duration::from_secs(10).max(test.takes * 5);
        if !passes(&mut command, longest) {
            return End::Noticed(test.name.clone());
        }
    }
    End::Survived(count)
}

/// All tests but the skipped ones, each run alone without a change.
fn tests(package: &Package, programs: &[Program]) -> Result<Vec<Test>, Failure> {
    let mut tests = Vec::new();
    let reached = build::folder().join("reached");
    for program in programs {
        let listed =
            Command::new(&program.file).arg("--list").current_dir(&program.folder).output();
        let listed =
            listed.map_err(|error| format!("cannot run {}: {error}", program.file.display()))?;
        for line in String::from_utf8_lossy(&listed.stdout).lines() {
            let Some(name) = line.strip_suffix(": test") else { continue };
            if package.skipped.iter().any(|skipped| name.contains(skipped)) {
                continue;
            }
            if let Some(test) = measured(program, name, &reached)? {
                tests.push(test);
            }
        }
    }
    Ok(tests)
}

/// A test with its time and what it reaches; none if it fails as it is, which is said.
fn measured(program: &Program, name: &str, reached: &Path) -> Result<Option<Test>, Failure> {
    let _ = fs::remove_file(reached);
    let start = Instant::now();
    let mut command = command(program, name);
    command.env("TABULEX_CHOSEN", "record").env("TABULEX_REACHED", reached);
    let is_well = passes(&mut command, Duration::from_secs(600));
    let takes = start.elapsed();
    if !is_well {
        step::say(&format!("left out, for it fails without a change: {name}\n"));
        return Ok(None);
    }
    let lines = fs::read_to_string(reached).unwrap_or_default();
    let reaches = lines.lines().filter_map(|line| line.parse().ok()).collect();
    Ok(Some(Test { program: program.clone(), name: name.to_owned(), takes, reaches }))
}

/// One test of a program, always with the same sample.
fn command(program: &Program, name: &str) -> Command {
    let mut command = Command::new(&program.file);
    command.args(["--exact", name, "--test-threads", "1"]).current_dir(&program.folder);
    command
        .env("TABULEX_SEED", "1")
        .env("RUST_BACKTRACE", "0")
        .env("CARGO_MANIFEST_DIR", &program.folder);
    let beside = crate::root::root().parent().map(|folder| folder.join("shared"));
    if std::env::var_os("TABULEX_SHARED").is_none()
        && let Some(beside) = beside.filter(|folder| folder.exists())
    {
        command.env("TABULEX_SHARED", beside);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Whether the program ends well and in time.
fn passes(command: &mut Command, longest: Duration) -> bool {
    let Ok(mut child) = command.spawn() else { return false };
    let start = Instant::now();
    let mut pause = Duration::from_millis(2);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) if start.elapsed() < longest => {}
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return false;
            }
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}
