//! Tests which checks, cases or comparisons notice each small change of the tables.
//!
//! usage: cargo xtask campaign mutants [--sample N] [--seed N] [--seconds N] [--list] [FILE...]
//!
//!   FILE           a file of spec/tables; all, if there is none
//!   --sample N     number of changes of each file (0: all)
//!   --seed N       selects the sample (1)
//!   --seconds N    time limit, after which no further change is tried
//!   --list         prints survivors as entries of the file that lists them
//!
//! Entries and rows are removed, steps removed or renamed, literals changed, conditions negated, joined differently or
//! removed, and rows swapped. Nothing is compiled: the interpreter runs the changed table on the cases that reach the
//! changed place.
//!
//! tests/mutants.json lists the survivors, each with the reason. Exits with status 1 if a survivor is not listed, or a
//! listed change no longer survives.
//!
//! example: cargo xtask campaign mutants --sample 100 html.states

pub(super) mod changes;
pub(super) mod trial;

use crate::{Failure, Outcome, files, root, step};
use lexopt::Arg;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use trial::{Subject, Verdict};

/// Arguments of the commands that try edits.
#[derive(Default)]
pub(super) struct EditOptions {
    /// Names of dialects or files; empty for all.
    pub(super) names: Vec<String>,
    /// Folder of the documents to edit instead of tables.
    pub(super) documents: Option<PathBuf>,
    /// Number of edits of each file; 0 for all.
    pub(super) sample: usize,
    pub(super) seed: u64,
    /// Deadline after which no further edit is tried.
    pub(super) until: Option<Instant>,
    /// Whether to list more of the outcomes.
    pub(super) is_list: bool,
}

impl EditOptions {
    pub(super) fn parse(mut parser: lexopt::Parser) -> Result<Self, Failure> {
        let mut options = Self { seed: 1, ..Self::default() };
        while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
            match argument {
                Arg::Value(name) => options.names.push(name.to_string_lossy().into_owned()),
                Arg::Long("documents") => {
                    let folder = parser.value().map_err(|error| error.to_string())?;
                    options.documents = Some(folder.into());
                }
                Arg::Long("sample") => options.sample = step::number(&mut parser, "sample")?,
                Arg::Long("seed") => options.seed = step::number(&mut parser, "seed")?,
                Arg::Long("seconds") => {
                    let seconds = step::number(&mut parser, "seconds")?;
                    options.until = Some(Instant::now() + Duration::from_secs(seconds));
                }
                Arg::Long("list") => options.is_list = true,
                other => return Err(other.unexpected().to_string()),
            }
        }
        Ok(options)
    }
}

/// Runs the command.
pub(crate) fn run(parser: lexopt::Parser) -> Outcome {
    let mut options = EditOptions::parse(parser)?;
    if options.documents.is_some() {
        return Err("--documents is an option of `cargo xtask campaign edits`".to_owned());
    }
    if options.names.is_empty() {
        options.names = files()?;
    }
    let listed = read_list("tests/mutants.json")?;
    let (mut is_clean, mut sum) = (true, Score::default());
    for file in &options.names {
        let subject = Subject::read(file)?;
        let verdicts = subject.try_sample(&options)?;
        let score = Score::new(&subject, &verdicts);
        step::say(&format!("{file}: {} cases\n{}", subject.cases(), score.summary()));
        is_clean &= check_survivors(&subject, &verdicts, &listed, options.is_list);
        sum.add(&score);
    }
    step::say(&format!("all\n{}", sum.summary()));
    Ok(is_clean)
}

/// Returns the table files in `spec/tables`.
fn files() -> Result<Vec<String>, Failure> {
    let tables = root::tables()?;
    let names =
        tables.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    Ok(names.chain(["html.modes".to_owned()]).collect())
}

/// Reads a list of edits that are not noticed, each with the reason: by file, place and change.
pub(super) fn read_list(path: &str) -> Result<BTreeMap<[String; 3], String>, Failure> {
    let entries = files::read_json(&root::root().join(path))?;
    let mut listed = BTreeMap::new();
    for entry in entries.as_array().into_iter().flatten() {
        let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        if text("reason").is_empty() {
            return Err(format!("{path}: no reason: {entry}"));
        }
        listed.insert(["file", "place", "change"].map(text), text("reason"));
    }
    Ok(listed)
}

