//! The tests: how long each takes, and which changes it runs through. It makes no change. Invariant: what is kept of a test
//! from an earlier run is of the same program.

use super::build::{self, Program};
use super::points::Point;
use super::trial::{Bound, command, each, passes};
use super::{Package, Request};
use crate::{Failure, Outcome, step};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, UNIX_EPOCH};

/// A test.
pub(super) struct Test {
    pub(super) program: Program,
    pub(super) name: String,
    /// How long it takes without a change.
    pub(super) takes: Duration,
    /// The changes whose places it runs through.
    pub(super) reaches: HashSet<u32>,
    /// How many changes it has noticed.
    pub(super) noticed: AtomicUsize,
}

/// All tests but the skipped ones, each run alone without a change.
pub(super) fn tests(
    package: &Package,
    programs: &[Program],
    request: &Request,
) -> Result<Vec<Test>, Failure> {
    let mut names = Vec::new();
    for program in programs {
        let listed =
            Command::new(&program.file).arg("--list").current_dir(&program.folder).output();
        let listed =
            listed.map_err(|error| format!("cannot run {}: {error}", program.file.display()))?;
        for line in String::from_utf8_lossy(&listed.stdout).lines() {
            let Some(name) = line.strip_suffix(": test") else { continue };
            if !package.skipped.iter().any(|skipped| name.contains(skipped)) {
                names.push((program, name.to_owned()));
            }
        }
    }
    let kept = Mutex::new(Kept::read(package));
    let tests = each(request.jobs, &names, |job, (program, name)| {
        let key = Kept::key(program, name);
        let before = kept.lock().ok()?.test(&key, program, name);
        let test = before.or_else(|| measured(job, program, name, request.longest))?;
        kept.lock().ok()?.0.insert(key, Kept::entry(&test));
        Some(test)
    });
    kept.into_inner().unwrap_or_default().write(package)?;
    let (tests, long): (Vec<Test>, Vec<Test>) =
        tests.into_iter().flatten().partition(|test| test.takes < request.longest);
    for Test { name, takes, .. } in long {
        step::say(&format!(
            "left out, for it takes {:.0} s and more: {name}\n",
            takes.as_secs_f64()
        ));
    }
    Ok(tests)
}

/// A test with its time and what it reaches; none if it fails as it is, which is said. One that takes too long is ended.
fn measured(job: usize, program: &Program, name: &str, longest: Duration) -> Option<Test> {
    let [reached, times] =
        ["reached", "times"].map(|name| build::folder().join(format!("{name}-{job}")));
    let _ = fs::remove_file(&reached);
    let mut command = command(program, name, Bound::Measured(longest.as_secs() + 1));
    command.env("TABULEX_CHOSEN", "record").env("TABULEX_REACHED", &reached);
    let is_well = passes(command.env("TABULEX_TIMES", &times), Duration::from_secs(1200));
    let takes = processor_time(&fs::read_to_string(&times).unwrap_or_default());
    let Some(takes) = takes.filter(|takes| is_well || *takes >= longest) else {
        step::say(&format!("left out, for it fails without a change: {name}\n"));
        return None;
    };
    let lines = fs::read_to_string(&reached).unwrap_or_default();
    let reaches = lines.lines().filter_map(|line| line.parse().ok()).collect();
    let (program, name) = (program.clone(), name.to_owned());
    Some(Test { program, name, takes, reaches, noticed: AtomicUsize::new(0) })
}

/// The time of what a shell has run, from what its `times` prints: its own, and on the next line that of its children, of
/// users and of the system.
fn processor_time(printed: &str) -> Option<Duration> {
    let of_children = printed.lines().nth(1)?.split_whitespace();
    let seconds = of_children.map(|part| {
        let (minutes, seconds) = part.strip_suffix('s')?.split_once('m')?;
        Some(60.0 * minutes.parse::<f64>().ok()? + seconds.parse::<f64>().ok()?)
    });
    Some(Duration::from_secs_f64(seconds.sum::<Option<f64>>()?))
}

/// What is known of tests from runs before, by program, its time and the test's name.
#[derive(Default)]
struct Kept(BTreeMap<String, Value>);

impl Kept {
    fn file(package: &Package) -> PathBuf {
        build::folder().join(format!("tests-{}.json", package.name))
    }

    /// Nothing, if there was no run.
    fn read(package: &Package) -> Self {
        let text = fs::read_to_string(Self::file(package)).unwrap_or_default();
        Self(serde_json::from_str(&text).unwrap_or_default())
    }

    fn write(&self, package: &Package) -> Outcome {
        let file = Self::file(package);
        let text = json!(self.0).to_string();
        fs::write(&file, text)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
        Ok(true)
    }

    fn key(program: &Program, name: &str) -> String {
        let built = fs::metadata(&program.file).and_then(|data| data.modified()).ok();
        let built = built.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        format!("{} {} {name}", program.file.display(), built.as_nanos())
    }

    fn entry(test: &Test) -> Value {
        let mut reaches: Vec<u32> = test.reaches.iter().copied().collect();
        reaches.sort_unstable();
        json!({"seconds": test.takes.as_secs_f64(), "reaches": reaches})
    }

    fn test(&self, key: &str, program: &Program, name: &str) -> Option<Test> {
        let entry = self.0.get(key)?;
        let ids = entry["reaches"].as_array()?.iter().filter_map(Value::as_u64);
        let reaches = ids.filter_map(|id| u32::try_from(id).ok()).collect();
        let takes = Duration::from_secs_f64(entry["seconds"].as_f64()?);
        let (program, name) = (program.clone(), name.to_owned());
        Some(Test { program, name, takes, reaches, noticed: AtomicUsize::new(0) })
    }
}

/// Writes the changes that no test reaches, and says how many there are: each of them survives.
pub(super) fn report(package: &Package, points: &[Point], tests: &[Test]) -> Outcome {
    let reached: HashSet<u32> = tests.iter().flat_map(|test| &test.reaches).copied().collect();
    let (mut text, mut count) = (String::new(), 0);
    for point in points.iter().filter(|point| !reached.contains(&point.id)) {
        let Point { file, line, about, function, id, .. } = point;
        let _ = writeln!(text, "- {file}:{line} `{function}`: {about} ({id})");
        count += 1;
    }
    let file = build::folder().join(format!("unreached-{}.md", package.name));
    fs::write(&file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    step::say(&format!(
        "{count} of {} changes are reached by no test: {}\n",
        points.len(),
        file.display()
    ));
    Ok(true)
}
