//! Finds the files of a folder for which an edit changes the result. The rows that each file runs in the old table are
//! cached, so that later only affected files are run.

use super::affected::row_numbers;
use super::{Pair, diff_lines};
use crate::changes::Changes;
use crate::trial::{Input, RunMode};
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, UNIX_EPOCH};
use tabulex_language::model::Machine;
use tabulex_oracle::interpreter::tree::document::ParseOptions;
use tabulex_oracle::search::Start;

/// Maximum number of differing files that are reported as examples.
const MAX_EXAMPLES: usize = 3;

/// Result of running a corpus.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// Number of files in the corpus, and their total size in bytes.
    pub total: (usize, u64),
    /// Number of files examined before the deadline, and their total size in bytes.
    pub known: (usize, u64),
    /// Number of examined files that were run. The others could not be run, or their cached rows show that no change
    /// affects them.
    pub run: usize,
    /// Number of files with different results on the two tables.
    pub differ: usize,
    /// Some of the files that differ, smallest first, with their first differing lines.
    pub examples: Vec<(PathBuf, Vec<String>)>,
}

/// A file of the corpus.
struct File {
    path: PathBuf,
    size: u64,
    /// Key of the file in the cache.
    key: String,
}

/// Numbers of the rows that a file runs in the old table, by key of the file.
type RowCache = BTreeMap<String, Vec<u32>>;

/// Runs the files of a folder that the changes may affect, until the deadline `until`. `cache` is the path of the cache
/// for the old table.
///
/// # Errors
///
/// Returns a message if the folder cannot be read.
pub fn corpus(
    machines: [&Machine; 2],
    changes: &Changes,
    folder: &Path,
    cache: Option<&Path>,
    until: Instant,
) -> Result<Corpus, String> {
    let mut files = Vec::new();
    collect(folder, &mut files)
        .map_err(|error| format!("cannot read `{}`: {error}", folder.display()))?;
    // Small files come first, so that many are examined before the deadline.
    files.sort_by(|one, other| (one.size, &one.path).cmp(&(other.size, &other.path)));
    let pair = Pair::new(machines, changes);
    let cached = read(cache);
    let (next, state) = (AtomicUsize::new(0), Mutex::new((Corpus::default(), RowCache::new())));
    let examine_files = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if Instant::now() >= until {
                return;
            }
            let (rows, examined) = examine(&pair, file, cached.get(&file.key));
            let Ok(mut state) = state.lock() else { return };
            let (found, known) = &mut *state;
            found.known = (found.known.0 + 1, found.known.1 + file.size);
            found.run += usize::from(rows.is_some());
            known.extend(rows.map(|rows| (file.key.clone(), rows)));
            if let Some(lines) = examined {
                found.differ += 1;
                // Sorting makes the examples independent of the order in which threads finish.
                found.examples.push((file.path.clone(), lines));
                found
                    .examples
                    .sort_by_key(|(path, _)| files.iter().position(|it| it.path == *path));
                found.examples.truncate(MAX_EXAMPLES);
            }
        }
    };
    let thread_count = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        (0..thread_count).for_each(|_| {
            scope.spawn(examine_files);
        });
    });
    let (mut found, fresh) = state.into_inner().unwrap_or_default();
    found.total = (files.len(), files.iter().map(|file| file.size).sum());
    if !fresh.is_empty() {
        let mut known = cached;
        known.extend(fresh);
        write(cache, &known);
    }
    Ok(found)
}

/// Appends all files in a folder and its subfolders to `files`, or the file itself if `folder` is a file.
fn collect(folder: &Path, files: &mut Vec<File>) -> std::io::Result<()> {
    if folder.is_file() {
        files.extend(file(folder.to_owned(), &fs::metadata(folder)?));
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = fs::metadata(entry.path())?;
        if metadata.is_dir() {
            collect(&entry.path(), files)?;
        } else {
            files.extend(file(entry.path(), &metadata));
        }
    }
    Ok(())
}

fn file(path: PathBuf, metadata: &fs::Metadata) -> Option<File> {
    let modified = metadata.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let absolute_path = fs::canonicalize(&path).ok()?;
    let key = format!("{:016x}", hash(&(absolute_path, metadata.len(), modified)));
    Some(File { size: metadata.len(), path, key })
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the name of the cache file for a table whose files have these texts.
pub fn cache_name(texts: &[&str]) -> String {
    format!("rows-{:016x}", hash(&texts))
}

/// Examines a file. Returns the rows that it runs in the old table, if it was run, and the lines in which the results
/// differ, if they do.
fn examine(
    pair: &Pair<'_>,
    file: &File,
    known: Option<&Vec<u32>>,
) -> (Option<Vec<u32>>, Option<Vec<String>>) {
    if known.is_some_and(|rows| !pair.affected.contains_any(rows)) {
        return (None, None);
    }
    let Ok(bytes) = fs::read(&file.path) else { return (None, None) };
    // Invalid UTF-8 is replaced with U+FFFD, as a decoder would do.
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let machine = pair.interpreters[0].machine();
    let mode = if machine.construction.is_some() {
        RunMode::Tree(ParseOptions::default())
    } else {
        let state = machine.state(machine.start).name.clone();
        RunMode::Tokens(Start { state, last_start_tag: None, flags: Vec::new() })
    };
    let input = Input { text, mode };
    let Some(old) = input.run(&pair.interpreters[0]) else { return (None, None) };
    let rows = row_numbers(&old);
    if !pair.affected.contains_any(&rows) {
        return (Some(rows), None);
    }
    let lines =
        input.run(&pair.interpreters[1]).filter(|new| !old.has_equal_output(new)).map(|new| {
            let mut lines = diff_lines(&old.words(&input.text), &new.words(&input.text));
            lines.truncate(6);
            lines
        });
    (Some(rows), lines)
}

/// Reads the cache; empty if the file is missing. Malformed lines are skipped.
fn read(cache: Option<&Path>) -> RowCache {
    let text = cache.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
    let parse_line = |line: &str| {
        let (key, rows) = line.split_once(' ')?;
        Some((key.to_owned(), rows.split(' ').filter_map(|row| row.parse().ok()).collect()))
    };
    text.lines().filter_map(parse_line).collect()
}

/// Writes the cache. A failure is ignored, because it only makes later runs slower.
fn write(cache: Option<&Path>, known: &RowCache) {
    let Some(path) = cache else { return };
    let format_line = |(key, rows): (&String, &Vec<u32>)| {
        let rows: Vec<String> = rows.iter().map(u32::to_string).collect();
        format!("{key} {}\n", rows.join(" "))
    };
    let text: String = known.iter().map(format_line).collect();
    let _ = path.parent().map(fs::create_dir_all);
    let _ = fs::write(path, text);
}
