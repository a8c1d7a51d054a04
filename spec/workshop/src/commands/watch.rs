//! At each save of a table: its checks, what the edit changes, and the cases of the rows concerned, of which only what is
//! new is shown.
//!
//! usage: cargo xtask watch [DIALECT|FILE...] [--against REVISION|DIALECT|FILE] [--seconds N] [--once]
//!
//!   --against   what the table is compared with: the committed one unless said
//!   --seconds   how long is searched for inputs after each save (0.15)
//!   --once      looks once, as after a save, and ends; the status is 1 if there is an error
//!
//! Without a table all built-in ones are watched. Files that a table brings in are watched with it. A block that was shown
//! after the last save is not shown again; what is gone is counted.
//!
//! example: cargo xtask watch html
//!
//! Invariant: it writes to no file but its cache, and ends when it is interrupted.

use super::impact::{self, Asked, report};
use super::{failure, number, text};
use crate::Outcome;
use crate::home::Home;
use lexopt::{Arg, ValueExt as _};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(80);

/// How long two saves may have the same time, on any file system.
const TICK: Duration = Duration::from_secs(2);

/// What a file was like; nothing of what is not there.
#[derive(Clone, PartialEq, Eq)]
struct Stamp {
    saved: Option<SystemTime>,
    content: Option<Vec<u8>>,
}

impl Stamp {
    fn of(path: &Path) -> Self {
        let saved = fs::metadata(path).and_then(|it| it.modified()).ok();
        Self { saved, content: fs::read(path).ok() }
    }

    /// Whether the file was saved since. It is read where its time cannot say so.
    fn is_old(&self, path: &Path) -> bool {
        let saved = fs::metadata(path).and_then(|it| it.modified()).ok();
        let is_young = || saved.is_some_and(|time| time.elapsed().is_ok_and(|age| age < TICK));
        saved != self.saved || is_young() && fs::read(path).ok() != self.content
    }
}

/// A table that is watched.
struct Watched {
    name: String,
    /// The files that it is read from, as they were before they were read.
    files: Vec<(PathBuf, Stamp)>,
    /// The blocks that were shown after the last save.
    shown: Vec<String>,
    is_well: bool,
}

/// Runs the command.
pub(super) fn run(home: &Home, mut parser: lexopt::Parser) -> Outcome {
    let (mut names, mut asked, mut is_once) = (Vec::new(), Asked::default(), false);
    while let Some(arg) = parser.next().map_err(failure)? {
        match arg {
            Arg::Long("against") => asked.against = Some(text(&mut parser)?),
            Arg::Long("seconds") => asked.seconds = Some(number(&mut parser, "seconds")?),
            Arg::Long("once") => is_once = true,
            Arg::Value(name) => names.push(name.string().map_err(failure)?),
            other => return Err(other.unexpected().to_string()),
        }
    }
    if names.is_empty() {
        names = home.dialects();
    }
    let watched = |name| Watched { name, files: Vec::new(), shown: Vec::new(), is_well: true };
    let mut tables: Vec<Watched> = names.into_iter().map(watched).collect();
    loop {
        for table in &mut tables {
            if table.is_changed() {
                table.look(home, &asked)?;
            }
        }
        if is_once {
            return Ok(tables.iter().all(|table| table.is_well));
        }
        std::thread::sleep(PAUSE);
    }
}

impl Watched {
    /// Whether a file of it was saved since it was looked at.
    fn is_changed(&self) -> bool {
        self.files.is_empty() || self.files.iter().any(|(path, stamp)| stamp.is_old(path))
    }

    /// Takes note of what the files are like before they are read: what is saved meanwhile is looked at next.
    fn note(&mut self) {
        self.files.iter_mut().for_each(|(path, stamp)| *stamp = Stamp::of(path));
    }

    /// Takes note of files that the table turned out to be read from. Those of before stay: one that is gone may come back.
    fn add(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if self.files.iter().all(|(known, _)| known != path) {
                self.files.push((path.clone(), Stamp::of(path)));
            }
        }
    }

    /// Looks at the table, and shows what is new.
    fn look(&mut self, home: &Home, asked: &Asked) -> Result<(), crate::Failure> {
        let beginning = Instant::now();
        self.note();
        let old = impact::begin_old(home, &self.name, asked);
        let table = match home.table(&self.name) {
            Ok(table) => table,
            // An editor may put another file in its place, and a file that was taken away may come back.
            Err(why) if !self.files.is_empty() => {
                self.is_well = false;
                home.say(&format!("── {} ──\n{why}\n\n", self.name));
                return Ok(());
            }
            Err(why) => return Err(why),
        };
        self.add(&table.read);
        let (errors, warnings) = table.counts();
        self.is_well = errors == 0;
        let mut blocks = table.messages();
        let mut sum = format!("{errors} errors, {warnings} warnings\n");
        if self.is_well {
            match impact::find_in(home, table, old, asked) {
                Ok(Some(found)) => {
                    blocks.extend(report::blocks(&found));
                    sum = blocks.pop().unwrap_or_default();
                }
                Ok(None) => {}
                // A file that git does not know has nothing to be compared with.
                Err(why) => sum += &format!("{why}\n"),
            }
        }
        let is_gone = |block: &&String| !blocks.contains(block);
        let gone = self.shown.iter().filter(is_gone).count();
        let mut out = format!("── {} ──\n", self.name);
        for block in blocks.iter().filter(|block| !self.shown.contains(block)) {
            out += &format!("{}\n\n", block.trim_end());
        }
        if self.is_well && gone > 0 {
            out += &format!("gone since the last save: {gone}\n");
        }
        out += &sum;
        home.say(&format!("{out}looked at in {:.2} s\n\n", beginning.elapsed().as_secs_f64()));
        if self.is_well {
            self.shown = blocks;
        } else {
            // What the edit changes is known again when the table is.
            let fresh: Vec<String> =
                blocks.into_iter().filter(|block| !self.shown.contains(block)).collect();
            self.shown.extend(fresh);
        }
        Ok(())
    }
}
