//! The tests run with one change after the other. It builds nothing. Invariant: a change counts as noticed only by a
//! test that passes without it.

use super::build::{Built, Program};
use super::known::{self, Earlier, Key, Listed};
use super::points::Point;
use super::reach::{self, Test};
use super::{Package, Request};
use crate::{Failure, step};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

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
    /// All changes of the parts that were asked for.
    pub(super) points: Vec<Point>,
    /// How many do not compile.
    pub(super) refused: usize,
    /// Those that were tried.
    pub(super) tried: Vec<(Point, End)>,
}

/// The most memory of a test, in KiB of addresses: an endless loop that keeps things ends here.
const MEMORY: u64 = 6 << 20;

/// Runs through a sample of the changes.
pub(super) fn run(
    package: &'static Package,
    built: Built,
    request: &Request,
    listed: &Listed,
    earlier: &Mutex<Earlier>,
    until: Option<Instant>,
) -> Result<Score, Failure> {
    let tests = reach::tests(package, &built.programs, request)?;
    reach::report(package, &built.points, &tests)?;
    let seconds: f64 = tests.iter().map(|test| test.takes.as_secs_f64()).sum();
    step::say(&format!("{} tests, {seconds:.0} s\n", tests.len()));
    let tried = each(request.jobs, &chosen(&built.points, listed, request), |_, point| {
        if until.is_some_and(|until| Instant::now() > until) {
            return None;
        }
        let key = known::key(point);
        let before = match request.resumes {
            true => earlier.lock().ok()?.0.get(&key).cloned().flatten(),
            false => None,
        };
        let end = match before {
            Some(test) => End::Noticed(test),
            None => tried(point, &tests, request, &key, earlier),
        };
        Some((Point::clone(point), end))
    });
    let tried = tried.into_iter().flatten().collect();
    Ok(Score { package: package.name, points: built.points, refused: built.refused, tried })
}

/// Tries a change, says how it ended, and keeps that for a later run.
fn tried(
    point: &Point,
    tests: &[Test],
    request: &Request,
    key: &Key,
    earlier: &Mutex<Earlier>,
) -> End {
    let end = end_of(point, tests, request);
    let (said, noticed) = match &end {
        End::Noticed(test) => (format!("noticed by {test}"), Some(test.clone())),
        End::Survived(0) => ("NOT REACHED".to_owned(), None),
        End::Survived(count) => (format!("SURVIVED {count} tests"), None),
    };
    step::say(&format!("{} {}:{} {}: {said}\n", point.id, point.file, point.line, point.about));
    if let Ok(mut earlier) = earlier.lock() {
        earlier.0.insert(key.clone(), noticed);
        // A run that is ended goes on where it was.
        let _ = earlier.write();
    }
    end
}

/// The results of the work on each item, in their order; as many at once as there are jobs.
pub(super) fn each<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for job in 0..jobs.max(1) {
            let (next, results, work) = (&next, &results, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    let result = work(job, item);
                    if let Ok(mut results) = results.lock() {
                        results.push((at, result));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The changes that are tried, in the order in which they are.
fn chosen<'a>(points: &'a [Point], listed: &Listed, request: &Request) -> Vec<&'a Point> {
    if let Some(only) = request.only {
        return points.iter().filter(|point| point.id == only).collect();
    }
    let mut all: Vec<&Point> = points.iter().filter(|point| !listed.is_within(point)).collect();
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

/// Runs the tests that reach the change until one fails: first those that are short and have noticed many.
fn end_of(point: &Point, tests: &[Test], request: &Request) -> End {
    let reaching = tests.iter().filter(|test| test.reaches.contains(&point.id));
    let cost = |test: &&Test| {
        let noticed = test.noticed.load(Ordering::Relaxed) as u32;
        (test.takes + Duration::from_millis(5)) / (1 + noticed)
    };
    let mut reaching: Vec<(Duration, &Test)> = reaching.map(|test| (cost(&test), test)).collect();
    reaching.sort_by_key(|(cost, _)| *cost);
    for (_, test) in &reaching {
        let seconds = 2 + 3 * test.takes.as_secs();
        let mut command = command(&test.program, &test.name, Bound::Seconds(seconds));
        command.env("TABULEX_CHOSEN", point.id.to_string());
        if request.only.is_some() {
            command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
        }
        if !passes(&mut command, Duration::from_secs(30 + 10 * seconds)) {
            test.noticed.fetch_add(1, Ordering::Relaxed);
            return End::Noticed(test.name.clone());
        }
    }
    End::Survived(reaching.len())
}

/// What bounds a test.
#[derive(Clone, Copy)]
pub(super) enum Bound {
    /// Its time is measured, as long as it takes no more than these seconds.
    Measured(u64),
    /// It may take these seconds.
    Seconds(u64),
}

/// One test of a program, always with the same sample. What is measured and bounded is time of the processor, and memory:
/// neither what else runs nor an endless loop decides.
pub(super) fn command(program: &Program, name: &str, bound: Bound) -> Command {
    let mut command = Command::new("sh");
    let run = match bound {
        Bound::Measured(seconds) => format!(
            r#"ulimit -t {seconds}; "$0" "$@"; status=$?; times > "$TABULEX_TIMES"; exit $status"#
        ),
        Bound::Seconds(seconds) => format!(r#"ulimit -t {seconds}; exec "$0" "$@""#),
    };
    let script = format!("ulimit -v {MEMORY}; ulimit -c 0; {run}");
    command.arg("-c").arg(script).arg(&program.file);
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
pub(super) fn passes(command: &mut Command, longest: Duration) -> bool {
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
