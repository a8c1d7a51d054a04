//! Watches tables, and shows after each save their errors, the effect of the edit, and the affected cases.
//!
//! usage: cargo xtask watch [DIALECT|FILE...] [--against REVISION|DIALECT|FILE] [--seconds N] [--once]
//!
//!   --against   what to compare the table with, instead of the committed one
//!   --seconds   time limit of the search for inputs after each save (0.15)
//!   --once      checks once, as after a save; exits with status 1 if there is an error
//!
//! Without a table, all built-in ones are watched, together with the files that they include. Results shown after the
//! last save are not repeated; those that are gone are counted. It writes nothing but its cache.
//!
//! example: cargo xtask watch html

use super::impact::{self, ImpactOptions, report};
use super::{failure, number, text};
use crate::Outcome;
use crate::home::Home;
use lexopt::{Arg, ValueExt as _};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Interval between two checks for changed files.
const PAUSE: Duration = Duration::from_millis(80);

/// Maximum granularity of file timestamps, within which two saves may have equal ones.
const TICK: Duration = Duration::from_secs(2);

/// Time and content of a file; `None` if it does not exist.
#[derive(Clone, PartialEq, Eq)]
struct Stamp {
    saved: Option<SystemTime>,
    content: Option<Vec<u8>>,
}

impl Stamp {
    fn read(path: &Path) -> Self {
        let saved = fs::metadata(path).and_then(|it| it.modified()).ok();
        Self { saved, content: fs::read(path).ok() }
    }

    /// Whether the file has changed. The content is compared only if the timestamp is too recent to be conclusive.
    fn is_outdated(&self, path: &Path) -> bool {
        let saved = fs::metadata(path).and_then(|it| it.modified()).ok();
        let is_young = || saved.is_some_and(|time| time.elapsed().is_ok_and(|age| age < TICK));
        saved != self.saved || is_young() && fs::read(path).ok() != self.content
    }
}

/// A watched table.
struct Watched {
    name: String,
    /// The files that the table consists of, stamped before they were read.
    files: Vec<(PathBuf, Stamp)>,
    /// Blocks shown after the last save.
    shown: Vec<String>,
    is_clean: bool,
}

/// Runs the command.
pub(super) fn run(home: &Home, mut parser: lexopt::Parser) -> Outcome {
    let (mut names, mut options, mut is_once) = (Vec::new(), ImpactOptions::default(), false);
    while let Some(arg) = parser.next().map_err(failure)? {
        match arg {
            Arg::Long("against") => options.against = Some(text(&mut parser)?),
            Arg::Long("seconds") => options.seconds = Some(number(&mut parser, "seconds")?),
            Arg::Long("once") => is_once = true,
            Arg::Value(name) => names.push(name.string().map_err(failure)?),
            other => return Err(other.unexpected().to_string()),
        }
    }
    if names.is_empty() {
        names = home.dialects();
    }
    let watched = |name| Watched { name, files: Vec::new(), shown: Vec::new(), is_clean: true };
    let mut tables: Vec<Watched> = names.into_iter().map(watched).collect();
    loop {
        for table in &mut tables {
            if table.is_changed() {
                table.check(home, &options)?;
            }
        }
        if is_once {
            return Ok(tables.iter().all(|table| table.is_clean));
        }
        std::thread::sleep(PAUSE);
    }
}

impl Watched {
    /// Whether a file of the table has changed since it was stamped.
    fn is_changed(&self) -> bool {
        self.files.is_empty() || self.files.iter().any(|(path, stamp)| stamp.is_outdated(path))
    }

    /// Stamps the files before they are read, so that a save during the reading is noticed.
    fn stamp_files(&mut self) {
        self.files.iter_mut().for_each(|(path, stamp)| *stamp = Stamp::read(path));
    }

    /// Adds files that the table includes. Removed files stay in the list, since they may reappear.
    fn add(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if self.files.iter().all(|(known, _)| known != path) {
                self.files.push((path.clone(), Stamp::read(path)));
            }
        }
    }

    /// Checks the table, and shows new results.
    fn check(&mut self, home: &Home, options: &ImpactOptions) -> Result<(), crate::Failure> {
        let beginning = Instant::now();
        self.stamp_files();
        let old = impact::load_old(home, &self.name, options);
        let table = match home.table(&self.name) {
            Ok(table) => table,
            // The file may reappear: some editors remove a file before they write it.
            Err(why) if !self.files.is_empty() => {
                self.is_clean = false;
                home.print(&format!("── {} ──\n{why}\n\n", self.name));
                return Ok(());
            }
            Err(why) => return Err(why),
        };
        self.add(&table.read);
        let (errors, warnings) = table.counts();
        self.is_clean = errors == 0;
        let mut blocks = table.messages();
        let mut sum = format!("{errors} errors, {warnings} warnings\n");
        if self.is_clean {
            match impact::find_in(home, table, old, options) {
                Ok(Some(effect)) => {
                    blocks.extend(report::blocks(&effect));
                    sum = blocks.pop().unwrap_or_default();
                }
                Ok(None) => {}
                // A file that git does not know has no committed version.
                Err(why) => sum += &format!("{why}\n"),
            }
        }
        let is_gone = |block: &&String| !blocks.contains(block);
        let resolved = self.shown.iter().filter(is_gone).count();
        let mut out = format!("── {} ──\n", self.name);
        for block in blocks.iter().filter(|block| !self.shown.contains(block)) {
            out += &format!("{}\n\n", block.trim_end());
        }
        if self.is_clean && resolved > 0 {
            out += &format!("gone since the last save: {resolved}\n");
        }
        out += &sum;
        home.print(&format!("{out}checked in {:.2} s\n\n", beginning.elapsed().as_secs_f64()));
        if self.is_clean {
            self.shown = blocks;
        } else {
            // While the table is invalid, its changes are unknown, so earlier results stay.
            let fresh: Vec<String> =
                blocks.into_iter().filter(|block| !self.shown.contains(block)).collect();
            self.shown.extend(fresh);
        }
        Ok(())
    }
}