/// Returns the keys of the changes in the list; equal changes of one place are numbered.
fn keys(subject: &Subject) -> Vec<[String; 3]> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    let key = |mutant: &changes::Mutant| {
        let change = format!("{}: {}", mutant.class, mutant.description(&subject.text));
        let count = counts.entry((mutant.place.clone(), change.clone())).or_default();
        *count += 1;
        let change = if *count > 1 { format!("{change} ({count})") } else { change };
        [subject.file.name.clone(), mutant.place.clone(), change]
    };
    subject.mutants.iter().map(key).collect()
}

/// Compares the mutants that survived with the list, as far as they were tried. Returns whether both agree.
fn check_survivors(
    subject: &Subject,
    verdicts: &BTreeMap<usize, Verdict>,
    listed: &BTreeMap<[String; 3], String>,
    is_list: bool,
) -> bool {
    let mut is_clean = true;
    let keys = keys(subject);
    for (&number, verdict) in verdicts {
        let mutant = &subject.mutants[number];
        let key = keys[number].clone();
        let is_survivor = !verdict.is_void && !verdict.is_noticed() && !verdict.is_same;
        match (is_survivor, listed.contains_key(&key)) {
            (true, false) => {
                is_clean = false;
                let [file, place, change] = key;
                let line = mutant.line;
                step::say(&match is_list {
                    true => format!(
                        "{},\n",
                        json!({"file": file, "place": place, "change": change, "reason": ""})
                    ),
                    false => format!("  survived: {file}:{line} {place}: {change}\n"),
                });
            }
            (false, true) => {
                is_clean = false;
                step::say(&format!("  listed, and noticed: {key:?}\n"));
            }
            _ => {}
        }
    }
    is_clean
}

/// Returns a sorted random sample of the numbers below `count`; all of them if `sample_size` is 0.
fn sample(count: usize, sample_size: usize, seed: u64) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    if sample_size == 0 || sample_size >= count {
        return numbers;
    }
    let mut state = seed;
    for index in (1..count).rev() {
        // Fisher-Yates shuffle with a linear congruential generator.
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        numbers.swap(index, (state >> 33) as usize % (index + 1));
    }
    numbers.truncate(sample_size);
    numbers.sort_unstable();
    numbers
}

/// Number of changes noticed, by detector.
#[derive(Clone, Debug, Default)]
struct Score {
    tried: usize,
    void: usize,
    /// Number of changes for which a search finds no difference in behavior.
    equivalent: usize,
    checks: usize,
    cases: usize,
    diff: usize,
    either: usize,
    /// Number of changes tried and noticed, by class.
    classes: BTreeMap<&'static str, (usize, usize)>,
}

impl Score {
    fn new(subject: &Subject, verdicts: &BTreeMap<usize, Verdict>) -> Self {
        let mut score = Self::default();
        for (&number, verdict) in verdicts {
            if verdict.is_void {
                score.void += 1;
                continue;
            }
            if verdict.is_same {
                score.equivalent += 1;
                continue;
            }
            score.tried += 1;
            score.checks += usize::from(verdict.check);
            score.cases += usize::from(verdict.check || verdict.case);
            score.diff += usize::from(verdict.diff);
            score.either += usize::from(verdict.is_noticed());
            let (tried, noticed) = score.classes.entry(subject.mutants[number].class).or_default();
            *tried += 1;
            *noticed += usize::from(verdict.is_noticed());
        }
        score
    }

    fn add(&mut self, other: &Self) {
        self.tried += other.tried;
        self.void += other.void;
        self.equivalent += other.equivalent;
        self.checks += other.checks;
        self.cases += other.cases;
        self.diff += other.diff;
        self.either += other.either;
        for (class, counts) in &other.classes {
            let sum = self.classes.entry(class).or_default();
            *sum = (sum.0 + counts.0, sum.1 + counts.1);
        }
    }

    fn summary(&self) -> String {
        let share = |count: usize| 100.0 * count as f64 / self.tried.max(1) as f64;
        let mut text = format!(
            "  {} changes, {} that make no difference as far as was searched, {} that are not a table; noticed:\n",
            self.tried, self.equivalent, self.void
        );
        for (who, count) in [
            ("by checks", self.checks),
            ("by checks or our cases", self.cases),
            ("by the comparison with the document", self.diff),
            ("by any of ours", self.either),
        ] {
            text += &format!("    {who:<36} {count:>6}  {:6.2} %\n", share(count));
        }
        for (class, (tried, noticed)) in &self.classes {
            text += &format!("      {class:<24} {noticed:>6} of {tried}\n");
        }
        text
    }
}
