//! Finds the files of a folder for which an edit changes the result.

use super::{Pair, RevealingInput, diff_lines};
use crate::changes::Changes;
use crate::trial::{Input, RunMode};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use tabulex_language::model::Machine;
use tabulex_oracle::interpreter::tree::document::ParseOptions;
use tabulex_oracle::parallel;
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
    let differences = parallel::map(&files, Some(until), |(_, path)| differing_lines(&pair, path));
    let differences = differences.map_err(|error| format!("cannot start a thread: {error}"))?;
    let size = |files: &[(u64, PathBuf)]| (files.len(), files.iter().map(|(size, _)| size).sum());
    let with_lines = files.iter().zip(&differences);
    let examples = with_lines.filter_map(|((_, path), lines)| Some((path.clone(), lines.clone()?)));
    Ok(Corpus {
        total: size(&files),
        known: size(&files[..differences.len()]),
        differ: differences.iter().flatten().count(),
        examples: examples.take(MAX_EXAMPLES).collect(),
    })
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
        RunMode::Tokens(Start { state, ..Start::default() })
    };
    let RevealingInput { input, results: [old, new], .. } = pair.compare(&Input { text, mode }).1?;
    let mut lines = diff_lines(&old.words(&input.text), &new.words(&input.text));
    lines.truncate(MAX_LINES);
    Some(lines)
}
