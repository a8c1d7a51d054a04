//! Watches tables, and after each save shows their errors, the effect of the edit, and the affected cases.
//!
//! usage: cargo xtask watch [DIALECT|FILE...] [--against REVISION|DIALECT|FILE] [--seconds N] [--once]
//!
//!   --against   the table to compare with, instead of the committed one
//!   --seconds   time limit of the search for inputs after each save (0.15)
//!   --once      checks once, as after a save, and exits; with status 1 if there is an error
//!
//! Watches all built-in tables if none is named, together with the files that they include. Results already shown after
//! the last save are not repeated; those that no longer apply are counted. Writes no files.
//!
//! example: cargo xtask watch html

use super::impact::{self, ImpactOptions, report};
use crate::Outcome;
use crate::arguments::Arguments;
use crate::home::Home;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tabulex_language::counted;

/// Interval between two checks for changed files.
const POLL_INTERVAL: Duration = Duration::from_millis(80);

/// A watched table.
struct WatchedTable {
    name: String,
    /// Files of the table, each with its content before the table was last loaded; `None` if it cannot be read. Contents
    /// are compared, because two saves can have equal timestamps.
    files: Vec<(PathBuf, Option<Vec<u8>>)>,
    /// Blocks of the report that have been shown and, as far as is known, still apply.
    shown_blocks: Vec<String>,
    is_clean: bool,
}

/// Watches the tables until the program is stopped. With `--once`, checks each table once, and returns whether all are
/// free of errors.
pub(super) fn run(home: &Home, arguments: Vec<OsString>) -> Outcome {
    let arguments =
        Arguments::parse(arguments, &["against TABLE", "seconds N", "once"], usize::MAX)?;
    let options = ImpactOptions {
        against: arguments.text("against"),
        seconds: arguments.number("seconds")?,
        ..ImpactOptions::default()
    };
    let runs_once = arguments.has("once");
    let mut names = arguments.values;
    if names.is_empty() {
        names = home.dialects();
    }
    let new_table =
        |name| WatchedTable { name, files: Vec::new(), shown_blocks: Vec::new(), is_clean: true };
    let mut tables: Vec<WatchedTable> = names.into_iter().map(new_table).collect();
    loop {
        for table in &mut tables {
            if table.is_changed() {
                table.check(home, &options)?;
            }
        }
        if runs_once {
            return Ok(tables.iter().all(|table| table.is_clean));
        }
        std::thread::sleep(POLL_INTERVAL);
    }
}

impl WatchedTable {
    /// Whether the table was never loaded, or one of its files has changed since.
    fn is_changed(&self) -> bool {
        self.files.is_empty()
            || self.files.iter().any(|(path, content)| fs::read(path).ok() != *content)
    }

    /// Adds files of the table to the watched files. Files that the table no longer includes stay, because an edit may
    /// include them again.
    fn watch_files(&mut self, paths: &[PathBuf]) {
        for path in paths {
            if self.files.iter().all(|(known, _)| known != path) {
                self.files.push((path.clone(), fs::read(path).ok()));
            }
        }
    }

    /// Loads and checks the table, and prints the new blocks of the report.
    fn check(&mut self, home: &Home, options: &ImpactOptions) -> Result<(), crate::Failure> {
        let start = Instant::now();
        // The files are read before loading the table, so that a save in between is noticed.
        self.files.iter_mut().for_each(|(path, content)| *content = fs::read(path).ok());
        let old = impact::load_old(home, &self.name, options);
        let table = match home.table(&self.name) {
            Ok(table) => table,
            // The file may be missing only for a moment, as some editors remove a file before writing it.
            Err(why) if !self.files.is_empty() => {
                self.is_clean = false;
                home.print(&format!("── {} ──\n{why}\n\n", self.name));
                return Ok(());
            }
            Err(why) => return Err(why),
        };
        self.watch_files(&table.read);
        let (errors, warnings) = table.counts();
        self.is_clean = errors == 0;
        let mut blocks = table.messages();
        let mut summary =
            format!("{}, {}\n", counted(errors, "error"), counted(warnings, "warning"));
        if self.is_clean {
            match impact::compare_loaded(home, table, old, options) {
                Ok(Some(effect)) => {
                    blocks.extend(report::blocks(&effect));
                    summary = blocks.pop().unwrap_or_default();
                }
                Ok(None) => {}
                // If the old version cannot be found, that is reported, but the table itself is valid.
                Err(why) => summary += &format!("{why}\n"),
            }
        }
        let is_resolved = |block: &&String| !blocks.contains(block);
        let resolved_count = self.shown_blocks.iter().filter(is_resolved).count();
        let mut out = format!("── {} ──\n", self.name);
        for block in blocks.iter().filter(|block| !self.shown_blocks.contains(block)) {
            out += &format!("{}\n\n", block.trim_end());
        }
        if self.is_clean && resolved_count > 0 {
            out += &format!("earlier reports that no longer apply: {resolved_count}\n");
        }
        out += &summary;
        home.print(&format!("{out}checked in {:.2} s\n\n", start.elapsed().as_secs_f64()));
        if self.is_clean {
            self.shown_blocks = blocks;
        } else {
            // Earlier blocks stay, because the changes of an invalid table are not known.
            let new_blocks: Vec<String> =
                blocks.into_iter().filter(|block| !self.shown_blocks.contains(block)).collect();
            self.shown_blocks.extend(new_blocks);
        }
        Ok(())
    }
}
