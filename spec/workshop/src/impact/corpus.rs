//! Finds the files of a folder for which an edit changes the result.

use super::{Pair, RevealingInput, diff_lines};
use crate::changes::Changes;
use crate::trial::{Input, RunMode};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;
use tabulex_language::model::Machine;
use tabulex_oracle::interpreter::tree::document::ParseOptions;
use tabulex_oracle::search::Start;

/// Maximum number of differing files that are reported as examples.
const MAX_EXAMPLES: usize = 3;

/// Maximum number of differing lines of an example.
const MAX_LINES: usize = 6;

/// Result of running a corpus.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// Number of files in the corpus, and their total size in bytes.
    pub total: (usize, u64),
    /// Number of files examined before the deadline, and their total size in bytes.
    pub known: (usize, u64),
    /// Number of files with different results on the two tables.
    pub differ: usize,
    /// Some of the files that differ, smallest first, with their first differing lines.
    pub examples: Vec<(PathBuf, Vec<String>)>,
}

/// Runs the files of a folder, until the deadline `until`.
///
/// # Errors
///
/// Returns a message if the folder cannot be read.
pub fn corpus(
    machines: [&Machine; 2],
    changes: &Changes,
    folder: &Path,
    until: Instant,
) -> Result<Corpus, String> {
    let mut files = Vec::new();
    collect(folder.to_owned(), &mut files)
        .map_err(|error| format!("cannot read `{}`: {error}", folder.display()))?;
    // Small files come first, so that many are examined before the deadline.
    files.sort();
    let pair = Pair::new(machines, changes);
    let (next, state) = (AtomicUsize::new(0), Mutex::new((Corpus::default(), BTreeMap::new())));
    let examine_files = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let file = files.get(at).filter(|_| Instant::now() < until);
            let Some((size, path)) = file else { return };
            let lines = differing_lines(&pair, path);
            let Ok(mut state) = state.lock() else { return };
            let (found, examples) = &mut *state;
            found.known = (found.known.0 + 1, found.known.1 + size);
            found.differ += usize::from(lines.is_some());
            // The smallest files are the examples, in whichever order the threads finish.
            examples.extend(lines.map(|lines| (at, lines)));
            if examples.len() > MAX_EXAMPLES {
                examples.pop_last();
            }
        }
    };
    let thread_count = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        (0..thread_count).for_each(|_| {
            scope.spawn(examine_files);
        });
    });
    let (mut found, examples) = state.into_inner().unwrap_or_default();
    found.total = (files.len(), files.iter().map(|(size, _)| size).sum());
    let examples = examples.into_iter().map(|(at, lines)| (files[at].1.clone(), lines));
    found.examples = examples.collect();
    Ok(found)
}

/// Appends the file at the path, or all files in the folder and its subfolders, to `files`, each after its size in
/// bytes.
fn collect(path: PathBuf, files: &mut Vec<(u64, PathBuf)>) -> std::io::Result<()> {
    let metadata = fs::metadata(&path)?;
    if metadata.is_dir() {
        return fs::read_dir(path)?.try_for_each(|entry| collect(entry?.path(), files));
    }
    files.push((metadata.len(), path));
    Ok(())
}

/// Returns the first lines in which the results for a file differ; `None` if they are equal, or if the file cannot be
/// run.
fn differing_lines(pair: &Pair<'_>, path: &Path) -> Option<Vec<String>> {
    // Invalid UTF-8 is replaced with U+FFFD, as a decoder would do.
    let text = String::from_utf8_lossy(&fs::read(path).ok()?).into_owned();
    let machine = pair.interpreters[0].machine();
    let mode = if machine.construction.is_some() {
        RunMode::Tree(ParseOptions::default())
    } else {
        let state = machine.state(machine.start).name.clone();
        RunMode::Tokens(Start { state, last_start_tag: None, flags: Vec::new() })
    };
    let RevealingInput { input, results: [old, new], .. } = pair.compare(&Input { text, mode }).1?;
    let mut lines = diff_lines(&old.words(&input.text), &new.words(&input.text));
    lines.truncate(MAX_LINES);
    Some(lines)
}
